//! The queries the generator writes, and how they look as SQL.
//!
//! A query with one table prints bare column names; a query with several prints `T1`, `T2` and so
//! on, as Spider does.

use std::fmt;

/// A `SELECT` and what follows it.
#[derive(Clone, Debug, Default)]
pub(super) struct Query {
    pub(super) distinct: bool,
    pub(super) select: Vec<Expr>,
    pub(super) from: Vec<Source>,
    pub(super) filter: Option<Condition>,
    pub(super) group: Option<Column>,
    pub(super) having: Option<Condition>,
    pub(super) order: Option<(Expr, Direction)>,
    pub(super) limit: Option<usize>,
    pub(super) compound: Option<(SetOperation, Box<Query>)>,
}

/// A table of a `FROM` clause, with the condition that joins it to an earlier one.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) table: String,
    pub(super) on: Option<(Column, Column)>,
    /// Whether rows stay that have no partner in this table.
    pub(super) is_left: bool,
}

/// A column of the table at a place of the `FROM` clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) slot: usize,
    pub(super) name: String,
}

/// What can be selected, compared or ordered by.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Star,
    Column(Column),
    Count,
    CountDistinct(Column),
    Aggregate(Aggregate, Column),
    /// How often a column is not null.
    CountOf(Column),
    /// The sum of the products of two columns.
    SumOfProducts(Column, Column),
    /// A part of a date, by its letter in `strftime`.
    DatePart(char, Column),
    Minus(Box<Expr>, Box<Expr>),
}

/// An aggregate over a column of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aggregate {
    Average,
    Minimum,
    Maximum,
    Sum,
}

/// A condition of a `WHERE` or `HAVING` clause.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Compare(Expr, &'static str, Operand),
    Between(Column, String, String),
    NotInQuery(Column, Box<Query>),
    OneOf(Column, Vec<String>),
    IsNull(Column),
    IsNotNull(Column),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// The right side of a comparison.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Literal(String),
    Column(Column),
    Query(Box<Query>),
}

/// The direction of an `ORDER BY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Ascending,
    Descending,
}

/// What combines two queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SetOperation {
    Union,
    Intersect,
    Except,
}

impl Query {
    /// A query over one table that selects nothing yet.
    pub(super) fn over(table: &str) -> Query {
        let source = Source {
            table: table.into(),
            on: None,
            is_left: false,
        };
        Query {
            from: vec![source],
            ..Query::default()
        }
    }

    /// Adds a table joined by `left = right` and returns its place.
    pub(super) fn join(&mut self, left: Column, table: &str, right: &str) -> usize {
        let slot = self.from.len();
        self.from.push(Source {
            table: table.into(),
            on: Some((left, column(slot, right))),
            is_left: false,
        });
        slot
    }

    /// Keeps the rows that have no partner in the tables joined.
    pub(super) fn keep_unmatched(mut self) -> Query {
        for source in self.from.iter_mut().skip(1) {
            source.is_left = true;
        }
        self
    }

    /// Selects expressions.
    pub(super) fn select(mut self, select: Vec<Expr>) -> Query {
        self.select = select;
        self
    }

    /// Adds a condition to those that already hold.
    pub(super) fn and(mut self, condition: Condition) -> Query {
        self.filter = Some(match self.filter.take() {
            None => condition,
            Some(known) => Condition::And(Box::new(known), Box::new(condition)),
        });
        self
    }

    /// Adds a condition where there is one.
    pub(super) fn and_maybe(self, condition: Option<Condition>) -> Query {
        match condition {
            Some(condition) => self.and(condition),
            None => self,
        }
    }

    /// Groups by a column.
    pub(super) fn group_by(mut self, column: Column) -> Query {
        self.group = Some(column);
        self
    }

    /// Keeps the groups for which a condition holds.
    pub(super) fn having(mut self, condition: Condition) -> Query {
        self.having = Some(condition);
        self
    }

    /// Orders by an expression.
    pub(super) fn order_by(mut self, expr: Expr, direction: Direction) -> Query {
        self.order = Some((expr, direction));
        self
    }

    /// Keeps the first rows only.
    pub(super) fn limit(mut self, limit: usize) -> Query {
        self.limit = Some(limit);
        self
    }

    /// Combines this query with another.
    pub(super) fn combine(mut self, operation: SetOperation, other: Query) -> Query {
        self.compound = Some((operation, Box::new(other)));
        self
    }

    /// Whether it asks for rows under no condition, which there are always some of.
    pub(super) fn is_unconditional(&self) -> bool {
        self.filter.is_none() && self.having.is_none() && self.compound.is_none()
    }

    /// Removes repeated rows.
    pub(super) fn distinct(mut self) -> Query {
        self.distinct = true;
        self
    }
}

/// The column called `name` of the table at `slot`.
pub(super) fn column(slot: usize, name: &str) -> Column {
    Column {
        slot,
        name: name.into(),
    }
}

/// The same as an expression.
pub(super) fn col(slot: usize, name: &str) -> Expr {
    Expr::Column(column(slot, name))
}

/// A comparison with a literal.
pub(super) fn compare(left: Expr, operator: &'static str, literal: impl Into<String>) -> Condition {
    Condition::Compare(left, operator, Operand::Literal(literal.into()))
}

/// A part of a query, and whether its columns need the alias of their table.
struct In<'q, T>(&'q T, bool);

/// A condition inside an `AND`, where an `OR` needs parentheses.
struct Conjunct<'q>(&'q Condition, bool);

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aliased = self.from.len() > 1;
        let distinct = if self.distinct { "DISTINCT " } else { "" };
        write!(f, "SELECT {distinct}")?;
        for (index, expr) in self.select.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{}", In(expr, aliased))?;
        }
        for (index, source) in self.from.iter().enumerate() {
            f.write_str(match source.is_left {
                _ if index == 0 => " FROM ",
                true => " LEFT JOIN ",
                false => " JOIN ",
            })?;
            f.write_str(&source.table)?;
            if aliased {
                write!(f, " AS T{}", index + 1)?;
            }
            if let Some((left, right)) = &source.on {
                write!(f, " ON {} = {}", In(left, aliased), In(right, aliased))?;
            }
        }
        if let Some(filter) = &self.filter {
            write!(f, " WHERE {}", In(filter, aliased))?;
        }
        if let Some(group) = &self.group {
            write!(f, " GROUP BY {}", In(group, aliased))?;
        }
        if let Some(having) = &self.having {
            write!(f, " HAVING {}", In(having, aliased))?;
        }
        if let Some((expr, direction)) = &self.order {
            write!(f, " ORDER BY {}", In(expr, aliased))?;
            if *direction == Direction::Descending {
                f.write_str(" DESC")?;
            }
        }
        if let Some(limit) = self.limit {
            write!(f, " LIMIT {limit}")?;
        }
        if let Some((operation, other)) = &self.compound {
            let keyword = match operation {
                SetOperation::Union => "UNION",
                SetOperation::Intersect => "INTERSECT",
                SetOperation::Except => "EXCEPT",
            };
            write!(f, " {keyword} {other}")?;
        }
        Ok(())
    }
}

impl fmt::Display for In<'_, Column> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1 {
            write!(f, "T{}.", self.0.slot + 1)?;
        }
        f.write_str(&self.0.name)
    }
}

impl fmt::Display for In<'_, Expr> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aliased = self.1;
        match self.0 {
            Expr::Star => f.write_str("*"),
            Expr::Column(column) => In(column, aliased).fmt(f),
            Expr::Count => f.write_str("count(*)"),
            Expr::CountDistinct(column) => write!(f, "count(DISTINCT {})", In(column, aliased)),
            Expr::Aggregate(aggregate, column) => {
                let function = match aggregate {
                    Aggregate::Average => "avg",
                    Aggregate::Minimum => "min",
                    Aggregate::Maximum => "max",
                    Aggregate::Sum => "sum",
                };
                write!(f, "{function}({})", In(column, aliased))
            }
            Expr::CountOf(column) => write!(f, "count({})", In(column, aliased)),
            Expr::SumOfProducts(left, right) => {
                let (left, right) = (In(left, aliased), In(right, aliased));
                write!(f, "sum({left} * {right})")
            }
            Expr::DatePart(part, column) => {
                write!(f, "strftime('%{part}', {})", In(column, aliased))
            }
            Expr::Minus(left, right) => {
                write!(f, "{} - {}", In(&**left, aliased), In(&**right, aliased))
            }
        }
    }
}

impl fmt::Display for In<'_, Condition> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aliased = self.1;
        match self.0 {
            Condition::Compare(left, operator, right) => {
                write!(f, "{} {operator} ", In(left, aliased))?;
                match right {
                    Operand::Literal(literal) => f.write_str(literal),
                    Operand::Column(column) => In(column, aliased).fmt(f),
                    Operand::Query(query) => write!(f, "({query})"),
                }
            }
            Condition::Between(column, low, high) => {
                write!(f, "{} BETWEEN {low} AND {high}", In(column, aliased))
            }
            Condition::NotInQuery(column, query) => {
                write!(f, "{} NOT IN ({query})", In(column, aliased))
            }
            Condition::OneOf(column, values) => {
                write!(f, "{} IN ({})", In(column, aliased), values.join(", "))
            }
            Condition::IsNull(column) => write!(f, "{} IS NULL", In(column, aliased)),
            Condition::IsNotNull(column) => write!(f, "{} IS NOT NULL", In(column, aliased)),
            Condition::And(left, right) => {
                let (left, right) = (Conjunct(left, aliased), Conjunct(right, aliased));
                write!(f, "{left} AND {right}")
            }
            Condition::Or(left, right) => {
                write!(f, "{} OR {}", In(&**left, aliased), In(&**right, aliased))
            }
        }
    }
}

impl fmt::Display for Conjunct<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Condition::Or(..) => write!(f, "({})", In(self.0, self.1)),
            condition => In(condition, self.1).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_table_needs_no_alias_and_two_do() {
        let query = Query::over("book").select(vec![col(0, "title")]);
        assert_eq!(query.to_string(), "SELECT title FROM book");
        let mut query = Query::over("author").select(vec![col(0, "name"), Expr::Count]);
        query.join(column(0, "id"), "book", "author_id");
        let query = query.group_by(column(0, "id"));
        assert_eq!(
            query.to_string(),
            "SELECT T1.name, count(*) FROM author AS T1 JOIN book AS T2 ON T1.id = T2.author_id \
             GROUP BY T1.id"
        );
    }

    #[test]
    fn an_alternative_inside_a_conjunction_keeps_its_parentheses() {
        let is = |name: &str| compare(col(0, name), "=", "1");
        let either = Condition::Or(Box::new(is("a")), Box::new(is("b")));
        let query = Query::over("t")
            .select(vec![Expr::Star])
            .and(either)
            .and(is("c"));
        assert_eq!(
            query.to_string(),
            "SELECT * FROM t WHERE (a = 1 OR b = 1) AND c = 1"
        );
    }
}
