//! Results that are the same, and results that are not.

use patois_database::{Database, QueryError, QueryLimits, Rows, SqlValue};
use proptest::prelude::*;

use super::results::{RowOrder, Sameness, compare};
use super::{execution_match, row_order};

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
fn columns_may_stand_in_another_order() {
    let (gold, predicted) = ("SELECT name, age FROM pet", "SELECT age, name FROM pet");
    check(gold, predicted, true);
    let is_strict = |predicted| {
        let found = execution_match(&database(), gold, predicted, &QueryLimits::default());
        found.unwrap().is_strictly_equal
    };
    assert!(!is_strict(predicted) && is_strict(gold));
    // One order for all rows.
    let swapped = "SELECT CASE age WHEN 9 THEN age ELSE name END, \
        CASE age WHEN 9 THEN name ELSE age END FROM pet";
    check(gold, swapped, false);
    check(
        "SELECT 1, 2 UNION ALL SELECT 2, 1",
        "SELECT 2, 1 UNION ALL SELECT 2, 1",
        false,
    );
    check(
        "SELECT age, name FROM pet ORDER BY age",
        "SELECT name, age FROM pet ORDER BY age",
        true,
    );
    check(
        "SELECT age, name FROM pet ORDER BY age",
        "SELECT name, age FROM pet ORDER BY age DESC",
        false,
    );
}

#[test]
fn the_number_of_columns_counts_and_their_names_do_not() {
    check("SELECT name FROM pet", "SELECT name, age FROM pet", false);
    check(
        "SELECT age, age FROM pet",
        "SELECT age, name FROM pet",
        false,
    );
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
    check("SELECT 1e308 * 10", "SELECT 5", false);
    check("SELECT 1e308 * 10", "SELECT -1e308 * 10", false);
    check("SELECT 1", "SELECT '1'", false);
    check("SELECT 9007199254740993", "SELECT 9007199254740992", false);
    check(
        "SELECT 10000000001 UNION ALL SELECT 10000000002",
        "SELECT 10000000002 UNION ALL SELECT 10000000001",
        true,
    );
    check(
        "SELECT 10000000001 UNION ALL SELECT 10000000002",
        "SELECT 10000000002.0 UNION ALL SELECT 10000000001.0",
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
        assert_eq!(row_order(sql), RowOrder::Counts, "{sql}");
    }
    for sql in [
        "SELECT a FROM (SELECT a FROM t ORDER BY a)",
        "SELECT 'x ORDER BY y' FROM t",
        "SELECT 'it''s ORDER BY y', \"order by\" FROM t -- ORDER BY a",
        "SELECT rank() OVER (ORDER BY a) FROM t",
        "SELECT [order by] FROM border BY 'é",
        "",
    ] {
        assert_eq!(row_order(sql), RowOrder::DoesNotCount, "{sql}");
    }
}

/// Values of which some are equal though they are written differently.
fn value() -> impl Strategy<Value = SqlValue> {
    prop::sample::select(vec![
        SqlValue::Null,
        SqlValue::Integer(0),
        SqlValue::Integer(1),
        SqlValue::Real(1.0),
        SqlValue::Real(1.0 + 1e-12),
        SqlValue::Text("1".to_owned()),
        SqlValue::Blob(vec![1]),
    ])
}

/// Up to six rows of up to `n_columns` values.
fn rows(n_columns: usize) -> impl Strategy<Value = Rows> {
    let row = |n| prop::collection::vec(prop::collection::vec(value(), n), 0..7);
    (1..=n_columns).prop_flat_map(row).prop_map(of_rows)
}

/// A result of which only the number of columns is known where it has no rows.
fn of_rows(rows: Vec<Vec<SqlValue>>) -> Rows {
    let columns = vec![String::new(); rows.first().map_or(1, Vec::len)];
    Rows { columns, rows }
}

/// The rows with their columns in another order.
fn permuted(rows: &Rows, order: &[usize]) -> Rows {
    let permute = |row: &Vec<SqlValue>| order.iter().map(|&it| row[it].clone()).collect();
    of_rows(rows.rows.iter().map(permute).collect())
}

/// A result, the same with its columns in another order, and the order of its rows.
fn shuffled() -> impl Strategy<Value = (Rows, Rows, RowOrder)> {
    let shuffled = |rows: Rows| {
        let orders = Just((0..rows.columns.len()).collect::<Vec<_>>()).prop_shuffle();
        let places = Just((0..rows.rows.len()).collect::<Vec<_>>()).prop_shuffle();
        (Just(rows), orders, places, any::<bool>())
    };
    rows(5)
        .prop_flat_map(shuffled)
        .prop_map(|(rows, order, places, is_list)| {
            let mut other = permuted(&rows, &order);
            if is_list {
                return (rows, other, RowOrder::Counts);
            }
            other.rows = places.iter().map(|&it| other.rows[it].clone()).collect();
            (rows, other, RowOrder::DoesNotCount)
        })
}

/// Whether any order of the columns makes the results the same as they are.
fn by_brute_force(left: &Rows, right: &Rows, order: RowOrder) -> bool {
    let n_columns = right.columns.len();
    let mut orders = vec![Vec::new()];
    for _ in 0..n_columns {
        let longer = |it: &Vec<usize>| {
            let rest = (0..n_columns).filter(|column| !it.contains(column));
            rest.map(|column| [&it[..], &[column]].concat())
                .collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let is_same = |it: &Vec<usize>| compare(left, &permuted(right, it), order) == Sameness::Strict;
    orders.iter().any(is_same)
}

proptest! {
    #[test]
    fn any_order_of_columns_is_equal((left, right, order) in shuffled()) {
        prop_assert_ne!(compare(&left, &right, order), Sameness::None);
        prop_assert_ne!(compare(&right, &left, order), Sameness::None);
    }

    #[test]
    fn another_cell_is_not_equal_unless_an_order_of_columns_makes_it(
        (left, mut right, order) in shuffled(),
        row in any::<prop::sample::Index>(),
        column in any::<prop::sample::Index>(),
        new in value(),
    ) {
        if !right.rows.is_empty() {
            let row = row.index(right.rows.len());
            let column = column.index(right.columns.len());
            right.rows[row][column] = new;
        }
        let is_equal = compare(&left, &right, order) != Sameness::None;
        prop_assert_eq!(is_equal, by_brute_force(&left, &right, order));
    }

    #[test]
    fn a_new_value_is_never_equal(
        (left, mut right, order) in shuffled(),
        row in any::<prop::sample::Index>(),
        column in any::<prop::sample::Index>(),
    ) {
        if !right.rows.is_empty() {
            let row = row.index(right.rows.len());
            let column = column.index(right.columns.len());
            right.rows[row][column] = SqlValue::Integer(7);
            prop_assert_eq!(compare(&left, &right, order), Sameness::None);
        }
    }

    #[test]
    fn brute_force_agrees(left in rows(5), right in rows(5)) {
        for order in [RowOrder::Counts, RowOrder::DoesNotCount] {
            let is_equal = compare(&left, &right, order) != Sameness::None;
            prop_assert_eq!(is_equal, by_brute_force(&left, &right, order));
        }
    }
}

/// The words of twelve bits with an even number of ones, and those with an odd one: any eleven
/// columns of the one are any eleven of the other, in every order.
#[test]
fn a_hopeless_search_ends() {
    let words = |parity: u32| {
        let words = (0..1_u32 << 12).filter(|it| it.count_ones() % 2 == parity);
        let bits =
            |word: u32| (0..12).map(move |bit| SqlValue::Integer(i64::from(word >> bit & 1)));
        of_rows(words.map(|word| bits(word).collect()).collect())
    };
    let (even, odd) = (words(0), words(1));
    assert_eq!(compare(&even, &odd, RowOrder::DoesNotCount), Sameness::None);
    assert_eq!(
        compare(&even, &even, RowOrder::DoesNotCount),
        Sameness::Strict
    );
}
