//! Syntax trees as derivations: every node is what was chosen for one symbol.

use crate::ids::NodeId;
use crate::{Grammar, ProductionId, SymbolId, SymbolKind, Text, preorder};

/// A syntax tree: three parallel arrays in preorder, sixteen bytes a node.
///
/// Preorder is the order of generation: node *n* is built before node *n + 1*. A subtree is a slice,
/// and two subtrees for the same symbol are equal if their slices of labels are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tree {
    labels: Vec<Label>,
    symbols: Vec<SymbolId>,
    /// One past the last node of the subtree.
    ends: Vec<u32>,
}

/// What was chosen for a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// A production.
    Production(ProductionId),
    /// A text.
    Text(Text),
    /// An item of the specification's context.
    Reference(u32),
}

/// Why labels are not a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// A label that cannot stand for the symbol.
    #[error("expected {expected} at node {node}, found {found}")]
    Label {
        /// Position in preorder.
        node: usize,
        /// The symbol.
        expected: String,
        /// The label.
        found: String,
    },
    /// The labels end before the tree does.
    #[error("expected {expected} at node {node}, found the end")]
    TooShort {
        /// Position in preorder.
        node: usize,
        /// The symbol.
        expected: String,
    },
    /// The tree ends before the labels do.
    #[error("expected {expected} nodes, found {found}")]
    TooLong {
        /// Size of the tree.
        expected: usize,
        /// Number of labels.
        found: usize,
    },
}

impl Tree {
    /// The tree that a grammar derives from `root` by making the given choices in preorder.
    ///
    /// # Errors
    ///
    /// When a label does not fit its place, or there are too few or too many of them.
    pub fn from_labels(
        grammar: &Grammar,
        root: SymbolId,
        labels: &[Label],
    ) -> Result<Tree, TreeError> {
        let mut builder = TreeBuilder::with_capacity(labels.len());
        let mut open = vec![root];
        for (node, &label) in labels.iter().enumerate() {
            let Some(symbol) = open.pop() else {
                return Err(TreeError::TooLong {
                    expected: node,
                    found: labels.len(),
                });
            };
            if !label.fits(grammar, symbol) {
                return Err(TreeError::Label {
                    node,
                    expected: grammar.symbol_name(symbol),
                    found: label.describe(grammar),
                });
            }
            builder.push(label, symbol);
            open.extend(label.children(grammar).iter().rev());
        }
        if let Some(&symbol) = open.last() {
            let expected = grammar.symbol_name(symbol);
            return Err(TreeError::TooShort {
                node: labels.len(),
                expected,
            });
        }
        Ok(builder.finish(grammar))
    }

    /// How many nodes there are; at least one.
    pub fn n_nodes(&self) -> usize {
        self.labels.len()
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        NodeId::new(0)
    }

    /// All nodes, in preorder.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.n_nodes()).map(NodeId::new)
    }

    /// What was chosen at a node.
    pub fn label(&self, node: NodeId) -> Label {
        self.labels[node.index()]
    }

    /// The symbol that the node stands for.
    pub fn symbol(&self, node: NodeId) -> SymbolId {
        self.symbols[node.index()]
    }

    /// One past the last node of the subtree at `node`.
    pub fn end(&self, node: NodeId) -> NodeId {
        NodeId::new(self.ends[node.index()] as usize)
    }

    /// The labels of all nodes, in preorder.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The labels of a subtree, in preorder.
    pub fn subtree(&self, node: NodeId) -> &[Label] {
        &self.labels[node.index()..self.ends[node.index()] as usize]
    }

    /// The children of a node, first to last.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        preorder::children(&self.ends, node)
    }

    /// The parent of every node, in preorder; the root has none.
    pub fn parents(&self) -> Vec<Option<NodeId>> {
        preorder::parents(&self.ends)
    }

    /// The subtree at `node`, as a tree of its own.
    #[must_use]
    pub fn cut_out(&self, node: NodeId) -> Tree {
        let range = node.index()..self.end(node).index();
        let start = node.index() as u32;
        Tree {
            labels: self.labels[range.clone()].to_vec(),
            symbols: self.symbols[range.clone()].to_vec(),
            ends: self.ends[range].iter().map(|end| end - start).collect(),
        }
    }

    /// The tree with other texts at the given nodes.
    ///
    /// # Panics
    ///
    /// When one of them is no text.
    #[must_use]
    pub fn with_texts(&self, nodes: &[NodeId], text: Text) -> Tree {
        let mut tree = self.clone();
        for node in nodes {
            let label = &mut tree.labels[node.index()];
            assert!(matches!(label, Label::Text(_)), "{node:?} is no text");
            *label = Label::Text(text);
        }
        tree
    }

    /// Calls labels and symbols something else, of another grammar.
    pub(crate) fn rename(
        &mut self,
        label: impl Fn(Label) -> Label,
        symbol: impl Fn(SymbolId) -> SymbolId,
    ) {
        self.labels.iter_mut().for_each(|it| *it = label(*it));
        self.symbols.iter_mut().for_each(|it| *it = symbol(*it));
    }

    /// Heap memory that the tree holds, in bytes.
    pub fn n_bytes(&self) -> usize {
        self.labels.capacity() * size_of::<Label>()
            + self.symbols.capacity() * size_of::<SymbolId>()
            + self.ends.capacity() * size_of::<u32>()
    }
}

impl Label {
    /// The symbols of the children of a node with this label.
    pub fn children(self, grammar: &Grammar) -> &[SymbolId] {
        match self {
            Label::Production(id) => &grammar.production(id).rhs,
            Label::Text(_) | Label::Reference(_) => &[],
        }
    }

    /// Whether a node with this label may stand for `symbol`.
    pub(crate) fn fits(self, grammar: &Grammar, symbol: SymbolId) -> bool {
        match self {
            Label::Production(id) => {
                id.index() < grammar.n_productions() && grammar.production(id).lhs == symbol
            }
            Label::Text(_) => grammar.symbol_kind(symbol) == SymbolKind::Text,
            Label::Reference(_) => grammar.symbol_kind(symbol) == SymbolKind::Reference,
        }
    }

    pub(crate) fn describe(self, grammar: &Grammar) -> String {
        match self {
            Label::Production(id) if id.index() < grammar.n_productions() => {
                grammar.production_name(id)
            }
            Label::Production(id) => format!("{id:?}"),
            Label::Text(text) => format!("text {text:?}"),
            Label::Reference(index) => format!("reference @{index}"),
        }
    }
}

/// Collects nodes in preorder; sizes of subtrees follow from the labels.
pub(crate) struct TreeBuilder {
    labels: Vec<Label>,
    symbols: Vec<SymbolId>,
}

impl TreeBuilder {
    pub(crate) fn with_capacity(n_nodes: usize) -> TreeBuilder {
        TreeBuilder {
            labels: Vec::with_capacity(n_nodes),
            symbols: Vec::with_capacity(n_nodes),
        }
    }

    pub(crate) fn push(&mut self, label: Label, symbol: SymbolId) {
        self.labels.push(label);
        self.symbols.push(symbol);
    }

    pub(crate) fn finish(mut self, grammar: &Grammar) -> Tree {
        self.labels.shrink_to_fit();
        self.symbols.shrink_to_fit();
        let ends = preorder::subtree_ends(
            self.labels
                .iter()
                .map(|label| label.children(grammar).len()),
        );
        Tree {
            labels: self.labels,
            symbols: self.symbols,
            ends,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy;

    #[test]
    fn a_node_takes_sixteen_bytes() {
        assert_eq!(
            size_of::<Label>() + size_of::<SymbolId>() + size_of::<u32>(),
            16
        );
        let tree = toy::tree("(block [(Assign \"x\" (Num \"1\"))])");
        assert_eq!(tree.n_bytes(), 16 * tree.n_nodes());
    }

    #[test]
    fn children_and_parents_agree() {
        let tree = toy::tree("(block [(Return +(Add (Name \"x\") (Num \"1\"))) Pass])");
        let parents = tree.parents();
        assert_eq!(parents[0], None);
        for node in tree.nodes() {
            for child in tree.children(node) {
                assert_eq!(parents[child.index()], Some(node));
                assert!(tree.end(child) <= tree.end(node));
            }
            let below: usize = tree
                .children(node)
                .map(|child| tree.subtree(child).len())
                .sum();
            assert_eq!(tree.subtree(node).len(), below + 1);
            assert_eq!(tree.cut_out(node).labels(), tree.subtree(node));
        }
    }

    #[test]
    fn labels_that_are_no_tree_are_refused() {
        let grammar = toy::grammar();
        let tree = toy::tree("(block [Pass])");
        let mut labels = tree.labels().to_vec();
        labels.pop();
        let check = |labels: &[Label], expected: &str| {
            let error = Tree::from_labels(&grammar, grammar.root(), labels).unwrap_err();
            assert_eq!(error.to_string(), expected);
        };
        check(&labels, "expected stmt* at node 3, found the end");
        labels.push(Label::Text(Text::new("x")));
        check(&labels, "expected stmt* at node 3, found text \"x\"");
        let mut labels = tree.labels().to_vec();
        labels.push(Label::Reference(7));
        check(&labels, "expected 4 nodes, found 5");
        check(
            &[Label::Production(ProductionId::new(999))],
            "expected block at node 0, found ProductionId(999)",
        );
    }
}
