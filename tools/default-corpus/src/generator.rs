//! Draws the questions of the default corpus.

use std::collections::{BTreeMap, BTreeSet};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::domain::Domain;
use super::shapes::SHAPES;
use super::writer::{Draft, Writer};

/// A question, its query, and where they come from.
#[derive(Clone, Debug)]
pub(super) struct Generated {
    pub(super) database: &'static str,
    /// The name of its shape.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "only the tests look at the balance")
    )]
    pub(super) shape: &'static str,
    pub(super) text: String,
    pub(super) sql: String,
}

/// How often one query may be asked for in different words.
const MAX_WORDINGS: usize = 3;
/// How many draws of a shape may fail before it is passed over.
const MAX_ATTEMPTS: usize = 12;
/// How many rounds over all shapes may be fruitless before the database is exhausted.
const MAX_FRUITLESS_ROUNDS: usize = 3;

/// Draws `count` distinct questions about a database, spread over the shapes by their weights.
///
/// Every query runs and returns something. Questions that are already `taken` are left out.
pub(super) fn generate(domain: &Domain, count: usize, taken: &[&str], seed: u64) -> Vec<Generated> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut deck: Vec<usize> = SHAPES
        .iter()
        .enumerate()
        .flat_map(|(index, shape)| std::iter::repeat_n(index, shape.weight as usize))
        .collect();
    let mut drawing = Drawing {
        writer: Writer {
            domain,
            rng: ChaCha8Rng::seed_from_u64(seed ^ 0x9e37_79b9_7f4a_7c15),
        },
        texts: taken.iter().map(|text| plain(text)).collect(),
        wordings: BTreeMap::new(),
        generated: Vec::with_capacity(count),
    };
    let mut n_fruitless_rounds = 0;
    while drawing.generated.len() < count && n_fruitless_rounds < MAX_FRUITLESS_ROUNDS {
        let before = drawing.generated.len();
        deck.shuffle(&mut rng);
        for &index in &deck {
            if drawing.generated.len() < count {
                drawing.draw(index);
            }
        }
        n_fruitless_rounds = match drawing.generated.len() {
            after if after == before => n_fruitless_rounds + 1,
            _ => 0,
        };
    }
    drawing.generated
}

/// A question without what does not make it another one.
fn plain(text: &str) -> String {
    text.trim_end_matches(['.', '?']).to_lowercase()
}

/// Whether a word is there twice in a row, as where two phrases meet.
fn stutters(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    words.windows(2).any(|pair| pair[0] == pair[1])
}

/// What has been drawn so far.
struct Drawing<'d> {
    writer: Writer<'d>,
    texts: BTreeSet<String>,
    wordings: BTreeMap<String, usize>,
    generated: Vec<Generated>,
}

impl Drawing<'_> {
    /// Adds a question of a shape, if the database has one that is new.
    fn draw(&mut self, index: usize) {
        let shape = &SHAPES[index];
        for _ in 0..MAX_ATTEMPTS {
            let Some(Draft { text, query }) = (shape.draw)(&mut self.writer) else {
                continue;
            };
            let sql = query.to_string();
            let n_wordings = self.wordings.get(&sql).copied().unwrap_or_default();
            let plain = plain(&text);
            let is_new = n_wordings < MAX_WORDINGS && !self.texts.contains(&plain);
            let is_new = is_new && !stutters(&plain);
            if !is_new || (n_wordings == 0 && !query.is_unconditional() && !self.answers(&sql)) {
                continue;
            }
            self.wordings.insert(sql.clone(), n_wordings + 1);
            self.texts.insert(plain);
            self.generated.push(Generated {
                database: self.writer.domain.name,
                shape: shape.name,
                text,
                sql,
            });
            return;
        }
    }

    /// Whether a query runs and has an answer worth asking for.
    fn answers(&self, sql: &str) -> bool {
        let outcome = self.writer.domain.run(sql);
        outcome.is_some_and(|it| it.n_rows > 0 && it.has_value && !it.is_zero)
    }
}
