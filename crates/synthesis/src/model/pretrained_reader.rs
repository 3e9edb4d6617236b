//! Words, columns and tables read by a pretrained encoder, all at once.

use std::sync::Arc;

use rand::Rng;

use super::Dropout;
use super::encoder::Affine;
use super::transformer::Transformer;
use crate::config::{FineTuning, ModelConfig};
use crate::layers::mean_rows;
use crate::matrix::Matrix;
use crate::parameters::{ParameterId, Parameters};
use crate::pretrained::{EncoderShape, Piece, Weights};
use crate::tape::{Recording, Tape, Var};
use crate::training_example::{EncodedSpec, Readings};

/// A pretrained encoder, and what makes its outputs as wide as the rest of the network is.
#[derive(Clone, Debug)]
pub(super) struct PretrainedReader {
    pub(super) transformer: Transformer,
    projection: Affine,
}

impl PretrainedReader {
    pub(super) fn new(
        parameters: &mut Parameters,
        config: &ModelConfig,
        weights: Weights,
        rng: &mut impl Rng,
    ) -> PretrainedReader {
        let transformer = Transformer::new(parameters, weights, config.pretrained.dropout);
        let shape = (transformer.shape.width, config.hidden_size);
        PretrainedReader {
            transformer,
            projection: Affine::new(parameters, "projection", shape, rng),
        }
    }

    /// The shape of the encoder.
    pub(super) fn shape(&self) -> &EncoderShape {
        &self.transformer.shape
    }

    /// How many parameters the encoder has: the first of a model.
    pub(super) fn n_parameters(&self) -> usize {
        self.transformer.n_parameters()
    }

    /// Decides what of the encoder is trained, and at which rates.
    pub(super) fn fine_tune(
        &self,
        config: &FineTuning,
        parameters: &mut Parameters,
        rates: &mut [Option<f32>],
    ) {
        self.transformer.fine_tune(config, parameters, rates);
    }

    /// What the encoder makes of each element of a specification, by itself.
    pub(super) fn readings(&self, parameters: &Parameters, spec: &EncodedSpec) -> Readings {
        let mut tape = Tape::new(parameters, Recording::ValuesOnly);
        self.read_pieces(&mut tape, &[spec], &mut Dropout::default());
        Readings::new(tape.into_last())
    }

    /// A number that tells encoders with other weights apart.
    pub(super) fn fingerprint(&self, parameters: &Parameters) -> u64 {
        let ids = (0..self.n_parameters()).map(ParameterId::new);
        let values = ids.flat_map(|id| parameters.get(id).values());
        // FNV-1a, a number at a time.
        values.fold(0xcbf2_9ce4_8422_2325, |state: u64, value| {
            (state ^ u64::from(value.to_bits())).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    /// Columns, tables and words of each specification: [elements, hidden].
    pub(super) fn read(
        &self,
        tape: &mut Tape<'_>,
        specs: &[&EncodedSpec],
        dropout: &mut Dropout,
    ) -> Var {
        let elements = match read_before(specs, self.transformer.shape.width) {
            Some(elements) => tape.constant(elements),
            None => self.read_pieces(tape, specs, dropout),
        };
        self.projection.apply(tape, elements)
    }

    /// What the encoder makes of columns, tables and words, each the mean of its pieces: [elements, width].
    fn read_pieces(
        &self,
        tape: &mut Tape<'_>,
        specs: &[&EncodedSpec],
        dropout: &mut Dropout,
    ) -> Var {
        let written = specs.iter().filter_map(|it| it.pieces.as_deref());
        let mut sequences: Vec<&[Piece]> = Vec::new();
        let mut places = Vec::new();
        let mut start = 0;
        for own in written {
            sequences.extend(own.sequences().iter().map(Vec::as_slice));
            let shifted = |list: &Vec<u32>| list.iter().map(|it| start + it).collect();
            places.extend(own.places().iter().map(shifted));
            start += own.n_pieces() as u32;
        }
        let states = self.transformer.read(tape, &sequences, dropout);
        mean_rows(tape, states, Arc::new(places))
    }
}

/// What the encoder made of specifications before, if it has read all of them.
fn read_before(specs: &[&EncodedSpec], width: usize) -> Option<Matrix> {
    let readings: Option<Vec<&Readings>> = specs.iter().map(|it| it.readings.as_ref()).collect();
    let readings = readings.filter(|it| !it.is_empty())?;
    let n_rows = readings.iter().map(|it| it.matrix().n_rows()).sum();
    let mut all = Matrix::unset(n_rows, width);
    let mut start = 0;
    for own in readings {
        let end = start + own.matrix().n_rows();
        all.rows_mut(start..end)
            .copy_from_slice(own.matrix().values());
        start = end;
    }
    Some(all)
}
