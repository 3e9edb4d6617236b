//! The report about idioms in a browser: `tests/browser/report.mjs`.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "needs node, `npm install` in tests/browser, and Chromium"]
fn browser_shows_the_report() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/browser");
    let mut script = Command::new("node");
    script.arg("report.mjs").arg(env!("CARGO_BIN_EXE_patois"));
    script.args(std::env::var_os("PATOIS_SCREENSHOTS"));
    let output = script.current_dir(folder).output().expect("node is there");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
}
