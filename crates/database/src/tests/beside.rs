//! Files that SQLite keeps beside a database's own: logs and journals.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::file;
use crate::{Database, DatabaseError, QueryLimits};

const LOGGED: &str = "PRAGMA journal_mode = WAL;
    CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3);";

/// All that a folder holds, without what others keep in memory there.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_stored = |path: &PathBuf| !path.to_string_lossy().ends_with("-shm");
    paths
        .filter(is_stored)
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

/// Checks how many rows a database has, and that its folder stays as it is.
#[track_caller]
fn check(path: &Path, expected: &str) {
    let before = contents(path.parent().unwrap());
    let has_index = path.with_extension("sqlite-shm").exists();
    let database = Database::open(path).unwrap();
    let rows = database.query("SELECT count(*) FROM t", &QueryLimits::default());
    assert_eq!(rows.unwrap().rows[0][0].to_string(), expected);
    assert_eq!(database.schema().unwrap().schema.tables.len(), 1);
    drop(database);
    assert_eq!(contents(path.parent().unwrap()), before);
    assert_eq!(path.with_extension("sqlite-shm").exists(), has_index);
}

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.sqlite");
    (folder, path)
}

#[test]
fn a_log_that_is_empty_is_not_made() {
    let (folder, path) = folder();
    drop(file(&path, LOGGED));
    check(&path, "3");
    for name in ["a ?mode=rwc&x=%41#b.sqlite", "ä'\".sqlite", "file:x.sqlite"] {
        let Ok(_) = fs::copy(&path, folder.path().join(name)) else {
            continue;
        };
        check(&folder.path().join(name), "3");
    }
}

#[test]
fn what_another_program_has_just_written_to_its_log_is_read() {
    let (_folder, path) = folder();
    let writer = file(&path, LOGGED);
    check(&path, "3");
    writer.execute_batch("INSERT INTO t VALUES (4)").unwrap();
    check(&path, "4");
    writer
        .execute_batch("BEGIN; INSERT INTO t VALUES (5)")
        .unwrap();
    check(&path, "4");
}

#[test]
fn a_log_that_was_left_behind_is_read_in_a_copy() {
    let (_writing, path) = folder();
    let writer = file(&path, LOGGED);
    writer.execute_batch("INSERT INTO t VALUES (4)").unwrap();
    let (_left, copy) = folder();
    for end in ["", "-wal"] {
        let name = |path: &Path| PathBuf::from(format!("{}{end}", path.display()));
        fs::copy(name(&path), name(&copy)).unwrap();
    }
    check(&copy, "4");
}

#[cfg(unix)]
#[test]
fn what_is_beside_a_link_is_beside_what_it_leads_to() {
    let (_folder, path) = folder();
    let _writer = file(&path, LOGGED);
    let (_links, link) = folder();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    check(&link, "3");
    assert_eq!(contents(link.parent().unwrap()).len(), 1);
}

/// A database with three rows, and the journal of a change that was not finished.
fn unfinished() -> (TempDir, PathBuf) {
    let (_writing, path) = folder();
    let script = "PRAGMA cache_size = 1; CREATE TABLE t(a);
        INSERT INTO t VALUES (zeroblob(9000)), (zeroblob(9000)), (zeroblob(9000));
        BEGIN; DELETE FROM t WHERE rowid > 1; UPDATE t SET a = randomblob(90000);";
    let writer = file(&path, script);
    let (left, copy) = folder();
    for end in ["", "-journal"] {
        let name = |path: &Path| PathBuf::from(format!("{}{end}", path.display()));
        fs::copy(name(&path), name(&copy)).unwrap();
    }
    drop(writer);
    (left, copy)
}

#[test]
fn a_change_that_was_not_finished_is_undone_in_a_copy() {
    let (_folder, path) = unfinished();
    check(&path, "3");
}

#[test]
fn a_large_database_in_the_middle_of_a_change_is_named_with_what_to_do() {
    let (_folder, path) = unfinished();
    let large = fs::File::options().write(true).open(&path).unwrap();
    large.set_len(300 << 20).unwrap();
    let error = Database::open(&path).unwrap_err();
    assert!(
        matches!(error, DatabaseError::Unfinished { .. }),
        "{error:?}"
    );
    let path = path.display();
    assert_eq!(
        error.to_string(),
        format!(
            "database `{path}` was left in the middle of a change, which `{path}-journal` or \
             `{path}-wal` completes or undoes: open it once with a program that may write to it, \
             such as `sqlite3`"
        )
    );
}
