//! Schemas with fewer columns, or with others.

use std::collections::BTreeSet;

use patois_languages::sql::{Column, DatabaseSchema};
use patois_syntax::{Grammar, Label, Tree};
use patois_synthesis::{Copied, Item, Link, Origin};
use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use super::needed::Needed;

/// How large a schema may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most columns, as long as no more are needed.
    pub max_columns: Option<usize>,
}

/// What becomes of the columns and tables of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    tables: Vec<bool>,
    columns: Vec<bool>,
    /// Columns of other databases, each with the table that it becomes part of.
    added: Vec<(usize, Column)>,
}

/// A schema that was made of another, and what became of the numbers of its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renumbered {
    /// The new schema.
    pub schema: DatabaseSchema,
    columns: Vec<Option<usize>>,
    tables: Vec<Option<usize>>,
}

/// So many columns that a query does not need stay at least, where there are as many.
const MIN_DISTRACTORS: usize = 5;

/// The most columns of other databases.
const MAX_ADDED: usize = 6;

impl Change {
    /// Everything stays.
    pub fn none(schema: &DatabaseSchema) -> Change {
        Change {
            tables: vec![true; schema.tables.len()],
            columns: vec![true; schema.columns.len()],
            added: Vec::new(),
        }
    }

    /// Whether everything stays.
    pub fn is_none(&self) -> bool {
        let all = |kept: &[bool]| kept.iter().all(|it| *it);
        all(&self.tables) && all(&self.columns) && self.added.is_empty()
    }

    /// Leaves out some of what is not needed: tables, and columns of the tables that stay.
    pub fn drop_some(&mut self, schema: &DatabaseSchema, needed: &Needed, rng: &mut ChaCha8Rng) {
        let (share_of_tables, share_of_columns) =
            (rng.random_range(0.1..1.0), rng.random_range(0.2..1.0));
        for (kept, needed) in self.tables.iter_mut().zip(&needed.tables) {
            *kept &= *needed || rng.random::<f32>() < share_of_tables;
        }
        for (index, column) in schema.columns.iter().enumerate() {
            let stays = column.table.is_none_or(|it| self.tables[it])
                && rng.random::<f32>() < share_of_columns;
            self.columns[index] &= needed.columns[index] || stays;
        }
        let n_kept = self.n_columns();
        let n_needed = needed.columns.iter().filter(|it| **it).count();
        let mut n_missing = (n_needed + MIN_DISTRACTORS).saturating_sub(n_kept);
        let mut dropped: Vec<usize> = (0..self.columns.len())
            .filter(|&it| !self.columns[it])
            .collect();
        while n_missing > 0 && !dropped.is_empty() {
            let index = dropped.swap_remove(rng.random_range(0..dropped.len()));
            self.columns[index] = true;
            n_missing -= 1;
        }
        self.settle(schema, needed);
    }

    /// Leaves out what is not needed until there are few enough columns: whole tables first.
    pub fn limit(
        &mut self,
        schema: &DatabaseSchema,
        needed: &Needed,
        limits: Limits,
        rng: &mut ChaCha8Rng,
    ) {
        let Some(most) = limits.max_columns else {
            return;
        };
        let mut tables: Vec<usize> = (0..self.tables.len())
            .filter(|&it| self.tables[it] && !needed.tables[it])
            .collect();
        while self.n_columns() > most && !tables.is_empty() {
            let table = tables.swap_remove(rng.random_range(0..tables.len()));
            let excess = self.n_columns() - most;
            self.drop_of_table(schema, table, excess, rng);
        }
        let is_free = |change: &Change, it: usize| change.columns[it] && !needed.columns[it];
        let mut columns: Vec<usize> = (0..self.columns.len())
            .filter(|&it| is_free(self, it))
            .collect();
        while self.n_columns() > most && !columns.is_empty() {
            let column = columns.swap_remove(rng.random_range(0..columns.len()));
            self.columns[column] = false;
        }
    }

    /// Leaves out columns of a table, at most `excess` of them, and the table where none is left.
    fn drop_of_table(
        &mut self,
        schema: &DatabaseSchema,
        table: usize,
        excess: usize,
        rng: &mut ChaCha8Rng,
    ) {
        let own = schema.columns_of(table).map(|it| it.0);
        let mut own: Vec<usize> = own.filter(|&it| self.columns[it]).collect();
        for _ in 0..excess.min(own.len()) {
            let column = own.swap_remove(rng.random_range(0..own.len()));
            self.columns[column] = false;
        }
        self.tables[table] = !own.is_empty();
    }

    /// A table is there if it is needed, or one of its columns is there.
    fn settle(&mut self, schema: &DatabaseSchema, needed: &Needed) {
        self.tables.clone_from(&needed.tables);
        let columns = schema.columns.iter().zip(&self.columns);
        for (column, _) in columns.filter(|it| *it.1) {
            if let Some(table) = column.table {
                self.tables[table] = true;
            }
        }
    }

    /// Adds columns of another database; none whose name has a word that is said in the question, which could be
    /// meant by it.
    pub fn add_some(
        &mut self,
        schema: &DatabaseSchema,
        other: &DatabaseSchema,
        said: &BTreeSet<String>,
        rng: &mut ChaCha8Rng,
    ) {
        let kept: Vec<usize> = (0..self.tables.len())
            .filter(|&it| self.tables[it])
            .collect();
        if kept.is_empty() || other.columns.len() < 2 {
            return;
        }
        for _ in 0..rng.random_range(1..=MAX_ADDED) {
            let column = &other.columns[rng.random_range(1..other.columns.len())];
            let table = kept[rng.random_range(0..kept.len())];
            let words = column.words.to_lowercase();
            let is_said = words
                .split_whitespace()
                .any(|it| said.contains(it) || said.contains(it.trim_end_matches('s')));
            let is_there = schema
                .columns_of(table)
                .map(|it| it.1)
                .chain(self.added.iter().filter(|it| it.0 == table).map(|it| &it.1))
                .any(|it| it.words.eq_ignore_ascii_case(&column.words));
            if is_said || is_there || column.words.trim().is_empty() {
                continue;
            }
            let added = Column {
                table: Some(table),
                is_primary_key: false,
                ..column.clone()
            };
            self.added.push((table, added));
        }
    }

    /// How many columns there are, those of other databases among them.
    pub fn n_columns(&self) -> usize {
        self.columns.iter().filter(|it| **it).count() + self.added.len()
    }

    /// The schema that comes of it.
    ///
    /// Added columns stand behind the others of their table.
    pub fn apply(&self, schema: &DatabaseSchema) -> Renumbered {
        let tables = numbers(&self.tables);
        let mut columns = vec![None; schema.columns.len()];
        let mut made: Vec<Column> = Vec::with_capacity(self.n_columns());
        let in_table = |column: &Column| Column {
            table: column.table.and_then(|it| tables[it]),
            ..column.clone()
        };
        for (index, column) in schema.columns.iter().enumerate() {
            if self.columns[index] {
                columns[index] = Some(made.len());
                made.push(in_table(column));
            }
            let next = schema.columns.get(index + 1).and_then(|it| it.table);
            if column.table.is_some() && next != column.table {
                let own = self.added.iter().filter(|it| Some(it.0) == column.table);
                made.extend(own.map(|it| in_table(&it.1)));
            }
        }
        let kept_tables = schema.tables.iter().zip(&self.tables).filter(|it| *it.1);
        let pair = |&(from, to): &(usize, usize)| Some((columns[from]?, columns[to]?));
        let mut foreign_keys = Vec::new();
        let mut composite_keys = Vec::new();
        // Of a key that has lost a column, nothing is left.
        for key in schema.keys() {
            let Some(pairs) = key.iter().map(pair).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let first = foreign_keys.len();
            foreign_keys.extend(pairs);
            if key.len() > 1 {
                composite_keys.push((first..foreign_keys.len()).collect());
            }
        }
        Renumbered {
            schema: DatabaseSchema {
                name: schema.name.clone(),
                tables: kept_tables.map(|it| it.0.clone()).collect(),
                columns: made,
                foreign_keys,
                composite_keys,
            },
            columns,
            tables,
        }
    }
}

/// What those that are kept are numbered with.
fn numbers(kept: &[bool]) -> Vec<Option<usize>> {
    let mut next = 0;
    let number = |&is_kept: &bool| {
        is_kept.then(|| {
            next += 1;
            next - 1
        })
    };
    kept.iter().map(number).collect()
}

impl Renumbered {
    /// A query about the schema as it was, now about the schema as it is.
    ///
    /// # Panics
    ///
    /// When it needs something that is left out.
    #[must_use]
    pub fn tree(&self, grammar: &Grammar, tree: &Tree) -> Tree {
        let label = |node| match tree.label(node) {
            Label::Reference(item) => {
                let of = match grammar.symbol_type(tree.symbol(node)) {
                    "table" => &self.tables,
                    _ => &self.columns,
                };
                let item = of[item as usize].expect("what a query needs is kept");
                Label::Reference(item as u32)
            }
            other => other,
        };
        let labels: Vec<Label> = tree.nodes().map(label).collect();
        let renumbered = Tree::from_labels(grammar, tree.symbol(tree.root()), &labels);
        renumbered.expect("references can stand where references stood")
    }

    /// A link to an item of the schema as it was; none where the item is left out.
    pub fn link(&self, link: Link) -> Option<Link> {
        let item = match link.item {
            Item::Column(column) => Item::Column(self.columns[column]?),
            Item::Table(table) => Item::Table(self.tables[table]?),
        };
        Some(Link { item, ..link })
    }

    /// What can be copied where the schema is this one; none where it is a value of a column that is left out.
    pub fn copied(&self, copied: Copied) -> Option<Copied> {
        let origin = match copied.origin {
            Origin::Value { column, matching } => Origin::Value {
                column: self.columns[column as usize]? as u32,
                matching,
            },
            Origin::Words(form) => Origin::Words(form),
        };
        Some(Copied { origin, ..copied })
    }
}

#[cfg(test)]
mod tests;
