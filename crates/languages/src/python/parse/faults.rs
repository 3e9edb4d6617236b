//! What the parser found wrong with a file, and which statements that concerns.
//!
//! The parser goes on behind a fault with a tree that has holes: blocks without statements, names
//! without letters. Statements that touch a fault are left out, and all others of the file are checked
//! against the grammar, so that no such tree is taken for a program wherever the parser put its fault.

use patois_syntax::{Ast, ParseError};
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Mod, Stmt};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::{error_at, lower_first};
use crate::python::check;

/// The faults of a file.
pub(super) struct Faults {
    /// What the parser said, in its order.
    pub(super) errors: Vec<ParseError>,
    /// Where each begins, in order, and how far it and those before it reach.
    reaches: Vec<(TextSize, TextSize)>,
    /// Where tokens begin, save for comments and blanks; the end of the file is the last.
    tokens: Vec<TextSize>,
}

impl Faults {
    pub(super) fn of(parsed: &Parsed<Mod>) -> Faults {
        let errors = parsed.errors().iter();
        let errors = errors.map(|it| (it.location, it.error.to_string()));
        let unsupported = parsed.unsupported_syntax_errors().iter();
        let unsupported = unsupported.map(|it| (it.range, it.to_string()));
        let found: Vec<(TextRange, String)> = errors.chain(unsupported).collect();
        if found.is_empty() {
            return Faults {
                errors: Vec::new(),
                reaches: Vec::new(),
                tokens: Vec::new(),
            };
        }
        let mut reaches: Vec<_> = found.iter().map(|it| (it.0.start(), it.0.end())).collect();
        reaches.sort();
        let mut furthest = TextSize::new(0);
        for (_, end) in &mut reaches {
            furthest = furthest.max(*end);
            *end = furthest;
        }
        let tokens = parsed.tokens().iter();
        let tokens = tokens.filter(|it| !is_blank(it.kind()));
        let end = parsed.syntax().range().end();
        Faults {
            errors: found
                .into_iter()
                .map(|(range, message)| error_at(range, &lower_first(&message)))
                .collect(),
            reaches,
            tokens: tokens.map(Ranged::start).chain([end]).collect(),
        }
    }

    /// Whether a fault lies in a statement, or at its end: what is missing there is missed at the next
    /// token.
    pub(super) fn touch(&self, statement: TextRange) -> bool {
        let next = self.tokens.partition_point(|&it| it < statement.end());
        let Some(&next) = self.tokens.get(next) else {
            return false;
        };
        let n_before = self.reaches.partition_point(|&(start, _)| start <= next);
        let last = n_before.checked_sub(1).map(|it| self.reaches[it]);
        last.is_some_and(|(_, furthest)| statement.start() <= furthest)
    }

    /// Makes sure that what was made of a statement is Python. Files without faults are.
    pub(super) fn check(&self, statement: &Stmt, ast: Ast) -> Result<Ast, ParseError> {
        if self.errors.is_empty() {
            return Ok(ast);
        }
        match check::check(&ast, "stmt") {
            Ok(_) => Ok(ast),
            Err(error) => Err(error_at(statement.range(), &error.message)),
        }
    }
}

/// Whether a token says nothing, or only where a line or a block begins or ends.
fn is_blank(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Comment
            | TokenKind::NonLogicalNewline
            | TokenKind::Newline
            | TokenKind::Indent
            | TokenKind::Dedent
    )
}
