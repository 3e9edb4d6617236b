//! Idioms as the tools can say them: holes become metavariables, and what has no name there becomes
//! a metavariable too, for whatever is of that kind.

use indexmap::{IndexMap, IndexSet};
use patois_languages::SourceLanguage;
use patois_syntax::{Fragment, FragmentNode, HoleId, Label, NodeId, ProductionId, SymbolKind};

use super::{Reason, Subject, Tool};
use crate::idiom_source::hole_names;

/// More ways to write an idiom than this make no readable rule.
const MAX_VARIANTS: usize = 24;

/// Blocks in blocks deeper than this are left open.
const MAX_DEPTH: usize = 16;

const TOO_LITTLE: Reason = "too little of it is left in terms of the tool";
const NO_NAME: Reason = "the tool has no metavariable for one of its holes";
const NO_LIST: Reason = "the tool cannot leave open one of its lists";

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
    /// A string that stands alone, such as the documentation of a function.
    Alone,
}

pub(super) fn lower(subject: &Subject<'_>, tool: Tool) -> Result<Lowered, Reason> {
    let mut lowering = Lowering::new(subject, tool);
    let (nodes, is_list) = lowering.items();
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

struct Lowering<'s> {
    subject: &'s Subject<'s>,
    tool: Tool,
    is_python: bool,
    parents: Vec<Option<NodeId>>,
    /// Of the idiom's own holes.
    names: Vec<String>,
    /// All metavariables; holes are numbered by them while a variant is put together.
    metavariables: IndexSet<String>,
    constraints: Vec<(String, Literal)>,
    n_literals: usize,
    n_fixed_texts: usize,
    may_be_decorated: bool,
    /// The node that is put into variants.
    at: NodeId,
    /// How many blocks the code at hand is in.
    depth: usize,
    /// Whether expressions are put into metavariables that may have brackets.
    is_bracketing: bool,
}

/// One way to write an idiom.
#[derive(Clone, Default)]
struct Variant {
    nodes: Vec<FragmentNode>,
    /// Nodes that have a metavariable for a list already.
    open: Vec<NodeId>,
    /// The node that it goes on with, where it has something else for those before.
    resumes_at: Option<NodeId>,
}

/// What becomes of a hole.
enum Choice {
    Metavariable(String),
    /// A metavariable for what may be left out.
    Present(ProductionId, String),
    /// Nothing.
    Empty(ProductionId),
}

impl Variant {
    fn is_past(&self, node: NodeId) -> bool {
        self.resumes_at.is_some_and(|it| node < it)
    }
}

impl<'s> Lowering<'s> {
    fn new(subject: &'s Subject<'s>, tool: Tool) -> Lowering<'s> {
        let fragment = subject.fragment;
        Lowering {
            subject,
            tool,
            is_python: matches!(subject.language, SourceLanguage::Python),
            parents: fragment.parents(),
            names: metavariables(&hole_names(subject.grammar, fragment)),
            metavariables: IndexSet::new(),
            constraints: Vec::new(),
            n_literals: 0,
            n_fixed_texts: 0,
            may_be_decorated: false,
            at: NodeId::new(0),
            depth: 0,
            is_bracketing: false,
        }
    }

    /// The parts of the idiom, and whether they are items of a list.
    fn items(&self) -> (Vec<NodeId>, bool) {
        let fragment = self.subject.fragment;
        let mut root = NodeId::new(0);
        let is_program = fragment.root_symbol() == self.subject.grammar.root();
        if is_program && let Some(child) = fragment.children(root).next() {
            root = child;
        }
        let mut items = Vec::new();
        let mut is_list = false;
        while let Some((item, rest)) = self.cell(root) {
            is_list = true;
            items.push(item);
            root = rest;
        }
        if !is_list {
            items.push(root);
        }
        (items, is_list)
    }

    /// Whether the idiom is from the start of a file on, with the comments there. Functions are programs
    /// of their own, and begin where they do.
    fn begins_file(&self, items: &[NodeId]) -> bool {
        let is_program = self.subject.fragment.root_symbol() == self.subject.grammar.root();
        let first = items.first().and_then(|&it| self.constructor(it));
        let kind = first
            .and_then(|it| it.split(' ').next())
            .unwrap_or_default();
        let is_function = kind.contains("function") || kind.contains("method");
        is_program && !self.is_python && !is_function
    }

    /// The item and the rest of a cell of a list.
    fn cell(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        let FragmentNode::Fixed(Label::Production(id)) = self.subject.fragment.node(node) else {
            return None;
        };
        let is_cell = self.subject.grammar.production(id).kind.is_cell();
        let mut children = self.subject.fragment.children(node);
        let (item, rest) = (children.next()?, children.next()?);
        is_cell.then_some((item, rest))
    }

    fn constructor(&self, node: NodeId) -> Option<&'static str> {
        match self.subject.fragment.node(node) {
            FragmentNode::Fixed(Label::Production(id)) => {
                self.subject.grammar.constructor(id).map(|it| it.name)
            }
            _ => None,
        }
    }

    fn ty(&self, node: NodeId) -> &'static str {
        self.subject
            .grammar
            .symbol_type(self.subject.fragment.symbol(node))
    }

    /// The constructor above a node, the node of it, and the field that the node is in.
    fn owner(&self, node: NodeId) -> Option<(NodeId, &'static str, &'static str)> {
        let fragment = self.subject.fragment;
        let mut at = node;
        while let Some(parent) = self.parents[at.index()] {
            if let FragmentNode::Fixed(Label::Production(id)) = fragment.node(parent)
                && let Some(constructor) = self.subject.grammar.constructor(id)
            {
                let index = fragment.children(parent).position(|it| it == at)?;
                return Some((parent, constructor.name, constructor.fields[index].name));
            }
            at = parent;
        }
        None
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
        let was_decorated = std::mem::take(&mut self.may_be_decorated);
        let fragment = self.subject.fragment;
        let end = fragment.end(root);
        let mut variants = vec![Variant::default()];
        let mut blocks = Vec::new();
        let mut decorators = Vec::new();
        let mut generated = None;
        let mut node = root;
        while node < end {
            self.at = node;
            if self.is_bracketing && node != root && self.may_be_bracketed(node) {
                let name = self.bracketed_name(node);
                self.at = node;
                self.push_metavariable(&mut variants, &name);
                node = fragment.end(node);
                continue;
            }
            if let Some(functions) = self.generated(node) {
                if node == root {
                    generated = Some(functions);
                } else {
                    self.at = node;
                    self.push_generated(&mut variants, functions);
                }
            }
            self.at = node;
            if let Some((nil, items)) = self.decorators(root, node) {
                decorators = items;
                self.at = node;
                self.push(&mut variants, |_| vec![Choice::Empty(nil)], None);
                node = fragment.end(node);
                continue;
            }
            if let FragmentNode::Fixed(label) = fragment.node(node) {
                if let Some(literal) = self.literal(node).filter(|_| node != root) {
                    let name = self.literal_name(literal);
                    self.push_metavariable(&mut variants, &name);
                    node = fragment.end(node);
                    continue;
                }
                let block = self.block_kind(node).filter(|_| node != root);
                if let Some(kind) = block.filter(|_| !self.is_bracketing) {
                    blocks.push(self.block(root, node, kind));
                    self.at = node;
                }
                if block.is_some() || node != root && self.is_open_block(node) {
                    let name = format!("$$$BLOCK{}", node.index());
                    let many = match self.tool {
                        Tool::AstGrep => name,
                        Tool::Semgrep => "...".to_owned(),
                    };
                    self.push_metavariable(&mut variants, &many);
                    node = fragment.end(node);
                    continue;
                }
                self.n_fixed_texts += usize::from(matches!(label, Label::Text(_)));
                for variant in variants.iter_mut().filter(|it| !it.is_past(node)) {
                    variant.nodes.push(FragmentNode::Fixed(label));
                }
                node = NodeId::new(node.index() + 1);
                continue;
            }
            self.hole(node, &mut variants)?;
            if variants.len() > MAX_VARIANTS {
                return Err("there are too many ways to write it");
            }
            node = fragment.end(node);
        }
        let mut texts: IndexSet<String> = IndexSet::new();
        for variant in variants {
            texts.extend(self.text(root, variant.nodes));
        }
        if texts.is_empty() {
            return Err("it has no source of its own");
        }
        let child = fragment.children(root).next();
        let may_be_decorated = std::mem::replace(&mut self.may_be_decorated, was_decorated);
        Ok(Code {
            ty: self.ty(root),
            constructor: self.constructor(root).unwrap_or_default(),
            child: child.and_then(|it| self.constructor(it)),
            texts: texts.into_iter().collect(),
            bracketed: Vec::new(),
            literals: Vec::new(),
            may_be_decorated,
            decorators,
            generated,
            blocks,
        })
    }

    fn has_bracketed(&self, root: NodeId) -> bool {
        let fragment = self.subject.fragment;
        let mut node = NodeId::new(root.index() + 1);
        while node < fragment.end(root) {
            if self.may_be_bracketed(node) {
                return true;
            }
            // Statements in it are looked at one by one.
            node = match self.block_kind(node) {
                Some(_) => fragment.end(node),
                None => NodeId::new(node.index() + 1),
            };
        }
        false
    }

    /// Whether an expression may stand in brackets that are not there to us, or do without those that
    /// we write. All may; these are the ones that people write so.
    fn may_be_bracketed(&self, node: NodeId) -> bool {
        if !self.is_python || self.tool != Tool::AstGrep || self.depth > MAX_DEPTH {
            return false;
        }
        let Some(constructor) = self
            .constructor(node)
            .filter(|_| self.literal(node).is_none())
        else {
            return false;
        };
        let Some((_, owner, field)) = self.owner(node) else {
            return false;
        };
        match self.ty(node) {
            "target" => return constructor == "Tuple",
            "expr" if matches!(field, "annotation" | "returns" | "decorators") => return false,
            "expr" => {}
            _ => return false,
        }
        let is_head = match field {
            "function" => true,
            "value" => matches!(
                owner,
                "Attribute" | "Subscript" | "SubscriptSlice" | "SubscriptSlices" | "Expr" | "Await"
            ),
            _ => false,
        };
        match constructor {
            "And" | "Or" | "BinOp" | "UnaryOp" | "Compare" | "IfExp" | "Lambda" | "Await"
            | "Tuple" => true,
            "Yield" | "YieldFrom" => owner != "Expr",
            "Call" | "CallUnpack" | "Attribute" | "Subscript" | "SubscriptSlice" | "ListComp"
            | "SetComp" | "DictComp" | "List" | "Dict" => !is_head,
            "Name" | "None" | "True" | "False" => {
                matches!(owner, "Return" | "If" | "While" | "Assert" | "UnaryOp")
            }
            _ => false,
        }
    }

    /// The metavariable for an expression that may stand in brackets.
    fn bracketed_name(&mut self, node: NodeId) -> String {
        let n_constraints = self.constraints.len();
        self.depth += 1;
        let code = self.code(node);
        self.depth -= 1;
        let literals = self.constraints.split_off(n_constraints);
        self.n_literals += 1;
        let name = format!("LITERAL{}", self.n_literals);
        if let Ok(mut code) = code {
            code.literals.extend(literals);
            let literal = Literal::Bracketed(Box::new(code));
            self.constraints.push((name.clone(), literal));
        }
        format!("${name}")
    }

    /// The decorators that a node is the list of, and the list without any.
    fn decorators(&mut self, root: NodeId, node: NodeId) -> Option<(ProductionId, Vec<Item>)> {
        self.cell(node).filter(|_| self.tool == Tool::AstGrep)?;
        let (owner, _, field) = self.owner(node)?;
        if owner != root || field != "decorators" || self.is_rest(node) {
            return None;
        }
        let nil = self.production(node, 0)?;
        let mut items = Vec::new();
        let mut at = node;
        while let Some((item, rest)) = self.cell(at) {
            items.push(self.block_item(item));
            at = rest;
        }
        Some((nil, items))
    }

    /// The function of a call whose arguments may be nothing but a generator.
    fn generated(&mut self, node: NodeId) -> Option<Vec<String>> {
        let is_call = self.tool == Tool::AstGrep && self.constructor(node) == Some("Call");
        if !is_call || !self.is_python {
            return None;
        }
        let fragment = self.subject.fragment;
        let mut parts = fragment.children(node);
        let (function, arguments) = (parts.next()?, parts.next()?);
        let is_hole = |it: NodeId| matches!(fragment.node(it), FragmentNode::Hole(_));
        let is_generator = |it: NodeId| self.constructor(it) == Some("GeneratorExp");
        let is_one = match self.cell(arguments) {
            Some((item, rest)) => {
                (is_hole(item) || is_generator(item)) && self.cell(rest).is_none()
            }
            None => is_hole(arguments),
        };
        let has_keywords = parts.any(|it| self.cell(it).is_some());
        if !is_one || has_keywords {
            return None;
        }
        if is_hole(function) {
            return Some(vec!["$FUNCTION".to_owned()]);
        }
        let (n_constraints, n_fixed_texts) = (self.constraints.len(), self.n_fixed_texts);
        let function = self.block_item(function);
        self.constraints.truncate(n_constraints);
        self.n_fixed_texts = n_fixed_texts;
        match function {
            Item::Code(code) => Some(code.texts),
            _ => Some(vec!["$FUNCTION".to_owned()]),
        }
    }

    /// Adds variants in which the call at hand has nothing but a generator.
    fn push_generated(&mut self, variants: &mut Vec<Variant>, functions: Vec<String>) {
        let name = self.literal_name(Literal::Generated(functions));
        let hole = self.metavariable(name);
        let end = self.subject.fragment.end(self.at);
        let others: Vec<Variant> = variants
            .iter()
            .filter(|it| !it.is_past(self.at))
            .map(|it| {
                let mut other = it.clone();
                other.nodes.push(FragmentNode::Hole(hole));
                other.resumes_at = Some(end);
                other
            })
            .collect();
        variants.extend(others);
    }

    /// The tool's name for the block whose statements a node is, where they are better said one by
    /// one: comments may stand between them.
    fn block_kind(&self, node: NodeId) -> Option<&'static str> {
        let (item, rest) = self.cell(node).filter(|_| self.tool == Tool::AstGrep)?;
        if self.is_rest(node) {
            return None;
        }
        let (_, constructor, field) = self.owner(node)?;
        if !self.is_python {
            let kind = constructor.split(' ').next();
            return kind.filter(|it| matches!(*it, "statement_block" | "block"));
        }
        // An `elif` is an `if` that is all of the `else`.
        let is_elif = constructor == "If"
            && field == "orelse"
            && self.constructor(item) == Some("If")
            && self.cell(rest).is_none();
        (self.ty(node) == "stmt" && !is_elif).then_some("block")
    }

    /// The statements that a node begins; what the tool cannot say of them may be anything.
    fn block(&mut self, root: NodeId, node: NodeId, kind: &'static str) -> Block {
        let place = match self.owner(node) {
            Some((owner, ..)) if owner == root && !self.is_python => Place::Itself,
            Some((owner, _, "body")) if owner == root => Place::Body,
            _ => Place::Within,
        };
        let mut items = Vec::new();
        let mut at = node;
        self.depth += 1;
        while let Some((item, rest)) = self.cell(at) {
            items.push(self.block_item(item));
            at = rest;
        }
        self.depth -= 1;
        let is_hole = matches!(self.subject.fragment.node(at), FragmentNode::Hole(_));
        if is_hole {
            while matches!(items.last(), Some(Item::Anything)) {
                items.pop();
            }
        }
        Block {
            place,
            kind,
            items,
            // The methods of a class are programs of their own.
            is_closed: !is_hole && self.constructor(root) != Some("ClassDef"),
        }
    }

    fn block_item(&mut self, node: NodeId) -> Item {
        let is_hole = matches!(self.subject.fragment.node(node), FragmentNode::Hole(_));
        if is_hole || self.depth > MAX_DEPTH {
            return Item::Anything;
        }
        if let Some(literal) = self.literal(node) {
            return Item::Literal(literal);
        }
        let (n_constraints, n_fixed_texts) = (self.constraints.len(), self.n_fixed_texts);
        self.code(node).map_or_else(
            |_| {
                self.constraints.truncate(n_constraints);
                self.n_fixed_texts = n_fixed_texts;
                Item::Anything
            },
            Item::Code,
        )
    }

    /// Whether a node is the rest of a list of statements that may be any: nothing is lost where a
    /// metavariable for a list stands for all of them.
    fn is_open_block(&self, node: NodeId) -> bool {
        let fragment = self.subject.fragment;
        if self.ty(node) != "stmt" || self.cell(node).is_none() {
            return false;
        }
        let mut at = node;
        while let Some((item, rest)) = self.cell(at) {
            let FragmentNode::Hole(hole) = fragment.node(item) else {
                return false;
            };
            let is_it = |it: &&FragmentNode| **it == FragmentNode::Hole(hole);
            if fragment.nodes().iter().filter(is_it).count() > 1 {
                return false;
            }
            at = rest;
        }
        true
    }

    fn text(&self, root: NodeId, nodes: Vec<FragmentNode>) -> Option<String> {
        let mut names: IndexMap<HoleId, String> = IndexMap::new();
        for node in &nodes {
            if let FragmentNode::Hole(hole) = node {
                let name = &self.metavariables[hole.index()];
                names.insert(*hole, name.clone());
            }
        }
        let symbol = self.subject.fragment.symbol(root);
        let fragment = Fragment::from_nodes(self.subject.grammar, symbol, nodes).ok()?;
        let names: Vec<String> = names.into_values().collect();
        self.subject.printer.source_named(&fragment, &names)
    }

    /// Adds what a hole becomes to each variant.
    fn hole(&mut self, node: NodeId, variants: &mut Vec<Variant>) -> Result<(), Reason> {
        let FragmentNode::Hole(hole) = self.subject.fragment.node(node) else {
            return Ok(());
        };
        let name = self.names[hole.index()].clone();
        let one = format!("${name}");
        let many = match self.tool {
            Tool::AstGrep => format!("$$${name}"),
            Tool::Semgrep => "...".to_owned(),
        };
        let symbol = self.subject.fragment.symbol(node);
        let empty = self.production(node, 0);
        let (owner, constructor, field) = self.owner(node).ok_or(NO_NAME)?;
        let ty = self.ty(node);
        let (tool, is_rest) = (self.tool, self.is_rest(node));
        match self.subject.grammar.symbol_kind(symbol) {
            SymbolKind::Reference => return Err(NO_NAME),
            SymbolKind::Node if is_list_like(ty) => {
                self.push_metavariable(variants, &many);
            }
            SymbolKind::Node if has_no_name(ty) => return Err(NO_NAME),
            // A metavariable alone would take the place of what an open list before it stands for.
            SymbolKind::Node if tool == Tool::AstGrep && is_named(ty) => {
                let ways = |_: &Variant| named(ty, &one);
                self.push(variants, ways, None);
            }
            SymbolKind::Text | SymbolKind::Node => {
                self.push_metavariable(variants, &one);
            }
            SymbolKind::Optional(_) if ty == "variadic" || field == "kwargs" => {
                let empty = empty.ok_or(NO_LIST)?;
                let present = self.production(node, 1);
                self.push(
                    variants,
                    |variant| open_list(variant, owner, false, empty, present, &many, tool),
                    Some(owner),
                );
            }
            SymbolKind::Optional(_) => {
                let (absent, present) = (empty.ok_or(NO_LIST)?, self.production(node, 1));
                let present = present.ok_or(NO_LIST)?;
                let both = |_: &Variant| {
                    vec![Choice::Empty(absent), Choice::Present(present, one.clone())]
                };
                self.push(variants, both, None);
            }
            SymbolKind::Many(_) | SymbolKind::NonEmpty(..) => {
                match self.list_of(constructor, field, ty)? {
                    ListHole::Dropped => {
                        self.may_be_decorated |= field == "decorators";
                        let empty = empty.ok_or(NO_LIST)?;
                        self.push(variants, |_| vec![Choice::Empty(empty)], None);
                    }
                    ListHole::One if tool == Tool::AstGrep => {
                        let empty = empty.filter(|_| is_rest);
                        let ways = |_: &Variant| targets(&one, empty);
                        self.push(variants, ways, None);
                    }
                    ListHole::One => {
                        self.push_metavariable(variants, &one);
                    }
                    ListHole::Block if !self.is_rest(node) || tool == Tool::Semgrep => {
                        self.push_metavariable(variants, &many);
                    }
                    // A metavariable for a list stands for something where something is before it.
                    ListHole::Block | ListHole::Clause => {
                        let empty = empty.ok_or(NO_LIST)?;
                        let both = |_: &Variant| {
                            vec![Choice::Empty(empty), Choice::Metavariable(many.clone())]
                        };
                        self.push(variants, both, None);
                    }
                    ListHole::Separated => match empty {
                        Some(empty) => self.push(
                            variants,
                            |variant| open_list(variant, owner, is_rest, empty, None, &many, tool),
                            Some(owner),
                        ),
                        None => self.push(
                            variants,
                            |_| vec![Choice::Metavariable(many.clone())],
                            Some(owner),
                        ),
                    },
                }
            }
        }
        Ok(())
    }

    /// Whether a node is what follows an item of a list.
    fn is_rest(&self, node: NodeId) -> bool {
        self.parents[node.index()].is_some_and(|it| self.cell(it).is_some())
    }

    /// The production of a node's symbol with so many parts that is a cell.
    fn production(&self, node: NodeId, n_parts: usize) -> Option<ProductionId> {
        let grammar = self.subject.grammar;
        let expansions = grammar
            .expansions(self.subject.fragment.symbol(node))
            .iter();
        expansions.copied().find(|&id| {
            let production = grammar.production(id);
            grammar.constructor(id).is_none() && production.rhs.len() == n_parts
        })
    }

    fn push_metavariable(&mut self, variants: &mut Vec<Variant>, name: &str) {
        let choices = |_: &Variant| vec![Choice::Metavariable(name.to_owned())];
        self.push(variants, choices, None);
    }

    /// Extends each variant by each choice; `owner` is left with a metavariable for a list.
    fn push(
        &mut self,
        variants: &mut Vec<Variant>,
        choices: impl Fn(&Variant) -> Vec<Choice>,
        owner: Option<NodeId>,
    ) {
        let mut extended = Vec::new();
        for variant in variants.iter() {
            if variant.is_past(self.at) {
                extended.push(variant.clone());
                continue;
            }
            for choice in choices(variant) {
                let mut variant = variant.clone();
                let name = match choice {
                    Choice::Empty(id) => {
                        variant
                            .nodes
                            .push(FragmentNode::Fixed(Label::Production(id)));
                        extended.push(variant);
                        continue;
                    }
                    Choice::Present(id, name) => {
                        variant
                            .nodes
                            .push(FragmentNode::Fixed(Label::Production(id)));
                        name
                    }
                    Choice::Metavariable(name) => name,
                };
                let hole = self.metavariable(name);
                variant.nodes.push(FragmentNode::Hole(hole));
                variant.open.extend(owner);
                extended.push(variant);
            }
        }
        *variants = extended;
    }

    /// Semgrep's `...` is one of its own each time.
    fn metavariable(&mut self, name: String) -> HoleId {
        let name = if name == "..." {
            format!("...{}", " ".repeat(self.metavariables.len()))
        } else {
            name
        };
        HoleId::new(self.metavariables.insert_full(name).0)
    }

    fn literal_name(&mut self, literal: Literal) -> String {
        self.n_literals += 1;
        let name = format!("LITERAL{}", self.n_literals);
        if matches!(
            &literal,
            Literal::String(Some(_)) | Literal::Integer(Some(_))
        ) {
            self.n_fixed_texts += 1;
        }
        self.constraints.push((name.clone(), literal));
        format!("${name}")
    }

    /// What a node becomes that the tool cannot say, or that is written in many ways.
    fn literal(&self, node: NodeId) -> Option<Literal> {
        let fragment = self.subject.fragment;
        if self.is_python && self.tool == Tool::AstGrep && self.constructor(node) == Some("Expr") {
            let value = self.constructor(fragment.children(node).next()?)?;
            return matches!(value, "Str" | "FString" | "Bytes").then_some(Literal::Alone);
        }
        if !self.is_python || self.ty(node) != "expr" {
            return None;
        }
        let text = || {
            let child = fragment.children(node).next()?;
            match fragment.node(child) {
                FragmentNode::Fixed(Label::Text(text)) => Some(text.to_string()),
                _ => None,
            }
        };
        let constructor = self.constructor(node)?;
        let is_open = |field: &str| self.is_open(node, field);
        let kinds: &'static [&'static str] = match constructor {
            "Str" if self.tool == Tool::AstGrep => return Some(Literal::String(text())),
            "Int" if self.tool == Tool::AstGrep => return Some(Literal::Integer(text())),
            "FString" | "TString" => return Some(Literal::String(None)),
            "Bytes" if self.tool == Tool::AstGrep => return Some(Literal::String(None)),
            "Float" if self.tool == Tool::AstGrep => &["float"],
            "Imaginary" if self.tool == Tool::AstGrep => &["integer", "float"],
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

    /// Whether a field of a node holds a hole that is not for an expression: for part of a list, an
    /// operator, a clause.
    fn is_open(&self, node: NodeId, field: &str) -> bool {
        let fragment = self.subject.fragment;
        let (start, end) = (node.index() + 1, fragment.end(node).index());
        (start..end).map(NodeId::new).any(|it| {
            let is_hole = matches!(fragment.node(it), FragmentNode::Hole(_));
            let is_there = self.owner(it).is_some_and(|(owner, _, name)| {
                owner == node && name == field || name == "conditions" && self.is_list_hole(it)
            });
            is_hole && is_there && (self.is_list_hole(it) || self.ty(it) != "expr")
        })
    }

    fn is_list_hole(&self, node: NodeId) -> bool {
        let kind = self
            .subject
            .grammar
            .symbol_kind(self.subject.fragment.symbol(node));
        matches!(kind, SymbolKind::Many(_) | SymbolKind::NonEmpty(..))
    }

    /// Whether an item of a dictionary is a hole, or all of them are.
    fn has_hole_item(&self, node: NodeId) -> bool {
        let fragment = self.subject.fragment;
        let Some(items) = fragment.children(node).next() else {
            return false;
        };
        let mut at = items;
        let mut n_items = 0;
        while let Some((item, rest)) = self.cell(at) {
            if matches!(fragment.node(item), FragmentNode::Hole(_)) {
                return true;
            }
            n_items += 1;
            at = rest;
        }
        n_items == 0 && matches!(fragment.node(at), FragmentNode::Hole(_))
    }

    fn list_of(&self, constructor: &str, field: &str, ty: &str) -> Result<ListHole, Reason> {
        if !self.is_python {
            let slot = constructor.split(' ').find_map(|it| {
                let slot = it.strip_prefix('$')?.strip_prefix(field)?;
                slot.strip_prefix('*')
            });
            return match slot {
                Some("") => Ok(ListHole::Block),
                Some(_) => Ok(ListHole::Separated),
                None => Err(NO_LIST),
            };
        }
        match (field, ty) {
            ("decorators" | "type_params", _) => Ok(ListHole::Dropped),
            ("orelse", _) if constructor == "If" => Err("an `else` may be there or not"),
            ("orelse" | "finalbody", _) => Ok(ListHole::Clause),
            ("targets", "target") => Ok(ListHole::One),
            ("conditions" | "generators" | "comparisons" | "handlers" | "cases" | "rest", _) => {
                Err(NO_LIST)
            }
            (_, "stmt") => Ok(ListHole::Block),
            _ => Ok(ListHole::Separated),
        }
    }
}

/// What a hole for a list is to a tool.
enum ListHole {
    /// Left out: the tool does not mind.
    Dropped,
    /// One thing.
    One,
    /// Things one after the other, none too.
    Block,
    /// Nothing, or a clause with something in it.
    Clause,
    /// Things with separators, which must not be there where nothing is.
    Separated,
}

/// The ways to leave open a list with separators.
fn open_list(
    variant: &Variant,
    owner: NodeId,
    is_rest: bool,
    empty: ProductionId,
    present: Option<ProductionId>,
    many: &str,
    tool: Tool,
) -> Vec<Choice> {
    let open = match present {
        Some(present) => Choice::Present(present, many.to_owned()),
        None => Choice::Metavariable(many.to_owned()),
    };
    // Two of them must have something between them.
    if variant.open.contains(&owner) && !(is_rest && tool == Tool::AstGrep) {
        return vec![Choice::Empty(empty)];
    }
    match tool {
        Tool::AstGrep => vec![Choice::Empty(empty), open],
        Tool::Semgrep => vec![open],
    }
}

/// The names of holes as metavariables, without their dollar signs; all different.
fn metavariables(names: &[String]) -> Vec<String> {
    let upper = names.iter().map(|name| {
        let letters = name
            .chars()
            .filter(|it| it.is_ascii_alphanumeric() || *it == '_');
        let upper: String = letters.map(|it| it.to_ascii_uppercase()).collect();
        if upper.starts_with(|it: char| it.is_ascii_uppercase()) {
            upper
        } else {
            format!("X{upper}")
        }
    });
    let mut all: IndexSet<String> = IndexSet::new();
    for name in upper {
        let mut numbered = (2..).map(|it| format!("{name}_{it}"));
        let free = std::iter::once(name.clone()).chain(&mut numbered);
        let free = free.into_iter().find(|it| !all.contains(it));
        all.insert(free.expect("there are more numbers than holes"));
    }
    all.into_iter().collect()
}

/// Types whose values are lists to the tools.
fn is_list_like(ty: &str) -> bool {
    matches!(ty, "parameters" | "lambda_parameters")
}

/// Types whose values have a name and a value with a sign between them.
fn is_named(ty: &str) -> bool {
    matches!(ty, "keyword" | "default_parameter")
}

/// The ways to write one of [these](is_named).
fn named(ty: &str, one: &str) -> Vec<Choice> {
    let other = match ty {
        "keyword" => format!("**{one}"),
        _ => format!("{one}: {one}_TYPE = {one}_VALUE"),
    };
    let ways = [format!("{one}={one}_VALUE"), other];
    ways.map(Choice::Metavariable).into()
}

/// As many targets of an assignment as there may be, none of them where there is something for it.
fn targets(one: &str, empty: Option<ProductionId>) -> Vec<Choice> {
    let some = [
        one.to_owned(),
        format!("{one} = {one}_NEXT"),
        format!("{one} = {one}_NEXT = {one}_LAST"),
    ];
    let none = empty.map(Choice::Empty).into_iter();
    none.chain(some.map(Choice::Metavariable)).collect()
}

/// Types that no metavariable can stand for.
fn has_no_name(ty: &str) -> bool {
    matches!(
        ty,
        "operator"
            | "unary_operator"
            | "comparison"
            | "comprehension"
            | "handler"
            | "match_case"
            | "conversion"
            | "replacement"
            | "format_spec"
            | "variadic"
            | "type_param"
            | "pattern"
            | "dict_item"
    )
}
