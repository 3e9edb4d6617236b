//! `patois find`: whatever somebody looks for, there is an error that says why not, or places.
//!
//! The first character chooses the language whose files are searched, as for `units`.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use patois_codebase::find::{NumberedIdiom, Sought, find};
use patois_codebase::repository::{RepositoryPrograms, UnitConfig};
use patois_languages::SourceLanguage;

/// A small program of each language, as the table lists them.
static READ: LazyLock<Vec<RepositoryPrograms>> = LazyLock::new(|| {
    let names = SourceLanguage::names().into_iter();
    let read = names.map(|name| {
        let language = SourceLanguage::named(name).expect("it is in the table");
        let source = (name.to_owned(), program(name).to_owned());
        RepositoryPrograms::of_sources(language, [source], &UnitConfig::default())
    });
    read.collect()
});

fn program(language: &str) -> &'static str {
    match language {
        "python" => include_str!("../../crates/languages/tests/fixtures/python/statements.py"),
        "sql" => include_str!("../../crates/languages/tests/fixtures/sources/stack.sql"),
        "c" => include_str!("../../crates/languages/tests/fixtures/sources/stack.c"),
        "cpp" => include_str!("../../crates/languages/tests/fixtures/sources/stack.cpp"),
        "csharp" => include_str!("../../crates/languages/tests/fixtures/sources/Stack.cs"),
        "go" => include_str!("../../crates/languages/tests/fixtures/sources/stack.go"),
        "java" => include_str!("../../crates/languages/tests/fixtures/sources/Stack.java"),
        "javascript" => include_str!("../../crates/languages/tests/fixtures/sources/stack.js"),
        "ruby" => include_str!("../../crates/languages/tests/fixtures/sources/stack.rb"),
        "rust" => include_str!("../../crates/languages/tests/fixtures/sources/stack.rs"),
        "tsx" => include_str!("../../crates/languages/tests/fixtures/sources/stack.tsx"),
        "typescript" => include_str!("../../crates/languages/tests/fixtures/sources/stack.ts"),
        other => panic!("{other} has no program here"),
    }
}

fuzz_target!(|input: &str| {
    let Some(choice) = input.chars().next() else { return };
    let text = &input[choice.len_utf8()..];
    let choice = u32::from(choice).wrapping_sub(u32::from('a')) as usize;
    let read = &READ[choice % READ.len()];
    let idiom = NumberedIdiom { number: 1, notation: text.to_owned() };
    let typed = Sought::typed(text).ok();
    for sought in typed.into_iter().chain([Sought::Idioms(vec![idiom])]) {
        let _ = sought.words(&read.language);
        for place in find(read, &sought).unwrap_or_default() {
            assert!(place.line > 0 && place.line <= place.end_line, "{place:?}");
        }
    }
});
