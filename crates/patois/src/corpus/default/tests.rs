//! What the default corpus promises.

use std::collections::{BTreeMap, BTreeSet};

use patois_database::{Databases, QueryLimits, SqlValue};

use super::*;
use crate::corpus::Example;

static CORPUS: LazyLock<Corpus> = LazyLock::new(corpus);

fn of(split: Split) -> impl Iterator<Item = &'static Example> {
    CORPUS.examples.iter().filter(move |it| it.split == split)
}

fn database(example: &Example) -> &str {
    example.database.as_deref().unwrap()
}

#[test]
fn splits_have_the_promised_sizes() {
    assert!(of(Split::Train).count() >= 10_000);
    assert!(of(Split::Dev).count() >= 200);
    assert!(of(Split::Test).count() >= 200);
    assert!(of(Split::Handwritten).count() >= 120);
    assert_eq!(CORPUS.databases.len(), 27);
    assert_eq!(CORPUS.language, "sql");
}

#[test]
fn ids_are_numbered_within_their_split() {
    let ids: BTreeSet<&str> = CORPUS.examples.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids.len(), CORPUS.examples.len());
    assert!(ids.contains("default/handwritten/1"));
}

#[test]
fn every_query_runs_and_nearly_all_return_something() {
    let (names, databases) = (CORPUS.databases.keys(), CORPUS.places());
    let opened = names.map(|name| (name.as_str(), databases.open(name).unwrap()));
    let opened: BTreeMap<&str, Database> = opened.collect();
    let mut n_empty = 0;
    for example in &CORPUS.examples {
        let outcome = opened[database(example)].query(&example.code, &QueryLimits::default());
        let rows = outcome
            .unwrap_or_else(|error| panic!("{}: {error}: {}", example.id, example.code))
            .rows;
        n_empty += usize::from(rows.iter().flatten().all(|it| *it == SqlValue::Null));
    }
    assert!(
        n_empty * 20 <= CORPUS.examples.len(),
        "{n_empty} queries return nothing"
    );
}

#[test]
fn held_out_databases_are_unseen() {
    let seen: BTreeSet<&str> = of(Split::Train)
        .chain(of(Split::Dev))
        .map(database)
        .collect();
    let held_out: BTreeSet<&str> = of(Split::Test)
        .chain(of(Split::Handwritten))
        .map(database)
        .collect();
    assert_eq!(seen.len(), 25);
    assert_eq!(held_out, BTreeSet::from(["concerts", "vet_clinic"]));
    assert!(seen.is_disjoint(&held_out));
}

#[test]
fn no_question_is_asked_twice() {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for example in &CORPUS.examples {
        let text = example.text.to_lowercase();
        let text = text.trim_end_matches(['.', '?']);
        let known = seen.insert(format!("{}: {text}", database(example)), &example.id);
        assert_eq!(known, None, "{} repeats a question: {text}", example.id);
    }
}

#[test]
fn train_and_dev_share_no_query() {
    let queries = |split| -> BTreeSet<(&str, &str)> {
        of(split)
            .map(|it| (database(it), it.code.as_str()))
            .collect()
    };
    assert!(queries(Split::Train).is_disjoint(&queries(Split::Dev)));
}

#[test]
fn the_tiny_corpus_of_the_tests_asks_databases_of_this_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tiny");
    let tiny = jsonl::read(&folder.join("tiny.jsonl"), Some("sql")).unwrap();
    assert_eq!(tiny.splits(), Split::ALL);
    assert_eq!(tiny.databases.len(), 3);
    for (name, schema) in &tiny.databases {
        assert_eq!(schema, &CORPUS.databases[name]);
    }
    // Its generated questions are of an earlier generator; those of people stay.
    let known: BTreeSet<_> = CORPUS.examples.iter().map(content).collect();
    for example in &tiny.examples {
        let is_kept = known.contains(&content(example));
        assert!(
            is_kept || example.split != Split::Handwritten,
            "{}",
            example.id
        );
        let rows = |databases: &Databases| {
            let database = databases.open(database(example)).unwrap();
            let rows = database.query(&example.code, &QueryLimits::default());
            rows.unwrap().rows
        };
        assert_eq!(
            rows(&tiny.places()),
            rows(&CORPUS.places()),
            "{}",
            example.id
        );
    }
}

/// All of an example but where it stands.
fn content(example: &Example) -> (Split, &str, &str, &str) {
    (
        example.split,
        database(example),
        &example.text,
        &example.code,
    )
}
