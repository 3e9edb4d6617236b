//! SQL: what queries become when they are read and printed again, and what is refused.

use std::sync::{Arc, LazyLock};

use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_syntax::laws::check_ast;
use patois_syntax::{Grammar, Language, ParseError};

static MUSIC: LazyLock<Arc<DatabaseSchema>> = LazyLock::new(|| {
    let text = include_str!("../fixtures/sql/tables.json");
    Arc::new(DatabaseSchema::from_tables_json(text).unwrap()["music"].clone())
});

fn check_in(mode: Mode, source: &str, expected: &str) {
    let sql = Sql::new(MUSIC.clone(), mode);
    let ast = sql
        .parse(source)
        .unwrap_or_else(|error| panic!("{source}: {error}"));
    assert_eq!(sql.print(&ast).unwrap(), expected, "from {source}");
    check_ast(&sql, &ast);
}

/// Reads `source` in full mode and prints it again.
fn check(source: &str, expected: &str) {
    check_in(Mode::Full, source, expected);
}

/// A query that is printed as it is written.
fn check_same(source: &str) {
    check(source, source);
}

fn check_paper(source: &str, expected: &str) {
    check_in(Mode::Paper, source, expected);
}

/// A query that is refused at the byte where `place` begins.
fn check_error(source: &str, place: &str, expected: &str) {
    let error = Sql::new(MUSIC.clone(), Mode::Full)
        .parse(source)
        .unwrap_err();
    let offset = source.find(place).unwrap();
    assert_eq!(error, ParseError::at(offset, expected), "{source}");
}

fn notation(mode: Mode, source: &str) -> String {
    let sql = Sql::new(MUSIC.clone(), mode);
    let grammar = Grammar::from_schema(Sql::schema_of(mode));
    let tree = grammar.tree(&sql.parse(source).unwrap()).unwrap();
    tree.display(&grammar).to_string()
}

#[test]
fn names_lose_aliases_and_gain_the_case_of_the_schema() {
    check("select NAME from SINGER", "SELECT name FROM singer");
    check("SELECT T1.Name FROM stage AS T1", "SELECT Name FROM Stage");
    check("SELECT s.name FROM singer s;", "SELECT name FROM singer");
    check(
        "SELECT T1.name, T2.title FROM singer AS T1 JOIN song AS T2 ON T1.id = T2.singer_id",
        "SELECT singer.name, song.title FROM singer JOIN song ON singer.id = song.singer_id",
    );
    check(
        "SELECT title, age FROM singer JOIN song ON singer.id = singer_id",
        "SELECT song.title, singer.age FROM singer JOIN song ON singer.id = song.singer_id",
    );
    check(
        "SELECT main.singer.name FROM main.singer",
        "SELECT name FROM singer",
    );
}

#[test]
fn names_are_quoted_where_they_must_be() {
    check(
        "SELECT [order], `18 49` FROM stage",
        "SELECT \"order\", \"18 49\" FROM Stage",
    );
    check("SELECT role FROM cast", "SELECT role FROM cast");
    // `cast.role` would be read as the start of a CAST.
    check(
        "SELECT role, title FROM \"cast\" JOIN song ON song_id = id",
        "SELECT T1.role, song.title FROM cast AS T1 JOIN song ON T1.song_id = song.id",
    );
}

#[test]
fn double_quotes_make_strings_of_what_is_no_column() {
    check(
        "SELECT \"name\" FROM singer WHERE name = \"France\" OR name = \"it's\"",
        "SELECT name FROM singer WHERE name = 'France' OR name = 'it''s'",
    );
    check_same("SELECT name FROM singer WHERE name = ''");
    check_error(
        "SELECT [France] FROM singer",
        "[",
        "no table in scope has a column `France`",
    );
}

#[test]
fn occurrences_of_one_table_are_told_apart() {
    check(
        "SELECT a.name, b.name FROM singer a JOIN singer b ON a.teacher_id = b.id",
        "SELECT T1.name, T2.name FROM singer AS T1 JOIN singer AS T2 ON T1.teacher_id = T2.id",
    );
    check(
        "SELECT a.name FROM singer a WHERE a.age > (SELECT avg(b.age) FROM singer b)",
        "SELECT name FROM singer WHERE age > (SELECT avg(age) FROM singer)",
    );
    check(
        "SELECT a.name FROM singer a WHERE EXISTS (SELECT * FROM singer b WHERE b.age > a.age)",
        "SELECT T1.name FROM singer AS T1 \
         WHERE EXISTS (SELECT * FROM singer WHERE age > T1.age)",
    );
    check(
        "SELECT b.* FROM singer a, singer b",
        "SELECT T2.* FROM singer AS T1 JOIN singer AS T2",
    );
    check(
        "SELECT name FROM singer WHERE EXISTS (SELECT 1 FROM song WHERE singer_id = singer.id)",
        "SELECT name FROM singer WHERE EXISTS (SELECT 1 FROM song WHERE singer_id = singer.id)",
    );
    assert_eq!(
        notation(
            Mode::Full,
            "SELECT b.name FROM singer a JOIN singer b ON a.teacher_id = b.id"
        ),
        "(query (select +(from (Table @0) \
         [(Join @0)]) _ [(Occurrence @2 Second)] _ _) [] [] _)"
    );
}

#[test]
fn columns_out_of_scope_are_still_columns() {
    check_same("SELECT song.title FROM singer");
    check("SELECT song.* FROM singer", "SELECT song.* FROM singer");
    check_same("SELECT [#2].song.title, [#].[3], sum([*]) FROM singer WHERE [#2].song.[*] = 1");
}

#[test]
fn joins() {
    check(
        "SELECT * FROM singer JOIN song USING (id)",
        "SELECT singer.id, singer.name, singer.age, singer.teacher_id, song.title, \
         song.singer_id, song.sales FROM singer JOIN song ON singer.id = song.id",
    );
    check(
        "SELECT count(*) FROM song NATURAL JOIN concert",
        "SELECT count(*) FROM song JOIN concert ON song.singer_id = concert.singer_id",
    );
    check(
        "SELECT id FROM singer JOIN song USING (id) WHERE id = 1",
        "SELECT singer.id FROM singer JOIN song ON singer.id = song.id WHERE singer.id = 1",
    );
    check(
        "SELECT title FROM singer LEFT OUTER JOIN song ON singer.id = singer_id",
        "SELECT song.title FROM singer LEFT JOIN song ON singer.id = song.singer_id",
    );
    check(
        "SELECT title FROM singer LEFT JOIN song",
        "SELECT song.title FROM singer LEFT JOIN song ON TRUE",
    );
    check(
        "SELECT title FROM singer, song WHERE singer.id = singer_id",
        "SELECT song.title FROM singer JOIN song WHERE singer.id = song.singer_id",
    );
    check(
        "SELECT title FROM (singer JOIN song ON (singer.id = song.singer_id)) CROSS JOIN concert",
        "SELECT song.title FROM singer JOIN song ON singer.id = song.singer_id JOIN concert",
    );
    check_same(
        "SELECT song.title FROM singer JOIN song \
         ON singer.id = song.singer_id AND song.sales > 3",
    );
    check_same("SELECT song.title FROM singer JOIN song ON ((singer.id = song.singer_id))");
    check_same("SELECT song.title FROM singer JOIN song ON song.singer_id = singer.id");
    check_same("SELECT song.title FROM singer JOIN song ON singer.age = song.sales");
    // No key leads from a table to itself.
    check_same(
        "SELECT count(*) FROM song AS T1 JOIN song AS T2 ON [#].[reverse key] \
         JOIN song AS T3 ON [#].[key] LEFT JOIN song AS T4 ON [#].[key]",
    );
    check_same("SELECT song.title FROM singer RIGHT JOIN song ON singer.id = song.singer_id");
    check_same("SELECT song.title FROM singer FULL JOIN song ON singer.id = song.singer_id");
    assert_eq!(
        notation(
            Mode::Full,
            "SELECT title FROM singer JOIN song ON singer.id = singer_id"
        ),
        "(query (select +(from (Table @0) [(Join @1)]) _ [(Column @6)] _ _) [] [] _)"
    );
}

#[test]
fn derived_tables() {
    check_same("SELECT count(*) FROM (SELECT name FROM singer UNION SELECT title FROM song)");
    check(
        "SELECT max(n) FROM (SELECT count(*) AS n, age FROM singer GROUP BY age) WHERE age > 3",
        "SELECT max(T1.c1) FROM (SELECT count(*) AS c1, age FROM singer GROUP BY age) AS T1 \
         WHERE T1.age > 3",
    );
    check(
        "SELECT d.name, d.\"id:1\" FROM (SELECT * FROM singer JOIN song) AS d",
        "SELECT T1.name, T1.\"id:1\" FROM (SELECT * FROM singer JOIN song) AS T1",
    );
    check(
        "SELECT d.* FROM (SELECT name, age FROM singer) AS d",
        "SELECT T1.name, T1.age FROM (SELECT name, age FROM singer) AS T1",
    );
    check(
        "SELECT b.id FROM (SELECT singer.id, song.id AS b FROM singer JOIN song) a JOIN \
         (SELECT id FROM stage) b ON a.b = b.id",
        "SELECT T2.id FROM (SELECT singer.id AS c1, song.id AS c2 FROM singer JOIN song) AS T1 \
         JOIN (SELECT id FROM Stage) AS T2 ON T1.c2 = T2.id",
    );
}

#[test]
fn names_of_results_become_the_results() {
    check(
        "SELECT count(*) AS n, name FROM singer GROUP BY name HAVING n > 1 ORDER BY n DESC",
        "SELECT count(*), name FROM singer GROUP BY name HAVING count(*) > 1 \
         ORDER BY count(*) DESC",
    );
    // Alone in ORDER BY a name means a result first; elsewhere a column first.
    check(
        "SELECT -age AS age FROM singer WHERE age > 1 ORDER BY age, age + 1",
        "SELECT -age FROM singer WHERE age > 1 ORDER BY -age, age + 1",
    );
    check(
        "SELECT name AS n FROM singer UNION SELECT title FROM song ORDER BY n",
        "SELECT name FROM singer UNION SELECT title FROM song ORDER BY name",
    );
    check(
        "SELECT 5 AS n, age FROM singer ORDER BY n, age",
        "SELECT 5, age FROM singer ORDER BY age",
    );
}

#[test]
fn clauses() {
    check_same("SELECT DISTINCT name FROM singer WHERE age = 1 GROUP BY name HAVING count(*) > 1");
    check_same(
        "SELECT name FROM singer UNION ALL SELECT title FROM song INTERSECT \
         SELECT Name FROM Stage EXCEPT SELECT role FROM cast ORDER BY name LIMIT 3",
    );
    check("SELECT ALL name FROM singer", "SELECT name FROM singer");
    check(
        "SELECT name FROM singer ORDER BY age ASC",
        "SELECT name FROM singer ORDER BY age",
    );
    check(
        "SELECT name FROM singer ORDER BY age DESC, name",
        "SELECT name FROM singer ORDER BY age DESC, name ASC",
    );
    check(
        "SELECT name FROM singer ORDER BY age NULLS FIRST, name DESC NULLS LAST, id ASC NULLS LAST",
        "SELECT name FROM singer ORDER BY age ASC, name DESC, id ASC NULLS LAST",
    );
    check(
        "SELECT name FROM singer LIMIT 2, 5",
        "SELECT name FROM singer LIMIT 5 OFFSET 2",
    );
    check_same("SELECT name FROM singer LIMIT 1 + 1");
    check_same("SELECT name FROM singer LIMIT (1)");
    check_same("SELECT 1");
    check_same("SELECT *, count(*) FROM singer");
    check("SELECT count() FROM singer", "SELECT count(*) FROM singer");
}

#[test]
fn conditions() {
    let check = |source: &str, expected: &str| {
        check(
            &format!("SELECT name FROM singer WHERE {source}"),
            &format!("SELECT name FROM singer WHERE {expected}"),
        );
    };
    let same = |source: &str| check(source, source);
    check("age == 1 AND age <> 2", "age = 1 AND age != 2");
    same("age < 1 OR age <= 2 AND age > 3 OR age >= 4");
    same("(age = 1 OR age = 2) AND NOT (age = 3 AND age = 4)");
    check(
        "(age = 1 AND (age = 2)) AND age = 3",
        "age = 1 AND age = 2 AND age = 3",
    );
    same("age = 1 AND (age = 2 AND age = 3)");
    same("NOT age = 1 AND NOT NOT age = 2");
    same("age BETWEEN 1 AND 2 AND age NOT BETWEEN 3 AND 4");
    check("NOT age BETWEEN 1 AND 2", "age NOT BETWEEN 1 AND 2");
    same("name LIKE 'a%' AND name NOT LIKE '%''b' AND name LIKE '1!%' ESCAPE '!'");
    same("name GLOB 'a*'");
    same("age IN (1, 2) AND age NOT IN (3) AND age IN ()");
    same("age IN (SELECT year FROM concert) AND age NOT IN (SELECT year FROM concert)");
    same("age IN ((SELECT year FROM concert))");
    check(
        "age ISNULL AND age NOTNULL AND age NOT NULL",
        "age IS NULL AND age IS NOT NULL AND age IS NOT NULL",
    );
    same("age IS 1 AND age IS NOT 2 AND age IS (NULL) AND age IS NOT (NULL) AND age IS TRUE");
    check("age IS NOT DISTINCT FROM 1", "age IS 1");
    same("EXISTS (SELECT 1 FROM song) AND NOT EXISTS (SELECT 2 FROM song)");
    same("age AND (age = 1) = 2 AND +(age = 1)");
    same("age = (SELECT max(age) FROM singer)");
}

#[test]
fn values() {
    let check = |source: &str, expected: &str| {
        check(
            &format!("SELECT {source} FROM singer"),
            &format!("SELECT {expected} FROM singer"),
        );
    };
    let same = |source: &str| check(source, source);
    same("1 + 2 * 3 - (4 - 5) / 6 % 7");
    check("1 + (2 + 3), (1 + 2) + 3", "1 + (2 + 3), 1 + 2 + 3");
    same("name || '-' || age, 1 & 2 | 3 << 4 >> 5, ~age, -(-age), -1");
    same("count(*), count(age), count(DISTINCT age), sum(age), sum(DISTINCT age)");
    same("avg(age), avg(DISTINCT age), min(age), max(DISTINCT age), min(age, 1), max(age, 1, 2)");
    check(
        "COUNT(ALL age), Total(age), UPPER(name)",
        "count(age), total(age), upper(name)",
    );
    same("group_concat(DISTINCT name), random(), replace(name, 'a', 'b')");
    check(
        "CAST(age AS varchar(10)), CAST(age AS double)",
        "CAST(age AS TEXT), CAST(age AS REAL)",
    );
    same("CASE WHEN age > 1 THEN 'old' WHEN age IS NULL THEN '?' ELSE 'young' END");
    same("CASE age WHEN 1 THEN 'one' END");
    same("name COLLATE NOCASE, -age COLLATE RTRIM, (name || 'a') COLLATE BINARY");
    check("x'00fF', NULL, true, False", "X'00FF', NULL, TRUE, FALSE");
    same("CURRENT_DATE, CURRENT_TIME, CURRENT_TIMESTAMP, 1.5e-3, .5, 0xFF");
    check("1_000", "1000");
    same("(SELECT max(age) FROM singer) + 1, age > 1, age = 1 OR age = 2, NOT age");
}

#[test]
fn what_trees_cannot_hold_is_named() {
    let refused = "is outside the SQL that trees can hold";
    let check = |source: &str, place: &str, construct: &str| {
        check_error(source, place, &format!("{construct} {refused}"));
    };
    check(
        "WITH a AS (SELECT 1) SELECT 1",
        "WITH",
        "a common table expression",
    );
    check("SELECT 1 UNION VALUES (1)", "VALUES", "a VALUES clause");
    check(
        "SELECT rank() OVER (ORDER BY age) FROM singer",
        "rank",
        "a window function",
    );
    check(
        "SELECT count(*) FILTER (WHERE age > 1) FROM singer",
        "count",
        "a FILTER clause",
    );
    check(
        "SELECT 1 FROM singer HAVING age > 1",
        "HAVING",
        "HAVING without GROUP BY",
    );
    check(
        "SELECT 1 FROM json_each('[]')",
        "json_each",
        "a table-valued function",
    );
    check("SELECT (1, 2) = (3, 4)", "(1", "a row of several values");
    check("SELECT name -> 'a' FROM singer", "->", "a JSON operator");
    check("SELECT ?1", "?1", "a parameter");
    check("SELECT name REGEXP 'a' FROM singer", "REGEXP", "REGEXP");
    check(
        "SELECT sum(*) FROM singer",
        "sum",
        "`*` in a function other than count",
    );
    check(
        "SELECT 1 FROM temp.singer",
        "temp",
        "a table of another database",
    );
    check("SELECT 1 IN singer", "IN", "IN with a table");
}

#[test]
fn mistakes_are_named_with_their_place() {
    check_error(
        "SELECT 1 FROM nobody",
        "nobody",
        "database `music` has no table `nobody`",
    );
    check_error(
        "SELECT height FROM singer",
        "height",
        "no table in scope has a column `height`",
    );
    check_error(
        "SELECT singer.height FROM singer",
        "singer.height",
        "table `singer` has no column `height`",
    );
    check_error(
        "SELECT T9.name FROM singer",
        "T9",
        "no table in scope is called `T9`",
    );
    check_error(
        "SELECT name FROM singer JOIN stage",
        "name",
        "column `name` is ambiguous: `singer` and `Stage` have one",
    );
    check_error(
        "SELECT sum(1, 2)",
        "sum",
        "expected 1 argument for sum, found 2",
    );
    check_error("SELECT 'abc", "'", "this quote is never closed");
    check_error("SELECT 1 /* abc", "/*", "this comment is never closed");
    check_error(
        "SELECT 1; SELECT 2",
        "SELECT 2",
        "expected one statement, found a second one",
    );
    check_error(
        "DELETE FROM singer",
        "DELETE",
        "expected a SELECT statement, found another statement",
    );
    check_error(
        " EXPLAIN SELECT 1",
        "EXPLAIN",
        "expected a SELECT statement, found EXPLAIN",
    );
    for nothing in ["", " \n", ";;", "-- only a comment", "/* and another */"] {
        let error = Sql::new(MUSIC.clone(), Mode::Full)
            .parse(nothing)
            .unwrap_err();
        assert_eq!(error, ParseError::at(0, "expected a query, found nothing"));
    }
    let error = Sql::new(MUSIC.clone(), Mode::Full)
        .parse("SELECT FROM")
        .unwrap_err();
    assert_eq!(error, ParseError::at(7, "near \"FROM\": syntax error"));
}

/// Reads texts that are out to break the parser, on a stack as small as that of a thread.
#[test]
fn hostile_texts_are_errors() {
    let hostile = [
        format!("SELECT {}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        "(".repeat(100_000),
        format!("SELECT {}1", "NOT ".repeat(100_000)),
        format!("SELECT {}1", "- ".repeat(100_000)),
        format!("SELECT 1{}", " + 1".repeat(100_000)),
        format!("SELECT 1 WHERE 1{}", " AND 1".repeat(100_000)),
        format!(
            "SELECT {}1{}",
            "CASE WHEN 1 THEN ".repeat(50_000),
            " END".repeat(50_000)
        ),
        format!("SELECT 1{}", " COLLATE nocase".repeat(50_000)),
        format!("SELECT {}1{}", "(SELECT ".repeat(5_000), ")".repeat(5_000)),
        format!(
            "SELECT 1 FROM {}singer{}",
            "(".repeat(5_000),
            ")".repeat(5_000)
        ),
        format!("SELECT {}", "x".repeat(5_000_000)),
        "SELECT 1\0".into(),
        "SELECT '\0'".into(),
        "SELECT \u{feff}1".into(),
        "\u{1F600}".into(),
        "SELECT \"".into(),
        "SELECT [".into(),
        "SELECT `".into(),
        "SELECT x'0'".into(),
        "SELECT 1e".into(),
        "SELECT 0x".into(),
        "SELECT $".into(),
        "SELECT !1".into(),
    ];
    let run = move || {
        for mode in [Mode::Full, Mode::Paper] {
            let sql = Sql::new(MUSIC.clone(), mode);
            for source in &hostile {
                let start: String = source.chars().take(40).collect();
                assert!(sql.parse(source).is_err(), "{start}");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    thread.spawn(run).unwrap().join().unwrap();
}

/// What is not too deep is read and printed, on a stack as small as that of a thread.
#[test]
fn deep_texts_fit_on_a_small_stack() {
    let deep = [
        format!("SELECT {}1{}", "(".repeat(500), ")".repeat(500)),
        format!("SELECT {}1", "- ".repeat(250)),
        // Each of them is a condition and a value.
        format!("SELECT {}max(id) FROM singer", "+".repeat(120)),
        format!("SELECT 1{}", " + 1".repeat(250)),
        format!("SELECT 1 FROM singer WHERE 1{}", " AND 1".repeat(250)),
        format!(
            "SELECT {}1{}",
            "CASE WHEN 1 THEN ".repeat(120),
            " END".repeat(120)
        ),
        format!("SELECT {}1{}", "(SELECT ".repeat(40), ")".repeat(40)),
        format!(
            "SELECT 1 FROM {}singer{}",
            "(SELECT 1 FROM ".repeat(40),
            ")".repeat(40)
        ),
    ];
    let run = move || {
        for mode in [Mode::Full, Mode::Paper] {
            let sql = Sql::new(MUSIC.clone(), mode);
            for source in &deep {
                let ast = match sql.parse(source) {
                    Ok(ast) => ast,
                    // Not every query has a form in the paper's mode.
                    Err(error) if mode == Mode::Paper => {
                        assert!(!error.message.contains("deeper"), "{source}: {error}");
                        continue;
                    }
                    Err(error) => panic!("{source}: {error}"),
                };
                let printed = sql.print(&ast).unwrap();
                assert_eq!(sql.parse(&printed).unwrap(), ast);
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    thread.spawn(run).unwrap().join().unwrap();
}

#[test]
fn paper_mode_infers_from() {
    check_paper("SELECT count(*) FROM song", "SELECT count(*) FROM song");
    check_paper(
        "SELECT Stage.name FROM singer JOIN concert ON 1 JOIN stage ON 2 WHERE singer.name = 'a'",
        "SELECT Stage.Name FROM singer JOIN concert ON singer.id = concert.singer_id \
         JOIN Stage ON concert.stage_id = Stage.id WHERE singer.name = 'terminal'",
    );
    // No column shows that songs are joined: the first table says it.
    check_paper(
        "SELECT name FROM singer JOIN song ON singer.id = singer_id",
        "SELECT singer.name FROM song JOIN singer ON song.singer_id = singer.id",
    );
    check_paper(
        "SELECT name FROM singer WHERE id NOT IN (SELECT singer_id FROM song WHERE sales > 5) \
         UNION SELECT title FROM song ORDER BY name LIMIT 7",
        "SELECT name FROM singer WHERE id NOT IN (SELECT singer_id FROM song \
         WHERE sales > 'terminal') UNION SELECT title FROM song ORDER BY name LIMIT 1",
    );
    check_paper(
        "SELECT title FROM singer, song WHERE sales BETWEEN 1 AND 2 AND name LIKE 'a'",
        "SELECT song.title FROM singer JOIN song ON singer.id = song.singer_id \
         WHERE song.sales BETWEEN 'terminal' AND 'terminal' AND singer.name LIKE 'terminal'",
    );
    assert_eq!(
        notation(
            Mode::Paper,
            "SELECT count(*) FROM song WHERE sales > 3 LIMIT 3"
        ),
        "(query (select _ [(Count (Column @0))] @1 +(Greater (Column @8) Literal) _) [] [] +Limit)"
    );
}

#[test]
fn paper_mode_names_what_it_cannot_hold() {
    let check = |source: &str, expected: &str| {
        let error = Sql::new(MUSIC.clone(), Mode::Paper)
            .parse(source)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("paper mode cannot hold {expected}")
        );
    };
    check("SELECT 1", "a SELECT without FROM");
    check("SELECT 1 FROM (SELECT name FROM singer)", "a query in FROM");
    check(
        "SELECT 1 FROM singer AS a JOIN singer AS b",
        "`singer` joined with itself",
    );
    check(
        "SELECT 1 FROM singer AS a WHERE EXISTS (SELECT 1 FROM singer WHERE age = a.age)",
        "a column of an enclosing query's table",
    );
}
