//! The statistics of a small corpus, by hand.

use std::sync::Arc;

use patois_languages::sql::Mode;
use patois_syntax::{Ast, Field, Language, ParseError, PrintError};
use patois_synthesis::vocabulary::MIN_COUNT;

use super::*;
use crate::corpus::{Corpus, CorpusOptions, DataDir};

/// Programs are names with spaces between.
struct Names;

impl Language for Names {
    fn name(&self) -> &'static str {
        "names"
    }

    fn parse(&self, source: &str) -> Result<Ast, ParseError> {
        match source.find('!') {
            Some(offset) => Err(ParseError::at(offset, "found an exclamation mark")),
            None => Ok(Ast::new(
                "program",
                "Names",
                vec![Field::many("names", "name", source.split(' '))],
            )),
        }
    }

    fn print(&self, _: &Ast) -> Result<String, PrintError> {
        Err(PrintError::new("cannot print"))
    }
}

fn statistics(rows: &[(Split, &str, &str)]) -> CorpusStatistics {
    let examples = rows.iter().enumerate().map(|(index, row)| Example {
        id: format!("row {index}"),
        split: row.0,
        text: row.1.to_owned(),
        code: row.2.to_owned(),
        database: None,
    });
    let corpus = Corpus {
        name: "names".to_owned(),
        language: "names".to_owned(),
        examples: examples.collect(),
        ..Corpus::default()
    };
    let languages = Languages::Same(Arc::new(Names));
    CorpusStatistics::of(&corpus.parse(&languages).unwrap(), &languages, 2)
}

#[test]
fn programs_are_reachable_by_generating_and_copying() {
    let found = statistics(&[
        (Split::Train, "sort it", "sort list"),
        (Split::Train, "sort them all", "sort list once"),
        (Split::Train, "fail", "a !"),
        (Split::Train, "fail", "!"),
        (Split::Dev, "Reverse it", "list REVERSE"),
        (Split::Dev, "sort", "once list twice once"),
    ]);
    let train = &found.splits[&Split::Train];
    assert_eq!((train.programs, train.dropped, train.nodes), (2, 2, 14));
    // Each item and each end of a list is a choice; a name is a subtoken and its end.
    assert_eq!(train.steps, 7 + 10);
    assert_eq!(
        train.reasons["does not parse: found an exclamation mark"],
        2
    );
    assert_eq!(train.words_per_text.max, 3);
    assert_eq!(train.reachable, 1);
    let dev = &found.splits[&Split::Dev];
    assert_eq!((dev.programs, dev.reachable), (2, 1));
    assert!((dev.reachable_share - 0.5).abs() < 1e-9);
    assert_eq!(dev.unreachable[0].id, "row 5");
    assert_eq!(dev.unreachable[0].texts, ["once", "twice"]);
    // `sort` and `list`; `sort` alone is in two descriptions.
    assert_eq!((found.vocabulary.subtokens, found.vocabulary.words), (2, 1));
}

#[test]
fn the_shape_of_the_json_is_kept() {
    let found = statistics(&[(Split::Train, "a", "a"), (Split::Handwritten, "b", "b")]);
    let json = serde_json::to_value(&found).unwrap();
    for key in ["programs", "dropped", "nodes", "steps", "reachable"] {
        assert!(json["splits"]["train"][key].is_number(), "{json}");
    }
    assert_eq!(json["splits"]["handwritten"]["programs"], 1);
}

#[test]
fn nothing_is_summarized_as_zero() {
    assert_eq!(Summary::of(Vec::new()), Summary::default());
}

#[test]
fn a_corpus_without_programs_has_statistics() {
    let found = statistics(&[(Split::Train, "a", "!")]);
    assert_eq!(found.splits[&Split::Train].dropped, 1);
    assert_eq!(found.splits[&Split::Train].steps, 0);
}

#[test]
fn the_default_corpus_can_be_reached() {
    let corpus = Corpus::open("default", &DataDir::locate(None), &CorpusOptions::default());
    let corpus = corpus.unwrap();
    let languages = Languages::of_corpus(&corpus, Mode::Full).unwrap();
    let found = CorpusStatistics::of(&corpus.parse(&languages).unwrap(), &languages, MIN_COUNT);
    for (split, it) in &found.splits {
        assert_eq!(it.dropped, 0, "{split}: {:?}", it.reasons);
        assert!(it.reachable_share > 0.9, "{split}: {:?}", it.unreachable);
    }
}

/// The statistics of the dataset called `name`.
fn of_dataset(name: &str) -> CorpusStatistics {
    assert!(
        std::env::var_os("PATOIS_DATA").is_some(),
        "PATOIS_DATA names the datasets"
    );
    let corpus = Corpus::open(name, &DataDir::locate(None), &CorpusOptions::default()).unwrap();
    let languages = Languages::of_corpus(&corpus, Mode::Full).unwrap();
    CorpusStatistics::of(&corpus.parse(&languages).unwrap(), &languages, MIN_COUNT)
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_most_cards_of_hearthstone_can_be_reached() {
    let found = of_dataset("hearthstone");
    let (train, dev) = (&found.splits[&Split::Train], &found.splits[&Split::Dev]);
    assert_eq!((train.programs, train.dropped), (532, 1));
    assert_eq!((dev.programs, dev.dropped), (66, 0));
    assert!(dev.reachable >= 58, "{:?}", dev.unreachable);
    assert!(dev.candidates_per_text.mean < 100.0);
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_most_queries_of_spider_can_be_reached() {
    let found = of_dataset("spider");
    let (train, dev) = (&found.splits[&Split::Train], &found.splits[&Split::Dev]);
    assert_eq!(train.programs + train.dropped, 8659);
    let missing_table = "does not parse: database `assets_maintenance` has no table \
                         `Ref_Company_Types`";
    assert_eq!(train.reasons[missing_table], 1);
    assert_eq!((dev.programs, dev.dropped), (1034, 0));
    assert!(dev.reachable >= 1026, "{:?}", dev.unreachable);
    assert!(dev.candidates_per_text.mean < 50.0);
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_every_snippet_of_conala_and_line_of_django_is_a_program() {
    for (name, expected) in [
        ("conala", [2179, 200, 500]),
        ("django", [16_000, 1000, 1805]),
    ] {
        let found = of_dataset(name);
        let programs: Vec<usize> = found.splits.values().map(|it| it.programs).collect();
        assert_eq!(programs, expected, "{name}");
        assert!(found.splits.values().all(|it| it.dropped == 0), "{name}");
        assert!(
            found.splits.values().all(|it| it.reachable_share > 0.7),
            "{name}"
        );
    }
}
