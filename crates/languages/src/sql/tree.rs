//! Making the nodes of SQL trees, and taking them apart.

use patois_syntax::{Ast, Child, Field, FieldValue, PrintError, Text};

/// A node of type `value` without fields.
pub(super) fn constant(constructor: &'static str) -> Ast {
    Ast::new("value", constructor, Vec::new())
}

/// A node of type `value` that points at a column.
pub(super) fn column(index: usize) -> Ast {
    Ast::new("value", "Column", vec![column_field("column", index)])
}

/// A column of a table's occurrence other than the nearest one.
pub(super) fn occurrence(index: usize, ordinal: usize) -> Ast {
    let fields = vec![column_field("column", index), ordinal_field(ordinal)];
    Ast::new("value", "Occurrence", fields)
}

/// A column of a table's occurrence, the nearest one or another.
pub(super) fn occurrence_or_column(index: usize, ordinal: usize) -> Ast {
    match ordinal {
        1 => column(index),
        ordinal => occurrence(index, ordinal),
    }
}

/// All columns of a table's nearest occurrence, or of another one.
pub(super) fn all_columns(table: usize, ordinal: usize) -> Ast {
    let mut fields = vec![table_field("table", table)];
    if ordinal == 1 {
        return Ast::new("value", "AllColumns", fields);
    }
    fields.push(ordinal_field(ordinal));
    Ast::new("value", "AllColumnsOf", fields)
}

/// A node of type `value` that holds one text.
pub(super) fn literal(constructor: &'static str, ty: &'static str, text: &str) -> Ast {
    Ast::new("value", constructor, vec![text_field("value", ty, text)])
}

/// The output at a position, which counts from 1.
pub(super) fn output(position: usize) -> Ast {
    let position = counted("position", "First", position);
    let field = Field::one("position", "position", position);
    Ast::new("value", "Output", vec![field])
}

/// Which occurrence of a table is meant; counts from 2.
fn ordinal_field(ordinal: usize) -> Field {
    let ordinal = counted("ordinal", "Second", ordinal.saturating_sub(1));
    Field::one("occurrence", "ordinal", ordinal)
}

/// The `n`-th of a type whose first constructor is followed by `Next`.
fn counted(ty: &'static str, first: &'static str, n: usize) -> Ast {
    let mut ast = Ast::new(ty, first, Vec::new());
    for _ in 1..n {
        ast = Ast::new(ty, "Next", vec![Field::one("previous", ty, ast)]);
    }
    ast
}

/// The number of the occurrence in field `occurrence`.
pub(super) fn ordinal(ast: &Ast) -> Result<usize, PrintError> {
    count(child(ast, "occurrence")?, "Second").map(|it| it + 1)
}

/// The number of the output in field `position`.
pub(super) fn position(ast: &Ast) -> Result<usize, PrintError> {
    count(child(ast, "position")?, "First")
}

fn count(mut ast: &Ast, first: &str) -> Result<usize, PrintError> {
    let mut n = 1;
    while ast.constructor == "Next" {
        ast = child(ast, "previous")?;
        n += 1;
    }
    if ast.constructor == first {
        return Ok(n);
    }
    let found = ast.constructor;
    Err(PrintError::new(format!(
        "expected `{first}` or `Next`, found `{found}`"
    )))
}

/// A function by its constructor.
pub(super) fn function_field(constructor: &'static str) -> Field {
    let function = Ast::new("function", constructor, Vec::new());
    Field::one("function", "function", function)
}

/// A node whose fields all hold one value each.
pub(super) fn over_values<const N: usize>(
    ty: &'static str,
    constructor: &'static str,
    fields: [(&'static str, Ast); N],
) -> Ast {
    let fields = fields.map(|(name, value)| Field::one(name, "value", value));
    Ast::new(ty, constructor, fields.into())
}

/// A node of type `condition` that joins two conditions.
pub(super) fn connective(constructor: &'static str, left: Ast, right: Ast) -> Ast {
    let fields = vec![
        Field::one("left", "condition", left),
        Field::one("right", "condition", right),
    ];
    Ast::new("condition", constructor, fields)
}

/// The opposite of a condition.
pub(super) fn not(operand: Ast) -> Ast {
    let operand = Field::one("operand", "condition", operand);
    Ast::new("condition", "Not", vec![operand])
}

/// A table of a FROM clause.
pub(super) fn table_source(table: usize) -> Ast {
    Ast::new("source", "Table", vec![table_field("table", table)])
}

/// A join along a foreign key.
pub(super) fn key_join(constructor: &'static str, table: usize) -> Ast {
    Ast::new("join", constructor, vec![table_field("table", table)])
}

/// `JOIN source`, with no condition.
pub(super) fn cross_join(source: Ast) -> Ast {
    Ast::new(
        "join",
        "CrossJoin",
        vec![Field::one("source", "source", source)],
    )
}

/// A FROM clause.
pub(super) fn from_clause(first: Ast, joins: Vec<Ast>) -> Ast {
    let fields = vec![
        Field::one("first", "source", first),
        Field::many("joins", "join", joins),
    ];
    Ast::new("from", "from", fields)
}

/// A field that holds a text.
pub(super) fn text_field(name: &'static str, ty: &'static str, text: &str) -> Field {
    Field::one(name, ty, text)
}

/// A field that points at a column.
pub(super) fn column_field(name: &'static str, index: usize) -> Field {
    Field::one(name, "column", reference_child(index))
}

/// A field that points at a table.
pub(super) fn table_field(name: &'static str, index: usize) -> Field {
    Field::one(name, "table", reference_child(index))
}

fn reference_child(index: usize) -> Child {
    Child::Reference(u32::try_from(index).expect("a database has fewer than 2^32 columns"))
}

/// The node in the field called `name`.
pub(super) fn child<'a>(ast: &'a Ast, name: &str) -> Result<&'a Ast, PrintError> {
    match field(ast, name)? {
        FieldValue::One(Child::Node(node)) => Ok(node),
        _ => Err(unexpected(ast, name, "a node")),
    }
}

/// The node in the optional field called `name`.
pub(super) fn optional<'a>(ast: &'a Ast, name: &str) -> Result<Option<&'a Ast>, PrintError> {
    match field(ast, name)? {
        FieldValue::Optional(None) => Ok(None),
        FieldValue::Optional(Some(Child::Node(node))) => Ok(Some(node)),
        _ => Err(unexpected(ast, name, "a node or nothing")),
    }
}

/// The nodes in the list called `name`.
pub(super) fn list<'a>(ast: &'a Ast, name: &str) -> Result<Vec<&'a Ast>, PrintError> {
    let children = match field(ast, name)? {
        FieldValue::Many(children) => children,
        FieldValue::NonEmpty(children) if !children.is_empty() => children,
        _ => return Err(unexpected(ast, name, "a list")),
    };
    children
        .iter()
        .map(|child| match child {
            Child::Node(node) => Ok(node),
            Child::Text(_) | Child::Reference(_) => Err(unexpected(ast, name, "a list of nodes")),
        })
        .collect()
}

/// The text in the field called `name`.
pub(super) fn text(ast: &Ast, name: &str) -> Result<Text, PrintError> {
    match field(ast, name)? {
        FieldValue::One(Child::Text(text)) => Ok(*text),
        _ => Err(unexpected(ast, name, "a text")),
    }
}

/// The reference in the field called `name`, which must be below `count`.
pub(super) fn reference(ast: &Ast, name: &str, count: usize) -> Result<usize, PrintError> {
    match field(ast, name)? {
        FieldValue::One(Child::Reference(index)) if (*index as usize) < count => {
            Ok(*index as usize)
        }
        FieldValue::One(Child::Reference(index)) => Err(PrintError::new(format!(
            "`{name}` of `{}` points at {index}, but there are only {count}",
            ast.constructor
        ))),
        _ => Err(unexpected(ast, name, "a reference")),
    }
}

fn field<'a>(ast: &'a Ast, name: &str) -> Result<&'a FieldValue, PrintError> {
    ast.get(name).ok_or_else(|| {
        PrintError::new(format!(
            "expected a field `{name}` in `{}` of type `{}`",
            ast.constructor, ast.ty
        ))
    })
}

fn unexpected(ast: &Ast, name: &str, expected: &str) -> PrintError {
    PrintError::new(format!(
        "expected {expected} in field `{name}` of `{}`",
        ast.constructor
    ))
}
