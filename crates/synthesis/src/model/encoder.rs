//! From words, columns and tables to vectors.

use std::collections::BTreeMap;

use rand::Rng;

use super::Dropout;
use super::pretrained_reader::PretrainedReader;
use super::recurrent_reader::RecurrentReader;
use super::relation_layers::RelationLayers;
use crate::config::{EncoderKind, ModelConfig};
use crate::layers::{Norm, linear};
use crate::lexicon::{Actions, Words};
use crate::matrix::Matrix;
use crate::parameters::{CompactUse, ParameterId, Parameters, glorot};
use crate::pretrained::Weights;
use crate::tape::{Tape, Var};
use crate::training_example::EncodedSpec;

/// Turns specifications into vectors, one for each column, table and word.
#[derive(Clone, Debug)]
pub(super) struct Encoder {
    reader: Reader,
    relations: Option<RelationLayers>,
}

/// What reads columns, tables and words.
#[derive(Clone, Debug)]
enum Reader {
    Recurrent(RecurrentReader),
    Pretrained(PretrainedReader),
}

/// A matrix, or a row, that values are multiplied with, and a row that is added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    pub(super) weight: ParameterId,
    pub(super) bias: ParameterId,
}

impl Affine {
    /// A layer that maps rows of one width to rows of another.
    pub(super) fn new(
        parameters: &mut Parameters,
        name: &str,
        shape: (usize, usize),
        rng: &mut impl Rng,
    ) -> Affine {
        Affine {
            weight: parameters.begin(format!("{name}.weight"), shape, |it| glorot(it, rng)),
            bias: parameters.begin(format!("{name}.bias"), (1, shape.1), zeros),
        }
    }

    pub(super) fn norm(parameters: &mut Parameters, name: &str, width: usize) -> Affine {
        let ones = |(n_rows, width)| Matrix::from_fn(n_rows, width, |_, _| 1.0);
        Affine {
            weight: parameters.begin(format!("{name}.weight"), (1, width), ones),
            bias: parameters.begin(format!("{name}.bias"), (1, width), zeros),
        }
    }

    pub(super) fn apply(self, tape: &mut Tape<'_>, x: Var) -> Var {
        linear(tape, x, self.weight.into(), Some(self.bias.into()))
    }
}

fn zeros((n_rows, n_columns): (usize, usize)) -> Matrix {
    Matrix::zeros(n_rows, n_columns)
}

impl From<Affine> for Norm {
    fn from(affine: Affine) -> Norm {
        Norm {
            gain: affine.weight.into(),
            bias: affine.bias.into(),
            epsilon: Norm::EPSILON,
        }
    }
}

/// Whether specifications have columns and tables that programs point at.
pub(super) fn reads_schema(config: &ModelConfig, actions: &Actions) -> bool {
    match config.encoder {
        EncoderKind::Words => false,
        EncoderKind::Schema => true,
        EncoderKind::Pretrained => actions.can_point(),
    }
}

impl Encoder {
    /// An encoder; `weights` are those of a pretrained one where there is one.
    pub(super) fn new(
        parameters: &mut Parameters,
        config: &ModelConfig,
        (words, actions): (&Words, &Actions),
        weights: Option<Weights>,
        rng: &mut impl Rng,
    ) -> Encoder {
        let reads_schema = reads_schema(config, actions);
        let reader = if let Some(weights) = weights {
            let reader = PretrainedReader::new(parameters, config, weights, rng);
            Reader::Pretrained(reader)
        } else {
            let reader = RecurrentReader::new(parameters, config, words, reads_schema, rng);
            Reader::Recurrent(reader)
        };
        Encoder {
            reader,
            relations: reads_schema.then(|| RelationLayers::new(parameters, config, rng)),
        }
    }

    /// What reads specifications, where others have trained it.
    pub(super) fn pretrained(&self) -> Option<&PretrainedReader> {
        match &self.reader {
            Reader::Pretrained(reader) => Some(reader),
            Reader::Recurrent(_) => None,
        }
    }

    /// The parameters that can be kept in few bytes by those who do not learn: most of a pretrained encoder and of the
    /// layers above it.
    pub(super) fn compact_uses(&self) -> BTreeMap<ParameterId, CompactUse> {
        let Some(reader) = self.pretrained() else {
            return BTreeMap::new();
        };
        let above = self.relations.iter().flat_map(RelationLayers::weights);
        let weights = reader.transformer.weights().chain(above);
        let uses = weights.map(|it| (it, CompactUse::Weight));
        let table = (reader.transformer.piece_table(), CompactUse::Table);
        uses.chain([table]).collect()
    }

    /// The elements of all specifications, one specification after the other, each with columns,
    /// tables, words: [elements, hidden].
    pub(super) fn encode(
        &self,
        tape: &mut Tape<'_>,
        words: &Words,
        specs: &[&EncodedSpec],
        dropout: &mut Dropout,
    ) -> Var {
        let elements = match &self.reader {
            Reader::Recurrent(reader) => reader.read(tape, words, specs, dropout),
            Reader::Pretrained(reader) => reader.read(tape, specs, dropout),
        };
        match &self.relations {
            Some(relations) => relations.relate(tape, elements, specs, dropout),
            None => elements,
        }
    }
}
