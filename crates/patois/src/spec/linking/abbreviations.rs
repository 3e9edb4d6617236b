//! Words of names that are short for words of a question: `emp_nm` is the name of an employee.

use indexmap::IndexMap;
use patois_synthesis::Item;

use crate::augment::abbreviations_of;
use crate::spec::linking::stems::Stemmed;

/// The words of all names, by what they begin with.
#[derive(Clone, Debug, Default)]
pub(super) struct ShortWords {
    /// By their first letter: the words, each with the items that it is in the name of.
    words: IndexMap<char, IndexMap<String, Vec<Item>>>,
    /// How many words the name of an item has.
    lengths: IndexMap<Item, usize>,
}

/// The longest word that is taken for a short one.
const MAX_LETTERS: usize = 6;

impl ShortWords {
    /// Adds the words of a name, in lower case.
    pub(super) fn add(&mut self, item: Item, words: &[String]) {
        self.lengths.insert(item, words.len());
        for word in words {
            if let Some(first) = word.chars().next() {
                let items = self.words.entry(first).or_default();
                items.entry(word.clone()).or_default().push(item);
            }
        }
    }

    /// The items that have a word in their name that is short for this one, in lower case, each with that word.
    pub(super) fn items_of<'a>(
        &'a self,
        word: &'a str,
        stemmed: &Stemmed,
    ) -> impl Iterator<Item = (&'a str, Item)> {
        let first = word.chars().next().filter(|_| stemmed.says_something);
        let words = first.and_then(|it| self.words.get(&it));
        let words = words.into_iter().flatten();
        let words = words.filter(move |(short, _)| is_short_for(short, word));
        words.flat_map(|(short, items)| items.iter().map(|&item| (short.as_str(), item)))
    }

    /// How many words the name of an item has.
    pub(super) fn n_words(&self, item: Item) -> usize {
        self.lengths.get(&item).copied().unwrap_or(0)
    }
}

/// Whether somebody would shorten the word so: as it is usual, to its beginning, or by leaving out letters, mostly
/// vowels. Both are in lower case and begin with the same letter.
fn is_short_for(short: &str, word: &str) -> bool {
    let (n_short, n_word) = (short.chars().count(), word.chars().count());
    let may_be = n_short < n_word && (2..=MAX_LETTERS).contains(&n_short);
    if !may_be || !short.chars().all(char::is_alphabetic) {
        return false;
    }
    let one = word.strip_suffix('s').unwrap_or(word);
    if [word, one]
        .iter()
        .any(|it| abbreviations_of(it).contains(&short))
    {
        return true;
    }
    match n_short {
        // `nm` is `name`, `wt` is `weight`: a word from its first letter to its last consonant.
        2 => short.chars().last() == one.chars().rev().find(|it| !is_vowel(*it)),
        // `cat` is not short for `cats`.
        _ if word.starts_with(short) => n_word >= n_short + 2,
        _ => has_few_vowels(short) && is_left_of(short, word),
    }
}

fn is_vowel(letter: char) -> bool {
    "aeiou".contains(letter)
}

/// Whether there is at most one vowel behind the first letter: `dept`, but not `date`.
fn has_few_vowels(short: &str) -> bool {
    short.chars().skip(1).filter(|&it| is_vowel(it)).count() <= 1
}

/// Whether `short` is left of `word` when some letters are taken out.
fn is_left_of(short: &str, word: &str) -> bool {
    let mut letters = word.chars();
    short.chars().all(|it| letters.any(|letter| letter == it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_by_their_short_forms() {
        for (short, word) in [
            ("nm", "name"),
            ("nm", "names"),
            ("wt", "weight"),
            ("emp", "employees"),
            ("dept", "department"),
            ("mgr", "manager"),
            ("cmsn", "commission"),
            ("no", "number"),
            ("inv", "invoices"),
        ] {
            assert!(is_short_for(short, word), "{short} is short for {word}");
        }
    }

    #[test]
    fn other_words_are_not_taken_for_short_ones() {
        for (short, word) in [
            ("cat", "cats"),
            ("name", "names"),
            ("id", "individual"),
            ("date", "database"),
            ("c1", "category1"),
            ("a", "age"),
            ("singer", "singers"),
        ] {
            assert!(
                !is_short_for(short, word),
                "{short} is not short for {word}"
            );
        }
    }
}
