//! Idioms as the tools can say them: holes become metavariables, and what has no name there becomes
//! a metavariable too, for whatever is of that kind.

mod blocks;
mod brackets;
mod draft;
mod generators;
mod holes;
mod literals;
mod nodes;
mod unions;

use indexmap::{IndexMap, IndexSet};
use patois_languages::SourceLanguage;
use patois_syntax::{Fragment, FragmentNode, HoleId, Label, NodeId};

use super::{Reason, Subject, Tool};
use crate::idiom_source::hole_names;
use draft::{Choice, Draft, Metavariables, Ways};
use nodes::Nodes;

/// More ways to write an idiom than this make no readable rule.
const MAX_VARIANTS: usize = 24;

/// Blocks in blocks deeper than this are left open.
const MAX_DEPTH: usize = 16;

const TOO_LITTLE: Reason = "too little of it is left in terms of the tool";

/// An idiom in terms of a tool.
pub(super) struct Lowered {
    /// Its parts: one, or several that follow each other in a list.
    pub(super) items: Vec<Item>,
    /// Whether they are items of a list.
    pub(super) is_list: bool,
    /// What the metavariables for literals must be.
    pub(super) constraints: Vec<(String, Literal)>,
}

/// A part of an idiom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// Whatever stands there.
    Anything,
    /// A literal.
    Literal(Literal),
    /// Code with metavariables.
    Code(Code),
}

/// Code with metavariables, in all ways to write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Code {
    pub(super) ty: &'static str,
    pub(super) constructor: &'static str,
    /// The constructors below it that its kind depends on.
    pub(super) child: Option<&'static str>,
    pub(super) texts: Vec<String>,
    /// Ways to write it with brackets that it could do without.
    pub(super) bracketed: Vec<String>,
    /// What the metavariables for literals must be in these.
    pub(super) literals: Vec<(String, Literal)>,
    /// Whether decorators may stand before it.
    pub(super) may_be_decorated: bool,
    /// Its first decorators, which its texts leave out.
    pub(super) decorators: Vec<Item>,
    /// Where it is a call that may have nothing but a generator: of what.
    pub(super) generated: Option<Vec<String>>,
    /// Where it is a union that has two kinds to the tool: the types in it that are known.
    pub(super) union: Option<Vec<Vec<String>>>,
    /// The statements in it, which its texts leave open.
    pub(super) blocks: Vec<Block>,
}

/// Statements from the first of a block on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) place: Place,
    /// The tool's name for such a block.
    pub(super) kind: &'static str,
    pub(super) items: Vec<Item>,
    /// Whether nothing follows the items.
    pub(super) is_closed: bool,
}

/// Where a block is in its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The code is the block.
    Itself,
    /// Right below.
    Body,
    /// Anywhere in it, such as in a clause.
    Within,
}

/// What a tool is asked for in place of something that is written in many ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    String(Option<String>),
    Integer(Option<String>),
    Kinds(&'static [&'static str]),
    /// A call of one of these with nothing but a generator.
    Generated(Vec<String>),
    /// An expression that may stand in brackets.
    Bracketed(Box<Code>),
    /// Code that the tool has no pattern for where it stands.
    Code(Box<Code>),
    /// A string that stands alone, such as the documentation of a function.
    Alone,
}

pub(super) fn lower(subject: &Subject<'_>, tool: Tool) -> Result<Lowered, Reason> {
    let mut lowering = Lowering::new(subject, tool);
    let (nodes, is_list) = lowering.parts();
    if tool == Tool::AstGrep && lowering.begins_file(&nodes) {
        return Err("it begins where a file does, which is no node of its own to the tool");
    }
    let mut items = Vec::new();
    for node in nodes {
        items.push(match subject.fragment.node(node) {
            FragmentNode::Hole(_) => Item::Anything,
            FragmentNode::Fixed(_) => match lowering.literal(node) {
                Some(literal) if is_list => Item::Literal(literal),
                Some(_) => return Err(TOO_LITTLE),
                None => Item::Code(lowering.code(node)?),
            },
        });
    }
    while matches!(items.last(), Some(Item::Anything)) {
        items.pop();
    }
    match items.first() {
        None => return Err(TOO_LITTLE),
        Some(Item::Anything) => return Err("it begins with a hole"),
        Some(_) => {}
    }
    if lowering.n_fixed_texts == 0 {
        return Err(TOO_LITTLE);
    }
    Ok(Lowered {
        items,
        is_list,
        constraints: lowering.constraints,
    })
}

/// What the metavariables for literals are called, with a number behind it.
const LITERAL: &str = "LITERAL";

/// The name of a metavariable for a literal that a text begins with, or nothing, and the rest.
pub(super) fn literal_name(text: &str) -> (&str, &str) {
    let digits = text.strip_prefix(LITERAL).unwrap_or_default();
    let rest = digits.trim_start_matches(|it: char| it.is_ascii_digit());
    if digits.len() == rest.len() {
        return text.split_at(0);
    }
    text.split_at(text.len() - rest.len())
}

struct Lowering<'s> {
    subject: &'s Subject<'s>,
    tool: Tool,
    is_python: bool,
    nodes: Nodes<'s>,
    /// Of the idiom's own holes.
    names: Vec<String>,
    metavariables: Metavariables,
    constraints: Vec<(String, Literal)>,
    n_literals: usize,
    n_fixed_texts: usize,
    /// How many blocks the code at hand is in.
    depth: usize,
    /// Whether expressions are put into metavariables that may have brackets.
    is_bracketing: bool,
}

impl<'s> Lowering<'s> {
    fn new(subject: &'s Subject<'s>, tool: Tool) -> Lowering<'s> {
        let fragment = subject.fragment;
        Lowering {
            subject,
            tool,
            is_python: matches!(subject.language, SourceLanguage::Python),
            nodes: Nodes::new(subject.grammar, fragment),
            names: draft::metavariable_names(&hole_names(subject.grammar, fragment)),
            metavariables: Metavariables::default(),
            constraints: Vec::new(),
            n_literals: 0,
            n_fixed_texts: 0,
            depth: 0,
            is_bracketing: false,
        }
    }

    /// The parts of the idiom, and whether they are items of a list.
    fn parts(&self) -> (Vec<NodeId>, bool) {
        let mut root = NodeId::new(0);
        if self.is_program()
            && let Some(child) = self.subject.fragment.children(root).next()
        {
            root = child;
        }
        let (items, _) = self.nodes.list(root);
        if items.is_empty() {
            (vec![root], false)
        } else {
            (items, true)
        }
    }

    fn is_program(&self) -> bool {
        self.subject.fragment.root_symbol() == self.subject.grammar.root()
    }

    /// Whether the idiom is from the start of a file on, with the comments there. Functions are programs
    /// of their own, and begin where they do.
    fn begins_file(&self, items: &[NodeId]) -> bool {
        let first = items.first().and_then(|&it| self.nodes.constructor(it));
        let kind = first
            .and_then(|it| it.split(' ').next())
            .unwrap_or_default();
        let is_function = kind.contains("function") || kind.contains("method");
        self.is_program() && !self.is_python && !is_function
    }

    fn code(&mut self, root: NodeId) -> Result<Code, Reason> {
        let was_bracketing = std::mem::replace(&mut self.is_bracketing, false);
        let mut plain = self.code_once(root);
        if let Ok(code) = &mut plain
            && self.has_bracketed(root)
        {
            self.is_bracketing = true;
            let n_constraints = self.constraints.len();
            let bracketed = self.code_once(root);
            code.bracketed = bracketed.map_or_else(|_| Vec::new(), |it| it.texts);
            code.literals = self.constraints.split_off(n_constraints);
        }
        self.is_bracketing = was_bracketing;
        plain
    }

    fn code_once(&mut self, root: NodeId) -> Result<Code, Reason> {
        let mut draft = Draft::new(root);
        while draft.at < self.nodes.end(root) {
            draft.at = self.put(&mut draft)?;
        }
        let mut texts: IndexSet<String> = IndexSet::new();
        for nodes in draft.variants() {
            texts.extend(self.text(root, nodes));
        }
        if texts.is_empty() {
            return Err("it has no source of its own");
        }
        let child = self.subject.fragment.children(root).next();
        Ok(Code {
            ty: self.nodes.ty(root),
            constructor: self.nodes.constructor(root).unwrap_or_default(),
            child: child.and_then(|it| self.nodes.constructor(it)),
            texts: texts.into_iter().collect(),
            bracketed: Vec::new(),
            literals: Vec::new(),
            may_be_decorated: draft.may_be_decorated,
            decorators: draft.decorators,
            generated: draft.generated,
            union: self.union(root),
            blocks: draft.blocks,
        })
    }

    /// Puts the node at hand into all variants, or something that stands for all of it; the node to go
    /// on with.
    fn put(&mut self, draft: &mut Draft) -> Result<NodeId, Reason> {
        let (node, root) = (draft.at, draft.root);
        let end = self.nodes.end(node);
        if self.is_bracketing && node != root && self.may_be_bracketed(node) {
            let name = self.bracketed(node);
            self.put_ways(draft, &Ways::metavariable(name));
            return Ok(end);
        }
        if let Some(functions) = self.generated(node) {
            if node == root {
                draft.generated = Some(functions);
            } else {
                let name = self.constrained(Literal::Generated(functions));
                draft.put_instead(self.metavariables.hole(name), end);
            }
        }
        if let Some((none, items)) = self.decorators(root, node) {
            draft.decorators = items;
            self.put_ways(draft, &Ways::of([Choice::Empty(none)]));
            return Ok(end);
        }
        match self.subject.fragment.node(node) {
            FragmentNode::Fixed(label) => Ok(self.put_fixed(draft, label)),
            FragmentNode::Hole(hole) => {
                let ways = self.ways(draft, hole)?;
                self.put_ways(draft, &ways);
                if draft.n_variants() > MAX_VARIANTS {
                    return Err("there are too many ways to write it");
                }
                Ok(end)
            }
        }
    }

    fn put_ways(&mut self, draft: &mut Draft, ways: &Ways) {
        draft.put_ways(ways, &mut self.metavariables);
    }

    fn put_fixed(&mut self, draft: &mut Draft, label: Label) -> NodeId {
        if let Some(name) = self.instead(draft) {
            self.put_ways(draft, &Ways::metavariable(name));
            return self.nodes.end(draft.at);
        }
        self.n_fixed_texts += usize::from(matches!(label, Label::Text(_)));
        draft.put(FragmentNode::Fixed(label));
        NodeId::new(draft.at.index() + 1)
    }

    /// The metavariable that stands for the node at hand and all below it, where one has to.
    fn instead(&mut self, draft: &mut Draft) -> Option<String> {
        let node = draft.at;
        if node == draft.root {
            return None;
        }
        if let Some(literal) = self.literal(node) {
            return Some(self.constrained(literal));
        }
        let code = self.union_metavariable(node);
        let code = code.or_else(|| self.match_metavariable(node));
        if code.is_some() {
            return code;
        }
        let block = self.block_kind(node);
        if let Some(kind) = block.filter(|_| !self.is_bracketing) {
            draft.blocks.push(self.block(draft.root, node, kind));
        }
        let is_open = block.is_some() || self.is_open_block(node);
        is_open.then(|| self.metavariable_for_list(&format!("BLOCK{}", node.index())))
    }

    fn metavariable_for_list(&self, name: &str) -> String {
        match self.tool {
            Tool::AstGrep => format!("$$${name}"),
            Tool::Semgrep => "...".to_owned(),
        }
    }

    /// The source of a variant.
    fn text(&self, root: NodeId, nodes: Vec<FragmentNode>) -> Option<String> {
        let mut names: IndexMap<HoleId, String> = IndexMap::new();
        for node in &nodes {
            if let FragmentNode::Hole(hole) = node {
                names.insert(*hole, self.metavariables.name(*hole).to_owned());
            }
        }
        let symbol = self.subject.fragment.symbol(root);
        let fragment = Fragment::from_nodes(self.subject.grammar, symbol, nodes).ok()?;
        let names: Vec<String> = names.into_values().collect();
        self.subject.printer.source_named(&fragment, &names)
    }

    /// A part on its own; what the tool cannot say of it may be anything.
    fn item(&mut self, node: NodeId) -> Item {
        if self.nodes.is_hole(node) || self.depth > MAX_DEPTH {
            return Item::Anything;
        }
        if let Some(literal) = self.literal(node) {
            return Item::Literal(literal);
        }
        let before = self.progress();
        self.code(node).map_or_else(
            |_| {
                self.go_back_to(before);
                Item::Anything
            },
            Item::Code,
        )
    }

    /// How many constraints and fixed texts there are.
    fn progress(&self) -> (usize, usize) {
        (self.constraints.len(), self.n_fixed_texts)
    }

    fn go_back_to(&mut self, (n_constraints, n_fixed_texts): (usize, usize)) {
        self.constraints.truncate(n_constraints);
        self.n_fixed_texts = n_fixed_texts;
    }
}
