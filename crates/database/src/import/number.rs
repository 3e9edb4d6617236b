//! Numbers as people write them.

/// Which marks a number has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `1,234.5`
    Point,
    /// `1.234,5` or `1 234,5`
    Comma,
}

/// What stands before or after a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// Nothing.
    Without,
    /// The sign of a currency.
    Currency(&'static str),
    /// `%`
    Percent,
}

const CURRENCIES: [&str; 10] = ["$", "€", "£", "¥", "₹", "EUR", "USD", "GBP", "CHF", "JPY"];

/// The longest text that is taken for a number.
const MAX_BYTES: usize = 40;

/// How many digits a float tells apart.
const MAX_DIGITS: usize = 15;

/// How a number is written without marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    /// An integer that a float holds, too.
    Integer,
    /// An integer that a float would round.
    LongInteger,
    /// With a point, or an exponent.
    Decimal,
}

/// What a text is as a number without marks. One that begins with zeros is none, nor one with a plus: these are codes and
/// numbers of telephones.
pub(super) fn plain(text: &[u8]) -> Option<Plain> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.iter().all(u8::is_ascii_digit) {
        return integer(text, digits);
    }
    let has_zeros = matches!(digits, [b'0', b'0'..=b'9', ..]);
    let is_written = |it: &u8| matches!(it, b'0'..=b'9' | b'.' | b'e' | b'E' | b'-' | b'+');
    let begins = matches!(digits, [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..]);
    if has_zeros || !begins || text.len() > MAX_BYTES || !digits.iter().all(is_written) {
        return None;
    }
    let value: f64 = parsed(text)?;
    value.is_finite().then_some(Plain::Decimal)
}

fn integer(text: &[u8], digits: &[u8]) -> Option<Plain> {
    match digits {
        [] | [b'0', _, ..] => None,
        [b'0'] if text.len() > 1 => None,
        _ if digits.len() <= MAX_DIGITS => Some(Plain::Integer),
        _ if digits.len() > 19 => None,
        _ => parsed::<i64>(text).map(|_| Plain::LongInteger),
    }
}

/// A number without marks.
pub(super) fn parsed<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// What stands before or after a number, and the number.
pub(super) fn signed(text: &[u8]) -> (Sign, &[u8]) {
    if let Some(rest) = text.strip_suffix(b"%") {
        return (Sign::Percent, rest.trim_ascii());
    }
    for sign in CURRENCIES {
        let found = text
            .strip_prefix(sign.as_bytes())
            .or_else(|| text.strip_suffix(sign.as_bytes()));
        if let Some(rest) = found {
            return (Sign::Currency(sign), rest.trim_ascii());
        }
    }
    (Sign::Without, text)
}

/// A number with marks as one without; none where it is not written in that style.
pub(super) fn unmarked(text: &[u8], style: Style) -> Option<Vec<u8>> {
    if text.is_empty() || text.len() > MAX_BYTES {
        return None;
    }
    let point = match style {
        Style::Point => b'.',
        Style::Comma => b',',
    };
    let (sign, digits) = match text.strip_prefix(b"-") {
        Some(rest) => (&b"-"[..], rest),
        None => (&b""[..], text),
    };
    let mut parts = digits.splitn(2, |&it| it == point);
    let whole = ungrouped(parts.next()?, style)?;
    let fraction = parts.next();
    let is_fraction = |it: &[u8]| !it.is_empty() && it.iter().all(u8::is_ascii_digit);
    if fraction.is_some_and(|it| !is_fraction(it)) {
        return None;
    }
    let mut number = [sign, &whole[..]].concat();
    if let Some(fraction) = fraction {
        number.push(b'.');
        number.extend_from_slice(fraction);
    }
    matches!(plain(&number)?, Plain::Integer | Plain::Decimal).then_some(number)
}

/// The digits of a whole number, with or without a mark before each three.
fn ungrouped(text: &[u8], style: Style) -> Option<Vec<u8>> {
    let text = match style {
        Style::Point => text.to_vec(),
        // Blanks that do not break a line.
        Style::Comma => String::from_utf8_lossy(text)
            .replace(['\u{a0}', '\u{202f}'], " ")
            .into_bytes(),
    };
    let is_mark = |it: &u8| match style {
        Style::Point => *it == b',',
        Style::Comma => matches!(it, b'.' | b' '),
    };
    let groups: Vec<&[u8]> = text.split(is_mark).collect();
    let (first, others) = groups.split_first()?;
    let is_first = !first.is_empty() && (others.is_empty() || first.len() <= 3);
    let is_grouped = is_first && others.iter().all(|it| it.len() == 3);
    let digits = groups.concat();
    (is_grouped && digits.iter().all(u8::is_ascii_digit)).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_without_marks() {
        let check = |text: &str, expected| assert_eq!(plain(text.as_bytes()), expected, "{text}");
        for integer in ["0", "7", "-12", "123456789012345"] {
            check(integer, Some(Plain::Integer));
        }
        for integer in ["1234567890123456", "-9223372036854775808"] {
            check(integer, Some(Plain::LongInteger));
        }
        for decimal in ["0.5", ".5", "5.", "-1.25", "1e5", "2.5E-3", "0.0"] {
            check(decimal, Some(Plain::Decimal));
        }
        for other in [
            "",
            "-",
            "007",
            "-07",
            "00.5",
            "+5",
            "-0",
            "1.2.3",
            "e5",
            "1e",
            "1e999",
            "inf",
            "NaN",
            "1,5",
            "9223372036854775808",
            "0x10",
            "1_000",
            ".",
            "-.",
        ] {
            check(other, None);
        }
    }

    #[test]
    fn marks_are_taken_off() {
        let check = |text: &str, style, expected: Option<&str>| {
            let found = unmarked(text.as_bytes(), style);
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{text}");
        };
        check("1,234.5", Style::Point, Some("1234.5"));
        check("-1,234,567", Style::Point, Some("-1234567"));
        check("12", Style::Point, Some("12"));
        check("1,23.5", Style::Point, None);
        check("1234,567", Style::Point, None);
        check(",123", Style::Point, None);
        check("1.234,5", Style::Comma, Some("1234.5"));
        check("1 234,5", Style::Comma, Some("1234.5"));
        check("1\u{a0}234,5", Style::Comma, Some("1234.5"));
        check("0,5", Style::Comma, Some("0.5"));
        check("1,5,", Style::Comma, None);
        check("1.5", Style::Comma, None);
        check("007,5", Style::Comma, None);
        check("", Style::Comma, None);
    }

    #[test]
    fn signs_are_taken_off() {
        let check = |text: &str, sign, rest: &str| {
            assert_eq!(signed(text.as_bytes()), (sign, rest.as_bytes()), "{text}");
        };
        check("$5", Sign::Currency("$"), "5");
        check("5,00 €", Sign::Currency("€"), "5,00");
        check("CHF 5", Sign::Currency("CHF"), "5");
        check("12 %", Sign::Percent, "12");
        check("12", Sign::Without, "12");
    }
}
