//! Contexts: what code looks like around a part of it, as numbers that can be counted.
//!
//! A context begins at a [`Head`], a construct and a name in it that is not local: `$f.send(...)`, `timeout=$value`. It
//! goes down to a part, with the nodes on the way and the names beside them; all else is a hole. So
//! a context is a fragment with one hole that counts, and what fills that hole is the part's label.
//! Parts may also lie outside: what stands around a call, and the statements before and behind it.

use std::hash::{Hash, Hasher};

use patois_syntax::{Grammar, Label, NodeId, ProductionId, ProductionKind, SymbolKind, Tree};

use crate::taste::is_call;

/// How many constructs a part lies below the head of a call at most.
const MAX_CALL_DEPTH: usize = 6;
/// The same, below other heads.
const MAX_DEPTH: usize = 2;
/// How many parts a head of a call has at most.
const MAX_CALL_PARTS: usize = 40;
/// The same, for other heads.
const MAX_PARTS: usize = 10;
/// What is called is at most so large.
const MAX_CALLEE: usize = 14;

/// Imports name what they need, in any order.
const DULL: &[&str] = &[
    "import",
    "Import",
    "use_declaration",
    "export",
    "alias",
    "Alias",
];
/// What only makes a statement of an expression, or holds code of any kind.
const PLAIN: &[&str] = &[
    "expression_statement",
    "arrow_function",
    "argument",
    "parenthesized",
    "Module",
    "program",
    "block",
];

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
    /// What parts like this one are alike in, whatever the context.
    pub(super) class: u64,
    /// Whether the context leaves open whose function is called, and the part is not about that.
    pub(super) is_open: bool,
}

/// What the productions of a grammar are.
pub(super) struct Kinds {
    kinds: Vec<Kind>,
    /// Constructs whose variety means nothing.
    is_dull: Vec<bool>,
    /// Constructs that only make a statement of an expression.
    is_plain: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Call,
    Construct,
    /// A cell of a list of statements.
    StatementCell,
    Cell,
    End,
}

impl Kinds {
    pub(super) fn of(grammar: &Grammar) -> Kinds {
        let productions = (0..grammar.n_productions()).map(ProductionId::new);
        let kind = |id: ProductionId| match grammar.production(id).kind {
            ProductionKind::Construct(_) => {
                let name = grammar.constructor(id).map_or("", |it| it.name);
                if is_call(name) {
                    Kind::Call
                } else {
                    Kind::Construct
                }
            }
            ProductionKind::Cons | ProductionKind::First => {
                let ty = grammar.symbol_type(grammar.production(id).lhs);
                if ty.contains("stmt") || ty.contains("statement") {
                    Kind::StatementCell
                } else {
                    Kind::Cell
                }
            }
            ProductionKind::Present => Kind::Cell,
            ProductionKind::Nil | ProductionKind::Absent => Kind::End,
        };
        let name = |id: ProductionId| {
            let name = grammar.constructor(id).map_or("", |it| it.name);
            name.split(' ').next().unwrap_or_default()
        };
        let has = |id: ProductionId, words: &[&str]| words.iter().any(|it| name(id).contains(it));
        Kinds {
            kinds: productions.clone().map(kind).collect(),
            is_dull: productions.clone().map(|it| has(it, DULL)).collect(),
            is_plain: productions
                .map(|it| name(it) == "Expr" || has(it, PLAIN))
                .collect(),
        }
    }

    /// Whether the variety of a construct means nothing.
    fn is_dull(&self, id: ProductionId) -> bool {
        self.is_dull[id.index()]
    }

    /// Whether a construct only makes a statement of an expression, or holds code of any kind.
    pub(super) fn is_plain(&self, label: Label) -> bool {
        match label {
            Label::Production(id) => self.is_plain[id.index()],
            _ => false,
        }
    }

    fn at(&self, tree: &Tree, node: NodeId) -> Option<Kind> {
        match tree.label(node) {
            Label::Production(id) => Some(self.kinds[id.index()]),
            Label::Text(_) | Label::Reference(_) => None,
        }
    }
}

/// A program, with what contexts need to know of it.
pub(super) struct Program<'a> {
    pub(super) grammar: &'a Grammar,
    pub(super) kinds: &'a Kinds,
    pub(super) tree: &'a Tree,
    /// Names that are local to a function, in preorder.
    pub(super) locals: &'a [NodeId],
    pub(super) parents: Vec<Option<NodeId>>,
}

impl<'a> Program<'a> {
    pub(super) fn new(
        grammar: &'a Grammar,
        kinds: &'a Kinds,
        tree: &'a Tree,
        locals: &'a [NodeId],
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
        for root in self.tree.nodes() {
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
        let Label::Production(id) = self.tree.label(root) else {
            return None;
        };
        if self.kinds.is_dull(id) {
            return None;
        }
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
        let arguments = callees(self.grammar, tree, head.root);
        let arguments = arguments.last().map_or(head.root, |it| tree.end(*it));
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
                    let filling = self.filling(child);
                    emit(Seen {
                        aspect: Aspect::Inside,
                        variant: head.variant,
                        is_open: head.is_open && child >= arguments,
                        root: head.root,
                        part: child,
                        context,
                        filling,
                        class: match label {
                            Label::Text(_) => mixed(&tree.symbol(child)),
                            _ => mixed(&(tree.symbol(child), filling)),
                        },
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

    fn around(&self, head: &Head, emit: &mut impl FnMut(Seen)) {
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
                class: mixed(&(aspect, filling)),
            });
            context = mixed(&(context, filling));
            node = parent;
        }
    }

    /// The nearest construct above a node, and in which of its children the node is.
    pub(super) fn construct_above(&self, mut node: NodeId) -> Option<(NodeId, usize)> {
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

    fn beside(&self, head: &Head, emit: &mut impl FnMut(Seen)) {
        let Some((cell, item)) = self.statement_of(head.root) else {
            return;
        };
        let tree = self.tree;
        let rest = tree.end(item);
        let next = (self.kinds.at(tree, rest) == Some(Kind::StatementCell))
            .then(|| NodeId::new(rest.index() + 1));
        let previous = self.parents[cell.index()].and_then(|above| {
            let is_cell = self.kinds.at(tree, above) == Some(Kind::StatementCell);
            let item = NodeId::new(above.index() + 1);
            // The cell is the rest of the list, and not in the item before.
            (is_cell && tree.end(item) == cell).then_some(item)
        });
        for (aspect, neighbour) in [(Aspect::Next, next), (Aspect::Previous, previous)] {
            emit(Seen {
                aspect,
                is_open: head.is_open,
                variant: head.variant,
                root: head.root,
                part: neighbour.unwrap_or(head.root),
                context: mixed(&(head.key, aspect)),
                filling: neighbour.map_or(0, |it| self.outline(it)),
                class: mixed(&aspect),
            });
        }
    }

    /// The cell and the item of the statement that a node is in, unless a block of it lies between.
    pub(super) fn statement_of(&self, mut node: NodeId) -> Option<(NodeId, NodeId)> {
        loop {
            let parent = self.parents[node.index()]?;
            if self.kinds.at(self.tree, parent) == Some(Kind::StatementCell) {
                return Some((parent, node));
            }
            node = parent;
        }
    }

    /// What a statement is, as a number: its kind, and what it calls first.
    fn outline(&self, statement: NodeId) -> u64 {
        let nodes = (statement.index()..self.tree.end(statement).index()).map(NodeId::new);
        let mut calls = nodes
            .take(24)
            .filter(|it| self.kinds.at(self.tree, *it) == Some(Kind::Call));
        let call = calls.next().and_then(|it| {
            let heads = self.heads_of_call(it);
            heads.first().map(|it| it.key)
        });
        mixed(&(self.tree.label(statement), call))
    }

    /// The nodes that a context of this program is made of, in preorder, where its part is inside.
    pub(super) fn context_nodes(&self, head: &Head, part: NodeId) -> Vec<NodeId> {
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
fn is_telling(label: Label) -> bool {
    match label {
        Label::Text(text) => text.as_str().contains(char::is_alphabetic),
        _ => false,
    }
}

/// Numbers for whatever can be hashed; equal ones have equal numbers in one run of the program.
pub(super) fn mixed(value: &impl Hash) -> u64 {
    let mut hasher = Mix::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Mixes words by multiplying and folding.
#[derive(Default)]
struct Mix(u64);

impl Mix {
    fn add(&mut self, word: u64) {
        let product =
            u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
        self.0 = (product as u64) ^ ((product >> 64) as u64).rotate_left(23);
    }
}

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        let mut last = Mix(self.0);
        last.add(0x51_7c_c1_b7);
        last.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.add(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, it: u8) {
        self.add(u64::from(it));
    }

    fn write_u32(&mut self, it: u32) {
        self.add(u64::from(it));
    }

    fn write_u64(&mut self, it: u64) {
        self.add(it);
    }

    fn write_usize(&mut self, it: usize) {
        self.add(it as u64);
    }

    fn write_isize(&mut self, it: isize) {
        self.add(it as u64);
    }
}
