//! BLEU of programs: how many runs of tokens a prediction shares with the gold program.
//!
//! Tokens, smoothing and both means are those of the Hearthstone literature, and scores are equal to
//! NLTK's.

use std::iter::Sum;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The longest runs that are counted.
const MAX_ORDER: usize = 4;

/// The weight of the runs of each length.
const WEIGHT: f64 = 0.25;

/// The tokens of a program.
///
/// Every character that is no ASCII letter, digit or underscore stands alone, and a word ends
/// between a lower-case and an upper-case letter; both quotes become a backtick; case is kept.
fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut previous = ' ';
    for (at, char) in code.char_indices() {
        let is_inside = is_inside(char);
        let is_border = previous.is_ascii_lowercase() && char.is_ascii_uppercase();
        if (!is_inside || is_border) && start < at {
            tokens.push(&code[start..at]);
            start = at;
        }
        if !is_inside {
            start = at + char.len_utf8();
            match char {
                '"' | '\'' => tokens.push("`"),
                _ if is_blank(char) => {}
                _ => tokens.push(&code[at..start]),
            }
        }
        previous = char;
    }
    if start < code.len() {
        tokens.push(&code[start..]);
    }
    tokens
}

fn is_inside(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

/// White space as Python knows it: the separators of ASCII are.
fn is_blank(char: char) -> bool {
    char.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&char)
}

/// BLEU of one program; runs are not longer than the prediction.
///
/// ```
/// use patois_metrics::sentence_bleu;
///
/// assert_eq!(sentence_bleu("x = f(1)", ""), 0.0);
/// assert!((sentence_bleu("x = f(1)", "x = f(1)") - 1.0).abs() < 1e-12);
/// ```
pub fn sentence_bleu(gold: &str, predicted: &str) -> f64 {
    BleuCounts::of(gold, predicted).sentence()
}

/// BLEU of many programs as one: counts and lengths are added up first.
pub fn corpus_bleu<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> f64 {
    let counts = pairs.into_iter().map(|(gold, it)| BleuCounts::of(gold, it));
    counts.sum::<BleuCounts>().corpus()
}

/// What BLEU is made of, for one program or for many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BleuCounts {
    /// For each length, the predicted runs that are in the gold program.
    matching: [usize; MAX_ORDER],
    /// For each length, the predicted runs.
    predicted: [usize; MAX_ORDER],
    gold_length: usize,
    predicted_length: usize,
}

impl BleuCounts {
    /// The counts of one program.
    pub fn of(gold: &str, predicted: &str) -> BleuCounts {
        let mut ids = Ids::default();
        let (gold, predicted) = (ids.of(&tokens(gold)), ids.of(&tokens(predicted)));
        let mut counts = BleuCounts {
            gold_length: gold.len(),
            predicted_length: predicted.len(),
            ..BleuCounts::default()
        };
        let (gold, predicted) = (sorted_runs(&gold), sorted_runs(&predicted));
        for order in 1..=MAX_ORDER {
            counts.matching[order - 1] = n_common(&gold, &predicted, order);
            // NLTK counts one run where there is none; it shows in the sums over programs.
            let n_predicted = (counts.predicted_length + 1).saturating_sub(order);
            counts.predicted[order - 1] = n_predicted.max(1);
        }
        counts
    }

    /// BLEU as of one program: runs are not longer than the prediction.
    pub fn sentence(&self) -> f64 {
        self.bleu(self.predicted_length.min(MAX_ORDER))
    }

    /// BLEU as of many programs.
    pub fn corpus(&self) -> f64 {
        self.bleu(MAX_ORDER)
    }

    fn plus(mut self, other: BleuCounts) -> BleuCounts {
        for order in 0..MAX_ORDER {
            self.matching[order] += other.matching[order];
            self.predicted[order] += other.predicted[order];
        }
        self.gold_length += other.gold_length;
        self.predicted_length += other.predicted_length;
        self
    }

    /// With `p_n` the share of the predicted runs of `n` tokens that the gold program has too, each
    /// as often as it has them at most,
    ///
    /// ```text
    /// BLEU = min(1, exp(1 - gold length / predicted length)) · exp(Σ_{n=1..4} ln(p_n) / 4)
    /// ```
    ///
    /// A numerator of zero is smoothed as NLTK's method 3 does: the k-th of them, from the shortest
    /// runs on, becomes 1 / 2^k. Without a common token, BLEU is zero.
    fn bleu(&self, max_order: usize) -> f64 {
        if self.matching[0] == 0 {
            return 0.0;
        }
        let mut smoothed = 1.0;
        let mut ln_precision = 0.0;
        for (matching, predicted) in self.matching.iter().zip(&self.predicted).take(max_order) {
            let numerator = if *matching == 0 {
                smoothed /= 2.0;
                smoothed
            } else {
                *matching as f64
            };
            ln_precision += WEIGHT * (numerator / *predicted as f64).ln();
        }
        let ratio = self.gold_length as f64 / self.predicted_length as f64;
        ((1.0 - ratio).min(0.0) + ln_precision).exp()
    }
}

impl Sum for BleuCounts {
    fn sum<I: Iterator<Item = BleuCounts>>(counts: I) -> BleuCounts {
        counts.fold(BleuCounts::default(), BleuCounts::plus)
    }
}

/// Numbers of tokens, from one.
#[derive(Default)]
struct Ids<'t>(IndexSet<&'t str, FxBuildHasher>);

impl<'t> Ids<'t> {
    fn of(&mut self, tokens: &[&'t str]) -> Vec<u32> {
        let number = |token: &&'t str| self.0.insert_full(*token).0 as u32 + 1;
        tokens.iter().map(number).collect()
    }
}

/// A run of up to [`MAX_ORDER`] tokens, the first in the highest bits; behind the last token there are zeros.
type Run = u128;

const TOKEN_BITS: usize = Run::BITS as usize / MAX_ORDER;

/// For each token the run that begins there, in order: those with a common beginning stand together.
fn sorted_runs(tokens: &[u32]) -> Vec<Run> {
    let mut runs = Vec::with_capacity(tokens.len());
    let mut run: Run = 0;
    for token in tokens.iter().rev() {
        run = (run >> TOKEN_BITS) | (Run::from(*token) << (TOKEN_BITS * (MAX_ORDER - 1)));
        runs.push(run);
    }
    runs.sort_unstable();
    runs
}

/// How many runs of `order` tokens are in both, each as often as in the one that has fewer of it.
fn n_common(gold: &[Run], predicted: &[Run], order: usize) -> usize {
    let beginning = |run: Run| run >> (TOKEN_BITS * (MAX_ORDER - order));
    let is_whole = |run: Run| run as u32 != 0;
    let (mut at_gold, mut at_predicted, mut n_common) = (0, 0, 0);
    while let (Some(one), Some(other)) = (gold.get(at_gold), predicted.get(at_predicted)) {
        let (one, other) = (beginning(*one), beginning(*other));
        n_common += usize::from(one == other && is_whole(one));
        at_gold += usize::from(one <= other);
        at_predicted += usize::from(other <= one);
    }
    n_common
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::{corpus_bleu, sentence_bleu, tokens};

    /// Made by `bleu/reference.py`.
    const REFERENCE: &str = include_str!("bleu/reference.json");

    #[derive(Deserialize)]
    struct Reference {
        pairs: Vec<Pair>,
        corpora: Vec<f64>,
    }

    #[derive(Deserialize)]
    struct Pair {
        gold: String,
        predicted: String,
        tokens: Vec<String>,
        sentence: f64,
        alone: f64,
    }

    #[track_caller]
    fn check(what: &str, found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-9,
            "{what}: {found}, NLTK has {expected}"
        );
    }

    #[test]
    fn scores_are_those_of_nltk() {
        let reference: Reference = serde_json::from_str(REFERENCE).unwrap();
        assert_eq!(reference.pairs.len(), reference.corpora.len());
        for pair in &reference.pairs {
            assert_eq!(tokens(&pair.predicted), pair.tokens, "{}", pair.predicted);
            let what = format!("{:?} / {:?}", pair.gold, pair.predicted);
            check(
                &what,
                sentence_bleu(&pair.gold, &pair.predicted),
                pair.sentence,
            );
            let alone = [(pair.gold.as_str(), pair.predicted.as_str())];
            check(&what, corpus_bleu(alone), pair.alone);
        }
        for (last, expected) in reference.corpora.iter().enumerate() {
            let pairs = reference.pairs[..=last].iter();
            let pairs = pairs.map(|it| (it.gold.as_str(), it.predicted.as_str()));
            check(
                &format!("{} pairs", last + 1),
                corpus_bleu(pairs),
                *expected,
            );
        }
    }

    #[test]
    fn tokens_are_marks_and_parts_of_words() {
        let expected = ["Spell", "Card", "(", "`", "It", "`", ")"];
        assert_eq!(tokens("SpellCard('It')"), expected);
    }

    #[test]
    fn nothing_is_worth_nothing() {
        check("no pairs", corpus_bleu([]), 0.0);
    }
}
