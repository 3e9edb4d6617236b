//! Two programs beside each other: what stands on lines of its own, and what they have in common.

/// Beyond this many pairs, nothing is aligned.
const MAX_PAIRS: usize = 4_000_000;

/// The clauses of a query in lines of their own; other programs have lines already.
///
/// ```
/// use patois::report::diff::lines_of;
///
/// assert_eq!(lines_of("SELECT a FROM t WHERE b"), "SELECT a\nFROM t\nWHERE b");
/// ```
pub fn lines_of(code: &str) -> String {
    const CLAUSES: [&str; 10] = [
        "FROM",
        "JOIN",
        "WHERE",
        "GROUP BY",
        "HAVING",
        "ORDER BY",
        "LIMIT",
        "UNION",
        "INTERSECT",
        "EXCEPT",
    ];
    let code = code.trim_end();
    let is_query = code
        .get(..6)
        .is_some_and(|it| it.eq_ignore_ascii_case("select"));
    if code.contains('\n') || !is_query {
        return code.to_owned();
    }
    let mut lines = String::new();
    for (at, char) in code.char_indices() {
        let rest = &code[at + char.len_utf8()..];
        let starts = |clause: &&str| {
            rest.get(..clause.len())
                .is_some_and(|it| it.eq_ignore_ascii_case(clause))
                && rest[clause.len()..].starts_with(' ')
        };
        let is_border = char == ' ' && CLAUSES.iter().any(starts);
        lines.push(if is_border { '\n' } else { char });
    }
    lines
}

/// The indices of a longest common sequence, of things that `is_same` holds for.
///
/// Where the sequences are too long to be compared, nothing is common.
pub fn common<T>(left: &[T], right: &[T], is_same: impl Fn(&T, &T) -> bool) -> Vec<(usize, usize)> {
    if left.len().saturating_mul(right.len()) > MAX_PAIRS {
        return Vec::new();
    }
    // lengths[i][j]: of the longest common sequence of left[i..] and right[j..].
    let width = right.len() + 1;
    let mut lengths = vec![0_u32; (left.len() + 1) * width];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            lengths[i * width + j] = if is_same(&left[i], &right[j]) {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if is_same(&left[i], &right[j]) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_stand_in_lines_of_their_own() {
        let query = "SELECT a FROM t WHERE from_ > 'é' group by b";
        assert_eq!(
            lines_of(query),
            "SELECT a\nFROM t\nWHERE from_ > 'é'\ngroup by b"
        );
        assert_eq!(lines_of("x = 1 if from FROM y\n"), "x = 1 if from FROM y");
        assert_eq!(lines_of(""), "");
    }

    #[test]
    fn as_much_as_can_be_is_common() {
        let pairs = common(&[1, 2, 3, 4], &[2, 9, 4, 5], |one, other| one == other);
        assert_eq!(pairs, [(1, 0), (3, 2)]);
        assert_eq!(common(&[1], &[], |one, other: &i32| one == other), []);
        let long = vec![0; 3000];
        assert_eq!(common(&long, &long, |one, other| one == other), []);
    }
}
