//! Pairs as people write them down: what is read, where databases are, and what is said of mistakes.

use std::fs;

use patois_database::{QueryLimits, bound_memory};
use patois_languages::sql::Mode;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::corpus::Languages;
use crate::corpus::tests::{TABLES, describe, folder, open_as};

/// A folder with `pairs/a.jsonl`, whose rows name the given databases, and with the given SQLite files.
fn pairs(databases: &[&str], files: &[&str]) -> TempDir {
    let row = |name: &&str| {
        format!(r#"{{"text": "t", "code": "SELECT Name FROM Dog", "database": "{name}"}}"#)
    };
    let rows: Vec<String> = databases.iter().map(row).collect();
    let dir = folder(&[("pairs/a.jsonl", Some(rows.join("\n").as_bytes()))]);
    for file in files {
        let path = dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        bound_memory().unwrap();
        let connection = rusqlite::Connection::open(path).unwrap();
        let script = "CREATE TABLE Dog(Name TEXT); INSERT INTO Dog VALUES ('Rex')";
        connection.execute_batch(script).unwrap();
    }
    dir
}

fn open(dir: &TempDir) -> Result<Corpus, CorpusError> {
    open_as(Some("sql"), &dir.path().join("pairs/a.jsonl"))
}

#[test]
fn json_lines_have_optional_keys() {
    let rows = concat!(
        r#"{"text": "t", "code": "c", "stars": 3}"#,
        "\r\n\n",
        r#"{"text": "u", "code": "d", "database": "pets", "split": "handwritten"}"#,
    );
    let dir = folder(&[
        ("a.jsonl", Some(rows.as_bytes())),
        ("tables.json", Some(TABLES.as_bytes())),
    ]);
    let corpus = open_as(Some("sql"), &dir.path().join("a.jsonl")).unwrap();
    assert_eq!(
        describe(&corpus),
        [
            r#"train a.jsonl:1 "t" "c""#,
            r#"handwritten a.jsonl:3 "u" "d""#
        ]
    );
    assert_eq!(
        (corpus.name.as_str(), corpus.language.as_str()),
        ("a.jsonl", "sql")
    );
    assert_eq!(corpus.databases.len(), 1);
    assert_eq!(corpus.splits(), [Split::Train, Split::Handwritten]);
}

/// Each verb used to have its own idea of where a database is, and `evaluate` looked for `../db/pets.sqlite`
/// in `database/../db/pets.sqlite/../db/pets.sqlite.sqlite`.
#[test]
fn databases_are_found_by_path_or_by_name_and_can_be_opened() {
    let check = |name: &str, file: &str| {
        let dir = pairs(&[name], &[file]);
        let corpus = open(&dir).unwrap();
        let schema = &corpus.databases[name];
        assert_eq!(
            (schema.name.as_str(), schema.tables[0].name.as_str()),
            (name, "Dog")
        );
        let database = corpus.places().open(name).unwrap();
        let code = &corpus.examples[0].code;
        let rows = database.query(code, &QueryLimits::default()).unwrap().rows;
        assert_eq!(rows.len(), 1, "{name}");
    };
    check("../db/pets.sqlite", "db/pets.sqlite");
    check("db/pets", "pairs/db/pets");
    check("pets.db", "pairs/pets.db");
    check("pets", "pairs/database/pets/pets.sqlite");
    check("pets", "pairs/database/pets.sqlite");
    check("pets", "pairs/pets.sqlite");
}

#[test]
fn a_script_makes_a_database_and_nothing_else() {
    let dir = pairs(&["pets", "evil"], &[]);
    let database = dir.path().join("pairs/database");
    fs::create_dir_all(&database).unwrap();
    let script = "CREATE TABLE Dog(Name TEXT); INSERT INTO Dog VALUES ('Rex');";
    fs::write(database.join("pets.sql"), script).unwrap();
    let copied = dir.path().join("copy.sqlite");
    let evil = format!("{script} VACUUM INTO '{}';", copied.display());
    fs::write(database.join("evil.sql"), evil).unwrap();

    let corpus = open(&dir).unwrap();
    let [example] = &corpus.examples[..] else {
        panic!("{:?}", corpus.examples);
    };
    assert_eq!(example.database.as_deref(), Some("pets"));
    let rows = corpus.places().open("pets").unwrap();
    let rows = rows.query(&example.code, &QueryLimits::default()).unwrap();
    assert_eq!(rows.rows.len(), 1);
    assert_eq!(corpus.dropped.len(), 1);
    assert!(!copied.exists());
}

#[test]
fn a_missing_database_names_the_row_and_the_file() {
    let check = |name: &str, file: &str| {
        let dir = pairs(&["pets", name], &["pairs/pets.sqlite"]);
        let place = dir.path().join("pairs");
        let expected = format!(
            "{}:2: expected the database `{name}` in the file {}, which does not exist",
            place.join("a.jsonl").display(),
            place.join(file).display()
        );
        assert_eq!(open(&dir).unwrap_err().to_string(), expected);
    };
    check("zoo", "database/zoo/zoo.sqlite");
    check("../zoo.sqlite", "../zoo.sqlite");
}

#[test]
fn a_database_that_is_described_may_be_missing() {
    let dir = pairs(&["pets"], &[]);
    fs::write(dir.path().join("pairs/tables.json"), TABLES).unwrap();
    let corpus = open(&dir).unwrap();
    assert_eq!(corpus.examples.len(), 1);
    let message = corpus.places().open("pets").unwrap_err().to_string();
    assert!(message.contains("pets.sqlite"), "{message}");
}

#[test]
fn a_file_that_is_no_database_drops_its_rows() {
    let dir = pairs(&["pets", "broken"], &["pairs/pets.sqlite"]);
    let broken = dir.path().join("pairs/broken.sqlite");
    fs::write(broken, b"SQLite format 3\0 and no more").unwrap();
    let corpus = open(&dir).unwrap();
    assert!(corpus.databases.keys().eq(["pets"]));
    assert_eq!(corpus.dropped.len(), 1);
    assert!(corpus.dropped[0].reason.contains("broken.sqlite"));
    let languages = Languages::of_corpus(&corpus, Mode::Full).unwrap();
    assert_eq!(corpus.parse(&languages).unwrap().trees.len(), 1);
}

/// It used to be guessed from whether a row names a database.
#[test]
fn the_language_is_said_and_not_guessed() {
    let dir = pairs(&["nowhere"], &[]);
    let path = dir.path().join("pairs/a.jsonl");
    let message = open_as(None, &path).unwrap_err().to_string();
    let expected = "expected to be told the language of the programs, `python` or `sql`";
    assert_eq!(message, format!("{}: {expected}", path.display()));
    // What is called a database in a corpus of Python is none.
    let python = open_as(Some("python"), &path).unwrap();
    assert_eq!(
        (python.language.as_str(), &python.examples[0].database),
        ("python", &None)
    );
    let message = open_as(Some("cobol"), &path).unwrap_err().to_string();
    assert_eq!(
        message,
        "expected a language of `python`, `sql`, found `cobol`"
    );
}

#[test]
fn json_lines_errors_are_placed() {
    let check_error = |name: &str, files: &[(&str, Option<&[u8]>)], parts: &[&str]| {
        let dir = folder(files);
        let error = open_as(Some("python"), &dir.path().join(name)).unwrap_err();
        let message = error.to_string();
        for part in parts {
            assert!(message.contains(part), "no {part:?} in {message:?}");
        }
    };
    let check = |content: &[u8], parts: &[&str]| {
        check_error("a.jsonl", &[("a.jsonl", Some(content))], parts);
    };
    let good = b"{\"text\": \"t\", \"code\": \"c\"}\n";
    check(
        &[good, &b"{\"text\": \"t\"}"[..]].concat(),
        &["a.jsonl:2:13", "`text` and `code`", "missing field `code`"],
    );
    check(
        &[good, &b"\n{\"text\": \"t"[..]].concat(),
        &["a.jsonl:3:", "EOF while parsing a string"],
    );
    check(b"[1]", &["a.jsonl:1:"]);
    check(b"{\"text\": 1, \"code\": \"c\"}", &["integer `1`"]);
    check(
        b"{\"text\": \"t\", \"code\": \"c\", \"split\": \"exam\"}",
        &["unknown variant `exam`", "`handwritten`"],
    );
    check(
        b"{\"text\": \"\0\", \"code\": \"c\"}",
        &["control character"],
    );
    check(b"\xff\xfe{", &["a.jsonl:1", "0xff"]);
    check(&b"[".repeat(200_000), &["a.jsonl:1:"]);
    check(b"", &["expected python programs, found none"]);
    check_error("a.jsonl", &[("a.jsonl/b", Some(b""))], &["found none"]);
    check_error("b.jsonl", &[], &["b.jsonl`, which is neither"]);
}

proptest! {
    #[test]
    fn no_line_of_json_makes_the_reader_panic(text in r#"[{}\[\]",:\\a0 \n]{0,40}|.{0,40}"#) {
        let _ = parse(Path::new("a.jsonl"), text.into_bytes(), "python");
    }

    #[test]
    fn what_is_written_as_json_lines_is_read(text in ".{0,20}", code in "(?s).{1,20}") {
        let row = serde_json::json!({"text": text, "code": code}).to_string();
        let bytes = format!("{row}\n{row}\r\n").into_bytes();
        let mut corpus = parse(Path::new("a.jsonl"), bytes, "python").unwrap();
        if let Some(example) = corpus.examples.pop() {
            prop_assert_eq!((example.text, example.code), (text, code));
        } else {
            prop_assert_eq!(corpus.dropped.len(), 2);
            prop_assert!(code.trim().is_empty());
        }
    }
}

#[test]
fn long_lines_are_read_whole() {
    let long = "x".repeat(5_000_000);
    let row = format!("{{\"text\": \"{long}\", \"code\": \"c\"}}");
    let dir = folder(&[("a.jsonl", Some(row.as_bytes()))]);
    let corpus = open_as(Some("python"), &dir.path().join("a.jsonl"));
    assert_eq!(corpus.unwrap().examples[0].text, long);
}
