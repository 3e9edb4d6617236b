//! Parameters in few bytes, for models that answer and do not learn.

use crate::matrix::{Halves, Matrix};
use crate::simd;

/// What is kept of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Compact {
    /// A weight that rows are multiplied with.
    Halves(Halves),
    /// A table that rows are taken from.
    Bytes(ByteRows),
}

/// How a parameter can be kept in few bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompactForm {
    Halves,
    Bytes,
}

/// Rows of whole numbers of 8 bits, each row times its scale.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ByteRows {
    bytes: Vec<u8>,
    scales: Vec<f32>,
    width: usize,
}

impl ByteRows {
    /// # Panics
    ///
    /// When there is not a scale for each row.
    pub(crate) fn new(bytes: Vec<u8>, scales: Vec<f32>, width: usize) -> ByteRows {
        assert_eq!(bytes.len(), scales.len() * width, "a scale for each row");
        ByteRows {
            bytes,
            scales,
            width,
        }
    }

    /// The rows with the given indices: [indices, width].
    pub(crate) fn gathered(&self, rows: &[u32]) -> Matrix {
        let mut result = Matrix::unset(rows.len(), self.width);
        simd::vectorized(
            #[inline(always)]
            || {
                for (to, &from) in rows.iter().enumerate() {
                    let bytes = &self.bytes[from as usize * self.width..][..self.width];
                    fill_scaled(result.row_mut(to), bytes, self.scales[from as usize]);
                }
            },
        );
        result
    }
}

/// Whole numbers of 8 bits times a scale.
#[inline(always)]
pub(crate) fn fill_scaled(values: &mut [f32], bytes: &[u8], scale: f32) {
    for (value, byte) in values.iter_mut().zip(bytes) {
        *value = f32::from(byte.cast_signed()) * scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_their_bytes_times_their_scale() {
        let bytes = [1_i8, -2, 3, 127, -127, 0].map(i8::cast_unsigned);
        let rows = ByteRows::new(bytes.to_vec(), vec![0.5, 2.0], 3);
        let found = rows.gathered(&[1, 0, 1]);
        let (first, second) = ([0.5, -1.0, 1.5], [254.0, -254.0, 0.0]);
        assert_eq!(found.values(), [second, first, second].concat());
    }
}
