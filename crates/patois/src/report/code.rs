//! Programs in parts: holes of idioms, and what two programs do not have in common.

use crate::report::diff::common;
use crate::run::trace::Part;
use crate::spec::words::words;

/// A part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span<'t> {
    pub(super) text: &'t str,
    /// Whether it is a hole, or is not in the other program.
    pub(super) is_marked: bool,
}

/// An idiom's source code, its holes marked: `$name`, `$name...`, `$name?`.
pub(super) fn holes(source: &str) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find('$') {
        let end = at + hole_length(&rest[at..]);
        if end > at {
            push(&mut spans, &rest[..at], false);
            push(&mut spans, &rest[at..end], true);
            rest = &rest[end..];
        } else {
            push(&mut spans, &rest[..=at], false);
            rest = &rest[at + 1..];
        }
    }
    push(&mut spans, rest, false);
    spans
}

/// The length of the hole that a text starts with; zero where it is none.
fn hole_length(text: &str) -> usize {
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let name = text[1..].find(|it| !is_name(it)).unwrap_or(text.len() - 1);
    if name == 0 {
        return 0;
    }
    let rest = &text[1 + name..];
    let ending = ["...", "?"].into_iter().find(|it| rest.starts_with(it));
    1 + name + ending.map_or(0, str::len)
}

fn push<'t>(spans: &mut Vec<Span<'t>>, text: &'t str, is_marked: bool) {
    if !text.is_empty() {
        spans.push(Span { text, is_marked });
    }
}

/// A question, the words marked that texts of a program are in.
pub(super) fn copied<'t>(question: &'t str, trace: &[Part]) -> Vec<Span<'t>> {
    let words = words(question);
    let mut is_marked = vec![false; words.len()];
    for source in trace.iter().flat_map(|it| &it.sources) {
        let end = words.len().min(source.last.saturating_add(1));
        if let Some(words) = is_marked.get_mut(source.first..end) {
            words.fill(true);
        }
    }
    let mut spans = Vec::new();
    let mut at = 0;
    for (word, is_marked) in words.iter().zip(is_marked) {
        let span = word.span();
        push(&mut spans, &question[at..span.start], false);
        push(&mut spans, &question[span.clone()], is_marked);
        at = span.end;
    }
    push(&mut spans, &question[at..], false);
    spans
}

/// Two programs, each with what is not in the other marked.
///
/// Keywords and names of SQL mean the same in either case.
pub(super) fn differences<'t>(
    left: &'t str,
    right: &'t str,
    language: &str,
) -> (Vec<Span<'t>>, Vec<Span<'t>>) {
    let (left, right) = (tokens(left), tokens(right));
    let is_sql = language == "sql";
    let is_same = |one: &&str, other: &&str| {
        let (one, other) = (&one[..], &other[..]);
        one == other || (is_sql && one.eq_ignore_ascii_case(other))
    };
    // Spaces are not compared: they would be common to everything.
    let solid = |tokens: &[&'t str]| -> Vec<usize> {
        let indices = 0..tokens.len();
        indices
            .filter(|&it| !tokens[it].trim().is_empty())
            .collect()
    };
    let (solid_left, solid_right) = (solid(&left), solid(&right));
    let texts = |tokens: &[&'t str], solid: &[usize]| -> Vec<&'t str> {
        solid.iter().map(|&it| tokens[it]).collect()
    };
    let pairs = common(
        &texts(&left, &solid_left),
        &texts(&right, &solid_right),
        is_same,
    );
    let of_left = pairs.iter().map(|it| solid_left[it.0]);
    let of_right = pairs.iter().map(|it| solid_right[it.1]);
    (marked(&left, of_left), marked(&right, of_right))
}

/// The tokens, those that are not common marked; spaces between two that are marked are, too.
fn marked<'t>(tokens: &[&'t str], common: impl Iterator<Item = usize>) -> Vec<Span<'t>> {
    let mut is_marked: Vec<bool> = tokens.iter().map(|it| !it.trim().is_empty()).collect();
    for index in common {
        is_marked[index] = false;
    }
    for index in 1..tokens.len().saturating_sub(1) {
        let is_space = tokens[index].trim().is_empty() && !tokens[index].contains('\n');
        if is_space && is_marked[index - 1] && is_marked[index + 1] {
            is_marked[index] = true;
        }
    }
    let spans = tokens.iter().zip(is_marked);
    spans
        .map(|(text, is_marked)| Span { text, is_marked })
        .collect()
}

/// Words, runs of spaces, and single signs.
fn tokens(code: &str) -> Vec<&str> {
    #[derive(PartialEq, Eq)]
    enum Kind {
        Word,
        Space,
        Sign,
    }
    let kind = |it: char| match it {
        it if it.is_alphanumeric() || it == '_' => Kind::Word,
        it if it.is_whitespace() => Kind::Space,
        _ => Kind::Sign,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, char) in code.char_indices() {
        let now = kind(char);
        if let Some(last) = last
            && (now != last || now == Kind::Sign)
        {
            tokens.push(&code[start..at]);
            start = at;
        }
        last = Some(now);
    }
    if start < code.len() {
        tokens.push(&code[start..]);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::trace::Source;

    /// What is marked, in brackets.
    fn shown(spans: &[Span<'_>]) -> String {
        let show = |it: &Span<'_>| {
            if it.is_marked {
                format!("[{}]", it.text)
            } else {
                it.text.to_owned()
            }
        };
        spans.iter().map(show).collect()
    }

    #[test]
    fn holes_are_found() {
        let check = |source, expected| assert_eq!(shown(&holes(source)), expected);
        check(
            "$a = f(\"$b\", $c..., $d?)",
            "[$a] = f(\"[$b]\", [$c...], [$d?])",
        );
        check("cost$ $ $é x$", "cost$ $ $é x$");
        check("", "");
    }

    #[test]
    fn copied_words_are_marked() {
        let part = |first, last| Part {
            depth: 0,
            label: String::new(),
            idiom: None,
            is_root_of_idiom: false,
            probability: None,
            sources: vec![Source {
                subtoken: String::new(),
                words: String::new(),
                first,
                last,
            }],
        };
        let question = "who's older than 30, Ünal?";
        let check = |first, last, expected| {
            let spans = copied(question, &[part(first, last)]);
            assert_eq!(shown(&spans), expected);
        };
        let n_words = words(question).len();
        check(n_words - 2, n_words - 2, "who's older than 30, [Ünal]?");
        check(n_words, usize::MAX, question);
        check(3, 2, question);
    }

    #[test]
    fn what_differs_is_marked() {
        let check = |left, right, expected: (&str, &str)| {
            let (left, right) = differences(left, right, "sql");
            assert_eq!((&*shown(&left), &*shown(&right)), expected);
        };
        check(
            "SELECT a FROM t",
            "select b from t",
            ("SELECT [a] FROM t", "select [b] from t"),
        );
        check("x WHERE a > 1", "x", ("x [WHERE][ ][a][ ][>][ ][1]", "x"));
        check("", "é", ("", "[é]"));
    }
}
