//! `patois mine --export`: rules of other tools. `ast-grep` must find at least what patois counts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

#[cfg(unix)]
use crate::program::patois;
use crate::program::{check_failure, folder_with, run_json};

const NAMES: [&str; 6] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];

fn python() -> String {
    let function = |name: &str| {
        format!(
            "def {name}(self, x, key=None):  # {name}\n    # First.\n    \
             \"\"\"Say {name}.\"\"\"\n    # Nothing.\n    \
             if x is None:\n        # None.\n        return self.cache.get('k', {name})\n    \
             log.warn(\"{name}\", x, extra=1)\n    return [str(it) for it in x]\n\n"
        )
    };
    NAMES.map(function).concat()
}

/// Code whose brackets and definitions are not there to us.
fn bracketed_python() -> String {
    let class = |name: &str| {
        format!(
            "class C{name}(Base):\n    help = (\n        'Say '\n        '{name}'\n    )\n\n    \
             def __init__(self, x, y, z, key=None):\n        self.x = self.y = x\n        \
             self.z = (\n            z % (y, {name})\n        )\n        self.key = key\n\n    \
             kind = make('{name}')\n\n    def all(self):\n        for (a, b) in self.pairs():\n            \
             self.add(it for it in a)\n        return (self.x, b)\n\n"
        )
    };
    NAMES.map(class).concat()
}

fn javascript() -> String {
    let function = |name: &str| {
        format!(
            "function {name}(x) {{\n  // {name}\n  if (x == null) return\n  log.warn('{name}', x.get(1))\n  \
             return Object.keys(x).map(it => it.id)\n}}\n"
        )
    };
    NAMES.map(function).concat()
}

/// Unions that are operators to the tool, and types where they begin with brackets.
fn annotated_python() -> String {
    let function = |name: &str| {
        format!(
            "def {name}(x: dict[str, {name}] | None = None, y: str | None = None) -> list[{name}] | None:\n    \
             table: dict[str, Kind['{name}']] | list[str] | None = find(x, key='<b>')\n    \
             return make(table, y)\n\n"
        )
    };
    NAMES.map(function).concat()
}

/// Arms with blocks and without, and a macro whose tokens have no names.
fn rust() -> String {
    let function = |name: &str| {
        format!(
            "pin! {{ pub struct S{name}<'a, T: ?Sized> {{ inner: &'a T }} }}\n\n\
             fn {name}(x: Option<u8>) -> u8 {{\n    match x {{\n        // Something.\n        \
             Some({name}) => {{\n            log({name});\n            {name}\n        }}\n        \
             None => 0,\n    }}\n}}\n\n\
             fn other_{name}(x: Option<u8>) -> u8 {{\n    match x {{\n        \
             Some({name}) => {name} + 1,\n        None => {{ fail(x) }}\n    }}\n}}\n\n"
        )
    };
    NAMES.map(function).concat()
}

/// Blocks with comments, types in groups, a type that is called.
fn go() -> String {
    let function = |name: &str| {
        format!(
            "type (\n\t// T{name} is one.\n\tT{name} struct {{\n\t\t// Left is first.\n\t\tLeft string\n\t\t\
             Right string\n\t}}\n)\n\n\
             type U{name} struct {{\n\tLeft string\n\tRight string\n}}\n\n\
             func {name}(x *T{name}, err error) error {{\n\t// {name}\n\t\
             for i, it := range []byte(x.Left) {{\n\t\t// Each.\n\t\tif it == '/' {{\n\t\t\t// Slash.\n\t\t\t\
             x.put(i) // {name}\n\t\t\treturn err\n\t\t}}\n\t}}\n\treturn wrap(err, \"{name}\")\n}}\n\n"
        )
    };
    format!("package p\n\n{}", NAMES.map(function).concat())
}

/// The lines of `file` that each rule matches.
fn ast_grep(folder: &Path, rules: &str, file: &str) -> Vec<(String, u64)> {
    let mut command = Command::new("ast-grep");
    command.current_dir(folder);
    let output = command
        .args(["scan", "--json=compact", "--rule", rules, file])
        .output()
        .expect("`ast-grep` is installed");
    let text = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let matches: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{stderr}"));
    let matches = matches.as_array().unwrap().iter();
    let place = |it: &Value| {
        let line = it["range"]["start"]["line"].as_u64().unwrap() + 1;
        (it["ruleId"].as_str().unwrap().to_owned(), line)
    };
    matches.map(place).collect()
}

/// A folder with the rules of a file, and the idioms that are no rules.
fn exported(file: &str, code: &str) -> (TempDir, BTreeSet<String>) {
    let folder = folder_with(&[(file, code.as_bytes())]);
    let mine = ["mine", file, "--export", "ast-grep", "--export", "semgrep"];
    let (status, report) = run_json(folder.path(), &mine);
    assert_eq!(status, 0, "{report}");
    let exported = &report["exported"][0];
    assert_eq!(exported["file"], "idioms.ast-grep.yml");
    let left_out: BTreeSet<String> = exported["left_out"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["idiom"].as_str().unwrap().to_owned())
        .collect();
    let n_rules = exported["rules"].as_u64().unwrap();
    assert!(n_rules > 0, "{report}");
    assert_eq!(
        n_rules + left_out.len() as u64,
        report["idioms"].as_u64().unwrap()
    );
    let rules = fs::read_to_string(folder.path().join("idioms.ast-grep.yml")).unwrap();
    assert_eq!(rules.matches("metadata:").count() as u64, n_rules);
    let semgrep = fs::read_to_string(folder.path().join("idioms.semgrep.yml")).unwrap();
    assert!(semgrep.starts_with("rules:"), "{semgrep}");
    (folder, left_out)
}

fn check_ast_grep(file: &str, code: &str) {
    let (folder, left_out) = exported(file, code);
    let theirs = ast_grep(folder.path(), "idioms.ast-grep.yml", file);
    let (_, found) = run_json(folder.path(), &["find", "idioms.json", file]);
    for place in found["places"].as_array().unwrap() {
        let ours = (
            place["id"].as_str().unwrap().to_owned(),
            place["line"].as_u64().unwrap(),
        );
        let is_found = left_out.contains(&ours.0) || theirs.contains(&ours);
        assert!(is_found, "lost: {place}");
    }
}

#[test]
fn every_idiom_is_a_rule_or_left_out() {
    exported("a.py", &python());
    exported("c.py", &bracketed_python());
    exported("a.js", &javascript());
    exported("u.py", &annotated_python());
    exported("a.rs", &rust());
    exported("a.go", &go());
}

#[test]
#[ignore = "needs ast-grep: `pip install ast-grep-cli`"]
fn ast_grep_finds_at_least_what_was_counted_in_python() {
    check_ast_grep("a.py", &python());
}

#[test]
#[ignore = "needs ast-grep: `pip install ast-grep-cli`"]
fn ast_grep_finds_at_least_what_was_counted_in_brackets_and_classes() {
    check_ast_grep("c.py", &bracketed_python());
}

#[test]
#[ignore = "needs ast-grep: `pip install ast-grep-cli`"]
fn ast_grep_finds_at_least_what_was_counted_in_javascript() {
    check_ast_grep("a.js", &javascript());
}

#[test]
#[ignore = "needs ast-grep: `pip install ast-grep-cli`"]
fn ast_grep_finds_unions_that_begin_with_brackets() {
    check_ast_grep("u.py", &annotated_python());
}

#[test]
#[ignore = "needs ast-grep: `pip install ast-grep-cli`"]
fn ast_grep_finds_arms_with_blocks_and_tokens_without_names() {
    check_ast_grep("a.rs", &rust());
}

#[test]
#[ignore = "needs ast-grep: `pip install ast-grep-cli`"]
fn ast_grep_finds_blocks_with_comments_and_types_in_groups() {
    check_ast_grep("a.go", &go());
}

#[test]
fn only_idioms_of_source_files_are_rules() {
    let folder = folder_with(&[]);
    let arguments = ["mine", "default", "--export", "ast-grep"];
    check_failure(folder.path(), &arguments, 2, &["source files"]);
}

/// What an editor reads is JSON with a body for every idiom; the page is short.
#[test]
fn snippets_and_a_page_are_written() {
    let folder = folder_with(&[("a.py", python().as_bytes())]);
    let mine = ["mine", "a.py", "--export", "snippets", "--export", "agents"];
    let (status, report) = run_json(folder.path(), &mine);
    assert_eq!(status, 0, "{report}");
    let text = fs::read_to_string(folder.path().join("idioms.code-snippets")).unwrap();
    let snippets: Value = serde_json::from_str(&text).unwrap();
    let snippets = snippets.as_object().unwrap();
    assert_eq!(snippets.len() as u64, report["idioms"].as_u64().unwrap());
    for snippet in snippets.values() {
        assert_eq!(snippet["scope"], "python");
        assert!(!snippet["prefix"].as_array().unwrap().is_empty());
        assert!(!snippet["body"].as_array().unwrap().is_empty());
    }
    let page = fs::read_to_string(folder.path().join("idioms.agents.md")).unwrap();
    assert!(page.lines().count() <= 40, "{page}");
    assert!(page.contains("places in 6 programs, as "), "{page}");
}

/// Mines `a.py` and checks the rules by an `ast-grep` that is this script; the status, the report, and what
/// was said.
#[cfg(unix)]
fn checked_by(script: Option<&str>, options: &[&str]) -> (TempDir, i32, Value, String) {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = folder_with(&[("a.py", python().as_bytes()), ("bin/.keep", b"")]);
    let tool = folder.path().join("bin/ast-grep");
    if let Some(script) = script {
        let version = "if [ \"$1\" = --version ]; then echo ast-grep 0; exit; fi";
        fs::write(&tool, format!("#!/bin/sh\n{version}\n{script}\n")).unwrap();
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mine = [
        "mine",
        "a.py",
        "--json",
        "--export",
        "ast-grep",
        "--check-rules",
    ];
    let mut command = patois(folder.path(), &[&mine, options].concat());
    let path = if script.is_some() {
        ":/usr/bin:/bin"
    } else {
        ""
    };
    command.env(
        "PATH",
        format!("{}{path}", folder.path().join("bin").display()),
    );
    let output = command.output().unwrap();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (folder, output.status.code().unwrap(), report, said)
}

/// An `ast-grep` that finds every line by every rule: of its arguments, `rules.yml` has the rules, and the last is the file.
#[cfg(unix)]
const FINDS_ALL: &str = r#"
for rules; do case "$rules" in *rules.yml) break;; esac; done
for file; do :; done
printf '['
sep=''
for id in $(sed -n 's/^id: //p' "$rules"); do
    line=0
    while read -r _; do
        printf '%s{"ruleId":"%s","file":"%s","text":"x","range":{"start":{"line":%s,"column":0}}}' \
            "$sep" "$id" "$file" "$line"
        sep=','
        line=$((line + 1))
    done < "$file"
done
printf ']'
"#;

#[cfg(unix)]
#[test]
fn rules_say_how_well_they_fit() {
    let (folder, status, report, said) = checked_by(Some(FINDS_ALL), &["--min-precision", "0.01"]);
    assert_eq!(status, 0, "{said}");
    let exported = &report["exported"][0];
    let checked = exported["checked"].as_array().unwrap();
    assert_eq!(checked.len() as u64, exported["rules"].as_u64().unwrap());
    assert!(!checked.is_empty());
    for it in checked {
        assert_eq!(it["found"], it["lines"], "{it}");
        assert!((it["recall"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{it}");
        assert!(it["precision"].as_f64().unwrap() < 0.9, "{it}");
    }
    let rules = fs::read_to_string(folder.path().join("idioms.ast-grep.yml")).unwrap();
    assert_eq!(
        rules.matches("  recall: 1.00\n").count(),
        checked.len(),
        "{rules}"
    );
    assert_eq!(
        rules.matches("  precision: 0.").count(),
        checked.len(),
        "{rules}"
    );
}

#[cfg(unix)]
#[test]
fn rules_that_find_too_much_or_nothing_are_left_out() {
    let cases = [
        (FINDS_ALL, "less than 0.99 of the lines"),
        ("echo '[]'", "finds no place of the idiom"),
    ];
    for (script, reason) in cases {
        let (folder, status, report, said) = checked_by(Some(script), &["--min-precision", "0.99"]);
        assert_eq!(status, 0, "{said}");
        let exported = &report["exported"][0];
        assert_eq!(exported["rules"], 0);
        let left_out = exported["left_out"].to_string();
        assert!(left_out.contains(reason), "{left_out}");
        let rules = fs::read_to_string(folder.path().join("idioms.ast-grep.yml")).unwrap();
        assert_eq!(rules, "");
    }
}

#[cfg(unix)]
#[test]
fn rules_are_not_checked_without_the_tool() {
    let (folder, status, _, said) = checked_by(None, &[]);
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("`ast-grep` is not on the path"), "{said}");
    assert!(!folder.path().join("idioms.json").exists());
    let (_, status, _, said) = checked_by(Some("echo rules are broken >&2; exit 8"), &[]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("rules are broken"), "{said}");
}

#[test]
fn only_rules_are_checked() {
    let folder = folder_with(&[("a.py", python().as_bytes())]);
    let mine = ["mine", "a.py", "--export", "agents", "--check-rules"];
    check_failure(folder.path(), &mine, 2, &["no rules to check"]);
    let mine = [
        "mine",
        "a.py",
        "--export",
        "ast-grep",
        "--check-rules",
        "--min-precision",
        "2",
    ];
    check_failure(folder.path(), &mine, 2, &["a share from 0 to 1"]);
}

#[test]
#[ignore = "needs ast-grep: `pip install ast-grep-cli`"]
fn ast_grep_says_how_well_rules_fit() {
    let folder = folder_with(&[
        ("a.py", python().as_bytes()),
        ("c.py", bracketed_python().as_bytes()),
    ]);
    let mine = [
        "mine",
        "a.py",
        "c.py",
        "--export",
        "ast-grep",
        "--check-rules",
    ];
    let (status, report) = run_json(folder.path(), &mine);
    assert_eq!(status, 0, "{report}");
    let checked = report["exported"][0]["checked"].as_array().unwrap();
    assert!(
        checked.iter().all(|it| it["found"] == it["lines"]),
        "{report}"
    );
    let rules = fs::read_to_string(folder.path().join("idioms.ast-grep.yml")).unwrap();
    assert!(rules.contains("  recall: 1.00\n"), "{rules}");
}
