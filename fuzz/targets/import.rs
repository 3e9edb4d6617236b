//! A file of any kind, by its first byte: a database that can be opened and described, or an error.

#![no_main]

use std::fs;
use std::sync::LazyLock;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use patois_database::{ImportLimits, import};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

const ENDINGS: [&str; 4] = ["csv", "tsv", "json", "other"];

const LIMITS: ImportLimits = ImportLimits {
    n_bytes: 1 << 20,
    n_rows: 1_000,
    time: Duration::from_secs(5),
};

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, content)) = bytes.split_first() else {
        return;
    };
    let ending = ENDINGS[usize::from(*kind) % ENDINGS.len()];
    let path = FOLDER.path().join(format!("table.{ending}"));
    fs::write(&path, content).expect("the folder can be written to");
    // The folder has one file, which nobody else changes.
    if let Ok(imported) = import(&[path], &LIMITS) {
        let database = imported.place.open("table").expect("what was made can be opened");
        database.schema().expect("what was made can be described");
    }
});
