//! How much shorter derivations become with idioms.
//!
//! The fewest choices that derive a tree, by dynamic programming from the leaves up:
//!
//! ```text
//! cost(n) = min( [1 if something is chosen at n] + sum of cost(children of n),
//!                1 + sum of cost(subtrees at the holes of I), for each idiom I that occurs at n )
//! ```
//!
//! A hole that occurs twice is paid once.

use patois_syntax::{Grammar, NodeId, Tree};

use crate::candidates::{Candidate, is_choice};

/// The costs of all nodes of a corpus under the idioms that have been added.
#[derive(Clone, Debug)]
pub struct Costs<'t> {
    trees: &'t [Tree],
    /// For each tree, where its nodes begin.
    starts: Vec<usize>,
    parents: Vec<u32>,
    /// Whether something is chosen at a node.
    own: Vec<u32>,
    costs: Vec<u32>,
    /// For each node, the idioms that occur there: number of the idiom and of its place.
    idioms: Vec<Vec<(u32, u32)>>,
    /// Nodes whose cost was changed while trying, with what it was.
    undo: Vec<(usize, u32)>,
}

impl<'t> Costs<'t> {
    /// The costs without idioms.
    pub fn new(grammar: &Grammar, trees: &'t [Tree]) -> Costs<'t> {
        let mut starts = vec![0];
        let (mut parents, mut own, mut costs) = (Vec::new(), Vec::new(), Vec::new());
        for tree in trees {
            let start = costs.len();
            let above = tree.parents();
            for node in tree.nodes() {
                let parent = above[node.index()].unwrap_or(node);
                parents.push((start + parent.index()) as u32);
                own.push(u32::from(is_choice(grammar, tree.symbol(node))));
                costs.push(0);
            }
            for node in tree.nodes().rev() {
                let below: u32 = tree
                    .children(node)
                    .map(|it| costs[start + it.index()])
                    .sum();
                costs[start + node.index()] = own[start + node.index()] + below;
            }
            starts.push(costs.len());
        }
        let idioms = vec![Vec::new(); costs.len()];
        Costs {
            trees,
            starts,
            parents,
            own,
            costs,
            idioms,
            undo: Vec::new(),
        }
    }

    /// The fewest choices that derive the whole corpus.
    pub fn total(&self) -> u64 {
        self.starts[..self.trees.len()]
            .iter()
            .map(|&start| u64::from(self.costs[start]))
            .sum()
    }

    /// How many choices would be saved by one more idiom.
    pub fn gain(&mut self, library: &[Candidate], candidate: &Candidate) -> u64 {
        let saved = self.try_out(library, candidate);
        for (node, cost) in self.undo.drain(..).rev() {
            self.costs[node] = cost;
        }
        saved
    }

    /// Adds an idiom, the next one of the library: `library` holds it and those before it.
    pub fn add(&mut self, library: &[Candidate]) -> u64 {
        let (number, candidate) = (library.len() - 1, &library[library.len() - 1]);
        for (index, place) in candidate.places.iter().enumerate() {
            let node = self.starts[place.tree as usize] + place.node as usize;
            self.idioms[node].push((number as u32, index as u32));
        }
        let saved = self.try_out(library, candidate);
        self.undo.clear();
        saved
    }

    /// Lowers costs where the candidate occurs and above; notes what they were.
    fn try_out(&mut self, library: &[Candidate], candidate: &Candidate) -> u64 {
        let mut saved = 0;
        let mut end = candidate.places.len();
        while end > 0 {
            let tree = candidate.places[end - 1].tree;
            let first = candidate.places[..end].partition_point(|it| it.tree < tree);
            let root = self.starts[tree as usize];
            let before = self.costs[root];
            // From the last place to the first, what is inside comes before what is around it.
            for place in (first..end).rev() {
                let start = self.starts[tree as usize];
                let node = start + candidate.places[place].node as usize;
                let holes = candidate.bindings(place);
                let cost = 1 + holes
                    .iter()
                    .map(|&it| self.costs[start + it as usize])
                    .sum::<u32>();
                if cost < self.costs[node] {
                    self.set(node, cost);
                    self.lower_above(library, tree as usize, node);
                }
            }
            saved += u64::from(before - self.costs[root]);
            end = first;
        }
        saved
    }

    fn set(&mut self, node: usize, cost: u32) {
        self.undo.push((node, self.costs[node]));
        self.costs[node] = cost;
    }

    /// Carries a lower cost up to the root: an idiom far above may have a hole at `node`.
    fn lower_above(&mut self, library: &[Candidate], tree: usize, mut node: usize) {
        while self.parents[node] as usize != node {
            node = self.parents[node] as usize;
            let cost = self.cost_at(library, tree, node);
            if cost < self.costs[node] {
                self.set(node, cost);
            }
        }
    }

    fn cost_at(&self, library: &[Candidate], tree: usize, node: usize) -> u32 {
        let start = self.starts[tree];
        let below: u32 = self.trees[tree]
            .children(NodeId::new(node - start))
            .map(|it| self.costs[start + it.index()])
            .sum();
        let plain = self.own[node] + below;
        self.idioms[node]
            .iter()
            .fold(plain, |cost, &(idiom, place)| {
                let holes = library[idiom as usize].bindings(place as usize);
                cost.min(
                    1 + holes
                        .iter()
                        .map(|&it| self.costs[start + it as usize])
                        .sum::<u32>(),
                )
            })
    }
}
