//! Matrices of whole numbers of 8 bits, in a quarter of the room.

use std::borrow::Cow;

use super::Matrix;
use crate::simd;

/// Rows of whole numbers of 8 bits, each row times its scale.
///
/// They may be a part of the program: nothing is copied then.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ByteRows {
    bytes: Cow<'static, [u8]>,
    scales: Vec<f32>,
    width: usize,
}

impl ByteRows {
    /// # Panics
    ///
    /// When there is not a scale for each row.
    pub(crate) fn new(bytes: Cow<'static, [u8]>, scales: Vec<f32>, width: usize) -> ByteRows {
        assert_eq!(bytes.len(), scales.len() * width, "a scale for each row");
        ByteRows {
            bytes,
            scales,
            width,
        }
    }

    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.scales.len(), self.width)
    }

    /// The numbers of a row, and their scale.
    pub(super) fn row(&self, row: usize) -> (&[u8], f32) {
        (
            &self.bytes[row * self.width..][..self.width],
            self.scales[row],
        )
    }

    /// The rows with the given indices: [indices, width].
    pub(crate) fn gathered(&self, rows: &[u32]) -> Matrix {
        spelled_out(rows.iter().map(|&it| self.row(it as usize)), self.width)
    }

    /// All rows.
    pub(super) fn to_matrix(&self) -> Matrix {
        spelled_out((0..self.scales.len()).map(|it| self.row(it)), self.width)
    }
}

/// Rows of whole numbers of 8 bits, each times its scale, as a matrix.
pub(crate) fn spelled_out<'b>(
    rows: impl ExactSizeIterator<Item = (&'b [u8], f32)>,
    width: usize,
) -> Matrix {
    let mut result = Matrix::unset(rows.len(), width);
    simd::vectorized(
        #[inline(always)]
        || {
            for (to, (bytes, scale)) in rows.enumerate() {
                for (value, byte) in result.row_mut(to).iter_mut().zip(bytes) {
                    *value = f32::from(byte.cast_signed()) * scale;
                }
            }
        },
    );
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_their_bytes_times_their_scale() {
        let bytes = [1_i8, -2, 3, 127, -127, 0].map(i8::cast_unsigned);
        let rows = ByteRows::new(bytes.to_vec().into(), vec![0.5, 2.0], 3);
        let found = rows.gathered(&[1, 0, 1]);
        let (first, second) = ([0.5, -1.0, 1.5], [254.0, -254.0, 0.0]);
        assert_eq!(found.values(), [second, first, second].concat());
        assert_eq!(rows.to_matrix().values(), [first, second].concat());
    }
}
