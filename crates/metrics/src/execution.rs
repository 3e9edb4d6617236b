//! Execution accuracy: whether two queries return the same rows.
//!
//! The rule is `result_eq` of Spider's reference (`exec_eval.py` of test-suite-sql-eval): rows are a
//! multiset, and a list where the gold query orders them; columns may stand in any order, the same
//! for all rows, and their names do not count; a text is never a number. Where we do not follow it:
//!
//! - Two numbers are equal up to one part in a billion, so that the order in which a sum was taken
//!   does not matter. The reference compares exactly, and tells 1 from 1.0 where they are sorted
//!   among other numbers of their row (`quick_rej`).
//! - The numbers of columns must agree even where there are no rows. There, all empty results are
//!   the same.
//! - Only an `ORDER BY` outside all brackets orders rows. The reference looks for the words anywhere
//!   in the text of the gold query.
//! - Queries are run as they are, as with the reference's `--keep_distinct`; its default strikes out
//!   every `DISTINCT` first.
//! - One database is asked, not a suite of them.
//!
//! Rows that the gold query leaves in any order (ties of its `ORDER BY`) must come in the same
//! order; SQLite is deterministic, but a prediction that is equivalent and planned differently may
//! lose by it. A `LIMIT` without an order is likewise taken at its word.

use patois_database::{Database, QueryError, QueryLimits};

use results::{RowOrder, Sameness, compare};

mod results;
mod values;

/// How the result of a predicted query compares with that of the gold one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionMatch {
    /// Whether both return the same rows, once columns are put in the same order.
    pub is_equal: bool,
    /// Whether they do as they are; the stricter verdict, for queries that should be the same.
    pub is_strictly_equal: bool,
    /// Why the prediction has no result; it is then wrong.
    pub prediction_error: Option<QueryError>,
}

/// Runs both queries on `database`, each within `limits`, and compares what they return.
///
/// ```
/// use patois_database::{Database, QueryLimits};
/// use patois_metrics::execution_match;
///
/// let script = "CREATE TABLE pet(name, age); INSERT INTO pet VALUES ('Rex', 3), ('Tom', 9);";
/// let pets = Database::from_script("pets", script)?;
/// let (gold, predicted) = ("SELECT name, age FROM pet", "SELECT age, name FROM pet ORDER BY age DESC");
/// let found = execution_match(&pets, gold, predicted, &QueryLimits::default())?;
/// assert!(found.is_equal && !found.is_strictly_equal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the gold query fails. A prediction that fails is wrong.
pub fn execution_match(
    database: &Database,
    gold: &str,
    predicted: &str,
    limits: &QueryLimits,
) -> Result<ExecutionMatch, QueryError> {
    let expected = database.query(gold, limits)?;
    let (sameness, prediction_error) = match database.query(predicted, limits) {
        Ok(found) => (compare(&expected, &found, row_order(gold)), None),
        Err(error) => (Sameness::None, Some(error)),
    };
    Ok(ExecutionMatch {
        is_equal: sameness != Sameness::None,
        is_strictly_equal: sameness == Sameness::Strict,
        prediction_error,
    })
}

/// Whether `sql` orders its rows: whether `ORDER BY` occurs outside brackets, texts and comments.
fn row_order(sql: &str) -> RowOrder {
    let mut depth = 0_usize;
    let mut previous = "";
    for word in words(sql) {
        match word {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ if depth == 0
                && previous.eq_ignore_ascii_case("order")
                && word.eq_ignore_ascii_case("by") =>
            {
                return RowOrder::Counts;
            }
            _ => {}
        }
        previous = word;
    }
    RowOrder::DoesNotCount
}

/// The words, quoted texts and marks of a query; comments are skipped.
fn words(sql: &str) -> impl Iterator<Item = &str> {
    let mut rest = sql;
    std::iter::from_fn(move || {
        rest = skip_blanks(rest);
        let length = word_length(rest)?;
        let (word, after) = rest.split_at(length);
        rest = after;
        Some(word)
    })
}

fn skip_blanks(mut sql: &str) -> &str {
    loop {
        sql = sql.trim_start();
        let (ends, after) = if let Some(after) = sql.strip_prefix("--") {
            ("\n", after)
        } else if let Some(after) = sql.strip_prefix("/*") {
            ("*/", after)
        } else {
            return sql;
        };
        sql = after.split_once(ends).map_or("", |(_, after)| after);
    }
}

/// The length of the word that `sql` starts with.
fn word_length(sql: &str) -> Option<usize> {
    let first = sql.chars().next()?;
    let is_inside = |it: char| it.is_alphanumeric() || it == '_';
    let closing = match first {
        '\'' | '"' | '`' => first,
        '[' => ']',
        _ if is_inside(first) => {
            return Some(sql.find(|it| !is_inside(it)).unwrap_or(sql.len()));
        }
        _ => return Some(first.len_utf8()),
    };
    // A doubled quote inside a text ends it and starts another one, which does no harm here.
    Some(sql[1..].find(closing).map_or(sql.len(), |at| at + 2))
}

#[cfg(test)]
mod tests;
