//! Parameters in few bytes, for models that answer and do not learn.

use std::ops::Range;

use crate::matrix::{ByteRows, Halves, Matrix, Right};

/// What is kept of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Compact {
    /// A weight that rows are multiplied with.
    Halves(Halves),
    /// Such a weight, or a table that rows are taken from.
    Bytes(ByteRows),
}

impl Compact {
    pub(crate) fn shape(&self) -> (usize, usize) {
        match self {
            Compact::Halves(it) => it.shape(),
            Compact::Bytes(it) => it.shape(),
        }
    }

    /// Fills some columns of rows that are `n_columns` wide with the product of a matrix and this one.
    ///
    /// # Panics
    ///
    /// When the shapes do not fit.
    pub(crate) fn fill_product(
        &self,
        result: &mut [f32],
        n_columns: usize,
        columns: Range<usize>,
        left: &Matrix,
    ) {
        let right = match self {
            Compact::Halves(it) => Right::Packed(it),
            Compact::Bytes(it) => Right::Bytes(it),
        };
        right.fill_product(result, n_columns, columns, left);
    }
}

/// What is done with a parameter that can be kept in few bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompactUse {
    /// Rows are multiplied with it.
    Weight,
    /// Rows are taken from it.
    Table,
}
