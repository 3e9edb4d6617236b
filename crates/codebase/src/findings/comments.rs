//! Comments that silence findings: `# patois: ignore`, `// patois: ignore[rule]`.

use std::collections::BTreeMap;

/// Which findings the comments of a file silence.
///
/// A comment is about its own line, or about the next one where it has a line for itself. It may name
/// rules in square brackets; what follows is for people. `patois: ignore-file` is about the whole file.
///
/// ```
/// use patois_codebase::findings::Comments;
///
/// let comments = Comments::of("f(1)  # patois: ignore[r1] as old clients want it\n\n# patois: ignore\ng(2)\n");
/// assert!(comments.silences("r1", 1..=1) && !comments.silences("r2", 1..=1));
/// assert!(comments.silences("r2", 4..=4));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    of_file: Option<Silenced>,
    of_lines: BTreeMap<usize, Silenced>,
}

/// The rules that a comment names; all where it names none.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Silenced(Vec<String>);

const MARK: &str = "patois: ignore";

/// What comments begin with, in any language.
const STARTS: &[&str] = &["#", "//", "--", "/*", "*"];

impl Comments {
    /// The comments of a source text.
    pub fn of(text: &str) -> Comments {
        let mut comments = Comments::default();
        if !text.contains(MARK) {
            return comments;
        }
        for (index, line) in text.lines().enumerate() {
            let Some((before, after)) = line.split_once(MARK) else {
                continue;
            };
            let code = before.trim_end();
            let Some(start) = STARTS.iter().find(|it| code.ends_with(**it)) else {
                continue;
            };
            if let Some(after) = after.strip_prefix("-file") {
                comments.of_file = Some(Silenced::parse(after));
                continue;
            }
            let is_alone = code[..code.len() - start.len()].trim().is_empty();
            let line = index + 1 + usize::from(is_alone);
            comments.of_lines.insert(line, Silenced::parse(after));
        }
        comments
    }

    /// Whether findings of a rule are silenced that begin on one of these lines, or on the one line that they have.
    pub fn silences(&self, rule: &str, lines: std::ops::RangeInclusive<usize>) -> bool {
        let mut all = self
            .of_lines
            .range(lines)
            .map(|it| it.1)
            .chain(&self.of_file);
        all.any(|it| it.0.is_empty() || it.0.iter().any(|it| it == rule))
    }
}

impl Silenced {
    /// Reads what stands behind the mark: `[r1, r2] because`.
    fn parse(after: &str) -> Silenced {
        let inside = after.strip_prefix('[').and_then(|it| it.split_once(']'));
        let rules = inside.map_or("", |it| it.0).split(',').map(str::trim);
        Silenced(rules.filter(|it| !it.is_empty()).map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, rule: &str, line: usize, expected: bool) {
        let comments = Comments::of(text);
        assert_eq!(comments.silences(rule, line..=line), expected, "{text}");
    }

    #[test]
    fn a_comment_is_about_its_line_or_the_next() {
        check("f()  # patois: ignore\ng()\n", "r", 1, true);
        check("f()  # patois: ignore\ng()\n", "r", 2, false);
        check("// patois: ignore\nf()\n", "r", 2, true);
        check("  /* patois: ignore[a, r] */\nf()\n", "r", 2, true);
        check("f() -- patois: ignore[a]\n", "r", 1, false);
        check("f()\n# patois: ignore-file\n", "r", 1, true);
        check("# patois: ignore-file[a]\nf()\n", "r", 2, false);
        check("print('patois: ignore')\n", "r", 1, false);
    }
}
