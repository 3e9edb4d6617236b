//! The texts of Python trees: which ones are allowed, how numbers are spelt, how texts are split.
//!
//! A text says what a literal stands for, in one way only. Two kinds of literals hold more than a
//! Rust string can:
//!
//! - *bytes* are written as one character, U+0000 to U+00FF, for each byte;
//! - *lone surrogates* in a string, such as `"\ud800"`, are written as U+10FFFF followed by the
//!   character U+F0000 + (surrogate - U+D800). U+10FFFF itself, which is no assigned character and
//!   never will be, is written twice.

use std::fmt::Write;

use super::parse;

/// What a parsed value contains where it may have held surrogates, or must be escaped.
pub(super) const BARE_SURROGATES: [char; 2] = ['\u{FFFD}', ESCAPE];

/// Introduces a surrogate in the text of a string.
pub(super) const ESCAPE: char = '\u{10FFFF}';

const FIRST_SURROGATE: u32 = 0xD800;
const FIRST_STAND_IN: u32 = 0xF0000;
const N_SURROGATES: u32 = 0x800;

/// CPython reads no decimal integer that is longer.
const MAX_DECIMAL_DIGITS: usize = 4300;

/// More hexadecimal digits than any number of 4300 decimal digits has.
const MIN_HEXADECIMAL_DIGITS: usize = 3572;

const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Whether `text` may stand where the grammar has the text type `ty`.
pub(super) fn accepts(ty: &str, text: &str) -> bool {
    match ty {
        "identifier" => is_identifier(text),
        "capture_name" => text != "_" && is_identifier(text),
        "dotted_name" => text.split('.').all(is_identifier),
        "module_name" => {
            let name = text.trim_start_matches('.');
            name.split('.').all(is_identifier) || name.is_empty() && !text.is_empty()
        }
        "string" => is_string(text),
        "string_part" => !text.is_empty() && is_string(text),
        "bytes" => text.chars().all(|it| it <= '\u{FF}'),
        "integer" => is_integer(text),
        "float" => is_float(text),
        "imaginary" => is_imaginary(text),
        _ => false,
    }
}

fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    let starts_well = bytes
        .next()
        .is_some_and(|it| it.is_ascii_alphabetic() || it == b'_');
    if starts_well && bytes.all(|it| it.is_ascii_alphanumeric() || it == b'_') {
        return !KEYWORDS.contains(&text);
    }
    // Python normalises identifiers beyond ASCII; only a normalised one stays what it is.
    !text.is_ascii() && parse::identifier(text).is_some_and(|it| it == text)
}

fn is_string(text: &str) -> bool {
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        if char == ESCAPE
            && !chars
                .next()
                .is_some_and(|it| it == ESCAPE || surrogate(it).is_some())
        {
            return false;
        }
    }
    true
}

/// How a lone surrogate is written in a text.
pub(super) fn surrogate_text(surrogate: u32) -> String {
    let stand_in = char::from_u32(surrogate - FIRST_SURROGATE + FIRST_STAND_IN);
    [ESCAPE, stand_in.unwrap_or(ESCAPE)].iter().collect()
}

/// The surrogate that `stand_in` is for, after [`ESCAPE`].
pub(super) fn surrogate(stand_in: char) -> Option<u32> {
    let offset = u32::from(stand_in).checked_sub(FIRST_STAND_IN)?;
    (offset < N_SURROGATES).then_some(FIRST_SURROGATE + offset)
}

/// The text of an integer of any spelling: decimal, or hexadecimal where decimal is too long.
pub(super) fn integer(literal: &str) -> Option<String> {
    let digits: String = literal.chars().filter(|&it| it != '_').collect();
    let digits = digits.to_ascii_lowercase();
    let bits_per_digit = match digits.get(..2) {
        Some("0x") => 4,
        Some("0o") => 3,
        Some("0b") => 1,
        _ => {
            let significant = digits.trim_start_matches('0');
            let text = if significant.is_empty() {
                "0"
            } else {
                significant
            };
            return (text.len() <= MAX_DECIMAL_DIGITS).then(|| text.to_owned());
        }
    };
    let hexadecimal = to_hexadecimal(&digits[2..], bits_per_digit)?;
    Some(decimal(&hexadecimal).unwrap_or_else(|| format!("0x{hexadecimal}")))
}

/// Digits of 1, 3 or 4 bits as hexadecimal digits without leading zeros.
fn to_hexadecimal(digits: &str, bits_per_digit: u32) -> Option<String> {
    let mut hexadecimal = Vec::with_capacity(digits.len());
    let (mut value, mut n_bits) = (0, 0);
    for digit in digits.chars().rev() {
        value |= digit.to_digit(1 << bits_per_digit)? << n_bits;
        n_bits += bits_per_digit;
        while n_bits >= 4 {
            hexadecimal.push(char::from_digit(value & 15, 16)?);
            value >>= 4;
            n_bits -= 4;
        }
    }
    hexadecimal.push(char::from_digit(value & 15, 16)?);
    let text: String = hexadecimal.into_iter().rev().collect();
    Some(text.trim_start_matches('0').to_owned())
}

/// The decimal digits of a hexadecimal number, unless there are too many.
fn decimal(hexadecimal: &str) -> Option<String> {
    const BASE: u64 = 1_000_000_000;
    if hexadecimal.len() >= MIN_HEXADECIMAL_DIGITS {
        return None;
    }
    // Groups of nine decimal digits, the least significant first.
    let mut groups = vec![0];
    for digit in hexadecimal.chars() {
        let mut carry = u64::from(digit.to_digit(16)?);
        for group in &mut groups {
            let value = *group * 16 + carry;
            *group = value % BASE;
            carry = value / BASE;
        }
        if carry > 0 {
            groups.push(carry);
        }
    }
    let mut text = groups.pop()?.to_string();
    for group in groups.iter().rev() {
        write!(text, "{group:09}").expect("writing to a string cannot fail");
    }
    (text.len() <= MAX_DECIMAL_DIGITS).then_some(text)
}

fn is_integer(text: &str) -> bool {
    let is_decimal = text.bytes().all(|it| it.is_ascii_digit());
    let is_literal = is_decimal && !text.is_empty()
        || text
            .strip_prefix("0x")
            .is_some_and(|it| it.bytes().all(|it| it.is_ascii_hexdigit()));
    is_literal && integer(text).is_some_and(|it| it == text)
}

/// The text of a floating point number: the shortest that reads back, as Python's `repr` has it.
pub(super) fn float(value: f64) -> String {
    if value.is_infinite() {
        return "1e309".to_owned();
    }
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    match exponent.parse::<i32>() {
        Ok(exponent @ (-4..16)) => {
            let text = format!("{value}");
            if exponent >= 0 && !text.contains('.') {
                text + ".0"
            } else {
                text
            }
        }
        Ok(exponent) if exponent > 0 => format!("{digits}e+{exponent:02}"),
        _ => format!("{digits}e-{:0>2}", &exponent[1..]),
    }
}

fn is_float(text: &str) -> bool {
    is_unsigned_number(text) && text.parse().is_ok_and(|value: f64| float(value) == text)
}

/// Whether `text` has no sign in front, and nothing in it but a number: no `inf`, no `nan`.
fn is_unsigned_number(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_digit())
        && text
            .bytes()
            .all(|it| it.is_ascii_digit() || b".e+-".contains(&it))
}

/// The text of an imaginary number: `2j`, `1.5j`.
pub(super) fn imaginary(value: f64) -> String {
    let real = float(value);
    format!("{}j", real.strip_suffix(".0").unwrap_or(&real))
}

fn is_imaginary(text: &str) -> bool {
    let Some(real) = text.strip_suffix('j') else {
        return false;
    };
    is_unsigned_number(real)
        && real
            .parse()
            .is_ok_and(|value: f64| imaginary(value) == text)
}

/// Splits a text into subtokens, of which the same few recur in many texts.
///
/// A subtoken is a run of letters that is a word by its case (`Assassins`, `blade`, `CARD`; the last
/// capital of a run belongs to the word it starts: `HTML`, `Parser`), a single digit's run
/// (`2024`), or one other character. A single space before a letter or digit belongs to the subtoken
/// that follows it, so that a phrase has as many subtokens as words.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut subtokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (subtoken, after) = rest.split_at(subtoken_len(rest));
        subtokens.push(subtoken);
        rest = after;
    }
    subtokens
}

/// The length of the first subtoken of a text that is not empty.
fn subtoken_len(text: &str) -> usize {
    if let Some(after) = text.strip_prefix(' ')
        && after.starts_with(char::is_alphanumeric)
    {
        return 1 + word_len(after);
    }
    word_len(text)
}

fn word_len(text: &str) -> usize {
    let run = |of: fn(char) -> bool| text.find(|it| !of(it)).unwrap_or(text.len());
    let Some(first) = text.chars().next() else {
        return 0;
    };
    if first.is_numeric() {
        return run(char::is_numeric);
    }
    if !first.is_alphabetic() {
        return first.len_utf8();
    }
    if !first.is_uppercase() {
        return run(|it| it.is_alphabetic() && !it.is_uppercase());
    }
    let capitals = run(char::is_uppercase);
    let is_lower = |it: char| it.is_alphabetic() && !it.is_uppercase();
    let lower = &text[capitals..];
    let lower_len = lower.find(|it| !is_lower(it)).unwrap_or(lower.len());
    let last_capital = text[..capitals]
        .chars()
        .next_back()
        .map_or(0, char::len_utf8);
    match (lower_len, capitals - last_capital) {
        (0, _) => capitals,
        (_, 0) => capitals + lower_len,
        (_, before_last) => before_last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_split(text: &str, expected: &[&str]) {
        assert_eq!(split(text), expected);
        assert_eq!(split(text).concat(), text);
    }

    #[test]
    fn texts_split_at_words() {
        check_split("", &[]);
        check_split("CARD_RARITY", &["CARD", "_", "RARITY"]);
        check_split("AssassinsBlade", &["Assassins", "Blade"]);
        check_split("HTMLParser2", &["HTML", "Parser", "2"]);
        check_split("__init__", &["_", "_", "init", "_", "_"]);
        check_split("Baron Geddon", &["Baron", " Geddon"]);
        check_split("a  b, c.", &["a", " ", " b", ",", " c", "."]);
        check_split("utf8_ÄrgerÖl", &["utf", "8", "_", "Ärger", "Öl"]);
        check_split("日本語 x", &["日本語", " x"]);
    }

    #[test]
    fn numbers_have_one_spelling() {
        for (value, text) in [
            (0.0, "0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (5e-324, "5e-324"),
            (f64::INFINITY, "1e309"),
        ] {
            assert_eq!(float(value), text);
            assert!(accepts("float", text));
        }
        assert_eq!(imaginary(2.0), "2j");
        assert_eq!(
            integer("0xFFFF_FFFF_FFFF_FFFF_F").as_deref(),
            Some("295147905179352825855")
        );
        assert_eq!(integer("0b1").as_deref(), Some("1"));
        assert_eq!(integer("0o17").as_deref(), Some("15"));
        assert_eq!(integer(&"9".repeat(4301)), None);
        let long = format!("0x{}", "f".repeat(4000));
        assert_eq!(integer(&long).as_deref(), Some(&*long));
    }

    #[test]
    fn only_one_text_is_accepted_for_a_value() {
        let check = |ty, accepted: &[&str], refused: &[&str]| {
            for text in accepted {
                assert!(accepts(ty, text), "{ty} {text:?}");
            }
            for text in refused {
                assert!(!accepts(ty, text), "{ty} {text:?}");
            }
        };
        check(
            "identifier",
            &["a", "_", "match", "é", "日本"],
            &["", "1a", "if", "a b", "ﬁ", "a.b", "é ", " é", "\u{a0}é"],
        );
        check("capture_name", &["a", "__"], &["_", ""]);
        check(
            "dotted_name",
            &["a", "a.b"],
            &["", ".a", "a.", "a..b", "a.if"],
        );
        check(
            "module_name",
            &["a.b", ".", "..", "..a.b"],
            &["", "a.", ". a"],
        );
        check(
            "integer",
            &["0", "10"],
            &["", "-1", "010", "1_0", "0x1", "+1"],
        );
        check(
            "float",
            &["1.0", "1e309"],
            &["1", "1.", "1.00", "inf", "nan", "-1.0", "1e400", ""],
        );
        check("imaginary", &["1j", "0j"], &["1.0j", "j", "1", "-1j"]);
        check(
            "string",
            &["", "a", "\u{10FFFF}\u{10FFFF}"],
            &["\u{10FFFF}", "\u{10FFFF}a"],
        );
        check("string_part", &["a"], &[""]);
        check("bytes", &["", "ÿ"], &["Ā"]);
    }
}
