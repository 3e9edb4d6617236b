//! From words, columns and tables to vectors.

use std::sync::Arc;

use rand::Rng;

use super::Dropout;
use super::bilstm::BiLstm;
use crate::config::{EncoderKind, ModelConfig, RelationConfig};
use crate::layers::{Group, Norm, add_and_norm, attend, concat_rows, gather_rows, linear, relu};
use crate::lexicon::Words;
use crate::matrix::Matrix;
use crate::parameters::{ParameterId, Parameters, glorot, normal};
use crate::relations::RelationType;
use crate::tape::{Tape, Var};
use crate::training_example::EncodedSpec;

/// Turns specifications into vectors, one for each column, table and word.
#[derive(Clone, Debug)]
pub(super) struct Encoder {
    words: ParameterId,
    question: BiLstm,
    schema: Option<SchemaEncoder>,
}

/// Columns and tables, and how everything attends to everything.
#[derive(Clone, Debug)]
struct SchemaEncoder {
    column: BiLstm,
    table: BiLstm,
    layers: Vec<RelationLayer>,
    config: RelationConfig,
}

#[derive(Clone, Copy, Debug)]
struct RelationLayer {
    projection: Affine,
    relation_keys: ParameterId,
    relation_values: ParameterId,
    attention_norm: Affine,
    inner: Affine,
    inner_width: usize,
    outer: Affine,
    norm: Affine,
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
            weight: parameters.add(format!("{name}.weight"), glorot(shape, rng)),
            bias: parameters.add(format!("{name}.bias"), Matrix::zeros(1, shape.1)),
        }
    }

    fn norm(parameters: &mut Parameters, name: &str, width: usize) -> Affine {
        let ones = Matrix::from_fn(1, width, |_, _| 1.0);
        Affine {
            weight: parameters.add(format!("{name}.weight"), ones),
            bias: parameters.add(format!("{name}.bias"), Matrix::zeros(1, width)),
        }
    }

    pub(super) fn apply(self, tape: &mut Tape<'_>, x: Var) -> Var {
        linear(tape, x, self.weight.into(), Some(self.bias.into()))
    }
}

impl From<Affine> for Norm {
    fn from(affine: Affine) -> Norm {
        Norm {
            gain: affine.weight.into(),
            bias: affine.bias.into(),
        }
    }
}

impl Encoder {
    pub(super) fn new(
        parameters: &mut Parameters,
        config: &ModelConfig,
        words: &Words,
        rng: &mut impl Rng,
    ) -> Encoder {
        let sizes = (config.word_size, config.hidden_size);
        let embedded = normal((words.n_learnt(), config.word_size), 1.0, rng);
        let table = parameters.add("words", embedded);
        let question = BiLstm::new(parameters, "question", sizes, config.dropout, rng);
        let schema = (config.encoder == EncoderKind::Schema).then(|| SchemaEncoder {
            column: BiLstm::new(parameters, "column", sizes, config.dropout, rng),
            table: BiLstm::new(parameters, "table", sizes, config.dropout, rng),
            layers: (0..config.relations.n_layers)
                .map(|index| RelationLayer::new(parameters, index, config, rng))
                .collect(),
            config: config.relations.clone(),
        });
        Encoder {
            words: table,
            question,
            schema,
        }
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
        let table = (self.words, words);
        let questions: Vec<&[u32]> = specs.iter().map(|it| &it.words[..]).collect();
        let read = self.question.read(tape, table, &questions, dropout);
        let question = read.words(tape);
        let Some(schema) = &self.schema else {
            return question;
        };
        let columns: Vec<&[u32]> = flat(specs, |it| &it.columns);
        let tables: Vec<&[u32]> = flat(specs, |it| &it.tables);
        let column = schema.column.read(tape, table, &columns, dropout);
        let column = column.ends(tape);
        let named = schema.table.read(tape, table, &tables, dropout);
        let named = named.ends(tape);
        let all = concat_rows(tape, &[column, named, question]);
        let starts = [0, columns.len(), columns.len() + tables.len()];
        let elements = gather_rows(tape, all, Arc::new(by_spec(specs, starts)));
        schema.relate(tape, elements, specs, dropout)
    }
}

fn flat<'a>(
    specs: &[&'a EncodedSpec],
    texts: impl Fn(&'a EncodedSpec) -> &'a Vec<Vec<u32>>,
) -> Vec<&'a [u32]> {
    specs
        .iter()
        .flat_map(|spec| texts(spec).iter().map(|it| &it[..]))
        .collect()
}

/// The rows of all columns, all tables and all words, sorted by specification.
fn by_spec(specs: &[&EncodedSpec], starts: [usize; 3]) -> Vec<u32> {
    let mut next = starts;
    let mut rows = Vec::new();
    for spec in specs {
        let counts = [spec.columns.len(), spec.tables.len(), spec.words.len()];
        for (next, count) in next.iter_mut().zip(counts) {
            rows.extend((*next..*next + count).map(|row| row as u32));
            *next += count;
        }
    }
    rows
}

impl SchemaEncoder {
    fn relate(
        &self,
        tape: &mut Tape<'_>,
        elements: Var,
        specs: &[&EncodedSpec],
        dropout: &mut Dropout,
    ) -> Var {
        let mut start = 0;
        let groups = specs.iter().map(|spec| {
            let rows = start..start + spec.n_elements();
            start = rows.end;
            Group {
                rows,
                relations: Arc::clone(&spec.relations),
            }
        });
        let groups = Arc::new(groups.collect());
        self.layers.iter().fold(elements, |x, layer| {
            layer.apply(tape, x, &groups, &self.config, dropout)
        })
    }
}

impl RelationLayer {
    fn new(
        parameters: &mut Parameters,
        index: usize,
        config: &ModelConfig,
        rng: &mut impl Rng,
    ) -> RelationLayer {
        let (width, relations) = (config.hidden_size, &config.relations);
        let name = |part: &str| format!("relations.{index}.{part}");
        let inner = relations.feed_forward_size;
        let types = (
            RelationType::n_types(relations.linking),
            width / relations.n_heads,
        );
        let projection = Affine::new(parameters, &name("projection"), (width, 3 * width), rng);
        RelationLayer {
            projection,
            relation_keys: parameters.add(name("keys"), glorot(types, rng)),
            relation_values: parameters.add(name("values"), glorot(types, rng)),
            attention_norm: Affine::norm(parameters, &name("attention_norm"), width),
            inner: Affine::new(parameters, &name("inner"), (width, inner), rng),
            inner_width: inner,
            outer: Affine::new(parameters, &name("outer"), (inner, width), rng),
            norm: Affine::norm(parameters, &name("norm"), width),
        }
    }

    fn apply(
        &self,
        tape: &mut Tape<'_>,
        x: Var,
        groups: &Arc<Vec<Group>>,
        config: &RelationConfig,
        dropout: &mut Dropout,
    ) -> Var {
        let projected = self.projection.apply(tape, x);
        let gathered = attend(
            tape,
            projected,
            self.relation_keys.into(),
            self.relation_values.into(),
            Arc::clone(groups),
            config.n_heads,
        );
        let masks = dropout.masks_of(tape, gathered, config.dropout);
        let y = add_and_norm(tape, x, gathered, masks, self.attention_norm.into());
        let masks = dropout.masks(tape.value(y).n_rows(), self.inner_width, config.dropout);
        let (weight, bias) = (self.inner.weight.into(), self.inner.bias.into());
        let inner = relu(tape, y, weight, bias, masks);
        let outer = self.outer.apply(tape, inner);
        let masks = dropout.masks_of(tape, outer, config.dropout);
        add_and_norm(tape, y, outer, masks, self.norm.into())
    }
}
