//! Where the nodes of a tree stand in the source that it was parsed from.

use std::ops::Range;

use crate::ids::NodeId;
use crate::{Ast, Fragment, FragmentNode, Grammar, Label, Tree};

/// A stretch of source text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of a range.
    ///
    /// # Panics
    ///
    /// When the range ends behind 4 GiB, which languages refuse to parse.
    pub fn new(range: Range<usize>) -> Span {
        let offset = |at: usize| u32::try_from(at).expect("sources are smaller than 4 GiB");
        Span {
            start: offset(range.start),
            end: offset(range.end),
        }
    }

    /// As a range, to cut the text out of its source.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether `other` lies in this one.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that both lie in.
    #[must_use]
    pub fn join(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// The spans of a tree: one for each node that a constructor made, eight bytes each.
///
/// Those of all nodes follow from them: [`Spans::of_nodes`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans(Box<[Span]>);

/// A node that stands nowhere: it was added to the tree.
const NOWHERE: Span = Span {
    start: u32::MAX,
    end: 0,
};

impl Spans {
    /// The spans of the tree that a grammar makes of `ast`.
    pub fn of(ast: &Ast) -> Spans {
        let mut spans = Vec::new();
        let mut open = vec![ast];
        while let Some(ast) = open.pop() {
            spans.push(ast.span.unwrap_or(NOWHERE));
            open.extend(ast.nodes().rev());
        }
        Spans(spans.into())
    }

    /// The spans of all nodes.
    ///
    /// A cell of a list spans its items, and a node without a place of its own its children. The
    /// place of a text is known where it is all that there is of a node, such as a name.
    ///
    /// # Panics
    ///
    /// When the spans are those of another tree.
    pub fn of_nodes(&self, grammar: &Grammar, tree: &Tree) -> NodeSpans {
        let mut known = self.0.iter().rev();
        let mut spans = vec![NOWHERE; tree.n_nodes()];
        for node in tree.nodes().rev() {
            let Label::Production(id) = tree.label(node) else {
                continue;
            };
            let is_node = grammar.constructor(id).is_some();
            let own = match is_node.then(|| known.next().expect("spans of this very tree")) {
                Some(span) if *span != NOWHERE => *span,
                _ => tree
                    .children(node)
                    .fold(NOWHERE, |hull, child| hull.join(spans[child.index()])),
            };
            spans[node.index()] = own;
            let mut children = tree.children(node);
            if let (Some(only), None) = (children.next(), children.next())
                && matches!(tree.label(only), Label::Text(_))
            {
                spans[only.index()] = own;
            }
        }
        NodeSpans(spans)
    }
}

/// The spans of all nodes of a tree.
#[derive(Clone, Debug)]
pub struct NodeSpans(Vec<Span>);

impl NodeSpans {
    /// Where a node stands, if it stands anywhere.
    pub fn get(&self, node: NodeId) -> Option<Span> {
        let span = self.0[node.index()];
        (span.start <= span.end).then_some(span)
    }

    /// Where an occurrence of a fragment stands: what fills its holes included, save for the rest of
    /// a list that it begins.
    pub fn of_occurrence(
        &self,
        grammar: &Grammar,
        fragment: &Fragment,
        tree: &Tree,
        root: NodeId,
    ) -> Option<Span> {
        let mut hull: Option<Span> = None;
        let (mut part, mut node) = (NodeId::new(0), root);
        // Down the cells of a list.
        while let FragmentNode::Fixed(label) = fragment.node(part) {
            let is_cell = match label {
                Label::Production(id) => grammar.production(id).kind.is_cell(),
                Label::Text(_) | Label::Reference(_) => false,
            };
            if !is_cell {
                return join(hull, self.get(node));
            }
            let item = NodeId::new(node.index() + 1);
            hull = join(hull, self.get(item));
            node = tree.end(item);
            part = fragment.end(NodeId::new(part.index() + 1));
        }
        hull
    }
}

fn join(one: Option<Span>, other: Option<Span>) -> Option<Span> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.join(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Field, toy};

    fn at(ast: Ast, start: usize, end: usize) -> Ast {
        ast.at(Span::new(start..end))
    }

    /// `x = y; pass; pass`
    fn program() -> Ast {
        let name = at(
            Ast::new("expr", "Name", vec![Field::one("id", "name", "y")]),
            4,
            5,
        );
        let assign = vec![
            Field::one("target", "name", "x"),
            Field::one("value", "expr", name),
        ];
        let pass = |start| at(Ast::new("stmt", "Pass", vec![]), start, start + 4);
        let body = [
            at(Ast::new("stmt", "Assign", assign), 0, 5),
            pass(7),
            pass(13),
        ];
        Ast::new("block", "block", vec![Field::many("body", "stmt", body)])
    }

    #[test]
    fn every_node_stands_where_its_text_is() {
        let grammar = toy::grammar();
        let ast = program();
        let tree = grammar.tree(&ast).unwrap();
        assert_eq!(
            tree,
            toy::tree("(block [(Assign \"x\" (Name \"y\")) Pass Pass])")
        );
        let spans = Spans::of(&ast).of_nodes(&grammar, &tree);
        let found: Vec<Option<Range<usize>>> = tree
            .nodes()
            .map(|node| spans.get(node).map(Span::range))
            .collect();
        let expected = [
            Some(0..17),  // block
            Some(0..17),  // all statements
            Some(0..5),   // x = y
            None,         // x, somewhere in there
            Some(4..5),   // y
            Some(4..5),   // its name
            Some(7..17),  // both pass
            Some(7..11),  // pass
            Some(13..17), // the last one
            Some(13..17),
            None, // the end of the list
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_rest_of_a_list_is_not_part_of_an_occurrence() {
        let grammar = toy::grammar();
        let ast = program();
        let tree = grammar.tree(&ast).unwrap();
        let spans = Spans::of(&ast).of_nodes(&grammar, &tree);
        let check = |notation: &str, expected: Range<usize>| {
            let fragment = Fragment::parse(&grammar, notation).unwrap();
            let (root, _) = fragment.occurrences(&tree).next().unwrap();
            let found = spans.of_occurrence(&grammar, &fragment, &tree, root);
            assert_eq!(found.map(Span::range), Some(expected), "{notation}");
        };
        check("(Assign ?0 ?1)", 0..5);
        check("stmt*:[?0 Pass | ?1]", 0..11);
        check("stmt*:[Pass | ?0]", 7..11);
        check("stmt*:[Pass Pass]", 7..17);
        check("(block ?0)", 0..17);
    }
}
