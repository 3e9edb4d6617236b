//! From the encoding and what was built so far to states.

use std::sync::Arc;

use rand::Rng;

use super::Dropout;
use super::batch::Batch;
use super::bilstm::forget_bias;
use super::encoder::{Affine, reads_schema};
use crate::config::{IdiomEmbeddings, ModelConfig};
use crate::layers::{
    Composition, DecoderInputs, DecoderPlan, SharedRows, compose_rows, concat_rows, decode,
    gather_rows, linear, linear_of_shared,
};
use crate::lexicon::Actions;
use crate::matrix::Matrix;
use crate::parameters::{ParameterId, Parameters, glorot, normal, orthogonal_blocks};
use crate::tape::{Tape, Var};

/// The recurrence over the steps of a derivation.
#[derive(Clone, Debug)]
pub(super) struct Decoder {
    pub(super) actions: ParameterId,
    /// What the rows of idioms are put together from, where that is so.
    pub(super) bodies: Option<Arc<Composition>>,
    pub(super) symbols: ParameterId,
    /// The holes of idioms, where idioms are atomic.
    pub(super) places: Option<ParameterId>,
    /// From encoded items to embedded actions that point at them.
    pub(super) items: Option<Affine>,
    pub(super) input: ParameterId,
    pub(super) bias: ParameterId,
    pub(super) context: ParameterId,
    pub(super) keys: Affine,
    pub(super) recurrent: ParameterId,
    pub(super) attention: ParameterId,
    hidden_size: usize,
    dropout: f32,
}

impl Decoder {
    pub(super) fn new(
        parameters: &mut Parameters,
        config: &ModelConfig,
        actions: &Actions,
        rng: &mut impl Rng,
    ) -> Decoder {
        let hidden = config.hidden_size;
        let n_places = actions.n_places();
        let place_size = n_places.map_or(0, |_| config.symbol_size);
        let input_size = 2 * config.action_size + config.symbol_size + place_size;
        let items = reads_schema(config, actions).then(|| {
            Affine::new(
                parameters,
                "decoder.items",
                (hidden, config.action_size),
                rng,
            )
        });
        let bodies = match config.idiom_embeddings {
            IdiomEmbeddings::Own => None,
            IdiomEmbeddings::Composed => actions.rows_of_bodies().map(Arc::new),
        };
        let mut table = |name: &str, n_rows: usize, size: usize| {
            parameters.begin(name, (n_rows, size), |it| normal(it, 1.0, rng))
        };
        let (action_size, symbol_size) = (config.action_size, config.symbol_size);
        let attention_size = config.attention_size;
        let recurrent_shape = (hidden, 8 * hidden + attention_size);
        Decoder {
            actions: table("decoder.actions", actions.n_rows(), action_size),
            bodies,
            symbols: table("decoder.symbols", actions.n_symbols(), symbol_size),
            places: n_places.map(|it| table("decoder.places", it, symbol_size)),
            items,
            input: parameters.begin("decoder.input", (input_size, 4 * hidden), |it| {
                glorot(it, rng)
            }),
            bias: parameters.begin("decoder.bias", (1, 4 * hidden), forget_bias),
            context: parameters.begin("decoder.context", (hidden, 4 * hidden), |it| {
                glorot(it, rng)
            }),
            keys: Affine::new(parameters, "decoder.keys", (hidden, attention_size), rng),
            recurrent: parameters.begin("decoder.recurrent", recurrent_shape, |_| {
                recurrent(hidden, attention_size, rng)
            }),
            attention: parameters.begin("decoder.attention", (1, attention_size), |it| {
                glorot(it, rng)
            }),
            hidden_size: hidden,
            dropout: config.dropout,
        }
    }

    /// The states at all steps of a batch, [steps, hidden], from its elements.
    pub(super) fn run(
        &self,
        tape: &mut Tape<'_>,
        batch: &Batch<'_>,
        elements: Var,
        dropout: &mut Dropout,
    ) -> Var {
        let gates = self.embedded_gates(tape, batch, elements, dropout);
        let keys = self.keys.apply(tape, elements);
        let examples = (batch.len(), &batch.example_of_elements);
        let attended = dropout.columns(tape, elements, examples, self.dropout);
        let contributions = linear(tape, attended, self.context.into(), None);
        let masks = dropout.masks(batch.len(), self.hidden_size, self.dropout);
        let plan = DecoderPlan {
            masks: masks.map(Arc::unwrap_or_clone),
            ..batch.plan.clone()
        };
        let inputs = DecoderInputs {
            gates,
            elements: contributions,
            keys,
            weight: self.recurrent.into(),
            attention: self.attention.into(),
        };
        decode(tape, inputs, Arc::new(plan))
    }

    /// What the previous action, the parent's action, the symbol and the hole contribute to the gates.
    fn embedded_gates(
        &self,
        tape: &mut Tape<'_>,
        batch: &Batch<'_>,
        elements: Var,
        dropout: &mut Dropout,
    ) -> Var {
        let mut table = self.actions.into();
        if let Some(bodies) = &self.bodies {
            table = compose_rows(tape, table, Arc::clone(bodies));
        }
        if let Some(items) = self.items {
            let items = items.apply(tape, elements);
            table = concat_rows(tape, &[table, items]);
        }
        let mut inputs = vec![
            (table, &batch.previous),
            (table, &batch.parent_actions),
            (self.symbols.into(), &batch.symbols),
        ];
        inputs.extend(self.places.map(|it| (it.into(), &batch.places)));
        let parts = inputs.into_iter().map(|(table, input)| {
            let x = gather_rows(tape, table, Arc::clone(&input.rows));
            let examples = (batch.len(), &input.examples);
            SharedRows {
                x: dropout.columns(tape, x, examples, self.dropout),
                of_rows: Arc::clone(&input.of_steps),
            }
        });
        let parts = parts.collect();
        linear_of_shared(tape, parts, self.input.into(), self.bias.into())
    }
}

/// Orthogonal for the state before; small for the parent's state and for queries.
fn recurrent(size: usize, attention_size: usize, rng: &mut impl Rng) -> Matrix {
    let before = orthogonal_blocks(size, 4, rng);
    let parent = glorot((size, 4 * size), rng);
    let query = glorot((size, attention_size), rng);
    Matrix::from_fn(size, 8 * size + attention_size, |row, column| {
        if column < 4 * size {
            before.row(row)[column]
        } else if column < 8 * size {
            parent.row(row)[column - 4 * size]
        } else {
            query.row(row)[column - 8 * size]
        }
    })
}
