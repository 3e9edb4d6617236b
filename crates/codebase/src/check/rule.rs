//! A house rule, as it is written down.

use serde::{Deserialize, Serialize};

/// What is usual somewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What it is called, wherever it is found: made of what it says.
    pub id: String,
    /// The context in the notation of fragments.
    pub context: String,
    /// Where in the context the part is.
    pub part: String,
    /// What is usual there, as the grammar calls it.
    pub usual: String,
    /// The context with what is usual in it, as source code with holes.
    pub source: String,
    /// At how many places it is so.
    pub n_usual: usize,
    /// How many could have it.
    pub n_places: usize,
}
