//! Where units were cut out: three dots in the rest.

use patois_syntax::{Ast, Child};

use crate::units::ELSEWHERE;

/// What stands where a unit was cut out.
pub(super) fn elsewhere(ty: &'static str) -> Ast {
    Ast::new(ty, ELSEWHERE, Vec::new())
}

/// Whether all of a node has been cut out, as the function of `export function f() {}`.
pub(super) fn is_elsewhere(ast: &Ast) -> bool {
    if ast.constructor == ELSEWHERE {
        return true;
    }
    let mut children = ast.fields.iter().flat_map(|it| it.value.children());
    let mut has_any = false;
    let is_all = children.all(|it| {
        has_any = true;
        matches!(it, Child::Node(it) if is_elsewhere(it))
    });
    has_any && is_all
}
