//! What candidates may cost together.

use patois_syntax::{Fragment, Tree};

use crate::candidates::Candidate;

/// How many places all candidates have together, at most.
const MAX_PLACES: usize = 30_000_000;
/// How many nodes they have together for each node of the corpus, at most.
///
/// Where code is written by people, it is two; where a table is there several times, up to as many as
/// the table has nodes: each of its cells may become a hole.
const MAX_NODES: usize = 20;
/// How many nodes are compared with each node of the corpus to find them, at most.
///
/// Where code is written by people, it is ten to a hundred.
const MAX_COMPARED: usize = 400;
/// How many places and holes at places a candidate has for each node of the corpus, at most.
///
/// Where code is written by people, it is less than one. Where a table has a period, a fragment with
/// many holes begins in each of its rows and reaches over hundreds of them, so that every cell is a hole
/// at hundreds of places.
const MAX_WEIGHT: usize = 3;
/// The same for all candidates together that are found at once.
///
/// Where code is written by people, it is five to twenty.
const MAX_WEIGHTS: usize = 60;
/// A corpus with fewer nodes is treated as if it had so many: it costs nothing.
const MIN_CORPUS: usize = 10_000;

/// How much more candidates may cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    places: usize,
    nodes: usize,
    compared: usize,
    weight: usize,
    weights: usize,
}

impl Budget {
    /// What may be spent on the candidates of a corpus: in proportion to its size.
    pub(super) fn of(trees: &[Tree]) -> Budget {
        let n_nodes: usize = trees.iter().map(Tree::n_nodes).sum();
        let n_nodes = n_nodes.max(MIN_CORPUS);
        Budget {
            places: MAX_PLACES,
            nodes: MAX_NODES * n_nodes,
            compared: MAX_COMPARED * n_nodes,
            weight: MAX_WEIGHT * n_nodes,
            weights: MAX_WEIGHTS * n_nodes,
        }
    }

    /// Whether there is room for a fragment, which then takes it.
    pub(super) fn allows_nodes(&mut self, fragment: &Fragment) -> bool {
        take(&mut self.nodes, fragment.n_nodes())
    }

    /// Whether there is room for a fragment that occurs so often, which then takes it.
    pub(super) fn allows(&mut self, fragment: &Fragment, n_places: usize) -> bool {
        take(&mut self.places, n_places)
            && self.allows_nodes(fragment)
            && take(
                &mut self.compared,
                fragment.n_nodes().saturating_mul(n_places),
            )
    }

    /// The largest [weight](Candidate::weight) of a candidate.
    pub(super) fn max_weight(&self) -> usize {
        self.weight
    }

    /// Whether there is room for a candidate that has been found, which then takes it.
    pub(super) fn allows_found(&mut self, candidate: &Candidate) -> bool {
        take(&mut self.weights, candidate.weight())
    }
}

fn take(room: &mut usize, cost: usize) -> bool {
    let rest = room.checked_sub(cost);
    *room = rest.unwrap_or(0);
    rest.is_some()
}
