//! What is dealt, to whom, and that it stays so.

use super::*;
use crate::corpus::Example;

/// An example without a database.
fn example(id: String, split: Split) -> Example {
    Example {
        id,
        split,
        text: String::new(),
        code: "pass".to_owned(),
        database: None,
    }
}

/// A corpus of so many examples in its train, dev and test splits.
fn corpus(sizes: [usize; 3]) -> Corpus {
    let mut corpus = Corpus::empty("python");
    for (split, size) in [Split::Train, Split::Dev, Split::Test]
        .into_iter()
        .zip(sizes)
    {
        for number in 0..size {
            corpus.add(example(format!("{split}:{number}"), split));
        }
    }
    corpus
}

/// `split id` of every example.
fn splits_and_ids(corpus: &Corpus) -> Vec<String> {
    let examples = corpus.examples.iter();
    examples
        .map(|it| format!("{} {}", it.split, it.id))
        .collect()
}

#[test]
fn a_part_of_train_takes_the_place_of_dev() {
    let whole = corpus([5, 2, 0]);
    let mut held_out = Vec::new();
    for index in 0..2 {
        let mut corpus = whole.clone();
        corpus.hold_out(&fold(index, 2));
        assert_eq!(corpus.examples.len(), 5);
        held_out.extend(corpus.of(Split::Dev).map(|it| it.id.clone()));
        if index == 1 {
            let expected = [
                "train train:0",
                "dev train:1",
                "train train:2",
                "dev train:3",
                "train train:4",
            ];
            assert_eq!(splits_and_ids(&corpus), expected);
        }
    }
    held_out.sort();
    let all: Vec<String> = whole.of(Split::Train).map(|it| it.id.clone()).collect();
    assert_eq!(held_out, all);
}

/// A part of the train split, dealt in turns.
fn fold(index: usize, n_folds: usize) -> Fold {
    Fold {
        index,
        n_folds,
        dev: DevSplit::LeftOut,
        seed: None,
    }
}

/// What seed 7 holds out first: records of runs rely on it.
const FIRST_PART: [&str; 5] = ["train:5", "train:10", "train:12", "dev:4", "dev:5"];

#[test]
fn train_and_dev_are_dealt_by_a_seed() {
    let whole = corpus([17, 6, 1]);
    let held_out = |index, seed| {
        let mut corpus = whole.clone();
        corpus.hold_out(&Fold {
            dev: DevSplit::Dealt,
            seed: Some(seed),
            ..fold(index, 5)
        });
        assert_eq!(corpus.of(Split::Test).count(), 1);
        assert_eq!(corpus.examples.len(), 24);
        let ids = corpus.of(Split::Dev).map(|it| it.id.clone());
        ids.collect::<Vec<_>>()
    };
    let parts: Vec<Vec<String>> = (0..5).map(|index| held_out(index, 7)).collect();
    assert!(parts.iter().all(|it| [4, 5].contains(&it.len())));
    let mut all = parts.concat();
    assert!(!all.is_sorted());
    let mut expected: Vec<String> = (0..17).map(|it| format!("train:{it}")).collect();
    expected.extend((0..6).map(|it| format!("dev:{it}")));
    all.sort_unstable();
    expected.sort_unstable();
    assert_eq!(all, expected);
    // The same seed, the same parts, now and in years; another seed, others.
    assert_eq!(parts[0], FIRST_PART);
    assert_eq!(parts[0], held_out(0, 7));
    assert_ne!(parts[0], held_out(0, 8));
}

#[test]
fn questions_about_one_database_are_held_out_together() {
    let mut corpus = Corpus::empty("sql");
    for (number, database) in ["a", "b", "a", "c", "b"].into_iter().enumerate() {
        corpus.add(Example {
            database: Some(database.to_owned()),
            ..example(number.to_string(), Split::Train)
        });
    }
    corpus.hold_out(&fold(0, 2));
    let expected = ["dev 0", "train 1", "dev 2", "dev 3", "train 4"];
    assert_eq!(splits_and_ids(&corpus), expected);
}

/// Such a corpus used to be trained on without ever being measured.
#[test]
fn a_corpus_without_a_dev_split_is_given_one() {
    let check = |databases: &[Option<&str>], expected: &[usize], note: &str| {
        let mut corpus = Corpus::empty("sql");
        for (number, database) in databases.iter().enumerate() {
            corpus.add(Example {
                database: database.map(str::to_owned),
                ..example(number.to_string(), Split::Train)
            });
        }
        corpus.complete_splits();
        let dev: Vec<usize> = corpus
            .of(Split::Dev)
            .map(|it| it.id.parse().unwrap())
            .collect();
        assert_eq!(dev, expected);
        assert_eq!(corpus.notes.join(", "), note);
        corpus.complete_splits();
        assert_eq!(corpus.of(Split::Dev).count(), expected.len());
    };
    let note = |what: &str, n_dev: usize| {
        format!(
            "the corpus has no dev split: every tenth {what} of its train split is kept back for one, \
             {n_dev} examples in all"
        )
    };
    check(&[None; 25], &[0, 10, 20], &note("example", 3));
    check(&[Some("pets"); 12], &[0, 10], &note("example", 2));
    let names: Vec<String> = (0..22).map(|it| format!("d{}", it % 11)).collect();
    let names: Vec<Option<&str>> = names.iter().map(|it| Some(it.as_str())).collect();
    check(&names, &[0, 10, 11, 21], &note("database", 4));
    check(&[None], &[], "");
}
