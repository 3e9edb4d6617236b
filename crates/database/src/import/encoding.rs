//! Bytes of files as texts.
//!
//! UTF-16 becomes UTF-8 on the way. Otherwise a cell is UTF-8 if it can be, else Windows-1252, of which Latin-1 is a part:
//! cells are told apart one by one, so that a few damaged ones in a large file change nothing about the others.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use super::ImportError;

/// How the characters of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// UTF-8 or another superset of ASCII, after so many bytes of a byte-order mark.
    Bytes { mark: usize },
    /// UTF-16, after so many bytes of a byte-order mark.
    Utf16 { mark: usize, is_big_endian: bool },
}

impl Encoding {
    /// How a file is written that begins with `bytes`.
    pub(super) fn of(bytes: &[u8]) -> Encoding {
        let utf16 = |mark, is_big_endian| Encoding::Utf16 {
            mark,
            is_big_endian,
        };
        match bytes {
            [0xef, 0xbb, 0xbf, ..] => Encoding::Bytes { mark: 3 },
            [0xff, 0xfe, ..] => utf16(2, false),
            [0xfe, 0xff, ..] => utf16(2, true),
            _ => match zeros(bytes) {
                (0, _) | (_, 0) if bytes.len() < 8 => Encoding::Bytes { mark: 0 },
                (0, odd) if odd * 3 > bytes.len() => utf16(0, false),
                (even, 0) if even * 3 > bytes.len() => utf16(0, true),
                _ => Encoding::Bytes { mark: 0 },
            },
        }
    }

    /// The beginning of a file in UTF-8, or as it is.
    pub(super) fn decoded(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Encoding::Bytes { mark } => Cow::Borrowed(&bytes[mark..]),
            Encoding::Utf16 {
                mark,
                is_big_endian,
            } => {
                let mut text = Vec::new();
                let mut reader = Utf16::new(&bytes[mark..], is_big_endian);
                // A slice can be read.
                drop(reader.read_to_end(&mut text));
                Cow::Owned(text)
            }
        }
    }
}

/// How many bytes are zero: of the first and of the second of each pair.
fn zeros(bytes: &[u8]) -> (usize, usize) {
    let count = |first: usize| {
        let half = bytes.iter().skip(first).step_by(2);
        half.filter(|&&it| it == 0).count()
    };
    (count(0), count(1))
}

/// How many bytes tell the encoding.
const BEGINNING: u64 = 512;

/// The bytes of a file from its first character on; UTF-16 as UTF-8.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read>, ImportError> {
    let failed = |error| ImportError::read(path, error);
    let mut file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.by_ref()
        .take(BEGINNING)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    let encoding = Encoding::of(&bytes);
    let (Encoding::Bytes { mark } | Encoding::Utf16 { mark, .. }) = encoding;
    let mut beginning = Cursor::new(bytes);
    beginning.set_position(mark as u64);
    let all = beginning.chain(file);
    Ok(match encoding {
        Encoding::Bytes { .. } => Box::new(all),
        Encoding::Utf16 { is_big_endian, .. } => Box::new(Utf16::new(all, is_big_endian)),
    })
}

/// UTF-16 that is read as UTF-8.
struct Utf16<R> {
    input: R,
    is_big_endian: bool,
    /// What was read and is not yet decoded: less than a character.
    pending: Vec<u8>,
    /// What is decoded, and how much of it was handed on.
    decoded: Vec<u8>,
    at: usize,
}

impl<R: Read> Utf16<R> {
    fn new(input: R, is_big_endian: bool) -> Utf16<R> {
        Utf16 {
            input,
            is_big_endian,
            pending: Vec::new(),
            decoded: Vec::new(),
            at: 0,
        }
    }

    /// Decodes the next few characters; none at the end.
    fn refill(&mut self) -> io::Result<()> {
        self.decoded.clear();
        self.at = 0;
        while self.decoded.is_empty() {
            let n_read = self
                .input
                .by_ref()
                .take(1 << 15)
                .read_to_end(&mut self.pending)?;
            if self.pending.is_empty() {
                return Ok(());
            }
            let is_end = n_read == 0;
            self.decode(is_end);
        }
        Ok(())
    }

    fn decode(&mut self, is_end: bool) {
        let unit = |pair: &[u8]| match (pair, self.is_big_endian) {
            (&[a, b], true) => u16::from_be_bytes([a, b]),
            (&[a, b], false) => u16::from_le_bytes([a, b]),
            _ => 0xfffd,
        };
        let mut n_bytes = self.pending.len() & !1;
        let last = self.pending[..n_bytes].chunks(2).next_back().map(unit);
        let is_half = last.is_some_and(|it| (0xd800..0xdc00).contains(&it));
        if is_end {
            n_bytes = self.pending.len();
        } else if is_half {
            n_bytes -= 2;
        }
        let units = self.pending[..n_bytes].chunks(2).map(unit);
        for character in char::decode_utf16(units) {
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            let mut buffer = [0; 4];
            let bytes = character.encode_utf8(&mut buffer).as_bytes();
            self.decoded.extend_from_slice(bytes);
        }
        self.pending.drain(..n_bytes);
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.decoded.len() {
            self.refill()?;
        }
        let n_read = (&self.decoded[self.at..]).read(buffer)?;
        self.at += n_read;
        Ok(n_read)
    }
}

/// What had to be done to texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Repairs {
    /// How many cells were not UTF-8.
    pub(super) n_windows: u64,
    /// How many cells had NUL characters.
    pub(super) n_nul: u64,
}

/// A cell without blanks around it, in UTF-8, without NUL characters, at which SQLite would end it.
pub(super) fn clean<'c>(cell: &'c [u8], repairs: &mut Repairs) -> Cow<'c, [u8]> {
    let cell = cell.trim_ascii();
    let is_plain = |it: &u8| (1..0x80).contains(it);
    if cell.iter().all(is_plain) {
        return Cow::Borrowed(cell);
    }
    let has_nul = cell.contains(&0);
    let is_utf8 = std::str::from_utf8(cell).is_ok();
    if is_utf8 && !has_nul {
        return Cow::Borrowed(cell);
    }
    repairs.n_nul += u64::from(has_nul);
    repairs.n_windows += u64::from(!is_utf8);
    let rest = cell.iter().copied().filter(|&it| it != 0);
    let text: Vec<u8> = if is_utf8 {
        rest.collect()
    } else {
        rest.map(windows).collect::<String>().into_bytes()
    };
    Cow::Owned(text.trim_ascii().to_vec())
}

/// A cell as text.
pub(super) fn text(cell: &[u8]) -> String {
    let cleaned = clean(cell, &mut Repairs::default());
    String::from_utf8_lossy(&cleaned).into_owned()
}

/// What Windows-1252 has between ASCII and the second half of Latin-1; what it leaves out is as in Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn windows(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        let text = Encoding::of(bytes).decoded(bytes).into_owned();
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn byte_order_marks_tell_the_encoding() {
        check(b"a,b", "a,b");
        check(b"\xef\xbb\xbfa,b", "a,b");
        check(b"\xff\xfea\0,\0\xe4\0", "a,ä");
        check(b"\xfe\xff\0a\0,\0\xe4", "a,ä");
        check(b"", "");
        check(b"\xff\xfe", "");
    }

    #[test]
    fn utf16_is_known_without_a_mark() {
        check(b"n\0a\0m\0e\0,\0b\0", "name,b");
        check(b"\0n\0a\0m\0e\0,\0b", "name,b");
    }

    #[test]
    fn halves_of_characters_in_utf16_are_put_together() {
        let long = "x𝄞".repeat(20_000);
        let mut bytes = vec![0xff, 0xfe];
        bytes.extend(long.encode_utf16().flat_map(u16::to_le_bytes));
        check(&bytes, &long);
        check(b"\xff\xfea\0\x34\xd8", "a\u{fffd}");
        check(b"\xff\xfea\0b", "a\u{fffd}");
    }

    #[test]
    fn cells_are_utf8_or_else_windows_1252() {
        let mut repairs = Repairs::default();
        let mut check = |cell: &[u8], expected: &str| {
            assert_eq!(clean(cell, &mut repairs), expected.as_bytes());
        };
        check(b" plain\t", "plain");
        check("größe".as_bytes(), "größe");
        check(b"gr\xf6\xdfe \x80 5", "größe € 5");
        check(b"a\0b\0", "ab");
        let expected = Repairs {
            n_windows: 1,
            n_nul: 1,
        };
        assert_eq!(repairs, expected);
    }
}
