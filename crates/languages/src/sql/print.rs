//! From trees of full mode to SQL text that SQLite runs.
//!
//! Columns are bare where one table is in scope and qualified where there are more. A table gets
//! an alias `T1`, `T2`, ... only where its name would not say which occurrence is meant. Which
//! ones those are shows only when everything has been printed once; a query that needs aliases is
//! therefore printed twice.

mod condition;
mod name;
mod outputs;
mod value;

use std::collections::BTreeSet;

use patois_syntax::{Ast, PrintError};

use super::from_clause::{Joined, Keys};
use super::identifier::{is_bare_in_expression, quote, quote_in_from};
use super::{DatabaseSchema, names, text, tree};
use outputs::{output_names, result_aliases};

type Result<T, E = PrintError> = std::result::Result<T, E>;

/// Prints a tree of full mode.
pub(super) fn print(schema: &DatabaseSchema, ast: &Ast) -> Result<String> {
    let mut printer = Printer::new(schema, BTreeSet::new());
    let first = printer.query(ast, Naming::None)?;
    if printer.wanted.is_empty() {
        return Ok(first);
    }
    let wanted = printer.wanted;
    Printer::new(schema, wanted).query(ast, Naming::None)
}

/// How tightly an expression holds together; SQLite's order, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Comparison,
    Bits,
    Sum,
    Product,
    Concat,
    Collate,
    Unary,
    Primary,
}

impl Level {
    fn tighter(self) -> Level {
        match self {
            Level::Or => Level::And,
            Level::And => Level::Not,
            Level::Not => Level::Comparison,
            Level::Comparison => Level::Bits,
            Level::Bits => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Concat,
            Level::Concat => Level::Collate,
            Level::Collate => Level::Unary,
            Level::Unary | Level::Primary => Level::Primary,
        }
    }
}

/// Whether a query names results that have no name of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    None,
    Outputs,
}

/// What one SELECT has in scope.
struct Scope {
    /// Counts the SELECTs in the order in which they are printed.
    select: usize,
    sources: Vec<Source>,
}

/// A table in scope.
struct Source {
    /// The table of the database; none for a derived table.
    table: Option<usize>,
    /// The names of a derived table's outputs.
    outputs: Vec<String>,
    alias: Option<String>,
}

struct Printer<'d> {
    schema: &'d DatabaseSchema,
    keys: Keys,
    /// Innermost last.
    scopes: Vec<Scope>,
    /// The tables that get an alias: number of the SELECT, position in its FROM clause.
    aliased: BTreeSet<(usize, usize)>,
    /// Those that were found to need one.
    wanted: BTreeSet<(usize, usize)>,
    n_selects: usize,
    n_aliases: usize,
}

/// Queries.
impl<'d> Printer<'d> {
    fn new(schema: &'d DatabaseSchema, aliased: BTreeSet<(usize, usize)>) -> Printer<'d> {
        Printer {
            schema,
            keys: Keys::of(schema),
            scopes: Vec::new(),
            aliased,
            wanted: BTreeSet::new(),
            n_selects: 0,
            n_aliases: 0,
        }
    }

    fn query(&mut self, ast: &Ast, naming: Naming) -> Result<String> {
        expect_type(ast, "query")?;
        let (mut sql, scope) = self.select(tree::child(ast, "select")?, naming)?;
        let mut scopes = vec![scope];
        for compound in tree::list(ast, "compounds")? {
            sql.push_str(match compound.constructor {
                "Union" => " UNION ",
                "UnionAll" => " UNION ALL ",
                "Intersect" => " INTERSECT ",
                "Except" => " EXCEPT ",
                _ => return Err(unknown(compound)),
            });
            let (select, scope) = self.select(tree::child(compound, "select")?, Naming::None)?;
            sql.push_str(&select);
            scopes.push(scope);
        }
        let n_scopes = scopes.len();
        // As when parsing: the first SELECT is the one whose columns ORDER BY sees first.
        self.scopes.extend(scopes.into_iter().rev());
        let order_by = tree::list(ast, "order_by")?;
        let has_descending = order_by
            .iter()
            .any(|key| key.constructor.starts_with("Desc"));
        for (index, key) in order_by.iter().enumerate() {
            sql.push_str(if index == 0 { " ORDER BY " } else { ", " });
            sql.push_str(&self.value(tree::child(key, "key")?)?);
            sql.push_str(match key.constructor {
                "Ascending" if has_descending => " ASC",
                "Ascending" => "",
                "Descending" => " DESC",
                "AscendingNullsLast" => " ASC NULLS LAST",
                "DescendingNullsFirst" => " DESC NULLS FIRST",
                _ => return Err(unknown(key)),
            });
        }
        self.scopes.truncate(self.scopes.len() - n_scopes);
        if let Some(limit) = tree::optional(ast, "limit")? {
            sql.push_str(&self.limit(limit)?);
        }
        Ok(sql)
    }

    fn limit(&mut self, ast: &Ast) -> Result<String> {
        let scopes = std::mem::take(&mut self.scopes);
        let sql = match ast.constructor {
            "Limit" => format!(" LIMIT {}", accepted(ast, "count", "count")?),
            "LimitValue" => {
                let count = tree::child(ast, "count")?;
                // A bare number would read as the short form.
                let is_short = count.constructor == "Number";
                format!(" LIMIT {}", parenthesize(self.value(count)?, is_short))
            }
            "LimitOffset" => {
                let count = accepted(ast, "count", "count")?;
                let offset = accepted(ast, "offset", "count")?;
                format!(" LIMIT {count} OFFSET {offset}")
            }
            "LimitValueOffset" => {
                let (count, offset) = (tree::child(ast, "count")?, tree::child(ast, "offset")?);
                let is_short = [count, offset].iter().all(|it| it.constructor == "Number");
                let count = parenthesize(self.value(count)?, is_short);
                format!(" LIMIT {count} OFFSET {}", self.value(offset)?)
            }
            _ => return Err(unknown(ast)),
        };
        self.scopes = scopes;
        Ok(sql)
    }

    fn select(&mut self, ast: &Ast, naming: Naming) -> Result<(String, Scope)> {
        expect_type(ast, "select")?;
        let from = tree::optional(ast, "from")?;
        let joins = match from {
            Some(from) => tree::list(from, "joins")?,
            None => Vec::new(),
        };
        let select = self.n_selects;
        self.n_selects += 1;
        let mut sources = Vec::new();
        let mut texts = Vec::new();
        if let Some(from) = from {
            let tables = tables_of(from, &joins)?;
            for (index, &source) in tables.iter().enumerate() {
                let (source, text) = self.source(select, index, source, &tables)?;
                sources.push(source);
                texts.push(text);
            }
        }
        self.scopes.push(Scope { select, sources });

        let mut sql = String::from("SELECT ");
        if tree::optional(ast, "distinct")?.is_some() {
            sql.push_str("DISTINCT ");
        }
        sql.push_str(&self.results(ast, from, naming)?);
        if let Some((first, others)) = texts.split_first() {
            sql.push_str(" FROM ");
            sql.push_str(first);
            let mut joined = Joined::default();
            joined.push(self.table_at(0));
            for (join, text) in joins.into_iter().zip(others) {
                sql.push_str(&self.join(join, text, &mut joined)?);
            }
        }
        if let Some(condition) = tree::optional(ast, "where")? {
            sql.push_str(" WHERE ");
            sql.push_str(&self.condition(condition, Level::Or)?);
        }
        if let Some(grouping) = tree::optional(ast, "grouping")? {
            sql.push_str(" GROUP BY ");
            sql.push_str(&self.values(&tree::list(grouping, "keys")?)?);
            if let Some(having) = tree::optional(grouping, "having")? {
                sql.push_str(" HAVING ");
                sql.push_str(&self.condition(having, Level::Or)?);
            }
        }
        let scope = self.scopes.pop().expect("the scope that was pushed above");
        Ok((sql, scope))
    }

    fn results(&mut self, select: &Ast, from: Option<&Ast>, naming: Naming) -> Result<String> {
        let results = tree::list(select, "results")?;
        let aliases = match naming {
            Naming::None => vec![None; results.len()],
            Naming::Outputs => result_aliases(self.schema, &results, from)?,
        };
        let mut sql = Vec::new();
        for (result, alias) in results.into_iter().zip(aliases) {
            let mut text = match result.constructor {
                "Column" if self.column_index(result)? == DatabaseSchema::STAR => "*".into(),
                "AllColumns" | "AllColumnsOf" => self.all_columns(result, "*")?,
                _ => self.value(result)?,
            };
            if let Some(alias) = alias {
                text.push_str(" AS ");
                text.push_str(&quote(&alias));
            }
            sql.push(text);
        }
        Ok(sql.join(", "))
    }

    /// A table of a FROM clause, and its text.
    fn source(
        &mut self,
        select: usize,
        index: usize,
        source: TableOrQuery<'_>,
        all: &[TableOrQuery<'_>],
    ) -> Result<(Source, String)> {
        let is_wanted = self.aliased.contains(&(select, index));
        match source {
            TableOrQuery::Table(ast) => {
                let table = tree::reference(ast, "table", self.schema.tables.len())?;
                let name = &self.schema.tables[table].name;
                let occurs_twice = all
                    .iter()
                    .enumerate()
                    .any(|(other, it)| other != index && it.table(self.schema) == Some(table));
                // Quotes are ugly, and not every reader of SQL knows them.
                let is_awkward = all.len() > 1 && !is_bare_in_expression(name);
                let alias = (is_wanted || occurs_twice || is_awkward).then(|| self.new_alias());
                let text = with_alias(quote_in_from(name).into_owned(), alias.as_deref());
                let outputs = Vec::new();
                Ok((
                    Source {
                        table: Some(table),
                        outputs,
                        alias,
                    },
                    text,
                ))
            }
            TableOrQuery::Query(query) => {
                let naming = if is_wanted {
                    Naming::Outputs
                } else {
                    Naming::None
                };
                let text = format!("({})", self.query(query, naming)?);
                let outputs = output_names(self.schema, query)?;
                let alias = is_wanted.then(|| self.new_alias());
                let text = with_alias(text, alias.as_deref());
                Ok((
                    Source {
                        table: None,
                        outputs,
                        alias,
                    },
                    text,
                ))
            }
        }
    }

    /// The table of the database that is at a place of the innermost scope.
    fn table_at(&self, index: usize) -> Option<usize> {
        self.scopes.last()?.sources.get(index)?.table
    }

    /// The join that adds the next table of the scope to those that are `joined`.
    fn join(&mut self, ast: &Ast, source: &str, joined: &mut Joined) -> Result<String> {
        let table = self.table_at(joined.len());
        if let ("Join" | "ReverseJoin" | "LeftKeyJoin", Some(table)) = (ast.constructor, table) {
            return Ok(self.key_join(ast.constructor, table, source, joined));
        }
        let keyword = match ast.constructor {
            "CrossJoin" => {
                joined.push(table);
                return Ok(format!(" JOIN {source}"));
            }
            "JoinOn" => "JOIN",
            "LeftJoin" => "LEFT JOIN",
            "RightJoin" => "RIGHT JOIN",
            "FullJoin" => "FULL JOIN",
            _ => return Err(unknown(ast)),
        };
        let on = tree::child(ast, "on")?;
        let is_short = matches!(ast.constructor, "JoinOn" | "LeftJoin")
            && names::as_key_join(&self.keys, joined, tree::child(ast, "source")?, on).is_some();
        joined.push(table);
        let on = self.condition(on, Level::Or)?;
        // Without the parentheses it would read as the short form.
        let on = if is_short { format!("(({on}))") } else { on };
        Ok(format!(" {keyword} {source} ON {on}"))
    }

    fn key_join(
        &mut self,
        constructor: &str,
        table: usize,
        source: &str,
        joined: &mut Joined,
    ) -> String {
        let own = joined.len();
        let equality = |&(before, column): &(usize, usize), with: usize| {
            let sides = [self.column_of(with, before), self.column_of(own, column)];
            match constructor {
                "ReverseJoin" => format!("{} = {}", sides[1], sides[0]),
                _ => format!("{} = {}", sides[0], sides[1]),
            }
        };
        let on = match joined.key(&self.keys, table) {
            Some(key) => {
                let equalities = key.pairs.iter().map(|it| equality(it, key.source));
                equalities.collect::<Vec<String>>().join(" AND ")
            }
            None if constructor == "ReverseJoin" => names::NO_REVERSE_KEY.to_owned(),
            None => names::NO_KEY.to_owned(),
        };
        joined.push_along_key(&self.keys, table);
        let keyword = if constructor == "LeftKeyJoin" {
            "LEFT JOIN"
        } else {
            "JOIN"
        };
        format!(" {keyword} {source} ON {on}")
    }

    /// `T1`, `T2`, ...; never the name of a table, which would then be hidden.
    fn new_alias(&mut self) -> String {
        loop {
            self.n_aliases += 1;
            let alias = format!("T{}", self.n_aliases);
            if self.schema.table_named(&alias).is_none() {
                return alias;
            }
        }
    }
}

/// What a FROM clause joins.
#[derive(Clone, Copy)]
pub(super) enum TableOrQuery<'a> {
    /// A node with a field `table`.
    Table(&'a Ast),
    Query(&'a Ast),
}

impl TableOrQuery<'_> {
    fn table(self, schema: &DatabaseSchema) -> Option<usize> {
        match self {
            TableOrQuery::Table(ast) => tree::reference(ast, "table", schema.tables.len()).ok(),
            TableOrQuery::Query(_) => None,
        }
    }
}

pub(super) fn tables_of<'a>(from: &'a Ast, joins: &[&'a Ast]) -> Result<Vec<TableOrQuery<'a>>> {
    let mut tables = vec![table_or_query(tree::child(from, "first")?)?];
    for &join in joins {
        tables.push(match join.constructor {
            "Join" | "ReverseJoin" | "LeftKeyJoin" => TableOrQuery::Table(join),
            _ => table_or_query(tree::child(join, "source")?)?,
        });
    }
    Ok(tables)
}

fn table_or_query(source: &Ast) -> Result<TableOrQuery<'_>> {
    match source.constructor {
        "Table" => Ok(TableOrQuery::Table(source)),
        "Derived" => Ok(TableOrQuery::Query(tree::child(source, "query")?)),
        _ => Err(unknown(source)),
    }
}

fn with_alias(text: String, alias: Option<&str>) -> String {
    match alias {
        Some(alias) => format!("{text} AS {alias}"),
        None => text,
    }
}

/// The operands of a chain that leans to the left, `((a + b) - c)`: the first one, and the others, each with the
/// constructor before it.
pub(super) fn chain(
    ast: &Ast,
    belongs: impl Fn(&str) -> bool,
) -> Result<(&Ast, Vec<(&'static str, &Ast)>)> {
    let mut first = ast;
    let mut others = Vec::new();
    while first.ty == ast.ty && belongs(first.constructor) {
        others.push((first.constructor, tree::child(first, "right")?));
        first = tree::child(first, "left")?;
    }
    others.reverse();
    Ok((first, others))
}

fn parenthesize(sql: String, needed: bool) -> String {
    if needed { format!("({sql})") } else { sql }
}

fn accepted(ast: &Ast, field: &str, ty: &str) -> Result<&'static str> {
    let found = tree::text(ast, field)?.as_str();
    if text::accepts(ty, found) {
        Ok(found)
    } else {
        Err(PrintError::new(format!("expected a {ty}, found `{found}`")))
    }
}

pub(super) fn expect_type(ast: &Ast, ty: &str) -> Result<()> {
    if ast.ty == ty {
        return Ok(());
    }
    let message = format!(
        "expected a {ty}, found `{}` of type `{}`",
        ast.constructor, ast.ty
    );
    Err(PrintError::new(message))
}

pub(super) fn unknown(ast: &Ast) -> PrintError {
    PrintError::new(format!(
        "SQL has no `{}` of type `{}`",
        ast.constructor, ast.ty
    ))
}
