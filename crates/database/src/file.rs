//! Files that are databases, and files that are not.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::DatabaseError;

/// What a database's file begins with.
pub(super) struct Header(Vec<u8>);

impl Header {
    /// Reads the header of the file at `path`, before SQLite does, whose messages say less.
    pub(super) fn read(path: &Path) -> Result<Header, DatabaseError> {
        let read = |source| DatabaseError::Read {
            path: path.to_owned(),
            source,
        };
        let not_a_database = |found| DatabaseError::NotADatabase {
            path: path.to_owned(),
            found,
        };
        let metadata = fs::metadata(path).map_err(read)?;
        if metadata.is_dir() {
            let path = path.to_owned();
            return Err(DatabaseError::Directory { path });
        }
        if !metadata.is_file() {
            return Err(not_a_database("not a file"));
        }
        let mut bytes = Vec::with_capacity(HEADER);
        let file = File::open(path).map_err(read)?;
        file.take(HEADER as u64)
            .read_to_end(&mut bytes)
            .map_err(read)?;
        if bytes.is_empty() {
            return Err(not_a_database("empty"));
        }
        if !bytes.starts_with(b"SQLite format 3\0") {
            return Err(not_a_database("something else"));
        }
        let header = Header(bytes);
        let (expected, found) = (header.expected_length(), metadata.len());
        // A journal may hold what is missing.
        let has_journal = length(&beside(path, "-journal")).is_some_and(|it| it > 0);
        if found < expected && !has_journal {
            let path = path.to_owned();
            return Err(DatabaseError::Truncated {
                path,
                expected,
                found,
            });
        }
        Ok(header)
    }

    /// Whether changes are written to a log first: the version for readers at offset 19 is 2.
    pub(super) fn has_log(&self) -> bool {
        self.0.get(19) == Some(&2)
    }

    /// The length of the whole file: page size (offset 16) times page count (offset 28), which counts
    /// only if the versions at offsets 24 and 92 are equal; see SQLite's file format.
    fn expected_length(&self) -> u64 {
        let number = |at: usize| -> Option<u64> {
            let bytes = self.0.get(at..at + 4)?.try_into().ok()?;
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
}

/// The length of a database file's header.
const HEADER: usize = 100;

/// The file that SQLite keeps beside that of a database; with nothing at the end, the file itself.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    // What is beside a link is beside what it leads to.
    let mut name = fs::canonicalize(path)
        .unwrap_or_else(|_| path.to_owned())
        .into_os_string();
    name.push(end);
    name.into()
}

/// How long a file is, where it is one.
pub(super) fn length(path: &Path) -> Option<u64> {
    let metadata = fs::metadata(path).ok()?;
    metadata.is_file().then_some(metadata.len())
}
