//! How much shorter derivations become with idioms.
//!
//! The fewest steps that derive a tree, by dynamic programming from the leaves up:
//!
//! ```text
//! cost(n) = min( own(n) + sum of cost(children of n),
//!                1 + sum of cost(subtrees at the holes of I), for each idiom I that occurs at n )
//! ```
//!
//! `own(n)` is one, or zero where nothing is chosen and only choices are [counted](Counting). A hole
//! that occurs twice is paid once.

mod shard;
#[cfg(test)]
mod tests;

use patois_syntax::{Grammar, HoleId, Label, SymbolId, Tree};
use rayon::prelude::*;

use self::shard::{Change, Shard};
use crate::candidates::{CandidateId, Pool, TreeId};

/// Into how many shards a corpus is divided, to be worked on in parallel.
const N_SHARDS: usize = 16;

/// From how many places on work is shared between threads.
const WORTH_SHARING: usize = 5_000;

/// What counts as a step of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Every application of a production, every text and every reference.
    Applications,
    /// Of these, the ones where something else could have been chosen.
    Choices,
}

/// The costs of all nodes of a corpus under the idioms that are in use.
///
/// Idioms are candidates of a pool, called by their number in it. All methods must be given the same
/// pool; candidates may be added at its end.
#[derive(Clone, Debug)]
pub(crate) struct Costs<'t> {
    shards: Vec<Shard<'t>>,
}

impl<'t> Costs<'t> {
    /// The costs without idioms.
    pub(crate) fn new(grammar: &Grammar, trees: &'t [Tree], counting: Counting) -> Costs<'t> {
        let n_trees = trees.len().div_ceil(N_SHARDS).max(1);
        let shards = trees
            .par_chunks(n_trees)
            .enumerate()
            .map(|(number, trees)| {
                let first_tree = TreeId::new(number * n_trees);
                Shard::new(grammar, first_tree, trees, counting)
            })
            .collect();
        Costs { shards }
    }

    /// The fewest steps that derive the whole corpus.
    pub(crate) fn total(&self) -> u64 {
        self.shards.iter().map(Shard::total).sum()
    }

    /// How often a node had to be looked at because of a change that was tried out or made, so far.
    pub(crate) fn n_opened(&self) -> u64 {
        self.shards.iter().map(Shard::n_opened).sum()
    }

    /// How many steps each of some candidates would save, were it the next idiom.
    pub(crate) fn gains(&mut self, pool: &Pool, candidates: &[CandidateId]) -> Vec<u64> {
        self.evaluate(pool, candidates, Change::With)
    }

    /// At least as many steps as each of some candidates would save, found without looking above its
    /// places: by induction from the leaves up, no node can save more than all places below it do.
    pub(crate) fn bounds(&self, pool: &Pool, candidates: &[CandidateId]) -> Vec<u64> {
        let bound = |&candidate: &CandidateId| {
            let shards = self.shards.iter();
            shards.map(|it| it.bound(&pool[candidate])).sum()
        };
        if n_places(pool, candidates) < WORTH_SHARING {
            candidates.iter().map(bound).collect()
        } else {
            candidates.par_iter().map(bound).collect()
        }
    }

    /// How many steps more there would be without each of some idioms.
    pub(crate) fn losses(&mut self, pool: &Pool, idioms: &[CandidateId]) -> Vec<u64> {
        self.evaluate(pool, idioms, Change::Without)
    }

    fn evaluate(&mut self, pool: &Pool, candidates: &[CandidateId], change: Change) -> Vec<u64> {
        let try_out = |shard: &mut Shard<'t>| -> Vec<u64> {
            let candidates = candidates.iter();
            candidates
                .map(|&it| shard.try_out(pool, it, change))
                .collect()
        };
        let by_shard = self.on_shards(n_places(pool, candidates), try_out);
        (0..candidates.len())
            .map(|index| by_shard.iter().map(|differences| differences[index]).sum())
            .collect()
    }

    /// What comes of some work on each shard.
    fn on_shards<R: Send>(
        &mut self,
        n_places: usize,
        work: impl Fn(&mut Shard<'t>) -> R + Send + Sync,
    ) -> Vec<R> {
        if n_places < WORTH_SHARING {
            self.shards.iter_mut().map(work).collect()
        } else {
            self.shards.par_iter_mut().map(work).collect()
        }
    }

    /// Which rules fill the holes of which in the shortest derivations, and how often.
    pub(crate) fn pairs(&self, pool: &Pool) -> Pairs {
        let of_shard = |shard: &Shard<'_>| shard.pairs(pool);
        let by_shard: Vec<Pairs> = self.shards.par_iter().map(of_shard).collect();
        let mut pairs = Pairs::default();
        for (pair, count) in by_shard.into_iter().flatten() {
            *pairs.entry(pair).or_default() += count;
        }
        pairs
    }

    /// Takes all candidates of a pool into use, one after the other; how many steps each saves.
    pub(crate) fn add_all(&mut self, pool: &Pool) -> Vec<u64> {
        for shard in &mut self.shards {
            shard.reserve(pool);
        }
        pool.ids().map(|it| self.add(pool, it)).collect()
    }

    /// Takes a candidate into use; how many steps that saves.
    pub(crate) fn add(&mut self, pool: &Pool, candidate: CandidateId) -> u64 {
        let n_places = pool[candidate].places.len();
        let saved = self.on_shards(n_places, |shard| shard.add(pool, candidate));
        saved.into_iter().sum()
    }

    /// Takes an idiom out of use; how many steps more that makes.
    pub(crate) fn remove(&mut self, pool: &Pool, idiom: CandidateId) -> u64 {
        let n_places = pool[idiom].places.len();
        let lost = self.on_shards(n_places, |shard| shard.remove(pool, idiom));
        lost.into_iter().sum()
    }
}

fn n_places(pool: &Pool, candidates: &[CandidateId]) -> usize {
    candidates.iter().map(|&it| pool[it].places.len()).sum()
}

/// How often each pair of rules occurs.
pub(crate) type Pairs = indexmap::IndexMap<Pair, usize, rustc_hash::FxBuildHasher>;

/// A rule of a derivation that fills a hole of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pair {
    /// The rule with the hole.
    pub upper: Rule,
    /// Which of its holes.
    pub hole: HoleId,
    /// What fills it.
    pub lower: Rule,
}

/// A step of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rule {
    /// A production, a text or a reference for a symbol.
    Label(SymbolId, Label),
    /// An idiom of the pool.
    Idiom(CandidateId),
}
