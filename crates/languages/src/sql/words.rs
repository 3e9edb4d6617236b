//! What a query computes, in words: `number of invoices for each country, largest first`.
//!
//! For people who do not read SQL. Every clause is said, in the order in which one would explain it; what has no
//! everyday name is said as SQL says it.

mod condition;
mod value;

use patois_syntax::{Ast, PrintError};

use super::print::{TableOrQuery, expect_type, tables_of, unknown};
use super::{ColumnKind, DatabaseSchema, tree};

type Result<T, E = PrintError> = std::result::Result<T, E>;

/// Says what a tree of full mode computes.
pub(super) fn words(schema: &DatabaseSchema, ast: &Ast) -> Result<String> {
    Speaker {
        schema,
        scopes: Vec::new(),
    }
    .query(ast)
}

struct Speaker<'d> {
    schema: &'d DatabaseSchema,
    /// What the SELECTs around are about, innermost last.
    scopes: Vec<Scope>,
}

/// What one SELECT is about.
struct Scope {
    /// What its rows are called.
    rows: String,
    /// Whether it has several tables, so that columns are said with theirs.
    is_joined: bool,
}

/// Queries.
impl Speaker<'_> {
    fn query(&mut self, ast: &Ast) -> Result<String> {
        expect_type(ast, "query")?;
        let select = tree::child(ast, "select")?;
        let scope = self.scope(select)?;
        self.scopes.push(scope);
        let (mut said, first) = self.select(select)?;
        let order_by = tree::list(ast, "order_by")?;
        let order = order_by.iter().map(|it| self.order(it, first.as_ref()));
        let order = order.collect::<Result<Vec<String>>>()?;
        self.scopes.pop();
        for compound in tree::list(ast, "compounds")? {
            said.push_str(match compound.constructor {
                "Union" | "UnionAll" => ", together with ",
                "Intersect" => ", if also among ",
                "Except" => ", but not ",
                _ => return Err(unknown(compound)),
            });
            let select = tree::child(compound, "select")?;
            let scope = self.scope(select)?;
            self.scopes.push(scope);
            said.push_str(&self.select(select)?.0);
            self.scopes.pop();
        }
        for key in order {
            said.push_str(", ");
            said.push_str(&key);
        }
        if let Some(limit) = tree::optional(ast, "limit")? {
            said.push_str(", ");
            said.push_str(&self.limit(limit)?);
        }
        Ok(said)
    }

    /// What a SELECT computes, and the result that says most about each row, where there is one that does.
    fn select(&mut self, ast: &Ast) -> Result<(String, Option<Ast>)> {
        let grouping = tree::optional(ast, "grouping")?;
        let keys = match grouping {
            Some(grouping) => tree::list(grouping, "keys")?,
            None => Vec::new(),
        };
        let results = tree::list(ast, "results")?;
        // `country, count(*)` for each country is the number for each country.
        let told: Vec<&Ast> = results
            .iter()
            .copied()
            .filter(|it| !keys.contains(it))
            .collect();
        let told = if told.is_empty() { results } else { told };
        let mut said = self.results(&told)?;
        if tree::optional(ast, "distinct")?.is_some() {
            said.insert_str(0, "different ");
        }
        if !keys.is_empty() {
            said.push_str(" for each ");
            said.push_str(&self.list(&keys, "and")?);
        }
        if let Some(condition) = tree::optional(ast, "where")? {
            said.push_str(", where ");
            said.push_str(&self.condition(condition)?);
        }
        if let Some(grouping) = grouping
            && let Some(having) = tree::optional(grouping, "having")?
        {
            said.push_str(", only where ");
            said.push_str(&self.condition(having)?);
        }
        let first = match told[..] {
            [only] => Some(only.clone()),
            _ => None,
        };
        Ok((said, first))
    }

    /// What is selected, and of what. A count says it by itself.
    fn results(&mut self, results: &[&Ast]) -> Result<String> {
        let rows = self.rows().to_owned();
        let is_all = |it: &&Ast| it.constructor == "Column" && self.is_star(it);
        if let [only] = results
            && is_all(only)
        {
            return Ok(format!("all there is about {rows}"));
        }
        let said = self.list(results, "and")?;
        let counts = |it: &&Ast| it.constructor == "Count" && self.counts_rows(it);
        if results.iter().all(counts) || rows.is_empty() {
            return Ok(said);
        }
        Ok(format!("{said} of {rows}"))
    }

    /// What the rows of a SELECT are called: its tables.
    fn scope(&mut self, select: &Ast) -> Result<Scope> {
        let Some(from) = tree::optional(select, "from")? else {
            return Ok(Scope {
                rows: String::new(),
                is_joined: false,
            });
        };
        let joins = tree::list(from, "joins")?;
        let mut rows = String::new();
        for (index, table) in tables_of(from, &joins)?.into_iter().enumerate() {
            let join = index.checked_sub(1).map(|it| joins[it].constructor);
            rows.push_str(match join {
                None => "",
                Some("LeftKeyJoin" | "LeftJoin") => ", even without ",
                Some(_) => " with their ",
            });
            let table = match table {
                TableOrQuery::Table(ast) => self.table(ast)?,
                TableOrQuery::Query(query) => format!("({})", self.query(query)?),
            };
            rows.push_str(&table);
        }
        Ok(Scope {
            rows,
            is_joined: !joins.is_empty(),
        })
    }

    fn table(&self, ast: &Ast) -> Result<String> {
        let table = tree::reference(ast, "table", self.schema.tables.len())?;
        let table = &self.schema.tables[table];
        Ok(many(spoken(&table.words, &table.name)))
    }

    /// What the rows of the innermost SELECT are called.
    fn rows(&self) -> &str {
        self.scopes.last().map_or("", |it| &it.rows)
    }

    fn order(&mut self, ast: &Ast, only: Option<&Ast>) -> Result<String> {
        let key = tree::child(ast, "key")?;
        let is_falling = match ast.constructor {
            "Ascending" | "AscendingNullsLast" => false,
            "Descending" | "DescendingNullsFirst" => true,
            _ => return Err(unknown(ast)),
        };
        let first = match (self.kind(key), is_falling) {
            (ColumnKind::Text, false) => "from A to Z",
            (ColumnKind::Text, true) => "from Z to A",
            (ColumnKind::Time, false) => "earliest first",
            (ColumnKind::Time, true) => "latest first",
            (_, false) => "smallest first",
            (_, true) => "largest first",
        };
        if only == Some(key) {
            return Ok(first.to_owned());
        }
        Ok(format!("by {}, {first}", self.value(key)?))
    }

    /// What kind of values a key has.
    fn kind(&self, key: &Ast) -> ColumnKind {
        let column = match key.constructor {
            "Column" | "Occurrence" => tree::reference(key, "column", self.schema.columns.len()),
            _ => return ColumnKind::Number,
        };
        column.map_or(ColumnKind::Others, |it| self.schema.columns[it].kind)
    }

    fn limit(&mut self, ast: &Ast) -> Result<String> {
        let amount = |speaker: &mut Self, field: &str| match ast.constructor {
            "Limit" | "LimitOffset" => Ok(tree::text(ast, field)?.as_str().to_owned()),
            "LimitValue" | "LimitValueOffset" => speaker.value(tree::child(ast, field)?),
            _ => Err(unknown(ast)),
        };
        let count = amount(self, "count")?;
        let first = match count.as_str() {
            "1" => "only the first".to_owned(),
            _ => format!("only the first {count}"),
        };
        if ast.constructor.ends_with("Offset") {
            let offset = amount(self, "offset")?;
            return Ok(format!("{first} after {offset}"));
        }
        Ok(first)
    }
}

/// A name as people say it; as it is written where nobody says it otherwise.
fn spoken<'a>(words: &'a str, name: &'a str) -> &'a str {
    if words.trim().is_empty() { name } else { words }
}

/// Several of what a noun says, as far as its ending tells.
fn many(noun: &str) -> String {
    let ending = |ends: &[&str]| ends.iter().any(|it| noun.ends_with(it));
    if let Some(stem) = noun.strip_suffix('y')
        && !ending(&["ay", "ey", "oy", "uy"])
    {
        return format!("{stem}ies");
    }
    if ending(&["ch", "sh", "x", "ss"]) {
        return format!("{noun}es");
    }
    // Most tables are called by the plural already.
    let is_plural = noun.ends_with('s') || !noun.ends_with(char::is_alphabetic);
    if is_plural {
        noun.to_owned()
    } else {
        format!("{noun}s")
    }
}

#[cfg(test)]
mod tests;
