//! Copies of databases, with other names for their tables and columns.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::query::message;
use crate::statement::quoted;
use crate::{DatabaseError, Place, bound_memory};

/// What a table and its columns are called in a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The name of the table, and the new one.
    pub table: (String, String),
    /// Names of columns, each with the new one.
    pub columns: Vec<(String, String)>,
}

impl Place {
    /// Copies the database to a new file, in which tables and columns are called by other names; all that SQLite keeps
    /// about them follows.
    ///
    /// ```
    /// use patois_database::{Database, Names, Place, QueryLimits};
    ///
    /// let script = "CREATE TABLE employee(name TEXT); INSERT INTO employee VALUES ('Ada');";
    /// let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("short.sqlite");
    /// let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    /// let names = Names { table: pair("employee", "emp"), columns: vec![pair("name", "nm")] };
    /// Place::Script(script.to_owned()).copy(&file, &[names])?;
    /// let found = Database::open(&file)?.query("SELECT nm FROM emp", &QueryLimits::default())?;
    /// assert_eq!(found.rows.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the database cannot be read, the file cannot be written, or SQLite refuses a name.
    pub fn copy(&self, to: &Path, names: &[Names]) -> Result<(), DatabaseError> {
        bound_memory()?;
        let refused = |error: &rusqlite::Error| DatabaseError::Sqlite {
            database: to.display().to_string(),
            message: message(error),
        };
        if let Place::File(file) = self {
            copy_file(file, to)?;
        }
        let connection = Connection::open(to).map_err(|error| refused(&error))?;
        let renamed = match self {
            Place::Script(script) => connection.execute_batch(script),
            Place::File(_) => Ok(()),
        };
        let renamed = renamed.and_then(|()| rename(&connection, names));
        renamed.map_err(|error| refused(&error))
    }
}

/// Copies a file, and what was written last, which may stand in a file of its own.
fn copy_file(from: &Path, to: &Path) -> Result<(), DatabaseError> {
    let copy = |from: &Path, to: &Path| match fs::copy(from, to) {
        Ok(_) => Ok(()),
        Err(source) => Err(DatabaseError::Read {
            path: from.to_owned(),
            source,
        }),
    };
    copy(from, to)?;
    let log = |file: &Path| {
        let mut name = file.as_os_str().to_owned();
        name.push("-wal");
        PathBuf::from(name)
    };
    if log(from).exists() {
        copy(&log(from), &log(to))?;
    }
    Ok(())
}

/// Renames in two rounds, so that a name can pass from one column to another.
fn rename(connection: &Connection, names: &[Names]) -> rusqlite::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let mut script = String::from(
        "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = OFF; PRAGMA journal_mode = MEMORY; BEGIN;\n",
    );
    for (index, table) in names.iter().enumerate() {
        for (place, (from, _)) in table.columns.iter().enumerate() {
            script += &rename_column(&table.table.0, from, &passing(place));
        }
        script += &rename_table(&table.table.0, &passing(index));
    }
    for (index, table) in names.iter().enumerate() {
        script += &rename_table(&passing(index), &table.table.1);
        for (place, (_, to)) in table.columns.iter().enumerate() {
            script += &rename_column(&table.table.1, &passing(place), to);
        }
    }
    connection.execute_batch(&(script + "COMMIT;"))
}

/// A name that nothing has.
fn passing(index: usize) -> String {
    format!("patois passing name {index}")
}

fn rename_table(from: &str, to: &str) -> String {
    format!("ALTER TABLE {} RENAME TO {};\n", quoted(from), quoted(to))
}

fn rename_column(table: &str, from: &str, to: &str) -> String {
    let [table, from, to] = [table, from, to].map(quoted);
    format!("ALTER TABLE {table} RENAME COLUMN {from} TO {to};\n")
}
