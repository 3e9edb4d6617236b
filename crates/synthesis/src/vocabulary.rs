//! What is common enough in a training split to be learnt as a unit.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Texts that were seen often enough, most frequent first.
///
/// For programs these are whole identifiers and literals as well as the subtokens that a language
/// splits them into; for descriptions they are words. A text counts once per example: what one
/// long program repeats is not common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "IndexMap<String, usize>", into = "IndexMap<String, usize>")]
pub struct Vocabulary {
    counts: IndexMap<String, usize>,
    longest: usize,
}

/// Where a text was seen.
struct Seen<G> {
    /// The number of the last example.
    last: usize,
    /// In how many examples.
    count: usize,
    groups: BTreeSet<G>,
}

impl<G> Default for Seen<G> {
    fn default() -> Seen<G> {
        Seen {
            last: 0,
            count: 0,
            groups: BTreeSet::new(),
        }
    }
}

/// In how many training programs a text must occur to be generated.
///
/// The paper asks for "a small vocabulary of tokens commonly observed in the training data". What
/// occurs in a single program cannot be told from a name that only that program needs.
pub const MIN_COUNT: usize = 2;

impl Vocabulary {
    /// Keeps the texts that occur in at least `min_count` examples.
    ///
    /// ```
    /// use patois_synthesis::Vocabulary;
    ///
    /// let examples = [vec!["self", "self", "rare"], vec!["self", "game"], vec!["game", "self"]];
    /// let vocabulary = Vocabulary::learn(examples, 2);
    /// assert_eq!(vocabulary.iter().collect::<Vec<_>>(), [("self", 3), ("game", 2)]);
    /// ```
    pub fn learn<'t, E>(examples: impl IntoIterator<Item = E>, min_count: usize) -> Vocabulary
    where
        E: IntoIterator<Item = &'t str>,
    {
        Vocabulary::learn_across(examples.into_iter().map(|it| ((), it)), min_count, 1)
    }

    /// Keeps the texts that occur in at least `min_count` examples, of at least `min_groups` groups.
    ///
    /// ```
    /// use patois_synthesis::Vocabulary;
    ///
    /// let examples = [("zoo", ["name", "lion"]), ("zoo", ["many", "lion"]), ("school", ["name", "many"])];
    /// let vocabulary = Vocabulary::learn_across(examples, 2, 2);
    /// assert_eq!(vocabulary.iter().collect::<Vec<_>>(), [("many", 2), ("name", 2)]);
    /// ```
    pub fn learn_across<'t, G, E>(
        examples: impl IntoIterator<Item = (G, E)>,
        min_count: usize,
        min_groups: usize,
    ) -> Vocabulary
    where
        G: Ord + Clone,
        E: IntoIterator<Item = &'t str>,
    {
        let mut seen: IndexMap<&str, Seen<G>> = IndexMap::new();
        for (number, (group, example)) in (1..).zip(examples) {
            for text in example {
                let seen = seen.entry(text).or_default();
                if seen.last != number {
                    seen.last = number;
                    seen.count += 1;
                    seen.groups.insert(group.clone());
                }
            }
        }
        let mut counts: Vec<(&str, usize)> = seen
            .into_iter()
            .filter(|(_, seen)| seen.count >= min_count && seen.groups.len() >= min_groups)
            .map(|(text, seen)| (text, seen.count))
            .collect();
        counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let counts = counts
            .into_iter()
            .map(|(text, count)| (text.to_owned(), count));
        counts.collect::<IndexMap<_, _>>().into()
    }

    /// Whether `text` was seen often enough.
    pub fn contains(&self, text: &str) -> bool {
        self.counts.contains_key(text)
    }

    /// The index of `text`, counted from the most frequent one.
    pub fn index_of(&self, text: &str) -> Option<usize> {
        self.counts.get_index_of(text)
    }

    /// The texts, with the number of examples each occurs in.
    pub fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.counts
            .iter()
            .map(|(text, &count)| (text.as_str(), count))
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether nothing was seen often enough.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The length in bytes of the longest text.
    pub fn longest(&self) -> usize {
        self.longest
    }
}

impl From<IndexMap<String, usize>> for Vocabulary {
    fn from(counts: IndexMap<String, usize>) -> Vocabulary {
        let longest = counts.keys().map(String::len).max().unwrap_or(0);
        Vocabulary { counts, longest }
    }
}

impl From<Vocabulary> for IndexMap<String, usize> {
    fn from(vocabulary: Vocabulary) -> IndexMap<String, usize> {
        vocabulary.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_counts_are_in_the_order_of_the_texts() {
        let vocabulary = Vocabulary::learn([["b", "a", "bb"], ["bb", "a", "b"]], 1);
        let texts: Vec<&str> = vocabulary.iter().map(|(text, _)| text).collect();
        assert_eq!(texts, ["a", "b", "bb"]);
        assert_eq!(vocabulary.index_of("bb"), Some(2));
        assert_eq!(vocabulary.longest(), 2);
    }

    #[test]
    fn a_vocabulary_survives_being_written() {
        let vocabulary = Vocabulary::learn([["b", "a"], ["c", "b"]], 1);
        let json = serde_json::to_string(&vocabulary).unwrap();
        assert_eq!(json, r#"{"b":2,"a":1,"c":1}"#);
        assert_eq!(
            serde_json::from_str::<Vocabulary>(&json).unwrap(),
            vocabulary
        );
    }
}
