//! Candidates close to those that are in use.

use std::cmp::Reverse;

use indexmap::{IndexMap, IndexSet};
use patois_syntax::{Fragment, FragmentNode, Grammar, HoleId, Id as _, Label, SymbolId};
use rustc_hash::FxBuildHasher;

use super::budget::Budget;
use super::{PoolBuilder, unknown};
use crate::candidates::{Candidate, CandidateId, Pool};
use crate::compression::{Pair, Pairs, Rule};
use crate::fragment_table::MAX_FRAGMENT_NODES;

/// How many pairs of rules are joined, at most.
const MAX_PAIRS: usize = 300;
/// With how many labels a hole is filled in, at most.
const MAX_FILLINGS: usize = 4;

impl PoolBuilder<'_> {
    /// Candidates close to some of the pool that are not in it yet: with one more hole, with one hole
    /// filled in by what most often fills it, and pairs of rules that often follow each other.
    pub(crate) fn neighbours(&self, pool: &Pool, chosen: &[CandidateId], pairs: &Pairs) -> Pool {
        let mut budget = Budget::of(self.trees);
        let fresh = self.close(pool, chosen, pairs);
        let mut fresh: IndexMap<Fragment, usize, FxBuildHasher> =
            fresh.take_while(|it| budget.allows_nodes(&it.0)).collect();
        let known: IndexSet<&Fragment, FxBuildHasher> =
            pool.iter().map(|it| &it.fragment).collect();
        fresh.retain(|it, _| !known.contains(it) && self.filter.accepts(self.grammar, it));
        let useful = self.most_useful(fresh.into_iter().collect()).into_iter();
        let mut budget = Budget::of(self.trees);
        let kept = useful.take_while(|it| budget.allows(&it.0, it.1));
        unknown(pool, self.located(kept.map(|it| it.0)).0)
    }

    /// Fragments close to some of the pool, with about how often each occurs.
    fn close(
        &self,
        pool: &Pool,
        chosen: &[CandidateId],
        pairs: &Pairs,
    ) -> impl Iterator<Item = (Fragment, usize)> {
        let mut often: Vec<(Pair, usize)> = pairs.iter().map(|(&it, &count)| (it, count)).collect();
        often.retain(|it| it.1 > 1);
        often.sort_by_key(|it| Reverse(it.1));
        often.truncate(MAX_PAIRS);
        let joined = often
            .into_iter()
            .filter_map(|(pair, count)| Some((self.joined(pool, pair)?, count)));
        let filled = chosen.iter().flat_map(|&it| {
            let n_places = pool[it].places.len();
            self.filled(&pool[it]).map(move |it| (it, n_places))
        });
        let originals: Vec<&Fragment> = chosen.iter().map(|&it| &pool[it].fragment).collect();
        let general = self.generalisations_of(&originals).into_iter();
        let general = general.filter_map(move |it| {
            let fragment = it.fragment(self.grammar, &originals)?;
            Some((fragment, it.n_places))
        });
        joined.chain(filled).chain(general)
    }

    /// The fragment that a pair of rules makes together, unless it is too large.
    fn joined(&self, pool: &Pool, pair: Pair) -> Option<Fragment> {
        let (symbol, upper) = self.nodes_of(pool, pair.upper);
        let (_, lower) = self.nodes_of(pool, pair.lower);
        if upper.len() + lower.len() > MAX_FRAGMENT_NODES {
            return None;
        }
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

    /// The candidate's fragment with a hole filled in, for what fills each hole most often.
    fn filled(&self, candidate: &Candidate) -> impl Iterator<Item = Fragment> {
        HoleId::first(candidate.fragment.n_holes()).flat_map(move |hole| {
            let mut counts: IndexMap<Label, usize, FxBuildHasher> = IndexMap::default();
            for (id, place) in candidate.places.entries() {
                let node = candidate.binding(id, hole);
                let label = place.tree(self.trees).label(node);
                *counts.entry(label).or_default() += 1;
            }
            counts.sort_by(|_, left, _, right| right.cmp(left));
            let often = counts.into_iter().take(MAX_FILLINGS);
            let often = often.filter(|it| it.1 > 1);
            often.filter_map(move |(label, _)| fill(self.grammar, &candidate.fragment, hole, label))
        })
    }
}

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
