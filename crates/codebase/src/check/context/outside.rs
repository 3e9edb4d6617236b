//! Parts outside of a head: what stands around it, and the statements beside its own.

use patois_syntax::{Label, NodeId};

use super::{Aspect, Head, Kind, Program, Seen, callees, mixed};

impl Program<'_> {
    pub(super) fn around(&self, head: &Head, emit: &mut impl FnMut(Seen)) {
        let mut context = mixed(&(head.key, Aspect::Around));
        let mut node = head.root;
        for aspect in [Aspect::Around, Aspect::Above] {
            let Some((parent, index)) = self.construct_above(node) else {
                return;
            };
            let filling = mixed(&(self.tree.label(parent), index));
            emit(Seen {
                aspect,
                is_open: head.is_open,
                variant: head.variant,
                root: head.root,
                part: parent,
                context,
                filling,
            });
            context = mixed(&(context, filling));
            node = parent;
        }
    }

    /// The nearest construct above a node, and in which of its children the node is.
    pub(in crate::check) fn construct_above(&self, mut node: NodeId) -> Option<(NodeId, usize)> {
        loop {
            let parent = self.parents[node.index()]?;
            if matches!(
                self.kinds.at(self.tree, parent),
                Some(Kind::Call | Kind::Construct)
            ) {
                return Some((parent, self.child_index(parent, node)));
            }
            node = parent;
        }
    }

    pub(super) fn beside(&self, head: &Head, emit: &mut impl FnMut(Seen)) {
        for aspect in [Aspect::Next, Aspect::Previous] {
            let Some(part) = self.part_beside(head.root, aspect) else {
                return;
            };
            emit(Seen {
                aspect,
                is_open: head.is_open,
                variant: head.variant,
                root: head.root,
                part,
                context: mixed(&(head.key, aspect)),
                filling: if part == head.root {
                    0
                } else {
                    self.outline(part)
                },
            });
        }
    }

    /// What is outside of a head: the construct around it, or the neighbour of its statement, the head
    /// itself where there is none.
    pub(in crate::check) fn part_beside(&self, root: NodeId, aspect: Aspect) -> Option<NodeId> {
        let above = |node| self.construct_above(node).map(|it| it.0);
        match aspect {
            Aspect::Inside => None,
            Aspect::Around => above(root),
            Aspect::Above => above(above(root)?),
            Aspect::Next => {
                let (_, item) = self.statement_of(root)?;
                let rest = self.tree.end(item);
                // An item that is not in a cell with a rest has nothing behind it.
                let is_cell = rest.index() < self.tree.n_nodes()
                    && self.kinds.at(self.tree, rest) == Some(Kind::StatementCell);
                Some(if is_cell {
                    NodeId::new(rest.index() + 1)
                } else {
                    root
                })
            }
            Aspect::Previous => {
                let (cell, _) = self.statement_of(root)?;
                let above = self.parents[cell.index()];
                let before = above.filter(|&above| {
                    let is_cell = self.kinds.at(self.tree, above) == Some(Kind::StatementCell);
                    // The cell is the rest of the list, and not in the item before.
                    is_cell && self.tree.end(NodeId::new(above.index() + 1)) == cell
                });
                Some(before.map_or(root, |it| NodeId::new(it.index() + 1)))
            }
        }
    }

    /// The cell and the item of the statement that a node is in, unless a block of it lies between.
    pub(in crate::check) fn statement_of(&self, mut node: NodeId) -> Option<(NodeId, NodeId)> {
        loop {
            let parent = self.parents[node.index()]?;
            if self.kinds.at(self.tree, parent) == Some(Kind::StatementCell) {
                return Some((parent, node));
            }
            node = parent;
        }
    }

    /// What a statement is, as a number: its kind, and what it calls first.
    pub(super) fn outline(&self, statement: NodeId) -> u64 {
        let call = self.first_call(statement);
        let name = call.map(|it| mixed(&self.called_name(it)));
        mixed(&(self.tree.label(statement), name))
    }

    /// The first call near the beginning of a statement.
    pub(in crate::check) fn first_call(&self, statement: NodeId) -> Option<NodeId> {
        let nodes = (statement.index()..self.tree.end(statement).index()).map(NodeId::new);
        let mut near = nodes.take(24);
        near.find(|it| self.kinds.at(self.tree, *it) == Some(Kind::Call))
    }

    /// The name of what a call calls, without whose it is.
    pub(in crate::check) fn called_name(&self, call: NodeId) -> &'static str {
        let callees = callees(self.grammar, self.tree, call);
        let mut names = callees.iter().rev().filter_map(|it| self.last_name(*it));
        names.next().map_or("", |it| match self.tree.label(it) {
            Label::Text(text) => text.as_str(),
            _ => "",
        })
    }
}
