//! The names of a database as the official script looks them up (`Schema` of `process_sql.py`).

use std::collections::{BTreeMap, BTreeSet};

use patois_languages::sql::DatabaseSchema;

use super::structure::Entity;

/// A database's names in lower case, and which of its columns count as one.
///
/// Build it once per database and use it for all its queries.
#[derive(Clone, Debug)]
pub struct SpiderSchema {
    /// `*`, `table.column` and `table`, each with what it stands for. A name that occurs twice
    /// stands for its last bearer.
    entities: BTreeMap<String, Entity>,
    /// The lower-cased names of the columns and their tables, by index.
    columns: Vec<(Option<usize>, String)>,
    /// The columns of foreign keys, each with the one that stands for it.
    representatives: BTreeMap<usize, usize>,
}

impl SpiderSchema {
    /// The names of `schema`.
    pub fn new(schema: &DatabaseSchema) -> SpiderSchema {
        let mut entities = BTreeMap::from([("*".to_owned(), Entity::Column(DatabaseSchema::STAR))]);
        let table_names: Vec<String> = schema
            .tables
            .iter()
            .map(|table| table.name.to_lowercase())
            .collect();
        for (index, column) in schema.columns.iter().enumerate() {
            if let Some(table) = column.table.and_then(|table| table_names.get(table)) {
                let name = format!("{table}.{}", column.name.to_lowercase());
                entities.insert(name, Entity::Column(index));
            }
        }
        for (index, name) in table_names.iter().enumerate() {
            entities.insert(name.clone(), Entity::Table(index));
        }
        let columns = schema
            .columns
            .iter()
            .map(|column| (column.table, column.name.to_lowercase()))
            .collect();
        let n_columns = schema.columns.len();
        let foreign_keys = schema.foreign_keys.iter().copied();
        let foreign_keys = foreign_keys.filter(|&(from, to)| from.max(to) < n_columns);
        let representatives = representatives(foreign_keys);
        SpiderSchema {
            entities,
            columns,
            representatives,
        }
    }

    /// What `name` stands for: `*`, a table, or a column with its table before it.
    pub(super) fn entity(&self, name: &str) -> Option<Entity> {
        self.entities.get(name).copied()
    }

    pub(super) fn is_table(&self, name: &str) -> bool {
        matches!(self.entity(name), Some(Entity::Table(_)))
    }

    /// The column called `name` in the table called `table`.
    pub(super) fn column(&self, table: &str, name: &str) -> Option<usize> {
        match self.entity(&format!("{table}.{name}")) {
            Some(Entity::Column(column)) => Some(column),
            _ => None,
        }
    }

    /// The lower-cased name of a column, without its table.
    pub(super) fn column_name(&self, column: usize) -> &str {
        self.columns.get(column).map_or("*", |(_, name)| name)
    }

    /// The column that stands for `column` in a query over `tables`.
    ///
    /// Only columns of the query's own tables are replaced; the one that stands for them may
    /// belong to any other table.
    pub(super) fn representative(&self, column: usize, tables: &BTreeSet<Entity>) -> usize {
        match self.columns.get(column).and_then(|(table, _)| *table) {
            Some(table) if tables.contains(&Entity::Table(table)) => {
                *self.representatives.get(&column).unwrap_or(&column)
            }
            _ => column,
        }
    }
}

/// The columns that foreign keys tie together, each with the smallest of its set
/// (`build_foreign_key_map` of `evaluation.py`).
///
/// Sets are built key by key: a key joins the first set that holds either of its columns. A key
/// between two sets does not merge them, and its column in both follows the later one, as in the
/// official script.
fn representatives(foreign_keys: impl Iterator<Item = (usize, usize)>) -> BTreeMap<usize, usize> {
    let mut sets: Vec<BTreeSet<usize>> = Vec::new();
    for (from, to) in foreign_keys {
        match sets
            .iter_mut()
            .find(|set| set.contains(&from) || set.contains(&to))
        {
            Some(set) => set.extend([from, to]),
            None => sets.push(BTreeSet::from([from, to])),
        }
    }
    let mut representatives = BTreeMap::new();
    for set in &sets {
        for &column in set {
            representatives.extend(set.first().map(|&smallest| (column, smallest)));
        }
    }
    representatives
}
