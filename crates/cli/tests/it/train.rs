//! `patois train` as its users meet it.

use std::fs;
use std::path::Path;

use patois::run::folder::RunFile;
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{TINY, check_failure, folder_with, patois, run, run_json, tiny_folder};

fn folder() -> TempDir {
    tiny_folder(&[])
}

fn bytes(folder: &TempDir, run: &str, file: &str) -> Vec<u8> {
    fs::read(folder.path().join(run).join(file)).unwrap()
}

/// The steps that a log speaks of, in order; measurements are told apart by their loss.
fn logged(folder: &TempDir, run: &str) -> Vec<(u64, bool)> {
    let text = String::from_utf8(bytes(folder, run, "training.jsonl")).unwrap();
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        (line["step"].as_u64().unwrap(), line["dev_loss"].is_number())
    };
    text.lines().map(line).collect()
}

#[test]
fn a_run_holds_all_that_came_of_it() {
    let folder = folder();
    let (code, report) = run_json(folder.path(), &["train", "tiny.toml"]);
    assert_eq!(code, 0, "{report}");
    assert_eq!(report["steps"], 12);
    for key in ["seconds", "steps_per_second", "loss", "dev_loss"] {
        assert!(report[key].as_f64().unwrap() > 0.0, "{key}: {report}");
    }
    let run = folder.path().join("runs/tiny");
    for file in [
        RunFile::Config,
        RunFile::Idioms,
        RunFile::Checkpoint,
        RunFile::Model,
        RunFile::Card,
        RunFile::Log,
    ] {
        assert!(run.join(file.name()).is_file(), "{}", file.name());
    }
    let log = logged(&folder, "runs/tiny");
    let measured: Vec<u64> = log.iter().filter(|it| it.1).map(|it| it.0).collect();
    assert_eq!((log.len(), measured), (14, vec![6, 12]));
    let card = fs::read_to_string(run.join("model.toml")).unwrap();
    assert!(
        card.contains("n_idioms = 10") && card.contains("step = 12"),
        "{card}"
    );
}

#[test]
fn runs_are_repeatable_and_go_on_where_they_stopped() {
    let folder = folder();
    let train = |arguments: &[&str]| {
        let (code, _, stderr) = run(
            folder.path(),
            &[&["train", "tiny.toml"], arguments].concat(),
        );
        assert_eq!(code, 0, "{stderr}");
    };
    train(&["--out", "one"]);
    train(&["--out", "two", "--threads", "1"]);
    train(&["--out", "three", "--steps", "12"]);
    // As if it had been killed after the checkpoint of step 8.
    train(&["--out", "half", "--steps", "8"]);
    fs::remove_file(folder.path().join("half/model.safetensors")).unwrap();
    train(&["--out", "half", "--resume"]);
    for other in ["two", "three", "half"] {
        for file in ["checkpoint.safetensors", "model.safetensors", "idioms.json"] {
            let is_same = bytes(&folder, "one", file) == bytes(&folder, other, file);
            assert!(is_same, "{other}/{file} differs");
        }
    }
    let steps = logged(&folder, "half").into_iter().filter(|it| !it.1);
    assert!(steps.map(|it| it.0).eq(1..=12));
    train(&["--out", "other", "--seed", "4"]);
    let file = "model.safetensors";
    assert_ne!(bytes(&folder, "one", file), bytes(&folder, "other", file));
}

/// Derivations that are drawn at random are drawn again where training goes on.
#[test]
fn atomic_idioms_are_repeatable_and_can_be_measured() {
    let once = TINY
        .replace("[model]\n", "[model]\nidioms = \"atomic\"\n")
        .replace(
            "[training]\n",
            "[training]\nn_derivations = 3\nidiom_dropout = 0.5\n",
        );
    let folder = tiny_folder(&[("once.toml", once.as_bytes())]);
    let train = |arguments: &[&str]| {
        let (code, _, stderr) = run(
            folder.path(),
            &[&["train", "once.toml"], arguments].concat(),
        );
        assert_eq!(code, 0, "{stderr}");
    };
    train(&["--out", "one"]);
    train(&["--out", "half", "--steps", "8", "--threads", "1"]);
    train(&["--out", "half", "--resume"]);
    let file = "model.safetensors";
    assert_eq!(bytes(&folder, "one", file), bytes(&folder, "half", file));
    let (code, report) = run_json(folder.path(), &["evaluate", "one", "--split", "dev"]);
    assert_eq!(code, 0, "{report}");
}

/// Waits until a file has grown to some length.
#[cfg(unix)]
fn wait_for(file: &Path, length: usize) {
    for _ in 0..6000 {
        if fs::read(file).is_ok_and(|bytes| bytes.len() >= length) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{} does not grow", file.display());
}

/// A checkpoint after every step, so that many of the kills come while one is being written.
#[cfg(unix)]
#[test]
fn a_run_that_is_killed_again_and_again_ends_in_the_same_bytes() {
    let config = TINY.replace("checkpoint_every = 4", "checkpoint_every = 1");
    let folder = tiny_folder(&[("tiny.toml", config.as_bytes())]);
    let arguments = ["train", "tiny.toml", "--steps", "40", "-q"];
    let (code, _, stderr) = run(
        folder.path(),
        &[&arguments[..], &["--out", "whole"]].concat(),
    );
    assert_eq!(code, 0, "{stderr}");

    let log = folder.path().join("killed/training.jsonl");
    let mut length = 200;
    for kill in 0..6_u64 {
        let resume: &[&str] = if kill == 0 { &[] } else { &["--resume"] };
        let arguments = [&arguments[..], &["--out", "killed"], resume].concat();
        let mut child = patois(folder.path(), &arguments).spawn().unwrap();
        wait_for(&log, length);
        std::thread::sleep(std::time::Duration::from_millis(kill * 7 % 13));
        // SIGKILL: nothing is finished, nothing is cleaned up.
        child.kill().unwrap();
        child.wait().unwrap();
        length += 300;
    }
    let resumed = [&arguments[..], &["--out", "killed", "--resume"]].concat();
    let (code, _, stderr) = run(folder.path(), &resumed);
    assert_eq!(code, 0, "{stderr}");
    for file in ["checkpoint.safetensors", "model.safetensors", "idioms.json"] {
        let is_same = bytes(&folder, "whole", file) == bytes(&folder, "killed", file);
        assert!(is_same, "{file} differs");
    }
    assert_eq!(logged(&folder, "whole"), logged(&folder, "killed"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_step_and_saves() {
    let folder = folder();
    let arguments = ["train", "tiny.toml", "--steps", "100000", "--json", "-q"];
    let child = patois(folder.path(), &arguments)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let log = folder.path().join("runs/tiny/training.jsonl");
    wait_for(&log, 1000);
    let id = child.id().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["stopped"], "asked");
    let last = logged(&folder, "runs/tiny").last().unwrap().0;
    assert_eq!(report["steps"], last);
    for file in ["checkpoint.safetensors", "model.safetensors"] {
        assert!(
            folder.path().join("runs/tiny").join(file).is_file(),
            "{file}"
        );
    }
}

#[test]
fn mistakes_in_a_configuration_are_shown_where_they_are() {
    let unknown = TINY.replace("batch_size", "batchsize");
    let cards = "corpus = 'tiny.jsonl'\nlanguage = 'sql'\n[model]\nencoder = 'words'\n";
    let vectors = format!("{TINY}\n[vectors]\nfile = 'short.txt'\n");
    let folder = tiny_folder(&[
        ("unknown.toml", unknown.as_bytes()),
        ("words.toml", cards.as_bytes()),
        ("vectors.toml", vectors.as_bytes()),
        ("short.txt", b"the 1 2 3\nof 1 2\n"),
    ]);
    let check = |config: &str, code, parts: &[&str]| {
        check_failure(folder.path(), &["train", config], code, parts);
    };
    check(
        "unknown.toml",
        2,
        &[
            "unknown key `batchsize`",
            "unknown.toml:30",
            "did you mean `batch_size`?",
        ],
    );
    check(
        "words.toml",
        2,
        &["`model.encoder` is `words`, but sql programs need `schema`"],
    );
    check(
        "vectors.toml",
        1,
        &["`short.txt`, line 2 (`of`): expected 3 numbers, found 2"],
    );
    check(
        "none.toml",
        2,
        &["cannot read the configuration `none.toml`"],
    );
}

#[test]
fn a_run_is_not_lost_and_not_mixed_with_another() {
    let folder = folder();
    let train = ["train", "tiny.toml", "--steps", "4"];
    let check = |arguments: &[&str], parts: &[&str]| {
        check_failure(folder.path(), &[&train, arguments].concat(), 1, parts);
    };
    check(&["--resume"], &["holds no run", "without --resume"]);
    assert_eq!(run(folder.path(), &train).0, 0);
    check(
        &[],
        &["`runs/tiny` holds a run already", "--resume", "--force"],
    );
    check(
        &["--resume", "--seed", "9"],
        &["another configuration: `seed` differs"],
    );
    let checkpoint = folder.path().join("runs/tiny/checkpoint.safetensors");
    let mut bytes = fs::read(&checkpoint).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&checkpoint, &bytes).unwrap();
    check(
        &["--resume"],
        &[
            "checkpoint.safetensors`: the file is damaged: its checksum is",
            "train again (--force)",
        ],
    );
    fs::write(&checkpoint, "nothing").unwrap();
    check(
        &["--resume"],
        &["checkpoint.safetensors`: expected a file of tensors"],
    );
}

#[test]
fn a_loss_that_is_no_number_ends_training_and_is_named() {
    let optimizer = "name = 'adam'\nrate = 1e30\nbeta1 = 0.9\nbeta2 = 0.999\nepsilon = 1e-9\n";
    let explodes = format!("{TINY}\n[training.optimizer]\n{optimizer}");
    let folder = tiny_folder(&[("big.toml", explodes.as_bytes())]);
    let parts = [
        "the loss of step",
        "its examples are tiny.jsonl:",
        "training.max_gradient_norm",
    ];
    check_failure(folder.path(), &["train", "big.toml"], 1, &parts);
    let run = folder.path().join("runs/big");
    assert!(!run.join("model.safetensors").exists());
    assert!(run.join("training.jsonl").exists());
}

#[test]
fn without_a_configuration_the_embedded_corpus_is_learnt() {
    let folder = folder_with(&[]);
    // A model that has learnt nothing joins everything with everything, and each such query takes its time to be run.
    let (code, report) = run_json(folder.path(), &["run", "--steps", "100"]);
    assert_eq!(code, 0, "{report}");
    assert_eq!(report["steps"], 100);
    let model = "runs/default/model.safetensors";
    assert!(folder.path().join(model).is_file());
}

#[test]
fn a_run_can_be_taken_further() {
    let compared = format!("baseline = true\n{TINY}");
    let folder = tiny_folder(&[("compared.toml", compared.as_bytes())]);
    for steps in ["2", "3"] {
        let arguments = ["run", "compared.toml", "--steps", steps];
        let (code, report) = run_json(folder.path(), &arguments);
        assert_eq!(code, 0, "{report}");
        assert_eq!(report["steps"].to_string(), steps);
    }
}

/// What is learnt stays learnt where another run begins with it.
#[test]
fn training_can_begin_with_the_model_of_another_run() {
    let folder = folder();
    let path = folder.path();
    let (code, _) = run_json(
        path,
        &["train", "tiny.toml", "--out", "one", "--steps", "100"],
    );
    assert_eq!(code, 0);
    let from = ["--from", "one", "--out"];
    let train = |out: &str, more: &[&str]| {
        run_json(
            path,
            &[&["train", "tiny.toml"], &from[..], &[out], more].concat(),
        )
    };
    let first_loss = |run: &str| {
        let log = String::from_utf8(bytes(&folder, run, "training.jsonl")).unwrap();
        let line: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
        line["loss"].as_f64().unwrap()
    };
    let (code, report) = train("two", &["--steps", "1"]);
    assert_eq!(code, 0, "{report}");
    assert!(first_loss("two") < 0.8 * first_loss("one"));
    let ids = |run: &str| {
        let file: Value = serde_json::from_slice(&bytes(&folder, run, "idioms.json")).unwrap();
        let idioms = file["idioms"].as_array().unwrap().iter();
        idioms.map(|it| it["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids("one"), ids("two"));
    // It goes on from its own checkpoint, even where the other run is gone.
    fs::remove_dir_all(path.join("one")).unwrap();
    let (code, report) = train("two", &["--steps", "2", "--resume"]);
    assert_eq!(code, 0, "{report}");
    let missing = ["train", "tiny.toml", "--out", "three", "--from", "one"];
    check_failure(path, &missing, 1, &["`one` holds no run"]);
}

#[test]
fn models_of_another_shape_are_no_beginning() {
    let wider = TINY.replace("hidden_size = ", "hidden_size = 1");
    let folder = tiny_folder(&[("wider.toml", wider.as_bytes())]);
    let (code, _) = run_json(folder.path(), &["train", "wider.toml", "--out", "wide"]);
    assert_eq!(code, 0);
    check_failure(
        folder.path(),
        &["train", "tiny.toml", "--from", "wide"],
        1,
        &["`model.hidden_size` is another there"],
    );
}
