//! Grammars: which productions may expand a symbol.
//!
//! A grammar has a symbol for each type, and one for each optional field and list of a type. The
//! list `stmt*` is a symbol with two productions, *one more* and *no more*; `expr?` has *present*
//! and *absent*; `stmt+` has one, *the first*, whose second part is `stmt*`. Every node then has a
//! fixed number of children, so an idiom may end in the middle of a list, a decoder stops a list by
//! choosing a production, and neither needs a special case.
//!
//! ```
//! use patois_syntax::{Arity, Grammar, Schema};
//!
//! let schema = Schema::parse("module M { block = (stmt* body) stmt = Pass | Block(block it) }")?;
//! let grammar = Grammar::from_schema(&schema);
//! let list = grammar.symbol("stmt", Arity::Many).unwrap();
//! assert_eq!(grammar.symbol_name(list), "stmt*");
//! assert_eq!(grammar.expansions(list).len(), 2);
//! # Ok::<(), patois_syntax::SchemaError>(())
//! ```

use std::borrow::Cow;
use std::fmt;

use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};

use crate::ids::ConstructorId;
use crate::schema::{Constructor, FieldType, TypeKind};
use crate::{Arity, Ast, Child, Field, FieldValue, ProductionId, Schema, SymbolId, Text};

/// Symbols and the productions that expand them.
///
/// Displays as a text that [`Grammar::parse`] reads: the symbols, then a line for each production.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    name: &'static str,
    /// What the values of each type are; unknown where it only occurs in lists that are empty.
    types: IndexMap<&'static str, Kind>,
    /// The first one is the symbol of whole programs.
    symbols: IndexSet<(&'static str, Arity)>,
    kinds: Vec<SymbolKind>,
    productions: Vec<Production>,
    expansions: Vec<Vec<ProductionId>>,
    constructors: Vec<Constructor>,
    by_constructor: IndexMap<(SymbolId, &'static str), ProductionId>,
    fingerprint: Fingerprint,
}

/// A way to expand a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Production {
    /// The symbol that it expands.
    pub lhs: SymbolId,
    /// What it stands for.
    pub kind: ProductionKind,
    /// The symbols of the children.
    pub rhs: Box<[SymbolId]>,
}

/// What a production stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProductionKind {
    /// A node of some kind.
    Construct(ConstructorId),
    /// One more item of a list, then the rest of it.
    Cons,
    /// The end of a list.
    Nil,
    /// The first item of a list that is never empty, then the rest of it.
    First,
    /// An optional field that is there.
    Present,
    /// An optional field that is not.
    Absent,
}

impl ProductionKind {
    /// Whether it is an item of a list, followed by the rest of the list.
    pub fn is_cell(self) -> bool {
        matches!(self, ProductionKind::Cons | ProductionKind::First)
    }
}

/// What the values of a symbol are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// Nodes of a type.
    Node,
    /// Texts.
    Text,
    /// Items of a context.
    Reference,
    /// A value of the given symbol, or nothing.
    Optional(SymbolId),
    /// Any number of values of the given symbol.
    Many(SymbolId),
    /// A value of the first symbol, then the list that is the second.
    NonEmpty(SymbolId, SymbolId),
}

/// A number that tells grammars apart: equal grammars have equal ones, on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Fingerprint(u64);

/// Why no grammar could be induced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InduceError {
    /// There were no trees.
    #[error("expected at least one tree to induce a grammar from")]
    NoTrees,
    /// A constructor has other fields here than elsewhere.
    #[error("expected `{constructor}` of type `{ty}` to hold ({expected}), found ({found})")]
    Fields {
        /// The type.
        ty: &'static str,
        /// The constructor.
        constructor: &'static str,
        /// The fields it had first.
        expected: String,
        /// The fields it has here.
        found: String,
    },
    /// A type has values of another kind here than elsewhere.
    #[error("expected values of type `{ty}` to be {expected}, found {found}")]
    Kind {
        /// The type.
        ty: &'static str,
        /// What they were first.
        expected: &'static str,
        /// What one of them is here.
        found: &'static str,
    },
    /// A node has another type than the field that holds it.
    #[error("expected a node of type `{expected}` in field `{field}`, found `{found}`")]
    Type {
        /// The field.
        field: &'static str,
        /// The field's type.
        expected: &'static str,
        /// The node's type.
        found: &'static str,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unknown,
    Node,
    Text,
    Reference,
}

impl Kind {
    fn describe(self) -> &'static str {
        match self {
            Kind::Unknown => "unknown",
            Kind::Node => "nodes",
            Kind::Text => "texts",
            Kind::Reference => "references",
        }
    }
}

impl Grammar {
    /// The grammar of a declared language: everything its schema allows.
    pub fn from_schema(schema: &Schema) -> Grammar {
        let mut grammar = Grammar::new(schema.name(), schema.root());
        // Types first, in the order of the schema, so that the grammar displays as the schema.
        for (ty, kind) in schema.types() {
            let kind = match kind {
                TypeKind::Node(_) => Kind::Node,
                TypeKind::Text => Kind::Text,
                TypeKind::Reference => Kind::Reference,
            };
            grammar.types.insert(ty, kind);
            grammar.add_symbol(ty, Arity::One);
        }
        for (ty, kind) in schema.types() {
            if let TypeKind::Node(constructors) = kind {
                for constructor in constructors {
                    grammar.add_constructor(ty, constructor.clone());
                }
            }
        }
        for symbol in (0..grammar.n_symbols()).map(SymbolId::new) {
            for kind in cells(grammar.symbol_parts(symbol).1) {
                grammar.add_cell(symbol, *kind);
            }
        }
        grammar.finished()
    }

    /// The smallest grammar that derives the given trees.
    ///
    /// Symbols and productions are numbered in the order in which the trees need them.
    ///
    /// # Errors
    ///
    /// When there are no trees, or they contradict each other: a constructor with two sets of
    /// fields, a type whose values are texts here and nodes there.
    pub fn induce<'a>(
        name: &'static str,
        asts: impl IntoIterator<Item = &'a Ast>,
    ) -> Result<Grammar, InduceError> {
        let mut asts = asts.into_iter().peekable();
        let root = asts.peek().ok_or(InduceError::NoTrees)?.ty;
        let mut grammar = Grammar::new(name, root);
        grammar.extend(asts)?;
        Ok(grammar)
    }

    /// Adds what the given trees need beyond what is there, so that a corpus need not be held as a
    /// whole: what a symbol or production is called by stays as it is.
    ///
    /// # Errors
    ///
    /// When a tree contradicts those before it; see [`Grammar::induce`].
    pub fn extend<'a>(
        &mut self,
        asts: impl IntoIterator<Item = &'a Ast>,
    ) -> Result<(), InduceError> {
        let mut open = Vec::new();
        for ast in asts {
            open.push(ast);
            while let Some(ast) = open.pop() {
                self.learn(ast)?;
                let children = ast.fields.iter().flat_map(|field| field.value.children());
                let start = open.len();
                open.extend(children.filter_map(|child| match child {
                    Child::Node(ast) => Some(ast),
                    Child::Text(_) | Child::Reference(_) => None,
                }));
                open[start..].reverse();
            }
        }
        self.finish();
        Ok(())
    }

    fn new(name: &'static str, root: &'static str) -> Grammar {
        let mut grammar = Grammar {
            name,
            types: IndexMap::new(),
            symbols: IndexSet::new(),
            kinds: Vec::new(),
            productions: Vec::new(),
            expansions: Vec::new(),
            constructors: Vec::new(),
            by_constructor: IndexMap::new(),
            fingerprint: Fingerprint(0),
        };
        grammar.add_symbol(root, Arity::One);
        grammar
    }

    fn finished(mut self) -> Grammar {
        self.finish();
        self
    }

    fn finish(&mut self) {
        self.kinds = (0..self.n_symbols())
            .map(|it| self.kind_of(SymbolId::new(it)))
            .collect();
        self.fingerprint = Fingerprint::of(&self.to_string());
    }

    /// The name of the language.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The symbol of whole programs.
    pub fn root(&self) -> SymbolId {
        SymbolId::new(0)
    }

    /// Tells this grammar from others.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// How many symbols there are; their ids count from zero.
    pub fn n_symbols(&self) -> usize {
        self.symbols.len()
    }

    /// How many productions there are; their ids count from zero.
    pub fn n_productions(&self) -> usize {
        self.productions.len()
    }

    /// A production.
    pub fn production(&self, id: ProductionId) -> &Production {
        &self.productions[id.index()]
    }

    /// The constructor of a production that has one.
    pub fn constructor(&self, id: ProductionId) -> Option<&Constructor> {
        match self.production(id).kind {
            ProductionKind::Construct(constructor) => Some(&self.constructors[constructor.index()]),
            _ => None,
        }
    }

    pub(crate) fn constructor_at(&self, id: ConstructorId) -> &Constructor {
        &self.constructors[id.index()]
    }

    /// The productions that may expand a symbol; none for texts and references.
    pub fn expansions(&self, symbol: SymbolId) -> &[ProductionId] {
        &self.expansions[symbol.index()]
    }

    /// The production of `symbol` for the constructor of that name, if it has one.
    pub fn construct(&self, symbol: SymbolId, constructor: &str) -> Option<ProductionId> {
        self.by_constructor.get(&(symbol, constructor)).copied()
    }

    /// The production of `symbol` that is of the given kind, if it has one.
    pub fn production_of(&self, symbol: SymbolId, kind: ProductionKind) -> Option<ProductionId> {
        self.expansions(symbol)
            .iter()
            .copied()
            .find(|&id| self.production(id).kind == kind)
    }

    /// The symbol for a type and an arity, if the grammar has it.
    pub fn symbol(&self, ty: &str, arity: Arity) -> Option<SymbolId> {
        self.symbols.get_index_of(&(ty, arity)).map(SymbolId::new)
    }

    /// The type of a symbol's values, or of the items of a list.
    pub fn symbol_type(&self, symbol: SymbolId) -> &'static str {
        self.symbol_parts(symbol).0
    }

    /// How a symbol is written: `stmt`, `stmt*`, `expr?`.
    pub fn symbol_name(&self, symbol: SymbolId) -> String {
        let (ty, arity) = self.symbol_parts(symbol);
        format!("{ty}{}", arity.suffix())
    }

    /// The symbol that is written as `name`, if the grammar has it.
    pub fn symbol_named(&self, name: &str) -> Option<SymbolId> {
        let (ty, arity) = parse_symbol(name);
        self.symbol(ty, arity)
    }

    /// What the values of a symbol are.
    pub fn symbol_kind(&self, symbol: SymbolId) -> SymbolKind {
        self.kinds[symbol.index()]
    }

    fn kind_of(&self, symbol: SymbolId) -> SymbolKind {
        let (ty, arity) = self.symbol_parts(symbol);
        let expect = |arity| {
            self.symbol(ty, arity)
                .expect("a list has a symbol for its items")
        };
        match arity {
            Arity::One => match self.types[ty] {
                Kind::Text => SymbolKind::Text,
                Kind::Reference => SymbolKind::Reference,
                Kind::Node | Kind::Unknown => SymbolKind::Node,
            },
            Arity::Optional => SymbolKind::Optional(expect(Arity::One)),
            Arity::Many => SymbolKind::Many(expect(Arity::One)),
            Arity::NonEmpty => SymbolKind::NonEmpty(expect(Arity::One), expect(Arity::Many)),
        }
    }

    fn symbol_parts(&self, symbol: SymbolId) -> (&'static str, Arity) {
        *self
            .symbols
            .get_index(symbol.index())
            .expect("a symbol of this grammar")
    }

    /// Adds what one node says: its constructor, and what its fields hold.
    fn learn(&mut self, ast: &Ast) -> Result<(), InduceError> {
        self.learn_kind(ast.ty, Kind::Node)?;
        let symbol = self.add_symbol(ast.ty, Arity::One);
        match self.construct(symbol, ast.constructor) {
            None => {
                let fields = ast.fields.iter().map(FieldType::of).collect();
                self.add_constructor(
                    ast.ty,
                    Constructor {
                        name: ast.constructor,
                        fields,
                    },
                );
            }
            Some(known) => {
                let known = &self
                    .constructor(known)
                    .expect("found by its constructor")
                    .fields;
                if !known
                    .iter()
                    .copied()
                    .eq(ast.fields.iter().map(FieldType::of))
                {
                    return Err(InduceError::Fields {
                        ty: ast.ty,
                        constructor: ast.constructor,
                        expected: join(known.iter().copied()),
                        found: join(ast.fields.iter().map(FieldType::of)),
                    });
                }
            }
        }
        for field in &ast.fields {
            self.learn_cells(field);
            for child in field.value.children() {
                self.learn_child(field, child)?;
            }
        }
        Ok(())
    }

    /// Adds the cells that hold what is in a field: a list that is always empty has no *one more*.
    fn learn_cells(&mut self, field: &Field) {
        let symbol = self.add_symbol(field.ty, FieldType::of(field).arity);
        match &field.value {
            FieldValue::One(_) => {}
            FieldValue::Optional(Some(_)) => self.add_cell(symbol, ProductionKind::Present),
            FieldValue::Optional(None) => self.add_cell(symbol, ProductionKind::Absent),
            FieldValue::Many(items) => self.learn_list(symbol, items.len()),
            FieldValue::NonEmpty(items) => {
                self.add_cell(symbol, ProductionKind::First);
                let rest = self.add_symbol(field.ty, Arity::Many);
                self.learn_list(rest, items.len().saturating_sub(1));
            }
        }
    }

    fn learn_list(&mut self, symbol: SymbolId, n_items: usize) {
        if n_items > 0 {
            self.add_cell(symbol, ProductionKind::Cons);
        }
        self.add_cell(symbol, ProductionKind::Nil);
    }

    fn learn_child(&mut self, field: &Field, child: &Child) -> Result<(), InduceError> {
        match child {
            Child::Text(_) => self.learn_kind(field.ty, Kind::Text),
            Child::Reference(_) => self.learn_kind(field.ty, Kind::Reference),
            Child::Node(node) if node.ty != field.ty => Err(InduceError::Type {
                field: field.name,
                expected: field.ty,
                found: node.ty,
            }),
            Child::Node(_) => self.learn_kind(field.ty, Kind::Node),
        }
    }

    fn learn_kind(&mut self, ty: &'static str, found: Kind) -> Result<(), InduceError> {
        let known = self.types.entry(ty).or_insert(found);
        if *known == Kind::Unknown {
            *known = found;
        }
        if *known == found {
            return Ok(());
        }
        Err(InduceError::Kind {
            ty,
            expected: known.describe(),
            found: found.describe(),
        })
    }

    fn add_constructor(&mut self, ty: &'static str, constructor: Constructor) {
        let lhs = self.add_symbol(ty, Arity::One);
        let rhs = constructor
            .fields
            .iter()
            .map(|it| self.add_symbol(it.ty, it.arity))
            .collect();
        let kind = ProductionKind::Construct(ConstructorId::new(self.constructors.len()));
        let name = constructor.name;
        self.constructors.push(constructor);
        let production = self.add_production(lhs, kind, rhs);
        self.by_constructor.insert((lhs, name), production);
    }

    /// The symbol for a type and an arity; a list or option comes after the symbol of its items.
    fn add_symbol(&mut self, ty: &'static str, arity: Arity) -> SymbolId {
        if let Some(known) = self.symbol(ty, arity) {
            return known;
        }
        if arity != Arity::One {
            self.add_symbol(ty, Arity::One);
        }
        if arity == Arity::NonEmpty {
            self.add_symbol(ty, Arity::Many);
        }
        self.types.entry(ty).or_insert(Kind::Unknown);
        self.expansions.push(Vec::new());
        SymbolId::new(self.symbols.insert_full((ty, arity)).0)
    }

    /// Adds a production of a list or option, unless it is there.
    fn add_cell(&mut self, symbol: SymbolId, kind: ProductionKind) {
        if self.production_of(symbol, kind).is_some() {
            return;
        }
        let ty = self.symbol_type(symbol);
        let rhs: Box<[SymbolId]> = match kind {
            ProductionKind::Cons => [self.add_symbol(ty, Arity::One), symbol].into(),
            ProductionKind::First => [
                self.add_symbol(ty, Arity::One),
                self.add_symbol(ty, Arity::Many),
            ]
            .into(),
            ProductionKind::Present => [self.add_symbol(ty, Arity::One)].into(),
            ProductionKind::Nil | ProductionKind::Absent => [].into(),
            ProductionKind::Construct(_) => unreachable!("a constructor is no cell"),
        };
        self.add_production(symbol, kind, rhs);
    }

    fn add_production(
        &mut self,
        lhs: SymbolId,
        kind: ProductionKind,
        rhs: Box<[SymbolId]>,
    ) -> ProductionId {
        let id = ProductionId::new(self.productions.len());
        self.productions.push(Production { lhs, kind, rhs });
        self.expansions[lhs.index()].push(id);
        id
    }

    /// How a production is written: `stmt.Assign`, `stmt*.more`, `stmt*.end`, `stmt+.first`,
    /// `expr?.some`, `expr?.none`.
    pub fn production_name(&self, id: ProductionId) -> String {
        let production = self.production(id);
        let name = match production.kind {
            ProductionKind::Construct(constructor) => self.constructors[constructor.index()].name,
            cell => cell.cell_name(),
        };
        format!("{}.{}", self.symbol_name(production.lhs), quoted(name))
    }

    /// The production that is written as `name`, if the grammar has it.
    pub fn production_named(&self, name: &str) -> Option<ProductionId> {
        let (symbol, name) = split_production(name)?;
        let arity = parse_symbol(symbol).1;
        let symbol = self.symbol_named(symbol)?;
        match cell_named(arity, name) {
            Some(cell) => self.production_of(symbol, cell),
            None => self.construct(symbol, name),
        }
    }
}

/// The productions that a list or option has where everything is allowed.
fn cells(arity: Arity) -> &'static [ProductionKind] {
    match arity {
        Arity::One => &[],
        Arity::Optional => &[ProductionKind::Present, ProductionKind::Absent],
        Arity::Many => &[ProductionKind::Cons, ProductionKind::Nil],
        Arity::NonEmpty => &[ProductionKind::First],
    }
}

fn cell_named(arity: Arity, name: &str) -> Option<ProductionKind> {
    cells(arity)
        .iter()
        .copied()
        .find(|cell| cell.cell_name() == name)
}

impl ProductionKind {
    /// How a production of a list or option is called.
    pub(crate) fn cell_name(self) -> &'static str {
        match self {
            ProductionKind::Cons => "more",
            ProductionKind::Nil => "end",
            ProductionKind::First => "first",
            ProductionKind::Present => "some",
            ProductionKind::Absent => "none",
            ProductionKind::Construct(_) => unreachable!("a constructor has a name of its own"),
        }
    }
}

/// Stands around names that are not made of letters, digits and `_`; no name has it in it.
pub(crate) const QUOTE: char = '`';

/// The name of a constructor as it is written: in backticks where it is no plain word.
pub(crate) fn quoted(name: &str) -> Cow<'_, str> {
    let is_plain = name.chars().all(|it| it.is_alphanumeric() || it == '_');
    if is_plain {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("{QUOTE}{name}{QUOTE}"))
    }
}

/// The symbol and the name of a production that is written as `stmt.Assign`.
fn split_production(text: &str) -> Option<(&str, &str)> {
    match text.strip_suffix(QUOTE) {
        Some(text) => {
            let (symbol, name) = text.split_once(QUOTE)?;
            Some((symbol.strip_suffix('.')?, name))
        }
        None => text.rsplit_once('.'),
    }
}

/// `stmt*` is a type and an arity.
fn parse_symbol(name: &str) -> (&str, Arity) {
    [Arity::Optional, Arity::Many, Arity::NonEmpty]
        .into_iter()
        .find_map(|arity| Some((name.strip_suffix(arity.suffix())?, arity)))
        .unwrap_or((name, Arity::One))
}

/// Why a text is not a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct GrammarError {
    /// One-based.
    pub line: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl Grammar {
    /// Reads a grammar in the notation that it displays as; the ids are those of the original.
    ///
    /// # Errors
    ///
    /// When a line is none of that notation.
    pub fn parse(text: &str) -> Result<Grammar, GrammarError> {
        let error = |line: usize, message: String| GrammarError {
            line: line + 1,
            message,
        };
        let mut lines = text.lines().enumerate();
        let mut header = |keyword: &str| {
            let (line, text) = lines.next().unwrap_or((0, ""));
            let found = text
                .strip_prefix(keyword)
                .and_then(|rest| rest.strip_prefix(' '));
            found
                .map(|rest| (line, rest))
                .ok_or_else(|| error(line, format!("expected `{keyword} ...`, found `{text}`")))
        };
        let (_, name) = header("grammar")?;
        let (line, symbols) = header("symbols")?;
        let mut symbols = symbols.split(' ');
        let root = intern(symbols.next().unwrap_or_default());
        if root.is_empty() || parse_symbol(root).1 != Arity::One {
            return Err(error(
                line,
                format!("expected the type of programs, found `{root}`"),
            ));
        }
        let mut grammar = Grammar::new(intern(name), root);
        for symbol in symbols {
            let (ty, arity) = parse_symbol(intern(symbol));
            grammar.add_symbol(ty, arity);
        }
        for (line, text) in lines {
            grammar
                .parse_line(text)
                .map_err(|message| error(line, message))?;
        }
        Ok(grammar.finished())
    }

    /// Reads `identifier = text`, `stmt*.more` or `stmt.Assign(expr+ targets, expr value)`.
    fn parse_line(&mut self, text: &str) -> Result<(), String> {
        if let Some((ty, kind)) = text.split_once(" = ").filter(|it| !it.0.contains(QUOTE)) {
            let kind = match kind {
                "text" => Kind::Text,
                "reference" => Kind::Reference,
                _ => return Err(format!("expected `text` or `reference`, found `{kind}`")),
            };
            self.types.insert(intern(ty), kind);
            return Ok(());
        }
        let name_end = text.rfind(QUOTE).map_or(0, |it| it + 1);
        let (head, fields) = match text[name_end..].find('(') {
            Some(at) => (
                &text[..name_end + at],
                text[name_end + at + 1..]
                    .strip_suffix(')')
                    .ok_or("expected a closing `)`")?,
            ),
            None => (text, ""),
        };
        let (symbol, name) = split_production(head).ok_or_else(|| {
            format!("expected a production such as `stmt.Assign`, found `{text}`")
        })?;
        let (ty, arity) = parse_symbol(symbol);
        let id = self
            .symbol(ty, arity)
            .ok_or_else(|| format!("symbol `{symbol}` is not listed"))?;
        if let Some(cell) = cell_named(arity, name) {
            self.add_cell(id, cell);
            return Ok(());
        }
        if arity != Arity::One || self.construct(id, name).is_some() {
            return Err(format!("production `{head}` is unknown or given twice"));
        }
        let fields: Result<Vec<FieldType>, String> = fields
            .split(", ")
            .filter(|field| !field.is_empty())
            .map(|field| {
                let (symbol, name) = field
                    .split_once(' ')
                    .ok_or_else(|| format!("expected a type and a name, found `{field}`"))?;
                let (ty, arity) = parse_symbol(intern(symbol));
                Ok(FieldType {
                    name: intern(name),
                    ty,
                    arity,
                })
            })
            .collect();
        self.types.insert(intern(ty), Kind::Node);
        self.add_constructor(
            intern(ty),
            Constructor {
                name: intern(name),
                fields: fields?,
            },
        );
        Ok(())
    }
}

fn intern(name: &str) -> &'static str {
    Text::new(name).as_str()
}

impl fmt::Display for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "grammar {}\nsymbols", self.name)?;
        for (ty, arity) in &self.symbols {
            write!(f, " {ty}{}", arity.suffix())?;
        }
        writeln!(f)?;
        for (ty, kind) in &self.types {
            match kind {
                Kind::Text => writeln!(f, "{ty} = text")?,
                Kind::Reference => writeln!(f, "{ty} = reference")?,
                Kind::Node | Kind::Unknown => {}
            }
        }
        for id in (0..self.n_productions()).map(ProductionId::new) {
            f.write_str(&self.production_name(id))?;
            match self.constructor(id) {
                Some(it) if !it.fields.is_empty() => {
                    writeln!(f, "({})", join(it.fields.iter().copied()))?;
                }
                _ => writeln!(f)?,
            }
        }
        Ok(())
    }
}

impl FieldType {
    /// What a field of a tree says of its constructor.
    pub(crate) fn of(field: &Field) -> FieldType {
        let arity = match field.value {
            FieldValue::One(_) => Arity::One,
            FieldValue::Optional(_) => Arity::Optional,
            FieldValue::Many(_) => Arity::Many,
            FieldValue::NonEmpty(_) => Arity::NonEmpty,
        };
        FieldType {
            name: field.name,
            ty: field.ty,
            arity,
        }
    }
}

pub(crate) fn join(fields: impl Iterator<Item = FieldType>) -> String {
    let fields: Vec<_> = fields
        .map(|it| format!("{}{} {}", it.ty, it.arity.suffix(), it.name))
        .collect();
    fields.join(", ")
}

impl Fingerprint {
    /// FNV-1a, 64 bits: short, and the same on every machine and in every version.
    fn of(text: &str) -> Fingerprint {
        Fingerprint(text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> String {
        fingerprint.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = String;

    fn try_from(text: String) -> Result<Fingerprint, String> {
        u64::from_str_radix(&text, 16)
            .map(Fingerprint)
            .map_err(|_| format!("expected a fingerprint of 16 hexadecimal digits, found `{text}`"))
    }
}
