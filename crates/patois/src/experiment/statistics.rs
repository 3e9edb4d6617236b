//! How sure a mean or a difference is, where each example was asked of several models.
//!
//! The answers to one example are not independent of each other, so that the examples are what is drawn, flipped and
//! counted: each stands for all answers to it, by the share that is right (a cluster of outcomes). Draws hang on a
//! fixed seed: a table depends on the runs alone.

use rand::{Rng as _, RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// A difference of two means over the same examples, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The difference.
    pub mean: f64,
    /// Where it is between with a probability of 95 %: a bootstrap over examples.
    pub interval: (f64, f64),
    /// The probability of a difference this large or larger, either way, if it were chance for each example which
    /// of the two is which: a permutation test, by flipping signs.
    pub p: f64,
    /// The same, corrected for the number of differences that are looked at (Holm 1979).
    pub p_corrected: f64,
    /// The difference that would have been seen, at the corrected level of 5 %, with a probability of 80 %.
    pub detectable: f64,
    /// In how many pairs of runs with the same seed and examples ours is ahead, even, or behind.
    pub runs: (usize, usize, usize),
}

/// How often examples are drawn for an interval.
pub(super) const N_DRAWS: usize = 10_000;

/// How often signs are flipped at random, where there are too many examples to flip them in all ways.
pub(super) const N_FLIPS: usize = 100_000;

/// For how many examples signs are flipped in all ways.
const MAX_EXACT: usize = 16;

/// The share of mistakes that is allowed, and the probability of seeing what is there.
const LEVEL: f64 = 0.05;
const POWER: f64 = 0.8;

impl Difference {
    /// Of examples each with how much more often one system is right than the other; none where there are none.
    pub(super) fn of(differences: &[f64], runs: (usize, usize, usize)) -> Option<Difference> {
        let p = sign_flip_p(differences);
        Some(Difference {
            mean: mean(differences)?,
            interval: interval(differences)?,
            p,
            p_corrected: p,
            detectable: detectable(differences, 1),
            runs,
        })
    }
}

/// Minds that several differences are looked at.
pub(super) fn correct(differences: &mut [(&mut Difference, &[f64])]) {
    let n_tests = differences.len();
    let corrected = holm(&differences.iter().map(|it| it.0.p).collect::<Vec<_>>());
    for ((difference, values), p) in differences.iter_mut().zip(corrected) {
        difference.p_corrected = p;
        difference.detectable = detectable(values, n_tests);
    }
}

/// The mean; none where there is nothing.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Where the mean is between with a probability of 95 %: percentiles of a bootstrap.
pub(super) fn interval(values: &[f64]) -> Option<(f64, f64)> {
    let n = values.len();
    if n == 0 {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut means: Vec<f64> = (0..N_DRAWS)
        .map(|_| {
            let draws = (0..n).map(|_| values[rng.random_range(0..n)]);
            draws.sum::<f64>() / n as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    Some((means[N_DRAWS / 40], means[N_DRAWS - 1 - N_DRAWS / 40]))
}

/// The probability of a sum this far from zero or farther, if every sign were the toss of a coin.
///
/// Exact for up to [`MAX_EXACT`] values that are not zero; else estimated, the sum at hand being one of the tosses,
/// so that it is never zero.
fn sign_flip_p(values: &[f64]) -> f64 {
    let values: Vec<f64> = values.iter().copied().filter(|it| *it != 0.0).collect();
    let flipped = |signs: &[u64]| {
        let signed = values.iter().enumerate().map(|(index, value)| {
            let sign = signs[index / 64] >> (index % 64) & 1;
            if sign == 0 { *value } else { -value }
        });
        signed.sum::<f64>().abs()
    };
    let n_words = values.len() / 64 + 1;
    // Sums of the same values in another order must count as equal.
    let found = flipped(&vec![0; n_words]) - 1e-9;
    if values.len() <= MAX_EXACT {
        let n_ways = 1_u64 << values.len();
        let as_far = (0..n_ways).filter(|signs| flipped(&[*signs]) >= found);
        return as_far.count() as f64 / n_ways as f64;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut signs = vec![0; n_words];
    let as_far = (0..N_FLIPS).filter(|_| {
        for word in &mut signs {
            *word = rng.next_u64();
        }
        flipped(&signs) >= found
    });
    (as_far.count() + 1) as f64 / (N_FLIPS + 1) as f64
}

/// Probabilities corrected for their number: the smallest times that, the next times one less, and none below one
/// that was smaller.
fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    order.sort_by(|&a, &b| ps[a].total_cmp(&ps[b]));
    let mut corrected = vec![0.0; ps.len()];
    let mut largest = 0.0_f64;
    for (rank, index) in order.into_iter().enumerate() {
        largest = largest.max(ps[index] * (ps.len() - rank) as f64).min(1.0);
        corrected[index] = largest;
    }
    corrected
}

/// `(z₁₋α/₂ + z_power) s / √n` with α = 5 % / the number of tests: the difference that is seen with a probability of
/// 80 % where examples vary as these do.
fn detectable(values: &[f64], n_tests: usize) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|it| (it - mean).powi(2)).sum();
    let error = (squares / (n - 1.0).max(1.0) / n).sqrt();
    (normal_quantile(1.0 - LEVEL / 2.0 / n_tests.max(1) as f64) + normal_quantile(POWER)) * error
}

/// Below which number a standard normal variable is with a probability of `p`, between 0.5 and 1.
fn normal_quantile(p: f64) -> f64 {
    let (mut low, mut high) = (0.0, 8.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if normal_distribution(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// `Φ(x) = ½ + φ(x) (x + x³/3 + x⁵/(3·5) + …)`, for `x` from 0 to 8.
fn normal_distribution(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    let mut odd = 3.0;
    while term > 1e-17 * sum {
        term *= x * x / odd;
        sum += term;
        odd += 2.0;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    0.5 + density * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found}, {expected}");
    }

    /// With differences of one either way, flipping signs is the exact test of a binomial: R's `binom.test(5, 6)` and
    /// `binom.test(12, 14)` have these p.
    #[test]
    fn few_examples_are_flipped_in_all_ways() {
        let of = |n_better: usize, n_worse: usize| {
            let mut values = vec![1.0; n_better];
            values.extend(vec![-1.0; n_worse]);
            values.extend([0.0; 30]);
            sign_flip_p(&values)
        };
        check(of(5, 1), 0.21875, 1e-12);
        check(of(12, 2), 0.012_939_453_125, 1e-12);
        check(of(3, 3), 1.0, 1e-12);
        check(sign_flip_p(&[]), 1.0, 1e-12);
        // By hand: of the eight sums of ±1 ±2 ±4, ±7 are as far as 1 + 2 + 4.
        check(sign_flip_p(&[1.0, 2.0, 4.0]), 0.25, 1e-12);
    }

    /// R: `binom.test(60, 100)$p.value` is 0.05688793, `binom.test(70, 100)$p.value` 7.85e-05.
    #[test]
    fn many_examples_are_flipped_at_random() {
        let of = |n_better: usize| {
            let mut values = vec![1.0; n_better];
            values.extend(vec![-1.0; 100 - n_better]);
            sign_flip_p(&values)
        };
        check(of(60), 0.056_887_93, 0.003);
        check(of(70), 7.85e-5, 8e-5);
        assert!(of(70) > 0.0);
    }

    /// R: `p.adjust(c(0.01, 0.04, 0.03, 0.5), "holm")`.
    #[test]
    fn several_tests_are_corrected_for() {
        let found = holm(&[0.01, 0.04, 0.03, 0.5]);
        for (found, expected) in found.into_iter().zip([0.04, 0.09, 0.09, 0.5]) {
            check(found, expected, 1e-12);
        }
    }

    /// R: `qnorm(c(0.8, 0.975, 1 - 0.025 / 3))`.
    #[test]
    fn quantiles_are_those_of_the_normal_distribution() {
        check(normal_quantile(0.8), 0.841_621_2, 1e-7);
        check(normal_quantile(0.975), 1.959_964_0, 1e-7);
        check(normal_quantile(1.0 - 0.025 / 3.0), 2.393_979_8, 1e-7);
    }

    /// By hand: the standard deviation is √(4/3), its error half of that, times 1.959964 + 0.841621.
    #[test]
    fn what_can_be_seen_depends_on_spread_and_number() {
        let values = [1.0, -1.0, 1.0, -1.0];
        check(detectable(&values, 1), 1.617_496, 1e-5);
        check(detectable(&values, 3), 1.868_075, 1e-5);
        assert!(detectable(&values.repeat(100), 1) < 0.15);
    }

    /// 150 of 600 right: the normal approximation is 0.25 ± 1.96 √(0.25 · 0.75 / 600).
    #[test]
    fn intervals_are_as_wide_as_the_number_of_examples_makes_them() {
        let values: Vec<f64> = (0..600)
            .map(|it| f64::from(u8::from(it % 4 == 0)))
            .collect();
        let (low, high) = interval(&values).unwrap();
        check(low, 0.2154, 0.003);
        check(high, 0.2846, 0.003);
        assert_eq!(interval(&[]), None);
        // Two answers to each example are no more examples: an interval over twice as many would be narrower.
        let doubled: Vec<f64> = values.iter().flat_map(|it| [*it, *it]).collect();
        let naive = interval(&doubled).unwrap();
        assert!(naive.1 - naive.0 < 0.8 * (high - low));
    }

    #[test]
    fn a_difference_is_as_sure_as_the_examples_make_it() {
        let half: Vec<f64> = (0..60).map(|it| f64::from(it % 2)).collect();
        let clear = Difference::of(&half, (3, 0, 0)).unwrap();
        check(clear.mean, 0.5, 1e-12);
        assert!(clear.p < 0.001 && clear.interval.0 > 0.3, "{clear:?}");
        let mut one = vec![0.0; 60];
        one[0] = 1.0;
        let unclear = Difference::of(&one, (1, 2, 0)).unwrap();
        check(unclear.p, 1.0, 1e-12);
        assert!(unclear.interval.0 <= 0.0, "{unclear:?}");
        assert_eq!(Difference::of(&[], (0, 0, 0)), None);

        let (mut first, mut second) = (clear, unclear);
        correct(&mut [(&mut first, &half), (&mut second, &one)]);
        check(first.p_corrected, 2.0 * first.p, 1e-12);
        check(second.p_corrected, 1.0, 1e-12);
        assert!(first.detectable > clear.detectable);
    }
}
