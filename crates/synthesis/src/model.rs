//! The network: encoder, decoder and heads, and what it takes to make examples for it.

mod batch;
mod bilstm;
mod decoder;
mod dropout;
mod encoder;
mod ensemble;
#[cfg(test)]
mod gradients;
mod heads;
mod inference;
mod pretrained_reader;
mod recurrent_reader;
mod relation_layers;
mod transformer;

use std::collections::BTreeMap;
use std::sync::Arc;

use patois_syntax::IdiomExpansion;
use rand::Rng;

pub(crate) use dropout::Dropout;
pub(crate) use ensemble::Encodings;
pub use ensemble::{Ensemble, States};
pub(crate) use inference::{StepInput, SubtokenProbabilities};
pub(crate) use transformer::hidden_states;

use crate::config::{EncoderKind, FineTuning, ModelConfig, Objective, Precision};
use crate::gradient::Gradient;
use crate::layers::{inside, weighted_sum};
use crate::lexicon::{Actions, Words};
use crate::matrix::Matrix;
use crate::parameters::{CompactUse, ParameterId, Parameters};
use crate::pretrained::{EncoderShape, PretrainedEncoder, Weights};
use crate::tape::{Recording, Tape, Var};
use crate::training_example::{Accepted, EncodedSpec, Readings, TrainingExample};

use batch::Batch;
use decoder::Decoder;
use encoder::Encoder;
use heads::Heads;
use pretrained_reader::PretrainedReader;

/// A network and its tables. What it has learnt is in `parameters` alone.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its shape.
    pub config: ModelConfig,
    /// The words that it knows.
    pub words: Words,
    /// The actions that it can take.
    pub actions: Actions,
    /// The weights.
    pub(crate) parameters: Parameters,
    encoder: Encoder,
    decoder: Decoder,
    heads: Heads,
}

/// A logit so low that nothing is left of its probability.
const IMPOSSIBLE: f32 = -1e9;

/// What training minimises, of each example.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loss {
    /// What is maximised, in truth.
    pub(crate) objective: Objective,
    /// What it is multiplied with.
    pub(crate) weight: f32,
    /// How exactly products with weights are computed.
    pub(crate) precision: Precision,
}

impl Model {
    /// A model that has learnt nothing.
    ///
    /// # Panics
    ///
    /// When the configuration asks for a pretrained encoder: see [`Model::with_encoder`].
    pub fn new(config: ModelConfig, words: Words, actions: Actions, rng: &mut impl Rng) -> Model {
        Model::build(config, words, actions, None, rng)
    }

    /// A model of which only the encoder has learnt something.
    ///
    /// # Panics
    ///
    /// When the configuration does not ask for a pretrained encoder.
    pub fn with_encoder(
        config: ModelConfig,
        encoder: PretrainedEncoder,
        actions: Actions,
        rng: &mut impl Rng,
    ) -> Model {
        let words = Words::of_pieces(encoder.pieces, encoder.weights.shape.n_positions);
        Model::build(config, words, actions, Some(encoder.weights), rng)
    }

    /// A model, with the weights of a pretrained encoder where there is one.
    pub(crate) fn build(
        config: ModelConfig,
        words: Words,
        actions: Actions,
        weights: Option<Weights>,
        rng: &mut impl Rng,
    ) -> Model {
        let none = Parameters::default();
        let mut model = Model::with_parameters(none, config, (words, actions), weights, rng);
        model.forget_idioms();
        model
    }

    /// Of idioms that are put together from their bodies, nothing else is known.
    fn forget_idioms(&mut self) {
        if let Some(bodies) = &self.decoder.bodies {
            let table = self.parameters.get_mut(self.decoder.actions);
            table.rows_mut(bodies.first..table.n_rows()).fill(0.0);
        }
        if let Some(bodies) = &self.heads.bodies {
            let weight = self.parameters.get_mut(self.heads.rule_outer.weight);
            (0..weight.n_rows()).for_each(|row| weight.row_mut(row)[bodies.first..].fill(0.0));
        }
    }

    /// A model whose parameters are added to those that are there.
    pub(crate) fn with_parameters(
        mut parameters: Parameters,
        config: ModelConfig,
        (words, actions): (Words, Actions),
        weights: Option<Weights>,
        rng: &mut impl Rng,
    ) -> Model {
        assert_eq!(
            config.encoder == EncoderKind::Pretrained,
            weights.is_some(),
            "a pretrained encoder has weights"
        );
        let encoder = Encoder::new(&mut parameters, &config, (&words, &actions), weights, rng);
        let decoder = Decoder::new(&mut parameters, &config, &actions, rng);
        let heads = Heads::new(&mut parameters, &config, &actions, rng);
        Model {
            config,
            words,
            actions,
            parameters,
            encoder,
            decoder,
            heads,
        }
    }

    /// The shape of its pretrained encoder.
    pub(crate) fn encoder_shape(&self) -> Option<&EncoderShape> {
        Some(self.encoder.pretrained()?.shape())
    }

    /// The parameters that can be kept in few bytes by those who do not learn.
    pub(crate) fn compact_uses(&self) -> BTreeMap<ParameterId, CompactUse> {
        self.encoder.compact_uses()
    }

    /// A model between this one and another of the same shape: a `share` of the way to the other.
    ///
    /// # Panics
    ///
    /// When the shapes differ.
    #[must_use]
    pub fn towards(&self, other: &Model, share: f32) -> Model {
        let mut result = self.clone();
        let others = other.parameters.iter().map(|(_, it)| it.values());
        for (own, others) in result.parameters.values_mut().zip(others) {
            assert_eq!(own.values().len(), others.len(), "models of the same shape");
            for (value, other) in own.values_mut().iter_mut().zip(others) {
                *value += share * (other - *value);
            }
        }
        result
    }

    /// The same model that may not choose an idiom: what it thought of it goes to all else in proportion.
    ///
    /// # Panics
    ///
    /// When there is no such idiom, or idioms are not replayed: the states of others depend on it then.
    #[must_use]
    pub fn without(&self, idiom: usize) -> Model {
        assert_eq!(self.actions.expansion(), IdiomExpansion::Replayed);
        let column = self.actions.n_rules() - self.actions.n_idioms() + idiom;
        let mut result = self.clone();
        let bias = result.parameters.get_mut(self.heads.rule_outer.bias);
        bias.values_mut()[column] = IMPOSSIBLE;
        result
    }

    /// How many of its parameters are a pretrained encoder's: the first ones.
    pub(crate) fn n_pretrained(&self) -> usize {
        let reader = self.encoder.pretrained();
        reader.map_or(0, PretrainedReader::n_parameters)
    }

    /// Decides what of a pretrained encoder is trained; the rates of all parameters that have their own.
    pub(crate) fn fine_tune(&mut self, config: &FineTuning) -> Vec<Option<f32>> {
        let mut rates = vec![None; self.parameters.len()];
        if let Some(reader) = self.encoder.pretrained() {
            reader.fine_tune(config, &mut self.parameters, &mut rates);
        }
        rates
    }

    /// What its pretrained encoder makes of a specification; while the encoder is not trained, the
    /// specification can [keep](EncodedSpec::readings) it.
    pub fn read(&self, spec: &EncodedSpec) -> Option<Readings> {
        let reader = self.encoder.pretrained()?;
        Some(reader.readings(&self.parameters, spec))
    }

    /// A number that tells pretrained encoders with other weights apart.
    pub fn encoder_fingerprint(&self) -> Option<u64> {
        let reader = self.encoder.pretrained()?;
        Some(reader.fingerprint(&self.parameters))
    }

    /// The sum of the losses of examples, and its gradients.
    pub(crate) fn gradients(
        &self,
        examples: &[&TrainingExample],
        loss: Loss,
        dropout: &mut Dropout,
    ) -> (f64, Vec<Option<Gradient>>) {
        let batch = Batch::new(examples, self.actions.n_rows());
        let tape = Tape::new(&self.parameters, Recording::Gradients);
        let mut tape = tape.in_precision(loss.precision);
        let ln_p = self.ln_p(&mut tape, &batch, dropout);
        let loss = objective_of(&mut tape, ln_p, &batch, loss.objective, loss.weight);
        let value = f64::from(tape.value(loss).values()[0]);
        (value, tape.backward(loss))
    }

    /// The sum of the losses of examples, nothing dropped.
    pub fn loss(&self, examples: &[&TrainingExample], objective: Objective) -> f64 {
        let batch = Batch::new(examples, self.actions.n_rows());
        let mut tape = Tape::new(&self.parameters, Recording::ValuesOnly);
        let ln_p = self.ln_p(&mut tape, &batch, &mut Dropout::default());
        let loss = objective_of(&mut tape, ln_p, &batch, objective, 1.0);
        f64::from(tape.value(loss).values()[0])
    }

    /// For each example, how often each of its choices is expected to be made, given the program.
    pub fn posteriors(&self, examples: &[&TrainingExample]) -> Vec<Vec<f64>> {
        let posterior = |example: &&TrainingExample| {
            let batch = Batch::new(&[example], self.actions.n_rows());
            let mut tape = Tape::new(&self.parameters, Recording::ValuesOnly);
            let ln_p = self.ln_p(&mut tape, &batch, &mut Dropout::default());
            example.derivations.posterior(tape.value(ln_p).values())
        };
        examples.iter().map(posterior).collect()
    }

    /// How often each idiom is expected to be chosen in all examples, given their programs.
    pub fn idiom_uses(&self, examples: &[&TrainingExample]) -> Vec<f64> {
        let mut uses = vec![0.0; self.actions.n_idioms()];
        for (example, posterior) in examples.iter().zip(self.posteriors(examples)) {
            for (idiom, choice) in example.idioms(&self.actions) {
                uses[idiom] += posterior[choice];
            }
        }
        uses
    }

    /// The whole forward pass: the log-probabilities that the examples ask for, [asked, 1]. Those of a
    /// derivation add up to the paper's eq. 1, `Pr(T | X) = ∏ Pr(a_t | T_t, X)`.
    fn ln_p(&self, tape: &mut Tape<'_>, batch: &Batch<'_>, dropout: &mut Dropout) -> Var {
        let elements = self
            .encoder
            .encode(tape, &self.words, &batch.specs(), dropout); // [elements, hidden]
        let states = self.decoder.run(tape, batch, elements, dropout); // [steps, hidden]
        self.heads.score(tape, batch, states, elements, dropout)
    }
}

/// What is minimised: the negative objective, summed over the examples, each times `weight`.
fn objective_of(
    tape: &mut Tape<'_>,
    ln_p: Var,
    batch: &Batch<'_>,
    objective: Objective,
    weight: f32,
) -> Var {
    let examples = batch.examples().iter();
    let accepted = match objective {
        Objective::Plain => Accepted::Original,
        Objective::Mean => Accepted::All,
        Objective::Marginal => {
            let starts = batch.starts.iter().copied();
            let programs = examples.map(|it| Arc::clone(&it.derivations)).zip(starts);
            return inside(tape, ln_p, Arc::new(programs.collect()), -weight);
        }
    };
    let weights = examples.flat_map(|it| it.weights(accepted));
    let weights: Vec<f32> = weights.map(|own| -weight * own).collect();
    weighted_sum(tape, ln_p, Matrix::new(weights.len(), 1, weights))
}
