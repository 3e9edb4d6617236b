//! Joins over foreign keys: the one that a table is added by, and the FROM clause that a set of tables calls for.

use std::collections::VecDeque;

use patois_syntax::Ast;

use super::{DatabaseSchema, tree};

/// A table of an inferred FROM clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JoinedTable {
    /// The table.
    pub table: usize,
    /// A column of a table before it, and the column of this one that is to be equal. None for the
    /// first table, and for one that no chain of foreign keys reaches.
    pub on: Option<(usize, usize)>,
}

/// Joins `tables`, in order, with the tables that lie between them.
///
/// Each table is connected to those before it by a shortest path of foreign keys; of several, the
/// one that the order of `DatabaseSchema::foreign_keys` finds first. A table that is already there
/// is not joined again, so no condition occurs twice.
///
/// Pupils and courses, with visits that point at both, are `pupil JOIN visit JOIN course`.
pub(super) fn infer(schema: &DatabaseSchema, tables: &[usize]) -> Vec<JoinedTable> {
    let edges: Vec<Edge> = edges(schema).collect();
    let mut joined: Vec<JoinedTable> = Vec::new();
    for &table in tables {
        if joined.iter().any(|it| it.table == table) {
            continue;
        }
        match shortest_path(schema, &edges, &joined, table) {
            Some(path) => joined.extend(path),
            None => joined.push(JoinedTable { table, on: None }),
        }
    }
    joined
}

/// The foreign keys of a database, each with all of its columns.
#[derive(Clone, Debug)]
pub(super) struct Keys(Vec<Key>);

/// A foreign key.
#[derive(Clone, Debug)]
struct Key {
    /// The table that it is declared in, and the one that it refers to.
    tables: (usize, usize),
    /// Its columns, and those that they refer to.
    pairs: Vec<(usize, usize)>,
}

impl Keys {
    /// The keys in the order of `DatabaseSchema::foreign_keys`; those that do not lead from one table to one table
    /// are left out.
    pub(super) fn of(schema: &DatabaseSchema) -> Keys {
        let table_of = |column: usize| schema.columns.get(column).and_then(|it| it.table);
        let key = |pairs: Vec<(usize, usize)>| {
            let tables = |&(from, to): &(usize, usize)| table_of(from).zip(table_of(to));
            let first = tables(pairs.first()?)?;
            let is_key = pairs.iter().all(|it| tables(it) == Some(first));
            is_key.then_some(Key {
                tables: first,
                pairs,
            })
        };
        Keys(schema.keys().into_iter().filter_map(key).collect())
    }
}

/// The tables of a FROM clause so far, and the keys that its joins go along.
#[derive(Clone, Debug, Default)]
pub(super) struct Joined {
    /// None for a derived table.
    tables: Vec<Option<usize>>,
    used: Vec<usize>,
}

/// How a table is joined along a key.
#[derive(Clone, Debug)]
pub(super) struct KeyJoin {
    /// Which of the tables before it is joined with.
    pub(super) source: usize,
    /// Columns of that table, and those of this one that are to be equal.
    pub(super) pairs: Vec<(usize, usize)>,
    key: usize,
}

impl Joined {
    /// Adds a table, joined on whatever.
    pub(super) fn push(&mut self, table: Option<usize>) {
        self.tables.push(table);
    }

    /// Adds a table, joined along a key where there is one.
    pub(super) fn push_along_key(&mut self, keys: &Keys, table: usize) {
        self.used.extend(self.key(keys, table).map(|it| it.key));
        self.push(Some(table));
    }

    /// How many tables there are.
    pub(super) fn len(&self) -> usize {
        self.tables.len()
    }

    /// How `table` is joined to those before it: along the first foreign key that no join goes along yet, between
    /// it and the first table that has one. None where no such key leads there.
    pub(super) fn key(&self, keys: &Keys, table: usize) -> Option<KeyJoin> {
        let tables = self.tables.iter().enumerate();
        let tables = tables.filter_map(|(index, table)| Some((index, (*table)?)));
        tables.into_iter().find_map(|(source, before)| {
            let mut unused = (0..keys.0.len()).filter(|it| !self.used.contains(it));
            unused.find_map(|index| {
                let Key { tables, pairs } = &keys.0[index];
                let pairs = if *tables == (before, table) {
                    pairs.clone()
                } else if *tables == (table, before) {
                    pairs.iter().map(|&(from, to)| (to, from)).collect()
                } else {
                    return None;
                };
                Some(KeyJoin {
                    source,
                    pairs,
                    key: index,
                })
            })
        })
    }

    /// Whether a key leads to `table`.
    pub(super) fn reaches(&self, keys: &Keys, table: usize) -> bool {
        let is_unused = |index: &usize| !self.used.contains(index);
        let leads = |before: usize, index: usize| {
            let tables = keys.0[index].tables;
            tables == (before, table) || tables == (table, before)
        };
        let mut tables = self.tables.iter().flatten();
        tables.any(|&it| {
            (0..keys.0.len())
                .filter(is_unused)
                .any(|index| leads(it, index))
        })
    }

    /// The node for a column of one of the tables, as conditions of the clause name it.
    pub(super) fn value(&self, source: usize, column: usize) -> Ast {
        let own = self.tables[source];
        let ordinal = self.tables[..=source]
            .iter()
            .filter(|it| **it == own)
            .count();
        tree::occurrence_or_column(column, ordinal)
    }

    /// The node for a column of `table`, once it is added.
    pub(super) fn next_value(&self, table: usize, column: usize) -> Ast {
        let n_before = self.tables.iter().filter(|it| **it == Some(table)).count();
        tree::occurrence_or_column(column, n_before + 1)
    }
}

/// A foreign key in one of its two directions.
#[derive(Clone, Copy)]
struct Edge {
    from: usize,
    to: usize,
    on: (usize, usize),
}

/// The foreign keys in both directions, those within one table left out.
fn edges(schema: &DatabaseSchema) -> impl Iterator<Item = Edge> {
    let table_of = |column: usize| schema.columns.get(column).and_then(|it| it.table);
    let directions = schema
        .foreign_keys
        .iter()
        .flat_map(|&(key, target)| [(key, target), (target, key)]);
    directions.filter_map(move |on| {
        let (from, to) = (table_of(on.0)?, table_of(on.1)?);
        (from != to).then_some(Edge { from, to, on })
    })
}

/// The joins that lead from the tables that are there to `goal`, breadth first.
fn shortest_path(
    schema: &DatabaseSchema,
    edges: &[Edge],
    joined: &[JoinedTable],
    goal: usize,
) -> Option<Vec<JoinedTable>> {
    let mut reached_by: Vec<Option<Edge>> = vec![None; schema.tables.len()];
    let mut queue: VecDeque<usize> = joined.iter().map(|it| it.table).collect();
    let is_start = |table| joined.iter().any(|it| it.table == table);
    while let Some(table) = queue.pop_front() {
        if table == goal {
            return Some(trace(&reached_by, goal));
        }
        for edge in edges.iter().filter(|edge| edge.from == table) {
            if reached_by[edge.to].is_none() && !is_start(edge.to) {
                reached_by[edge.to] = Some(*edge);
                queue.push_back(edge.to);
            }
        }
    }
    None
}

fn trace(reached_by: &[Option<Edge>], goal: usize) -> Vec<JoinedTable> {
    let mut path = Vec::new();
    let mut table = goal;
    while let Some(edge) = reached_by[table] {
        path.push(JoinedTable {
            table,
            on: Some(edge.on),
        });
        table = edge.from;
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::{Column, ColumnKind, Table};

    /// A database of tables with one column each, numbered alike but for `*`; `keys` are pairs of
    /// tables.
    fn database(n_tables: usize, keys: &[(usize, usize)]) -> DatabaseSchema {
        let name = |index: usize| format!("t{index}");
        let column = |table: Option<usize>, name: String| Column {
            table,
            words: name.clone(),
            name,
            kind: ColumnKind::Number,
            is_primary_key: false,
        };
        let mut columns = vec![column(None, "*".into())];
        columns.extend((0..n_tables).map(|index| column(Some(index), name(index))));
        DatabaseSchema {
            name: "database".into(),
            tables: (0..n_tables)
                .map(|index| Table {
                    name: name(index),
                    words: name(index),
                })
                .collect(),
            columns,
            foreign_keys: keys.iter().map(|&(from, to)| (from + 1, to + 1)).collect(),
            composite_keys: Vec::new(),
        }
    }

    /// Writes joins as `0 1-0 2-1`: each table, and the one that it is joined to.
    fn check(keys: &[(usize, usize)], tables: &[usize], expected: &str) {
        let joined: Vec<String> = infer(&database(6, keys), tables)
            .into_iter()
            .map(|it| match it.on {
                Some((left, right)) => {
                    assert_eq!(right - 1, it.table);
                    format!("{}-{}", it.table, left - 1)
                }
                None => it.table.to_string(),
            })
            .collect();
        assert_eq!(joined.join(" "), expected);
    }

    #[test]
    fn tables_are_connected_in_order() {
        check(&[], &[], "");
        check(&[], &[3], "3");
        check(&[(0, 1)], &[0, 1], "0 1-0");
        check(&[(0, 1)], &[1, 0], "1 0-1");
        check(&[(0, 1)], &[0, 0, 1, 1], "0 1-0");
    }

    #[test]
    fn tables_in_between_are_joined_once() {
        check(&[(1, 0), (1, 2)], &[0, 2], "0 1-0 2-1");
        check(&[(1, 0), (1, 2), (3, 1)], &[0, 2, 3], "0 1-0 2-1 3-1");
        check(&[(1, 0), (1, 2)], &[0, 2, 1], "0 1-0 2-1");
    }

    #[test]
    fn shorter_paths_win_and_ties_go_to_the_first_key() {
        check(
            &[(0, 1), (1, 2), (2, 3), (0, 4), (4, 3)],
            &[0, 3],
            "0 4-0 3-4",
        );
        check(&[(0, 1), (1, 3), (0, 2), (2, 3)], &[0, 3], "0 1-0 3-1");
        check(&[(0, 2), (2, 3), (0, 1), (1, 3)], &[0, 3], "0 2-0 3-2");
    }

    #[test]
    fn tables_out_of_reach_and_keys_within_a_table_are_no_trouble() {
        check(&[(0, 1)], &[0, 2, 1], "0 2 1-0");
        check(&[(0, 0)], &[0, 1], "0 1");
    }
}
