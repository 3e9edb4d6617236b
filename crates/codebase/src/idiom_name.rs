//! What idioms are called: an id that lasts, and a title to begin with.
//!
//! The id is a hash of the idiom's notation behind the ending of its language's files, `py-3f9c2ab1`: the
//! same in every mining, at every rank and on every machine. The title is made of the idiom's own
//! words, and is a person's to change.

use patois_languages::SourceLanguage;
use patois_syntax::{Fingerprint, Fragment, Grammar};

/// The digits of ids: no letter is taken for a digit, or for another letter.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// How many there are: forty bits, so that two of a thousand idioms share an id once in two million libraries.
const N_DIGITS: u32 = 8;

/// The longest title, in characters.
const MAX_TITLE: usize = 56;

/// The id of an idiom.
///
/// The notation leaves out what the rest of a grammar tells, and a grammar that is induced changes with
/// the files. So the symbol of the root is always part of what is hashed.
pub(crate) fn id(grammar: &Grammar, language: &str, fragment: &Fragment) -> String {
    let notation = fragment.display(grammar).to_string();
    let symbol = format!("{}: ", grammar.symbol_name(fragment.root_symbol()));
    let body = notation.strip_prefix(&symbol).unwrap_or(&notation);
    id_of(language, &format!("{symbol}{body}"))
}

/// The id of an idiom of which nothing but the notation is known.
pub(crate) fn id_of(language: &str, notation: &str) -> String {
    let hash = Fingerprint::of(notation).number();
    // FNV mixes its low bits best; what is above them is folded onto them.
    let hash = hash ^ (hash >> (5 * N_DIGITS));
    let digits = (0..N_DIGITS).rev().map(|it| {
        let digit = (hash >> (5 * it)) & 31;
        char::from(DIGITS[digit as usize])
    });
    let endings = SourceLanguage::extensions(language);
    let prefix = endings.first().copied().unwrap_or(language);
    format!("{prefix}-{}", digits.collect::<String>())
}

/// A title for an idiom: the words of its source code, each once.
///
/// Holes, literals and signs are no words; names that a dot joins are one.
pub(crate) fn title(language: &str, source: &str) -> String {
    let mut title = String::new();
    let mut seen: Vec<&str> = Vec::new();
    let words = Words {
        rest: source,
        has_lifetimes: language == "rust",
    };
    for word in words {
        if seen.contains(&word) {
            continue;
        }
        let n_chars = title.chars().count() + 1 + word.chars().count();
        if n_chars > MAX_TITLE && !title.is_empty() {
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title += word;
        seen.push(word);
    }
    let first_line = source.trim().lines().next().unwrap_or_default();
    let text = if title.is_empty() { first_line } else { &title };
    match text.char_indices().nth(MAX_TITLE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The words of source code with holes, in order.
struct Words<'s> {
    rest: &'s str,
    has_lifetimes: bool,
}

impl<'s> Iterator for Words<'s> {
    type Item = &'s str;

    fn next(&mut self) -> Option<&'s str> {
        loop {
            let text = self.rest;
            let first = text.chars().next()?;
            if first.is_alphabetic() || first == '_' {
                let (word, rest) = text.split_at(end_of_name(text));
                self.rest = rest;
                return Some(word);
            }
            let n_bytes = match first {
                '$' => 1 + end_of_word(&text[1..]),
                '\'' if self.has_lifetimes && is_lifetime(text) => 1 + end_of_word(&text[1..]),
                '"' | '\'' | '`' => end_of_quoted(text, first),
                _ if first.is_numeric() => end_of_word(text),
                _ => first.len_utf8(),
            };
            self.rest = &text[n_bytes..];
        }
    }
}

fn end_of_word(text: &str) -> usize {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    text.find(|it| !is_word(it)).unwrap_or(text.len())
}

/// Where a name ends that may be several joined by dots or colons: `self.app.conf`, `fmt::Display`.
fn end_of_name(text: &str) -> usize {
    let mut end = end_of_word(text);
    loop {
        let rest = &text[end..];
        let n_joint = match rest.as_bytes() {
            [b'.', ..] => 1,
            [b':', b':', ..] => 2,
            _ => return end,
        };
        let next = &rest[n_joint..];
        if !next.starts_with(|it: char| it.is_alphabetic() || it == '_') {
            return end;
        }
        end += n_joint + end_of_word(next);
    }
}

/// Where a literal in quotes ends; a quote that nothing closes on its line is none.
fn end_of_quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' if quote != '`' => break,
            _ if char == quote => return at + 1,
            _ => {}
        }
    }
    1
}

/// Whether a quote begins `'a` rather than `'a'`.
fn is_lifetime(text: &str) -> bool {
    let mut behind = text.chars().skip(1);
    let is_name = behind
        .next()
        .is_some_and(|it| it.is_alphabetic() || it == '_');
    is_name && behind.next() != Some('\'')
}

#[cfg(test)]
mod tests {
    use patois_languages::python::Python;
    use patois_syntax::Language as _;

    use super::*;

    #[test]
    fn titles_are_the_words_of_an_idiom() {
        let check = |source: &str, expected: &str| assert_eq!(title("python", source), expected);
        check(
            "logger = get_logger(__name__)",
            "logger get_logger __name__",
        );
        check("$value.app.conf", "app.conf");
        check(
            "signals.$name.send(sender=$value, $keywords...)",
            "signals send sender",
        );
        check("self.f($1, self.f($2), 'not this', 0x1f)", "self.f");
        check(
            "if $1 == 'a b' { tracing::trace!(\"c d\") }",
            "if tracing::trace",
        );
        check("it's $1", "it s");
        check("$1 + $2", "$1 + $2");
        check("", "");
        check(
            "raise NotImplementedError(\"say \\\"no\\\" first\")",
            "raise NotImplementedError",
        );
        check(
            "one(two_and_more, three_and_more, four_and_more, five_and_more)",
            "one two_and_more three_and_more four_and_more",
        );
        let long = "a".repeat(80);
        check(&long, &format!("{}…", "a".repeat(56)));
        let rust = "let $1: &'a str = x.get(&'static y, 'c', '\\n', z)?;";
        assert_eq!(title("rust", rust), "let str x.get y z");
    }

    #[test]
    fn ids_are_the_same_on_every_machine() {
        assert_eq!(id_of("python", "(Pass)"), "py-5zzaj1cc");
        assert_eq!(id_of("tsx", "(Pass)"), "tsx-5zzaj1cc");
        assert_eq!(id_of("of one's own", "(Pass)"), "of one's own-5zzaj1cc");
    }

    /// A grammar that is induced has one symbol with a constructor, or two, as the files go.
    #[test]
    fn what_else_is_in_a_grammar_does_not_matter() {
        let grammar = Grammar::from_schema(Python.schema().unwrap());
        let id = |notation: &str| {
            let fragment = Fragment::parse(&grammar, notation).unwrap();
            id(&grammar, "python", &fragment)
        };
        assert_eq!(id("(Pass)"), id("stmt: (Pass)"));
        assert_eq!(id("(Pass)"), id_of("python", "stmt: Pass"));
        assert_ne!(id("expr: (Name \"x\")"), id("target: (Name \"x\")"));
        assert_eq!(id("(Return ?a)"), id("(Return ?b)"));
    }
}
