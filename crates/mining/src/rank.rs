//! Rankings: what makes one candidate a better idiom than another.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use patois_syntax::{IdVec, NodeId, Tree};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::candidates::{Candidate, CandidateId, Pool, TreeId};
use crate::model::Predictive;

/// What makes one candidate a better idiom than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ranking {
    /// The paper's `Score_Cov`: the number of trees that contain it.
    Coverage,
    /// The paper's `Score_CXE`: coverage times cross-entropy gain.
    CrossEntropy,
    /// The number of nodes that it covers and no better idiom does.
    Residual,
    /// The number of steps that it saves in the shortest derivations with the whole library. In a
    /// large corpus, idioms are searched for in a sample of the trees.
    Compression,
    /// The bits that each of its occurrences saves against the grammar alone.
    Surprise,
    /// How much likelier programs are, given the words of their specifications, when it is one more choice. Needs
    /// [texts](crate::Texts).
    Phrases,
}

/// A candidate, with what a ranking thinks of it.
pub(crate) type Ranked = (CandidateId, f64);

/// The candidates that the most trees contain; of equals, the larger, then the earlier one.
///
/// ```text
/// Score_Cov(I) = coverage(I) = count(T in D | I in T)
/// ```
pub(crate) fn by_coverage(pool: &Pool, n_idioms: usize) -> Vec<Ranked> {
    let scores = pool.iter().map(|it| it.coverage as f64).collect();
    best(pool, scores, n_idioms)
}

/// The candidates with the highest product of coverage and cross-entropy gain:
///
/// ```text
/// Score_CXE(I) = count(T in D | I in T) / |D| * 1 / |I| * ln( Pr_{G_1}(I) / Pr_{G_0}(I) )
/// ```
///
/// `|I|` is the number of fixed nodes. `Pr_{G_1}` is [`Predictive`]: it sums over all ways of
/// deriving the fragment. `Pr_{G_0}` is the [grammar](crate::model::SmoothedPcfg) without fragments.
pub(crate) fn by_cross_entropy(
    pool: &Pool,
    trees: &[Tree],
    model: &Predictive<'_>,
    n_idioms: usize,
) -> Vec<Ranked> {
    let score = |candidate: &Candidate| {
        let (ln_tsg, ln_pcfg) = model.ln_candidate(trees, candidate);
        let share = candidate.coverage as f64 / trees.len() as f64;
        share * (ln_tsg - ln_pcfg) / candidate.fragment.n_fixed() as f64
    };
    best(pool, pool.par_iter().map(score).collect(), n_idioms)
}

fn best(pool: &Pool, scores: Vec<f64>, n_idioms: usize) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = pool.ids().zip(scores).collect();
    ranked.sort_by(|left, right| {
        let size = |it: &Ranked| pool[it.0].fragment.n_fixed();
        let by_score = right.1.total_cmp(&left.1);
        by_score.then_with(|| size(right).cmp(&size(left)))
    });
    ranked.truncate(n_idioms);
    ranked
}

/// Again and again the candidate that covers the most nodes which no earlier one covers.
///
/// What a candidate adds only ever shrinks, so that the best one is found without looking at all of
/// them anew. Of equals, the one that comes first in the pool.
pub(crate) fn by_residual(
    pool: &Pool,
    candidates: impl IntoIterator<Item = CandidateId>,
    trees: &[Tree],
    n_idioms: usize,
) -> Vec<Ranked> {
    let mut covered = Covered::new(trees);
    let mut queue: BinaryHeap<(usize, Reverse<CandidateId>, usize)> = candidates
        .into_iter()
        .map(|id| {
            let it = &pool[id];
            let most = it.places.len() * it.fragment.n_fixed();
            (most, Reverse(id), usize::MAX)
        })
        .collect();
    let mut chosen: Vec<Ranked> = Vec::new();
    while chosen.len() < n_idioms
        && let Some((n_added, Reverse(id), then)) = queue.pop()
    {
        if then == chosen.len() {
            covered.add(&pool[id]);
            chosen.push((id, n_added as f64));
        } else {
            let n_added = covered.n_new(&pool[id]);
            if n_added > 0 {
                queue.push((n_added, Reverse(id), chosen.len()));
            }
        }
    }
    chosen
}

/// The first of some candidates, as far as most of their nodes are not part of an earlier one.
pub(crate) fn apart(
    pool: &Pool,
    trees: &[Tree],
    ranked: impl IntoIterator<Item = Ranked>,
    n_idioms: usize,
) -> Vec<Ranked> {
    let mut covered = Covered::new(trees);
    let mut chosen = Vec::new();
    for (id, score) in ranked {
        if chosen.len() == n_idioms {
            break;
        }
        let candidate = &pool[id];
        let n_nodes = candidate.places.len() * candidate.fragment.n_fixed();
        if 2 * covered.n_new(candidate) > n_nodes {
            covered.add(candidate);
            chosen.push((id, score));
        }
    }
    chosen
}

/// Which nodes of a corpus are inside an occurrence of an idiom.
#[derive(Clone, Debug)]
pub(crate) struct Covered<'t> {
    trees: &'t [Tree],
    nodes: IdVec<TreeId, IdVec<NodeId, bool>>,
    /// What the last candidate has marked: one list for all, as there are many candidates.
    added: Vec<(TreeId, NodeId)>,
}

impl<'t> Covered<'t> {
    /// No node is.
    pub(crate) fn new(trees: &'t [Tree]) -> Covered<'t> {
        let nowhere = |tree: &Tree| IdVec::filled(false, tree.n_nodes());
        Covered {
            trees,
            nodes: trees.iter().map(nowhere).collect(),
            added: Vec::new(),
        }
    }

    /// How many nodes are.
    pub(crate) fn n_nodes(&self) -> usize {
        let nodes = self.nodes.iter().flatten();
        nodes.filter(|&&is_covered| is_covered).count()
    }

    /// Whether a node is.
    pub(crate) fn holds(&self, tree: TreeId, node: NodeId) -> bool {
        self.nodes[tree][node]
    }

    /// How many nodes a candidate would add.
    pub(crate) fn n_new(&mut self, candidate: &Candidate) -> usize {
        // Occurrences of one candidate may overlap: mark, count, and unmark.
        self.mark(candidate);
        for &(tree, node) in &self.added {
            self.nodes[tree][node] = false;
        }
        self.added.len()
    }

    /// Covers the occurrences of a candidate.
    pub(crate) fn add(&mut self, candidate: &Candidate) {
        self.mark(candidate);
    }

    fn mark(&mut self, candidate: &Candidate) {
        self.added.clear();
        for place in &candidate.places {
            let tree = place.tree(self.trees);
            let is_covered = &mut self.nodes[place.tree];
            for node in candidate.fragment.own_nodes(tree, place.node) {
                if !std::mem::replace(&mut is_covered[node], true) {
                    self.added.push((place.tree, node));
                }
            }
        }
    }
}
