//! The little English grammar the generator needs: plurals, articles, agreement, negation, lists.

use rand::{Rng, RngExt};

/// Nouns whose plural no rule gives.
const IRREGULAR_NOUNS: &[(&str, &str)] = &[
    ("person", "people"),
    ("child", "children"),
    ("staff", "staff"),
    ("shelf", "shelves"),
    ("species", "species"),
];

/// Past forms that do not end in `-ed` and so would be taken for present ones.
const PAST_FORMS: &[&str] = &[
    "wrote", "won", "bought", "took", "made", "gave", "sold", "ran", "held", "left", "saw",
    "taught", "led", "met", "flew", "rode", "spent", "paid", "came", "began", "can",
];

/// Participles that do not end in `-ed` and follow `have`.
const PARTICIPLES: &[&str] = &[
    "been", "written", "won", "bought", "taken", "made", "given", "sold", "run", "held", "left",
    "seen", "taught", "led", "met", "flown", "ridden", "spent", "paid", "had", "shown", "hit",
    "brought", "put",
];

/// The plural of a noun or of the head of a noun phrase: `date of birth` gives `dates of birth`.
pub(super) fn plural(noun: &str) -> String {
    for link in [" of ", " in ", " for "] {
        if let Some((head, rest)) = noun.split_once(link) {
            return format!("{}{link}{rest}", plural(head));
        }
    }
    let (before, last) = match noun.rfind(' ') {
        Some(space) => noun.split_at(space + 1),
        None => ("", noun),
    };
    if let Some((_, many)) = IRREGULAR_NOUNS.iter().find(|(one, _)| *one == last) {
        return format!("{before}{many}");
    }
    let before_last = last.chars().rev().nth(1);
    let stem_ends_in_vowel = before_last.is_none_or(|it| "aeiou".contains(it));
    if let Some(stem) = last.strip_suffix('y').filter(|_| !stem_ends_in_vowel) {
        return format!("{before}{stem}ies");
    }
    let hisses = ["s", "x", "z", "ch", "sh"]
        .iter()
        .any(|it| last.ends_with(it));
    format!("{before}{last}{}", if hisses { "es" } else { "s" })
}

/// A noun phrase with its indefinite article.
pub(super) fn with_article(phrase: &str) -> String {
    format!("{} {phrase}", article_for(phrase))
}

/// `a` or `an`, by the sound that follows.
pub(super) fn article_for(phrase: &str) -> &'static str {
    let lower = phrase.trim_start_matches(['\'', '"']).to_lowercase();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|it| lower.starts_with(it));
    let n_digits = lower.chars().take_while(char::is_ascii_digit).count();
    let says_vowel = starts(&["hour", "honest", "8"]) || (n_digits == 2 && starts(&["11", "18"]));
    let says_consonant = starts(&["uni", "use", "usu", "one", "once", "eu"]);
    if says_vowel || (lower.starts_with(['a', 'e', 'i', 'o', 'u']) && !says_consonant) {
        "an"
    } else {
        "a"
    }
}

/// `live in Leeds` as one person does it: `lives in Leeds`.
pub(super) fn singular_verb(phrase: &str) -> String {
    let (verb, rest) = split_verb(phrase);
    if verb == "never" {
        return format!("never {}", singular_verb(rest.trim_start()));
    }
    let singular = match verb {
        "are" => "is".into(),
        "were" => "was".into(),
        "have" => "has".into(),
        "do" => "does".into(),
        "go" => "goes".into(),
        _ if is_past(verb) => verb.to_owned(),
        _ => plural(verb),
    };
    format!("{singular}{rest}")
}

/// `live in Leeds` denied: `do not live in Leeds`. The past simple has no such form here.
pub(super) fn negated(phrase: &str) -> Option<String> {
    let (verb, rest) = split_verb(phrase);
    match verb {
        "are" | "were" => Some(format!("{verb} not{rest}")),
        "have" if is_perfect(rest) => Some(format!("have not{rest}")),
        _ if is_past(verb) => None,
        _ => Some(format!("do not {phrase}")),
    }
}

/// What can stand directly behind a noun in place of a relative clause: `are from Leeds` gives
/// `from Leeds`, `have a garden` gives `with a garden`.
pub(super) fn postmodifier(phrase: &str) -> Option<String> {
    let (verb, rest) = split_verb(phrase);
    let next = rest.trim_start().split(' ').next().unwrap_or_default();
    match verb {
        "are" if ["the", "a", "an", "home", "part"].contains(&next) => None,
        "are" | "were" => Some(rest.trim_start().to_owned()),
        "have" if !is_perfect(rest) => Some(format!("with{rest}")),
        _ => None,
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: &[String], conjunction: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} {conjunction} {last}", before.join(", ")),
    }
}

/// Small numbers are words almost as often as digits.
pub(super) fn count_word(count: usize, rng: &mut impl Rng) -> String {
    let words = ["two", "three", "four", "five", "six"];
    match count.checked_sub(2).and_then(|it| words.get(it)) {
        Some(&word) if rng.random_bool(0.4) => word.into(),
        _ => count.to_string(),
    }
}

/// How a sentence is meant, which decides what people end it with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    /// Ends with a question mark.
    Question,
    /// Ends with a full stop.
    Command,
    /// A bare noun phrase, as typed into a search box.
    Note,
}

/// What people shorten where they speak rather than write.
const SHORT_FORMS: &[(&str, &str)] = &[
    ("do not ", "don't "),
    ("does not ", "doesn't "),
    ("have not ", "haven't "),
    ("has not ", "hasn't "),
    ("are not ", "aren't "),
    ("is not ", "isn't "),
    ("were not ", "weren't "),
    ("did not ", "didn't "),
    ("I would like", "I'd like"),
    ("what is ", "what's "),
    ("who is ", "who's "),
];

/// Capital letter and closing mark, or what haste leaves of them.
pub(super) fn sentence(text: &str, mood: Mood, rng: &mut impl Rng) -> String {
    let mut text = text.to_owned();
    if rng.random_bool(0.4) {
        for (long, short) in SHORT_FORMS {
            text = text.replace(long, short);
        }
    }
    let may_please = !text.contains("please") && !text.contains(',');
    if mood != Mood::Question && may_please && rng.random_bool(0.07) {
        text.push_str(", please");
    }
    match rng.random_range(0..100) {
        0..3 => return text.to_lowercase(),
        3..7 => return text,
        _ => {}
    }
    let mark = match mood {
        Mood::Question if rng.random_bool(0.94) => "?",
        Mood::Command if rng.random_bool(0.8) => ".",
        Mood::Note if rng.random_bool(0.2) => ".",
        _ => "",
    };
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).chain(mark.chars()).collect()
}

/// Every sentence of a text with a capital letter.
pub(super) fn capitalised(text: &str) -> String {
    let mut is_start = true;
    let mut before = ' ';
    let mut result = String::with_capacity(text.len());
    for it in text.chars() {
        is_start |= it == ' ' && ['.', '?'].contains(&before);
        if is_start && it.is_alphabetic() {
            result.extend(it.to_uppercase());
            is_start = false;
        } else {
            is_start &= it == ' ' || it == '\'';
            result.push(it);
        }
        before = it;
    }
    result
}

fn split_verb(phrase: &str) -> (&str, &str) {
    phrase.split_at(phrase.find(' ').unwrap_or(phrase.len()))
}

fn is_past(verb: &str) -> bool {
    PAST_FORMS.contains(&verb) || verb.ends_with("ed")
}

/// Whether what follows `have` makes it a perfect: `written a book`, not `a book`.
fn is_perfect(rest: &str) -> bool {
    let mut words = rest.trim_start().split(' ');
    let next = words
        .find(|it| !["not", "never"].contains(it))
        .unwrap_or_default();
    PARTICIPLES.contains(&next) || next.ends_with("ed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals() {
        for (one, many) in [
            ("city", "cities"),
            ("day", "days"),
            ("bus", "buses"),
            ("date of birth", "dates of birth"),
            ("staff member", "staff members"),
            ("delivery person", "delivery people"),
            ("dish", "dishes"),
        ] {
            assert_eq!(plural(one), many);
        }
    }

    #[test]
    fn articles_follow_the_sound() {
        for (phrase, article) in [
            ("apple", "an"),
            ("hour", "an"),
            ("unit price", "a"),
            ("18 year old", "an"),
            ("110 seat hall", "a"),
            ("1990 film", "a"),
            ("'Oliver' poster", "an"),
        ] {
            assert_eq!(article_for(phrase), article, "{phrase}");
        }
    }

    #[test]
    fn verbs_agree_and_are_denied() {
        for (phrase, one, not) in [
            ("live in York", "lives in York", Some("do not live in York")),
            ("are from York", "is from York", Some("are not from York")),
            (
                "have sold a book",
                "has sold a book",
                Some("have not sold a book"),
            ),
            (
                "have a garden",
                "has a garden",
                Some("do not have a garden"),
            ),
            ("wrote a book", "wrote a book", None),
        ] {
            assert_eq!(singular_verb(phrase), one);
            assert_eq!(negated(phrase).as_deref(), not);
        }
    }

    #[test]
    fn never_stays_as_it_is_before_a_verb_that_agrees() {
        assert_eq!(singular_verb("never borrow a book"), "never borrows a book");
    }

    #[test]
    fn every_sentence_begins_with_a_capital() {
        let text = capitalised("which pets are old? 'Rex' too. show 3 of them.");
        assert_eq!(text, "Which pets are old? 'Rex' too. Show 3 of them.");
    }

    #[test]
    fn postmodifiers_drop_the_verb() {
        for (phrase, post) in [
            ("were born in 1990", Some("born in 1990")),
            ("have a garden", Some("with a garden")),
            ("have written a book", None),
            ("have not written a book", None),
            ("live in York", None),
        ] {
            assert_eq!(postmodifier(phrase).as_deref(), post);
        }
    }
}
