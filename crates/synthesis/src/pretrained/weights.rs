//! The weights of an encoder, as its `model.safetensors` has them.

use indexmap::IndexMap;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::shape::EncoderShape;
use crate::matrix::Matrix;

/// The weights of an encoder, under the names that public checkpoints give them.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    pub(crate) shape: EncoderShape,
    pub(crate) matrices: IndexMap<String, Matrix>,
}

/// Why a `model.safetensors` does not hold what the shape of an encoder asks for.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// It is not a file of tensors, or damaged.
    #[error("expected a file of tensors: {0}")]
    Tensors(#[from] safetensors::SafeTensorError),
    /// A tensor is missing, or of another shape or kind of number.
    #[error("expected {expected} for `{name}`, found {found}")]
    Tensor {
        /// Its name.
        name: String,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// There are more pieces than embeddings.
    #[error("expected at most {expected} pieces, as many as there are embeddings, found {found}")]
    Pieces {
        /// How many embeddings there are.
        expected: usize,
        /// How many pieces there are.
        found: usize,
    },
}

/// What a tensor is, and how large.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// Rows that are looked up.
    Table(usize, usize),
    /// A row that is added to others, or multiplied with them.
    Row(usize),
    /// What rows are multiplied with. It is published as [outputs, inputs]; here it is [inputs, outputs], which takes
    /// half the time to multiply a few rows with.
    Factor {
        /// The width of the rows.
        inputs: usize,
        /// That of the products.
        outputs: usize,
    },
}

impl Part {
    /// The shape that it has here.
    pub(crate) fn shape(self) -> (usize, usize) {
        match self {
            Part::Table(n_rows, n_columns) => (n_rows, n_columns),
            Part::Row(width) => (1, width),
            Part::Factor { inputs, outputs } => (inputs, outputs),
        }
    }

    /// The shape that it has in a public checkpoint.
    fn published(self) -> Vec<usize> {
        match self {
            Part::Table(n_rows, n_columns) => vec![n_rows, n_columns],
            Part::Row(width) => vec![width],
            Part::Factor { inputs, outputs } => vec![outputs, inputs],
        }
    }
}

impl EncoderShape {
    /// The names of all weights, and what they are: first those of the embeddings, then those of each layer.
    pub(crate) fn weights(&self) -> impl Iterator<Item = (String, Part)> {
        let (width, inner) = (self.width, self.feed_forward_size);
        let tables = [
            ("word_embeddings.weight", Part::Table(self.n_pieces, width)),
            (
                "position_embeddings.weight",
                Part::Table(self.n_positions, width),
            ),
            (
                "token_type_embeddings.weight",
                Part::Table(self.n_segments, width),
            ),
            ("LayerNorm.weight", Part::Row(width)),
            ("LayerNorm.bias", Part::Row(width)),
        ];
        let tables = tables.map(|(name, part)| (format!("embeddings.{name}"), part));
        let of_layer = move |layer: usize| {
            let affine = |name: &str, inputs: usize, outputs: usize| {
                let weight = if name.ends_with("LayerNorm") {
                    Part::Row(outputs)
                } else {
                    Part::Factor { inputs, outputs }
                };
                let name = format!("encoder.layer.{layer}.{name}");
                [
                    (format!("{name}.weight"), weight),
                    (format!("{name}.bias"), Part::Row(outputs)),
                ]
            };
            let parts = [
                affine("attention.self.query", width, width),
                affine("attention.self.key", width, width),
                affine("attention.self.value", width, width),
                affine("attention.output.dense", width, width),
                affine("attention.output.LayerNorm", width, width),
                affine("intermediate.dense", width, inner),
                affine("output.dense", inner, width),
                affine("output.LayerNorm", width, width),
            ];
            parts.into_iter().flatten()
        };
        tables
            .into_iter()
            .chain((0..self.n_layers).flat_map(of_layer))
    }
}

impl Weights {
    /// The shapes of weights that are yet to be read or drawn.
    pub(crate) fn to_come(shape: EncoderShape) -> Weights {
        let to_come = |(name, part): (String, Part)| {
            let (n_rows, n_columns) = part.shape();
            (name, Matrix::to_come(n_rows, n_columns))
        };
        Weights {
            matrices: shape.weights().map(to_come).collect(),
            shape,
        }
    }

    pub(super) fn read(shape: EncoderShape, bytes: &[u8]) -> Result<Weights, WeightsError> {
        let tensors = SafeTensors::deserialize(bytes)?;
        let mut matrices = IndexMap::new();
        for (name, part) in shape.weights() {
            let matrix = read(&tensors, &name, part)?;
            matrices.insert(name, matrix);
        }
        Ok(Weights { shape, matrices })
    }
}

fn read(tensors: &SafeTensors<'_>, name: &str, part: Part) -> Result<Matrix, WeightsError> {
    let shape = part.published();
    let wrong = |found: String| WeightsError::Tensor {
        name: name.to_owned(),
        expected: format!("F32, F16 or BF16 of shape {shape:?}"),
        found,
    };
    let tensor = find(tensors, name).ok_or_else(|| wrong("nothing".to_owned()))?;
    let found = format!("{:?} of shape {:?}", tensor.dtype(), tensor.shape());
    if tensor.shape() != shape {
        return Err(wrong(found));
    }
    let values: Vec<f32> = match tensor.dtype() {
        Dtype::F32 => numbers(&tensor, f32::from_le_bytes),
        Dtype::F16 => numbers(&tensor, |it| single_of(u16::from_le_bytes(it))),
        // The upper half of a single.
        Dtype::BF16 => numbers(&tensor, |[low, high]| f32::from_le_bytes([0, 0, low, high])),
        _ => return Err(wrong(found)),
    };
    if let Some(value) = values.iter().find(|it| !it.is_finite()) {
        return Err(wrong(format!("the number {value} in it")));
    }
    let (n_rows, n_columns) = part.shape();
    Ok(match part {
        Part::Factor { inputs, .. } => Matrix::from_fn(n_rows, n_columns, |row, column| {
            values[column * inputs + row]
        }),
        Part::Table(..) | Part::Row(_) => Matrix::new(n_rows, n_columns, values),
    })
}

fn numbers<const N: usize>(tensor: &TensorView<'_>, number: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    let (numbers, _) = tensor.data().as_chunks::<N>();
    numbers.iter().map(|&it| number(it)).collect()
}

/// A tensor by its name, by the one that it has in models with a head on top, or by one of the names that the
/// first checkpoints gave to norms.
fn find<'t>(tensors: &SafeTensors<'t>, name: &str) -> Option<TensorView<'t>> {
    let old = name.replace("LayerNorm.weight", "LayerNorm.gamma");
    let old = old.replace("LayerNorm.bias", "LayerNorm.beta");
    let names = [name, &old].into_iter();
    let names = names.flat_map(|it| [it.to_owned(), format!("bert.{it}")]);
    names.into_iter().find_map(|it| tensors.tensor(&it).ok())
}

/// A number of 16 bits as one of 32.
pub(crate) fn single_of(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let exponent = u32::from(half >> 10) & 0x1f;
    let fraction = u32::from(half) & 0x3ff;
    let magnitude = match exponent {
        // Smaller than normal numbers are: a multiple of 2^-24.
        0 => (fraction as f32 * f32::from_bits(0x3380_0000)).to_bits(),
        0x1f => 0x7f80_0000 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// A number of 32 bits as one of 16, where these hold it exactly.
pub(crate) fn half_of(single: f32) -> Option<u16> {
    let bits = single.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let magnitude = f32::from_bits(bits & 0x7fff_ffff);
    let half = if magnitude < f32::from_bits(0x3880_0000) {
        // The multiple of 2^-24.
        #[expect(clippy::cast_sign_loss, reason = "a magnitude is not negative")]
        let multiple = (magnitude * 16_777_216.0) as u16;
        multiple
    } else {
        ((bits & 0x7fff_ffff) >> 13).wrapping_sub(112 << 10) as u16 & 0x7fff
    };
    let half = sign | half;
    (single_of(half).to_bits() == bits).then_some(half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_what_they_are_by_definition() {
        for half in 0..=u16::MAX {
            let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f64::from(half & 0x3ff));
            let magnitude = match exponent {
                0 => fraction * 2.0_f64.powi(-24),
                0x1f => continue,
                _ => (1024.0 + fraction) * 2.0_f64.powi(exponent - 25),
            };
            let expected = if half >> 15 == 1 {
                -magnitude
            } else {
                magnitude
            };
            let found = f64::from(single_of(half));
            assert_eq!(found.to_bits(), expected.to_bits(), "{half:x}");
            assert_eq!(half_of(single_of(half)), Some(half), "{half:x}");
        }
        assert!(single_of(0x7c00).is_infinite() && single_of(0x7c01).is_nan());
    }

    #[test]
    fn numbers_that_need_more_bits_are_no_halves() {
        for number in [0.1, 1.0 + f32::EPSILON, 65_520.0, 1e30, 1e-9, -3e-7] {
            assert_eq!(half_of(number), None, "{number}");
        }
        assert_eq!(half_of(-0.0), Some(0x8000));
        assert_eq!(half_of(65_504.0), Some(0x7bff));
    }
}
