//! Files that are databases, and files that are not.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::DatabaseError;

/// Looks at the file before SQLite does, whose messages say less.
pub(super) fn check_file(path: &Path) -> Result<(), DatabaseError> {
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
