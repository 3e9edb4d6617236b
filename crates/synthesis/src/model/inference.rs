//! The network one step at a time, for search.

use std::sync::OnceLock;

use super::Dropout;
use super::Model;
use super::encoder::Affine;
use crate::config::Precision;
use crate::layers::{
    Composition, CopyRows, ElementRows, add_weighted_rows, additive_attention, dot_attention_row,
    generate_or_copy, linear, lstm_step, scaled_dots, softmax,
};
use crate::matrix::{Matrix, View, product};
use crate::parameters::ParameterId;
use crate::simd::{self, Panels};
use crate::tape::{Recording, Tape};
use crate::training_example::{EncodedCopy, EncodedSpec, Fed};

/// A model's weights, multiplied and laid out for taking single steps.
pub(crate) struct Inference<'m> {
    model: &'m Model,
    /// What each action contributes to the gates as the previous one, as the parent's.
    previous: Contributions<'m>,
    parents: Contributions<'m>,
    /// What each symbol contributes, bias included.
    symbols: Matrix,
    /// What each hole contributes.
    places: Option<Matrix>,
    recurrent: Panels,
    attentional: Option<(Layer, Layer)>,
    rule_inner: Layer,
    rule_outer: Layer,
    vocabulary: Layer,
    copying: Layer,
    values: Option<Layer>,
    items: Option<Layer>,
}

/// What rows of a table contribute to the gates, each computed when it is asked for first: of thousands of actions, a
/// question needs some dozens.
struct Contributions<'m> {
    table: &'m Matrix,
    /// What rows are put together from.
    composition: Option<&'m Composition>,
    weight: View<'m>,
    rows: Vec<OnceLock<Box<[f32]>>>,
}

impl<'m> Contributions<'m> {
    fn new(
        table: &'m Matrix,
        composition: Option<&'m Composition>,
        weight: View<'m>,
    ) -> Contributions<'m> {
        let rows = std::iter::repeat_with(OnceLock::new);
        Contributions {
            table,
            composition,
            weight,
            rows: rows.take(table.n_rows()).collect(),
        }
    }

    fn row(&self, row: usize) -> &[f32] {
        self.rows[row].get_or_init(|| {
            let own = self.table.view().rows(row..row + 1);
            let mut result = product(own, self.weight);
            let parts = self.composition.and_then(|it| it.parts_of(row));
            for &part in parts.into_iter().flatten() {
                let share = 1.0 / parts.map_or(1, <[u32]>::len) as f32;
                simd::add_scaled(result.values_mut(), share, self.row(part as usize));
            }
            result.values().into()
        })
    }
}

/// An affine map laid out for few rows.
struct Layer {
    weight: Panels,
    bias: Vec<f32>,
}

/// A specification as steps need it.
pub(crate) struct Encoding {
    /// Columns, tables and words: [elements, hidden].
    elements: Matrix,
    /// What each contributes to the gates: [elements, 4 hidden].
    contributions: Matrix,
    /// Its key for attention: [elements, attention].
    keys: Matrix,
    /// What pointing at each contributes to the gates of the next step, and of its children.
    previous: Option<Matrix>,
    parents: Option<Matrix>,
    /// Which of them are columns, and which are words.
    places: ElementRows,
}

/// What a step begins with; for several models, with what each of them has.
pub(crate) struct StepInput<'a, E = Encoding, S = State> {
    /// The specification.
    pub(crate) encoding: &'a E,
    /// The action before.
    pub(crate) previous: Fed,
    /// The action of the parent's step.
    pub(crate) parent_action: Fed,
    /// The symbol.
    pub(crate) symbol: usize,
    /// The hole that is filled.
    pub(crate) place: usize,
    /// The step before.
    pub(crate) before: Option<&'a S>,
    /// The step that built the parent.
    pub(crate) parent: Option<&'a S>,
}

/// What a step leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    hidden: Box<[f32]>,
    cell: Box<[f32]>,
    /// What choices are made from, where that is not the hidden state.
    attentional: Option<Box<[f32]>>,
    /// What the state contributes to the gates of the next step, of its children, and to the next
    /// query.
    contribution: Box<[f32]>,
}

/// The probabilities of subtokens of text.
pub(crate) struct SubtokenProbabilities {
    /// That each subtoken of the vocabulary is generated; the first is the end of the text.
    pub(crate) generated: Vec<f32>,
    /// That each copy is copied.
    pub(crate) copied: Vec<f32>,
}

impl Model {
    /// Makes the model ready to take single steps.
    pub(crate) fn inference(&self) -> Inference<'_> {
        let get = |id: ParameterId| self.parameters.get(id);
        let layer = |affine: Affine| Layer {
            weight: Panels::new(get(affine.weight)),
            bias: get(affine.bias).values().to_vec(),
        };
        let (decoder, heads) = (&self.decoder, &self.heads);
        let (input, actions) = (get(decoder.input), get(decoder.actions));
        let width = self.config.action_size;
        let place_start = 2 * width + self.config.symbol_size;
        let mut symbols = product(
            get(decoder.symbols).view(),
            input.view().rows(2 * width..place_start),
        );
        let places = decoder.places.map(|places| {
            let rows = place_start..input.n_rows();
            product(get(places).view(), input.view().rows(rows))
        });
        for row in 0..symbols.n_rows() {
            simd::add_scaled(symbols.row_mut(row), 1.0, get(decoder.bias).values());
        }
        let bodies = decoder.bodies.as_deref();
        let contributions = |rows| Contributions::new(actions, bodies, input.view().rows(rows));
        Inference {
            model: self,
            previous: contributions(0..width),
            parents: contributions(width..2 * width),
            symbols,
            places,
            recurrent: Panels::new(get(decoder.recurrent)),
            attentional: heads
                .attentional
                .map(|it| (layer(it.query), layer(it.outer))),
            rule_inner: layer(heads.rule_inner),
            rule_outer: layer(heads.rule_outer),
            vocabulary: layer(heads.vocabulary),
            copying: layer(heads.copying),
            values: heads.values.map(layer),
            items: heads.items.map(layer),
        }
    }
}

impl<'m> Inference<'m> {
    /// The model.
    pub(crate) fn model(&self) -> &'m Model {
        self.model
    }

    /// Encodes a specification; products are as exact as `precision` says.
    pub(crate) fn encode(&self, spec: &EncodedSpec, precision: Precision) -> Encoding {
        let model = self.model;
        let tape = Tape::new(&model.parameters, Recording::ValuesOnly);
        let mut tape = tape.in_precision(precision);
        let dropout = &mut Dropout::default();
        let elements = model
            .encoder
            .encode(&mut tape, &model.words, &[spec], dropout);
        let keys = model.decoder.keys.apply(&mut tape, elements);
        let contributions = linear(&mut tape, elements, model.decoder.context.into(), None);
        let input = model.parameters.get(model.decoder.input);
        let width = model.config.action_size;
        let items = model
            .decoder
            .items
            .map(|items| items.apply(&mut tape, elements));
        let part =
            |rows| items.map(|items| product(tape.value(items).view(), input.view().rows(rows)));
        Encoding {
            previous: part(0..width),
            parents: part(width..2 * width),
            elements: tape.value(elements).clone(),
            contributions: tape.value(contributions).clone(),
            keys: tape.value(keys).clone(),
            places: ElementRows::of(spec, 0),
        }
    }

    /// Takes a step for each input.
    pub(crate) fn step(&self, inputs: &[StepInput<'_>]) -> Vec<State> {
        let size = self.model.config.hidden_size;
        let mut fed = Matrix::zeros(inputs.len(), size);
        let mut states = Vec::with_capacity(inputs.len());
        for (row, input) in inputs.iter().enumerate() {
            let (hidden, cell) = self.cell(input);
            fed.row_mut(row).copy_from_slice(&hidden);
            states.push((hidden, cell));
        }
        let width = 8 * size + self.model.config.attention_size;
        let mut contributions = Matrix::zeros(inputs.len(), width);
        self.recurrent
            .add_product(fed.values(), contributions.values_mut());
        let states = states.into_iter().zip(0..);
        let state = |((hidden, cell), row): ((Box<[f32]>, _), usize)| State {
            attentional: self.attentional_vector(&hidden, inputs[row].encoding),
            hidden,
            cell,
            contribution: contributions.row(row).into(),
        };
        states.map(state).collect()
    }

    /// What choices are made from, where that is not the hidden state.
    fn attentional_vector(&self, hidden: &[f32], encoding: &Encoding) -> Option<Box<[f32]>> {
        let (query, outer) = self.attentional.as_ref()?;
        let elements = &encoding.elements;
        let query = query.apply(hidden);
        let mut both = hidden.to_vec();
        both.resize(2 * hidden.len(), 0.0);
        let rows = 0..elements.n_rows();
        dot_attention_row(&query, elements, rows, &mut both[hidden.len()..]);
        let mut result = outer.apply(&both);
        become_tanh(&mut result);
        Some(result.into())
    }

    /// Hidden state and cell of one row.
    fn cell(&self, input: &StepInput<'_>) -> (Box<[f32]>, Box<[f32]>) {
        let size = self.model.config.hidden_size;
        let encoding = input.encoding;
        let query_size = self.model.config.attention_size;
        let nothing = vec![0.0; query_size];
        let attention = self.model.parameters.get(self.model.decoder.attention);
        let mut gates = self.symbols.row(input.symbol).to_vec();
        let mut weights = vec![0.0; encoding.elements.n_rows()];
        let elements = 0..encoding.elements.n_rows();
        simd::vectorized(
            #[inline(always)]
            || {
                simd::add_scaled(
                    &mut gates,
                    1.0,
                    fed_row(&self.previous, encoding.previous.as_ref(), input.previous),
                );
                simd::add_scaled(
                    &mut gates,
                    1.0,
                    fed_row(
                        &self.parents,
                        encoding.parents.as_ref(),
                        input.parent_action,
                    ),
                );
                if let Some(places) = &self.places {
                    simd::add_scaled(&mut gates, 1.0, places.row(input.place));
                }
                let mut query = &nothing[..];
                if let Some(before) = input.before {
                    simd::add_scaled(&mut gates, 1.0, &before.contribution[..4 * size]);
                    query = &before.contribution[8 * size..];
                }
                if let Some(parent) = input.parent {
                    simd::add_scaled(&mut gates, 1.0, &parent.contribution[4 * size..8 * size]);
                }
                additive_attention(
                    &encoding.keys,
                    attention.values(),
                    elements.clone(),
                    query,
                    &mut weights,
                );
                add_weighted_rows(&mut gates, &weights, &encoding.contributions, elements);
            },
        );
        let mut cell = vec![0.0; size].into_boxed_slice();
        let mut hidden = vec![0.0; size].into_boxed_slice();
        lstm_step(
            &mut gates,
            input.before.map(|it| &it.cell[..]),
            &mut cell,
            &mut hidden,
        );
        (hidden, cell)
    }

    /// ln p of rules, normalised over those that are `possible`.
    pub(crate) fn rules(&self, state: &State, possible: &[u32]) -> Vec<f32> {
        let mut inner = self.rule_inner.apply(state.output());
        become_tanh(&mut inner);
        let mut logits = self.rule_outer.apply(&inner);
        if let Some(bodies) = &self.model.heads.bodies {
            bodies.add_to(&mut logits);
        }
        ln_softmax(possible.iter().map(|&rule| logits[rule as usize]).collect())
    }

    /// ln p of elements, normalised over those that may be pointed at.
    ///
    /// # Panics
    ///
    /// When the model was not made for contexts.
    pub(crate) fn items(&self, state: &State, encoding: &Encoding, items: &[u32]) -> Vec<f32> {
        let layer = self.items.as_ref().expect("a model with a schema encoder");
        let query = layer.apply(state.output());
        let rows = items.iter().map(|&it| it as usize);
        ln_softmax(scaled_dots(&query, &encoding.elements, rows))
    }

    /// The probabilities of subtokens of text.
    pub(crate) fn subtokens(
        &self,
        state: &State,
        encoding: &Encoding,
        copies: &[EncodedCopy],
    ) -> SubtokenProbabilities {
        let mut generated = self.vocabulary.apply(state.output());
        softmax(&mut generated);
        let copying = self.copying.apply(state.output());
        let values = self.values.as_ref().map(|it| it.apply(state.output()));
        let rows = CopyRows {
            copying: &copying,
            values: values.as_deref(),
        };
        let (generate, mut copied) =
            generate_or_copy(rows, &encoding.elements, &encoding.places, copies);
        for probability in &mut generated {
            *probability *= generate;
        }
        for probability in &mut copied {
            *probability *= 1.0 - generate;
        }
        SubtokenProbabilities { generated, copied }
    }
}

impl State {
    /// What choices are made from.
    fn output(&self) -> &[f32] {
        self.attentional.as_deref().unwrap_or(&self.hidden)
    }
}

fn become_tanh(values: &mut [f32]) {
    simd::vectorized(
        #[inline(always)]
        || {
            for value in values {
                *value = simd::tanh(*value);
            }
        },
    );
}

impl Layer {
    fn apply(&self, x: &[f32]) -> Vec<f32> {
        let mut result = self.bias.clone();
        self.weight.add_product(x, &mut result);
        result
    }
}

#[inline(always)]
fn fed_row<'a>(table: &'a Contributions<'_>, elements: Option<&'a Matrix>, fed: Fed) -> &'a [f32] {
    match (fed, elements) {
        (Fed::Row(row), _) => table.row(row as usize),
        (Fed::Element(element), Some(elements)) => elements.row(element as usize),
        (Fed::Element(_), None) => unreachable!("only models with a schema encoder point"),
    }
}

fn ln_softmax(mut scores: Vec<f32>) -> Vec<f32> {
    let ln_sum = softmax(&mut scores.clone());
    for score in &mut scores {
        *score -= ln_sum;
    }
    scores
}
