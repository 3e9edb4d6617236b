//! TOML documents that people write: configurations and experiments.
//!
//! Of a mistake `parse` says where it stands, what was found and expected there, and what may have been
//! meant. Serde tells an error which keys there are; TOML's own error makes a sentence of that, the one
//! of this module keeps it.

use std::fmt::Display;

use patois_syntax::ParseError;
use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{self, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};

/// Why a text is not the document that it should be.
#[derive(Clone, Debug, thiserror::Error)]
#[error("`{name}`{}: {}", line(.text, .error), .error.message)]
pub struct DocumentError {
    /// What the document is called.
    pub name: String,
    /// What it holds.
    pub text: String,
    /// What is wrong, and where.
    pub error: ParseError,
    /// The key whose value is wrong, or that of the table with the unknown key.
    pub key: Vec<String>,
    /// The key or variant that is not known, if that is what is wrong.
    pub unknown: Option<Unknown>,
}

/// A name that is none of those that there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// What it would be the name of: `key` or `variant`.
    pub what: &'static str,
    /// The name.
    pub found: String,
    /// Those that there are.
    pub expected: &'static [&'static str],
}

/// Reads the text of the document called `name`.
///
/// # Errors
///
/// When it is no TOML, or not of the right shape.
pub fn parse<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, Box<DocumentError>> {
    let table = DeTable::parse(text).map_err(|error| Mistake {
        message: error.message().lines().collect::<Vec<_>>().join("; "),
        unknown: None,
        place: error.span().map(|it| (it.start, Vec::new())),
    });
    let read = table.and_then(|table| {
        let (span, table) = (table.span(), DeValue::Table(table.into_inner()));
        T::deserialize(Node {
            value: Spanned::new(span, table),
            path: Vec::new(),
        })
    });
    read.map_err(|mistake| {
        let (offset, key) = mistake.place.unzip();
        Box::new(DocumentError {
            name: name.to_owned(),
            text: text.to_owned(),
            error: ParseError {
                offset,
                message: mistake.message,
            },
            key: key.unwrap_or_default(),
            unknown: mistake.unknown,
        })
    })
}

/// Where a key stands in a table; `path` is what it is called, table by table.
pub(crate) fn offset_of(table: &DeTable<'_>, path: &[impl AsRef<str>]) -> Option<usize> {
    let (first, rest) = path.split_first()?;
    let (key, value) = table.get_key_value(first.as_ref())?;
    match value.get_ref() {
        DeValue::Table(table) if !rest.is_empty() => offset_of(table, rest),
        _ => Some(key.span().start),
    }
}

impl DocumentError {
    /// What may have been meant.
    pub fn help(&self) -> Option<String> {
        let Unknown {
            found, expected, ..
        } = self.unknown.as_ref()?;
        let likeness = |name: &&str| (strsim::jaro_winkler(found, name) * 1000.0) as i32;
        let best = expected.iter().copied().max_by_key(likeness)?;
        (likeness(&best) > 750).then(|| format!("did you mean `{best}`?"))
    }
}

fn line(text: &str, error: &ParseError) -> String {
    match error.line_column(text) {
        Some((line, _)) => format!(", line {line}"),
        None => String::new(),
    }
}

/// What is wrong with a value.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Mistake {
    message: String,
    unknown: Option<Unknown>,
    /// The offset in the text, and the key.
    place: Option<(usize, Vec<String>)>,
}

impl Mistake {
    fn unknown(what: &'static str, found: &str, expected: &'static [&'static str]) -> Mistake {
        let names: Vec<String> = expected.iter().map(|it| format!("`{it}`")).collect();
        let names = match names.len() {
            0 => "none".to_owned(),
            1 | 2 => names.join(" or "),
            _ => format!("one of {}", names.join(", ")),
        };
        Mistake {
            message: format!("unknown {what} `{found}`, expected {names}"),
            unknown: Some(Unknown {
                what,
                found: found.to_owned(),
                expected,
            }),
            place: None,
        }
    }
}

impl de::Error for Mistake {
    fn custom<T: Display>(message: T) -> Mistake {
        Mistake {
            message: message.to_string(),
            unknown: None,
            place: None,
        }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Mistake {
        Mistake::unknown("key", field, expected)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Mistake {
        Mistake::unknown("variant", variant, expected)
    }
}

/// A value of a document, and the key that leads to it.
struct Node<'de> {
    value: Spanned<DeValue<'de>>,
    path: Vec<String>,
}

impl<'de> Node<'de> {
    /// Makes something of the value, and places what goes wrong.
    fn visit<V>(self, make: impl FnOnce(DeValue<'de>) -> Result<V, Mistake>) -> Result<V, Mistake> {
        let (offset, value) = (self.value.span().start, self.value.into_inner());
        let keys: Vec<(String, usize)> = match &value {
            DeValue::Table(table) => {
                let keys = table.keys();
                keys.map(|it| (it.get_ref().to_string(), it.span().start))
                    .collect()
            }
            _ => Vec::new(),
        };
        make(value).map_err(|mut mistake| {
            let found = mistake.unknown.as_ref().map(|it| &it.found);
            let key = keys.iter().find(|it| Some(&it.0) == found);
            let offset = key.map_or(offset, |it| it.1);
            mistake.place.get_or_insert((offset, self.path));
            mistake
        })
    }
}

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        let path = self.path.clone();
        self.visit(|value| match value {
            DeValue::String(text) => visitor.visit_str(&text),
            DeValue::Integer(number) => visit_integer(&number, visitor),
            DeValue::Float(number) => {
                let number: Result<f64, _> = number.as_str().parse();
                visitor.visit_f64(number.map_err(de::Error::custom)?)
            }
            DeValue::Boolean(value) => visitor.visit_bool(value),
            DeValue::Datetime(time) => visitor.visit_string(time.to_string()),
            DeValue::Array(items) => {
                let items = items.into_iter().map(|value| Node {
                    value,
                    path: path.clone(),
                });
                visitor.visit_seq(SeqDeserializer::new(items))
            }
            DeValue::Table(table) => visitor.visit_map(entries(table, &path)),
        })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        let path = self.path.clone();
        self.visit(|value| match value {
            DeValue::String(text) => visitor.visit_enum(text.into_deserializer()),
            DeValue::Table(table) => MapAccessDeserializer::new(entries(table, &path))
                .deserialize_enum(name, variants, visitor),
            other => {
                let found = de::Unexpected::Other(other.type_str());
                Err(de::Error::invalid_type(found, &"a text or a table"))
            }
        })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

fn visit_integer<'de, V: Visitor<'de>>(
    number: &DeInteger<'_>,
    visitor: V,
) -> Result<V::Value, Mistake> {
    let (digits, radix) = (number.as_str(), number.radix());
    if let Ok(number) = i64::from_str_radix(digits, radix) {
        return visitor.visit_i64(number);
    }
    let number = u64::from_str_radix(digits, radix);
    visitor.visit_u64(number.map_err(de::Error::custom)?)
}

/// The keys of a table with their values.
fn entries<'de>(
    table: DeTable<'de>,
    path: &[String],
) -> MapDeserializer<'de, std::vec::IntoIter<(String, Node<'de>)>, Mistake> {
    let entry = |(key, value): (Spanned<DeString<'de>>, _)| {
        let key = key.into_inner().into_owned();
        let path = [path, std::slice::from_ref(&key)].concat();
        (key, Node { value, path })
    };
    let entries: Vec<_> = table.into_iter().map(entry).collect();
    MapDeserializer::new(entries.into_iter())
}

impl<'de> IntoDeserializer<'de, Mistake> for Node<'de> {
    type Deserializer = Node<'de>;

    fn into_deserializer(self) -> Node<'de> {
        self
    }
}
