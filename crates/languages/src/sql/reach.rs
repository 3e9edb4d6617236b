//! Which columns and tables a query may name next, given what stands in its tree so far.
//!
//! The grammar lets a reference point anywhere. A query that runs names columns of tables that are
//! in scope, joins tables along keys that exist, and writes `*` where SQL has a place for it.

use patois_syntax::{Grammar, Label, PartialTree, ProductionId};

use super::{DatabaseSchema, from_clause};

/// What the next reference of a tree may point at; none where anything will do.
pub(super) fn possible(schema: &DatabaseSchema, tree: &PartialTree<'_>) -> Option<Vec<u32>> {
    let open = Open::around_next(tree);
    let parent = open.last()?;
    let tables = || 0..schema.tables.len();
    let scope: Vec<usize> = in_scope(&open).collect();
    let is_in_scope = |table: usize| scope.is_empty() || scope.contains(&table);
    let possible: Vec<usize> = match (parent.ty, parent.constructor) {
        ("join", Some("Join" | "ReverseJoin")) => {
            let before = &open.iter().rfind(|node| node.ty == "select")?.tables;
            let has_key = |&table: &usize| from_clause::key(schema, before, table).is_some();
            tables().filter(has_key).collect()
        }
        ("value", Some("AllColumns" | "AllColumnsOf")) => {
            tables().filter(|&it| is_in_scope(it)).collect()
        }
        ("value", Some("Column" | "Occurrence")) => {
            let takes_star = takes_star(&open);
            let is_possible = |index: &usize| match schema.columns[*index].table {
                Some(table) => is_in_scope(table),
                None => takes_star,
            };
            (0..schema.columns.len()).filter(is_possible).collect()
        }
        _ => return None,
    };
    let possible = possible.into_iter().map(|index| index as u32);
    Some(possible.collect())
}

/// The tables of the SELECTs around, and of those that are ordered.
fn in_scope(open: &[Open]) -> impl Iterator<Item = usize> {
    let inner = open.iter().skip(1).map(|node| node.ty).chain([""]);
    let seen = open
        .iter()
        .zip(inner)
        .filter(|(node, inner)| match node.ty {
            "query" => *inner == "order",
            _ => true,
        });
    seen.flat_map(|(node, _)| node.tables.iter().copied())
}

/// Whether the innermost node is a value that may be `*`: a result, or what is counted.
fn takes_star(open: &[Open]) -> bool {
    let mut around = open.iter().rev().skip(1);
    let owner = around.find_map(|node| node.constructor);
    owner.is_some_and(|it| it == "select" || it == "Count")
}

/// A node that is not finished.
struct Open {
    ty: &'static str,
    /// None for the cells of a list.
    constructor: Option<&'static str>,
    n_missing: usize,
    /// The tables that it has brought into scope.
    tables: Vec<usize>,
}

impl Open {
    /// The nodes around the next one, outermost first.
    fn around_next(tree: &PartialTree<'_>) -> Vec<Open> {
        let grammar = tree.grammar();
        let mut open: Vec<Open> = Vec::new();
        for &label in tree.labels() {
            if let Some(parent) = open.last_mut() {
                parent.n_missing -= 1;
            }
            match label {
                Label::Production(id) => open.push(Open::new(grammar, id)),
                Label::Reference(index) => Open::add(&mut open, index as usize),
                Label::Text(_) => {}
            }
            while open.last().is_some_and(|node| node.n_missing == 0) {
                Open::close(&mut open);
            }
        }
        open
    }

    fn new(grammar: &Grammar, id: ProductionId) -> Open {
        let production = grammar.production(id);
        Open {
            ty: grammar.symbol_type(production.lhs),
            constructor: grammar.constructor(id).map(|it| it.name),
            n_missing: production.rhs.len(),
            tables: Vec::new(),
        }
    }

    /// Notes a reference: a table of a FROM clause is in the scope of the SELECT around it.
    fn add(open: &mut [Open], index: usize) {
        let is_table = open
            .last()
            .is_some_and(|parent| matches!(parent.ty, "source" | "join"));
        let select = open.iter_mut().rfind(|node| node.ty == "select");
        if let Some(select) = select.filter(|_| is_table) {
            select.tables.push(index);
        }
    }

    /// Ends the innermost node. ORDER BY still sees the tables of a SELECT that is finished.
    fn close(open: &mut Vec<Open>) {
        let Some(closed) = open.pop() else { return };
        let query = open.iter_mut().rfind(|node| node.ty == "query");
        if let Some(query) = query.filter(|_| closed.ty == "select") {
            query.tables.extend(closed.tables);
        }
    }
}
