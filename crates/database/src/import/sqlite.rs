//! Tables and views of other databases.
//!
//! They are read in the sandbox, as any database is, and definitions are written anew: nothing of a file is run but the
//! statements that make its views.

use std::path::Path;

use indexmap::IndexMap;
use patois_languages::sql::DatabaseSchema;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, PrepFlags, Statement};

use super::budget::{Budget, Cut};
use super::names::{listed, table_name};
use super::table::insertion;
use super::{ImportError, Importer};
use crate::guard::{Allowance, Overrun};
use crate::program::longest_value;
use crate::scan::{ScanLimits, selection};
use crate::statement::{only_statement, quoted};
use crate::{Database, DatabaseError, QueryLimits, SqlValue, memory};

/// How many bytes a value may have that is copied.
const MAX_VALUE: usize = 4 << 20;

/// How many bytes SQLite may take to copy a table, with what it holds of the new one.
const MEMORY: usize = 192 << 20;

/// A table that was copied.
struct Copied {
    n_rows: u64,
    n_bytes: u64,
    cut: Option<Cut>,
}

impl Importer {
    /// Copies the tables and views of the database at `path`.
    pub(super) fn add_database(&mut self, path: &Path) -> Result<(), ImportError> {
        let database = Database::open(path)?;
        let schema = database.schema()?.schema;
        let views = views(&database);
        self.note_virtual_tables(path, &database);
        let names: Vec<Option<String>> = schema
            .tables
            .iter()
            .map(|it| (!views.contains_key(&it.name)).then(|| self.name_of(path, &it.name)))
            .collect();
        let source = Source {
            database: &database,
            schema: &schema,
            names: &names,
        };
        for (table, name) in names.iter().enumerate() {
            if let Some(name) = name {
                self.add_copy(path, &source, table, name)?;
            }
        }
        let is_renamed = |(name, table): (&Option<String>, &patois_languages::sql::Table)| {
            name.as_ref().is_some_and(|it| *it != table.name)
        };
        let are_renamed = names.iter().zip(&schema.tables).any(is_renamed);
        self.add_views(path, &views, are_renamed);
        Ok(())
    }

    fn name_of(&mut self, path: &Path, table: &str) -> String {
        if !self.names.has(table) {
            return self.names.take(table);
        }
        let name = self.names.take(&format!("{}_{table}", table_name(path)));
        self.note(
            path,
            &format!("`{table}` is called `{name}`: there is another one"),
        );
        name
    }

    fn note_virtual_tables(&mut self, path: &Path, database: &Database) {
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage = 0";
        let found = database.query(sql, &QueryLimits::default());
        let rows = found.map(|it| it.rows).unwrap_or_default();
        let names: Vec<String> = rows.iter().flatten().map(SqlValue::to_string).collect();
        if !names.is_empty() {
            let names = listed(names.iter().map(String::as_str));
            self.note(path, &format!("virtual tables are left out: {names}"));
        }
    }

    fn add_copy(
        &mut self,
        path: &Path,
        source: &Source<'_>,
        table: usize,
        name: &str,
    ) -> Result<(), ImportError> {
        let definition = source.definition(table, name)?;
        let columns = definition.columns;
        self.connection
            .execute_batch(&definition.sql)
            .map_err(|error| ImportError::write(&error))?;
        let copied = source.copy(table, &columns, &self.connection, name, &self.budget)?;
        let Some(copied) = copied else {
            self.note(
                path,
                &format!("`{name}` is empty: what it computes is not known"),
            );
            self.add_table(path, name, 0, None);
            return Ok(());
        };
        if source.has_long_values(table, &columns) {
            let limit = MAX_VALUE >> 20;
            self.note(
                path,
                &format!("values of `{name}` of more than {limit} MB are left out"),
            );
        }
        self.budget.n_bytes = self.budget.n_bytes.saturating_sub(copied.n_bytes);
        self.add_table(path, name, copied.n_rows, copied.cut);
        Ok(())
    }

    fn add_views(&mut self, path: &Path, views: &IndexMap<String, String>, are_renamed: bool) {
        for (name, sql) in views {
            let is_view = sql
                .get(.."CREATE VIEW ".len())
                .is_some_and(|it| it.eq_ignore_ascii_case("CREATE VIEW "));
            let is_one = is_view && only_statement(sql).is_ok();
            let reason = if are_renamed {
                Some("tables have other names here")
            } else if self.names.has(name) {
                Some("there is something else of that name")
            } else if !is_one || self.connection.execute(sql, []).is_err() {
                Some("SQLite does not take it")
            } else {
                None
            };
            match reason {
                Some(reason) => self.note(path, &format!("view `{name}` is left out: {reason}")),
                None => self.views.push((path.to_owned(), self.names.take(name))),
            }
        }
    }

    /// Leaves out the views that cannot be asked.
    pub(super) fn check_views(&mut self, database: &Database) -> Result<(), ImportError> {
        let schema = database.schema()?.schema;
        for (path, name) in std::mem::take(&mut self.views) {
            if schema.table_named(&name).is_some() {
                continue;
            }
            let sql = format!("DROP VIEW IF EXISTS {}", quoted(&name));
            self.connection
                .execute_batch(&sql)
                .map_err(|error| ImportError::write(&error))?;
            self.note(
                &path,
                &format!("view `{name}` is left out: it cannot be asked"),
            );
        }
        Ok(())
    }
}

/// The views of a database, each with the statement that makes it.
fn views(database: &Database) -> IndexMap<String, String> {
    let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'view' ORDER BY rowid";
    let found = database.query(sql, &QueryLimits::default());
    let rows = found.map(|it| it.rows).unwrap_or_default();
    let view = |row: Vec<SqlValue>| match <[SqlValue; 2]>::try_from(row) {
        Ok([SqlValue::Text(name), SqlValue::Text(sql)]) => Some((name, sql)),
        _ => None,
    };
    rows.into_iter().filter_map(view).collect()
}

/// A database that is copied.
struct Source<'d> {
    database: &'d Database,
    schema: &'d DatabaseSchema,
    /// What its tables are called in the copy; views have no name yet.
    names: &'d [Option<String>],
}

/// How a table is made.
struct Definition {
    sql: String,
    columns: Vec<String>,
}

impl Source<'_> {
    /// How the copy of a table is made: its columns, and its keys.
    fn definition(&self, table: usize, name: &str) -> Result<Definition, DatabaseError> {
        let original = &self.schema.tables[table].name;
        let columns = self.database.declared_columns(original)?;
        let mut parts: Vec<String> = columns
            .iter()
            .map(|(name, declared, _)| format!("{} {}", quoted(name), plain_type(declared)))
            .collect();
        let mut key: Vec<(i64, String)> = columns
            .iter()
            .filter(|it| it.2 > 0)
            .map(|it| (it.2, quoted(&it.0)))
            .collect();
        key.sort_unstable();
        if !key.is_empty() {
            let key: Vec<String> = key.into_iter().map(|it| it.1).collect();
            parts.push(format!("PRIMARY KEY ({})", key.join(", ")));
        }
        parts.extend(self.foreign_keys(table));
        Ok(Definition {
            sql: format!("CREATE TABLE {}({})", quoted(name), parts.join(", ")),
            columns: columns.into_iter().map(|it| it.0).collect(),
        })
    }

    fn foreign_keys(&self, table: usize) -> Vec<String> {
        let composite = &self.schema.composite_keys;
        let is_alone = |index: &usize| !composite.iter().any(|it| it.contains(index));
        let alone = (0..self.schema.foreign_keys.len()).filter(is_alone);
        let keys = alone.map(|it| vec![it]).chain(composite.iter().cloned());
        keys.filter_map(|key| self.foreign_key(table, &key))
            .collect()
    }

    /// A foreign key of a table, by its pairs of columns; none where it is another table's.
    fn foreign_key(&self, table: usize, pairs: &[usize]) -> Option<String> {
        let pairs: Vec<(usize, usize)> = pairs
            .iter()
            .map(|&it| self.schema.foreign_keys[it])
            .collect();
        let column = |index: usize| &self.schema.columns[index];
        let &(from, to) = pairs.first()?;
        let target = self.names[column(to).table?].as_ref()?;
        let names = |indices: Vec<usize>| {
            let names: Vec<String> = indices.iter().map(|&it| quoted(&column(it).name)).collect();
            names.join(", ")
        };
        (column(from).table == Some(table)).then(|| {
            let from = names(pairs.iter().map(|it| it.0).collect());
            let to = names(pairs.iter().map(|it| it.1).collect());
            format!("FOREIGN KEY ({from}) REFERENCES {}({to})", quoted(target))
        })
    }

    /// Copies the rows of a table; none where its columns are computed by what nobody knows.
    fn copy(
        &self,
        table: usize,
        columns: &[String],
        connection: &Connection,
        name: &str,
        budget: &Budget,
    ) -> Result<Option<Copied>, ImportError> {
        let allowance = Allowance {
            time: budget.time_left(),
            n_steps: u64::MAX,
            n_bytes: MEMORY,
        };
        let mut copied = Copied {
            n_rows: 0,
            n_bytes: 0,
            cut: None,
        };
        let copy = || {
            let mut insert = connection.prepare(&insertion(name, columns.len()))?;
            self.copy_rows(table, columns, &mut insert, &mut copied, budget)
        };
        match self.database.within(&allowance, "values", copy) {
            Ok(is_known) => Ok(is_known.then_some(copied)),
            Err(DatabaseError::Costly {
                overrun: Overrun::Time(_),
                ..
            }) => {
                copied.cut = Some(Cut::Time);
                Ok(Some(copied))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn copy_rows(
        &self,
        table: usize,
        columns: &[String],
        insert: &mut Statement<'_>,
        copied: &mut Copied,
        budget: &Budget,
    ) -> rusqlite::Result<bool> {
        let sql = self.selection(table, columns, budget);
        let source = &self.database.connection;
        let mut statement = source.prepare_with_flags(&sql, PrepFlags::SQLITE_PREPARE_NO_VTAB)?;
        let Ok(length) = longest_value(source, &sql)? else {
            return Ok(false);
        };
        self.database.with_longest_value(length, || {
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                copied.cut = budget.cut(copied.n_rows, copied.n_bytes);
                if copied.cut.is_some() {
                    break;
                }
                for column in 0..columns.len() {
                    let value = memory::unrefused(|| row.get_ref(column))?;
                    copied.n_bytes += n_bytes(value);
                    insert.raw_bind_parameter(column + 1, ToSqlOutput::Borrowed(value))?;
                }
                insert.raw_execute()?;
                copied.n_rows += 1;
            }
            Ok(true)
        })?
    }

    fn selection(&self, table: usize, columns: &[String], budget: &Budget) -> String {
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let n_rows = usize::try_from(budget.n_rows).unwrap_or(usize::MAX);
        let limits = ScanLimits {
            // One more tells that there are more.
            n_rows: n_rows.saturating_add(1).min(i64::MAX as usize),
            n_value_bytes: MAX_VALUE,
            ..ScanLimits::default()
        };
        selection(&self.schema.tables[table].name, &columns, &limits)
    }

    fn has_long_values(&self, table: usize, columns: &[String]) -> bool {
        let is_long = |name: &String| format!("octet_length({}) > {}", quoted(name), 2 * MAX_VALUE);
        // Not more than an expression may have parts.
        let conditions: Vec<String> = columns.iter().take(100).map(is_long).collect();
        let table = quoted(&self.schema.tables[table].name);
        let conditions = conditions.join(" OR ");
        let sql = format!("SELECT 1 FROM {table} WHERE {conditions} LIMIT 1");
        let found = self.database.query(&sql, &QueryLimits::default());
        found.is_ok_and(|it| !it.rows.is_empty())
    }
}

/// What a value counts for.
fn n_bytes(value: ValueRef<'_>) -> u64 {
    match value {
        ValueRef::Text(it) | ValueRef::Blob(it) => it.len() as u64,
        ValueRef::Null => 1,
        ValueRef::Integer(_) | ValueRef::Real(_) => 8,
    }
}

/// A declared type, where it is words and numbers.
fn plain_type(declared: &str) -> &str {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, ' ' | '(' | ')' | ',');
    let is_word = declared.starts_with(|it: char| it.is_ascii_alphabetic());
    // SQLite makes an integer of whatever is in such a column.
    let is_safe = is_word && declared.chars().all(is_plain);
    if is_safe { declared } else { "" }
}
