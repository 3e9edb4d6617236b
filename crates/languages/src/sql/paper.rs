//! Paper mode: trees without FROM clauses and literals, as a view of the trees of full mode.
//!
//! Reading drops what the paper's setting does not generate; printing puts it back: a FROM clause
//! inferred from the columns in use, and a placeholder for each literal.
//!
//! A SELECT still names one table: the first of its FROM clause. Without it, `SELECT count(*) FROM
//! t` would say nothing about `t`, and neither would a join that only filters. The other tables are
//! those of the columns in use, in order of appearance, and those that lie between them.

use patois_syntax::{Ast, Child, Field, FieldValue, ParseError, PrintError};

use super::from_clause::{self, JoinedTable};
use super::{DatabaseSchema, tree};

/// What every literal is printed as.
const PLACEHOLDER: &str = "terminal";

/// Where a SELECT names its table: after DISTINCT and the results.
const PLACE_OF_TABLE: usize = 2;

/// The tree of paper mode for one of full mode.
pub(super) fn from_full(schema: &DatabaseSchema, ast: &Ast) -> Result<Ast, ParseError> {
    Reader { schema }.query(ast)
}

/// The tree of full mode that a tree of paper mode stands for.
pub(super) fn to_full(schema: &DatabaseSchema, ast: &Ast) -> Result<Ast, PrintError> {
    Writer { schema }.query(ast)
}

struct Reader<'d> {
    schema: &'d DatabaseSchema,
}

impl Reader<'_> {
    fn query(&self, ast: &Ast) -> Result<Ast, ParseError> {
        let parts = Query::of(ast).map_err(internal)?;
        let select = self.select(parts.select, &parts.order_by)?;
        let mut compounds = Vec::new();
        for compound in &parts.compounds {
            let inner = tree::child(compound, "select").map_err(internal)?;
            let fields = vec![Field::one("select", "select", self.select(inner, &[])?)];
            compounds.push(Ast::new("compound", compound.constructor, fields));
        }
        let order_by = parts.order_by.iter().map(|key| self.node(key));
        let order_by = order_by.collect::<Result<_, _>>()?;
        let limit = parts.limit.map(|_| Ast::new("limit", "Limit", Vec::new()));
        Ok(query(select, compounds, order_by, limit))
    }

    fn select(&self, ast: &Ast, order_by: &[&Ast]) -> Result<Ast, ParseError> {
        let start = self.start(&self.tables(ast)?, &used(self.schema, ast, order_by))?;
        let mut fields = Vec::new();
        for field in ast.fields.iter().filter(|field| field.name != "from") {
            fields.push(self.field(field)?);
        }
        fields.insert(PLACE_OF_TABLE, tree::table_field("table", start));
        Ok(Ast::new("select", "select", fields))
    }

    /// The table that, put first, makes the inferred FROM clause hold the tables of the given one,
    /// or most of them; of several such tables, the first.
    fn start(&self, tables: &[usize], used: &[usize]) -> Result<usize, ParseError> {
        let difference = |start: &usize| {
            let inferred = from_clause::infer(self.schema, &starting_with(*start, used));
            let n_common = inferred
                .iter()
                .filter(|it| tables.contains(&it.table))
                .count();
            inferred.len() + tables.len() - 2 * n_common
        };
        let start = tables.iter().copied().min_by_key(difference);
        start.ok_or_else(|| ParseError::whole("paper mode cannot hold a SELECT without FROM"))
    }

    /// The tables of a FROM clause.
    fn tables(&self, select: &Ast) -> Result<Vec<usize>, ParseError> {
        let Some(from) = tree::optional(select, "from").map_err(internal)? else {
            return Ok(Vec::new());
        };
        let mut tables = Vec::new();
        let first = std::iter::once(tree::child(from, "first").map_err(internal)?);
        for part in first.chain(tree::list(from, "joins").map_err(internal)?) {
            let source = match part.get("source") {
                Some(_) => tree::child(part, "source").map_err(internal)?,
                None => part,
            };
            if source.constructor == "Derived" {
                return Err(ParseError::whole("paper mode cannot hold a query in FROM"));
            }
            let table = tree::reference(source, "table", self.schema.tables.len());
            let table = table.map_err(internal)?;
            if tables.contains(&table) {
                let name = &self.schema.tables[table].name;
                let message = format!("paper mode cannot hold `{name}` joined with itself");
                return Err(ParseError::whole(message));
            }
            tables.push(table);
        }
        Ok(tables)
    }

    fn node(&self, ast: &Ast) -> Result<Ast, ParseError> {
        match (ast.ty, ast.constructor) {
            ("query", _) => return self.query(ast),
            ("value", name) if LITERALS.contains(&name) => {
                return Ok(tree::constant("Literal"));
            }
            ("value", "Occurrence" | "AllColumnsOf") => {
                let message = "paper mode cannot hold a column of an enclosing query's table";
                return Err(ParseError::whole(message));
            }
            ("value", "Output") => {
                return Err(ParseError::whole("paper mode cannot hold a query in FROM"));
            }
            _ => {}
        }
        let fields = ast.fields.iter().map(|field| self.field(field));
        let fields = fields.collect::<Result<_, _>>()?;
        Ok(Ast::new(ast.ty, ast.constructor, fields))
    }

    fn field(&self, field: &Field) -> Result<Field, ParseError> {
        map_field(field, |node| self.node(node))
    }
}

struct Writer<'d> {
    schema: &'d DatabaseSchema,
}

impl Writer<'_> {
    fn query(&self, ast: &Ast) -> Result<Ast, PrintError> {
        let parts = Query::of(ast)?;
        let select = self.select(parts.select, &parts.order_by)?;
        let mut compounds = Vec::new();
        for compound in &parts.compounds {
            let select = self.select(tree::child(compound, "select")?, &[])?;
            let fields = vec![Field::one("select", "select", select)];
            compounds.push(Ast::new("compound", compound.constructor, fields));
        }
        let mut order_by = Vec::new();
        for key in &parts.order_by {
            order_by.push(self.node(key)?);
        }
        let limit = parts.limit.map(|_| {
            let count = tree::text_field("count", "count", "1");
            Ast::new("limit", "Limit", vec![count])
        });
        Ok(query(select, compounds, order_by, limit))
    }

    fn select(&self, ast: &Ast, order_by: &[&Ast]) -> Result<Ast, PrintError> {
        let start = tree::reference(ast, "table", self.schema.tables.len())?;
        let tables = starting_with(start, &used(self.schema, ast, order_by));
        let from = self.from(&tables);
        let mut fields = vec![Field::optional("from", "from", from)];
        for field in ast.fields.iter().filter(|field| field.name != "table") {
            fields.push(self.field(field)?);
        }
        Ok(Ast::new("select", "select", fields))
    }

    fn from(&self, tables: &[usize]) -> Option<Ast> {
        let joined = from_clause::infer(self.schema, tables);
        let (first, others) = joined.split_first()?;
        let join = |it: &JoinedTable| match it.on {
            Some(_) => tree::key_join("Join", it.table),
            None => tree::cross_join(tree::table_source(it.table)),
        };
        let joins = others.iter().map(join).collect();
        Some(tree::from_clause(tree::table_source(first.table), joins))
    }

    fn node(&self, ast: &Ast) -> Result<Ast, PrintError> {
        match (ast.ty, ast.constructor) {
            ("query", _) => return self.query(ast),
            ("value", "Literal") => return Ok(tree::literal("String", "string", PLACEHOLDER)),
            ("value", name @ ("Occurrence" | "AllColumnsOf" | "Output")) => {
                return Err(PrintError::new(format!("paper mode has no `{name}`")));
            }
            ("value", name) if LITERALS.contains(&name) => {
                return Err(PrintError::new(format!("paper mode has no `{name}`")));
            }
            _ => {}
        }
        let mut fields = Vec::new();
        for field in &ast.fields {
            fields.push(self.field(field)?);
        }
        Ok(Ast::new(ast.ty, ast.constructor, fields))
    }

    fn field(&self, field: &Field) -> Result<Field, PrintError> {
        map_field(field, |node| self.node(node))
    }
}

/// Values of full mode that are one placeholder in paper mode.
const LITERALS: &[&str] = &[
    "String",
    "Number",
    "Blob",
    "True",
    "False",
    "CurrentDate",
    "CurrentTime",
    "CurrentTimestamp",
];

/// The parts of a query.
struct Query<'a> {
    select: &'a Ast,
    compounds: Vec<&'a Ast>,
    order_by: Vec<&'a Ast>,
    limit: Option<&'a Ast>,
}

impl<'a> Query<'a> {
    fn of(ast: &'a Ast) -> Result<Query<'a>, PrintError> {
        Ok(Query {
            select: tree::child(ast, "select")?,
            compounds: tree::list(ast, "compounds")?,
            order_by: tree::list(ast, "order_by")?,
            limit: tree::optional(ast, "limit")?,
        })
    }
}

/// The tables of the columns that a SELECT, with the keys it is ordered by, uses outside of its
/// subqueries and FROM clause, in order of appearance.
fn used(schema: &DatabaseSchema, select: &Ast, order_by: &[&Ast]) -> Vec<usize> {
    let mut tables = Vec::new();
    for field in select.fields.iter().filter(|field| field.name != "from") {
        visit_field(schema, field, &mut tables);
    }
    for key in order_by {
        visit(schema, key, &mut tables);
    }
    tables
}

fn visit(schema: &DatabaseSchema, ast: &Ast, tables: &mut Vec<usize>) {
    match (ast.ty, ast.constructor) {
        ("query", _) => {}
        ("value", "Column") => {
            let column = tree::reference(ast, "column", schema.columns.len());
            tables.extend(column.ok().and_then(|it| schema.columns[it].table));
        }
        ("value", "AllColumns") => {
            tables.extend(tree::reference(ast, "table", schema.tables.len()));
        }
        _ => {
            for field in &ast.fields {
                visit_field(schema, field, tables);
            }
        }
    }
}

fn visit_field(schema: &DatabaseSchema, field: &Field, tables: &mut Vec<usize>) {
    for child in field.value.children() {
        if let Child::Node(node) = child {
            visit(schema, node, tables);
        }
    }
}

fn starting_with(first: usize, others: &[usize]) -> Vec<usize> {
    std::iter::once(first)
        .chain(others.iter().copied())
        .collect()
}

fn query(select: Ast, compounds: Vec<Ast>, order_by: Vec<Ast>, limit: Option<Ast>) -> Ast {
    let fields = vec![
        Field::one("select", "select", select),
        Field::many("compounds", "compound", compounds),
        Field::many("order_by", "order", order_by),
        Field::optional("limit", "limit", limit),
    ];
    Ast::new("query", "query", fields)
}

/// The field with `map` applied to the nodes it holds.
fn map_field<E>(field: &Field, mut map: impl FnMut(&Ast) -> Result<Ast, E>) -> Result<Field, E> {
    let mut map = |child: &Child| match child {
        Child::Node(node) => map(node).map(Child::Node),
        other => Ok(other.clone()),
    };
    let value = match &field.value {
        FieldValue::One(child) => FieldValue::One(map(child)?),
        FieldValue::Optional(child) => FieldValue::Optional(child.as_ref().map(map).transpose()?),
        FieldValue::Many(children) => {
            FieldValue::Many(children.iter().map(map).collect::<Result<_, _>>()?)
        }
        FieldValue::NonEmpty(children) => {
            FieldValue::NonEmpty(children.iter().map(map).collect::<Result<_, _>>()?)
        }
    };
    Ok(Field {
        name: field.name,
        ty: field.ty,
        value,
    })
}

/// The trees that full mode parses are well formed.
fn internal(error: PrintError) -> ParseError {
    ParseError::whole(error.message)
}
