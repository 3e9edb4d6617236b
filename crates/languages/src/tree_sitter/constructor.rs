//! How constructors are called: `binary_expression $left + $right`.
//!
//! A tree-sitter grammar says which children a node may have, but not in which order they stand and
//! which fixed tokens stand between them. So the name of a constructor says it: the kind of the
//! node, then its parts, with a blank before each. A part is a fixed token, or a slot for what
//! differs from program to program:
//!
//! | written | stands for |
//! | --- | --- |
//! | `$left` | a child |
//! | `$argument*,` | any number of children with `,` between them |
//! | `$statement*` | any number of children, with nothing between them |
//! | `\n`, `\$`, `\q` | an end of line, a token that begins with `$`, a backtick |
//!
//! A name without parts is that of a leaf: its only field is its text. Where it has no field, the
//! kind is the text (`this`, `null`).

use std::borrow::Cow;
use std::fmt::Write as _;

/// A part of a constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part<'n> {
    /// A fixed token.
    Token(Cow<'n, str>),
    /// A child.
    One(&'n str),
    /// Children with a separator between them, which may be empty.
    List(&'n str, Cow<'n, str>),
}

/// The kind of node that a constructor is of.
pub(super) fn kind(name: &str) -> &str {
    name.split_once(' ').map_or(name, |it| it.0)
}

/// The parts of a constructor.
pub(super) fn parts(name: &str) -> impl Iterator<Item = Part<'_>> {
    name.split(' ').skip(1).map(part)
}

fn part(text: &str) -> Part<'_> {
    let Some(slot) = text.strip_prefix('$') else {
        return Part::Token(unescape(text));
    };
    match slot.split_once('*') {
        Some((field, separator)) => Part::List(field, unescape(separator)),
        None => Part::One(slot),
    }
}

/// Adds a fixed token to a name.
pub(super) fn push_token(name: &mut String, token: &str) {
    name.push(' ');
    if token.starts_with('$') {
        name.push('\\');
    }
    push_escaped(name, token);
}

/// Adds a child to a name.
pub(super) fn push_one(name: &mut String, field: &str) {
    let _ = write!(name, " ${field}");
}

/// Adds a list to a name.
pub(super) fn push_list(name: &mut String, field: &str, separator: &str) {
    let _ = write!(name, " ${field}*");
    push_escaped(name, separator);
}

fn push_escaped(name: &mut String, token: &str) {
    for it in token.chars() {
        match it {
            '\n' => name.push_str("\\n"),
            '\r' => name.push_str("\\r"),
            '\t' => name.push_str("\\t"),
            ' ' => name.push_str("\\s"),
            '`' => name.push_str("\\q"),
            '\\' => name.push_str("\\\\"),
            it => name.push(it),
        }
    }
}

fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut token = String::new();
    let mut chars = text.chars();
    while let Some(it) = chars.next() {
        token.push(match it {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('s') => ' ',
                Some('q') => '`',
                Some(other) => other,
                None => '\\',
            },
            it => it,
        });
    }
    Cow::Owned(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_back() {
        for token in ["+", "${", "\n", "`", "\\", "in", "a b", "*", "$", "?."] {
            let mut name = "kind".to_owned();
            push_token(&mut name, token);
            push_list(&mut name, "items", token);
            push_one(&mut name, "body");
            assert!(!name.contains('`'), "{name}");
            let found: Vec<Part<'_>> = parts(&name).collect();
            let expected = [
                Part::Token(Cow::Borrowed(token)),
                Part::List("items", Cow::Borrowed(token)),
                Part::One("body"),
            ];
            assert_eq!(found, expected, "{name}");
            assert_eq!(kind(&name), "kind");
        }
        assert_eq!(parts("identifier").count(), 0);
    }
}
