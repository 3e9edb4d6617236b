//! Texts as word pieces (Wu et al. 2016), cut the way BERT cuts them.

use indexmap::IndexMap;
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{
    GeneralCategory as Category, GeneralCategoryGroup as Group, UnicodeGeneralCategory as _,
};

/// The pieces that an encoder knows, in the order of its embeddings.
///
/// ```
/// use patois_synthesis::pretrained::WordPieces;
///
/// let pieces = WordPieces::parse("[UNK]\n[CLS]\n[SEP]\nsing\n##er\n##s\n?\n")?;
/// let cut = |text: &str| -> Vec<String> {
///     pieces.cut(text).into_iter().map(|it| pieces.text(it).to_owned()).collect()
/// };
/// assert_eq!(cut("Singers?"), ["sing", "##er", "##s", "?"]);
/// assert_eq!(cut("sung"), ["[UNK]"]);
/// # Ok::<(), patois_synthesis::pretrained::WordPiecesError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WordPieces {
    texts: Vec<String>,
    indices: IndexMap<String, u32>,
    /// How many characters the longest piece has, `##` included.
    longest: usize,
    case: Case,
    /// What stands for a word that cannot be put together.
    pub(super) unknown: u32,
    /// What a sequence begins with.
    pub(super) start: u32,
    /// What each part of a sequence ends with.
    pub(super) end: u32,
}

/// Whether capital letters are letters of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    /// They are.
    Kept,
    /// They are not, and accents are no part of letters either.
    Lower,
}

/// Why a `vocab.txt` is none.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordPiecesError {
    /// A piece is missing that every sequence needs.
    #[error("expected a line `{piece}`, found none among {n_lines} lines")]
    Missing {
        /// The piece.
        piece: &'static str,
        /// How many lines there are.
        n_lines: usize,
    },
}

/// A word of more characters is unknown: nobody says it, and cutting it takes the square of its length.
const LONGEST_WORD: usize = 100;

impl WordPieces {
    /// Reads a `vocab.txt`: one piece a line.
    ///
    /// Where no piece has a capital letter, texts are put in lower case and lose their accents.
    ///
    /// # Errors
    ///
    /// When `[UNK]`, `[CLS]` or `[SEP]` is missing.
    pub fn parse(text: &str) -> Result<WordPieces, WordPiecesError> {
        WordPieces::new(text.lines().map(str::to_owned).collect())
    }

    /// Pieces in the order of their embeddings.
    ///
    /// # Errors
    ///
    /// When `[UNK]`, `[CLS]` or `[SEP]` is missing.
    pub fn new(texts: Vec<String>) -> Result<WordPieces, WordPiecesError> {
        // Of a piece that is there twice, the last one counts, as for others who read such files.
        let indices: IndexMap<String, u32> = texts.iter().cloned().zip(0..).collect();
        let index = |piece: &'static str| {
            let n_lines = texts.len();
            let missing = WordPiecesError::Missing { piece, n_lines };
            indices.get(piece).copied().ok_or(missing)
        };
        let has_capital = |it: &String| {
            !it.starts_with('[') && it.contains(|letter: char| letter.is_ascii_uppercase())
        };
        let is_cased = texts.iter().any(has_capital);
        let lengths = texts.iter().map(|it| it.chars().count());
        Ok(WordPieces {
            longest: lengths.max().unwrap_or(0),
            case: if is_cased { Case::Kept } else { Case::Lower },
            unknown: index("[UNK]")?,
            start: index("[CLS]")?,
            end: index("[SEP]")?,
            indices,
            texts,
        })
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none; never, since sequences begin and end with some.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The text of a piece.
    ///
    /// # Panics
    ///
    /// When there is no such piece.
    pub fn text(&self, piece: u32) -> &str {
        &self.texts[piece as usize]
    }

    /// All pieces, in order.
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Cuts a text into pieces.
    pub fn cut(&self, text: &str) -> Vec<u32> {
        let mut pieces = Vec::new();
        let mut word = String::new();
        for character in text.chars() {
            match role(character) {
                Role::None => {}
                Role::Space => self.cut_run(&std::mem::take(&mut word), &mut pieces),
                Role::Word => {
                    self.cut_run(&std::mem::take(&mut word), &mut pieces);
                    self.cut_run(character.encode_utf8(&mut [0; 4]), &mut pieces);
                }
                Role::Letter => word.push(character),
            }
        }
        self.cut_run(&word, &mut pieces);
        pieces
    }

    /// Cuts a run of characters without white space: words, and punctuation between them.
    fn cut_run(&self, run: &str, pieces: &mut Vec<u32>) {
        let plain: String = match self.case {
            Case::Kept => run.to_owned(),
            Case::Lower => {
                let letters = run.to_lowercase();
                let is_accent = |it: &char| it.general_category() == Category::NonspacingMark;
                letters.nfd().filter(|it| !is_accent(it)).collect()
            }
        };
        let mut rest = plain.as_str();
        while let Some(first) = rest.chars().next() {
            let length = if is_punctuation(first) {
                first.len_utf8()
            } else {
                rest.find(is_punctuation).unwrap_or(rest.len())
            };
            self.cut_word(&rest[..length], pieces);
            rest = &rest[length..];
        }
    }

    /// Cuts a word into the longest pieces that there are, from its beginning on; where that does not
    /// come to its end, it is unknown.
    fn cut_word(&self, word: &str, pieces: &mut Vec<u32>) {
        let n_before = pieces.len();
        let ends = word.char_indices().map(|(at, it)| at + it.len_utf8());
        let ends: Vec<usize> = ends.take(LONGEST_WORD + 1).collect();
        let (mut start, mut n_taken) = (0, 0);
        let mut candidate = String::new();
        while n_taken < ends.len() && ends.len() <= LONGEST_WORD {
            let most = ends.len().min(n_taken + self.longest);
            let found = (n_taken..most).rev().find_map(|last| {
                candidate.clear();
                if n_taken > 0 {
                    candidate.push_str("##");
                }
                candidate.push_str(&word[start..ends[last]]);
                Some((last, *self.indices.get(&candidate)?))
            });
            let Some((last, piece)) = found else { break };
            pieces.push(piece);
            (start, n_taken) = (ends[last], last + 1);
        }
        if start < word.len() {
            pieces.truncate(n_before);
            pieces.push(self.unknown);
        }
    }
}

/// What a character does in a text.
enum Role {
    /// Nothing: control characters and their like.
    None,
    /// It parts words.
    Space,
    /// It is a word.
    Word,
    /// It is part of one.
    Letter,
}

fn role(character: char) -> Role {
    match character {
        ' ' | '\t' | '\n' | '\r' => Role::Space,
        '\u{fffd}' => Role::None,
        _ if is_ideograph(character) => Role::Word,
        _ if character.is_ascii_graphic() => Role::Letter,
        _ => match character.general_category_group() {
            Group::Other => Role::None,
            Group::Separator => Role::Space,
            _ => Role::Letter,
        },
    }
}

/// Chinese and its like, which is written without white space; Hangul, Hiragana and Katakana are not.
fn is_ideograph(character: char) -> bool {
    matches!(
        character,
        '\u{4e00}'..='\u{9fff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{20000}'..='\u{2a6df}'
            | '\u{2a700}'..='\u{2b73f}'
            | '\u{2b740}'..='\u{2b81f}'
            | '\u{2b820}'..='\u{2ceaf}'
            | '\u{f900}'..='\u{faff}'
            | '\u{2f800}'..='\u{2fa1f}'
    )
}

/// All of ASCII that is neither letter nor digit counts, symbols such as `$` too.
fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation()
        || !character.is_ascii() && character.general_category_group() == Group::Punctuation
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(vocabulary: &str, text: &str, expected: &str) {
        let special = ["[UNK]", "[CLS]", "[SEP]"].into_iter();
        let lines = special.chain(vocabulary.split(' ')).map(str::to_owned);
        let pieces = WordPieces::new(lines.collect()).unwrap();
        let found: Vec<&str> = pieces.cut(text).iter().map(|&it| pieces.text(it)).collect();
        assert_eq!(found.join(" "), expected, "{text:?}");
    }

    #[test]
    fn words_are_cut_into_the_longest_pieces() {
        let known = "un ##aff ##able ##ffable aff runn ##ing a ##a";
        check(known, "unaffable running", "un ##aff ##able runn ##ing");
        check(known, "unaffab", "[UNK]");
        check(known, "aaa", "a ##a ##a");
        check(known, &"a".repeat(100), &format!("a{}", " ##a".repeat(99)));
        check(known, &"a".repeat(101), "[UNK]");
        check(known, " \t\n ", "");
    }

    #[test]
    fn capitals_and_accents_vanish_where_the_pieces_have_none() {
        let known = "cafe ı i strasse straße ελλας";
        check(known, "Café CAFÉ cafe\u{301}", "cafe cafe cafe");
        check(known, "İ STRASSE Straße", "i strasse straße");
        check(known, "ΕΛΛΆΣ ελλας", "ελλας ελλας");
        check("Cafe cafe é", "Cafe CAFE é", "Cafe [UNK] é");
    }

    #[test]
    fn punctuation_stands_alone_and_control_characters_vanish() {
        let known = "em ##p _ n $ 3 . 14 < > ¿ — ’ s";
        check(known, "emp_n $3.14", "em ##p _ n $ 3 . 14");
        check(known, "¿n—em’s", "¿ n — em ’ s");
        check(
            known,
            "e\u{200b}m\u{0}\u{fffd}p\u{a0}n\u{2028}s\u{7f}",
            "em ##p n s",
        );
        check("sep [ ]", "[SEP]", "[ sep ]");
    }

    #[test]
    fn ideographs_are_words() {
        // The voiced mark is an accent.
        let known = "東 京 ヒ ##ル ao";
        check(known, "ao東京ビル ao", "ao 東 京 ヒ ##ル ao");
        check(known, "東ao京", "東 ao 京");
    }

    #[test]
    fn what_every_sequence_needs_must_be_there() {
        let error = WordPieces::parse("[UNK]\n[CLS]\na\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected a line `[SEP]`, found none among 3 lines"
        );
    }
}
