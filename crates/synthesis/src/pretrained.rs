//! Encoders that others have trained: BERT (Devlin et al. 2019) and everything of its shape.
//!
//! A folder of one, as it is published, holds three files that matter: `config.json` is an [`EncoderShape`],
//! `vocab.txt` are [`WordPieces`], `model.safetensors` has the weights. Who opens them passes on the bytes.

mod piece_sequences;
mod shape;
mod weights;
mod word_pieces;

use std::sync::Arc;

pub use piece_sequences::{Piece, PieceSequences};
pub use shape::{EncoderShape, ShapeError};
pub use weights::WeightsError;
pub(crate) use weights::{Weights, half_of, single_of};
pub use word_pieces::{WordPieces, WordPiecesError};

use rand::Rng;

use crate::matrix::Matrix;
use crate::model::hidden_states;
use crate::parameters::normal;

/// A pretrained encoder: its shape, the pieces that it knows, and its weights.
#[derive(Clone, Debug)]
pub struct PretrainedEncoder {
    pub(crate) pieces: Arc<WordPieces>,
    pub(crate) weights: Weights,
}

impl PretrainedEncoder {
    /// An encoder from the bytes of a `model.safetensors`, in 32 or in 16 bits.
    ///
    /// # Errors
    ///
    /// When the bytes are no tensors, or not those that the shape asks for.
    pub fn new(
        shape: EncoderShape,
        pieces: WordPieces,
        bytes: &[u8],
    ) -> Result<PretrainedEncoder, WeightsError> {
        if pieces.len() > shape.n_pieces {
            return Err(WeightsError::Pieces {
                expected: shape.n_pieces,
                found: pieces.len(),
            });
        }
        Ok(PretrainedEncoder {
            pieces: Arc::new(pieces),
            weights: Weights::read(shape, bytes)?,
        })
    }

    /// An encoder that has learnt nothing.
    pub fn untrained(
        shape: EncoderShape,
        pieces: WordPieces,
        rng: &mut impl Rng,
    ) -> PretrainedEncoder {
        let mut weights = Weights::to_come(shape);
        for (name, matrix) in &mut weights.matrices {
            let is_gain = name.ends_with("LayerNorm.weight");
            let shape = matrix.shape();
            *matrix = if is_gain || name.ends_with("bias") {
                Matrix::from_fn(shape.0, shape.1, |_, _| f32::from(u8::from(is_gain)))
            } else {
                normal(shape, 0.02, rng)
            };
        }
        PretrainedEncoder {
            pieces: Arc::new(pieces),
            weights,
        }
    }

    /// The shape.
    pub fn shape(&self) -> &EncoderShape {
        &self.weights.shape
    }

    /// The pieces that it knows.
    pub fn pieces(&self) -> &Arc<WordPieces> {
        &self.pieces
    }

    /// What the last layer makes of a sequence: as many numbers for each piece as the shape says.
    ///
    /// # Panics
    ///
    /// When the sequence is longer than the shape allows, or has pieces that are not there.
    pub fn hidden_states(&self, sequence: &[Piece]) -> Vec<Vec<f32>> {
        let states: Matrix = hidden_states(&self.weights, sequence);
        let rows = (0..states.n_rows()).map(|row| states.row(row).to_vec());
        rows.collect()
    }
}

#[cfg(test)]
mod tests {
    use safetensors::tensor::TensorView;
    use safetensors::{Dtype, SafeTensors};

    use super::*;
    use crate::toy;

    /// The encoder of the fixture, with other bytes in the place of its weights, and another shape.
    fn read(bytes: &[u8], change: impl Fn(&mut EncoderShape)) -> Result<PretrainedEncoder, String> {
        let known = toy::pretrained();
        let mut shape = known.shape().clone();
        change(&mut shape);
        let pieces = known.pieces().as_ref().clone();
        PretrainedEncoder::new(shape, pieces, bytes).map_err(|error| error.to_string())
    }

    /// The weights of the fixture, each changed or left out.
    fn changed(
        change: impl Fn(&str, &[usize], &[u8]) -> Option<(String, Dtype, Vec<u8>)>,
    ) -> Vec<u8> {
        let tensors = SafeTensors::deserialize(toy::ENCODER[2]).unwrap();
        let mut names = tensors.names();
        names.sort_unstable();
        let changed: Vec<(String, Dtype, Vec<usize>, Vec<u8>)> = names
            .into_iter()
            .filter_map(|name| {
                let tensor = tensors.tensor(name).unwrap();
                let (name, dtype, data) = change(name, tensor.shape(), tensor.data())?;
                Some((name, dtype, tensor.shape().to_vec(), data))
            })
            .collect();
        let views = changed.iter().map(|(name, dtype, shape, data)| {
            (name, TensorView::new(*dtype, shape.clone(), data).unwrap())
        });
        safetensors::serialize(views, None).unwrap()
    }

    fn singles(data: &[u8]) -> impl Iterator<Item = f32> {
        let (numbers, _) = data.as_chunks::<4>();
        numbers.iter().map(|&it| f32::from_le_bytes(it))
    }

    #[test]
    fn what_is_wrong_is_named() {
        let whole = toy::ENCODER[2];
        let check = |bytes: &[u8], change: fn(&mut EncoderShape), expected: &str| {
            let error = read(bytes, change).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        };
        let missing = "encoder.layer.1.output.dense.bias";
        let without = changed(|name, _, data| {
            (name != missing).then(|| (name.to_owned(), Dtype::F32, data.to_vec()))
        });
        check(
            &without,
            |_| {},
            "expected F32, F16 or BF16 of shape [8] for `encoder.layer.1.output.dense.bias`, found nothing",
        );
        check(
            whole,
            |shape| shape.width = 16,
            "expected F32, F16 or BF16 of shape [30, 16] for `embeddings.word_embeddings.weight`, found F32 of shape [30, 8]",
        );
        check(
            whole,
            |shape| shape.n_layers = usize::MAX,
            "expected F32, F16 or BF16 of shape [8, 8] for `encoder.layer.2.attention.self.query.weight`, found nothing",
        );
        check(
            whole,
            |shape| shape.n_pieces = 29,
            "expected at most 29 pieces, as many as there are embeddings, found 30",
        );
        for length in [0, 7, 100, whole.len() - 1] {
            check(&whole[..length], |_| {}, "expected a file of tensors: ");
        }
        let integers = changed(|name, _, data| Some((name.to_owned(), Dtype::I32, data.to_vec())));
        check(
            &integers,
            |_| {},
            "expected F32, F16 or BF16 of shape [30, 8] for `embeddings.word_embeddings.weight`, found I32 of shape [30, 8]",
        );
        let infinite = changed(|name, _, data| {
            let mut data = data.to_vec();
            if name == missing {
                data[..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
            }
            Some((name.to_owned(), Dtype::F32, data))
        });
        check(
            &infinite,
            |_| {},
            "expected F32, F16 or BF16 of shape [8] for `encoder.layer.1.output.dense.bias`, found the number inf in it",
        );
    }

    #[test]
    fn weights_may_have_16_bits_and_other_names() {
        let expected = toy::pretrained();
        let check = |bytes: &[u8], tolerance: f32| {
            let found = read(bytes, |_| {}).unwrap();
            for (name, expected) in &expected.weights.matrices {
                let found = &found.weights.matrices[name];
                for (found, expected) in found.values().iter().zip(expected.values()) {
                    let error = (found - expected).abs();
                    assert!(error <= tolerance * expected.abs().max(0.01), "{name}");
                }
            }
        };
        check(toy::ENCODER[2], 0.0);
        // Cut off after ten or seven digits of the fraction, of which the first is not stored.
        let halves = changed(|name, _, data| {
            let cut = |it: f32| f32::from_bits(it.to_bits() & !0x1fff);
            let half = |it: f32| half_of(cut(it)).unwrap_or_default().to_le_bytes();
            let data = singles(data).flat_map(half).collect();
            Some((name.to_owned(), Dtype::F16, data))
        });
        check(&halves, 1.0 / 512.0);
        let short = changed(|name, _, data| {
            let (numbers, _) = data.as_chunks::<4>();
            let data = numbers.iter().flat_map(|it| [it[2], it[3]]).collect();
            Some((name.to_owned(), Dtype::BF16, data))
        });
        check(&short, 1.0 / 64.0);
        let renamed = changed(|name, _, data| {
            let name = name.replace("LayerNorm.weight", "LayerNorm.gamma");
            let name = name.replace("LayerNorm.bias", "LayerNorm.beta");
            Some((format!("bert.{name}"), Dtype::F32, data.to_vec()))
        });
        check(&renamed, 0.0);
    }
}
