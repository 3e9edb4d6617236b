//! Python files cut into functions, classes and the rest.

use patois_syntax::Child;
use ruff_python_ast::{AtomicNodeIndex, Expr, ExprEllipsisLiteral, Stmt, StmtExpr, Suite};
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
    pieces.push(Piece { range, body });
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
            Stmt::ClassDef(class) => cut_out(&mut class.body, pieces),
            other => {
                cut_inside(other, pieces);
                body.push(statement);
                continue;
            }
        }
        let piece = std::iter::once(statement).collect();
        pieces.push(Piece { range, body: piece });
        if !body.last().is_some_and(is_elsewhere) {
            body.push(elsewhere(range));
        }
    }
}

/// What stands where units were cut out: `...`.
fn elsewhere(range: TextRange) -> Stmt {
    let node_index = AtomicNodeIndex::NONE;
    let value = Expr::EllipsisLiteral(ExprEllipsisLiteral {
        node_index: node_index.clone(),
        range,
    });
    Stmt::Expr(StmtExpr {
        node_index,
        range,
        value: Box::new(value),
    })
}

/// Whether a statement stands for what was cut out.
pub(super) fn is_nothing(statement: &Child) -> bool {
    let Child::Node(statement) = statement else {
        return false;
    };
    let mut parts = statement.fields.iter().flat_map(|it| it.value.children());
    statement.constructor == "Expr"
        && parts.all(|it| matches!(it, Child::Node(it) if it.constructor == "Ellipsis"))
}

fn is_elsewhere(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Expr(it) if it.value.is_ellipsis_literal_expr())
}

/// Cuts the blocks of a compound statement.
fn cut_inside(statement: &mut Stmt, pieces: &mut Vec<Piece>) {
    let mut cut = |body: &mut Suite| cut_out(body, pieces);
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
