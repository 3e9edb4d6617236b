//! What a file holds: told by its beginning, then by its ending.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::ImportError;
use super::encoding::Encoding;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A SQLite database.
    Sqlite,
    /// Rows of cells, between commas or other marks.
    Csv,
    /// Rows of cells, between tabs.
    Tsv,
    /// Objects of JSON, one after the other or in one array.
    JsonLines,
}

/// How much of a file is looked at.
const BEGINNING: u64 = 4096;

/// What files begin with that people may take for tables.
const OTHERS: [(&[u8], &str); 8] = [
    (
        b"PK\x03\x04",
        "an archive or a workbook: save its sheets as CSV",
    ),
    (
        b"\xd0\xcf\x11\xe0",
        "a workbook of an old kind: save its sheets as CSV",
    ),
    (b"PAR1", "a Parquet file: write it as CSV or JSON lines"),
    (b"ARROW1", "an Arrow file: write it as CSV or JSON lines"),
    (b"\x1f\x8b", "compressed (gzip): unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed (zstd): unpack it first"),
    (b"BZh", "compressed (bzip2): unpack it first"),
    (b"%PDF", "a PDF document"),
];

/// What the file at `path` holds.
///
/// A SQLite database is told by its beginning; other files by their ending, `.csv`, `.tsv`, `.tab`, `.json`, `.jsonl` or
/// `.ndjson`; those of another ending by what they begin with.
///
/// ```
/// use patois_database::{FileKind, kind_of};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("pets.txt");
/// std::fs::write(&path, "name\tage\nRex\t3\n")?;
/// assert_eq!(kind_of(&path)?, FileKind::Tsv);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When there is no such file, it cannot be read, it is empty, or it is something else.
pub fn kind_of(path: &Path) -> Result<FileKind, ImportError> {
    let metadata = fs::metadata(path).map_err(|error| ImportError::read(path, error))?;
    let unknown = |found| ImportError::Unknown {
        path: path.to_owned(),
        found,
    };
    if metadata.is_dir() {
        return Err(ImportError::Directory {
            path: path.to_owned(),
        });
    }
    // It is read twice.
    if !metadata.is_file() {
        return Err(unknown("not a file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| ImportError::read(path, error))?;
    file.take(BEGINNING)
        .read_to_end(&mut bytes)
        .map_err(|error| ImportError::read(path, error))?;
    if bytes.starts_with(b"SQLite format 3\0") {
        return Ok(FileKind::Sqlite);
    }
    let mut others = OTHERS.iter();
    if let Some((_, found)) = others.find(|(beginning, _)| bytes.starts_with(beginning)) {
        return Err(unknown(found));
    }
    let encoding = Encoding::of(&bytes);
    let text = encoding.decoded(&bytes);
    if text.trim_ascii().is_empty() {
        return Err(unknown("empty"));
    }
    if is_binary(&text) {
        return Err(unknown("binary data"));
    }
    Ok(by_ending(path).unwrap_or_else(|| by_beginning(&text)))
}

fn by_ending(path: &Path) -> Option<FileKind> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "csv" => Some(FileKind::Csv),
        "tsv" | "tab" => Some(FileKind::Tsv),
        "json" | "jsonl" | "ndjson" => Some(FileKind::JsonLines),
        _ => None,
    }
}

fn by_beginning(text: &[u8]) -> FileKind {
    let line = text.split(|&it| it == b'\n').next().unwrap_or_default();
    let has = |mark: u8| line.contains(&mark);
    match text.trim_ascii_start() {
        [b'{' | b'[', ..] => FileKind::JsonLines,
        _ if has(b'\t') && !has(b',') => FileKind::Tsv,
        _ => FileKind::Csv,
    }
}

/// Whether more than a tenth of the bytes are none of a text.
fn is_binary(text: &[u8]) -> bool {
    let is_odd = |it: &&u8| **it < 0x20 && !matches!(**it, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    text.iter().filter(is_odd).count() * 10 > text.len()
}
