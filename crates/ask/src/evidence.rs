//! What speaks for and against an answer.

use patois_synthesis::Spec;
use serde::{Deserialize, Serialize};

use crate::question_words::unlinked_words;

/// What speaks for and against an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// ln of the probability of its query.
    pub ln_p: f64,
    /// ln of the probability of the choice in it that was least sure.
    pub least_ln_p: f64,
    /// How many choices it took.
    pub n_choices: usize,
    /// The share of the probability of all hypotheses that those with the same rows have.
    pub agreement: f64,
    /// The greatest such share of another answer.
    pub best_other: f64,
    /// How many answers with other rows come before it.
    pub rank: usize,
    /// Whether it has no rows, or nothing but NULL.
    pub is_empty: bool,
    /// How many queries are inside of each other or combined.
    pub n_selects: usize,
    /// How many tables are joined to the first one.
    pub n_joins: usize,
    /// How many words of the question say something that neither the database nor questions in general have.
    pub n_unknown: usize,
    /// How many words of the question name something of the database.
    pub n_linked: usize,
    /// How many words the question has.
    pub n_words: usize,
    /// Whether it asks for what no table holds: what will be, why, what one should do.
    pub is_beyond: bool,
    /// How much of the question names what the database does not have: for each word that nothing is linked to, how
    /// often it names something elsewhere, added up.
    pub missing: f64,
    /// The greatest of these.
    pub most_missing: f64,
    /// How many columns and tables are named in the question, and not used.
    pub n_left_out: usize,
    /// How many numbers and values of the database are.
    pub n_values_left_out: usize,
}

impl Evidence {
    /// The evidence as numbers, each of the order of one.
    pub(crate) fn features(&self) -> [f64; N_FEATURES] {
        /// What keeps the logarithm of no share from being infinite.
        const LITTLE: f64 = 0.02;
        let share = |n: usize| n as f64 / self.n_words.max(1) as f64;
        let is = |holds: bool| f64::from(u8::from(holds));
        let lead = ((self.agreement + LITTLE) / (self.best_other + LITTLE)).ln();
        [
            1.0,
            self.ln_p.max(-30.0) / 5.0,
            self.ln_p / self.n_choices.max(1) as f64,
            self.least_ln_p.max(-6.0) / 2.0,
            self.n_choices.min(60) as f64 / 20.0,
            self.agreement,
            lead / 2.0,
            is(self.rank == 1),
            is(self.rank > 1),
            is(self.is_empty),
            is(self.n_selects > 1),
            self.n_joins.min(3) as f64 / 2.0,
            self.n_unknown.min(3) as f64 / 2.0,
            is(self.n_unknown > 0),
            is(self.n_linked == 0),
            share(self.n_linked),
            is(self.is_beyond),
            self.missing.min(3.0) / 2.0,
            self.most_missing,
            self.n_left_out.min(3) as f64 / 2.0,
            self.n_values_left_out.min(2) as f64,
        ]
    }
}

/// How many numbers the evidence is.
pub(crate) const N_FEATURES: usize = 21;

/// Words that ask for what no table holds.
const BEYOND: [&str; 12] = [
    "forecast",
    "guess",
    "invented",
    "nicest",
    "opinion",
    "predict",
    "recommend",
    "should",
    "think",
    "tomorrow",
    "why",
    "will",
];

/// Whether a question asks for what no table holds: what will be, why, what one should do.
pub(crate) fn is_beyond(spec: &Spec) -> bool {
    unlinked_words(spec).any(|it| BEYOND.contains(&it))
}
