//! `patois experiment`: a grid of tiny runs, once and again.

use std::fs;
use std::path::Path;

use patois::experiment::Experiment;

use crate::program::{TINY, folder_with, run, run_json, tiny_folder};

const GRID: &str = r#"
title = "Do idioms help <a tiny model>?"
base = "tiny.toml"
seeds = [1, 2]
baseline = "plain"
[[cell]]
name = "plain"
set.training.objective = "plain"
[[axis]]
key = "idioms.mining.n_idioms"
values = [5]
[[published]]
cell = "5"
exact_match = 0.5
"#;

#[test]
fn runs_are_taken_once_and_end_in_a_table() {
    let folder = tiny_folder(&[("grid.toml", GRID.as_bytes())]);
    let path = |name: &str| folder.path().join("runs/grid").join(name);
    let command = ["experiment", "grid.toml"];
    let (status, table) = run_json(folder.path(), &command);
    assert_eq!(status, 0, "{table}");
    let cells = table["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    for cell in cells {
        assert_eq!(cell["runs"].as_array().unwrap().len(), 2, "{cell}");
        assert!(cell["exact_match"]["deviation"].is_number(), "{cell}");
    }
    let record = &cells[0]["runs"][0]["record"];
    assert!(record["seconds"].as_f64().unwrap() > 0.0, "{record}");
    assert!(record["threads"].as_u64().unwrap() > 0, "{record}");
    assert!(cells[0]["against_baseline"].is_null());
    assert!(cells[1]["against_baseline"]["p"].is_number());
    let markdown = fs::read_to_string(path("table.md")).unwrap();
    assert!(markdown.contains("| 5 | 2 of 2 |"), "{markdown}");
    assert!(
        markdown.contains("`patois experiment grid.toml`"),
        "{markdown}"
    );
    let page = fs::read_to_string(path("table.html")).unwrap();
    assert!(
        page.contains("Do idioms help &lt;a tiny model&gt;?"),
        "{page}"
    );
    assert!(page.contains("Content-Security-Policy"), "{page}");
    // Deviations below their means: with them beside, the last column was clipped.
    assert!(page.contains("<small>± "), "{page}");

    let plot = fs::read_to_string(path("plot.svg")).unwrap();
    assert_eq!(plot.matches("class=\"run\"").count(), 4, "{plot}");
    assert_eq!(plot.matches("class=\"published\"").count(), 1, "{plot}");

    // What is there is not done again, and a record is enough; what is missing is done.
    let model = path("5/seed-1/model.safetensors");
    let made = fs::metadata(&model).unwrap().modified().unwrap();
    fs::remove_dir_all(path("plain/seed-1")).unwrap();
    let lost = path("5/seed-2/predictions.jsonl");
    let before = fs::read(&lost).unwrap();
    fs::remove_file(&lost).unwrap();
    fs::remove_file(path("5/seed-2.json")).unwrap();
    let (status, partial) = run_json(folder.path(), &["experiment", "grid.toml", "--table"]);
    assert_eq!(status, 0);
    let n_runs = |cell: usize| partial["cells"][cell]["runs"].as_array().unwrap().len();
    assert_eq!((n_runs(0), n_runs(1)), (2, 1));
    let (status, again) = run_json(folder.path(), &command);
    assert_eq!(status, 0, "{again}");
    assert_eq!(without_times(again), without_times(table));
    assert_eq!(fs::read(&lost).unwrap(), before);
    assert_eq!(fs::metadata(&model).unwrap().modified().unwrap(), made);
    assert!(!path("plain/seed-1").exists());

    // Runs of another experiment are no part of this one.
    let objective = "set.training.objective = \"plain\"";
    let steps = "set.training = { objective = \"plain\", n_steps = 3 }";
    let other = GRID.replace(objective, steps);
    fs::write(folder.path().join("grid.toml"), other).unwrap();
    let (status, _, stderr) = run(folder.path(), &command);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("plain/seed-1"), "{stderr}");
    assert!(stderr.contains("another configuration"), "{stderr}");
}

const SECOND: &str = r#"
title = "What another experiment has made"
base = "tiny.toml"
seeds = [1]
runs_of = ["grid", "nobody has run this one"]
[[cell]]
name = "new"
set.idioms.mining.n_idioms = 6
[[cell]]
name = "as before"
set.idioms.mining.n_idioms = 5
"#;

#[test]
fn runs_that_serve_twice_are_taken_once() {
    let grid = GRID.replace("[1, 2]", "[1]");
    let folder = tiny_folder(&[
        ("grid.toml", grid.as_bytes()),
        ("second.toml", SECOND.as_bytes()),
    ]);
    let one_thread = ["experiment", "grid.toml", "--threads", "1"];
    let (status, before) = run_json(folder.path(), &one_thread);
    assert_eq!(status, 0, "{before}");
    // All cores of the machine used to be recorded, whatever was used of them.
    assert_eq!(before["cells"][0]["runs"][0]["record"]["threads"], 1);
    let (status, table) = run_json(folder.path(), &["experiment", "second.toml"]);
    assert_eq!(status, 0, "{table}");
    let record = |table: &serde_json::Value, cell: usize| {
        let runs = table["cells"][cell]["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 1, "{table}");
        runs[0]["record"].clone()
    };
    assert_eq!(record(&table, 1), record(&before, 1));
    let path = |name: &str| folder.path().join("runs/second").join(name);
    assert!(path("new/seed-1").exists() && !path("as_before/seed-1").exists());
}

/// Machines change between sittings: records alone must be enough to go on.
#[test]
fn folds_go_on_from_their_records() {
    let set = "seeds = [1]\nfolds = [0, 1]\nset = { n_folds = 2, fold_seed = 3, folds_of = [\"train\", \"dev\"] }";
    let grid = GRID.replacen("seeds = [1, 2]", set, 1);
    let folder = tiny_folder(&[("grid.toml", grid.as_bytes())]);
    let path = |name: &str| folder.path().join("runs/grid").join(name);
    let command = ["experiment", "grid.toml", "--out", "runs/grid"];
    let (status, table) = run_json(folder.path(), &command);
    assert_eq!(status, 0, "{table}");
    let ids = |fold: usize| {
        let ids = table["cells"][0]["runs"][fold]["ids"].as_array().unwrap();
        ids.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    // Every example of both splits is asked once.
    let mut asked = [ids(0), ids(1)].concat();
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), ids(0).len() + ids(1).len());
    assert_eq!(table["examples"], asked.len());
    assert_eq!(table["cells"][1]["outcomes"], asked.len());
    let compared = &table["cells"][1]["against_baseline"];
    for figure in ["mean", "p", "p_corrected", "detectable"] {
        assert!(compared[figure].is_number(), "{compared}");
    }
    let record = fs::read_to_string(path("plain/fold-1-seed-1.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert!(record["effort"]["cpu_seconds"].as_f64().unwrap() > 0.0);

    for run in [
        "plain/fold-0-seed-1",
        "plain/fold-1-seed-1",
        "5/fold-0-seed-1",
    ] {
        fs::remove_dir_all(path(run)).unwrap();
    }
    fs::remove_dir_all(path("5/fold-1-seed-1")).unwrap();
    fs::remove_file(path("5/fold-1-seed-1.json")).unwrap();
    let (status, again) = run_json(folder.path(), &command);
    assert_eq!(status, 0, "{again}");
    assert_eq!(without_times(again), without_times(table));
    assert!(!path("plain/fold-0-seed-1").exists() && path("5/fold-1-seed-1").exists());
}

/// A table but for how long its runs took.
fn without_times(mut table: serde_json::Value) -> serde_json::Value {
    for cell in table["cells"].as_array_mut().unwrap() {
        cell["minutes"].take();
        cell["cpu_minutes"].take();
        for run in cell["runs"].as_array_mut().unwrap() {
            run["record"].take();
        }
    }
    table
}

#[test]
fn mistakes_are_said_before_anything_runs() {
    let wrong = GRID.replace("n_idioms", "n_idoms");
    let folder = tiny_folder(&[("grid.toml", wrong.as_bytes())]);
    let (status, _, stderr) = run(folder.path(), &["experiment", "grid.toml"]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("n_idoms"), "{stderr}");
    assert!(!folder.path().join("runs").exists());
    let (status, _, stderr) = run(folder.path(), &["experiment", "nothing.toml"]);
    assert_eq!(status, 2, "{stderr}");
}

#[test]
fn a_run_that_fails_is_named() {
    let grid = GRID.replace("tiny.toml", "elsewhere.toml");
    let base = TINY.replace("corpus = \"tiny.jsonl\"", "corpus = \"hearthstone\"");
    let base = base.replace("encoder = \"schema\"", "encoder = \"words\"");
    let folder = folder_with(&[
        ("elsewhere.toml", base.as_bytes()),
        ("grid.toml", grid.as_bytes()),
    ]);
    let (status, _, stderr) = run(
        folder.path(),
        &["experiment", "grid.toml", "--data", "none"],
    );
    assert_eq!(status, 1, "{stderr}");
    assert!(stderr.contains("seed-1"), "{stderr}");
    assert!(stderr.contains("has failed"), "{stderr}");
}

#[test]
fn every_experiment_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/experiments");
    let mut n_runs = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        let experiment = Experiment::read(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(experiment.baseline.is_some());
        n_runs.push(experiment.runs().len());
    }
    assert_eq!(
        n_runs,
        [
            14, 10, 12, 31, 1, 6, 30, 15, 15, 30, 30, 15, 20, 20, 30, 30, 8
        ]
    );
}

#[test]
fn parts_of_a_grid_come_to_the_table_of_the_whole() {
    let folder = tiny_folder(&[("grid.toml", GRID.as_bytes())]);
    let take = |shard: &str, out: &str| {
        let command = ["experiment", "grid.toml", "--shard", shard, "--out", out];
        let (status, table) = run_json(folder.path(), &command);
        assert_eq!(status, 0, "{table}");
        let cells = table["cells"].as_array().unwrap().clone();
        let n_runs = |it: &serde_json::Value| it["runs"].as_array().unwrap().len();
        cells.iter().map(n_runs).sum::<usize>()
    };
    assert_eq!(take("3/3", "parts"), 1);
    // Two at once; whoever ends last has written all.
    let both = std::thread::scope(|scope| {
        let parts = ["1/3", "2/3"].map(|it| scope.spawn(move || take(it, "parts")));
        parts.map(|it| it.join().unwrap())
    });
    assert_eq!(both.into_iter().max(), Some(4));
    assert_eq!(take("1/1", "whole"), 4);
    let read = |name: &str| {
        let table = fs::read_to_string(folder.path().join(name).join("table.md")).unwrap();
        let rows = table.lines().filter(|it| it.starts_with("| "));
        rows.map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(read("parts"), read("whole"));

    let command = ["experiment", "grid.toml", "--shard", "4/3"];
    let (status, _, error) = run(folder.path(), &command);
    assert_eq!(status, 2, "{error}");
    assert!(error.contains("expected I/N with I from 1 to N"), "{error}");
}
