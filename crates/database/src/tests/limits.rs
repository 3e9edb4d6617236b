//! How limits are found, and that each query has its own.

use std::thread;
use std::time::Duration;

use super::file;
use crate::program::{MAX_LENGTH, longest_value};
use crate::{Database, QueryError, QueryLimits};

const SCRIPT: &str = "
    CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b TEXT, slow AS (instr(a, b)));
    CREATE VIEW v AS SELECT trim(a, b) AS c FROM t;";

/// Checks that the longest value that a query may work on lies within some kilobytes.
#[track_caller]
fn check_length(sql: &str, at_least: usize, at_most: usize) {
    let database = Database::from_script("t", SCRIPT).unwrap();
    let found = longest_value(&database.connection, sql).unwrap().unwrap();
    let kilobytes = found >> 10;
    assert!(
        (at_least..=at_most).contains(&kilobytes),
        "{sql}: {kilobytes} kB"
    );
}

#[test]
fn the_length_of_values_follows_from_the_program() {
    let all = MAX_LENGTH >> 10;
    check_length("SELECT a, b FROM t", all, all);
    check_length("SELECT count(*), max(a) FROM t WHERE b > 'x'", all, all);
    check_length("SELECT a FROM t WHERE a LIKE '%x%'", 1_000, 1_500);
    check_length("SELECT trim(a) FROM t", all, all);
    check_length("SELECT trim(a, b) FROM t", 55, 65);
    check_length("SELECT instr(a, b) FROM t", 230, 260);
    check_length("SELECT instr(a, b), instr(b, a) FROM t", 150, 180);
    // In views and generated columns as well, where they are read.
    check_length("SELECT slow FROM t", 230, 260);
    check_length("SELECT a FROM t WHERE id = 1", all, all);
    check_length("SELECT c FROM v", 55, 65);
}

#[test]
fn a_list_of_constants_costs_nothing() {
    let numbers: Vec<String> = (0..10_000).map(|it| it.to_string()).collect();
    let sql = format!("SELECT a FROM t WHERE id IN ({})", numbers.join(","));
    check_length(&sql, MAX_LENGTH >> 10, MAX_LENGTH >> 10);
}

/// SQLite compares samples of values, which `ANALYZE` takes, with what the functions of a query
/// return, while it compiles the query.
#[test]
fn functions_are_not_called_for_long_while_a_query_is_compiled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("analyzed.sqlite");
    let script = "CREATE TABLE t(a TEXT); CREATE INDEX t_a ON t(a);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO t SELECT 'name ' || i FROM n;
        ANALYZE;";
    drop(file(&path, script));
    let database = Database::open(&path).unwrap();
    let ask = |sql| database.query(sql, &QueryLimits::default());
    let samples = ask("SELECT count(*) > 0 FROM sqlite_stat4").unwrap();
    assert_eq!(samples.rows[0][0].to_string(), "1");
    let slow = "SELECT a FROM t WHERE a =
        trim(printf('%.*c', 60000, 'a'), printf('%.*c', 60000, 'b') || 'a')";
    assert!(matches!(ask(slow), Err(QueryError::Size(_))));
    assert_eq!(
        ask("SELECT a FROM t WHERE a = trim(' name 7 ')")
            .unwrap()
            .rows
            .len(),
        1
    );
}

/// One query that takes all memory, and others beside it that take little.
#[test]
fn queries_side_by_side_have_a_share_each() {
    let limits = QueryLimits {
        time: Duration::from_hours(24),
        ..QueryLimits::default()
    };
    let ask = |sql: &str| {
        let database = Database::from_script("t", "CREATE TABLE t(a)").unwrap();
        database.query(sql, &limits)
    };
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT randomblob(9999) AS r FROM n ORDER BY r";
    let modest = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        SELECT count(*) FROM (SELECT i FROM n ORDER BY -i)";
    thread::scope(|scope| {
        let greedy = scope.spawn(|| ask(endless));
        for _ in 0..20 {
            assert!(ask(modest).is_ok());
        }
        let greedy = greedy.join().unwrap();
        assert!(matches!(greedy, Err(QueryError::Size(_))), "{greedy:?}");
    });
}
