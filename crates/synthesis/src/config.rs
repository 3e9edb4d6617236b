//! What a model and its training depend on, besides the data and the random numbers.

use patois_syntax::IdiomExpansion;
use serde::{Deserialize, Serialize};

/// The shape of a network: plain data, saved beside the weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelConfig {
    /// How a specification is read.
    pub encoder: EncoderKind,
    /// The width of word embeddings; with pretrained vectors, theirs.
    pub word_size: usize,
    /// The width of encoded words and items, and of the decoder's state.
    pub hidden_size: usize,
    /// The width of embedded actions.
    pub action_size: usize,
    /// The width of embedded symbols.
    pub symbol_size: usize,
    /// The width of attention from the decoder to the encoding.
    pub attention_size: usize,
    /// Whether choices are made from the attentional vector of Luong et al. (2015), for which the state
    /// attends to the encoding once more; without it, from the state alone, as in the paper.
    pub attentional_vector: bool,
    /// Whether the body of an idiom is replayed to the network, as in the paper, or the idiom is one step.
    pub idioms: IdiomExpansion,
    /// What an idiom is to the network before anything is learnt of it.
    #[serde(skip_serializing_if = "IdiomEmbeddings::is_own")]
    pub idiom_embeddings: IdiomEmbeddings,
    /// Which part of the inputs and states of recurrent layers is dropped, one mask a sequence.
    pub dropout: f32,
    /// How the items of a context and the words attend to each other.
    pub relations: RelationConfig,
    /// How a pretrained encoder is used.
    pub pretrained: PretrainedConfig,
}

/// How a specification is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EncoderKind {
    /// Words alone.
    Words,
    /// Words, and the columns and tables of a database.
    Schema,
    /// Words, and where programs point at them columns and tables, all in one sequence that a pretrained
    /// encoder reads.
    Pretrained,
}

/// What an idiom is to the network before anything is learnt of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdiomEmbeddings {
    /// Something of its own, drawn as that of a production.
    #[default]
    Own,
    /// The mean of the productions of its body; what is learnt of the idiom itself is added.
    Composed,
}

impl IdiomEmbeddings {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde wants")]
    fn is_own(&self) -> bool {
        *self == IdiomEmbeddings::Own
    }
}

/// How a pretrained encoder is used. Its shape is its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PretrainedConfig {
    /// Which part of the outputs of the layers that are trained is dropped.
    pub dropout: f32,
}

/// Layers of relation-aware self-attention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RelationConfig {
    /// How many layers.
    pub n_layers: usize,
    /// How many heads each has.
    pub n_heads: usize,
    /// The width of the layer between two layers of attention.
    pub feed_forward_size: usize,
    /// Which part of the layers' outputs is dropped.
    pub dropout: f32,
    /// Which relations are told apart.
    pub linking: Linking,
}

/// Which relations between words and items are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Linking {
    /// The paper's 25.
    None,
    /// Also where words are (part of) a name.
    Names,
    /// Also where words are part of a value in the database.
    Values,
}

/// How a model is trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainingConfig {
    /// What is maximised.
    pub objective: Objective,
    /// How many models are trained side by side, each from weights and in an order of its own: an
    /// ensemble, whose choices are as probable as they are to its models on average.
    pub n_models: usize,
    /// How many steps are taken.
    pub n_steps: usize,
    /// After how many seconds of processors, spent in steps, training ends, if not all steps are taken by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// How many examples a step looks at.
    pub batch_size: usize,
    /// Into how many shards a batch is split; each is a worker's.
    pub n_shards: usize,
    /// How gradients become steps.
    pub optimizer: Optimizer,
    /// How the learning rate changes.
    pub schedule: Schedule,
    /// The largest norm that a gradient may have; longer ones are shortened to it.
    pub max_gradient_norm: Option<f32>,
    /// How much of the exponential moving average of the weights is kept in a step; without it, none is taken.
    pub ema_decay: Option<f32>,
    /// How many derivations of each program are learnt from, where idioms are atomic: the
    /// shortest one, then the shortest ones without some of the occurrences of idioms.
    pub n_derivations: usize,
    /// Which part of the occurrences these are without.
    pub idiom_dropout: f32,
    /// After how many steps the loss on dev is measured.
    pub evaluate_every: usize,
    /// After how many steps a checkpoint is written.
    pub checkpoint_every: usize,
    /// After how many measurements without a better one training ends early.
    pub patience: Option<usize>,
    /// How often a subtoken must occur in programs, or a word in questions, to be known.
    pub min_count: usize,
    /// About how many databases examples must have a subtoken or a word for it to be known: what is
    /// said of one database only is not learnt, so that names and values of databases that
    /// training never sees are no stranger than those that it does see.
    pub min_databases: usize,
    /// How exactly large matrices are multiplied while training.
    pub precision: Precision,
    /// How a pretrained encoder is trained with the rest.
    pub pretrained: FineTuning,
}

/// How exactly large matrices are multiplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// In single precision.
    #[default]
    Single,
    /// Factors are rounded to eight bits (bfloat16) where the processor has instructions for them, which is nearly
    /// twice as fast; elsewhere in single precision. Weights, sums and all else stay in single precision.
    Half,
}

/// How a pretrained encoder is trained with the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FineTuning {
    /// How many of its layers are trained, the last ones; without it, all. With 0 it stays as it is.
    pub n_layers: Option<usize>,
    /// Whether its embeddings are trained, too, where all layers are.
    pub embeddings: bool,
    /// The rate of its last layer, in the place of the optimizer's.
    pub rate: f32,
    /// The rate of a layer over that of the next one; embeddings are the layer before the first.
    pub layer_decay: f32,
}

/// What training maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The log-probability of the original derivation, without idioms.
    Plain,
    /// At each step the mean of the log-probabilities of all accepted actions: the paper's bound.
    Mean,
    /// The log-probability of the program, summed over all its derivations.
    Marginal,
}

/// How gradients become steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name", deny_unknown_fields)]
pub enum Optimizer {
    /// Zeiler (2012).
    Adadelta {
        /// The factor of each step.
        rate: f32,
        /// How much of the running means is kept.
        rho: f32,
        /// What keeps the root of a mean from zero.
        epsilon: f32,
    },
    /// Kingma and Ba (2015).
    Adam {
        /// The length of a step, before the schedule.
        rate: f32,
        /// How much of the mean of gradients is kept.
        beta1: f32,
        /// How much of the mean of squared gradients is kept.
        beta2: f32,
        /// What keeps the denominator from zero.
        epsilon: f32,
    },
}

/// How the learning rate changes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name", deny_unknown_fields)]
pub enum Schedule {
    /// It does not.
    Constant,
    /// It grows in proportion for some steps, then falls as `(1 - t/T)^power`.
    WarmUp {
        /// For how many steps it grows.
        n_warm_up: usize,
        /// How it falls. The paper prints -0.5, which would grow without bound; its code had 0.5.
        power: f32,
    },
}

/// A value that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key}`: expected {expected}, found {found}")]
pub struct ConfigError {
    /// The key, with the tables that it is in.
    pub key: &'static str,
    /// What it may be.
    pub expected: String,
    /// What it is.
    pub found: String,
}

fn expect(
    holds: bool,
    key: &'static str,
    expected: impl Into<String>,
    found: &dyn ToString,
) -> Result<(), ConfigError> {
    if holds {
        return Ok(());
    }
    Err(ConfigError {
        key,
        expected: expected.into(),
        found: found.to_string(),
    })
}

fn expect_positive(key: &'static str, found: usize) -> Result<(), ConfigError> {
    expect(found > 0, key, "at least 1", &found)
}

/// The widest layer, far wider than anybody's: products of widths can be told by 64 bits.
const MAX_WIDTH: usize = 1 << 20;

/// The most layers.
const MAX_LAYERS: usize = 1_000;

fn expect_width(key: &'static str, found: usize) -> Result<(), ConfigError> {
    let expected = format!("at least 1, at most {MAX_WIDTH}");
    expect((1..=MAX_WIDTH).contains(&found), key, expected, &found)
}

fn expect_share(key: &'static str, found: f32) -> Result<(), ConfigError> {
    expect(
        (0.0..1.0).contains(&found),
        key,
        "0 or more, less than 1",
        &found,
    )
}

impl ModelConfig {
    /// Refuses shapes that no network has.
    ///
    /// # Errors
    ///
    /// When a width is 0 or odd where it must be even or beyond all sense, or a part is dropped that is no part.
    pub fn check(&self) -> Result<(), ConfigError> {
        expect_width("model.word_size", self.word_size)?;
        expect_width("model.action_size", self.action_size)?;
        expect_width("model.symbol_size", self.symbol_size)?;
        expect_width("model.attention_size", self.attention_size)?;
        let hidden = self.hidden_size;
        let is_even = hidden > 0 && hidden.is_multiple_of(2);
        expect(
            is_even,
            "model.hidden_size",
            "an even number above 0",
            &hidden,
        )?;
        expect_width("model.hidden_size", hidden)?;
        expect_share("model.dropout", self.dropout)?;
        let relations = &self.relations;
        expect_positive("model.relations.n_heads", relations.n_heads)?;
        expect(
            hidden.is_multiple_of(relations.n_heads),
            "model.relations.n_heads",
            format!("a divisor of model.hidden_size, {hidden}"),
            &relations.n_heads,
        )?;
        let inner = relations.feed_forward_size;
        expect_width("model.relations.feed_forward_size", inner)?;
        let n_layers = relations.n_layers;
        expect(
            n_layers <= MAX_LAYERS,
            "model.relations.n_layers",
            format!("at most {MAX_LAYERS}"),
            &n_layers,
        )?;
        expect_share("model.relations.dropout", relations.dropout)?;
        expect_share("model.pretrained.dropout", self.pretrained.dropout)
    }
}

impl TrainingConfig {
    /// Refuses values that no training has.
    ///
    /// # Errors
    ///
    /// When a count is 0 or a number is not where it must be.
    pub fn check(&self) -> Result<(), ConfigError> {
        expect_positive("training.n_models", self.n_models)?;
        expect_positive("training.n_steps", self.n_steps)?;
        if let Some(seconds) = self.cpu_seconds {
            let holds = seconds > 0.0 && seconds.is_finite();
            expect(holds, "training.cpu_seconds", "a number above 0", &seconds)?;
        }
        expect_positive("training.batch_size", self.batch_size)?;
        expect_positive("training.n_shards", self.n_shards)?;
        expect_positive("training.n_derivations", self.n_derivations)?;
        expect_share("training.idiom_dropout", self.idiom_dropout)?;
        expect_positive("training.evaluate_every", self.evaluate_every)?;
        expect_positive("training.checkpoint_every", self.checkpoint_every)?;
        expect_positive("training.min_count", self.min_count)?;
        expect_positive("training.min_databases", self.min_databases)?;
        if let Some(norm) = self.max_gradient_norm {
            let holds = norm > 0.0 && norm.is_finite();
            expect(
                holds,
                "training.max_gradient_norm",
                "a number above 0",
                &norm,
            )?;
        }
        if let Some(decay) = self.ema_decay {
            expect_share("training.ema_decay", decay)?;
        }
        self.pretrained.check()?;
        self.optimizer.check()
    }
}

impl FineTuning {
    fn check(&self) -> Result<(), ConfigError> {
        let rate = self.rate;
        let holds = rate > 0.0 && rate.is_finite();
        expect(holds, "training.pretrained.rate", "a number above 0", &rate)?;
        let decay = self.layer_decay;
        expect(
            decay > 0.0 && decay <= 1.0,
            "training.pretrained.layer_decay",
            "above 0, at most 1",
            &decay,
        )
    }
}

impl Optimizer {
    fn check(self) -> Result<(), ConfigError> {
        let (rate, epsilon, kept) = match self {
            Optimizer::Adadelta { rate, rho, epsilon } => (rate, epsilon, [rho, rho]),
            Optimizer::Adam {
                rate,
                beta1,
                beta2,
                epsilon,
            } => (rate, epsilon, [beta1, beta2]),
        };
        for (key, value) in [
            ("training.optimizer.rate", rate),
            ("training.optimizer.epsilon", epsilon),
        ] {
            let holds = value > 0.0 && value.is_finite();
            expect(holds, key, "a number above 0", &value)?;
        }
        for kept in kept {
            expect_share("training.optimizer", kept)?;
        }
        Ok(())
    }
}

impl Default for ModelConfig {
    fn default() -> ModelConfig {
        ModelConfig {
            encoder: EncoderKind::Words,
            word_size: 256,
            hidden_size: 256,
            action_size: 128,
            symbol_size: 64,
            attention_size: 64,
            attentional_vector: false,
            idioms: IdiomExpansion::Replayed,
            idiom_embeddings: IdiomEmbeddings::Own,
            dropout: 0.2,
            relations: RelationConfig::default(),
            pretrained: PretrainedConfig::default(),
        }
    }
}

impl Default for PretrainedConfig {
    fn default() -> PretrainedConfig {
        PretrainedConfig { dropout: 0.1 }
    }
}

impl Default for RelationConfig {
    fn default() -> RelationConfig {
        RelationConfig {
            n_layers: 4,
            n_heads: 8,
            feed_forward_size: 1024,
            dropout: 0.1,
            linking: Linking::None,
        }
    }
}

impl Default for TrainingConfig {
    fn default() -> TrainingConfig {
        TrainingConfig {
            objective: Objective::Mean,
            n_models: 1,
            n_steps: 2600,
            cpu_seconds: None,
            batch_size: 10,
            n_shards: 2,
            optimizer: Optimizer::ADADELTA,
            schedule: Schedule::Constant,
            max_gradient_norm: None,
            ema_decay: None,
            n_derivations: 1,
            idiom_dropout: 0.2,
            evaluate_every: 100,
            checkpoint_every: 100,
            patience: None,
            min_count: 2,
            min_databases: 1,
            precision: Precision::Single,
            pretrained: FineTuning::default(),
        }
    }
}

impl Default for FineTuning {
    fn default() -> FineTuning {
        FineTuning {
            n_layers: None,
            embeddings: false,
            rate: 5e-5,
            layer_decay: 0.9,
        }
    }
}

impl Optimizer {
    /// The paper's for Hearthstone.
    pub const ADADELTA: Optimizer = Optimizer::Adadelta {
        rate: 1.0,
        rho: 0.95,
        epsilon: 1e-6,
    };

    /// The paper's for Spider.
    pub const ADAM: Optimizer = Optimizer::Adam {
        rate: 2.5e-4,
        beta1: 0.9,
        beta2: 0.999,
        epsilon: 1e-9,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_by_default_makes_sense() {
        assert_eq!(ModelConfig::default().check(), Ok(()));
        assert_eq!(TrainingConfig::default().check(), Ok(()));
    }

    #[test]
    fn values_that_make_no_sense_are_named() {
        let check = |change: fn(&mut ModelConfig, &mut TrainingConfig), expected: &str| {
            let (mut model, mut training) = Default::default();
            change(&mut model, &mut training);
            let error = model.check().and_then(|()| training.check()).unwrap_err();
            assert_eq!(error.to_string(), expected);
        };
        check(
            |model, _| model.hidden_size = 7,
            "`model.hidden_size`: expected an even number above 0, found 7",
        );
        check(
            |model, _| model.relations.n_heads = 3,
            "`model.relations.n_heads`: expected a divisor of model.hidden_size, 256, found 3",
        );
        check(
            |model, _| model.dropout = 1.0,
            "`model.dropout`: expected 0 or more, less than 1, found 1",
        );
        check(
            |_, training| training.batch_size = 0,
            "`training.batch_size`: expected at least 1, found 0",
        );
        check(
            |_, training| training.cpu_seconds = Some(0.0),
            "`training.cpu_seconds`: expected a number above 0, found 0",
        );
        check(
            |_, training| training.max_gradient_norm = Some(f32::NAN),
            "`training.max_gradient_norm`: expected a number above 0, found NaN",
        );
        check(
            |_, training| training.pretrained.layer_decay = 1.5,
            "`training.pretrained.layer_decay`: expected above 0, at most 1, found 1.5",
        );
    }
}
