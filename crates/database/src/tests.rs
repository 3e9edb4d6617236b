//! Opening what is not a database, asking what must not be asked, and reading schemas.

mod beside;
mod files;
mod grammar;
mod limits;
mod measured;
mod measured_files;
mod statements;

use std::fs;
use std::path::Path;
use std::time::Duration;

use patois_languages::sql::ColumnKind::{self, Number, Text, Time};
use patois_languages::sql::DatabaseSchema;

use crate::schema::{kind, words};
use crate::{Database, DatabaseError, QueryError, QueryLimits, SqlValue, bound_memory};

const SCRIPT: &str = "
    PRAGMA foreign_keys = OFF;
    CREATE TABLE owner(id INTEGER PRIMARY KEY, firstName TEXT);
    CREATE TABLE visit(ownerId INT, day DATE, is_paid BOOLEAN, PRIMARY KEY (day, ownerId));
    CREATE TABLE bill(
        owner INT REFERENCES owner,
        day DATE, visitor INT,
        other INT REFERENCES nowhere(id),
        another INT REFERENCES owner(absent),
        amount DECIMAL(8, 2), note,
        FOREIGN KEY (day, visitor) REFERENCES visit
    );
    CREATE VIEW names AS SELECT firstName FROM owner;
    INSERT INTO owner VALUES (1, 'Ada'), (2, CAST(x'c3c9' AS TEXT));
";

/// A file made by SQLite as others use it.
pub(super) fn file(path: &Path, script: &str) -> rusqlite::Connection {
    bound_memory().unwrap();
    let connection = rusqlite::Connection::open(path).unwrap();
    // Nothing needs to be on the disk before the test is over.
    connection
        .pragma_update(None, "synchronous", false)
        .unwrap();
    connection.execute_batch(script).unwrap();
    connection
}

fn database() -> Database {
    Database::from_script("pets", SCRIPT).unwrap()
}

#[track_caller]
fn check_query(sql: &str, expected: &[SqlValue]) {
    let rows = database().query(sql, &QueryLimits::default()).unwrap();
    assert_eq!(rows.rows.concat(), expected, "{sql}");
}

/// Checks that a query fails, and that the database can be asked again.
#[track_caller]
fn check_refused(sql: &str, is_expected: fn(&QueryError) -> bool) {
    let limits = QueryLimits {
        time: Duration::from_millis(200),
        n_rows: 1_000,
        n_bytes: 1 << 20,
    };
    let database = database();
    let error = database.query(sql, &limits).unwrap_err();
    let shown: String = sql.chars().take(80).collect();
    assert!(is_expected(&error), "{shown}: {error:?}");
    let rows = database
        .query("SELECT count(*) FROM owner", &limits)
        .unwrap();
    assert_eq!(rows.rows, [[SqlValue::Integer(2)]]);
}

#[test]
fn values_keep_their_types() {
    check_query(
        "SELECT NULL, 1, 1.5, 'a', x'00ff'",
        &[
            SqlValue::Null,
            SqlValue::Integer(1),
            SqlValue::Real(1.5),
            SqlValue::Text("a".to_owned()),
            SqlValue::Blob(vec![0, 255]),
        ],
    );
    check_query(
        "SELECT firstName FROM owner WHERE id = 2;",
        &[SqlValue::Text("\u{fffd}\u{fffd}".to_owned())],
    );
    check_query(
        "SELECT \"Ada\" -- a text in double quotes",
        &[SqlValue::Text("Ada".to_owned())],
    );
}

#[test]
fn writing_is_refused() {
    for sql in [
        "INSERT INTO owner VALUES (3, 'x')",
        "INSERT INTO owner VALUES (3, 'x') RETURNING id",
        "UPDATE owner SET firstName = 'x'",
        "DELETE FROM owner",
        "DROP TABLE owner",
        "CREATE TABLE x(y)",
        "CREATE TEMP TABLE x(y)",
        "ALTER TABLE owner ADD x",
        "ATTACH 'other.db' AS other",
        "DETACH main",
        "PRAGMA query_only = 0",
        "PRAGMA table_info(owner)",
        "SELECT * FROM pragma_database_list",
        "VACUUM INTO 'copy.db'",
        "BEGIN",
        "REINDEX",
        "ANALYZE",
        "SELECT load_extension('x')",
        "SELECT fts3_tokenizer('x')",
        "EXPLAIN SELECT 1",
        "EXPLAIN QUERY PLAN SELECT 1",
    ] {
        check_refused(sql, |error| matches!(error, QueryError::Refused(_)));
    }
}

#[test]
fn costly_queries_are_cut() {
    let is_time = |error: &QueryError| matches!(error, QueryError::Time(_));
    let is_size = |error: &QueryError| matches!(error, QueryError::Size(_));
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)";
    check_refused(&format!("{endless} SELECT max(x) FROM n"), is_time);
    check_refused(
        &format!("{endless} SELECT count(*) FROM n, n AS m, n AS k"),
        is_time,
    );
    check_refused(
        &format!("{endless} SELECT randomblob(1000) AS r FROM n ORDER BY r"),
        is_time,
    );
    check_refused(&format!("{endless} SELECT x FROM n"), |it| {
        matches!(it, QueryError::Rows(1_000))
    });
    check_refused(
        &format!("{endless} SELECT randomblob(100000) FROM n"),
        is_size,
    );
    check_refused("SELECT zeroblob(1000000000)", is_size);
    check_refused("SELECT randomblob(1000000000)", is_size);
    check_refused("SELECT hex(zeroblob(10000000))", is_size);
    check_refused("SELECT printf('%1000000000d', 1)", |it| {
        matches!(it, QueryError::Size(_) | QueryError::Sqlite(_))
    });
}

#[test]
fn malformed_queries_are_errors() {
    let is_sqlite = |error: &QueryError| matches!(error, QueryError::Sqlite(_));
    check_refused("", |it| *it == QueryError::Empty);
    check_refused(" ;; -- nothing", |it| *it == QueryError::Empty);
    check_refused("SELECT 1; SELECT 2", |it| *it == QueryError::Several);
    check_refused("SELECT 1; nonsense", |it| *it == QueryError::Several);
    check_refused("SELECT 1; DROP TABLE owner", |it| {
        *it == QueryError::Several
    });
    check_refused(&"SELECT 1;".repeat(10_000), |it| *it == QueryError::Several);
    check_refused("SELECT 1\0; DROP TABLE owner", is_sqlite);
    check_refused("SELECT absent FROM owner", is_sqlite);
    check_refused("SELEC 1", is_sqlite);
    check_refused("SELECT writefile('x', 'y')", is_sqlite);
    check_refused(
        &format!("SELECT {}1{}", "(".repeat(40_000), ")".repeat(40_000)),
        |it| matches!(it, QueryError::Sqlite(_) | QueryError::Size(_)),
    );
    check_refused(
        &format!("SELECT {}1", "-".repeat(40_001).replace('-', "- ")),
        |it| matches!(it, QueryError::Sqlite(_)),
    );
    check_refused(
        &format!("SELECT 1{}", " UNION SELECT 1".repeat(5_000)),
        is_sqlite,
    );
    check_refused(&format!("SELECT '{}'", "x".repeat(200_000)), |it| {
        matches!(it, QueryError::TooLong { .. })
    });
}

#[test]
fn schema_of_a_live_database() {
    let live = database().schema().unwrap();
    let schema = &live.schema;
    let tables: Vec<&str> = schema.tables.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(tables, ["owner", "visit", "bill", "names"]);
    assert_eq!(schema.columns[DatabaseSchema::STAR].name, "*");
    let kinds: Vec<ColumnKind> = schema.columns_of(2).map(|(_, it)| it.kind).collect();
    assert_eq!(kinds, [Number, Time, Number, Number, Number, Number, Text]);
    let keys: Vec<String> = schema
        .columns
        .iter()
        .filter(|it| it.is_primary_key)
        .map(|it| it.words.clone())
        .collect();
    assert_eq!(keys, ["id", "owner id", "day"]);
    let name = |column: usize| {
        let column = &schema.columns[column];
        format!(
            "{}.{}",
            schema.tables[column.table.unwrap()].name,
            column.name
        )
    };
    let foreign_keys: Vec<String> = schema
        .foreign_keys
        .iter()
        .map(|&(from, to)| format!("{} -> {}", name(from), name(to)))
        .collect();
    assert_eq!(
        foreign_keys,
        [
            "bill.owner -> owner.id",
            "bill.day -> visit.day",
            "bill.visitor -> visit.ownerId"
        ]
    );
    assert_eq!(schema.composite_keys, [[1, 2]]);
    let dangling: Vec<String> = live.dangling.iter().map(ToString::to_string).collect();
    assert_eq!(
        dangling,
        [
            "foreign key `bill.other` refers to `nowhere.id`, which does not exist",
            "foreign key `bill.another` refers to `owner.absent`, which does not exist",
        ]
    );
}

#[test]
fn names_become_words() {
    for (name, expected) in [
        ("Singer_ID", "singer id"),
        ("songReleaseYear", "song release year"),
        ("HTTPServer", "http server"),
        ("address2", "address2"),
        ("T1Name", "t1 name"),
        ("Home Town", "home town"),
        ("__x__", "x"),
        ("Éléphant", "éléphant"),
        ("%", "%"),
    ] {
        assert_eq!(words(name), expected);
    }
}

#[test]
fn declared_types_become_kinds() {
    for (declared, expected) in [
        ("varchar(20)", Text),
        ("", Text),
        ("SMALLINT UNSIGNED", Number),
        ("double precision", Number),
        ("timestamp", Time),
        ("year", Time),
        ("bool", ColumnKind::Boolean),
        ("INTERVAL", ColumnKind::Others),
        ("BLOB", ColumnKind::Others),
    ] {
        assert_eq!(kind(declared), expected, "{declared}");
    }
}

#[test]
fn files_that_are_no_databases() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.sqlite");
    drop(file(&whole, SCRIPT));
    let opened = Database::open(&whole).unwrap();
    assert_eq!(opened.name(), "whole");
    assert_eq!(opened.schema().unwrap().schema.tables.len(), 4);

    let bytes = fs::read(&whole).unwrap();
    let check = |name: &str, content: &[u8], message: &str| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let error = Database::open(&path).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    };
    check("text.sqlite", b"hello", "is something else");
    check("empty.sqlite", b"", "is empty");
    check("half.sqlite", &bytes[..bytes.len() / 2], "is truncated");
    check("header.sqlite", &bytes[..50], "is truncated");
    let mut damaged = bytes;
    damaged[100..].fill(0xff);
    check("damaged.sqlite", &damaged, "malformed");

    let directory = Database::open(folder.path());
    assert!(matches!(directory, Err(DatabaseError::Directory { .. })));
    let missing = Database::open(&folder.path().join("missing.sqlite"));
    assert!(matches!(missing, Err(DatabaseError::Read { .. })));
}

#[test]
fn names_that_are_not_utf_8_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("names.sqlite");
    let script = "CREATE TABLE t(abcdefgh)";
    drop(file(&path, script));
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(8).position(|it| it == b"abcdefgh").unwrap();
    bytes[at] = 0xff;
    fs::write(&path, bytes).unwrap();
    let error = Database::open(&path).unwrap_err();
    assert!(matches!(error, DatabaseError::Encoding { .. }), "{error}");
}

/// Another program that writes has the file for itself for a moment.
#[test]
fn a_locked_file_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.sqlite");
    let writer = file(&path, SCRIPT);
    let opened = Database::open(&path).unwrap();
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let found = Database::open(&path).unwrap_err().to_string();
    let expected = format!(
        "database `{}` is locked: another program is writing to it; try again when it has \
         finished, or copy the file",
        path.display()
    );
    assert_eq!(found, expected);
    assert_eq!(opened.schema().unwrap_err().to_string(), expected);
    let count = || opened.query("SELECT count(*) FROM owner", &QueryLimits::default());
    assert_eq!(count().unwrap_err().to_string(), expected);
    writer.execute_batch("COMMIT").unwrap();
    assert_eq!(count().unwrap().rows, [[SqlValue::Integer(2)]]);
}

#[test]
fn long_bytes_are_shown_by_their_beginning() {
    let sql = "SELECT zeroblob(100000), x'00ff', x''";
    let rows = database().query(sql, &QueryLimits::default()).unwrap();
    let shown: Vec<String> = rows.rows[0].iter().map(ToString::to_string).collect();
    let zeros = "0".repeat(32) + "…";
    let long = format!("x'{zeros}' (100000 bytes)");
    assert_eq!(shown, [long.as_str(), "x'00ff'", "x''"]);
    let json = serde_json::to_value(&rows.rows[0]).unwrap();
    let expected = serde_json::json!([
        {"blob": zeros, "bytes": 100_000}, {"blob": "00ff", "bytes": 2}, {"blob": "", "bytes": 0}
    ]);
    assert_eq!(json, expected);
}
