//! Databases that somebody made to be costly: how long it takes to open, describe, read and ask them, and how
//! much memory of the process.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use super::file;
use super::files::{EVERY_KIND, Numbers, QUERIES, endless_tree};
use super::measured::Worst;
use crate::{Database, DatabaseError, QueryLimits, ScanLimits};

/// How long opening and describing a database may take, each.
const SCHEMA: Duration = Duration::from_secs(10);

/// How long guessing keys may take.
const KEYS: Duration = Duration::from_secs(2);

/// How many of the tables are asked for all that is in them.
const MAX_ASKED: usize = 5;

/// Opens, describes, reads and asks a database as linking does.
fn measure(worst: &mut Worst, path: &Path, what: &str) -> Result<(), DatabaseError> {
    let named = |part: &str| format!("{part}: {what}");
    let database = worst.measure(&named("open"), SCHEMA, || Database::open(path))?;
    let limits = QueryLimits {
        time: Duration::from_millis(500),
        ..QueryLimits::default()
    };
    let ask = |worst: &mut Worst, sql: &str| {
        let _ = worst.measure(&named(sql), limits.time, || database.query(sql, &limits));
    };
    for sql in QUERIES {
        ask(worst, sql);
    }
    let schema = worst.measure(&named("schema"), SCHEMA, || database.schema())?;
    let schema = schema.schema;
    worst.measure(&named("keys"), KEYS, || database.guessed_keys(&schema));
    for table in schema.tables.iter().take(MAX_ASKED) {
        let name = table.name.replace('"', "\"\"");
        ask(worst, &format!("SELECT * FROM \"{name}\""));
        ask(
            worst,
            &format!("SELECT DISTINCT * FROM \"{name}\" ORDER BY 1 DESC"),
        );
    }
    let columns = |table| schema.columns_of(table).map(|(_, it)| it.name.as_str());
    let tables = (0..).zip(&schema.tables);
    let tables: Vec<_> = tables
        .map(|(index, table)| (table.name.as_str(), columns(index).collect()))
        .collect();
    let scan = ScanLimits {
        time: Duration::from_secs(20),
        ..ScanLimits::default()
    };
    let visit = |_, _, _: crate::ValueRef<'_>| ControlFlow::Continue(());
    worst.measure(&named("scan"), scan.time, || {
        database.scan(&tables, &scan, visit)
    })?;
    Ok(())
}

/// `part` for each number below `n`, one after the other.
fn each(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect()
}

/// Rows 1 to `n`.
fn rows(n: usize) -> String {
    format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {n})")
}

/// Scripts of databases that compute more than they hold.
fn computed() -> Vec<(&'static str, String)> {
    // Columns are added when the rows are there: SQLite would compute them for each.
    let column = |n: usize, columns: &str| {
        let rows = rows(50);
        format!(
            "CREATE TABLE t(a); INSERT INTO t {rows} SELECT printf('%.*c', {n}, 'a') FROM n; {columns}"
        )
    };
    let added = |n, sql: &str| column(n, &format!("ALTER TABLE t ADD COLUMN b AS ({sql});"));
    let doubled = |it: usize| format!("ALTER TABLE t ADD COLUMN c{it} AS (c{0} || c{0});", it - 1);
    let doubled: String = (1..20).map(doubled).collect();
    let doubled = format!("ALTER TABLE t ADD COLUMN c0 AS (a || a); {doubled}");
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    let twice = |it: usize| {
        let next = it + 1;
        format!("CREATE VIEW v{next} AS SELECT x.a FROM v{it} x, v{it} y;")
    };
    let views = |n| {
        format!(
            "CREATE TABLE t(a); CREATE VIEW v0 AS SELECT a FROM t; {}",
            each(n, twice)
        )
    };
    let costly = each(1_000, |it| {
        format!("CREATE VIEW w{it} AS SELECT x.a FROM v6 x LIMIT {it};")
    });
    let of_json = |it| {
        format!(
            "CREATE VIEW w{it} AS SELECT json_group_array(value) AS a FROM json_each('[{it}]');"
        )
    };
    let trigger =
        |it| format!("CREATE TRIGGER x{it} AFTER INSERT ON t BEGIN INSERT INTO t VALUES (1); END;");
    let deep = format!("SELECT {}1{} AS a", "(1 + ".repeat(90), ")".repeat(90));
    let wide = format!("SELECT 1 AS a{}", " UNION ALL SELECT 1".repeat(490));
    vec![
        (
            "a column of instr",
            added(240_000, "instr(a, substr(a, 2) || 'b')"),
        ),
        ("a column of LIKE", added(900_000, "a LIKE '%a%a%a%a%b'")),
        ("a column of trim", added(59_000, "trim(a, a || 'b')")),
        ("a column of hex", added(1, "hex(zeroblob(8000000))")),
        ("columns of columns", column(900, &doubled)),
        ("a view without end", format!("CREATE VIEW t AS {endless};")),
        (
            "a sorted view without end",
            format!("CREATE VIEW t AS {endless} ORDER BY -i;"),
        ),
        ("views of views", views(30)),
        ("a thousand costly views", views(6) + &costly),
        ("views of functions", each(200, of_json)),
        ("a deep view", format!("CREATE VIEW t AS {deep};")),
        ("a wide view", format!("CREATE VIEW t AS {wide};")),
        (
            "an index of an expression",
            column(9_000, "CREATE INDEX i ON t(a || a || a);"),
        ),
        (
            "triggers",
            "CREATE TABLE t(a);".to_owned() + &each(1_000, trigger),
        ),
    ]
}

/// Scripts of databases that hold more than others.
fn large() -> Vec<(&'static str, String)> {
    let wide = each(1_990, |it| {
        format!("{}c{it}", if it > 0 { ", " } else { "" })
    });
    let values = each(1_990, |it| format!("{}i", if it > 0 { ", " } else { "" }));
    vec![
        ("1,400 tables", each(1_400, |it| format!("CREATE TABLE customer{it}(id INTEGER PRIMARY KEY);"))),
        ("1,400 keys", format!("CREATE TABLE customer(id); {}", each(1_400, |it| format!("CREATE TABLE t{it}(customer_id);")))),
        ("700 tables of 3 columns that are named alike", each(700, |it| format!("CREATE TABLE item{it}(id, item_id, items);"))),
        ("3,000 tables", each(3_000, |it| format!("CREATE TABLE t{it}(a);"))),
        ("keys to nowhere", each(1_000, |it| format!("CREATE TABLE t{it}(a REFERENCES absent(b));"))),
        ("keys in a circle", each(1_000, |it| format!("CREATE TABLE t{it}(a REFERENCES t{}(a));", (it + 1) % 1_000))),
        ("1,990 columns", format!("CREATE TABLE t({wide}); INSERT INTO t {} SELECT {values} FROM n;", rows(500))),
        ("values of 50 MB", "CREATE TABLE t(a, b); INSERT INTO t VALUES (zeroblob(50000000), 1), (2, zeroblob(50000000));".to_owned()),
        ("values of 15 MB", format!("CREATE TABLE t(a, b); INSERT INTO t {} SELECT printf('%.*c', 15000000, 'a'), i FROM n;", rows(8))),
        ("300,000 rows", format!("CREATE TABLE t(a, b, c); INSERT INTO t {} SELECT i, hex(randomblob(20)), i % 7 FROM n;", rows(300_000))),
        ("long names", format!("CREATE TABLE \"{}\"(\"{}\");", "t".repeat(200_000), "c".repeat(200_000))),
        ("names of anything", "CREATE TABLE \"a\"\"b'c`d]\"(\"\", \" \", \"\u{1}\", \"\u{feff}x\", \"1\"); INSERT INTO \"a\"\"b'c`d]\" VALUES (1, 2, 3, 4, 5);".to_owned()),
        ("pages of 64 kB", format!("PRAGMA page_size = 65536; {}", &EVERY_KIND.replace("PRAGMA page_size = 512;", ""))),
        ("UTF-16", format!("PRAGMA encoding = 'UTF-16le'; {EVERY_KIND}")),
        ("texts that are none", "CREATE TABLE t(a TEXT); INSERT INTO t VALUES (CAST(x'ff00c3' AS TEXT)), (CAST(zeroblob(99) AS TEXT)), (9e999), (-9e999);".to_owned()),
        ("samples that lie", "CREATE TABLE t(a); CREATE INDEX i ON t(a); INSERT INTO t VALUES (1), (2); ANALYZE; \
            UPDATE sqlite_stat1 SET stat = '99999999999999999999 1 unordered'; UPDATE sqlite_stat4 SET sample = randomblob(900), nEq = 'x';".to_owned()),
        ("a log", "PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1);".to_owned()),
    ]
}

/// Bytes with some of them changed, as far as `numbers` want.
fn damaged(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    let n_pages = changed.len() / 512;
    for _ in 0..=numbers.below(40) {
        let at = numbers.below(changed.len());
        match numbers.below(3) {
            0 => changed[at] ^= 1 << numbers.below(8),
            1 => changed[at] = [0x00, 0x01, 0x7f, 0x80, 0xff][numbers.below(5)],
            // Where pages are named, and lengths.
            _ => changed[at / 512 * 512 + numbers.below(16)] = numbers.below(n_pages) as u8,
        }
    }
    // What nothing can be said of is tried often enough: the magic bytes and the size of pages stay.
    changed[..28].copy_from_slice(&bytes[..28]);
    changed
}

fn measure_scripts(worst: &mut Worst, scripts: Vec<(&'static str, String)>) {
    for (what, script) in scripts {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hostile.sqlite");
        drop(file(&path, &script));
        let _ = measure(worst, &path, what);
    }
}

#[test]
#[ignore = "takes minutes, and measures the process: to be run alone, with --nocapture"]
fn measured_databases() {
    let mut worst = Worst::default();
    measure_scripts(&mut worst, computed());
    measure_scripts(&mut worst, large());
    worst.report("actions on databases that are costly");
}

#[test]
#[ignore = "takes minutes, and measures the process: to be run alone, with --nocapture"]
fn measured_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.sqlite");
    drop(file(&path, EVERY_KIND));
    let bytes = fs::read(&path).unwrap();
    let mut worst = Worst::default();
    let mut numbers = Numbers(3);
    let mut n_readable = 0;
    for index in 0..2_000 {
        fs::write(&path, damaged(&bytes, &mut numbers)).unwrap();
        let read = measure(&mut worst, &path, &format!("damaged {index}"));
        n_readable += usize::from(read.is_ok());
    }
    let _ = measure(
        &mut worst,
        &endless_tree(folder.path()),
        "a tree without end",
    );
    println!("{n_readable} of 2000 damaged databases were readable");
    worst.report("actions on databases that are damaged");
}

/// What is computed is where time can go without end: opened, described and asked in every run.
#[test]
fn costly_databases_are_described_and_asked() {
    let mut worst = Worst::default();
    for (what, script) in computed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hostile.sqlite");
        drop(file(&path, &script));
        let database = worst
            .measure(what, SCHEMA, || Database::open(&path))
            .unwrap();
        let Ok(schema) = worst.measure(what, SCHEMA, || database.schema()) else {
            continue;
        };
        worst.measure(what, KEYS, || database.guessed_keys(&schema.schema));
        super::measured::check_soon_over(&database, "SELECT * FROM t");
    }
    worst.report("actions");
}
