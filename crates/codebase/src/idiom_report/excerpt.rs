//! A few lines of a source file around something.

use std::ops::Range;

use serde::Serialize;

use crate::source_file::SourceFile;

/// How many lines are shown before and after.
const CONTEXT: usize = 2;

/// How many lines are shown of the thing itself.
const MAX_LINES: usize = 14;

/// How many characters are shown of a line.
const MAX_WIDTH: usize = 240;

/// Lines of a file, and what is marked in them.
///
/// Marks are given in UTF-16 code units of `code`, as browsers count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Excerpt {
    file: usize,
    /// Where the marked part begins, from one.
    line: usize,
    column: usize,
    /// The number of the first line that is shown.
    first: usize,
    code: String,
    /// The part that the excerpt is about.
    mark: (usize, usize),
    /// Parts of it that fill a hole: the hole, where it begins and ends.
    fills: Vec<(usize, usize, usize)>,
    /// How many lines of the marked part are left out at its end.
    cut: usize,
}

/// Parts of a text.
pub(super) struct Marks {
    pub(super) whole: Range<usize>,
    /// Holes and what fills them, inside of the whole.
    pub(super) fills: Vec<(usize, Range<usize>)>,
}

impl Excerpt {
    /// The lines around `marks` in the file with the given index; none where these are no parts of
    /// its text.
    pub(super) fn new(index: usize, file: &SourceFile, marks: &Marks) -> Option<Excerpt> {
        let (text, whole) = (&file.text, &marks.whole);
        let n_lines = text.get(whole.clone())?.matches('\n').count() + 1;
        let n_shown = n_lines.min(MAX_LINES);
        let line_start = text[..whole.start].rfind('\n').map_or(0, |it| it + 1);
        let (line, column) = file.line_column(whole.start);
        let above = lines_above(text, line_start);
        let n_below = if n_shown < n_lines { 0 } else { CONTEXT };
        let start = above.last().map_or(line_start, |it| it.start);
        let shown = Shown::new(text, start, above.len() + n_shown + n_below);
        let fills = marks.fills.iter();
        let fills = fills.map(|(hole, range)| (*hole, shown.at(range.start), shown.at(range.end)));
        Some(Excerpt {
            file: index,
            line,
            column,
            first: line - above.len(),
            mark: (shown.at(whole.start), shown.at(whole.end)),
            fills: fills.filter(|it| it.1 < it.2).collect(),
            cut: n_lines - n_shown,
            code: shown.code,
        })
    }
}

/// The lines before the one that begins at `start`, nearest first, up to one that is blank.
fn lines_above(text: &str, start: usize) -> Vec<Range<usize>> {
    let mut above = Vec::new();
    let mut end = start;
    while above.len() < CONTEXT && end > 0 {
        let start = text[..end - 1].rfind('\n').map_or(0, |it| it + 1);
        above.push(start..end);
        end = start;
    }
    while above
        .last()
        .is_some_and(|it| text[it.clone()].trim().is_empty())
    {
        above.pop();
    }
    above
}

/// Lines as they are shown: without what indents all of them, and not too long.
struct Shown {
    code: String,
    /// What is shown of each line: where it is in the text, and its text in the code.
    lines: Vec<(Range<usize>, Range<usize>)>,
}

impl Shown {
    /// So many lines from the one that begins at `start`, or as many as there are.
    fn new(text: &str, start: usize, n_lines: usize) -> Shown {
        let mut at = start;
        let mut lines: Vec<(usize, &str)> = Vec::new();
        for line in text[start..].split_inclusive('\n').take(n_lines) {
            lines.push((at, line.trim_end()));
            at += line.len();
        }
        while lines.last().is_some_and(|it| it.1.is_empty()) {
            lines.pop();
        }
        let solid = lines.iter().map(|it| it.1).filter(|it| !it.is_empty());
        let indent = solid.map(indentation).reduce(common).unwrap_or_default();
        let mut shown = Shown {
            code: String::new(),
            lines: Vec::new(),
        };
        for (index, (start, line)) in lines.into_iter().enumerate() {
            if index > 0 {
                shown.code.push('\n');
            }
            let kept = line.strip_prefix(indent).unwrap_or_default();
            let start = start + line.len() - kept.len();
            let end = kept
                .char_indices()
                .nth(MAX_WIDTH)
                .map_or(kept.len(), |it| it.0);
            let from = shown.code.len();
            shown.code.push_str(&kept[..end]);
            let in_code = from..shown.code.len();
            shown.lines.push((start..start + end, in_code));
            if end < kept.len() {
                shown.code.push('…');
            }
        }
        shown
    }

    /// Where a byte of the text is in the code, in UTF-16; at the nearest place where it is not shown.
    fn at(&self, byte: usize) -> usize {
        let line = self.lines.partition_point(|it| it.0.start <= byte);
        let in_code = match self.lines.get(line.saturating_sub(1)) {
            Some((text, code)) => code.start + byte.clamp(text.start, text.end) - text.start,
            None => 0,
        };
        let before = self.code.get(..in_code).unwrap_or_default();
        before.encode_utf16().count()
    }
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn common<'t>(one: &'t str, other: &str) -> &'t str {
    let n_equal = one
        .bytes()
        .zip(other.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    &one[..n_equal]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> SourceFile {
        SourceFile::new(String::new(), text.to_owned())
    }

    /// The excerpt around the part in `«»`, which is also what fills a hole; shown in the same way.
    fn check(text: &str, expected: &str) -> Excerpt {
        let start = text.find('«').unwrap();
        let end = text.find('»').unwrap() - '«'.len_utf8();
        let file = file(&text.replace(['«', '»'], ""));
        let marks = Marks {
            whole: start..end,
            fills: vec![(3, start..end)],
        };
        let excerpt = Excerpt::new(0, &file, &marks).unwrap();
        let mut units: Vec<u16> = excerpt.code.encode_utf16().collect();
        units.insert(excerpt.mark.1, '»' as u16);
        units.insert(excerpt.mark.0, '«' as u16);
        assert_eq!(String::from_utf16(&units).unwrap(), expected);
        assert_eq!(excerpt.fills, [(3, excerpt.mark.0, excerpt.mark.1)]);
        excerpt
    }

    #[test]
    fn lines_around_are_shown() {
        let excerpt = check("1\n2\n3\n4 «x»\n5\n6\n7\n", "2\n3\n4 «x»\n5\n6");
        assert_eq!((excerpt.line, excerpt.column, excerpt.first), (4, 3, 2));
        let excerpt = check("«x»", "«x»");
        assert_eq!((excerpt.line, excerpt.column, excerpt.first), (1, 1, 1));
        check("a\n\n\n«x»\n\n\nb", "«x»");
        check("a\r\n  «x\r\n  y»\r\nb\r\n", "a\n  «x\n  y»\nb");
    }

    #[test]
    fn indentation_goes() {
        check("    a\n    «if x:\n        y»\n", "a\n«if x:\n    y»");
        check("\ta\n\n\t«x»\n  b", "\ta\n\n\t«x»\n  b");
    }

    #[test]
    fn marks_count_as_browsers_do() {
        let excerpt = check("é𝄞 «x𝄞»", "é𝄞 «x𝄞»");
        assert_eq!((excerpt.column, excerpt.mark), (4, (4, 7)));
    }

    #[test]
    fn what_is_long_is_cut() {
        let lines = "y\n".repeat(30);
        let excerpt = check(&format!("a\n«{lines}z»\nb"), &{
            let lines = ["y"; MAX_LINES].join("\n");
            format!("a\n«{lines}»")
        });
        assert_eq!(excerpt.cut, 31 - MAX_LINES);
        let x = "x".repeat(1000);
        check(&format!("«{x}»"), &format!("«{}»…", &x[..MAX_WIDTH]));
    }

    #[test]
    fn what_is_no_part_of_the_text_is_not_shown() {
        let marks = |whole| Marks {
            whole,
            fills: Vec::new(),
        };
        assert_eq!(Excerpt::new(0, &file("é"), &marks(1..2)), None);
        assert_eq!(Excerpt::new(0, &file("x"), &marks(0..2)), None);
        assert!(Excerpt::new(0, &file(""), &marks(0..0)).is_some());
    }
}
