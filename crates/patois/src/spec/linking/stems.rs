//! Words without what differs between a question and a schema: case, endings, commas in numbers.

use std::fmt;

use rust_stemmers::Algorithm;

use crate::spec::copying::number;

/// A word as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stemmed {
    /// The stem, in lower case; of a number its shortest spelling.
    pub(super) stem: String,
    /// The number that the word says, such as 2 for `two`, where that is spelt differently.
    pub(super) number: Option<String>,
    /// Whether the word can name something: neither a mark nor one like `the`.
    pub(super) says_something: bool,
}

/// Words that name nothing by themselves, in the order of the alphabet.
const SILENT: [&str; 94] = [
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "both", "by", "can",
    "could", "did", "do", "does", "each", "every", "find", "for", "from", "give", "had", "has",
    "have", "how", "i", "in", "into", "is", "it", "its", "list", "many", "me", "more", "most",
    "much", "my", "n't", "no", "not", "of", "on", "only", "or", "our", "out", "over", "please",
    "return", "s", "select", "show", "so", "some", "such", "tell", "than", "that", "the", "their",
    "them", "then", "there", "these", "they", "this", "those", "to", "too", "up", "us", "use",
    "was", "we", "were", "what", "when", "where", "whether", "which", "who", "whom", "whose",
    "why", "will", "with", "would", "you", "your", "'s",
];

pub(super) struct Stemmer(rust_stemmers::Stemmer);

impl Default for Stemmer {
    fn default() -> Stemmer {
        Stemmer(rust_stemmers::Stemmer::create(Algorithm::English))
    }
}

impl fmt::Debug for Stemmer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stemmer")
    }
}

impl Stemmer {
    pub(super) fn stem(&self, word: &str) -> Stemmed {
        let lower = word.to_lowercase();
        let says_something = lower.contains(char::is_alphanumeric) && !SILENT.contains(&&*lower);
        let number = number(&lower).map(|number| shortest(&number));
        // A number in digits has no other spelling.
        let is_digits = lower.contains(|character: char| character.is_ascii_digit());
        let (stem, number) = match number {
            Some(number) if is_digits && !lower.starts_with('-') => (number, None),
            number => (self.0.stem(&lower).into_owned(), number),
        };
        Stemmed {
            stem,
            number,
            says_something,
        }
    }
}

/// `3.50` is `3.5`, `2.0` is `2`.
fn shortest(number: &str) -> String {
    match number.split_once('.') {
        Some((_, fraction)) if fraction.bytes().all(|it| it.is_ascii_digit()) => number
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_case_and_commas_make_no_difference() {
        let check = |word: &str, stem: &str, number: Option<&str>, says_something: bool| {
            let stemmed = Stemmer::default().stem(word);
            let found = (
                &*stemmed.stem,
                stemmed.number.as_deref(),
                stemmed.says_something,
            );
            assert_eq!(found, (stem, number, says_something), "{word}");
        };
        check("Singers", "singer", None, true);
        check("countries", "countri", None, true);
        check("1,000.50", "1000.5", None, true);
        check("2.0", "2", None, true);
        check("100", "100", None, true);
        check("Two", "two", Some("2"), true);
        check("The", "the", None, false);
        check("?", "?", None, false);
        check("", "", None, false);
    }
}
