//! What idioms that were found in a sample are in the trees of all ranks.

use patois_collective::{Collective, Reader, Writer};
use patois_syntax::{Idiom, NodeId};

use super::Part;
use crate::candidates::{Place, Pool, TreeId};
use crate::compression::{Costs, Counting};
use crate::mine::{MinedIdiom, N_EXAMPLES, examples};

impl Part<'_> {
    /// How often idioms occur in all trees, how many steps each saves after those before it, and where they
    /// are found, on rank 0; `found` is where they are here.
    pub(super) fn count(&self, ranks: &dyn Collective, found: &Pool) -> Vec<(Idiom, MinedIdiom)> {
        let mut costs = Costs::new(self.grammar, self.trees, Counting::Applications);
        let mut counts = costs.add_all(found);
        counts.extend(found.iter().map(|it| it.places.len() as u64));
        counts.extend(found.iter().map(|it| it.coverage as u64));
        ranks.sum(&mut counts);
        let examples = self.gather_examples(ranks, found);
        let n = found.len();
        let idioms = found.iter().zip(examples).enumerate();
        idioms
            .map(|(index, (candidate, examples))| {
                let score = counts[index] as f64;
                let coverage = counts[2 * n + index] as usize;
                let idiom = Idiom {
                    fragment: candidate.fragment.clone(),
                    coverage,
                    score,
                };
                let known = MinedIdiom {
                    n_occurrences: counts[n + index] as usize,
                    coverage,
                    score,
                    lift: None,
                    phrases: Vec::new(),
                    examples,
                };
                (idiom, known)
            })
            .collect()
    }

    /// The examples of each candidate among the places of all ranks, on rank 0.
    fn gather_examples(&self, ranks: &dyn Collective, found: &Pool) -> Vec<Vec<Place>> {
        let mut writer = Writer::default();
        for candidate in found {
            let mut places = examples(&candidate.places);
            places.extend(candidate.places.iter().take(2 * N_EXAMPLES));
            places.sort_unstable();
            places.dedup();
            writer.number(places.len() as u64);
            for place in places {
                writer.number((self.first_tree + place.tree.index()) as u64);
                writer.number(place.node.index() as u64);
            }
        }
        let gathered = ranks.gather(writer.finish());
        let mut readers: Vec<Reader<'_>> = gathered.iter().map(|it| Reader::new(it)).collect();
        let n_known = if readers.is_empty() { 0 } else { found.len() };
        let of_candidate = |_| {
            let mut places = Vec::new();
            for reader in &mut readers {
                for _ in 0..reader.size() {
                    let tree = TreeId::new(reader.size());
                    let node = NodeId::new(reader.size());
                    places.push(Place { tree, node });
                }
            }
            examples(&places)
        };
        (0..n_known).map(of_candidate).collect()
    }
}
