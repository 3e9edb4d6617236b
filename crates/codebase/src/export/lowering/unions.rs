//! Unions of types: to ast-grep they are operators, or nodes of their own kind where what they begin
//! with has brackets, as in `dict[str, int] | None`.

use patois_syntax::NodeId;

use super::{Literal, Lowering, Tool};

impl Lowering<'_> {
    /// The metavariable for a union that the tool may read in either way.
    pub(super) fn union_metavariable(&mut self, node: NodeId) -> Option<String> {
        if !self.may_be_in_annotation(node) || self.types_of_union(node).is_none() {
            return None;
        }
        let n_constraints = self.constraints.len();
        let code = self.code(node);
        self.constraints.truncate(n_constraints);
        let literal = Literal::Code(Box::new(code.ok()?));
        Some(self.constrained(literal))
    }

    /// The ways to write each type of a union that is no hole, if the tool may read the union in either way.
    pub(super) fn union(&mut self, node: NodeId) -> Option<Vec<Vec<String>>> {
        let types = self.types_of_union(node)?;
        let n_constraints = self.constraints.len();
        let known = types.into_iter().filter_map(|it| {
            let is_known = !self.nodes.is_hole(it);
            is_known.then(|| self.code(it).ok())?.map(|it| it.texts)
        });
        let known = known.collect();
        self.constraints.truncate(n_constraints);
        Some(known)
    }

    /// What a union is made of that the tool may read in either way: it begins with what has brackets, or
    /// may have some.
    fn types_of_union(&self, node: NodeId) -> Option<Vec<NodeId>> {
        if !self.is_python || self.tool != Tool::AstGrep {
            return None;
        }
        let mut types = Vec::new();
        let mut first = node;
        while let Some((left, right)) = self.sides(first) {
            types.push(right);
            first = left;
        }
        let has_brackets = self.nodes.constructor(first) == Some("Subscript");
        let is_either = self.nodes.is_hole(first) || has_brackets;
        let is_union = is_either && !types.is_empty();
        types.push(first);
        is_union.then_some(types)
    }

    /// What is on the left and on the right of a `|`.
    fn sides(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        let nodes = &self.nodes;
        if nodes.constructor(node) != Some("BinOp") {
            return None;
        }
        let mut children = nodes.fragment.children(node);
        let (left, operator, right) = (children.next()?, children.next()?, children.next()?);
        (nodes.constructor(operator) == Some("BitOr")).then_some((left, right))
    }

    /// Whether an expression is in an annotation, or all above it in the idiom might be in one.
    fn may_be_in_annotation(&self, node: NodeId) -> bool {
        let mut at = node;
        while let Some(owner) = self.nodes.owner(at) {
            if matches!(owner.field, "annotation" | "returns") {
                return true;
            }
            if !matches!(owner.constructor, "Subscript" | "Tuple" | "List" | "BinOp") {
                return false;
            }
            at = owner.node;
        }
        true
    }
}
