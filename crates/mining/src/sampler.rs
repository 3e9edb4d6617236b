//! Samplers: Markov chains over the cuts of a corpus.
//!
//! Both samplers leave the same target distribution invariant; see [`LogSums`] for it. The
//! [single-site](SingleSite) one is simple enough to trust, the [type-based](TypeBased) one moves.

mod single_site;
mod type_based;

use rand::Rng;

pub use single_site::SingleSite;
pub use type_based::TypeBased;

use crate::arena::{CorpusNodeId, Site};
use crate::fragment_table::FragmentId;
use crate::pitman_yor::LogSums;
use crate::segmentation::{Segmentation, SymbolCounts};

/// A Markov chain over segmentations.
pub trait Sampler {
    /// Resamples some sites, at an inverse temperature.
    fn visit(
        &mut self,
        segmentation: &mut Segmentation<'_>,
        sums: &LogSums,
        inverse_temperature: f64,
        sites: impl Iterator<Item = Site>,
        rng: &mut impl Rng,
    );

    /// Resamples every site of the corpus about once, at an inverse temperature.
    fn sweep(
        &mut self,
        segmentation: &mut Segmentation<'_>,
        sums: &LogSums,
        inverse_temperature: f64,
        rng: &mut impl Rng,
    ) {
        let sites = segmentation.arena().sites();
        self.visit(segmentation, sums, inverse_temperature, sites, rng);
    }
}

/// The fragments around a site, the whole ones as far as they are stored.
#[derive(Clone, Copy, Debug)]
struct SiteFragments {
    site: Site,
    /// Where *upper* or *joined* begins.
    root: CorpusNodeId,
    /// The fragment with a hole at the site.
    upper: Option<FragmentId>,
    /// The fragment that begins at the site.
    lower: FragmentId,
    /// The two in one.
    joined: Option<FragmentId>,
    /// How often other ranks have the one that is not stored.
    n_elsewhere: usize,
}

impl SiteFragments {
    /// The fragments around a site; `root` is where the one above it begins.
    #[inline]
    fn new(segmentation: &Segmentation<'_>, site: Site, root: CorpusNodeId) -> SiteFragments {
        let here = Some(segmentation.fragment_at(root));
        let other = segmentation.find_other(site);
        let n_elsewhere = match other {
            Some(_) => 0,
            None => segmentation.n_elsewhere_of_other(site),
        };
        let (upper, joined) = if segmentation.is_cut(site) {
            (here, other)
        } else {
            (other, here)
        };
        SiteFragments {
            site,
            root,
            upper,
            lower: segmentation.fragment_at(site),
            joined,
            n_elsewhere,
        }
    }

    /// Whether *upper* and *lower* are the same fragment.
    #[inline]
    fn is_twice(&self) -> bool {
        self.upper == Some(self.lower)
    }

    /// The base log-probabilities of *upper*, *lower* and *joined*. They add up, but for the place of
    /// the site: a hole, or not.
    #[inline]
    fn ln_bases(&self, segmentation: &Segmentation<'_>) -> (f64, f64, f64) {
        let table = segmentation.table();
        let ln_lower = table.ln_base(self.lower);
        let ln_join = segmentation.base().ln_join(table.symbol(self.lower));
        match (self.upper, self.joined) {
            (Some(upper), _) => {
                let ln_upper = table.ln_base(upper);
                (ln_upper, ln_lower, ln_upper + ln_lower + ln_join)
            }
            (None, Some(joined)) => {
                let ln_joined = table.ln_base(joined);
                (ln_joined - ln_lower - ln_join, ln_lower, ln_joined)
            }
            (None, None) => unreachable!("the site's own fragment is stored"),
        }
    }
}

/// Sites that would all exchange the same pair of fragments for the same joined one, and the counts
/// of these fragments elsewhere in the corpus.
#[derive(Clone, Copy, Debug)]
struct Exchange {
    upper: Elsewhere,
    lower: Elsewhere,
    joined: Elsewhere,
    /// Fragments rooted at the symbol of *joined* and *upper*.
    upper_symbol: SymbolCounts,
    /// The same for *lower*; none where it is the same symbol.
    lower_symbol: Option<SymbolCounts>,
}

/// A fragment and how often it occurs outside of the sites in question.
#[derive(Clone, Copy, Debug)]
struct Elsewhere {
    n: usize,
    ln_base: f64,
}

impl Elsewhere {
    /// What `more` occurrences add to the target, and whether they make the fragment appear.
    #[inline]
    fn add(self, sums: &LogSums, more: usize) -> (f64, usize) {
        let appears = self.n == 0 && more > 0;
        let ln_base = if appears { self.ln_base } else { 0.0 };
        (
            ln_base + sums.occurrences(self.n + more) - sums.occurrences(self.n),
            usize::from(appears),
        )
    }

    /// Whether a fragment with `here` occurrences at the sites is nowhere else.
    #[inline]
    fn vanishes(self, here: usize) -> usize {
        usize::from(self.n == 0 && here > 0)
    }
}

impl Exchange {
    /// The counts for `n_cut` cut and `n_joined` joined sites of one type; `around` is one of them.
    ///
    /// *upper* and *lower* must be different, unless there is just one site.
    #[inline]
    fn new(
        segmentation: &Segmentation<'_>,
        around: &SiteFragments,
        (n_cut, n_joined): (usize, usize),
    ) -> Exchange {
        let (ln_upper, ln_lower, ln_joined) = around.ln_bases(segmentation);
        let elsewhere = |fragment: Option<FragmentId>, here: usize, ln_base: f64| Elsewhere {
            n: fragment.map_or(around.n_elsewhere, |it| segmentation.count(it) - here),
            ln_base,
        };
        let n_halves = if around.is_twice() { 2 * n_cut } else { n_cut };
        let upper = elsewhere(around.upper, n_halves, ln_upper);
        let lower = elsewhere(Some(around.lower), n_halves, ln_lower);
        let joined = elsewhere(around.joined, n_joined, ln_joined);
        let above = joined.vanishes(n_joined) + upper.vanishes(n_cut);
        let below = if around.is_twice() {
            0
        } else {
            lower.vanishes(n_cut)
        };
        let without = |symbol, n_here: usize, n_vanishing: usize| {
            let counts = segmentation.symbol_counts(symbol);
            SymbolCounts {
                n: counts.n - n_here,
                distinct: counts.distinct - n_vanishing,
            }
        };
        let symbol = segmentation.table().symbol(around.lower);
        let root_symbol = segmentation.arena().node(around.root).symbol;
        let (upper_symbol, lower_symbol) = if symbol == root_symbol {
            (without(symbol, n_joined + 2 * n_cut, above + below), None)
        } else {
            (
                without(root_symbol, n_joined + n_cut, above),
                Some(without(symbol, n_cut, below)),
            )
        };
        Exchange {
            upper,
            lower,
            joined,
            upper_symbol,
            lower_symbol,
        }
    }

    /// The log-weight of the state with `n_cut` sites cut and `n_joined` joined, all else equal: the
    /// terms of [`LogSums`]'s target that depend on these sites.
    #[inline]
    fn ln_weight(&self, sums: &LogSums, n_cut: usize, n_joined: usize) -> f64 {
        let (ln_joined, new_joined) = self.joined.add(sums, n_joined);
        let (ln_upper, new_upper) = self.upper.add(sums, n_cut);
        let (ln_lower, new_lower) = self.lower.add(sums, n_cut);
        let SymbolCounts { n, distinct } = self.upper_symbol;
        let (n, distinct) = (n + n_cut + n_joined, distinct + new_joined + new_upper);
        let ln_symbols = match self.lower_symbol {
            None => sums.symbol(n + n_cut, distinct + new_lower),
            Some(lower) => {
                sums.symbol(n, distinct) + sums.symbol(lower.n + n_cut, lower.distinct + new_lower)
            }
        };
        ln_joined + ln_upper + ln_lower + ln_symbols
    }

    /// The log-weight of cutting a single site whose *upper* and *lower* are the same fragment.
    fn ln_weight_of_twice(&self, sums: &LogSums) -> f64 {
        let (ln_both, new) = self.upper.add(sums, 2);
        let SymbolCounts { n, distinct } = self.upper_symbol;
        ln_both + sums.symbol(n + 2, distinct + new)
    }
}

/// Resamples one site by itself, with its *split probability*: the conditional probability of a cut,
/// given all other sites.
///
/// ```text
/// split probability = w(cut) / (w(cut) + w(joined))
/// w(cut)    = Pr(upper | rest) * Pr(lower | rest, upper)
/// w(joined) = Pr(joined | rest)
/// ```
///
/// `Pr` is the [predictive probability](LogSums) of a Pitman-Yor process; *rest* are the fragments
/// elsewhere. At an inverse temperature *t*, both weights are raised to the power *t*.
fn resample_alone(
    segmentation: &mut Segmentation<'_>,
    sums: &LogSums,
    inverse_temperature: f64,
    around: &SiteFragments,
    chain: &mut Vec<FragmentId>,
    rng: &mut impl Rng,
) {
    let is_cut = segmentation.is_cut(around.site);
    let here = if is_cut { (1, 0) } else { (0, 1) };
    let exchange = Exchange::new(segmentation, around, here);
    let ln_cut = if around.is_twice() {
        exchange.ln_weight_of_twice(sums)
    } else {
        exchange.ln_weight(sums, 1, 0)
    };
    let ln_joined = exchange.ln_weight(sums, 0, 1);
    let split_probability = 1.0 / (1.0 + (inverse_temperature * (ln_joined - ln_cut)).exp());
    if (uniform(rng) < split_probability) != is_cut {
        segmentation.intern_other(around.site, chain);
        segmentation.flip(around.site, chain);
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
