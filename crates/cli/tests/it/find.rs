//! `patois find`: idioms and code with holes, in files of several languages.

use std::fs;

use serde_json::Value;

use crate::program::{check_failure, folder_with, run, run_json};

const PYTHON: &str = "\
import os

class A:
    def first(self, x, key='k'):
        for i in range(len(x)):
            print(x[i], file=self.out)
        return self.cache.get(key, None)

    def second(self, y):
        self.n = self.n + 1  # counted
        y = (y +
             1)
        if y:
            print(y)
        else:
            print('no', \"no\")
        return d.get(\"k\", default(y))
";

/// The lines that `what` is found on.
fn lines(file: &str, code: &str, what: &str) -> Vec<u64> {
    let folder = folder_with(&[(file, code.as_bytes())]);
    let (status, found) = run_json(folder.path(), &["find", what, "."]);
    let places = found["places"].as_array();
    let places = places.unwrap_or_else(|| panic!("{what}: {found}"));
    let lines: Vec<u64> = places
        .iter()
        .map(|it| it["line"].as_u64().unwrap())
        .collect();
    assert_eq!(status, i32::from(lines.is_empty()), "{what}: {found}");
    assert_eq!(found["count"], lines.len());
    lines
}

#[test]
fn holes_stand_for_code() {
    let check = |what: &str, expected: Value| {
        let folder = folder_with(&[("a.py", PYTHON.as_bytes())]);
        let (_, found) = run_json(folder.path(), &["find", what, "."]);
        let bindings: Vec<&Value> = found["places"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| &it["bindings"])
            .collect();
        assert_eq!(serde_json::json!(bindings), expected, "{what}");
    };
    check(
        "$x.get($key, None)",
        serde_json::json!([{ "x": "self.cache", "key": "key" }]),
    );
    check(
        "$x = $x + $by",
        serde_json::json!([{ "x": "self.n", "by": "1" }, { "x": "y", "by": "1" }]),
    );
    check(
        "print($first, $rest..., $named...)",
        serde_json::json!([
            { "first": "x[i]", "rest": "", "named": "file=self.out" },
            { "first": "y", "rest": "", "named": "" },
            { "first": "'no'", "rest": "\"no\"", "named": "" },
        ]),
    );
    check("self.n = $_", serde_json::json!([null]));
}

#[test]
fn code_with_holes_is_found_in_python() {
    let check = |what: &str, expected: &[u64]| {
        assert_eq!(lines("a.py", PYTHON, what), expected, "{what}");
    };
    check("for $i in range(len($x)): $...body", &[5]);
    check(
        "for $i in range(len($x)):\n    print($x[$i], $keywords...)",
        &[],
    );
    check(
        "for $i in range(len($x)):\n    print($x[$i], $_=$_)",
        &[6 - 1],
    );
    check("$x.get($key, $default)", &[7, 17]);
    check("$x.get($key, None)", &[7]);
    check("$x.get(\"k\", $default)", &[17]);
    check("$x.get(\"$key\", $default)", &[17]);
    check("print($...all)", &[6, 14, 16]);
    check("print($args...)", &[14, 16]);
    check("print($args..., $named...)", &[6, 14, 16]);
    check("print($x, $x)", &[16]);
    check("$x = $x + 1", &[10, 11]);
    check("self.$name", &[6, 7, 10, 10]);
    check("if $x: $...body", &[]);
    check("if $x:\n    $body...\nelse:\n    $other...", &[13]);
    check("return $value?", &[7, 17]);
    check("$x = $x + 1\n$y = $y + 1", &[10]);
    check("def $f(self, $...parameters): $...body", &[4, 9]);
    check("import $module", &[1]);
    check("(Call (Name \"len\") ?0 ?1)", &[5]);
    check("stmt*: [(Assign ?0 ?1) (If ?2 ?3 ?4) | ?5]", &[11]);
    check("frobnicate($x)", &[]);
}

#[test]
fn code_with_holes_is_found_through_tree_sitter() {
    let check = |file: &str, code: &str, what: &str, expected: &[u64]| {
        assert_eq!(lines(file, code, what), expected, "{what}");
    };
    let code = "function f(a) {\n  if (a == null) return\n  log.warn('f', a);\n  a.b = a.b || 1\n  return g(a.b, ...a)\n}\n";
    check("a.js", code, "log.$level($...arguments)", &[3]);
    check("a.js", code, "$x = $x || $default", &[4]);
    check("a.js", code, "if ($x == null) return", &[2]);
    check("a.js", code, "function $f($x) { $...body }", &[1]);
    check("a.js", code, "$x.b", &[4, 4, 5]);
    check("a.js", code, "while ($x) { $...body }", &[]);
    let code = "fn f(x: Option<u8>) -> u8 {\n    let y = x.unwrap();\n    g(y, y);\n    match x {\n        Some(z) => z,\n        None => h(y, 1),\n    }\n}\n";
    check("a.rs", code, "$x.unwrap()", &[2]);
    check("a.rs", code, "let $x = $value;", &[2]);
    check("a.rs", code, "$f($x, $x)", &[3]);
    check("a.rs", code, "Some($x) => $x,", &[5]);
    let code = "class A {\n  void f(int x) {\n    if (x > 0) { g(x); }\n    return;\n  }\n}\n";
    check("A.java", code, "if ($x > 0) { $...body }", &[3]);
    check("A.java", code, "$f(x)", &[3]);
    check("A.java", code, "void $f($...parameters) { $...body }", &[2]);
    let code = "int f(int x) {\n  if (x) return g(x, x);\n  return 0;\n}\n";
    check("a.c", code, "g($x, $x)", &[2]);
    check("a.c", code, "return $x;", &[2, 3]);
    let code = "package p\n\nfunc f(x int) error {\n\tif err := g(x); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n";
    check(
        "a.go",
        code,
        "if err := $call; err != nil { return err }",
        &[4],
    );
    check("a.go", code, "return $x", &[5, 7]);
}

#[test]
fn what_is_found_agrees_with_the_counts_of_mining() {
    let javascript: String = ["alpha", "beta", "gamma", "delta"]
        .map(|it| {
            format!("function {it}(x) {{\n  if (x == null) return;\n  log.warn('{it}', x);\n}}\n")
        })
        .concat();
    let python: String = ["alpha", "beta", "gamma", "delta"]
        .map(|it| {
            format!("def {it}(x):\n    if x is None:\n        return []\n    log.warn('{it}', x)\n")
        })
        .concat();
    let folder = folder_with(&[
        ("src/a.js", javascript.as_bytes()),
        ("src/a.py", python.as_bytes()),
        ("src/b.py", PYTHON.as_bytes()),
        ("src/large.py", python.repeat(30).as_bytes()),
    ]);
    let (status, report) = run_json(folder.path(), &["mine", "src", "--max-file-size", "4000"]);
    assert_eq!(status, 0, "{report}");
    for library in ["idioms-javascript.json", "idioms-python.json"] {
        let text = fs::read_to_string(folder.path().join(library)).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        let (_, all) = run_json(folder.path(), &["find", library, "src"]);
        let idioms = file["idioms"].as_array().unwrap();
        assert!(!idioms.is_empty());
        for (index, idiom) in idioms.iter().enumerate() {
            let number = (index + 1).to_string();
            let what = format!("{library}#{number}");
            let (status, one) = run_json(folder.path(), &["find", &what, "src"]);
            assert_eq!(status, 0, "{what}: {one}");
            assert_eq!(one["count"], idiom["occurrences"], "{what}: {idiom}");
            let id = idiom["id"].as_str().unwrap();
            assert_eq!(all["idioms"][id], idiom["occurrences"], "{what}");
            let what = format!("{library}#{id}");
            let (_, by_id) = run_json(folder.path(), &["find", &what, "src"]);
            assert_eq!(by_id["places"], one["places"]);
            assert_eq!(by_id["places"][0]["id"], id);
        }
    }
}

#[test]
fn places_are_shown_as_by_grep() {
    let folder = folder_with(&[("a.py", PYTHON.as_bytes()), ("b.py", b"x = f.get(1, 2)\n")]);
    let (status, stdout, _) = run(folder.path(), &["find", "$x.get($k, $d)", "a.py", "b.py"]);
    assert_eq!(status, 0);
    assert_eq!(
        stdout,
        "a.py:7:16: return self.cache.get(key, None)\n\
         a.py:17:16: return d.get(\"k\", default(y))\n\
         b.py:1:5: x = f.get(1, 2)\n"
    );
    let count = ["find", "--count", "$x.get($k, $d)", "a.py", "b.py"];
    assert_eq!(run(folder.path(), &count).1, "a.py:2\nb.py:1\n");
}

#[test]
fn mistakes_are_explained() {
    let folder = folder_with(&[
        ("a.py", PYTHON.as_bytes()),
        ("a.js", b"f(1)\n"),
        ("no.json", b"{}"),
    ]);
    let check = |what: &str, code, part: &str| {
        check_failure(folder.path(), &["find", what, "a.py"], code, &[part]);
    };
    check("for $i in", 2, "is no python code");
    check("$x", 2, "expected a production at the root");
    check("f($x..., 1)", 2, "something follows it");
    check("get_$x(1)", 2, "is no python code");
    check("'a $x'", 2, "not a whole name");
    check("", 2, "empty");
    check("(Nonsense ?0)", 2, "no constructor `Nonsense`");
    check("missing.json#1", 2, "cannot read `missing.json`");
    check("missing.json#0", 2, "cannot read `missing.json`");
    check("no.json", 2, "is no file of idioms");
    check_failure(
        folder.path(),
        &["find", "f($x)", "nowhere"],
        2,
        &["does not exist"],
    );
    // Code of one language says nothing about files of another.
    let (status, found) = run_json(folder.path(), &["find", "print($x)", "."]);
    assert_eq!((status, &found["count"]), (0, &Value::from(1)), "{found}");
}

#[test]
fn what_cannot_be_searched_is_named_as_by_grep() {
    let minified = "print(1);".repeat(2_000);
    let folder = folder_with(&[
        ("src/good.py", b"print(1)\n"),
        ("src/latin.py", b"print('\xe9')\n"),
        ("src/broken.py", b"print((\n"),
        ("src/empty.py", b""),
        ("other/minified.py", minified.as_bytes()),
        ("notes.txt", b"print(1)\n"),
    ]);
    let check = |paths: &[&str], what: &str, code: i32, out: &str, errors: &[&str]| {
        let arguments = [&["find", what], paths].concat();
        let (status, stdout, stderr) = run(folder.path(), &arguments);
        assert_eq!((status, stdout.as_str()), (code, out), "{stderr}");
        let said: Vec<&str> = stderr.lines().collect();
        assert_eq!(said.len(), errors.len(), "{stderr}");
        for (said, expected) in said.iter().zip(errors) {
            assert!(said.starts_with(expected), "{stderr}");
        }
    };
    let place = "src/good.py:1:1: print(1)\n";
    let errors = [
        "patois: src/broken.py: does not parse: ",
        "patois: src/latin.py: is not UTF-8: byte 0xE9",
    ];
    check(&["src"], "print($x)", 2, place, &errors);
    check(&["src"], "print(1, 2)", 2, "", &errors);
    // Files that lack a word cannot hold it, whatever else is in them.
    check(&["src/broken.py"], "absent($x)", 1, "", &[]);
    check(&["src/good.py", "src/empty.py"], "print($x)", 0, place, &[]);
    // What a folder holds may be left out on purpose; what is named is asked for.
    check(&["other"], "print($x)", 1, "", &[]);
    let named = "other/minified.py";
    let errors = ["patois: other/minified.py: is minified"];
    check(&[named], "print($x)", 2, "", &errors);
    let errors = ["patois: nowhere: no such file or directory"];
    check(&["src/good.py", "nowhere"], "print($x)", 2, place, &errors);
    let errors = ["patois: notes.txt: is of no language"];
    check(
        &["src/good.py", "notes.txt"],
        "print($x)",
        2,
        place,
        &errors,
    );

    let (status, found) = run_json(folder.path(), &["find", "print($x)", "."]);
    let n_files = |key: &str| found[key].as_array().unwrap().len();
    assert_eq!((status, &found["count"]), (2, &Value::from(1)), "{found}");
    // The empty file has no `print`.
    assert_eq!(found["searched"], 2, "{found}");
    assert_eq!(
        (n_files("unsearched"), n_files("skipped")),
        (2, 1),
        "{found}"
    );
}

#[test]
fn code_does_not_talk_to_the_terminal() {
    let code = b"print('\x1b]0;title\x07\x1b[2J\xc2\x9b8m')\n";
    let folder = folder_with(&[("a\x1b[31m.py", code)]);
    let command = ["find", "--color", "always", "print($x)", "."];
    let (status, stdout, _) = run(folder.path(), &command);
    assert_eq!(status, 0);
    let ours = stdout.replace("\x1b[1m", "").replace("\x1b[0m", "");
    assert_eq!(
        ours,
        "./a^[[31m.py:1:1: print('^[]0;title^G^[[2J\u{fffd}8m')\n"
    );
    // Machines get what is there.
    let (_, found) = run_json(folder.path(), &["find", "print($x)", "."]);
    let text = found["places"][0]["text"].as_str().unwrap();
    assert_eq!(text.as_bytes(), code.trim_ascii_end());
}
