//! Shapes of nodes that the parser and the printer must agree on.

use patois_syntax::{Ast, Field};

use super::from_clause::{Joined, Keys};
use super::identifier::unquote;
use super::{DatabaseSchema, MAX_DEPTH, functions, tree};

/// Aggregates with a node of their own: the name, the plain node, the one for DISTINCT.
pub(super) const AGGREGATES: &[(&str, &str, &str)] = &[
    ("count", "Count", "CountDistinct"),
    ("sum", "Sum", "SumDistinct"),
    ("avg", "Avg", "AvgDistinct"),
    ("min", "Min", "MinDistinct"),
    ("max", "Max", "MaxDistinct"),
];

/// What makes signs of a pattern stand for themselves: the characters, and their nodes.
pub(super) const ESCAPES: &[(&str, &str)] = &[
    ("\\", "Backslash"),
    ("/", "Slash"),
    ("!", "ExclamationMark"),
    ("#", "NumberSign"),
    ("$", "Dollar"),
    ("@", "At"),
    ("^", "Caret"),
    ("|", "Bar"),
    ("~", "Tilde"),
];

/// The node for a call of `function`, whose name is in lower case.
pub(super) fn call(function: &str, distinct: bool, mut arguments: Vec<Ast>) -> Result<Ast, String> {
    let n_arguments = arguments.len();
    if let Some(&(_, plain, of_distinct)) = AGGREGATES.iter().find(|it| it.0 == function) {
        let constructor = if distinct { of_distinct } else { plain };
        return match (arguments.pop(), n_arguments) {
            (Some(argument), 1) => Ok(tree::over_values(
                "value",
                constructor,
                [("argument", argument)],
            )),
            (Some(last), 2..) if !distinct && matches!(function, "min" | "max") => {
                arguments.push(last);
                Ok(extremum(function, arguments))
            }
            _ => Err(format!(
                "expected 1 argument for {function}, found {n_arguments}"
            )),
        };
    }
    let Some(function) = functions::named(function) else {
        return Err(format!("no function is called `{function}`"));
    };
    let name = tree::function_field(function.constructor);
    if !distinct {
        let fields = vec![name, Field::many("arguments", "value", arguments)];
        return Ok(Ast::new("value", "Call", fields));
    }
    match (arguments.pop(), n_arguments) {
        (Some(argument), 1) => {
            let fields = vec![name, Field::one("argument", "value", argument)];
            Ok(Ast::new("value", "CallDistinct", fields))
        }
        _ => Err(format!(
            "expected 1 argument after DISTINCT, found {n_arguments}"
        )),
    }
}

/// `min` or `max` of several values of one row.
fn extremum(function: &str, mut arguments: Vec<Ast>) -> Ast {
    let constructor = if function == "min" {
        "Least"
    } else {
        "Greatest"
    };
    let first = arguments.remove(0);
    let fields = vec![
        Field::one("first", "value", first),
        Field::non_empty("others", "value", arguments),
    ];
    Ast::new("value", constructor, fields)
}

/// Which side of the equalities of a join along a key the tables before are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// All on the left.
    BeforeFirst,
    /// All on the right.
    BeforeLast,
}

/// Whether `on` is what a join along a foreign key is on, its equalities in any order; `joined` is the FROM clause
/// before it.
pub(super) fn as_key_join(keys: &Keys, joined: &Joined, source: &Ast, on: &Ast) -> Option<Sides> {
    if source.constructor != "Table" {
        return None;
    }
    let table = tree::reference(source, "table", usize::MAX).ok()?;
    let key = joined.key(keys, table)?;
    let mut expected: Vec<(Ast, Ast)> = key
        .pairs
        .iter()
        .map(|&(before, own)| {
            (
                joined.value(key.source, before),
                joined.next_value(table, own),
            )
        })
        .collect();
    let mut sides = Vec::new();
    for (left, right) in equalities(on, expected.len())? {
        let place = expected.iter().position(|(before, own)| {
            (before, own) == (left, right) || (before, own) == (right, left)
        })?;
        let (before, _) = expected.remove(place);
        sides.push(before == *left);
    }
    let is_last = sides.iter().all(|is_first| !is_first);
    expected.is_empty().then_some(if is_last {
        Sides::BeforeLast
    } else {
        Sides::BeforeFirst
    })
}

/// The sides of at most `n` equalities that all must hold; none where there is anything else.
fn equalities(mut on: &Ast, n: usize) -> Option<Vec<(&Ast, &Ast)>> {
    let mut found = Vec::new();
    for _ in 0..n {
        let (last, before) = match on.constructor {
            "And" => (tree::child(on, "right").ok()?, tree::child(on, "left").ok()),
            _ => (on, None),
        };
        if last.constructor != "Equal" {
            return None;
        }
        found.push((
            tree::child(last, "left").ok()?,
            tree::child(last, "right").ok()?,
        ));
        match before {
            Some(before) => on = before,
            None => return Some(found),
        }
    }
    None
}

/// What a join is on that asks for a foreign key where there is none.
pub const NO_KEY: &str = "[#].[key]";

/// The same for one with its sides the other way round.
pub const NO_REVERSE_KEY: &str = "[#].[reverse key]";

/// The sides of a join on `table.column`, where that is no column but one of the above.
pub(super) fn join_without_key(table: &str, column: &str) -> Option<Sides> {
    match format!("{table}.{column}").as_str() {
        NO_KEY => Some(Sides::BeforeFirst),
        NO_REVERSE_KEY => Some(Sides::BeforeLast),
        _ => None,
    }
}

/// How a column is written whose table does not occur that often in scope: `[#2].t.c`.
pub(super) fn escape_ordinal(ordinal: usize) -> String {
    format!("[#{ordinal}]")
}

/// The ordinal of a column or table that is written as [`escape_ordinal`] writes it.
pub(super) fn ordinal_escape(raw: &str) -> Option<usize> {
    let ordinal = counted(raw.strip_prefix("[#")?.strip_suffix(']')?);
    ordinal.filter(|&it| it > 1)
}

/// How an output is written that no derived table in scope has: `[#].[3]`.
pub(super) fn escape_output(position: impl std::fmt::Display) -> String {
    format!("[#].[{position}]")
}

/// 1, 2, 3, ..., as far as trees can count.
fn counted(text: &str) -> Option<usize> {
    let number = text.parse().ok()?;
    ((1..=MAX_DEPTH).contains(&number) && number.to_string() == text).then_some(number)
}

/// What is written without a table because there is none: `[#].[3]` is an output that no derived
/// table in scope has, `[#].[true]` the truth value in a database with a column of that name,
/// `[#2].[*]` a star that occurs a second time.
pub(super) fn unqualified_escape(table: &str, column: &str) -> Option<Ast> {
    if table == "[#]" {
        return match unquote(column).0.as_ref() {
            "true" => Some(tree::constant("True")),
            "false" => Some(tree::constant("False")),
            position => counted(position).map(tree::output),
        };
    }
    let ordinal = ordinal_escape(table)?;
    (column == "[*]").then(|| tree::occurrence(DatabaseSchema::STAR, ordinal))
}
