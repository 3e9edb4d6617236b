//! The words of a text, for the encoder.
//!
//! One way of cutting serves every corpus. It follows the Penn Treebank where that helps (`don't`
//! is `do` and `n't`, `card's` is `card` and `'s`, full stops and brackets stand alone) and differs
//! where descriptions of programs differ from newspapers: quotes stay what they are, tags such as
//! `<b>` are one word, `$3` and `+2/+2` give up their numbers, and identifiers with dots come apart
//! while `snake_case` and marker words such as `NAME_END` do not. Every word is a piece of the text,
//! in its place.

use std::ops::Range;

/// A word, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// The characters.
    pub text: &'t str,
    /// The byte offset in the text.
    pub start: usize,
}

impl Word<'_> {
    /// The bytes of the text that the word takes up.
    pub(crate) fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// Cuts a text into words; white space is left out.
///
/// ```
/// use patois::spec::words::words;
///
/// let found: Vec<&str> = words("<b>Battlecry:</b> Deal $3 damage.").iter().map(|word| word.text).collect();
/// assert_eq!(found, ["<b>", "Battlecry", ":", "</b>", "Deal", "$", "3", "damage", "."]);
/// ```
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let length = next_length(rest, text[..start].chars().next_back());
        if !rest.starts_with(char::is_whitespace) {
            words.push(Word {
                text: &rest[..length],
                start,
            });
        }
        start += length;
    }
    words
}

/// The length in bytes of what comes next: white space, or a word.
fn next_length(rest: &str, before: Option<char>) -> usize {
    let first = rest.chars().next().expect("there is a rest");
    if first.is_whitespace() {
        return run_length(rest, char::is_whitespace);
    }
    let after_space = before.is_none_or(char::is_whitespace);
    let lengths = [
        tag_length(rest),
        clitic_length(rest, before),
        abbreviation_length(rest, before),
        number_length(rest, after_space),
        name_length(rest),
    ];
    lengths
        .into_iter()
        .flatten()
        .next()
        .unwrap_or_else(|| mark_length(rest, first))
}

/// `<b>`, `</i>`.
fn tag_length(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('<')?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let name = run_length(inner, |character| character.is_ascii_alphabetic());
    let closes = name > 0 && inner[name..].starts_with('>');
    closes.then(|| rest.len() - inner.len() + name + 1)
}

/// `'s`, `n't`, `'re` and their like, after a letter.
fn clitic_length(rest: &str, before: Option<char>) -> Option<usize> {
    before.filter(|character| character.is_alphabetic())?;
    clitic_at(rest)
}

fn clitic_at(rest: &str) -> Option<usize> {
    const CLITICS: [&str; 7] = ["n't", "'s", "'re", "'ve", "'ll", "'d", "'m"];
    let length = CLITICS.into_iter().find_map(|clitic| {
        let mut characters = rest.chars();
        let matches = clitic
            .chars()
            .all(|wanted| characters.next().is_some_and(|found| same(found, wanted)));
        matches.then(|| rest.len() - characters.as_str().len())
    })?;
    let ends = !rest[length..].starts_with(char::is_alphanumeric);
    ends.then_some(length)
}

/// Whether two characters are the same but for case and the shape of an apostrophe.
fn same(found: char, wanted: char) -> bool {
    found.eq_ignore_ascii_case(&wanted) || (wanted == '\'' && found == '\u{2019}')
}

/// `U.S.`, `e.g.`: single letters with full stops.
fn abbreviation_length(rest: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let bytes = rest.as_bytes();
    let n_pairs = bytes
        .chunks_exact(2)
        .take_while(|pair| pair[0].is_ascii_alphabetic() && pair[1] == b'.')
        .count();
    // In `a.b.c` the last letter has no full stop; what precedes it is no abbreviation either, but
    // taking it keeps the cutting linear in the length of the text.
    let ends = !rest[2 * n_pairs..].starts_with(char::is_alphanumeric);
    let n_pairs = if ends {
        n_pairs
    } else {
        n_pairs.saturating_sub(1)
    };
    (n_pairs >= 2).then_some(2 * n_pairs)
}

/// `3`, `3.14`, `1,000` and, after white space, `-1`; not `2nd`.
fn number_length(rest: &str, after_space: bool) -> Option<usize> {
    let unsigned = match rest.strip_prefix('-') {
        Some(unsigned) if after_space => unsigned,
        _ => rest,
    };
    let digits = |text: &str| run_length(text, |character| character.is_ascii_digit());
    let mut length = digits(unsigned);
    // The length before the last group of digits, in case that is the beginning of a name.
    let mut shorter = 0;
    while let Some(group) = unsigned[length..].strip_prefix(['.', ',']) {
        let n_digits = digits(group);
        if n_digits == 0 {
            break;
        }
        shorter = length;
        length += 1 + n_digits;
    }
    if unsigned[length..].starts_with(is_name_character) {
        length = shorter;
    }
    (length > 0).then(|| rest.len() - unsigned.len() + length)
}

/// Letters, digits and underscores, with hyphens and apostrophes between letters.
fn name_length(rest: &str) -> Option<usize> {
    let mut length = 0;
    let mut previous = ' ';
    for (offset, character) in rest.char_indices() {
        let following = rest[offset + character.len_utf8()..].chars().next();
        let joins = |wanted: fn(char) -> bool| {
            wanted(previous)
                && following.is_some_and(wanted)
                && clitic_at(&rest[offset..]).is_none()
        };
        let belongs = match character {
            'n' | 'N' if offset > 0 && clitic_at(&rest[offset..]).is_some() => false,
            '-' | '\'' | '\u{2019}' => joins(char::is_alphabetic),
            _ => is_name_character(character),
        };
        if !belongs {
            break;
        }
        length = offset + character.len_utf8();
        previous = character;
    }
    (length > 0).then_some(length)
}

fn is_name_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// A mark, or a run of the same one where runs mean something: `...`, `==`, `**`.
fn mark_length(rest: &str, mark: char) -> usize {
    if matches!(mark, '.' | '-' | '=' | '*' | '!' | '?') {
        run_length(rest, |character| character == mark)
    } else {
        mark.len_utf8()
    }
}

fn run_length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|character| !belongs(character))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        let found: Vec<&str> = words(text).iter().map(|word| word.text).collect();
        assert_eq!(found.join(" | "), expected);
    }

    #[test]
    fn cards_keep_their_markers() {
        check(
            "Assassin's Blade NAME_END 3 ATK_END -1 DEF_END",
            "Assassin | 's | Blade | NAME_END | 3 | ATK_END | -1 | DEF_END",
        );
        check(
            "<b>Taunt</b> and +2/+2.<i> (+2 Attack)</i>",
            "<b> | Taunt | </b> | and | + | 2 | / | + | 2 | . | <i> | ( | + | 2 | Attack | ) | </i>",
        );
        check("Restore #2 Health.", "Restore | # | 2 | Health | .");
        check("Multi-Shot: 2-Cost", "Multi-Shot | : | 2 | - | Cost");
        check("V-07-TR-0N", "V | - | 07 | - | TR | - | 0N");
    }

    #[test]
    fn english_is_cut_like_the_treebank() {
        check(
            "I don't think it's theirs",
            "I | do | n't | think | it | 's | theirs",
        );
        check(
            "the Joneses' (CAN'T)",
            "the | Joneses | ' | ( | CA | N'T | )",
        );
        check(
            "O'Brien and Kel\u{2019}Thuzad\u{2019}s",
            "O'Brien | and | Kel\u{2019}Thuzad | \u{2019}s",
        );
        check("in the U.S. or so...", "in | the | U.S. | or | so | ...");
        check(
            "more than 1,000.50 dollars.",
            "more | than | 1,000.50 | dollars | .",
        );
        check("the 2nd of 3,", "the | 2nd | of | 3 | ,");
        check("1.5em 1.2.3x", "1 | . | 5em | 1.2 | . | 3x");
        check("can't won't n't", "ca | n't | wo | n't | n't");
    }

    #[test]
    fn code_in_text_comes_apart() {
        check(
            "call `os.kill(pid, 9)`",
            "call | ` | os | . | kill | ( | pid | , | 9 | ) | `",
        );
        check("format '%Y-%m'", "format | ' | % | Y | - | % | m | '");
        check("snake_case == x**2", "snake_case | == | x | ** | 2");
        check("a < b > c", "a | < | b | > | c");
    }

    proptest! {
        #[test]
        fn words_are_pieces_of_the_text_in_order(text in ".{0,60}") {
            let mut end = 0;
            for word in words(&text) {
                prop_assert!(text[end..word.start].chars().all(char::is_whitespace));
                prop_assert_eq!(&text[word.span()], word.text);
                prop_assert!(!word.text.is_empty());
                end = word.span().end;
            }
            prop_assert!(text[end..].chars().all(char::is_whitespace));
        }

        #[test]
        fn words_of_dense_texts_are_pieces_too(text in "[a-cnstN0-9'\\-.,<>/ \u{2019}_é]{0,40}") {
            let joined: String = words(&text).iter().map(|word| word.text).collect();
            prop_assert_eq!(joined, text.replace(' ', ""));
        }
    }
}
