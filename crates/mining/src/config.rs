//! What a run of the miner depends on, besides the corpus and the random numbers.

use serde::{Deserialize, Serialize};

use crate::candidates::Filter;
use crate::pitman_yor::PitmanYor;
use crate::pool::{Merged, NamedArguments, PoolConfig, Variants};
use crate::rank::Ranking;
use crate::segmentation::Start;

/// How to mine a corpus: plain data, saved beside what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MiningConfig {
    /// What proposes fragments.
    pub miner: MinerKind,
    /// How the Markov chain of a sampler goes.
    pub chain: ChainConfig,
    /// How pairs are merged.
    pub byte_pairs: BytePairConfig,
    /// What becomes a candidate.
    pub pool: PoolConfig,
    /// Which candidates may become idioms.
    pub filter: Filter,
    /// What makes one candidate better than another.
    pub ranking: Ranking,
    /// How many idioms are wanted.
    pub n_idioms: usize,
    /// Whether a ranking by compression pays for the idioms themselves.
    #[serde(skip_serializing_if = "LibraryCost::is_free")]
    pub library: LibraryCost,
}

/// What an idiom costs that is part of a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LibraryCost {
    /// Nothing: the library shortens programs that are yet to be written.
    #[default]
    Free,
    /// Its nodes, holes included: programs and library together are to be short.
    Counted,
}

impl LibraryCost {
    /// Whether it is nothing.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
    fn is_free(&self) -> bool {
        *self == LibraryCost::Free
    }
}

/// What proposes fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MinerKind {
    /// A tree substitution grammar, sampled in blocks of sites of one type.
    TypeBased,
    /// The same, sampled site by site.
    SingleSite,
    /// Byte-pair encoding of trees.
    BytePairs,
}

/// A Markov chain over the cuts of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChainConfig {
    /// How often all sites are visited.
    pub n_sweeps: usize,
    /// From how many of the last sweeps fragments are taken.
    pub n_kept_sweeps: usize,
    /// The prior over fragments.
    pub prior: PitmanYor,
    /// How likely the base distribution ends a fragment at a site.
    pub stop: Stop,
    /// How the chain begins.
    pub start: Start,
    /// Whether the chain begins at a higher temperature.
    pub annealing: Annealing,
    /// About how often a type-based sampler resamples each block in a sweep.
    pub visits: f64,
}

/// How likely the base distribution ends a fragment at a site.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// With a probability that is estimated for each symbol after each sweep, one half at first.
    Estimated,
    /// With the same probability everywhere.
    Fixed(f64),
}

impl Stop {
    /// The probability that a chain begins with.
    pub(crate) fn at_first(self) -> f64 {
        match self {
            Stop::Estimated => 0.5,
            Stop::Fixed(stop) => stop,
        }
    }
}

/// Whether a chain begins at a higher temperature, at which it moves more freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Annealing {
    /// It samples the target from the start.
    None,
    /// The inverse temperature rises from 0.5 to 1 over the first 60 % of the sweeps.
    Rising,
}

impl Annealing {
    /// The inverse temperature of a sweep; sweeps are numbered from zero.
    pub fn inverse_temperature(self, sweep: usize, n_sweeps: usize) -> f64 {
        let n_rising = 0.6 * n_sweeps as f64;
        match self {
            Annealing::None => 1.0,
            Annealing::Rising if n_rising < 1.0 => 1.0,
            Annealing::Rising => (0.5 + 0.5 * sweep as f64 / n_rising).min(1.0),
        }
    }
}

/// How pairs of fragments are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BytePairConfig {
    /// How many merges there are, at most.
    pub max_merges: usize,
    /// How often a pair must occur to be merged.
    pub min_count: usize,
}

impl Default for MiningConfig {
    fn default() -> MiningConfig {
        MiningConfig {
            miner: MinerKind::TypeBased,
            chain: ChainConfig::default(),
            byte_pairs: BytePairConfig::default(),
            pool: PoolConfig::default(),
            filter: Filter::default(),
            ranking: Ranking::Compression,
            n_idioms: 80,
            library: LibraryCost::Free,
        }
    }
}

impl MiningConfig {
    /// What the paper says: ten sweeps, α = 5, *d* = 0.5, fragments of the last sweep as they are,
    /// ranked by coverage, none without a hole.
    pub fn paper() -> MiningConfig {
        MiningConfig {
            pool: PoolConfig {
                variants: Variants::None,
                named_arguments: NamedArguments::Distinct,
                merged: Merged::None,
                ..PoolConfig::default()
            },
            filter: Filter {
                min_coverage: 1,
                ..Filter::default()
            },
            ranking: Ranking::Coverage,
            ..MiningConfig::default()
        }
    }
}

impl Default for ChainConfig {
    fn default() -> ChainConfig {
        ChainConfig {
            n_sweeps: 10,
            n_kept_sweeps: 1,
            prior: PitmanYor::PAPER,
            stop: Stop::Estimated,
            start: Start::AllCut,
            annealing: Annealing::None,
            visits: 10.0,
        }
    }
}

impl Default for BytePairConfig {
    fn default() -> BytePairConfig {
        BytePairConfig {
            max_merges: 4_000,
            min_count: 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_temperature_rises_to_one() {
        let check = |annealing: Annealing, sweep, n_sweeps, expected: f64| {
            let found = annealing.inverse_temperature(sweep, n_sweeps);
            assert!((found - expected).abs() < 1e-12, "{found}");
        };
        check(Annealing::Rising, 0, 10, 0.5);
        check(Annealing::Rising, 3, 10, 0.75);
        check(Annealing::Rising, 6, 10, 1.0);
        check(Annealing::Rising, 9, 10, 1.0);
        check(Annealing::Rising, 0, 1, 1.0);
        check(Annealing::None, 0, 10, 1.0);
    }
}
