//! Control characters in other people's texts: source code, names of files, errors about both.
//!
//! A terminal obeys them: it moves its cursor, changes its title, hides what follows. So they are shown,
//! as in `^[`, and not sent; so is what turns the direction of writing round.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A part of a line: a name, a line of code. Tabs are kept.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    shown(text, |it| it == '\t')
}

/// A text of many lines, in our own styles, whatever has got into it.
pub(crate) fn tamed(text: &str) -> Cow<'_, str> {
    let is_kept = |it: char| matches!(it, '\t' | '\n');
    if !text.contains(|it| is_control(it) && !is_kept(it)) {
        return Cow::Borrowed(text);
    }
    let mut tamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        let (before, sequence) = rest.split_at(at);
        tamed += &shown(before, is_kept);
        let length = style_len(sequence);
        match length {
            Some(length) => tamed += &sequence[..length],
            None => tamed += "^[",
        }
        rest = &sequence[length.unwrap_or(1)..];
    }
    tamed += &shown(rest, is_kept);
    Cow::Owned(tamed)
}

/// JSON that a terminal does not obey either: what JSON leaves as it is becomes an escape.
pub(crate) fn escaped(json: &str) -> Cow<'_, str> {
    if !json.contains(is_control) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len());
    for char in json.chars() {
        if is_control(char) && !char.is_ascii_whitespace() {
            let _ = write!(escaped, "\\u{:04x}", u32::from(char));
        } else {
            escaped.push(char);
        }
    }
    Cow::Owned(escaped)
}

fn shown(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_shown = |it: char| is_control(it) && !is_kept(it);
    if !text.contains(is_shown) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            _ if !is_shown(char) => shown.push(char),
            '\0'..='\u{1f}' => shown.extend(['^', char::from(char as u8 + b'@')]),
            '\u{7f}' => shown += "^?",
            _ => shown.push(char::REPLACEMENT_CHARACTER),
        }
    }
    Cow::Owned(shown)
}

/// Whether a terminal would do something else than show the character.
fn is_control(char: char) -> bool {
    let turns = |it| matches!(it, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    char.is_control() || turns(char)
}

/// The length of a sequence that only changes the style of what follows, and leaves it readable.
fn style_len(sequence: &str) -> Option<usize> {
    let inside = sequence.strip_prefix("\u{1b}[")?;
    let end = inside.find(|it: char| !it.is_ascii_digit() && it != ';')?;
    let is_readable = |it: &str| matches!(it.parse(), Ok(0..=4 | 22..=24 | 31..=36 | 39 | 91..=96));
    let fits = inside[end..].starts_with('m') && inside[..end].split(';').all(is_readable);
    fits.then_some("\u{1b}[".len() + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::{BAD, BOLD, styled};

    #[test]
    fn nothing_of_a_name_is_obeyed() {
        let check = |text: &str, expected: &str| assert_eq!(harmless(text), expected);
        check("a\tb é.py", "a\tb é.py");
        check("\u{1b}[31mred\u{1b}[0m", "^[[31mred^[[0m");
        check("a\nb\r\u{8}\u{7f}", "a^Jb^M^H^?");
        check("\u{9b}2J", "\u{fffd}2J");
        check("\u{202e}txt.exe", "\u{fffd}txt.exe");
    }

    #[test]
    fn our_own_styles_are_kept() {
        let check = |text: &str, expected: &str| assert_eq!(tamed(text), expected);
        let ours = format!("{}\n{}\n", styled(BOLD, "a"), styled(BAD, "b"));
        check(&ours, &ours);
        check("\u{1b}]0;title\u{7}\n", "^[]0;title^G\n");
        check("\u{1b}[8mhidden", "^[[8mhidden");
        check("\u{1b}[2J\u{1b}[1;31mx", "^[[2J\u{1b}[1;31mx");
        check("\u{1b}", "^[");
        check("\u{1b}[é", "^[[é");
    }

    #[test]
    fn json_means_the_same_when_it_is_escaped() {
        let text = "\u{1b}[2J\u{9b}\u{7f}\u{202e}é\n";
        let json = serde_json::to_string(text).unwrap();
        let escaped = escaped(&json);
        assert!(!escaped.contains(is_control), "{escaped:?}");
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), text);
    }
}
