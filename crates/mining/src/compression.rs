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

use std::collections::BinaryHeap;

use patois_syntax::{Grammar, NodeId, Tree};
use rayon::prelude::*;

use crate::candidates::{Candidate, is_choice};

/// Into how many parts a corpus is divided, to be worked on in parallel.
const N_SHARDS: usize = 16;

/// What counts as a step of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
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
pub struct Costs<'t> {
    shards: Vec<Shard<'t>>,
}

impl<'t> Costs<'t> {
    /// The costs without idioms.
    pub fn new(grammar: &Grammar, trees: &'t [Tree], counting: Counting) -> Costs<'t> {
        let n_trees = trees.len().div_ceil(N_SHARDS).max(1);
        let shards = trees
            .par_chunks(n_trees)
            .enumerate()
            .map(|(number, trees)| Shard::new(grammar, number * n_trees, trees, counting))
            .collect();
        Costs { shards }
    }

    /// The fewest steps that derive the whole corpus.
    pub fn total(&self) -> u64 {
        self.shards.iter().map(Shard::total).sum()
    }

    /// How many steps each of some candidates would save, were it the next idiom.
    pub fn gains(&mut self, pool: &[Candidate], candidates: &[usize]) -> Vec<u64> {
        self.evaluate(pool, candidates, Change::With)
    }

    /// How many steps more there would be without each of some idioms.
    pub fn losses(&mut self, pool: &[Candidate], idioms: &[usize]) -> Vec<u64> {
        self.evaluate(pool, idioms, Change::Without)
    }

    fn evaluate(&mut self, pool: &[Candidate], candidates: &[usize], change: Change) -> Vec<u64> {
        let by_shard: Vec<Vec<u64>> = self
            .shards
            .par_iter_mut()
            .map(|shard| {
                let candidates = candidates.iter();
                candidates
                    .map(|&it| shard.try_out(pool, it, change))
                    .collect()
            })
            .collect();
        (0..candidates.len())
            .map(|index| by_shard.iter().map(|differences| differences[index]).sum())
            .collect()
    }

    /// Takes a candidate into use; how many steps that saves.
    pub fn add(&mut self, pool: &[Candidate], candidate: usize) -> u64 {
        let saved = |shard: &mut Shard<'_>| shard.add(pool, candidate);
        self.shards.par_iter_mut().map(saved).sum()
    }

    /// Takes an idiom out of use; how many steps more that makes.
    pub fn remove(&mut self, pool: &[Candidate], idiom: usize) -> u64 {
        let lost = |shard: &mut Shard<'_>| shard.remove(pool, idiom);
        self.shards.par_iter_mut().map(lost).sum()
    }
}

/// What is tried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// A candidate is used as well.
    With,
    /// An idiom is not used.
    Without,
}

/// Some consecutive trees of a corpus.
#[derive(Clone, Debug)]
struct Shard<'t> {
    first_tree: usize,
    trees: &'t [Tree],
    /// For each tree, where its nodes begin.
    starts: Vec<u32>,
    parents: Vec<u32>,
    /// Whether a node is a step by itself.
    own: Vec<bool>,
    costs: Vec<u32>,
    /// For each node, the first of the idioms that occur there.
    heads: Vec<u32>,
    links: Vec<Link>,
    /// How far above a node, at most, an idiom in use has a hole there.
    reach: u32,
    /// Nodes whose cost was changed, with what it was.
    undo: Vec<(u32, u32)>,
    /// Nodes to be computed anew, with how far above them others may have to be.
    open: BinaryHeap<(u32, u32)>,
}

/// An occurrence of an idiom in use, in the list of those at one node.
#[derive(Clone, Copy, Debug)]
struct Link {
    idiom: u32,
    place: u32,
    next: u32,
}

const END: u32 = u32::MAX;

impl<'t> Shard<'t> {
    fn new(
        grammar: &Grammar,
        first_tree: usize,
        trees: &'t [Tree],
        counting: Counting,
    ) -> Shard<'t> {
        let mut starts = vec![0];
        let (mut parents, mut own, mut costs) = (Vec::new(), Vec::new(), Vec::new());
        for tree in trees {
            let start = costs.len();
            let above = tree.parents();
            for node in tree.nodes() {
                let parent = above[node.index()].unwrap_or(node);
                parents.push((start + parent.index()) as u32);
                let is_choice = || is_choice(grammar, tree.symbol(node));
                own.push(counting == Counting::Applications || is_choice());
                costs.push(0);
            }
            for node in tree.nodes().rev() {
                let children = tree.children(node);
                let below: u32 = children.map(|it| costs[start + it.index()]).sum();
                costs[start + node.index()] = u32::from(own[start + node.index()]) + below;
            }
            starts.push(costs.len() as u32);
        }
        Shard {
            first_tree,
            trees,
            starts,
            parents,
            own,
            heads: vec![END; costs.len()],
            costs,
            links: Vec::new(),
            reach: 1,
            undo: Vec::new(),
            open: BinaryHeap::new(),
        }
    }

    fn total(&self) -> u64 {
        let roots = &self.starts[..self.trees.len()];
        roots
            .iter()
            .map(|&root| u64::from(self.costs[root as usize]))
            .sum()
    }

    /// By how much a change would change the total.
    fn try_out(&mut self, pool: &[Candidate], candidate: usize, change: Change) -> u64 {
        let difference = self.update(pool, candidate, change);
        for (node, cost) in self.undo.drain(..).rev() {
            self.costs[node as usize] = cost;
        }
        difference
    }

    fn add(&mut self, pool: &[Candidate], candidate: usize) -> u64 {
        let saved = self.update(pool, candidate, Change::With);
        self.undo.clear();
        for place in self.places(&pool[candidate]) {
            let node = self.node_at(&pool[candidate], place) as usize;
            let next = std::mem::replace(&mut self.heads[node], self.links.len() as u32);
            self.links.push(Link {
                idiom: candidate as u32,
                place: place as u32,
                next,
            });
        }
        self.reach = self.reach.max(pool[candidate].height);
        saved
    }

    fn remove(&mut self, pool: &[Candidate], idiom: usize) -> u64 {
        let lost = self.update(pool, idiom, Change::Without);
        self.undo.clear();
        for place in self.places(&pool[idiom]) {
            let node = self.node_at(&pool[idiom], place);
            self.unlink(node as usize, idiom as u32);
        }
        lost
    }

    fn unlink(&mut self, node: usize, idiom: u32) {
        let mut before = END;
        let mut at = self.heads[node];
        while at != END {
            let link = self.links[at as usize];
            if link.idiom == idiom {
                match before {
                    END => self.heads[node] = link.next,
                    before => self.links[before as usize].next = link.next,
                }
                return;
            }
            (before, at) = (at, link.next);
        }
    }

    /// The numbers of a candidate's places in this shard.
    fn places(&self, candidate: &Candidate) -> std::ops::Range<usize> {
        let end_tree = self.first_tree + self.trees.len();
        let before = |tree: usize| {
            let places = &candidate.places;
            places.partition_point(|it| (it.tree as usize) < tree)
        };
        before(self.first_tree)..before(end_tree)
    }

    fn node_at(&self, candidate: &Candidate, place: usize) -> u32 {
        let place = candidate.places[place];
        self.starts[place.tree as usize - self.first_tree] + place.node
    }

    /// Computes the costs that a change changes, and notes what they were; the difference in all.
    ///
    /// Nodes are visited from the last to the first of the shard, each at most once: what is inside
    /// comes before what is around it. Above a node that has changed, others are visited as far up as
    /// an idiom may have had a hole there.
    fn update(&mut self, pool: &[Candidate], candidate: usize, change: Change) -> u64 {
        let changing = &pool[candidate];
        let mut places = self.places(changing);
        let mut difference = 0;
        loop {
            let next_place = (!places.is_empty()).then(|| self.node_at(changing, places.end - 1));
            let next_open = self.open.peek().map(|it| it.0);
            let Some(node) = next_place.max(next_open) else {
                return difference;
            };
            let mut reach = 0;
            while let Some(&(open, open_reach)) = self.open.peek()
                && open == node
            {
                reach = reach.max(open_reach);
                self.open.pop();
            }
            let tree = self.starts.partition_point(|&start| start <= node) - 1;
            let before = self.costs[node as usize];
            let mut cost = before;
            if next_open == Some(node) {
                let without = (change == Change::Without).then_some(candidate as u32);
                cost = self.cost_at(pool, tree, node, without);
            }
            if next_place == Some(node) {
                places.end -= 1;
                let applied = self.cost_of(tree, changing.bindings(places.end));
                match change {
                    Change::With => cost = cost.min(applied),
                    Change::Without if applied > before || next_open == Some(node) => {}
                    Change::Without => {
                        cost = self.cost_at(pool, tree, node, Some(candidate as u32));
                    }
                }
            }
            if cost == before {
                reach = reach.saturating_sub(1);
            } else {
                self.undo.push((node, before));
                self.costs[node as usize] = cost;
                reach = self.reach;
            }
            let parent = self.parents[node as usize];
            if parent == node {
                difference += u64::from(before.abs_diff(cost));
            } else if reach > 0 {
                self.open.push((parent, reach));
            }
        }
    }

    /// What an idiom costs whose holes are filled by the given nodes of a tree.
    fn cost_of(&self, tree: usize, holes: &[u32]) -> u32 {
        let start = self.starts[tree];
        let below = holes.iter().map(|&it| self.costs[(start + it) as usize]);
        1 + below.sum::<u32>()
    }

    fn cost_at(&self, pool: &[Candidate], tree: usize, node: u32, without: Option<u32>) -> u32 {
        let start = self.starts[tree];
        let children = self.trees[tree].children(NodeId::new((node - start) as usize));
        let below: u32 = children
            .map(|it| self.costs[start as usize + it.index()])
            .sum();
        let mut cost = u32::from(self.own[node as usize]) + below;
        let mut at = self.heads[node as usize];
        while at != END {
            let link = self.links[at as usize];
            if Some(link.idiom) != without {
                let holes = pool[link.idiom as usize].bindings(link.place as usize);
                cost = cost.min(self.cost_of(tree, holes));
            }
            at = link.next;
        }
        cost
    }
}
