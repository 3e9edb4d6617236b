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

mod cells;
mod fingerprint;
mod induce;
mod merge;
mod notation;

use indexmap::{IndexMap, IndexSet};

use crate::ids::ConstructorId;
use crate::schema::{Constructor, TypeKind};
use crate::{Arity, ProductionId, Schema, SymbolId};

use cells::cells;
use notation::parse_symbol;
pub(crate) use notation::{QUOTE, join, quoted};

pub use fingerprint::Fingerprint;
pub use induce::InduceError;
pub use merge::Renumbering;
pub use notation::GrammarError;

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
            fingerprint: Fingerprint::of(""),
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
    pub(crate) fn symbol_named(&self, name: &str) -> Option<SymbolId> {
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
}
