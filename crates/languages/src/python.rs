//! Python, up to 3.14.
//!
//! Trees follow `python.asdl`, a grammar that is stricter than CPython's own: every tree of it is a
//! program. Two sources have equal trees exactly where CPython's trees are equal too, with three
//! exceptions, in which ours are equal and CPython's are not: the prefix of `u"text"`, type
//! comments (which CPython only reads when asked), and the source text that a t-string keeps of
//! its expressions.

mod check;
mod locals;
mod nesting;
mod parse;
mod print;
mod text;
mod units;

use std::sync::LazyLock;

use patois_syntax::{Ast, Language, ParseError, PrintError, Schema};

use crate::units::{UnitKind, Units};

pub use nesting::MAX_DEPTH;

/// The Python programming language.
///
/// ```
/// use patois_languages::python::Python;
/// use patois_syntax::Language;
///
/// let loose = Python.parse("x = ( 0x10+y )  # comment")?;
/// let tidy = Python.parse("x = 16 + y")?;
/// assert_eq!(loose, tidy);
/// assert_eq!(Python.print(&loose)?, "x = 16 + y\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Python;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    Schema::parse(include_str!("python/python.asdl")).expect("our own schema is well formed")
});

impl Python {
    /// The units of a source file. Statements that are no Python are left out and counted.
    ///
    /// # Errors
    ///
    /// When the source nests too deep, or the parser gives up on it.
    pub fn units(&self, source: &str, kind: UnitKind) -> Result<Units, ParseError> {
        parse::units(source, kind)
    }

    /// The texts of a tree that are names local to a function, counted in the order of the tree.
    ///
    /// `self` and `cls` are called so by everybody and do not count.
    pub fn locals(&self, ast: &Ast) -> Vec<u32> {
        crate::locals::locals(ast, &locals::SCOPING)
    }
}

impl Language for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn parse(&self, source: &str) -> Result<Ast, ParseError> {
        parse::parse(source)
    }

    fn print(&self, ast: &Ast) -> Result<String, PrintError> {
        print::print(ast)
    }

    fn schema(&self) -> Option<&Schema> {
        Some(&SCHEMA)
    }

    fn split_text<'t>(&self, text: &'t str) -> Vec<&'t str> {
        text::split(text)
    }

    fn accepts_text(&self, ty: &str, text: &str) -> bool {
        text::accepts(ty, text)
    }
}
