//! Statements that nobody should ask, each with what becomes of it.
//!
//! Time stands still here: what does not end by itself ends when SQLite's machine has made its steps.
//! A statement that can be stopped by neither steps nor memory would hang.

use std::fmt::Write as _;
use std::time::Duration;

use super::measured;
use crate::{Completeness, Database, QueryError, QueryLimits, memory};

pub(super) const SCRIPT: &str = "
    CREATE TABLE t(a, b);
    INSERT INTO t VALUES (1, 2), (3, 'x'), (NULL, x'00ff'), (2.5, 'ä');
    CREATE INDEX t_a ON t(a);
    CREATE TABLE k(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE);
    CREATE VIEW v0 AS SELECT a, b FROM t;
    CREATE VIEW v1 AS SELECT x.a, y.b FROM v0 x, v0 y;
    CREATE VIEW v2 AS SELECT x.a, y.b FROM v1 x, v1 y;
    CREATE VIEW v3 AS SELECT x.a, y.b FROM v2 x, v2 y;
    CREATE VIEW v4 AS SELECT x.a, y.b FROM v3 x, v3 y;
    CREATE VIEW sums AS SELECT a || a || a || a || a || a || a || a AS a FROM t;
    CREATE TRIGGER on_t AFTER INSERT ON t BEGIN DELETE FROM t; END;
    CREATE VIRTUAL TABLE words USING fts5(text);
    INSERT INTO words VALUES ('some words');
    CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
";

/// The beginning of a query of rows without end.
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";

const LIMITS: QueryLimits = QueryLimits {
    time: Duration::from_hours(24),
    n_rows: 1_000,
    n_bytes: 1 << 20,
};

/// About a tenth of a second.
const N_STEPS: u64 = 1_000_000;

/// What may become of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Its rows.
    Rows,
    /// The first of too many rows.
    Cut,
    /// It is no query, or does more than reading.
    Refused,
    /// It makes too many steps.
    Steps,
    /// It takes too much memory, or a value is too long.
    Size,
    /// SQLite refuses it.
    Sqlite,
}

impl Outcome {
    fn of(sql: &str, database: &Database) -> Outcome {
        match database.rows_within(sql, &LIMITS, N_STEPS) {
            Ok((_, Completeness::Whole)) => Outcome::Rows,
            Ok((_, Completeness::Cut)) => Outcome::Cut,
            Err(QueryError::Time(_)) => Outcome::Steps,
            Err(QueryError::Size(_)) => Outcome::Size,
            Err(QueryError::Sqlite(_)) => Outcome::Sqlite,
            Err(_) => Outcome::Refused,
        }
    }
}

/// How much SQLite may hold, with the page that goes over the limit.
const MEMORY: i64 = (192 << 20) + (1 << 20);

/// What each of many statements is handed to, with what should become of it.
pub(super) struct Checker<'c>(pub(super) &'c mut dyn FnMut(Outcome, &str));

impl Checker<'_> {
    fn check<S: AsRef<str>>(&mut self, expected: Outcome, statements: impl IntoIterator<Item = S>) {
        for sql in statements {
            self.0(expected, sql.as_ref());
        }
    }
}

/// Checks what becomes of statements, that it took no more memory than it may, that it ends by the clock as
/// well, and that the database can be asked again.
#[track_caller]
fn check(statements: fn(&mut Checker<'_>)) {
    let database = Database::from_script("hostile", SCRIPT).unwrap();
    let mut wrong = String::new();
    statements(&mut Checker(&mut |expected, sql| {
        let (found, peak) = memory::peak(|| Outcome::of(sql, &database));
        if found != expected || peak > MEMORY {
            let shown: String = sql.chars().take(120).collect();
            let _ = writeln!(wrong, "{found:?}, not {expected:?}, {peak} bytes: {shown}");
        }
        measured::check_soon_over(&database, sql);
        let again = database.query("SELECT count(*) FROM t", &LIMITS);
        assert!(again.is_ok(), "after {sql}: {again:?}");
    }));
    assert!(wrong.is_empty(), "{wrong}");
}

/// Lists of statements, each of them a test.
macro_rules! lists {
    ($($name:ident),*) => {
        pub(super) const LISTS: &[fn(&mut Checker<'_>)] = &[$($name),*];

        mod each {
            $(
                #[test]
                fn $name() {
                    super::check(super::$name);
                }
            )*
        }
    };
}

lists!(
    what_is_no_query_is_refused,
    what_is_no_query_is_refused_at_any_length,
    what_is_wrong_is_an_error_of_sqlite,
    what_is_too_large_for_sqlite_is_an_error_of_it,
    what_does_not_end_is_ended,
    what_takes_too_much_memory_is_refused_it,
    values_that_are_too_long_are_not_made,
    values_that_are_too_long_together_are_not_made,
    what_only_looks_dangerous_is_answered,
    what_is_long_is_answered
);

/// `start`, then `n` parts, then `end`.
fn many(start: &str, n: usize, part: impl Fn(usize) -> String, between: &str, end: &str) -> String {
    let parts: Vec<String> = (0..n).map(part).collect();
    format!("{start}{}{end}", parts.join(between))
}

/// `open` and `close` around `inner`, `n` times.
fn nested(open: &str, close: &str, n: usize, inner: &str) -> String {
    format!("{}{inner}{}", open.repeat(n), close.repeat(n))
}

/// A chain of `n` common tables, each made of the one before.
pub(super) fn chain(n: usize, step: &str, last: &str) -> String {
    let link = |index: usize| {
        let step = step.replace('@', &format!("c{index}"));
        format!("c{} AS ({step})", index + 1)
    };
    let last = last.replace('@', &format!("c{n}"));
    let start = "WITH c0 AS (SELECT 1 AS x), ";
    many(start, n, link, ", ", &format!(" {last}"))
}

fn what_is_no_query_is_refused(to: &mut Checker<'_>) {
    to.check(
        Outcome::Refused,
        [
            "",
            ";",
            "-- nothing",
            "/* nothing",
            "SELECT 1; SELECT 2",
            "SELECT 1; DROP TABLE t",
            "SELECT 1;;;;x",
            "INSERT INTO t VALUES (1, 2)",
            "INSERT INTO t SELECT * FROM t RETURNING a",
            "REPLACE INTO t VALUES (1, 2)",
            "UPDATE t SET a = 1 RETURNING a",
            "DELETE FROM t RETURNING a",
            "WITH x AS (SELECT 1) DELETE FROM t",
            "DROP TABLE t",
            "DROP VIEW v0",
            "CREATE TABLE u AS SELECT * FROM t",
            "CREATE TEMP VIEW u AS SELECT 1",
            "CREATE VIRTUAL TABLE u USING fts5(x)",
            "CREATE TRIGGER u AFTER INSERT ON t BEGIN SELECT 1; END",
            "ALTER TABLE t RENAME TO u",
            "ALTER TABLE t DROP COLUMN a",
            "ATTACH ':memory:' AS other",
            "ATTACH 'file:other?mode=rwc' AS other",
            "DETACH main",
            "VACUUM",
            "VACUUM INTO 'copy.sqlite'",
            "REINDEX",
            "ANALYZE",
            "BEGIN",
            "COMMIT",
            "SAVEPOINT x",
            "RELEASE x",
            "PRAGMA page_size",
            "PRAGMA query_only = 0",
            "PRAGMA writable_schema = 1",
            "PRAGMA journal_mode = WAL",
            "PRAGMA hard_heap_limit = 1",
            "PRAGMA temp_store_directory = 'x'",
            "PRAGMA integrity_check",
            "PRAGMA table_info(t)",
            "EXPLAIN SELECT 1",
            "EXPLAIN QUERY PLAN SELECT 1",
            "SELECT * FROM pragma_database_list",
            "SELECT * FROM pragma_integrity_check",
            "SELECT * FROM pragma_table_xinfo('t')",
            "SELECT * FROM json_each('[1]')",
            "SELECT * FROM json_tree('[[1]]')",
            "SELECT count(*) FROM dbstat",
            "SELECT * FROM words",
            "SELECT * FROM words('some')",
            "SELECT * FROM words WHERE words MATCH 'some OR words'",
            "SELECT * FROM main.boxes",
            "SELECT load_extension('x')",
            "SELECT load_extension('x', 'y') FROM t",
            "SELECT fts3_tokenizer('simple')",
            "SELECT fts5(1)",
            "SELECT rtreecheck('boxes')",
            "SELECT rtreedepth(x'0000')",
            "SELECT rtreenode(2, x'0000')",
            "SELECT sqlite_compileoption_get(1)",
            "SELECT sqlite_source_id()",
            "SELECT sqlite_log(1, 'x')",
        ],
    );
}

fn what_is_no_query_is_refused_at_any_length(to: &mut Checker<'_>) {
    to.check(
        Outcome::Refused,
        [
            ";".repeat(99_999),
            "SELECT 1;".repeat(11_000),
            "x".repeat(100_001),
        ],
    );
}

fn what_is_wrong_is_an_error_of_sqlite(to: &mut Checker<'_>) {
    to.check(
        Outcome::Sqlite,
        [
            "SELEC 1",
            "SELECT",
            "SELECT 'not closed",
            "SELECT [not closed",
            "SELECT \u{1}",
            "SELECT 1\0; DROP TABLE t",
            "SELECT x'0'",
            "SELECT 0x10000000000000000",
            "SELECT absent FROM t",
            "SELECT * FROM absent",
            "SELECT * FROM t INDEXED BY absent",
            "SELECT absent(1)",
            "SELECT readfile('/etc/passwd')",
            "SELECT writefile('x', 'y')",
            "SELECT edit('x')",
            "SELECT a REGEXP 'x' FROM t",
            "SELECT sum(sum(a)) FROM t",
            "SELECT count(*) OVER (ORDER BY a ROWS -1 PRECEDING) FROM t",
            "SELECT ?101",
            "SELECT ?1, :a, @b, $c",
            "SELECT abs(-9223372036854775808)",
            "SELECT sum(9223372036854775807) FROM t",
            "SELECT json('{')",
            "SELECT json_extract('{}', 'x')",
            "SELECT json(x'ffffffffffffffff')",
            "SELECT 1 LIKE 1 ESCAPE 'ab'",
            "SELECT likelihood(1, 2)",
            "SELECT ntile(0) OVER () FROM t",
            "SELECT (SELECT 1, 2)",
            "SELECT 1 UNION SELECT 1, 2",
            "SELECT * FROM t NATURAL JOIN t USING (a)",
            "WITH n(i) AS (SELECT i FROM n) SELECT * FROM n",
            "SELECT a FROM t ORDER BY 9",
            "SELECT 1 LIMIT 'x'",
            "VALUES (1), (1, 2)",
        ],
    );
}

fn what_is_too_large_for_sqlite_is_an_error_of_it(to: &mut Checker<'_>) {
    to.check(
        Outcome::Sqlite,
        [
            nested("(", ")", 40_000, "1"),
            nested("SELECT (", ")", 400, "SELECT 1"),
            format!("SELECT {}1", "- ".repeat(40_000)),
            format!("SELECT {}1", "NOT ".repeat(20_000)),
            format!("SELECT {}", nested("abs(", ")", 400, "1")),
            format!("SELECT {}", nested("CASE WHEN 1 THEN ", " END", 400, "1")),
            format!("SELECT * FROM {}", nested("(SELECT * FROM ", ")", 400, "t")),
            format!("SELECT 1{}", " + 1".repeat(400)),
            format!("SELECT 1{}", " COLLATE NOCASE".repeat(5_000)),
            format!("SELECT 1{}", " UNION SELECT 1".repeat(101)),
            format!("SELECT 1{}", " UNION ALL SELECT 1 FROM t".repeat(3_000)),
            many("SELECT ", 2_001, |it| it.to_string(), ", ", ""),
            many("SELECT coalesce(", 33, |it| it.to_string(), ", ", ")"),
            many(
                "SELECT count(*) FROM ",
                65,
                |it| format!("t t{it}"),
                ", ",
                "",
            ),
            format!("SELECT json('{}')", nested("[", "]", 2_000, "")),
            format!("SELECT json_set('{{}}', '${}', 1)", ".a".repeat(40_000)),
            format!("SELECT 'x' LIKE '{}'", "%_".repeat(1_000)),
            format!("SELECT 'x' GLOB '{}'", "*[a-z]".repeat(1_000)),
            chain(20, "SELECT p.x FROM @ p, @ q", "SELECT count(*) FROM @"),
            chain(
                20,
                "SELECT x FROM @ UNION ALL SELECT x FROM @",
                "SELECT * FROM @",
            ),
            chain(
                20,
                "SELECT (SELECT x FROM @) + (SELECT x FROM @) AS x",
                "SELECT * FROM @",
            ),
        ],
    );
}

fn what_does_not_end_is_ended(to: &mut Checker<'_>) {
    let ends = [
        "SELECT max(i) FROM n",
        "SELECT count(*) FROM n, n AS m, n AS k",
        "SELECT count(DISTINCT i % 7) FROM n",
        "SELECT sum(i % 2) OVER () FROM n WHERE i < 0",
        "SELECT i FROM n WHERE i < 0",
        "SELECT i FROM n LIMIT -1 OFFSET 1000000000",
        "SELECT 1 WHERE 0 IN (SELECT i FROM n)",
        "SELECT 1 WHERE EXISTS (SELECT 1 FROM n WHERE i < 0)",
        "SELECT (SELECT i FROM n WHERE i < 0)",
        "SELECT 1 LIMIT (SELECT i FROM n WHERE i < 0)",
        "SELECT * FROM t JOIN n ON i = a - 10",
        "SELECT * FROM t LEFT JOIN n ON i < 0",
        "SELECT * FROM t WHERE a IN (SELECT -i FROM n)",
        "SELECT i FROM n WHERE 'x' LIKE i",
        "SELECT i FROM n EXCEPT SELECT i FROM n WHERE i < 0",
        "SELECT min(random()), max(randomblob(9)) FROM n",
        "SELECT count(*) FROM (SELECT i FROM n UNION ALL SELECT i FROM n)",
        "SELECT avg(instr(hex(i), 'x')) FROM n",
        "SELECT total(strftime('%Y', i)) FROM n",
        "SELECT i FROM n WHERE CASE WHEN i > 0 THEN 0 END",
        "SELECT group_concat(printf('%.1000c', 'x')) FROM n",
        "SELECT group_concat(i, printf('%.1000c', 'x')) FROM n",
        "SELECT 1 WHERE 1 IN (SELECT randomblob(9999) FROM n)",
        ", m AS MATERIALIZED (SELECT i, randomblob(9999) FROM n) SELECT count(*) FROM m, m AS k",
        "SELECT a FROM t WHERE a = (SELECT max(i) FROM n)",
    ];
    to.check(Outcome::Steps, ends.map(|it| format!("{ENDLESS} {it}")));
    to.check(
        Outcome::Steps,
        [
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT -i FROM n ORDER BY 1) \
             SELECT sum(i) FROM n",
            "WITH RECURSIVE a(i) AS (SELECT 1 UNION ALL SELECT i FROM a), \
             b(i) AS (SELECT i FROM a UNION ALL SELECT i FROM b) SELECT count(*) FROM b",
            "SELECT count(*) FROM v4",
            "SELECT count(*) FROM v3 x, v3 y WHERE x.a < y.b",
        ],
    );
    let joined = |it| format!("t t{it}");
    to.check(
        Outcome::Steps,
        [
            many("SELECT sum(t9.a) FROM ", 64, joined, ", ", ""),
            many("SELECT sum(t0.a) FROM ", 12, joined, " CROSS JOIN ", ""),
        ],
    );
    to.check(Outcome::Cut, [format!("{ENDLESS} SELECT i FROM n")]);
    to.check(
        Outcome::Cut,
        [many("SELECT t0.a FROM ", 64, joined, ", ", "")],
    );
}

fn what_takes_too_much_memory_is_refused_it(to: &mut Checker<'_>) {
    let ends = [
        "SELECT json_group_array(printf('%.9999c', 'x')) FROM n",
        "SELECT json_group_object(i, printf('%.9999c', 'x')) FROM n",
        "SELECT jsonb_group_array(printf('%.9999c', 'x')) FROM n",
        "SELECT randomblob(9999) AS r FROM n ORDER BY r",
        "SELECT DISTINCT randomblob(9999) FROM n LIMIT 1 OFFSET 999999999",
        "SELECT count(*) FROM n GROUP BY randomblob(9999)",
        "SELECT count(DISTINCT randomblob(9999)) FROM n",
        "SELECT randomblob(9999) FROM n EXCEPT SELECT 1",
        "SELECT randomblob(9999) FROM n UNION SELECT 1",
        "SELECT randomblob(100000) FROM n",
        "SELECT zeroblob(100000), i FROM n",
        "SELECT last_value(randomblob(9999)) OVER (ORDER BY i DESC) FROM n",
        "SELECT sum(a) FROM (SELECT randomblob(9999) AS a FROM n ORDER BY 1 LIMIT 99999999)",
        "SELECT lag(i, 9) OVER (ORDER BY randomblob(9999)) FROM n",
    ];
    to.check(Outcome::Size, ends.map(|it| format!("{ENDLESS} {it}")));
    to.check(
        Outcome::Size,
        [
            "WITH RECURSIVE n(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM n) SELECT max(s) FROM n",
            "WITH RECURSIVE n(s) AS (SELECT 'x' UNION ALL SELECT replace(s, 'x', 'xx') FROM n) \
             SELECT max(s) FROM n",
            "WITH RECURSIVE n(s) AS (SELECT x'00' UNION ALL SELECT hex(s) FROM n) SELECT max(s) FROM n",
            "WITH RECURSIVE n(s) AS (SELECT 'x' UNION ALL SELECT quote(s) FROM n) SELECT max(s) FROM n",
            "WITH RECURSIVE n(s) AS (SELECT '1' UNION ALL SELECT json_array(s, s) FROM n) \
             SELECT max(s) FROM n",
        ],
    );
}

fn values_that_are_too_long_are_not_made(to: &mut Checker<'_>) {
    to.check(
        Outcome::Size,
        [
            "SELECT zeroblob(1000000000)",
            "SELECT zeroblob(2147483647)",
            "SELECT zeroblob(9223372036854775807)",
            "SELECT randomblob(1000000000)",
            "SELECT hex(zeroblob(16000000))",
            "SELECT printf('%.*c', 1000000000, 'x')",
            "SELECT printf('%*d', 1000000000, 1)",
            "SELECT printf('%.2147483647f', 1.5)",
            "SELECT printf('%-1000000000s|', 'x')",
            "SELECT length(printf('%.*c', 16000000, 'a') || printf('%.*c', 16000000, 'a'))",
            "SELECT replace(printf('%.*c', 200000, 'a'), 'a', 'aaaaaaaaaa')",
            "SELECT instr(printf('%.*c', 16000000, 'a'), printf('%.*c', 8000000, 'a') || 'b')",
            "SELECT replace(printf('%.*c', 16000000, 'a'), printf('%.*c', 8000000, 'a') || 'b', 'c')",
            "SELECT trim(printf('%.*c', 1000000, 'a'), printf('%.*c', 1000000, 'b') || 'a')",
            "SELECT rtrim(printf('%.*c', 1000000, 'a'), printf('%.*c', 1000000, 'b') || 'a')",
            "SELECT unhex(printf('%.*c', 1000000, 'x'), printf('%.*c', 1000000, 'y') || 'x')",
            "SELECT printf('%.*c', 16000000, 'a') LIKE '%' || printf('%.*c', 200, 'a') || 'b'",
            "SELECT printf('%.*c', 16000000, 'a') GLOB '*[' || printf('%.*c', 200, 'b') || ']'",
            "SELECT json_patch(json_array(printf('%.*c', 1000000, 'a')), '{}')",
            "SELECT json_pretty('[[[[1]]]]', printf('%.*c', 16000000, ' '))",
            "SELECT soundex(printf('%.*c', 1000000000, 'a'))",
            "SELECT quote(zeroblob(9000000))",
            "SELECT upper(printf('%.*c', 17000000, 'a'))",
            "SELECT concat(printf('%.*c', 16000000, 'a'), printf('%.*c', 16000000, 'a'))",
            "SELECT unistr(printf('%.*c', 20000000, 'a'))",
            "SELECT strftime(printf('%.*c', 20000000, 'a'), 'now')",
        ],
    );
}

fn values_that_are_too_long_together_are_not_made(to: &mut Checker<'_>) {
    let long = "zeroblob(12000000)";
    to.check(
        Outcome::Size,
        [
            many("SELECT ", 30, |_| long.to_owned(), ", ", ""),
            many(
                "SELECT hex(a || ",
                30,
                |_| long.to_owned(),
                " || ",
                ") FROM t",
            ),
            format!(
                "SELECT json_pretty('{}', '{}')",
                nested("[", "]", 900, ""),
                " ".repeat(20_000)
            ),
            chain(20, "SELECT x || x || x AS x FROM @", "SELECT x FROM @"),
            chain(40, "SELECT x + x AS x FROM @", "SELECT x FROM @"),
            many(
                "SELECT ",
                1_900,
                |it| format!("sum(a) OVER (ORDER BY b + {it})"),
                ", ",
                " FROM t",
            ),
            many("SELECT ", 1_999, |_| "a LIKE b".to_owned(), ", ", " FROM t"),
            many(
                "SELECT a IN (",
                8_000,
                |_| "a LIKE b".to_owned(),
                ", ",
                ") FROM t",
            ),
            many(
                "SELECT a IN (",
                19_000,
                |_| "a+a".to_owned(),
                ", ",
                ") FROM t",
            ),
        ],
    );
}

fn what_only_looks_dangerous_is_answered(to: &mut Checker<'_>) {
    to.check(
        Outcome::Rows,
        [
            "SELECT 1;",
            " ; SELECT 1 ; -- done",
            "\u{feff}SELECT 1",
            "SELECT ';', \";\", [a], `b` FROM t",
            "SELECT * FROM t WHERE b LIKE '%x%'",
            "SELECT sql FROM sqlite_schema",
            "SELECT * FROM v2 LIMIT 3",
            "SELECT a FROM sums",
            "SELECT name FROM k WHERE name = 'X'",
            "SELECT zeroblob(-1), randomblob(0), hex(zeroblob(1000))",
            "SELECT length(zeroblob(16000000))",
            "SELECT substr('abc', -9223372036854775808, 9223372036854775807)",
            "SELECT 1 / 0, 1 % 0, 1 << 64, 1 >> -64, -9223372036854775808 / -1",
            "SELECT 9223372036854775807 + 1, 1e308 * 10, -1e308 * 10, 0x7fffffffffffffff",
            "SELECT round(1e308, 1000000000), round(-0.5), 1e999",
            "SELECT date('now', '+1000000000 days'), date(1e20), time('99:99')",
            "SELECT char(0), char(1114112), unicode(''), length(char(0, 65))",
            "SELECT CAST(x'c3c9' AS TEXT), CAST(x'ff00' AS TEXT)",
            "SELECT trim('  x  '), instr('abc', 'c'), replace('aa', 'a', 'b'), replace('a', '', 'b')",
            "SELECT json_extract('{\"a\": [1, 2]}', '$.a[#-1]'), '{\"a\": 1}' ->> 'a'",
            "SELECT 1 WHERE 1 COLLATE NOCASE COLLATE RTRIM = 1",
            "SELECT group_concat(a, b) OVER (ORDER BY b ROWS 1 PRECEDING) FROM t",
            "SELECT * FROM t FULL OUTER JOIN k ON a = id",
            "SELECT a, row_number() OVER (PARTITION BY b) FROM t",
            "SELECT likelihood(1, 0.5), unlikely(0), likely(1)",
        ],
    );
}

fn what_is_long_is_answered(to: &mut Checker<'_>) {
    to.check(
        Outcome::Rows,
        [
            many(
                "SELECT a FROM t WHERE a IN (",
                16_000,
                |it| it.to_string(),
                ",",
                ")",
            ),
            many(
                "SELECT a FROM t WHERE b IN (",
                11_000,
                |it| format!("'{it}'"),
                ",",
                ")",
            ),
            many(
                "SELECT 1 FROM t WHERE ",
                290,
                |it| format!("a = {it}"),
                " OR ",
                "",
            ),
            many("SELECT ", 2_000, |it| format!("a + {it}"), ", ", " FROM t"),
            many(
                "SELECT sum(a) FROM t GROUP BY ",
                1_900,
                |it| format!("b + {it}"),
                ", ",
                "",
            ),
            format!("SELECT * FROM {}", nested("(SELECT * FROM ", ")", 100, "t")),
            format!("SELECT json('{}')", nested("[", "]", 900, "")),
            format!("SELECT '{}'", "x".repeat(99_000)),
            chain(6, "SELECT x + x AS x FROM @", "SELECT x FROM @"),
        ],
    );
}
