//! SQL as the tokens that the official parser sees (`tokenize` of `process_sql.py`).
//!
//! The official script hands the query to NLTK's English word tokenizer, after replacing every
//! quoted text by a marker. What follows from it is part of the metric: `a=1` is one token (and so
//! unknown to the parser), `a!=1` is `a`, `!`, `=1`, but `a != 1` and `a ! = 1` are `a`, `!=`, `1`;
//! a comma right before a digit does not separate; `cannot` is two tokens.

use std::collections::BTreeMap;

use super::SqlParseError;

/// Queries longer than this many bytes are refused.
pub(super) const MAX_BYTES: usize = 1 << 16;

/// Splits `sql` into tokens: lower-cased, except that quoted texts keep their case and their
/// quotes (always double ones).
pub(super) fn tokenize(sql: &str) -> Result<Vec<String>, SqlParseError> {
    if sql.len() > MAX_BYTES {
        return Err(SqlParseError::TooLong { n_bytes: sql.len() });
    }
    let (marked, texts) = mark_texts(sql)?;
    let words = split_words(&marked);
    let tokens = words
        .map(|word| texts.get(&word).cloned().unwrap_or(word))
        .collect();
    Ok(join_comparisons(tokens))
}

/// Replaces quoted texts by markers, and tells which marker stands for what.
///
/// Both kinds of quotes are alike: `"it's"` holds an odd number of them and is refused.
fn mark_texts(sql: &str) -> Result<(String, BTreeMap<String, String>), SqlParseError> {
    let mut marked = String::with_capacity(sql.len());
    let mut texts = BTreeMap::new();
    let mut open: Option<(usize, String)> = None;
    for (index, character) in sql.chars().enumerate() {
        let is_quote = matches!(character, '"' | '\'');
        match open.take() {
            None if is_quote => open = Some((index, String::from('"'))),
            None => marked.push(character),
            Some((start, mut text)) if is_quote => {
                text.push('"');
                let marker = format!("__val_{start}_{index}__");
                marked.push_str(&marker);
                texts.insert(marker, text);
            }
            Some((start, mut text)) => {
                text.push(character);
                open = Some((start, text));
            }
        }
    }
    if open.is_some() {
        return Err(SqlParseError::Quotes);
    }
    Ok((marked, texts))
}

/// The words and punctuation marks of a text without quotes, as NLTK's word tokenizer splits
/// them, in lower case.
fn split_words(text: &str) -> impl Iterator<Item = String> {
    let padded = pad_punctuation(&part_final_period(text)).to_lowercase();
    let words: Vec<String> = padded
        .split(is_space)
        .flat_map(|word| {
            let parted = part_contractions(word);
            parted.split(' ').map(str::to_owned).collect::<Vec<_>>()
        })
        .filter(|word| !word.is_empty())
        .collect();
    words.into_iter()
}

/// Puts spaces around a period that only closing marks follow.
fn part_final_period(text: &str) -> String {
    let Some(at) = text.rfind('.') else {
        return text.to_owned();
    };
    let (before, after) = (&text[..at], &text[at + 1..]);
    let closing = [']', ')', '}', '>', '»', '”', '’', ' '];
    let ends = after.trim_start_matches(closing).chars().all(is_space);
    if ends && !before.is_empty() && !before.ends_with('.') {
        format!("{before} . {after} ")
    } else {
        text.to_owned()
    }
}

/// Puts spaces around the marks that are tokens of their own.
fn pad_punctuation(text: &str) -> String {
    let mut padded = String::with_capacity(text.len() * 2);
    let mut rest = text.chars().peekable();
    // A comma or colon that follows another one directly is not looked at on its own.
    let mut is_second = false;
    while let Some(character) = rest.next() {
        let next = rest.peek().copied();
        let mut run = 1;
        match character {
            ',' | ':' => {
                let separates = !is_second && next.is_none_or(|it| !it.is_numeric());
                is_second = separates && matches!(next, Some(',' | ':'));
                if separates || next.is_none() {
                    padded.extend([' ', character, ' ']);
                } else {
                    padded.push(character);
                }
                continue;
            }
            '.' | '`' => {
                while rest.next_if_eq(&character).is_some() {
                    run += 1;
                }
                pad_run(character, run, character == '`' || run > 1, &mut padded);
            }
            '-' if next == Some('-') => {
                rest.next();
                padded.push_str(" -- ");
            }
            _ => pad_run(character, run, is_mark(character), &mut padded),
        }
        is_second = false;
    }
    padded
}

fn pad_run(character: char, run: usize, is_padded: bool, padded: &mut String) {
    let space = if is_padded { " " } else { "" };
    padded.push_str(space);
    padded.extend(std::iter::repeat_n(character, run));
    padded.push_str(space);
}

fn is_mark(character: char) -> bool {
    matches!(
        character,
        ';' | '@'
            | '#'
            | '$'
            | '%'
            | '&'
            | '?'
            | '!'
            | '*'
            | '['
            | ']'
            | '('
            | ')'
            | '{'
            | '}'
            | '<'
            | '>'
            | '«'
            | '“'
            | '‘'
            | '„'
            | '»'
            | '”'
            | '’'
            | '\u{2012}'..='\u{2015}'
    )
}

/// White space as Python understands it: Unicode's, and the four ASCII separators.
fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

/// Puts a space inside and around the few English contractions that the tokenizer knows.
fn part_contractions(word: &str) -> String {
    let mut parted = String::with_capacity(word.len());
    let is_inside = |character: char| character.is_alphanumeric() || character == '_';
    for segment in word.split_inclusive(|it| !is_inside(it)) {
        let name = segment.trim_end_matches(|it| !is_inside(it));
        match name {
            "cannot" | "gimme" | "gonna" | "gotta" | "lemme" => part_at_three(name, &mut parted),
            "wanna" if word.ends_with(name) => part_at_three(name, &mut parted),
            _ => parted.push_str(name),
        }
        parted.push_str(&segment[name.len()..]);
    }
    parted
}

fn part_at_three(name: &str, parted: &mut String) {
    let (start, end) = name.split_at(3);
    parted.extend([" ", start, " ", end, " "]);
}

/// Joins `!`, `<` and `>` with a `=` that follows.
fn join_comparisons(tokens: Vec<String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::with_capacity(tokens.len());
    for token in tokens {
        match joined.last_mut() {
            Some(last) if token == "=" && matches!(last.as_str(), "!" | ">" | "<") => {
                last.push('=');
            }
            _ => joined.push(token),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::tokenize;

    #[track_caller]
    fn check(sql: &str, expected: &str) {
        assert_eq!(tokenize(sql).unwrap().join("|"), expected);
    }

    #[test]
    fn tokens_are_those_of_the_word_tokenizer() {
        check("SELECT count(*),T1.Name", "select|count|(|*|)|,|t1.name");
        check("a>=1 a >= 1 a ! = 1 a<>1", "a|>|=1|a|>=|1|a|!=|1|a|<|>|1");
        check("a=1 b,2 c,d ,,x", "a=1|b,2|c|,|d|,|,x");
        check("limit 3.", "limit|3|.");
        check("limit 3.)", "limit|3|.|)");
        check("t1. name 1.5 x..y", "t1.|name|1.5|x|..|y");
        check("`a` [b] c--d e;", "`|a|`|[|b|]|c|--|d|e|;");
        check("t.cannot wanna wanna.x", "t.|can|not|wan|na|wanna.x");
        check("a\u{a0}b\u{1c}c\n\td", "a|b|c|d");
    }

    #[test]
    fn quoted_texts_keep_their_case_and_get_double_quotes() {
        check(
            "x = 'Aé (B)' and y=\"C\"",
            "x|=|\"Aé (B)\"|and|y=__val_19_21__",
        );
        check("('A','B')", "(|\"A\"|,|\"B\"|)");
        check("''", "\"\"");
    }
}
