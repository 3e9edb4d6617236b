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

use patois_syntax::{Grammar, Label, NodeId, SymbolId, Tree};
use rayon::prelude::*;

use crate::candidates::{Candidate, is_choice};

/// Into how many parts a corpus is divided, to be worked on in parallel.
const N_SHARDS: usize = 16;

/// From how many places on work is shared between threads.
const WORTH_SHARING: usize = 5_000;

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

    /// At least as many steps as each of some candidates would save, found without looking above its
    /// places: by induction from the leaves up, no node can save more than all places below it do.
    pub fn bounds(&self, pool: &[Candidate], candidates: &[usize]) -> Vec<u64> {
        let bound = |&index: &usize| self.shards.iter().map(|it| it.bound(&pool[index])).sum();
        if n_places(pool, candidates) < WORTH_SHARING {
            candidates.iter().map(bound).collect()
        } else {
            candidates.par_iter().map(bound).collect()
        }
    }

    /// How many steps more there would be without each of some idioms.
    pub fn losses(&mut self, pool: &[Candidate], idioms: &[usize]) -> Vec<u64> {
        self.evaluate(pool, idioms, Change::Without)
    }

    fn evaluate(&mut self, pool: &[Candidate], candidates: &[usize], change: Change) -> Vec<u64> {
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
    pub fn pairs(&self, pool: &[Candidate]) -> Pairs {
        let of_shard = |shard: &Shard<'_>| shard.pairs(pool);
        let by_shard: Vec<Pairs> = self.shards.par_iter().map(of_shard).collect();
        let mut pairs = Pairs::default();
        for (pair, count) in by_shard.into_iter().flatten() {
            *pairs.entry(pair).or_default() += count;
        }
        pairs
    }

    /// Takes a candidate into use; how many steps that saves.
    pub fn add(&mut self, pool: &[Candidate], candidate: usize) -> u64 {
        let n_places = pool[candidate].places.len();
        let saved = self.on_shards(n_places, |shard| shard.add(pool, candidate));
        saved.into_iter().sum()
    }

    /// Takes an idiom out of use; how many steps more that makes.
    pub fn remove(&mut self, pool: &[Candidate], idiom: usize) -> u64 {
        let n_places = pool[idiom].places.len();
        let lost = self.on_shards(n_places, |shard| shard.remove(pool, idiom));
        lost.into_iter().sum()
    }
}

fn n_places(pool: &[Candidate], candidates: &[usize]) -> usize {
    candidates.iter().map(|&it| pool[it].places.len()).sum()
}

/// How often each pair of rules occurs.
pub type Pairs = indexmap::IndexMap<Pair, usize, rustc_hash::FxBuildHasher>;

/// A rule of a derivation that fills a hole of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// The rule with the hole.
    pub upper: Rule,
    /// Which of its holes.
    pub hole: u32,
    /// What fills it.
    pub lower: Rule,
}

/// A step of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A production, a text or a reference for a symbol.
    Label(SymbolId, Label),
    /// An idiom, by its number in the pool.
    Idiom(u32),
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
    /// What the children of each node cost together.
    below: Vec<u32>,
    /// For each node, the first of the idioms that occur there.
    heads: Vec<u32>,
    links: Vec<Link>,
    /// For each node, the first of the idioms that have a hole there.
    hole_heads: Vec<u32>,
    hole_links: Vec<Link>,
    /// Nodes whose cost was changed, with what it was.
    undo: Vec<(u32, u32)>,
    /// Nodes to be computed anew.
    open: BinaryHeap<u32>,
}

/// An idiom in use that begins at a node or has a hole there, in the list of all of them.
#[derive(Clone, Copy, Debug)]
struct Link {
    idiom: u32,
    /// The number of its place.
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
        let (mut parents, mut own) = (Vec::new(), Vec::new());
        let (mut costs, mut below) = (Vec::new(), Vec::new());
        for tree in trees {
            let start = costs.len();
            let above = tree.parents();
            for node in tree.nodes() {
                let parent = above[node.index()].unwrap_or(node);
                parents.push((start + parent.index()) as u32);
                let is_choice = || is_choice(grammar, tree.symbol(node));
                own.push(counting == Counting::Applications || is_choice());
                costs.push(0);
                below.push(0);
            }
            for node in (start..costs.len()).rev() {
                costs[node] = u32::from(own[node]) + below[node];
                if node > start {
                    below[parents[node] as usize] += costs[node];
                }
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
            hole_heads: vec![END; costs.len()],
            costs,
            below,
            links: Vec::new(),
            hole_links: Vec::new(),
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
        while let Some((node, cost)) = self.undo.pop() {
            self.set_cost(node, cost);
        }
        difference
    }

    fn bound(&self, candidate: &Candidate) -> u64 {
        let places = self.places(candidate).map(|place| {
            let node = self.node_at(candidate, place);
            let start = node - candidate.places[place].node;
            let applied = self.cost_of(start, candidate.bindings(place));
            u64::from(self.costs[node as usize].saturating_sub(applied))
        });
        places.sum()
    }

    fn add(&mut self, pool: &[Candidate], candidate: usize) -> u64 {
        let saved = self.update(pool, candidate, Change::With);
        self.undo.clear();
        self.change_lists(&pool[candidate], candidate as u32, link);
        saved
    }

    fn remove(&mut self, pool: &[Candidate], idiom: usize) -> u64 {
        let lost = self.update(pool, idiom, Change::Without);
        self.undo.clear();
        self.change_lists(&pool[idiom], idiom as u32, unlink);
        lost
    }

    /// Changes the lists of the nodes at which an idiom begins, and of those at its holes.
    fn change_lists(
        &mut self,
        candidate: &Candidate,
        idiom: u32,
        change: fn(&mut u32, &mut Vec<Link>, u32, u32),
    ) {
        for place in self.places(candidate) {
            let root = self.node_at(candidate, place);
            let start = root - candidate.places[place].node;
            let head = &mut self.heads[root as usize];
            change(head, &mut self.links, idiom, place as u32);
            for &hole in candidate.bindings(place) {
                let head = &mut self.hole_heads[(start + hole) as usize];
                change(head, &mut self.hole_links, idiom, place as u32);
            }
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
    /// comes before what is around it. Where a cost has changed, the parent follows, and every node
    /// where an idiom begins that has a hole there.
    fn update(&mut self, pool: &[Candidate], candidate: usize, change: Change) -> u64 {
        let changing = &pool[candidate];
        let mut places = self.places(changing);
        let mut difference = 0;
        loop {
            let next_place = (!places.is_empty()).then(|| self.node_at(changing, places.end - 1));
            let next_open = self.open.peek().copied();
            let Some(node) = next_place.max(next_open) else {
                return difference;
            };
            while self.open.peek() == Some(&node) {
                self.open.pop();
            }
            let before = self.costs[node as usize];
            let mut cost = before;
            if next_open == Some(node) {
                let without = (change == Change::Without).then_some(candidate as u32);
                cost = self.cost_at(pool, node, without);
            }
            if next_place == Some(node) {
                places.end -= 1;
                let start = node - changing.places[places.end].node;
                let applied = self.cost_of(start, changing.bindings(places.end));
                match change {
                    Change::With => cost = cost.min(applied),
                    Change::Without if applied > before || next_open == Some(node) => {}
                    Change::Without => {
                        cost = self.cost_at(pool, node, Some(candidate as u32));
                    }
                }
            }
            if cost != before {
                self.undo.push((node, before));
                self.set_cost(node, cost);
                difference += self.open_above(pool, node, before.abs_diff(cost));
            }
        }
    }

    fn set_cost(&mut self, node: u32, cost: u32) {
        let before = std::mem::replace(&mut self.costs[node as usize], cost);
        let parent = self.parents[node as usize];
        if parent != node {
            let below = &mut self.below[parent as usize];
            *below = *below - before + cost;
        }
    }

    /// Opens what depends on the cost of a node; the difference, if that is the whole tree.
    fn open_above(&mut self, pool: &[Candidate], node: u32, difference: u32) -> u64 {
        let parent = self.parents[node as usize];
        if parent == node {
            return u64::from(difference);
        }
        self.open.push(parent);
        let mut at = self.hole_heads[node as usize];
        while at != END {
            let link = self.hole_links[at as usize];
            let idiom = &pool[link.idiom as usize];
            self.open.push(self.node_at(idiom, link.place as usize));
            at = link.next;
        }
        0
    }

    /// The pairs of rules in the shortest derivations.
    fn pairs(&self, pool: &[Candidate]) -> Pairs {
        let mut pairs = Pairs::default();
        let mut open: Vec<(u32, Option<(Rule, u32)>)> = Vec::new();
        for (number, tree) in self.trees.iter().enumerate() {
            let start = self.starts[number];
            open.push((0, None));
            while let Some((node, above)) = open.pop() {
                let at = self.idiom_at(pool, start, node);
                let id = NodeId::new(node as usize);
                let lower = at.map_or(Rule::Label(tree.symbol(id), tree.label(id)), |it| {
                    Rule::Idiom(it.0)
                });
                if let Some((upper, hole)) = above {
                    *pairs.entry(Pair { upper, hole, lower }).or_default() += 1;
                }
                match at {
                    Some((idiom, place)) => {
                        let holes = pool[idiom as usize].bindings(place as usize);
                        open.extend(
                            holes
                                .iter()
                                .enumerate()
                                .map(|(hole, &it)| (it, Some((lower, hole as u32)))),
                        );
                    }
                    None => open.extend(
                        tree.children(id)
                            .enumerate()
                            .map(|(hole, it)| (it.index() as u32, Some((lower, hole as u32)))),
                    ),
                }
            }
        }
        pairs
    }

    /// The idiom that a shortest derivation uses at a node, with the number of its place, if any.
    fn idiom_at(&self, pool: &[Candidate], start: u32, node: u32) -> Option<(u32, u32)> {
        let cost = self.costs[(start + node) as usize];
        let mut at = self.heads[(start + node) as usize];
        while at != END {
            let link = self.links[at as usize];
            let holes = pool[link.idiom as usize].bindings(link.place as usize);
            if self.cost_of(start, holes) == cost {
                return Some((link.idiom, link.place));
            }
            at = link.next;
        }
        None
    }

    /// What an idiom costs whose holes are filled by the given nodes of the tree that begins at
    /// `start`.
    fn cost_of(&self, start: u32, holes: &[u32]) -> u32 {
        let below = holes.iter().map(|&it| self.costs[(start + it) as usize]);
        1 + below.sum::<u32>()
    }

    fn cost_at(&self, pool: &[Candidate], node: u32, without: Option<u32>) -> u32 {
        let mut cost = u32::from(self.own[node as usize]) + self.below[node as usize];
        let mut at = self.heads[node as usize];
        while at != END {
            let link = self.links[at as usize];
            if Some(link.idiom) != without {
                let idiom = &pool[link.idiom as usize];
                let start = node - idiom.places[link.place as usize].node;
                let holes = idiom.bindings(link.place as usize);
                cost = cost.min(self.cost_of(start, holes));
            }
            at = link.next;
        }
        cost
    }
}

/// Puts an idiom at the head of a list.
fn link(head: &mut u32, links: &mut Vec<Link>, idiom: u32, place: u32) {
    let next = std::mem::replace(head, links.len() as u32);
    links.push(Link { idiom, place, next });
}

/// Takes an idiom out of a list.
#[expect(clippy::ptr_arg, reason = "called as `link` is")]
fn unlink(head: &mut u32, links: &mut Vec<Link>, idiom: u32, place: u32) {
    let mut before = END;
    let mut at = *head;
    while at != END {
        let link = links[at as usize];
        if (link.idiom, link.place) == (idiom, place) {
            match before {
                END => *head = link.next,
                before => links[before as usize].next = link.next,
            }
            return;
        }
        (before, at) = (at, link.next);
    }
}
