//! From a language's [`Ast`] to a [`Tree`] and back.
//!
//! Only this file and `grammar.rs` know how lists and options are made of cells.

use crate::ids::ConstructorId;
use crate::tree::TreeBuilder;
use crate::{
    Ast, Child, Field, FieldValue, Grammar, Label, ProductionId, ProductionKind, SymbolId,
    SymbolKind, Tree,
};

/// Why a tree of a language is none of a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// The root has a type that the grammar does not know.
    #[error("the grammar has no type `{0}`")]
    UnknownType(String),
    /// A constructor, or a cell of a list, that the grammar does not know.
    #[error("the grammar has no production `{0}`")]
    UnknownProduction(String),
    /// A node whose fields are not those of its constructor.
    #[error("expected `{constructor}` to hold ({expected}), found ({found})")]
    Fields {
        /// The constructor.
        constructor: &'static str,
        /// Its fields in the grammar.
        expected: String,
        /// Its fields here.
        found: String,
    },
    /// A child that cannot stand where it does.
    #[error("expected a value of {expected}, found {found}")]
    Child {
        /// The symbol.
        expected: String,
        /// The child.
        found: String,
    },
    /// A list that must not be empty, and is.
    #[error("expected at least one value of {0}, found an empty list")]
    Empty(String),
}

impl Grammar {
    /// Converts what a language's parser made.
    ///
    /// # Errors
    ///
    /// When the grammar does not derive `ast`.
    pub fn tree(&self, ast: &Ast) -> Result<Tree, ConvertError> {
        let root = self
            .symbol(ast.ty, crate::Arity::One)
            .ok_or_else(|| ConvertError::UnknownType(ast.ty.into()))?;
        let mut converter = Converter {
            grammar: self,
            builder: TreeBuilder::with_capacity(64),
            work: vec![Work::Node(ast, root)],
            recent: vec![None; N_RECENT],
        };
        while let Some(work) = converter.work.pop() {
            converter.step(work)?;
        }
        Ok(converter.builder.finish(self))
    }

    /// Converts a tree to what a language's printer takes.
    ///
    /// # Panics
    ///
    /// When the tree is of another grammar, or its root is a list, an option, a text or a reference.
    pub fn ast(&self, tree: &Tree) -> Ast {
        // From the last node to the first, a node's children are complete: the first one on top.
        let mut built: Vec<Built> = Vec::new();
        for node in tree.nodes().rev() {
            let value = match tree.label(node) {
                Label::Text(text) => Built::Child(Child::Text(text)),
                Label::Reference(index) => Built::Child(Child::Reference(index)),
                Label::Production(id) => self.build(id, &mut built),
            };
            built.push(value);
        }
        match built.pop() {
            Some(Built::Child(Child::Node(ast))) if built.is_empty() => ast,
            _ => panic!("the root of a program is a node"),
        }
    }

    fn build(&self, id: ProductionId, built: &mut Vec<Built>) -> Built {
        let mut next = || built.pop().expect("every production has its children");
        match self.production(id).kind {
            ProductionKind::Construct(constructor) => {
                Built::Child(Child::Node(self.build_node(id, constructor, next)))
            }
            ProductionKind::Nil => Built::Reversed(Vec::new()),
            ProductionKind::Cons | ProductionKind::First => {
                let item = next().child();
                let mut items = next().reversed();
                items.push(item);
                Built::Reversed(items)
            }
            ProductionKind::Present => Built::Optional(Some(next().child())),
            ProductionKind::Absent => Built::Optional(None),
        }
    }

    fn build_node(
        &self,
        id: ProductionId,
        constructor: ConstructorId,
        mut next: impl FnMut() -> Built,
    ) -> Ast {
        let ty = self.symbol_type(self.production(id).lhs);
        let constructor = self.constructor_at(constructor);
        let fields = constructor.fields.iter().map(|field| {
            let value = match next() {
                Built::Child(child) => FieldValue::One(child),
                Built::Optional(child) => FieldValue::Optional(child),
                Built::Reversed(mut items) => {
                    items.reverse();
                    match field.arity {
                        crate::Arity::NonEmpty => FieldValue::NonEmpty(items),
                        _ => FieldValue::Many(items),
                    }
                }
            };
            Field {
                name: field.name,
                ty: field.ty,
                value,
            }
        });
        Ast {
            ty,
            constructor: constructor.name,
            fields: fields.collect(),
            span: None,
        }
    }
}

/// A finished part of an [`Ast`].
enum Built {
    Child(Child),
    Optional(Option<Child>),
    /// A list, last item first.
    Reversed(Vec<Child>),
}

impl Built {
    fn child(self) -> Child {
        match self {
            Built::Child(child) => child,
            _ => panic!("an item of a list is no list"),
        }
    }

    fn reversed(self) -> Vec<Child> {
        match self {
            Built::Reversed(items) => items,
            _ => panic!("the rest of a list is a list"),
        }
    }
}

/// Recently used constructors are found by the address of their name: a language's names are
/// `'static`, so equal addresses (and lengths) mean equal names.
const N_RECENT: usize = 256;
type Recent = (SymbolId, usize, usize, ProductionId);

struct Converter<'a> {
    grammar: &'a Grammar,
    builder: TreeBuilder,
    /// What is still to be converted, next on top. A stack of our own, so that the depth of a tree
    /// is bounded by memory and not by the thread's stack.
    work: Vec<Work<'a>>,
    recent: Vec<Option<Recent>>,
}

#[derive(Clone, Copy)]
enum Work<'a> {
    Node(&'a Ast, SymbolId),
    Child(&'a Child, SymbolId),
    /// The rest of a list.
    List(&'a [Child], SymbolId),
}

impl<'a> Converter<'a> {
    fn step(&mut self, work: Work<'a>) -> Result<(), ConvertError> {
        match work {
            Work::Node(ast, symbol) => self.node(ast, symbol),
            Work::Child(child, symbol) => self.child(child, symbol),
            Work::List(items, symbol) => self.list(items, symbol),
        }
    }

    fn node(&mut self, ast: &'a Ast, symbol: SymbolId) -> Result<(), ConvertError> {
        let id = self.production(ast, symbol)?;
        self.builder.push(Label::Production(id), symbol);
        let rhs = &self.grammar.production(id).rhs;
        let fits = rhs.len() == ast.fields.len()
            && rhs
                .iter()
                .zip(&ast.fields)
                .rev()
                .all(|(&symbol, field)| self.field(field, symbol));
        if fits {
            Ok(())
        } else {
            Err(self.wrong_fields(ast, id))
        }
    }

    /// Schedules what a field holds; false where the field has another arity than the symbol.
    fn field(&mut self, field: &'a Field, symbol: SymbolId) -> bool {
        match (&field.value, self.grammar.symbol_kind(symbol)) {
            (
                FieldValue::One(child),
                SymbolKind::Node | SymbolKind::Text | SymbolKind::Reference,
            ) => self.work.push(Work::Child(child, symbol)),
            (FieldValue::Optional(child), SymbolKind::Optional(_)) => {
                self.work.push(Work::List(child.as_slice(), symbol));
            }
            (FieldValue::Many(items), SymbolKind::Many(_))
            | (FieldValue::NonEmpty(items), SymbolKind::NonEmpty(..)) => {
                self.work.push(Work::List(items, symbol));
            }
            _ => return false,
        }
        true
    }

    fn child(&mut self, child: &'a Child, symbol: SymbolId) -> Result<(), ConvertError> {
        let label = match (child, self.grammar.symbol_kind(symbol)) {
            (Child::Node(ast), SymbolKind::Node) => return self.node(ast, symbol),
            (Child::Text(text), SymbolKind::Text) => Label::Text(*text),
            (Child::Reference(index), SymbolKind::Reference) => Label::Reference(*index),
            (child, _) => {
                let found = match child {
                    Child::Node(ast) => {
                        format!("a node `{}` of type `{}`", ast.constructor, ast.ty)
                    }
                    Child::Text(text) => format!("the text {text:?}"),
                    Child::Reference(index) => format!("the reference @{index}"),
                };
                let expected = self.grammar.symbol_name(symbol);
                return Err(ConvertError::Child { expected, found });
            }
        };
        self.builder.push(label, symbol);
        Ok(())
    }

    /// Converts one cell of a list or option, and schedules its item and the rest.
    fn list(&mut self, items: &'a [Child], symbol: SymbolId) -> Result<(), ConvertError> {
        let (cell, rest) = match (self.grammar.symbol_kind(symbol), items.is_empty()) {
            (SymbolKind::Many(_), false) => (ProductionKind::Cons, Some(symbol)),
            (SymbolKind::Many(_), true) => (ProductionKind::Nil, None),
            (SymbolKind::NonEmpty(_, rest), false) => (ProductionKind::First, Some(rest)),
            (SymbolKind::Optional(_), false) => (ProductionKind::Present, None),
            (SymbolKind::Optional(_), true) => (ProductionKind::Absent, None),
            (SymbolKind::NonEmpty(..), true) => {
                return Err(ConvertError::Empty(self.grammar.symbol_name(symbol)));
            }
            _ => unreachable!("`field` schedules lists and options only"),
        };
        let id = self.grammar.production_of(symbol, cell).ok_or_else(|| {
            // An induced grammar only has the cells it has seen.
            ConvertError::UnknownProduction(format!(
                "{}.{}",
                self.grammar.symbol_name(symbol),
                cell.cell_name()
            ))
        })?;
        self.builder.push(Label::Production(id), symbol);
        if let Some(rest) = rest {
            self.work.push(Work::List(&items[1..], rest));
        }
        if let Some(item) = items.first() {
            self.work
                .push(Work::Child(item, self.grammar.production(id).rhs[0]));
        }
        Ok(())
    }

    fn production(&mut self, ast: &Ast, symbol: SymbolId) -> Result<ProductionId, ConvertError> {
        let address = ast.constructor.as_ptr() as usize;
        let slot = (address ^ (symbol.index() << 4)) % N_RECENT;
        if let Some((known, at, length, id)) = self.recent[slot]
            && (known, at, length) == (symbol, address, ast.constructor.len())
        {
            return Ok(id);
        }
        let id = self
            .grammar
            .construct(symbol, ast.constructor)
            .ok_or_else(|| {
                ConvertError::UnknownProduction(format!(
                    "{}.{}",
                    self.grammar.symbol_name(symbol),
                    ast.constructor
                ))
            })?;
        self.recent[slot] = Some((symbol, address, ast.constructor.len(), id));
        Ok(id)
    }

    fn wrong_fields(&self, ast: &Ast, id: ProductionId) -> ConvertError {
        let constructor = self
            .grammar
            .constructor(id)
            .expect("found by its constructor");
        ConvertError::Fields {
            constructor: constructor.name,
            expected: crate::grammar::join(constructor.fields.iter().copied()),
            found: crate::grammar::join(ast.fields.iter().map(crate::FieldType::of)),
        }
    }
}
