//! Calls whose only argument may be a generator, which does without brackets of its own.

use patois_syntax::NodeId;

use super::{Item, Lowering, Tool};

impl Lowering<'_> {
    /// The function of a call whose arguments may be nothing but a generator.
    pub(super) fn generated(&mut self, node: NodeId) -> Option<Vec<String>> {
        let function = self.function_of_generator(node)?;
        let before = self.progress();
        let function = self.item(function);
        self.go_back_to(before);
        match function {
            Item::Code(code) => Some(code.texts),
            Item::Anything | Item::Literal(_) => Some(vec!["$FUNCTION".to_owned()]),
        }
    }

    fn function_of_generator(&self, node: NodeId) -> Option<NodeId> {
        let nodes = &self.nodes;
        let is_call = self.is_python && nodes.constructor(node) == Some("Call");
        if !is_call || self.tool != Tool::AstGrep {
            return None;
        }
        let mut parts = nodes.fragment.children(node);
        let (function, arguments) = (parts.next()?, parts.next()?);
        let is_one = match nodes.list(arguments) {
            (items, rest) if items.is_empty() => nodes.is_hole(rest),
            (items, _) => {
                let is_generator = nodes.constructor(items[0]) == Some("GeneratorExp");
                items.len() == 1 && (is_generator || nodes.is_hole(items[0]))
            }
        };
        let has_keywords = parts.any(|it| nodes.cell(it).is_some());
        (is_one && !has_keywords).then_some(function)
    }
}
