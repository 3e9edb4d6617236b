//! Execution accuracy: whether two queries return the same rows.
//!
//! Rows are compared as a multiset, and as a list where the gold query has `ORDER BY` outside all
//! brackets. Columns are compared in the order in which they are selected, and their number must
//! agree even where there are no rows; their names do not count. Numbers compare by value, whether
//! they are integers or not; two numbers are equal up to one part in a billion, so that the order
//! in which a sum was taken does not matter. Texts and numbers are never equal: `1` is not `'1'`.
//!
//! Rows that the gold query leaves in any order (ties of its `ORDER BY`) must come in the same
//! order; SQLite is deterministic, but a prediction that is equivalent and planned differently may
//! lose by it. A `LIMIT` without an order is likewise taken at its word.

use std::cmp::Ordering;

use patois_database::{Database, QueryError, QueryLimits, Rows, SqlValue};

/// The largest relative difference of two numbers that are equal.
const TOLERANCE: f64 = 1e-9;

/// How the result of a predicted query compares with that of the gold one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionMatch {
    /// Whether both return the same rows.
    pub is_equal: bool,
    /// Why the prediction has no result; it is then wrong.
    pub prediction_error: Option<QueryError>,
}

/// Runs both queries on `database`, each within `limits`, and compares what they return.
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
    Ok(match database.query(predicted, limits) {
        Ok(found) => ExecutionMatch {
            is_equal: same_rows(expected, found, is_ordered(gold)),
            prediction_error: None,
        },
        Err(error) => ExecutionMatch {
            is_equal: false,
            prediction_error: Some(error),
        },
    })
}

/// Whether the order of rows counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// The results are lists.
    Counts,
    /// The results are multisets.
    DoesNotCount,
}

/// Whether two results are the same, as a list or as a multiset.
pub fn same_rows(mut left: Rows, mut right: Rows, order: RowOrder) -> bool {
    if left.columns.len() != right.columns.len() || left.rows.len() != right.rows.len() {
        return false;
    }
    if order == RowOrder::DoesNotCount {
        left.rows.sort_by(|a, b| compare_rows(a, b));
        right.rows.sort_by(|a, b| compare_rows(a, b));
    }
    let mut pairs = left.rows.iter().zip(&right.rows);
    pairs.all(|(a, b)| a.iter().zip(b).all(|(a, b)| is_equal(a, b)))
}

/// Whether `sql` orders its rows: whether `ORDER BY` occurs outside brackets, texts and comments.
pub fn is_ordered(sql: &str) -> RowOrder {
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

fn is_equal(left: &SqlValue, right: &SqlValue) -> bool {
    match (left, right) {
        (SqlValue::Integer(left), SqlValue::Integer(right)) => left == right,
        _ => match (number(left), number(right)) {
            (Some(left), Some(right)) => is_close(left, right),
            _ => left == right,
        },
    }
}

#[expect(clippy::float_cmp, reason = "equal infinities have no difference")]
fn is_close(left: f64, right: f64) -> bool {
    left == right || (left - right).abs() <= TOLERANCE * left.abs().max(right.abs())
}

fn number(value: &SqlValue) -> Option<f64> {
    match value {
        SqlValue::Integer(integer) => Some(*integer as f64),
        SqlValue::Real(real) => Some(*real),
        SqlValue::Null | SqlValue::Text(_) | SqlValue::Blob(_) => None,
    }
}

/// An order of rows in which almost equal numbers come together: by rounded numbers first, so that
/// the other columns decide between rows whose numbers only differ by rounding, then exactly.
fn compare_rows(left: &[SqlValue], right: &[SqlValue]) -> Ordering {
    let by = |compare: fn(&SqlValue, &SqlValue) -> Ordering| {
        let mut orders = left.iter().zip(right).map(|(a, b)| compare(a, b));
        orders
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    by(compare_rounded).then_with(|| by(compare_exactly))
}

fn compare_rounded(left: &SqlValue, right: &SqlValue) -> Ordering {
    match (left, right) {
        (SqlValue::Text(left), SqlValue::Text(right)) => left.cmp(right),
        (SqlValue::Blob(left), SqlValue::Blob(right)) => left.cmp(right),
        _ => match (number(left), number(right)) {
            (Some(left), Some(right)) => rounded(left).total_cmp(&rounded(right)),
            _ => rank(left).cmp(&rank(right)),
        },
    }
}

fn compare_exactly(left: &SqlValue, right: &SqlValue) -> Ordering {
    let (Some(a), Some(b)) = (number(left), number(right)) else {
        return Ordering::Equal;
    };
    a.total_cmp(&b)
        .then_with(|| integer(left).cmp(&integer(right)))
}

fn integer(value: &SqlValue) -> Option<i64> {
    match value {
        SqlValue::Integer(integer) => Some(*integer),
        _ => None,
    }
}

fn rank(value: &SqlValue) -> u8 {
    match value {
        SqlValue::Null => 0,
        SqlValue::Integer(_) | SqlValue::Real(_) => 1,
        SqlValue::Text(_) => 2,
        SqlValue::Blob(_) => 3,
    }
}

/// The number with nine significant digits.
fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number + 0.0;
    }
    let scale = 10_f64.powf(8.0 - number.abs().log10().floor());
    if !scale.is_finite() || scale == 0.0 {
        return number;
    }
    (number * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::{RowOrder, execution_match, is_ordered};
    use patois_database::{Database, QueryError, QueryLimits};

    fn database() -> Database {
        let script = "CREATE TABLE pet(name TEXT, age INTEGER, weight REAL);
            INSERT INTO pet VALUES ('Rex', 3, 3.0), ('Tom', 9, 4.5), ('Ada', 3, 0.1), (NULL, 7, 0.2);";
        Database::from_script("pets", script).unwrap()
    }

    #[track_caller]
    fn check(gold: &str, predicted: &str, expected: bool) {
        let outcome = execution_match(&database(), gold, predicted, &QueryLimits::default());
        let outcome = outcome.unwrap();
        assert_eq!(outcome.prediction_error, None, "{predicted}");
        assert_eq!(outcome.is_equal, expected, "{gold} / {predicted}");
    }

    #[test]
    fn rows_are_a_multiset_unless_gold_orders() {
        let all = "SELECT name FROM pet";
        check(all, "SELECT name FROM pet ORDER BY age DESC", true);
        check(
            "SELECT name FROM pet ORDER BY age",
            "SELECT name FROM pet ORDER BY age DESC",
            false,
        );
        check("SELECT age FROM pet", "SELECT DISTINCT age FROM pet", false);
        check(
            "SELECT age FROM pet",
            "SELECT age FROM pet WHERE age < 9 UNION ALL SELECT 7",
            false,
        );
        check(all, "SELECT name FROM pet WHERE age > 100", false);
        check(
            "SELECT name FROM pet WHERE name IS NULL",
            "SELECT NULL",
            true,
        );
    }

    #[test]
    fn columns_count_in_their_order() {
        check(
            "SELECT name, age FROM pet",
            "SELECT age, name FROM pet",
            false,
        );
        check("SELECT name FROM pet", "SELECT name, age FROM pet", false);
        check(
            "SELECT name FROM pet WHERE 0",
            "SELECT name, age FROM pet WHERE 0",
            false,
        );
        check(
            "SELECT name AS a FROM pet",
            "SELECT name AS b FROM pet",
            true,
        );
    }

    #[test]
    fn numbers_compare_by_value() {
        check("SELECT 3", "SELECT 3.0", true);
        check("SELECT 0.1 + 0.2", "SELECT 0.3", true);
        check("SELECT 0.3", "SELECT 0.3001", false);
        check("SELECT 1e308 * 10", "SELECT 1e308 * 100", true);
        check("SELECT 1", "SELECT '1'", false);
        check("SELECT 9007199254740993", "SELECT 9007199254740992", false);
        check(
            "SELECT 10000000001 UNION ALL SELECT 10000000002",
            "SELECT 10000000002 UNION ALL SELECT 10000000001",
            true,
        );
        check(
            "SELECT 0.1 + 0.2, 'a' UNION ALL SELECT 0.3, 'b'",
            "SELECT 0.1 + 0.2, 'b' UNION ALL SELECT 0.3, 'a'",
            true,
        );
        check(
            "SELECT 0.0, 'a' UNION ALL SELECT 0, 'b'",
            "SELECT -0.0, 'b' UNION ALL SELECT 0, 'a'",
            true,
        );
    }

    #[test]
    fn a_failing_prediction_is_wrong_and_a_failing_gold_query_an_error() {
        let (pets, limits) = (database(), QueryLimits::default());
        let outcome = execution_match(&pets, "SELECT 1", "SELECT absent FROM pet", &limits);
        let outcome = outcome.unwrap();
        assert!(!outcome.is_equal);
        assert!(matches!(
            outcome.prediction_error,
            Some(QueryError::Sqlite(_))
        ));
        assert!(execution_match(&pets, "SELECT absent", "SELECT 1", &limits).is_err());
    }

    #[test]
    fn order_is_looked_for_at_the_top_level() {
        for sql in [
            "SELECT a FROM t ORDER BY a",
            "select a from (select 1) order\n\tby a",
            "SELECT a FROM t UNION SELECT b FROM t ORDER /* x */ BY 1",
        ] {
            assert_eq!(is_ordered(sql), RowOrder::Counts, "{sql}");
        }
        for sql in [
            "SELECT a FROM (SELECT a FROM t ORDER BY a)",
            "SELECT 'x ORDER BY y' FROM t",
            "SELECT 'it''s ORDER BY y', \"order by\" FROM t -- ORDER BY a",
            "SELECT rank() OVER (ORDER BY a) FROM t",
            "SELECT [order by] FROM border BY 'é",
            "",
        ] {
            assert_eq!(is_ordered(sql), RowOrder::DoesNotCount, "{sql}");
        }
    }
}
