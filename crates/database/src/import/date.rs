//! Dates as people write them.

/// In which order the parts of a date stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// `2020/12/31`
    YearFirst,
    /// `31.12.2020`, `31/12/2020`
    DayFirst,
    /// `12/31/2020`
    MonthFirst,
    /// `31 Dec 2020`, `December 31, 2020`
    Named,
}

/// The longest text that is taken for a date.
const MAX_BYTES: usize = 40;

/// A date, perhaps with a time of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    year: u16,
    month: u8,
    day: u8,
    time: Option<(u8, u8, u8)>,
}

impl Moment {
    pub(super) fn has_time(self) -> bool {
        self.time.is_some()
    }

    /// As SQLite's functions read it: `2020-12-31`, `2020-12-31 14:05:00`.
    pub(super) fn iso(self) -> String {
        let date = format!("{:04}-{:02}-{:02}", self.year, self.month, self.day);
        match self.time {
            None => date,
            Some((hour, minute, second)) => format!("{date} {hour:02}:{minute:02}:{second:02}"),
        }
    }

    /// The moment that a text names in the given order.
    pub(super) fn read(text: &[u8], order: Order) -> Option<Moment> {
        if text.len() > MAX_BYTES || !text.is_ascii() {
            return None;
        }
        let (first, mark, rest) = part(text)?;
        let (second, other_mark, rest) = part(rest)?;
        let (third, _, time) = part(rest)?;
        let is_mark = match order {
            Order::Named => true,
            // Nobody writes months first with points between.
            Order::MonthFirst => mark == other_mark && matches!(mark, b"/" | b"-"),
            _ => mark == other_mark && matches!(mark, b"/" | b"-" | b"."),
        };
        let (year, month, day) = match order {
            _ if !is_mark => return None,
            Order::YearFirst => (first, number(second)?, second_number(third)?),
            Order::DayFirst => (third, number(second)?, second_number(first)?),
            Order::MonthFirst => (third, number(first)?, second_number(second)?),
            Order::Named if first[0].is_ascii_alphabetic() => {
                (third, named(first)?, number(second)?)
            }
            Order::Named => (third, named(second)?, number(first)?),
        };
        let time = match time.trim_ascii() {
            [] => None,
            time => Some(time_of_day(time)?),
        };
        let moment = Moment {
            year: (year.len() == 4).then(|| number(year))??,
            month,
            day,
            time,
        };
        moment.is_real().then_some(moment)
    }

    fn is_real(self) -> bool {
        let divides = |by: u16| self.year.is_multiple_of(by);
        let is_leap = divides(4) && (!divides(100) || divides(400));
        let n_days = match self.month {
            2 => 28 + u8::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        (1..=n_days).contains(&self.day)
    }
}

/// Whether a text is a date as ISO 8601 has it, and if so whether it has a time.
pub(super) fn iso(text: &[u8]) -> Option<bool> {
    let date = text.get(..10)?;
    if date[4] != b'-' || date[7] != b'-' || !text[0].is_ascii_digit() {
        return None;
    }
    Moment::read(date, Order::YearFirst)?;
    let Some(time) = text.get(11..) else {
        return (text.len() == 10).then_some(false);
    };
    (matches!(text[10], b'T' | b' ') && is_iso_time(time)).then_some(true)
}

/// `14:05`, `14:05:59`, `14:05:59.123`, each perhaps with a time zone.
fn is_iso_time(text: &[u8]) -> bool {
    let end = text.iter().position(|it| matches!(it, b'Z' | b'+' | b'-'));
    let (time, zone) = text.split_at(end.unwrap_or(text.len()));
    let is_number = |it: &u8| it.is_ascii_digit() || *it == b':';
    let is_zone = match zone {
        [] | b"Z" => true,
        [b'+' | b'-', rest @ ..] => matches!(rest.len(), 2 | 4 | 5) && rest.iter().all(is_number),
        _ => false,
    };
    let mut parts = time.trim_ascii_end().splitn(2, |&it| it == b'.');
    let whole = parts.next().unwrap_or_default();
    let fraction = parts.next().unwrap_or(b"0");
    let is_fraction = !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit);
    is_zone && is_fraction && matches!(whole.len(), 5 | 8) && time_of_day(whole).is_some()
}

/// `14:05`, `2:05:59 PM`
fn time_of_day(text: &[u8]) -> Option<(u8, u8, u8)> {
    let text = text.to_ascii_uppercase();
    let is_letter = |it: &u8| it.is_ascii_alphabetic() || *it == b' ';
    let end = text.iter().position(is_letter).unwrap_or(text.len());
    let (clock, half) = text.split_at(end);
    let parts: Vec<&[u8]> = clock.split(|&it| it == b':').collect();
    let (hour, minute, second) = match parts[..] {
        [hour, minute] => (number(hour)?, number(minute)?, 0),
        [hour, minute, second] => (number(hour)?, number(minute)?, number(second)?),
        _ => return None,
    };
    let hour: u8 = match (half.trim_ascii(), hour) {
        (b"", 0..=23) => hour,
        (b"AM", 1..=12) => hour % 12,
        (b"PM", 1..=12) => hour % 12 + 12,
        _ => return None,
    };
    (minute < 60 && second < 60).then_some((hour, minute, second))
}

/// The letters or digits that a text begins with, the marks behind them, and the rest.
fn part(text: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let first = text.first()?;
    let is_same = |it: &u8| {
        first.is_ascii_digit() && it.is_ascii_digit()
            || first.is_ascii_alphabetic() && it.is_ascii_alphabetic()
    };
    let is_mark = |it: &u8| matches!(it, b'/' | b'.' | b'-' | b' ' | b',');
    let end = text
        .iter()
        .position(|it| !is_same(it))
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let end = rest
        .iter()
        .position(|it| !is_mark(it))
        .unwrap_or(rest.len());
    let (mark, rest) = rest.split_at(end);
    (!word.is_empty()).then_some((word, mark, rest))
}

fn number<T: std::str::FromStr>(digits: &[u8]) -> Option<T> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| super::number::parsed(digits))?
}

/// A day, which has two digits at most.
fn second_number(digits: &[u8]) -> Option<u8> {
    (digits.len() <= 2).then(|| number(digits))?
}

const MONTHS: [&[u8]; 12] = [
    b"january",
    b"february",
    b"march",
    b"april",
    b"may",
    b"june",
    b"july",
    b"august",
    b"september",
    b"october",
    b"november",
    b"december",
];

fn named(word: &[u8]) -> Option<u8> {
    let word = word.to_ascii_lowercase();
    let is_month = |month: &&[u8]| word.len() >= 3 && month.starts_with(&word);
    let index = MONTHS.iter().position(is_month)?;
    u8::try_from(index + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_dates_are_known() {
        let check = |text: &str, expected| assert_eq!(iso(text.as_bytes()), expected, "{text}");
        check("2020-12-31", Some(false));
        check("2020-02-29", Some(false));
        for time in ["T14:05", " 14:05:59", "T14:05:59.123Z", " 14:05:59+02:00"] {
            check(&format!("2020-12-31{time}"), Some(true));
        }
        for other in [
            "2021-02-29",
            "2020-13-01",
            "2020-1-1",
            "2020/12/31",
            "20201231",
            "2020-12-31T",
            "2020-12-31 25:00",
            "2020-12-31x14:05",
            "abcd-ef-gh",
            "",
            "2020-12-31 14:05:59.",
        ] {
            check(other, None);
        }
    }

    #[test]
    fn other_dates_become_iso() {
        let check = |text: &str, order, expected: Option<&str>| {
            let found = Moment::read(text.as_bytes(), order).map(Moment::iso);
            assert_eq!(found.as_deref(), expected, "{text}");
        };
        check("31.12.2020", Order::DayFirst, Some("2020-12-31"));
        check("1/2/2020", Order::DayFirst, Some("2020-02-01"));
        check("1/2/2020", Order::MonthFirst, Some("2020-01-02"));
        check("31/12/2020", Order::MonthFirst, None);
        check("1.2.2020", Order::MonthFirst, None);
        check("31/12/20", Order::DayFirst, None);
        check("31.12/2020", Order::DayFirst, None);
        check("2020/12/31", Order::YearFirst, Some("2020-12-31"));
        check("31 Dec 2020", Order::Named, Some("2020-12-31"));
        check("31-dec-2020", Order::Named, Some("2020-12-31"));
        check("December 31, 2020", Order::Named, Some("2020-12-31"));
        check("Decembre 31, 2020", Order::Named, None);
        check(
            "31.12.2020 14:05",
            Order::DayFirst,
            Some("2020-12-31 14:05:00"),
        );
        check(
            "12/31/2020 2:05:09 PM",
            Order::MonthFirst,
            Some("2020-12-31 14:05:09"),
        );
        check(
            "12/31/2020 12:00 AM",
            Order::MonthFirst,
            Some("2020-12-31 00:00:00"),
        );
        check("12/31/2020 13:00 AM", Order::MonthFirst, None);
        check("30.2.2020", Order::DayFirst, None);
    }
}
