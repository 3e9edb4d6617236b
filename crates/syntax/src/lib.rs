//! Trees, grammars, idioms and derivations: the values patois is about.
//!
//! Nothing here reads a file, draws a random number or knows a language by name.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`language`] | the trait [`Language`]: what patois asks of a programming language |
//! | [`ast`] | [`Ast`]: what crosses the boundary to a language |
//! | [`schema`] | [`Schema`]: declared abstract grammars, and their `.asdl` notation |
//! | [`grammar`] | [`Grammar`]: declared by a schema or induced from trees |
//! | [`text`] | [`Text`]: interned identifiers and literals |
//! | [`tree`], [`convert`] | [`Tree`]: a derivation in preorder, sixteen bytes a node; from and to [`Ast`] |
//! | [`fragment`], [`notation`], [`matching`] | [`Fragment`]: partial trees, how they are written, where they occur |
//! | [`span`] | [`Spans`]: where nodes stand in the source |
//! | [`idiom`], [`marking`] | [`IdiomLibrary`], [`MarkedTree`]: all occurrences of all idioms |
//! | [`derivation`], [`partial_tree`] | [`Action`], [`Step`], [`PartialTree`]: building trees, with idioms |
//!
//! # A tour
//!
//! ```
//! use patois_syntax::*;
//!
//! // A language is declared by a schema. Its grammar turns lists and options into productions.
//! let schema = Schema::parse(
//!     "module Tour {
//!          block = (stmt* body)
//!          stmt = Assign(name target, expr value) | Print(expr value)
//!          expr = Name(name id) | Add(expr left, expr right) | Num(number value)
//!          name = text
//!          number = text
//!      }",
//! )?;
//! let grammar = Grammar::from_schema(&schema);
//!
//! // A program is a tree; in examples we write it down rather than parse it.
//! let tree = Tree::parse(
//!     &grammar,
//!     r#"(block [(Assign "n" (Add (Name "n") (Num "1"))) (Print (Name "n"))])"#,
//! )?;
//!
//! // An idiom is a fragment with holes; equal holes stand for equal subtrees.
//! let increment = Fragment::parse(&grammar, r#"(Assign ?x (Add (Name ?x) (Num "1")))"#)?;
//! let library = IdiomLibrary::new(
//!     &grammar,
//!     vec![Idiom { fragment: increment, coverage: 1, score: 1.0 }],
//! );
//!
//! // Marking keeps every occurrence: at the assignment, two actions are right.
//! let marked = Marker::new(&grammar, &library)?.mark(&tree);
//! let accepted: Vec<String> = marked
//!     .accepted(marked.occurrences()[0].root)
//!     .map(|action| action.display(&grammar).to_string())
//!     .collect();
//! assert_eq!(accepted, ["stmt.Assign", "#0"]);
//!
//! // The tree as steps, one for each choice.
//! let extended = ExtendedGrammar::new(&grammar, &library)?;
//! let whole: fn(&str) -> Vec<&str> = |text| vec![text];
//! let steps = derivation::steps(&extended, &whole, &tree);
//! assert_eq!(steps.len(), 17);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod ast;
pub mod convert;
pub mod derivation;
pub mod fragment;
pub mod grammar;
mod hashing;
pub mod idiom;
mod ids;
pub mod language;
#[cfg(feature = "laws")]
pub mod laws;
pub mod marking;
pub mod matching;
pub mod notation;
pub mod partial_tree;
pub mod schema;
pub mod span;
pub mod text;
#[cfg(test)]
mod toy;
pub mod tree;

pub use ast::{Ast, Child, Field, FieldValue};
pub use convert::ConvertError;
pub use derivation::{
    Action, ExtendedGrammar, IdiomExpansion, Place, Rule, Step, Subtoken, Subtokens,
};
pub use fragment::{Fragment, FragmentError, FragmentNode};
pub use grammar::{
    Fingerprint, Grammar, GrammarError, InduceError, Production, ProductionKind, SymbolKind,
};
pub use idiom::{GrammarMismatch, Idiom, IdiomLibrary};
pub use ids::{ConstructorId, HoleId, Id, IdVec, IdiomId, NodeId, ProductionId, SymbolId};
pub use language::{Language, ParseError, PrintError};
pub use marking::{MarkedTree, Marker, Occurrence};
pub use matching::{Bindings, FragmentIndex};
pub use partial_tree::{ActionError, Next, PartialTree};
pub use schema::{Arity, Constructor, FieldType, Schema, SchemaError, TypeKind};
pub use span::{NodeSpans, Span, Spans};
pub use text::Text;
pub use tree::{Label, Tree, TreeError};
