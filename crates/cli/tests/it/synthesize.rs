//! `patois synthesize` as its users meet it.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{TINY, damage_rows, patois, run, run_json, tiny_folder};

/// A folder with a run that took a few steps, and a database that it has never seen.
fn trained() -> TempDir {
    trained_with(TINY)
}

fn trained_with(config: &str) -> TempDir {
    let folder = tiny_folder(&[("own.toml", config.as_bytes())]);
    let (code, _, stderr) = run(folder.path(), &["train", "own.toml", "--out", "tiny"]);
    assert_eq!(code, 0, "{stderr}");
    let database = rusqlite::Connection::open(folder.path().join("pets.db")).unwrap();
    let script = "CREATE TABLE pet(name TEXT, age INTEGER);
        INSERT INTO pet VALUES ('Rex', 3), ('Tom', 9), ('Ada', 7);";
    database.execute_batch(script).unwrap();
    folder
}

const PETS: [&str; 2] = ["--database", "pets.db"];

fn synthesize<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["synthesize", "tiny"], &PETS[..], arguments].concat()
}

#[test]
fn programs_come_best_first_with_their_traces_and_rows() {
    let folder = trained();
    let before = fs::read(folder.path().join("pets.db")).unwrap();
    let arguments = synthesize(&["How old is Rex?", "--top", "3", "--trace"]);
    let (code, report) = run_json(folder.path(), &arguments);
    assert_eq!(code, 0, "{report}");
    let programs = report["answers"][0]["programs"].as_array().unwrap();
    assert!(!programs.is_empty() && programs.len() <= 3, "{report}");
    let ln_p: Vec<f64> = programs
        .iter()
        .map(|it| it["ln_p"].as_f64().unwrap())
        .collect();
    assert!(
        ln_p.is_sorted_by(|a, b| a >= b) && ln_p[0] < 0.0,
        "{ln_p:?}"
    );
    for program in programs {
        assert!(
            program["code"].as_str().unwrap().starts_with("SELECT"),
            "{program}"
        );
        let trace = program["trace"].as_array().unwrap();
        assert_eq!(trace[0]["depth"], 0);
        // An idiom is named where it was chosen.
        let roots = trace.iter().filter(|it| it["is_root_of_idiom"] == true);
        let roots: Vec<&Value> = roots.map(|it| &it["idiom"]).collect();
        let idioms: Vec<&Value> = program["idioms"].as_array().unwrap().iter().collect();
        assert_eq!(roots, idioms, "{program}");
    }
    let result = &programs[0]["result"];
    assert!(
        result["rows"].is_array() || result["error"].is_string(),
        "{result}"
    );
    assert!(programs.get(1).is_none_or(|it| it["result"].is_null()));
    assert_eq!(fs::read(folder.path().join("pets.db")).unwrap(), before);
    let (code, stdout, _) = run(folder.path(), &arguments);
    assert_eq!(code, 0);
    assert!(
        stdout.contains("SELECT") && stdout.contains("└─"),
        "{stdout}"
    );
}

#[test]
fn lines_are_texts_and_neither_a_bad_nor_a_blank_one_stops_the_others() {
    let folder = trained();
    let words = "word ".repeat(10_000);
    let texts = format!("How many pets?\n\n{words}\nWho is old?\n");
    fs::write(folder.path().join("texts.txt"), &texts).unwrap();
    let check = |report: &Value| {
        let answers = report["answers"].as_array().unwrap();
        let counts = answers
            .iter()
            .map(|it| it["programs"].as_array().unwrap().len());
        assert_eq!(counts.collect::<Vec<_>>(), [1, 0, 1], "{report}");
        let error = answers[1]["errors"][0].as_str().unwrap();
        assert!(error.contains("has 10000 words"), "{error}");
    };
    let (code, report) = run_json(folder.path(), &synthesize(&["--file", "texts.txt"]));
    assert_eq!(code, 1);
    check(&report);
    let mut child = patois(folder.path(), &synthesize(&["--json"]))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(texts.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    check(&serde_json::from_slice(&output.stdout).unwrap());
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let folder = trained();
    fs::write(folder.path().join("text.sqlite"), "no database").unwrap();
    rusqlite::Connection::open(folder.path().join("empty.sqlite"))
        .unwrap()
        .execute_batch("CREATE TABLE t(x); DROP TABLE t;")
        .unwrap();
    let check = |arguments: &[&str], expected_code: i32, part: &str| {
        let arguments = [&["synthesize"], arguments].concat();
        let (code, _, stderr) = run(folder.path(), &arguments);
        assert_eq!(code, expected_code, "{stderr}");
        assert!(stderr.contains(part), "{stderr}");
    };
    check(&["tiny", "x"], 2, "queries are about a database");
    check(
        &["tiny", "x", "--database", "none.sqlite"],
        1,
        "none.sqlite",
    );
    check(
        &["tiny", "x", "--database", "text.sqlite"],
        1,
        "expected a SQLite database",
    );
    check(
        &["tiny", "x", "--database", "empty.sqlite"],
        1,
        "there is no table",
    );
    check(&["absent", "x"], 1, "holds no run");
    let (code, stdout, _) = run(folder.path(), &synthesize(&[""]));
    assert_eq!(code, 1);
    assert!(stdout.contains("the text has no words"), "{stdout}");
}

/// It used to end well, and `errors` was empty.
#[test]
fn a_query_that_cannot_be_run_is_a_failure() {
    let folder = trained_with(&TINY.replace("linking = \"values\"", "linking = \"names\""));
    damage_rows(&folder.path().join("pets.db"));
    let (code, report) = run_json(folder.path(), &synthesize(&["Who is old?"]));
    assert_eq!(code, 1, "{report}");
    let answer = &report["answers"][0];
    let error = answer["errors"][0].as_str().unwrap();
    assert!(error.contains("the query fails"), "{error}");
    assert!(answer["programs"][0]["result"]["error"].is_string());
    let unasked = synthesize(&["Who is old?", "--no-rows"]);
    let (code, report) = run_json(folder.path(), &unasked);
    assert_eq!(code, 0, "{report}");
}

#[test]
fn a_database_of_the_corpus_goes_by_its_name() {
    let embedded = TINY.replace("tiny.jsonl", "default");
    let folder = tiny_folder(&[("embedded.toml", embedded.as_bytes())]);
    for (name, database) in [("tiny", "gym"), ("embedded", "library")] {
        let config = format!("{name}.toml");
        let (code, _, stderr) = run(folder.path(), &["train", &config, "--out", name]);
        assert_eq!(code, 0, "{stderr}");
        let text = "How many are there?";
        let arguments = ["synthesize", name, text, "--database", database];
        let (code, report) = run_json(folder.path(), &arguments);
        assert_eq!(code, 0, "{report}");
    }
}
