//! Matrices as tensors of a file: 32 bits a number, 16 where these hold it, or 8 where that is near enough.

use std::borrow::Cow;

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::LoadError;
use crate::matrix::{ByteRows, Halves, Matrix, spelled_out};
use crate::parameters::{Compact, CompactUse};
use crate::pretrained::{half_of, single_of};

/// The matrix that a tensor is.
pub(super) fn read_matrix(
    tensors: &SafeTensors<'_>,
    name: &str,
    shape: (usize, usize),
) -> Result<Matrix, LoadError> {
    let tensor = find_matrix(tensors, name, shape)?;
    if tensor.dtype() == Dtype::I8 {
        let scales = read_matrix(tensors, &scale_name(name), (shape.0, 1))?;
        let rows = tensor.data().chunks_exact(shape.1);
        return Ok(spelled_out(
            rows.zip(scales.values().iter().copied()),
            shape.1,
        ));
    }
    let mut matrix = Matrix::unset(shape.0, shape.1);
    let values = matrix.values_mut().iter_mut();
    if tensor.dtype() == Dtype::F16 {
        let (numbers, _) = tensor.data().as_chunks::<2>();
        for (value, &number) in values.zip(numbers) {
            *value = single_of(u16::from_le_bytes(number));
        }
    } else {
        let (numbers, _) = tensor.data().as_chunks::<4>();
        for (value, &number) in values.zip(numbers) {
            *value = f32::from_le_bytes(number);
        }
    }
    Ok(matrix)
}

/// How bytes of a file are kept: as they are, where they stay for ever, or else copied.
pub(super) type KeepBytes<'t> = fn(&'t [u8]) -> Cow<'static, [u8]>;

/// What a tensor is in few bytes, where it can be had so.
pub(super) fn read_compact<'t>(
    tensors: &SafeTensors<'t>,
    name: &str,
    shape: (usize, usize),
    purpose: CompactUse,
    keep: KeepBytes<'t>,
) -> Result<Option<Compact>, LoadError> {
    let tensor = find_matrix(tensors, name, shape)?;
    if tensor.dtype() == Dtype::I8 {
        let scales = read_matrix(tensors, &scale_name(name), (shape.0, 1))?;
        let scales = scales.values().to_vec();
        let rows = ByteRows::new(keep(tensor.data()), scales, shape.1);
        return Ok(Some(Compact::Bytes(rows)));
    }
    match purpose {
        CompactUse::Table => Ok(None),
        CompactUse::Weight => {
            let matrix = read_matrix(tensors, name, shape)?;
            Ok(Halves::new(&matrix).map(Compact::Halves))
        }
    }
}

/// What the scales of the rows of a tensor are called.
fn scale_name(name: &str) -> String {
    format!("{name}.scale")
}

/// A tensor that is a matrix of the right shape.
pub(super) fn find_matrix<'t>(
    tensors: &SafeTensors<'t>,
    name: &str,
    shape: (usize, usize),
) -> Result<TensorView<'t>, LoadError> {
    let wrong = |found: String| LoadError::Tensor {
        name: name.to_owned(),
        expected: format!("numbers of shape {} x {}", shape.0, shape.1),
        found,
    };
    let tensor = tensors
        .tensor(name)
        .map_err(|_| wrong("nothing".to_owned()))?;
    let is_known = [Dtype::F32, Dtype::F16, Dtype::I8].contains(&tensor.dtype());
    if !is_known || tensor.shape() != [shape.0, shape.1] {
        return Err(wrong(format!(
            "{:?} of shape {:?}",
            tensor.dtype(),
            tensor.shape()
        )));
    }
    Ok(tensor)
}

/// A matrix as a file holds it.
pub(super) struct Stored<'a> {
    dtype: Dtype,
    shape: [usize; 2],
    values: Cow<'a, [f32]>,
}

/// Smaller matrices are not worth the loss.
const SMALLEST_IN_BYTES: usize = 1 << 12;

impl<'a> Stored<'a> {
    pub(super) fn new(matrix: &'a Matrix) -> Stored<'a> {
        Stored {
            dtype: Dtype::F32,
            shape: [matrix.n_rows(), matrix.n_columns()],
            values: Cow::Borrowed(matrix.values()),
        }
    }

    /// In 16 bits where these hold all values exactly: many encoders are published so, and most of one may stay
    /// as it is.
    pub(super) fn small(matrix: &'a Matrix) -> Stored<'a> {
        let stored = Stored::new(matrix);
        let is_exact = stored.values.iter().all(|&it| half_of(it).is_some());
        Stored {
            dtype: if is_exact { Dtype::F16 } else { Dtype::F32 },
            ..stored
        }
    }

    /// A large matrix in 8 bits a number: whole numbers of at most 127, and what each row of them is multiplied with,
    /// under a name of its own.
    pub(super) fn in_bytes(
        name: String,
        matrix: &'a Matrix,
    ) -> impl Iterator<Item = (String, Stored<'a>)> {
        let (n_rows, n_columns) = matrix.shape();
        if n_rows * n_columns < SMALLEST_IN_BYTES || n_rows == 1 {
            return vec![(name, Stored::new(matrix))].into_iter();
        }
        let greatest = |row: &[f32]| row.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
        let rows = || matrix.values().chunks_exact(n_columns);
        let scales: Vec<f32> = rows().map(|row| greatest(row) / 127.0).collect();
        let scaled = rows().zip(&scales).flat_map(|(row, &scale)| {
            let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
            row.iter().map(move |it| (it * inverse).round())
        });
        let stored = |dtype, shape, values: Vec<f32>| Stored {
            dtype,
            shape,
            values: Cow::Owned(values),
        };
        let bytes = stored(Dtype::I8, [n_rows, n_columns], scaled.collect());
        let scales = stored(Dtype::F32, [n_rows, 1], scales);
        vec![(scale_name(&name), scales), (name, bytes)].into_iter()
    }
}

impl safetensors::View for Stored<'_> {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        let values = self.values.iter();
        Cow::Owned(match self.dtype {
            Dtype::F16 => {
                let halves = values.filter_map(|&it| half_of(it));
                halves.flat_map(u16::to_le_bytes).collect()
            }
            Dtype::I8 => values.map(|&it| (it as i8).cast_unsigned()).collect(),
            _ => values.flat_map(|it| it.to_le_bytes()).collect(),
        })
    }

    fn data_len(&self) -> usize {
        self.values.len() * self.dtype.bitsize() / 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bits_are_near_enough() {
        let matrix = Matrix::from_fn(64, 65, |row, column| {
            (row as f32 - 20.0) * ((column * 37 % 65) as f32 - 32.0) / 100.0
        });
        let stored = Stored::in_bytes("m".to_owned(), &matrix);
        let bytes = safetensors::serialize(stored, None).unwrap();
        assert!(bytes.len() < 64 * (65 + 4) + 300, "{}", bytes.len());
        let tensors = SafeTensors::deserialize(&bytes).unwrap();
        let found = read_matrix(&tensors, "m", matrix.shape()).unwrap();
        for (row, (found, expected)) in (0..64).map(|it| (it, (found.row(it), matrix.row(it)))) {
            let step = (row as f32 - 20.0).abs() * 0.32 / 127.0;
            for (found, expected) in found.iter().zip(expected) {
                assert!(
                    (found - expected).abs() <= 0.51 * step,
                    "{found} {expected}"
                );
            }
        }
    }
}
