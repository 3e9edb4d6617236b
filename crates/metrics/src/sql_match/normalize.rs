//! What two queries may differ in: values, `DISTINCT`, and which column of a foreign key is named.
//!
//! This is `rebuild_sql_val`, then `rebuild_sql_col` with what `build_valid_col_units` lets through.
//! How deep each rule reaches is the official script's doing. Values are set aside in sub-queries
//! of conditions and set operations, but not in sub-queries of `FROM`. Columns and `DISTINCT` are
//! unified in the query and its set operations, not in sub-queries of any kind; which tables are in
//! sight is decided by the outermost `FROM`.

use std::collections::BTreeSet;

use super::schema::SpiderSchema;
use super::structure::{
    ColumnUnit, Condition, ConditionItem, Entity, Query, TableUnit, Value, ValueUnit,
};

/// The query without what does not count.
pub(super) fn normalize(mut query: Query, schema: &SpiderSchema) -> Query {
    set_values_aside(&mut query);
    let tables = query
        .from
        .tables
        .iter()
        .filter_map(|unit| match unit {
            TableUnit::Table(entity) => Some(*entity),
            TableUnit::Query(_) => None,
        })
        .collect();
    Unifier { schema, tables }.query(&mut query);
    query
}

/// Drops the values of conditions (`rebuild_sql_val`).
fn set_values_aside(query: &mut Query) {
    let lists = [
        &mut query.from.conditions,
        &mut query.having,
        &mut query.filter,
    ];
    for condition in lists.into_iter().flat_map(|items| units_mut(items)) {
        for value in [&mut condition.first, &mut condition.second] {
            match value {
                Some(Value::Query(query)) => set_values_aside(query),
                _ => *value = None,
            }
        }
    }
    for operand in set_operands_mut(query) {
        set_values_aside(operand);
    }
}

/// Replaces columns by those that stand for them, and drops `DISTINCT` (`rebuild_sql_col`).
struct Unifier<'s> {
    schema: &'s SpiderSchema,
    tables: BTreeSet<Entity>,
}

impl Unifier<'_> {
    fn query(&self, query: &mut Query) {
        query.select.is_distinct = false;
        for (_, value) in &mut query.select.items {
            self.value_unit(value);
        }
        let lists = [
            &mut query.from.conditions,
            &mut query.filter,
            &mut query.having,
        ];
        for condition in lists.into_iter().flat_map(|items| units_mut(items)) {
            self.value_unit(&mut condition.value_unit);
        }
        for column in &mut query.group_by {
            self.column_unit(column);
        }
        for value in query.order_by.iter_mut().flat_map(|it| &mut it.values) {
            self.value_unit(value);
        }
        for operand in set_operands_mut(query) {
            self.query(operand);
        }
    }

    fn value_unit(&self, unit: &mut ValueUnit) {
        self.column_unit(&mut unit.left);
        if let Some(right) = &mut unit.right {
            self.column_unit(right);
        }
    }

    fn column_unit(&self, unit: &mut ColumnUnit) {
        unit.column = self.schema.representative(unit.column, &self.tables);
        unit.is_distinct = false;
    }
}

fn units_mut(items: &mut [ConditionItem]) -> impl Iterator<Item = &mut Condition> {
    items.iter_mut().step_by(2).filter_map(|item| match item {
        ConditionItem::Unit(unit) => Some(unit),
        ConditionItem::And | ConditionItem::Or => None,
    })
}

fn set_operands_mut(query: &mut Query) -> impl Iterator<Item = &mut Query> {
    [&mut query.intersect, &mut query.except, &mut query.union]
        .into_iter()
        .filter_map(|operand| operand.as_deref_mut())
}
