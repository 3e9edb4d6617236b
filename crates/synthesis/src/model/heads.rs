//! From states to log-probabilities of actions.

use std::sync::Arc;

use rand::Rng;

use super::Dropout;
use super::batch::Batch;
use super::encoder::{Affine, reads_schema};
use crate::config::{IdiomEmbeddings, ModelConfig};
use crate::layers::{
    Composition, TextLogits, choose_items, choose_rules, choose_texts, compose_columns,
    concat_columns, concat_rows, dot_attention, gather_rows, tanh,
};
use crate::lexicon::Actions;
use crate::parameters::Parameters;
use crate::spec::{Form, Matching};
use crate::tape::{Tape, Var};

/// One scorer for each kind of action.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    pub(super) attentional: Option<AttentionalVector>,
    pub(super) rule_inner: Affine,
    pub(super) rule_outer: Affine,
    /// What the logits of idioms are put together from, where that is so.
    pub(super) bodies: Option<Arc<Composition>>,
    pub(super) vocabulary: Affine,
    pub(super) copying: Affine,
    pub(super) values: Option<Affine>,
    pub(super) items: Option<Affine>,
}

/// From a state to what choices are made from: `tanh(W [state, context])`, where `context` is what the state
/// attends to (Luong et al. 2015, eq. 5).
#[derive(Clone, Copy, Debug)]
pub(super) struct AttentionalVector {
    pub(super) query: Affine,
    pub(super) outer: Affine,
    dropout: f32,
}

impl AttentionalVector {
    fn apply(
        self,
        tape: &mut Tape<'_>,
        batch: &Batch<'_>,
        states: Var,
        elements: Var,
        dropout: &mut Dropout,
    ) -> Var {
        let queries = self.query.apply(tape, states);
        let context = dot_attention(
            tape,
            queries,
            elements,
            Arc::clone(&batch.elements_of_steps),
        );
        let both = concat_columns(tape, &[states, context]);
        let outer = self.outer.apply(tape, both);
        let result = tanh(tape, outer);
        let examples = (batch.len(), &batch.example_of_steps);
        dropout.columns(tape, result, examples, self.dropout)
    }
}

impl Heads {
    pub(super) fn new(
        parameters: &mut Parameters,
        config: &ModelConfig,
        actions: &Actions,
        rng: &mut impl Rng,
    ) -> Heads {
        let size = config.hidden_size;
        let attentional = config.attentional_vector.then(|| AttentionalVector {
            query: Affine::new(parameters, "attentional.query", (size, size), rng),
            outer: Affine::new(parameters, "attentional.outer", (2 * size, size), rng),
            dropout: config.dropout,
        });
        let reads_schema = reads_schema(config, actions);
        let bodies = match config.idiom_embeddings {
            IdiomEmbeddings::Own => None,
            IdiomEmbeddings::Composed => Some(Arc::new(actions.columns_of_bodies())),
        };
        let mut affine =
            |name: &str, width: usize| Affine::new(parameters, name, (size, width), rng);
        Heads {
            attentional,
            rule_inner: affine("rules.inner", size),
            rule_outer: affine("rules.outer", actions.n_rules()),
            bodies,
            vocabulary: affine("texts.vocabulary", actions.n_subtoken_columns()),
            copying: affine("texts.copying", 2 * size + Form::COUNT + 1),
            items: reads_schema.then(|| affine("items.query", size)),
            values: reads_schema.then(|| affine("texts.values", size + Matching::COUNT)),
        }
    }

    /// The log-probabilities that the steps of a batch ask for, example by example: [asked, 1].
    ///
    /// Rules are the paper's eq. 2, `softmax(g(h_t))` with `g` a two-layer MLP with tanh.
    pub(super) fn score(
        &self,
        tape: &mut Tape<'_>,
        batch: &Batch<'_>,
        states: Var,
        elements: Var,
        dropout: &mut Dropout,
    ) -> Var {
        let states = match self.attentional {
            Some(attentional) => attentional.apply(tape, batch, states, elements, dropout),
            None => states,
        };
        let mut parts = Vec::new();
        if !batch.rules.is_empty() {
            let x = gather_rows(tape, states, Arc::clone(&batch.rule_rows));
            let inner = self.rule_inner.apply(tape, x);
            let inner = tanh(tape, inner);
            let mut logits = self.rule_outer.apply(tape, inner);
            if let Some(bodies) = &self.bodies {
                logits = compose_columns(tape, logits, Arc::clone(bodies));
            }
            parts.push(choose_rules(tape, logits, Arc::clone(&batch.rules)));
        }
        if !batch.texts.is_empty() {
            let x = gather_rows(tape, states, Arc::clone(&batch.text_rows));
            let logits = TextLogits {
                vocabulary: self.vocabulary.apply(tape, x),
                copying: self.copying.apply(tape, x),
                values: self.values.map(|it| it.apply(tape, x)),
                elements,
            };
            parts.push(choose_texts(tape, logits, Arc::clone(&batch.texts)));
        }
        if let Some(items) = self.items.filter(|_| !batch.items.is_empty()) {
            let x = gather_rows(tape, states, Arc::clone(&batch.item_rows));
            let queries = items.apply(tape, x);
            parts.push(choose_items(
                tape,
                queries,
                elements,
                Arc::clone(&batch.items),
            ));
        }
        let by_kind = concat_rows(tape, &parts);
        gather_rows(tape, by_kind, Arc::clone(&batch.in_order))
    }
}
