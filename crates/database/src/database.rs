//! A database that is open, and why it may not be.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, ErrorCode};
use tempfile::TempDir;

use crate::file::Header;
use crate::guard::{Allowance, Guard, Overrun};
use crate::opening::{self, Access, Opened, is_unfinished};
use crate::query::message;
use crate::{memory, sandbox};

/// A SQLite database, open for reading.
#[derive(Debug)]
pub struct Database {
    pub(super) origin: Origin,
    pub(super) connection: Connection,
    pub(super) guard: Arc<Guard>,
    /// The copy that the connection reads; it goes when the connection is closed.
    _copy: Option<TempDir>,
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
    /// The program that wrote to the file last did not finish.
    #[error("{}", unfinished(path))]
    Unfinished {
        /// The file.
        path: PathBuf,
    },
    /// It takes too much to be read.
    #[error("database `{database}`: reading its {what} takes {overrun}")]
    Costly {
        /// The database's file, or its name.
        database: String,
        /// What was read.
        what: &'static str,
        /// What it takes too much of.
        overrun: Overrun,
    },
    /// It has more tables and columns than can be dealt with.
    #[error("database `{database}` has {found} tables and columns, expected at most {limit}")]
    Large {
        /// The database's name.
        database: String,
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
    /// SQLite was in use before it could be told how much memory it may take.
    #[error(
        "SQLite was used before its memory could be bounded; call `patois_database::bound_memory` \
         at the beginning of the program"
    )]
    Unbounded,
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
        bound_memory()?;
        let header = Header::read(path)?;
        match Database::open_by(path, Access::of(path, &header)) {
            Err(DatabaseError::Unfinished { .. }) => Database::open_by(path, Access::Copied),
            other => other,
        }
    }

    /// Builds a database in memory from the statements of `script`, which may make tables and fill them and do
    /// nothing else.
    ///
    /// # Errors
    ///
    /// When SQLite cannot execute the script, or is not allowed to.
    pub fn from_script(name: &str, script: &str) -> Result<Database, DatabaseError> {
        bound_memory()?;
        let connection = Connection::open_in_memory().and_then(|mut connection| {
            sandbox::fill(&mut connection, script)?;
            Ok(connection)
        });
        let opened = Opened {
            connection,
            copy: None,
        };
        let origin = Origin {
            name: name.to_owned(),
            file: None,
        };
        Database::confined(origin, opened)
    }

    /// The name: of the file, or as given.
    pub fn name(&self) -> &str {
        &self.origin.name
    }

    /// Runs `action`, which reads `what` of the database, within an allowance.
    pub(super) fn within<T>(
        &self,
        allowance: &Allowance,
        what: &'static str,
        action: impl FnOnce() -> rusqlite::Result<T>,
    ) -> Result<T, DatabaseError> {
        self.guard.within(allowance, &self.connection, || {
            action().map_err(|error| match Overrun::of(&error, allowance, &self.guard) {
                Some(overrun) => DatabaseError::Costly {
                    database: self.origin.to_string(),
                    what,
                    overrun,
                },
                None => self.origin.error(&error),
            })
        })
    }

    fn open_by(path: &Path, access: Access) -> Result<Database, DatabaseError> {
        let name = path.file_stem().unwrap_or(path.as_os_str());
        let origin = Origin {
            name: name.to_string_lossy().into_owned(),
            file: Some(path.to_owned()),
        };
        Database::confined(origin, opening::open(path, access)?)
    }

    fn confined(origin: Origin, opened: Opened) -> Result<Database, DatabaseError> {
        let confined = opened
            .connection
            .and_then(|mut it| Ok((sandbox::confine(&mut it)?, it)));
        let (guard, connection) = confined.map_err(|error| origin.error(&error))?;
        let database = Database {
            origin,
            connection,
            guard,
            _copy: opened.copy,
        };
        let has_samples = database.check_definitions()?;
        sandbox::limit_queries(&database.connection, has_samples)
            .map_err(|error| database.origin.error(&error))?;
        Ok(database)
    }
}

/// Bounds what SQLite takes in this process from now on, for those databases that are opened here.
///
/// Opening the first one does so, too, unless SQLite was used before: a program that uses it by other
/// ways calls this first.
///
/// # Errors
///
/// When SQLite was used before.
pub fn bound_memory() -> Result<(), DatabaseError> {
    memory::install()
        .then_some(())
        .ok_or(DatabaseError::Unbounded)
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
        if let Some(path) = self.lock(error) {
            return DatabaseError::Locked { path };
        }
        if let Some(path) = self.unfinished(error) {
            return DatabaseError::Unfinished { path };
        }
        DatabaseError::Sqlite {
            database: self.to_string(),
            message: message(error),
        }
    }

    /// The file, where the complaint is that it must be mended before it can be read.
    pub(super) fn unfinished(&self, error: &rusqlite::Error) -> Option<PathBuf> {
        self.file.clone().filter(|_| is_unfinished(error))
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

/// What to do about a file that was left in the middle of a change.
pub(super) fn unfinished(path: &Path) -> String {
    let path = path.display();
    format!(
        "database `{path}` was left in the middle of a change, which `{path}-journal` or \
         `{path}-wal` completes or undoes: open it once with a program that may write to it, such as \
         `sqlite3`"
    )
}
