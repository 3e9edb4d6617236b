//! Spider's databases: their schemas against `tables.json`, and every gold query against itself.
//!
//! Needs the dataset: skipped where `PATOIS_DATA` is not set.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "this is a test, helpers included"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use patois_database::{Database, QueryError, QueryLimits};
use patois_languages::sql::{ColumnKind, DatabaseSchema};
use patois_metrics::execution::execution_match;
use serde_json::Value as Json;

#[test]
fn live_schemas_have_the_names_of_the_release() {
    let Some(spider) = spider() else { return };
    let text = std::fs::read_to_string(spider.join("tables.json")).unwrap();
    let released = DatabaseSchema::from_tables_json(&text).unwrap();
    assert_eq!(released.len(), 166);
    let mut totals = Totals::default();
    for (name, released) in &released {
        let live = open(&spider, name).schema().unwrap();
        assert_eq!(columns(&live.schema), columns(released), "{name}");
        totals.add(&live.schema, released);
        totals.dangling += live.dangling.len();
    }
    eprintln!("{totals:?}");
    // The release's own lists of kinds and keys were corrected by hand.
    assert!(
        totals.equal_kinds * 1000 >= totals.columns * 995,
        "{totals:?}"
    );
    assert!(
        totals.common_keys * 100 >= totals.released_keys * 90,
        "{totals:?}"
    );
}

#[test]
fn every_gold_query_returns_its_own_rows() {
    let Some(spider) = spider() else { return };
    // One train query names a table that does not exist, two have ORDER BY before INTERSECT.
    for (file, n_expected) in [
        ("dev", 1034),
        ("train_spider", 6997),
        ("train_others", 1659),
    ] {
        let mut databases = BTreeMap::new();
        let mut n_equal = 0;
        for row in rows(&spider, file) {
            let (name, query) = (
                row["db_id"].as_str().unwrap(),
                row["query"].as_str().unwrap(),
            );
            let database = databases
                .entry(name.to_owned())
                .or_insert_with(|| open(&spider, name));
            match execution_match(database, query, query, &QueryLimits::default()) {
                Ok(outcome) if outcome.is_equal => n_equal += 1,
                Ok(outcome) => panic!("{name}: {query}: {outcome:?}"),
                Err(QueryError::Sqlite(error)) => eprintln!("{name}: {query}: {error}"),
                Err(error) => panic!("{name}: {query}: {error}"),
            }
        }
        assert_eq!(n_equal, n_expected, "{file}");
    }
}

#[derive(Debug, Default)]
struct Totals {
    columns: usize,
    equal_kinds: usize,
    equal_primary_keys: usize,
    live_keys: usize,
    released_keys: usize,
    common_keys: usize,
    dangling: usize,
}

impl Totals {
    fn add(&mut self, live: &DatabaseSchema, released: &DatabaseSchema) {
        let (kinds, expected) = (properties(live), properties(released));
        self.columns += expected.len();
        for (name, (kind, is_primary)) in expected {
            self.equal_kinds += usize::from(kinds[&name].0 == kind);
            self.equal_primary_keys += usize::from(kinds[&name].1 == is_primary);
        }
        let (live, released) = (foreign_keys(live), foreign_keys(released));
        self.live_keys += live.len();
        self.released_keys += released.len();
        self.common_keys += live.intersection(&released).count();
    }
}

fn columns(schema: &DatabaseSchema) -> BTreeSet<String> {
    let columns = 1..schema.columns.len();
    columns
        .map(|column| name(schema, column))
        .filter(|name| !name.starts_with("sqlite_"))
        .collect()
}

fn properties(schema: &DatabaseSchema) -> BTreeMap<String, (ColumnKind, bool)> {
    let columns = schema.columns.iter().enumerate().skip(1);
    columns
        .map(|(index, column)| (name(schema, index), (column.kind, column.is_primary_key)))
        .filter(|(name, _)| !name.starts_with("sqlite_"))
        .collect()
}

fn foreign_keys(schema: &DatabaseSchema) -> BTreeSet<(String, String)> {
    let keys = schema.foreign_keys.iter();
    keys.map(|&(from, to)| (name(schema, from), name(schema, to)))
        .collect()
}

fn name(schema: &DatabaseSchema, column: usize) -> String {
    let column = &schema.columns[column];
    let table = column.table.map_or("", |it| &schema.tables[it].name);
    format!("{table}.{}", column.name).to_lowercase()
}

fn open(spider: &Path, name: &str) -> Database {
    let file = spider.join("database").join(name).join(name);
    Database::open(&file.with_extension("sqlite")).unwrap()
}

fn spider() -> Option<PathBuf> {
    let Some(data) = std::env::var_os("PATOIS_DATA") else {
        eprintln!("skipped: PATOIS_DATA is not set");
        return None;
    };
    Some(Path::new(&data).join("spider"))
}

fn rows(spider: &Path, name: &str) -> Vec<Json> {
    let text = std::fs::read_to_string(spider.join(name).with_extension("json")).unwrap();
    serde_json::from_str(&text).unwrap()
}
