//! Pages in a browser: the report about idioms, `tests/browser/report.mjs`, and what is served, `tests/browser/serve.mjs`.

use std::path::Path;
use std::process::Command;

use crate::program::{run, tiny_folder};

#[test]
#[ignore = "needs node, `npm install` in tests/browser, and Chromium"]
fn browser_shows_the_report() {
    check("report.mjs", &[]);
}

#[test]
#[ignore = "needs node, `npm install` in tests/browser, and Chromium"]
fn browser_uses_the_served_page() {
    let folder = tiny_folder(&[]);
    let (code, _, stderr) = run(folder.path(), &["train", "tiny.toml", "--out", "tiny"]);
    assert_eq!(code, 0, "{stderr}");
    let model = folder.path().join("tiny");
    let database = folder.path().join("database/vet_clinic.sqlite");
    check("serve.mjs", &[&model, &database]);
}

/// Runs a script, which is given the program, the arguments, and a folder for pictures where there is one.
fn check(script: &str, arguments: &[&Path]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/browser");
    let mut node = Command::new("node");
    node.arg(script).arg(env!("CARGO_BIN_EXE_patois"));
    node.args(arguments);
    node.args(std::env::var_os("PATOIS_SCREENSHOTS"));
    let output = node.current_dir(folder).output().expect("node is there");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
}
