//! Where a fragment occurs in a tree.

use crate::ids::{HoleId, NodeId};
use crate::{Fragment, FragmentNode, Tree};

impl Fragment {
    /// What each hole stands for, if the fragment occurs in `tree` at `node`.
    ///
    /// Both are in preorder, so one walk over the fragment suffices: a fixed node must have the
    /// label of the tree's node, a hole skips a subtree, which must equal the subtree that an
    /// earlier occurrence of the hole skipped.
    ///
    /// ```
    /// # use patois_syntax::{Fragment, Grammar, Schema, Tree};
    /// # let schema = Schema::parse("module M { expr = Add(expr left, expr right) | Num(n value) n = text }")?;
    /// # let grammar = Grammar::from_schema(&schema);
    /// let double = Fragment::parse(&grammar, "(Add ?x ?x)")?;
    /// let matches = |tree: &str| {
    ///     let tree = Tree::parse(&grammar, tree).unwrap();
    ///     double.match_at(&tree, tree.root()).is_some()
    /// };
    /// assert!(matches(r#"(Add (Num "1") (Num "1"))"#));
    /// assert!(!matches(r#"(Add (Num "1") (Num "2"))"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn match_at(&self, tree: &Tree, node: NodeId) -> Option<Bindings> {
        if tree.symbol(node) != self.root_symbol() {
            return None;
        }
        let mut bindings: Vec<NodeId> = Vec::with_capacity(self.n_holes());
        let mut at = node;
        for part in self.nodes() {
            match *part {
                FragmentNode::Fixed(label) if tree.label(at) == label => {
                    at = NodeId::new(at.index() + 1);
                }
                FragmentNode::Fixed(_) => return None,
                FragmentNode::Hole(hole) => {
                    match bindings.get(hole.index()) {
                        Some(&bound) if tree.subtree(bound) != tree.subtree(at) => return None,
                        Some(_) => {}
                        None => bindings.push(at),
                    }
                    at = tree.end(at);
                }
            }
        }
        Some(Bindings(bindings))
    }

    /// Every place where the fragment occurs in `tree`, in preorder.
    pub fn occurrences<'a>(
        &'a self,
        tree: &'a Tree,
    ) -> impl Iterator<Item = (NodeId, Bindings)> + 'a {
        tree.nodes()
            .filter_map(|node| Some((node, self.match_at(tree, node)?)))
    }
}

/// The subtree that each hole of a fragment stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bindings(Vec<NodeId>);

impl Bindings {
    /// Where the subtree for a hole first stands.
    pub fn get(&self, hole: HoleId) -> NodeId {
        self.0[hole.index()]
    }

    /// The holes in order, with where their subtrees first stand.
    pub fn iter(&self) -> impl Iterator<Item = (HoleId, NodeId)> + '_ {
        self.0
            .iter()
            .enumerate()
            .map(|(hole, &node)| (HoleId::new(hole), node))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Fragment, toy};

    fn check(fragment: &str, tree: &str, expected: &[usize]) {
        let grammar = toy::grammar();
        let fragment = Fragment::parse(&grammar, fragment).unwrap();
        let tree = toy::tree(tree);
        let found: Vec<usize> = fragment
            .occurrences(&tree)
            .map(|(node, _)| node.index())
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn fragments_are_found_where_they_stand() {
        let tree = "(block [(Assign \"x\" (Add (Name \"x\") (Num \"1\"))) Pass Pass])";
        check("Pass", tree, &[10, 12]);
        check("(Assign ?x (Add (Name ?x) ?y))", tree, &[2]);
        check("(Assign ?x (Add (Name ?y) ?z))", "(block [])", &[]);
        check("(Add ?x ?x)", tree, &[]);
    }

    #[test]
    fn fragments_may_begin_and_end_inside_a_list() {
        let tree = "(block [Pass Pass (Return _)])";
        check("stmt*: [Pass | ?rest]", tree, &[1, 3]);
        check("stmt*: [Pass Pass | ?rest]", tree, &[1]);
        check("stmt*: [(Return ?x)]", tree, &[5]);
        check("stmt*: [?x ?y ?z]", tree, &[1]);
    }

    #[test]
    fn a_repeated_hole_wants_equal_subtrees() {
        check(
            "(Add ?x ?x)",
            "(block [(Return +(Add (Add (Name \"a\") (Name \"a\")) (Add (Name \"a\") (Name \"a\"))))])",
            &[4, 5, 10],
        );
    }
}
