//! Which values of two results are equal.

use std::cmp::Ordering;

use patois_database::SqlValue;

/// The largest relative difference of two numbers that are equal.
const TOLERANCE: f64 = 1e-9;

/// Numbers values so that equal ones, and only these, have the same number.
///
/// Equality up to a tolerance is not transitive, so equal values form classes: going up, a number
/// joins the class of the one below it if it is close to the smallest of that class. Whole numbers
/// are told apart however large they are.
pub(super) fn numbered<'v>(values: impl Iterator<Item = &'v SqlValue>) -> Vec<u32> {
    let mut sorted: Vec<(&SqlValue, usize)> = values.zip(0..).collect();
    sorted.sort_unstable_by(|left, right| compare(left.0, right.0));
    let mut numbers = vec![0; sorted.len()];
    let mut n_classes = 0;
    let mut class: Option<Class<'_>> = None;
    for (value, place) in sorted {
        if !class.as_mut().is_some_and(|it| it.takes(value)) {
            class = Some(Class::of(value));
            n_classes += 1;
        }
        numbers[place] = n_classes;
    }
    numbers
}

/// Values that are equal.
struct Class<'v> {
    /// The first of them; of numbers the smallest.
    first: &'v SqlValue,
    /// The whole number among them.
    whole: Option<i64>,
}

impl Class<'_> {
    fn of(first: &SqlValue) -> Class<'_> {
        Class {
            first,
            whole: whole(first),
        }
    }

    /// Adds a value where it is equal.
    fn takes(&mut self, value: &SqlValue) -> bool {
        let (Some(first), Some(number)) = (number(self.first), number(value)) else {
            return self.first == value;
        };
        let whole = whole(value);
        let is_other = self.whole.zip(whole).is_some_and(|(own, new)| own != new);
        if is_other || !is_close(first, number) {
            return false;
        }
        self.whole = self.whole.or(whole);
        true
    }
}

/// An order in which equal values come together.
fn compare(left: &SqlValue, right: &SqlValue) -> Ordering {
    match (left, right) {
        (SqlValue::Text(left), SqlValue::Text(right)) => left.cmp(right),
        (SqlValue::Blob(left), SqlValue::Blob(right)) => left.cmp(right),
        _ => match (number(left), number(right)) {
            (Some(a), Some(b)) => a.total_cmp(&b).then_with(|| whole(left).cmp(&whole(right))),
            _ => rank(left).cmp(&rank(right)),
        },
    }
}

fn rank(value: &SqlValue) -> u8 {
    match value {
        SqlValue::Null => 0,
        SqlValue::Integer(_) | SqlValue::Real(_) => 1,
        SqlValue::Text(_) => 2,
        SqlValue::Blob(_) => 3,
    }
}

fn number(value: &SqlValue) -> Option<f64> {
    match value {
        SqlValue::Integer(integer) => Some(*integer as f64),
        SqlValue::Real(real) => Some(*real),
        SqlValue::Null | SqlValue::Text(_) | SqlValue::Blob(_) => None,
    }
}

/// The whole number that a value is exactly; none where a float is too large to tell.
fn whole(value: &SqlValue) -> Option<i64> {
    const LIMIT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    match value {
        SqlValue::Integer(integer) => Some(*integer),
        SqlValue::Real(real) => (real.fract() == 0.0 && real.abs() < LIMIT).then_some(*real as i64),
        SqlValue::Null | SqlValue::Text(_) | SqlValue::Blob(_) => None,
    }
}

#[expect(clippy::float_cmp, reason = "equal infinities have no difference")]
fn is_close(left: f64, right: f64) -> bool {
    let difference = (left - right).abs();
    left == right || difference.is_finite() && difference <= TOLERANCE * left.abs().max(right.abs())
}
