//! Values of a database.

use std::fmt;

use rusqlite::types::ValueRef;
use serde::{Serialize, Serializer};

/// A value in a row.
///
/// In JSON, bytes are shown by their beginning and their number, as they are for people:
///
/// ```
/// use patois_database::SqlValue;
///
/// assert_eq!(SqlValue::Blob(vec![1, 2]).to_string(), "x'0102'");
/// let picture = SqlValue::Blob(vec![0xff; 100_000]);
/// assert_eq!(picture.to_string(), "x'ffffffffffffffffffffffffffffffff…' (100000 bytes)");
/// let json = r#"{"blob":"ffffffffffffffffffffffffffffffff…","bytes":100000}"#;
/// assert_eq!(serde_json::to_string(&picture).unwrap(), json);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SqlValue {
    /// `NULL`.
    Null,
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// A text; what is not valid UTF-8 in it is replaced by U+FFFD.
    Text(String),
    /// Bytes.
    Blob(#[serde(serialize_with = "serialize_blob")] Vec<u8>),
}

impl SqlValue {
    /// How many bytes it takes besides its own, with what an allocator adds.
    pub(super) fn n_heap_bytes(&self) -> usize {
        let n_bytes = match self {
            SqlValue::Text(text) => text.len(),
            SqlValue::Blob(bytes) => bytes.len(),
            SqlValue::Null | SqlValue::Integer(_) | SqlValue::Real(_) => 0,
        };
        match n_bytes {
            0 => 0,
            n_bytes => n_bytes + 16,
        }
    }
}

impl fmt::Display for SqlValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SqlValue::Null => f.write_str("NULL"),
            SqlValue::Integer(integer) => integer.fmt(f),
            SqlValue::Real(real) => real.fmt(f),
            SqlValue::Text(text) => text.fmt(f),
            SqlValue::Blob(bytes) => {
                write!(f, "x'{}'", beginning(bytes))?;
                match bytes.len() {
                    ..=N_SHOWN => Ok(()),
                    n_bytes => write!(f, " ({n_bytes} bytes)"),
                }
            }
        }
    }
}

impl From<ValueRef<'_>> for SqlValue {
    fn from(value: ValueRef<'_>) -> SqlValue {
        match value {
            ValueRef::Null => SqlValue::Null,
            ValueRef::Integer(integer) => SqlValue::Integer(integer),
            ValueRef::Real(real) => SqlValue::Real(real),
            ValueRef::Text(text) => SqlValue::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => SqlValue::Blob(bytes.to_owned()),
        }
    }
}

fn serialize_blob<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Blob {
        blob: String,
        bytes: usize,
    }
    let (blob, bytes) = (beginning(bytes), bytes.len());
    Blob { blob, bytes }.serialize(serializer)
}

/// How many bytes are shown.
const N_SHOWN: usize = 16;

/// The first bytes in hexadecimal digits.
fn beginning(bytes: &[u8]) -> String {
    let digits = |it: &u8| [it >> 4, it & 15].map(|digit| char::from_digit(digit.into(), 16));
    let shown = bytes.iter().take(N_SHOWN).flat_map(digits).flatten();
    shown
        .chain((bytes.len() > N_SHOWN).then_some('…'))
        .collect()
}
