//! `patois mine --report`: when a page is written, and when not.

use std::fs;

use serde_json::Value;

use crate::program::{check_failure, folder_with, run, run_json};

const PYTHON: &str = "def f(a, b):\n    print(a.name, b)\n\n\ndef g(a, c):\n    print(a.name, c)\n";
const SCRIPT: &str =
    "function f(a) {\n  log.warn('f', a);\n}\nfunction g(b) {\n  log.warn('g', b);\n}\n";

#[test]
fn all_languages_are_on_one_page() {
    let folder = folder_with(&[("a.py", PYTHON.as_bytes()), ("b.js", SCRIPT.as_bytes())]);
    let (status, out, error) = run(folder.path(), &["mine", ".", "--report", "out.html"]);
    assert_eq!(status, 0, "{error}");
    assert!(out.contains("written to `out.html` in "), "{out}");
    let page = fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(page.contains("1 file of javascript (2 programs) and 1 file of python (2 programs)"));
    // What machines read is as before.
    let (status, report) = run_json(folder.path(), &["mine", ".", "--report", "out.html"]);
    assert_eq!(
        (status, report["languages"][1]["files"].as_u64()),
        (0, Some(1))
    );
}

#[test]
fn figures_are_those_of_the_idioms_that_are_shown() {
    // What is alike but for local names, and unlike where these are.
    let function = |name: &str, (item, all): (&str, &str)| {
        format!(
            "def {name}({all}):\n    for {item} in range(len({all})):\n        {all}[{item}].close({all})\n"
        )
    };
    let locals = [
        ("i", "x"),
        ("k", "y"),
        ("x", "x"),
        ("n", "rows"),
        ("all", "all"),
    ];
    let names = ["a", "b", "c", "d", "e"];
    let functions = names
        .iter()
        .zip(locals)
        .map(|(name, it)| function(name, it));
    let code: String = functions.collect();
    let folder = folder_with(&[("a.py", code.as_bytes())]);
    let (status, report) = run_json(folder.path(), &["mine", ".", "--report", "out.html"]);
    assert_eq!(status, 0, "{report}");

    let page = fs::read_to_string(folder.path().join("out.html")).unwrap();
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let file = &data["files"][0];
    let covered = file["covered"].as_f64().unwrap() / file["nodes"].as_f64().unwrap();
    assert_eq!(report["coverage"]["train"].as_f64(), Some(covered));
    let (_, out, _) = run(folder.path(), &["mine", "."]);
    assert!(out.contains(&format!("{:.1} %", 100.0 * covered)), "{out}");
}

#[test]
fn a_page_that_cannot_be_made_is_refused_before_mining() {
    let folder = folder_with(&[("a.py", PYTHON.as_bytes())]);
    let check = |arguments: &[&str], code: i32, expected: &str| {
        check_failure(folder.path(), arguments, code, &[expected]);
        assert!(!folder.path().join("idioms.json").exists());
    };
    check(
        &["mine", ".", "--report", "no/out.html"],
        1,
        "does not exist",
    );
    check(&["mine", ".", "--report", "."], 1, "is a directory");
    check(
        &["mine", "default", "--report", "out.html"],
        2,
        "`--report` is about source files",
    );
}
