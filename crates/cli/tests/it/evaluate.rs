//! `patois evaluate` as its users meet it.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{TINY, check_failure, damage_rows, folder_with, run, run_json, tiny_folder};

/// A folder with a run that took a few steps.
fn trained() -> TempDir {
    let folder = tiny_folder(&[]);
    let (code, _, stderr) = run(folder.path(), &["train", "tiny.toml", "--out", "tiny"]);
    assert_eq!(code, 0, "{stderr}");
    folder
}

#[test]
fn predictions_are_written_and_measured() {
    let folder = trained();
    let arguments = ["evaluate", "tiny", "--limit", "6", "--beam", "2"];
    let (code, report) = run_json(folder.path(), &arguments);
    assert_eq!(code, 0, "{report}");
    assert_eq!(report["examples"], 6);
    for metric in ["exact_match", "execution"] {
        let all = report[metric]["all"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&all), "{report}");
    }
    let lines = fs::read_to_string(folder.path().join("tiny/predictions.jsonl")).unwrap();
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 6);
    for line in lines {
        assert_eq!(line["split"], "dev");
        assert!(line["ln_p"].as_f64().unwrap() < 0.0, "{line}");
        assert!(
            line["predicted"].as_str().unwrap().starts_with("SELECT"),
            "{line}"
        );
    }
}

#[test]
fn a_folder_without_a_model_is_no_run() {
    let folder = trained();
    let check = |arguments: &[&str], expected: &str| {
        let (code, _, stderr) = run(folder.path(), arguments);
        assert_eq!(code, 1, "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    };
    check(&["evaluate", "absent"], "holds no run");
    fs::remove_file(folder.path().join("tiny/model.safetensors")).unwrap();
    check(&["evaluate", "tiny"], "no `model.safetensors`");
    fs::write(folder.path().join("tiny/model.safetensors"), "x").unwrap();
    check(&["evaluate", "tiny"], "expected a file of tensors");
    fs::remove_file(folder.path().join("tiny/model.toml")).unwrap();
    check(&["evaluate", "tiny"], "no `model.toml`");
}

#[test]
fn wrong_programs_are_shown_beside_the_gold_ones() {
    let folder = trained();
    let arguments = ["evaluate", "tiny", "--limit", "6", "--show-wrong", "2"];
    let (code, stdout, _) = run(folder.path(), &arguments);
    assert_eq!(code, 0);
    let shown = stdout.lines().filter(|line| line.contains(" | ")).count();
    assert!(shown >= 2, "{stdout}");
    assert!(stdout.contains("idioms of the library"), "{stdout}");
    assert!(
        stdout.lines().all(|line| line.chars().count() <= 120),
        "{stdout}"
    );
    let (_, report) = run_json(folder.path(), &["evaluate", "tiny", "--limit", "6"]);
    let usage = &report["idioms"];
    assert_eq!(
        (&usage["library"], &usage["all"]["programs"]),
        (&10.into(), &6.into())
    );
    assert_eq!(report["faults"].as_array().unwrap().len(), report["errors"]);
}

/// A folder with a run about songs: configuration, pairs and database have a folder each.
fn trained_on_songs(linking: &str) -> TempDir {
    let config = TINY
        .replace(
            "corpus = \"tiny.jsonl\"\nlanguage = \"sql\"\nn_train = 40",
            "corpus = \"../pairs/songs.jsonl\"\nlanguage = \"sql\"",
        )
        .replace("n_steps = 12", "n_steps = 40")
        .replace("linking = \"values\"", &format!("linking = \"{linking}\""));
    let row = r#"{"text": "Which songs are there?", "code": "SELECT title FROM song", "database": "../db/music.sqlite"}"#;
    let rows = vec![row; 20].join("\n");
    let folder = folder_with(&[
        ("configs/tiny.toml", config.as_bytes()),
        ("pairs/songs.jsonl", rows.as_bytes()),
        ("db/README", b""),
    ]);
    let database = rusqlite::Connection::open(folder.path().join("db/music.sqlite")).unwrap();
    let script =
        "CREATE TABLE song(title TEXT, length INTEGER); INSERT INTO song VALUES ('Help', 138)";
    database.execute_batch(script).unwrap();

    let train = ["train", "configs/tiny.toml", "--out", "run"];
    let (code, _, stderr) = run(folder.path(), &train);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("the corpus has no dev split"), "{stderr}");
    folder
}

/// `train` used to look for `database/music/music.sqlite`, and `evaluate` for nothing that could exist: it said
/// that no query returns the right rows.
#[test]
fn pairs_about_a_database_elsewhere_are_learnt_from_and_run() {
    let folder = trained_on_songs("values");
    let path = |name: &str| folder.path().join(name);
    let resume = ["train", "tiny.toml", "--out", "../run", "--resume"];
    let (code, _, stderr) = run(&path("configs"), &resume);
    assert_eq!(code, 0, "{stderr}");

    // A run is moved, and evaluated from somewhere else.
    fs::create_dir(path("runs")).unwrap();
    fs::rename(path("run"), path("runs/moved")).unwrap();
    let (code, report) = run_json(&path("db"), &["evaluate", "../runs/moved"]);
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        (&report["examples"], &report["errors"]),
        (&2.into(), &0.into()),
        "{report}"
    );
    assert_eq!(report["execution"]["all"], 1.0, "{report}");
    let page = fs::read_to_string(path("runs/moved/report.md")).unwrap();
    assert!(
        page.contains("songs.jsonl") && page.contains("no dev split"),
        "{page}"
    );
    fs::remove_file(path("db/music.sqlite")).unwrap();
    let (code, _, stderr) = run(folder.path(), &["evaluate", "runs/moved"]);
    assert_eq!(code, 1, "{stderr}");
    let row = path("pairs/songs.jsonl").display().to_string() + ":1: expected the database";
    assert!(stderr.contains(&row), "{stderr}");
}

/// It used to print an execution accuracy of 0.000 and to end well.
#[test]
fn where_no_query_can_be_run_it_fails() {
    let folder = trained_on_songs("names");
    damage_rows(&folder.path().join("db/music.sqlite"));
    let (code, report) = run_json(folder.path(), &["evaluate", "run"]);
    assert_eq!(code, 1, "{report}");
    assert_eq!(report["examples"], report["errors"], "{report}");
    let error = report["faults"][0]["errors"][0].as_str().unwrap();
    assert!(error.contains("malformed"), "{error}");
}

/// It used to print figures of nothing, and to write a report of them.
#[test]
fn a_split_of_dropped_rows_is_refused() {
    let folder = trained();
    let (code, _, stderr) = run(folder.path(), &["evaluate", "tiny"]);
    assert_eq!(code, 0, "{stderr}");
    let report = || fs::read(folder.path().join("tiny/report.json")).unwrap();
    let before = report();
    for name in ["gym", "museum"] {
        damage_rows(&folder.path().join(format!("database/{name}.sqlite")));
    }
    let said = ["no row of the split `dev` of `tiny.jsonl` is an example: tiny.jsonl:"];
    check_failure(folder.path(), &["evaluate", "tiny"], 1, &said);
    assert_eq!(report(), before);

    // Every row is dropped, so none can be kept back for a dev split.
    let folder = trained_on_songs("values");
    let database = rusqlite::Connection::open(folder.path().join("db/music.sqlite")).unwrap();
    database.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let said = ["no row of the split `dev`", "music.sqlite` is locked"];
    check_failure(folder.path(), &["evaluate", "run"], 1, &said);
}

#[test]
fn another_corpus_leaves_the_run_as_it_is() {
    let folder = trained();
    let before = fs::read(folder.path().join("tiny/report.json")).ok();
    let on = |corpus: &str| {
        let arguments = [
            "evaluate",
            "tiny",
            "--corpus",
            corpus,
            "--out",
            "other.out",
            "--limit",
            "3",
        ];
        run(folder.path(), &arguments)
    };
    let (code, _, stderr) = on("default");
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(
        fs::read_to_string(folder.path().join("other.out"))
            .unwrap()
            .lines()
            .count(),
        3
    );
    assert_eq!(
        fs::read(folder.path().join("tiny/report.json")).ok(),
        before
    );
    assert!(!folder.path().join("tiny/predictions.jsonl").exists());

    let (code, _, stderr) = on("absent");
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("absent"), "{stderr}");
    let (code, _, stderr) = run(folder.path(), &["evaluate", "tiny", "--corpus", "default"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("--out"), "{stderr}");
}
