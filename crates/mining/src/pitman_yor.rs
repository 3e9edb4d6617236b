//! The prior over fragments: for each symbol *N* a Pitman-Yor process.
//!
//! The paper defines it by *stick breaking* (Sethuraman 1994):
//!
//! ```text
//! Pr(I in fragments of N) = sum_k pi_k * delta(I = I_k)     I_k ~ G_0
//! pi_k = u_k * product_{j < k} (1 - u_j)                    u_k ~ Beta(1 - d, alpha + k d)
//! ```
//!
//! Nobody has to draw the sticks. With them integrated out, fragments are seated one after the other:
//! after *n* of them, *T* of which are different, the *predictive* probability of the next one is
//!
//! ```text
//! Pr(I | rest) = (n_I - d) / (n + alpha)        where I was seen n_I > 0 times
//!              = (alpha + T d) / (n + alpha) * G_0(I)         where it is new
//! ```
//!
//! That is the seating form with every distinct fragment at a single table. A second table for the
//! same fragment would cost another factor `G_0(I)`; without, the probability of all fragments is a
//! function of counts alone ([`LogSums`]), whatever the order in which they are seated.

use serde::{Deserialize, Serialize};

/// The two parameters of a Pitman-Yor process.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PitmanYor {
    /// The paper's α: how readily new fragments appear.
    pub concentration: f64,
    /// The paper's *d*: how heavy the tail of rare fragments is.
    pub discount: f64,
}

/// Why parameters do not make a Pitman-Yor process.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PitmanYorError {
    /// The discount is outside its range.
    #[error("expected a discount of at least 0 and below 1, found {0}")]
    Discount(f64),
    /// The concentration is outside its range.
    #[error("expected a concentration above {}, found {concentration}", -discount)]
    Concentration {
        /// The concentration.
        concentration: f64,
        /// The discount, whose negative it must exceed.
        discount: f64,
    },
}

impl PitmanYor {
    /// The paper's values: α = 5, *d* = 0.5.
    pub const PAPER: PitmanYor = PitmanYor {
        concentration: 5.0,
        discount: 0.5,
    };

    /// Makes sure that the parameters are in range.
    ///
    /// # Errors
    ///
    /// When the discount is not in [0, 1), or the concentration is not above its negative.
    pub fn check(self) -> Result<PitmanYor, PitmanYorError> {
        let PitmanYor {
            concentration,
            discount,
        } = self;
        if !(0.0..1.0).contains(&discount) {
            return Err(PitmanYorError::Discount(discount));
        }
        if !(concentration > -discount && concentration.is_finite()) {
            return Err(PitmanYorError::Concentration {
                concentration,
                discount,
            });
        }
        Ok(self)
    }
}

/// Partial sums of the logarithms that the target is made of, so that each costs one look-up.
///
/// The target of all samplers, the paper's posterior `G_1` given the trees, is the product of the
/// predictive probabilities of all fragments:
///
/// ```text
/// ln p(cuts) = sum over symbols N [ sum_{k < T_N} ln(a + k d)  -  sum_{i < n_N} ln(a + i) ]
///            + sum over fragments I [ ln G_0(I) + sum_{1 <= i < n_I} ln(i - d) ]
/// ```
///
/// `n_I` occurrences of fragment `I`, `n_N` of fragments rooted at symbol `N`, `T_N` distinct ones,
/// `a` the paper's alpha.
#[derive(Clone, Debug)]
pub struct LogSums {
    /// `occurrences[n] = sum_{1 <= i < n} ln(i - d)`
    occurrences: Vec<f64>,
    /// `totals[n] = sum_{i < n} ln(a + i)`
    totals: Vec<f64>,
    /// `distinct[n] = sum_{k < n} ln(a + k d)`
    distinct: Vec<f64>,
    /// `factorials[n] = ln n!`
    factorials: Vec<f64>,
    prior: PitmanYor,
}

impl LogSums {
    /// Sums for corpora of up to `n_nodes` nodes.
    pub fn new(prior: PitmanYor, n_nodes: usize) -> LogSums {
        let PitmanYor {
            concentration: a,
            discount: d,
        } = prior;
        // The first terms of both sums over a symbol are `ln a`: they cancel, and `a` may be negative.
        let past_first = |index: usize, term: f64| if index == 0 { 0.0 } else { term.ln() };
        let sums = |term: &dyn Fn(usize) -> f64| {
            let mut sum = 0.0;
            let mut sums = Vec::with_capacity(n_nodes + 2);
            for index in 0..n_nodes + 2 {
                sums.push(sum);
                sum += term(index);
            }
            sums
        };
        LogSums {
            occurrences: sums(&|i| past_first(i, i as f64 - d)),
            totals: sums(&|i| past_first(i, a + i as f64)),
            distinct: sums(&|k| past_first(k, a + k as f64 * d)),
            factorials: sums(&|i| (i as f64).ln_1p()),
            prior,
        }
    }

    /// Sums for corpora of up to `n_nodes` nodes that need not be in the memory of one machine: tables of the
    /// first four million, and Stirling's series beyond.
    pub fn of_any_size(prior: PitmanYor, n_nodes: usize) -> LogSums {
        LogSums::new(prior, n_nodes.min(MAX_TABLE))
    }

    /// What `n` occurrences of a fragment contribute, but for its base probability.
    #[inline]
    pub(crate) fn occurrences(&self, n: usize) -> f64 {
        let d = self.prior.discount;
        look_up(&self.occurrences, n, |m| ln_rising(m - d, n as f64 - d))
    }

    /// What a symbol with `n` fragments in all, `distinct` of them different, contributes.
    #[inline]
    pub(crate) fn symbol(&self, n: usize, distinct: usize) -> f64 {
        let PitmanYor {
            concentration: a,
            discount: d,
        } = self.prior;
        let totals = look_up(&self.totals, n, |m| ln_rising(a + m, a + n as f64));
        let distinct = look_up(&self.distinct, distinct, |m| {
            let k = distinct as f64;
            if d == 0.0 {
                (k - m) * a.ln()
            } else {
                (k - m) * d.ln() + ln_rising(a / d + m, a / d + k)
            }
        });
        distinct - totals
    }

    /// `ln C(n, m)`
    #[inline]
    pub(crate) fn ln_choose(&self, n: usize, m: usize) -> f64 {
        let factorial =
            |n: usize| look_up(&self.factorials, n, |m| ln_rising(1.0 + m, 1.0 + n as f64));
        factorial(n) - factorial(m) - factorial(n - m)
    }
}

/// How long tables are at most, where there are sums beyond them.
const MAX_TABLE: usize = 1 << 22;

/// A sum from a table, or the last one and the `rest` from there on.
#[inline]
fn look_up(table: &[f64], n: usize, rest: impl Fn(f64) -> f64) -> f64 {
    match table.get(n) {
        Some(&sum) => sum,
        None => table[table.len() - 1] + rest((table.len() - 1) as f64),
    }
}

/// `ln Γ(to) - ln Γ(from)` by Stirling's series, whose next term is below 1e-36 from four million on.
#[cold]
fn ln_rising(from: f64, to: f64) -> f64 {
    let ln_gamma = |x: f64| (x - 0.5) * x.ln() - x + 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3));
    ln_gamma(to) - ln_gamma(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_out_of_range_are_refused() {
        let check = |concentration, discount, expected: &str| {
            let error = PitmanYor {
                concentration,
                discount,
            }
            .check()
            .unwrap_err();
            assert_eq!(error.to_string(), expected);
        };
        check(
            5.0,
            1.0,
            "expected a discount of at least 0 and below 1, found 1",
        );
        check(
            5.0,
            -0.1,
            "expected a discount of at least 0 and below 1, found -0.1",
        );
        check(
            5.0,
            f64::NAN,
            "expected a discount of at least 0 and below 1, found NaN",
        );
        check(-0.5, 0.5, "expected a concentration above -0.5, found -0.5");
        check(
            f64::INFINITY,
            0.5,
            "expected a concentration above -0.5, found inf",
        );
        assert!(
            PitmanYor {
                concentration: -0.4,
                discount: 0.5
            }
            .check()
            .is_ok()
        );
    }

    /// The exchangeable probability is the product of the predictive ones, in any order.
    #[test]
    fn sums_agree_with_the_predictive_probabilities() {
        let prior = PitmanYor {
            concentration: 1.5,
            discount: 0.3,
        };
        let sums = LogSums::new(prior, 20);
        let (mut n, mut distinct, mut counts, mut ln_p) = (0_usize, 0_usize, [0_usize; 3], 0.0);
        for fragment in [0, 1, 0, 0, 2, 1, 0] {
            let (a, d) = (prior.concentration, prior.discount);
            ln_p += if counts[fragment] == 0 {
                distinct += 1;
                (a + (distinct - 1) as f64 * d).ln()
            } else {
                (counts[fragment] as f64 - d).ln()
            };
            ln_p -= (a + n as f64).ln();
            counts[fragment] += 1;
            n += 1;
        }
        let together: f64 = counts.iter().map(|&count| sums.occurrences(count)).sum();
        assert!((together + sums.symbol(n, distinct) - ln_p).abs() < 1e-12);
    }

    #[test]
    fn sums_beyond_a_table_are_those_of_a_longer_one() {
        let n = MAX_TABLE + 70_000;
        for discount in [0.0, 0.5] {
            let prior = PitmanYor {
                concentration: 5.0,
                discount,
            };
            let (long, short) = (LogSums::new(prior, n), LogSums::of_any_size(prior, n));
            assert!(short.totals.len() < n);
            // Sums of millions of logarithms have some twelve digits; differences of them no more behind the point.
            let tolerance = 1e-12 * long.symbol(n, 3).abs();
            let check = |long: f64, short: f64| {
                assert!((long - short).abs() < tolerance, "{long} and {short}");
            };
            check(long.occurrences(n), short.occurrences(n));
            check(long.symbol(n, 3), short.symbol(n, 3));
            check(long.symbol(n, n), short.symbol(n, n));
            check(long.ln_choose(n, 5), short.ln_choose(n, 5));
        }
    }
}
