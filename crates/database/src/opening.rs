//! How a database's file is opened: nothing is written, and nothing is left beside it.
//!
//! A database with a write-ahead log (WAL) is read together with two files beside it, which SQLite
//! makes where they are missing, even for those who only read. A database whose last writer was
//! stopped in the middle of it must be mended before it can be read.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, ffi};
use tempfile::TempDir;

use crate::DatabaseError;
use crate::file::{Header, beside, length};

/// An open file.
pub(super) struct Opened {
    pub(super) connection: rusqlite::Result<Connection>,
    /// The folder of the copy that was opened instead.
    pub(super) copy: Option<TempDir>,
}

/// How a file can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// As it is, side by side with others.
    Shared,
    /// As a file that nobody writes to: there is no log, so nobody has it open.
    Immutable,
    /// As a copy, in which SQLite mends what was not finished.
    Copied,
}

impl Access {
    /// How the file at `path` can be read, by its header and what is beside it.
    pub(super) fn of(path: &Path, header: &Header) -> Access {
        let log = length(&beside(path, "-wal"));
        let has_index = length(&beside(path, "-shm")).is_some();
        if !header.has_log() || log.is_some() && has_index {
            Access::Shared
        } else if log.unwrap_or(0) <= LOG_HEADER {
            Access::Immutable
        } else {
            Access::Copied
        }
    }
}

/// A log that is no longer than this is empty.
const LOG_HEADER: u64 = 32;

/// What is copied has at most this many bytes.
const MAX_COPIED: u64 = 256 << 20;

/// Opens the file at `path`.
pub(super) fn open(path: &Path, access: Access) -> Result<Opened, DatabaseError> {
    let read = |source| DatabaseError::Read {
        path: path.to_owned(),
        source,
    };
    // An absolute path cannot be mistaken for a URI.
    let absolute = std::path::absolute(path).map_err(read)?;
    let reading = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match access {
        Access::Shared => Connection::open_with_flags(absolute, reading),
        Access::Immutable => {
            let flags = reading | OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(immutable(&absolute), flags)
        }
        Access::Copied => return copied(path),
    };
    Ok(Opened {
        connection,
        copy: None,
    })
}

/// The URI of a file that does not change.
fn immutable(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    if cfg!(windows) {
        uri.push('/');
    }
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b'.' | b'-' | b'_' => uri.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => uri.push(byte.into()),
            // Writing to a string cannot fail.
            _ => drop(write!(uri, "%{byte:02x}")),
        }
    }
    uri + "?immutable=1"
}

/// Opens a copy of the file, which SQLite may write to.
fn copied(path: &Path) -> Result<Opened, DatabaseError> {
    let read = |source| DatabaseError::Read {
        path: path.to_owned(),
        source,
    };
    // What undoes changes is copied before what is changed: undoing twice does no harm.
    let sources = ["-journal", "-wal", ""].map(|end| beside(path, end));
    let n_bytes: u64 = sources.iter().filter_map(|it| length(it)).sum();
    if n_bytes > MAX_COPIED {
        let path = path.to_owned();
        return Err(DatabaseError::Unfinished { path });
    }
    let folder = tempfile::tempdir().map_err(read)?;
    let copy = folder.path().join("copy.sqlite");
    let before = stamps(&sources);
    for (source, end) in sources.iter().zip(["-journal", "-wal", ""]) {
        match fs::copy(source, beside(&copy, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(read(error)),
            _ => {}
        }
    }
    if stamps(&sources) != before {
        let path = path.to_owned();
        return Err(DatabaseError::Locked { path });
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(copy, flags).and_then(|connection| {
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        Ok(connection)
    });
    Ok(Opened {
        connection,
        copy: Some(folder),
    })
}

/// What tells whether files have changed.
fn stamps(files: &[PathBuf]) -> Vec<Option<(u64, Option<SystemTime>)>> {
    let stamp = |file: &PathBuf| {
        let metadata = fs::metadata(file).ok()?;
        Some((metadata.len(), metadata.modified().ok()))
    };
    files.iter().map(stamp).collect()
}

/// Whether SQLite would have to mend the file before it can be read.
pub(super) fn is_unfinished(error: &rusqlite::Error) -> bool {
    let codes = [
        ffi::SQLITE_READONLY_ROLLBACK,
        ffi::SQLITE_READONLY_RECOVERY,
        ffi::SQLITE_READONLY_CANTINIT,
        ffi::SQLITE_READONLY_CANTLOCK,
        ffi::SQLITE_CANTOPEN,
    ];
    error
        .sqlite_error()
        .is_some_and(|it| codes.contains(&it.extended_code))
}
