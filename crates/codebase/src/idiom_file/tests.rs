//! Files of idioms, written and read.

use std::path::PathBuf;

use patois_languages::python::Python;
use patois_languages::sql::{Mode, Sql};
use patois_syntax::{Fragment, Grammar, Idiom, IdiomLibrary, Language, Tree};

use super::{CorpusStamp, IdiomFile, KeptTitles, MinedProgram};
use crate::idiom_source::IdiomPrinter;

fn python() -> Grammar {
    Grammar::from_schema(Python.schema().unwrap())
}

/// A file with one idiom, which occurs three times in two programs.
fn file(grammar: &Grammar) -> IdiomFile {
    let codes = [
        "x = copy.copy(y)\nz = copy.copy(x)\n",
        "pass\n",
        "a = copy.copy(self.b)\n",
    ];
    let trees: Vec<Tree> = codes
        .iter()
        .map(|code| grammar.tree(&Python.parse(code).unwrap()).unwrap())
        .collect();
    let notation = r#"(Assign [(Name ?x)] (Call (Attribute (Name "copy") "copy") [?y] []))"#;
    let library = IdiomLibrary::new(
        grammar,
        vec![Idiom {
            fragment: Fragment::parse(grammar, notation).unwrap(),
            coverage: 2,
            score: 0.1,
        }],
    );
    let ids = ["cards:0", "cards:1", "cards:2"];
    let programs = ids.iter().zip(codes).zip(&trees);
    let programs: Vec<MinedProgram<'_>> = programs
        .map(|((id, code), tree)| MinedProgram { id, code, tree })
        .collect();
    let corpus = CorpusStamp {
        name: "cards".to_owned(),
        language: "python".to_owned(),
        split: "train".to_owned(),
        programs: 3,
    };
    let config = serde_json::json!({"sweeps": 10});
    let printer = IdiomPrinter::python(grammar);
    IdiomFile::of_programs(grammar, &programs, &library, corpus, config, &printer)
}

#[test]
fn a_file_says_what_was_found_where() {
    let grammar = python();
    let fingerprint = grammar.fingerprint().to_string();
    let json = file(&grammar).to_json();
    assert!(json.contains(&fingerprint));
    let json = json.replace(&fingerprint, "(fingerprint)");
    let json = json.replace(checksum(&json), "(checksum)");
    assert_eq!(json, include_str!("tests.json"));
}

/// What a file says it comes to.
fn checksum(json: &str) -> &str {
    let (_, rest) = json.split_once("\"checksum\": \"").unwrap();
    rest.split('"').next().unwrap()
}

#[test]
fn what_is_written_is_read_again() {
    let grammar = python();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idioms.json");
    let written = file(&grammar);
    written.write(&path).unwrap();
    let (read, library) = IdiomFile::read(&path, &grammar).unwrap();
    assert_eq!(read, written);
    assert_eq!(read.to_json(), written.to_json());
    assert_eq!(library.len(), 1);
    let (_, idiom) = library.iter().next().unwrap();
    assert_eq!((idiom.coverage, idiom.score), (2, 0.1));
}

/// A file without its checksum, as somebody leaves it who has changed it.
fn unsealed(json: &str) -> String {
    let key = format!(",\n  \"checksum\": \"{}\"", checksum(json));
    json.replace(&key, "")
}

fn read(json: impl AsRef<[u8]>, grammar: &Grammar) -> Result<IdiomFile, (String, PathBuf)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idioms.json");
    std::fs::write(&path, json).unwrap();
    let read = IdiomFile::read(&path, grammar);
    read.map(|it| it.0)
        .map_err(|error| (error.to_string(), path))
}

/// Writes the file with a change, and expects an error that begins like this.
#[track_caller]
fn check_refused(grammar: &Grammar, from: &str, to: &str, expected: &str) {
    let json = unsealed(&file(&python()).to_json());
    assert!(json.contains(from) || from.is_empty());
    let (error, path) = read(json.replacen(from, to, 1), grammar).unwrap_err();
    let shown = error.replace(&path.display().to_string(), "idioms.json");
    assert!(shown.starts_with(expected), "{shown}");
}

#[test]
fn what_is_no_library_of_the_grammar_is_refused() {
    let python = python();
    let sql = Grammar::from_schema(Sql::schema_of(Mode::Full));
    check_refused(
        &python,
        "\"version\": 1",
        "\"version\": 2",
        "`idioms.json` has version 2, expected 1",
    );
    check_refused(
        &python,
        "\"version\": 1,",
        "",
        "`idioms.json` is no file of idioms: missing field `version`",
    );
    check_refused(
        &sql,
        "",
        "",
        "`idioms.json` is of another grammar (Python): the idioms were mined with grammar",
    );
    check_refused(
        &python,
        "(Assign [(Name ?0)]",
        "(Assign (Name ?0)",
        "`idioms.json`: idiom 0 (`(Assign (Name ?0) ",
    );
    check_refused(
        &python,
        "\"score\": 0.1",
        "\"score\": null",
        "`idioms.json` is no file",
    );
    check_refused(&python, "{", "", "`idioms.json` is no file of idioms: ");
    let error = IdiomFile::read("no/such/file".as_ref(), &python).unwrap_err();
    assert_eq!(error.to_string(), "cannot read `no/such/file`");
}

#[test]
fn a_file_that_was_changed_is_refused_until_its_checksum_is_taken_out() {
    let grammar = python();
    let whole = file(&grammar);
    let json = whole.to_json();
    let changed = json.replace("\\\"copy\\\"", "\\\"cope\\\"");
    assert_ne!(json, changed);
    let (error, _) = read(&changed, &grammar).unwrap_err();
    for part in [
        "has changed since it was written",
        checksum(&json),
        "removes its key `checksum`",
    ] {
        assert!(error.contains(part), "no {part} in {error}");
    }
    assert!(read(unsealed(&changed), &grammar).is_ok());
    assert_eq!(read(unsealed(&json), &grammar), Ok(whole));
}

/// Idioms with other names in them used to be read as if nothing had happened.
#[test]
fn no_bit_of_a_file_changes_unnoticed() {
    let grammar = python();
    let whole = file(&grammar);
    let json = whole.to_json();
    for bit in 0..8 * json.len() {
        let mut bytes = json.clone().into_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(text) = str::from_utf8(&bytes)
            && let Ok(mut found) = IdiomFile::parse("idioms.json".as_ref(), text)
        {
            // Titles are free.
            found.idioms[0].title.clone_from(&whole.idioms[0].title);
            assert_eq!(found, whole, "bit {bit}");
        }
    }
}

#[test]
fn a_title_is_a_persons_to_change_and_is_kept() {
    let grammar = python();
    let mined = file(&grammar);
    assert_eq!(mined.idioms[0].title, "copy.copy");
    let edited = mined
        .to_json()
        .replace("\"copy.copy\"", "\"a shallow copy\"");
    let edited = read(edited, &grammar).unwrap();
    assert_eq!(edited.idioms[0].title, "a shallow copy");

    let mut again = mined.clone();
    assert_eq!(again.keep_titles(&mined), KeptTitles::default());
    assert_eq!(again.keep_titles(&edited).kept, 1);
    assert_eq!(again.idioms[0].title, "a shallow copy");

    let mut other = mined.clone();
    other.idioms[0].id = "py-00000000".to_owned();
    let lost = other.keep_titles(&edited).lost;
    assert_eq!(lost[0].id, mined.idioms[0].id);
    assert_eq!(lost[0].title, "a shallow copy");

    let mut other = mined.clone();
    other.corpus.language = "sql".to_owned();
    assert_eq!(other.keep_titles(&edited), KeptTitles::default());
}

/// As they were before idioms had names.
#[test]
fn older_files_are_read_and_their_idioms_named() {
    let grammar = python();
    let mined = file(&grammar);
    let older = unsealed(&mined.to_json());
    let older = older.replace("\"id\": \"py-vvwq4mxw\",", "");
    let older = older.replace("\"title\": \"copy.copy\",", "");
    let found = read(older, &grammar).unwrap();
    assert_eq!(found.idioms[0].title, "copy.copy");
    assert!(found.idioms[0].id.starts_with("py-"));
    assert_eq!(found.number_of(&found.idioms[0].id), Some(1));
    assert_eq!(found.number_of("1"), Some(1));
    for nothing in ["0", "2", "py-00000000", ""] {
        assert_eq!(found.number_of(nothing), None);
    }
}
