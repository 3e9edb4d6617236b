//! Rows of cells, between commas or other marks.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use csv::{ByteRecord, Reader, ReaderBuilder};

use super::dialect::{Dialect, FirstRow, SAMPLE_BYTES, Sample};
use super::encoding::{self, text};
use super::{FileKind, ImportError, MAX_COLUMNS, MAX_ROW_BYTES, Rows, notes};

/// A file of cells.
pub(super) struct DelimitedRows {
    path: PathBuf,
    reader: Reader<Bounded>,
    record: ByteRecord,
    /// Whether the record was read but not yet handed on.
    is_ahead: bool,
    names: Vec<String>,
    long: Ragged,
    short: Ragged,
}

/// Rows that are longer or shorter than others.
#[derive(Clone, Copy, Debug, Default)]
struct Ragged {
    n_rows: u64,
    first_line: u64,
}

impl Ragged {
    fn see(&mut self, record: &ByteRecord) {
        if self.n_rows == 0 {
            self.first_line = record.position().map_or(0, csv::Position::line);
        }
        self.n_rows += 1;
    }
}

impl DelimitedRows {
    /// How the file at `path` is written.
    pub(super) fn dialect(path: &Path, kind: FileKind) -> Result<Dialect, ImportError> {
        let mut text = Vec::new();
        let reader = encoding::open(path)?;
        reader
            .take(SAMPLE_BYTES as u64)
            .read_to_end(&mut text)
            .map_err(|error| ImportError::read(path, error))?;
        let sample = Sample {
            text: &text,
            is_whole: text.len() < SAMPLE_BYTES,
        };
        Ok(Dialect::of(
            sample,
            (kind == FileKind::Tsv).then_some(b'\t'),
        ))
    }

    /// Opens a file, and reads the names of its columns.
    pub(super) fn open(path: &Path, dialect: Dialect) -> Result<DelimitedRows, ImportError> {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(dialect.delimiter)
            .quoting(dialect.has_quotes)
            .buffer_capacity(1 << 16)
            .from_reader(Bounded::new(encoding::open(path)?));
        let mut rows = DelimitedRows {
            path: path.to_owned(),
            reader,
            record: ByteRecord::new(),
            is_ahead: false,
            names: Vec::new(),
            long: Ragged::default(),
            short: Ragged::default(),
        };
        for _ in 0..dialect.n_titles {
            rows.read()?;
        }
        rows.read_names(dialect.first)?;
        Ok(rows)
    }

    fn read_names(&mut self, first: FirstRow) -> Result<(), ImportError> {
        self.read()?;
        let names = self.record.iter().map(text);
        self.names = match first {
            FirstRow::Names => names.collect(),
            FirstRow::NamesButOne => std::iter::once(String::new()).chain(names).collect(),
            FirstRow::Values { n_columns } => {
                self.is_ahead = !self.record.is_empty();
                let n_columns = n_columns.max(self.record.len());
                vec![String::new(); n_columns]
            }
        };
        let (found, limit) = (self.names.len(), MAX_COLUMNS);
        if found > limit {
            let path = self.path.clone();
            return Err(ImportError::Columns { path, limit, found });
        }
        Ok(())
    }

    /// Reads the next record; false at the end.
    fn read(&mut self) -> Result<bool, ImportError> {
        let line = self.reader.position().line();
        self.reader.get_mut().n_bytes = 0;
        self.reader
            .read_byte_record(&mut self.record)
            .map_err(|error| self.error(error, line))
    }

    fn error(&self, error: csv::Error, line: u64) -> ImportError {
        match error.into_kind() {
            csv::ErrorKind::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                ImportError::LongRow {
                    path: self.path.clone(),
                    line,
                    limit: MAX_ROW_BYTES,
                }
            }
            csv::ErrorKind::Io(error) => ImportError::read(&self.path, error),
            other => {
                let message = format!("{other:?}");
                ImportError::read(&self.path, io::Error::other(message))
            }
        }
    }
}

impl Rows for DelimitedRows {
    fn advance(&mut self) -> Result<bool, ImportError> {
        if !std::mem::take(&mut self.is_ahead) && !self.read()? {
            return Ok(false);
        }
        let (found, expected) = (self.record.len(), self.names.len());
        if found < expected {
            self.short.see(&self.record);
        } else if found > expected && self.record.iter().skip(expected).any(|it| !it.is_empty()) {
            self.long.see(&self.record);
        }
        Ok(true)
    }

    fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    fn n_columns(&self) -> usize {
        self.names.len()
    }

    fn cell(&self, column: usize) -> &[u8] {
        self.record.get(column).unwrap_or_default()
    }

    fn n_bytes(&self) -> u64 {
        self.reader.position().byte()
    }

    fn notes(&self) -> Vec<String> {
        let note = |rows: Ragged, what: &str| {
            let line = rows.first_line;
            let have = notes::counted(rows.n_rows, "row has", "rows have");
            (rows.n_rows > 0).then(|| format!("{have} {what}, first in line {line}"))
        };
        let long = "more cells than there are columns, and what is beyond is left out";
        let short = "fewer cells than there are columns, and what is missing is NULL";
        [note(self.long, long), note(self.short, short)]
            .into_iter()
            .flatten()
            .collect()
    }
}

/// A reader that fails where a row has been read for too long.
struct Bounded {
    input: Box<dyn Read>,
    /// How many bytes were read since the row began.
    n_bytes: usize,
}

impl Bounded {
    fn new(input: Box<dyn Read>) -> Bounded {
        Bounded { input, n_bytes: 0 }
    }
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.n_bytes > MAX_ROW_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let n_bytes = self.input.read(buffer)?;
        self.n_bytes += n_bytes;
        Ok(n_bytes)
    }
}
