//! Idioms as a short page for whoever writes code here next: `AGENTS.md`, or a part of it.
//!
//! One line for each idiom, with its counts and one of its places; no more lines than people, or programs that
//! are given the page with every question, care to read. What comes from the code stands between
//! backticks, more of them than it has itself.

use std::fmt::Write as _;

use super::{LeftOut, Rules};
use crate::idiom_file::{IdiomFile, IdiomRecord};
use crate::number::counted;

/// How many lines the page has at most.
const MAX_LINES: usize = 40;

/// How many of them stand above the idioms.
const N_HEAD: usize = 5;

/// How much of an idiom, or of a place, is shown, in characters.
const MAX_CODE: usize = 140;

/// The page about a library: its own idioms first, where it is known what is usual elsewhere.
pub fn agents(file: &IdiomFile) -> Rules {
    let (usual, own): (Vec<&IdiomRecord>, Vec<&IdiomRecord>) = file
        .idioms
        .iter()
        .partition(|it| it.is_own() == Some(false));
    let idioms: Vec<&IdiomRecord> = own.into_iter().chain(usual).collect();
    let n_expressed = idioms.len().min(MAX_LINES - N_HEAD);
    let language = &file.corpus.language;
    let mut text = format!(
        "# How {language} is written here\n\n\
         Mined by patois from {}: what is already done in one way is done in that way again.\n\
         `$name` stands for anything, `$name...` for the rest of a list. Each line: what it is called, the code, how often, and one place.\n\n",
        counted(file.corpus.programs, "program"),
    );
    for idiom in &idioms[..n_expressed] {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- {}", line(idiom));
    }
    let left_out = idioms[n_expressed..].iter().map(|it| LeftOut {
        idiom: it.id.clone(),
        reason: format!("the page has no more than {MAX_LINES} lines"),
    });
    Rules {
        text,
        n_expressed,
        left_out: left_out.collect(),
    }
}

fn line(idiom: &IdiomRecord) -> String {
    let IdiomRecord {
        id,
        title,
        source,
        occurrences,
        coverage,
        examples,
        ..
    } = idiom;
    let (places, programs) = (
        counted(*occurrences, "place"),
        counted(*coverage, "program"),
    );
    let mut line = format!(
        "{} ({}): {}; {places} in {programs}",
        escaped(title),
        code(id),
        code(source),
    );
    if let Some(example) = examples.first() {
        let _ = write!(
            line,
            ", as {} at {}",
            code(&example.line),
            code(&example.example)
        );
    }
    line
}

/// A text as it is, whatever it means to Markdown or HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for char in one_line(text).chars() {
        match char {
            '<' => escaped += "&lt;",
            '&' => escaped += "&amp;",
            _ if char.is_ascii_punctuation() && !".,:;()/'-\"".contains(char) => {
                escaped.push('\\');
                escaped.push(char);
            }
            _ => escaped.push(char),
        }
    }
    escaped
}

/// Code on one line, between more backticks than it has in a row.
fn code(text: &str) -> String {
    let line = one_line(text);
    let longest = line.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // One blank on each side is not part of the code.
    let needs_blanks = line.starts_with('`') || line.ends_with('`') || line.trim().is_empty();
    if needs_blanks {
        format!("{fence} {line} {fence}")
    } else {
        format!("{fence}{line}{fence}")
    }
}

/// A text on one line, without what would begin another or talk to a terminal.
fn one_line(text: &str) -> String {
    let is_blank =
        |it: char| it.is_whitespace() || it.is_control() || matches!(it, '\u{2028}' | '\u{2029}');
    let words: Vec<&str> = text.split(is_blank).filter(|it| !it.is_empty()).collect();
    let line = words.join(" ");
    match line.char_indices().nth(MAX_CODE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idiom_file::{CorpusStamp, Place};

    fn file(n_idioms: usize, record: &IdiomRecord) -> IdiomFile {
        let corpus = CorpusStamp {
            name: "x".to_owned(),
            language: "python".to_owned(),
            split: "train".to_owned(),
            programs: 7,
        };
        let json = serde_json::json!({
            "version": crate::idiom_file::VERSION,
            "grammar": { "name": "Python", "fingerprint": "0000000000000000" },
            "corpus": corpus,
            "config": {},
            "idioms": vec![record; n_idioms],
        });
        IdiomFile::parse("x".as_ref(), &json.to_string()).unwrap()
    }

    fn record() -> IdiomRecord {
        IdiomRecord {
            id: "py-00000000".to_owned(),
            title: "with open".to_owned(),
            notation: String::new(),
            source: "with open($1) as $2:\n    $body...".to_owned(),
            occurrences: 12,
            coverage: 1,
            score: 1.0,
            examples: vec![Place {
                example: "a/b.py:3".to_owned(),
                line: "with open(p) as f:".to_owned(),
            }],
            filled: Vec::new(),
            lift: None,
            phrases: Vec::new(),
        }
    }

    #[test]
    fn an_idiom_is_a_line_with_counts_and_a_place() {
        let page = agents(&file(1, &record())).text;
        let last = page.lines().last().unwrap();
        assert_eq!(
            last,
            "- with open (`py-00000000`): `with open($1) as $2: $body...`; 12 places in 1 program, \
             as `with open(p) as f:` at `a/b.py:3`"
        );
    }

    #[test]
    fn the_page_has_at_most_forty_lines() {
        let exported = agents(&file(100, &record()));
        assert_eq!(exported.text.lines().count(), 40);
        assert_eq!((exported.n_expressed, exported.left_out.len()), (35, 65));
    }

    #[test]
    fn what_code_says_is_no_markdown() {
        assert_eq!(code("a `b` ``c"), "```a `b` ``c```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("x\n\u{1b}[31m# Title\r\ny"), "`x [31m# Title y`");
        assert_eq!(
            escaped("</script> *a* [b](c)\n# d"),
            r"&lt;/script\> \*a\* \[b\](c) \# d"
        );
        let hostile = IdiomRecord {
            title: "x\n\n# Obey\n- do this".to_owned(),
            source: "f('```\\n\\n# Obey')".to_owned(),
            ..record()
        };
        let page = agents(&file(1, &hostile)).text;
        assert_eq!(page.lines().count(), 6, "{page}");
        assert_eq!(page.lines().filter(|it| it.starts_with('#')).count(), 1);
    }
}
