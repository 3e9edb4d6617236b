//! A pretrained encoder as a part of the network: BERT (Devlin et al. 2019).

use std::ops::Range;
use std::sync::Arc;

use super::Dropout;
use super::encoder::Affine;
use crate::config::{FineTuning, Precision};
use crate::layers::{
    Norm, add, add_and_norm, gather_learnt_rows, gather_rows, gelu, linear_side_by_side,
    self_attend,
};
use crate::matrix::Matrix;
use crate::parameters::{Learning, ParameterId, Parameters};
use crate::pretrained::{EncoderShape, Piece, Weights};
use crate::tape::{Recording, Tape, Var};

/// Embeddings, and layers of self-attention. Its parameters have the names of public checkpoints.
#[derive(Clone, Debug)]
pub(super) struct Transformer {
    pub(super) shape: EncoderShape,
    embeddings: Embeddings,
    layers: Vec<Layer>,
    dropout: f32,
}

#[derive(Clone, Copy, Debug)]
struct Embeddings {
    pieces: ParameterId,
    positions: ParameterId,
    segments: ParameterId,
    norm: Affine,
}

#[derive(Clone, Copy, Debug)]
struct Layer {
    query: Affine,
    key: Affine,
    value: Affine,
    attention: Affine,
    attention_norm: Affine,
    inner: Affine,
    outer: Affine,
    norm: Affine,
}

/// Sequences of pieces as rows, one sequence after the other.
struct Rows {
    pieces: Arc<Vec<u32>>,
    positions: Arc<Vec<u32>>,
    segments: Arc<Vec<u32>>,
    sequences: Arc<Vec<Range<usize>>>,
}

impl Rows {
    fn new(sequences: &[&[Piece]], shape: &EncoderShape) -> Rows {
        let all = || sequences.iter().copied().flatten();
        let positions = sequences.iter().flat_map(|it| 0..it.len() as u32);
        let last_segment = shape.n_segments as u32 - 1;
        let mut start = 0;
        let ranges = sequences.iter().map(|sequence| {
            let rows = start..start + sequence.len();
            start = rows.end;
            rows
        });
        Rows {
            pieces: Arc::new(all().map(|it| it.piece).collect()),
            positions: Arc::new(positions.collect()),
            segments: Arc::new(
                all()
                    .map(|it| last_segment.min(it.segment.into()))
                    .collect(),
            ),
            sequences: Arc::new(ranges.collect()),
        }
    }
}

/// What is read without keeping anything for gradients.
#[derive(Clone, Copy)]
struct Apart {
    /// How many layers, the first ones.
    n_layers: usize,
    precision: Precision,
}

/// How many rows are read at once where nothing is kept of the layers between: more would not be faster.
const MOST_ROWS_APART: usize = 1024;

impl Transformer {
    pub(super) fn new(parameters: &mut Parameters, weights: Weights, dropout: f32) -> Transformer {
        for (name, matrix) in weights.matrices {
            parameters.add(name, matrix);
        }
        let id = |name: String| parameters.id(&name);
        let affine = |name: String| Affine {
            weight: id(format!("{name}.weight")),
            bias: id(format!("{name}.bias")),
        };
        let layer = |index: usize| {
            let affine = |part: &str| affine(format!("encoder.layer.{index}.{part}"));
            Layer {
                query: affine("attention.self.query"),
                key: affine("attention.self.key"),
                value: affine("attention.self.value"),
                attention: affine("attention.output.dense"),
                attention_norm: affine("attention.output.LayerNorm"),
                inner: affine("intermediate.dense"),
                outer: affine("output.dense"),
                norm: affine("output.LayerNorm"),
            }
        };
        let table = |name: &str| id(format!("embeddings.{name}_embeddings.weight"));
        let transformer = Transformer {
            embeddings: Embeddings {
                pieces: table("word"),
                positions: table("position"),
                segments: table("token_type"),
                norm: affine("embeddings.LayerNorm".to_owned()),
            },
            layers: (0..weights.shape.n_layers).map(layer).collect(),
            shape: weights.shape,
            dropout,
        };
        parameters.set_learning(transformer.embeddings.pieces, Learning::Rows);
        transformer
    }

    /// How many parameters it has: the first of a model.
    pub(super) fn n_parameters(&self) -> usize {
        5 + self.layers.len() * 16
    }

    /// The weights that rows are multiplied with, and nothing else is done with.
    pub(super) fn weights(&self) -> impl Iterator<Item = ParameterId> {
        self.layers.iter().flat_map(Layer::weights)
    }

    /// The table that has a row for each piece.
    pub(super) fn piece_table(&self) -> ParameterId {
        self.embeddings.pieces
    }

    /// Decides what is trained, and at which rates.
    pub(super) fn fine_tune(
        &self,
        config: &FineTuning,
        parameters: &mut Parameters,
        rates: &mut [Option<f32>],
    ) {
        let n_layers = self.layers.len();
        let n_trained = config.n_layers.unwrap_or(n_layers).min(n_layers);
        let mut set = |ids: &[ParameterId], depth: usize, is_trained: bool| {
            for &id in ids {
                let learning = match is_trained {
                    true if id == self.embeddings.pieces => Learning::Rows,
                    true => Learning::Whole,
                    false => Learning::Frozen,
                };
                parameters.set_learning(id, learning);
                let exponent = i32::try_from(depth).unwrap_or(i32::MAX);
                rates[id.index()] = Some(config.rate * config.layer_decay.powi(exponent));
            }
        };
        for (index, layer) in self.layers.iter().enumerate() {
            let depth = n_layers - 1 - index;
            set(&layer.parameters(), depth, depth < n_trained);
        }
        let is_trained = config.embeddings && n_trained == n_layers;
        set(&self.embeddings.parameters(), n_layers, is_trained);
    }

    /// How many layers are frozen, the first ones; none where not even the embeddings are.
    fn n_frozen(&self, parameters: &Parameters) -> Option<usize> {
        let is_frozen = |id| parameters.learning(id) == Learning::Frozen;
        is_frozen(self.embeddings.pieces).then(|| {
            let layers = self.layers.iter();
            layers.take_while(|it| is_frozen(it.query.weight)).count()
        })
    }

    /// What the last layer makes of each piece: [pieces, width].
    pub(super) fn read(
        &self,
        tape: &mut Tape<'_>,
        sequences: &[&[Piece]],
        dropout: &mut Dropout,
    ) -> Var {
        let parameters = tape.parameters();
        let n_apart = if tape.is_recording() {
            self.n_frozen(parameters)
        } else {
            Some(self.layers.len())
        };
        let rows = Rows::new(sequences, &self.shape);
        let start = match n_apart {
            Some(n_layers) => {
                let apart = Apart {
                    n_layers,
                    precision: tape.precision(),
                };
                tape.constant(self.read_apart(parameters, sequences, apart))
            }
            None => self.embed(tape, &rows),
        };
        let kept = &self.layers[n_apart.unwrap_or(0)..];
        kept.iter()
            .fold(start, |x, layer| self.apply(tape, layer, x, &rows, dropout))
    }

    /// What the first layers make of each piece, where nobody will ask for gradients: nothing else is kept.
    fn read_apart(&self, parameters: &Parameters, sequences: &[&[Piece]], apart: Apart) -> Matrix {
        let tape = || Tape::new(parameters, Recording::ValuesOnly).in_precision(apart.precision);
        let n_rows = sequences.iter().map(|it| it.len()).sum();
        let mut result = Matrix::unset(n_rows, self.shape.width);
        let mut start = 0;
        for part in parts(sequences) {
            let rows = Rows::new(part, &self.shape);
            let mut first = tape();
            self.embed(&mut first, &rows);
            let mut x = first.into_last();
            for layer in &self.layers[..apart.n_layers] {
                let mut tape = tape();
                let before = tape.constant(x);
                self.apply(&mut tape, layer, before, &rows, &mut Dropout::default());
                x = tape.into_last();
            }
            let end = start + x.n_rows();
            result.rows_mut(start..end).copy_from_slice(x.values());
            start = end;
        }
        result
    }

    /// The normalised sum of the embeddings of a piece, of its position and of its segment.
    fn embed(&self, tape: &mut Tape<'_>, rows: &Rows) -> Var {
        let tables = &self.embeddings;
        let pieces = gather_learnt_rows(tape, tables.pieces.into(), Arc::clone(&rows.pieces));
        let positions = gather_rows(tape, tables.positions.into(), Arc::clone(&rows.positions));
        let segments = gather_rows(tape, tables.segments.into(), Arc::clone(&rows.segments));
        let places = add(tape, positions, segments);
        add_and_norm(tape, pieces, places, None, self.norm(tables.norm))
    }

    fn apply(
        &self,
        tape: &mut Tape<'_>,
        layer: &Layer,
        x: Var,
        rows: &Rows,
        dropout: &mut Dropout,
    ) -> Var {
        let parts = [layer.query, layer.key, layer.value];
        let parts = parts.map(|it| (it.weight.into(), it.bias.into()));
        let projected = linear_side_by_side(tape, x, parts);
        let sequences = Arc::clone(&rows.sequences);
        let gathered = self_attend(tape, projected, sequences, self.shape.n_heads);
        let attended = layer.attention.apply(tape, gathered);
        let masks = dropout.masks_of(tape, attended, self.dropout);
        let y = add_and_norm(tape, x, attended, masks, self.norm(layer.attention_norm));
        let (weight, bias) = (layer.inner.weight.into(), layer.inner.bias.into());
        let inner = gelu(tape, y, weight, bias);
        let outer = layer.outer.apply(tape, inner);
        let masks = dropout.masks_of(tape, outer, self.dropout);
        add_and_norm(tape, y, outer, masks, self.norm(layer.norm))
    }

    fn norm(&self, affine: Affine) -> Norm {
        Norm {
            epsilon: self.shape.epsilon,
            ..affine.into()
        }
    }
}

/// Sequences in parts of about as many rows as are read at once.
fn parts<'a, 's>(sequences: &'a [&'s [Piece]]) -> impl Iterator<Item = &'a [&'s [Piece]]> {
    let mut rest = sequences;
    std::iter::from_fn(move || {
        let mut n_rows = 0;
        let n_taken = rest.iter().take_while(|it| {
            let is_first = n_rows == 0;
            n_rows += it.len();
            is_first || n_rows <= MOST_ROWS_APART
        });
        let (part, others) = rest.split_at(n_taken.count());
        rest = others;
        (!part.is_empty()).then_some(part)
    })
}

impl Embeddings {
    fn parameters(&self) -> [ParameterId; 5] {
        let Affine { weight, bias } = self.norm;
        [self.pieces, self.positions, self.segments, weight, bias]
    }
}

impl Layer {
    fn weights(&self) -> [ParameterId; 6] {
        [
            self.query,
            self.key,
            self.value,
            self.attention,
            self.inner,
            self.outer,
        ]
        .map(|it| it.weight)
    }

    fn parameters(&self) -> Vec<ParameterId> {
        let parts = [
            self.query,
            self.key,
            self.value,
            self.attention,
            self.attention_norm,
            self.inner,
            self.outer,
            self.norm,
        ];
        parts.iter().flat_map(|it| [it.weight, it.bias]).collect()
    }
}

/// What the last layer of an encoder makes of a sequence: [pieces, width].
pub(crate) fn hidden_states(weights: &Weights, sequence: &[Piece]) -> Matrix {
    let mut parameters = Parameters::default();
    let transformer = Transformer::new(&mut parameters, weights.clone(), 0.0);
    let apart = Apart {
        n_layers: transformer.layers.len(),
        precision: Precision::Single,
    };
    transformer.read_apart(&parameters, &[sequence], apart)
}

#[cfg(test)]
mod tests;
