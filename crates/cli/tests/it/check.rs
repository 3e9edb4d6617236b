//! `patois check`: near misses of the house style, on a history of git, in all formats.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{folder_with, run, run_json};

/// Files in which 40 functions open a file the same way, and one does not.
fn house() -> TempDir {
    let mut files = Vec::new();
    for file in 0..4 {
        let mut code = String::from("import store\n\n");
        for function in 0..20 {
            let _ = write!(
                code,
                "def load_{file}_{function}(path):\n    rows = store.read_table(path, mode='strict')\n    return rows\n\n\n"
            );
        }
        files.push((format!("src/part_{file}.py"), code));
    }
    let odd = "import store\n\n\ndef odd(path):\n    rows = store.read_table(path, mode='lenient')\n    return rows\n";
    files.push(("src/odd.py".to_owned(), odd.to_owned()));
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, code)| (name.as_str(), code.as_bytes()))
        .collect();
    folder_with(&files)
}

fn findings(found: &Value) -> Vec<(String, u64)> {
    let findings = found["findings"]
        .as_array()
        .unwrap_or_else(|| panic!("{found}"));
    let place = |it: &Value| {
        (
            it["file"].as_str().unwrap().to_owned(),
            it["line"].as_u64().unwrap(),
        )
    };
    findings.iter().map(place).collect()
}

fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    for name in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{name}_NAME"), "somebody");
        command.env(format!("GIT_{name}_EMAIL"), "somebody@example.org");
    }
    let done = command.output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
}

#[test]
fn what_differs_is_shown_with_what_is_usual() {
    let folder = house();
    let (status, found) = run_json(folder.path(), &["check", "src"]);
    assert_eq!(status, 1, "{found}");
    assert_eq!(findings(&found), [("src/odd.py".to_owned(), 5)]);
    let finding = &found["findings"][0];
    assert_eq!(
        (&finding["usual"], &finding["places"]),
        (&80.into(), &81.into())
    );
    assert_eq!(finding["related"].as_array().unwrap().len(), 2);
    assert!(finding["surprise"].as_f64().unwrap() > 6.0);
    let (status, text, _) = run(folder.path(), &["check", "src"]);
    assert_eq!(status, 1);
    assert!(text.starts_with("src/odd.py:5:"), "{text}");
    assert!(text.contains("80 of 81 places"), "{text}");
    assert!(text.contains("lenient"), "{text}");
}

#[test]
fn a_baseline_lets_old_findings_pass_and_new_ones_not() {
    let folder = house();
    let run = |arguments: &[&str]| run_json(folder.path(), arguments);
    assert_eq!(
        run(&["check", "src", "--write-baseline", "known.json"]).0,
        0
    );
    let (status, found) = run(&["check", "./src", "--baseline", "known.json"]);
    assert_eq!((status, &found["known"]), (0, &1.into()), "{found}");
    // The old one moves down, and a new one comes.
    let odd = folder.path().join("src/odd.py");
    let text = fs::read_to_string(&odd).unwrap();
    let more = text.replace("def odd", "# moved\n\n\ndef odd")
        + "\n\ndef newer(path):\n    found = store.read_table(path, mode='strikt')\n    return found\n";
    fs::write(&odd, more).unwrap();
    let (status, found) = run(&["check", "src", "--baseline", "known.json"]);
    assert_eq!(status, 1, "{found}");
    assert_eq!(findings(&found), [("src/odd.py".to_owned(), 13)]);
    let (status, failure) = run(&["check", "src", "--baseline", "none.json"]);
    assert_eq!(status, 2, "{failure}");
}

#[test]
fn only_changed_lines_count_and_a_stored_library_reads_no_other_file() {
    let folder = house();
    let path = folder.path();
    let (status, failure) = run_json(path, &["check", "src", "--changed"]);
    assert_eq!(status, 3, "{failure}");
    git(path, &["init", "--quiet", "--initial-branch=main"]);
    // Nothing is committed yet: everything is new.
    let (status, found) = run_json(path, &["check", "src", "--changed"]);
    assert_eq!((status, findings(&found).len()), (1, 1));
    git(path, &["add", "."]);
    git(path, &["commit", "--quiet", "-m", "first"]);
    let (status, found) = run_json(path, &["check", "src", "--changed"]);
    assert_eq!((status, &found["unchanged"]), (0, &1.into()), "{found}");
    let (status, found) = run_json(path, &["check", "src", "--write-library", "house.json"]);
    assert_eq!(status, 0, "{found}");
    let part = path.join("src/part_2.py");
    let text = fs::read_to_string(&part).unwrap();
    fs::write(&part, text.replacen("'strict'", "'strickt'", 1)).unwrap();
    for library in [&[][..], &["--library", "house.json"]] {
        let arguments = [&["check", "src", "--changed", "HEAD"], library].concat();
        let (status, found) = run_json(path, &arguments);
        assert_eq!(status, 1, "{found}");
        assert_eq!(findings(&found), [("src/part_2.py".to_owned(), 4)]);
        assert_eq!(found["files"], if library.is_empty() { 5 } else { 1 });
    }
    let (status, failure) = run_json(path, &["check", "src", "--changed", "no-such-branch"]);
    assert_eq!(status, 3, "{failure}");
    assert!(
        failure["error"]["message"]
            .as_str()
            .unwrap()
            .contains("no-such-branch")
    );
}

#[test]
fn what_is_required_has_no_thresholds() {
    let folder = house();
    let path = folder.path();
    let (_, found) = run_json(path, &["check", "src"]);
    let rule = found["findings"][0]["rule"].as_str().unwrap().to_owned();
    run_json(path, &["check", "src", "--write-library", "house.json"]);
    // Where a third of the places do something else, it is no rule any more.
    for file in 0..2 {
        let part = path.join(format!("src/part_{file}.py"));
        let text = fs::read_to_string(&part).unwrap();
        fs::write(&part, text.replacen("'strict'", "'lenient'", 7)).unwrap();
    }
    let settings = path.join("patois.toml");
    fs::write(&settings, "").unwrap();
    assert_eq!(run_json(path, &["check", "src"]).0, 0);
    fs::write(&settings, format!("[check]\nrequired = [\"{rule}\"]\n")).unwrap();
    for library in [&[][..], &["--library", "house.json"]] {
        let (status, found) = run_json(path, &[&["check", "src"], library].concat());
        assert_eq!(status, 1, "{found}");
        let errors = found["findings"].as_array().unwrap().iter();
        let errors = errors.filter(|it| it["level"] == "error" && it["rule"] == rule.as_str());
        assert_eq!(errors.count(), 15, "{found}");
    }
    fs::write(&settings, "[check]\nrequired = [\"python-0000000000\"]\n").unwrap();
    let (status, failure) = run_json(path, &["check", "src"]);
    assert_eq!(status, 2, "{failure}");
}

#[test]
fn idioms_and_rules_of_another_language_are_refused() {
    let folder = house();
    let path = folder.path();
    let (status, mined) = run_json(path, &["mine", "src", "--out", "idioms.json"]);
    assert_eq!(status, 0, "{mined}");
    fs::create_dir(path.join("js")).unwrap();
    fs::write(path.join("js/a.js"), "go(1);\n").unwrap();
    let (status, _) = run_json(path, &["check", "src", "--write-library", "house.json"]);
    assert_eq!(status, 0);
    for library in ["idioms.json", "house.json"] {
        let (status, failure) = run_json(path, &["check", "js", "--library", library]);
        assert_eq!(status, 2, "{failure}");
        let help = failure["error"]["help"].as_str().unwrap();
        assert!(help.contains("javascript"), "{failure}");
    }
}

#[test]
fn comments_and_settings_silence() {
    let folder = house();
    let (_, found) = run_json(folder.path(), &["check", "src"]);
    let rule = found["findings"][0]["rule"].as_str().unwrap().to_owned();
    let settings = folder.path().join("patois.toml");
    let check = |text: &str, expected: i32| {
        fs::write(&settings, text).unwrap();
        let (status, found) = run_json(folder.path(), &["check", "src"]);
        assert_eq!(status, expected, "{text}: {found}");
        found
    };
    check(&format!("[check]\nmuted = [\"{rule}\"]\n"), 0);
    check("[check]\nreport = \"accepted\"\n", 0);
    let found = check(
        &format!("[check]\naccepted = [\"{rule}\"]\nreport = \"accepted\"\n"),
        1,
    );
    assert_eq!(found["findings"][0]["level"], "error");
    check("[check]\nexclude = [\"odd.py\"]\n", 0);
    let failure = check("[check]\nmutted = []\n", 2);
    assert!(
        failure["error"]["help"].as_str().unwrap().contains("muted"),
        "{failure}"
    );
    fs::remove_file(&settings).unwrap();
    let odd = folder.path().join("src/odd.py");
    let text = fs::read_to_string(&odd).unwrap();
    fs::write(
        &odd,
        text.replace("'lenient')", "'lenient')  # patois: ignore"),
    )
    .unwrap();
    let (status, found) = run_json(folder.path(), &["check", "src"]);
    assert_eq!((status, &found["silenced"]), (0, &1.into()), "{found}");
}

#[test]
fn what_can_be_mended_in_one_way_is() {
    let folder = house();
    let (status, diff, _) = run(folder.path(), &["check", "src", "--diff"]);
    assert_eq!(status, 1);
    assert!(
        diff.contains("+    rows = store.read_table(path, mode='strict')"),
        "{diff}"
    );
    let (_, found) = run_json(folder.path(), &["check", "src", "--fix"]);
    assert_eq!(found["fixed"], 1, "{found}");
    assert_eq!(run(folder.path(), &["check", "src"]).0, 0);
}

#[test]
fn other_programs_read_sarif_and_github_reads_commands() {
    let folder = house();
    let (status, text, _) = run(folder.path(), &["check", "src", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &log["version"]), (1, &"2.1.0".into()));
    let result = &log["runs"][0]["results"][0];
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "src/odd.py");
    assert_eq!(location["region"]["startLine"], 5);
    let (_, text, _) = run(folder.path(), &["check", "src", "--format", "github"]);
    assert!(
        text.starts_with("::warning file=src/odd.py,line=5,"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_looked_at_is_told() {
    let folder = folder_with(&[
        ("src/empty.py", b""),
        ("lib.json", b"{\"version\": 9, \"idioms\": []}"),
        ("house.json", b"{\"version\": 9, \"languages\": {}}"),
        ("gen/a_pb2.py", b"x = 1\n"),
        ("gen/b.py", b"x = 1\n"),
    ]);
    let check = |arguments: &[&str], expected: i32| {
        let (status, found) = run_json(folder.path(), &[&["check"], arguments].concat());
        assert_eq!(status, expected, "{found}");
        found
    };
    check(&["nowhere"], 2);
    check(&["src"], 3);
    check(&["gen", "--library", "lib.json"], 2);
    check(&["gen", "--library", "house.json"], 2);
    check(&["gen", "--min-share", "7"], 2);
    let found = check(&["gen"], 0);
    assert_eq!(found["skipped"][0]["reason"], "is generated", "{found}");
}
