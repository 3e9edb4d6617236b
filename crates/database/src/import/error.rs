//! Why files cannot become a database.

use std::io;
use std::path::{Path, PathBuf};

use crate::DatabaseError;
use crate::query::message;

/// Why files cannot become a database.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There are no files.
    #[error("expected at least one file, found none")]
    Nothing,
    /// A file is missing or may not be read.
    #[error("cannot read `{path}`: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A directory where a file is needed.
    #[error("expected a file, but `{path}` is a directory")]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// The file holds something else.
    #[error("expected a SQLite database, CSV, TSV, JSON or JSON lines, but `{path}` is {found}")]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// More columns than a table may have.
    #[error("`{path}`: expected at most {limit} columns, as many as SQLite has, found {found}")]
    Columns {
        /// The file.
        path: PathBuf,
        /// How many there may be.
        limit: usize,
        /// How many there are, at least.
        found: usize,
    },
    /// A row that does not end.
    #[error(
        "`{path}`, line {line}: expected a row of at most {} MB, found a longer one; a closing quote \
         or brace may be missing",
        limit >> 20
    )]
    LongRow {
        /// The file.
        path: PathBuf,
        /// The line that the row begins in.
        line: u64,
        /// How many bytes a row may have.
        limit: usize,
    },
    /// What is not JSON, or not an object.
    #[error("`{path}`, line {line}, column {column}: {message}")]
    Json {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The column, in bytes.
        column: u64,
        /// What was found and what was expected.
        message: String,
    },
    /// Between the first and the second time that it was read.
    #[error("`{path}` was changed while it was read: {message}")]
    Changed {
        /// The file.
        path: PathBuf,
        /// What no longer fits.
        message: String,
    },
    /// The new database cannot be written.
    #[error("cannot write a temporary database: {0}")]
    Write(String),
    /// One of the files is a database that cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl ImportError {
    pub(super) fn read(path: &Path, source: io::Error) -> ImportError {
        ImportError::Read {
            path: path.to_owned(),
            source,
        }
    }

    pub(super) fn write(error: &rusqlite::Error) -> ImportError {
        ImportError::Write(message(error))
    }
}
