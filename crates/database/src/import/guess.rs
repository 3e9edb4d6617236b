//! What the values of a column are, told by all of them.

use std::borrow::Cow;

use super::date::{self, Moment, Order};
use super::number::{self, Plain, Sign, Style};

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Integers.
    Integer,
    /// Numbers.
    Real,
    /// Numbers with marks between thousands, a comma for a point, or a sign.
    Marked {
        style: Style,
        sign: Sign,
        is_whole: bool,
    },
    /// `true` and `false`.
    Boolean,
    /// Dates as ISO 8601 has them, perhaps with times.
    Iso { has_time: bool },
    /// Dates in another order, perhaps with times.
    Date { order: Order, has_time: bool },
    /// Anything.
    Text,
}

impl Form {
    /// The type of the column.
    pub(super) fn declared(self) -> &'static str {
        match self {
            Form::Integer | Form::Marked { is_whole: true, .. } => "INTEGER",
            Form::Real | Form::Marked { .. } => "REAL",
            Form::Boolean => "BOOLEAN",
            Form::Iso { has_time } | Form::Date { has_time, .. } => {
                if has_time {
                    "DATETIME"
                } else {
                    "DATE"
                }
            }
            Form::Text => "TEXT",
        }
    }

    /// The value of a cell. One that is not of this form, in a file that has changed, is a text.
    pub(super) fn value(self, cell: Cow<'_, [u8]>) -> Value<'_> {
        let value = match self {
            Form::Integer => number::parsed(&cell).map(Value::Integer),
            Form::Real => number::parsed(&cell).map(Value::Real),
            Form::Marked {
                style, is_whole, ..
            } => marked(&cell, style, is_whole),
            Form::Boolean => boolean(&cell).map(|it| Value::Integer(it.into())),
            Form::Date { order, .. } => {
                let moment = Moment::read(&cell, order);
                moment.map(|it| Value::Text(Cow::Owned(it.iso().into_bytes())))
            }
            Form::Iso { .. } | Form::Text => None,
        };
        value.unwrap_or(Value::Text(cell))
    }
}

/// A value of SQLite.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'c> {
    Integer(i64),
    Real(f64),
    Text(Cow<'c, [u8]>),
}

fn marked(cell: &[u8], style: Style, is_whole: bool) -> Option<Value<'static>> {
    let (_, rest) = number::signed(cell);
    let digits = number::unmarked(rest, style)?;
    if is_whole {
        number::parsed(&digits).map(Value::Integer)
    } else {
        number::parsed(&digits).map(Value::Real)
    }
}

fn boolean(cell: &[u8]) -> Option<bool> {
    match cell {
        _ if cell.eq_ignore_ascii_case(b"true") => Some(true),
        _ if cell.eq_ignore_ascii_case(b"false") => Some(false),
        _ => None,
    }
}

/// Words that say that there is no value.
const MISSING: [&[u8]; 10] = [
    b"NA", b"N/A", b"n/a", b"NULL", b"null", b"NaN", b"nan", b"#N/A", b"\\N", b"None",
];

/// Whether a cell says that there is no value.
pub(super) fn is_missing(cell: &[u8]) -> bool {
    let is_likely = matches!(cell, [b'N' | b'n' | b'#' | b'\\', _, ..]) && cell.len() <= 4;
    is_likely && MISSING.contains(&cell)
}

/// Forms that values may have, as a set.
type Forms = u16;

const INTEGER: Forms = 1;
const REAL: Forms = 1 << 1;
const POINT: Forms = 1 << 2;
const COMMA: Forms = 1 << 3;
const BOOLEAN: Forms = 1 << 4;
const ISO: Forms = 1 << 5;
const YEAR_FIRST: Forms = 1 << 6;
const DAY_FIRST: Forms = 1 << 7;
const MONTH_FIRST: Forms = 1 << 8;
const NAMED: Forms = 1 << 9;
const CODE: Forms = 1 << 10;

const NUMBERS: Forms = INTEGER | REAL | POINT | COMMA;
const ORDERS: [(Forms, Order); 4] = [
    (YEAR_FIRST, Order::YearFirst),
    (DAY_FIRST, Order::DayFirst),
    (MONTH_FIRST, Order::MonthFirst),
    (NAMED, Order::Named),
];
const DATES: Forms = ISO | YEAR_FIRST | DAY_FIRST | MONTH_FIRST | NAMED;

/// What is known of a column, value by value.
#[derive(Clone, Debug)]
pub(super) struct Guess {
    /// What all values so far may be.
    forms: Forms,
    sign: Option<Sign>,
    /// Those styles of numbers in which one has a fraction.
    fractions: Forms,
    has_time: bool,
    /// How many cells have a value.
    pub(super) n_values: u64,
    /// How many cells say in a word that they have none.
    pub(super) n_missing: u64,
}

impl Default for Guess {
    fn default() -> Guess {
        Guess {
            forms: NUMBERS | BOOLEAN | DATES | CODE,
            sign: None,
            fractions: 0,
            has_time: false,
            n_values: 0,
            n_missing: 0,
        }
    }
}

impl Guess {
    /// Looks at a cell without blanks around it.
    pub(super) fn see(&mut self, cell: &[u8]) {
        if cell.is_empty() {
            return;
        }
        if is_missing(cell) {
            self.n_missing += 1;
            return;
        }
        self.n_values += 1;
        if self.forms != 0 {
            self.forms &= self.forms_of(cell);
        }
    }

    /// Whether all values so far are texts as any.
    pub(super) fn is_text(&self) -> bool {
        self.form(Style::Point) == Form::Text
    }

    /// What the values are; `style` decides about numbers that may be of either.
    pub(super) fn form(&self, style: Style) -> Form {
        let has = |forms: Forms| self.forms & forms != 0;
        let is_bare = self.sign == Some(Sign::Without);
        if self.n_values == 0 {
            Form::Text
        } else if has(INTEGER) && is_bare {
            Form::Integer
        } else if has(REAL) && is_bare {
            Form::Real
        } else if has(POINT | COMMA) {
            self.marked(style)
        } else if has(BOOLEAN) {
            Form::Boolean
        } else if has(ISO) {
            Form::Iso {
                has_time: self.has_time,
            }
        } else {
            self.date()
        }
    }

    /// Whether dates may be read with the day or the month first.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.n_values > 0 && self.forms & DAY_FIRST != 0 && self.forms & MONTH_FIRST != 0
    }

    /// Whether `NA` is a value: of two letters, as all the others are.
    pub(super) fn has_codes(&self) -> bool {
        self.n_values > 0 && self.forms & CODE != 0
    }

    fn marked(&self, wanted: Style) -> Form {
        let style = match self.forms & (POINT | COMMA) {
            POINT => Style::Point,
            COMMA => Style::Comma,
            _ => wanted,
        };
        let form = match style {
            Style::Point => POINT,
            Style::Comma => COMMA,
        };
        Form::Marked {
            style,
            sign: self.sign.unwrap_or(Sign::Without),
            is_whole: self.fractions & form == 0,
        }
    }

    fn date(&self) -> Form {
        let mut orders = ORDERS.iter().filter(|it| self.forms & it.0 != 0);
        match orders.next() {
            Some(&(_, order)) if !self.is_ambiguous() => Form::Date {
                order,
                has_time: self.has_time,
            },
            _ => Form::Text,
        }
    }

    /// Those of the forms so far that a value has.
    fn forms_of(&mut self, cell: &[u8]) -> Forms {
        let mut found = 0;
        if self.forms & NUMBERS != 0 {
            found |= self.numbers_of(cell);
        }
        if self.forms & BOOLEAN != 0 && boolean(cell).is_some() {
            found |= BOOLEAN;
        }
        if self.forms & DATES != 0 {
            found |= self.dates_of(cell);
        }
        if self.forms & CODE != 0 && matches!(cell, [b'A'..=b'Z', b'A'..=b'Z']) {
            found |= CODE;
        }
        found
    }

    fn numbers_of(&mut self, cell: &[u8]) -> Forms {
        let plain = number::plain(cell);
        let (sign, digits) = match plain {
            Some(_) => (Sign::Without, cell),
            None => number::signed(cell),
        };
        if *self.sign.get_or_insert(sign) != sign {
            return 0;
        }
        let mut found = match plain.or_else(|| number::plain(digits)) {
            Some(Plain::Integer) => return NUMBERS,
            Some(Plain::LongInteger) => return INTEGER,
            Some(Plain::Decimal) => REAL,
            None => 0,
        };
        for (form, style) in [(POINT, Style::Point), (COMMA, Style::Comma)] {
            if self.forms & form == 0 {
                continue;
            }
            if let Some(digits) = number::unmarked(digits, style) {
                found |= form;
                if digits.contains(&b'.') {
                    self.fractions |= form;
                }
            }
        }
        found
    }

    fn dates_of(&mut self, cell: &[u8]) -> Forms {
        if self.forms & ISO != 0
            && let Some(has_time) = date::iso(cell)
        {
            self.has_time |= has_time;
            return if has_time { ISO } else { ISO | YEAR_FIRST };
        }
        let mut found = 0;
        for (form, order) in ORDERS {
            if self.forms & form == 0 {
                continue;
            }
            if let Some(moment) = Moment::read(cell, order) {
                self.has_time |= moment.has_time();
                found |= form;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(cells: &[&str]) -> Guess {
        let mut guess = Guess::default();
        for cell in cells {
            guess.see(cell.as_bytes());
        }
        guess
    }

    /// Checks the type of a column, and what becomes of its last cell.
    #[track_caller]
    fn check(cells: &[&str], declared: &str, last: &Value<'_>) {
        let form = guess(cells).form(Style::Point);
        assert_eq!(form.declared(), declared, "{cells:?}: {form:?}");
        let cell = cells.last().copied().unwrap_or_default();
        let value = form.value(Cow::Borrowed(cell.as_bytes()));
        assert_eq!(value, *last, "{cells:?}: {form:?}");
    }

    fn text(text: &str) -> Value<'_> {
        Value::Text(Cow::Borrowed(text.as_bytes()))
    }

    #[test]
    fn numbers_are_those_of_a_whole_column() {
        check(&["1", "", "-5"], "INTEGER", &Value::Integer(-5));
        check(&["1", "2.5"], "REAL", &Value::Real(2.5));
        check(&["2.5", "1"], "REAL", &Value::Real(1.0));
        check(&["1", "two"], "TEXT", &text("two"));
        check(&["12", "00123"], "TEXT", &text("00123"));
        check(
            &["1234567890123456789"],
            "INTEGER",
            &Value::Integer(1_234_567_890_123_456_789),
        );
        check(
            &["1.5", "1234567890123456789"],
            "TEXT",
            &text("1234567890123456789"),
        );
        check(
            &["12345678901234567890"],
            "TEXT",
            &text("12345678901234567890"),
        );
        check(&["", "NA"], "TEXT", &text("NA"));
    }

    #[test]
    fn marked_numbers_are_numbers_where_all_agree() {
        check(&["12", "1,234"], "INTEGER", &Value::Integer(1234));
        check(&["1,234.5", "12"], "REAL", &Value::Real(12.0));
        check(&["1,234.5", "1.234,5"], "TEXT", &text("1.234,5"));
        check(&["1.234,5", "0,25"], "REAL", &Value::Real(0.25));
        check(&["1.234.567", "1.234"], "INTEGER", &Value::Integer(1234));
        check(&["$5", "$1,234.50"], "REAL", &Value::Real(1234.5));
        check(&["$5", "5"], "TEXT", &text("5"));
        check(&["$5", "€5"], "TEXT", &text("€5"));
        check(&["5 €", "7,50 €"], "REAL", &Value::Real(7.5));
        check(&["5%", "12.5 %"], "REAL", &Value::Real(12.5));
        check(&["1,234", "x"], "TEXT", &text("x"));
    }

    #[test]
    fn the_style_decides_where_the_column_does_not() {
        let form = guess(&["1,234", "5,678"]).form(Style::Comma);
        assert_eq!(form.value(Cow::Borrowed(b"1,234")), Value::Real(1.234));
        let form = guess(&["1,234", "5,678"]).form(Style::Point);
        assert_eq!(form.value(Cow::Borrowed(b"1,234")), Value::Integer(1234));
    }

    #[test]
    fn truth_is_one() {
        check(&["TRUE", "false"], "BOOLEAN", &Value::Integer(0));
        check(&["true", "yes"], "TEXT", &text("yes"));
        check(&["true", "1"], "TEXT", &text("1"));
    }

    #[test]
    fn dates_become_iso_where_they_are_certain() {
        check(&["2020-12-31"], "DATE", &text("2020-12-31"));
        check(
            &["2020-12-31", "2020-12-31T14:05"],
            "DATETIME",
            &text("2020-12-31T14:05"),
        );
        check(&["2020-10-15", "2020-1-5"], "DATE", &text("2020-01-05"));
        check(&["1/2/2020", "12/31/2020"], "DATE", &text("2020-12-31"));
        check(&["31/12/2020", "1/2/2020"], "DATE", &text("2020-02-01"));
        check(&["1/2/2020"], "TEXT", &text("1/2/2020"));
        assert!(guess(&["1/2/2020"]).is_ambiguous());
        check(&["31/12/2020", "12/31/2020"], "TEXT", &text("12/31/2020"));
        check(&["1.2.2020"], "DATE", &text("2020-02-01"));
        check(&["2020-12-31", "soon"], "TEXT", &text("soon"));
        check(&["1.2.2020 9:05"], "DATETIME", &text("2020-02-01 09:05:00"));
    }

    #[test]
    fn words_for_nothing_are_counted() {
        let seen = guess(&["NA", "n/a", "1", "", "NULL", "nat"]);
        assert_eq!((seen.n_missing, seen.n_values), (3, 2));
        assert!(guess(&["DE", "NA", "FR"]).has_codes());
        assert!(!guess(&["Berlin", "NA"]).has_codes());
    }
}
