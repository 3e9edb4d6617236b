//! Interned texts: identifiers, literals and names as four-byte values.
//!
//! A corpus repeats few texts very often. [`Text`] stores each of them once, for the life of the
//! process, so that a leaf of a tree costs four bytes and comparing two leaves costs one
//! comparison of integers.
//!
//! Ids are handed out in order of arrival, which depends on the scheduling of threads. Nothing may
//! depend on them: [`Text`] is ordered by its characters, never by its id.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher as _};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::hashing::Mixer;

/// An interned text.
///
/// ```
/// use patois_syntax::Text;
///
/// let text = Text::new("copy");
/// assert_eq!(text, Text::new("copy"));
/// assert_eq!(text.as_str(), "copy");
/// assert!(Text::new("a") < Text::new("b"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text(u32);

impl Text {
    /// Interns `text`; equal texts give equal values.
    ///
    /// # Panics
    ///
    /// When four billion distinct texts have been interned.
    pub fn new(text: &str) -> Text {
        INTERNER.intern(text)
    }

    /// The characters.
    pub fn as_str(self) -> &'static str {
        INTERNER.resolve(self)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::new(text)
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Text) -> Ordering {
        if self == other {
            Ordering::Equal
        } else {
            self.as_str().cmp(other.as_str())
        }
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Text) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        String::deserialize(deserializer).map(|text| Text::new(&text))
    }
}

static INTERNER: LazyLock<Interner> = LazyLock::new(Interner::default);

/// Threads that intern different texts rarely meet on one lock.
const N_SHARDS: usize = 32;

/// Slot `i` of bucket `b` holds the text with id `2^b - 1 + i`; a bucket is allocated when its
/// first text arrives and never moves, so that looking a text up takes no lock.
#[derive(Default)]
struct Interner {
    shards: [Shard; N_SHARDS],
    n_texts: AtomicU32,
    buckets: [OnceLock<Box<[OnceLock<&'static str>]>>; 32],
}

type Shard = Mutex<IndexMap<&'static str, Text, BuildHasherDefault<Mixer>>>;

/// Texts that a thread has met lately are found without a lock.
const N_RECENT: usize = 4096;

type Recent = Option<(&'static str, Text)>;

thread_local! {
    static RECENT: RefCell<Vec<Recent>> = RefCell::new(vec![None; N_RECENT]);
}

impl Interner {
    fn intern(&self, text: &str) -> Text {
        let mut hasher = Mixer::default();
        hasher.write(text.as_bytes());
        // The map of a shard uses the low bits, and the top seven.
        let hash = (hasher.finish() >> 32) as usize;
        RECENT.with_borrow_mut(|recent| match recent[hash % N_RECENT] {
            Some((known, id)) if known == text => id,
            _ => {
                let id = self.intern_in(&self.shards[hash % N_SHARDS], text);
                recent[hash % N_RECENT] = Some((self.resolve(id), id));
                id
            }
        })
    }

    fn intern_in(&self, shard: &Shard, text: &str) -> Text {
        // A panic while the lock is held can only come from a failed allocation; the map is whole.
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = shard.get(text) {
            return known;
        }
        let id = self.n_texts.fetch_add(1, Relaxed);
        assert!(id < u32::MAX, "more than four billion distinct texts");
        let text: &'static str = Box::leak(text.into());
        let (bucket, slot) = place(id);
        self.buckets[bucket]
            .get_or_init(|| (0..1_usize << bucket).map(|_| OnceLock::new()).collect())[slot]
            .get_or_init(|| text);
        shard.insert(text, Text(id));
        Text(id)
    }

    fn resolve(&self, text: Text) -> &'static str {
        let (bucket, slot) = place(text.0);
        self.buckets[bucket]
            .get()
            .and_then(|bucket| bucket[slot].get())
            .expect("a `Text` is only made after its characters are stored")
    }
}

fn place(id: u32) -> (usize, usize) {
    let bucket = (id + 1).ilog2();
    (bucket as usize, (id + 1 - (1 << bucket)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_distinct_and_dense() {
        let mut previous = place(0);
        assert_eq!(previous, (0, 0));
        for id in 1..5000 {
            let (bucket, slot) = place(id);
            let expected = if previous.1 + 1 == 1 << previous.0 {
                (previous.0 + 1, 0)
            } else {
                (previous.0, previous.1 + 1)
            };
            assert_eq!((bucket, slot), expected);
            previous = (bucket, slot);
        }
    }

    #[test]
    fn threads_agree_on_what_a_text_is() {
        let words: Vec<String> = (0..2000).map(|n| format!("word {n}")).collect();
        let interned: Vec<Vec<Text>> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| words.iter().map(|word| Text::new(word)).collect()))
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap())
                .collect()
        });
        for texts in &interned {
            assert_eq!(texts, &interned[0]);
            assert!(
                texts
                    .iter()
                    .zip(&words)
                    .all(|(text, word)| text.as_str() == word)
            );
        }
    }

    #[test]
    fn order_follows_the_characters() {
        let late = Text::new("zz first to arrive");
        let early = Text::new("aa second to arrive");
        assert!(early < late);
    }
}
