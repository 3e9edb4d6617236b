//! Training examples that are other ones in every pass: other names, other words, other columns, other values.
//!
//! A model that reads the same questions about the same schemas over and over learns the words of its corpus. Here
//! each example is drawn anew in each pass from the seed, the pass and its place, so that training that goes on from a
//! checkpoint sees the same. What is changed stays true: the query is still the answer to the question.

mod config;
mod examples;
mod identifiers;
mod needed;
mod question;
mod schema;
mod shares;
mod thesaurus;
mod values;

pub use config::AugmentConfig;
pub use examples::{AugmentedExamples, Augmenter, Ingredients};
pub(crate) use identifiers::words_of;
pub use identifiers::{Abbreviations, Naming};
pub use needed::Needed;
pub use question::{lower_cased, misspelt, with_synonyms};
pub use schema::{Change, Limits, Renumbered};
pub use shares::{SharedExamples, Shares};
pub use thesaurus::{abbreviations_of, expansion_of, synonyms_of};
pub use values::{Condition, ValuePools};
