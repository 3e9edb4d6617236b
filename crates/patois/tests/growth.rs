//! Twice the corpus, or twice the database, is twice the work: reading, and linking of questions.
#![expect(clippy::unwrap_used, reason = "this is a test, helpers included")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use patois::corpus::{TrainOthers, jsonl, spider};
use patois::spec::Topic;
use patois::spec::linking::ValueCache;
use patois_database::{Databases, Place};
use patois_growth::{Counter, check_linear, turn};
use patois_languages::sql::DatabaseSchema;
use patois_synthesis::Linking;
use serde_json::json;

#[global_allocator]
static COUNTER: Counter = Counter;

#[test]
fn json_lines_are_read() {
    let _turn = turn();
    let line = |it: usize| {
        let code = format!("x{} = f(a, {})\nprint(x)\n", it % 7, it % 11);
        json!({"text": format!("call f with {it}"), "code": code}).to_string() + "\n"
    };
    let many = |n: usize| (0..n).map(line).collect::<String>();
    check_linear("many lines", 200, many, |text| {
        let read = jsonl::parse(Path::new("a.jsonl"), text.clone().into_bytes(), "python");
        assert!(read.unwrap().dropped.is_empty());
    });
    let long = |n: usize| {
        let (text, code) = ("word ".repeat(n), "x = f(a, 1)\n".repeat(n));
        json!({"text": text, "code": code}).to_string()
    };
    check_linear("a long line", 500, long, |text| {
        let read = jsonl::parse(Path::new("a.jsonl"), text.clone().into_bytes(), "python");
        assert!(read.unwrap().dropped.is_empty());
    });
}

/// A description of so many databases, with so many columns each.
fn tables(n_databases: usize, n_columns: usize) -> serde_json::Value {
    let mut names = vec![json!([-1, "*"])];
    names.extend((0..n_columns).map(|it| json!([0, format!("column {it}")])));
    let kinds = vec!["text"; names.len()];
    let database = |it: usize| {
        json!({
            "db_id": format!("shop{it}"), "table_names": ["t"], "table_names_original": ["t"],
            "column_names": names, "column_names_original": names, "column_types": kinds,
            "primary_keys": [], "foreign_keys": []
        })
    };
    (0..n_databases).map(database).collect()
}

/// Checks folders in Spider's layout with so many databases, columns and questions.
fn check_spider(what: &str, n: usize, sizes: impl Fn(usize) -> [usize; 3]) {
    let input = |n| {
        let [n_databases, n_columns, n_questions] = sizes(n);
        let row = |it: usize| {
            json!({
                "db_id": format!("shop{}", it % n_databases), "question": format!("How many {it}?"),
                "query": format!("SELECT count(*) FROM t WHERE `column {}` = {it}", it % n_columns)
            })
        };
        let rows: serde_json::Value = (0..n_questions).map(row).collect();
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, it: &serde_json::Value| {
            fs::write(folder.path().join(name), it.to_string()).unwrap();
        };
        write("tables.json", &tables(n_databases, n_columns));
        write("train_spider.json", &rows);
        write("dev.json", &rows);
        folder
    };
    check_linear(what, n, input, |folder| {
        let read = spider::read(folder.path(), TrainOthers::LeaveOut).unwrap();
        assert!(read.dropped.is_empty());
    });
}

#[test]
fn folders_in_the_layout_of_spider_are_read() {
    let _turn = turn();
    check_spider("many questions", 200, |n| [3, 5, n]);
    check_spider("many databases", 100, |n| [n, 5, 10]);
    check_spider("many columns", 200, |n| [2, n, 10]);
}

/// A table of so many columns and rows, as a script.
fn script(n_columns: usize, n_rows: usize) -> String {
    let columns = (0..n_columns).map(|it| format!("song_name_{it} TEXT"));
    let columns: Vec<String> = columns.collect();
    let mut script = format!("CREATE TABLE singer ({});", columns.join(", "));
    for row in 0..n_rows {
        let values = (0..n_columns).map(|it| format!("'city {row} of {it}'"));
        let values: Vec<String> = values.collect();
        write!(script, "INSERT INTO singer VALUES ({});", values.join(", ")).unwrap();
    }
    script
}

/// A database of one script, ready to be asked about.
struct Asked {
    schema: Arc<DatabaseSchema>,
    databases: Databases,
    question: String,
}

impl Asked {
    fn new([n_columns, n_rows, n_words]: [usize; 3]) -> Asked {
        let place = Place::Script(script(n_columns, n_rows));
        let schema = Arc::new(place.open("music").unwrap().schema().unwrap().schema);
        let word = |it: usize| match it % 4 {
            0 => "song".to_owned(),
            1 => "name".to_owned(),
            2 => format!("city {it} of 0"),
            _ => "whatever".to_owned(),
        };
        Asked {
            schema,
            databases: Databases::named([("music".to_owned(), place)]),
            question: (0..n_words).map(|it| word(it) + " ").collect(),
        }
    }

    fn topic(&self) -> Topic {
        let (schema, databases) = (&self.schema, &self.databases);
        Topic::linked(schema, Linking::Values, databases, &ValueCache::none()).unwrap()
    }
}

#[test]
fn values_and_names_are_indexed() {
    let _turn = turn();
    check_linear(
        "many values",
        500,
        |n| Asked::new([2, n, 1]),
        |it| {
            drop(it.topic());
        },
    );
    check_linear(
        "many columns",
        50,
        |n| Asked::new([n, 5, 1]),
        |it| {
            drop(it.topic());
        },
    );
}

#[test]
fn questions_are_linked() {
    let _turn = turn();
    let asked = |sizes: [usize; 3]| {
        let asked = Asked::new(sizes);
        (asked.topic(), asked.question)
    };
    let link = |(topic, question): &(Topic, String)| drop(topic.spec(question));
    check_linear("many values", 500, |n| asked([2, n, 40]), link);
    check_linear("many columns", 50, |n| asked([n, 5, 40]), link);
    check_linear("many words", 50, |n| asked([4, 50, n]), link);
}
