//! From the tree of a pattern, with placeholders in it, to fragments with holes.
//!
//! A hole stands for as much as it can: for the whole node whose text is the placeholder and nothing
//! else, such as an expression. Where equal names stand at places of different types, as the two of
//! `$x = $x + 1`, a target and an expression, there is a fragment for each way to write both: names,
//! attributes, subscripts; and one for each way to write arguments and subscripts, with stars and
//! slices in them. And what may stand at several places, as a call in Rust, has a fragment
//! for each.

mod spellings;

use indexmap::IndexMap;
use patois_syntax::{
    Arity, Ast, ConvertError, Fragment, FragmentError, FragmentNode, Grammar, HoleId, Label,
    NodeId, ProductionId, ProductionKind, SymbolId, Tree,
};

use super::pattern::{Extent, PatternHole};

/// What placeholders begin with.
pub(super) const PREFIX: &str = "zqh";

/// The most fragments that a pattern may stand for.
const MAX_FRAGMENTS: usize = 256;

/// Why the holes of a pattern cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HoleError {
    /// The grammar does not have the pattern.
    #[error(transparent)]
    Convert(#[from] ConvertError),
    /// The fragment would say nothing, or contradict itself.
    #[error(transparent)]
    Fragment(#[from] FragmentError),
    /// A hole for a list that does not end with it.
    #[error("`{0}` stands for the rest of a list, and something follows it there")]
    NotLast(String),
    /// A hole for a list where there is none.
    #[error("`{0}` stands for the rest of a list, and there is none")]
    NoList(String),
    /// A hole for what may be left out where nothing may.
    #[error("`{0}` may stand for nothing, and something has to be there")]
    NotOptional(String),
    /// A hole that is part of a word.
    #[error("`{0}` is not a whole name or literal")]
    Partial(String),
    /// Equal names for what cannot be equal.
    #[error("`${name}` stands for both {first} and {second}, which are never equal")]
    Unequal {
        /// The name of the hole.
        name: String,
        /// What it stands for first.
        first: String,
        /// What it stands for elsewhere.
        second: String,
    },
}

/// What stands in for a hole while the pattern is parsed.
pub(super) fn placeholder(hole: usize) -> String {
    format!("{PREFIX}{hole}_")
}

/// The same, where both the name and the value of an argument are to be placeholders.
pub(super) fn named_placeholder(hole: usize) -> String {
    format!("{PREFIX}{hole}n_")
}

/// The hole that a text stands in for; its number, and whether name and value are.
fn hole_of(text: &str) -> Option<usize> {
    let digits = text.strip_prefix(PREFIX)?.strip_suffix('_')?;
    digits.strip_suffix('n').unwrap_or(digits).parse().ok()
}

/// A fragment whose holes have the names that the pattern gives them.
pub(super) struct NamedFragment {
    pub(super) fragment: Fragment,
    /// The names, each with the node of the fragment where it first stands.
    pub(super) names: Vec<(String, NodeId)>,
}

/// The fragments that the nodes of a pattern stand for: one node, or several that follow each other.
pub(super) fn fragments(
    grammar: &Grammar,
    items: &[&Ast],
    holes: &[PatternHole],
) -> Result<Vec<NamedFragment>, HoleError> {
    let trees: Vec<Tree> = items
        .iter()
        .map(|ast| grammar.tree(ast))
        .collect::<Result<_, _>>()?;
    let bodies = match &trees[..] {
        [tree] => roots_of(grammar, tree),
        _ => lists_of(grammar, &trees),
    };
    let mut fragments: Vec<NamedFragment> = Vec::new();
    for (root, labels) in bodies {
        let Ok(tree) = Tree::from_labels(grammar, root, &labels) else {
            continue;
        };
        let punctured = Punctured::new(grammar, &tree, holes)?;
        fragments.extend(punctured.fragments()?);
    }
    Ok(fragments)
}

/// A tree and the same tree at every other symbol that may hold it.
fn roots_of(grammar: &Grammar, tree: &Tree) -> Vec<(SymbolId, Vec<Label>)> {
    let root = tree.symbol(tree.root());
    let Label::Production(own) = tree.label(tree.root()) else {
        return Vec::new();
    };
    let Some(constructor) = grammar.constructor(own) else {
        return Vec::new();
    };
    let symbols = (0..grammar.n_symbols()).map(SymbolId::new);
    let others = symbols.filter(|&it| it != root).filter_map(|symbol| {
        let id = grammar.construct(symbol, constructor.name)?;
        (grammar.production(id).rhs == grammar.production(own).rhs).then_some((symbol, id))
    });
    std::iter::once((root, own))
        .chain(others)
        .map(|(symbol, id)| {
            let mut labels = tree.labels().to_vec();
            labels[0] = Label::Production(id);
            (symbol, labels)
        })
        .collect()
}

/// The cells of the lists that begin with the given items; what follows them is open.
fn lists_of(grammar: &Grammar, items: &[Tree]) -> Vec<(SymbolId, Vec<Label>)> {
    let ty = grammar.symbol_type(items[0].symbol(items[0].root()));
    let Some(list) = grammar.symbol(ty, Arity::Many) else {
        return Vec::new();
    };
    let (Some(cons), Some(nil)) = (
        grammar.production_of(list, ProductionKind::Cons),
        grammar.production_of(list, ProductionKind::Nil),
    ) else {
        return Vec::new();
    };
    let non_empty = grammar.symbol(ty, Arity::NonEmpty);
    let first = non_empty.and_then(|symbol| {
        Some((
            symbol,
            grammar.production_of(symbol, ProductionKind::First)?,
        ))
    });
    let starts = std::iter::once((list, cons)).chain(first);
    starts
        .map(|(symbol, start)| {
            let mut labels = Vec::new();
            for (index, item) in items.iter().enumerate() {
                labels.push(Label::Production(if index == 0 { start } else { cons }));
                labels.extend(item.labels());
            }
            labels.push(Label::Production(nil));
            (symbol, labels)
        })
        .collect()
}

/// A tree with what its placeholders stand for.
struct Punctured<'t> {
    grammar: &'t Grammar,
    tree: &'t Tree,
    parents: Vec<Option<NodeId>>,
    holes: &'t [PatternHole],
    /// For each name, all nodes that it stands for.
    groups: Vec<Group>,
    /// Nodes that each are a hole of their own.
    open: Vec<NodeId>,
    /// Lists, each from the cell on that stands for its rest and for what may follow.
    all_rest: Vec<NodeId>,
}

/// The places of one name.
struct Group {
    name: String,
    /// The nodes that one of its holes may stand for, smallest first.
    levels: Vec<Vec<NodeId>>,
}

/// What a node is replaced with.
#[derive(Clone)]
enum Filling {
    Hole(HoleId),
    /// A hole, and holes that are not in the pattern.
    Holes(Vec<HoleId>),
    /// A production whose parts are holes.
    Shape(ProductionId, Vec<HoleId>),
    /// Another production; its parts stay.
    Respelt(ProductionId),
}

type Fillings = IndexMap<NodeId, Filling>;

impl<'t> Punctured<'t> {
    fn new(
        grammar: &'t Grammar,
        tree: &'t Tree,
        holes: &'t [PatternHole],
    ) -> Result<Punctured<'t>, HoleError> {
        let mut punctured = Punctured {
            grammar,
            tree,
            parents: tree.parents(),
            holes,
            groups: Vec::new(),
            open: Vec::new(),
            all_rest: Vec::new(),
        };
        let mut is_seen = vec![false; holes.len()];
        for node in tree.nodes() {
            let Label::Text(text) = tree.label(node) else {
                continue;
            };
            match hole_of(text.as_str()).filter(|&it| it < holes.len()) {
                Some(hole) if is_seen[hole] => {}
                Some(hole) => {
                    is_seen[hole] = true;
                    punctured.add(hole, node)?;
                }
                None if text.as_str().contains(PREFIX) => {
                    let partial = holes.iter().enumerate();
                    let mut partial =
                        partial.filter(|it| text.as_str().contains(&placeholder(it.0)));
                    let written = partial.next().map(|it| it.1.written.clone());
                    return Err(HoleError::Partial(written.unwrap_or_default()));
                }
                None => {}
            }
        }
        // What follows a list that was given whole is open.
        punctured.open_end();
        Ok(punctured)
    }

    /// Leaves the list open whose first cell is the root.
    fn open_end(&mut self) {
        let mut node = self.tree.root();
        let mut is_list = false;
        while let Some([_, rest]) = self.cell(node) {
            is_list = true;
            node = rest;
        }
        if is_list && !self.open.contains(&node) && self.kind(node) == Some(ProductionKind::Nil) {
            self.open.push(node);
        }
    }

    fn add(&mut self, hole: usize, leaf: NodeId) -> Result<(), HoleError> {
        let PatternHole {
            name,
            extent,
            written,
        } = &self.holes[hole];
        let mut levels = self.levels(leaf);
        match extent {
            Extent::One => {}
            Extent::Optional => {
                let top = *levels.last().expect("the leaf itself");
                let parent = self.parents[top.index()];
                let option = parent.filter(|&it| self.kind(it) == Some(ProductionKind::Present));
                levels = vec![option.ok_or_else(|| HoleError::NotOptional(written.clone()))?];
            }
            Extent::Rest | Extent::AllRest => {
                let top = *levels.last().expect("the leaf itself");
                let cell = self.parents[top.index()].filter(|&it| self.cell(it).is_some());
                let cell = cell.ok_or_else(|| HoleError::NoList(written.clone()))?;
                if self.cell(cell).and_then(|it| self.kind(it[1])) != Some(ProductionKind::Nil) {
                    return Err(HoleError::NotLast(written.clone()));
                }
                if *extent == Extent::AllRest {
                    self.open_what_follows(cell);
                    self.all_rest.push(cell);
                }
                levels = vec![cell];
            }
        }
        let known = self
            .groups
            .iter_mut()
            .find(|it| it.name == *name && !name.is_empty());
        match known {
            Some(group) => group.levels.push(levels),
            None => self.groups.push(Group {
                name: name.clone(),
                levels: vec![levels],
            }),
        }
        Ok(())
    }

    /// Leaves open what is empty behind a list and holds something else: named arguments behind
    /// arguments, parameters with defaults behind those without.
    fn open_what_follows(&mut self, cell: NodeId) {
        let ty = |node: NodeId| self.grammar.symbol_type(self.tree.symbol(node));
        let Some((list, owner)) = self.list_of(cell) else {
            return;
        };
        let siblings = self.tree.children(owner).filter(|&it| it > list);
        let empty = siblings.filter(|&it| {
            let kind = self.kind(it);
            matches!(kind, Some(ProductionKind::Nil | ProductionKind::Absent)) && ty(it) != ty(cell)
        });
        let empty: Vec<NodeId> = empty.collect();
        self.open.extend(empty);
    }

    /// The first cell of the list that a cell is in, and the node that holds the list.
    fn list_of(&self, cell: NodeId) -> Option<(NodeId, NodeId)> {
        let mut list = cell;
        let mut owner = self.parents[cell.index()];
        while let Some(parent) = owner.filter(|&it| self.cell(it).is_some()) {
            list = parent;
            owner = self.parents[parent.index()];
        }
        Some((list, owner?))
    }

    /// The nodes that are nothing but the placeholder at `leaf`, smallest first.
    fn levels(&self, leaf: NodeId) -> Vec<NodeId> {
        let mut levels = vec![leaf];
        let mut at = leaf;
        while let Some(parent) = self.parents[at.index()] {
            if !self.is_only(parent, leaf) {
                break;
            }
            levels.push(parent);
            at = parent;
        }
        levels
    }

    /// Whether a node is nothing but the placeholder at `leaf`.
    fn is_only(&self, node: NodeId, leaf: NodeId) -> bool {
        let Label::Production(id) = self.tree.label(node) else {
            return false;
        };
        let Some(constructor) = self.grammar.constructor(id) else {
            return false;
        };
        let mut children = self.tree.children(node);
        match (children.next(), children.next()) {
            (Some(_), None) => is_transparent(constructor.name),
            // Both the name and the value of an argument.
            (Some(_), Some(_)) => {
                let Label::Text(text) = self.tree.label(leaf) else {
                    return false;
                };
                let is_leaf = |label: &Label| match label {
                    Label::Text(it) => *it == text,
                    Label::Production(id) => !self.grammar.production(*id).rhs.is_empty(),
                    Label::Reference(_) => false,
                };
                text.as_str().ends_with("n_") && self.tree.subtree(node).iter().all(is_leaf)
            }
            _ => false,
        }
    }

    fn kind(&self, node: NodeId) -> Option<ProductionKind> {
        match self.tree.label(node) {
            Label::Production(id) => Some(self.grammar.production(id).kind),
            Label::Text(_) | Label::Reference(_) => None,
        }
    }

    /// The item and the rest of a cell of a list.
    fn cell(&self, node: NodeId) -> Option<[NodeId; 2]> {
        match self.kind(node)? {
            ProductionKind::Cons | ProductionKind::First => {
                let item = NodeId::new(node.index() + 1);
                Some([item, self.tree.end(item)])
            }
            _ => None,
        }
    }

    /// A fragment for each way to write what equal holes stand for.
    fn fragments(&self) -> Result<Vec<NamedFragment>, HoleError> {
        let mut n_holes = 0;
        let mut fresh = || {
            n_holes += 1;
            HoleId::new(n_holes - 1)
        };
        let mut all: Vec<Fillings> = vec![Fillings::new()];
        for group in &self.groups {
            let choices = self.choices(group, &mut fresh)?;
            let choices = if all.len() * choices.len() > MAX_FRAGMENTS {
                &choices[..1]
            } else {
                &choices[..]
            };
            all = all
                .iter()
                .flat_map(|fillings| {
                    choices.iter().map(|choice| {
                        let mut fillings = fillings.clone();
                        fillings.extend(choice.clone());
                        fillings
                    })
                })
                .collect();
        }
        for &node in &self.open {
            let hole = fresh();
            for fillings in &mut all {
                fillings.insert(node, Filling::Hole(hole));
            }
        }
        let all = spellings::all(self, all, &mut fresh);
        all.iter().map(|fillings| self.fragment(fillings)).collect()
    }

    /// The ways to write what a name stands for.
    fn choices(
        &self,
        group: &Group,
        fresh: &mut impl FnMut() -> HoleId,
    ) -> Result<Vec<Fillings>, HoleError> {
        let symbol = |node: NodeId| self.tree.symbol(node);
        let tops: Vec<NodeId> = group
            .levels
            .iter()
            .filter_map(|it| it.last().copied())
            .collect();
        let whole = |nodes: &[NodeId], hole: HoleId| {
            let filled = nodes.iter().map(|&node| (node, Filling::Hole(hole)));
            filled.collect::<Fillings>()
        };
        if tops.iter().all(|&it| symbol(it) == symbol(tops[0])) {
            return Ok(vec![whole(&tops, fresh())]);
        }
        let mut choices = Vec::new();
        for shape in self.common_shapes(&tops) {
            let n_parts = self.grammar.production(shape[0]).rhs.len();
            let parts: Vec<HoleId> = (0..n_parts).map(|_| fresh()).collect();
            let filled = tops.iter().zip(shape);
            let filled = filled.map(|(&node, id)| (node, Filling::Shape(id, parts.clone())));
            choices.push(filled.collect());
        }
        if !choices.is_empty() {
            return Ok(choices);
        }
        let common = self.common_level(group).ok_or_else(|| {
            let name = |node: NodeId| format!("`{}`", self.grammar.symbol_name(symbol(node)));
            let other = tops.iter().find(|&&it| symbol(it) != symbol(tops[0]));
            HoleError::Unequal {
                name: group.name.clone(),
                first: name(tops[0]),
                second: name(*other.unwrap_or(&tops[0])),
            }
        })?;
        Ok(vec![whole(&common, fresh())])
    }

    /// The productions that all places of a name have in common; names first.
    fn common_shapes(&self, tops: &[NodeId]) -> Vec<Vec<ProductionId>> {
        let symbol = |node: NodeId| self.tree.symbol(node);
        let mut own = Vec::new();
        let mut shapes = Vec::new();
        for &id in self.grammar.expansions(symbol(tops[0])) {
            let Some(constructor) = self.grammar.constructor(id) else {
                return Vec::new();
            };
            let rhs = &self.grammar.production(id).rhs;
            let of_each = tops.iter().map(|&top| {
                let found = self.grammar.construct(symbol(top), constructor.name)?;
                (self.grammar.production(found).rhs == *rhs).then_some(found)
            });
            let Some(shape) = of_each.collect::<Option<Vec<ProductionId>>>() else {
                continue;
            };
            if self.tree.label(tops[0]) == Label::Production(id) {
                own.push(shape);
            } else {
                shapes.push(shape);
            }
        }
        own.extend(shapes);
        own
    }

    /// The largest nodes of all places of a name that have one symbol.
    fn common_level(&self, group: &Group) -> Option<Vec<NodeId>> {
        let symbol = |node: NodeId| self.tree.symbol(node);
        group.levels[0].iter().rev().find_map(|&node| {
            let of_each = group.levels.iter().map(|levels| {
                let mut levels = levels.iter().rev();
                levels.find(|&&it| symbol(it) == symbol(node)).copied()
            });
            of_each.collect()
        })
    }

    /// The name of what stands at a node, if it has one.
    fn name_of(&self, node: NodeId) -> Option<&str> {
        let has = |it: &&Group| it.levels.iter().flatten().any(|&it| it == node);
        let group = self.groups.iter().find(has)?;
        Some(group.name.as_str()).filter(|it| !it.is_empty())
    }

    fn fragment(&self, fillings: &Fillings) -> Result<NamedFragment, HoleError> {
        let mut nodes = Vec::new();
        let mut names: Vec<(String, NodeId)> = Vec::new();
        let mut node = self.tree.root();
        while node.index() < self.tree.n_nodes() {
            if let (Some(_), Some(name)) = (fillings.get(&node), self.name_of(node))
                && names.iter().all(|it| it.0 != name)
            {
                names.push((name.to_owned(), NodeId::new(nodes.len())));
            }
            match fillings.get(&node) {
                Some(Filling::Hole(hole)) => nodes.push(FragmentNode::Hole(*hole)),
                Some(Filling::Holes(holes)) => {
                    nodes.extend(holes.iter().map(|&it| FragmentNode::Hole(it)));
                }
                Some(Filling::Respelt(id)) => {
                    nodes.push(FragmentNode::Fixed(Label::Production(*id)));
                    node = NodeId::new(node.index() + 1);
                    continue;
                }
                Some(Filling::Shape(id, parts)) => {
                    nodes.push(FragmentNode::Fixed(Label::Production(*id)));
                    nodes.extend(parts.iter().map(|&it| FragmentNode::Hole(it)));
                }
                None => {
                    nodes.push(FragmentNode::Fixed(self.tree.label(node)));
                    node = NodeId::new(node.index() + 1);
                    continue;
                }
            }
            node = self.tree.end(node);
        }
        let root = self.tree.symbol(self.tree.root());
        let fragment = Fragment::from_nodes(self.grammar, root, nodes)?;
        Ok(NamedFragment { fragment, names })
    }
}

/// Whether a node with one child is nothing but that child: no token of its own. A language through
/// tree-sitter says so in the constructor; a semicolon may be left out anyway.
fn is_transparent(constructor: &str) -> bool {
    /// Python's constructors with one part that show as nothing but that part.
    const PYTHON: &[&str] = &[
        "Name",
        "Expr",
        "Element",
        "Index",
        "Alias",
        "DottedAlias",
        "Parameter",
        "Required",
        "LambdaRequired",
        "Capture",
        "Value",
        "ClassName",
        "PathName",
    ];
    let mut words = constructor.split(' ');
    let kind = words.next().unwrap_or_default();
    if kind.starts_with(char::is_uppercase) {
        return PYTHON.contains(&kind);
    }
    words.all(|it| it == ";" || it.starts_with('$'))
}
