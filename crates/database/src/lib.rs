//! SQLite databases that can be asked, but not changed.
//!
//! A query that a model wrote may be anything. It is run on a connection that is read-only, with
//! an authorizer that lets through nothing but reading, limits on what a statement may hold, and a
//! deadline. [`Database::query`] therefore returns rows or an error, in bounded time and space,
//! whatever it is given.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};

mod databases;
mod query;
mod sandbox;
mod scan;
mod schema;

pub use databases::Databases;
pub use query::{Completeness, QueryError, QueryLimits, Rows, SqlValue};
pub use rusqlite::types::ValueRef;
pub use schema::{DanglingForeignKey, LiveSchema};

use sandbox::Guard;

/// A SQLite database, open for reading.
///
/// ```
/// use patois_database::{Database, QueryLimits, SqlValue};
///
/// let script = "CREATE TABLE pet(name TEXT); INSERT INTO pet VALUES ('Rex');";
/// let pets = Database::from_script("pets", script)?;
/// let rows = pets.query("SELECT name FROM pet", &QueryLimits::default())?;
/// assert_eq!(rows.rows, [[SqlValue::Text("Rex".to_owned())]]);
/// assert!(pets.query("DELETE FROM pet", &QueryLimits::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Database {
    name: String,
    connection: Connection,
    guard: Arc<Guard>,
}

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file is missing or may not be read.
    #[error("cannot read database `{path}`: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A directory where a file is needed.
    #[error("expected a SQLite database, but `{path}` is a directory")]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// The file holds something else.
    #[error("expected a SQLite database, but `{path}` is {found}")]
    NotADatabase {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// The file is shorter than it says.
    #[error("database `{path}` is truncated: expected {expected} bytes, found {found}")]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The length that its header tells.
        expected: u64,
        /// Its length.
        found: u64,
    },
    /// A name of a table or column that is not valid UTF-8.
    #[error("database `{database}`: the definition of `{table}` is not valid UTF-8")]
    Encoding {
        /// The database's name.
        database: String,
        /// The table, as far as it can be read.
        table: String,
    },
    /// SQLite refuses the file or the script.
    #[error("database `{database}`: {message}")]
    Sqlite {
        /// The database's name.
        database: String,
        /// What SQLite says.
        message: String,
    },
}

impl Database {
    /// Opens the file at `path`; its name without extension becomes the database's name.
    ///
    /// # Errors
    ///
    /// When there is no such file, it cannot be read, or it is not a whole SQLite database.
    pub fn open(path: &Path) -> Result<Database, DatabaseError> {
        check_file(path)?;
        let name = path.file_stem().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy().into_owned();
        // An absolute path cannot be mistaken for a URI.
        let absolute = std::path::absolute(path).map_err(|source| DatabaseError::Read {
            path: path.to_owned(),
            source,
        })?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        match Connection::open_with_flags(absolute, flags) {
            Ok(connection) => Database::confined(name, connection),
            Err(error) => Err(from_sqlite(&name, &error)),
        }
    }

    /// Builds a database in memory from the statements of `script`, which is trusted.
    ///
    /// # Errors
    ///
    /// When SQLite cannot execute the script.
    pub fn from_script(name: &str, script: &str) -> Result<Database, DatabaseError> {
        let connection = Connection::open_in_memory().and_then(|connection| {
            connection.execute_batch(script)?;
            Ok(connection)
        });
        let name = name.to_owned();
        match connection {
            Ok(connection) => Database::confined(name, connection),
            Err(error) => Err(from_sqlite(&name, &error)),
        }
    }

    /// The name: of the file, or as given.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn confined(name: String, mut connection: Connection) -> Result<Database, DatabaseError> {
        let guard = sandbox::confine(&mut connection);
        let guard = guard.map_err(|error| from_sqlite(&name, &error))?;
        let database = Database {
            name,
            connection,
            guard,
        };
        database.check_encoding()?;
        Ok(database)
    }
}

fn from_sqlite(database: &str, error: &rusqlite::Error) -> DatabaseError {
    DatabaseError::Sqlite {
        database: database.to_owned(),
        message: query::message(error),
    }
}

/// Looks at the file before SQLite does, whose messages say less.
fn check_file(path: &Path) -> Result<(), DatabaseError> {
    let read = |source| DatabaseError::Read {
        path: path.to_owned(),
        source,
    };
    let not_a_database = |found| DatabaseError::NotADatabase {
        path: path.to_owned(),
        found,
    };
    let metadata = std::fs::metadata(path).map_err(read)?;
    if metadata.is_dir() {
        let path = path.to_owned();
        return Err(DatabaseError::Directory { path });
    }
    if !metadata.is_file() {
        return Err(not_a_database("not a file"));
    }
    let mut header = Vec::with_capacity(HEADER);
    let file = File::open(path).map_err(read)?;
    file.take(HEADER as u64)
        .read_to_end(&mut header)
        .map_err(read)?;
    if header.is_empty() {
        return Err(not_a_database("empty"));
    }
    if !header.starts_with(b"SQLite format 3\0") {
        return Err(not_a_database("something else"));
    }
    let found = metadata.len();
    let expected = expected_length(&header);
    if found < expected {
        let path = path.to_owned();
        return Err(DatabaseError::Truncated {
            path,
            expected,
            found,
        });
    }
    Ok(())
}

/// The length of a database file's header.
const HEADER: usize = 100;

/// The length of the whole file by its header: page size (offset 16) times page count (offset 28),
/// which counts only if the versions at offsets 24 and 92 are equal; see SQLite's file format.
fn expected_length(header: &[u8]) -> u64 {
    let number = |at: usize| -> Option<u64> {
        let bytes = header.get(at..at + 4)?.try_into().ok()?;
        Some(u64::from(u32::from_be_bytes(bytes)))
    };
    let lengths = || {
        let page_size = match number(16)? >> 16 {
            1 => 1 << 16,
            size => size,
        };
        let is_counted = number(24)? == number(92)?;
        Some(if is_counted {
            page_size * number(28)?
        } else {
            page_size
        })
    };
    lengths().unwrap_or(HEADER as u64)
}

#[cfg(test)]
mod tests;
