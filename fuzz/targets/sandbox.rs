//! A query and a database's file, with a NUL between them: rows or an error, within limits.

#![no_main]

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use patois_database::{Database, DatabaseError, QueryLimits, ScanLimits};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

const QUERY: QueryLimits = QueryLimits {
    time: Duration::from_secs(1),
    n_rows: 100,
    n_bytes: 1 << 20,
};

const SCAN: ScanLimits = ScanLimits {
    n_rows: 100,
    n_value_bytes: 80,
    n_steps: 100_000,
    time: Duration::from_secs(5),
};

fn ask(path: &Path, sql: &str) -> Result<(), DatabaseError> {
    let database = Database::open(path)?;
    let _ = database.query(sql, &QUERY);
    let schema = database.schema()?.schema;
    let columns = |table| schema.columns_of(table).map(|(_, it)| it.name.as_str());
    let tables = (0..).zip(&schema.tables);
    let tables: Vec<_> = tables
        .map(|(index, table)| (table.name.as_str(), columns(index).collect()))
        .collect();
    database.scan(&tables, &SCAN, |_, _, _| ControlFlow::Continue(()))?;
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    let middle = bytes.iter().position(|&byte| byte == 0);
    let (sql, file) = bytes.split_at(middle.unwrap_or(bytes.len()));
    let path = FOLDER.path().join("asked.sqlite");
    fs::write(&path, file.get(1..).unwrap_or_default()).expect("the folder can be written to");
    let _ = ask(&path, &String::from_utf8_lossy(sql));
});
