//! Corpora: programs with the texts that describe them.

use std::sync::Arc;

use indexmap::IndexMap;
use patois_languages::sql::DatabaseSchema;
use serde::{Deserialize, Serialize};

/// A corpus: examples in splits, and the databases they speak of.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The name it was asked for by.
    pub name: String,
    /// The language of the programs: `python` or `sql`.
    pub language: String,
    /// The examples of all splits, in the order of the source.
    pub examples: Vec<Example>,
    /// Rows that could not become examples.
    pub dropped: Vec<Dropped>,
    /// The databases by name; empty where programs are not SQL.
    pub databases: IndexMap<String, Arc<DatabaseSchema>>,
}

/// A program and the text that asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Where the example comes from, such as `train_hs.in:17` (one-based line) or a path.
    pub id: String,
    /// The part of the corpus it belongs to.
    pub split: Split,
    /// The description in natural language; empty for bare programs.
    pub text: String,
    /// The program.
    pub code: String,
    /// The database that the program is about.
    pub database: Option<String>,
}

/// A row that could not become an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dropped {
    /// Where it stands, such as `train_hs.out:297`.
    pub id: String,
    /// The part of the corpus it would belong to.
    pub split: Split,
    /// Why.
    pub reason: String,
}

/// A part of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// What is learnt from.
    Train,
    /// What choices are made by.
    Dev,
    /// What is reported.
    Test,
    /// Test questions that a person wrote, where the other splits are generated.
    Handwritten,
}
