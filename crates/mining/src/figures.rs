//! What a library does for a corpus, in figures.

use patois_syntax::{Grammar, IdVec, IdiomLibrary, NodeId, Tree};
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
    let idioms = locate(trees, fragments);
    let compression = |counting| compression(grammar, trees, &idioms, counting);
    let mut covered = Covered::new(trees);
    for idiom in &idioms {
        covered.add(idiom);
    }
    let n_occurrences: usize = idioms.iter().map(|it| it.places.len()).sum();
    let n_nodes = trees.iter().map(Tree::n_nodes).sum();
    Figures {
        applications: compression(Counting::Applications),
        choices: compression(Counting::Choices),
        node_coverage: share(covered.n_nodes(), n_nodes),
        tree_coverage: share(n_trees_with(trees, &idioms), trees.len()),
        n_occurrences,
        discarded: share(n_discarded(trees, &idioms), n_occurrences),
    }
}

fn compression(
    grammar: &Grammar,
    trees: &[Tree],
    idioms: &Pool,
    counting: Counting,
) -> Compression {
    let mut costs = Costs::new(grammar, trees, counting);
    let without = costs.total();
    costs.add_all(idioms);
    Compression {
        without,
        with: costs.total(),
        library: library_cost(idioms.iter().map(|it| &it.fragment)),
    }
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

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}
