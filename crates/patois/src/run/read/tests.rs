use std::fs;
use std::path::Path;

use patois_database::Place;

use super::*;
use crate::corpus::CorpusOptions;

/// Pairs about a database that is called like one of the embedded corpus, and is another.
fn write_pairs(folder: &Path, database: &str) -> String {
    let script = "CREATE TABLE pet(name TEXT); INSERT INTO pet VALUES ('Rex');";
    let file = folder.join(format!("{database}.sqlite"));
    Place::Script(script.to_owned()).copy(&file, &[]).unwrap();
    let row = |split: &str| {
        format!(
            r#"{{"text": "Who is there?", "code": "SELECT name FROM pet", "database": "{database}", "split": "{split}"}}"#
        )
    };
    let path = folder.join("pairs.jsonl");
    let rows = [
        row("train"),
        row("train"),
        row("train"),
        row("train"),
        row("dev"),
    ];
    fs::write(&path, rows.join("\n")).unwrap();
    path.display().to_string()
}

fn config(text: &str, pairs: &str) -> RunConfig {
    let text = format!("language = 'sql'\n{text}\n[model]\nencoder = 'schema'\n");
    RunConfig::parse("test.toml", &text.replace("PAIRS", pairs)).unwrap()
}

fn read(config: &RunConfig) -> Result<Source, StageError> {
    Source::read(config, &DataDir::locate(None))
}

#[test]
fn sources_add_training_examples_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let known = crate::corpus::default::corpus();
    let name = known.examples[0].database.clone().unwrap();
    let pairs = write_pairs(folder.path(), &name);
    let alone = read(&config("n_train = 20", &pairs)).unwrap();
    let both = "n_train = 20\n[[sources]]\ncorpus = 'PAIRS'\nweight = 0.5";
    let both = config(both, &pairs);
    let source = read(&both).unwrap();
    let n_of = |source: &Source, split| source.programs.of(split).count();
    assert_eq!(n_of(&source, Split::Train), n_of(&alone, Split::Train) + 4);
    assert_eq!(n_of(&source, Split::Dev), n_of(&alone, Split::Dev));
    assert_eq!(source.programs.corpus.name, alone.programs.corpus.name);
    assert_eq!(source.shares(&both).drawn(0).len(), 22);
    assert_eq!(
        source.trees(Split::Train),
        alone.trees(Split::Train),
        "idioms are of the main corpus"
    );
    // Two databases of one name are two.
    let corpus = &source.programs.corpus;
    let added = corpus.examples.last().unwrap();
    let other = format!("pairs.jsonl/{name}");
    assert_eq!(added.database.as_deref(), Some(other.as_str()));
    assert_eq!(corpus.databases[&other].tables[0].name, "pet");
    assert_eq!(corpus.databases[&name], known.databases[&name]);
    assert!(corpus.places().open(&other).is_ok());
    assert!(source.languages.of(added).is_ok());
}

/// One database that two sources speak of is one.
#[test]
fn a_database_that_is_the_same_is_shared() {
    let twice = "n_train = 20\n[[sources]]\ncorpus = 'default'";
    let twice = config(twice, "");
    let source = read(&twice).unwrap();
    let n_databases = crate::corpus::default::corpus().databases.len();
    assert_eq!(source.programs.corpus.databases.len(), n_databases);
    assert!(source.shares(&twice).is_plain());
}

#[test]
fn what_is_held_out_is_held_out_of_every_source() {
    let folds = config("n_folds = 5\n[[sources]]\ncorpus = 'default'", "");
    let source = read(&folds).unwrap();
    let databases = |split| -> IndexSet<String> {
        let examples = source.programs.corpus.of(split);
        examples.filter_map(|it| it.database.clone()).collect()
    };
    let (train, dev) = (databases(Split::Train), databases(Split::Dev));
    assert!(!dev.is_empty() && train.is_disjoint(&dev));
}

#[test]
fn sources_that_cannot_be_used_are_named() {
    let check = |source: &str, expected: &str| {
        let text = format!("[[sources]]\ncorpus = '{source}'");
        let mut config = config(&text, "");
        config.language = None;
        let error = read(&config).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("no-such-corpus", "found `no-such-corpus`, which is neither");
    let nowhere = DataDir::locate(Some(Path::new("/nowhere")));
    let error = Corpus::open("spider-syn", &nowhere, &CorpusOptions::default()).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("train_syn.json") && error.contains("Gan et al. 2021"),
        "{error}"
    );
    let text = "[[sources]]\ncorpus = 'default'\nweight = 0.0";
    let error = RunConfig::parse("test.toml", text).unwrap_err().to_string();
    assert!(
        error.contains("`sources.weight`: expected a number above 0"),
        "{error}"
    );
}
