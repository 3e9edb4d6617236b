//! How idioms nest: which are part of which larger ones, and how often.

use indexmap::IndexMap;
use patois_syntax::NodeId;
use rayon::prelude::*;
use serde::Serialize;

use super::survey::Survey;

/// How many idioms are named that one is part of, and that are part of it.
const N_NESTED: usize = 8;

/// An idiom that another one is part of, or the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Nested {
    /// Its index.
    idiom: usize,
    /// At how many places of the smaller idiom.
    places: usize,
}

impl Nested {
    /// The same where the first idiom has number `first`.
    pub(super) fn numbered_from(first: usize, nested: Vec<Nested>) -> Vec<Nested> {
        let numbered = nested.into_iter().map(|it| Nested {
            idiom: first + it.idiom,
            ..it
        });
        numbered.collect()
    }
}

/// Places of a smaller idiom (first) in a larger one.
type Counts = IndexMap<(usize, usize), usize>;

/// For each idiom, the larger ones that it is part of, and the smaller ones that are part of it;
/// the most frequent first.
///
/// An occurrence is part of a larger one if all its nodes are nodes of the larger one; what fills
/// a hole is no node of either.
pub(super) fn nesting(survey: &Survey<'_>) -> Vec<(Vec<Nested>, Vec<Nested>)> {
    let mut by_unit: Vec<Vec<(usize, NodeId)>> = vec![Vec::new(); survey.trees().len()];
    for idiom in 0..survey.n_idioms() {
        for occurrence in survey.occurrences(idiom) {
            by_unit[occurrence.unit].push((idiom, occurrence.root));
        }
    }
    let counts = by_unit
        .par_iter()
        .enumerate()
        .fold(Counts::default, |mut counts, (unit, found)| {
            count(survey, unit, found, &mut counts);
            counts
        })
        .reduce(Counts::default, |mut one, other| {
            for (pair, count) in other {
                *one.entry(pair).or_default() += count;
            }
            one
        });
    let mut nesting = vec![(Vec::new(), Vec::new()); survey.n_idioms()];
    for ((small, large), places) in counts {
        let nested = |idiom| Nested { idiom, places };
        nesting[small].0.push(nested(large));
        nesting[large].1.push(nested(small));
    }
    for (inside, holds) in &mut nesting {
        for nested in [inside, holds] {
            nested.sort_by_key(|it| (std::cmp::Reverse(it.places), it.idiom));
            nested.truncate(N_NESTED);
        }
    }
    nesting
}

/// Counts in one program, where the given idioms occur.
fn count(survey: &Survey<'_>, unit: usize, found: &[(usize, NodeId)], counts: &mut Counts) {
    let tree = &survey.trees()[unit];
    let size = |idiom: usize| survey.fragment(idiom).n_fixed();
    let mut roots: Vec<(NodeId, usize)> =
        found.iter().map(|&(idiom, root)| (root, idiom)).collect();
    roots.sort_unstable();
    let rooted_at = |node: NodeId| {
        let start = roots.partition_point(|it| it.0 < node);
        roots[start..].iter().take_while(move |it| it.0 == node)
    };
    let own = |idiom, root| survey.fragment(idiom).own_nodes(tree, root);
    // Occurrences of the larger idiom may overlap: each place of the smaller one counts once.
    let mut pairs: Vec<(usize, usize, NodeId)> = Vec::new();
    // The last occurrence that each node is part of.
    let mut owners = vec![usize::MAX; tree.n_nodes()];
    for (number, &(large, root)) in found.iter().enumerate() {
        for node in own(large, root) {
            owners[node.index()] = number;
        }
        let is_inside = |node: NodeId| owners[node.index()] == number;
        for node in own(large, root) {
            let smaller = rooted_at(node).filter(|it| size(it.1) < size(large));
            let smaller = smaller.filter(|it| own(it.1, node).all(is_inside));
            pairs.extend(smaller.map(|&(_, small)| (small, large, node)));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    for (small, large, _) in pairs {
        *counts.entry((small, large)).or_default() += 1;
    }
}
