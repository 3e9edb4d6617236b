//! Numbers as people read them.

/// A count with its thousands set apart: `12,345`.
pub fn count(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun, which takes an `s` unless there is one.
pub fn counted(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(n))
}

/// A share or a score: `0.873`.
pub fn share(share: f64) -> String {
    format!("{share:.3}")
}

/// A share that may be missing.
pub fn share_or_dash(number: Option<f64>) -> String {
    number.map_or("–".to_owned(), share)
}

/// A probability: `0.042`, and what is too small for that `< 0.001`.
pub fn probability(probability: f64) -> String {
    if probability > 0.0 && probability < 0.0005 {
        return "< 0.001".to_owned();
    }
    format!("{probability:.3}")
}

/// A time: `4.2 s`, `3 min 20 s`.
pub fn duration(seconds: f64) -> String {
    if seconds < 99.95 {
        return format!("{seconds:.1} s");
    }
    let minutes = (seconds.round() / 60.0).floor();
    format!("{minutes:.0} min {:.0} s", seconds.round() - 60.0 * minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        let counts = [0, 999, 1000, 12_345, 1_234_567].map(count);
        assert_eq!(counts, ["0", "999", "1,000", "12,345", "1,234,567"]);
        assert_eq!(counted(1, "idiom"), "1 idiom");
        assert_eq!(counted(1000, "idiom"), "1,000 idioms");
        assert_eq!(duration(0.04), "0.0 s");
        assert_eq!(duration(200.4), "3 min 20 s");
        assert_eq!(duration(119.9), "2 min 0 s");
        assert_eq!(share_or_dash(None), "–");
        let probabilities = [0.0, 1e-9, 0.0421, 1.0].map(probability);
        assert_eq!(probabilities, ["0.000", "< 0.001", "0.042", "1.000"]);
    }
}
