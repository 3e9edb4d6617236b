//! Spider's queries: all that `SQLite` can run are read, printed and read again.
//!
//! Needs the dataset: skipped where `PATOIS_DATA` is not set.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "this is a test, helpers included"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_syntax::{Grammar, Language};

/// Counts the queries of a file that come back as they were; tells of the others.
fn check(mode: Mode, file: &str, n_rows: usize, n_equal: usize) {
    let Some(data) = std::env::var_os("PATOIS_DATA") else {
        eprintln!("skipped: PATOIS_DATA is not set");
        return;
    };
    let spider = Path::new(&data).join("spider");
    let read = |name: &str| std::fs::read_to_string(spider.join(name)).unwrap();
    let languages: BTreeMap<String, Sql> = DatabaseSchema::from_tables_json(&read("tables.json"))
        .unwrap()
        .into_iter()
        .map(|(name, schema)| (name, Sql::new(Arc::new(schema), mode)))
        .collect();
    let grammar = Grammar::from_schema(Sql::schema_of(mode));
    let rows: Vec<serde_json::Value> = serde_json::from_str(&read(file)).unwrap();
    assert_eq!(rows.len(), n_rows);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = 0;
    for row in rows {
        let query = row["query"].as_str().unwrap();
        let sql = &languages[row["db_id"].as_str().unwrap()];
        match sql.parse(query) {
            Err(error) => *refused.entry(error.to_string()).or_default() += 1,
            Ok(ast) => {
                grammar.tree(&ast).unwrap();
                let printed = sql.print(&ast).unwrap();
                assert_eq!(sql.parse(&printed).as_ref(), Ok(&ast), "{query}\n{printed}");
                found += 1;
            }
        }
    }
    assert_eq!(found, n_equal, "{refused:#?}");
}

#[test]
fn full_mode_holds_all_queries_that_run() {
    check(Mode::Full, "dev.json", 1034, 1034);
    check(Mode::Full, "train_others.json", 1659, 1659);
    // One names a table that does not exist, two put ORDER BY before INTERSECT.
    check(Mode::Full, "train_spider.json", 7000, 6997);
}

#[test]
fn paper_mode_holds_all_but_self_joins_and_queries_in_from() {
    check(Mode::Paper, "dev.json", 1034, 1028);
    check(Mode::Paper, "train_others.json", 1659, 1576);
    check(Mode::Paper, "train_spider.json", 7000, 6972);
}
