//! How hard a query is, by the official count of what it is made of.
//!
//! Each function names the one of the official `evaluation.py` that it follows.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::structure::{
    Aggregate, ColumnUnit, Comparison, ConditionItem, Query, Value, connectives, units,
};

/// How hard a query is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hardness {
    /// At most one clause, and nothing else.
    Easy,
    /// Up to two clauses, no nesting.
    Medium,
    /// Three clauses, or one nested query.
    Hard,
    /// Anything beyond.
    Extra,
}

impl Hardness {
    /// All levels, from the easiest.
    pub const ALL: [Hardness; 4] = [
        Hardness::Easy,
        Hardness::Medium,
        Hardness::Hard,
        Hardness::Extra,
    ];

    /// The level of a query as it was parsed, values included (`Evaluator.eval_hardness`).
    pub fn of(query: &Query) -> Hardness {
        let clauses = n_clauses(query);
        let others = n_others(query);
        match n_nested(query) {
            0 if clauses <= 1 && others == 0 => Hardness::Easy,
            0 if (clauses <= 1 && others <= 2) || (clauses <= 2 && others < 2) => Hardness::Medium,
            0 if (clauses <= 2 && others > 2) || (clauses == 3 && others <= 2) => Hardness::Hard,
            1 if clauses <= 1 && others == 0 => Hardness::Hard,
            _ => Hardness::Extra,
        }
    }
}

impl fmt::Display for Hardness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Hardness::Easy => "easy",
            Hardness::Medium => "medium",
            Hardness::Hard => "hard",
            Hardness::Extra => "extra",
        })
    }
}

/// Clauses, joins, `OR` and `LIKE` (`count_component1`).
fn n_clauses(query: &Query) -> usize {
    let lists = query.condition_lists();
    let n_or = lists
        .iter()
        .flat_map(|items| connectives(items))
        .filter(|item| **item == ConditionItem::Or)
        .count();
    let n_like = lists
        .iter()
        .flat_map(|items| units(items))
        .filter(|unit| unit.operator == Comparison::Like)
        .count();
    usize::from(!query.filter.is_empty())
        + usize::from(!query.group_by.is_empty())
        + usize::from(query.order_by.is_some())
        + usize::from(query.limit.is_some())
        + query.from.tables.len().saturating_sub(1)
        + n_or
        + n_like
}

/// Sub-queries of conditions and set operations (`count_component2`, `get_nestedSQL`).
fn n_nested(query: &Query) -> usize {
    let values = query
        .condition_lists()
        .into_iter()
        .flat_map(units)
        .flat_map(|unit| [&unit.first, &unit.second]);
    let n_values = values
        .filter(|value| matches!(value, Some(Value::Query(_))))
        .count();
    let n_operands = query.set_operands().into_iter().flatten().count();
    n_values + n_operands
}

/// Whether there are several aggregates, projected values, conditions, grouping columns
/// (`count_others`).
fn n_others(query: &Query) -> usize {
    usize::from(n_aggregates(query) > 1)
        + usize::from(query.select.items.len() > 1)
        + usize::from(query.filter.len() > 1)
        + usize::from(query.group_by.len() > 1)
}

/// The aggregates, as the official script counts them (`count_agg`, `has_agg`).
///
/// It takes the first field of whatever it meets: of a condition, that is its negation, so that a
/// `NOT` counts as an aggregate; in `HAVING`, the connectives count, too.
fn n_aggregates(query: &Query) -> usize {
    let is_aggregate = |unit: &ColumnUnit| unit.aggregate != Aggregate::None;
    let selected = query.select.items.iter();
    let ordered = query.order_by.iter().flat_map(|order| &order.values);
    let negated = units(&query.filter).filter(|unit| unit.is_negated).count();
    let having = query.having.iter().filter(|item| match item {
        ConditionItem::Unit(unit) => unit.is_negated,
        ConditionItem::And | ConditionItem::Or => true,
    });
    selected.filter(|(it, _)| *it != Aggregate::None).count()
        + negated
        + query.group_by.iter().filter(|it| is_aggregate(it)).count()
        + ordered
            .flat_map(|value| std::iter::once(value.left).chain(value.right))
            .filter(is_aggregate)
            .count()
        + having.count()
}
