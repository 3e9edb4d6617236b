//! The official structure of a query, as the head of `process_sql.py` describes it.

/// A query, as the official parser describes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The projected values.
    pub select: Select,
    /// The tables, and all conditions of all joins.
    pub from: From,
    /// The conditions on rows.
    pub filter: Vec<ConditionItem>,
    /// The columns that rows are grouped by.
    pub group_by: Vec<ColumnUnit>,
    /// The conditions on groups.
    pub having: Vec<ConditionItem>,
    /// What the rows are ordered by.
    pub order_by: Option<OrderBy>,
    /// How many rows are kept.
    pub limit: Option<i64>,
    /// The query that rows must also be in.
    pub intersect: Option<Box<Query>>,
    /// The query whose rows are added.
    pub union: Option<Box<Query>>,
    /// The query whose rows are taken away.
    pub except: Option<Box<Query>>,
}

/// The projected values of a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Select {
    /// Whether equal rows are merged.
    pub is_distinct: bool,
    /// The values, each with the aggregate around it.
    pub items: Vec<(Aggregate, ValueUnit)>,
}

/// The sources of a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct From {
    /// The tables and sub-queries.
    pub tables: Vec<TableUnit>,
    /// The conditions of all joins.
    pub conditions: Vec<ConditionItem>,
}

/// A source of rows.
#[derive(Clone, Debug, PartialEq)]
pub enum TableUnit {
    /// A table.
    Table(Entity),
    /// A sub-query.
    Query(Box<Query>),
}

/// What a name stands for; indices are those of the database schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entity {
    /// A column.
    Column(usize),
    /// A table.
    Table(usize),
}

/// A column, perhaps inside an aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnUnit {
    /// The aggregate.
    pub aggregate: Aggregate,
    /// The index of the column in the database schema.
    pub column: usize,
    /// Whether `DISTINCT` stands before it.
    pub is_distinct: bool,
}

/// A column, or two of them joined by an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueUnit {
    /// The operator; [`Arithmetic::None`] where there is only one column.
    pub operator: Arithmetic,
    /// The first column.
    pub left: ColumnUnit,
    /// The second column.
    pub right: Option<ColumnUnit>,
}

/// An element of a condition: conditions and connectives, in the order of the text.
///
/// They take turns, except that the official parser also accepts conditions with nothing between.
#[derive(Clone, Debug, PartialEq)]
pub enum ConditionItem {
    /// A comparison.
    Unit(Condition),
    /// `and`.
    And,
    /// `or`.
    Or,
}

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Whether `NOT` stands before the operator.
    pub is_negated: bool,
    /// The operator.
    pub operator: Comparison,
    /// What is compared.
    pub value_unit: ValueUnit,
    /// What it is compared with; none where values are set aside.
    pub first: Option<Value>,
    /// The second bound of `BETWEEN`.
    pub second: Option<Value>,
}

/// What something is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A text with its quotes.
    Text(String),
    /// A column.
    Column(ColumnUnit),
    /// A sub-query.
    Query(Box<Query>),
}

/// What rows are ordered by.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderBy {
    /// The direction named last, which stands for all values.
    pub direction: Direction,
    /// The values.
    pub values: Vec<ValueUnit>,
}

/// The direction of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Smallest first.
    Ascending,
    /// Greatest first.
    Descending,
}

/// Declares an enum whose variants are words of the query, numbered as in the official structure.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`.")] $variant),+
        }

        impl $name {
            /// The one that `word` names.
            pub fn from_word(word: &str) -> Option<$name> {
                match word {
                    $($word => Some($name::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

words! {
    /// An aggregate function.
    Aggregate {
        None = "none", Max = "max", Min = "min", Count = "count", Sum = "sum", Avg = "avg",
    }
}

words! {
    /// An operator between two columns.
    Arithmetic { None = "none", Minus = "-", Plus = "+", Times = "*", Divided = "/" }
}

words! {
    /// An operator of a condition.
    Comparison {
        Not = "not", Between = "between", Equal = "=", Greater = ">", Less = "<",
        GreaterOrEqual = ">=", LessOrEqual = "<=", Unequal = "!=", In = "in", Like = "like",
        Is = "is", Exists = "exists",
    }
}

impl Query {
    /// The set operation this query ends in, in the order in which the official script looks.
    pub(super) fn set_operands(&self) -> [&Option<Box<Query>>; 3] {
        [&self.intersect, &self.except, &self.union]
    }

    /// The lists of conditions of the query itself: of joins, of rows, of groups.
    pub(super) fn condition_lists(&self) -> [&[ConditionItem]; 3] {
        [&self.from.conditions, &self.filter, &self.having]
    }
}

/// The elements at even places, which are conditions in all that the parser returns.
pub(super) fn units(items: &[ConditionItem]) -> impl Iterator<Item = &Condition> {
    items.iter().step_by(2).filter_map(|item| match item {
        ConditionItem::Unit(unit) => Some(unit),
        ConditionItem::And | ConditionItem::Or => None,
    })
}

/// The elements at odd places: connectives, as far as the query is well-formed.
pub(super) fn connectives(items: &[ConditionItem]) -> impl Iterator<Item = &ConditionItem> {
    items.iter().skip(1).step_by(2)
}
