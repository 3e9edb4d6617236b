//! The parser of the exact set match, against the parses that Spider ships.

use std::collections::BTreeMap;

use patois_metrics::sql_match::structure::{
    ColumnUnit, Condition, ConditionItem, Direction, Entity, OrderBy, Query, TableUnit, Value,
    ValueUnit,
};
use patois_metrics::sql_match::{Hardness, SpiderSchema, exact_match, parse};
use serde_json::{Value as Json, json};

use crate::spider::Spider;

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_parses_equal_the_ones_of_the_release() {
    let spider = Spider::open();
    let schemas = schemas(&spider);
    for (file, n_expected) in [
        ("dev", 1034),
        ("train_spider", 6999),
        ("train_others", 1659),
    ] {
        let mut n_equal = 0;
        for example in spider.examples(file).iter().filter(|it| !it.sql.is_null()) {
            let parsed = parse(&schemas[&example.db_id], &example.query).unwrap();
            assert_eq!(query_json(&parsed), example.sql, "{}", example.query);
            n_equal += 1;
        }
        assert_eq!(n_equal, n_expected, "{file}");
    }
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_every_gold_query_matches_itself() {
    let spider = Spider::open();
    let schemas = schemas(&spider);
    let mut levels = BTreeMap::new();
    for example in spider.examples("dev") {
        let query = &example.query;
        let outcome = exact_match(&schemas[&example.db_id], query, query).unwrap();
        assert!(outcome.is_exact, "{query}");
        *levels.entry(outcome.hardness).or_insert(0) += 1;
    }
    // The counts that the official script prints for the development set.
    let expected = [248, 446, 174, 166];
    assert_eq!(levels, Hardness::ALL.into_iter().zip(expected).collect());
}

fn schemas(spider: &Spider) -> BTreeMap<String, SpiderSchema> {
    let schemas = spider.schemas().into_iter();
    schemas
        .map(|(name, schema)| (name, SpiderSchema::new(&schema)))
        .collect()
}

/// The official JSON form of a parse.
fn query_json(query: &Query) -> Json {
    let tables: Vec<Json> = query.from.tables.iter().map(table_json).collect();
    let items = query.select.items.iter();
    let items: Vec<Json> = items
        .map(|(aggregate, value)| json!([*aggregate as u8, value_unit_json(value)]))
        .collect();
    let group_by: Vec<Json> = query.group_by.iter().map(column_json).collect();
    let operand = |it: &Option<Box<Query>>| it.as_deref().map(query_json);
    json!({
        "select": [query.select.is_distinct, items],
        "from": {"table_units": tables, "conds": condition_json(&query.from.conditions)},
        "where": condition_json(&query.filter),
        "groupBy": group_by,
        "having": condition_json(&query.having),
        "orderBy": order_json(query.order_by.as_ref()),
        "limit": query.limit,
        "intersect": operand(&query.intersect),
        "union": operand(&query.union),
        "except": operand(&query.except),
    })
}

fn table_json(table: &TableUnit) -> Json {
    match table {
        TableUnit::Table(Entity::Table(index) | Entity::Column(index)) => {
            json!(["table_unit", index])
        }
        TableUnit::Query(query) => json!(["sql", query_json(query)]),
    }
}

fn condition_json(items: &[ConditionItem]) -> Json {
    let items = items.iter().map(|item| match item {
        ConditionItem::And => json!("and"),
        ConditionItem::Or => json!("or"),
        ConditionItem::Unit(unit) => unit_json(unit),
    });
    items.collect()
}

fn unit_json(unit: &Condition) -> Json {
    json!([
        unit.is_negated,
        unit.operator as u8,
        value_unit_json(&unit.value_unit),
        unit.first.as_ref().map(value_json),
        unit.second.as_ref().map(value_json),
    ])
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::Number(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::Column(column) => column_json(column),
        Value::Query(query) => query_json(query),
    }
}

fn order_json(order: Option<&OrderBy>) -> Json {
    let Some(order) = order else { return json!([]) };
    let direction = match order.direction {
        Direction::Ascending => "asc",
        Direction::Descending => "desc",
    };
    let values: Vec<Json> = order.values.iter().map(value_unit_json).collect();
    json!([direction, values])
}

fn value_unit_json(unit: &ValueUnit) -> Json {
    let right = unit.right.as_ref().map(column_json);
    json!([unit.operator as u8, column_json(&unit.left), right])
}

fn column_json(unit: &ColumnUnit) -> Json {
    json!([unit.aggregate as u8, unit.column, unit.is_distinct])
}
