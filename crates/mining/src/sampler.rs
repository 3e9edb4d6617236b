//! Samplers: Markov chains over the cuts of a corpus.
//!
//! Both samplers leave the same target distribution invariant; see [`LogSums`] for it. The
//! [single-site](single_site) one is simple enough to trust, the [type-based](type_based) one moves.

pub mod single_site;
pub mod type_based;

use rand::Rng;

pub use single_site::SingleSite;
pub use type_based::TypeBased;

use crate::fragment_table::FragmentId;
use crate::pitman_yor::LogSums;
use crate::segmentation::Segmentation;

/// A Markov chain over segmentations.
pub trait Sampler {
    /// Resamples every site of the corpus about once, at an inverse temperature.
    fn sweep(
        &mut self,
        segmentation: &mut Segmentation<'_>,
        sums: &LogSums,
        inverse_temperature: f64,
        rng: &mut impl Rng,
    );
}

/// Sites that would all exchange the same pair of fragments for the same joined one, and the counts
/// of these fragments elsewhere in the corpus.
///
/// *upper* is the fragment with a hole at the site, *lower* the one that begins there, *joined* the
/// two in one.
#[derive(Clone, Copy, Debug)]
struct Exchange {
    joined: Elsewhere,
    upper: Elsewhere,
    lower: Elsewhere,
    /// Fragments rooted at the symbol of *joined* and *upper*, and how many are different.
    upper_symbol: (usize, usize),
    /// The same for *lower*; none where it is the same symbol.
    lower_symbol: Option<(usize, usize)>,
}

/// A fragment and how often it occurs outside of the sites in question.
#[derive(Clone, Copy, Debug)]
struct Elsewhere {
    n: usize,
    ln_base: f64,
}

impl Elsewhere {
    /// What `more` occurrences add to the target, and whether they make the fragment appear.
    fn add(self, sums: &LogSums, more: usize) -> (f64, usize) {
        let appears = self.n == 0 && more > 0;
        let ln_base = if appears { self.ln_base } else { 0.0 };
        (
            ln_base + sums.occurrences(self.n + more) - sums.occurrences(self.n),
            usize::from(appears),
        )
    }
}

impl Exchange {
    /// The counts for `n_cut` cut and `n_joined` joined sites of one type; `node` is one of them.
    ///
    /// *upper* and *lower* must be different, unless there is just one site.
    fn new(
        segmentation: &Segmentation<'_>,
        node: u32,
        whole: SiteFragments,
        (n_cut, n_joined): (usize, usize),
    ) -> Exchange {
        let table = segmentation.table();
        let lower = segmentation.fragment_at(node);
        let symbol = table.symbol(lower);
        let root_symbol = segmentation
            .arena()
            .node(segmentation.fragment_root(node))
            .symbol;
        // ln P0 adds up, but for the place of the site: a hole, or not.
        let ln_lower = table.ln_base(lower);
        let ln_join = segmentation.base().ln_join(symbol);
        let (ln_upper, ln_joined) = match (whole.upper, whole.joined) {
            (Some(upper), _) => {
                let ln_upper = table.ln_base(upper);
                (ln_upper, ln_upper + ln_lower + ln_join)
            }
            (None, Some(joined)) => {
                let ln_joined = table.ln_base(joined);
                (ln_joined - ln_lower - ln_join, ln_joined)
            }
            (None, None) => unreachable!("the site's own fragment is stored"),
        };
        let count = |fragment: Option<FragmentId>, here: usize| {
            fragment.map_or(0, |fragment| {
                segmentation.occurrences(fragment).len() - here
            })
        };
        let is_twice = whole.upper == Some(lower);
        let n_lower = if is_twice { 2 * n_cut } else { n_cut };
        let upper = Elsewhere {
            n: count(whole.upper, n_lower.max(n_cut)),
            ln_base: ln_upper,
        };
        let lower = Elsewhere {
            n: count(Some(lower), n_lower),
            ln_base: ln_lower,
        };
        let joined = Elsewhere {
            n: count(whole.joined, n_joined),
            ln_base: ln_joined,
        };
        let without = |symbol: u32, n_here: usize, vanishing: usize| {
            let counts = segmentation.symbol_counts(symbol);
            (counts.n - n_here, counts.distinct - vanishing)
        };
        let vanishes = |it: Elsewhere, here: usize| usize::from(it.n == 0 && here > 0);
        let above = vanishes(joined, n_joined) + vanishes(upper, n_cut);
        let below = if is_twice { 0 } else { vanishes(lower, n_cut) };
        if symbol == root_symbol {
            let upper_symbol = without(symbol, n_joined + 2 * n_cut, above + below);
            Exchange {
                joined,
                upper,
                lower,
                upper_symbol,
                lower_symbol: None,
            }
        } else {
            Exchange {
                joined,
                upper,
                lower,
                upper_symbol: without(root_symbol, n_joined + n_cut, above),
                lower_symbol: Some(without(symbol, n_cut, below)),
            }
        }
    }

    /// The log-weight of the state with `n_cut` sites cut and `n_joined` joined, all else equal.
    fn ln_weight(&self, sums: &LogSums, n_cut: usize, n_joined: usize) -> f64 {
        let (ln_joined, new_joined) = self.joined.add(sums, n_joined);
        let (ln_upper, new_upper) = self.upper.add(sums, n_cut);
        let (ln_lower, new_lower) = self.lower.add(sums, n_cut);
        let n_upper = n_cut + n_joined;
        let ln_symbols = match self.lower_symbol {
            None => {
                let (n, distinct) = self.upper_symbol;
                sums.symbol(
                    n + n_upper + n_cut,
                    distinct + new_joined + new_upper + new_lower,
                )
            }
            Some((n_lower, distinct_lower)) => {
                let (n, distinct) = self.upper_symbol;
                sums.symbol(n + n_upper, distinct + new_joined + new_upper)
                    + sums.symbol(n_lower + n_cut, distinct_lower + new_lower)
            }
        };
        ln_joined + ln_upper + ln_lower + ln_symbols
    }

    /// The log-weight of cutting a single site whose *upper* and *lower* are the same fragment.
    fn ln_weight_of_twice(&self, sums: &LogSums) -> f64 {
        let (ln_both, new) = self.upper.add(sums, 2);
        let (n, distinct) = self.upper_symbol;
        ln_both + sums.symbol(n + 2, distinct + new)
    }
}

/// The whole fragments around a site, as far as they are stored.
#[derive(Clone, Copy, Debug)]
struct SiteFragments {
    upper: Option<FragmentId>,
    joined: Option<FragmentId>,
}

impl SiteFragments {
    fn at(segmentation: &Segmentation<'_>, node: u32, root: u32) -> SiteFragments {
        let here = Some(segmentation.fragment_at(root));
        let other = segmentation.find_other(node);
        if segmentation.is_cut(node) {
            SiteFragments {
                upper: here,
                joined: other,
            }
        } else {
            SiteFragments {
                upper: other,
                joined: here,
            }
        }
    }
}

/// Resamples one site by itself.
fn resample_alone(
    segmentation: &mut Segmentation<'_>,
    sums: &LogSums,
    inverse_temperature: f64,
    node: u32,
    whole: SiteFragments,
    chain: &mut Vec<FragmentId>,
    rng: &mut impl Rng,
) {
    let is_cut = segmentation.is_cut(node);
    let here = if is_cut { (1, 0) } else { (0, 1) };
    let exchange = Exchange::new(segmentation, node, whole, here);
    let ln_cut = if whole.upper == Some(segmentation.fragment_at(node)) {
        exchange.ln_weight_of_twice(sums)
    } else {
        exchange.ln_weight(sums, 1, 0)
    };
    let ln_joined = exchange.ln_weight(sums, 0, 1);
    let p_cut = 1.0 / (1.0 + (inverse_temperature * (ln_joined - ln_cut)).exp());
    if (uniform(rng) < p_cut) != is_cut {
        segmentation.intern_other(node, chain);
        segmentation.flip(node, chain);
    }
}

/// A number from [0, 1), with 53 random bits.
fn uniform(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A number below `n`.
fn below(rng: &mut impl Rng, n: usize) -> usize {
    // The product's upper half: the bias, of at most n / 2^64, is beyond notice.
    ((u128::from(rng.next_u64()) * n as u128) >> 64) as usize
}
