//! Synthesises programs from natural language, with idioms.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`spec`] | [`Spec`]: the question, what can be copied from it, what can be pointed at |
//! | [`relations`] | [`Relations`]: how columns, tables and words relate to each other |
//! | [`vocabulary`] | [`Vocabulary`]: texts seen often enough to be known |
//! | [`vectors`] | [`WordVectors`]: pretrained vectors of words |
//! | [`config`] | [`ModelConfig`], [`TrainingConfig`]: plain data, saved beside what came of it |

pub mod config;
pub mod layers;
pub mod lesson;
pub mod lexicon;
pub mod matrix;
pub mod model;
pub mod parameters;
pub mod relations;
pub mod sequences;
pub mod simd;
pub mod spec;
pub mod tape;
pub mod training;
pub mod vectors;
pub mod vocabulary;
//! | [`matrix`], [`simd`] | matrices and their products; inner loops on the machine's vectors |
//! | [`tape`], [`parameters`] | reverse-mode differentiation; what is learnt |
//! | [`sequences`], [`layers`] | rows without padding; layers and their derivatives |
//! | [`config`] | [`ModelConfig`], [`TrainingConfig`]: plain data, saved beside what came of it |


pub use config::{
    EncoderKind, Linking, ModelConfig, Objective, Optimizer, RelationConfig, Schedule,
    TrainingConfig,
};
pub use relations::{RelationType, Relations};
pub use spec::{Column, Context, Copied, Form, Item, Link, LinkKind, Spec};
pub use vectors::WordVectors;
pub use vocabulary::Vocabulary;
