//! A database that is open, and why it may not be.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::file::check_file;
use crate::query::message;
use crate::sandbox::{self, Guard};

/// A SQLite database, open for reading.
#[derive(Debug)]
pub struct Database {
    pub(super) origin: Origin,
    pub(super) connection: Connection,
    pub(super) guard: Arc<Guard>,
}

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// There is none of that name.
    #[error("there is no database called `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
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
        /// The database's file, or its name.
        database: String,
        /// The table, as far as it can be read.
        table: String,
    },
    /// Another program keeps the file for itself.
    #[error("{}", locked(path))]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// SQLite refuses the file or the script.
    #[error("database `{database}`: {message}")]
    Sqlite {
        /// The database's file, or its name.
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
        let origin = Origin {
            name: name.to_string_lossy().into_owned(),
            file: Some(path.to_owned()),
        };
        // An absolute path cannot be mistaken for a URI.
        let absolute = std::path::absolute(path).map_err(|source| DatabaseError::Read {
            path: path.to_owned(),
            source,
        })?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(absolute, flags);
        Database::confined(origin, connection)
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
        let origin = Origin {
            name: name.to_owned(),
            file: None,
        };
        Database::confined(origin, connection)
    }

    /// The name: of the file, or as given.
    pub fn name(&self) -> &str {
        &self.origin.name
    }

    fn confined(
        origin: Origin,
        connection: rusqlite::Result<Connection>,
    ) -> Result<Database, DatabaseError> {
        let confined = connection.and_then(|mut it| Ok((sandbox::confine(&mut it)?, it)));
        let (guard, connection) = confined.map_err(|error| origin.error(&error))?;
        let database = Database {
            origin,
            connection,
            guard,
        };
        database.check_encoding()?;
        Ok(database)
    }
}

/// Where a database comes from.
#[derive(Debug)]
pub(super) struct Origin {
    pub(super) name: String,
    file: Option<PathBuf>,
}

impl Origin {
    /// What SQLite's complaint is about.
    pub(super) fn error(&self, error: &rusqlite::Error) -> DatabaseError {
        match self.lock(error) {
            Some(path) => DatabaseError::Locked { path },
            None => DatabaseError::Sqlite {
                database: self.to_string(),
                message: message(error),
            },
        }
    }

    /// The file, where the complaint is that another program keeps it for itself.
    pub(super) fn lock(&self, error: &rusqlite::Error) -> Option<PathBuf> {
        let is_lock = error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy);
        self.file.clone().filter(|_| is_lock)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => file.display().fmt(f),
            None => self.name.fmt(f),
        }
    }
}

/// What to do about a file that another program keeps for itself.
pub(super) fn locked(path: &Path) -> String {
    format!(
        "database `{}` is locked: another program is writing to it; try again when it has finished, \
         or copy the file",
        path.display()
    )
}
