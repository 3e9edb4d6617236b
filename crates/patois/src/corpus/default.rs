//! The embedded default corpus: a small Spider of everyday databases, inside the binary.
//!
//! Fourteen databases come as SQL scripts with content. Beside each stand annotations that say how
//! people talk about it; a seeded generator turns them into questions with their queries. Two of
//! the databases are held out: training and development never see them, the generated test
//! questions and the questions written by hand are about nothing else.
//!
//! ```
//! use patois::corpus::{Split, default};
//!
//! let corpus = default::corpus();
//! let example = &corpus.examples[0];
//! assert_eq!(example.id, "default/train/1");
//! assert_eq!(example.split, Split::Train);
//! let database = example.database.as_deref().unwrap();
//! assert!(default::script(database).unwrap().contains("CREATE TABLE"));
//! ```

mod domain;
mod english;
mod generator;
mod query;
mod shapes;
mod words;
mod writer;

use std::collections::BTreeSet;
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use self::domain::Domain;
use self::generator::{Generated, generate};
use super::{Corpus, Example, Split};

/// The corpus's name.
pub const NAME: &str = "default";

/// What everything random about the corpus depends on.
const SEED: u64 = 20_190_614;
/// Questions about each database that training sees, and those set aside for development.
const N_SEEN: usize = 240;
const N_DEV: usize = 18;
/// Generated test questions about each held-out database.
const N_TEST: usize = 110;

/// A database as it is embedded.
struct Embedded {
    name: &'static str,
    script: &'static str,
    words: &'static str,
    is_held_out: bool,
}

macro_rules! embedded {
    ($name:literal, held_out: $is_held_out:literal) => {
        Embedded {
            name: $name,
            script: include_str!(concat!("default/schemas/", $name, ".sql")),
            words: include_str!(concat!("default/schemas/", $name, ".toml")),
            is_held_out: $is_held_out,
        }
    };
}

const DATABASES: &[Embedded] = &[
    embedded!("library", held_out: false),
    embedded!("school", held_out: false),
    embedded!("cinema", held_out: false),
    embedded!("restaurant", held_out: false),
    embedded!("football", held_out: false),
    embedded!("flights", held_out: false),
    embedded!("bike_hire", held_out: false),
    embedded!("company", held_out: false),
    embedded!("museum", held_out: false),
    embedded!("hotel", held_out: false),
    embedded!("recipes", held_out: false),
    embedded!("gym", held_out: false),
    embedded!("vet_clinic", held_out: true),
    embedded!("concerts", held_out: true),
];

/// Questions that a person wrote about the held-out databases: database, question and query,
/// separated by tabs.
const HANDWRITTEN: &str = include_str!("default/handwritten.tsv");

/// The whole corpus; equal bytes at every call.
pub fn corpus() -> Corpus {
    let domains = domains();
    let drawn = Drawn::draw(&domains);
    let mut examples = Vec::new();
    for (split, rows) in [
        (Split::Train, drawn.train),
        (Split::Dev, drawn.dev),
        (Split::Test, drawn.test),
    ] {
        let rows = rows.into_iter().map(|it| (it.database, it.text, it.sql));
        push_examples(&mut examples, split, rows);
    }
    let handwritten =
        handwritten().map(|(database, text, sql)| (database, text.into(), sql.into()));
    push_examples(&mut examples, Split::Handwritten, handwritten);
    let databases = domains
        .iter()
        .map(|(domain, _)| (domain.name.to_owned(), Arc::new(domain.schema())))
        .collect();
    Corpus {
        name: NAME.into(),
        language: "sql".into(),
        examples,
        dropped: Vec::new(),
        databases,
    }
}

/// The script that creates and fills a database of the corpus.
pub fn script(database: &str) -> Option<&'static str> {
    let embedded = DATABASES.iter().find(|it| it.name == database)?;
    Some(embedded.script)
}

/// The databases, each with whether it is held out.
fn domains() -> Vec<(Domain, bool)> {
    DATABASES
        .iter()
        .map(|it| (Domain::load(it.name, it.script, it.words), it.is_held_out))
        .collect()
}

/// The generated questions, by split.
struct Drawn {
    train: Vec<Generated>,
    dev: Vec<Generated>,
    test: Vec<Generated>,
}

impl Drawn {
    fn draw(domains: &[(Domain, bool)]) -> Drawn {
        let mut drawn = Drawn {
            train: Vec::new(),
            dev: Vec::new(),
            test: Vec::new(),
        };
        let taken: Vec<&str> = handwritten().map(|(_, text, _)| text).collect();
        for (index, (domain, is_held_out)) in domains.iter().enumerate() {
            let seed = SEED + index as u64;
            if *is_held_out {
                drawn.test.extend(generate(domain, N_TEST, &taken, seed));
            } else {
                let (train, dev) = set_aside(generate(domain, N_SEEN, &[], seed), N_DEV, seed);
                drawn.train.extend(train);
                drawn.dev.extend(dev);
            }
        }
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        for split in [&mut drawn.train, &mut drawn.dev, &mut drawn.test] {
            split.shuffle(&mut rng);
        }
        drawn
    }
}

/// Sets questions aside, always with all wordings of their queries.
fn set_aside(
    generated: Vec<Generated>,
    count: usize,
    seed: u64,
) -> (Vec<Generated>, Vec<Generated>) {
    let mut order: Vec<&Generated> = generated.iter().collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let aside: BTreeSet<String> = order.iter().take(count).map(|it| it.sql.clone()).collect();
    generated
        .into_iter()
        .partition(|it| !aside.contains(&it.sql))
}

fn push_examples(
    examples: &mut Vec<Example>,
    split: Split,
    rows: impl Iterator<Item = (&'static str, String, String)>,
) {
    for (index, (database, text, code)) in rows.enumerate() {
        examples.push(Example {
            id: format!("{NAME}/{split}/{}", index + 1),
            split,
            text,
            code,
            database: Some(database.into()),
        });
    }
}

/// The rows of the questions written by hand.
fn handwritten() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    HANDWRITTEN.lines().filter_map(|line| {
        let (database, rest) = line.split_once('\t')?;
        let (text, sql) = rest.split_once('\t')?;
        Some((database, text, sql))
    })
}

#[cfg(test)]
mod tests;
