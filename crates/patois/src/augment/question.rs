//! Questions as other people ask them.

use std::collections::BTreeSet;
use std::ops::Range;

use patois_synthesis::{LinkKind, Spec};
use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use super::config::AugmentConfig;
use super::identifiers::synonym;
use super::thesaurus::{self, Use, singular};
use crate::spec::words::{Word, words};

/// Before a question that begins with a question word.
const BEFORE_QUESTIONS: [&str; 10] = [
    "Can you tell me",
    "Could you tell me",
    "Please tell me",
    "Tell me",
    "I want to know",
    "I would like to know",
    "I'd like to know",
    "Do you know",
    "Hi,",
    "Hello,",
];

/// Before something that is asked for as one asks for it of a machine.
const BEFORE_COMMANDS: [&str; 7] = [
    "Please",
    "Can you",
    "Could you",
    "Could you please",
    "I want you to",
    "I need you to",
    "Hi, please",
];

/// Before the name of something.
const BEFORE_NAMES: [&str; 4] = ["Show me", "I want to see", "Give me", "I need"];

const AFTER: [&str; 4] = ["please", "thanks", "thank you", "if you can"];

const QUESTION_WORDS: [&str; 11] = [
    "what", "which", "who", "whose", "whom", "how", "when", "where", "what's", "why", "in",
];

const COMMANDS: [&str; 18] = [
    "show",
    "find",
    "list",
    "give",
    "return",
    "tell",
    "count",
    "compute",
    "display",
    "select",
    "report",
    "get",
    "retrieve",
    "calculate",
    "sort",
    "describe",
    "name",
    "identify",
];

/// A question in another form: in lower case, without its final mark, with something polite around it.
pub(super) fn reformed(question: &str, config: &AugmentConfig, rng: &mut ChaCha8Rng) -> String {
    let [is_polite, has_no_mark, is_lower] = [config.polite, config.no_mark, config.lower_case]
        .map(|probability| rng.random::<f32>() < probability);
    let mut question = question.to_owned();
    if is_polite {
        question = polite(&question, rng);
    }
    if has_no_mark {
        question.truncate(without_mark(&question).len());
    }
    if is_lower {
        question = lower_cased(&question);
    }
    question
}

/// A question in lower case.
pub fn lower_cased(question: &str) -> String {
    question.to_lowercase()
}

fn without_mark(question: &str) -> &str {
    question
        .trim_end()
        .trim_end_matches(['?', '.', '!'])
        .trim_end()
}

/// A question with something polite before or after it; where it is not clear what kind of sentence it is, after it.
fn polite(question: &str, rng: &mut ChaCha8Rng) -> String {
    let first = question.split_whitespace().next().unwrap_or_default();
    let first = first.to_lowercase();
    let before: &[&str] = match first.as_str() {
        word if QUESTION_WORDS.contains(&word) => &BEFORE_QUESTIONS,
        word if COMMANDS.contains(&word) => &BEFORE_COMMANDS,
        "the" | "all" => &BEFORE_NAMES,
        _ => &[],
    };
    if before.is_empty() || rng.random::<f32>() < 0.25 {
        let rest = without_mark(question);
        let mark = &question.trim_end()[rest.len()..];
        return format!("{rest}, {}{mark}", AFTER[rng.random_range(0..AFTER.len())]);
    }
    let before = before[rng.random_range(0..before.len())];
    format!("{before} {}", with_small_first(question))
}

/// A sentence as it goes on after a beginning: names keep their capital letters.
fn with_small_first(sentence: &str) -> String {
    let first = sentence.split_whitespace().next().unwrap_or_default();
    let is_abbreviation = first.chars().filter(|it| it.is_uppercase()).count() > 1;
    if is_abbreviation {
        return sentence.to_owned();
    }
    let mut letters = sentence.chars();
    match letters.next() {
        Some(letter) => letter.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// A question in which words that name something of the schema are replaced by synonyms, each with the given share;
/// and how many were replaced.
///
/// `spec` is the question's, with its links; `taken` are the words of the schema, by which nothing is replaced. Words
/// of values stay, and so does the first word of the question, which may be a verb.
pub fn with_synonyms(
    question: &str,
    spec: &Spec,
    taken: &BTreeSet<String>,
    share: f32,
    rng: &mut ChaCha8Rng,
) -> (String, usize) {
    let found = words(question);
    let mut replaced: Vec<(Range<usize>, String)> = Vec::new();
    for index in named_words(&found, spec) {
        if rng.random::<f32>() >= share {
            continue;
        }
        let lower = found[index].text.to_lowercase();
        if let Some(synonym) = synonym(&lower, taken, rng) {
            let is_capital = found[index].text.starts_with(char::is_uppercase);
            let synonym = if is_capital {
                capitalized(&synonym)
            } else {
                synonym
            };
            replaced.push((found[index].span(), synonym));
        }
    }
    (replace(question, &replaced), replaced.len())
}

fn capitalized(text: &str) -> String {
    crate::spec::copying::capitalized(text)
}

/// The words of a question that name a table or a column and may have synonyms.
fn named_words(found: &[Word<'_>], spec: &Spec) -> Vec<usize> {
    let of_kind = |is_kind: fn(LinkKind) -> bool| -> BTreeSet<usize> {
        let links = spec.links.iter().filter(|it| is_kind(it.kind));
        links.map(|it| it.word).collect()
    };
    let names = of_kind(|it| matches!(it, LinkKind::Name | LinkKind::PartOfName));
    let values = of_kind(|it| it == LinkKind::Value);
    let quoted = quoted_words(found);
    let may_change = |&index: &usize| {
        let lower = found[index].text.to_lowercase();
        let entry = thesaurus::entry(&lower)
            .or_else(|| singular(&lower).and_then(|it| thesaurus::entry(&it)));
        index > 0
            && !values.contains(&index)
            && !quoted.contains(&index)
            && entry.is_some_and(|it| it.of == Use::Anywhere)
    };
    names.into_iter().filter(may_change).collect()
}

/// The words between quotes.
fn quoted_words(found: &[Word<'_>]) -> BTreeSet<usize> {
    let mut quoted = BTreeSet::new();
    let mut open: Option<usize> = None;
    for (index, word) in found.iter().enumerate() {
        if !matches!(
            word.text,
            "\"" | "'" | "`" | "\u{201c}" | "\u{201d}" | "\u{2018}" | "\u{2019}"
        ) {
            continue;
        }
        match open.take() {
            Some(start) => quoted.extend(start..index),
            None => open = Some(index),
        }
    }
    quoted
}

/// A question with a letter wrong in about every sixth of its longer words: two that changed places, one missing or
/// one twice; and how many words are wrong, at least one where there is a word to misspell. Words with digits or
/// capital letters, which may be values, stay.
pub fn misspelt(question: &str, rng: &mut ChaCha8Rng) -> (String, usize) {
    const SHARE: f32 = 0.17;
    let found = words(question);
    let quoted = quoted_words(&found);
    let is_plain = |index: &usize| {
        let word = found[*index].text;
        word.len() >= 4 && word.bytes().all(|it| it.is_ascii_lowercase()) && !quoted.contains(index)
    };
    let plain: Vec<usize> = (0..found.len()).filter(is_plain).collect();
    if plain.is_empty() {
        return (question.to_owned(), 0);
    }
    let mut wrong: Vec<usize> = Vec::new();
    for &index in &plain {
        if rng.random::<f32>() < SHARE {
            wrong.push(index);
        }
    }
    if wrong.is_empty() {
        wrong.push(plain[rng.random_range(0..plain.len())]);
    }
    let replaced: Vec<(Range<usize>, String)> = wrong
        .iter()
        .map(|&index| (found[index].span(), misspelt_word(found[index].text, rng)))
        .collect();
    (replace(question, &replaced), replaced.len())
}

/// A word of small letters of the alphabet, at least four of them, with something wrong behind the first.
fn misspelt_word(word: &str, rng: &mut ChaCha8Rng) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let differs = |&it: &usize| letters[it] != letters[it + 1];
    let places: Vec<usize> = (1..letters.len() - 1).filter(differs).collect();
    let any = rng.random_range(1..letters.len());
    match (rng.random_range(0..3), places.is_empty()) {
        (0, false) => {
            let place = places[rng.random_range(0..places.len())];
            letters.swap(place, place + 1);
        }
        (1, _) => _ = letters.remove(any),
        _ => letters.insert(any, letters[any]),
    }
    letters.into_iter().collect()
}

/// A text with others in the place of some of its parts, which are in order.
pub(super) fn replace(text: &str, replaced: &[(Range<usize>, String)]) -> String {
    let mut made = String::with_capacity(text.len());
    let mut end = 0;
    for (range, by) in replaced {
        made.push_str(&text[end..range.start]);
        made.push_str(by);
        end = range.end;
    }
    made + &text[end..]
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn rng(seed: u64) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(seed)
    }

    #[test]
    fn questions_stay_sentences() {
        let check = |question: &str, expected: &[&str]| {
            for seed in 0..60 {
                let found = polite(question, &mut rng(seed));
                let is_expected = expected.iter().any(|it| found.contains(it));
                assert!(is_expected && found != question, "{found}");
            }
        };
        check(
            "What is the age of Rex?",
            &[" what is the age of Rex?", "What is the age of Rex, "],
        );
        check("List all pets.", &[" list all pets.", "List all pets, "]);
        check(
            "Rex's age?",
            &[
                "Rex's age, please?",
                "Rex's age, thank",
                "Rex's age, if you can?",
            ],
        );
        check("The ages", &[" the ages", "The ages, "]);
    }

    #[test]
    fn forms_are_as_likely_as_they_are_said_to_be() {
        let off = AugmentConfig::default();
        assert_eq!(reformed("Who is Rex?", &off, &mut rng(1)), "Who is Rex?");
        let all = AugmentConfig {
            lower_case: 1.0,
            no_mark: 1.0,
            ..AugmentConfig::default()
        };
        assert_eq!(reformed("Who is Rex ?", &all, &mut rng(1)), "who is rex");
        let half = AugmentConfig {
            lower_case: 0.5,
            ..AugmentConfig::default()
        };
        let n_lower = (0..1000).filter(|&it| reformed("A?", &half, &mut rng(it)) == "a?");
        let n_lower = n_lower.count();
        assert!((440..560).contains(&n_lower), "{n_lower} of 1000");
    }

    #[test]
    fn misspelt_questions_keep_what_may_be_a_value() {
        let question = "Which singers from 'new york' sang Rapture in 2014 with their band";
        for seed in 0..100 {
            let (found, n_wrong) = misspelt(question, &mut rng(seed));
            assert!(n_wrong > 0 && found != question, "{found}");
            for kept in ["Which", "'new york'", "Rapture", "2014"] {
                assert!(found.contains(kept), "{found}");
            }
        }
        assert_eq!(
            misspelt("Is it A1?", &mut rng(1)),
            ("Is it A1?".to_owned(), 0)
        );
    }
}
