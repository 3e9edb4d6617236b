//! Parts of queries that no question asks for, by what columns hold.

use patois_syntax::{Ast, Child, FieldValue};

use super::redundant::{operands, parts};

/// What a column holds, as far as it decides what makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Texts or dates.
    Words,
    /// Amounts of money.
    Money,
    /// Other numbers.
    Numbers,
    /// Anything.
    Anything,
}

/// How many parts of a query make no sense, where `holds` tells what is in a column: the sum of names, a date above 5, a
/// year called `cancelled`, the month of a price, a price times a price, a name that is two at once.
///
/// Each of them runs: SQLite compares anything with anything. A model that is not sure writes such a thing.
pub(super) fn count(ast: &Ast, holds: &dyn Fn(u32) -> Holds) -> usize {
    parts(ast).filter(|it| is_senseless(it, holds)).count()
}

/// Whether a query leaves out what another one finds: with NULL among that, it selects nothing at all.
pub(super) fn leaves_out(ast: &Ast) -> bool {
    parts(ast).any(|it| {
        let operand = it.get("operand").and_then(node);
        it.constructor == "Not" && operand.is_some_and(|it| it.constructor == "InQuery")
    })
}

fn is_senseless(ast: &Ast, holds: &dyn Fn(u32) -> Holds) -> bool {
    let held = |node: &Ast| column(node).map(holds);
    let is_no_number = |node: &Ast| held(node) == Some(Holds::Words);
    let field = |name: &str| ast.get(name).and_then(node);
    match (ast.ty, ast.constructor) {
        ("value", "Sum" | "Avg" | "SumDistinct" | "AvgDistinct") => {
            field("argument").is_some_and(is_no_number)
        }
        ("value", "Multiply") => {
            let factors = [field("left"), field("right")].map(|it| it.and_then(held));
            factors.contains(&Some(Holds::Words)) || factors == [Some(Holds::Money); 2]
        }
        ("value", "Call") if is_part_of_date(ast) => {
            let is_number = |it| matches!(held(it), Some(Holds::Money | Holds::Numbers));
            ast.nodes().any(is_number)
        }
        ("condition", "Between") => {
            let is_number = field("low").is_some_and(|it| it.constructor == "Number");
            let bounds = field("low")
                .and_then(text)
                .zip(field("high").and_then(text));
            let is_empty = bounds.is_some_and(|(low, high)| low > high);
            is_empty || is_number && field("operand").is_some_and(is_no_number)
        }
        ("condition", "And") => {
            let [left, right] = ["left", "right"].map(|side| {
                let side = field(side).map(|it| operands(it, "And"));
                side.unwrap_or_default()
            });
            let excludes = |one: &&Ast| right.iter().any(|other| exclude_each_other(one, other));
            left.iter().any(excludes)
        }
        ("condition", "Less" | "LessEqual" | "Greater" | "GreaterEqual" | "Equal" | "NotEqual") => {
            let (Some(left), Some(right)) = (field("left"), field("right")) else {
                return false;
            };
            // Numbers are kept as texts in many a table, and are then compared for being equal.
            let is_order = !matches!(ast.constructor, "Equal" | "NotEqual");
            let is_odd_date = is_part_of_date(left) && text(right).is_some_and(|it| !is_date(it));
            is_odd_date || (is_order && right.constructor == "Number" && is_no_number(left))
        }
        _ => false,
    }
}

fn node(value: &FieldValue) -> Option<&Ast> {
    match value.children() {
        [Child::Node(node)] => Some(node),
        _ => None,
    }
}

/// Whether the same column is to have two values, or to have one and not another, which goes without saying.
fn exclude_each_other(one: &Ast, other: &Ast) -> bool {
    let compared = |it| comparison(it).filter(|(_, value)| is_literal(value));
    let both = compared(one).zip(compared(other));
    let is_one_equal = [one, other].iter().any(|it| it.constructor == "Equal");
    is_one_equal
        && both.is_some_and(|((left, value), (other_left, other_value))| {
            left == other_left && value != other_value
        })
}

/// Both sides of a condition that says that they are equal, or that they are not.
fn comparison(condition: &Ast) -> Option<(&Ast, &Ast)> {
    let side = |name| condition.get(name).and_then(node);
    let is_comparison = matches!(condition.constructor, "Equal" | "NotEqual");
    side("left").zip(side("right")).filter(|_| is_comparison)
}

fn is_literal(value: &Ast) -> bool {
    matches!(value.constructor, "String" | "Number")
}

/// The column that a value is.
fn column(value: &Ast) -> Option<u32> {
    match value.get("column")?.children() {
        [Child::Reference(column)] if value.ty == "value" => Some(*column),
        _ => None,
    }
}

/// The text that a value is.
fn text(value: &Ast) -> Option<&str> {
    match value.get("value")?.children() {
        [Child::Text(text)] if value.constructor == "String" => Some(text.as_str()),
        _ => None,
    }
}

fn is_part_of_date(value: &Ast) -> bool {
    let function = value.get("function").and_then(node);
    function.is_some_and(|it| {
        matches!(
            it.constructor,
            "StrfTime" | "Date" | "DateTime" | "Time" | "JulianDay"
        )
    })
}

fn is_date(text: &str) -> bool {
    text.bytes()
        .all(|it| it.is_ascii_digit() || matches!(it, b'-' | b':' | b' ' | b'.'))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use patois_syntax::Language as _;

    use crate::sql::{ColumnKind, DatabaseSchema, Holds, Mode, Sql};

    #[test]
    fn what_makes_no_sense_is_counted() {
        let tables = r#"[{"db_id": "shop", "table_names": ["pet"], "table_names_original": ["pet"],
            "column_names": [[-1, "*"], [0, "name"], [0, "age"], [0, "born"], [0, "price"], [0, "cost"]],
            "column_names_original": [[-1, "*"], [0, "name"], [0, "age"], [0, "born"], [0, "price"], [0, "cost"]],
            "column_types": ["text", "text", "number", "time", "number", "number"], "primary_keys": [], "foreign_keys": []}]"#;
        let schema = DatabaseSchema::from_tables_json(tables).unwrap()["shop"].clone();
        let schema = Arc::new(schema);
        let sql = Sql::new(Arc::clone(&schema), Mode::Full);
        let holds = |column: u32| match schema.columns[column as usize].kind {
            ColumnKind::Text | ColumnKind::Time => Holds::Words,
            _ if column > 3 => Holds::Money,
            _ => Holds::Numbers,
        };
        let check = |query: &str, expected: usize| {
            let ast = sql.parse(query).unwrap();
            assert_eq!(Sql::n_senseless(&ast, &holds), expected, "{query}");
        };
        check("SELECT sum(name), avg(born) FROM pet", 2);
        check("SELECT name FROM pet WHERE born > 5", 1);
        check("SELECT name FROM pet WHERE name BETWEEN 1 AND 2", 1);
        check("SELECT name FROM pet WHERE strftime('%Y', born) = 'Rex'", 1);
        check(
            "SELECT avg(age) FROM pet WHERE age > 3 AND born > '2020-01-01'",
            0,
        );
        check(
            "SELECT name FROM pet WHERE strftime('%Y', born) = '2020'",
            0,
        );
        check("SELECT name FROM pet WHERE name = 7", 0);
        check("SELECT sum(price * born), sum(price * cost) FROM pet", 2);
        check("SELECT sum(price * age), sum(price - cost) FROM pet", 0);
        check("SELECT strftime('%Y', price), julianday(age) FROM pet", 2);
        check(
            "SELECT julianday('2020-01-01') - julianday(born) FROM pet",
            0,
        );
        let born = "SELECT name FROM pet WHERE born BETWEEN";
        check(&format!("{born} '2020-03-01' AND '2020-01'"), 1);
        check(&format!("{born} '2020-01-01' AND '2020-03-31'"), 0);
        check(
            "SELECT name FROM pet WHERE name = 'Rex' AND name != 'Tom'",
            1,
        );
        check(
            "SELECT name FROM pet WHERE name != 'Rex' AND name != 'Tom'",
            0,
        );
        check(
            "SELECT name FROM pet WHERE name = 'Rex' AND age > 3 AND name = 'Tom'",
            1,
        );
        check("SELECT name FROM pet WHERE name = 'Rex' OR name = 'Tom'", 0);
        check(
            "SELECT name FROM pet WHERE name = 'Rex' AND age = 3 AND born = '2020-01-01'",
            0,
        );
        check(
            "SELECT max(name) FROM pet WHERE date(born) = '2020-01-01'",
            0,
        );
    }
}
