//! How good predicted programs are: BLEU, equal syntax trees, Spider's two metrics of SQL.
//!
//! A program is compared by its syntax tree and by BLEU:
//!
//! ```
//! use patois_languages::python::Python;
//! use patois_metrics::{ProgramFigures, ProgramScore};
//!
//! let scores = [
//!     ProgramScore::new(&Python, "x = (1)  # one", "x=1"),
//!     ProgramScore::new(&Python, "x = 1", "x = 2"),
//! ];
//! assert_eq!(ProgramFigures::of(&scores).exact_match, 0.5);
//! ```
//!
//! A query is compared clause by clause, and by the rows that it returns:
//!
//! ```
//! use std::sync::Arc;
//!
//! use indexmap::IndexMap;
//! use patois_database::{Database, Databases, Place};
//! use patois_metrics::{QueryFigures, QueryScorer};
//!
//! let script = "CREATE TABLE pet(name TEXT, age INT); INSERT INTO pet VALUES ('Rex', 3), ('Tom', 9);";
//! let schema = Database::from_script("pets", script)?.schema()?.schema;
//! let schemas = IndexMap::from([("pets".to_owned(), Arc::new(schema))]);
//! let places = [("pets".to_owned(), Place::Script(script.to_owned()))];
//! let scorer = QueryScorer::new(&schemas, Some(Databases::named(places)));
//!
//! let gold = "SELECT name FROM pet WHERE age > 3";
//! let scores = [
//!     // Another value: the same clauses, other rows.
//!     scorer.score("pets", gold, "SELECT name FROM pet WHERE age > 30"),
//!     // Another query that returns the same rows.
//!     scorer.score("pets", gold, "SELECT name FROM pet WHERE age = 9"),
//!     scorer.score("pets", gold, "SELECT nme FROM pet"),
//! ];
//! let figures = QueryFigures::of(&scores);
//! assert_eq!(figures.exact_match.all, Some(1.0 / 3.0));
//! assert_eq!(figures.execution.and_then(|it| it.all), Some(1.0 / 3.0));
//! assert_eq!(figures.failed_to_run, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`pairs`] reads gold and predicted programs as people keep them in files.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod pairs;
pub mod sql_match;

mod bleu;
mod execution;
mod program_score;
mod query_score;

pub use bleu::{BleuCounts, corpus_bleu, sentence_bleu};
pub use execution::{ExecutionMatch, execution_match};
pub use program_score::{ProgramFigures, ProgramScore};
pub use query_score::{ByHardness, ComponentFigures, QueryFigures, QueryScore, QueryScorer};
