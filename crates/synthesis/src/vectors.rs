//! Pretrained word vectors, in the text format of `GloVe`: a word and its numbers on each line.

use std::io::{self, BufRead, Read as _};

use indexmap::IndexSet;

/// Words with a vector each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordVectors {
    /// How many numbers a vector has.
    pub dimension: usize,
    /// The words, in the order of the file: most frequent first, as such files go.
    pub words: IndexSet<String>,
    /// The vectors of the words, one after the other: `[n_words, dimension]`.
    pub values: Vec<f32>,
}

/// Which words of a file are kept.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'w> {
    /// The first so many, which are the most frequent ones.
    pub n_first: usize,
    /// These, wherever they are.
    pub words: &'w IndexSet<String>,
}

impl Selection<'_> {
    fn wants(&self, place: usize, word: &str) -> bool {
        place < self.n_first || self.words.contains(word)
    }

    fn is_over(&self, place: usize) -> bool {
        place >= self.n_first && self.words.is_empty()
    }
}

/// Why a file of vectors cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VectorsError {
    /// The system refuses, or what was packed is damaged.
    #[error("line {line}: {source}")]
    Read {
        /// Counts from one.
        line: usize,
        /// What the system says.
        source: io::Error,
    },
    /// Nothing to learn the dimension from.
    #[error("expected a word and its numbers on each line, found no lines")]
    Empty,
    /// A line with too few or too many numbers.
    #[error("line {line} (`{word}`): expected {expected} numbers, found {found}")]
    Dimension {
        /// Counts from one.
        line: usize,
        /// What it begins with.
        word: String,
        /// As many as the first line has.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Something else than a finite number.
    #[error("line {line} (`{word}`): expected a number in place {place}, found `{found}`")]
    Number {
        /// Counts from one.
        line: usize,
        /// The word.
        word: String,
        /// Which of the numbers; counts from one.
        place: usize,
        /// What stands there.
        found: String,
    },
    /// A line that is no word with its numbers, or one of a file that means harm: a packed file of a few
    /// bytes may have lines of gigabytes.
    #[error("line {line}: expected at most {MAX_LINE} bytes, found more")]
    Long {
        /// Counts from one.
        line: usize,
    },
    /// Bytes that are no text.
    #[error("line {line}: expected UTF-8")]
    Encoding {
        /// Counts from one.
        line: usize,
    },
}

/// The most bytes of a line: five thousand numbers as files write them, some ten times as many as vectors
/// of words have.
const MAX_LINE: usize = 1 << 16;

impl WordVectors {
    /// Reads the words that are wanted.
    ///
    /// A first line of two whole numbers, as word2vec writes it, is passed over. A word that comes
    /// twice has its first vector.
    ///
    /// ```
    /// use patois_synthesis::vectors::{Selection, WordVectors};
    ///
    /// let file = "the 0.5 1\nof 2 -1e-1\ncat 0 0\n";
    /// let wanted = ["cat".to_owned()].into_iter().collect();
    /// let vectors = WordVectors::read(file.as_bytes(), Selection { n_first: 1, words: &wanted })?;
    /// assert_eq!(vectors.get("the"), Some(&[0.5, 1.0][..]));
    /// assert_eq!(vectors.get("cat"), Some(&[0.0, 0.0][..]));
    /// assert_eq!(vectors.get("of"), None);
    /// # Ok::<(), patois_synthesis::vectors::VectorsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When reading fails, or a line is too long, or not a word with as many numbers as the first line has.
    pub fn read(
        mut reader: impl BufRead,
        selection: Selection<'_>,
    ) -> Result<WordVectors, VectorsError> {
        let mut vectors = WordVectors::default();
        let mut buffer = Vec::new();
        let mut place = 0;
        for line in 1.. {
            if selection.is_over(place) && place > 0 {
                break;
            }
            buffer.clear();
            let mut start = reader.by_ref().take(MAX_LINE as u64 + 1);
            let n_bytes = start.read_until(b'\n', &mut buffer);
            match n_bytes.map_err(|source| VectorsError::Read { line, source })? {
                0 => break,
                n_bytes if n_bytes > MAX_LINE => return Err(VectorsError::Long { line }),
                _ => {}
            }
            let text = std::str::from_utf8(&buffer).map_err(|_| VectorsError::Encoding { line })?;
            let text = text.trim_end_matches(['\n', '\r', ' ']);
            if line == 1 && is_header(text) {
                continue;
            }
            vectors.add_line(Line { line, text }, place, selection)?;
            place += 1;
        }
        if place == 0 {
            return Err(VectorsError::Empty);
        }
        Ok(vectors)
    }

    /// The vector of a word.
    pub fn get(&self, word: &str) -> Option<&[f32]> {
        let index = self.words.get_index_of(word)?;
        let start = index * self.dimension;
        self.values.get(start..start + self.dimension)
    }

    fn add_line(
        &mut self,
        line: Line<'_>,
        place: usize,
        selection: Selection<'_>,
    ) -> Result<(), VectorsError> {
        if place == 0 {
            self.dimension = line.n_fields().saturating_sub(1);
        }
        let (word, numbers) = line.split(self.dimension)?;
        if selection.wants(place, word) && self.words.insert(word.to_owned()) {
            for (place, number) in (1..).zip(numbers.split(' ')) {
                let value = number.parse().ok().filter(|value: &f32| value.is_finite());
                self.values.push(value.ok_or_else(|| VectorsError::Number {
                    line: line.line,
                    word: word.to_owned(),
                    place,
                    found: number.to_owned(),
                })?);
            }
        }
        Ok(())
    }
}

/// How many words there are, and how many numbers each has.
fn is_header(text: &str) -> bool {
    let is_count = |field: &str| !field.is_empty() && field.bytes().all(|it| it.is_ascii_digit());
    let mut fields = text.split(' ');
    fields.next().is_some_and(is_count)
        && fields.next().is_some_and(is_count)
        && fields.next().is_none()
}

#[derive(Clone, Copy)]
struct Line<'t> {
    /// Counts from one.
    line: usize,
    text: &'t str,
}

impl<'t> Line<'t> {
    fn n_fields(self) -> usize {
        self.text.bytes().filter(|&byte| byte == b' ').count() + 1
    }

    /// The word, and its numbers. Some files have words with spaces in them, such as `. . .`: what
    /// stands before the numbers is the word, unless it ends in a number itself.
    fn split(self, dimension: usize) -> Result<(&'t str, &'t str), VectorsError> {
        let n_extra = self.n_fields().checked_sub(dimension + 1);
        let word_end = n_extra.and_then(|n_extra| {
            let mut spaces = self.text.match_indices(' ').map(|(at, _)| at);
            let end = spaces.nth(n_extra)?;
            let is_word = n_extra == 0 || !ends_in_number(&self.text[..end]);
            is_word.then_some(end)
        });
        match word_end {
            Some(end) if dimension > 0 => Ok((&self.text[..end], &self.text[end + 1..])),
            _ => Err(VectorsError::Dimension {
                line: self.line,
                word: self.text.split(' ').next().unwrap_or_default().to_owned(),
                expected: dimension.max(1),
                found: self.n_fields() - 1,
            }),
        }
    }
}

fn ends_in_number(text: &str) -> bool {
    let last = text.rsplit(' ').next();
    last.is_some_and(|it| it.parse::<f32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &[u8]) -> Result<WordVectors, VectorsError> {
        let words = IndexSet::new();
        let n_first = usize::MAX;
        let selection = Selection {
            n_first,
            words: &words,
        };
        WordVectors::read(file, selection)
    }

    fn check_error(file: &[u8], expected: &str) {
        assert_eq!(read(file).unwrap_err().to_string(), expected);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        check_error(b"a 1 2\nb 1\n", "line 2 (`b`): expected 2 numbers, found 1");
        check_error(
            b"a 1 2\nb 1 2 3\n",
            "line 2 (`b`): expected 2 numbers, found 3",
        );
        check_error(b"a 1 2\n\n", "line 2 (``): expected 2 numbers, found 0");
        check_error(b"a\n", "line 1 (`a`): expected 1 numbers, found 0");
        check_error(
            b"a 1 2\nb 1 x2\n",
            "line 2 (`b`): expected a number in place 2, found `x2`",
        );
        check_error(
            b"a nan 2\n",
            "line 1 (`a`): expected a number in place 1, found `nan`",
        );
        check_error(b"a 1\n\xff 1\n", "line 2: expected UTF-8");
        let longest = [&b"a "[..], &vec![b'1'; MAX_LINE - 3], b"\n"].concat();
        assert_eq!(longest.len(), MAX_LINE);
        check_error(
            &longest[..0],
            "expected a word and its numbers on each line, found no lines",
        );
        let error = read(&longest).unwrap_err().to_string();
        assert!(
            error.starts_with("line 1 (`a`): expected a number"),
            "{error}"
        );
        let longer = [b"a 1\n", &longest[..MAX_LINE - 1], b"1\n"].concat();
        check_error(&longer, "line 2: expected at most 65536 bytes, found more");
        for nothing in [&b""[..], b"3 2\n"] {
            check_error(
                nothing,
                "expected a word and its numbers on each line, found no lines",
            );
        }
    }

    #[test]
    fn headers_words_with_spaces_and_repeated_words_are_understood() {
        let vectors = read(b"4 2\r\nthe 1 2\r\n. . . 3 4 \r\nthe 5 6\r\nno 7 8").unwrap();
        assert_eq!(vectors.dimension, 2);
        let words: Vec<&str> = vectors.words.iter().map(String::as_str).collect();
        assert_eq!(words, ["the", ". . .", "no"]);
        assert_eq!(vectors.values, [1.0, 2.0, 3.0, 4.0, 7.0, 8.0]);
        assert_eq!(vectors.get("no"), Some(&[7.0, 8.0][..]));
    }

    #[test]
    fn lines_after_the_last_wanted_one_are_not_read() {
        let none = IndexSet::new();
        let selection = |n_first| Selection {
            n_first,
            words: &none,
        };
        let file = b"the 1 2\nof 3 4\nbroken";
        let vectors = WordVectors::read(&file[..], selection(2)).unwrap();
        assert_eq!(vectors.words.len(), 2);
        let vectors = WordVectors::read(&file[..], selection(0)).unwrap();
        assert_eq!((vectors.words.len(), vectors.dimension), (0, 2));
        assert!(WordVectors::read(&file[..], selection(3)).is_err());
    }
}
