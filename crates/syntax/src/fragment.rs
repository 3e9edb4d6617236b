//! Fragments: partial trees, with holes where a program fills something in.

use std::fmt;
use std::hash::BuildHasherDefault;

use indexmap::IndexMap;

use crate::hashing::Mixer;
use crate::ids::{HoleId, NodeId};
use crate::preorder;
use crate::{Grammar, Label, ParseError, SymbolId, Tree, TreeError, notation};

/// A partial tree. Equal holes stand for equal subtrees.
///
/// ```
/// use patois_syntax::{Fragment, Grammar, Schema};
///
/// let schema = Schema::parse(
///     "module M { stmt = Assign(expr target, expr value)
///                 expr = Name(name id) | Add(expr left, expr right)
///                 name = text }",
/// )?;
/// let grammar = Grammar::from_schema(&schema);
/// let increment = Fragment::parse(&grammar, "(Assign ?x (Add ?x ?by))")?;
/// assert_eq!(increment.n_holes(), 2);
/// assert_eq!(increment.display(&grammar).to_string(), "(Assign ?0 (Add ?0 ?1))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fragment {
    nodes: Vec<FragmentNode>,
    symbols: Vec<SymbolId>,
    ends: Vec<u32>,
    n_holes: u32,
}

/// A node of a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FragmentNode {
    /// Part of the fragment.
    Fixed(Label),
    /// To be filled in.
    Hole(HoleId),
}

/// Why nodes are not a fragment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FragmentError {
    /// The nodes are not a tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The root is a hole, a text or a reference: the fragment says nothing.
    #[error("expected a production at the root of a fragment")]
    Root,
    /// A reference means nothing outside of its context.
    #[error("reference @{0} cannot be part of a fragment: references are always holes")]
    Reference(u32),
    /// A hole cannot stand for two symbols.
    #[error("hole ?{hole} stands for both {first} and {second}")]
    HoleSymbol {
        /// The hole.
        hole: usize,
        /// The symbol at its first occurrence.
        first: String,
        /// Another one.
        second: String,
    },
}

impl Fragment {
    /// The fragment with the given nodes in preorder, rooted at `root`.
    ///
    /// Holes are renumbered in the order of their first occurrence.
    ///
    /// # Errors
    ///
    /// When the nodes are no fragment of the grammar.
    pub fn from_nodes(
        grammar: &Grammar,
        root: SymbolId,
        nodes: impl IntoIterator<Item = FragmentNode>,
    ) -> Result<Fragment, FragmentError> {
        let (mut fixed, mut symbols) = (Vec::new(), Vec::new());
        let mut holes = Holes::default();
        let mut open = vec![root];
        let mut nodes = nodes.into_iter();
        while let Some(symbol) = open.pop() {
            let name = || grammar.symbol_name(symbol);
            let node = nodes.next().ok_or_else(|| TreeError::TooShort {
                node: fixed.len(),
                expected: name(),
            })?;
            fixed.push(match node {
                FragmentNode::Hole(_) if fixed.is_empty() => return Err(FragmentError::Root),
                FragmentNode::Hole(hole) => {
                    let known = holes.entry(hole);
                    let number = HoleId::new(known.index());
                    known.or_insert(symbol);
                    FragmentNode::Hole(number)
                }
                FragmentNode::Fixed(Label::Reference(index)) => {
                    return Err(FragmentError::Reference(index));
                }
                FragmentNode::Fixed(label) if !label.fits(grammar, symbol) => {
                    let found = label.describe(grammar);
                    let node = fixed.len();
                    return Err(TreeError::Label {
                        node,
                        expected: name(),
                        found,
                    }
                    .into());
                }
                FragmentNode::Fixed(label) => {
                    open.extend(label.children(grammar).iter().rev());
                    FragmentNode::Fixed(label)
                }
            });
            symbols.push(symbol);
        }
        let n_more = nodes.count();
        if n_more > 0 {
            let (expected, found) = (fixed.len(), fixed.len() + n_more);
            return Err(TreeError::TooLong { expected, found }.into());
        }
        if !matches!(fixed[0], FragmentNode::Fixed(Label::Production(_))) {
            return Err(FragmentError::Root);
        }
        check_holes(grammar, &fixed, &symbols, &holes)?;
        let ends = preorder::subtree_ends(fixed.iter().map(|node| node.children(grammar).len()));
        Ok(Fragment {
            nodes: fixed,
            symbols,
            ends,
            n_holes: holes.len() as u32,
        })
    }

    /// The part of `tree` from `root` down to the nodes that `is_cut`, each of which becomes a hole
    /// of its own, as does every reference.
    ///
    /// # Errors
    ///
    /// When `root` is a text or a reference.
    pub fn from_tree(
        grammar: &Grammar,
        tree: &Tree,
        root: NodeId,
        mut is_cut: impl FnMut(NodeId) -> bool,
    ) -> Result<Fragment, FragmentError> {
        let mut nodes = Vec::new();
        let mut n_holes = 0;
        let mut node = root;
        while node < tree.end(root) {
            let label = tree.label(node);
            let is_hole = matches!(label, Label::Reference(_)) || (node != root && is_cut(node));
            if is_hole {
                nodes.push(FragmentNode::Hole(HoleId::new(n_holes)));
                n_holes += 1;
                node = tree.end(node);
            } else {
                nodes.push(FragmentNode::Fixed(label));
                node = NodeId::new(node.index() + 1);
            }
        }
        Fragment::from_nodes(grammar, tree.symbol(root), nodes)
    }

    /// Reads a fragment in the [notation].
    ///
    /// # Errors
    ///
    /// When `text` is no fragment of the grammar.
    pub fn parse(grammar: &Grammar, text: &str) -> Result<Fragment, ParseError> {
        let (root, nodes) = notation::parse(grammar, text)?;
        Fragment::from_nodes(grammar, root, nodes)
            .map_err(|error| ParseError::whole(error.to_string()))
    }

    /// The fragment in the [notation].
    pub fn display<'a>(&'a self, grammar: &'a Grammar) -> impl fmt::Display + 'a {
        fmt::from_fn(|f| {
            notation::write(f, grammar, self.root_symbol(), self.nodes.iter().copied())
        })
    }

    /// The symbol that the fragment expands.
    pub fn root_symbol(&self) -> SymbolId {
        self.symbols[0]
    }

    /// The label of the root.
    pub fn root_label(&self) -> Label {
        match self.nodes[0] {
            FragmentNode::Fixed(label) => label,
            FragmentNode::Hole(_) => unreachable!("the root of a fragment is fixed"),
        }
    }

    /// How many nodes there are, holes included.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How many nodes are fixed.
    pub fn n_fixed(&self) -> usize {
        self.nodes
            .iter()
            .filter(|node| matches!(node, FragmentNode::Fixed(_)))
            .count()
    }

    /// How many distinct holes there are.
    pub fn n_holes(&self) -> usize {
        self.n_holes as usize
    }

    /// A node.
    pub fn node(&self, node: NodeId) -> FragmentNode {
        self.nodes[node.index()]
    }

    /// All nodes, in preorder.
    pub fn nodes(&self) -> &[FragmentNode] {
        &self.nodes
    }

    /// The symbol that a node stands for.
    pub fn symbol(&self, node: NodeId) -> SymbolId {
        self.symbols[node.index()]
    }

    /// One past the last node of the part at `node`.
    pub fn end(&self, node: NodeId) -> NodeId {
        NodeId::new(self.ends[node.index()] as usize)
    }

    /// The parent of every node, in preorder; the root has none.
    pub fn parents(&self) -> Vec<Option<NodeId>> {
        preorder::parents(&self.ends)
    }

    /// The children of a node, first to last.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        preorder::children(&self.ends, node)
    }
}

impl FragmentNode {
    fn children(self, grammar: &Grammar) -> &[SymbolId] {
        match self {
            FragmentNode::Fixed(label) => label.children(grammar),
            FragmentNode::Hole(_) => &[],
        }
    }
}

/// The holes by first occurrence, with the symbols that they stand for there.
type Holes = IndexMap<HoleId, SymbolId, BuildHasherDefault<Mixer>>;

fn check_holes(
    grammar: &Grammar,
    nodes: &[FragmentNode],
    symbols: &[SymbolId],
    holes: &Holes,
) -> Result<(), FragmentError> {
    for (node, &symbol) in nodes.iter().zip(symbols) {
        if let FragmentNode::Hole(hole) = *node
            && holes[hole.index()] != symbol
        {
            return Err(FragmentError::HoleSymbol {
                hole: hole.index(),
                first: grammar.symbol_name(holes[hole.index()]),
                second: grammar.symbol_name(symbol),
            });
        }
    }
    Ok(())
}

impl Tree {
    /// Reads a tree in the [notation].
    ///
    /// # Errors
    ///
    /// When `text` is no tree of the grammar, or has a hole.
    pub fn parse(grammar: &Grammar, text: &str) -> Result<Tree, ParseError> {
        let (root, nodes) = notation::parse(grammar, text)?;
        let labels: Result<Vec<Label>, ParseError> = nodes
            .into_iter()
            .map(|node| match node {
                FragmentNode::Fixed(label) => Ok(label),
                FragmentNode::Hole(_) => Err(ParseError::whole("a tree has no holes")),
            })
            .collect();
        Tree::from_labels(grammar, root, &labels?)
            .map_err(|error| ParseError::whole(error.to_string()))
    }

    /// The tree in the [notation].
    pub fn display<'a>(&'a self, grammar: &'a Grammar) -> impl fmt::Display + 'a {
        let root = self.symbol(self.root());
        fmt::from_fn(move |f| {
            let nodes = self
                .labels()
                .iter()
                .map(|&label| FragmentNode::Fixed(label));
            notation::write(f, grammar, root, nodes)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy;

    #[test]
    fn cutting_a_tree_makes_holes() {
        let grammar = toy::grammar();
        let tree = toy::tree("(block [(Assign \"x\" (Add (Column @2) (Num \"1\")))])");
        let check = |cuts: &[usize], root: usize, expected: &str| {
            let fragment = Fragment::from_tree(&grammar, &tree, NodeId::new(root), |node| {
                cuts.contains(&node.index())
            });
            assert_eq!(fragment.unwrap().display(&grammar).to_string(), expected);
        };
        // 0 block, 1 more, 2 Assign, 3 "x", 4 Add, 5 Column, 6 @2, 7 Num, 8 "1", 9 end.
        check(&[], 4, "(Add (Column ?0) (Num \"1\"))");
        check(&[5, 8], 4, "(Add ?0 (Num ?1))");
        check(&[2, 9], 1, "stmt*: [?0 | ?1]");
        check(&[3, 4], 0, "(block [(Assign ?0 ?1)])");
    }

    #[test]
    fn what_is_no_fragment_is_refused() {
        let check = |text: &str, expected: &str| {
            assert_eq!(
                Fragment::parse(&toy::grammar(), text)
                    .unwrap_err()
                    .to_string(),
                expected
            );
        };
        check(
            "stmt: ?x",
            "expected a production at the root of a fragment",
        );
        check(
            "name: \"x\"",
            "expected a production at the root of a fragment",
        );
        check(
            "(Column @1)",
            "reference @1 cannot be part of a fragment: references are always holes",
        );
        check("(Assign ?x ?x)", "hole ?0 stands for both name and expr");
    }
}
