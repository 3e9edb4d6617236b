//! Two texts beside each other, equal lines in the same row.

use patois::report::diff::common;

use crate::terminal::{BAD, GOOD, styled};

/// Two texts in columns that are `width` wide together.
///
/// Between the columns stands what a row is: ` ` the same on both sides, `<` and `>` only on one,
/// `|` both and different. Lines that are too long go on in the next row.
pub(super) fn side_by_side(left: &str, right: &str, width: usize) -> String {
    let column = (width.saturating_sub(3) / 2).max(8);
    let (left, right): (Vec<&str>, Vec<&str>) = (left.lines().collect(), right.lines().collect());
    let mut text = String::new();
    for (left, right) in rows(&left, &right) {
        let mark = match (left, right) {
            (Some(left), Some(right)) if left == right => ' ',
            (Some(_), Some(_)) => '|',
            (Some(_), None) => '<',
            (None, _) => '>',
        };
        let (left, right) = (wrapped(left, column), wrapped(right, column));
        for part in 0..left.len().max(right.len()) {
            let cell = |lines: &[String]| lines.get(part).cloned().unwrap_or_default();
            let (left, right) = (format!("{:<column$}", cell(&left)), cell(&right));
            let (left, right) = match mark {
                ' ' => (left, right),
                '<' => (styled(GOOD, left), right),
                _ => (styled(GOOD, left), styled(BAD, right)),
            };
            text.push_str(format!("{left} {mark} {right}").trim_end());
            text.push('\n');
        }
    }
    text
}

/// A line in parts of at most `width` characters.
fn wrapped(line: Option<&str>, width: usize) -> Vec<String> {
    let chars: Vec<char> = line.unwrap_or_default().chars().collect();
    let parts = chars.chunks(width).map(|part| part.iter().collect());
    parts.collect()
}

type Row<'t> = (Option<&'t str>, Option<&'t str>);

/// The rows: as many equal lines as can be face each other, the others in the order in which they
/// come.
fn rows<'t>(left: &[&'t str], right: &[&'t str]) -> Vec<Row<'t>> {
    let mut rows = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (next_i, next_j) in common(left, right, |one, other| one == other)
        .into_iter()
        .chain([(left.len(), right.len())])
    {
        let (lefts, rights) = (&left[i..next_i], &right[j..next_j]);
        for index in 0..lefts.len().max(rights.len()) {
            rows.push((lefts.get(index).copied(), rights.get(index).copied()));
        }
        if next_i < left.len() && next_j < right.len() {
            rows.push((Some(left[next_i]), Some(right[next_j])));
        }
        (i, j) = ((next_i + 1).min(left.len()), (next_j + 1).min(right.len()));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without its styles.
    fn plain(left: &str, right: &str, width: usize) -> String {
        let text = side_by_side(left, right, width);
        let stripped = anstream::adapter::strip_str(&text).to_string();
        let lines = stripped.lines().map(str::trim_end);
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn equal_lines_face_each_other() {
        let found = plain("a\nb\nc\nd", "a\nc\nx\ny", 19);
        let expected = "\
a          a
b        <
c          c
d        | x
         > y";
        assert_eq!(found, expected);
        assert_eq!(plain("", "", 80), "");
        assert_eq!(plain("", "x", 19), "         > x");
    }

    #[test]
    fn long_lines_go_on_and_never_exceed_the_width() {
        let long = "x".repeat(20);
        for width in [0, 19, 40, 80] {
            let found = plain(&long, "short", width);
            assert!(
                found
                    .lines()
                    .all(|line| line.chars().count() <= width.max(19)),
                "{found}"
            );
        }
        assert_eq!(plain(&long, "ab", 19).lines().count(), 3);
    }
}
