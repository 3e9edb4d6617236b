//! Exports: idioms with anything in them are rules that a parser of YAML reads as what was meant.
//!
//! An input is a program whose first character chooses the language, as for `units`. All of it is an idiom, and so
//! is each of its strings, with the input's own text for what it looks like.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use patois_codebase::export::{Tool, rules};
use patois_codebase::idiom_file::{IdiomFile, IdiomRecord};
use patois_codebase::idiom_source::IdiomPrinter;
use patois_codebase::repository::{RepositoryPrograms, UnitConfig};
use patois_languages::SourceLanguage;
use patois_syntax::{Fragment, Idiom, IdiomLibrary};
use serde::Deserialize as _;
use serde_json::Value;

static LANGUAGES: LazyLock<Vec<SourceLanguage>> = LazyLock::new(|| {
    let names = SourceLanguage::names().into_iter();
    names.filter_map(SourceLanguage::named).collect()
});

/// The keys that a rule may have: whatever else is in one was written by the idiom.
const KEYS: [&str; 11] = [
    "id",
    "language",
    "languages",
    "severity",
    "message",
    "metadata",
    "rule",
    "constraints",
    "pattern",
    "pattern-either",
    "rules",
];

/// An idiom of all of each program, which looks as it does and, again, like the input itself.
fn idioms(read: &RepositoryPrograms, text: &str) -> (IdiomLibrary, IdiomFile) {
    let mut idioms = Vec::new();
    for tree in &read.trees {
        let notation = tree.display(&read.grammar).to_string();
        let fragment = Fragment::parse(&read.grammar, &notation).expect("a tree is a fragment");
        let idiom = Idiom {
            fragment,
            coverage: 1,
            score: 1.0,
        };
        idioms.extend([idiom.clone(), idiom]);
    }
    let library = IdiomLibrary::new(&read.grammar, idioms);
    let printer = IdiomPrinter::of_sources(&read.grammar, &read.language);
    let mut file = IdiomFile::of_repository(read, &library, Value::Null, &printer);
    for record in file.idioms.iter_mut().skip(1).step_by(2) {
        text.clone_into(&mut record.source);
    }
    (library, file)
}

/// The rules of a file, as a parser reads them.
fn parsed(tool: Tool, text: &str) -> Vec<Value> {
    let documents = yaml_serde::Deserializer::from_str(text).map(Value::deserialize);
    let documents: Vec<Value> = documents.map(|it| it.expect("rules are YAML")).collect();
    match tool {
        Tool::AstGrep => documents.into_iter().filter(|it| !it.is_null()).collect(),
        Tool::Semgrep => documents[0]["rules"]
            .as_array()
            .expect("a list of rules")
            .clone(),
    }
}

fn check(rule: &Value, file: &IdiomFile) {
    let entries = rule.as_object().expect("a rule is a map");
    let unknown = entries.keys().find(|it| !KEYS.contains(&it.as_str()));
    assert_eq!(unknown, None, "{rule}");
    let (id, source) = (&rule["id"], &rule["metadata"]["source"]);
    let is_meant = |it: &&IdiomRecord| *id == it.id.as_str() && *source == it.source.as_str();
    let idiom = file.idioms.iter().find(is_meant);
    let idiom = idiom.expect("the id and the source of an idiom");
    assert_eq!(rule["metadata"]["title"], idiom.title.as_str());
    let first = idiom.source.lines().next().unwrap_or_default();
    let message = rule["message"].as_str().expect("a rule has a message");
    assert!(message.ends_with(&format!(": {first}")), "{message}");
}

fuzz_target!(|input: &str| {
    let Some(choice) = input.chars().next() else {
        return;
    };
    let source = &input[choice.len_utf8()..];
    let choice = u32::from(choice).wrapping_sub(u32::from('a')) as usize;
    let language = LANGUAGES[choice % LANGUAGES.len()].clone();
    let sources = [("source".to_owned(), source.to_owned())];
    let read = RepositoryPrograms::of_sources(language, sources, &UnitConfig::default());
    let (library, file) = idioms(&read, source);
    for tool in [Tool::AstGrep, Tool::Semgrep] {
        let made = rules(tool, &read, &library, &file);
        let rules = parsed(tool, &made.text);
        assert_eq!(rules.len(), made.n_expressed, "{}", made.text);
        rules.iter().for_each(|it| check(it, &file));
    }
});
