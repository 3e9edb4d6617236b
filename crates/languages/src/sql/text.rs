//! The texts of SQL trees: which ones may stand where, and how they fall into subtokens.

/// Whether `text` may stand where a text of type `ty` is expected.
pub(super) fn accepts(ty: &str, text: &str) -> bool {
    match ty {
        "string" => !text.contains('\0'),
        "number" => is_number(text),
        "blob" => is_blob(text),
        "count" => is_count(text),
        _ => false,
    }
}

/// Splits a literal or name into subtokens.
///
/// A subtoken is a word, a number, or a single other character; one space before it belongs to it.
/// `New York%` is `New`, ` York`, `%`; `3.5 stars` is `3.5`, ` stars`; `a_b` is `a`, `_`, `b`.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut subtokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (subtoken, after) = rest.split_at(subtoken_length(rest));
        subtokens.push(subtoken);
        rest = after;
    }
    subtokens
}

/// Digits, with a point or an exponent or both, or hexadecimal digits; no sign.
pub(super) fn is_number(text: &str) -> bool {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        // One digit less than SQLite takes: a sign before the greatest ones is an error.
        let is_short = (1..=15).contains(&digits.len());
        return is_short && digits.bytes().all(|it| it.is_ascii_hexdigit());
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !(whole.is_empty() && fraction.is_empty());
    let exponent = exponent.map_or("0", |it| it.strip_prefix(['+', '-']).unwrap_or(it));
    has_digits
        && is_digits(whole)
        && is_digits(fraction)
        && !exponent.is_empty()
        && is_digits(exponent)
}

/// A whole number that SQLite has room for.
pub(super) fn is_count(text: &str) -> bool {
    (1..=18).contains(&text.len()) && is_digits(text)
}

fn is_blob(text: &str) -> bool {
    let is_digit = |it: u8| it.is_ascii_digit() || (b'A'..=b'F').contains(&it);
    text.len().is_multiple_of(2) && text.bytes().all(is_digit)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_digit())
}

fn subtoken_length(text: &str) -> usize {
    let space = usize::from(text.starts_with(' '));
    let rest = &text[space..];
    let run = |is_part: fn(char) -> bool| rest.find(|it| !is_part(it)).unwrap_or(rest.len());
    let length = match rest.chars().next() {
        None | Some(' ') => return 1,
        Some(it) if it.is_ascii_digit() => number_length(rest),
        Some(it) if it.is_alphabetic() => run(char::is_alphabetic),
        Some(it) => it.len_utf8(),
    };
    space + length
}

/// Digits, and a point with more digits.
fn number_length(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    match text[whole..].strip_prefix('.').map(digits) {
        None | Some(0) => whole,
        Some(fraction) => whole + 1 + fraction,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fall_into_subtokens_that_make_them_up() {
        let check = |text: &str, subtokens: &[&str]| {
            assert_eq!(split(text), subtokens, "{text:?}");
            assert_eq!(split(text).concat(), text);
        };
        check("", &[]);
        check("New York%", &["New", " York", "%"]);
        check("3.5 stars", &["3.5", " stars"]);
        check("2014-01-05", &["2014", "-", "01", "-", "05"]);
        check("a_b  c ", &["a", "_", "b", " ", " c", " "]);
        check("1.", &["1", "."]);
        check("Zürich 8", &["Zürich", " 8"]);
        check("\t日本", &["\t", "日本"]);
    }

    #[test]
    fn texts_are_accepted_by_type() {
        let check = |ty: &str, good: &[&str], bad: &[&str]| {
            for text in good {
                assert!(accepts(ty, text), "{ty} {text:?}");
            }
            for text in bad {
                assert!(!accepts(ty, text), "{ty} {text:?}");
            }
        };
        let numbers = ["0", "007", "1.5", ".5", "1.", "1e5", "1.5E-3", "0xFF"];
        check(
            "number",
            &numbers,
            &[
                "",
                ".",
                "-1",
                "1e",
                "0x",
                "1_000",
                "e5",
                "1 ",
                "0x8000000000000000",
            ],
        );
        check(
            "count",
            &["0", "10", "007"],
            &["", "-1", "1.5", "1e3", "0xF"],
        );
        check("string", &["", "it's"], &["\0"]);
        check("blob", &["", "0AFF"], &["0", "ff", "G0"]);
        check("nothing", &[], &[""]);
    }
}
