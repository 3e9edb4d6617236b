//! A source file in memory, and the lines of it.

use patois_syntax::Span;

/// A file of source code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// How the file was found.
    pub path: String,
    /// What it holds.
    pub text: String,
    /// Where lines begin, save for the first.
    lines: Box<[u32]>,
}

impl SourceFile {
    /// A file with the given text.
    pub(crate) fn new(path: String, text: String) -> SourceFile {
        let ends = text.bytes().enumerate().filter(|it| it.1 == b'\n');
        let lines = ends.map(|(at, _)| at as u32 + 1).collect();
        SourceFile { path, text, lines }
    }

    /// The line and the column of a byte, both counted from one; columns are characters.
    pub(crate) fn line_column(&self, offset: usize) -> (usize, usize) {
        let line = self.line_of(offset);
        let start = self.line_start(line);
        let before = self.text.get(start..offset).unwrap_or_default();
        (line + 1, before.chars().count() + 1)
    }

    /// The lines that a span lies in, the first counted from one, with the text of each.
    pub(crate) fn lines(&self, span: Span) -> impl Iterator<Item = (usize, &str)> {
        let range = span.range();
        let first = self.line_of(range.start);
        // What ends with a line ends in it.
        let last = self.line_of(range.end.max(range.start + 1) - 1);
        (first..=last).map(|line| (line + 1, self.line(line)))
    }

    /// How many lines there are; a text that ends with a line end has none behind it.
    pub(crate) fn n_lines(&self) -> usize {
        self.lines.len() + usize::from(!self.text.ends_with('\n') && !self.text.is_empty())
    }

    /// The text of a line, counted from zero, without its end.
    fn line(&self, line: usize) -> &str {
        let start = self.line_start(line);
        let end = self
            .lines
            .get(line)
            .map_or(self.text.len(), |&it| it as usize);
        self.text[start..end].trim_end_matches(['\r', '\n'])
    }

    fn line_of(&self, offset: usize) -> usize {
        self.lines
            .partition_point(|&start| start as usize <= offset)
    }

    fn line_start(&self, line: usize) -> usize {
        match line.checked_sub(1) {
            Some(before) => self.lines[before] as usize,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_lines_and_columns() {
        let file = SourceFile::new("a".to_owned(), "é = 1\r\n\nlast".to_owned());
        assert_eq!(file.line_column(0), (1, 1));
        assert_eq!(file.line_column(3), (1, 3));
        assert_eq!(file.line_column(8), (2, 1));
        assert_eq!(file.line_column(9), (3, 1));
        assert_eq!(file.line_column(13), (3, 5));
        assert_eq!(file.n_lines(), 3);
        let lines = |start, end| file.lines(Span { start, end }).collect::<Vec<_>>();
        assert_eq!(lines(0, 2), [(1, "é = 1")]);
        assert_eq!(lines(0, 8), [(1, "é = 1")]);
        assert_eq!(lines(3, 10), [(1, "é = 1"), (2, ""), (3, "last")]);
    }
}
