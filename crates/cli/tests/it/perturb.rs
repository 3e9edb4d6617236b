//! `patois data perturb`, end to end.

use std::fs;

use crate::program::{run, run_json};

#[test]
fn a_dev_split_is_copied_in_other_words() {
    let folder = tempfile::tempdir().unwrap();
    let perturb = ["data", "perturb", "default", "--out", "short", "--kind"];
    let short = [&perturb[..], &["abbreviations"]].concat();
    let (code, figures) = run_json(folder.path(), &short);
    assert_eq!(code, 0, "{figures}");
    assert!(figures["questions"].as_u64() > Some(0));
    assert_eq!(figures["questions"], figures["same_rows"]);
    assert!(figures["renamed_columns"].as_u64() > Some(10), "{figures}");
    let rows = || fs::read(folder.path().join("short/dev.json")).unwrap();
    let before = rows();
    let (code, _, stderr) = run(folder.path(), &short);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("exists already") && stderr.contains("--force"),
        "{stderr}"
    );
    let again = [&short[..], &["--force"]].concat();
    assert_eq!(run(folder.path(), &again).0, 0);
    assert_eq!(rows(), before, "the same seed, the same copy");
    let (code, stats) = run_json(folder.path(), &["data", "stats", "short"]);
    assert_eq!(
        (code, &stats["splits"]["dev"]["programs"]),
        (0, &figures["questions"])
    );
}

/// Training with changed examples of two sources goes on as if it had not stopped.
#[test]
fn what_is_drawn_is_drawn_again_where_training_goes_on() {
    const CHANGED: &str = "
        n_train = 40
        [[sources]]
        corpus = 'default'
        weight = 0.01
        [model]
        encoder = 'schema'
        hidden_size = 8
        word_size = 8
        [model.relations]
        n_layers = 1
        n_heads = 2
        feed_forward_size = 8
        [training]
        objective = 'plain'
        n_steps = 12
        batch_size = 3
        evaluate_every = 12
        checkpoint_every = 4
        [augment]
        max_columns = 12
        drop_columns = 0.5
        abbreviate = 0.5
        rename = 0.5
        reword = 0.5
        polite = 0.5
        values = 0.5
    ";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("changed.toml"), CHANGED).unwrap();
    let plain = CHANGED.split("[augment]").next().unwrap();
    fs::write(folder.path().join("plain.toml"), plain).unwrap();
    let train = |config: &str, out: &str, arguments: &[&str]| {
        let all = [&["train", config, "--out", out], arguments].concat();
        let (code, _, stderr) = run(folder.path(), &all);
        assert_eq!(code, 0, "{stderr}");
        fs::read(folder.path().join(out).join("checkpoint.safetensors")).unwrap()
    };
    let one = train("changed.toml", "one", &[]);
    train("changed.toml", "half", &["--steps", "8", "--threads", "1"]);
    let half = train("changed.toml", "half", &["--resume"]);
    assert!(one == half, "the checkpoints differ");
    let other = train("plain.toml", "other", &[]);
    assert!(one != other, "nothing was changed");
}
