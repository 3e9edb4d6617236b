//! The command line as its users meet it: texts, exit codes, JSON, hostile inputs.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{folder_with, patois, run, run_json};

#[test]
fn texts_and_exit_codes() {
    trycmd::TestCases::new()
        .env("COLUMNS", "80")
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .env("PATOIS_DATA", "")
        .case("tests/cmd/*.trycmd");
}

const ROUNDTRIP: [&str; 4] = ["data", "roundtrip", "--language", "python"];

/// The round trip of one hostile file beside a good one, which must not suffer.
fn check(name: &str, contents: &[u8], list: &str, expected: &str) {
    let folder = folder_with(&[("good.py", b"x = 1\n"), (name, contents)]);
    let (code, report) = run_json(folder.path(), &[&ROUNDTRIP[..], &["."]].concat());
    assert_eq!(code, 0, "{report}");
    assert_eq!(report["programs"], 2, "{report}");
    let bad = &report[list][0];
    assert_eq!(bad["file"], format!("./{name}"), "{report}");
    let message = bad["message"].as_str().unwrap();
    assert!(message.contains(expected), "{message}");
    assert_eq!(report["equal"], 1);
}

#[test]
fn files_that_are_no_text_are_unreadable() {
    check("nul.py", b"x = 1\0", "unreadable", "NUL byte at offset 5");
    check(
        "bytes.py",
        b"x = '\xFF'",
        "unreadable",
        "byte 0xFF at offset 5",
    );
    check("wide.py", b"\xFF\xFEx\0", "unreadable", "UTF-16");
    check(
        "koi.py",
        b"# coding: koi8-r\n'\xC1'",
        "unreadable",
        "koi8-r",
    );
}

#[test]
fn files_that_are_no_program_are_unparsed() {
    check("broken.py", b"def f(:\n", "unparsed", "");
    check("deep.py", &vec![b'('; 100_000], "unparsed", "");
    let nested = ["(".repeat(100_000), "1".to_owned(), ")".repeat(100_000)].concat();
    check("nested.py", nested.as_bytes(), "unparsed", "");
}

#[test]
fn odd_files_that_are_programs_come_back() {
    let long = format!("x = '{}'\n", "y".repeat(5_000_000));
    let folder = folder_with(&[
        ("empty.py", b""),
        ("mark.py", b"\xEF\xBB\xBFx = 1\n"),
        ("windows.py", b"if x:\r\n    y = '''a\r\nb'''\r\n"),
        ("latin.py", b"# -*- coding: latin-1 -*-\nx = '\xE9'\n"),
        ("long.py", long.as_bytes()),
        ("folder.py/inner.py", b"pass\n"),
        ("stub.pyi", b"def f() -> int: ...\n"),
        ("notes.txt", b"not python ((("),
    ]);
    let (code, report) = run_json(folder.path(), &[&ROUNDTRIP[..], &["."]].concat());
    assert_eq!(code, 0, "{report}");
    assert_eq!(report["programs"], 7, "{report}");
    assert_eq!(report["equal"], 7, "{report}");
}

#[test]
fn json_has_the_agreed_keys_and_stands_alone() {
    let folder = folder_with(&[("a.py", b"x = 1\n"), ("b.py", b"x = (\n")]);
    let (_, report) = run_json(folder.path(), &[&ROUNDTRIP[..], &["."]].concat());
    let keys: Vec<_> = report.as_object().unwrap().keys().collect();
    let expected = [
        "programs",
        "parsed",
        "equal",
        "different",
        "unparsed",
        "unreadable",
        "bytes",
        "seconds",
    ];
    assert_eq!(keys, expected);
    assert_eq!(
        report["unparsed"][0]["line"].as_u64().map(|line| line > 0),
        Some(true)
    );
}

#[test]
fn a_failure_is_an_object_too() {
    let folder = tempfile::tempdir().unwrap();
    let (code, report) = run_json(folder.path(), &["data", "stats", "spider", "--data", "no"]);
    assert_eq!(code, 1);
    let error = &report["error"];
    assert_eq!(error["message"], "the dataset `spider` is not there");
    assert_eq!(error["causes"].as_array().map(Vec::len), Some(1));
    assert!(
        error["help"].as_str().unwrap().contains("PATOIS_DATA"),
        "{error}"
    );
}

#[test]
fn strict_fails_where_something_does_not_parse() {
    let folder = folder_with(&[("a.py", b"x = 1\n"), ("b.py", b"x = (\n")]);
    let check = |arguments: &[&str], expected| {
        let (code, stdout, stderr) = run(folder.path(), &[&ROUNDTRIP[..], arguments].concat());
        assert_eq!(code, expected, "{arguments:?}\n{stdout}\n{stderr}");
    };
    check(&["."], 0);
    check(&[".", "--strict"], 1);
    check(&["a.py", "--strict"], 0);
    check(&["b.py"], 1);
    check(&["a.py", "nowhere.py"], 0);
    check(&["a.py", "nowhere.py", "--strict"], 1);
    check(&["nowhere.py"], 1);
}

#[test]
fn a_folder_without_programs_is_a_failure() {
    let folder = folder_with(&[("a.txt", b"")]);
    let (code, stdout, stderr) = run(folder.path(), &[&ROUNDTRIP[..], &["."]].concat());
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(
        stderr.contains("found no files that end in .py or .pyi"),
        "{stderr}"
    );
}

#[test]
fn ignored_and_hidden_files_are_taken_on_demand() {
    let folder = folder_with(&[
        ("a.py", b""),
        ("generated.py", b""),
        (".hidden.py", b""),
        (".gitignore", b"generated.py\n"),
    ]);
    let check = |arguments: &[&str], expected: u64| {
        let (_, report) = run_json(folder.path(), &[&ROUNDTRIP[..], arguments].concat());
        assert_eq!(report["programs"], expected, "{arguments:?}");
    };
    check(&["."], 1);
    check(&[".", "--no-ignore"], 2);
    check(&[".", "--hidden"], 2);
    check(&[".", "--hidden", "--no-ignore"], 3);
    check(&[".", "generated.py"], 2);
}

#[cfg(unix)]
#[test]
fn links_and_forbidden_files_do_not_stop_the_others() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder_with(&[("a.py", b"x = 1\n"), ("secret.py", b"x = 1\n")]);
    let path = folder.path();
    symlink(".", path.join("loop")).unwrap();
    symlink("nowhere.py", path.join("dangling.py")).unwrap();
    fs::set_permissions(path.join("secret.py"), fs::Permissions::from_mode(0o000)).unwrap();
    // A superuser may read everything.
    let may_read = fs::read(path.join("secret.py")).is_ok();

    let (code, report) = run_json(path, &[&ROUNDTRIP[..], &[".", "--follow"]].concat());
    let messages = report["unreadable"].to_string();
    assert_eq!(code, 0, "{report}");
    assert_eq!(report["equal"], 1 + u64::from(may_read), "{report}");
    assert!(messages.contains("is a link back to"), "{messages}");
    assert!(messages.contains("no such file or directory"), "{messages}");
    assert_eq!(
        messages.contains("permission denied"),
        !may_read,
        "{messages}"
    );
}

#[test]
fn standard_input_is_a_file_called_minus() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = patois(folder.path(), &[&ROUNDTRIP[..], &["-", "--json"]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"x = (\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["unparsed"][0]["file"], "<stdin>");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["completions", "bash"][..], &["man"], &["--help"]] {
        let mut child = patois(folder.path(), arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut stderr)
            .unwrap();
        assert_eq!(stderr, "");
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let files: Vec<_> = (0..40)
        .map(|it| {
            (
                format!("f{it}.py"),
                format!("x = {it}{}", ["\n", "("][it % 2]),
            )
        })
        .collect();
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_bytes()))
        .collect();
    let folder = folder_with(&files);
    let report = |threads| {
        let arguments = [&ROUNDTRIP[..], &[".", "--threads", threads]].concat();
        let (_, mut report) = run_json(folder.path(), &arguments);
        report["seconds"] = Value::Null;
        report
    };
    assert_eq!(report("1"), report("4"));
}

#[test]
fn completions_and_manual_pages_name_every_verb() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, script, _) = run(folder.path(), &["completions", shell]);
        assert_eq!(code, 0);
        for word in ["roundtrip", "stats", "--language", "--threads"] {
            let word = word.trim_start_matches('-');
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    let (code, listed, _) = run(folder.path(), &["man", "--out", "."]);
    assert_eq!(code, 0);
    for page in [
        "patois.1",
        "patois-data-roundtrip.1",
        "patois-data-stats.1",
        "patois-man.1",
    ] {
        assert!(listed.contains(page), "{listed}");
        let text = fs::read_to_string(folder.path().join(page)).unwrap();
        assert!(text.contains(".TH"), "{page}");
    }
}

/// They used to be broken after 80 columns, so that nothing could search them.
#[test]
fn errors_that_no_terminal_shows_keep_their_lines() {
    let folder = folder_with(&[]);
    let name = format!("{}.toml", "a name with blanks ".repeat(8));
    let (code, _, stderr) = run(folder.path(), &["train", &name]);
    assert_eq!(code, 2);
    let expected = format!("cannot read the configuration `{name}`");
    assert!(stderr.contains(&expected), "{stderr}");
}

#[test]
fn a_corpus_of_json_lines_is_reprinted() {
    let rows = "{\"text\": \"one\", \"code\": \"if  x :\\n  y=1\", \"split\": \"dev\"}\n\
                {\"text\": \"bad\", \"code\": \"x = (\", \"split\": \"dev\"}\n\
                {\"text\": \"two\", \"code\": \"z = ( 2 )\"}\n";
    let folder = folder_with(&[("rows.jsonl", rows.as_bytes())]);
    let path = folder.path();
    let command = [
        "data",
        "roundtrip",
        "-l",
        "python",
        "--corpus",
        "rows.jsonl",
    ];

    let (code, report) = run_json(path, &[&command[..], &["--out", "all.txt"]].concat());
    assert_eq!((code, &report["parsed"]), (0, &Value::from(2)), "{report}");
    let all = fs::read_to_string(path.join("all.txt")).unwrap();
    assert_eq!(all, "if x:\u{A7}    y = 1\n\nz = 2\n");

    let (_, report) = run_json(path, &[&command[..], &["--split", "train"]].concat());
    assert_eq!(report["programs"], 1);
    let (code, _, stderr) = run(path, &[&command[..], &["--split", "test"]].concat());
    assert_eq!(code, 2);
    assert!(stderr.contains("it has `train`, `dev`"), "{stderr}");

    let (code, report) = run_json(path, &["data", "stats", "rows.jsonl", "-l", "python"]);
    assert_eq!(code, 0);
    let dev = &report["splits"]["dev"];
    assert_eq!(
        (&dev["programs"], &dev["dropped"]),
        (&Value::from(1), &Value::from(1))
    );
}

const TABLES: &str = r#"[{
    "db_id": "pets",
    "table_names": ["pet"], "table_names_original": ["Pet"],
    "column_names": [[-1, "*"], [0, "name"], [0, "age"]],
    "column_names_original": [[-1, "*"], [0, "Name"], [0, "Age"]],
    "column_types": ["text", "text", "number"],
    "primary_keys": [], "foreign_keys": []
}]"#;

fn queries(rows: &[&str]) -> TempDir {
    let rows = rows.iter().map(|code| {
        serde_json::json!({ "text": "", "code": code, "database": "pets" }).to_string() + "\n"
    });
    let rows: String = rows.collect();
    let folder = folder_with(&[
        ("rows.jsonl", rows.as_bytes()),
        ("tables.json", TABLES.as_bytes()),
        ("database/pets/pets.sqlite", b""),
    ]);
    let database = folder.path().join("database/pets/pets.sqlite");
    rusqlite::Connection::open(database)
        .unwrap()
        .execute_batch("CREATE TABLE pet(name TEXT, age); INSERT INTO pet VALUES ('Rex', 3);")
        .unwrap();
    folder
}

#[test]
fn reprinted_queries_ask_and_return_the_same() {
    let folder = queries(&[
        "SELECT  T1.name FROM pet AS T1 WHERE age > 1",
        "SELECT count(*) FROM pet WHERE name = \"Rex\"",
        "SELECT row_number() OVER () FROM pet",
    ]);
    let command = ["data", "roundtrip", "-l", "sql", "--corpus", "rows.jsonl"];
    let (code, report) = run_json(
        folder.path(),
        &[&command[..], &["--out", "out.sql"]].concat(),
    );
    assert_eq!(code, 0, "{report}");
    for key in ["parsed", "equal", "exact_match", "same_rows"] {
        assert_eq!(report[key], 2, "{key}: {report}");
    }
    assert_eq!(report["unparsed"][0]["file"], "rows.jsonl:3 (pets)");
    let out = fs::read_to_string(folder.path().join("out.sql")).unwrap();
    let databases: Vec<_> = out.lines().map(|line| line.rsplit('\t').next()).collect();
    assert_eq!(databases, [Some("pets"); 3]);
    assert!(out.ends_with("\n\tpets\n"), "{out}");

    let (code, report) = run_json(
        folder.path(),
        &[&command[..], &["--mode", "paper"]].concat(),
    );
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        (&report["exact_match"], &report["same_rows"]),
        (&Value::from(2), &Value::Null)
    );
}

#[test]
fn a_broken_database_is_named_and_the_queries_are_still_compared() {
    let folder = queries(&["SELECT name FROM pet"]);
    let file = folder.path().join("database/pets/pets.sqlite");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let (_, report) = run_json(
        folder.path(),
        &["data", "roundtrip", "-l", "sql", "--corpus", "rows.jsonl"],
    );
    assert_eq!(
        (&report["exact_match"], &report["same_rows"]),
        (&Value::from(1), &Value::from(0))
    );
    let causes = report["defective"]["same_rows"].to_string();
    assert!(causes.contains("truncated"), "{causes}");
}

#[test]
fn an_output_that_cannot_be_written_leaves_the_old_file() {
    let folder = folder_with(&[("rows.jsonl", b"{\"text\": \"\", \"code\": \"x\"}\n")]);
    let command = [
        "data",
        "roundtrip",
        "-l",
        "python",
        "--corpus",
        "rows.jsonl",
        "--out",
    ];
    let check = |target: &str, expected: &str| {
        let (code, stdout, stderr) = run(folder.path(), &[&command[..], &[target]].concat());
        assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    };
    check(".", "is a directory");
    check("no/such/folder.txt", "does not exist");
}

/// Waits until a process handles SIGINT; where the system does not tell, for half a second.
#[cfg(unix)]
fn await_handler(pid: &str) {
    for _ in 0..100 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|it| it.strip_prefix("SigCgt:"));
        let Some(caught) = caught.and_then(|it| u64::from_str_radix(it.trim(), 16).ok()) else {
            return std::thread::sleep(std::time::Duration::from_millis(400));
        };
        if caught & 0b10 != 0 {
            return;
        }
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_130_and_without_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    // Waits for standard input, which stays open.
    let mut child = patois(folder.path(), &[&ROUNDTRIP[..], &["-"]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Waiting for a child would close it.
    let _stdin = child.stdin.take();
    let pid = child.id().to_string();
    await_handler(&pid);
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
