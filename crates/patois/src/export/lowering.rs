//! Idioms as the tools can say them: holes become metavariables, and what has no name there becomes
//! a metavariable too, for whatever is of that kind.

use indexmap::{IndexMap, IndexSet};
use patois_syntax::{Fragment, FragmentNode, HoleId, Label, NodeId, ProductionId, SymbolKind};

use super::{Reason, Subject, Tool};
use crate::idiom_source::hole_names;
use crate::source_language::SourceLanguage;

/// More ways to write an idiom than this make no readable rule.
const MAX_VARIANTS: usize = 12;

const TOO_LITTLE: Reason = "too little of it is left in terms of the tool";
const NO_NAME: Reason = "the tool has no metavariable for one of its holes";
const NO_LIST: Reason = "the tool cannot leave open one of its lists";

/// An idiom in terms of a tool.
pub(super) struct Lowered {
    /// Its parts: one, or several that follow each other in a list.
    pub(super) items: Vec<Item>,
    /// What the metavariables for literals must be.
    pub(super) constraints: Vec<(String, Literal)>,
}

/// A part of an idiom.
pub(super) enum Item {
    /// Whatever stands there.
    Anything,
    /// A literal.
    Literal(Literal),
    /// Code with metavariables.
    Code(Code),
}

/// Code with metavariables, in all ways to write it.
pub(super) struct Code {
    pub(super) ty: &'static str,
    pub(super) constructor: &'static str,
    /// The constructors below it that its kind depends on.
    pub(super) child: Option<&'static str>,
    pub(super) texts: Vec<String>,
    /// Whether decorators may stand before it.
    pub(super) may_be_decorated: bool,
}

/// What a tool is asked for in place of something that is written in many ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    String(Option<String>),
    Integer(Option<String>),
    Kinds(&'static [&'static str]),
    /// A string that stands alone, such as the documentation of a function.
    Alone,
}

pub(super) fn lower(subject: &Subject<'_>, tool: Tool) -> Result<Lowered, Reason> {
    let mut lowering = Lowering::new(subject, tool);
    let (nodes, is_list) = lowering.items();
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
        constraints: lowering.constraints,
    })
}

struct Lowering<'s> {
    subject: &'s Subject<'s>,
    tool: Tool,
    parents: Vec<Option<NodeId>>,
    /// Of the idiom's own holes.
    names: Vec<String>,
    /// All metavariables; holes are numbered by them while a variant is put together.
    metavariables: IndexSet<String>,
    constraints: Vec<(String, Literal)>,
    n_literals: usize,
    n_fixed_texts: usize,
    may_be_decorated: bool,
}

/// One way to write an idiom.
#[derive(Clone, Default)]
struct Variant {
    nodes: Vec<FragmentNode>,
    /// Nodes that have a metavariable for a list already.
    open: Vec<NodeId>,
}

/// What becomes of a hole.
enum Choice {
    Metavariable(String),
    /// A metavariable for what may be left out.
    Present(ProductionId, String),
    /// Nothing.
    Empty(ProductionId),
}

impl<'s> Lowering<'s> {
    fn new(subject: &'s Subject<'s>, tool: Tool) -> Lowering<'s> {
        let fragment = subject.fragment;
        let mut parents = vec![None; fragment.n_nodes()];
        for node in (0..fragment.n_nodes()).map(NodeId::new) {
            for child in fragment.children(node) {
                parents[child.index()] = Some(node);
            }
        }
        Lowering {
            subject,
            tool,
            parents,
            names: metavariables(&hole_names(subject.grammar, fragment)),
            metavariables: IndexSet::new(),
            constraints: Vec::new(),
            n_literals: 0,
            n_fixed_texts: 0,
            may_be_decorated: false,
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
        self.may_be_decorated = false;
        let fragment = self.subject.fragment;
        let end = fragment.end(root);
        let mut variants = vec![Variant::default()];
        let mut node = root;
        while node < end {
            if let FragmentNode::Fixed(label) = fragment.node(node) {
                if let Some(literal) = self.literal(node).filter(|_| node != root) {
                    let name = self.literal_name(literal);
                    self.push(
                        &mut variants,
                        |_| vec![Choice::Metavariable(name.clone())],
                        None,
                    );
                    node = fragment.end(node);
                    continue;
                }
                if node != root && self.is_open_block(node) {
                    let name = format!("$$$BLOCK{}", node.index());
                    let many = match self.tool {
                        Tool::AstGrep => name,
                        Tool::Semgrep => "...".to_owned(),
                    };
                    self.push(
                        &mut variants,
                        |_| vec![Choice::Metavariable(many.clone())],
                        None,
                    );
                    node = fragment.end(node);
                    continue;
                }
                self.n_fixed_texts += usize::from(matches!(label, Label::Text(_)));
                for variant in &mut variants {
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
        Ok(Code {
            ty: self.ty(root),
            constructor: self.constructor(root).unwrap_or_default(),
            child: child.and_then(|it| self.constructor(it)),
            texts: texts.into_iter().collect(),
            may_be_decorated: self.may_be_decorated,
        })
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
        let tool = self.tool;
        match self.subject.grammar.symbol_kind(symbol) {
            SymbolKind::Reference => return Err(NO_NAME),
            SymbolKind::Text => {
                self.push(variants, |_| vec![Choice::Metavariable(one.clone())], None);
            }
            SymbolKind::Node if is_list_like(ty) => {
                self.push(variants, |_| vec![Choice::Metavariable(many.clone())], None);
            }
            SymbolKind::Node if has_no_name(ty) => return Err(NO_NAME),
            SymbolKind::Node => {
                self.push(variants, |_| vec![Choice::Metavariable(one.clone())], None);
            }
            SymbolKind::Optional(_) if ty == "variadic" || field == "kwargs" => {
                let empty = empty.ok_or(NO_LIST)?;
                let present = self.production(node, 1);
                self.push(
                    variants,
                    |variant| open_list(variant, owner, empty, present, &many, tool),
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
                    ListHole::One => {
                        self.push(variants, |_| vec![Choice::Metavariable(one.clone())], None);
                    }
                    ListHole::Block if !self.is_rest(node) || tool == Tool::Semgrep => {
                        self.push(variants, |_| vec![Choice::Metavariable(many.clone())], None);
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
                            |variant| open_list(variant, owner, empty, None, &many, tool),
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

    /// Extends each variant by each choice; `owner` is left with a metavariable for a list.
    fn push(
        &mut self,
        variants: &mut Vec<Variant>,
        choices: impl Fn(&Variant) -> Vec<Choice>,
        owner: Option<NodeId>,
    ) {
        let mut extended = Vec::new();
        for variant in variants.iter() {
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
        let is_python = matches!(self.subject.language, SourceLanguage::Python);
        let fragment = self.subject.fragment;
        if is_python && self.tool == Tool::AstGrep && self.constructor(node) == Some("Expr") {
            let value = self.constructor(fragment.children(node).next()?)?;
            return matches!(value, "Str" | "FString" | "Bytes").then_some(Literal::Alone);
        }
        if !is_python || self.ty(node) != "expr" {
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
        if !matches!(self.subject.language, SourceLanguage::Python) {
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
    empty: ProductionId,
    present: Option<ProductionId>,
    many: &str,
    tool: Tool,
) -> Vec<Choice> {
    let open = match present {
        Some(present) => Choice::Present(present, many.to_owned()),
        None => Choice::Metavariable(many.to_owned()),
    };
    if variant.open.contains(&owner) {
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
