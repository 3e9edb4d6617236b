//! Subtrees of a corpus by their hashes: which are equal, without comparing node after node.

use std::hash::{Hash as _, Hasher as _};

use patois_syntax::{IdVec, NodeId, Tree};
use rayon::prelude::*;
use rustc_hash::FxHasher;

use crate::candidates::TreeId;

/// A hash for every subtree of some trees.
///
/// The rest of a list is a subtree at each of its cells. To hash all these by their labels would take
/// the square of its length.
#[derive(Clone, Debug)]
pub(crate) struct Subtrees(IdVec<TreeId, IdVec<NodeId, u64>>);

impl Subtrees {
    /// The subtrees of `trees`.
    pub(crate) fn of(trees: &[Tree]) -> Subtrees {
        let by_tree: Vec<IdVec<NodeId, u64>> = trees.par_iter().map(hashes).collect();
        Subtrees(IdVec::from(by_tree))
    }

    /// The hash of the subtree at a node of a tree.
    pub(crate) fn hash(&self, tree: TreeId, node: NodeId) -> u64 {
        self.0[tree][node]
    }
}

/// A hash for every subtree: equal for equal ones, and for others with a probability of 2^-64 or so.
pub(crate) fn hashes(tree: &Tree) -> IdVec<NodeId, u64> {
    let mut hashes = IdVec::filled(0, tree.n_nodes());
    for node in tree.nodes().rev() {
        let mut hasher = FxHasher::default();
        (tree.symbol(node), tree.label(node)).hash(&mut hasher);
        for child in tree.children(node) {
            hasher.write_u64(hashes[child]);
        }
        // The hasher mixes upwards only.
        let hash = hasher.finish();
        hashes[node] = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    hashes
}
