//! What it takes to write down a library: each idiom in nodes and in smaller idioms, whichever is shorter.
//!
//! As a program is derived with idioms, so is an idiom: what Stitch writes for an abstraction uses earlier ones,
//! too. Only smaller idioms count, so that none is made of itself.

use patois_syntax::{Fragment, FragmentNode, NodeId};
use rustc_hash::FxHashMap;

/// The steps that write down all of these, holes included.
pub(crate) fn library_cost<'f>(idioms: impl Iterator<Item = &'f Fragment>) -> u64 {
    let idioms: Vec<&Fragment> = idioms.collect();
    let mut by_root: FxHashMap<FragmentNode, Vec<&Fragment>> = FxHashMap::default();
    for idiom in &idioms {
        by_root
            .entry(idiom.node(NodeId::new(0)))
            .or_default()
            .push(idiom);
    }
    idioms.iter().map(|it| cost(it, &by_root)).sum()
}

fn cost(idiom: &Fragment, by_root: &FxHashMap<FragmentNode, Vec<&Fragment>>) -> u64 {
    let nodes = idiom.nodes();
    let mut ends = vec![0; nodes.len()];
    let mut costs = vec![0; nodes.len()];
    // From the last node to the first, what is below a node is known.
    for index in (0..nodes.len()).rev() {
        let node = NodeId::new(index);
        let last = idiom.children(node).last();
        ends[index] = last.map_or(index + 1, |it| ends[it.index()]);
        let below = idiom.children(node).map(|it| costs[it.index()]);
        costs[index] = 1 + below.sum::<u64>();
        for smaller in by_root.get(&nodes[index]).into_iter().flatten() {
            if smaller.n_nodes() < idiom.n_nodes()
                && smaller.symbol(NodeId::new(0)) == idiom.symbol(node)
                && let Some(holes) = matched(smaller, nodes, &ends, index)
            {
                let filled = holes.iter().flatten().map(|&it| costs[it]);
                costs[index] = costs[index].min(1 + filled.sum::<u64>());
            }
        }
    }
    costs[0]
}

/// What fills the holes of an idiom where it stands in another one, if it does: equal holes are filled equally.
fn matched(
    idiom: &Fragment,
    nodes: &[FragmentNode],
    ends: &[usize],
    at: usize,
) -> Option<Vec<Option<usize>>> {
    let mut holes: Vec<Option<usize>> = vec![None; idiom.n_holes()];
    let mut next = at;
    for node in idiom.nodes() {
        match *node {
            FragmentNode::Hole(hole) => {
                let filling = holes[hole.index()].get_or_insert(next);
                if nodes[*filling..ends[*filling]] != nodes[next..ends[next]] {
                    return None;
                }
                next = ends[next];
            }
            FragmentNode::Fixed(_) if *nodes.get(next)? == *node => next += 1,
            FragmentNode::Fixed(_) => return None,
        }
    }
    Some(holes)
}

#[cfg(test)]
mod tests {
    use patois_syntax::{Grammar, Schema};

    use super::*;

    #[test]
    fn idioms_are_written_with_smaller_ones() {
        let schema = "module M { expr = Add(expr left, expr right) | Neg(expr it) | A }";
        let grammar = Grammar::from_schema(&Schema::parse(schema).unwrap());
        let check = |idioms: &[&str], expected: u64| {
            let parse = |it: &&str| Fragment::parse(&grammar, it).unwrap();
            let idioms: Vec<Fragment> = idioms.iter().map(parse).collect();
            assert_eq!(library_cost(idioms.iter()), expected, "{idioms:?}");
        };
        check(&["(Neg (Neg ?0))"], 3);
        check(&["(Neg (Neg ?0))", "(Add (Neg (Neg ?0)) ?1)"], 3 + 4);
        check(&["(Add (Neg A) (Neg A))", "(Neg A)"], 3 + 2);
        // A hole that stands twice is filled once, and with the same.
        check(&["(Add ?0 ?0)", "(Neg (Add (Neg A) (Neg A)))"], 3 + 4);
        check(&["(Add ?0 ?0)", "(Neg (Add (Neg A) A))"], 3 + 5);
        check(&["(Neg ?0)"], 2);
    }
}
