//! Which values the columns of a database hold, without keeping the values.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use indexmap::IndexSet;
use patois_database::{Database, DatabaseError, ScanLimits, ValueRef};
use patois_languages::sql::DatabaseSchema;

use super::stems::{Stemmed, Stemmer};
use crate::spec::words::words;

/// A hash of every value in a database, with its column.
///
/// Ten bytes a value: two different values with the same hash are as likely as not once there are
/// five billion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueIndex {
    /// The hashes in ascending order.
    hashes: Vec<u64>,
    /// The column of each.
    columns: Vec<u16>,
    /// How many words the longest value has.
    longest: usize,
}

/// Rows that are looked at in each table; beyond them a table hardly holds new words.
const N_ROWS: usize = 200_000;
/// Longer texts are descriptions, which no question repeats.
const N_BYTES: usize = 80;
const N_WORDS: usize = 10;
/// Different values that are kept; those that come later are not found. They take two hundred
/// megabytes while they are read.
const N_VALUES: usize = 4_000_000;

impl ValueIndex {
    /// Reads the values of the columns that `schema` describes.
    ///
    /// # Errors
    ///
    /// When a table or column is not in the database, or the database is damaged.
    pub fn build(
        database: &Database,
        schema: &DatabaseSchema,
    ) -> Result<ValueIndex, DatabaseError> {
        let n_tables = schema.tables.len();
        let columns = |table| schema.columns_of(table);
        let places: Vec<Vec<usize>> = (0..n_tables)
            .map(|table| columns(table).map(|(index, _)| index).collect())
            .collect();
        let names = |table| columns(table).map(|(_, column)| column.name.as_str());
        let tables: Vec<(&str, Vec<&str>)> = (0..n_tables)
            .map(|table| (schema.tables[table].name.as_str(), names(table).collect()))
            .collect();
        let limits = ScanLimits {
            n_rows: N_ROWS,
            n_value_bytes: N_BYTES,
            ..ScanLimits::default()
        };
        let mut reader = Reader::default();
        database.scan(&tables, &limits, |table, place, value| {
            reader.read(value, places[table][place])
        })?;
        Ok(reader.finish())
    }

    /// How many values there are; one in two columns counts twice.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The words of a question that are (part of) a value, each with the value's column.
    ///
    /// A value inside a longer value, such as `York` in `New York`, is passed over.
    pub(super) fn find(&self, words: &[Stemmed]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        // The number of the longest run that a word is in.
        let mut run_of = vec![0; words.len()];
        let mut n_runs = 0;
        for length in (1..=self.longest.min(words.len())).rev() {
            for (start, run) in words.windows(length).enumerate() {
                let (first, last) = (run_of[start], run_of[start + length - 1]);
                if first > 0 && first == last {
                    continue;
                }
                let columns = self.holding(run);
                if columns.is_empty() {
                    continue;
                }
                n_runs += 1;
                run_of[start..start + length].fill(n_runs);
                for word in start..start + length {
                    found.extend(columns.iter().map(|&column| (word, usize::from(column))));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The columns that hold a run of words, or the number that it says, as a value.
    fn holding(&self, run: &[Stemmed]) -> Vec<u16> {
        if !run.iter().any(|word| word.says_something) {
            return Vec::new();
        }
        let hash = hash(run.iter().map(|word| word.stem.as_str()));
        let mut columns = self.columns_of(hash).to_vec();
        if let [
            Stemmed {
                number: Some(number),
                ..
            },
        ] = run
        {
            columns.extend(self.columns_of(self::hash([number.as_str()])));
        }
        columns
    }

    fn columns_of(&self, hash: u64) -> &[u16] {
        let start = self.hashes.partition_point(|&it| it < hash);
        let n_equal = self.hashes[start..].iter().take_while(|&&it| it == hash);
        &self.columns[start..start + n_equal.count()]
    }
}

/// Values on their way.
#[derive(Default)]
struct Reader {
    stemmer: Stemmer,
    values: Vec<(u64, u16)>,
    /// How many values there may be before it is worth while to forget repeated ones.
    room: usize,
    longest: usize,
    /// The texts that were read last: cutting and stemming cost more than a look at them.
    seen: IndexSet<(u64, u16)>,
}

/// So many texts are remembered.
const N_SEEN: usize = 1 << 18;

impl Reader {
    fn read(&mut self, value: ValueRef<'_>, column: usize) -> ControlFlow<()> {
        let Ok(column) = u16::try_from(column) else {
            return ControlFlow::Continue(());
        };
        match value {
            ValueRef::Integer(integer) => self.add_number(&integer.to_string(), column),
            ValueRef::Real(real) => self.add_number(&real.to_string(), column),
            ValueRef::Text(text) if self.is_new(text, column) => {
                self.add_text(&String::from_utf8_lossy(text), column);
            }
            ValueRef::Text(_) | ValueRef::Null | ValueRef::Blob(_) => {}
        }
        if self.values.len() < self.room {
            return ControlFlow::Continue(());
        }
        self.forget_repeated();
        self.room = 2 * self.values.len().max(1 << 16);
        if self.values.len() < N_VALUES {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn is_new(&mut self, text: &[u8], column: u16) -> bool {
        if self.seen.len() == N_SEEN {
            self.seen.clear();
        }
        self.seen.insert((mix(START, text), column))
    }

    fn add_number(&mut self, number: &str, column: u16) {
        self.longest = self.longest.max(1);
        self.values.push((hash([number]), column));
    }

    fn add_text(&mut self, text: &str, column: u16) {
        let words = words(text);
        if words.is_empty() || words.len() > N_WORDS {
            return;
        }
        self.longest = self.longest.max(words.len());
        let stems: Vec<Stemmed> = words.iter().map(|it| self.stemmer.stem(it.text)).collect();
        let hash = hash(stems.iter().map(|word| word.stem.as_str()));
        self.values.push((hash, column));
    }

    fn forget_repeated(&mut self) {
        self.values.sort_unstable();
        self.values.dedup();
    }

    fn finish(mut self) -> ValueIndex {
        self.forget_repeated();
        let (hashes, columns) = self.values.into_iter().unzip();
        ValueIndex {
            hashes,
            columns,
            longest: self.longest,
        }
    }
}

/// The hash of words, as if one space stood between them.
fn hash<'w>(words: impl IntoIterator<Item = &'w str>) -> u64 {
    words
        .into_iter()
        .fold(START, |state, word| mix(mix(state, word.as_bytes()), b" "))
}

/// FNV-1a (Fowler, Noll and Vo), with 64 bits: the same on every machine, so that it can be stored.
pub(in crate::spec) fn mix(state: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(state, |state, &byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// What FNV-1a starts from.
pub(in crate::spec) const START: u64 = 0xcbf2_9ce4_8422_2325;

/// How an index is stored.
impl ValueIndex {
    /// All of it: the length of the longest value, then hashes and columns.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + 10 * self.len());
        bytes.extend((self.longest as u64).to_le_bytes());
        bytes.extend(self.hashes.iter().flat_map(|it| it.to_le_bytes()));
        bytes.extend(self.columns.iter().flat_map(|it| it.to_le_bytes()));
        bytes
    }

    /// The index that was stored; none where the bytes cannot be one.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<ValueIndex> {
        let (longest, rest) = bytes.split_first_chunk()?;
        let n_values = rest.len() / 10;
        if rest.len() != 10 * n_values {
            return None;
        }
        let (hashes, columns) = rest.split_at(8 * n_values);
        let (hashes, _) = hashes.as_chunks();
        let (columns, _) = columns.as_chunks();
        let index = ValueIndex {
            hashes: hashes.iter().map(|it| u64::from_le_bytes(*it)).collect(),
            columns: columns.iter().map(|it| u16::from_le_bytes(*it)).collect(),
            longest: usize::try_from(u64::from_le_bytes(*longest)).ok()?,
        };
        let is_index = index.hashes.is_sorted() && index.longest <= N_WORDS;
        is_index.then_some(index)
    }

    /// The highest column that a value is in.
    pub(super) fn last_column(&self) -> Option<usize> {
        self.columns.iter().max().map(|&column| column.into())
    }
}

/// What a schema says of where values are: an index is of one schema.
pub(super) fn mix_schema(state: u64, schema: &DatabaseSchema) -> u64 {
    let tables: BTreeMap<usize, &str> = (0..)
        .zip(schema.tables.iter().map(|table| table.name.as_str()))
        .collect();
    schema.columns.iter().fold(state, |state, column| {
        let table = column.table.and_then(|table| tables.get(&table));
        let state = mix(state, table.unwrap_or(&"").as_bytes());
        mix(mix(mix(state, b"\n"), column.name.as_bytes()), b"\n")
    })
}
