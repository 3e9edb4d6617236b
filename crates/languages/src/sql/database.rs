//! The schema of a database: what the columns and tables of a query refer to.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The tables and columns of a database, and the keys between them.
///
/// A reference of type `column` in a query's tree is an index into `columns`, one of type `table`
/// an index into `tables`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseSchema {
    /// The database's name: Spider's `db_id`, or the name of a file.
    pub name: String,
    /// The tables, in the order of the source.
    pub tables: Vec<Table>,
    /// The columns of all tables; the first one is `*`, which belongs to none.
    pub columns: Vec<Column>,
    /// Pairs of columns, the first of which is a foreign key for the second, or one of the columns of such a key.
    pub foreign_keys: Vec<(usize, usize)>,
    /// The keys of several columns: indices of `foreign_keys`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub composite_keys: Vec<Vec<usize>>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// The name in queries.
    pub name: String,
    /// The name in words, as a person would say it.
    pub words: String,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The table it belongs to; none for `*`.
    pub table: Option<usize>,
    /// The name in queries.
    pub name: String,
    /// The name in words, as a person would say it.
    pub words: String,
    /// What its values are.
    pub kind: ColumnKind,
    /// Whether it is (part of) its table's primary key.
    pub is_primary_key: bool,
}

/// What the values of a column are; the names are Spider's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// Texts.
    Text,
    /// Numbers.
    Number,
    /// Dates and times.
    Time,
    /// Truth values.
    Boolean,
    /// Anything else.
    Others,
}

/// Why a description of databases cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseSchemaError {
    /// The text is not JSON, or not of the shape of Spider's `tables.json`.
    #[error("expected a list of databases as in Spider's tables.json: {0}")]
    Json(#[from] serde_json::Error),
    /// An index that leads nowhere.
    #[error("database `{database}`: {what} names {kind} {index}, but there are only {count}")]
    Dangling {
        /// The database's name.
        database: String,
        /// What holds the index, such as `foreign key 3`.
        what: String,
        /// `column` or `table`.
        kind: &'static str,
        /// The index.
        index: i64,
        /// How many there are.
        count: usize,
    },
    /// Lists that should be parallel are not.
    #[error("database `{database}`: {found} {what}, but {expected} were expected")]
    Count {
        /// The database's name.
        database: String,
        /// What was counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
}

impl DatabaseSchema {
    /// Reads all databases of a text in the format of Spider's `tables.json`.
    ///
    /// # Errors
    ///
    /// When the text is not of that format, or an index in it leads nowhere.
    pub fn from_tables_json(
        text: &str,
    ) -> Result<IndexMap<String, DatabaseSchema>, DatabaseSchemaError> {
        let databases: Vec<SpiderDatabase> = serde_json::from_str(text)?;
        databases
            .into_iter()
            .map(|it| Ok((it.db_id.clone(), it.into_schema()?)))
            .collect()
    }

    /// The column that stands for a whole row.
    pub const STAR: usize = 0;

    /// The foreign keys in order, each with all of its pairs of columns.
    pub fn keys(&self) -> Vec<Vec<(usize, usize)>> {
        let composite = |index: usize| self.composite_keys.iter().find(|it| it.contains(&index));
        let pair = |index: &usize| self.foreign_keys.get(*index).copied();
        let key = |index: usize| match composite(index) {
            Some(key) if key[0] == index => Some(key.iter().filter_map(pair).collect()),
            Some(_) => None,
            None => Some(vec![self.foreign_keys[index]]),
        };
        (0..self.foreign_keys.len()).filter_map(key).collect()
    }

    /// The schema with some of its tables, their columns, and the keys between them.
    #[must_use]
    pub fn restricted_to(&self, tables: &BTreeSet<usize>) -> DatabaseSchema {
        let position = |table: usize| tables.iter().position(|&it| it == table);
        let is_kept = |column: &Column| column.table.is_none_or(|it| tables.contains(&it));
        let mut places = vec![None; self.columns.len()];
        let mut columns = Vec::new();
        for (index, column) in self.columns.iter().enumerate() {
            if is_kept(column) {
                places[index] = Some(columns.len());
                let table = column.table.and_then(position);
                columns.push(Column {
                    table,
                    ..column.clone()
                });
            }
        }
        let mut restricted = DatabaseSchema {
            name: self.name.clone(),
            tables: tables.iter().map(|&it| self.tables[it].clone()).collect(),
            columns,
            foreign_keys: Vec::new(),
            composite_keys: Vec::new(),
        };
        for key in self.keys() {
            let pair = |&(from, to): &(usize, usize)| Some((places[from]?, places[to]?));
            let Some(key) = key.iter().map(pair).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let start = restricted.foreign_keys.len();
            restricted.foreign_keys.extend(key);
            let own: Vec<usize> = (start..restricted.foreign_keys.len()).collect();
            if own.len() > 1 {
                restricted.composite_keys.push(own);
            }
        }
        restricted
    }

    /// Finds the keys of several columns where only pairs are told: those between the same two tables that together
    /// refer to the whole of a primary key of several columns.
    fn composite_keys(&self) -> Vec<Vec<usize>> {
        let tables = |index: usize| {
            let (from, to) = self.foreign_keys[index];
            (self.columns[from].table, self.columns[to].table)
        };
        let mut found: IndexMap<_, Vec<usize>> = IndexMap::new();
        for index in 0..self.foreign_keys.len() {
            found.entry(tables(index)).or_default().push(index);
        }
        let is_one_key = |(_, target): (Option<usize>, Option<usize>), key: &[usize]| {
            let is_primary = |it: &&Column| it.table == target && it.is_primary_key;
            let n_columns = self.columns.iter().filter(is_primary).count();
            let distinct = |column: fn((usize, usize)) -> usize| {
                let columns = key.iter().map(|&it| column(self.foreign_keys[it]));
                columns.collect::<BTreeSet<usize>>()
            };
            let (from, to) = (distinct(|it| it.0), distinct(|it| it.1));
            let is_whole = to.iter().all(|&it| self.columns[it].is_primary_key);
            n_columns > 1 && is_whole && [key.len(), from.len(), to.len()] == [n_columns; 3]
        };
        let found = found
            .into_iter()
            .filter(|(tables, key)| is_one_key(*tables, key));
        found.map(|(_, key)| key).collect()
    }

    /// The columns of a table, with their indices.
    pub fn columns_of(&self, table: usize) -> impl Iterator<Item = (usize, &Column)> {
        self.columns
            .iter()
            .enumerate()
            .filter(move |(_, column)| column.table == Some(table))
    }

    /// The index of the table called `name`, whatever its case.
    pub fn table_named(&self, name: &str) -> Option<usize> {
        self.tables
            .iter()
            .position(|table| table.name.eq_ignore_ascii_case(name))
    }

    /// The index of the column of `table` called `name`, whatever its case.
    pub fn column_named(&self, table: usize, name: &str) -> Option<usize> {
        self.columns_of(table)
            .find(|(_, column)| column.name.eq_ignore_ascii_case(name))
            .map(|(index, _)| index)
    }
}

/// One entry of `tables.json`.
#[derive(Deserialize)]
struct SpiderDatabase {
    db_id: String,
    table_names: Vec<String>,
    table_names_original: Vec<String>,
    column_names: Vec<(i64, String)>,
    column_names_original: Vec<(i64, String)>,
    column_types: Vec<ColumnKind>,
    primary_keys: Vec<PrimaryKey>,
    foreign_keys: Vec<(i64, i64)>,
}

/// Later releases of Spider write composite primary keys as lists.
#[derive(Deserialize)]
#[serde(untagged)]
enum PrimaryKey {
    Column(i64),
    Columns(Vec<i64>),
}

impl SpiderDatabase {
    fn into_schema(self) -> Result<DatabaseSchema, DatabaseSchemaError> {
        let n_tables = self.table_names_original.len();
        let n_columns = self.column_names_original.len();
        self.expect_count("readable table names", self.table_names.len(), n_tables)?;
        self.expect_count("readable column names", self.column_names.len(), n_columns)?;
        self.expect_count("column types", self.column_types.len(), n_columns)?;

        let tables = self
            .table_names_original
            .iter()
            .zip(&self.table_names)
            .map(|(name, words)| Table {
                name: name.clone(),
                words: words.clone(),
            })
            .collect();
        let mut columns = Vec::with_capacity(n_columns);
        for (index, (table, name)) in self.column_names_original.iter().enumerate() {
            let table = match *table {
                -1 => None,
                table => Some(self.index(table, n_tables, "table", || format!("column {index}"))?),
            };
            columns.push(Column {
                table,
                name: name.clone(),
                words: self.column_names[index].1.clone(),
                kind: self.column_types[index],
                is_primary_key: false,
            });
        }
        let keys = self.primary_keys.iter().flat_map(|key| match key {
            PrimaryKey::Column(column) => std::slice::from_ref(column),
            PrimaryKey::Columns(columns) => columns,
        });
        for (index, &column) in keys.enumerate() {
            let column = self.index(column, n_columns, "column", || {
                format!("primary key {index}")
            })?;
            columns[column].is_primary_key = true;
        }
        let mut foreign_keys = Vec::with_capacity(self.foreign_keys.len());
        for (index, &(from, to)) in self.foreign_keys.iter().enumerate() {
            let what = || format!("foreign key {index}");
            foreign_keys.push((
                self.index(from, n_columns, "column", what)?,
                self.index(to, n_columns, "column", what)?,
            ));
        }
        let mut schema = DatabaseSchema {
            name: self.db_id,
            tables,
            columns,
            foreign_keys,
            composite_keys: Vec::new(),
        };
        schema.composite_keys = schema.composite_keys();
        Ok(schema)
    }

    fn expect_count(
        &self,
        what: &'static str,
        found: usize,
        expected: usize,
    ) -> Result<(), DatabaseSchemaError> {
        if found == expected {
            return Ok(());
        }
        Err(DatabaseSchemaError::Count {
            database: self.db_id.clone(),
            what,
            found,
            expected,
        })
    }

    fn index(
        &self,
        index: i64,
        count: usize,
        kind: &'static str,
        what: impl Fn() -> String,
    ) -> Result<usize, DatabaseSchemaError> {
        usize::try_from(index)
            .ok()
            .filter(|&index| index < count)
            .ok_or_else(|| DatabaseSchemaError::Dangling {
                database: self.db_id.clone(),
                what: what(),
                kind,
                index,
                count,
            })
    }
}
