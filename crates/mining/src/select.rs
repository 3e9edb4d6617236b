//! The ranking by compression: the idioms that together leave the fewest steps.
//!
//! Forward: take the candidate that saves most, until there are more than wanted. Backward: drop the
//! idiom that is missed least, until there are as many as wanted. Then look at the neighbours of what
//! was chosen, and again, in smaller steps. What is found so is best among its neighbours, not
//! best: idioms that work together are only replaced together. So, for each idiom, it and those that
//! stand next to it are taken out, and what is best then is taken in.
//!
//! A library that may hold anything learns long programs by heart that occur twice. So what an idiom
//! saves is counted in all of its programs but one: the one that it may have been copied from. Where the
//! library is [counted](LibraryCost::Counted), it pays for its own nodes instead.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use indexmap::IndexMap;
use patois_syntax::{IdVec, Tree};
use rustc_hash::FxBuildHasher;

use crate::candidates::{Candidate, CandidateId, Pool};
use crate::compression::{Costs, Counting, Pairs, Rule};
use crate::config::LibraryCost;
use crate::library_cost::library_cost;
use crate::pool::{PoolBuilder, unknown};

/// How far each round goes forward: which part of the number of idioms it adds to that number.
const PARTS: [usize; 3] = [1, 1, 2];
/// How many estimates that are out of date are renewed at once.
const STALE_BATCH: usize = 16;
/// How many candidates are evaluated at once.
const EXACT_BATCH: usize = 2;
/// How many idioms are taken out together.
const GROUP: usize = 8;
/// How many candidates may take their places.
const N_SUBSTITUTES: usize = 1_000;
/// How much is done in search of a better library: how many nodes are looked at, if each time all.
const MAX_REBUILT_NODES: usize = 8_000_000;
/// How often a node is looked at in that search, on average, before it is content with what it has.
///
/// A list is a chain of cells: what changes in a table changes the costs of all cells before, and of all
/// idioms with a hole there. Where code is written by people, it is up to 630 times (Hearthstone).
const MAX_OPENED: u64 = 800;
/// How many candidates are evaluated for one idiom, at most, before the best of them is taken.
///
/// Where candidates overlap with themselves, as in a table with a period, bounds are far from what is
/// saved. Where code is written by people, it is up to 259 (Hearthstone).
const MAX_EVALUATED: usize = 500;
/// How often a pair of idioms would occur that is as close as two that begin alike.
const ALIKE: usize = 20;
/// So that a share of what is saved is a whole number of some unit.
const UNITS: u64 = 64;

/// The idioms of a library: candidates of the pool, best first, with what each saves after those
/// before it.
///
/// The search begins with the first `n_first` candidates of the pool and turns to the others when it
/// has found the best of these. Candidates that it comes across are added to the pool.
pub(crate) fn by_compression(
    builder: &PoolBuilder<'_>,
    pool: &mut Pool,
    n_first: usize,
    n_idioms: usize,
    library: LibraryCost,
) -> Vec<(CandidateId, u64)> {
    let mut search = Search {
        costs: Costs::new(builder.grammar, builder.trees, Counting::Applications),
        chosen: Vec::new(),
        library,
    };
    let n_first = n_first.min(pool.len());
    let others = Pool::from(pool.items_mut().split_off(n_first));
    let n_nodes: usize = builder.trees.iter().map(Tree::n_nodes).sum();
    let max_opened = MAX_OPENED.saturating_mul(n_nodes as u64);
    let mut best = (search.total(pool), search.clone());
    for part in PARTS {
        if search.costs.n_opened() > max_opened {
            break;
        }
        search.forward(pool, n_idioms.saturating_add(n_idioms.div_ceil(part)));
        search.backward(pool, n_idioms);
        let total = search.total(pool);
        if total < best.0 {
            best = (total, search.clone());
        }
        let neighbours = builder.neighbours(pool, &search.chosen, &search.costs.pairs(pool));
        pool.extend(neighbours);
    }
    pool.extend(unknown(pool, others));
    let rest = max_opened.saturating_sub(search.costs.n_opened());
    search = best.1;
    search.rebuild_groups(pool, n_idioms, MAX_REBUILT_NODES / n_nodes.max(1), rest);
    search.in_order(pool, n_idioms)
}

#[derive(Clone)]
struct Search<'t> {
    costs: Costs<'t>,
    /// The idioms in use.
    chosen: Vec<CandidateId>,
    library: LibraryCost,
}

impl Search<'_> {
    /// How many steps there are, with what the library costs.
    fn total(&self, pool: &Pool) -> u64 {
        let idioms = self.chosen.iter().map(|&it| &pool[it].fragment);
        let library = match self.library {
            LibraryCost::Free => 0,
            LibraryCost::Counted => library_cost(idioms),
        };
        self.costs.total() + library
    }

    /// What a candidate is worth that saves so many steps.
    fn worth(&self, candidate: &Candidate, saved: u64) -> u64 {
        match self.library {
            LibraryCost::Free => elsewhere(candidate, saved),
            LibraryCost::Counted => {
                // To write it down takes what it saves at a place, its use there, and its holes.
                let n_places = candidate.places.len().max(1) as u64;
                let price = saved.div_ceil(n_places) + 1 + candidate.fragment.n_holes() as u64;
                saved.saturating_sub(price) * UNITS
            }
        }
    }

    /// Takes candidates into use until there are `n_idioms`; see [`add_best`](Self::add_best).
    fn forward(&mut self, pool: &Pool, n_idioms: usize) -> Vec<(CandidateId, u64)> {
        let mut is_chosen = IdVec::filled(false, pool.len());
        for &idiom in &self.chosen {
            is_chosen[idiom] = true;
        }
        let others: Vec<CandidateId> = pool.ids().filter(|&it| !is_chosen[it]).collect();
        self.add_best(pool, &others, n_idioms)
    }

    /// Takes the candidate that saves most into use, until there are `n_idioms` or none saves
    /// anything; which ones, with what each saved. Of equals, the one that comes first in the pool.
    ///
    /// What a candidate saved a while ago is nearly always more than what it saves now, and a bound
    /// on that is found quickly, so only the seemingly best are evaluated anew (Minoux 1978). Where
    /// these are too many, the others are given up.
    fn add_best(
        &mut self,
        pool: &Pool,
        candidates: &[CandidateId],
        n_idioms: usize,
    ) -> Vec<(CandidateId, u64)> {
        let mut queue: BinaryHeap<Estimate> = self.bounds(pool, candidates).into();
        let mut added = Vec::new();
        let mut n_evaluated = 0;
        while self.chosen.len() < n_idioms
            && let Some(first) = queue.peek()
        {
            let now = self.chosen.len();
            match first.precision(now) {
                Precision::Bound if n_evaluated >= MAX_EVALUATED => {
                    queue.retain(|it| it.precision(now) == Precision::Exact);
                }
                Precision::Stale => {
                    let stale = pop_batch(&mut queue, Precision::Stale, now, STALE_BATCH);
                    queue.extend(self.bounds(pool, &stale));
                }
                Precision::Bound => {
                    let bounded = pop_batch(&mut queue, Precision::Bound, now, EXACT_BATCH);
                    n_evaluated += bounded.len();
                    queue.extend(self.gains(pool, &bounded));
                }
                Precision::Exact => {
                    let Reverse(id) = first.id;
                    queue.pop();
                    n_evaluated = 0;
                    added.push((id, self.costs.add(pool, id)));
                    self.chosen.push(id);
                }
            }
        }
        added
    }

    /// What candidates save at most.
    fn bounds(&self, pool: &Pool, candidates: &[CandidateId]) -> Vec<Estimate> {
        let bounds = self.costs.bounds(pool, candidates);
        self.estimates(pool, candidates, &bounds, Precision::Bound)
    }

    /// What candidates save.
    fn gains(&mut self, pool: &Pool, candidates: &[CandidateId]) -> Vec<Estimate> {
        let gains = self.costs.gains(pool, candidates);
        self.estimates(pool, candidates, &gains, Precision::Exact)
    }

    /// Estimates for those candidates that save anything.
    fn estimates(
        &self,
        pool: &Pool,
        candidates: &[CandidateId],
        savings: &[u64],
        precision: Precision,
    ) -> Vec<Estimate> {
        let estimate = |(&id, &saved): (&CandidateId, &u64)| Estimate {
            saved: self.worth(&pool[id], saved),
            id: Reverse(id),
            precision,
            then: self.chosen.len(),
        };
        let estimates = candidates.iter().zip(savings).map(estimate);
        estimates.filter(|it| it.saved > 0).collect()
    }

    /// Takes the idiom out of use that is missed least, until there are `n_idioms`. Of equals, the
    /// one that comes last in the pool.
    fn backward(&mut self, pool: &Pool, n_idioms: usize) {
        if self.chosen.len() <= n_idioms {
            return;
        }
        let losses = self.costs.losses(pool, &self.chosen).into_iter();
        let mut queue: BinaryHeap<(Reverse<u64>, CandidateId, usize)> = losses
            .zip(&self.chosen)
            .map(|(loss, &id)| {
                let loss = self.worth(&pool[id], loss);
                (Reverse(loss), id, self.chosen.len())
            })
            .collect();
        while self.chosen.len() > n_idioms
            && let Some((_, id, then)) = queue.pop()
        {
            let now = self.chosen.len();
            if then == now {
                self.remove(pool, id);
            } else {
                let loss = self.costs.losses(pool, &[id])[0];
                queue.push((Reverse(self.worth(&pool[id], loss)), id, now));
            }
        }
    }

    fn remove(&mut self, pool: &Pool, id: CandidateId) {
        self.costs.remove(pool, id);
        self.chosen.retain(|&it| it != id);
    }

    /// Rebuilds the library around each of so many idioms, until nodes were opened `max_opened` times.
    fn rebuild_groups(&mut self, pool: &Pool, n_idioms: usize, n_groups: usize, max_opened: u64) {
        let pairs = self.costs.pairs(pool);
        let substitutes = self.substitutes(pool);
        let mut n_opened = 0;
        for leader in self.chosen.clone().into_iter().take(n_groups) {
            if n_opened > max_opened {
                break;
            }
            if self.chosen.contains(&leader) {
                let group = self.group(pool, &pairs, leader);
                n_opened += self.rebuild(pool, &group, &substitutes, n_idioms);
            }
        }
    }

    /// The candidates that could save most now.
    fn substitutes(&self, pool: &Pool) -> Vec<CandidateId> {
        let all: Vec<CandidateId> = pool.ids().collect();
        let bounds = self.costs.bounds(pool, &all).into_iter();
        let mut bounds: Vec<(u64, CandidateId)> = bounds.zip(all).filter(|it| it.0 > 0).collect();
        bounds.sort_by_key(|&(bound, _)| Reverse(bound));
        bounds.truncate(N_SUBSTITUTES);
        bounds.into_iter().map(|it| it.1).collect()
    }

    /// An idiom with those that most often fill its holes or have holes that it fills, and those that
    /// begin as it does.
    fn group(&self, pool: &Pool, pairs: &Pairs, leader: CandidateId) -> Vec<CandidateId> {
        let mut close: IndexMap<CandidateId, usize, FxBuildHasher> = IndexMap::default();
        for &idiom in &self.chosen {
            let is_alike = pool[idiom].fragment.root_label() == pool[leader].fragment.root_label();
            close.insert(idiom, if is_alike { ALIKE } else { 0 });
        }
        close.insert(leader, usize::MAX);
        for (pair, &count) in pairs {
            let (Rule::Idiom(upper), Rule::Idiom(lower)) = (pair.upper, pair.lower) else {
                continue;
            };
            let other = if upper == leader { lower } else { upper };
            if (upper == leader) != (lower == leader)
                && let Some(closeness) = close.get_mut(&other)
            {
                *closeness += count;
            }
        }
        close.retain(|_, closeness| *closeness > 0);
        close.sort_by(|_, left, _, right| right.cmp(left));
        close.into_keys().take(GROUP).collect()
    }

    /// Replaces a group of idioms by what is best without them, if that leaves fewer steps; how
    /// often a node was opened to find out.
    fn rebuild(
        &mut self,
        pool: &Pool,
        group: &[CandidateId],
        substitutes: &[CandidateId],
        n_idioms: usize,
    ) -> u64 {
        let before = self.clone();
        for &idiom in group {
            self.remove(pool, idiom);
        }
        let mut candidates: Vec<CandidateId> = substitutes.iter().chain(group).copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates.retain(|it| !self.chosen.contains(it));
        self.add_best(pool, &candidates, n_idioms);
        let n_opened = self.costs.n_opened() - before.costs.n_opened();
        if self.total(pool) >= before.total(pool) {
            *self = before;
        }
        n_opened
    }

    /// The idioms in use, the one first that saves most; then the next, and so on.
    fn in_order(&mut self, pool: &Pool, n_idioms: usize) -> Vec<(CandidateId, u64)> {
        let chosen = self.chosen.clone();
        self.backward(pool, 0);
        let mut library = self.add_best(pool, &chosen, n_idioms);
        // In another order, an idiom may be of no more use: its place is free.
        library.extend(self.forward(pool, n_idioms));
        library
    }
}

/// What a candidate saves, as far as known. Greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Estimate {
    saved: u64,
    id: Reverse<CandidateId>,
    precision: Precision,
    /// How many idioms were in use then.
    then: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precision {
    /// Idioms have come into use since.
    Stale,
    /// At most so much.
    Bound,
    Exact,
}

impl Estimate {
    fn precision(&self, now: usize) -> Precision {
        if self.then == now {
            self.precision
        } else {
            Precision::Stale
        }
    }
}

/// Takes the best candidates from a queue, as long as they are known with the given precision.
fn pop_batch(
    queue: &mut BinaryHeap<Estimate>,
    precision: Precision,
    now: usize,
    size: usize,
) -> Vec<CandidateId> {
    let mut batch = Vec::with_capacity(size);
    while batch.len() < size
        && let Some(first) = queue.peek()
        && first.precision(now) == precision
    {
        batch.push(first.id.0);
        queue.pop();
    }
    batch
}

/// What is left of a saving when one of the trees that a candidate occurs in is not counted.
fn elsewhere(candidate: &Candidate, saved: u64) -> u64 {
    let coverage = candidate.coverage as u64;
    saved * UNITS * coverage.saturating_sub(1) / coverage.max(1)
}
