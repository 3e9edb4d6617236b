//! Generalisations: the variants of a fragment with one more hole that occur more often than it does.
//!
//! A fragment and a tree are compared from a node on that has the label of the fragment's root. Where
//! labels differ, both subtrees are skipped. The lowest node of the fragment around all differences is
//! what must become a hole for the fragment to occur there: the least general generalisation of both
//! that has one hole more. One comparison so counts for all generalisations of a fragment.

use indexmap::IndexMap;
use patois_syntax::{
    Fragment, FragmentNode, Grammar, HoleId, Id as _, IdVec, Label, NodeId, SymbolId, Tree,
};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use crate::candidates::{Filter, Looks, Place, TreeId, is_chosen, with_hole_at};

/// With how many places a fragment is compared, at most: of more, a sample is taken.
const MAX_PLACES: usize = 4_000;

/// The nodes of a corpus that fragments may begin at, by symbol and label.
pub(crate) struct Places<'t> {
    trees: &'t [Tree],
    by_root: IndexMap<(SymbolId, Label), Sample, FxBuildHasher>,
}

#[derive(Default)]
struct Sample {
    places: Vec<Place>,
    /// How many places each of them stands for.
    weight: usize,
}

/// A fragment with one more hole, and about how often it occurs.
///
/// A fragment may have as many of them as it has nodes, each nearly as large as itself. So they
/// are not written down before somebody knows which are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Generalisation {
    /// Which of the given fragments has one hole less.
    pub original: usize,
    /// The node of it that becomes a hole.
    pub node: NodeId,
    /// At about how many places it occurs.
    pub n_places: usize,
    /// How many choices it makes.
    pub n_choices: usize,
}

impl Generalisation {
    /// What it looks like.
    pub(crate) fn fragment(&self, grammar: &Grammar, originals: &[&Fragment]) -> Option<Fragment> {
        with_hole_at(grammar, originals[self.original], self.node)
    }
}

impl<'t> Places<'t> {
    /// Collects the places where any of some fragments may occur.
    pub(crate) fn new<'f>(
        trees: &'t [Tree],
        fragments: impl IntoIterator<Item = &'f Fragment>,
    ) -> Places<'t> {
        let mut by_root: IndexMap<_, Sample, FxBuildHasher> = fragments
            .into_iter()
            .map(|it| ((it.root_symbol(), it.root_label()), Sample::default()))
            .collect();
        for (tree, id) in trees.iter().zip(TreeId::first(trees.len())) {
            for node in tree.nodes() {
                if let Some(sample) = by_root.get_mut(&(tree.symbol(node), tree.label(node))) {
                    sample.places.push(Place { tree: id, node });
                }
            }
        }
        for sample in by_root.values_mut() {
            sample.weight = sample.places.len().div_ceil(MAX_PLACES).max(1);
            sample.places = sample
                .places
                .iter()
                .copied()
                .step_by(sample.weight)
                .collect();
        }
        Places { trees, by_root }
    }

    /// The generalisations of fragments with one more hole that occur more often than their
    /// original; those of one that may not become an idiom itself, if they occur as often. In order.
    ///
    /// One that occurs only where another does that has more fixed nodes is left out: whatever it
    /// derives, the other derives with fewer choices. So is one that the filter does not accept.
    pub(crate) fn generalisations(
        &self,
        grammar: &Grammar,
        filter: &Filter,
        fragments: &[&Fragment],
    ) -> Vec<Generalisation> {
        let generalisations: Vec<Vec<Generalisation>> = fragments
            .par_iter()
            .enumerate()
            .map(|(original, it)| self.of(grammar, filter, original, it))
            .collect();
        generalisations.into_iter().flatten().collect()
    }

    fn of(
        &self,
        grammar: &Grammar,
        filter: &Filter,
        original: usize,
        fragment: &Fragment,
    ) -> Vec<Generalisation> {
        let root = (fragment.root_symbol(), fragment.root_label());
        let Some(sample) = self.by_root.get(&root) else {
            return Vec::new();
        };
        let looks: IdVec<NodeId, Looks> = NodeId::first(fragment.n_nodes())
            .map(|it| Looks::of_node(grammar, fragment, it))
            .collect();
        let whole = looks.iter().copied().fold(Looks::default(), Looks::and);
        if !filter.is_large_enough(whole) {
            return Vec::new();
        }
        let mut comparison = Comparison::new(fragment);
        let mut n_exact = 0;
        // How many places differ from the fragment at a node or below it.
        let mut n_near = IdVec::filled(0, fragment.n_nodes());
        for place in &sample.places {
            match comparison.with(place.tree(self.trees), place.node) {
                Difference::None => n_exact += 1,
                Difference::At(node) => n_near[node] += 1,
                Difference::Everywhere => {}
            }
        }
        let least = usize::from(filter.accepts_looks(whole));
        let mut generalisations = Vec::new();
        // The most places of a generalisation with a smaller hole inside.
        let mut best_inside = IdVec::filled(None, fragment.n_nodes());
        // What is at a node and below it.
        let mut inside = looks;
        for node in NodeId::first(fragment.n_nodes()).skip(1).rev() {
            let parent = comparison.parents[node];
            if is_chosen(grammar, fragment, node)
                && n_near[node] >= least
                && best_inside[node].is_none_or(|best| n_near[node] > best)
            {
                let rest = whole.without(inside[node]).and(Looks::HOLE);
                if filter.accepts_looks(rest) {
                    generalisations.push(Generalisation {
                        original,
                        node,
                        n_places: (n_exact + n_near[node]) * sample.weight,
                        n_choices: rest.choices,
                    });
                }
                best_inside[node] = Some(n_near[node]);
            }
            best_inside[parent] = best_inside[parent].max(best_inside[node]);
            n_near[parent] += n_near[node];
            inside[parent] = inside[parent].and(inside[node]);
        }
        generalisations
    }
}

/// Where a tree differs from a fragment.
enum Difference {
    /// Nowhere.
    None,
    /// At a node of the fragment or below it, and nowhere else.
    At(NodeId),
    /// At several children of the root.
    Everywhere,
}

/// Compares a fragment with trees.
struct Comparison<'f> {
    fragment: &'f Fragment,
    ends: IdVec<NodeId, NodeId>,
    parents: IdVec<NodeId, NodeId>,
    /// For each node of the fragment, the node of the tree beside it.
    beside: IdVec<NodeId, NodeId>,
    /// For each hole, the node of the tree that fills it first.
    bindings: IdVec<HoleId, Option<NodeId>>,
}

impl<'f> Comparison<'f> {
    fn new(fragment: &'f Fragment) -> Comparison<'f> {
        let root = NodeId::new(0);
        let mut parents = IdVec::filled(root, fragment.n_nodes());
        for node in parents.ids() {
            for child in fragment.children(node) {
                parents[child] = node;
            }
        }
        Comparison {
            fragment,
            ends: parents.ids().map(|it| fragment.end(it)).collect(),
            beside: IdVec::filled(root, parents.len()),
            parents,
            bindings: IdVec::filled(None, fragment.n_holes()),
        }
    }

    fn with(&mut self, tree: &Tree, root: NodeId) -> Difference {
        self.bindings.fill(None);
        let whole = NodeId::new(0);
        let (mut node, mut at) = (whole, root);
        let mut around: Option<NodeId> = None;
        while node < self.ends[whole] {
            self.beside[node] = at;
            match self.fragment.node(node) {
                FragmentNode::Fixed(label) if tree.label(at) == label => {
                    (node, at) = (node.plus(1), at.plus(1));
                    continue;
                }
                FragmentNode::Hole(hole) => {
                    let bound = *self.bindings[hole].get_or_insert(at);
                    if bound == at || tree.subtree(bound) == tree.subtree(at) {
                        (node, at) = (node.plus(1), tree.end(at));
                        continue;
                    }
                }
                FragmentNode::Fixed(_) => {}
            }
            let mut lowest = around.unwrap_or(node);
            while self.ends[lowest] <= node {
                lowest = self.parents[lowest];
            }
            if lowest == whole {
                return Difference::Everywhere;
            }
            around = Some(lowest);
            (node, at) = (self.ends[lowest], tree.end(self.beside[lowest]));
        }
        around.map_or(Difference::None, Difference::At)
    }
}

#[cfg(test)]
mod tests {
    use patois_syntax::Schema;

    use super::*;

    fn check(fragment: &str, trees: &[&str], expected: &[(&str, usize)]) {
        let schema = "module M { expr = Add(expr left, expr right) | Neg(expr it) | A | B }";
        let grammar = Grammar::from_schema(&Schema::parse(schema).unwrap());
        let trees: Vec<Tree> = trees
            .iter()
            .map(|it| Tree::parse(&grammar, it).unwrap())
            .collect();
        let fragment = Fragment::parse(&grammar, fragment).unwrap();
        let places = Places::new(&trees, [&fragment]);
        let filter = Filter {
            keep_closed: true,
            ..Filter::default()
        };
        let generalisations = places.generalisations(&grammar, &filter, &[&fragment]);
        let found: Vec<(String, usize)> = generalisations
            .iter()
            .map(|it| {
                let general = it.fragment(&grammar, &[&fragment]).unwrap();
                (general.display(&grammar).to_string(), it.n_places)
            })
            .collect();
        let found: Vec<(&str, usize)> = found.iter().map(|it| (it.0.as_str(), it.1)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_hole_is_where_trees_differ_and_no_larger() {
        let fragment = "(Add (Neg A) B)";
        check(fragment, &["(Add (Neg A) B)"], &[]);
        check(
            fragment,
            &["(Add (Neg A) B)", "(Add (Neg B) B)"],
            &[("(Add (Neg ?0) B)", 2)],
        );
        check(
            fragment,
            &["(Add (Neg B) B)", "(Add A B)", "(Add (Neg A) A)"],
            &[
                ("(Add (Neg A) ?0)", 1),
                ("(Add (Neg ?0) B)", 1),
                ("(Add ?0 B)", 2),
            ],
        );
    }

    #[test]
    fn trees_that_differ_on_both_sides_have_no_generalisation_in_common() {
        check("(Add (Neg A) B)", &["(Add (Neg B) A)", "(Add A A)"], &[]);
    }

    #[test]
    fn differences_below_one_node_are_one_hole() {
        check(
            "(Add (Add A B) B)",
            &["(Add (Add B A) B)"],
            &[("(Add ?0 B)", 1)],
        );
    }

    #[test]
    fn a_hole_that_occurs_twice_wants_equal_subtrees() {
        check(
            "(Neg (Add ?0 (Neg ?0)))",
            &["(Neg (Add A (Neg A)))", "(Neg (Add A (Neg B)))"],
            &[("(Neg (Add ?0 ?1))", 2)],
        );
    }
}
