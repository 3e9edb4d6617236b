//! Matrices as tensors of a file: 32 bits a number, or 16 where these hold it.

use std::borrow::Cow;

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::LoadError;
use crate::matrix::Matrix;
use crate::pretrained::{half_of, single_of};

/// The matrix that a tensor is.
pub(super) fn read_matrix(
    tensors: &SafeTensors<'_>,
    name: &str,
    shape: (usize, usize),
) -> Result<Matrix, LoadError> {
    find_matrix(tensors, name, shape)?;
    let mut matrix = Matrix::unset(shape.0, shape.1);
    fill_matrix(tensors, name, &mut matrix)?;
    Ok(matrix)
}

/// Puts the values of a tensor in the place of those of a matrix.
pub(super) fn fill_matrix(
    tensors: &SafeTensors<'_>,
    name: &str,
    matrix: &mut Matrix,
) -> Result<(), LoadError> {
    let tensor = find_matrix(tensors, name, matrix.shape())?;
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
    Ok(())
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
    let is_known = [Dtype::F32, Dtype::F16].contains(&tensor.dtype());
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
    values: &'a [f32],
}

impl<'a> Stored<'a> {
    pub(super) fn new(matrix: &'a Matrix) -> Stored<'a> {
        Stored {
            dtype: Dtype::F32,
            shape: [matrix.n_rows(), matrix.n_columns()],
            values: matrix.values(),
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
        Cow::Owned(if self.dtype == Dtype::F16 {
            let halves = values.filter_map(|&it| half_of(it));
            halves.flat_map(u16::to_le_bytes).collect()
        } else {
            values.flat_map(|it| it.to_le_bytes()).collect()
        })
    }

    fn data_len(&self) -> usize {
        self.values.len() * self.dtype.bitsize() / 8
    }
}
