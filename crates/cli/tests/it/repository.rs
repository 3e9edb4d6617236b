//! `patois mine` on repositories: many languages, odd files, what is skipped.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{check_failure, folder_with, run, run_json};

const NAMES: [&str; 6] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];

/// A file with a function for each name; `function` says what one looks like.
fn functions(function: impl Fn(&str, &str) -> String) -> String {
    let pairs = NAMES.iter().zip(NAMES.iter().cycle().skip(2));
    pairs.map(|(one, other)| function(one, other)).collect()
}

fn sources(folder: &Path, out: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(out)).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let idioms = file["idioms"].as_array().unwrap();
    let source = |it: &Value| it["source"].as_str().unwrap().to_owned();
    idioms.iter().map(source).collect()
}

/// What is in every function of a file must be an idiom, and read like the language.
fn check(file: &str, code: &str, expected: &str) {
    let folder = folder_with(&[(file, code.as_bytes())]);
    let (status, report) = run_json(folder.path(), &["mine", "."]);
    assert_eq!(status, 0, "{file}: {report}");
    assert_eq!(report["files"], 1, "{file}: {report}");
    assert!(report["programs"].as_u64() >= Some(6), "{file}: {report}");
    let found = sources(folder.path(), "idioms.json");
    assert!(
        found.iter().any(|it| it.contains(expected)),
        "{file}: no `{expected}` in {found:#?}"
    );
}

#[test]
fn every_language_has_idioms() {
    let code = functions(|f, x| {
        format!("function {f}({x}) {{\n  if ({x} == null) return\n  log.warn('{f}', {x})\n}}\n")
    });
    check("a.js", &code, "log.warn(");
    check("a.ts", &code, "log.warn(");
    let code = functions(|f, x| {
        format!("fn {f}({x}: u8) {{\n    let {x} = std::mem::take({x});\n    log({x});\n}}\n")
    });
    check("a.rs", &code, "std::mem::take(");
    let code = functions(|f, x| format!("    void {f}(int {x}) {{ System.out.println({x}); }}\n"));
    check(
        "A.java",
        &format!("class A {{\n{code}}}\n"),
        "System.out.println(",
    );
    let code = functions(|f, x| {
        format!(
            "func {f}({x} int) error {{\n\tif err := fmt.Check({x}); err != nil {{\n\t\treturn err\n\t}}\n\treturn nil\n}}\n"
        )
    });
    check("a.go", &format!("package a\n{code}"), "err != nil");
    let code = functions(|f, x| format!("int {f}(int {x}) {{\n  return max_of({x}, 0);\n}}\n"));
    check("a.c", &code, "max_of(");
    let code = functions(|f, x| format!("int {f}(int {x}) {{\n  return std::max({x}, 0);\n}}\n"));
    check("a.cpp", &code, "std::max(");
    let code = functions(|f, x| format!("  def {f}({x})\n    logger.warn({x}, :level)\n  end\n"));
    check("a.rb", &format!("class A\n{code}end\n"), "logger.warn(");
    let code = functions(|f, x| format!("  void {f}(int {x}) {{ Console.WriteLine({x}); }}\n"));
    check(
        "A.cs",
        &format!("class A {{\n{code}}}\n"),
        "Console.WriteLine(",
    );
    let code = functions(|f, x| format!("SELECT {f} FROM items WHERE {x} > 0 ORDER BY id;\n"));
    check("a.sql", &code, "FROM items");
    let code =
        functions(|f, x| format!("def {f}({x}):\n    logging.getLogger({x}).warning({x})\n"));
    check("a.py", &code, "logging.getLogger(");
}

#[test]
fn renamed_local_names_are_one_idiom() {
    let code = functions(|x, y| {
        format!(
            "def sum_{x}({y}, n):\n    {x} = 0\n    for i_{y} in range(n):\n        \
             {x} += {y}[i_{y}]\n    return {x}\n"
        )
    });
    let folder = folder_with(&[("a.py", code.as_bytes())]);
    let (status, report) = run_json(folder.path(), &["mine", ".", "--min-names", "1"]);
    assert_eq!(status, 0, "{report}");
    assert!(
        report["idioms_with_equal_names"].as_u64() >= Some(1),
        "{report}"
    );
    let found = sources(folder.path(), "idioms.json");
    let is_it = |it: &String| {
        let Some((_, rest)) = it.split_once("for $") else {
            return false;
        };
        let Some((index, rest)) = rest.split_once(" in range(n") else {
            return false;
        };
        rest.contains(&format!("[${index}]"))
    };
    assert!(found.iter().any(is_it), "{found:#?}");

    // Every file calls its variables something else, so there is nothing in common to see.
    let kept = ["mine", ".", "--min-names", "1", "--keep-names"];
    let (status, report) = run_json(folder.path(), &kept);
    assert_eq!(status, 0, "{report}");
    assert_eq!(report["idioms_with_equal_names"], Value::Null);
    let found = sources(folder.path(), "idioms.json");
    assert!(!found.iter().any(is_it), "{found:#?}");
}

#[test]
fn several_languages_in_one_call() {
    let python = functions(|f, x| format!("def {f}({x}):\n    logging.getLogger({x}).info({x})\n"));
    let rust = functions(|f, x| format!("fn {f}({x}: u8) {{ std::mem::drop({x}); log({x}); }}\n"));
    let folder = folder_with(&[
        ("src/a.py", python.as_bytes()),
        ("src/b.rs", rust.as_bytes()),
        ("vendor/c.py", b"x = 1\n"),
        ("node_modules/d/e.js", b"x = 1\n"),
        (".hidden/f.py", b"x = 1\n"),
        ("ignored.py", b"x = 1\n"),
        (".gitignore", b"ignored.py\n"),
        ("readme.md", b"# words\n"),
    ]);
    let (status, report) = run_json(folder.path(), &["mine", "."]);
    assert_eq!(status, 0, "{report}");
    let languages = report["languages"].as_array().unwrap();
    let names: Vec<_> = languages.iter().map(|it| it["language"].as_str()).collect();
    assert_eq!(names, [Some("python"), Some("rust")]);
    assert!(languages.iter().all(|it| it["files"] == 1), "{report}");
    let skipped = languages[0]["skipped"].to_string();
    assert!(skipped.contains("vendored"), "{skipped}");
    assert!(!sources(folder.path(), "idioms-python.json").is_empty());
    assert!(!sources(folder.path(), "idioms-rust.json").is_empty());
    assert!(!folder.path().join("idioms.json").exists());

    let only = ["mine", ".", "--language", "rust", "--jobs", "1"];
    let (status, report) = run_json(folder.path(), &only);
    assert_eq!(
        (status, report["language"].as_str()),
        (0, Some("rust")),
        "{report}"
    );
}

#[test]
fn the_same_bytes_with_any_number_of_threads() {
    let rust = functions(|f, x| format!("fn {f}({x}: u8) {{ std::mem::drop({x}); log({x}); }}\n"));
    let folder = folder_with(&[("a.rs", rust.as_bytes()), ("b.rs", rust.as_bytes())]);
    let mine = |out: &str, threads: &str| {
        let command = ["mine", ".", "--out", out, "--threads", threads, "-q"];
        let (status, _, stderr) = run(folder.path(), &command);
        assert_eq!(status, 0, "{stderr}");
        fs::read(folder.path().join(out)).unwrap()
    };
    assert_eq!(mine("one.json", "1"), mine("two.json", "2"));
}

#[test]
fn what_a_unit_is_can_be_chosen() {
    let code = "import a\nclass A:\n    x = 1\n    def f(self): pass\n    def g(self): pass\ndef h(): pass\n";
    let folder = folder_with(&[("a.py", code.as_bytes())]);
    let programs = |unit: &str| {
        let command = ["mine", ".", "--unit", unit];
        run_json(folder.path(), &command).1["programs"].as_u64()
    };
    assert_eq!(programs("file"), Some(1));
    // Three functions, the class, the import.
    assert_eq!(programs("function"), Some(5));
}

#[test]
fn what_cannot_be_read_is_skipped_with_a_reason() {
    let good = functions(|f, x| format!("def {f}({x}):\n    logging.getLogger({x}).info({x})\n"));
    let mut huge = String::new();
    while huge.len() < 5_000_000 {
        let _ = writeln!(huge, "x{} = {{}}", huge.len());
    }
    let minified = "x=1;".repeat(20_000);
    let folder = folder_with(&[
        ("good.py", good.as_bytes()),
        ("half.py", format!("{good}\nx = (\n").as_bytes()),
        ("binary.py", b"\x7fELF\x00\x01\x02"),
        ("latin.py", b"x = '\xe9'\n"),
        ("empty.py", b""),
        ("comments.py", b"# nothing\n"),
        ("huge.py", huge.as_bytes()),
        ("minified.py", minified.as_bytes()),
        ("unfinished.py", b"def f():  # later\n"),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).unwrap();
    let (status, report) = run_json(folder.path(), &["mine", "."]);
    assert_eq!(status, 0, "{report}");
    assert_eq!(report["files"], 2, "{report}");
    assert_eq!(report["faulty_files"], 1, "{report}");
    assert_eq!(report["skipped_files"], 7, "{report}");
    let skipped = report["skipped"].to_string();
    for reason in [
        "NUL byte",
        "not UTF-8",
        "is empty",
        "comments only",
        "larger than 1 MB",
        "minified",
        "does not parse",
    ] {
        assert!(skipped.contains(reason), "{reason}: {skipped}");
    }
    let (status, stdout, _) = run(folder.path(), &["mine", "."]);
    assert_eq!(status, 0);
    assert!(stdout.contains("skipped: "), "{stdout}");
    assert!(stdout.contains("1 of which do not parse whole"), "{stdout}");
}

#[test]
fn noise_costs_no_more_than_code() {
    let good = functions(|f, x| format!("fn {f}({x}: u8) {{ std::mem::drop({x}); log({x}); }}\n"));
    let noise = ")&)&)&)&)&)&)&)&)&)&)&)&)&)&)&)&)&)&)&)&\n".repeat(1_000);
    let conditions = "#if x\n".repeat(4_000);
    let folder = folder_with(&[
        ("good.rs", good.as_bytes()),
        ("noise.rs", noise.as_bytes()),
        ("conditions.c", conditions.as_bytes()),
    ]);
    let (status, report) = run_json(folder.path(), &["mine", "."]);
    assert_eq!(status, 0, "{report}");
    let rust = report["languages"].as_array().unwrap().last().unwrap();
    assert_eq!(rust["files"], 1, "{report}");
    let skipped = rust["skipped"].to_string();
    assert!(skipped.contains("steps a byte"), "{skipped}");
}

/// A folder with links to itself, a pipe, 200 MB of generated code and very many tiny files.
#[cfg(unix)]
fn hostile(n_files: usize) -> tempfile::TempDir {
    use std::os::unix::fs::symlink;
    let good = functions(|f, x| format!("def {f}({x}):\n    logging.getLogger({x}).info({x})\n"));
    let folder = folder_with(&[("good.py", good.as_bytes()), ("package.py/a.txt", b"")]);
    let path = |name: &str| folder.path().join(name);
    symlink("..", path("package.py/up")).unwrap();
    symlink("self.py", path("self.py")).unwrap();
    let pipe = std::process::Command::new("mkfifo")
        .arg(path("pipe.py"))
        .status();
    assert!(pipe.unwrap().success());
    let generated = fs::File::create(path("generated.py")).unwrap();
    generated.set_len(200_000_000).unwrap();
    fs::create_dir(path("tiny")).unwrap();
    for number in 0..n_files {
        fs::write(path("tiny").join(format!("f{number}.py")), "x = 1\n").unwrap();
    }
    folder
}

#[cfg(unix)]
fn check_hostile(n_files: usize) {
    let folder = hostile(n_files);
    // One of all the files has something in it.
    let mine = ["mine", ".", "--min-files", "1"];
    let (status, report) = run_json(folder.path(), &mine);
    assert_eq!(status, 0, "{report}");
    assert_eq!(report["files"], n_files + 1, "{report}");
    let skipped = report["skipped"].to_string();
    for (reason, file) in [
        ("is a symbolic link", "package.py/up"),
        ("is no regular file", "pipe.py"),
        ("is larger than 1 MB", "generated.py"),
    ] {
        assert!(skipped.contains(reason), "{reason}: {skipped}");
        assert!(skipped.contains(file), "{file}: {skipped}");
    }
    assert_eq!(sources(folder.path(), "idioms.json").len(), 1);
}

#[cfg(unix)]
#[test]
fn hostile_folders_are_finished() {
    check_hostile(5_000);
}

#[cfg(unix)]
#[test]
#[ignore = "makes a million files, which takes minutes"]
fn a_million_files_are_finished() {
    check_hostile(1_000_000);
}

#[cfg(unix)]
#[test]
fn folders_that_cannot_be_read_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let good = functions(|f, x| format!("def {f}({x}):\n    logging.getLogger({x}).info({x})\n"));
    let folder = folder_with(&[("good.py", good.as_bytes()), ("closed/a.py", b"x = 1\n")]);
    let closed = folder.path().join("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(&closed).is_ok() {
        println!("skipped: root reads everything");
        return;
    }
    let (status, report) = run_json(folder.path(), &["mine", "."]);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(status, 0, "{report}");
    assert!(
        report["skipped"].to_string().contains("permission denied"),
        "{report}"
    );
}

/// Constructors that are all alike, as in any code base.
fn boilerplate() -> String {
    let class = |one: &str, other: &str| {
        let fields = ["name", "size", one, other];
        let mut text = format!(
            "class {one}:\n    def __init__(self, {}):\n",
            fields.join(", ")
        );
        for field in fields {
            let _ = writeln!(text, "        self.{field} = {field}");
        }
        text
    };
    functions(class)
}

/// Thirty lines of code, with names of one's own.
fn thirty_lines(rows: &str, total: &str, indent: &str) -> String {
    let mut text = String::new();
    for line in 0..10 {
        let _ = write!(
            text,
            "{indent}{total}{line} = convert({rows}[{line}], scale={line}.5)\n\
             {indent}if {total}{line} > limit_{line}({rows}):\n\
             {indent}    {rows}.append(round({total}{line}, {line}))\n"
        );
    }
    text
}

#[test]
fn what_was_copied_comes_first_and_boilerplate_does_not() {
    let one = format!(
        "{}def load(rows):\n    start(rows)\n{}    return rows\n",
        boilerplate(),
        thirty_lines("rows", "total", "    ")
    );
    let other = format!(
        "def elsewhere(flag, lines):\n    if flag:\n{}        stop(lines)\n",
        thirty_lines("lines", "x", "        ")
    );
    let folder = folder_with(&[("one.py", one.as_bytes()), ("b/other.py", other.as_bytes())]);
    let (status, report) = run_json(folder.path(), &["duplicates", "."]);
    assert_eq!(status, 1, "{report}");
    let duplicates = report["languages"][0]["duplicates"].as_array().unwrap();
    let first = &duplicates[0];
    assert_eq!(first["lines"], 30, "{report}");
    let places = first["places"].as_array().unwrap();
    assert_eq!(places.len(), 2);
    assert!(places[0]["file"].as_str().unwrap().ends_with("b/other.py"));
    assert_eq!(
        (&places[0]["line"], &places[0]["end_line"]),
        (&3.into(), &32.into())
    );
    assert_eq!(places[1]["line"], one.lines().count() - 30);
    // Nobody is told about `self.x = x`, and no file is written.
    let is_boilerplate = |it: &&Value| it["source"].as_str().unwrap().contains("self.");
    assert_eq!(duplicates.iter().find(is_boilerplate), None);
    assert!(!folder.path().join("idioms.json").exists());

    let kept = ["duplicates", ".", "--keep-names"];
    let (status, report) = run_json(folder.path(), &kept);
    assert_eq!(status, 0, "{report}");
    assert_eq!(report["languages"][0]["duplicates"], Value::Array(vec![]));

    let (status, stdout, _) = run(folder.path(), &["duplicates", "."]);
    assert_eq!(status, 1);
    assert!(stdout.contains("1. 30 lines at 2 places"), "{stdout}");
    assert!(stdout.contains("b/other.py:3-32"), "{stdout}");

    let sarif = ["duplicates", ".", "--format", "sarif"];
    let (_, stdout, _) = run(folder.path(), &sarif);
    let log: Value = serde_json::from_str(&stdout).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "duplicate-code");
    assert_eq!(result["relatedLocations"].as_array().map(Vec::len), Some(1));
    let github = ["duplicates", ".", "--format", "github"];
    assert!(
        run(folder.path(), &github)
            .1
            .starts_with("::warning file=b/other.py,line=3")
    );
    check_failure(
        folder.path(),
        &["duplicates", "nowhere"],
        3,
        &["no such file"],
    );
    let changed = ["duplicates", ".", "--changed"];
    check_failure(
        folder.path(),
        &changed,
        3,
        &["nobody knows what has changed"],
    );
}
