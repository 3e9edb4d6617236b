//! `patois mine` as its users meet it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use patois_codebase::idiom_file::IdiomFile;
use patois_languages::python::Python;
use patois_languages::sql::{Mode, Sql};
use patois_syntax::{Grammar, IdiomLibrary, Language};
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{folder_with, run, run_json};

fn python() -> Grammar {
    Grammar::from_schema(Python.schema().unwrap())
}

fn sql() -> Grammar {
    Grammar::from_schema(Sql::schema_of(Mode::Full))
}

fn read(folder: &TempDir, grammar: &Grammar) -> (IdiomFile, IdiomLibrary) {
    IdiomFile::read(&folder.path().join("idioms.json"), grammar).unwrap()
}

/// Small programs with a few habits.
fn habits() -> TempDir {
    let names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
    let files: Vec<(String, String)> = (0..24)
        .map(|number| {
            let (name, other) = (names[number % 6], names[(number + number / 6 + 1) % 6]);
            let code = match number % 3 {
                0 => format!("for {name} in range({number}):\n    print({name}, {other})\n"),
                1 => format!("{name} = copy.copy({other})\n{other} = {other} + {number}\n"),
                _ => format!("if {name} is None:\n    {name} = {number}\nself.{other} = {other}\n"),
            };
            (format!("src/{number}.py"), code.repeat(2))
        })
        .collect();
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, code)| (name.as_str(), code.as_bytes()))
        .collect();
    folder_with(&files)
}

/// An id is a hash of what an idiom is: what two minings find has one name in both.
#[test]
fn ids_are_the_same_whatever_the_seed() {
    let folder = habits();
    let mined = |seed: &str, out: &str| {
        let mine = ["mine", "src", "--seed", seed, "--sweeps", "3", "--out", out];
        let (status, report) = run_json(folder.path(), &mine);
        assert_eq!(status, 0, "{report}");
        let path = folder.path().join(out);
        let idioms = IdiomFile::open(&path).unwrap().idioms;
        let named = idioms.into_iter().map(|it| (it.notation, it.id));
        named.collect::<BTreeMap<String, String>>()
    };
    let (one, other) = (mined("1", "one.json"), mined("2", "other.json"));
    let both: Vec<&String> = one.keys().filter(|it| other.contains_key(*it)).collect();
    assert!(both.len() >= 3, "{one:?} {other:?}");
    for notation in both {
        assert_eq!(one[notation], other[notation]);
    }
    let ids: BTreeSet<&String> = one.values().chain(other.values()).collect();
    let notations: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    assert_eq!(ids.len(), notations.len());
}

/// A person calls an idiom something, and mines again.
#[test]
fn titles_that_people_write_survive() {
    let folder = habits();
    let path = folder.path().join("idioms.json");
    run_json(folder.path(), &["mine", "src"]);
    let text = fs::read_to_string(&path).unwrap();
    let title = "\"title\": \"copy.copy\"";
    assert!(text.contains(title), "{text}");
    let edited = text.replacen(title, "\"title\": \"a shallow copy\"", 1);
    fs::write(&path, edited).unwrap();

    let (status, report) = run_json(folder.path(), &["mine", "src", "--seed", "7"]);
    assert_eq!((status, &report["titles"]["kept"]), (0, &Value::from(1)));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"title\": \"a shallow copy\""), "{text}");
    let (_, stdout, _) = run(folder.path(), &["mine", "src"]);
    assert!(stdout.contains("1 title kept"), "{stdout}");

    fs::write(folder.path().join("src/other.py"), "x = f(1)\n").unwrap();
    let (_, stdout, _) = run(
        folder.path(),
        &["mine", "src/other.py", "src/1.py", "--keep-names"],
    );
    assert!(
        stdout.contains("\"a shallow copy\", is not found any more"),
        "{stdout}"
    );
}

#[test]
fn the_corpus_inside_is_mined_and_reported_as_agreed() {
    let folder = folder_with(&[]);
    let (code, report) = run_json(folder.path(), &["mine", "default"]);
    assert_eq!(code, 0, "{report}");
    for path in [
        "/programs",
        "/sites",
        "/idioms",
        "/seconds/read",
        "/seconds/sample",
        "/seconds/extract",
        "/seconds/total",
        "/ns_per_site",
        "/compression/train",
        "/compression/train_with_library",
        "/compression/dev",
        "/coverage/train",
        "/coverage/dev",
    ] {
        let value = report.pointer(path).and_then(Value::as_f64);
        assert!(value.is_some_and(|it| it > 0.0), "{path}: {report}");
    }
    assert_eq!(report["log_posterior"].as_array().map(Vec::len), Some(10));
    assert!(report["compression"]["train"].as_f64() > Some(2.0));
    assert!(report["coverage"]["dev"].as_f64() <= Some(1.0));

    let (file, library) = read(&folder, &sql());
    assert_eq!(report["idioms"], library.len());
    assert_eq!(report["programs"], file.corpus.programs);
    for idiom in &file.idioms {
        assert!(idiom.occurrences >= idiom.coverage && idiom.coverage > 0);
        assert!((1..=3).contains(&idiom.examples.len()), "{idiom:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_with_any_number_of_threads() {
    let folder = habits();
    let mine = |out: &str, more: &[&str]| {
        let command = ["mine", "src", "--out", out, "-q"];
        let (code, _, stderr) = run(folder.path(), &[&command[..], more].concat());
        assert_eq!(code, 0, "{stderr}");
        fs::read(folder.path().join(out)).unwrap()
    };
    let one = mine("one.json", &["--threads", "1", "--seed", "7"]);
    assert_eq!(one, mine("two.json", &["--threads", "2", "--seed", "7"]));
    assert_eq!(one, mine("again.json", &["--seed", "7"]));
    // The seed is part of the file.
    assert_ne!(one, mine("other.json", &["--seed", "8"]));
}

#[test]
fn every_miner_with_every_ranking() {
    let (folder, grammar) = (habits(), python());
    for miner in ["type-based", "single-site", "bpe"] {
        for ranking in [
            "coverage",
            "cross-entropy",
            "residual",
            "compression",
            "surprise",
        ] {
            let names = ["--min-names", "0"];
            let options = ["--miner", miner, "--rank", ranking, "--top", "5"];
            let command = [&["mine", "src"], &options[..], &names].concat();
            let (code, report) = run_json(folder.path(), &command);
            assert_eq!(code, 0, "{report}");
            let (file, library) = read(&folder, &grammar);
            assert_eq!(report["idioms"], library.len());
            assert!((1..=5).contains(&library.len()), "{miner} {ranking}");
            assert!(file.idioms.iter().all(|it| it.occurrences > 1));
            // Without a dev split there is nothing to say about one.
            assert_eq!(report["compression"]["dev"], Value::Null);
        }
    }
    let (code, report) = run_json(folder.path(), &["mine", "src", "--preset", "paper"]);
    assert_eq!(code, 0, "{report}");
}

/// Words of texts foretell idioms; source files have none.
#[test]
fn phrases_need_texts() {
    let folder = habits();
    let (code, _, stderr) = run(folder.path(), &["mine", "src", "--rank", "phrases"]);
    assert_eq!(code, 2, "{stderr}");
    let words: Vec<&str> = stderr.split_whitespace().collect();
    let said = words.join(" ");
    assert!(said.contains("expects a text for every program"), "{said}");

    let rows = (0..60).map(|it| {
        let (text, code) = match it % 3 {
            0 => (
                format!("draw {it} cards"),
                format!("deck.draw(player, {it})"),
            ),
            1 => (format!("heal {it}"), format!("hero.heal({it}, self)")),
            _ => (format!("do {it} things"), format!("x{} = {it}", it % 7)),
        };
        serde_json::json!({ "split": "train", "text": text, "code": code }).to_string() + "\n"
    });
    fs::write(folder.path().join("cards.jsonl"), rows.collect::<String>()).unwrap();
    let command = [
        "mine",
        "cards.jsonl",
        "--language",
        "python",
        "--rank",
        "phrases",
    ];
    let (code, stdout, stderr) = run(folder.path(), &command);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("\u{201c}draw\u{201d} 20 of 20"), "{stdout}");
    let file = fs::read_to_string(folder.path().join("idioms.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    let phrases = &file["idioms"][0]["phrases"][0];
    assert_eq!(
        (&phrases["programs"], &phrases["of"]),
        (&20.into(), &20.into())
    );
}

#[test]
fn a_library_of_another_grammar_is_refused() {
    let folder = habits();
    assert_eq!(run(folder.path(), &["mine", "src"]).0, 0);
    let path = folder.path().join("idioms.json");
    let error = IdiomFile::read(&path, &sql()).unwrap_err().to_string();
    assert!(error.contains("is of another grammar (Python)"), "{error}");
    let paper = Grammar::from_schema(Sql::schema_of(Mode::Paper));
    assert!(IdiomFile::read(&path, &paper).is_err());
    assert!(IdiomFile::read(&path, &python()).is_ok());
}

/// A run that cannot succeed says why, and leaves an earlier library as it was.
fn check_failure(arguments: &[&str], expected_code: i32, expected: &str) {
    let folder = folder_with(&[
        ("a.py", b"x = 1\n"),
        ("broken.py", b"x = (\n"),
        ("notes.txt", b"x = 1\n"),
        ("empty/readme.md", b""),
        ("idioms.json", b"precious"),
    ]);
    let before = names_in(folder.path());
    let (code, stdout, stderr) = run(folder.path(), &[&["mine"], arguments].concat());
    assert_eq!(code, expected_code, "{arguments:?}\n{stderr}");
    assert_eq!(stdout, "");
    assert!(stderr.contains(expected), "{arguments:?}\n{stderr}");
    let kept = fs::read(folder.path().join("idioms.json")).unwrap();
    assert_eq!(kept, b"precious", "{arguments:?}");
    assert_eq!(names_in(folder.path()), before, "{arguments:?}");
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_cannot_be_mined_is_refused_before_anything_is_written() {
    let discount = "expected a discount of at least 0 and below 1, found 1";
    check_failure(&["a.py", "--discount", "1.0"], 2, discount);
    let concentration = "expected a concentration above -0.5, found -1";
    check_failure(&["a.py", "--concentration", "-1"], 2, concentration);
    check_failure(&["a.py", "--discount", "lots"], 2, "lots");
    check_failure(&["a.py", "--top", "0"], 2, "0 is not in 1..");
    check_failure(&["a.py", "--sweeps", "0"], 2, "0 is not in 1..");
    check_failure(&["a.py", "--miner", "magic"], 2, "type-based");
    check_failure(&["a.py", "--rank", "beauty"], 2, "cross-entropy");
    check_failure(&["a.py", "--split", "dev"], 2, "has no split `dev`");
    check_failure(&["nowhere/at/all"], 2, "nowhere/at/all");
    check_failure(&["empty"], 1, "found none");
    check_failure(&["broken.py"], 1, "broken.py");
    check_failure(&["spider", "--data", "."], 1, "`spider` is not there");
    check_failure(&["a.py", "--out", "empty"], 1, "is a directory");
    check_failure(&["a.py", "--out", "no/such/i.json"], 1, "does not exist");
    check_failure(&["a.py", "default"], 1, "a.py");
    check_failure(&["notes.txt"], 2, "--language");
}

#[cfg(unix)]
#[test]
fn a_library_that_is_protected_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder_with(&[("a.py", b"x = 1\n"), ("mine.json", b"precious")]);
    let path = folder.path().join("mine.json");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let (code, _, stderr) = run(folder.path(), &["mine", "a.py", "--out", "mine.json"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("write-protected"), "{stderr}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_what_was_there() {
    use std::process::{Command, Stdio};
    let folder = habits();
    fs::write(folder.path().join("idioms.json"), "precious").unwrap();
    let before = names_in(folder.path());
    let endless = ["mine", "src", "--sweeps", "4000000000"];
    let mut child = crate::program::patois(folder.path(), &endless)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(child.try_wait().unwrap().is_none(), "the run has ended");
    let pid = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(names_in(folder.path()), before);
    let kept = fs::read(folder.path().join("idioms.json")).unwrap();
    assert_eq!(kept, b"precious");
}

#[test]
fn odd_corpora_make_small_libraries() {
    let grammar = python();
    let check = |files: &[(&str, &[u8])], options: &[&str], n_idioms: RangeInclusive<usize>| {
        let folder = folder_with(files);
        for miner in ["type-based", "single-site", "bpe"] {
            let command = ["mine", "src", "--language", "python", "--miner", miner];
            let (code, report) = run_json(folder.path(), &[&command[..], options].concat());
            assert_eq!(code, 0, "{report}");
            let (_, library) = read(&folder, &grammar);
            assert_eq!(report["idioms"], library.len());
            assert!(n_idioms.contains(&library.len()), "{miner} {report}");
        }
    };
    let one = b"x = f(1)\n";
    check(&[("src/a.py", one)], &[], 0..=0);
    // Both are programs of one statement, which is all that repeats.
    check(
        &[("src/a.py", b"x = 1\n"), ("src/b.py", b"import os\n")],
        &[],
        0..=1,
    );
    // No fewer than what repeats, though many more are asked for.
    let names: Vec<String> = (0..50).map(|it| format!("src/{it}.py")).collect();
    let same: Vec<(&str, &[u8])> = names.iter().map(|it| (it.as_str(), &one[..])).collect();
    check(&same, &["--keep-closed", "--top", "4294967295"], 1..=5);
}

/// The heading and the table fit into eighty columns, whatever the idioms.
#[test]
fn a_table_for_people() {
    let folder = habits();
    let (code, stdout, stderr) = run(folder.path(), &["mine", "src", "--top", "3"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stdout.lines().all(|it| it.chars().count() <= 80),
        "{stdout}"
    );
    assert!(stdout.contains("3 idioms written to `idioms.json`"));
}
