//! Grammars that are induced from trees: what the trees need, and nothing else.

use super::notation::join;
use super::{Grammar, Kind};
use crate::schema::{Constructor, FieldType};
use crate::{Arity, Ast, Child, Field, FieldValue};

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

impl Grammar {
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
                open.extend(ast.nodes().rev());
            }
        }
        self.finish();
        Ok(())
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

    /// Notes what the values of a type are, if that is known.
    pub(super) fn learn_kind(&mut self, ty: &'static str, found: Kind) -> Result<(), InduceError> {
        let known = self.types.entry(ty).or_insert(found);
        if *known == Kind::Unknown {
            *known = found;
        }
        if *known == found || found == Kind::Unknown {
            return Ok(());
        }
        Err(InduceError::Kind {
            ty,
            expected: known.describe(),
            found: found.describe(),
        })
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
