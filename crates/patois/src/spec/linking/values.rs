//! Which values the columns of a database hold, and how they are spelt there.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use indexmap::IndexSet;
use patois_database::{Database, DatabaseError, ScanLimits, ValueRef};
use patois_languages::sql::DatabaseSchema;

use super::stems::{Stemmed, Stemmer};
use crate::spec::words::words;

/// A hash of every value in a database, with its column and, of texts, the spelling.
///
/// Values are the same where their words have the same stems. Two different ones with the same hash are as likely
/// as not once there are five billion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueIndex {
    /// The values in the order of their hashes.
    entries: Vec<Entry>,
    /// What the entries are spelt like, one after the other.
    texts: String,
    /// How many words the longest value has.
    longest: usize,
}

/// A value of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    hash: u64,
    /// Where its text begins.
    start: u32,
    /// How many bytes its text has; none where it is a number, or there was no room for it.
    length: u8,
    column: u16,
}

impl Entry {
    fn span(&self) -> Range<usize> {
        let start = self.start as usize;
        start..start + usize::from(self.length)
    }
}

/// A run of words of a question that is a value of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundValue<'i> {
    /// The words.
    pub words: Range<usize>,
    /// The column.
    pub column: usize,
    /// The value as it is spelt in the database; none where it is a number.
    pub text: Option<&'i str>,
    /// Whether a letter or two must be changed before it is the value.
    pub is_misspelt: bool,
}

/// Rows that are looked at in each table; beyond them a table hardly holds new words.
const N_ROWS: usize = 200_000;
/// Longer texts are descriptions, which no question repeats.
const N_BYTES: usize = 80;
const N_WORDS: usize = 10;
/// Different values that are kept; those that come later are not found. They take two hundred
/// megabytes while they are read.
const N_VALUES: usize = 4_000_000;
/// So many bytes of spellings are kept.
const N_TEXT_BYTES: usize = 64 << 20;
/// A question names few values; what is not found in this many misspelt runs of words is not looked for any more.
const N_MISSPELT: usize = 48;
/// So many values of the fewest changes are offered for a misspelt run of words.
const N_SIMILAR: usize = 4;

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
        reader.read.forget_repeated();
        Ok(reader.read)
    }

    /// How many values there are; one in two columns counts twice.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The runs of words of a question that are a value, each with the value's column.
    ///
    /// A value inside a longer value, such as `York` in `New York`, is passed over.
    pub(super) fn find(&self, words: &[Stemmed]) -> Vec<FoundValue<'_>> {
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
                let n_before = found.len();
                let words = start..start + length;
                found.extend(self.holding(run).map(|entry| FoundValue {
                    words: words.clone(),
                    column: usize::from(entry.column),
                    text: self.text(entry),
                    is_misspelt: false,
                }));
                if found.len() > n_before {
                    n_runs += 1;
                    run_of[words].fill(n_runs);
                }
            }
        }
        found
    }

    /// The values that runs of words are but for a letter or two; `is_free` tells which words a run may be made of.
    ///
    /// Words are compared in lower case. A run of fewer than five letters is like too many values.
    pub(super) fn find_misspelt(
        &self,
        words: &[String],
        is_free: impl Fn(usize) -> bool,
    ) -> Vec<FoundValue<'_>> {
        let runs = (1..=self.longest.min(3)).rev().flat_map(|length| {
            let n_starts = (words.len() + 1).saturating_sub(length);
            (0..n_starts).map(move |start| start..start + length)
        });
        let runs = runs.filter(|run| run.clone().all(&is_free));
        let mut found: Vec<FoundValue<'_>> = Vec::new();
        for run in runs.take(N_MISSPELT) {
            let is_taken =
                |it: &FoundValue<'_>| it.words.start < run.end && run.start < it.words.end;
            if found.iter().any(is_taken) {
                continue;
            }
            let similar = self.similar(&words[run.clone()].join(" "));
            found.extend(similar.into_iter().map(|entry| FoundValue {
                words: run.clone(),
                column: usize::from(entry.column),
                text: self.text(entry),
                is_misspelt: true,
            }));
        }
        found
    }

    /// The values that a text in lower case is made into by the fewest changes, if these are few enough.
    fn similar(&self, text: &str) -> Vec<&Entry> {
        let length = text.chars().count();
        let mut most = match length {
            0..5 => return Vec::new(),
            5..9 => 1,
            _ => 2,
        };
        let letters = letters(text);
        let mut similar: Vec<(usize, &Entry)> = Vec::new();
        for entry in &self.entries {
            let Some(value) = self.text(entry) else {
                continue;
            };
            // A letter that is changed is at most one that is missing and one that is too much.
            let n_different = (letters ^ self::letters(value)).count_ones() as usize;
            if value.len().abs_diff(text.len()) > 4 * most || n_different > 2 * most {
                continue;
            }
            let distance = strsim::osa_distance(text, &value.to_lowercase());
            if distance <= most {
                most = distance;
                similar.push((distance, entry));
            }
        }
        similar.retain(|it| it.0 == most);
        similar.truncate(N_SIMILAR);
        similar.into_iter().map(|it| it.1).collect()
    }

    /// The values that a run of words is, or the number that it says.
    fn holding(&self, run: &[Stemmed]) -> impl Iterator<Item = &Entry> {
        let says_something = run.iter().any(|word| word.says_something);
        let as_said = says_something.then(|| hash(run.iter().map(|word| word.stem.as_str())));
        let as_number = match run {
            [word] if says_something => word.number.as_deref().map(|it| hash([it])),
            _ => None,
        };
        let hashes = as_said.into_iter().chain(as_number);
        hashes.flat_map(|hash| {
            let start = self.entries.partition_point(|it| it.hash < hash);
            let equal = self.entries[start..].iter();
            equal.take_while(move |it| it.hash == hash)
        })
    }

    /// How a value is spelt.
    fn text(&self, entry: &Entry) -> Option<&str> {
        (entry.length > 0).then(|| &self.texts[entry.span()])
    }
}

/// Which letters there are, whatever their case: one of 64 for each.
fn letters(text: &str) -> u64 {
    let characters = text.chars().flat_map(char::to_lowercase);
    characters.fold(0, |letters, it| letters | 1 << (u32::from(it) % 64))
}

/// Values on their way.
#[derive(Default)]
struct Reader {
    stemmer: Stemmer,
    read: ValueIndex,
    /// How many values there may be before it is worth while to forget repeated ones.
    room: usize,
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
        if self.read.entries.len() < self.room {
            return ControlFlow::Continue(());
        }
        self.read.forget_repeated();
        self.room = 2 * self.read.entries.len().max(1 << 16);
        if self.read.entries.len() < N_VALUES {
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
        self.read.longest = self.read.longest.max(1);
        self.read.entries.push(Entry {
            hash: hash([number]),
            start: 0,
            length: 0,
            column,
        });
    }

    fn add_text(&mut self, text: &str, column: u16) {
        let words = words(text);
        if words.is_empty() || words.len() > N_WORDS {
            return;
        }
        let stems: Vec<Stemmed> = words.iter().map(|it| self.stemmer.stem(it.text)).collect();
        let read = &mut self.read;
        read.longest = read.longest.max(words.len());
        let start = read.texts.len();
        let kept = if start + text.len() <= N_TEXT_BYTES {
            text
        } else {
            ""
        };
        // What was no UTF-8 has grown.
        let length = u8::try_from(kept.len()).unwrap_or(0);
        read.texts.push_str(&kept[..usize::from(length)]);
        read.entries.push(Entry {
            hash: hash(stems.iter().map(|word| word.stem.as_str())),
            start: start as u32,
            length,
            column,
        });
    }
}

impl ValueIndex {
    /// Puts values in order, and keeps one of those that are the same to the letter.
    fn forget_repeated(&mut self) {
        let texts = std::mem::take(&mut self.texts);
        let key = |it: &Entry| (it.hash, it.column, &texts[it.span()]);
        self.entries.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        self.entries.dedup_by(|a, b| key(a) == key(b));
        let mut kept = String::new();
        for entry in &mut self.entries {
            let text = &texts[entry.span()];
            entry.start = kept.len() as u32;
            kept.push_str(text);
        }
        self.texts = kept;
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
    /// All of it: the length of the longest value, how many there are, then hashes, columns and lengths of texts, then
    /// the texts.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(16 + ENTRY * self.len() + self.texts.len());
        bytes.extend((self.longest as u64).to_le_bytes());
        bytes.extend((self.len() as u64).to_le_bytes());
        bytes.extend(self.entries.iter().flat_map(|it| it.hash.to_le_bytes()));
        bytes.extend(self.entries.iter().flat_map(|it| it.column.to_le_bytes()));
        bytes.extend(self.entries.iter().map(|it| it.length));
        bytes.extend(self.texts.as_bytes());
        bytes
    }

    /// The index that was stored; none where the bytes cannot be one.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<ValueIndex> {
        let (longest, rest) = bytes.split_first_chunk()?;
        let (n_values, rest) = rest.split_first_chunk()?;
        let n_values = usize::try_from(u64::from_le_bytes(*n_values)).ok()?;
        let (hashes, rest) = rest.split_at_checked(n_values.checked_mul(8)?)?;
        let (columns, rest) = rest.split_at_checked(n_values.checked_mul(2)?)?;
        let (lengths, texts) = rest.split_at_checked(n_values)?;
        let (hashes, columns) = (hashes.as_chunks().0.iter(), columns.as_chunks().0.iter());
        let mut entries = Vec::with_capacity(n_values);
        let mut start = 0_u32;
        for ((hash, column), &length) in hashes.zip(columns).zip(lengths) {
            entries.push(Entry {
                hash: u64::from_le_bytes(*hash),
                start,
                length,
                column: u16::from_le_bytes(*column),
            });
            start = start.checked_add(length.into())?;
        }
        let index = ValueIndex {
            entries,
            texts: String::from_utf8(texts.to_vec()).ok()?,
            longest: usize::try_from(u64::from_le_bytes(*longest)).ok()?,
        };
        index.is_whole().then_some(index)
    }

    fn is_whole(&self) -> bool {
        let end = self.entries.last().map_or(0, |it| it.span().end);
        let is_text = |it: &Entry| self.texts.get(it.span()).is_some();
        self.entries.is_sorted_by_key(|it| it.hash)
            && self.longest <= N_WORDS
            && end == self.texts.len()
            && self.entries.iter().all(is_text)
    }

    /// The highest column that a value is in.
    pub(super) fn last_column(&self) -> Option<usize> {
        self.entries.iter().map(|it| it.column.into()).max()
    }
}

/// How many bytes a value takes, without its text.
const ENTRY: usize = 11;

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
