//! Where fragments occur in programs: how often, in how many, and the first places.

use std::collections::BTreeMap;

use patois_mining::{MinedIdiom, Place, TreeId};
use patois_syntax::{Fragment, FragmentIndex, Idiom, NodeId, Tree};
use rayon::prelude::*;

/// How many places are remembered.
pub(crate) const N_EXAMPLES: usize = 3;

/// Where a fragment occurs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) occurrences: usize,
    /// In how many programs.
    pub(crate) coverage: usize,
    /// The first place in each of the first programs that have one.
    pub(crate) examples: Vec<Place>,
}

impl Tally {
    /// Counts all fragments in one walk over each program.
    pub(crate) fn of<'f>(
        fragments: impl ExactSizeIterator<Item = &'f Fragment>,
        programs: &[&Tree],
    ) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); fragments.len()];
        let index = FragmentIndex::new(fragments);
        let found: Vec<BTreeMap<usize, (usize, NodeId)>> = programs
            .par_iter()
            .map(|tree| {
                let mut found = BTreeMap::new();
                index.find(tree, |fragment, node, _| {
                    found.entry(fragment).or_insert((0, node)).0 += 1;
                });
                found
            })
            .collect();
        for (program, found) in found.into_iter().enumerate() {
            for (fragment, (count, first)) in found {
                let tally = &mut tallies[fragment];
                tally.occurrences += count;
                tally.coverage += 1;
                if tally.examples.len() < N_EXAMPLES {
                    tally.examples.push(Place {
                        tree: TreeId::new(program),
                        node: first,
                    });
                }
            }
        }
        tallies
    }

    /// What is known of an idiom that is counted.
    pub(crate) fn of_idiom(self, idiom: &Idiom) -> MinedIdiom {
        MinedIdiom {
            n_occurrences: self.occurrences,
            coverage: self.coverage,
            score: idiom.score,
            lift: None,
            phrases: Vec::new(),
            examples: self.examples,
        }
    }
}
