//! `patois prune`: what a model does not use makes room for something else.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{run, run_json, tiny_folder};

fn notations(path: &Path) -> Vec<String> {
    let file: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let idioms = file["idioms"].as_array().unwrap().iter();
    idioms
        .map(|it| it["notation"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_is_not_used_makes_room_for_others() {
    let folder = tiny_folder(&[]);
    let (status, _) = run_json(
        folder.path(),
        &[
            "train",
            "tiny.toml",
            "--objective",
            "marginal",
            "--out",
            "run",
        ],
    );
    assert_eq!(status, 0);
    let old = notations(&folder.path().join("run/idioms.json"));

    // All are used now and then, so that nothing changes; then none is used often enough.
    let prune = |min_uses: &str| {
        let command = ["prune", "run", "--out", "new.json", "--min-uses", min_uses];
        let (status, report) = run_json(folder.path(), &command);
        assert_eq!(status, 0, "{report}");
        (report, notations(&folder.path().join("new.json")))
    };
    let (report, same) = prune("0");
    assert_eq!(same, old);
    assert_eq!(report["dropped"], 0, "{report}");
    let (report, others) = prune("1e9");
    assert_eq!(report["kept"], 0, "{report}");
    assert_eq!(others.len(), report["added"].as_u64().unwrap() as usize);
    assert!(!others.is_empty() && others.iter().all(|it| !old.contains(it)));

    // Between the two, those that are used come first, in their order.
    let uses: Vec<f64> = serde_json::from_value(report["uses"].clone()).unwrap();
    let mut sorted = uses.clone();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    let middle = f64::midpoint(sorted[half - 1], sorted[half]);
    let (report, mixed) = prune(&middle.to_string());
    let kept = old.iter().zip(&uses).filter(|it| *it.1 >= middle);
    let kept: Vec<&String> = kept.map(|it| it.0).collect();
    assert_eq!(report["kept"].as_u64().unwrap() as usize, kept.len());
    assert!(mixed.iter().zip(kept).all(|(new, old)| new == old));

    // The new library can be trained with.
    let (status, trained) = run_json(
        folder.path(),
        &[
            "train",
            "tiny.toml",
            "--idioms",
            "new.json",
            "--steps",
            "1",
            "--out",
            "again",
        ],
    );
    assert_eq!(status, 0, "{trained}");
}

#[test]
fn a_model_without_idioms_has_none_to_drop() {
    let folder = tiny_folder(&[]);
    let command = [
        "train",
        "tiny.toml",
        "--objective",
        "plain",
        "--steps",
        "1",
        "--out",
        "run",
    ];
    assert_eq!(run_json(folder.path(), &command).0, 0);
    let (status, _, stderr) = run(folder.path(), &["prune", "run"]);
    assert_eq!(status, 1);
    assert!(
        stderr.contains("the model in `run` has no idioms"),
        "{stderr}"
    );
    let (status, _, stderr) = run(folder.path(), &["prune", "run", "--min-uses", "-1"]);
    assert_eq!(status, 2, "{stderr}");
}
