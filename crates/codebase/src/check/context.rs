//! Contexts: what code looks like around a part of it, as numbers that can be counted.
//!
//! A context begins at a [`Head`], a construct and a name in it that is not local: `$f.send(...)`, `timeout=$value`. It
//! goes down to a part, with the nodes on the way and the names beside them; all else is a hole. So
//! a context is a fragment with one hole that counts, and what fills that hole is the part's label.
//! Parts may also lie outside: what stands around a call, and the statements before and behind it.

mod excuse;
mod kinds;
mod mixing;
mod outside;

use std::hash::{Hash as _, Hasher as _};

use patois_syntax::{Grammar, Label, NodeId, SymbolKind, Tree};

use super::tally::Place;
pub(super) use kinds::{Kind, Kinds};
use mixing::Mix;
pub(super) use mixing::mixed;

/// How many constructs a part lies below the head of a call at most.
const MAX_CALL_DEPTH: usize = 6;
/// The same, below other heads.
const MAX_DEPTH: usize = 2;
/// How many parts a head of a call has at most.
const MAX_CALL_PARTS: usize = 40;
/// The same, for other heads.
const MAX_PARTS: usize = 10;
/// How many constructs small constructs are deep.
const MAX_SKELETON_DEPTH: usize = 4;
/// How many nodes they have at most.
const MAX_SKELETON: usize = 22;
/// What is called is at most so large.
const MAX_CALLEE: usize = 14;

/// Where a part is, as seen from its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Aspect {
    /// Below the head.
    Inside,
    /// The construct that holds the head.
    Around,
    /// The construct that holds the one around the head.
    Above,
    /// The statement behind the one of the head.
    Next,
    /// The statement before the one of the head.
    Previous,
}

impl Aspect {
    const OUTSIDE: [(Aspect, &'static str); 4] = [
        (Aspect::Around, "around"),
        (Aspect::Above, "above"),
        (Aspect::Next, "next"),
        (Aspect::Previous, "previous"),
    ];

    /// How it is written.
    pub(super) fn name(self) -> &'static str {
        let mut all = Aspect::OUTSIDE.into_iter();
        all.find(|it| it.0 == self).map_or("inside", |it| it.1)
    }

    /// The one outside of a head that is written so.
    pub(super) fn named(name: &str) -> Option<Aspect> {
        let mut all = Aspect::OUTSIDE.into_iter();
        all.find(|it| it.1 == name).map(|it| it.0)
    }
}

/// A node of a small construct.
struct Bone {
    node: NodeId,
    depth: usize,
    /// Where it is below the root, as a number.
    path: u64,
    hash: u64,
    is_name: bool,
}

/// Variants above this are small constructs as a whole, down to as many constructs.
pub(super) const SKELETON: u8 = 8;

/// What fills a part that is a local name, whichever.
pub(super) const LOCAL: u64 = 1;

/// A construct and the names in it that a context begins with.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) root: NodeId,
    /// Nodes that are part of the context, in preorder; the first is the root.
    pub(super) fixed: Vec<NodeId>,
    pub(super) key: u64,
    pub(super) is_call: bool,
    /// Whether it leaves open whose function is called.
    pub(super) is_open: bool,
    /// Which of the heads at this root.
    pub(super) variant: u8,
}

/// A part of a program in one of its contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) aspect: Aspect,
    pub(super) variant: u8,
    pub(super) root: NodeId,
    /// The node of the part; what is around the head, or the cell of a neighbour. The root where there is none.
    pub(super) part: NodeId,
    pub(super) context: u64,
    pub(super) filling: u64,
    /// Whether the context leaves open whose function is called, and the part is not about that.
    pub(super) is_open: bool,
}

/// A program, with what contexts need to know of it.
pub(super) struct Program<'a> {
    pub(super) grammar: &'a Grammar,
    pub(super) kinds: &'a Kinds,
    pub(super) tree: &'a Tree,
    /// Names that are local to a function, in preorder.
    pub(super) locals: Vec<NodeId>,
    pub(super) parents: Vec<Option<NodeId>>,
}

impl<'a> Program<'a> {
    pub(super) fn new(
        grammar: &'a Grammar,
        kinds: &'a Kinds,
        tree: &'a Tree,
        locals: Vec<NodeId>,
    ) -> Program<'a> {
        Program {
            grammar,
            kinds,
            tree,
            locals,
            parents: tree.parents(),
        }
    }

    /// Calls `emit` with every part in each of its contexts.
    pub(super) fn observe(&self, mut emit: impl FnMut(Seen)) {
        // What is in something dull is dull.
        let mut dull_until = self.tree.root();
        for root in self.tree.nodes() {
            if self.is_dull(root) {
                dull_until = dull_until.max(self.tree.end(root));
            }
            if root < dull_until {
                continue;
            }
            self.skeletons(root, &mut emit);
            for head in self.heads(root) {
                self.inside(&head, &mut emit);
                if head.is_call {
                    self.around(&head, &mut emit);
                    self.beside(&head, &mut emit);
                }
            }
        }
    }

    /// The heads at a node: one with the name that says what is called, and one with all names of the callee.
    pub(super) fn heads(&self, root: NodeId) -> Vec<Head> {
        match self.kinds.at(self.tree, root) {
            Some(Kind::Call) => self.heads_of_call(root),
            Some(Kind::Construct) => self.head_of_names(root).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn heads_of_call(&self, root: NodeId) -> Vec<Head> {
        let tree = self.tree;
        let callees = callees(self.grammar, tree, root);
        let names = callees.iter().rev();
        let mut names = names.filter_map(|&callee| self.last_name(callee));
        let Some(name) = names.next() else {
            return Vec::new();
        };
        let mut short = self.head(root, vec![root], &[name], 0);
        let (Some(&first), Some(&last)) = (callees.first(), callees.last()) else {
            return vec![short];
        };
        let n_nodes = tree.end(last).index() - first.index();
        short.is_open = n_nodes > 2;
        if n_nodes > MAX_CALLEE {
            return vec![short];
        }
        let fixed = (first.index()..tree.end(last).index()).map(NodeId::new);
        let fixed: Vec<NodeId> = fixed.filter(|it| !self.is_local(*it)).collect();
        let mut long = self.head(root, vec![root], &fixed, 1);
        long.is_open = fixed.len() < n_nodes;
        if long.fixed == short.fixed {
            return vec![short];
        }
        vec![short, long]
    }

    /// The head of a construct that has names for children, and something else.
    fn head_of_names(&self, root: NodeId) -> Option<Head> {
        let names: Vec<NodeId> = self
            .tree
            .children(root)
            .filter_map(|child| self.name_of(child))
            .filter(|it| is_telling(self.tree.label(*it)))
            .collect();
        let n_children = self.tree.children(root).count();
        if names.is_empty() || names.len() == n_children {
            return None;
        }
        let mut head = self.head(root, vec![root], &names, 0);
        head.is_call = false;
        Some(head)
    }

    /// A head with the nodes that lead to the given ones.
    fn head(&self, root: NodeId, mut fixed: Vec<NodeId>, wanted: &[NodeId], variant: u8) -> Head {
        for &node in wanted {
            let mut node = node;
            while node != root {
                fixed.push(node);
                node = self.parents[node.index()].expect("the root is above");
            }
        }
        fixed.sort_unstable();
        fixed.dedup();
        let mut hash = Mix::default();
        for node in &fixed {
            // Where a node is below the root: by its parent among the fixed ones and its number there.
            let parent = self.parents[node.index()].filter(|_| *node != root);
            let index = parent.map_or(0, |it| self.child_index(it, *node));
            (index, self.tree.label(*node)).hash(&mut hash);
        }
        Head {
            root,
            fixed,
            key: hash.finish(),
            is_call: true,
            is_open: false,
            variant,
        }
    }

    /// The last name below a node that is not local.
    fn last_name(&self, node: NodeId) -> Option<NodeId> {
        let nodes = (node.index()..self.tree.end(node).index()).map(NodeId::new);
        let last = nodes.rev().take(MAX_CALLEE);
        let mut texts = last.filter(|it| matches!(self.tree.label(*it), Label::Text(_)));
        let name = texts.next().filter(|it| !self.is_local(*it));
        name.filter(|it| is_telling(self.tree.label(*it)))
    }

    /// The name that a child is, or that is all there is of it; none where it is local.
    fn name_of(&self, child: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        let text = match tree.label(child) {
            Label::Text(_) => child,
            Label::Production(_) if tree.end(child).index() == child.index() + 2 => {
                NodeId::new(child.index() + 1)
            }
            _ => return None,
        };
        let is_text = matches!(tree.label(text), Label::Text(_));
        (is_text && !self.is_local(text)).then_some(text)
    }

    pub(super) fn is_local(&self, node: NodeId) -> bool {
        self.locals.binary_search(&node).is_ok()
    }

    fn child_index(&self, parent: NodeId, child: NodeId) -> usize {
        let mut children = self.tree.children(parent);
        children.position(|it| it == child).unwrap_or(0)
    }

    fn inside(&self, head: &Head, emit: &mut impl FnMut(Seen)) {
        let (max_depth, mut n_left) = if head.is_call {
            (MAX_CALL_DEPTH, MAX_CALL_PARTS)
        } else {
            (MAX_DEPTH, MAX_PARTS)
        };
        let tree = self.tree;
        let arguments = self.arguments(head.root);
        let mut open = vec![(head.root, head.key, 0)];
        while let Some((node, key, depth)) = open.pop() {
            let names = self.names_beside(node);
            let deeper =
                depth + usize::from(!matches!(self.kinds.at(tree, node), Some(Kind::Cell)));
            let first = open.len();
            for (index, child) in tree.children(node).enumerate() {
                let beside = names
                    .iter()
                    .filter(|it| it.0 != child)
                    .fold(0, |sum, it| sum ^ it.1);
                let context = mixed(&(key, index, beside));
                let label = tree.label(child);
                if head.fixed.binary_search(&child).is_err() {
                    if n_left == 0 {
                        return;
                    }
                    n_left -= 1;
                    emit(Seen {
                        aspect: Aspect::Inside,
                        variant: head.variant,
                        is_open: head.is_open && child >= arguments,
                        root: head.root,
                        part: child,
                        context,
                        filling: self.filling(child),
                    });
                }
                let is_block = self.kinds.at(tree, child) == Some(Kind::StatementCell);
                if matches!(label, Label::Production(_)) && !is_block && deeper <= max_depth {
                    open.push((child, mixed(&(context, self.filling(child))), deeper));
                }
            }
            open[first..].reverse();
        }
    }

    /// Small constructs as a whole: all that they are but one part.
    fn skeletons(&self, root: NodeId, emit: &mut impl FnMut(Seen)) {
        let is_construct = matches!(
            self.kinds.at(self.tree, root),
            Some(Kind::Call | Kind::Construct)
        );
        if !is_construct {
            return;
        }
        let is_call = self.kinds.is_call(self.tree.label(root));
        let all = self.skeleton(root);
        let mut n_before = 0;
        for depth in 1..=MAX_SKELETON_DEPTH {
            let nodes: Vec<&Bone> = all.iter().filter(|it| it.depth <= depth).collect();
            if nodes.len() == n_before || nodes.len() > MAX_SKELETON {
                return;
            }
            n_before = nodes.len();
            let sum = nodes
                .iter()
                .fold(0_u64, |sum, it| sum.wrapping_add(it.hash));
            let arguments = is_call.then(|| self.arguments(root));
            let n_names = nodes.iter().filter(|it| it.is_name).count();
            for (index, bone) in nodes.iter().enumerate().skip(1) {
                let end = self.tree.end(bone.node);
                let own = nodes[index..].iter().take_while(|it| it.node < end);
                let (own, n_own) = own.fold((0_u64, 0), |(sum, n), it| {
                    (sum.wrapping_add(it.hash), n + usize::from(it.is_name))
                });
                if n_names == n_own {
                    continue;
                }
                emit(Seen {
                    aspect: Aspect::Inside,
                    variant: SKELETON + depth as u8,
                    is_open: arguments.is_some_and(|it| bone.node >= it),
                    root,
                    part: bone.node,
                    context: mixed(&(sum.wrapping_sub(own), bone.path, depth)),
                    filling: self.filling(bone.node),
                });
            }
        }
    }

    /// Whether a node is of a construct whose variety means nothing, or in a field of that kind.
    fn is_dull(&self, node: NodeId) -> bool {
        let Label::Production(id) = self.tree.label(node) else {
            return false;
        };
        self.kinds.is_dull[id.index()]
            || self.parents[node.index()].is_some_and(|parent| {
                let Label::Production(parent_id) = self.tree.label(parent) else {
                    return false;
                };
                let fields = &self.kinds.dull_fields[parent_id.index()];
                !fields.is_empty() && fields.contains(&self.child_index(parent, node))
            })
    }

    /// The nodes near a root, without those of blocks.
    fn skeleton(&self, root: NodeId) -> Vec<Bone> {
        let tree = self.tree;
        let mut bones = Vec::new();
        let mut open = vec![(root, 0_u64, 0_usize)];
        while let Some((node, path, depth)) = open.pop() {
            let is_name = is_telling(tree.label(node)) && !self.is_local(node);
            bones.push(Bone {
                node,
                depth,
                path,
                hash: mixed(&(path, self.filling(node))),
                is_name,
            });
            let kind = self.kinds.at(tree, node);
            if kind == Some(Kind::StatementCell) || bones.len() > 4 * MAX_SKELETON {
                continue;
            }
            let deeper = depth + usize::from(kind != Some(Kind::Cell));
            let first = open.len();
            if deeper <= MAX_SKELETON_DEPTH {
                let children = tree.children(node).enumerate();
                open.extend(children.map(|(index, it)| (it, mixed(&(path, index)), deeper)));
                open[first..].reverse();
            }
        }
        bones
    }

    /// Where the arguments of a call begin.
    fn arguments(&self, call: NodeId) -> NodeId {
        let callees = callees(self.grammar, self.tree, call);
        callees.last().map_or(call, |it| self.tree.end(*it))
    }

    /// The names among the children of a construct, each with its number.
    fn names_beside(&self, node: NodeId) -> Vec<(NodeId, u64)> {
        let is_cell = !matches!(
            self.kinds.at(self.tree, node),
            Some(Kind::Call | Kind::Construct)
        );
        if is_cell {
            return Vec::new();
        }
        let children = self.tree.children(node).enumerate();
        let names = children.filter_map(|(index, child)| {
            let name = self.name_of(child)?;
            let labels = (self.tree.label(child), self.tree.label(name));
            Some((child, mixed(&(index, labels))))
        });
        names.collect()
    }

    /// What is at a node, as a number: local names are all the same.
    pub(super) fn filling(&self, node: NodeId) -> u64 {
        match self.tree.label(node) {
            Label::Text(_) if self.is_local(node) => LOCAL,
            label => mixed(&label),
        }
    }

    /// The nodes that a context of this program is made of, in preorder, where its part is inside.
    pub(super) fn context_nodes(
        &self,
        root: NodeId,
        variant: u8,
        part: NodeId,
    ) -> Option<Vec<NodeId>> {
        if variant > SKELETON {
            let depth = usize::from(variant - SKELETON);
            let end = self.tree.end(part);
            let bones = self
                .skeleton(root)
                .into_iter()
                .filter(|it| it.depth <= depth);
            let nodes = bones.map(|it| it.node);
            let kept = nodes.filter(|it| (*it < part || *it >= end) && !self.is_local(*it));
            return Some(kept.collect());
        }
        let heads = self.heads(root);
        let head = heads.iter().find(|it| it.variant == variant)?;
        Some(self.nodes_of_head(head, part))
    }

    /// The context of a part that says no more than what is called.
    pub(super) fn context_of_call(&self, aspect: Aspect, place: Place) -> Option<u64> {
        let call = match aspect {
            Aspect::Inside => self.call_of(place.part).unwrap_or(place.root),
            _ => place.root,
        };
        let heads = self.heads(call);
        let head = heads.iter().find(|it| it.is_call && it.variant == 0)?;
        let mut context = None;
        let mut keep = |seen: Seen| {
            if seen.aspect == aspect && seen.part == place.part {
                context = Some(seen.context);
            }
        };
        match aspect {
            Aspect::Inside => self.inside(head, &mut keep),
            Aspect::Around | Aspect::Above => self.around(head, &mut keep),
            Aspect::Next | Aspect::Previous => self.beside(head, &mut keep),
        }
        context
    }

    fn nodes_of_head(&self, head: &Head, part: NodeId) -> Vec<NodeId> {
        let mut nodes = head.fixed.clone();
        let mut node = part;
        while node != head.root {
            let above = self.parents[node.index()].expect("the root is above");
            nodes.push(above);
            for (child, _) in self.names_beside(above) {
                if child != node {
                    nodes.extend([child, self.name_of(child).expect("a name")]);
                }
            }
            node = above;
        }
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

/// What parts like this one are alike in, whatever the context, as a number.
pub(super) fn class(tree: &Tree, seen: &Seen) -> u64 {
    match (seen.aspect, tree.label(seen.part)) {
        (Aspect::Inside, Label::Text(_)) => mixed(&tree.symbol(seen.part)),
        (Aspect::Inside, _) => mixed(&(tree.symbol(seen.part), seen.filling)),
        (aspect @ (Aspect::Around | Aspect::Above), _) => mixed(&(aspect, seen.filling)),
        (aspect, _) => mixed(&aspect),
    }
}

/// What a call calls: the children before its arguments.
pub(super) fn callees(grammar: &Grammar, tree: &Tree, root: NodeId) -> Vec<NodeId> {
    let n_children = tree.children(root).count();
    let is_list = |node: NodeId| {
        let kind = grammar.symbol_kind(tree.symbol(node));
        matches!(kind, SymbolKind::Many(_) | SymbolKind::NonEmpty(..))
    };
    let before = tree
        .children(root)
        .take(n_children.saturating_sub(1).max(1));
    before.take_while(|it| !is_list(*it)).collect()
}

/// The names of what a call calls: `self.queue.pop`; local names as they are.
pub(super) fn callee_name(grammar: &Grammar, tree: &Tree, root: NodeId) -> String {
    let callees = callees(grammar, tree, root).into_iter();
    let nodes = callees.flat_map(|it| it.index()..tree.end(it).index());
    let texts = nodes.filter_map(|it| match tree.label(NodeId::new(it)) {
        Label::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.take(MAX_CALLEE).collect::<Vec<_>>().join(".")
}

/// Whether a text says something.
pub(super) fn is_telling(label: Label) -> bool {
    match label {
        Label::Text(text) => text.as_str().contains(char::is_alphabetic),
        _ => false,
    }
}
