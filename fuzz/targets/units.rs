//! Source files of every language, as `patois mine` reads them: whatever is in one, it is read or counted.
//!
//! The first byte chooses the language: `a` is the first of the table, `b` the second.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use patois_codebase::repository::{RepositoryPrograms, UnitConfig};
use patois_languages::{SourceLanguage, UnitKind};

static LANGUAGES: LazyLock<Vec<SourceLanguage>> = LazyLock::new(|| {
    let names = SourceLanguage::names().into_iter();
    names.filter_map(SourceLanguage::named).collect()
});

fuzz_target!(|input: &str| {
    let Some(choice) = input.chars().next() else { return };
    let source = &input[choice.len_utf8()..];
    let choice = u32::from(choice).wrapping_sub(u32::from('a')) as usize;
    let language = &LANGUAGES[choice % LANGUAGES.len()];
    for unit in [UnitKind::File, UnitKind::Function] {
        let config = UnitConfig { unit, ..UnitConfig::default() };
        let sources = [("source".to_owned(), source.to_owned())];
        let read = RepositoryPrograms::of_sources(language.clone(), sources, &config);
        for (program, tree) in read.trees.iter().enumerate() {
            let _ = (read.id(program), read.spans(program));
            // What nobody could have written is no program.
            let printed = language.language().print(&read.grammar.ast(tree));
            printed.expect("a program prints");
        }
    }
});
