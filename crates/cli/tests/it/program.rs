//! Running the program, for tests of the command line.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A part of the default corpus and a network of a few thousand weights.
pub(crate) const TINY: &str = include_str!("../../../patois/tests/fixtures/tiny/tiny.toml");

/// The corpus that [`TINY`] names, with its databases.
const TINY_CORPUS: &[(&str, &[u8])] = &[
    (
        "tiny.jsonl",
        include_bytes!("../../../patois/tests/fixtures/tiny/tiny.jsonl"),
    ),
    (
        "database/gym.sqlite",
        include_bytes!("../../../patois/tests/fixtures/tiny/database/gym.sqlite"),
    ),
    (
        "database/museum.sqlite",
        include_bytes!("../../../patois/tests/fixtures/tiny/database/museum.sqlite"),
    ),
    (
        "database/vet_clinic.sqlite",
        include_bytes!("../../../patois/tests/fixtures/tiny/database/vet_clinic.sqlite"),
    ),
];

/// The program, to be run in a folder.
pub(crate) fn patois(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_patois"));
    command.current_dir(folder).args(arguments);
    command.env("COLUMNS", "80").env_remove("PATOIS_DATA");
    command
}

/// Runs the program: its exit code, standard output and standard error.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = patois(folder, arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = status.code().expect("no signal ended the program");
    (code, text(stdout), text(stderr))
}

/// Runs the program with `--json`: its exit code and what it printed.
pub(crate) fn run_json(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let arguments = [arguments, &["--json"]].concat();
    let (code, stdout, stderr) = run(folder, &arguments);
    let value = serde_json::from_str(&stdout)
        .unwrap_or_else(|error| panic!("{error}\nstdout: {stdout}\nstderr: {stderr}"));
    (code, value)
}

/// A temporary folder with the given files.
pub(crate) fn folder_with(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, contents) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    folder
}

/// A temporary folder with the given files beside `tiny.toml` and its corpus.
pub(crate) fn tiny_folder(files: &[(&str, &[u8])]) -> TempDir {
    let tiny = [("tiny.toml", TINY.as_bytes())];
    folder_with(&[&tiny, TINY_CORPUS, files].concat())
}

/// Overwrites the rows of a database: the first page, which says what tables there are, stays.
pub(crate) fn damage_rows(database: &Path) {
    let mut bytes = fs::read(database).unwrap();
    let page_size = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    bytes[page_size..].fill(0x55);
    fs::write(database, bytes).unwrap();
}

/// Runs the program, which must fail and say all of the given.
#[allow(dead_code, reason = "not every test fails")]
#[track_caller]
pub(crate) fn check_failure(folder: &Path, arguments: &[&str], expected_code: i32, parts: &[&str]) {
    let (code, _, stderr) = run(folder, arguments);
    assert_eq!(code, expected_code, "{stderr}");
    let words: Vec<&str> = stderr.split_whitespace().filter(|it| *it != "│").collect();
    let said = words.join(" ");
    for part in parts {
        assert!(said.contains(part), "no `{part}` in: {stderr}");
    }
}
