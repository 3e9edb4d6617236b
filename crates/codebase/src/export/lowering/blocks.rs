//! Parts that are better said one by one: statements of blocks, decorators.

use patois_syntax::{NodeId, ProductionId};

use super::nodes::Owner;
use super::{Block, Item, Literal, Lowering, Place, Tool};

impl Lowering<'_> {
    /// The metavariable for a `match`, which is code of its own: none stands for all of its arms.
    pub(super) fn match_metavariable(&mut self, node: NodeId) -> Option<String> {
        let constructor = self.nodes.constructor(node)?;
        if self.tool != Tool::AstGrep || !constructor.starts_with("match_expression") {
            return None;
        }
        let before = self.progress();
        let Ok(code) = self.code(node) else {
            self.go_back_to(before);
            return None;
        };
        Some(self.constrained(Literal::Code(Box::new(code))))
    }

    /// The tool's name for the block whose statements a node is, where they are better said one by
    /// one: comments may stand between them.
    pub(super) fn block_kind(&self, node: NodeId) -> Option<&'static str> {
        let nodes = &self.nodes;
        let (item, rest) = nodes.cell(node).filter(|_| self.tool == Tool::AstGrep)?;
        if nodes.is_rest(node) {
            return None;
        }
        let Owner {
            constructor, field, ..
        } = nodes.owner(node)?;
        if !self.is_python {
            let kind = constructor.split(' ').next();
            return kind.filter(|it| is_block(it, self.subject.language.name()));
        }
        // An `elif` is an `if` that is all of the `else`.
        let is_elif = constructor == "If"
            && field == "orelse"
            && nodes.constructor(item) == Some("If")
            && nodes.cell(rest).is_none();
        (nodes.ty(node) == "stmt" && !is_elif).then_some("block")
    }

    /// The statements that a node begins; what the tool cannot say of them may be anything.
    pub(super) fn block(&mut self, root: NodeId, node: NodeId, kind: &'static str) -> Block {
        let place = match self.nodes.owner(node) {
            Some(it) if it.node == root && !self.is_python => Place::Itself,
            Some(it) if it.node == root && it.field == "body" => Place::Body,
            _ => Place::Within,
        };
        let (items, rest) = self.nodes.list(node);
        self.depth += 1;
        let mut items: Vec<Item> = items.into_iter().map(|it| self.item(it)).collect();
        self.depth -= 1;
        let is_open = self.nodes.is_hole(rest);
        while is_open && matches!(items.last(), Some(Item::Anything)) {
            items.pop();
        }
        Block {
            place,
            kind,
            items,
            // The methods of a class are programs of their own.
            is_closed: !is_open && self.nodes.constructor(root) != Some("ClassDef"),
        }
    }

    /// Whether a node is the rest of a list of statements that may be any: nothing is lost where a
    /// metavariable for a list stands for all of them.
    pub(super) fn is_open_block(&self, node: NodeId) -> bool {
        let nodes = &self.nodes;
        let is_block = nodes.ty(node) == "stmt" && nodes.cell(node).is_some();
        is_block && nodes.items(node).all(|it| nodes.is_single_hole(it))
    }

    /// The decorators that a node is the list of, and the list without any.
    pub(super) fn decorators(
        &mut self,
        root: NodeId,
        node: NodeId,
    ) -> Option<(ProductionId, Vec<Item>)> {
        self.nodes
            .cell(node)
            .filter(|_| self.tool == Tool::AstGrep)?;
        let owner = self.nodes.owner(node)?;
        if owner.node != root || owner.field != "decorators" || self.nodes.is_rest(node) {
            return None;
        }
        let none = self.nodes.empty(node)?;
        let (items, _) = self.nodes.list(node);
        let items = items.into_iter().map(|it| self.item(it));
        Some((none, items.collect()))
    }
}

/// What the arms of a `match` are in.
const MATCH_BLOCK: &str = "match_block";

/// Whether a node of this kind has parts that comments may stand between.
fn is_block(kind: &str, language: &str) -> bool {
    match kind {
        "statement_block" | "block" | "statement_list" | MATCH_BLOCK => true,
        // Elsewhere a metavariable is no field.
        "field_declaration_list" => language == "go",
        _ => false,
    }
}
