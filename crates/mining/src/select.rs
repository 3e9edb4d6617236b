//! The ranking by compression: the idioms that together leave the fewest steps.
//!
//! Forward: take the candidate that saves most, until there are more than wanted. Backward: drop the
//! idiom that is missed least, until there are as many as wanted. Then look at the neighbours of what
//! was chosen, and again, in ever smaller steps.
//!
//! A library that may hold anything learns long programs by heart that occur twice. So what an idiom
//! saves is counted at all of its places but one: the one that it may have been copied from.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::candidates::Candidate;
use crate::compression::{Costs, Counting};
use crate::pool::PoolBuilder;

/// How many candidates are evaluated at once when what is known of them is out of date.
const BATCH: usize = 8;
/// How far each round goes forward: which part of the number of idioms it adds to that number.
const PARTS: [usize; 6] = [1, 1, 2, 4, 8, 16];
/// So that a share of what is saved is a whole number of some unit.
const UNITS: u64 = 64;

/// The idioms of a library: their numbers in the pool, best first, with what each saves after those
/// before it. Candidates that the search comes across are added to the pool.
pub fn by_compression(
    builder: &PoolBuilder<'_>,
    pool: &mut Vec<Candidate>,
    n_idioms: usize,
) -> Vec<(usize, u64)> {
    let mut search = Search {
        costs: Costs::new(builder.grammar, builder.trees, Counting::Applications),
        chosen: Vec::new(),
    };
    let mut best = (search.costs.total(), Vec::new());
    for part in PARTS {
        let n_more = n_idioms.div_ceil(part);
        search.forward(pool, n_idioms.saturating_add(n_more));
        search.backward(pool, n_idioms);
        let total = search.costs.total();
        if total < best.0 {
            best = (total, search.chosen.clone());
        }
        let neighbours = builder.neighbours(pool, &search.chosen);
        pool.extend(neighbours);
    }
    search.backward(pool, 0);
    let mut library = search.add_best(pool, best.1, n_idioms);
    // In another order, an idiom may be of no more use: its place is free.
    library.extend(search.forward(pool, n_idioms));
    library
}

struct Search<'t> {
    costs: Costs<'t>,
    /// The numbers of the idioms in use.
    chosen: Vec<usize>,
}

impl Search<'_> {
    /// Takes candidates into use until there are `n_idioms`; see [`add_best`](Self::add_best).
    fn forward(&mut self, pool: &[Candidate], n_idioms: usize) -> Vec<(usize, u64)> {
        let mut is_chosen = vec![false; pool.len()];
        for &index in &self.chosen {
            is_chosen[index] = true;
        }
        let others = (0..pool.len()).filter(|&it| !is_chosen[it]).collect();
        self.add_best(pool, others, n_idioms)
    }

    /// Takes the candidate that saves most into use, until there are `n_idioms` or none saves
    /// anything; which ones, with what each saved. Of equals, the one that comes first in the pool.
    ///
    /// What a candidate saved a while ago is nearly always more than what it saves now, so only the
    /// seemingly best are evaluated anew (Minoux 1978).
    fn add_best(
        &mut self,
        pool: &[Candidate],
        candidates: Vec<usize>,
        n_idioms: usize,
    ) -> Vec<(usize, u64)> {
        let gains = self.gains(pool, &candidates);
        let mut queue: BinaryHeap<(u64, Reverse<usize>, usize)> = gains
            .into_iter()
            .zip(candidates)
            .filter(|(gain, _)| *gain > 0)
            .map(|(gain, index)| (gain, Reverse(index), self.chosen.len()))
            .collect();
        let mut added = Vec::new();
        while self.chosen.len() < n_idioms {
            let now = self.chosen.len();
            let mut stale = Vec::new();
            while stale.len() < BATCH
                && let Some(&(_, Reverse(index), then)) = queue.peek()
                && then != now
            {
                stale.push(index);
                queue.pop();
            }
            if stale.is_empty() {
                let Some((_, Reverse(index), _)) = queue.pop() else {
                    return added;
                };
                let saved = self.costs.add(pool, index);
                self.chosen.push(index);
                added.push((index, saved));
            } else {
                let gains = self.gains(pool, &stale).into_iter().zip(stale);
                let useful = gains.filter(|(gain, _)| *gain > 0);
                queue.extend(useful.map(|(gain, index)| (gain, Reverse(index), now)));
            }
        }
        added
    }

    fn gains(&mut self, pool: &[Candidate], candidates: &[usize]) -> Vec<u64> {
        elsewhere(pool, candidates, self.costs.gains(pool, candidates))
    }

    /// Takes the idiom out of use that is missed least, until there are `n_idioms`. Of equals, the
    /// one that comes last in the pool.
    fn backward(&mut self, pool: &[Candidate], n_idioms: usize) {
        if self.chosen.len() <= n_idioms {
            return;
        }
        let losses = self.costs.losses(pool, &self.chosen);
        let losses = elsewhere(pool, &self.chosen, losses).into_iter();
        let mut queue: BinaryHeap<(Reverse<u64>, usize, usize)> = losses
            .zip(&self.chosen)
            .map(|(loss, &index)| (Reverse(loss), index, self.chosen.len()))
            .collect();
        while self.chosen.len() > n_idioms
            && let Some((_, index, then)) = queue.pop()
        {
            let now = self.chosen.len();
            if then == now {
                self.costs.remove(pool, index);
                self.chosen.retain(|&it| it != index);
            } else {
                let losses = self.costs.losses(pool, &[index]);
                let loss = elsewhere(pool, &[index], losses)[0];
                queue.push((Reverse(loss), index, now));
            }
        }
    }
}

/// What is left of savings when each candidate is not counted at one of its places.
fn elsewhere(pool: &[Candidate], candidates: &[usize], mut savings: Vec<u64>) -> Vec<u64> {
    for (saved, &index) in savings.iter_mut().zip(candidates) {
        let n_places = pool[index].places.len() as u64;
        *saved = *saved * UNITS * n_places.saturating_sub(1) / n_places.max(1);
    }
    savings
}
