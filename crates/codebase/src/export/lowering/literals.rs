//! What the tools cannot say, or what is written in many ways: a metavariable with a constraint.

use patois_syntax::{FragmentNode, Label, NodeId};

use super::{LITERAL, Literal, Lowering, Tool};

impl Lowering<'_> {
    /// A metavariable for a literal.
    pub(super) fn constrained(&mut self, literal: Literal) -> String {
        if matches!(
            &literal,
            Literal::String(Some(_)) | Literal::Integer(Some(_))
        ) {
            self.n_fixed_texts += 1;
        }
        let name = self.next_literal();
        self.constraints.push((name.clone(), literal));
        format!("${name}")
    }

    pub(super) fn next_literal(&mut self) -> String {
        self.n_literals += 1;
        format!("{LITERAL}{}", self.n_literals)
    }

    /// What a node becomes that the tool cannot say, or that is written in many ways.
    pub(super) fn literal(&self, node: NodeId) -> Option<Literal> {
        if !self.is_python {
            return None;
        }
        let constructor = self.nodes.constructor(node)?;
        let is_ast_grep = self.tool == Tool::AstGrep;
        if is_ast_grep && constructor == "Expr" {
            let value = self.nodes.constructor(self.first_child(node)?)?;
            return matches!(value, "Str" | "FString" | "Bytes").then_some(Literal::Alone);
        }
        if self.nodes.ty(node) != "expr" {
            return None;
        }
        let is_open = |field: &str| self.is_open(node, field);
        let kinds: &'static [&'static str] = match constructor {
            "Str" if is_ast_grep => return Some(Literal::String(self.text_of(node))),
            "Int" if is_ast_grep => return Some(Literal::Integer(self.text_of(node))),
            "FString" | "TString" => return Some(Literal::String(None)),
            "Bytes" if is_ast_grep => return Some(Literal::String(None)),
            "Float" if is_ast_grep => &["float"],
            "Imaginary" if is_ast_grep => &["integer", "float"],
            "Dict" if self.has_hole_item(node) => &["dictionary"],
            "ListComp" if is_open("generators") => &["list_comprehension"],
            "SetComp" if is_open("generators") => &["set_comprehension"],
            "DictComp" if is_open("generators") => &["dictionary_comprehension"],
            "Compare" if is_open("comparisons") => &["comparison_operator"],
            "And" | "Or" if is_open("rest") => &["boolean_operator"],
            "BinOp" if is_open("op") => &["binary_operator"],
            "UnaryOp" if is_open("op") => &["unary_operator", "not_operator"],
            _ => return None,
        };
        Some(Literal::Kinds(kinds))
    }

    /// The text that a literal holds, where it is no hole.
    fn text_of(&self, node: NodeId) -> Option<String> {
        match self.nodes.fragment.node(self.first_child(node)?) {
            FragmentNode::Fixed(Label::Text(text)) => Some(text.to_string()),
            _ => None,
        }
    }

    fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.nodes.fragment.children(node).next()
    }

    /// Whether a field of a node holds a hole that is not for an expression: for part of a list, an
    /// operator, a clause.
    fn is_open(&self, node: NodeId, field: &str) -> bool {
        let nodes = &self.nodes;
        let (start, end) = (node.index() + 1, nodes.end(node).index());
        (start..end).map(NodeId::new).any(|it| {
            let is_there = nodes.owner(it).is_some_and(|owner| {
                owner.node == node && owner.field == field
                    || owner.field == "conditions" && nodes.is_list(it)
            });
            nodes.is_hole(it) && is_there && (nodes.is_list(it) || nodes.ty(it) != "expr")
        })
    }

    /// Whether an item of a dictionary is a hole, or all of them are.
    fn has_hole_item(&self, node: NodeId) -> bool {
        let Some(items) = self.first_child(node) else {
            return false;
        };
        let (items, rest) = self.nodes.list(items);
        let is_hole = |it: &NodeId| self.nodes.is_hole(*it);
        items.iter().any(is_hole) || items.is_empty() && is_hole(&rest)
    }
}
