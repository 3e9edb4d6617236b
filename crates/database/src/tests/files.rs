//! Database files that nobody would write: each is opened, described, read through and asked, and must
//! end in rows or an error, within its steps and its memory.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use super::file;
use crate::{Database, DatabaseError, QueryError, QueryLimits, ScanLimits, memory};

/// A database with a page of every kind: tables, indices and their inner pages, overflow, free pages
/// and the map of pointers; with views, triggers, generated columns and virtual tables.
pub(super) const EVERY_KIND: &str = "
    PRAGMA page_size = 512; PRAGMA auto_vacuum = FULL;
    CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT UNIQUE, note, twice AS (id * 2));
    CREATE TABLE w(a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE INDEX t_note ON t(note DESC) WHERE note IS NOT NULL;
    CREATE INDEX t_upper ON t(upper(name));
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        INSERT INTO t SELECT i, 'name ' || i, hex(zeroblob(i)) FROM n;
    INSERT INTO w SELECT name, note FROM t;
    INSERT INTO t VALUES (999, 'long', zeroblob(5000)), (1000, CAST(x'c3c9ff' AS TEXT), 1.5);
    CREATE VIEW v AS SELECT name, twice FROM t;
    CREATE VIEW vv AS SELECT x.name FROM v x JOIN v y ON x.twice = y.twice;
    CREATE TRIGGER on_t AFTER INSERT ON t BEGIN DELETE FROM w; END;
    CREATE VIRTUAL TABLE words USING fts5(text);
    INSERT INTO words SELECT name FROM t;
    CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
    INSERT INTO boxes SELECT id, id, id + 1 FROM t WHERE id < 100;
    ANALYZE;
    PRAGMA auto_vacuum = NONE;
    DELETE FROM w WHERE a > 'name 5';";

pub(super) const QUERIES: [&str; 9] = [
    "SELECT count(*) FROM t",
    "SELECT * FROM t WHERE name > 'name 5' ORDER BY note",
    "SELECT name, count(*) FROM t GROUP BY upper(name) ORDER BY 2",
    "SELECT t.note FROM t JOIN w ON w.a = t.name WHERE t.twice > 9",
    "SELECT max(b), min(a) FROM w",
    "SELECT * FROM vv",
    "SELECT * FROM words WHERE words MATCH 'name'",
    "SELECT * FROM words_data, boxes_node",
    "SELECT sql FROM sqlite_schema",
];

const LIMITS: QueryLimits = QueryLimits {
    time: Duration::from_hours(24),
    n_rows: 500,
    n_bytes: 1 << 20,
};

const SCAN: ScanLimits = ScanLimits {
    n_rows: 300,
    n_value_bytes: 80,
    n_steps: 200_000,
    time: Duration::from_hours(24),
};

/// How much SQLite may hold.
const MEMORY: i64 = 193 << 20;

/// Opens, describes, reads and asks the database at `path`.
#[track_caller]
fn check(path: &Path, what: &str) -> Result<(), DatabaseError> {
    let (used, peak) = memory::peak(|| {
        let database = Database::open(path)?;
        for sql in QUERIES {
            let _ = database.rows_within(sql, &LIMITS, 200_000);
        }
        let schema = database.schema()?.schema;
        let columns = |table| schema.columns_of(table).map(|(_, it)| it.name.as_str());
        let tables = (0..).zip(&schema.tables);
        let tables: Vec<_> = tables
            .map(|(index, table)| (table.name.as_str(), columns(index).collect()))
            .collect();
        database.scan(&tables, &SCAN, |_, _, _| ControlFlow::Continue(()))?;
        Ok(())
    });
    assert!(peak < MEMORY, "{what}: {peak} bytes");
    used
}

/// Numbers without pattern, the same in every run (Marsaglia's xorshift).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// Checks `bytes` with some of them changed; returns whether the whole was still readable.
fn check_changed(folder: &Path, bytes: &[u8], what: &str) -> bool {
    let path = folder.join("changed.sqlite");
    fs::write(&path, bytes).unwrap();
    check(&path, what).is_ok()
}

fn every_kind(folder: &Path) -> Vec<u8> {
    let path = folder.join("whole.sqlite");
    drop(file(&path, EVERY_KIND));
    check(&path, "whole").unwrap();
    fs::read(path).unwrap()
}

#[test]
fn a_page_of_any_kind_may_be_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = every_kind(folder.path());
    let mut numbers = Numbers(1);
    let mut n_readable = 0;
    for page in (0..bytes.len()).step_by(512) {
        for _ in 0..4 {
            let mut changed = bytes.clone();
            // What a page is and where its cells are is at its beginning.
            let at = page + numbers.below(if page % 1024 == 0 { 16 } else { 512 });
            changed[at] ^= 1 << numbers.below(8);
            let what = format!("bit at {at}");
            n_readable += usize::from(check_changed(folder.path(), &changed, &what));
        }
    }
    assert!(n_readable > 0);
}

#[test]
fn pages_may_be_swapped_repeated_and_filled() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = every_kind(folder.path());
    let n_pages = bytes.len() / 512;
    let mut numbers = Numbers(2);
    for round in 0..200 {
        let mut changed = bytes.clone();
        let (from, to) = (numbers.below(n_pages) * 512, numbers.below(n_pages) * 512);
        match round % 4 {
            0 => changed.copy_within(from..from + 512, to),
            1 => changed[to..to + 512].fill(0),
            2 => changed[to + 100..to + 512].fill(0xff),
            _ => (to..to + 512).for_each(|it| changed[it] = numbers.below(256) as u8),
        }
        check_changed(
            folder.path(),
            &changed,
            &format!("round {round}: {from} {to}"),
        );
    }
}

#[test]
fn every_byte_of_the_header_may_be_anything() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = every_kind(folder.path());
    for at in 16..100 {
        for value in [0x00, 0x01, 0x02, 0x7f, 0xff] {
            let mut changed = bytes.clone();
            changed[at] = value;
            check_changed(folder.path(), &changed, &format!("header {at}: {value}"));
        }
    }
}

/// Definitions that SQLite would not take, but may find.
#[test]
fn definitions_may_be_anything() {
    let folder = tempfile::tempdir().unwrap();
    for (index, change) in [
        "UPDATE sqlite_schema SET sql = 'CREATE VIEW v AS SELECT * FROM v' WHERE name = 'v'",
        "UPDATE sqlite_schema SET sql = 'CREATE VIEW v AS SELECT * FROM vv' WHERE name = 'v'",
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE t(' WHERE name = 't'",
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a AS (b), b AS (a))' WHERE name = 't'",
        "UPDATE sqlite_schema SET sql = replace(sql, '* 2', '* (SELECT 1)') WHERE name = 't'",
        "UPDATE sqlite_schema SET sql = replace(sql, '* 2', '* random()') WHERE name = 't'",
        "UPDATE sqlite_schema SET sql = replace(sql, 'upper', 'load_extension')",
        "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 't'",
        "UPDATE sqlite_schema SET rootpage = 4000000000 WHERE name = 't'",
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'w')",
        "UPDATE sqlite_schema SET name = NULL WHERE name = 't'",
        "UPDATE sqlite_schema SET name = 'a\"b''c`d]' || char(0, 10), tbl_name = name",
        "UPDATE sqlite_schema SET type = 'table' WHERE type = 'view'",
        "UPDATE sqlite_schema SET sql = zeroblob(100) WHERE name = 't'",
        "UPDATE sqlite_schema SET sql = CAST(x'ff' AS TEXT) || sql WHERE name = 't'",
        "UPDATE sqlite_schema SET sql = sql || printf('%.*c', 3000000, ' ') WHERE name = 't'",
        "UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE words USING absent(x)'
            WHERE name = 'words'",
        "UPDATE words_data SET block = randomblob(50)",
        "UPDATE words_config SET v = 99",
        "UPDATE boxes_node SET data = zeroblob(40)",
        "UPDATE sqlite_stat1 SET stat = '9999999999999999999 unordered sz=1 noskipscan'",
        "DELETE FROM sqlite_schema WHERE name LIKE 'words_%'",
        "INSERT INTO sqlite_schema SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema",
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.path().join(format!("{index}.sqlite"));
        let script = format!("{EVERY_KIND}; PRAGMA writable_schema = ON; {change};");
        drop(file(&path, &script));
        let _ = check(&path, change);
    }
}

/// Thirty views, each of the one before twice: a billion tables.
#[test]
fn views_of_views_are_not_unfolded_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("views.sqlite");
    let view = |index| {
        format!(
            "CREATE VIEW v{} AS SELECT x.a FROM v{index} x, v{index} y;",
            index + 1
        )
    };
    let views: String = (0..30).map(view).collect();
    let script = format!("CREATE TABLE t(a); CREATE VIEW v0 AS SELECT a FROM t; {views}");
    drop(file(&path, &script));
    check(&path, "views").unwrap();
    let database = Database::open(&path).unwrap();
    let found = database.rows_within("SELECT * FROM v30", &LIMITS, 1_000_000);
    assert!(matches!(found, Err(QueryError::Size(_))), "{found:?}");
}

/// A tree of sixteen levels in which every page leads to the next one only, seventy times.
pub(super) fn endless_tree(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("tree.sqlite");
    drop(file(
        &path,
        "PRAGMA page_size = 512; CREATE TABLE t(a); INSERT INTO t VALUES (1);",
    ));
    let mut bytes = fs::read(&path).unwrap();
    let leaf = bytes[512..1024].to_vec();
    let n_levels = 15_u32;
    for level in 0..n_levels {
        let next = 3 + level;
        let mut page = vec![0; 512];
        let start = 512 - 70 * 5;
        page[0] = 5;
        page[3..5].copy_from_slice(&70_u16.to_be_bytes());
        page[5..7].copy_from_slice(&(start as u16).to_be_bytes());
        page[8..12].copy_from_slice(&next.to_be_bytes());
        for cell in 0..70 {
            let at = start + 5 * cell;
            page[12 + 2 * cell..][..2].copy_from_slice(&(at as u16).to_be_bytes());
            page[at..at + 4].copy_from_slice(&next.to_be_bytes());
            page[at + 4] = 1;
        }
        match level {
            0 => bytes[512..1024].copy_from_slice(&page),
            _ => bytes.extend(page),
        }
    }
    bytes.extend(leaf);
    bytes[28..32].copy_from_slice(&(2 + n_levels).to_be_bytes());
    fs::write(&path, bytes).unwrap();
    path
}

/// Counting rows is one step of SQLite's machine; only an interruption ends it.
#[test]
fn a_tree_that_leads_everywhere_is_not_walked_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let path = endless_tree(folder.path());
    let database = Database::open(&path).unwrap();
    let limits = QueryLimits {
        time: Duration::from_millis(50),
        ..LIMITS
    };
    let counted = database.query("SELECT count(*) FROM t", &limits);
    assert_eq!(counted, Err(QueryError::Time(limits.time)));
    let summed = database.rows_within("SELECT sum(a) FROM t", &LIMITS, 100_000);
    assert_eq!(summed, Err(QueryError::Time(LIMITS.time)));
    let tables = [("t", vec!["a"])];
    let mut n_values = 0;
    let scanned = database.scan(&tables, &SCAN, |_, _, _| {
        n_values += 1;
        ControlFlow::Continue(())
    });
    assert!(scanned.is_ok() && n_values == SCAN.n_rows, "{scanned:?}");
}

#[test]
fn texts_in_other_encodings_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for encoding in ["UTF-16le", "UTF-16be"] {
        let path = folder.path().join(format!("{encoding}.sqlite"));
        let script = format!("PRAGMA encoding = '{encoding}'; {EVERY_KIND}");
        drop(file(&path, &script));
        check(&path, encoding).unwrap();
        let database = Database::open(&path).unwrap();
        let sql = "SELECT CAST(x'00d8' AS TEXT), printf('%.*c', 3000000, 'x') || 'ä'";
        let _ = database.rows_within(sql, &LIMITS, 100_000);
        let many = vec!["printf('%.*c', 3000000, 'x')"; 100].join(", ");
        let found = database.rows_within(&format!("SELECT {many}"), &LIMITS, 100_000);
        assert!(matches!(found, Err(QueryError::Size(_))), "{found:?}");
    }
}

/// A sound database of which one value is longer than any query may read.
#[test]
fn a_value_of_fifty_megabytes_hinders_only_those_who_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.sqlite");
    let script = "CREATE TABLE pet(name, photo, age);
        INSERT INTO pet VALUES ('Rex', zeroblob(50000000), 3), ('Tom', x'00', 9);";
    drop(file(&path, script));
    let database = Database::open(&path).unwrap();
    let ask = |sql| database.query(sql, &QueryLimits::default());
    for sql in [
        "SELECT name, age FROM pet ORDER BY age",
        "SELECT length(photo), typeof(photo) FROM pet",
        "SELECT count(*) FROM pet WHERE photo IS NOT NULL",
    ] {
        assert!(ask(sql).is_ok(), "{sql}: {:?}", ask(sql));
    }
    let read = ask("SELECT * FROM pet");
    assert!(matches!(read, Err(QueryError::Size(_))), "{read:?}");
    let tables = [("pet", vec!["name", "photo", "age"])];
    let mut n_values = 0;
    let count = |_, _, value: crate::ValueRef<'_>| {
        n_values += usize::from(value != crate::ValueRef::Null);
        ControlFlow::Continue(())
    };
    database.scan(&tables, &SCAN, count).unwrap();
    assert_eq!(n_values, 5);
}
