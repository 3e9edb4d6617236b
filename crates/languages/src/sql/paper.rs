//! Paper mode: trees without FROM clauses and literals, as a view of the trees of full mode.
//!
//! Reading drops what the paper's setting does not generate; printing puts it back: a FROM clause
//! inferred from the columns in use, and a placeholder for each literal.
//!
//! `*` names a table, since a query such as `SELECT count(*) FROM t` has nothing else that does.
//! In the inferred FROM clause that table comes first. All stars of one SELECT mean the same rows,
//! so they name the same table; where a tree contradicts itself, the later ones are printed in a
//! form that reads back but does not run.

use patois_syntax::{Ast, Child, Field, FieldValue, ParseError, PrintError};

use super::from_clause::{self, JoinedTable};
use super::{DatabaseSchema, MAX_DEPTH, tree};

/// What every literal is printed as.
const PLACEHOLDER: &str = "terminal";

/// An occurrence that no FROM clause has, for stars that contradict the first one.
const NO_OCCURRENCE: usize = 999_999;

/// The tree of paper mode for one of full mode.
pub(super) fn from_full(schema: &DatabaseSchema, ast: &Ast) -> Result<Ast, ParseError> {
    Reader { schema }.query(ast)
}

/// The tree of full mode that a tree of paper mode stands for.
pub(super) fn to_full(schema: &DatabaseSchema, ast: &Ast) -> Result<Ast, PrintError> {
    Writer { schema, depth: 0 }.query(ast)
}

struct Reader<'d> {
    schema: &'d DatabaseSchema,
}

impl Reader<'_> {
    fn query(&self, ast: &Ast) -> Result<Ast, ParseError> {
        let parts = Query::of(ast).map_err(internal)?;
        let star = self.star(parts.select, &parts.order_by)?;
        let select = self.select(parts.select, star)?;
        let mut compounds = Vec::new();
        for compound in &parts.compounds {
            let inner = tree::child(compound, "select").map_err(internal)?;
            let star = self.star(inner, &[])?;
            let fields = vec![Field::one("select", "select", self.select(inner, star)?)];
            compounds.push(Ast::new("compound", compound.constructor, fields));
        }
        let order_by: Vec<Ast> = parts
            .order_by
            .iter()
            .map(|key| self.node(key, star))
            .collect::<Result<_, _>>()?;
        let limit = parts.limit.map(|_| Ast::new("limit", "Limit", Vec::new()));
        Ok(query(select, compounds, order_by, limit))
    }

    fn select(&self, ast: &Ast, star: Option<usize>) -> Result<Ast, ParseError> {
        let fields = ast.fields.iter().filter(|field| field.name != "from");
        let fields = fields
            .map(|field| self.field(field, star))
            .collect::<Result<_, _>>()?;
        Ok(Ast::new("select", "select", fields))
    }

    /// The table that the stars of a SELECT name: the first of FROM, unless another one is needed
    /// to make the inferred FROM clause hold the same tables.
    fn star(&self, select: &Ast, order_by: &[&Ast]) -> Result<Option<usize>, ParseError> {
        let tables = self.tables(select)?;
        let used = Used::by(self.schema, select, order_by);
        let Some(&first) = tables.first() else {
            return if used.has_star {
                Err(star_without_table())
            } else {
                Ok(None)
            };
        };
        let is_inferred = |star: &usize| {
            let inferred = from_clause::infer(self.schema, &used.starting_with(Some(*star)));
            inferred.len() == tables.len() && inferred.iter().all(|it| tables.contains(&it.table))
        };
        let star = tables.iter().copied().find(is_inferred).or_else(|| {
            let hidden = tables.iter().copied();
            hidden
                .into_iter()
                .find(|table| !used.tables.contains(table))
        });
        Ok(Some(star.unwrap_or(first)))
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

    fn node(&self, ast: &Ast, star: Option<usize>) -> Result<Ast, ParseError> {
        match (ast.ty, ast.constructor) {
            ("query", _) => return self.query(ast),
            ("value", name) if LITERALS.contains(&name) => {
                return Ok(tree::constant("Literal"));
            }
            ("value", "Column") if is_star(ast) => {
                return star.map(star_node).ok_or_else(star_without_table);
            }
            // How `to_full` marks what makes no sense: a bare column 0, a contradicting star.
            ("value", "Occurrence") if is_star(ast) => {
                return Ok(tree::column(DatabaseSchema::STAR));
            }
            ("value", "AllColumnsOf") => {
                let table = tree::reference(ast, "table", self.schema.tables.len());
                return Ok(star_node(table.map_err(internal)?));
            }
            ("value", "Occurrence") => {
                let message = "paper mode cannot hold a column of an enclosing query's table";
                return Err(ParseError::whole(message));
            }
            ("value", "Output") => {
                return Err(ParseError::whole("paper mode cannot hold a query in FROM"));
            }
            _ => {}
        }
        let fields = ast
            .fields
            .iter()
            .map(|field| self.field(field, star))
            .collect::<Result<_, _>>()?;
        Ok(Ast::new(ast.ty, ast.constructor, fields))
    }

    fn field(&self, field: &Field, star: Option<usize>) -> Result<Field, ParseError> {
        map_field(field, |node| self.node(node, star))
    }
}

struct Writer<'d> {
    schema: &'d DatabaseSchema,
    depth: usize,
}

impl Writer<'_> {
    fn query(&mut self, ast: &Ast) -> Result<Ast, PrintError> {
        let parts = Query::of(ast)?;
        let star = Used::by(self.schema, parts.select, &parts.order_by).star;
        let select = self.select(parts.select, &parts.order_by)?;
        let mut compounds = Vec::new();
        for compound in &parts.compounds {
            let select = self.select(tree::child(compound, "select")?, &[])?;
            let fields = vec![Field::one("select", "select", select)];
            compounds.push(Ast::new("compound", compound.constructor, fields));
        }
        let mut order_by = Vec::new();
        for key in &parts.order_by {
            order_by.push(self.node(key, star)?);
        }
        let limit = parts.limit.map(|_| {
            let count = tree::text_field("count", "number", "1");
            Ast::new("limit", "Limit", vec![count])
        });
        Ok(query(select, compounds, order_by, limit))
    }

    fn select(&mut self, ast: &Ast, order_by: &[&Ast]) -> Result<Ast, PrintError> {
        let used = Used::by(self.schema, ast, order_by);
        let from = self.from(&used.starting_with(used.star));
        let mut fields = Vec::new();
        for field in &ast.fields {
            if field.name == "where" {
                fields.push(Field::optional("from", "from", from.clone()));
            }
            fields.push(self.field(field, used.star)?);
        }
        Ok(Ast::new("select", "select", fields))
    }

    fn from(&self, tables: &[usize]) -> Option<Ast> {
        let joined = from_clause::infer(self.schema, tables);
        let (first, others) = joined.split_first()?;
        let join = |it: &JoinedTable| match it.on {
            Some((left, right)) => tree::equi_join(it.table, left, right),
            None => tree::cross_join(tree::table_source(it.table)),
        };
        let joins = others.iter().map(join).collect();
        Some(tree::from_clause(tree::table_source(first.table), joins))
    }

    fn node(&mut self, ast: &Ast, star: Option<usize>) -> Result<Ast, PrintError> {
        if self.depth == MAX_DEPTH {
            return Err(PrintError::new(format!(
                "the tree is deeper than {MAX_DEPTH}"
            )));
        }
        self.depth += 1;
        let node = self.node_here(ast, star);
        self.depth -= 1;
        node
    }

    fn node_here(&mut self, ast: &Ast, star: Option<usize>) -> Result<Ast, PrintError> {
        match (ast.ty, ast.constructor) {
            ("query", _) => return self.query(ast),
            ("value", "Literal") => return Ok(tree::literal("String", "string", PLACEHOLDER)),
            ("value", "Column") if is_star(ast) => {
                return Ok(tree::occurrence(DatabaseSchema::STAR, 2));
            }
            ("value", "Star") => {
                let table = tree::reference(ast, "table", self.schema.tables.len())?;
                return Ok(if Some(table) == star {
                    tree::column(DatabaseSchema::STAR)
                } else {
                    tree::all_columns(table, NO_OCCURRENCE)
                });
            }
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
            fields.push(self.field(field, star)?);
        }
        Ok(Ast::new(ast.ty, ast.constructor, fields))
    }

    fn field(&mut self, field: &Field, star: Option<usize>) -> Result<Field, PrintError> {
        map_field(field, |node| self.node(node, star))
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

/// What a SELECT, with the keys it is ordered by, uses outside of its subqueries and FROM clause.
#[derive(Default)]
struct Used {
    /// The tables of its columns, in order of appearance.
    tables: Vec<usize>,
    /// Whether there is a star, in full mode.
    has_star: bool,
    /// The table that the first star names, in paper mode.
    star: Option<usize>,
}

impl Used {
    fn by(schema: &DatabaseSchema, select: &Ast, order_by: &[&Ast]) -> Used {
        let mut used = Used::default();
        for field in select.fields.iter().filter(|field| field.name != "from") {
            used.visit_field(schema, field, 0);
        }
        for key in order_by {
            used.visit(schema, key, 0);
        }
        used
    }

    /// The tables to be joined, the given one first.
    fn starting_with(&self, first: Option<usize>) -> Vec<usize> {
        first
            .into_iter()
            .chain(self.tables.iter().copied())
            .collect()
    }

    /// What is deeper than any tree that can be printed is left to the printer to refuse.
    fn visit(&mut self, schema: &DatabaseSchema, ast: &Ast, depth: usize) {
        if ast.ty == "query" || depth > MAX_DEPTH {
            return;
        }
        match (ast.ty, ast.constructor) {
            ("value", "Column") => match tree::reference(ast, "column", schema.columns.len()) {
                Ok(DatabaseSchema::STAR) => self.has_star = true,
                Ok(column) => self.tables.extend(schema.columns[column].table),
                Err(_) => {}
            },
            ("value", "AllColumns") => {
                self.tables
                    .extend(tree::reference(ast, "table", schema.tables.len()));
            }
            ("value", "Star") if self.star.is_none() => {
                self.star = tree::reference(ast, "table", schema.tables.len()).ok();
            }
            _ => {
                for field in &ast.fields {
                    self.visit_field(schema, field, depth + 1);
                }
            }
        }
    }

    fn visit_field(&mut self, schema: &DatabaseSchema, field: &Field, depth: usize) {
        for child in field.value.children() {
            if let Child::Node(node) = child {
                self.visit(schema, node, depth);
            }
        }
    }
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

fn star_node(table: usize) -> Ast {
    Ast::new("value", "Star", vec![tree::table_field("table", table)])
}

fn star_without_table() -> ParseError {
    ParseError::whole("paper mode cannot hold `*` without a FROM clause")
}

fn is_star(ast: &Ast) -> bool {
    tree::reference(ast, "column", usize::MAX) == Ok(DatabaseSchema::STAR)
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
