//! What came of a question.

use patois::run::trace::Part;
use patois_database::SqlValue;
use serde::Serialize;

/// What came of a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    /// The question.
    pub question: String,
    /// Whether it is better to say nothing: the programs are guesses that should not be shown as an answer.
    pub abstained: bool,
    /// Why, or why there is nothing at all.
    pub reason: Option<String>,
    /// Queries that differ in their rows, best first.
    pub programs: Vec<Program>,
    /// What to ask back, where two of them are about equally likely and differ in one thing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
}

/// A query, and what it says.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Program {
    /// The query.
    pub code: String,
    /// What it computes, in words.
    pub words: String,
    /// How probable it is to the model, among all queries.
    pub probability: f64,
    /// How often such an answer is right.
    pub confidence: f64,
    /// Whether a person said that this is right for this question.
    pub is_remembered: bool,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The first rows.
    pub rows: Vec<Vec<SqlValue>>,
    /// Whether there are more.
    pub is_cut: bool,
    /// Why there are no rows.
    pub error: Option<String>,
    /// What made which part of it, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<Part>,
}

/// A question that would tell two or three answers apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The question: "the city of the customer, or the city of the invoice?"
    pub question: String,
    /// What differs, for each of the programs it is about.
    pub options: Vec<String>,
    /// Which programs these are.
    pub programs: Vec<usize>,
}
