//! Files of idioms, written and read.

use patois_languages::python::Python;
use patois_languages::sql::{Mode, Sql};
use patois_syntax::{Fragment, Grammar, Idiom, IdiomLibrary, Language, Tree};

use super::{CorpusStamp, IdiomFile, MinedProgram};
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
    assert_eq!(json, include_str!("tests.json"));
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

/// Writes the file with a change, and expects an error that ends like this.
fn check_refused(grammar: &Grammar, from: &str, to: &str, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idioms.json");
    let json = file(&python()).to_json();
    assert!(json.contains(from) || from.is_empty());
    std::fs::write(&path, json.replacen(from, to, 1)).unwrap();
    let error = IdiomFile::read(&path, grammar).unwrap_err().to_string();
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
