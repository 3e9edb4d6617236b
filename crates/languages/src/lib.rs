//! The languages patois reads and writes.
//!
//! | language | trees | units and local names |
//! | --- | --- | --- |
//! | [`python::Python`] | of its own grammar, by way of ruff's parser | yes |
//! | [`sql::Sql`] | of its own grammar, over one database | |
//! | [`tree_sitter::TreeSitter`] | of the language's tree-sitter grammar | yes |
//!
//! [`LANGUAGES`] is the table of the languages that source files may be in; a [`SourceLanguage`] is one
//! of them.
//!
//! # A tour
//!
//! ```
//! use std::path::Path;
//!
//! use patois_languages::{SourceLanguage, UnitKind, python::Python};
//! use patois_syntax::{Grammar, Language};
//!
//! // A program becomes a tree, which knows nothing of layout, and is printed again.
//! let program = Python.parse("def area(w, h): return w*h")?;
//! assert_eq!(Python.print(&program)?, "def area(w, h):\n    return w * h\n");
//!
//! // Python declares its grammar, and every tree of the grammar is a program.
//! let grammar = Grammar::from_schema(Python.schema().expect("Python has one"));
//! let tree = grammar.tree(&program)?;
//! assert_eq!(tree.n_nodes(), 28);
//!
//! // Languages of source files are found by name, or by the ending of a file.
//! assert_eq!(SourceLanguage::of_file(Path::new("src/area.py")), Some("python"));
//! let python = SourceLanguage::named("python").expect("it is always there");
//!
//! // Files are cut into functions, classes and the rest; names that a function binds are local.
//! let source = "import math\n\ndef area(r):\n    return math.pi * r\n";
//! let units = python.units(source, UnitKind::Function)?.units;
//! let code: Vec<&str> = units.iter().map(|it| &source[it.range.clone()]).collect();
//! assert_eq!(code[1], "def area(r):\n    return math.pi * r");
//! assert_eq!(python.locals(&units[1].ast), [1, 4]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod locals;
pub mod python;
mod source_language;
pub mod sql;
pub mod tree_sitter;
mod units;

pub use source_language::{LANGUAGES, LanguageEntry, SourceLanguage};
pub use units::{ELSEWHERE, Unit, UnitKind, Units};

/// The example of the README is a test too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
