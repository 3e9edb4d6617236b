//! A database of the default corpus, ready to be asked about: its words, its values, its rows.

use std::collections::BTreeMap;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use patois_languages::sql::{Column, ColumnKind, DatabaseSchema, Table};

use super::words::{ColumnWords, Entity, Words};

/// A database with its words and content.
pub(super) struct Domain {
    pub(super) name: &'static str,
    pub(super) words: Words,
    values: BTreeMap<(String, String), Vec<Value>>,
    connection: Connection,
}

/// A value that occurs in a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    /// As a literal of SQL.
    pub(super) sql: String,
    /// As people write it.
    pub(super) text: String,
    /// Its place among numbers, where it is one.
    pub(super) number: Option<f64>,
}

impl Domain {
    /// Loads a database from its script and its words from their annotations.
    ///
    /// # Panics
    ///
    /// When the script does not run or the annotations do not fit it. Both are part of the program
    /// and covered by its tests.
    pub(super) fn load(name: &'static str, script: &str, words: &str) -> Domain {
        let words = Words::parse(words).expect("annotations of the default corpus are well-formed");
        let connection = Connection::open_in_memory().expect("SQLite opens databases in memory");
        connection
            .execute_batch(script)
            .expect("scripts of the default corpus run");
        let mut values = BTreeMap::new();
        for entity in &words.entities {
            for column in &entity.columns {
                let found = distinct_values(&connection, entity, column)
                    .expect("annotations name columns that exist");
                values.insert((entity.table.clone(), column.column.clone()), found);
            }
        }
        Domain {
            name,
            words,
            values,
            connection,
        }
    }

    /// The distinct values of a column, in their order.
    pub(super) fn values(&self, entity: &Entity, column: &ColumnWords) -> &[Value] {
        let key = (entity.table.clone(), column.column.clone());
        self.values.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The schema, as SQLite tells it.
    ///
    /// # Panics
    ///
    /// When SQLite does not know its own tables.
    pub(super) fn schema(&self) -> DatabaseSchema {
        read_schema(self.name, &self.connection).expect("SQLite describes its tables")
    }

    /// How many rows a query returns and whether any value in them is not null; nothing where it
    /// does not run.
    pub(super) fn run(&self, sql: &str) -> Option<Outcome> {
        let mut statement = self.connection.prepare(sql).ok()?;
        let n_columns = statement.column_count();
        let mut rows = statement.query([]).ok()?;
        let mut outcome = Outcome::default();
        while let Some(row) = rows.next().ok()? {
            outcome.n_rows += 1;
            outcome.has_value |= (0..n_columns)
                .any(|index| !matches!(row.get_ref(index), Ok(ValueRef::Null) | Err(_)));
            outcome.is_zero = matches!(row.get_ref(0), Ok(ValueRef::Integer(0)));
        }
        Some(outcome)
    }
}

/// What running a query showed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    pub(super) n_rows: usize,
    /// Whether some value is not null.
    pub(super) has_value: bool,
    /// Whether the last row starts with a zero, such as a count of nothing.
    pub(super) is_zero: bool,
}

fn distinct_values(
    connection: &Connection,
    entity: &Entity,
    column: &ColumnWords,
) -> rusqlite::Result<Vec<Value>> {
    let sql = format!(
        "SELECT DISTINCT {0} FROM {1} WHERE {0} IS NOT NULL ORDER BY {0}",
        column.column, entity.table
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([])?;
    let mut values = Vec::new();
    while let Some(row) = rows.next()? {
        let (sql, number) = match row.get_ref(0)? {
            ValueRef::Integer(it) => (it.to_string(), Some(it as f64)),
            ValueRef::Real(it) => (it.to_string(), Some(it)),
            ValueRef::Text(it) => (String::from_utf8_lossy(it).into_owned(), None),
            ValueRef::Null | ValueRef::Blob(_) => continue,
        };
        let text = column.values.get(&sql).unwrap_or(&sql).clone();
        let sql = match number {
            Some(_) => sql,
            None => format!("'{}'", sql.replace('\'', "''")),
        };
        values.push(Value { sql, text, number });
    }
    Ok(values)
}

fn read_schema(name: &str, connection: &Connection) -> rusqlite::Result<DatabaseSchema> {
    let mut schema = DatabaseSchema {
        name: name.into(),
        tables: Vec::new(),
        columns: vec![Column {
            table: None,
            name: "*".into(),
            words: "*".into(),
            kind: ColumnKind::Text,
            is_primary_key: false,
        }],
        foreign_keys: Vec::new(),
    };
    let mut statement =
        connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")?;
    let tables = statement.query_map([], |row| row.get(0))?;
    for table in tables {
        read_table(&mut schema, connection, table?)?;
    }
    for (index, table) in schema.tables.clone().iter().enumerate() {
        let mut statement =
            connection.prepare(&format!("PRAGMA foreign_key_list({})", table.name))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (to_table, from, to): (String, String, String) =
                (row.get(2)?, row.get(3)?, row.get(4)?);
            let target = schema.table_named(&to_table);
            let from = schema.column_named(index, &from);
            let to = target.and_then(|it| schema.column_named(it, &to));
            schema.foreign_keys.extend(from.zip(to));
        }
    }
    Ok(schema)
}

fn read_table(
    schema: &mut DatabaseSchema,
    connection: &Connection,
    name: String,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(&format!("PRAGMA table_info({name})"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let column: String = row.get(1)?;
        let kind: String = row.get(2)?;
        let key: i64 = row.get(5)?;
        schema.columns.push(Column {
            table: Some(schema.tables.len()),
            words: column.replace('_', " ").to_lowercase(),
            name: column,
            kind: match kind.as_str() {
                "INTEGER" | "REAL" => ColumnKind::Number,
                "DATE" => ColumnKind::Time,
                _ => ColumnKind::Text,
            },
            is_primary_key: key > 0,
        });
    }
    let words = name.replace('_', " ").to_lowercase();
    schema.tables.push(Table { name, words });
    Ok(())
}
