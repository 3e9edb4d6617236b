//! Execution accuracy of Spider's gold queries against themselves and their variants.

use std::collections::BTreeMap;

use patois_database::{Database, QueryError, QueryLimits};
use patois_metrics::{ExecutionMatch, execution_match};

use crate::spider::Spider;

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_every_gold_query_returns_its_own_rows() {
    let spider = Spider::open();
    // One train query names a table that does not exist, two have ORDER BY before INTERSECT.
    for (file, n_expected) in [
        ("dev", 1034),
        ("train_spider", 6997),
        ("train_others", 1659),
    ] {
        let n_equal = check(&spider, file, |query| Some(query.to_owned()));
        assert_eq!(n_equal, n_expected, "{file}");
    }
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_the_order_of_columns_does_not_count() {
    let n_equal = check(&Spider::open(), "dev", with_first_column_last);
    assert_eq!(n_equal, 347);
}

/// Checks that what `variant` makes of the gold queries of a file returns the same rows; how many
/// it makes something of.
fn check(spider: &Spider, file: &str, variant: impl Fn(&str) -> Option<String>) -> usize {
    let mut databases: BTreeMap<String, Database> = BTreeMap::new();
    let mut n_equal = 0;
    for example in spider.examples(file) {
        let (name, query) = (example.db_id, &example.query);
        let Some(predicted) = variant(query) else {
            continue;
        };
        let open = || spider.databases().open(&name).unwrap();
        let database = databases.entry(name.clone()).or_insert_with(open);
        match execution_match(database, query, &predicted, &QueryLimits::default()) {
            Ok(ExecutionMatch { is_equal: true, .. }) => n_equal += 1,
            // The gold query itself cannot be run.
            Err(QueryError::Sqlite(_)) => {}
            other => panic!("{name}: {query}: {predicted}: {other:?}"),
        }
    }
    n_equal
}

/// A query with its first column put last; none where it has one column or a set operation, whose
/// columns would have to be moved, too.
fn with_first_column_last(query: &str) -> Option<String> {
    let lower = query.to_lowercase();
    let operations = ["union", "intersect", "except"];
    let from = lower.strip_prefix("select ")?.find(" from ")?;
    let (columns, rest) = query["select ".len()..].split_at(from);
    let (distinct, columns) = match columns.get(..9) {
        Some(it) if it.eq_ignore_ascii_case("distinct ") => columns.split_at(9),
        _ => ("", columns),
    };
    let mut depth = 0;
    let comma = columns.find(|it| {
        depth += i32::from(it == '(') - i32::from(it == ')');
        it == ',' && depth == 0
    })?;
    let (first, others) = (&columns[..comma], &columns[comma + 1..]);
    let is_one = !operations.iter().any(|it| lower.contains(it));
    is_one.then(|| format!("SELECT {distinct}{others}, {first}{rest}"))
}
