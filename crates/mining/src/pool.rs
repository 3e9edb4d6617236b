//! From proposed fragments to a pool of candidates, of bounded size.

mod budget;
mod drafts;
mod neighbours;

use std::cmp::Reverse;

use indexmap::IndexSet;
use patois_syntax::{Fragment, Grammar, Tree};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use self::budget::Budget;
use self::drafts::Drafts;
use crate::candidates::{
    Candidate, Filter, Pool, locate_light, n_choices, tally, with_shared_holes,
};
use crate::generalisations::{Generalisation, Places};
use crate::subtrees::Subtrees;

type FragmentSet = IndexSet<Fragment, FxBuildHasher>;

/// Which candidates there are besides the proposed fragments, and how many at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PoolConfig {
    /// What is derived from the fragments that the miner proposes.
    pub variants: Variants,
    /// Whether a hole may stand for equal subtrees at several places.
    pub named_arguments: NamedArguments,
    /// What a ranking by compression starts from.
    pub merged: Merged,
    /// How many candidates are kept: those that could save the most choices.
    pub max_candidates: usize,
}

/// What is derived from a fragment that a miner proposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variants {
    /// Nothing: candidates are what the miner proposes.
    None,
    /// The fragments with one more hole.
    Holes,
}

/// Whether a hole may stand for equal subtrees at several places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NamedArguments {
    /// Each hole stands by itself.
    Distinct,
    /// Holes that are filled equally well above chance yield a candidate in which they are one.
    Shared,
}

/// Whether byte-pair encoding proposes fragments too, whatever the miner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Merged {
    /// All fragments are the miner's.
    None,
    /// A ranking by compression starts from merged pairs and improves on that with the miner's
    /// fragments.
    First,
}

impl Default for PoolConfig {
    fn default() -> PoolConfig {
        PoolConfig {
            variants: Variants::Holes,
            named_arguments: NamedArguments::Shared,
            merged: Merged::First,
            max_candidates: 20_000,
        }
    }
}

/// Of how many candidates named arguments are sought.
const MAX_SHARING: usize = 4_000;
/// How many holes such a candidate has, at most: all pairs are compared at all places.
const MAX_SHARED_HOLES: usize = 12;

/// Collects candidates for a library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolBuilder<'a> {
    /// The grammar.
    pub grammar: &'a Grammar,
    /// The corpus.
    pub trees: &'a [Tree],
    /// Its subtrees.
    pub subtrees: &'a Subtrees,
    /// Which fragments may become idioms.
    pub filter: Filter,
    /// What else to derive from them.
    pub config: PoolConfig,
}

/// What has come of proposed fragments.
#[derive(Debug, Default)]
pub(crate) struct Built {
    /// The candidates; those first that could save most.
    pub pool: Pool,
    /// How many more there would be, were they not too much together.
    pub n_left_out: usize,
}

impl PoolBuilder<'_> {
    /// The candidates that come of proposed fragments.
    pub(crate) fn build(&self, proposed: impl IntoIterator<Item = Fragment>) -> Built {
        let proposed: FragmentSet = proposed.into_iter().collect();
        let counted = self.most_useful(self.counted(proposed));
        let (fragments, n_left_out) = Drafts::new(self, &counted).make();
        let (pool, n_heavy) = self.located(fragments);
        Built {
            pool,
            n_left_out: n_left_out + n_heavy,
        }
    }

    /// The fragments with at how many places they occur, without those that are too rare.
    fn counted(&self, fragments: FragmentSet) -> Vec<(Fragment, usize)> {
        let tallies = tally(self.trees, &fragments);
        let counted = fragments.into_iter().zip(tallies);
        counted
            .filter(|(_, tally)| tally.coverage >= self.filter.min_coverage.max(1))
            .map(|(fragment, tally)| (fragment, tally.n_places))
            .collect()
    }

    /// Those that could save most, in order.
    fn most_useful(&self, mut counted: Vec<(Fragment, usize)>) -> Vec<(Fragment, usize)> {
        counted.sort_by_cached_key(|(fragment, n_places)| {
            Reverse(usefulness(n_choices(self.grammar, fragment), *n_places))
        });
        counted.truncate(self.config.max_candidates);
        counted
    }

    /// The generalisations of fragments that may become idioms.
    fn generalisations_of(&self, originals: &[&Fragment]) -> Vec<Generalisation> {
        let places = Places::new(self.trees, originals.iter().copied());
        places.generalisations(self.grammar, &self.filter, originals)
    }

    /// Candidates with all their places, and those with named arguments; and how many are left for
    /// which there is no room.
    fn located(&self, fragments: impl IntoIterator<Item = Fragment>) -> (Pool, usize) {
        let mut budget = Budget::of(self.trees);
        let fragments: Vec<Fragment> = fragments.into_iter().collect();
        let n_fragments = fragments.len();
        let mut pool = locate_light(self.trees, fragments, budget.max_weight());
        let mut n_left_out = n_fragments - pool.len();
        pool.items_mut().retain(|it| {
            let is_frequent = it.coverage >= self.filter.min_coverage.max(1);
            let is_kept = is_frequent && budget.allows_found(it);
            n_left_out += usize::from(is_frequent && !is_kept);
            is_kept
        });
        if self.config.named_arguments == NamedArguments::Shared {
            self.add_shared(&mut pool, &mut budget);
        }
        (pool, n_left_out)
    }

    fn add_shared(&self, pool: &mut Pool, budget: &mut Budget) {
        let mut known: FragmentSet = pool.iter().map(|it| it.fragment.clone()).collect();
        for candidate in pool.ids().take(MAX_SHARING) {
            if pool[candidate].fragment.n_holes() > MAX_SHARED_HOLES {
                continue;
            }
            for shared in with_shared_holes(self.grammar, self.subtrees, &pool[candidate]) {
                let is_wanted = shared.coverage >= self.filter.min_coverage.max(1);
                if is_wanted && !known.contains(&shared.fragment) && budget.allows_found(&shared) {
                    known.insert(shared.fragment.clone());
                    pool.push(shared);
                }
            }
        }
    }
}

/// How many choices a fragment saves at most.
fn usefulness(n_choices: usize, n_places: usize) -> usize {
    n_choices.saturating_sub(1) * n_places
}

/// Those of some candidates that are not in a pool.
pub(crate) fn unknown(pool: &Pool, mut candidates: Pool) -> Pool {
    let known: IndexSet<&Fragment, FxBuildHasher> = pool.iter().map(|it| &it.fragment).collect();
    let is_unknown = |it: &Candidate| !known.contains(&it.fragment);
    candidates.items_mut().retain(is_unknown);
    candidates
}
