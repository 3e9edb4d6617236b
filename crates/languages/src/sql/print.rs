//! From trees of full mode to SQL text that SQLite runs.
//!
//! Columns are bare where one table is in scope and qualified where there are more. A table gets
//! an alias `T1`, `T2`, ... only where its name would not say which occurrence is meant. Which
//! ones those are shows only when everything has been printed once; a query that needs aliases is
//! therefore printed twice.

use std::collections::BTreeSet;

use patois_syntax::{Ast, PrintError};

use super::identifier::{is_bare_in_expression, quote, quote_in_from};
use super::names::{self, AGGREGATES};
use super::resolve::distinct_names;
use super::{DatabaseSchema, MAX_DEPTH, text, tree};

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
    /// Innermost last.
    scopes: Vec<Scope>,
    /// The tables that get an alias: number of the SELECT, position in its FROM clause.
    aliased: BTreeSet<(usize, usize)>,
    /// Those that were found to need one.
    wanted: BTreeSet<(usize, usize)>,
    n_selects: usize,
    n_aliases: usize,
    depth: usize,
}

/// Queries.
impl<'d> Printer<'d> {
    fn new(schema: &'d DatabaseSchema, aliased: BTreeSet<(usize, usize)>) -> Printer<'d> {
        Printer {
            schema,
            scopes: Vec::new(),
            aliased,
            wanted: BTreeSet::new(),
            n_selects: 0,
            n_aliases: 0,
            depth: 0,
        }
    }

    fn query(&mut self, ast: &Ast, naming: Naming) -> Result<String> {
        expect_type(ast, "query")?;
        self.nested(|printer| printer.query_here(ast, naming))
    }

    fn query_here(&mut self, ast: &Ast, naming: Naming) -> Result<String> {
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
            "Limit" => format!(" LIMIT {}", accepted(ast, "count", "number")?),
            "LimitValue" => {
                let count = tree::child(ast, "count")?;
                // A bare number would read as the short form.
                if count.constructor == "Number" {
                    format!(" LIMIT ({})", self.value(count)?)
                } else {
                    format!(" LIMIT {}", self.value(count)?)
                }
            }
            "LimitOffset" => {
                let count = self.value(tree::child(ast, "count")?)?;
                let offset = self.value(tree::child(ast, "offset")?)?;
                format!(" LIMIT {count} OFFSET {offset}")
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
            for (join, text) in joins.into_iter().zip(others) {
                sql.push_str(&self.join(join, text)?);
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

    fn join(&mut self, ast: &Ast, source: &str) -> Result<String> {
        let keyword = match ast.constructor {
            "Join" => {
                let left = self.column_field(ast, "left")?;
                let right = self.column_field(ast, "right")?;
                return Ok(format!(" JOIN {source} ON {left} = {right}"));
            }
            "CrossJoin" => return Ok(format!(" JOIN {source}")),
            "JoinOn" => "JOIN",
            "LeftJoin" => "LEFT JOIN",
            "RightJoin" => "RIGHT JOIN",
            "FullJoin" => "FULL JOIN",
            _ => return Err(unknown(ast)),
        };
        let on = tree::child(ast, "on")?;
        let is_short = ast.constructor == "JoinOn"
            && names::as_equi_join(tree::child(ast, "source")?, on).is_some();
        let on = self.condition(on, Level::Or)?;
        // Without the parentheses it would read as the short form.
        let on = if is_short { format!("(({on}))") } else { on };
        Ok(format!(" {keyword} {source} ON {on}"))
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

/// Conditions.
impl Printer<'_> {
    /// A condition as part of something that needs it to hold together at `level`.
    fn condition(&mut self, ast: &Ast, level: Level) -> Result<String> {
        expect_type(ast, "condition")?;
        let (sql, own) = self.nested(|printer| printer.condition_here(ast))?;
        Ok(parenthesize(sql, own < level))
    }

    fn condition_here(&mut self, ast: &Ast) -> Result<(String, Level)> {
        let sql = match ast.constructor {
            "And" => return self.connective(ast, "AND", Level::And),
            "Or" => return self.connective(ast, "OR", Level::Or),
            "Not" => return self.not(ast),
            "Holds" => return self.holds(ast),
            "Exists" => format!("EXISTS ({})", self.subquery(ast)?),
            _ => self.test(ast, "")?.ok_or_else(|| unknown(ast))?,
        };
        Ok((sql, Level::Comparison))
    }

    /// A test of a value, with `not` (empty, or `NOT `) where SQL wants it.
    fn test(&mut self, ast: &Ast, not: &str) -> Result<Option<String>> {
        Ok(Some(match ast.constructor {
            "IsNull" => format!("{} IS {not}NULL", self.operand(ast, "operand")?),
            "Is" => {
                let left = self.operand(ast, "left")?;
                let right = self.operand(ast, "right")?;
                // A bare NULL would read as `IsNull`.
                let is_null = tree::child(ast, "right")?.constructor == "Null";
                format!("{left} IS {not}{}", parenthesize(right, is_null))
            }
            "Between" => {
                let operand = self.operand(ast, "operand")?;
                let low = self.operand(ast, "low")?;
                let high = self.operand(ast, "high")?;
                format!("{operand} {not}BETWEEN {low} AND {high}")
            }
            "Like" => self.like(ast, not, "LIKE")?,
            "Glob" => self.like(ast, not, "GLOB")?,
            "LikeEscape" => {
                let escape = self.operand(ast, "escape")?;
                format!("{} ESCAPE {escape}", self.like(ast, not, "LIKE")?)
            }
            "In" => {
                let operand = self.operand(ast, "operand")?;
                let items = self.values(&tree::list(ast, "items")?)?;
                format!("{operand} {not}IN ({items})")
            }
            "InQuery" => {
                let operand = self.operand(ast, "operand")?;
                format!("{operand} {not}IN ({})", self.subquery(ast)?)
            }
            _ if not.is_empty() => match comparison(ast.constructor) {
                Some(symbol) => {
                    let left = self.operand(ast, "left")?;
                    format!("{left} {symbol} {}", self.operand(ast, "right")?)
                }
                None => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    fn like(&mut self, ast: &Ast, not: &str, keyword: &str) -> Result<String> {
        let operand = self.operand(ast, "operand")?;
        let pattern = self.operand(ast, "pattern")?;
        Ok(format!("{operand} {not}{keyword} {pattern}"))
    }

    fn connective(&mut self, ast: &Ast, word: &str, level: Level) -> Result<(String, Level)> {
        let left = self.condition(tree::child(ast, "left")?, level)?;
        let right = self.condition(tree::child(ast, "right")?, level.tighter())?;
        Ok((format!("{left} {word} {right}"), level))
    }

    /// `x NOT IN ...` where SQL has such a form, else `NOT ...`.
    fn not(&mut self, ast: &Ast) -> Result<(String, Level)> {
        let operand = tree::child(ast, "operand")?;
        expect_type(operand, "condition")?;
        if let Some(sql) = self.nested(|printer| printer.test(operand, "NOT "))? {
            return Ok((sql, Level::Comparison));
        }
        let operand = self.condition(operand, Level::Not)?;
        Ok((format!("NOT {operand}"), Level::Not))
    }

    /// A value as a condition. One that is a condition again is marked by a plus, which changes
    /// nothing, or the two would cancel out in the text.
    fn holds(&mut self, ast: &Ast) -> Result<(String, Level)> {
        let operand = tree::child(ast, "operand")?;
        if operand.constructor == "Truth" {
            let operand = self.value_at(operand, Level::Primary)?;
            return Ok((format!("+{operand}"), Level::Unary));
        }
        expect_type(operand, "value")?;
        self.nested(|printer| printer.value_here(operand))
    }
}

/// Values.
impl Printer<'_> {
    fn values(&mut self, values: &[&Ast]) -> Result<String> {
        let values: Vec<String> = values
            .iter()
            .map(|value| self.value(value))
            .collect::<Result<_>>()?;
        Ok(values.join(", "))
    }

    fn value(&mut self, ast: &Ast) -> Result<String> {
        self.value_at(ast, Level::Or)
    }

    /// The value in field `name`, as a side of a comparison.
    fn operand(&mut self, ast: &Ast, name: &str) -> Result<String> {
        self.value_at(tree::child(ast, name)?, Level::Bits)
    }

    fn value_at(&mut self, ast: &Ast, level: Level) -> Result<String> {
        expect_type(ast, "value")?;
        let (sql, own) = self.nested(|printer| printer.value_here(ast))?;
        Ok(parenthesize(sql, own < level))
    }

    fn value_here(&mut self, ast: &Ast) -> Result<(String, Level)> {
        if let Some((symbol, level)) = arithmetic(ast.constructor) {
            let left = self.value_at(tree::child(ast, "left")?, level)?;
            let right = self.value_at(tree::child(ast, "right")?, level.tighter())?;
            return Ok((format!("{left} {symbol} {right}"), level));
        }
        let sql = match ast.constructor {
            "Column" => self.column_field(ast, "column")?,
            "Occurrence" => self.occurrence(ast)?,
            "AllColumns" | "AllColumnsOf" => self.all_columns(ast, "[*]")?,
            "Output" => self.output(ast)?,
            "String" => {
                let string = accepted(ast, "value", "string")?;
                format!("'{}'", string.replace('\'', "''"))
            }
            "Number" => accepted(ast, "value", "number")?.into(),
            "Blob" => format!("X'{}'", accepted(ast, "value", "blob")?),
            "Null" => "NULL".into(),
            "True" => self.truth_value("true"),
            "False" => self.truth_value("false"),
            "CurrentDate" => "CURRENT_DATE".into(),
            "CurrentTime" => "CURRENT_TIME".into(),
            "CurrentTimestamp" => "CURRENT_TIMESTAMP".into(),
            "Negate" => return self.unary(ast, '-'),
            "BitNot" => return self.unary(ast, '~'),
            "Collate" => {
                let operand = self.value_at(tree::child(ast, "operand")?, Level::Collate)?;
                let collation = collation(tree::child(ast, "collation")?)?;
                return Ok((format!("{operand} COLLATE {collation}"), Level::Collate));
            }
            "Cast" => {
                let operand = self.value(tree::child(ast, "operand")?)?;
                let affinity = affinity(tree::child(ast, "affinity")?)?;
                format!("CAST({operand} AS {affinity})")
            }
            "Case" | "CaseOf" => self.case(ast)?,
            "Subquery" => format!("({})", self.subquery(ast)?),
            "Truth" => return self.truth(ast),
            _ => self.call(ast)?,
        };
        Ok((sql, Level::Primary))
    }

    fn unary(&mut self, ast: &Ast, sign: char) -> Result<(String, Level)> {
        let operand = self.value_at(tree::child(ast, "operand")?, Level::Primary)?;
        Ok((format!("{sign}{operand}"), Level::Unary))
    }

    /// A condition as a value; see [`holds`](Printer::holds) for the plus.
    fn truth(&mut self, ast: &Ast) -> Result<(String, Level)> {
        let condition = tree::child(ast, "condition")?;
        if condition.constructor == "Holds" {
            let operand = self.value_at(tree::child(condition, "operand")?, Level::Primary)?;
            return Ok((format!("+{operand}"), Level::Unary));
        }
        expect_type(condition, "condition")?;
        self.nested(|printer| printer.condition_here(condition))
    }

    fn call(&mut self, ast: &Ast) -> Result<String> {
        let aggregate = AGGREGATES
            .iter()
            .find(|it| it.1 == ast.constructor || it.2 == ast.constructor);
        if let Some(&(function, plain, _)) = aggregate {
            let argument = tree::child(ast, "argument")?;
            if ast.constructor != plain {
                return Ok(format!("{function}(DISTINCT {})", self.value(argument)?));
            }
            let is_star = argument.constructor == "Column"
                && self.column_index(argument)? == DatabaseSchema::STAR;
            if function == "count" && is_star {
                return Ok("count(*)".into());
            }
            return Ok(format!("{function}({})", self.value(argument)?));
        }
        match ast.constructor {
            "Least" | "Greatest" => {
                let function = if ast.constructor == "Least" {
                    "min"
                } else {
                    "max"
                };
                let first = self.value(tree::child(ast, "first")?)?;
                let others = self.values(&tree::list(ast, "others")?)?;
                Ok(format!("{function}({first}, {others})"))
            }
            "Call" => {
                let function = quote(accepted(ast, "function", "function")?);
                let arguments = self.values(&tree::list(ast, "arguments")?)?;
                Ok(format!("{function}({arguments})"))
            }
            "CallDistinct" => {
                let function = quote(accepted(ast, "function", "function")?);
                let argument = self.value(tree::child(ast, "argument")?)?;
                Ok(format!("{function}(DISTINCT {argument})"))
            }
            _ => Err(unknown(ast)),
        }
    }

    fn case(&mut self, ast: &Ast) -> Result<String> {
        let mut sql = String::from("CASE");
        let arms = if ast.constructor == "Case" {
            tree::list(ast, "branches")?
        } else {
            sql.push(' ');
            sql.push_str(&self.value(tree::child(ast, "subject")?)?);
            tree::list(ast, "choices")?
        };
        for arm in arms {
            let when = tree::child(arm, "when")?;
            let when = if ast.constructor == "Case" {
                self.condition(when, Level::Or)?
            } else {
                self.value(when)?
            };
            let then = self.value(tree::child(arm, "then")?)?;
            sql.extend([" WHEN ", &when, " THEN ", &then]);
        }
        if let Some(otherwise) = tree::optional(ast, "otherwise")? {
            sql.push_str(" ELSE ");
            sql.push_str(&self.value(otherwise)?);
        }
        sql.push_str(" END");
        Ok(sql)
    }

    fn subquery(&mut self, ast: &Ast) -> Result<String> {
        self.query(tree::child(ast, "query")?, Naming::None)
    }
}

/// Names.
impl Printer<'_> {
    fn column_index(&self, ast: &Ast) -> Result<usize> {
        tree::reference(ast, "column", self.schema.columns.len())
    }

    /// The column that a field points at, of its table's nearest occurrence.
    fn column_field(&mut self, ast: &Ast, field: &str) -> Result<String> {
        let index = tree::reference(ast, field, self.schema.columns.len())?;
        let column = &self.schema.columns[index];
        let Some(table) = column.table else {
            return Ok("[*]".into());
        };
        let name = quote(&column.name).into_owned();
        let Some((scope, source)) = self.occurrence_of(table, 1) else {
            let table = quote(&self.schema.tables[table].name);
            return Ok(format!("{table}.{name}"));
        };
        let is_alone = scope + 1 == self.scopes.len() && self.scopes[scope].sources.len() == 1;
        let source = &self.scopes[scope].sources[source];
        Ok(match &source.alias {
            Some(alias) => format!("{alias}.{name}"),
            None if is_alone => name,
            None => format!("{}.{name}", quote(&self.schema.tables[table].name)),
        })
    }

    /// A column called `true` hides the truth value.
    fn truth_value(&self, word: &str) -> String {
        let is_hidden = |column: &super::Column| column.name.eq_ignore_ascii_case(word);
        if self.schema.columns.iter().any(is_hidden) {
            names::escape_output(word)
        } else {
            word.to_ascii_uppercase()
        }
    }

    fn occurrence(&mut self, ast: &Ast) -> Result<String> {
        let index = self.column_index(ast)?;
        let ordinal = accepted(ast, "occurrence", "ordinal")?;
        let column = &self.schema.columns[index];
        let Some(table) = column.table else {
            return Ok(format!("{}.[*]", names::escape_ordinal(ordinal)));
        };
        let name = quote(&column.name).into_owned();
        let qualifier = self.qualifier(table, ordinal);
        Ok(format!("{qualifier}.{name}"))
    }

    /// `t.*`, with the star as it is written at this place.
    fn all_columns(&mut self, ast: &Ast, star: &str) -> Result<String> {
        let table = tree::reference(ast, "table", self.schema.tables.len())?;
        if ast.constructor == "AllColumnsOf" {
            let ordinal = accepted(ast, "occurrence", "ordinal")?;
            let is_in_scope = self.occurrence_of(table, parse_count(ordinal)).is_some();
            let star = if is_in_scope { star } else { "[*]" };
            let qualifier = self.qualifier(table, ordinal);
            return Ok(format!("{qualifier}.{star}"));
        }
        let alias = self
            .occurrence_of(table, 1)
            .and_then(|(scope, source)| self.scopes[scope].sources[source].alias.clone());
        let name = quote(&self.schema.tables[table].name);
        Ok(match alias {
            Some(alias) => format!("{alias}.{star}"),
            None => format!("{name}.{star}"),
        })
    }

    /// What says that an occurrence of a table other than the nearest is meant: its alias, which
    /// it is to have from now on, or an escape where there is no such occurrence.
    fn qualifier(&mut self, table: usize, ordinal: &str) -> String {
        let Some((scope, source)) = self.occurrence_of(table, parse_count(ordinal)) else {
            let table = quote(&self.schema.tables[table].name);
            return format!("{}.{table}", names::escape_ordinal(ordinal));
        };
        self.wanted.insert((self.scopes[scope].select, source));
        match &self.scopes[scope].sources[source].alias {
            Some(alias) => alias.clone(),
            None => quote(&self.schema.tables[table].name).into_owned(),
        }
    }

    fn occurrence_of(&self, table: usize, ordinal: usize) -> Option<(usize, usize)> {
        self.sources()
            .filter(|(_, _, source)| source.table == Some(table))
            .nth(ordinal.checked_sub(1)?)
            .map(|(scope, index, _)| (scope, index))
    }

    fn output(&mut self, ast: &Ast) -> Result<String> {
        let position = accepted(ast, "position", "position")?;
        let mut remaining = parse_count(position);
        let mut place = None;
        for (scope, index, source) in self.sources() {
            if remaining <= source.outputs.len() {
                place = Some((scope, index));
                break;
            }
            remaining -= source.outputs.len();
        }
        let Some((scope, index)) = place else {
            return Ok(names::escape_output(position));
        };
        self.wanted.insert((self.scopes[scope].select, index));
        let source = &self.scopes[scope].sources[index];
        let name = quote(&source.outputs[remaining - 1]);
        let alias = source.alias.as_deref().unwrap_or("T");
        Ok(format!("{alias}.{name}"))
    }

    /// All tables in scope, nearest first.
    fn sources(&self) -> impl Iterator<Item = (usize, usize, &Source)> {
        self.scopes
            .iter()
            .enumerate()
            .rev()
            .flat_map(|(depth, scope)| {
                let sources = scope.sources.iter().enumerate();
                sources.map(move |(index, source)| (depth, index, source))
            })
    }

    fn nested<T>(&mut self, print: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return Err(PrintError::new(format!(
                "the tree is deeper than {MAX_DEPTH}"
            )));
        }
        self.depth += 1;
        let result = print(self);
        self.depth -= 1;
        result
    }
}

/// What a FROM clause joins.
#[derive(Clone, Copy)]
enum TableOrQuery<'a> {
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

fn tables_of<'a>(from: &'a Ast, joins: &[&'a Ast]) -> Result<Vec<TableOrQuery<'a>>> {
    let mut tables = vec![table_or_query(tree::child(from, "first")?)?];
    for &join in joins {
        tables.push(match join.constructor {
            "Join" => TableOrQuery::Table(join),
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

/// The names under which a derived table's outputs are known, given that all results have one.
fn output_names(schema: &DatabaseSchema, query: &Ast) -> Result<Vec<String>> {
    let select = tree::child(query, "select")?;
    let results = tree::list(select, "results")?;
    let from = tree::optional(select, "from")?;
    let aliases = result_aliases(schema, &results, from)?;
    let mut outputs = Vec::new();
    for (result, alias) in results.into_iter().zip(aliases) {
        match alias {
            Some(alias) => outputs.push(alias),
            None => outputs.extend(own_names(schema, result, from)?),
        }
    }
    Ok(distinct_names(outputs))
}

/// The aliases of those results that have no name of their own, or share it.
fn result_aliases(
    schema: &DatabaseSchema,
    results: &[&Ast],
    from: Option<&Ast>,
) -> Result<Vec<Option<String>>> {
    let names: Vec<Vec<String>> = results
        .iter()
        .map(|result| own_names(schema, result, from))
        .collect::<Result<_>>()?;
    let is_unique = |name: &String| {
        let same = names
            .iter()
            .flatten()
            .filter(|it| it.eq_ignore_ascii_case(name));
        same.count() == 1
    };
    let mut n_aliases = 0;
    let mut aliases = Vec::new();
    for (result, names) in results.iter().zip(&names) {
        let has_name = match &names[..] {
            [name] => is_star(schema, result) || is_unique(name),
            _ => is_star(schema, result),
        };
        aliases.push((!has_name).then(|| new_output_alias(schema, &mut n_aliases)));
    }
    Ok(aliases)
}

/// `c1`, `c2`, ...; never the name of a column, which would then be hidden.
fn new_output_alias(schema: &DatabaseSchema, n_aliases: &mut usize) -> String {
    loop {
        *n_aliases += 1;
        let alias = format!("c{n_aliases}");
        let is_taken = |column: &super::Column| column.name.eq_ignore_ascii_case(&alias);
        if !schema.columns.iter().any(is_taken) {
            return alias;
        }
    }
}

/// The names that results have by themselves: columns theirs, stars those of their columns.
fn own_names(schema: &DatabaseSchema, result: &Ast, from: Option<&Ast>) -> Result<Vec<String>> {
    match result.constructor {
        "Column" | "Occurrence" => {
            let index = tree::reference(result, "column", schema.columns.len())?;
            match (index, result.constructor, from) {
                (DatabaseSchema::STAR, "Column", Some(from)) => star_names(schema, from),
                (DatabaseSchema::STAR, ..) => Ok(Vec::new()),
                _ => Ok(vec![schema.columns[index].name.clone()]),
            }
        }
        "AllColumns" | "AllColumnsOf" => {
            let table = tree::reference(result, "table", schema.tables.len())?;
            let columns = schema.columns_of(table);
            Ok(columns.map(|(_, column)| column.name.clone()).collect())
        }
        _ => Ok(Vec::new()),
    }
}

fn star_names(schema: &DatabaseSchema, from: &Ast) -> Result<Vec<String>> {
    let joins = tree::list(from, "joins")?;
    let mut names = Vec::new();
    for source in tables_of(from, &joins)? {
        match source {
            TableOrQuery::Table(ast) => {
                let table = tree::reference(ast, "table", schema.tables.len())?;
                let columns = schema.columns_of(table);
                names.extend(columns.map(|(_, column)| column.name.clone()));
            }
            TableOrQuery::Query(query) => names.extend(output_names(schema, query)?),
        }
    }
    Ok(names)
}

fn is_star(schema: &DatabaseSchema, result: &Ast) -> bool {
    match result.constructor {
        "AllColumns" | "AllColumnsOf" => true,
        "Column" => {
            let index = tree::reference(result, "column", schema.columns.len());
            index == Ok(DatabaseSchema::STAR)
        }
        _ => false,
    }
}

fn with_alias(text: String, alias: Option<&str>) -> String {
    match alias {
        Some(alias) => format!("{text} AS {alias}"),
        None => text,
    }
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

/// A text that was accepted as an ordinal or position, which has at most six digits.
fn parse_count(text: &str) -> usize {
    text.parse().unwrap_or(usize::MAX)
}

fn comparison(constructor: &str) -> Option<&'static str> {
    Some(match constructor {
        "Equal" => "=",
        "NotEqual" => "!=",
        "Less" => "<",
        "LessEqual" => "<=",
        "Greater" => ">",
        "GreaterEqual" => ">=",
        _ => return None,
    })
}

fn arithmetic(constructor: &str) -> Option<(&'static str, Level)> {
    Some(match constructor {
        "Add" => ("+", Level::Sum),
        "Subtract" => ("-", Level::Sum),
        "Multiply" => ("*", Level::Product),
        "Divide" => ("/", Level::Product),
        "Modulo" => ("%", Level::Product),
        "Concat" => ("||", Level::Concat),
        "BitAnd" => ("&", Level::Bits),
        "BitOr" => ("|", Level::Bits),
        "ShiftLeft" => ("<<", Level::Bits),
        "ShiftRight" => (">>", Level::Bits),
        _ => return None,
    })
}

fn collation(ast: &Ast) -> Result<&'static str> {
    Ok(match ast.constructor {
        "Binary" => "BINARY",
        "NoCase" => "NOCASE",
        "RTrim" => "RTRIM",
        _ => return Err(unknown(ast)),
    })
}

fn affinity(ast: &Ast) -> Result<&'static str> {
    Ok(match ast.constructor {
        "Text" => "TEXT",
        "Numeric" => "NUMERIC",
        "Integer" => "INTEGER",
        "Real" => "REAL",
        "Bytes" => "BLOB",
        _ => return Err(unknown(ast)),
    })
}

fn expect_type(ast: &Ast, ty: &str) -> Result<()> {
    if ast.ty == ty {
        return Ok(());
    }
    let message = format!(
        "expected a {ty}, found `{}` of type `{}`",
        ast.constructor, ast.ty
    );
    Err(PrintError::new(message))
}

fn unknown(ast: &Ast) -> PrintError {
    PrintError::new(format!(
        "SQL has no `{}` of type `{}`",
        ast.constructor, ast.ty
    ))
}
