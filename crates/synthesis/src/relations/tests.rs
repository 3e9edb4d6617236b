//! All pairs of a schema with every kind of key, and single cases.

use std::fmt::Write as _;
use std::sync::Arc;

use super::*;
use crate::spec::{Column, Link};

/// Columns are `table.name`, with `!` where they are part of the primary key; keys are pairs.
fn context(tables: &[&str], columns: &[&str], foreign_keys: &[(&str, &str)]) -> Context {
    let index = |name: &str| {
        let is_it = |column: &&str| column.trim_end_matches('!') == name;
        columns.iter().position(is_it).unwrap()
    };
    let column = |name: &&str| Column {
        kind: "number".to_owned(),
        words: vec![name.to_string()],
        table: name
            .split_once('.')
            .map(|(table, _)| tables.iter().position(|it| *it == table).unwrap()),
        is_primary_key: name.ends_with('!'),
    };
    Context {
        columns: columns.iter().map(column).collect(),
        tables: tables.iter().map(|name| vec![name.to_string()]).collect(),
        foreign_keys: foreign_keys
            .iter()
            .map(|&(from, to)| (index(from), index(to)))
            .collect(),
    }
}

fn spec(context: Context, words: &str) -> Spec {
    Spec {
        words: words.split_whitespace().map(str::to_owned).collect(),
        context: Some(Arc::new(context)),
        ..Spec::default()
    }
}

/// A school: composite key, key to the own table, keys in both directions between two tables.
fn school() -> Context {
    context(
        &["person", "class", "visit"],
        &[
            "*",
            "person.id!",
            "person.boss",
            "person.class",
            "class.id!",
            "class.teacher",
            "visit.person!",
            "visit.class!",
            "visit.day",
        ],
        &[
            ("person.boss", "person.id"),
            ("person.class", "class.id"),
            ("class.teacher", "person.id"),
            ("visit.person", "person.id"),
            ("visit.class", "class.id"),
        ],
    )
}

/// A line for each element, with the types of its pairs.
fn listing(spec: &Spec, linking: Linking) -> String {
    let relations = Relations::of(spec, linking);
    let context = spec.context.as_deref().unwrap();
    let columns = context.columns.iter().map(|column| column.words.join(" "));
    let tables = context.tables.iter().map(|words| words.join(" "));
    let names: Vec<String> = columns
        .chain(tables)
        .chain(spec.words.iter().cloned())
        .collect();
    assert_eq!(names.len(), relations.n_elements());
    let mut lines = String::new();
    for (i, first) in names.iter().enumerate() {
        for (j, second) in names.iter().enumerate() {
            let name = relations.get(i, j).name();
            writeln!(lines, "{first:<13} {second:<13} {name}").unwrap();
        }
    }
    lines
}

#[test]
fn all_pairs_of_a_schema_with_every_kind_of_key() {
    insta::assert_snapshot!(listing(&spec(school(), "who visits on"), Linking::None));
}

fn check(context: Context, i: usize, j: usize, expected: RelationType) {
    let relations = Relations::of(&spec(context, ""), Linking::Values);
    assert_eq!(relations.get(i, j), expected);
}

#[test]
fn primary_keys_of_all_tables_count() {
    let tables = || context(&["a", "b"], &["a.x!", "a.y!", "b.z!"], &[]);
    check(tables(), 0, 3, RelationType::PrimaryKeyF);
    check(tables(), 1, 3, RelationType::PrimaryKeyF);
    check(tables(), 3, 1, RelationType::PrimaryKeyR);
    check(tables(), 2, 4, RelationType::PrimaryKeyF);
    check(tables(), 2, 3, RelationType::ColumnTable);
}

/// Between a column and the table that it is a foreign key into there is no edge in the paper's
/// graph, in whichever order the key's columns are; the published code drew one from one side.
#[test]
fn a_foreign_key_relates_columns_and_tables_but_no_column_to_a_table() {
    let tables = || context(&["a", "b"], &["a.x", "b.y!"], &[("a.x", "b.y")]);
    check(tables(), 0, 3, RelationType::ColumnTable);
    check(tables(), 3, 0, RelationType::TableColumn);
    check(tables(), 1, 2, RelationType::ColumnTable);
    check(tables(), 2, 1, RelationType::TableColumn);
    check(tables(), 0, 1, RelationType::ForeignKeyColF);
    check(tables(), 1, 0, RelationType::ForeignKeyColR);
    check(tables(), 2, 3, RelationType::ForeignKeyTabF);
    check(tables(), 3, 2, RelationType::ForeignKeyTabR);
}

#[test]
fn columns_that_are_keys_for_each_other_are_both_foreign_keys() {
    let tables = || {
        let keys = [("a.x", "b.y"), ("b.y", "a.x")];
        context(&["a", "b"], &["a.x", "b.y"], &keys)
    };
    check(tables(), 0, 1, RelationType::ForeignKeyColF);
    check(tables(), 1, 0, RelationType::ForeignKeyColF);
    check(tables(), 2, 3, RelationType::ForeignKeyTabB);
}

#[test]
fn links_count_as_far_as_they_are_switched_on() {
    let mut spec = spec(
        context(&["pet"], &["*", "pet.name"], &[]),
        "pet name Rex name",
    );
    let link = |word, item, kind| Link { word, item, kind };
    let column = Item::Column(1);
    spec.links = vec![
        link(0, Item::Table(0), LinkKind::Name),
        link(1, column, LinkKind::PartOfName),
        link(2, column, LinkKind::Value),
        link(2, column, LinkKind::PartOfName),
        link(3, column, LinkKind::Name),
        link(3, column, LinkKind::Value),
    ];
    let types_of = |linking| {
        let relations = Relations::of(&spec, linking);
        let n_types = RelationType::n_types(linking);
        assert!(
            relations
                .types()
                .iter()
                .all(|&it| usize::from(it) < n_types)
        );
        let to_column = (3..7).map(|word| relations.get(word, 1).name());
        let back = relations.get(1, 5).name();
        let table = [relations.get(3, 2).name(), relations.get(2, 3).name()];
        to_column.chain([back]).chain(table).collect::<Vec<_>>()
    };
    let column = "Question-Column";
    assert_eq!(
        types_of(Linking::None),
        [
            column,
            column,
            column,
            column,
            "Column-Question",
            "Question-Table",
            "Table-Question"
        ]
    );
    assert_eq!(
        types_of(Linking::Names),
        [
            column,
            "Question-Column-Part",
            "Question-Column-Part",
            "Question-Column-Name",
            "Column-Question-Part",
            "Question-Table-Name",
            "Table-Question-Name"
        ]
    );
    assert_eq!(
        types_of(Linking::Values),
        [
            column,
            "Question-Column-Part",
            "Question-Column-Value",
            "Question-Column-Name",
            "Column-Question-Value",
            "Question-Table-Name",
            "Table-Question-Name"
        ]
    );
}

#[test]
fn names_in_short_count_less_than_names() {
    let tables = context(&["emp"], &["*", "emp.nm"], &[]);
    let mut spec = spec(tables, "employee name nm");
    let link = |word, item, kind| Link { word, item, kind };
    let column = Item::Column(1);
    spec.links = vec![
        link(0, Item::Table(0), LinkKind::ShortName),
        link(0, column, LinkKind::PartOfShortName),
        link(1, column, LinkKind::ShortName),
        link(2, column, LinkKind::ShortName),
        link(2, column, LinkKind::PartOfName),
    ];
    let relations = Relations::of(&spec, Linking::Names);
    let to_column = (3..6).map(|word| relations.get(word, 1).name());
    assert_eq!(
        to_column.collect::<Vec<_>>(),
        [
            "Question-Column-Short-Part",
            "Question-Column-Short",
            "Question-Column-Part"
        ]
    );
    assert_eq!(relations.get(2, 3).name(), "Table-Question-Short");
}

#[test]
fn types_are_numbered_in_order_and_named_differently() {
    for (number, relation) in RelationType::ALL.into_iter().enumerate() {
        assert_eq!(relation as usize, number);
    }
    let mut names: Vec<&str> = RelationType::ALL.iter().map(|it| it.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RelationType::COUNT);
}

#[test]
fn nothing_has_no_relations() {
    let relations = Relations::of(&Spec::default(), Linking::Values);
    assert_eq!((relations.n_elements(), relations.types().len()), (0, 0));
}
