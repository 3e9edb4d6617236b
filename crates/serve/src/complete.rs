//! How a question may go on: names of tables and columns, and values that are in them.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use patois_ask::Asker;
use patois_database::{DatabaseError, ScanLimits, ValueRef};
use patois_languages::sql::{ColumnKind, DatabaseSchema};
use serde::Serialize;

/// A way to go on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Completion {
    /// What would stand there.
    pub(crate) text: String,
    pub(crate) kind: Kind,
    /// The table of a column, the column of a value.
    pub(crate) of: String,
    /// How many characters, before the end of what was typed, it stands for.
    pub(crate) replaces: usize,
}

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Table,
    Column,
    Value,
}

/// Values that questions may name, to be found by how they begin.
#[derive(Debug, Default)]
pub(crate) struct Values {
    /// Values by their lower case, and by the lower case of what follows their first words; sorted.
    entries: Vec<Entry>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    key: String,
    /// How many bytes of the value stand before the key: whole values come first.
    n_skipped: usize,
    text: String,
    of: String,
}

/// How many values are kept, of all columns and of one.
const MOST_VALUES: usize = 50_000;
const MOST_OF_COLUMN: usize = 5_000;

/// How many words of a value it is found by.
const MOST_WORDS: usize = 3;

/// What is read to find them.
const READ: ScanLimits = ScanLimits {
    n_rows: 50_000,
    n_value_bytes: 60,
    n_steps: 50_000_000,
    time: Duration::from_secs(5),
};

/// How many completions are offered.
const MOST_SHOWN: usize = 8;

/// How many of the words before the cursor a name may take.
const MOST_TYPED_WORDS: usize = 4;

impl Values {
    /// Reads the texts of a database.
    pub(crate) fn read(asker: &Asker<'_>) -> Result<Values, DatabaseError> {
        let source = asker.source();
        let schema = &source.schema;
        let database = source.place.open(&schema.name)?;
        let tables: Vec<(&str, Vec<&str>)> = (0..schema.tables.len())
            .map(|table| {
                let columns = schema.columns_of(table).filter(|it| is_named(it.1.kind));
                let names = columns.map(|it| it.1.name.as_str()).collect();
                (schema.tables[table].name.as_str(), names)
            })
            .collect();
        let mut found: BTreeSet<(usize, usize, String)> = BTreeSet::new();
        let mut n_of_column = std::collections::BTreeMap::<(usize, usize), usize>::new();
        database.scan(&tables, &READ, |table, column, value| {
            if let ValueRef::Text(text) = value
                && let Ok(text) = std::str::from_utf8(text)
                && is_worth_naming(text)
            {
                let n_values = n_of_column.entry((table, column)).or_default();
                if *n_values < MOST_OF_COLUMN && found.insert((table, column, text.to_owned())) {
                    *n_values += 1;
                }
            }
            match found.len() {
                ..MOST_VALUES => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        })?;
        let mut entries: Vec<Entry> = found
            .into_iter()
            .flat_map(|(table, column, text)| {
                let of = format!("{}.{}", tables[table].0, tables[table].1[column]);
                entries_of(&text, &of)
            })
            .collect();
        entries.sort();
        Ok(Values { entries })
    }

    /// Values that begin so.
    fn beginning(&self, lowercase: &str) -> impl Iterator<Item = &Entry> {
        let start = self
            .entries
            .partition_point(|it| it.key.as_str() < lowercase);
        let rest = self.entries[start..].iter();
        rest.take_while(move |it| it.key.starts_with(lowercase))
    }
}

/// The ways to find one value.
fn entries_of(text: &str, of: &str) -> Vec<Entry> {
    let lowercase = text.to_lowercase();
    let starts = lowercase.split(' ').scan(0, |next, word| {
        let start = *next;
        *next += word.len() + 1;
        Some(start)
    });
    starts
        .take(MOST_WORDS)
        .map(|start| Entry {
            key: lowercase[start..].to_owned(),
            n_skipped: start,
            text: text.to_owned(),
            of: of.to_owned(),
        })
        .collect()
}

fn is_named(kind: ColumnKind) -> bool {
    matches!(kind, ColumnKind::Text | ColumnKind::Others)
}

/// Numbers, dates and long texts are typed faster than they are chosen.
fn is_worth_naming(text: &str) -> bool {
    let is_short = (2..=60).contains(&text.len());
    is_short && text.contains(char::is_alphabetic) && !text.contains(char::is_control)
}

/// How a question may go on that has been typed so far.
pub(crate) fn complete(
    schema: &DatabaseSchema,
    values: Option<&Values>,
    typed: &str,
) -> Vec<Completion> {
    let mut found = Vec::new();
    for part in last_words(typed) {
        let lowercase = part.to_lowercase();
        let replaces = part.chars().count();
        found.extend(names(schema, &lowercase, replaces));
        let values = values.into_iter().flat_map(|it| it.beginning(&lowercase));
        found.extend(values.take(4 * MOST_SHOWN).map(|it| Completion {
            text: it.text.clone(),
            kind: Kind::Value,
            of: it.of.clone(),
            replaces,
        }));
    }
    let mut seen = BTreeSet::new();
    // What is there already needs no completion.
    found.retain(|it| !ends_with(typed, &it.text) && seen.insert((it.text.clone(), it.of.clone())));
    found.truncate(MOST_SHOWN);
    found
}

fn ends_with(typed: &str, text: &str) -> bool {
    typed.to_lowercase().ends_with(&text.to_lowercase())
}

/// The last word that was typed, together with one or more before it; the longest first.
fn last_words(typed: &str) -> Vec<&str> {
    let is_boundary = |index: usize| {
        let before = typed[..index].chars().next_back();
        let after = typed[index..].chars().next();
        before.is_none_or(|it| !is_of_word(it)) && after.is_some_and(is_of_word)
    };
    let starts = typed
        .char_indices()
        .map(|it| it.0)
        .filter(|&it| is_boundary(it));
    let starts: Vec<usize> = starts.collect();
    let last = starts.len().saturating_sub(MOST_TYPED_WORDS);
    let parts = starts[last..].iter().map(|&start| &typed[start..]);
    parts.filter(|it| it.chars().count() >= 2).collect()
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Tables and columns that are called so, by their names or by what people say.
fn names<'s>(
    schema: &'s DatabaseSchema,
    lowercase: &'s str,
    replaces: usize,
) -> impl Iterator<Item = Completion> + 's {
    let is_called = move |name: &str, words: &str| {
        name.to_lowercase().starts_with(lowercase) || words.to_lowercase().starts_with(lowercase)
    };
    let tables = schema.tables.iter();
    let tables = tables
        .filter(move |it| is_called(&it.name, &it.words))
        .map(move |it| Completion {
            text: it.words.clone(),
            kind: Kind::Table,
            of: it.name.clone(),
            replaces,
        });
    let columns = schema.columns.iter().filter_map(move |it| {
        let table = &schema.tables[it.table?].name;
        is_called(&it.name, &it.words).then(|| Completion {
            text: it.words.clone(),
            kind: Kind::Column,
            of: format!("{table}.{}", it.name),
            replaces,
        })
    });
    tables.chain(columns)
}

#[cfg(test)]
mod tests {
    use patois_database::Database;

    use super::*;

    #[test]
    fn the_last_words_are_the_ones_to_complete() {
        let check = |typed: &str, expected: &[&str]| assert_eq!(last_words(typed), expected);
        check("", &[]);
        check("a", &[]);
        check("How ma", &["How ma", "ma"]);
        check(
            "who is in New Yo",
            &["is in New Yo", "in New Yo", "New Yo", "Yo"],
        );
        check("Müller's wi", &["Müller's wi", "s wi", "wi"]);
        check("done ", &["done "]);
    }

    #[test]
    fn names_and_values_are_found_by_how_they_begin() {
        let script = "CREATE TABLE city(city_name TEXT, country TEXT);";
        let database = Database::from_script("x", script).unwrap();
        let schema = database.schema().unwrap().schema;
        let mut values = Values::default();
        for text in ["New York", "York", "Newcastle"] {
            values.entries.extend(entries_of(text, "city.city_name"));
        }
        values.entries.sort();
        let check = |typed: &str, expected: &[&str]| {
            let found = complete(&schema, Some(&values), typed);
            let found: Vec<&str> = found.iter().map(|it| it.text.as_str()).collect();
            assert_eq!(found, expected, "{typed}");
        };
        check("How many ci", &["city", "city name"]);
        check("people in new y", &["New York"]);
        check("people in yor", &["York", "New York"]);
        check("people in new", &["New York", "Newcastle"]);
        check("people in New York", &[]);
        check("xyz", &[]);
    }
}
