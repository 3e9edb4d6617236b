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
mod phrases;
mod query;
mod restrictions;
mod sentences;
mod shapes;
mod words;
mod writer;

use std::collections::BTreeSet;
use std::sync::Arc;

use patois_database::Databases;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use self::domain::Domain;
use self::generator::{Generated, generate};
use super::{Corpus, Example, Split};

/// The corpus's name.
pub const NAME: &str = "default";

/// What everything random about the corpus depends on.
const SEED: u64 = 20_190_614;
/// Questions about each database that training sees, and those set aside for development.
const N_SEEN: usize = 800;
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
    let drawn = Drawn::draw();
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
    let databases = drawn
        .domains
        .iter()
        .map(|domain| (domain.name.to_owned(), Arc::new(domain.schema())))
        .collect();
    Corpus {
        name: NAME.into(),
        language: "sql".into(),
        examples,
        dropped: Vec::new(),
        databases,
    }
}

/// The databases of the corpus.
pub fn databases() -> Databases {
    let scripts = DATABASES.iter();
    let scripts = scripts.map(|it| (it.name.to_owned(), it.script.to_owned()));
    Databases::Scripts(Arc::new(scripts.collect()))
}

/// The script that creates and fills a database of the corpus.
pub fn script(database: &str) -> Option<&'static str> {
    let embedded = DATABASES.iter().find(|it| it.name == database)?;
    Some(embedded.script)
}

/// The databases, and the generated questions by split.
struct Drawn {
    domains: Vec<Domain>,
    train: Vec<Generated>,
    dev: Vec<Generated>,
    test: Vec<Generated>,
}

impl Drawn {
    /// Databases do not know of each other, so that they are drawn from side by side.
    fn draw() -> Drawn {
        let taken: Vec<&str> = handwritten().map(|(_, text, _)| text).collect();
        let drawn: Vec<(Domain, Vec<Generated>)> = DATABASES
            .par_iter()
            .enumerate()
            .map(|(index, embedded)| {
                let domain = embedded.load();
                let count = if embedded.is_held_out { N_TEST } else { N_SEEN };
                let generated = generate(&domain, count, &taken, SEED + index as u64);
                (domain, generated)
            })
            .collect();
        let mut all = Drawn {
            domains: Vec::new(),
            train: Vec::new(),
            dev: Vec::new(),
            test: Vec::new(),
        };
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        for (embedded, (domain, generated)) in DATABASES.iter().zip(drawn) {
            all.domains.push(domain);
            if embedded.is_held_out {
                all.test.extend(generated);
            } else {
                let (train, dev) = set_aside(generated, N_DEV, &mut rng);
                all.train.extend(train);
                all.dev.extend(dev);
            }
        }
        for split in [&mut all.train, &mut all.dev, &mut all.test] {
            split.shuffle(&mut rng);
        }
        all
    }
}

impl Embedded {
    fn load(&self) -> Domain {
        Domain::load(self.name, self.script, self.words)
    }
}

/// Sets questions aside, always with all wordings of their queries.
fn set_aside(
    generated: Vec<Generated>,
    count: usize,
    rng: &mut impl Rng,
) -> (Vec<Generated>, Vec<Generated>) {
    let mut order: Vec<&Generated> = generated.iter().collect();
    order.shuffle(rng);
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
