//! Twice the source is twice the work, from the text of a file to the trees that are mined, and to what is
//! sought, listed and exported.
#![expect(clippy::unwrap_used, reason = "this is a test, helpers included")]

use patois_codebase::duplicates::{self, DuplicateConfig};
use patois_codebase::export::{Tool, rules};
use patois_codebase::find::{self, Sought};
use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::idiom_source::IdiomPrinter;
use patois_codebase::local_names::LocalNames;
use patois_codebase::repository::{RepositoryPrograms, UnitConfig};
use patois_growth::{Counter, check_linear, check_linear_by_and_large};
use patois_languages::{SourceLanguage, UnitKind};
use patois_syntax::{Fragment, Idiom, IdiomLibrary};

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

/// What is sought, listed and exported grows with the source, too.
fn check_use(what: &str, n: usize, source: impl Fn(usize) -> String, use_it: impl Fn(&Read)) {
    let input = |n| {
        let language = SourceLanguage::named("python").unwrap();
        let sources = [("a.py", source(n)), ("b.py", source(n))];
        let sources = sources.map(|(name, it)| (name.to_owned(), it));
        RepositoryPrograms::of_sources(language, sources, &UnitConfig::default())
    };
    check_linear_by_and_large(what, n, input, use_it);
}

type Read = RepositoryPrograms;

/// A source of a given size.
type Make = fn(usize) -> String;

/// Sources of several shapes.
const SOURCES: [(&str, Make); 3] = [
    ("functions", |n| {
        let one = |it: usize| {
            format!(
                "def f{it}(a, b):\n    print(a, {})\n    return g(b)\n",
                it % 7
            )
        };
        (0..n).map(one).collect()
    }),
    ("a table", |n| {
        let row = |it: usize| format!("    ('a{}', 'b{}', 'c{}'),\n", it % 7, it % 10, it % 3);
        format!("table = [\n{}]\n", (0..n).map(row).collect::<String>())
    }),
    ("statements", |n| {
        let one = |it: usize| format!("x{} = f(a, {})\nprint(x, y)\n", it % 5, it * it % 11);
        (0..n).map(one).collect()
    }),
];

#[test]
fn patterns_are_sought() {
    for (shape, source) in SOURCES {
        for pattern in ["print($a, $b)", "$x = f(a, $y)", "($a, $b, $c)"] {
            let sought = Sought::typed(pattern).unwrap();
            check_use(&format!("find {pattern} in {shape}"), 300, source, |read| {
                drop(find::find(read, &sought).unwrap());
            });
        }
    }
}

#[test]
fn duplicates_are_listed() {
    for (shape, source) in SOURCES {
        check_use(&format!("duplicates of {shape}"), 2_000, source, |read| {
            drop(duplicates::find(
                read,
                DuplicateConfig {
                    min_lines: 5,
                    min_nodes: 40,
                    local_names: LocalNames::Holes,
                },
            ));
        });
    }
}

/// Rules are made of idioms that are as long as their source, up to 1,000 nodes: beyond it, idioms are
/// printed and have no rule.
#[test]
fn idioms_are_exported() {
    for (shape, source) in SOURCES {
        check_export(&format!("rules for {shape}"), source, 100);
    }
}

/// At most 960 nodes. A table of so many, each of whose literals is a metavariable, takes up to 250 times
/// as long as one without any: to see which part of a line of Python a hole is, the line is printed with
/// something else in its place.
#[test]
fn idioms_that_become_rules_are_exported() {
    for (shape, source) in SOURCES.into_iter().filter(|it| it.0 != "a table") {
        check_export(&format!("short rules for {shape}"), source, 16);
    }
}

fn check_export(what: &str, source: Make, n: usize) {
    check_use(what, n, source, |read| {
        let notation = read.trees[0].display(&read.grammar).to_string();
        let idiom = Idiom {
            fragment: Fragment::parse(&read.grammar, &notation).unwrap(),
            coverage: 2,
            score: 1.0,
        };
        let library = IdiomLibrary::new(&read.grammar, vec![idiom]);
        let printer = IdiomPrinter::of_sources(&read.grammar, &read.language);
        let how = serde_json::Value::Null;
        let file = IdiomFile::of_repository(read, &library, how, &printer);
        for tool in [Tool::AstGrep, Tool::Semgrep] {
            drop(rules(tool, read, &library, &file));
        }
    });
}
