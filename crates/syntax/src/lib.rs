//! Trees, grammars, idioms and derivations: the values patois is about.
//!
//! Nothing here reads a file, draws a random number or knows a language by name.
//!
//! | start with | for |
//! | --- | --- |
//! | [`Language`], [`Ast`] | what patois asks of a programming language, and what it gets |
//! | [`Schema`], [`Grammar`] | which trees there are: declared in `.asdl` notation, or induced from trees |
//! | [`Tree`], [`Text`], [`Spans`] | a derivation in preorder, sixteen bytes a node; its texts; where it stands in the source |
//! | [`Fragment`], [`notation`], [`FragmentIndex`] | partial trees, how they are written, where they occur |
//! | [`IdiomLibrary`], [`Marker`] | fragments worth a rule of their own; all occurrences of all of them |
//! | [`derivation`], [`PartialTree`] | a tree as the steps that build it, with idioms; a tree under construction |
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

mod ast;
mod convert;
pub mod derivation;
mod fragment;
mod grammar;
mod hashing;
mod idiom;
mod ids;
mod language;
#[cfg(feature = "laws")]
pub mod laws;
mod marking;
mod matching;
pub mod notation;
mod partial_tree;
mod preorder;
mod schema;
mod span;
mod text;
#[cfg(test)]
mod toy;
mod tree;

pub use ast::{Ast, Child, Field, FieldValue};
pub use convert::ConvertError;
pub use derivation::{
    Action, ExtendedGrammar, IdiomExpansion, Place, Rule, Step, Subtoken, Subtokens,
};
pub use fragment::{Fragment, FragmentError, FragmentNode};
pub use grammar::{
    Fingerprint, Grammar, GrammarError, InduceError, Production, ProductionKind, Renumbering,
    SymbolKind,
};
pub use idiom::{GrammarMismatch, Idiom, IdiomLibrary};
pub use ids::{ConstructorId, HoleId, Id, IdVec, IdiomId, NodeId, ProductionId, SymbolId};
pub use language::{Beginning, Language, ParseError, PrintError};
pub use marking::{MarkedTree, Marker, Occurrence};
pub use matching::{Bindings, FragmentIndex};
pub use partial_tree::{ActionError, Next, PartialTree};
pub use schema::{Arity, Constructor, FieldType, Schema, SchemaError, TypeKind};
pub use span::{NodeSpans, Span, Spans};
pub use text::Text;
pub use tree::{Label, Tree, TreeError};

/// The example of the README is a test too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
