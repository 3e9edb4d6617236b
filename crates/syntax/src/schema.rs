//! Declared abstract grammars: which constructors a language has, and the `.asdl` files that say so.
//!
//! The notation is Zephyr ASDL as CPython uses it (Wang et al. 1997), with two additions. A field
//! may be `stmt+`, a list that is never empty. And every type is defined: a type whose values are
//! texts is `identifier = text`, one whose values point into a context is `column = reference`.
//!
//! ```
//! use patois_syntax::{Arity, Schema};
//!
//! let schema = Schema::parse(
//!     "module Toy {
//!          -- The first type is the type of whole programs.
//!          block = (stmt+ body)
//!          stmt = Assign(name target, expr value) | Return(expr? value)
//!          expr = Name(name id) | Call(name function, expr* arguments)
//!          name = text
//!      }",
//! )?;
//! assert_eq!(schema.root(), "block");
//! let call = schema.constructor("expr", "Call").unwrap();
//! assert_eq!(call.fields[1].arity, Arity::Many);
//! # Ok::<(), patois_syntax::SchemaError>(())
//! ```

use std::fmt;
use std::iter::Peekable;
use std::str::CharIndices;

use indexmap::IndexMap;

use crate::Text;

/// The types and constructors of a language.
///
/// Displays as the `.asdl` text it can be read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    name: &'static str,
    types: IndexMap<&'static str, TypeKind>,
}

/// What the values of a type are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// Nodes: one constructor or several.
    Node(Vec<Constructor>),
    /// Texts: identifiers, literals.
    Text,
    /// Items of a context, such as the columns of a database.
    Reference,
}

/// A kind of node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constructor {
    /// Unique within its type.
    pub name: &'static str,
    /// What a node of this kind holds, in order.
    pub fields: Vec<FieldType>,
}

/// A field of a constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldType {
    /// Unique within its constructor.
    pub name: &'static str,
    /// The type of each thing it holds.
    pub ty: &'static str,
    /// How many of them.
    pub arity: Arity,
}

/// How many things a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arity {
    /// Exactly one.
    One,
    /// One or none: `?`.
    Optional,
    /// Any number: `*`.
    Many,
    /// At least one: `+`.
    NonEmpty,
}

impl Arity {
    /// What is written after a type: nothing, `?`, `*` or `+`.
    pub fn suffix(self) -> &'static str {
        match self {
            Arity::One => "",
            Arity::Optional => "?",
            Arity::Many => "*",
            Arity::NonEmpty => "+",
        }
    }
}

/// Why a text is not a schema, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SchemaError {
    /// One-based.
    pub line: usize,
    /// One-based, in characters.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl Schema {
    /// Reads a schema in ASDL notation.
    ///
    /// # Errors
    ///
    /// When the text is not ASDL, a name is defined twice or not at all, or a type has no finite
    /// tree.
    pub fn parse(asdl: &str) -> Result<Schema, SchemaError> {
        Parser::new(asdl).schema()
    }

    /// The name of the language, as the schema gives it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The type of whole programs: the first one.
    ///
    /// # Panics
    ///
    /// Never: a schema without types is refused when it is read.
    pub fn root(&self) -> &'static str {
        self.types
            .first()
            .map(|(&name, _)| name)
            .expect("a schema has at least one type")
    }

    /// The types, in the order of their definitions.
    pub fn types(&self) -> impl Iterator<Item = (&'static str, &TypeKind)> {
        self.types.iter().map(|(&name, kind)| (name, kind))
    }

    /// What the values of the type called `ty` are, if it is defined.
    pub fn kind(&self, ty: &str) -> Option<&TypeKind> {
        self.types.get(ty)
    }

    /// The constructor of type `ty` called `name`, if there is one.
    pub fn constructor(&self, ty: &str, name: &str) -> Option<&Constructor> {
        match self.kind(ty)? {
            TypeKind::Node(constructors) => constructors.iter().find(|it| it.name == name),
            TypeKind::Text | TypeKind::Reference => None,
        }
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "module {}\n{{", self.name)?;
        for (ty, kind) in &self.types {
            write!(f, "    {ty} = ")?;
            match kind {
                TypeKind::Text => f.write_str("text")?,
                TypeKind::Reference => f.write_str("reference")?,
                TypeKind::Node(constructors) => write_constructors(f, ty, constructors)?,
            }
            f.write_str("\n")?;
        }
        f.write_str("}\n")
    }
}

fn write_constructors(
    f: &mut fmt::Formatter<'_>,
    ty: &str,
    constructors: &[Constructor],
) -> fmt::Result {
    // A type with one constructor of its own name is a product type.
    let is_product = matches!(constructors, [only] if only.name == ty);
    for (index, constructor) in constructors.iter().enumerate() {
        if index > 0 {
            write!(f, "\n    {:width$} | ", "", width = ty.len())?;
        }
        if !is_product {
            f.write_str(constructor.name)?;
        }
        if is_product || !constructor.fields.is_empty() {
            f.write_str("(")?;
            for (index, field) in constructor.fields.iter().enumerate() {
                let comma = if index > 0 { ", " } else { "" };
                write!(
                    f,
                    "{comma}{}{} {}",
                    field.ty,
                    field.arity.suffix(),
                    field.name
                )?;
            }
            f.write_str(")")?;
        }
    }
    Ok(())
}

/// Recursive descent over the characters; ASDL needs one character of look-ahead.
struct Parser<'s> {
    source: &'s str,
    chars: Peekable<CharIndices<'s>>,
    /// Where each type was first used as the type of a field, for the error when it is undefined.
    uses: IndexMap<&'static str, usize>,
    /// Where each type was defined.
    definitions: IndexMap<&'static str, usize>,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str) -> Parser<'s> {
        Parser {
            source,
            chars: source.char_indices().peekable(),
            uses: IndexMap::new(),
            definitions: IndexMap::new(),
        }
    }

    fn schema(mut self) -> Result<Schema, SchemaError> {
        let at = self.position();
        let keyword = self.name("`module`")?;
        if keyword != "module" {
            return Err(self.error(at, format!("expected `module`, found `{keyword}`")));
        }
        let name = self.name("the name of the module")?;
        self.expect('{')?;
        let mut types = IndexMap::new();
        while !self.eat('}') {
            let at = self.position();
            let ty = self.name("a type or `}`")?;
            self.expect('=')?;
            let kind = self.kind(ty)?;
            if types.insert(ty, kind).is_some() {
                return Err(self.error(at, format!("type `{ty}` is defined twice")));
            }
            self.definitions.insert(ty, at);
        }
        let at = self.position();
        if at < self.source.len() {
            return Err(self.error(at, "expected nothing after the closing `}`".into()));
        }
        let schema = Schema { name, types };
        self.check(&schema)?;
        Ok(schema)
    }

    fn kind(&mut self, ty: &'static str) -> Result<TypeKind, SchemaError> {
        if self.peek() == Some('(') {
            let fields = self.fields()?;
            self.attributes()?;
            return Ok(TypeKind::Node(vec![Constructor { name: ty, fields }]));
        }
        let mut constructors: Vec<Constructor> = Vec::new();
        loop {
            let at = self.position();
            let name = self.name("a constructor")?;
            match name {
                "text" if constructors.is_empty() => return Ok(TypeKind::Text),
                "reference" if constructors.is_empty() => return Ok(TypeKind::Reference),
                _ => {}
            }
            if !name.starts_with(|first: char| first.is_uppercase()) {
                let message = format!("expected a capitalised constructor, found `{name}`");
                return Err(self.error(at, message));
            }
            if constructors.iter().any(|known| known.name == name) {
                let message = format!("constructor `{name}` is defined twice in `{ty}`");
                return Err(self.error(at, message));
            }
            let fields = if self.peek() == Some('(') {
                self.fields()?
            } else {
                Vec::new()
            };
            constructors.push(Constructor { name, fields });
            if !self.eat('|') {
                self.attributes()?;
                return Ok(TypeKind::Node(constructors));
            }
        }
    }

    fn fields(&mut self) -> Result<Vec<FieldType>, SchemaError> {
        self.expect('(')?;
        let mut fields: Vec<FieldType> = Vec::new();
        if self.eat(')') {
            return Ok(fields);
        }
        loop {
            let at = self.position();
            let ty = self.name("the type of a field")?;
            self.uses.entry(ty).or_insert(at);
            let arity = match self.peek() {
                Some('?') => Arity::Optional,
                Some('*') => Arity::Many,
                Some('+') => Arity::NonEmpty,
                _ => Arity::One,
            };
            if arity != Arity::One {
                self.chars.next();
            }
            let at = self.position();
            let name = self.name("the name of the field")?;
            if fields.iter().any(|field| field.name == name) {
                return Err(self.error(at, format!("field `{name}` is defined twice")));
            }
            fields.push(FieldType { name, ty, arity });
            if self.eat(')') {
                return Ok(fields);
            }
            self.expect(',')?;
        }
    }

    /// CPython's files give every statement `attributes (int lineno, ...)`: positions, which are no
    /// part of the tree.
    fn attributes(&mut self) -> Result<(), SchemaError> {
        let mut ahead = self.chars.clone();
        let word: String = std::iter::from_fn(|| ahead.next_if(|&(_, it)| is_name(it)))
            .map(|(_, it)| it)
            .collect();
        if word != "attributes" {
            return Ok(());
        }
        self.chars = ahead;
        self.skip_blank();
        let uses = self.uses.clone();
        self.fields()?;
        self.uses = uses;
        Ok(())
    }

    fn check(&self, schema: &Schema) -> Result<(), SchemaError> {
        if schema.types.is_empty() {
            return Err(self.error(self.source.len(), "expected at least one type".into()));
        }
        for (&ty, &at) in &self.uses {
            if schema.kind(ty).is_none() {
                let message = format!(
                    "type `{ty}` is not defined (write `{ty} = text` if its values are texts)"
                );
                return Err(self.error(at, message));
            }
        }
        if let Some(ty) = first_infinite_type(schema) {
            let message =
                format!("every tree of type `{ty}` is infinite: it always contains itself");
            return Err(self.error(self.definitions[ty], message));
        }
        Ok(())
    }

    fn name(&mut self, expected: &str) -> Result<&'static str, SchemaError> {
        self.skip_blank();
        let start = self.position();
        let mut end = start;
        while let Some((at, it)) = self.chars.next_if(|&(_, it)| is_name(it)) {
            end = at + it.len_utf8();
        }
        if start == end {
            return Err(self.unexpected(expected));
        }
        self.skip_blank();
        Ok(Text::new(&self.source[start..end]).as_str())
    }

    fn expect(&mut self, symbol: char) -> Result<(), SchemaError> {
        if self.eat(symbol) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{symbol}`")))
        }
    }

    fn eat(&mut self, symbol: char) -> bool {
        let found = self.chars.next_if(|&(_, it)| it == symbol).is_some();
        self.skip_blank();
        found
    }

    fn peek(&mut self) -> Option<char> {
        self.chars.peek().map(|&(_, it)| it)
    }

    fn position(&mut self) -> usize {
        self.chars.peek().map_or(self.source.len(), |&(at, _)| at)
    }

    /// Skips white space and comments, which run from `--` to the end of the line.
    fn skip_blank(&mut self) {
        loop {
            while self
                .chars
                .next_if(|&(_, it)| it.is_whitespace() || it == '\u{feff}')
                .is_some()
            {}
            let at = self.position();
            if !self.source[at..].starts_with("--") {
                return;
            }
            while self.chars.next_if(|&(_, it)| it != '\n').is_some() {}
        }
    }

    fn unexpected(&mut self, expected: &str) -> SchemaError {
        let at = self.position();
        let found = match self.peek() {
            Some(it) => format!("`{}`", it.escape_debug()),
            None => "the end of the text".into(),
        };
        self.error(at, format!("expected {expected}, found {found}"))
    }

    fn error(&self, offset: usize, message: String) -> SchemaError {
        let error = crate::ParseError::at(offset, message);
        let (line, column) = error.line_column(self.source).unwrap_or((1, 1));
        SchemaError {
            line,
            column,
            message: error.message,
        }
    }
}

fn is_name(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

/// The first type that has no finite tree: least fixed point of "has a constructor all of whose
/// required fields have finite trees".
fn first_infinite_type(schema: &Schema) -> Option<&'static str> {
    let mut finite = vec![false; schema.types.len()];
    loop {
        let mut changed = false;
        for (index, kind) in schema.types.values().enumerate() {
            let now_finite = match kind {
                TypeKind::Text | TypeKind::Reference => true,
                TypeKind::Node(constructors) => constructors.iter().any(|constructor| {
                    constructor.fields.iter().all(|field| {
                        matches!(field.arity, Arity::Optional | Arity::Many)
                            || schema
                                .types
                                .get_index_of(field.ty)
                                .is_some_and(|it| finite[it])
                    })
                }),
            };
            changed |= now_finite && !finite[index];
            finite[index] |= now_finite;
        }
        if !changed {
            break;
        }
    }
    let index = finite.iter().position(|&finite| !finite)?;
    schema.types.get_index(index).map(|(&ty, _)| ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_error(asdl: &str, expected: &str) {
        assert_eq!(Schema::parse(asdl).unwrap_err().to_string(), expected);
    }

    #[test]
    fn displays_as_text_that_reads_back() {
        let asdl = "module M { a = (b+ x, c? y) b = B | D(c* z, a? q) c = text d = reference }";
        let schema = Schema::parse(asdl).unwrap();
        assert_eq!(Schema::parse(&schema.to_string()).unwrap(), schema);
        assert!(schema.to_string().contains("a = (b+ x, c? y)"));
    }

    #[test]
    fn attributes_are_read_and_forgotten() {
        let asdl = "module M { a = A(b x) attributes (int line, int? end) b = text }";
        let schema = Schema::parse(asdl).unwrap();
        assert_eq!(schema.types().count(), 2);
    }

    #[test]
    fn errors_say_where_and_what() {
        check_error(
            "",
            "line 1, column 1: expected `module`, found the end of the text",
        );
        check_error(
            "model M {}",
            "line 1, column 1: expected `module`, found `model`",
        );
        check_error(
            "module M {}",
            "line 1, column 12: expected at least one type",
        );
        check_error(
            "module M {\n a = A |\n}",
            "line 3, column 1: expected a constructor, found `}`",
        );
        check_error(
            "module M { a = A a = B }",
            "line 1, column 18: type `a` is defined twice",
        );
        check_error(
            "module M { a = A | A }",
            "line 1, column 20: constructor `A` is defined twice in `a`",
        );
        check_error(
            "module M { a = A(b x) }",
            "line 1, column 18: type `b` is not defined (write `b = text` if its values are texts)",
        );
        check_error(
            "module M { a = A(a x) }",
            "line 1, column 12: every tree of type `a` is infinite: it always contains itself",
        );
        check_error(
            "module M { a = lower }",
            "line 1, column 16: expected a capitalised constructor, found `lower`",
        );
        check_error(
            "module M { a = A(b x, b x) b = text }",
            "line 1, column 25: field `x` is defined twice",
        );
        check_error(
            "module M { a = A } extra",
            "line 1, column 20: expected nothing after the closing `}`",
        );
        check_error(
            "module M { a = A(b -- x)\n",
            "line 2, column 1: expected the name of the field, found the end of the text",
        );
    }
}
