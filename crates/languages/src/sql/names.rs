//! Shapes of nodes that the parser and the printer must agree on.

use patois_syntax::{Ast, Field};

use super::identifier::unquote;
use super::{DatabaseSchema, from_clause, tree};

/// Aggregates with a node of their own: the name, the plain node, the one for DISTINCT.
pub(super) const AGGREGATES: &[(&str, &str, &str)] = &[
    ("count", "Count", "CountDistinct"),
    ("sum", "Sum", "SumDistinct"),
    ("avg", "Avg", "AvgDistinct"),
    ("min", "Min", "MinDistinct"),
    ("max", "Max", "MaxDistinct"),
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
    if !super::text::is_function(function) {
        return Err(format!(
            "expected the name of a function, found `{function}`"
        ));
    }
    let name = tree::text_field("function", "function", function);
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

/// The short form of a join along a foreign key, where it can say it; `before` are the tables before
/// it.
pub(super) fn as_key_join(
    schema: &DatabaseSchema,
    before: &[usize],
    source: &Ast,
    on: &Ast,
) -> Option<Ast> {
    if source.constructor != "Table" || on.constructor != "Equal" {
        return None;
    }
    let table = tree::reference(source, "table", usize::MAX).ok()?;
    let key = from_clause::key(schema, before, table)?;
    let side = |name| {
        let value = tree::child(on, name).ok()?;
        if value.constructor != "Column" {
            return None;
        }
        tree::reference(value, "column", usize::MAX).ok()
    };
    match (side("left")?, side("right")?) {
        sides if sides == key => Some(tree::key_join("Join", table)),
        (left, right) if (right, left) == key => Some(tree::key_join("ReverseJoin", table)),
        _ => None,
    }
}

/// What a join is on that asks for a foreign key where there is none.
pub const NO_KEY: &str = "[#].[key]";

/// The same for one with its sides the other way round.
pub const NO_REVERSE_KEY: &str = "[#].[reverse key]";

/// The constructor of a join on `table.column`, where that is no column but one of the above.
pub(super) fn join_without_key(table: &str, column: &str) -> Option<&'static str> {
    match format!("{table}.{column}").as_str() {
        NO_KEY => Some("Join"),
        NO_REVERSE_KEY => Some("ReverseJoin"),
        _ => None,
    }
}

/// How a column is written whose table does not occur that often in scope: `[#2].t.c`.
pub(super) fn escape_ordinal(ordinal: &str) -> String {
    format!("[#{ordinal}]")
}

/// The ordinal of a column or table that is written as [`escape_ordinal`] writes it.
pub(super) fn ordinal_escape(raw: &str) -> Option<usize> {
    let ordinal = raw.strip_prefix("[#")?.strip_suffix(']')?;
    super::text::is_ordinal(ordinal).then_some(())?;
    ordinal.parse().ok()
}

/// How an output is written that no derived table in scope has: `[#].[3]`.
pub(super) fn escape_output(position: &str) -> String {
    format!("[#].[{position}]")
}

/// What is written without a table because there is none: `[#].[3]` is an output that no derived
/// table in scope has, `[#].[true]` the truth value in a database with a column of that name,
/// `[#2].[*]` a star that occurs a second time.
pub(super) fn unqualified_escape(table: &str, column: &str) -> Option<Ast> {
    if table == "[#]" {
        return match unquote(column).0.as_ref() {
            "true" => Some(tree::constant("True")),
            "false" => Some(tree::constant("False")),
            position => super::text::is_position(position)
                .then(|| tree::literal("Output", "position", position)),
        };
    }
    let ordinal = ordinal_escape(table)?;
    (column == "[*]").then(|| tree::occurrence(DatabaseSchema::STAR, ordinal))
}
