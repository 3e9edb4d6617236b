//! A fragment, and what is around each of its nodes.

use std::iter::successors;

use patois_syntax::{
    Fragment, FragmentNode, Grammar, Label, NodeId, Production, ProductionId, SymbolKind,
};

/// A fragment, and what is around each of its nodes.
pub(super) struct Nodes<'s> {
    grammar: &'s Grammar,
    pub(super) fragment: &'s Fragment,
    parents: Vec<Option<NodeId>>,
    /// For each node the constructor above it, and the index of the field that it is in.
    owners: Vec<Option<(NodeId, usize)>>,
    /// For each hole, at how many nodes it is.
    n_of_holes: Vec<usize>,
}

/// The constructor that a node is part of.
pub(super) struct Owner {
    pub(super) node: NodeId,
    pub(super) constructor: &'static str,
    /// The field that the part is in.
    pub(super) field: &'static str,
}

impl<'s> Nodes<'s> {
    pub(super) fn new(grammar: &'s Grammar, fragment: &'s Fragment) -> Nodes<'s> {
        let mut nodes = Nodes {
            grammar,
            fragment,
            parents: fragment.parents(),
            owners: vec![None; fragment.n_nodes()],
            n_of_holes: vec![0; fragment.n_holes()],
        };
        for node in fragment.nodes() {
            if let FragmentNode::Hole(hole) = node {
                nodes.n_of_holes[hole.index()] += 1;
            }
        }
        // Nodes come after those above them, so that cells of long lists have handed down theirs.
        for parent in (0..fragment.n_nodes()).map(NodeId::new) {
            let is_constructor = nodes.constructor(parent).is_some();
            let above = nodes.owners[parent.index()];
            for (index, child) in fragment.children(parent).enumerate() {
                nodes.owners[child.index()] = if is_constructor {
                    Some((parent, index))
                } else {
                    above
                };
            }
        }
        nodes
    }

    /// The node behind all that are below this one.
    pub(super) fn end(&self, node: NodeId) -> NodeId {
        self.fragment.end(node)
    }

    pub(super) fn is_hole(&self, node: NodeId) -> bool {
        matches!(self.fragment.node(node), FragmentNode::Hole(_))
    }

    /// Whether a node is a hole that is at no other node.
    pub(super) fn is_single_hole(&self, node: NodeId) -> bool {
        match self.fragment.node(node) {
            FragmentNode::Hole(hole) => self.n_of_holes[hole.index()] == 1,
            FragmentNode::Fixed(_) => false,
        }
    }

    pub(super) fn ty(&self, node: NodeId) -> &'static str {
        self.grammar.symbol_type(self.fragment.symbol(node))
    }

    pub(super) fn kind(&self, node: NodeId) -> SymbolKind {
        self.grammar.symbol_kind(self.fragment.symbol(node))
    }

    /// Whether a node stands for a list.
    pub(super) fn is_list(&self, node: NodeId) -> bool {
        matches!(
            self.kind(node),
            SymbolKind::Many(_) | SymbolKind::NonEmpty(..)
        )
    }

    pub(super) fn constructor(&self, node: NodeId) -> Option<&'static str> {
        let id = self.production(node)?;
        self.grammar.constructor(id).map(|it| it.name)
    }

    /// The constructor above a node.
    pub(super) fn owner(&self, node: NodeId) -> Option<Owner> {
        let (owner, index) = self.owners[node.index()]?;
        let constructor = self.grammar.constructor(self.production(owner)?)?;
        Some(Owner {
            node: owner,
            constructor: constructor.name,
            field: constructor.fields[index].name,
        })
    }

    /// The item and the rest of a cell of a list.
    pub(super) fn cell(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        let production = self.grammar.production(self.production(node)?);
        let mut children = self.fragment.children(node);
        let (item, rest) = (children.next()?, children.next()?);
        production.kind.is_cell().then_some((item, rest))
    }

    /// The items from a node on, which is a list.
    pub(super) fn items(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let cells = successors(self.cell(node), |&(_, rest)| self.cell(rest));
        cells.map(|(item, _)| item)
    }

    /// The items from a node on, which is a list, and the rest of it.
    pub(super) fn list(&self, node: NodeId) -> (Vec<NodeId>, NodeId) {
        let mut items = Vec::new();
        let mut at = node;
        while let Some((item, rest)) = self.cell(at) {
            items.push(item);
            at = rest;
        }
        (items, at)
    }

    /// Whether a node is what follows an item of a list.
    pub(super) fn is_rest(&self, node: NodeId) -> bool {
        self.parents[node.index()].is_some_and(|it| self.cell(it).is_some())
    }

    /// How the list or option that a node stands for may be empty.
    pub(super) fn empty(&self, node: NodeId) -> Option<ProductionId> {
        self.cell_with(node, |it| it.rhs.is_empty())
    }

    /// How the option that a node stands for may hold something.
    pub(super) fn present(&self, node: NodeId) -> Option<ProductionId> {
        self.cell_with(node, |it| it.rhs.len() == 1)
    }

    fn cell_with(&self, node: NodeId, is_it: fn(&Production) -> bool) -> Option<ProductionId> {
        let expansions = self.grammar.expansions(self.fragment.symbol(node)).iter();
        let mut cells = expansions.filter(|&&it| self.grammar.constructor(it).is_none());
        cells
            .find(|&&it| is_it(self.grammar.production(it)))
            .copied()
    }

    fn production(&self, node: NodeId) -> Option<ProductionId> {
        match self.fragment.node(node) {
            FragmentNode::Fixed(Label::Production(id)) => Some(id),
            _ => None,
        }
    }
}
