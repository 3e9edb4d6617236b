//! The lines of a source text around an error, small enough to keep and to show.

use std::fmt;

use miette::{Diagnostic, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan};
use patois_syntax::ParseError;

/// An error in a source text, with the line it is on and the line before.
#[derive(Clone, Debug)]
pub(crate) struct Excerpt {
    name: String,
    message: String,
    text: String,
    /// Zero-based number of the first line of `text`.
    first_line: usize,
    /// Byte offset of the error in `text`.
    offset: usize,
    /// Zero-based column of the error in its line.
    column: usize,
}

/// How much of a line is kept on either side of the error: some lines are megabytes long.
const SIDE: usize = 60;

impl Excerpt {
    /// The place of `error` in `source`, where it has one and there is something to show.
    pub(crate) fn of(name: &str, source: &str, error: &ParseError) -> Option<Excerpt> {
        // An error at the end of the text is shown at the end of its last line.
        let end_of_text = source.trim_end().len();
        let offset = source.floor_char_boundary(error.offset?.min(end_of_text));
        let (line, column) = ParseError::at(offset, "").line_column(source)?;
        let start = source[..offset].rfind('\n').map_or(0, |at| at + 1);
        let end = source[offset..]
            .find('\n')
            .map_or(source.len(), |at| offset + at);
        let before = source[..start].trim_end_matches('\n').lines().next_back();
        let is_adjacent = before.is_some_and(|it| !it.is_empty() && it.len() <= 2 * SIDE);
        let mut text = match before {
            Some(before) if is_adjacent && source[..start].ends_with(&format!("{before}\n")) => {
                format!("{before}\n")
            }
            _ => String::new(),
        };
        let first_line = line - 1 - usize::from(!text.is_empty());
        let left = source.floor_char_boundary(offset.saturating_sub(SIDE).max(start));
        let right = source.floor_char_boundary((offset + SIDE).min(end));
        text.push_str(if left > start { "…" } else { "" });
        let offset = text.len() + offset - left;
        text.push_str(source[left..right].trim_end());
        text.push_str(if right < end { "…" } else { "" });
        (!text.is_empty()).then(|| Excerpt {
            name: name.to_owned(),
            message: error.message.clone(),
            offset: offset.min(text.len()),
            text,
            first_line,
            column: column - 1,
        })
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The label says it; a list of errors has said it already.
        f.write_str("")
    }
}

impl std::error::Error for Excerpt {}

impl Diagnostic for Excerpt {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        // A label behind the last character would not be drawn.
        let last = self.text.char_indices().next_back().map_or(0, |(at, _)| at);
        let span = SourceSpan::from((self.offset.min(last), 0));
        let label = LabeledSpan::new_with_span(Some(self.message.clone()), span);
        Some(Box::new(std::iter::once(label)))
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        _span: &SourceSpan,
        lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, MietteError> {
        // Asked without context, for the heading: the place of the error itself.
        let start = match lines_before {
            0 => self.offset,
            _ => 0,
        };
        let above = &self.text[..start];
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[start..],
            (start, self.text.len() - start).into(),
            self.first_line + above.matches('\n').count(),
            if start == 0 { 0 } else { self.column },
            self.text.lines().count(),
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, offset: usize, expected_text: &str, expected_line: usize) {
        let error = ParseError::at(offset, "unexpected");
        let excerpt = Excerpt::of("a.py", source, &error).unwrap();
        assert_eq!(excerpt.text, expected_text);
        assert_eq!(excerpt.first_line, expected_line);
        assert!(excerpt.text.is_char_boundary(excerpt.offset));
    }

    #[test]
    fn the_line_and_the_one_before_are_kept() {
        check("x = )", 4, "x = )", 0);
        check("a\nb\nx = )\r\nc", 8, "b\nx = )", 1);
        check("a\n\nx = )", 7, "x = )", 2);
        check("é)", 99, "é)", 0);
        check("x = (\n\n", 7, "x = (", 0);
    }

    #[test]
    fn the_message_stands_below_the_place() {
        let check = |source: &str, offset| {
            let error = ParseError::at(offset, "unexpected");
            let excerpt = Excerpt::of("a.py", source, &error).unwrap();
            let mut shown = String::new();
            miette::GraphicalReportHandler::new()
                .render_report(&mut shown, &excerpt)
                .unwrap();
            assert!(shown.contains("unexpected"), "{shown}");
        };
        check("x = )", 4);
        check("x = (", 5);
        check("a\nx = (\n", 8);
        assert!(Excerpt::of("a.py", "\n", &ParseError::at(0, "")).is_none());
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides() {
        let source = "é".repeat(1000);
        let shown = format!("…{}…", "é".repeat(60));
        check(&source, 1000, &shown, 0);
    }
}
