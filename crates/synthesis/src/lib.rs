//! Synthesises programs from natural language, with idioms.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`spec`] | [`Spec`]: the question, what can be copied from it, what can be pointed at |
//! | [`relations`] | [`Relations`]: how columns, tables and words relate to each other |
//! | [`vocabulary`], [`lexicon`] | [`Vocabulary`]: texts seen often enough to be known; which row stands for what |
//! | [`vectors`] | [`WordVectors`]: pretrained vectors of words |
//! | [`config`] | [`ModelConfig`], [`TrainingConfig`]: plain data, saved beside what came of it |
//! | [`training_example`] | [`TrainingExample`]: an example as the network sees it, with all its derivations |
//! | [`model`] | [`Model`]: encoder, decoder and heads; **start reading here** |
//! | [`training`] | [`Trainer`]: batches, steps, measurements, checkpoints |
//! | [`search`] | [`Searcher`]: programs for a question, best first |
//! | [`layers`], [`sequences`] | layers and their derivatives, over rows without padding |
//! | [`tape`], [`parameters`] | reverse-mode differentiation; what is learnt |
//! | [`matrix`], [`simd`] | matrices and their products; inner loops on the machine's vectors |

#![expect(
    clippy::inline_always,
    reason = "code becomes vectors of the machine only where it is inlined into `simd::vectorized`"
)]

pub mod config;
pub mod layers;
pub mod lexicon;
pub mod matrix;
pub mod model;
pub mod parameters;
pub mod relations;
pub mod search;
pub mod sequences;
pub mod simd;
pub mod spec;
pub mod tape;
pub mod training;
pub mod training_example;
pub mod vectors;
pub mod vocabulary;

pub use config::{
    ConfigError, EncoderKind, Linking, ModelConfig, Objective, Optimizer, RelationConfig, Schedule,
    TrainingConfig,
};
pub use lexicon::{Actions, Words};
pub use model::{Ensemble, Model};
pub use relations::{RelationType, Relations};
pub use search::{Followed, Found, Question, SearchConfig, Searcher};
pub use spec::{Column, Context, Copied, Form, Item, Link, LinkKind, Spec};
pub use training::Trainer;
pub use training_example::{ExampleEncoder, TrainingExample};
pub use vectors::WordVectors;
pub use vocabulary::Vocabulary;
