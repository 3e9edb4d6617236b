use super::*;
use crate::corpus::{CorpusOptions, DataDir, default};

fn corpus() -> Corpus {
    let mut corpus = default::corpus();
    corpus.keep(Split::Dev);
    corpus.examples.truncate(60);
    corpus
}

/// Writes a copy and reads it again.
fn check(kind: Kind, look: impl Fn(&Corpus, &PerturbFigures)) {
    let corpus = corpus();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("copy");
    let make = || perturb(&corpus, kind, 3, &ValueCache::none()).unwrap();
    let figures = write(make(), &corpus, &out, Existing::Refuse).unwrap();
    assert_eq!(figures.left_out, [] as [String; 0]);
    assert_eq!((figures.questions, figures.same_rows), (60, 60));
    let path = out.to_str().unwrap();
    let open = || Corpus::open(path, &DataDir::locate(None), &CorpusOptions::default()).unwrap();
    let copy = open();
    assert!(copy.of(Split::Dev).count() == 60 && copy.of(Split::Train).next().is_none());
    for example in &copy.examples {
        let database = copy
            .places()
            .open(example.database.as_ref().unwrap())
            .unwrap();
        let limits = patois_database::QueryLimits::default();
        database.query(&example.code, &limits).unwrap();
    }
    look(&copy, &figures);
    let error = write(make(), &corpus, &out, Existing::Refuse).unwrap_err();
    assert!(error.to_string().ends_with("exists already"));
    write(make(), &corpus, &out, Existing::Replace).unwrap();
    assert_eq!(
        open().examples,
        copy.examples,
        "the same seed, the same copy"
    );
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        1,
        "nothing else is left"
    );
}

#[test]
fn databases_and_queries_are_abbreviated_together() {
    check(Kind::Abbreviations, |copy, figures| {
        assert_eq!(figures.changed_questions, 0);
        assert!(figures.renamed_columns * 2 > figures.columns, "{figures:?}");
        let schema = &copy.databases[copy.examples[0].database.as_ref().unwrap()];
        let live = copy
            .places()
            .open(&schema.name)
            .unwrap()
            .schema()
            .unwrap()
            .schema;
        let names = |schema: &DatabaseSchema| {
            let names = schema.columns.iter().map(|it| it.name.clone());
            names.collect::<BTreeSet<String>>()
        };
        assert_eq!(
            names(schema),
            names(&live),
            "the file is what is said of it"
        );
    });
}

#[test]
fn questions_are_reworded() {
    let before = corpus();
    let changed = |copy: &Corpus| {
        let pairs = copy.examples.iter().zip(&before.examples);
        pairs.filter(|it| it.0.text != it.1.text).count()
    };
    check(Kind::Synonyms, |_, figures| {
        assert!(figures.changed_words > 20, "{figures:?}");
        assert_eq!(figures.renamed_columns, 0);
    });
    check(Kind::LowerCase, |copy, _| {
        assert!(
            copy.examples
                .iter()
                .all(|it| it.text == it.text.to_lowercase())
        );
    });
    check(Kind::Typos, |copy, figures| {
        assert!(
            changed(copy) > 50 && figures.changed_words >= 50,
            "{figures:?}"
        );
    });
}

#[test]
fn a_folder_of_something_else_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.txt"), "years of work").unwrap();
    let corpus = corpus();
    let copy = perturb(&corpus, Kind::LowerCase, 0, &ValueCache::none()).unwrap();
    let error = write(copy, &corpus, folder.path(), Existing::Replace).unwrap_err();
    assert!(matches!(error, PerturbError::NotReplaced(_)), "{error}");
    assert!(folder.path().join("thesis.txt").exists());
}

#[test]
fn what_has_no_dev_split_or_no_queries_is_refused() {
    let mut corpus = corpus();
    corpus.examples.clear();
    let refused = |corpus: &Corpus| {
        let error = perturb(corpus, Kind::Typos, 0, &ValueCache::none()).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        refused(&corpus),
        "`default`: expected a dev split, found none"
    );
    corpus.language = "python".to_owned();
    assert_eq!(
        refused(&corpus),
        "`default`: expected SQL queries, found python programs"
    );
}
