//! The report about idioms in a browser, where there is one: `tests/browser/report.mjs`.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// What the script ends with where it has no browser.
const SKIPPED: i32 = 77;

#[test]
fn the_report_works_in_a_browser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/browser");
    let mut script = Command::new("node");
    script.arg("report.mjs").arg(env!("CARGO_BIN_EXE_patois"));
    script.args(std::env::var_os("PATOIS_SCREENSHOTS"));
    let Ok(output) = script.current_dir(folder).output() else {
        return skipped("there is no node");
    };
    let said = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(SKIPPED) {
        return skipped(said.trim().trim_start_matches("skipped: "));
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
}

/// Says so even where the output of tests that pass is not shown.
fn skipped(why: &str) {
    let said = format!("skipped: {why}\n");
    std::io::stderr().write_all(said.as_bytes()).unwrap();
}
