//! Reading text files of unknown origin.

use std::fs;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;

use super::CorpusError;

/// Reads a file of UTF-8 text; a byte order mark is left out.
///
/// # Errors
///
/// When it is not there, or is no text.
pub fn read_text(path: &Path, expected: &'static str) -> Result<String, CorpusError> {
    decode(path, read_bytes(path, expected)?)
}

/// Reads a file.
pub(crate) fn read_bytes(path: &Path, expected: &'static str) -> Result<Vec<u8>, CorpusError> {
    let unreadable = |source| CorpusError::Unreadable {
        path: path.to_owned(),
        expected,
        source,
    };
    if fs::metadata(path).map_err(unreadable)?.is_dir() {
        let found = io::Error::new(io::ErrorKind::IsADirectory, "found a directory");
        return Err(unreadable(found));
    }
    fs::read(path).map_err(unreadable)
}

/// Turns the bytes of a file into text; a byte order mark is left out.
pub(crate) fn decode(path: &Path, bytes: Vec<u8>) -> Result<String, CorpusError> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        CorpusError::NotUtf8 {
            path: path.to_owned(),
            line: bytes[..offset].split(|&byte| byte == b'\n').count(),
            byte: bytes[offset],
            offset,
        }
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// The lines of a text, without their ends.
///
/// Only line feeds end a line: descriptions may well hold form feeds or Unicode line separators,
/// and files that are read side by side must be cut alike.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n')
        .unwrap_or(text)
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .take(if text.is_empty() { 0 } else { usize::MAX })
}

/// Two files, line by line.
pub(crate) struct LinePairs {
    texts: String,
    programs: String,
}

impl LinePairs {
    /// Reads two files that have as many lines as each other.
    pub(crate) fn read(texts_path: &Path, programs_path: &Path) -> Result<LinePairs, CorpusError> {
        let texts = read_text(texts_path, "a file with one description per line")?;
        let programs = read_text(programs_path, "a file with one program per line")?;
        let (first_count, second_count) = (lines(&texts).count(), lines(&programs).count());
        if first_count != second_count {
            return Err(CorpusError::LineCounts {
                first: texts_path.to_owned(),
                first_count,
                second: programs_path.to_owned(),
                second_count,
            });
        }
        Ok(LinePairs { texts, programs })
    }

    /// The pairs.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        lines(&self.texts).zip(lines(&self.programs))
    }
}

/// Reads a file that is one JSON value.
pub(crate) fn read_json<T: DeserializeOwned>(
    path: &Path,
    expected: &'static str,
) -> Result<T, CorpusError> {
    let text = read_text(path, expected)?;
    serde_json::from_str(&text).map_err(|error| json_error(path, 1, expected, &error))
}

/// An error of the JSON reader, placed in its file; `first_line` is where the text that it read
/// begins.
pub(crate) fn json_error(
    path: &Path,
    first_line: usize,
    expected: &'static str,
    error: &serde_json::Error,
) -> CorpusError {
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    CorpusError::Json {
        path: path.to_owned(),
        line: first_line + error.line().saturating_sub(1),
        column: error.column(),
        expected,
        message: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
    }
}

/// The last part of a path, for ids.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_line_feeds_end_lines() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(lines(text).collect::<Vec<_>>(), expected, "{text:?}");
        };
        check("", &[]);
        check("\n", &[""]);
        check("a", &["a"]);
        check("a\r\nb\r\n", &["a", "b"]);
        check("a\u{2028}b\x0cc\n\n", &["a\u{2028}b\x0cc", ""]);
    }

    #[test]
    fn bytes_that_are_no_text_are_placed() {
        let error = decode(Path::new("a.py"), b"x = 1\ny = '\xff'".to_vec()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.py:2: expected UTF-8 text, found byte 0xff at offset 11"
        );
    }

    #[test]
    fn a_byte_order_mark_is_left_out() {
        assert_eq!(
            decode(Path::new("a"), b"\xef\xbb\xbfx".to_vec()).unwrap(),
            "x"
        );
    }
}
