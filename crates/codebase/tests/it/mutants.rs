//! Files that were torn, doubled or left half-written: whatever is in them, `patois mine` reads what is
//! whole and counts the rest.

use std::fs;
use std::path::Path;

use patois_codebase::repository::{RepositoryPrograms, UnitConfig};
use patois_languages::{SourceLanguage, UnitKind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// How many files are made of each program.
const N_MUTANTS: u64 = 400;

/// What people leave in the middle of something else, and what parsers stumble over.
const INSERTED: &[&str] = &[
    "#",
    "# later\n",
    "//",
    "/*",
    "*/",
    "--",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "'''",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ":",
    ";",
    ",",
    ".",
    "...",
    "@",
    "$",
    "\\",
    "\\\n",
    "\n",
    "\n    ",
    "\t",
    "\r\n",
    "=",
    "==",
    "=>",
    "->",
    "::",
    "&",
    "*",
    "|",
    "!",
    "?",
    "#if x\n",
    "#endif\n",
    "\u{feff}",
    "\u{1}",
    "é",
    "\u{10ffff}",
    "0x",
    "1e",
    "f\"{",
    "${",
    "<<A\n",
    "r#\"",
    "def ",
    "class ",
    "fn ",
    "import ",
    "if ",
    "else ",
    "return ",
    "lambda ",
    "async ",
    "match ",
    "with ",
    "type ",
    "struct ",
    "end\n",
    "SELECT ",
];

/// The words, blanks and signs of a text.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let class = |it: char| (it.is_alphanumeric() || it == '_', it == ' ');
        let length = match class(first) {
            (false, false) => first.len_utf8(),
            of_first => rest.find(|it| class(it) != of_first).unwrap_or(rest.len()),
        };
        let (token, tail) = rest.split_at(length);
        tokens.push(token);
        rest = tail;
    }
    tokens
}

/// A program after a few accidents.
fn mutant(program: &str, rng: &mut ChaCha8Rng) -> String {
    let mut tokens = tokens(program);
    for _ in 0..rng.random_range(1..=4) {
        let at = rng.random_range(0..tokens.len().max(1));
        let end = (at + rng.random_range(1..=8)).min(tokens.len());
        match rng.random_range(0..6) {
            _ if tokens.is_empty() => {}
            0 => drop(tokens.drain(at..end)),
            1 => tokens.insert(at, INSERTED[rng.random_range(0..INSERTED.len())]),
            2 => {
                let again = tokens[at..end].to_vec();
                tokens.splice(at..at, again);
            }
            3 => {
                let other = rng.random_range(0..tokens.len());
                tokens.swap(at, other);
            }
            4 => tokens.truncate(at),
            _ => {
                // The rest of a line, as a comment.
                let line_end = tokens[at..].iter().position(|it| *it == "\n");
                let line_end = line_end.map_or(tokens.len(), |it| at + it);
                tokens.splice(at..line_end, ["# later"]);
            }
        }
    }
    tokens.concat()
}

/// Programs of a language, with what they are called.
fn programs(language: &str) -> Vec<String> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/tests/fixtures");
    let folders = ["python", "sources"].map(|it| fs::read_dir(fixtures.join(it)).unwrap());
    let paths = folders.into_iter().flatten().map(|it| it.unwrap().path());
    let mut paths: Vec<_> = paths
        .filter(|it| SourceLanguage::of_file(it) == Some(language))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|it| fs::read_to_string(it).unwrap())
        .collect()
}

/// Reads sources as `patois mine` does; all that comes of them must be programs.
fn check(language: &SourceLanguage, sources: &[(String, String)], unit: UnitKind) {
    let config = UnitConfig {
        unit,
        ..UnitConfig::default()
    };
    let read = RepositoryPrograms::of_sources(language.clone(), sources.to_vec(), &config);
    assert_eq!(
        read.figures.files + read.figures.skipped_files,
        sources.len()
    );
    for (program, tree) in read.trees.iter().enumerate() {
        let place = &read.units[program];
        let file = &read.files[place.file];
        let shown = || format!("{}: {:?}", language.name(), file.text);
        assert!(place.span.range().end <= file.text.len(), "{}", shown());
        let ast = read.grammar.ast(tree);
        let printed = language.language().print(&ast);
        assert!(printed.is_ok(), "{}: {printed:?}", shown());
    }
}

#[test]
fn whatever_is_in_a_file_the_others_are_read() {
    for name in SourceLanguage::names() {
        let language = SourceLanguage::named(name).unwrap();
        let programs = programs(name);
        assert!(!programs.is_empty(), "{name} has no program");
        let mutants: Vec<(String, String)> = programs
            .iter()
            .flat_map(|program| {
                (0..N_MUTANTS).map(move |seed| {
                    let mut rng = ChaCha8Rng::seed_from_u64(seed);
                    (seed.to_string(), mutant(program, &mut rng))
                })
            })
            .collect();
        mutants.par_iter().for_each(|it| {
            check(&language, std::slice::from_ref(it), UnitKind::File);
            check(&language, std::slice::from_ref(it), UnitKind::Function);
        });
        // Together, as they share a grammar.
        check(&language, &mutants, UnitKind::Function);
    }
}
