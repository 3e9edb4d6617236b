//! Synthesises programs from natural language, with idioms.
//!
//! ```text
//! specifications, marked trees → ExampleEncoder → Trainer → Model → Searcher → programs, best first
//! ```
//!
//! | file | what lives there |
//! | --- | --- |
//! | `model.rs`, `model/` | [`Model`]: the forward pass on a page; **start reading here** |
//! | `spec.rs`, `relations.rs` | [`Spec`]: question, what can be copied, what can be pointed at; [`RelationType`]: how these are related |
//! | `training_example.rs`, `lexicon.rs` | [`TrainingExample`]: an example as rows of tables, with all its derivations; [`Words`] and [`Actions`]: which row stands for what |
//! | `vocabulary.rs`, `vectors.rs` | [`Vocabulary`]: texts that are common enough to be known; [`WordVectors`]: pretrained ones |
//! | `pretrained.rs`, `pretrained/` | [`PretrainedEncoder`]: what others have trained; word pieces, and specifications made of them |
//! | `config.rs` | [`ModelConfig`], [`TrainingConfig`]: plain data, saved beside what came of it |
//! | `training.rs`, `training/` | [`Trainer`]: batches, steps, measurements, checkpoints |
//! | `search.rs`, `search/` | [`Searcher`]: a beam of partial trees |
//! | `layers.rs`, `layers/` | layers with their derivatives, over rows without padding |
//! | `tape.rs`, `gradient.rs`, `parameters.rs`, `matrix.rs`, `simd.rs`, `sequences.rs` | reverse-mode differentiation, and what it works on |
//!
//! Formulas are where they are computed, with the number that they have in the paper (Shin et al. 2019): `grep -rn "eq\. 5" src`.
//!
//! # A tour
//!
//! ```
//! use patois_syntax::*;
//! use patois_synthesis::training::weights_generator;
//! use patois_synthesis::*;
//!
//! // A language of one statement, and an idiom of it: the same is shown twice.
//! let schema = Schema::parse(
//!     "module Tour { block = (stmt* body) stmt = Show(name what) | Stop name = text }",
//! )?;
//! let grammar = Grammar::from_schema(&schema);
//! let fragment = Fragment::parse(&grammar, "(block [(Show ?x) (Show ?x)])")?;
//! let library = IdiomLibrary::new(&grammar, vec![Idiom { fragment, coverage: 2, score: 1.0 }]);
//! let extended = ExtendedGrammar::new(&grammar, &library)?;
//!
//! // Texts and programs to learn from. Names are copied: the vocabulary of programs is empty.
//! let corpus = [
//!     ("show total", r#"(block [(Show "total")])"#),
//!     ("show n twice", r#"(block [(Show "n") (Show "n")])"#),
//!     ("show x twice", r#"(block [(Show "x") (Show "x")])"#),
//! ];
//! let questions = corpus.map(|(text, _)| text.split(' ').collect::<Vec<_>>());
//! let words = Words::new(&Vocabulary::learn(questions, 2), WordVectors::default());
//! let actions = Actions::new(&extended, Vocabulary::default(), IdiomExpansion::Replayed);
//! let config = ModelConfig { word_size: 16, hidden_size: 16, dropout: 0.0, ..ModelConfig::default() };
//! let model = Model::new(config, words, actions, &mut weights_generator(1, 0));
//!
//! // Marked trees hold every derivation of a program; examples are what the network sees of them.
//! let encoder = ExampleEncoder {
//!     grammar: extended,
//!     words: &model.words,
//!     actions: &model.actions,
//!     config: &model.config,
//! };
//! let marker = Marker::new(&grammar, &library)?;
//! let whole: fn(&str) -> Vec<&str> = |text| vec![text];
//! let mut examples = Vec::new();
//! for (text, program) in corpus {
//!     let tree = Tree::parse(&grammar, program)?;
//!     let spec = Spec::of_words(text.split(' '));
//!     examples.push(encoder.encode(text.to_owned(), &spec, &marker.mark(&tree), &whole, &Tour));
//! }
//!
//! // Training maximises the probability of programs, summed over their derivations.
//! let config = TrainingConfig {
//!     objective: Objective::Marginal,
//!     optimizer: Optimizer::Adam { rate: 0.02, beta1: 0.9, beta2: 0.999, epsilon: 1e-9 },
//!     ..TrainingConfig::default()
//! };
//! let mut trainer = Trainer::new(vec![model], examples, config, 1)?;
//! let before = trainer.step()?.loss;
//! for _ in 0..80 {
//!     trainer.step()?;
//! }
//! assert!(trainer.step()?.loss < 0.1 * before);
//!
//! // Search finds programs for questions that were never asked, best first.
//! # struct Tour;
//! # impl Language for Tour {
//! #     fn name(&self) -> &str { "tour" }
//! #     fn parse(&self, _: &str) -> Result<Ast, ParseError> { Err(ParseError::whole("cannot parse")) }
//! #     fn print(&self, _: &Ast) -> Result<String, PrintError> { Err(PrintError::new("cannot print")) }
//! # }
//! let models = trainer.models();
//! let search = SearchConfig { beam_size: 3, ..SearchConfig::default() };
//! let searcher = Searcher::new(Ensemble::new(&models), extended, search);
//! let spec = Spec::of_words(["show", "salary", "twice"]);
//! let found = searcher.search(Question { spec: &spec, subtokens: &whole, language: &Tour });
//! let best = found[0].tree.display(&grammar).to_string();
//! assert_eq!(best, r#"(block [(Show "salary") (Show "salary")])"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![expect(
    clippy::inline_always,
    reason = "code becomes vectors of the machine only where it is inlined into `simd::vectorized`"
)]

mod config;
mod following;
mod gradient;
mod layers;
mod lexicon;
mod matrix;
pub mod model;
mod parameters;
pub mod pretrained;
mod relations;
mod search;
mod sequences;
mod simd;
pub mod spec;
mod tape;
pub mod training;
pub mod training_example;
pub mod vectors;
pub mod vocabulary;

pub use config::{
    ConfigError, EncoderKind, FineTuning, IdiomEmbeddings, Linking, ModelConfig, Objective,
    Optimizer, Precision, PretrainedConfig, RelationConfig, Schedule, TrainingConfig,
};
pub use lexicon::{Actions, Words};
pub use model::{Ensemble, Model};
pub use pretrained::PretrainedEncoder;
pub use relations::{RelationType, Relations};
pub use search::{Followed, Found, Question, SearchConfig, Searcher, TraceStep};
pub use spec::{Column, Context, Copied, Form, Item, Link, LinkKind, Matching, Origin, Spec};
pub use training::{ExampleSource, Trainer};
pub use training_example::{ExampleEncoder, TrainingExample};
pub use vectors::WordVectors;
pub use vocabulary::Vocabulary;

#[cfg(test)]
mod reference_values;

// Tests of the network's parts share their toy language with those in `tests/`.
#[cfg(test)]
extern crate self as patois_synthesis;
#[cfg(test)]
#[path = "../tests/it/toy.rs"]
#[allow(dead_code, reason = "some of it is for the tests in `tests/`")]
mod toy;
