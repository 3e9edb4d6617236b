//! Queries that say the same thing twice.

use patois_syntax::{Ast, Child, FieldValue};

/// Whether some part of a query adds nothing to another one: a result, a key or a condition that is there already, a
/// SELECT joined with itself, a value between itself and itself or times itself.
///
/// Nobody writes such a query on purpose; a model that is not sure does.
pub(super) fn repeats_itself(ast: &Ast) -> bool {
    parts(ast).any(repeats_here)
}

/// A node and all that is below it.
pub(super) fn parts(ast: &Ast) -> impl Iterator<Item = &Ast> {
    let mut below = vec![ast];
    std::iter::from_fn(move || {
        let node = below.pop()?;
        below.extend(node.nodes());
        Some(node)
    })
}

fn repeats_here(ast: &Ast) -> bool {
    match (ast.ty, ast.constructor) {
        ("select", _) => has_twins(&nodes(ast, "results")),
        ("grouping", _) => has_twins(&nodes(ast, "keys")),
        ("query", _) => {
            let mut selects = nodes(ast, "select");
            let compounds = nodes(ast, "compounds");
            selects.extend(compounds.iter().flat_map(|it| nodes(it, "select")));
            let keys = nodes(ast, "order_by");
            let keys: Vec<&Ast> = keys.iter().flat_map(|it| nodes(it, "key")).collect();
            has_twins(&selects) || has_twins(&keys)
        }
        ("condition", "And" | "Or") => has_twins(&operands(ast, ast.constructor)),
        ("condition", "Between") => has_twins(&[nodes(ast, "low"), nodes(ast, "high")].concat()),
        ("condition", "In") => has_twins(&nodes(ast, "items")),
        ("condition", _) | ("value", "Add" | "Subtract" | "Multiply" | "Divide" | "Modulo") => {
            has_twins(&[nodes(ast, "left"), nodes(ast, "right")].concat())
        }
        _ => false,
    }
}

/// The nodes in a field; none where there is no such field.
fn nodes<'a>(ast: &'a Ast, field: &str) -> Vec<&'a Ast> {
    let children = ast.get(field).map_or(&[][..], FieldValue::children);
    let node = |it: &'a Child| match it {
        Child::Node(node) => Some(node),
        Child::Text(_) | Child::Reference(_) => None,
    };
    children.iter().filter_map(node).collect()
}

/// The conditions that a chain of a connective holds together; a condition that is none is alone.
pub(super) fn operands<'a>(condition: &'a Ast, connective: &str) -> Vec<&'a Ast> {
    let mut found = Vec::new();
    let mut below = vec![condition];
    while let Some(node) = below.pop() {
        if (node.ty, node.constructor) == ("condition", connective) {
            below.extend(node.nodes());
        } else {
            found.push(node);
        }
    }
    found
}

fn has_twins(nodes: &[&Ast]) -> bool {
    let is_twin = |(index, node): (usize, &&Ast)| nodes[..index].contains(node);
    nodes.iter().enumerate().any(is_twin)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use patois_syntax::Language as _;

    use crate::sql::{DatabaseSchema, Mode, Sql};

    fn check(query: &str, expected: bool) {
        let tables = r#"[{"db_id": "shop", "table_names": ["pet"], "table_names_original": ["pet"],
            "column_names": [[-1, "*"], [0, "name"], [0, "age"]],
            "column_names_original": [[-1, "*"], [0, "name"], [0, "age"]],
            "column_types": ["text", "text", "number"], "primary_keys": [], "foreign_keys": []}]"#;
        let schema = DatabaseSchema::from_tables_json(tables).unwrap()["shop"].clone();
        let sql = Sql::new(Arc::new(schema), Mode::Full);
        let ast = sql.parse(query).unwrap();
        assert_eq!(Sql::repeats_itself(&ast), expected, "{query}");
    }

    #[test]
    fn what_is_said_twice_is_found() {
        for query in [
            "SELECT name, age, name FROM pet",
            "SELECT name FROM pet WHERE age = 3 AND name = 'Rex' AND age = 3",
            "SELECT name FROM pet WHERE age = 3 OR age = 3",
            "SELECT name FROM pet WHERE age BETWEEN 3 AND 3",
            "SELECT name FROM pet WHERE age = age",
            "SELECT name FROM pet WHERE age IN (1, 2, 1)",
            "SELECT count(*) FROM pet GROUP BY name, name",
            "SELECT name FROM pet ORDER BY age, age DESC",
            "SELECT sum(age * age) FROM pet",
            "SELECT name FROM pet UNION SELECT name FROM pet",
            "SELECT name FROM pet WHERE age IN (SELECT age FROM pet WHERE age > 1 AND age > 1)",
        ] {
            check(query, true);
        }
    }

    #[test]
    fn what_is_alike_is_not_the_same() {
        for query in [
            "SELECT name, age FROM pet",
            "SELECT max(age), min(age) FROM pet",
            "SELECT max(age) - min(age) FROM pet",
            "SELECT name FROM pet WHERE age > 1 AND age < 3",
            "SELECT name FROM pet WHERE age = 1 OR age = 2",
            "SELECT name FROM pet WHERE age = 1 AND name = 'Rex' OR age = 1 AND name = 'Tom'",
            "SELECT name FROM pet WHERE age > 1 INTERSECT SELECT name FROM pet WHERE age < 3",
        ] {
            check(query, false);
        }
    }
}
