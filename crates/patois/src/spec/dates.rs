//! Dates in questions, as databases spell them.

use std::ops::Range;

use super::words::Word;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The numbers that are taken for years.
const YEARS: Range<u32> = 1800..2100;

/// The dates, months of years and months that words speak of, in the spelling of ISO 8601: `2021-05-01` for
/// `May 1st, 2021`, `1 May 2021`, `5/1/2021` and `01.05.2021`, `2021-05` for `May 2021`, `05` for `May`. Months of
/// years and years also are the days that they begin with, as one says `since 2021`.
///
/// Where day and month cannot be told apart, both are there.
pub(super) fn dates(words: &[Word<'_>]) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    for start in 0..words.len() {
        let at = |offset: usize| words.get(start + offset).map(|it| it.text);
        if let Some(month) = at(0).and_then(month) {
            found.push((start..start + 1, format!("{month:02}")));
        }
        if let Some(year) = at(0).and_then(year).filter(|it| YEARS.contains(it)) {
            found.push((start..start + 1, format!("{year:04}-01-01")));
        }
        if let Some((length, texts)) = written(&at).or_else(|| in_digits(&at)) {
            found.extend(texts.into_iter().map(|it| (start..start + length, it)));
        }
    }
    found
}

/// A date with a month that is named: how many words it has, and its spellings.
fn written<'w>(at: &impl Fn(usize) -> Option<&'w str>) -> Option<(usize, Vec<String>)> {
    let silent = |offset: usize| usize::from(matches!(at(offset), Some("," | "." | "of" | "the")));
    if let Some(month) = at(0).and_then(month) {
        let after_day = 2 + silent(2);
        if let (Some(day), Some(year)) = (at(1).and_then(day), at(after_day).and_then(year)) {
            return Some((after_day + 1, vec![iso(year, month, day)?]));
        }
        let before_year = 1 + silent(1);
        let year = at(before_year).and_then(year)?;
        let texts = vec![format!("{year:04}-{month:02}"), iso(year, month, 1)?];
        return Some((before_year + 1, texts));
    }
    let day = at(0).and_then(day)?;
    let place = 1 + silent(1);
    let month = at(place).and_then(month)?;
    let place = place + 1 + silent(place + 1);
    let year = at(place).and_then(year)?;
    Some((place + 1, vec![iso(year, month, day)?]))
}

/// A date in digits: `5/1/2021`, `01.05.2021`, which is one word.
fn in_digits<'w>(at: &impl Fn(usize) -> Option<&'w str>) -> Option<(usize, Vec<String>)> {
    let first = at(0)?;
    let (length, parts): (usize, Vec<&str>) = match first.split('.').count() {
        3 => (1, first.split('.').collect()),
        _ if at(1) == Some("/") && at(3) == Some("/") => (5, vec![first, at(2)?, at(4)?]),
        _ => return None,
    };
    let year = year(parts[2])?;
    let (first, second) = (day(parts[0])?, day(parts[1])?);
    let mut texts: Vec<String> = [(first, second), (second, first)]
        .into_iter()
        .filter_map(|(month, day)| iso(year, month, day))
        .collect();
    texts.dedup();
    Some((length, texts))
}

fn iso(year: u32, month: u32, day: u32) -> Option<String> {
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
    is_date.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// The number of a month that is named, whole or by its first letters.
fn month(word: &str) -> Option<u32> {
    let lower = word.to_lowercase();
    let letters = lower.trim_end_matches('.');
    let is_named = |name: &str| letters.len() >= 3 && name.starts_with(letters);
    let place = MONTHS.iter().position(|name| is_named(name))?;
    Some(place as u32 + 1)
}

/// `1`, `01`, `1st`.
fn day(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|it: char| it.is_ascii_alphabetic());
    let ending = &word[digits.len()..];
    let is_day = matches!(ending, "" | "st" | "nd" | "rd" | "th") && digits.len() <= 2;
    let day = digits.parse().ok().filter(|_| is_day)?;
    (1..=31).contains(&day).then_some(day)
}

/// A year of four digits.
fn year(word: &str) -> Option<u32> {
    let is_year = word.len() == 4 && word.bytes().all(|it| it.is_ascii_digit());
    word.parse().ok().filter(|_| is_year)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::words::words;

    fn check(text: &str, expected: &[&str]) {
        let words = words(text);
        let found = dates(&words);
        let longest = found.iter().map(|it| it.0.len()).max();
        let found = found.iter().filter(|it| Some(it.0.len()) == longest);
        let found: Vec<&str> = found.map(|it| it.1.as_str()).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn dates_are_understood_in_every_usual_form() {
        for text in [
            "on May 1, 2021",
            "May 1st 2021",
            "1 May 2021",
            "the 1st of May, 2021",
        ] {
            check(text, &["2021-05-01"]);
        }
        check("before 5/1/2021", &["2021-05-01", "2021-01-05"]);
        check("before 13/1/2021", &["2021-01-13"]);
        check("since 01.05.2021", &["2021-01-05", "2021-05-01"]);
        check("since 31.12.2021", &["2021-12-31"]);
        check("in Sep. 2020", &["2020-09", "2020-09-01"]);
        check("in march", &["03"]);
        check("32 May 2021", &["2021-05", "2021-05-01"]);
        check("more than 3.5 in 2020", &["2020-01-01"]);
        check("more than 3000", &[]);
        check("5/1", &[]);
    }

    #[test]
    fn what_stands_around_a_date_is_no_part_of_it() {
        let words = words("born on 3 June 1999 in Bern");
        let found = dates(&words);
        assert!(
            found.contains(&(2..5, "1999-06-03".to_owned())),
            "{found:?}"
        );
        assert!(found.contains(&(3..5, "1999-06".to_owned())), "{found:?}");
    }
}
