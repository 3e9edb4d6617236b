//! The comparison of two queries, component by component.
//!
//! Each function names the one of the official `evaluation.py` that it follows.

use std::collections::BTreeSet;

use super::schema::SpiderSchema;
use super::structure::{
    Comparison, Condition, ConditionItem, Direction, Query, ValueUnit, connectives, units,
};
use super::{Component, ComponentScores, PartialScore};

/// Compares two normalized queries: each component, and whether all of it agrees
/// (`Evaluator.eval_exact_match`, without the conditions of joins).
pub(super) fn compare(
    schema: &SpiderSchema,
    predicted: &Query,
    gold: &Query,
) -> (ComponentScores, bool) {
    let scores = ComponentScores::new(|component| score(component, schema, predicted, gold));
    let is_exact = Component::ALL.iter().all(|&it| scores.get(it).is_correct)
        && is_same_multiset(&predicted.from.tables, &gold.from.tables);
    (scores, is_exact)
}

/// One component (`Evaluator.eval_partial_match`).
fn score(
    component: Component,
    schema: &SpiderSchema,
    predicted: &Query,
    gold: &Query,
) -> PartialScore {
    let (p, g) = (predicted, gold);
    match component {
        Component::Select => overlap(&p.select.items, &g.select.items),
        Component::SelectColumns => overlap(&select_columns(p), &select_columns(g)),
        Component::Where => overlap(&where_units(p), &where_units(g)),
        Component::WhereColumns => overlap(&where_columns(p), &where_columns(g)),
        Component::GroupColumns => overlap(&group_columns(schema, p), &group_columns(schema, g)),
        Component::Group => group(p, g),
        Component::Order => order(p, g),
        Component::AndOr => and_or(p, g),
        Component::SetOperations => set_operations(schema, p, g),
        Component::Keywords => {
            let (p, g) = (keywords(p), keywords(g));
            PartialScore::new(g.len(), p.len(), p.intersection(&g).count())
        }
    }
}

/// What `eval_sel` counts without aggregates.
fn select_columns(query: &Query) -> Vec<ValueUnit> {
    query.select.items.iter().map(|(_, value)| *value).collect()
}

/// What `eval_where` counts.
fn where_units(query: &Query) -> Vec<&Condition> {
    units(&query.filter).collect()
}

/// What `eval_where` counts without operators.
fn where_columns(query: &Query) -> Vec<ValueUnit> {
    units(&query.filter).map(|it| it.value_unit).collect()
}

/// The names of the columns, without their tables (`eval_group`).
fn group_columns<'s>(schema: &'s SpiderSchema, query: &Query) -> Vec<&'s str> {
    let columns = query.group_by.iter();
    columns.map(|it| schema.column_name(it.column)).collect()
}

/// The columns in their order, and `HAVING` (`eval_having`).
fn group(predicted: &Query, gold: &Query) -> PartialScore {
    let columns = |query: &Query| -> Vec<usize> {
        let columns = query.group_by.iter();
        columns.map(|it| it.column).collect()
    };
    let is_correct = !gold.group_by.is_empty()
        && columns(predicted) == columns(gold)
        && predicted.having == gold.having;
    PartialScore::new(
        usize::from(!gold.group_by.is_empty()),
        usize::from(!predicted.group_by.is_empty()),
        usize::from(is_correct),
    )
}

/// The order, and whether there is a limit (`eval_order`).
fn order(predicted: &Query, gold: &Query) -> PartialScore {
    let is_correct = gold.order_by.is_some()
        && predicted.order_by == gold.order_by
        && predicted.limit.is_some() == gold.limit.is_some();
    PartialScore::new(
        usize::from(gold.order_by.is_some()),
        usize::from(predicted.order_by.is_some()),
        usize::from(is_correct),
    )
}

/// Which connectives occur, however often (`eval_and_or`, which exchanges the two totals).
fn and_or(predicted: &Query, gold: &Query) -> PartialScore {
    let (p, g) = (distinct_connectives(predicted), distinct_connectives(gold));
    if is_same_multiset(&p, &g) {
        PartialScore::new(1, 1, 1)
    } else {
        PartialScore::new(p.len(), g.len(), 0)
    }
}

fn distinct_connectives(query: &Query) -> Vec<&ConditionItem> {
    let mut distinct = Vec::new();
    for item in connectives(&query.filter) {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    distinct
}

/// The operands of set operations, each an exact match (`eval_IUEN`, `eval_nested`).
fn set_operations(schema: &SpiderSchema, predicted: &Query, gold: &Query) -> PartialScore {
    let (mut n_gold, mut n_predicted, mut n_equal) = (0, 0, 0);
    for (p, g) in predicted
        .set_operands()
        .into_iter()
        .zip(gold.set_operands())
    {
        n_gold += usize::from(g.is_some());
        n_predicted += usize::from(p.is_some());
        if let (Some(p), Some(g)) = (p, g) {
            n_equal += usize::from(compare(schema, p, g).1);
        }
    }
    PartialScore::new(n_gold, n_predicted, n_equal)
}

/// Which keywords occur (`get_keywords`).
fn keywords(query: &Query) -> BTreeSet<&'static str> {
    let lists = query.condition_lists();
    let has_unit = |test: fn(&Condition) -> bool| lists.iter().any(|items| units(items).any(test));
    let has_or = lists
        .iter()
        .any(|items| connectives(items).any(|it| *it == ConditionItem::Or));
    let direction = query.order_by.as_ref().map(|order| order.direction);
    [
        ("where", !query.filter.is_empty()),
        ("group", !query.group_by.is_empty()),
        ("having", !query.having.is_empty()),
        ("order", direction.is_some()),
        ("asc", direction == Some(Direction::Ascending)),
        ("desc", direction == Some(Direction::Descending)),
        ("limit", query.limit.is_some()),
        ("except", query.except.is_some()),
        ("union", query.union.is_some()),
        ("intersect", query.intersect.is_some()),
        ("or", has_or),
        ("not", has_unit(|it| it.is_negated)),
        ("in", has_unit(|it| it.operator == Comparison::In)),
        ("like", has_unit(|it| it.operator == Comparison::Like)),
    ]
    .into_iter()
    .filter_map(|(keyword, occurs)| occurs.then_some(keyword))
    .collect()
}

/// The score of two lists whose order does not count (`get_scores`).
fn overlap<T: PartialEq>(predicted: &[T], gold: &[T]) -> PartialScore {
    PartialScore::new(gold.len(), predicted.len(), n_common(predicted, gold))
}

/// How many elements the two lists share, each counted as often as it occurs in both.
fn n_common<T: PartialEq>(predicted: &[T], gold: &[T]) -> usize {
    let mut rest: Vec<&T> = gold.iter().collect();
    for item in predicted {
        if let Some(at) = rest.iter().position(|it| *it == item) {
            rest.remove(at);
        }
    }
    gold.len() - rest.len()
}

fn is_same_multiset<T: PartialEq>(left: &[T], right: &[T]) -> bool {
    left.len() == right.len() && n_common(left, right) == left.len()
}
