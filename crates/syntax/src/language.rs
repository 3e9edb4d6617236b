//! What patois asks of a programming language.

use std::fmt;

use crate::{Ast, Grammar, Label, Schema};

/// A programming language that patois can read and write.
///
/// Laws, checked by `laws::check_language` (feature `laws`):
/// - `parse(print(ast)) == ast`;
/// - equal sources give equal trees;
/// - a field has the same type and arity wherever its constructor occurs, and the schema agrees;
/// - the subtokens of a text, put together, are the text.
///
/// A language bound to a context (SQL over a database) is a value that holds the context.
pub trait Language: Send + Sync {
    /// Stable lower-case name, as written in configs.
    fn name(&self) -> &str;

    /// Parses one program.
    ///
    /// # Errors
    ///
    /// When `source` is no program of the language, or one that its trees cannot hold.
    fn parse(&self, source: &str) -> Result<Ast, ParseError>;

    /// Prints a complete tree as source text.
    ///
    /// # Errors
    ///
    /// When the tree is none of this language: a constructor it does not have, or a text that
    /// [`accepts_text`](Language::accepts_text) refuses.
    fn print(&self, ast: &Ast) -> Result<String, PrintError>;

    /// Every constructor of the language, when it is known without a corpus.
    fn schema(&self) -> Option<&Schema> {
        None
    }

    /// Splits an identifier or literal into subtokens; together they are `text`.
    fn split_text<'t>(&self, text: &'t str) -> Vec<&'t str> {
        vec![text]
    }

    /// Whether `text` may stand where a text of type `ty` is expected.
    ///
    /// A schema cannot say that an identifier does not start with a digit; this can, and whoever
    /// builds trees from subtokens asks before ending a text.
    fn accepts_text(&self, ty: &str, text: &str) -> bool {
        let _ = (ty, text);
        true
    }

    /// A tree of which nothing is built yet, as the language sees it; none where whatever the grammar allows will do.
    ///
    /// A grammar cannot say that a query names columns of the tables that it has mentioned; a [`Beginning`]
    /// can. It binds whoever writes programs; trees that do not follow it print all the same.
    fn beginning(&self, grammar: &Grammar) -> Option<Box<dyn Beginning>> {
        let _ = grammar;
        None
    }
}

/// What a language knows of the beginning of a tree, which grows from left to right: what may come next.
///
/// Law: where a beginning allows something that the grammar allows as well, it can be completed.
pub trait Beginning: Send {
    /// Whether `label`, which the grammar allows, may come next. Texts are judged by
    /// [`accepts_text`](Language::accepts_text).
    fn allows(&self, label: Label) -> bool;

    /// Adds the next node, whether or not it was allowed.
    fn push(&mut self, label: Label);

    /// The same beginning once more, to go on in another way.
    fn boxed_clone(&self) -> Box<dyn Beginning>;
}

impl Clone for Box<dyn Beginning> {
    fn clone(&self) -> Box<dyn Beginning> {
        (**self).boxed_clone()
    }
}

/// Why a source text is not a program, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What was found and what was expected; lower-case, without a full stop.
    pub message: String,
    /// Byte offset in the source, where it is known.
    pub offset: Option<usize>,
}

impl ParseError {
    /// An error at a byte offset of the source.
    pub fn at(offset: usize, message: impl Into<String>) -> ParseError {
        ParseError {
            message: message.into(),
            offset: Some(offset),
        }
    }

    /// An error about the source as a whole.
    pub fn whole(message: impl Into<String>) -> ParseError {
        ParseError {
            message: message.into(),
            offset: None,
        }
    }

    /// One-based line and column (in characters) of the error in `source`.
    ///
    /// ```
    /// use patois_syntax::ParseError;
    ///
    /// let error = ParseError::at(8, "unexpected `)`");
    /// assert_eq!(error.line_column("é = 1\nf)"), Some((2, 2)));
    /// ```
    pub fn line_column(&self, source: &str) -> Option<(usize, usize)> {
        let offset = self.offset?.min(source.len());
        let before = &source.as_bytes()[..offset];
        let line_start = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let line = before.split(|&byte| byte == b'\n').count();
        let column = String::from_utf8_lossy(&before[line_start..])
            .chars()
            .count()
            + 1;
        Some((line, column))
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

/// Why a tree cannot be printed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PrintError {
    /// What was found and what was expected; lower-case, without a full stop.
    pub message: String,
}

impl PrintError {
    /// An error with the given message.
    pub fn new(message: impl Into<String>) -> PrintError {
        PrintError {
            message: message.into(),
        }
    }
}
