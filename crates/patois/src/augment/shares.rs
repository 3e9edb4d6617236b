//! How often the examples of each source are seen in a pass.

use std::borrow::Cow;

use patois_synthesis::{ExampleSource, TrainingExample};
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Examples of several sources, one after the other, and how often those of each are seen in a pass.
///
/// A source of weight 1 is seen once, one of weight 2.5 twice and half of it once more; which half is drawn in every
/// pass. What is seen twice is two places, so that it can be two different examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    /// How many examples each source has, and its weight.
    sources: Vec<(usize, f64)>,
    seed: u64,
}

impl Shares {
    /// Sources by how many examples they have, each with its weight.
    pub fn new(sources: Vec<(usize, f64)>, seed: u64) -> Shares {
        Shares { sources, seed }
    }

    /// Whether each pass sees each example once.
    pub fn is_plain(&self) -> bool {
        self.sources
            .iter()
            .all(|it| (it.1 - 1.0).abs() < f64::EPSILON)
    }

    fn n_examples(&self) -> usize {
        self.sources.iter().map(|it| it.0).sum()
    }

    /// The places of a pass; as many in every pass.
    #[expect(clippy::cast_sign_loss, reason = "weights are above 0")]
    pub fn drawn(&self, pass: usize) -> Vec<usize> {
        let n_examples = self.n_examples();
        let mut drawn = Vec::new();
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed ^ SALT);
        rng.set_stream(pass as u64);
        let mut first = 0;
        for &(n_own, weight) in &self.sources {
            let n_whole = weight.floor() as usize;
            for copy in 0..n_whole {
                drawn.extend((0..n_own).map(|it| copy * n_examples + first + it));
            }
            let n_more = ((weight - weight.floor()) * n_own as f64).round() as usize;
            let mut more: Vec<usize> = (0..n_own).collect();
            for place in 0..n_more {
                more.swap(place, rng.random_range(place..n_own));
            }
            more.truncate(n_more);
            more.sort_unstable();
            drawn.extend(more.iter().map(|it| n_whole * n_examples + first + it));
            first += n_own;
        }
        drawn
    }

    /// The example at a place.
    pub fn example(&self, place: usize) -> usize {
        place % self.n_examples().max(1)
    }

    /// How often the example at a place was seen in the same pass before.
    pub fn copy(&self, place: usize) -> usize {
        place / self.n_examples().max(1)
    }
}

/// Other random numbers than those of everything else with the same seed.
const SALT: u64 = 0x7368_6172_6573;

/// Examples that stay what they are, some seen more often than others.
#[derive(Clone, Debug)]
pub struct SharedExamples {
    /// The examples.
    pub examples: Vec<TrainingExample>,
    /// How often they are seen.
    pub shares: Shares,
}

impl ExampleSource for SharedExamples {
    fn drawn(&self, pass: usize) -> Vec<usize> {
        self.shares.drawn(pass)
    }

    fn length(&self, place: usize) -> usize {
        self.examples[self.shares.example(place)].steps.len()
    }

    fn example(&self, _: usize, place: usize) -> Cow<'_, TrainingExample> {
        Cow::Borrowed(&self.examples[self.shares.example(place)])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_pass_sees_each_source_as_often_as_its_weight_says() {
        let shares = Shares::new(vec![(4, 1.0), (6, 0.5), (3, 2.0)], 7);
        let mut seen = BTreeSet::new();
        for pass in 0..40 {
            let drawn = shares.drawn(pass);
            let places: BTreeSet<usize> = drawn.iter().copied().collect();
            assert_eq!(places.len(), drawn.len(), "a place is drawn once");
            let examples = drawn.iter().map(|&it| shares.example(it));
            let n_in = |range: std::ops::Range<usize>| {
                examples.clone().filter(|it| range.contains(it)).count()
            };
            assert_eq!([n_in(0..4), n_in(4..10), n_in(10..13)], [4, 3, 6]);
            seen.extend(examples);
            assert_eq!(drawn, shares.drawn(pass));
        }
        assert_eq!(seen.len(), 13, "every example has its turn");
        assert!(!shares.is_plain());
        let plain = Shares::new(vec![(3, 1.0), (2, 1.0)], 1);
        assert!(plain.is_plain());
        assert_eq!(plain.drawn(9), [0, 1, 2, 3, 4]);
    }
}
