//! Twice the source is twice the work, from the text of a file to the trees that are mined.
#![expect(clippy::unwrap_used, reason = "this is a test, helpers included")]

use patois_codebase::repository::{RepositoryPrograms, UnitConfig};
use patois_growth::{Counter, check_linear};
use patois_languages::{SourceLanguage, UnitKind};

#[global_allocator]
static COUNTER: Counter = Counter;

/// Checks files that are `part` again and again.
fn check(language: &str, part: &str, n: usize) {
    let read = |source: &String| {
        for unit in [UnitKind::File, UnitKind::Function] {
            let config = UnitConfig {
                unit,
                ..UnitConfig::default()
            };
            let language = SourceLanguage::named(language).unwrap();
            let sources = [("source".to_owned(), source.clone())];
            let read = RepositoryPrograms::of_sources(language, sources, &config);
            for program in 0..read.trees.len() {
                assert!(read.id(program).starts_with("source:"));
                drop(read.spans(program));
            }
        }
    };
    check_linear(&format!("{language} {part:?}"), n, |n| part.repeat(n), read);
}

#[test]
fn programs_of_many_statements() {
    check("python", "x = f(a, b)\n", 1_000);
    check("python", "def f(a):\n    return a\n", 500);
    check("rust", "fn f(a: u8) -> u8 {\n    a\n}\n", 500);
    check("rust", "static X: u8 = 1;\n", 500);
}

#[test]
fn programs_that_do_not_parse() {
    check("python", "def f():  # later\n", 500);
    check("python", "x = (\n", 500);
    check("rust", "fn f( {\n", 200);
    check("rust", "static = ;\n", 500);
}
