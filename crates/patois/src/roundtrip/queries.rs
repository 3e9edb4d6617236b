//! What of a query survives the round trip: what it asks, and the rows it returns.

use crate::database::{Database, QueryLimits};
use crate::evaluation::execution::execution_match;
use crate::evaluation::sql_match::{Component, SpiderSchema, SqlMatch, exact_match};

/// Whether a reprinted query still is what the original was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is.
    Yes,
    /// It is not; in a few words, why.
    No(String),
    /// The original itself is at fault, so that there is nothing to compare with.
    Defective(String),
}

/// Whether `reprinted` is an exact set match with `original`.
///
/// The cause of a loss is a list of the components that differ; `from` where only the tables do.
pub fn keeps_match(schema: &SpiderSchema, original: &str, reprinted: &str) -> Kept {
    match exact_match(schema, original, reprinted) {
        Err(error) => Kept::Defective(error.to_string()),
        Ok(found) if found.is_exact => Kept::Yes,
        Ok(found) => Kept::No(match &found.prediction_error {
            Some(error) => format!("not understood: {error}"),
            None => differing_components(&found),
        }),
    }
}

/// Whether `reprinted` returns the rows that `original` returns.
pub fn keeps_rows(
    database: &Database,
    original: &str,
    reprinted: &str,
    limits: &QueryLimits,
) -> Kept {
    match execution_match(database, original, reprinted, limits) {
        Err(error) => Kept::Defective(error.to_string()),
        Ok(found) if found.is_equal => Kept::Yes,
        Ok(found) => Kept::No(match found.prediction_error {
            Some(error) => format!("does not run: {error}"),
            None => "other rows".to_owned(),
        }),
    }
}

/// The coarse components, which the others are parts of.
const COARSE: [Component; 5] = [
    Component::Select,
    Component::Where,
    Component::Group,
    Component::Order,
    Component::SetOperations,
];

fn differing_components(found: &SqlMatch) -> String {
    let differs = |it: &Component| !found.components.get(*it).is_correct;
    let mut names: Vec<_> = COARSE.into_iter().filter(differs).collect();
    if names.is_empty() {
        names.extend(Component::ALL.into_iter().filter(differs));
    }
    if names.is_empty() {
        return "from".to_owned();
    }
    let names: Vec<_> = names.into_iter().map(Component::name).collect();
    names.join(", ")
}
