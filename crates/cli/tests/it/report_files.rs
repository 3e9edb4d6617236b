//! The reports that verbs leave in the folder of a run, and what damages them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::program::{TINY, check_failure, folder_with, run, run_json};
use crate::report::check_page;

/// Twelve questions instead of six hundred.
fn rows() -> String {
    let row = |(index, split): (usize, &str)| {
        let text = format!("print {index} <b>\"twice\"</b>");
        let code = format!("print({index})\nprint({index})\n");
        json!({ "text": text, "code": code, "split": split }).to_string() + "\n"
    };
    let splits = ["train"; 8]
        .into_iter()
        .chain(["dev", "dev", "test", "test"]);
    splits.enumerate().map(row).collect()
}

const PYTHON: &str = r#"
corpus = "rows.jsonl"
language = "python"
[idioms.mining]
n_idioms = 3
[model]
word_size = 8
hidden_size = 16
action_size = 8
symbol_size = 4
attention_size = 8
dropout = 0.1
[training]
objective = "marginal"
n_steps = 6
batch_size = 4
evaluate_every = 3
[search]
max_steps = 40
"#;

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

/// The report without what a clock said.
fn timeless(folder: &Path) -> Value {
    timeless_text(&read(folder, "report.json"))
}

fn timeless_text(report: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(object) => {
                object.remove("seconds");
                object.remove("checksum");
                object.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value: Value = serde_json::from_str(report).unwrap();
    strip(&mut value);
    value
}

#[test]
fn a_run_ends_with_a_report() {
    let files = [
        ("small.toml", PYTHON.as_bytes()),
        ("rows.jsonl", rows().into_bytes().leak()),
    ];
    let folder = folder_with(&files);
    for out in ["one", "two"] {
        let (code, said) = run_json(folder.path(), &["run", "small.toml", "--out", out]);
        assert_eq!(code, 0, "{said}");
        assert_eq!(said["results"].as_array().unwrap().len(), 2, "{said}");
        assert_eq!(said["report"], format!("{out}/report.html"));
    }
    let one = folder.path().join("one");
    let value = timeless(&one);
    assert_eq!(value, timeless(&folder.path().join("two")));
    for key in [
        "version", "patois", "corpus", "seed", "config", "sets", "systems", "idioms", "timings",
    ] {
        assert!(!value[key].is_null(), "{key}");
    }
    assert_eq!(value["config"]["training"]["n_steps"], 6);
    assert_eq!(value["config"]["model"]["dropout"], 0.1);
    assert_eq!(value["corpus"]["splits"][0]["examples"], 8);
    let results = &value["systems"][0]["results"];
    assert_eq!(
        (&results[0]["set"], &results[1]["set"]),
        (&json!("test"), &json!("dev"))
    );
    for key in ["exact_match", "sentence_bleu", "corpus_bleu"] {
        assert!(results[0][key].is_f64(), "{key}: {results}");
    }
    check_page(&read(&one, "report.html"));
    assert!(!read(&one, "report.html").contains("://"));
    assert_eq!(read(&one, "predictions.jsonl").lines().count(), 4);

    // Evaluating refreshes a set, some examples of it do not; the report can be drawn again.
    let (code, _, stderr) = run(folder.path(), &["evaluate", "one", "--limit", "1"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(timeless(&one), value);
    let arguments = ["evaluate", "one", "--split", "train", "--beam", "2"];
    let (code, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(code, 0, "{stderr}");
    let results = &timeless(&one)["systems"][0]["results"];
    assert_eq!(results.as_array().unwrap().len(), 3);
    assert_eq!(results[2]["beam"], 2);
    let before = ["report.json", "report.md", "report.html"].map(|it| read(&one, it));
    for file in ["report.md", "report.html"] {
        fs::remove_file(one.join(file)).unwrap();
    }
    assert_eq!(run(folder.path(), &["report", "one"]).0, 0);
    let after = ["report.json", "report.md", "report.html"].map(|it| read(&one, it));
    assert_eq!(after, before);

    // What a model wrote before it was trained further says nothing of what it is now.
    let train = "train small.toml --out one --resume --steps 8";
    let arguments: Vec<_> = train.split(' ').collect();
    assert_eq!(run(folder.path(), &arguments).0, 0);
    let (_, report) = run_json(folder.path(), &["report", "one"]);
    assert_eq!(report["sets"], json!([]));
    assert_eq!(report["systems"][0]["step"], 8);
}

/// It used to be made anew, and the evaluations in it were lost: 388 KB became 20 KB, and all was well.
#[test]
fn a_report_that_cannot_be_read_is_left_as_it_is() {
    let files = [
        ("small.toml", PYTHON.as_bytes()),
        ("rows.jsonl", rows().into_bytes().leak()),
    ];
    let folder = folder_with(&files);
    assert_eq!(
        run(folder.path(), &["run", "small.toml", "--out", "one"]).0,
        0
    );
    let path = folder.path().join("one/report.json");
    let whole = fs::read_to_string(&path).unwrap();
    let damaged = [
        (whole[..whole.len() / 2].to_owned(), "line"),
        (String::new(), "line 1"),
        ("{\"version\": 1, \"patois\"".to_owned(), "line 1"),
        (
            whole.replacen("\"version\": 1", "\"version\": 9", 1),
            "expected version 1, found 9",
        ),
        (
            whole.replacen("\"examples\": 2", "\"examples\": 3", 1),
            "its checksum is",
        ),
    ];
    for (text, said) in &damaged {
        assert_ne!(*text, whole);
        fs::write(&path, text).unwrap();
        for verb in [
            &["report", "one"][..],
            &["evaluate", "one"],
            &["run", "small.toml", "--out", "one"],
        ] {
            let parts = [
                "`one/report.json` is damaged, or no report",
                said,
                "delete it, and evaluate again",
            ];
            check_failure(folder.path(), verb, 1, &parts);
            assert_eq!(fs::read_to_string(&path).unwrap(), *text, "{verb:?}");
        }
    }
    // Whoever has no copy can go on without.
    fs::remove_file(&path).unwrap();
    let (code, report) = run_json(folder.path(), &["report", "one"]);
    assert_eq!((code, &report["sets"]), (0, &json!([])));
    fs::write(&path, &whole).unwrap();
    assert_eq!(run(folder.path(), &["report", "one"]).0, 0);
    assert_eq!(
        timeless(path.parent().unwrap())["systems"],
        timeless_text(&whole)["systems"]
    );
}

/// What came of a baseline stays when its folder goes; a description that cannot be read is said.
#[test]
fn a_baseline_that_is_gone_stays_in_the_report() {
    let compared = format!("baseline = true\n{PYTHON}");
    let files = [
        ("compared.toml", compared.as_bytes()),
        ("rows.jsonl", rows().into_bytes().leak()),
    ];
    let folder = folder_with(&files);
    assert_eq!(
        run(folder.path(), &["run", "compared.toml", "--out", "b"]).0,
        0
    );
    let before = timeless(&folder.path().join("b"));
    let card = folder.path().join("b/baseline/model.toml");
    let whole = fs::read(&card).unwrap();
    fs::write(&card, "version = 1\ncor").unwrap();
    check_failure(
        folder.path(),
        &["report", "b"],
        1,
        &["baseline/model.toml`"],
    );
    fs::write(&card, whole).unwrap();
    fs::remove_dir_all(folder.path().join("b/baseline")).unwrap();
    assert_eq!(run(folder.path(), &["report", "b"]).0, 0);
    assert_eq!(timeless(&folder.path().join("b")), before);
}

/// The configuration of one run beside the files of another used to be evaluated and reported as if they
/// belonged together.
#[test]
fn files_of_two_runs_are_not_taken_for_one() {
    let files = [
        ("small.toml", PYTHON.as_bytes()),
        ("rows.jsonl", rows().into_bytes().leak()),
    ];
    let folder = folder_with(&files);
    for seed in ["1", "2"] {
        let arguments = ["run", "small.toml", "--out", seed, "--seed", seed];
        assert_eq!(run(folder.path(), &arguments).0, 0);
    }
    let path = |run: &str, file: &str| folder.path().join(run).join(file);
    let mixed = [
        "model.safetensors",
        "model.toml",
        "checkpoint.safetensors",
        "idioms.json",
        "predictions.jsonl",
        "report.json",
    ];
    for file in mixed {
        let own = fs::read(path("1", file)).unwrap();
        fs::copy(path("2", file), path("1", file)).unwrap();
        for verb in [
            &["report", "1"][..],
            &["evaluate", "1"],
            &["run", "small.toml", "--out", "1", "--seed", "1"],
        ] {
            let named =
                format!("`1/{file}` was made with another configuration than `1/config.toml`");
            check_failure(
                folder.path(),
                verb,
                1,
                &[&named, "its fingerprint is", "expected"],
            );
        }
        fs::write(path("1", file), own).unwrap();
    }
    assert_eq!(run(folder.path(), &["evaluate", "1"]).0, 0);
    // Runs of earlier versions say nothing of their configuration.
    let card = read(&folder.path().join("2"), "model.toml");
    let older: Vec<&str> = card
        .lines()
        .filter(|it| !it.starts_with("run = "))
        .collect();
    fs::write(path("1", "model.toml"), older.join("\n")).unwrap();
    assert_eq!(run(folder.path(), &["evaluate", "1"]).0, 0);
}

#[test]
fn a_baseline_stands_beside_the_model() {
    let compared = format!("baseline = true\n{PYTHON}");
    let files = [
        ("compared.toml", compared.as_bytes()),
        ("alone.toml", PYTHON.as_bytes()),
        ("rows.jsonl", rows().into_bytes().leak()),
    ];
    let folder = folder_with(&files);
    let (code, stdout, _) = run(folder.path(), &["run", "compared.toml", "--out", "b"]);
    assert_eq!(code, 0);
    assert!(
        stdout.contains("exact match, baseline  exact match, idioms"),
        "{stdout}"
    );
    let report = timeless(&folder.path().join("b"));
    let names: Vec<&Value> = report["systems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["baseline", "idioms"]);
    check_page(&read(&folder.path().join("b"), "report.html"));

    // What is left of an earlier run is no baseline of one that has none.
    let again = ["run", "alone.toml", "--out", "b", "--force"];
    let (code, stdout, _) = run(folder.path(), &again);
    assert_eq!(code, 0);
    assert!(!stdout.contains("baseline"), "{stdout}");
}

#[test]
fn what_is_no_run_has_no_report() {
    let folder = folder_with(&[("run/config.toml", TINY.as_bytes())]);
    check_failure(folder.path(), &["report", "absent"], 1, &["holds no run"]);
    check_failure(folder.path(), &["report", "run"], 1, &["no `model.toml`"]);
}
