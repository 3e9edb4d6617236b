//! From proposed fragments to a pool of candidates, of bounded size.

use indexmap::{IndexMap, IndexSet};
use patois_syntax::{Fragment, FragmentNode, Grammar, HoleId, Label, NodeId, Tree};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::candidates::{
    Candidate, Filter, Tally, locate, n_choices, tally, variants, with_shared_holes,
};

type FragmentSet = IndexSet<Fragment, FxBuildHasher>;

/// Which candidates there are besides the proposed fragments, and how many at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PoolConfig {
    /// What is derived from the fragments that the miner proposes.
    pub variants: Variants,
    /// Whether a hole may stand for equal subtrees at several places.
    pub named_arguments: NamedArguments,
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

impl Default for PoolConfig {
    fn default() -> PoolConfig {
        PoolConfig {
            variants: Variants::Holes,
            named_arguments: NamedArguments::Shared,
            max_candidates: 20_000,
        }
    }
}

/// How many nodes all variants have together, at most.
const MAX_VARIANT_NODES: usize = 4_000_000;
/// How many nodes are compared for the variants of one fragment where it occurs, at most: a table of
/// a thousand equal rows is not worth it.
const MAX_VARIANT_WORK: usize = 20_000_000;
/// How many places all candidates have together, at most.
const MAX_PLACES: usize = 30_000_000;
/// Of how many candidates named arguments are sought.
const MAX_SHARING: usize = 4_000;
/// How many holes such a candidate has, at most: all pairs are compared at all places.
const MAX_SHARED_HOLES: usize = 12;

/// Collects candidates for a library.
#[derive(Clone, Copy, Debug)]
pub struct PoolBuilder<'a> {
    /// The grammar.
    pub grammar: &'a Grammar,
    /// The corpus.
    pub trees: &'a [Tree],
    /// Which fragments may become idioms.
    pub filter: Filter,
    /// What else to derive from them.
    pub config: PoolConfig,
}

impl PoolBuilder<'_> {
    /// The candidates that come of proposed fragments; those first that could save most.
    pub fn build(&self, proposed: impl IntoIterator<Item = Fragment>) -> Vec<Candidate> {
        let proposed: FragmentSet = proposed.into_iter().collect();
        let mut counted = self.most_useful(self.counted(proposed));
        if self.config.variants == Variants::Holes {
            counted.extend(self.variants_of(&counted));
        }
        counted.retain(|it| self.filter.accepts(self.grammar, &it.0));
        let mut pool = self.located(self.most_useful(counted));
        if self.config.named_arguments == NamedArguments::Shared {
            self.add_shared(&mut pool);
        }
        pool
    }

    /// Candidates close to some of the pool that are not in it yet: with one more hole, and with one
    /// hole filled in by what most often fills it.
    pub fn neighbours(&self, pool: &[Candidate], chosen: &[usize]) -> Vec<Candidate> {
        let mut fresh = FragmentSet::default();
        for &index in chosen {
            fresh.extend(variants(self.grammar, &pool[index].fragment));
            fresh.extend(self.filled(&pool[index]));
        }
        let known: IndexSet<&Fragment, FxBuildHasher> =
            pool.iter().map(|it| &it.fragment).collect();
        fresh.retain(|it| !known.contains(it) && self.filter.accepts(self.grammar, it));
        let mut fresh = self.located(self.most_useful(self.counted(fresh)));
        if self.config.named_arguments == NamedArguments::Shared {
            self.add_shared(&mut fresh);
            fresh.retain(|it| !known.contains(&it.fragment));
        }
        fresh
    }

    /// The fragments with how often they occur, without those that are too rare.
    fn counted(&self, fragments: FragmentSet) -> Vec<(Fragment, Tally)> {
        let tallies = tally(self.trees, &fragments);
        let counted = fragments.into_iter().zip(tallies);
        counted
            .filter(|(_, tally)| tally.coverage >= self.filter.min_coverage.max(1))
            .collect()
    }

    /// Those that could save most, in order.
    fn most_useful(&self, mut counted: Vec<(Fragment, Tally)>) -> Vec<(Fragment, Tally)> {
        counted.sort_by_cached_key(|(fragment, tally)| {
            let saved = n_choices(self.grammar, fragment).saturating_sub(1);
            std::cmp::Reverse(saved * tally.n_places)
        });
        counted.truncate(self.config.max_candidates);
        counted
    }

    /// Variants of fragments that occur more often than these do.
    ///
    /// One that occurs where its original does, and only there, is worse: whatever it derives, the
    /// original derives with fewer choices.
    fn variants_of(&self, counted: &[(Fragment, Tally)]) -> Vec<(Fragment, Tally)> {
        let known: IndexSet<&Fragment, FxBuildHasher> = counted.iter().map(|it| &it.0).collect();
        let mut originals: IndexMap<Fragment, usize, FxBuildHasher> = IndexMap::default();
        let mut n_nodes = 0;
        for (fragment, tally) in counted {
            let n_variants = n_choices(self.grammar, fragment);
            if tally.n_places * n_variants * fragment.n_nodes() > MAX_VARIANT_WORK {
                continue;
            }
            let is_kept = self.filter.accepts(self.grammar, fragment);
            for variant in variants(self.grammar, fragment) {
                if known.contains(&variant) {
                    continue;
                }
                n_nodes += variant.n_nodes();
                let least = if is_kept { tally.n_places + 1 } else { 1 };
                let entry = originals.entry(variant).or_insert(least);
                *entry = (*entry).max(least);
            }
            if n_nodes > MAX_VARIANT_NODES {
                break;
            }
        }
        let tallies = tally(self.trees, originals.keys());
        originals
            .into_iter()
            .zip(tallies)
            .filter(|((_, least), tally)| {
                tally.n_places >= *least && tally.coverage >= self.filter.min_coverage.max(1)
            })
            .map(|((fragment, _), tally)| (fragment, tally))
            .collect()
    }

    fn located(&self, counted: Vec<(Fragment, Tally)>) -> Vec<Candidate> {
        let mut n_places = 0;
        let within = |(_, tally): &(Fragment, Tally)| {
            n_places += tally.n_places;
            n_places <= MAX_PLACES
        };
        let kept = counted.into_iter().take_while(within);
        locate(self.trees, kept.map(|it| it.0))
    }

    fn add_shared(&self, pool: &mut Vec<Candidate>) {
        let mut known: FragmentSet = pool.iter().map(|it| it.fragment.clone()).collect();
        let n_searched = pool.len().min(MAX_SHARING);
        for index in 0..n_searched {
            if pool[index].fragment.n_holes() > MAX_SHARED_HOLES {
                continue;
            }
            for shared in with_shared_holes(self.grammar, self.trees, &pool[index]) {
                let is_wanted = shared.coverage >= self.filter.min_coverage.max(1);
                if is_wanted && known.insert(shared.fragment.clone()) {
                    pool.push(shared);
                }
            }
        }
    }

    /// The candidate's fragment with a hole filled in, for what fills each hole most often.
    fn filled(&self, candidate: &Candidate) -> Vec<Fragment> {
        let mut filled = Vec::new();
        for hole in 0..candidate.fragment.n_holes() {
            let mut counts: IndexMap<Label, usize, FxBuildHasher> = IndexMap::default();
            for (number, place) in candidate.places.iter().enumerate() {
                let node = NodeId::new(candidate.bindings(number)[hole] as usize);
                let label = self.trees[place.tree as usize].label(node);
                *counts.entry(label).or_default() += 1;
            }
            counts.sort_by(|_, left, _, right| right.cmp(left));
            let often = counts.iter().take(MAX_FILLINGS).filter(|it| *it.1 > 1);
            filled.extend(often.filter_map(|(&label, _)| {
                fill(self.grammar, &candidate.fragment, HoleId::new(hole), label)
            }));
        }
        filled
    }
}

/// With how many labels a hole is filled in, at most.
const MAX_FILLINGS: usize = 4;

/// The fragment with a label, and fresh holes below it, for a hole.
fn fill(grammar: &Grammar, fragment: &Fragment, hole: HoleId, label: Label) -> Option<Fragment> {
    let mut n_holes = fragment.n_holes();
    let mut nodes = Vec::new();
    for &node in fragment.nodes() {
        nodes.push(node);
        if node == FragmentNode::Hole(hole) {
            let last = nodes.len() - 1;
            nodes[last] = FragmentNode::Fixed(label);
            for _ in label.children(grammar) {
                nodes.push(FragmentNode::Hole(HoleId::new(n_holes)));
                n_holes += 1;
            }
        }
    }
    Fragment::from_nodes(grammar, fragment.root_symbol(), nodes).ok()
}
