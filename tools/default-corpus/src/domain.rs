//! A database of the default corpus, ready to be asked about: its words, its values, its rows.

use std::collections::BTreeMap;

use patois_database::{Database, QueryError, QueryLimits, SqlValue};

use super::words::{ColumnWords, Entity, Words};

/// A database with its words and content.
pub(super) struct Domain {
    pub(super) name: &'static str,
    pub(super) words: Words,
    values: BTreeMap<(String, String), Vec<Value>>,
    database: Database,
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
    /// The other half of a name in two columns, as a literal of SQL.
    pub(super) surname: Option<String>,
}

/// What running a query showed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub(super) n_rows: usize,
    /// Whether some value is not null.
    pub(super) has_value: bool,
    /// Whether all there is is a zero, such as a count of nothing.
    pub(super) is_zero: bool,
}

impl Domain {
    /// Loads a database from its script and its words from their annotations.
    ///
    /// # Panics
    ///
    /// When the script does not run or the annotations do not fit it.
    pub(super) fn load(name: &'static str, script: &str, words: &str) -> Domain {
        let words = Words::parse(words).expect("annotations of the default corpus are well-formed");
        let database =
            Database::from_script(name, script).expect("scripts of the default corpus run");
        let mut values = BTreeMap::new();
        for entity in &words.entities {
            for column in &entity.columns {
                let found = distinct_values(&database, entity, column)
                    .expect("annotations name columns that exist");
                values.insert((entity.table.clone(), column.column.clone()), found);
            }
        }
        Domain {
            name,
            words,
            values,
            database,
        }
    }

    /// The distinct values of a column, in their order.
    pub(super) fn values(&self, entity: &Entity, column: &ColumnWords) -> &[Value] {
        let key = (entity.table.clone(), column.column.clone());
        self.values.get(&key).map_or(&[], Vec::as_slice)
    }

    /// What a query returns; nothing where it does not run.
    pub(super) fn run(&self, sql: &str) -> Option<Outcome> {
        let rows = self.database.query(sql, &QueryLimits::default()).ok()?.rows;
        let mut values = rows.iter().flatten();
        Some(Outcome {
            n_rows: rows.len(),
            has_value: values.any(|it| *it != SqlValue::Null),
            is_zero: matches!(rows.as_slice(), [row] if row[..] == [SqlValue::Integer(0)]),
        })
    }
}

fn distinct_values(
    database: &Database,
    entity: &Entity,
    column: &ColumnWords,
) -> Result<Vec<Value>, QueryError> {
    let also = column.surname.as_ref().map(|it| format!(", {it}"));
    let sql = format!(
        "SELECT DISTINCT {0}{2} FROM {1} WHERE {0} IS NOT NULL ORDER BY {0}",
        column.column,
        entity.table,
        also.unwrap_or_default()
    );
    let rows = database.query(&sql, &QueryLimits::default())?.rows;
    let row = |row: Vec<SqlValue>| {
        let mut cells = row.into_iter().filter_map(|it| value(it, column));
        let first = cells.next()?;
        Some(match cells.next() {
            Some(last) => first.with_surname(last),
            None => first,
        })
    };
    Ok(rows.into_iter().filter_map(row).collect())
}

impl Value {
    /// The name of which this is the first half.
    fn with_surname(self, last: Value) -> Value {
        Value {
            text: format!("{} {}", self.text, last.text),
            surname: Some(last.sql),
            ..self
        }
    }
}

fn value(value: SqlValue, column: &ColumnWords) -> Option<Value> {
    let (sql, text, number) = match value {
        SqlValue::Integer(it) => (it.to_string(), it.to_string(), Some(it as f64)),
        SqlValue::Real(it) => (it.to_string(), it.to_string(), Some(it)),
        SqlValue::Text(it) => (format!("'{}'", it.replace('\'', "''")), it, None),
        _ => return None,
    };
    let text = column.values.get(&text).cloned().unwrap_or(text);
    Some(Value {
        sql,
        text,
        number,
        surname: None,
    })
}
