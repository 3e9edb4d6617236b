//! BLEU of programs: how many runs of tokens a prediction shares with the gold program.
//!
//! Tokens, smoothing and both means are those of the Hearthstone literature, and scores are equal to
//! NLTK's.

use std::collections::BTreeMap;
use std::iter::Sum;

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
        let (gold, predicted) = (tokens(gold), tokens(predicted));
        let mut counts = BleuCounts {
            gold_length: gold.len(),
            predicted_length: predicted.len(),
            ..BleuCounts::default()
        };
        for order in 1..=MAX_ORDER {
            let gold = runs(&gold, order);
            let predicted = runs(&predicted, order);
            let common = |(run, count): (_, &usize)| (*count).min(*gold.get(run).unwrap_or(&0));
            counts.matching[order - 1] = predicted.iter().map(common).sum();
            // NLTK counts one run where there is none; it shows in the sums over programs.
            counts.predicted[order - 1] = predicted.values().sum::<usize>().max(1);
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

/// The runs of `order` tokens, and how often each occurs.
fn runs<'t>(tokens: &'t [&'t str], order: usize) -> BTreeMap<&'t [&'t str], usize> {
    let mut runs = BTreeMap::new();
    for run in tokens.windows(order) {
        *runs.entry(run).or_insert(0) += 1;
    }
    runs
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
