//! Matrices of single-precision numbers, and their products.

mod bytes;
mod half;
mod recycling;

use crate::config::Precision;
use crate::simd;
pub(crate) use bytes::{ByteRows, spelled_out};
pub(crate) use half::{Halves, Right};

/// A matrix, row by row.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Matrix {
    n_rows: usize,
    n_columns: usize,
    values: Vec<f32>,
}

impl Clone for Matrix {
    fn clone(&self) -> Matrix {
        Matrix {
            values: recycling::copy(&self.values),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Matrix) {
        (self.n_rows, self.n_columns) = source.shape();
        self.values.clone_from(&source.values);
    }
}

impl Drop for Matrix {
    fn drop(&mut self) {
        recycling::recycle(std::mem::take(&mut self.values));
    }
}

/// A matrix or a part of one, possibly transposed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'m> {
    values: &'m [f32],
    n_rows: usize,
    n_columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl Matrix {
    /// A matrix of zeros.
    pub(crate) fn zeros(n_rows: usize, n_columns: usize) -> Matrix {
        Matrix {
            n_rows,
            n_columns,
            values: recycling::zeros(n_rows * n_columns),
        }
    }

    /// The shape of a matrix that is yet to be read or drawn, and nothing else.
    pub(crate) fn to_come(n_rows: usize, n_columns: usize) -> Matrix {
        Matrix {
            n_rows,
            n_columns,
            values: Vec::new(),
        }
    }

    /// A matrix for values to be written to; until then they are any.
    pub(crate) fn unset(n_rows: usize, n_columns: usize) -> Matrix {
        Matrix {
            n_rows,
            n_columns,
            values: recycling::any(n_rows * n_columns),
        }
    }

    /// A matrix of given values, row by row.
    ///
    /// # Panics
    ///
    /// When there are not as many values as the shape needs.
    pub(crate) fn new(n_rows: usize, n_columns: usize, values: Vec<f32>) -> Matrix {
        assert_eq!(values.len(), n_rows * n_columns, "values fill the matrix");
        Matrix {
            n_rows,
            n_columns,
            values: recycling::adopted(values),
        }
    }

    /// A matrix of values that a function gives, row by row.
    pub(crate) fn from_fn(
        n_rows: usize,
        n_columns: usize,
        mut value: impl FnMut(usize, usize) -> f32,
    ) -> Matrix {
        let mut matrix = Matrix::unset(n_rows, n_columns);
        for row in 0..n_rows {
            for (column, cell) in matrix.row_mut(row).iter_mut().enumerate() {
                *cell = value(row, column);
            }
        }
        matrix
    }

    /// How many rows there are.
    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// How many columns there are.
    pub(crate) fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Rows and columns.
    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.n_rows, self.n_columns)
    }

    /// All values, row by row.
    pub(crate) fn values(&self) -> &[f32] {
        &self.values
    }

    /// All values, row by row, to change.
    pub(crate) fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// A row.
    pub(crate) fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.n_columns..(row + 1) * self.n_columns]
    }

    /// A row, to change.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.values[row * self.n_columns..(row + 1) * self.n_columns]
    }

    /// Rows that follow each other.
    pub(crate) fn rows(&self, rows: std::ops::Range<usize>) -> &[f32] {
        &self.values[rows.start * self.n_columns..rows.end * self.n_columns]
    }

    /// Rows that follow each other, to change.
    pub(crate) fn rows_mut(&mut self, rows: std::ops::Range<usize>) -> &mut [f32] {
        &mut self.values[rows.start * self.n_columns..rows.end * self.n_columns]
    }

    /// The matrix as an operand.
    pub(crate) fn view(&self) -> View<'_> {
        View::of(&self.values, self.n_rows, self.n_columns)
    }

    /// The transposed matrix as an operand.
    pub(crate) fn transposed(&self) -> View<'_> {
        self.view().transposed()
    }

    /// Adds another matrix of the same shape.
    ///
    /// # Panics
    ///
    /// When the shapes differ.
    pub(crate) fn add(&mut self, other: &Matrix) {
        assert_eq!(
            self.shape(),
            other.shape(),
            "only equal shapes can be added"
        );
        simd::vectorized(
            #[inline(always)]
            || simd::add(&mut self.values, &other.values),
        );
    }

    /// Adds the product of two matrices.
    ///
    /// # Panics
    ///
    /// When the shapes do not fit.
    pub(crate) fn add_product(&mut self, left: View<'_>, right: View<'_>) {
        Precision::Single.add_product(self, left, right);
    }
}

impl<'m> View<'m> {
    /// Values, row by row, as an operand.
    ///
    /// # Panics
    ///
    /// When there are not as many values as the shape needs.
    pub(crate) fn of(values: &'m [f32], n_rows: usize, n_columns: usize) -> View<'m> {
        assert_eq!(values.len(), n_rows * n_columns, "values fill the matrix");
        View {
            values,
            n_rows,
            n_columns,
            row_stride: n_columns,
            column_stride: 1,
        }
    }

    /// How many rows there are.
    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Some rows, all columns.
    ///
    /// # Panics
    ///
    /// When the view is transposed or a part of a matrix, or has fewer rows.
    #[must_use]
    pub(crate) fn rows(self, rows: std::ops::Range<usize>) -> View<'m> {
        assert!(
            self.column_stride == 1 && self.row_stride == self.n_columns,
            "rows of a plain matrix"
        );
        let values = &self.values[rows.start * self.n_columns..rows.end * self.n_columns];
        View::of(values, rows.len(), self.n_columns)
    }

    /// Some columns, all rows.
    ///
    /// # Panics
    ///
    /// When the view is transposed or has fewer columns.
    #[must_use]
    pub(crate) fn columns(self, columns: std::ops::Range<usize>) -> View<'m> {
        assert!(
            self.column_stride == 1
                && columns.start <= columns.end
                && columns.end <= self.n_columns,
            "columns of a plain matrix"
        );
        let n_columns = columns.len();
        let values = if self.n_rows == 0 || n_columns == 0 {
            &[]
        } else {
            let end = (self.n_rows - 1) * self.row_stride + columns.end;
            &self.values[columns.start..end]
        };
        View {
            values,
            n_columns,
            ..self
        }
    }

    /// The transposed matrix.
    #[must_use]
    pub(crate) fn transposed(self) -> View<'m> {
        View {
            values: self.values,
            n_rows: self.n_columns,
            n_columns: self.n_rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
        }
    }

    /// One past the last value that the view reaches.
    fn n_reached(&self) -> usize {
        if self.n_rows == 0 || self.n_columns == 0 {
            0
        } else {
            (self.n_rows - 1) * self.row_stride + (self.n_columns - 1) * self.column_stride + 1
        }
    }
}

/// Products of the layers that most of the time goes to.
impl Precision {
    /// The product of two matrices.
    pub(crate) fn product(self, left: View<'_>, right: View<'_>) -> Matrix {
        let mut result = Matrix::unset(left.n_rows, right.n_columns);
        let (columns, values) = (0..right.n_columns, &mut result.values);
        if left.n_columns == 0 {
            values.fill(0.0);
        }
        self.fill_product(values, right.n_columns, columns, left, right);
        result
    }

    /// Adds the product of two matrices to another.
    pub(crate) fn add_product(self, sum: &mut Matrix, left: View<'_>, right: View<'_>) {
        let n_columns = sum.n_columns;
        let values = &mut sum.values;
        multiply(
            (Existing::Add, self),
            values,
            n_columns,
            0..n_columns,
            left,
            right,
        );
    }

    /// Fills some columns of rows that are `n_columns` wide with the product of two matrices.
    pub(crate) fn fill_product(
        self,
        result: &mut [f32],
        n_columns: usize,
        columns: std::ops::Range<usize>,
        left: View<'_>,
        right: View<'_>,
    ) {
        let how = (Existing::Replace, self);
        multiply(how, result, n_columns, columns, left, right);
    }
}

/// The product of two matrices.
pub(crate) fn product(left: View<'_>, right: View<'_>) -> Matrix {
    Precision::Single.product(left, right)
}

/// Adds the product of two matrices to some columns of rows that are `n_columns` wide.
///
/// # Panics
///
/// When the shapes do not fit.
pub(crate) fn add_product(
    result: &mut [f32],
    n_columns: usize,
    columns: std::ops::Range<usize>,
    left: View<'_>,
    right: View<'_>,
) {
    let how = (Existing::Add, Precision::Single);
    multiply(how, result, n_columns, columns, left, right);
}

/// Fills some columns of rows that are `n_columns` wide with the product of two matrices.
///
/// # Panics
///
/// When the shapes do not fit.
pub(crate) fn fill_product(
    result: &mut [f32],
    n_columns: usize,
    columns: std::ops::Range<usize>,
    left: View<'_>,
    right: View<'_>,
) {
    Precision::Single.fill_product(result, n_columns, columns, left, right);
}

/// What becomes of the values that the result holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    /// The product is added to them.
    Add,
    /// The product takes their place.
    Replace,
}

fn multiply(
    (existing, precision): (Existing, Precision),
    result: &mut [f32],
    n_columns: usize,
    columns: std::ops::Range<usize>,
    left: View<'_>,
    right: View<'_>,
) {
    let shape = (left.n_rows, right.n_columns);
    assert_eq!(
        result.len(),
        shape.0 * n_columns,
        "as many rows as the product"
    );
    assert_eq!(columns.len(), shape.1, "as many columns as the product");
    assert!(columns.end <= n_columns, "columns of the result");
    assert_eq!(left.n_columns, right.n_rows, "factors fit each other");
    assert!(
        left.n_reached() <= left.values.len(),
        "the left factor is all there"
    );
    assert!(
        right.n_reached() <= right.values.len(),
        "the right factor is all there"
    );
    if shape.0 == 0 || shape.1 == 0 || left.n_columns == 0 {
        return;
    }
    if precision == Precision::Half && half::suits(&left, &right) {
        let result = &mut result[columns.start..];
        let right = Right::Loose(right);
        return half::multiply(existing, result, n_columns, left, right);
    }
    #[expect(
        clippy::cast_possible_wrap,
        reason = "no slice is longer than isize::MAX"
    )]
    let stride = |stride: usize| stride as isize;
    #[expect(
        unsafe_code,
        reason = "the crate gemm-f32 takes pointers; all that they reach was checked above"
    )]
    // SAFETY: `result` holds `shape.0` rows of `n_columns` values, of which those in `columns` are
    // changed; by the last two assertions every index below shape and strides lies inside `left`
    // and `right`. `result` is borrowed mutably, so it overlaps neither.
    unsafe {
        // The kernels prefer columns to follow each other, so the transposed product is asked for.
        gemm_f32::gemm::f32::get_gemm_fn()(
            shape.1,
            shape.0,
            left.n_columns,
            result[columns.start..].as_mut_ptr(),
            stride(n_columns),
            1,
            existing == Existing::Add,
            right.values.as_ptr(),
            stride(right.row_stride),
            stride(right.column_stride),
            left.values.as_ptr(),
            stride(left.row_stride),
            stride(left.column_stride),
            1.0,
            1.0,
            false,
            false,
            false,
            gemm_common::Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(n_rows: usize, n_columns: usize) -> Matrix {
        Matrix::from_fn(n_rows, n_columns, |row, column| {
            ((row * 7 + column * 3) % 11) as f32 - 5.0
        })
    }

    #[test]
    fn products_are_sums_over_rows_and_columns() {
        for (n, k, m) in [(1, 1, 1), (2, 3, 4), (17, 5, 33), (3, 0, 2)] {
            let (left, right) = (numbers(n, k), numbers(k, m));
            let expected = Matrix::from_fn(n, m, |row, column| {
                (0..k)
                    .map(|it| left.row(row)[it] * right.row(it)[column])
                    .sum()
            });
            assert_eq!(product(left.view(), right.view()), expected);
            let (left, right) = (transposed(&left), transposed(&right));
            assert_eq!(product(left.transposed(), right.transposed()), expected);
        }
    }

    fn transposed(matrix: &Matrix) -> Matrix {
        Matrix::from_fn(matrix.n_columns(), matrix.n_rows(), |row, column| {
            matrix.row(column)[row]
        })
    }

    #[test]
    fn products_of_columns_leave_the_others_alone() {
        let (left, right) = (numbers(3, 6), numbers(2, 4));
        let part = Matrix::from_fn(3, 2, |row, column| left.row(row)[column + 3]);
        assert_eq!(
            product(left.view().columns(3..5), right.view()),
            product(part.view(), right.view())
        );
    }

    #[test]
    #[should_panic(expected = "factors fit each other")]
    fn factors_must_fit() {
        product(numbers(2, 3).view(), numbers(2, 3).view());
    }
}
