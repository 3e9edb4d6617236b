//! Numbers that are said in words.

use std::ops::Range;

use super::words::Word;

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

const SCALES: [(&str, u64); 8] = [
    ("dozen", 12),
    ("hundred", 100),
    ("thousand", 1_000),
    ("k", 1_000),
    ("million", 1_000_000),
    ("m", 1_000_000),
    ("billion", 1_000_000_000),
    ("bn", 1_000_000_000),
];

/// The numbers that runs of words say, in digits: `2500` for `two thousand five hundred`, `1500000` for
/// `1.5 million`, `20` for `twenty`, `5000` for `5k`.
pub(super) fn numbers(words: &[Word<'_>]) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < words.len() {
        let mut said = Said::default();
        let mut end = start;
        // `two hundred and five`, but not `from two and three`.
        for (place, word) in words.iter().enumerate().skip(start) {
            let is_and = word.text.eq_ignore_ascii_case("and") && said.has_scale;
            if said.add(word.text) {
                end = place + 1;
            } else if !is_and || place != end || place == start {
                break;
            }
        }
        if let Some(number) = said.number().filter(|_| end > start && said.is_in_words) {
            found.push((start..end, number));
        }
        start = end.max(start + 1);
    }
    found
}

/// A number while its words are read.
#[derive(Default)]
struct Said {
    /// What the scales so far make: two thousand.
    total: f64,
    /// What comes before the next scale: five.
    current: Option<f64>,
    has_scale: bool,
    /// Whether digits alone would not do.
    is_in_words: bool,
}

impl Said {
    /// Reads a word on; whether it belongs to the number.
    fn add(&mut self, word: &str) -> bool {
        let lower = word.to_lowercase();
        lower.split('-').all(|part| self.add_part(part))
    }

    fn add_part(&mut self, part: &str) -> bool {
        if let Some(value) = SMALL.iter().position(|it| *it == part) {
            return self.add_value(value as f64, 1.0..10.0);
        }
        if let Some(tens) = TENS.iter().position(|it| *it == part) {
            return self.add_value((tens + 2) as f64 * 10.0, 0.0..0.0);
        }
        if let Some(&(_, scale)) = SCALES.iter().find(|it| it.0 == part && part.len() > 2) {
            return self.add_scale(scale);
        }
        let digits = part.trim_end_matches(|it: char| it.is_ascii_alphabetic());
        let scale = SCALES.iter().find(|it| it.0 == &part[digits.len()..]);
        let Ok(value) = digits.replace(',', "").parse::<f64>() else {
            return false;
        };
        let is_digits = digits.len() == part.len();
        let is_first = self.current.is_none() && !self.has_scale && value.is_finite();
        if !is_first || (!is_digits && scale.is_none()) {
            return false;
        }
        self.current = Some(value);
        scale.is_none_or(|it| self.add_scale(it.1))
    }

    /// Adds a number below a hundred: alone, after tens, or after a scale.
    fn add_value(&mut self, value: f64, after_tens: Range<f64>) -> bool {
        let is_after_tens = |tens: f64| tens >= 20.0 && tens % 10.0 == 0.0 && tens < 100.0;
        let is_hundreds = |before: f64| before >= 100.0 && before % 100.0 == 0.0;
        self.current = match self.current {
            None => Some(value),
            Some(before) if is_hundreds(before) && before < 1_000.0 => Some(before + value),
            Some(before) if is_after_tens(before % 100.0) && after_tens.contains(&value) => {
                Some(before + value)
            }
            Some(_) => return false,
        };
        self.is_in_words = true;
        true
    }

    fn add_scale(&mut self, scale: u64) -> bool {
        let Some(current) = self.current.filter(|it| *it > 0.0) else {
            return false;
        };
        self.has_scale = true;
        self.is_in_words = true;
        if scale <= 100 {
            self.current = Some(current * scale as f64);
        } else {
            self.total += current * scale as f64;
            self.current = None;
        }
        true
    }

    fn number(&self) -> Option<String> {
        let is_said = self.current.is_some() || self.has_scale;
        let number = self.total + self.current.unwrap_or(0.0);
        is_said.then(|| number.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::words::words;

    #[test]
    fn numbers_in_words_are_understood() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<String> = numbers(&words(text)).into_iter().map(|it| it.1).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("more than twenty five pets", &["25"]);
        check("twenty-five", &["25"]);
        check("two thousand five hundred", &["2500"]);
        check("one hundred and seven", &["107"]);
        check("between two and three", &["2", "3"]);
        check("1.5 million dollars", &["1500000"]);
        check("over 5k or 2 million", &["5000", "2000000"]);
        check("a dozen", &[]);
        check("3 dozen", &["36"]);
        check("the first 10 of 1,000", &[]);
        check("one two", &["1", "2"]);
        check("hundred thousand and", &[]);
        check("", &[]);
    }

    #[test]
    fn the_words_of_a_number_are_told() {
        let text = words("at least two hundred and five songs");
        assert_eq!(numbers(&text), [(2..6, "205".to_owned())]);
    }
}
