//! What a program may copy from the text that asks for it.
//!
//! Names and literals of a program often come from the text, but rarely as they stand there: the
//! card `Assassin's Blade` is the class `AssassinsBlade`, its `Rogue` is `ROGUE` in an enumeration,
//! and "more than two" is `2`. [`Candidates`] are the words of a text in the forms that programs use
//! them in, each with the words it comes from.

use std::ops::Range;

use indexmap::IndexMap;

use crate::spec::words::{Word, words};

/// The texts that can be copied from a description, without repetition.
///
/// ```
/// use patois::spec::copying::Candidates;
///
/// let candidates = Candidates::of("Assassin's Blade NAME_END 3 ATK_END");
/// for copied in ["Assassin's Blade", "AssassinsBlade", "Blade", "BLADE", "3"] {
///     assert!(candidates.contains(copied));
/// }
/// assert_eq!(candidates.sources("AssassinsBlade"), [0..3]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    sources: IndexMap<String, Vec<Range<usize>>>,
    longest: usize,
}

impl Candidates {
    /// The candidates of a text, in the order of the words that they come from.
    pub fn of(text: &str) -> Candidates {
        let words = words(text);
        let mut candidates = Candidates::default();
        for (index, word) in words.iter().enumerate() {
            candidates.add_word(word.text, index);
        }
        for phrase in phrases(text, &words) {
            let text = &text[phrase.span];
            candidates.add_phrase(text, &phrase.words);
            if text.contains('\\') {
                candidates.add(unescaped(text), &phrase.words);
            }
        }
        candidates
    }

    /// Whether `text` is one of the candidates.
    pub fn contains(&self, text: &str) -> bool {
        self.sources.contains_key(text)
    }

    /// The runs of words that `text` can be copied from, as ranges of word indices.
    pub fn sources(&self, text: &str) -> &[Range<usize>] {
        self.sources.get(text).map_or(&[], Vec::as_slice)
    }

    /// The candidates, each with the runs of words that it can be copied from.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[Range<usize>])> {
        self.sources
            .iter()
            .map(|(text, sources)| (text.as_str(), sources.as_slice()))
    }

    /// How many candidates there are.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there is nothing to copy.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// The length in bytes of the longest candidate.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Adds texts that runs of words speak of.
    pub(super) fn add_all(&mut self, texts: Vec<(Range<usize>, String)>) {
        for (range, text) in texts {
            self.add(text, &range);
        }
    }

    fn add(&mut self, text: String, range: &Range<usize>) {
        if text.is_empty() {
            return;
        }
        self.longest = self.longest.max(text.len());
        let sources = self.sources.entry(text).or_default();
        // The forms of one run of words come one after the other.
        if sources.last() != Some(range) {
            sources.push(range.clone());
        }
    }

    /// A word as it is, in other cases, its parts, and the number that it says.
    fn add_word(&mut self, word: &str, index: usize) {
        let range = index..index + 1;
        self.add(word.to_owned(), &range);
        if let Some(number) = number(word) {
            self.add(number, &range);
        }
        for part in parts(word) {
            let lower = part.to_lowercase();
            for base in bases(&lower) {
                self.add(capitalized(&base), &range);
                self.add(base, &range);
            }
            self.add(capitalized(&lower), &range);
            self.add(lower, &range);
            self.add(part.to_uppercase(), &range);
            self.add(capitalized(&part), &range);
            self.add(part, &range);
        }
    }

    /// Several words as they stand, and joined as an identifier.
    fn add_phrase(&mut self, phrase: &str, range: &Range<usize>) {
        self.add(phrase.to_owned(), range);
        let is_name =
            phrase.starts_with(char::is_alphanumeric) && phrase.ends_with(char::is_alphanumeric);
        if !is_name {
            return;
        }
        let parts = parts(phrase);
        self.add(parts.concat(), range);
        self.add(parts.iter().map(|part| capitalized(part)).collect(), range);
    }
}

/// Words that belong together.
struct Phrase {
    /// The bytes of the text.
    span: Range<usize>,
    /// The words that lie in them.
    words: Range<usize>,
}

fn phrases(text: &str, words: &[Word<'_>]) -> Vec<Phrase> {
    let mut runs = chunks(words);
    runs.extend(fields(words));
    runs.extend(titles(text, words));
    runs.retain(|run| run.len() > 1);
    runs.sort_unstable_by_key(|run| (run.start, run.end));
    runs.dedup();

    let mut phrases = quotations(words);
    phrases.extend(runs.into_iter().map(|run| Phrase {
        span: words[run.start].start..words[run.end - 1].span().end,
        words: run,
    }));
    phrases
}

/// The most words that are looked at to find the end of a quotation.
const LONGEST_QUOTATION: usize = 200;

/// What stands between quotes, white space included.
fn quotations(words: &[Word<'_>]) -> Vec<Phrase> {
    const QUOTES: [(&str, &str); 5] = [
        ("'", "'"),
        ("\"", "\""),
        ("`", "`"),
        ("\u{2018}", "\u{2019}"),
        ("\u{201c}", "\u{201d}"),
    ];
    let mut found = Vec::new();
    let mut next = 0;
    while next < words.len() {
        let open = next;
        next += 1;
        let Some((_, closing)) = QUOTES.iter().find(|(quote, _)| words[open].text == *quote) else {
            continue;
        };
        let mut following = words[next..].iter().take(LONGEST_QUOTATION);
        if let Some(length) = following.position(|word| word.text == *closing) {
            let close = next + length;
            found.push(Phrase {
                span: words[open].span().end..words[close].start,
                words: if length == 0 {
                    open..close
                } else {
                    next..close
                },
            });
            next = close + 1;
        }
    }
    found
}

/// Runs of words with no white space between, with and without the marks around them.
fn chunks(words: &[Word<'_>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in 1..=words.len() {
        let goes_on = end < words.len() && words[end - 1].span().end == words[end].start;
        if goes_on {
            continue;
        }
        let is_name = |word: &Word<'_>| word.text.contains(char::is_alphanumeric);
        let run = &words[start..end];
        if let (Some(first), Some(last)) =
            (run.iter().position(is_name), run.iter().rposition(is_name))
        {
            found.push(start..end);
            found.push(start + first..start + last + 1);
        }
        start = end;
    }
    found
}

/// The words before each marker, such as those of a name before `NAME_END`.
fn fields(words: &[Word<'_>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (index, word) in words.iter().enumerate() {
        if is_marker(word.text) {
            found.push(start..index);
            start = index + 1;
        }
    }
    found
}

fn is_marker(word: &str) -> bool {
    word.len() > 4 && word.ends_with("_END") && !word.contains(char::is_lowercase)
}

/// Runs of words with capital first letters, such as `New York` or `Bank of America`; also without
/// the first word, which may only begin a sentence.
fn titles(text: &str, words: &[Word<'_>]) -> Vec<Range<usize>> {
    const CONNECTORS: [&str; 6] = ["of", "the", "and", "de", "for", "in"];
    let is_capital = |word: &Word<'_>| {
        word.text
            .starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit())
            && !is_marker(word.text)
    };
    let mut found = Vec::new();
    let mut start = 0;
    while start < words.len() {
        let mut end = start;
        let mut last = start;
        while last < words.len() {
            let is_near =
                last == start || &text[words[last - 1].span().end..words[last].start] == " ";
            if is_near && is_capital(&words[last]) {
                end = last + 1;
            } else if last == start || !is_near || !CONNECTORS.contains(&words[last].text) {
                break;
            }
            last += 1;
        }
        if end > start {
            found.push(start..end);
            found.push(start + 1..end);
        }
        start = end.max(start + 1);
    }
    found
}

/// The runs of letters and digits of a text; apostrophes vanish.
pub(crate) fn parts(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_alphanumeric() && !is_apostrophe(character))
        .map(|part| part.replace(is_apostrophe, ""))
        .filter(|part| !part.is_empty())
        .collect()
}

fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '\u{2019}')
}

/// What a quoted text means where a backslash escapes the characters after it.
fn unescaped(text: &str) -> String {
    let mut meant = String::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        meant.push_str(plain);
        let mut characters = escape.chars();
        let code_point = |digits: usize| {
            let digits = escape.get(1..=digits)?;
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)
        };
        let (character, length) = match characters.next() {
            Some('n') => ('\n', 1),
            Some('r') => ('\r', 1),
            Some('t') => ('\t', 1),
            Some('x') => code_point(2).map_or(('x', 1), |it| (it, 3)),
            Some('u') => code_point(4).map_or(('u', 1), |it| (it, 5)),
            Some(other) => (other, other.len_utf8()),
            None => ('\\', 0),
        };
        meant.push(character);
        rest = &escape[length..];
    }
    meant + rest
}

pub(crate) fn capitalized(part: &str) -> String {
    let mut characters = part.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

/// What a word in lower case may be derived from: `minion` for `minions`, `enemy` for `enemies`,
/// `asia` for `asian`, `europe` for `european`.
fn bases(lower: &str) -> Vec<String> {
    let stem = |suffix: &str, min_len: usize| {
        let stem = lower.strip_suffix(suffix)?;
        (stem.len() >= min_len).then(|| stem.to_owned())
    };
    if let Some(stem) = stem("ies", 2) {
        return vec![stem + "y"];
    }
    let singular = stem("s", 3).filter(|stem| !stem.ends_with('s'));
    let places = [
        stem("n", 4).filter(|stem| stem.ends_with('a')),
        stem("an", 4),
    ];
    singular
        .into_iter()
        .chain(places.into_iter().flatten())
        .collect()
}

/// The number that a word is or says, without sign and separators.
pub(crate) fn number(word: &str) -> Option<String> {
    const NAMES: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    if let Some(value) = NAMES
        .iter()
        .position(|name| word.eq_ignore_ascii_case(name))
    {
        return Some(value.to_string());
    }
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let is_number = unsigned.starts_with(|first: char| first.is_ascii_digit())
        && unsigned
            .chars()
            .all(|it| it.is_ascii_digit() || matches!(it, '.' | ','));
    is_number.then(|| unsigned.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let candidates = Candidates::of(text);
        for copied in expected {
            assert!(
                candidates.contains(copied),
                "no {copied:?} in {candidates:?}"
            );
        }
    }

    #[test]
    fn names_of_cards_become_names_of_classes() {
        check(
            "Mark of the Wild NAME_END -1 ATK_END Druid PLAYER_CLS_END",
            &["Mark of the Wild", "MarkOfTheWild", "DRUID", "-1", "1"],
        );
        check(
            "One-eyed Cheat NAME_END",
            &["One-eyed Cheat", "OneeyedCheat", "OneEyedCheat"],
        );
        check(
            "Power Word: Shield NAME_END",
            &["Power Word: Shield", "PowerWordShield"],
        );
    }

    #[test]
    fn quotations_keep_their_white_space() {
        check(
            "join with ', ' or `a_b` or \"it's  here\"",
            &[", ", "a_b", "it's  here"],
        );
    }

    #[test]
    fn escapes_in_quotations_are_understood() {
        check(r"split at '\t' and `a\\b`", &["\t", r"\t", r"a\b"]);
        check(
            r"print '\u2713 \x41\xé\u12' and '\é\\'",
            &["\u{2713} Axéu12", "é\\"],
        );
    }

    #[test]
    fn values_in_questions_can_be_copied() {
        check(
            "Which students from New York have at least three pets and 1,000 dollars?",
            &[
                "New York", "3", "1000", "1,000", "pet", "Pet", "pets", "Dollars",
            ],
        );
        check(
            "Find songs by Florence and the Machine",
            &["Florence and the Machine"],
        );
        check("signal.SIGUSR1 is sent", &["signal.SIGUSR1", "SIGUSR1"]);
    }

    #[test]
    fn every_source_of_a_text_is_kept_once() {
        let candidates = Candidates::of("the cat, the Cat");
        assert_eq!(candidates.sources("the"), [0..1, 3..4]);
        assert_eq!(candidates.sources("cat"), [1..2, 4..5]);
        assert!(candidates.sources("dog").is_empty());
    }

    #[test]
    fn long_texts_take_no_longer_than_their_length_asks() {
        for pattern in [
            "a.", "1.", "1.x", "'", "\u{2018}", "<a", "A of ", "of ", "don't", "A.B ", "\"a", "-",
        ] {
            let text = pattern.repeat(40_000 / pattern.len());
            assert!(Candidates::of(&text).longest() <= text.len(), "{pattern}");
        }
    }

    #[test]
    fn empty_texts_have_no_candidates() {
        assert!(Candidates::of("").is_empty());
        assert!(Candidates::of(" \n").is_empty());
    }
}
