//! What the everyday questions in `corpora/everyday` promise.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use patois::corpus::{Corpus, CorpusOptions, DataDir, Example, Languages, Split};
use patois_database::{Database, QueryLimits, SqlValue};
use patois_languages::sql::Mode;

fn corpus() -> Corpus {
    let path = "../../corpora/everyday/questions.jsonl";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let options = CorpusOptions {
        language: Some("sql".to_owned()),
        ..CorpusOptions::default()
    };
    Corpus::open(path.to_str().unwrap(), &DataDir::locate(None), &options).unwrap()
}

fn database(example: &Example) -> &str {
    example.database.as_deref().unwrap()
}

#[test]
fn everyday_queries_parse_run_and_return_something() {
    let corpus = corpus();
    let places = corpus.places();
    let names = corpus.databases.keys();
    let opened: BTreeMap<&str, Database> = names
        .map(|name| (name.as_str(), places.open(name).unwrap()))
        .collect();
    for example in &corpus.examples {
        let rows = opened[database(example)].query(&example.code, &QueryLimits::default());
        let rows = rows.unwrap_or_else(|error| panic!("{}: {error}", example.id));
        let is_value = |it: &SqlValue| *it != SqlValue::Null;
        assert!(rows.rows.iter().flatten().any(is_value), "{}", example.id);
    }
    let n_examples = corpus.examples.len();
    let languages = Languages::of_corpus(&corpus, Mode::Full).unwrap();
    let parsed = corpus.parse(&languages).unwrap();
    assert_eq!(parsed.corpus.dropped, []);
    assert_eq!(parsed.trees.len(), n_examples);
}

#[test]
fn everyday_questions_of_dev_are_about_other_databases_and_none_is_asked_twice() {
    let corpus = corpus();
    let about = |split| -> BTreeSet<&str> { corpus.of(split).map(database).collect() };
    let (train, dev) = (about(Split::Train), about(Split::Dev));
    assert_eq!((train.len(), dev.len()), (185, 8));
    assert!(train.is_disjoint(&dev));
    let mut asked = BTreeSet::new();
    for example in &corpus.examples {
        let text = example.text.to_lowercase();
        let text = text.trim_end_matches(['.', '?', ' ']).to_owned();
        assert!(asked.insert((database(example), text)), "{}", example.id);
    }
}
