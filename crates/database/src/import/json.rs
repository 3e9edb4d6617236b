//! Rows of objects of JSON: one after the other, as in JSON lines, or in one array.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use indexmap::IndexSet;
use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::encoding::{self, Repairs, clean};
use super::{ImportError, MAX_COLUMNS, MAX_ROW_BYTES, Rows, notes};

/// A file of objects. Each path through objects is a column: `{"a": {"b": 1}}` has `a_b`.
pub(super) struct JsonRows {
    path: PathBuf,
    input: BufReader<Box<dyn Read>>,
    place: Place,
    layout: Layout,
    /// The object at hand.
    object: Vec<u8>,
    row: Row,
    n_windows: u64,
}

/// How objects stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Nothing was read yet.
    Unknown,
    /// One after the other.
    Lines,
    /// In an array, before the first or after a comma.
    ArrayBefore,
    /// In an array, after an object.
    ArrayAfter,
}

/// The next byte of a file.
#[derive(Clone, Copy, Debug)]
struct Place {
    line: u64,
    column: u64,
    n_bytes: u64,
}

impl Place {
    fn pass(&mut self, bytes: &[u8]) {
        self.n_bytes += bytes.len() as u64;
        for (index, line) in bytes.split(|&it| it == b'\n').enumerate() {
            if index > 0 {
                self.line += 1;
                self.column = 1;
            }
            self.column += line.len() as u64;
        }
    }
}

impl JsonRows {
    pub(super) fn open(path: &Path) -> Result<JsonRows, ImportError> {
        Ok(JsonRows {
            path: path.to_owned(),
            input: BufReader::with_capacity(1 << 16, encoding::open(path)?),
            place: Place {
                line: 1,
                column: 1,
                n_bytes: 0,
            },
            layout: Layout::Unknown,
            object: Vec::new(),
            row: Row::default(),
            n_windows: 0,
        })
    }

    /// Reads up to where the next object begins; false where there is none.
    fn find_object(&mut self) -> Result<bool, ImportError> {
        loop {
            let next = self.next_byte()?;
            let (layout, is_found) = match (self.layout, next) {
                (_, Some(blank)) if blank.is_ascii_whitespace() => (self.layout, false),
                (Layout::Unknown, Some(b'[')) | (Layout::ArrayAfter, Some(b',')) => {
                    (Layout::ArrayBefore, false)
                }
                (Layout::Unknown | Layout::Lines, Some(b'{')) => (Layout::Lines, true),
                (Layout::ArrayBefore, Some(b'{')) => (Layout::ArrayAfter, true),
                (Layout::Unknown | Layout::Lines, None)
                | (Layout::ArrayAfter | Layout::ArrayBefore, Some(b']')) => return Ok(false),
                (layout, next) => return Err(self.unexpected(layout, next)),
            };
            self.layout = layout;
            if is_found {
                return Ok(true);
            }
            self.input.consume(1);
            self.place.pass(&[next.unwrap_or_default()]);
        }
    }

    fn next_byte(&mut self) -> Result<Option<u8>, ImportError> {
        let bytes = self.input.fill_buf();
        let bytes = bytes.map_err(|error| ImportError::read(&self.path, error))?;
        Ok(bytes.first().copied())
    }

    fn unexpected(&self, layout: Layout, found: Option<u8>) -> ImportError {
        let expected = match layout {
            Layout::Unknown => "an object or an array of objects",
            Layout::Lines => "an object",
            Layout::ArrayBefore => "an object in the array",
            Layout::ArrayAfter => "`,` or `]`",
        };
        let found = match found {
            None => "the end of the file".to_owned(),
            Some(byte) => format!("`{}`", char::from(byte).escape_default()),
        };
        self.error(self.place, format!("expected {expected}, found {found}"))
    }

    fn error(&self, place: Place, message: String) -> ImportError {
        ImportError::Json {
            path: self.path.clone(),
            line: place.line,
            column: place.column,
            message,
        }
    }

    /// Reads the bytes of one object, as far as its braces tell.
    fn read_object(&mut self) -> Result<(), ImportError> {
        self.object.clear();
        let mut braces = Braces::default();
        while self.object.len() <= MAX_ROW_BYTES {
            let bytes = self.input.fill_buf();
            let bytes = bytes.map_err(|error| ImportError::read(&self.path, error))?;
            let end = braces.end(bytes);
            let n_bytes = end.unwrap_or(bytes.len());
            self.object.extend_from_slice(&bytes[..n_bytes]);
            let is_end = end.is_some() || bytes.is_empty();
            self.input.consume(n_bytes);
            if is_end {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Takes the cells of the object at hand.
    fn parse(&mut self) -> Result<(), ImportError> {
        let begin = self.place;
        self.place.pass(&self.object);
        let mut repairs = Repairs::default();
        let is_utf8 = std::str::from_utf8(&self.object).is_ok();
        if !is_utf8 {
            self.object = clean(&self.object, &mut repairs).into_owned();
            self.n_windows += repairs.n_windows;
        }
        self.row.clear();
        let mut deserializer = serde_json::Deserializer::from_slice(&self.object);
        let result = Node(&mut self.row).deserialize(&mut deserializer);
        if let Err(error) = result {
            if error.is_eof() && self.object.len() > MAX_ROW_BYTES {
                return Err(ImportError::LongRow {
                    path: self.path.clone(),
                    line: begin.line,
                    limit: MAX_ROW_BYTES,
                });
            }
            return Err(self.syntax(begin, &error));
        }
        let (found, limit) = (self.row.paths.len(), MAX_COLUMNS);
        if found > limit {
            let path = self.path.clone();
            return Err(ImportError::Columns { path, limit, found });
        }
        Ok(())
    }

    /// Where serde's complaint is about, which counts from the beginning of the object.
    fn syntax(&self, begin: Place, error: &serde_json::Error) -> ImportError {
        let (line, column) = (error.line() as u64, error.column() as u64);
        let mut place = begin;
        place.line += line.saturating_sub(1);
        place.column = if line > 1 {
            column
        } else {
            begin.column + column.saturating_sub(1)
        };
        let message = error.to_string();
        let end = message.rfind(" at line ").unwrap_or(message.len());
        self.error(place, format!("expected JSON: {}", &message[..end]))
    }
}

impl Rows for JsonRows {
    fn advance(&mut self) -> Result<bool, ImportError> {
        if !self.find_object()? {
            return Ok(false);
        }
        self.read_object()?;
        self.parse()?;
        Ok(true)
    }

    fn names(&self) -> Vec<&str> {
        self.row.paths.iter().map(String::as_str).collect()
    }

    fn n_columns(&self) -> usize {
        self.row.paths.len()
    }

    fn cell(&self, column: usize) -> &[u8] {
        let range = self.row.cells.get(column).cloned();
        range.map_or(&[], |it| &self.row.texts[it])
    }

    fn n_bytes(&self) -> u64 {
        self.place.n_bytes
    }

    fn notes(&self) -> Vec<String> {
        let objects = notes::counted(self.n_windows, "object", "objects");
        let note = format!("{objects} not in UTF-8, read as Windows-1252");
        (self.n_windows > 0).then_some(note).into_iter().collect()
    }
}

/// How deep one is in an object.
#[derive(Default)]
struct Braces {
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
}

impl Braces {
    /// Where the object ends in the next bytes, if it does.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        for (index, byte) in bytes.iter().enumerate() {
            if self.is_in_string {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.is_in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.is_in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' if self.depth <= 1 => return Some(index + 1),
                b'}' | b']' => self.depth -= 1,
                _ => {}
            }
        }
        None
    }
}

/// The cells of an object, one for each path of all objects so far.
#[derive(Default)]
struct Row {
    paths: IndexSet<String>,
    /// Where the text of each path is; empty where there is none.
    cells: Vec<Range<usize>>,
    texts: Vec<u8>,
    /// The path of the value that is read.
    path: String,
}

/// How many bytes of a key count.
const MAX_KEY: usize = 100;

impl Row {
    fn clear(&mut self) {
        self.cells.fill(0..0);
        self.texts.clear();
        self.path.clear();
    }

    /// Sets the cell of the path to what is written.
    fn put(&mut self, value: fmt::Arguments<'_>) {
        let start = self.texts.len();
        // Writing to a vector cannot fail.
        drop(self.texts.write_fmt(value));
        self.note(start);
    }

    /// Sets the cell of the path to the text from `start` on. Beyond the columns that there may be, one more is enough.
    fn note(&mut self, start: usize) {
        let index = match self.paths.get_index_of(&self.path) {
            Some(index) => index,
            None if self.paths.len() > MAX_COLUMNS => return,
            None => self.paths.insert_full(self.path.clone()).0,
        };
        if self.cells.len() <= index {
            self.cells.resize(index + 1, 0..0);
        }
        self.cells[index] = start..self.texts.len();
    }
}

/// A value on its way to the cells of a row.
struct Node<'r>(&'r mut Row);

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.put(format_args!(""));
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.0.put(format_args!("{value}"));
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.0.put(format_args!("{value}"));
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.0.put(format_args!("{value}"));
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        // Large ones with an exponent.
        self.0.put(format_args!("{value:?}"));
        Ok(())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        let start = self.0.texts.len();
        self.0.texts.extend_from_slice(value.as_bytes());
        self.0.note(start);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<(), A::Error> {
        let array = serde_json::Value::deserialize(SeqAccessDeserializer::new(values))?;
        self.0.put(format_args!("{array}"));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let row = self.0;
        let end = row.path.len();
        loop {
            if end > 0 {
                row.path.push('_');
            }
            if entries.next_key_seed(Key(&mut row.path))?.is_none() {
                break;
            }
            entries.next_value_seed(Node(row))?;
            row.path.truncate(end);
        }
        row.path.truncate(end);
        Ok(())
    }
}

/// A key on its way to the end of a path.
struct Key<'p>(&'p mut String);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<(), E> {
        self.0.push_str(&key[..key.floor_char_boundary(MAX_KEY)]);
        Ok(())
    }
}
