//! Trees, grammars, idioms and derivations: the values patois is about.

pub mod ast;
pub mod language;
pub mod schema;
pub mod text;

pub use ast::{Ast, Child, Field, FieldValue};
pub use language::{Language, ParseError, PrintError};
pub use schema::{Arity, Constructor, FieldType, Schema, SchemaError, TypeKind};
pub use text::Text;
