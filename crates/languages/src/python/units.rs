//! Python files cut into functions, classes and the rest.

use ruff_python_ast::{Stmt, StmtPass, Suite};
use ruff_text_size::{Ranged, TextRange};

use crate::units::UnitKind;

/// A statement that is a unit of its own, or the statements that are left of a file.
pub(super) struct Piece {
    pub(super) range: TextRange,
    pub(super) body: Suite,
}

/// Cuts the statements of a file into pieces, in the order in which they begin.
///
/// Recursion is as deep as the statements nest, which the parser has bounded.
pub(super) fn cut(range: TextRange, mut body: Suite, kind: UnitKind) -> Vec<Piece> {
    let mut pieces = Vec::new();
    if kind == UnitKind::Function {
        cut_out(&mut body, &mut pieces);
    }
    if !body.is_empty() {
        pieces.push(Piece { range, body });
    }
    pieces.sort_by_key(|it| (it.range.start(), it.range.end()));
    pieces
}

/// Moves functions and classes out of a block.
fn cut_out(body: &mut Suite, pieces: &mut Vec<Piece>) {
    let statements = std::mem::take(body);
    for mut statement in statements {
        let range = statement.range();
        match &mut statement {
            Stmt::FunctionDef(_) => {}
            Stmt::ClassDef(class) => cut_block(&mut class.body, range, pieces),
            other => {
                cut_inside(other, pieces);
                body.push(statement);
                continue;
            }
        }
        let body = std::iter::once(statement).collect();
        pieces.push(Piece { range, body });
    }
}

/// As [`cut_out`], for a block that must not be empty.
fn cut_block(body: &mut Suite, range: TextRange, pieces: &mut Vec<Piece>) {
    let was_empty = body.is_empty();
    cut_out(body, pieces);
    if body.is_empty() && !was_empty {
        body.push(Stmt::Pass(StmtPass {
            node_index: ruff_python_ast::AtomicNodeIndex::NONE,
            range,
        }));
    }
}

/// Cuts the blocks of a compound statement.
fn cut_inside(statement: &mut Stmt, pieces: &mut Vec<Piece>) {
    let range = statement.range();
    let mut cut = |body: &mut Suite| cut_block(body, range, pieces);
    match statement {
        Stmt::If(it) => {
            cut(&mut it.body);
            for clause in &mut it.elif_else_clauses {
                cut(&mut clause.body);
            }
        }
        Stmt::With(it) => cut(&mut it.body),
        Stmt::For(it) => {
            cut(&mut it.body);
            cut(&mut it.orelse);
        }
        Stmt::While(it) => {
            cut(&mut it.body);
            cut(&mut it.orelse);
        }
        Stmt::Try(it) => {
            cut(&mut it.body);
            for handler in &mut it.handlers {
                let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                cut(&mut handler.body);
            }
            cut(&mut it.orelse);
            cut(&mut it.finalbody);
        }
        _ => {}
    }
}
