//! The official parser: from SQL text to the structure that is compared.
//!
//! Each method follows the function of `process_sql.py` that its comment names.
//! It is a parser for the queries of one dataset, and the metric is defined by what it does, so
//! its peculiarities are kept:
//!
//! - Aliases are global: every `x AS y` of the whole text counts, the last one wins, also across
//!   sub-queries. An alias that is a table's name makes the query unparsable.
//! - A bare column belongs to the first table of its own `FROM` that has it; outer tables are out
//!   of sight.
//! - The `FROM` clause of a query is the first `from` at or after its start, wherever that is.
//! - Right of a comparison with a column, everything up to a comma, a bracket, `and` or the next
//!   clause is dropped: in `a = b OR c = 1`, the second condition is lost.
//! - Conditions have no nesting; `IS NULL`, `IN (1, 2)`, `<>`, comma joins, outer joins, `CASE`,
//!   functions other than the five aggregates and aliases of columns are not understood.
//! - One direction, the last one, serves all of `ORDER BY`.
//! - Whatever follows a complete query is ignored.

use std::collections::BTreeMap;
use std::num::IntErrorKind;

use super::SqlParseError;
use super::schema::SpiderSchema;
use super::structure::{
    Aggregate, Arithmetic, ColumnUnit, Comparison, Condition, ConditionItem, Direction, Entity,
    From, OrderBy, Query, Select, TableUnit, Value, ValueUnit,
};
use super::tokens::tokenize;

/// Queries inside queries deeper than this are refused; the official script ends at its
/// interpreter's recursion limit, at a depth of about 240.
const MAX_DEPTH: usize = 128;

const CLAUSES: [&str; 9] = [
    "select",
    "from",
    "where",
    "group",
    "order",
    "limit",
    "intersect",
    "union",
    "except",
];
const JOINS: [&str; 3] = ["join", "on", "as"];

/// Parses `sql` over `schema` as the official script does (`get_sql`).
///
/// # Errors
///
/// When the official parser fails on the query, or one of the limits is exceeded.
pub fn parse(schema: &SpiderSchema, sql: &str) -> Result<Query, SqlParseError> {
    let tokens = tokenize(sql)?;
    let aliases = aliases(schema, &tokens)?;
    let mut parser = Parser {
        schema,
        aliases: &aliases,
        tokens: &tokens,
        at: 0,
        depth: 0,
    };
    parser.query()
}

/// Maps each alias to the token before its `as`, whatever that is (`get_tables_with_alias`).
fn aliases<'t>(
    schema: &SpiderSchema,
    tokens: &'t [String],
) -> Result<BTreeMap<&'t str, &'t str>, SqlParseError> {
    let mut aliases = BTreeMap::new();
    for (index, _) in tokens.iter().enumerate().filter(|(_, it)| *it == "as") {
        let alias = tokens.get(index + 1).ok_or(SqlParseError::End)?;
        // Nothing before the first token: such a query fails at its first word.
        let before = index.checked_sub(1).map_or("", |it| &tokens[it]);
        if schema.is_table(alias) {
            return Err(SqlParseError::AliasOfTable(alias.clone()));
        }
        aliases.insert(alias.as_str(), before);
    }
    Ok(aliases)
}

/// A position in the tokens of a query.
struct Parser<'p> {
    schema: &'p SpiderSchema,
    aliases: &'p BTreeMap<&'p str, &'p str>,
    tokens: &'p [String],
    at: usize,
    depth: usize,
}

/// The tables that a bare column may belong to.
type Scope<'p> = [&'p str];

impl<'p> Parser<'p> {
    /// `parse_sql`.
    fn query(&mut self) -> Result<Query, SqlParseError> {
        if self.depth == MAX_DEPTH {
            return Err(SqlParseError::TooDeep { limit: MAX_DEPTH });
        }
        self.depth += 1;
        let start = self.at;
        let is_block = self.peek()? == "(";
        let (from, tables) = self.source_clause()?;
        let after_from = self.at;
        self.at = start + usize::from(is_block);
        let select = self.select_clause(&tables)?;
        self.at = after_from;

        let mut query = Query {
            select,
            from,
            filter: self.filter_clause("where", &tables)?,
            group_by: self.group_clause(&tables)?,
            having: self.filter_clause("having", &tables)?,
            order_by: self.order_clause(&tables)?,
            limit: self.limit_clause()?,
            ..Query::default()
        };
        while self.skip(";") {}
        if is_block {
            self.expect(")")?;
        }
        while self.skip(";") {}
        self.set_operation(&mut query)?;
        self.depth -= 1;
        Ok(query)
    }

    fn set_operation(&mut self, query: &mut Query) -> Result<(), SqlParseError> {
        if self.skip("intersect") {
            query.intersect = Some(Box::new(self.query()?));
        } else if self.skip("union") {
            query.union = Some(Box::new(self.query()?));
        } else if self.skip("except") {
            query.except = Some(Box::new(self.query()?));
        }
        Ok(())
    }

    /// `parse_from`.
    fn source_clause(&mut self) -> Result<(From, Vec<&'p str>), SqlParseError> {
        let mut rest = self.tokens[self.at..].iter();
        self.at += 1 + rest
            .position(|token| token == "from")
            .ok_or(SqlParseError::NoFrom)?;
        let mut from = From::default();
        let mut scope = Vec::new();
        while !self.is_end() {
            let is_block = self.skip("(");
            if self.peek()? == "select" {
                from.tables.push(TableUnit::Query(Box::new(self.query()?)));
            } else {
                self.skip("join");
                let (entity, name) = self.table()?;
                from.tables.push(TableUnit::Table(entity));
                scope.push(name);
            }
            if self.skip("on") {
                let conditions = self.condition(&scope)?;
                if !from.conditions.is_empty() {
                    from.conditions.push(ConditionItem::And);
                }
                from.conditions.extend(conditions);
            }
            if is_block {
                self.expect(")")?;
            }
            if self.ends_clause() {
                break;
            }
        }
        check_turns(&from.conditions)?;
        Ok((from, scope))
    }

    /// A table, perhaps with an alias after it (`parse_table_unit`).
    fn table(&mut self) -> Result<(Entity, &'p str), SqlParseError> {
        let name = self.resolve(self.peek()?)?;
        let has_alias = self.tokens.get(self.at + 1).is_some_and(|it| it == "as");
        self.at += if has_alias { 3 } else { 1 };
        let entity = self.schema.entity(name);
        let entity = entity.ok_or_else(|| SqlParseError::UnknownTable(name.to_owned()))?;
        Ok((entity, name))
    }

    /// `parse_select`.
    fn select_clause(&mut self, scope: &Scope<'p>) -> Result<Select, SqlParseError> {
        self.expect("select")?;
        let is_distinct = self.skip("distinct");
        let mut items = Vec::new();
        while self.token().is_some_and(|it| !CLAUSES.contains(&it)) {
            let aggregate = self.word(Aggregate::from_word);
            let value = self.value_unit(scope)?;
            items.push((aggregate.unwrap_or(Aggregate::None), value));
            self.skip(",");
        }
        Ok(Select { is_distinct, items })
    }

    /// `parse_where`, `parse_having`.
    fn filter_clause(
        &mut self,
        keyword: &str,
        scope: &Scope<'p>,
    ) -> Result<Vec<ConditionItem>, SqlParseError> {
        if !self.skip(keyword) {
            return Ok(Vec::new());
        }
        let items = self.condition(scope)?;
        check_turns(&items)?;
        Ok(items)
    }

    /// `parse_group_by`.
    fn group_clause(&mut self, scope: &Scope<'p>) -> Result<Vec<ColumnUnit>, SqlParseError> {
        let mut columns = Vec::new();
        if self.skip("group") {
            self.expect("by")?;
            while !self.is_end() && !self.ends_clause() {
                columns.push(self.column_unit(scope)?);
                if !self.skip(",") {
                    break;
                }
            }
        }
        Ok(columns)
    }

    /// `parse_order_by`.
    fn order_clause(&mut self, scope: &Scope<'p>) -> Result<Option<OrderBy>, SqlParseError> {
        if !self.skip("order") {
            return Ok(None);
        }
        self.expect("by")?;
        let mut direction = Direction::Ascending;
        let mut values = Vec::new();
        while !self.is_end() && !self.ends_clause() {
            values.push(self.value_unit(scope)?);
            direction = self.word(direction_from_word).unwrap_or(direction);
            if !self.skip(",") {
                break;
            }
        }
        Ok(Some(OrderBy { direction, values }))
    }

    /// A limit, which must be an integer (`parse_limit`).
    fn limit_clause(&mut self) -> Result<Option<i64>, SqlParseError> {
        if !self.skip("limit") {
            return Ok(None);
        }
        self.peek()?;
        let limit = self.word(integer);
        limit.map(Some).ok_or_else(|| self.unexpected("an integer"))
    }

    /// `parse_condition`.
    fn condition(&mut self, scope: &Scope<'p>) -> Result<Vec<ConditionItem>, SqlParseError> {
        let mut items = Vec::new();
        while !self.is_end() {
            items.push(ConditionItem::Unit(self.comparison(scope)?));
            if self.ends_clause() || self.token().is_some_and(|it| JOINS.contains(&it)) {
                break;
            }
            items.extend(self.word(connective_from_word));
        }
        Ok(items)
    }

    fn comparison(&mut self, scope: &Scope<'p>) -> Result<Condition, SqlParseError> {
        let value_unit = self.value_unit(scope)?;
        self.peek()?;
        let is_negated = self.skip("not");
        let operator = self
            .word(Comparison::from_word)
            .ok_or_else(|| self.unexpected("a comparison"))?;
        let first = self.value(scope)?;
        let mut second = None;
        if operator == Comparison::Between {
            self.expect("and")?;
            second = Some(self.value(scope)?);
        }
        Ok(Condition {
            is_negated,
            operator,
            value_unit,
            first: Some(first),
            second,
        })
    }

    /// `parse_value`.
    fn value(&mut self, scope: &Scope<'p>) -> Result<Value, SqlParseError> {
        let start = self.at;
        let is_block = self.skip("(");
        let token = self.peek()?;
        let value = if token == "select" {
            Value::Query(Box::new(self.query()?))
        } else if token.contains('"') {
            self.at += 1;
            Value::Text(token.to_owned())
        } else if let Some(number) = number(token) {
            self.at += 1;
            Value::Number(number)
        } else {
            self.column_value(start, scope)?
        };
        if is_block {
            self.expect(")")?;
        }
        Ok(value)
    }

    /// The column at `start`; what follows it before the next delimiter is skipped.
    fn column_value(&mut self, start: usize, scope: &Scope<'p>) -> Result<Value, SqlParseError> {
        let delimits = |token: &str| {
            matches!(token, "," | ")" | "and") || CLAUSES.contains(&token) || JOINS.contains(&token)
        };
        while self.token().is_some_and(|token| !delimits(token)) {
            self.at += 1;
        }
        let mut column = Parser {
            tokens: &self.tokens[..self.at],
            at: start,
            ..*self
        };
        Ok(Value::Column(column.column_unit(scope)?))
    }

    /// `parse_val_unit`.
    fn value_unit(&mut self, scope: &Scope<'p>) -> Result<ValueUnit, SqlParseError> {
        self.peek()?;
        let is_block = self.skip("(");
        let left = self.column_unit(scope)?;
        let operator = self.word(Arithmetic::from_word);
        let right = match operator {
            Some(_) => Some(self.column_unit(scope)?),
            None => None,
        };
        if is_block {
            self.expect(")")?;
        }
        Ok(ValueUnit {
            operator: operator.unwrap_or(Arithmetic::None),
            left,
            right,
        })
    }

    /// A column, perhaps in brackets or in an aggregate (`parse_col_unit`). A bracket before an
    /// aggregate is not closed here.
    fn column_unit(&mut self, scope: &Scope<'p>) -> Result<ColumnUnit, SqlParseError> {
        self.peek()?;
        let is_block = self.skip("(");
        let aggregate = self.word(Aggregate::from_word);
        if aggregate.is_some() {
            self.expect("(")?;
        }
        let is_distinct = self.skip("distinct");
        let column = self.column(scope)?;
        if is_block || aggregate.is_some() {
            self.expect(")")?;
        }
        Ok(ColumnUnit {
            aggregate: aggregate.unwrap_or(Aggregate::None),
            column,
            is_distinct,
        })
    }

    /// `parse_col`.
    fn column(&mut self, scope: &Scope<'p>) -> Result<usize, SqlParseError> {
        let token = self.peek()?;
        self.at += 1;
        let unknown = || SqlParseError::UnknownColumn(token.to_owned());
        if let Some(Entity::Column(star)) = self.schema.entity(token).filter(|_| token == "*") {
            return Ok(star);
        }
        if let Some((table, column)) = token.split_once('.') {
            return self
                .schema
                .column(self.resolve(table)?, column)
                .filter(|_| !column.contains('.'))
                .ok_or_else(unknown);
        }
        for table in scope {
            if !self.schema.is_table(table) {
                return Err(SqlParseError::UnknownTable((*table).to_owned()));
            }
            if let Some(column) = self.schema.column(table, token) {
                return Ok(column);
            }
        }
        Err(unknown())
    }

    /// The table behind a name: itself, or what it is an alias of.
    fn resolve(&self, name: &'p str) -> Result<&'p str, SqlParseError> {
        match self.aliases.get(name) {
            Some(table) => Ok(table),
            None if self.schema.is_table(name) => Ok(name),
            None => Err(SqlParseError::UnknownTable(name.to_owned())),
        }
    }

    fn token(&self) -> Option<&'p str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn peek(&self) -> Result<&'p str, SqlParseError> {
        self.token().ok_or(SqlParseError::End)
    }

    fn is_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Whether a token follows that ends a list of tables, conditions or columns.
    fn ends_clause(&self) -> bool {
        self.token()
            .is_some_and(|it| CLAUSES.contains(&it) || matches!(it, ")" | ";"))
    }

    fn skip(&mut self, word: &str) -> bool {
        let found = self.token() == Some(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &'static str) -> Result<(), SqlParseError> {
        if self.skip(word) {
            Ok(())
        } else {
            Err(self.unexpected(word))
        }
    }

    /// The next token, if `read` can make something of it.
    fn word<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let value = read(self.token()?)?;
        self.at += 1;
        Some(value)
    }

    fn unexpected(&self, expected: &'static str) -> SqlParseError {
        match self.token() {
            Some(found) => SqlParseError::Unexpected {
                expected,
                found: found.to_owned(),
            },
            None => SqlParseError::End,
        }
    }
}

fn direction_from_word(word: &str) -> Option<Direction> {
    match word {
        "asc" => Some(Direction::Ascending),
        "desc" => Some(Direction::Descending),
        _ => None,
    }
}

fn connective_from_word(word: &str) -> Option<ConditionItem> {
    match word {
        "and" => Some(ConditionItem::And),
        "or" => Some(ConditionItem::Or),
        _ => None,
    }
}

/// A number as Python's `float` reads it.
fn number(token: &str) -> Option<f64> {
    without_underscores(token)?.parse().ok()
}

/// An integer as Python's `int` reads it; one that is too large for us is the largest.
fn integer(token: &str) -> Option<i64> {
    match without_underscores(token)?.parse::<i64>() {
        Ok(integer) => Some(integer),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => Some(i64::MAX),
            IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
}

/// A number without the underscores that may stand between digits in Python.
fn without_underscores(token: &str) -> Option<String> {
    let bytes = token.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let is_between = |(at, _)| at > 0 && is_digit(at - 1) && is_digit(at + 1);
    let mut underscores = token.match_indices('_');
    underscores.all(is_between).then(|| token.replace('_', ""))
}

/// Conditions must stand at the even places: the official script fails on any other list, such as
/// the one of `a = 1 b = 2 and c = 3`.
fn check_turns(items: &[ConditionItem]) -> Result<(), SqlParseError> {
    let is_unit = |item: &ConditionItem| matches!(item, ConditionItem::Unit(_));
    if items.iter().step_by(2).all(is_unit) {
        Ok(())
    } else {
        Err(SqlParseError::Connectives)
    }
}
