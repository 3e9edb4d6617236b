//! What a library does for a corpus, in figures.

use patois_collective::{Alone, Collective};
use patois_syntax::{Fragment, Grammar, IdVec, IdiomLibrary, NodeId, Tree};
use serde::{Deserialize, Serialize};

use crate::candidates::{Pool, TreeId, locate};
use crate::compression::{Costs, Counting};
use crate::library_cost::library_cost;
use crate::rank::Covered;

/// What a library does for a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Derivations, counted in applications of rules.
    pub applications: Compression,
    /// Derivations, counted in choices.
    pub choices: Compression,
    /// The share of nodes that are inside an occurrence of an idiom.
    pub node_coverage: f64,
    /// The share of trees that an idiom occurs in.
    pub tree_coverage: f64,
    /// How many occurrences all idioms have together.
    pub n_occurrences: usize,
    /// The share of occurrences that a rewriting would throw away which keeps, idiom after idiom,
    /// those that do not overlap with what it has kept.
    pub discarded: f64,
}

/// How long the shortest derivations of a corpus are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compression {
    /// Without idioms.
    pub without: u64,
    /// With idioms.
    pub with: u64,
    /// What it takes to write down the idioms themselves: their nodes, holes included, or smaller idioms where
    /// that is shorter.
    pub library: u64,
}

impl Compression {
    /// How many times shorter derivations are, the library not counted.
    pub fn ratio(&self) -> f64 {
        self.without as f64 / self.with.max(1) as f64
    }

    /// How many times shorter derivations are, the library counted.
    pub fn ratio_with_library(&self) -> f64 {
        self.without as f64 / (self.with + self.library).max(1) as f64
    }
}

/// Measures what a library does for any corpus of its grammar.
pub fn measure(grammar: &Grammar, trees: &[Tree], library: &IdiomLibrary) -> Figures {
    let fragments = library.iter().map(|(_, idiom)| idiom.fragment.clone());
    measure_on(&Alone, grammar, trees, fragments)
}

/// Measures what idioms do for the trees of all ranks, each of which has some; all have the result.
pub fn measure_on(
    ranks: &dyn Collective,
    grammar: &Grammar,
    trees: &[Tree],
    idioms: impl IntoIterator<Item = Fragment>,
) -> Figures {
    let found = locate(trees, idioms);
    Measured::of(grammar, trees, &found).sum(ranks).figures()
}

/// What figures are made of: numbers that can be added up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    /// Steps of derivations, in applications of rules, without idioms and with them.
    applications: [u64; 2],
    /// The same in choices.
    choices: [u64; 2],
    /// Nodes inside an occurrence, and all nodes.
    nodes: [u64; 2],
    /// Trees with an occurrence, and all trees.
    trees: [u64; 2],
    /// Occurrences that would be thrown away, and all occurrences.
    occurrences: [u64; 2],
    /// What it takes to write down the idioms themselves.
    library: u64,
}

impl Measured {
    /// What idioms do for some trees that they were located in.
    pub(crate) fn of(grammar: &Grammar, trees: &[Tree], idioms: &Pool) -> Measured {
        let mut covered = Covered::new(trees);
        for idiom in idioms {
            covered.add(idiom);
        }
        let pair = |part: usize, whole: usize| [part as u64, whole as u64];
        let n_nodes = trees.iter().map(Tree::n_nodes).sum();
        let n_occurrences = idioms.iter().map(|it| it.places.len()).sum();
        Measured {
            applications: n_steps(grammar, trees, idioms, Counting::Applications),
            choices: n_steps(grammar, trees, idioms, Counting::Choices),
            nodes: pair(covered.n_nodes(), n_nodes),
            trees: pair(n_trees_with(trees, idioms), trees.len()),
            occurrences: pair(n_discarded(trees, idioms), n_occurrences),
            library: library_cost(idioms.iter().map(|it| &it.fragment)),
        }
    }

    /// Adds what the idioms do for the trees of all other ranks.
    pub(crate) fn sum(mut self, ranks: &dyn Collective) -> Measured {
        let mut parts = [
            &mut self.applications,
            &mut self.choices,
            &mut self.nodes,
            &mut self.trees,
            &mut self.occurrences,
        ];
        let mut numbers: Vec<u64> = parts.iter().flat_map(|it| **it).collect();
        ranks.sum(&mut numbers);
        for (part, &sums) in parts.iter_mut().zip(numbers.as_chunks().0) {
            **part = sums;
        }
        self
    }

    /// The figures.
    pub(crate) fn figures(&self) -> Figures {
        let compression = |[without, with]: [u64; 2]| Compression {
            without,
            with,
            library: self.library,
        };
        Figures {
            applications: compression(self.applications),
            choices: compression(self.choices),
            node_coverage: share(self.nodes),
            tree_coverage: share(self.trees),
            n_occurrences: self.occurrences[1] as usize,
            discarded: share(self.occurrences),
        }
    }
}

/// How many steps derive some trees without idioms, and with them.
fn n_steps(grammar: &Grammar, trees: &[Tree], idioms: &Pool, counting: Counting) -> [u64; 2] {
    let mut costs = Costs::new(grammar, trees, counting);
    let without = costs.total();
    costs.add_all(idioms);
    [without, costs.total()]
}

fn n_trees_with(trees: &[Tree], idioms: &Pool) -> usize {
    let mut has_idiom: IdVec<TreeId, bool> = IdVec::filled(false, trees.len());
    for place in idioms.iter().flat_map(|it| &it.places) {
        has_idiom[place.tree] = true;
    }
    has_idiom.iter().filter(|&&it| it).count()
}

/// How many occurrences overlap with one of a better idiom, or an earlier one of the same.
fn n_discarded(trees: &[Tree], idioms: &Pool) -> usize {
    let free = |tree: &Tree| IdVec::filled(false, tree.n_nodes());
    let mut is_taken: IdVec<TreeId, IdVec<NodeId, bool>> = trees.iter().map(free).collect();
    let mut n_discarded = 0;
    for idiom in idioms {
        for place in &idiom.places {
            let is_taken = &mut is_taken[place.tree];
            let nodes = || idiom.fragment.own_nodes(place.tree(trees), place.node);
            if nodes().any(|node| is_taken[node]) {
                n_discarded += 1;
            } else {
                for node in nodes() {
                    is_taken[node] = true;
                }
            }
        }
    }
    n_discarded
}

fn share([part, whole]: [u64; 2]) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}
