//! Expressions that may stand in brackets which are not there to us.

use patois_syntax::NodeId;

use super::nodes::Owner;
use super::{Literal, Lowering, MAX_DEPTH, Tool};

impl Lowering<'_> {
    /// Whether there is such an expression below a node, not counting the statements in it: these are
    /// looked at one by one.
    pub(super) fn has_bracketed(&self, root: NodeId) -> bool {
        let mut node = NodeId::new(root.index() + 1);
        while node < self.nodes.end(root) {
            if self.may_be_bracketed(node) {
                return true;
            }
            node = match self.block_kind(node) {
                Some(_) => self.nodes.end(node),
                None => NodeId::new(node.index() + 1),
            };
        }
        false
    }

    /// Whether an expression may stand in brackets that are not there to us, or do without those that
    /// we write. All may; these are the ones that people write so.
    pub(super) fn may_be_bracketed(&self, node: NodeId) -> bool {
        if !self.is_python || self.tool != Tool::AstGrep || self.depth > MAX_DEPTH {
            return false;
        }
        let constructor = self.nodes.constructor(node);
        let constructor = constructor.filter(|_| self.literal(node).is_none());
        let (Some(constructor), Some(owner)) = (constructor, self.nodes.owner(node)) else {
            return false;
        };
        let is_type = matches!(owner.field, "annotation" | "returns" | "decorators");
        match self.nodes.ty(node) {
            "target" => constructor == "Tuple",
            "expr" => !is_type && is_written_in_brackets(constructor, &owner),
            _ => false,
        }
    }

    /// The metavariable for an expression that may stand in brackets.
    pub(super) fn bracketed(&mut self, node: NodeId) -> String {
        let n_constraints = self.constraints.len();
        self.depth += 1;
        let code = self.code(node);
        self.depth -= 1;
        let literals = self.constraints.split_off(n_constraints);
        let name = self.next_literal();
        if let Ok(mut code) = code {
            code.literals.extend(literals);
            let literal = Literal::Bracketed(Box::new(code));
            self.constraints.push((name.clone(), literal));
        }
        format!("${name}")
    }
}

/// Whether people write such an expression in brackets where it stands.
fn is_written_in_brackets(constructor: &str, owner: &Owner) -> bool {
    let is_head = match owner.field {
        "function" => true,
        "value" => matches!(
            owner.constructor,
            "Attribute" | "Subscript" | "SubscriptSlice" | "SubscriptSlices" | "Expr" | "Await"
        ),
        _ => false,
    };
    match constructor {
        "And" | "Or" | "BinOp" | "UnaryOp" | "Compare" | "IfExp" | "Lambda" | "Await" | "Tuple" => {
            true
        }
        "Yield" | "YieldFrom" => owner.constructor != "Expr",
        "Call" | "CallUnpack" | "Attribute" | "Subscript" | "SubscriptSlice" | "ListComp"
        | "SetComp" | "DictComp" | "List" | "Dict" => !is_head,
        "Name" | "None" | "True" | "False" => matches!(
            owner.constructor,
            "Return" | "If" | "While" | "Assert" | "UnaryOp"
        ),
        _ => false,
    }
}
