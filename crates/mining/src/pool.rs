//! From proposed fragments to a pool of candidates, of bounded size.

use std::cmp::Reverse;

use indexmap::{IndexMap, IndexSet};
use patois_syntax::{Fragment, FragmentNode, Grammar, HoleId, Id as _, Label, SymbolId, Tree};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::candidates::{
    Candidate, CandidateId, Filter, Pool, locate, n_choices, tally, with_shared_holes,
};
use crate::compression::{Pair, Pairs, Rule};
use crate::generalisations::Places;

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

/// How many places all candidates have together, at most.
const MAX_PLACES: usize = 30_000_000;
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
    /// Which fragments may become idioms.
    pub filter: Filter,
    /// What else to derive from them.
    pub config: PoolConfig,
}

impl PoolBuilder<'_> {
    /// The candidates that come of proposed fragments; those first that could save most.
    pub(crate) fn build(&self, proposed: impl IntoIterator<Item = Fragment>) -> Pool {
        let proposed: FragmentSet = proposed.into_iter().collect();
        let mut counted = self.most_useful(self.counted(proposed));
        if self.config.variants == Variants::Holes {
            let originals: Vec<&Fragment> = counted.iter().map(|it| &it.0).collect();
            let general = self.generalisations_of(&originals);
            counted.extend(general);
        }
        counted.retain(|it| self.filter.accepts(self.grammar, &it.0));
        let mut pool = self.located(self.most_useful(counted));
        if self.config.named_arguments == NamedArguments::Shared {
            self.add_shared(&mut pool);
        }
        pool
    }

    /// Candidates close to some of the pool that are not in it yet: with one more hole, with one hole
    /// filled in by what most often fills it, and pairs of rules that often follow each other.
    pub(crate) fn neighbours(&self, pool: &Pool, chosen: &[CandidateId], pairs: &Pairs) -> Pool {
        let mut fresh: IndexMap<Fragment, usize, FxBuildHasher> = IndexMap::default();
        let mut often: Vec<(Pair, usize)> = pairs.iter().map(|(&it, &count)| (it, count)).collect();
        often.retain(|it| it.1 > 1);
        often.sort_by_key(|it| Reverse(it.1));
        for &(pair, count) in often.iter().take(MAX_PAIRS) {
            fresh.extend(self.joined(pool, pair).map(|it| (it, count)));
        }
        for &chosen in chosen {
            let n_places = pool[chosen].places.len();
            let filled = self.filled(&pool[chosen]).into_iter();
            fresh.extend(filled.map(|it| (it, n_places)));
        }
        let originals: Vec<&Fragment> = chosen.iter().map(|&it| &pool[it].fragment).collect();
        fresh.extend(self.generalisations_of(&originals));
        let known: IndexSet<&Fragment, FxBuildHasher> =
            pool.iter().map(|it| &it.fragment).collect();
        fresh.retain(|it, _| !known.contains(it) && self.filter.accepts(self.grammar, it));
        let mut fresh = self.located(self.most_useful(fresh.into_iter().collect()));
        if self.config.named_arguments == NamedArguments::Shared {
            self.add_shared(&mut fresh);
        }
        unknown(pool, fresh)
    }

    /// The fragment that a pair of rules makes together.
    fn joined(&self, pool: &Pool, pair: Pair) -> Option<Fragment> {
        let (symbol, upper) = self.nodes_of(pool, pair.upper);
        let (_, lower) = self.nodes_of(pool, pair.lower);
        let n_holes = upper.len();
        let mut nodes = Vec::with_capacity(upper.len() + lower.len());
        for node in upper {
            if node == FragmentNode::Hole(pair.hole) {
                nodes.extend(lower.iter().map(|&it| match it {
                    FragmentNode::Hole(hole) => FragmentNode::Hole(hole.plus(n_holes)),
                    fixed @ FragmentNode::Fixed(_) => fixed,
                }));
            } else {
                nodes.push(node);
            }
        }
        Fragment::from_nodes(self.grammar, symbol, nodes).ok()
    }

    fn nodes_of(&self, pool: &Pool, rule: Rule) -> (SymbolId, Vec<FragmentNode>) {
        match rule {
            Rule::Idiom(idiom) => {
                let fragment = &pool[idiom].fragment;
                (fragment.root_symbol(), fragment.nodes().to_vec())
            }
            Rule::Label(symbol, label) => {
                let holes = HoleId::first(label.children(self.grammar).len());
                let mut nodes = vec![FragmentNode::Fixed(label)];
                nodes.extend(holes.map(FragmentNode::Hole));
                (symbol, nodes)
            }
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
            let saved = n_choices(self.grammar, fragment).saturating_sub(1);
            Reverse(saved * n_places)
        });
        counted.truncate(self.config.max_candidates);
        counted
    }

    /// Fragments with one more hole, with about how often they occur.
    fn generalisations_of(
        &self,
        originals: &[&Fragment],
    ) -> IndexMap<Fragment, usize, FxBuildHasher> {
        let known: IndexSet<&Fragment, FxBuildHasher> = originals.iter().copied().collect();
        let places = Places::new(self.trees, originals.iter().copied());
        let general = places.generalisations(self.grammar, &self.filter, originals);
        let fresh = general
            .into_iter()
            .filter(|it| !known.contains(&it.fragment));
        fresh.map(|it| (it.fragment, it.n_places)).collect()
    }

    fn located(&self, counted: Vec<(Fragment, usize)>) -> Pool {
        let mut n_places = 0;
        let within = |counted: &(Fragment, usize)| {
            n_places += counted.1;
            n_places <= MAX_PLACES
        };
        let kept = counted.into_iter().take_while(within);
        let mut located = locate(self.trees, kept.map(|it| it.0));
        let is_kept = |it: &Candidate| it.coverage >= self.filter.min_coverage.max(1);
        located.items_mut().retain(is_kept);
        located
    }

    fn add_shared(&self, pool: &mut Pool) {
        let mut known: FragmentSet = pool.iter().map(|it| it.fragment.clone()).collect();
        for candidate in pool.ids().take(MAX_SHARING) {
            if pool[candidate].fragment.n_holes() > MAX_SHARED_HOLES {
                continue;
            }
            for shared in with_shared_holes(self.grammar, self.trees, &pool[candidate]) {
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
        for hole in HoleId::first(candidate.fragment.n_holes()) {
            let mut counts: IndexMap<Label, usize, FxBuildHasher> = IndexMap::default();
            for (id, place) in candidate.places.entries() {
                let node = candidate.binding(id, hole);
                let label = place.tree(self.trees).label(node);
                *counts.entry(label).or_default() += 1;
            }
            counts.sort_by(|_, left, _, right| right.cmp(left));
            let often = counts.iter().take(MAX_FILLINGS).filter(|it| *it.1 > 1);
            filled
                .extend(often.filter_map(|(&label, _)| {
                    fill(self.grammar, &candidate.fragment, hole, label)
                }));
        }
        filled
    }
}

/// Those of some candidates that are not in a pool.
pub(crate) fn unknown(pool: &Pool, mut candidates: Pool) -> Pool {
    let known: IndexSet<&Fragment, FxBuildHasher> = pool.iter().map(|it| &it.fragment).collect();
    let is_unknown = |it: &Candidate| !known.contains(&it.fragment);
    candidates.items_mut().retain(is_unknown);
    candidates
}

/// How many pairs of rules are joined, at most.
const MAX_PAIRS: usize = 300;
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
