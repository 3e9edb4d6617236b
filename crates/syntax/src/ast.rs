//! What crosses the boundary between patois and a language.
//!
//! An [`Ast`] describes itself: every node says its type and constructor, every field its name,
//! type and arity. Lists are lists and options are options; ids, productions and list cells do not
//! exist here. That is enough to *check* a program against a declared [`Schema`](crate::Schema),
//! and enough to *induce* a grammar where no schema was declared.

use crate::{Span, Text};

/// A node of an abstract syntax tree.
///
/// Names are `'static` because a language has a fixed set of them; an adapter that makes up names
/// while it reads (say, from a tree-sitter grammar) interns them: `Text::new(name).as_str()`.
///
/// Two trees are equal wherever in their sources they stand.
#[derive(Clone, Debug)]
pub struct Ast {
    /// The type this node has for its parent, such as `expr`.
    pub ty: &'static str,
    /// What kind of node it is within its type, such as `BinOp`.
    pub constructor: &'static str,
    /// The fields, always the same and in the same order for one constructor.
    pub fields: Vec<Field>,
    /// Where the node stands in the source, as far as that is known.
    pub span: Option<Span>,
}

impl PartialEq for Ast {
    fn eq(&self, other: &Ast) -> bool {
        let head = |it: &Ast| (it.ty, it.constructor);
        head(self) == head(other) && self.fields == other.fields
    }
}

impl Eq for Ast {}

/// A field of a node, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name, unique within its constructor.
    pub name: &'static str,
    /// The type of what the field holds: of each item, where it holds several.
    pub ty: &'static str,
    /// What it holds.
    pub value: FieldValue,
}

/// The value of a field; the variant says the field's arity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// Exactly one child.
    One(Child),
    /// A child or nothing: `expr?`.
    Optional(Option<Child>),
    /// Any number of children: `stmt*`.
    Many(Vec<Child>),
    /// At least one child: `stmt+`.
    NonEmpty(Vec<Child>),
}

/// A child of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// A node with fields of its own.
    Node(Ast),
    /// An identifier or a literal.
    Text(Text),
    /// An item of the specification's context, such as the third column of a database.
    Reference(u32),
}

impl Ast {
    /// A node with the given fields.
    #[inline]
    pub fn new(ty: &'static str, constructor: &'static str, fields: Vec<Field>) -> Ast {
        Ast {
            ty,
            constructor,
            fields,
            span: None,
        }
    }

    /// The node, standing at the given place of its source.
    #[inline]
    #[must_use]
    pub fn at(self, span: Span) -> Ast {
        Ast {
            span: Some(span),
            ..self
        }
    }

    /// The nodes right below this one, in order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = &Ast> {
        let children = self.fields.iter().flat_map(|it| it.value.children());
        children.filter_map(|it| match it {
            Child::Node(ast) => Some(ast),
            Child::Text(_) | Child::Reference(_) => None,
        })
    }

    /// The nodes right below this one, to be changed in place.
    pub fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Ast> {
        let values = self.fields.iter_mut().map(|it| &mut it.value);
        let children = values.flat_map(|it| match it {
            FieldValue::One(child) => std::slice::from_mut(child),
            FieldValue::Optional(child) => child.as_mut_slice(),
            FieldValue::Many(children) | FieldValue::NonEmpty(children) => children,
        });
        children.filter_map(|it| match it {
            Child::Node(ast) => Some(ast),
            Child::Text(_) | Child::Reference(_) => None,
        })
    }

    /// The value of the field called `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<&FieldValue> {
        self.fields
            .iter()
            .find(|field| field.name == name)
            .map(|field| &field.value)
    }
}

impl Field {
    /// A field that always holds one child.
    #[inline]
    pub fn one(name: &'static str, ty: &'static str, child: impl Into<Child>) -> Field {
        Field {
            name,
            ty,
            value: FieldValue::One(child.into()),
        }
    }

    /// A field that holds a child or nothing.
    pub fn optional<C: Into<Child>>(
        name: &'static str,
        ty: &'static str,
        child: Option<C>,
    ) -> Field {
        Field {
            name,
            ty,
            value: FieldValue::Optional(child.map(Into::into)),
        }
    }

    /// A field that holds any number of children.
    pub fn many<C: Into<Child>>(
        name: &'static str,
        ty: &'static str,
        children: impl IntoIterator<Item = C>,
    ) -> Field {
        Field {
            name,
            ty,
            value: FieldValue::Many(children.into_iter().map(Into::into).collect()),
        }
    }

    /// A field that holds at least one child.
    pub fn non_empty<C: Into<Child>>(
        name: &'static str,
        ty: &'static str,
        children: impl IntoIterator<Item = C>,
    ) -> Field {
        let children = children.into_iter().map(Into::into).collect();
        Field {
            name,
            ty,
            value: FieldValue::NonEmpty(children),
        }
    }
}

impl FieldValue {
    /// The children, whatever the arity.
    pub fn children(&self) -> &[Child] {
        match self {
            FieldValue::One(child) => std::slice::from_ref(child),
            FieldValue::Optional(child) => child.as_slice(),
            FieldValue::Many(children) | FieldValue::NonEmpty(children) => children,
        }
    }
}

impl From<Ast> for Child {
    #[inline]
    fn from(node: Ast) -> Child {
        Child::Node(node)
    }
}

impl From<Text> for Child {
    #[inline]
    fn from(text: Text) -> Child {
        Child::Text(text)
    }
}

impl From<&str> for Child {
    #[inline]
    fn from(text: &str) -> Child {
        Child::Text(Text::new(text))
    }
}
