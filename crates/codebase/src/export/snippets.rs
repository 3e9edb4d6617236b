//! Idioms as snippets of VS Code, and of editors that read the same: `idioms.code-snippets`.
//!
//! A hole is a tab stop, called like the hole; equal holes are the same stop, so that what is typed at one
//! appears at all. What the code itself writes as `$`, `}` or `\` is escaped.

use patois_syntax::{Fragment, FragmentNode, IdiomLibrary, Label};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{LeftOut, Rules};
use crate::dominant::{dominant, filled};
use crate::idiom_file::{IdiomFile, IdiomRecord};
use crate::idiom_source::{IdiomPrinter, hole_names};
use crate::repository::RepositoryPrograms;

/// Where holes stand while the code around them is escaped: characters that no code has.
const FIRST_PRIVATE: u32 = 0xf_0000;

/// How many of its own names an idiom is offered for.
const MAX_PREFIXES: usize = 3;

/// How far a level of code is indented.
const INDENT: &str = "    ";

#[derive(Serialize)]
struct Snippet<'a> {
    scope: &'a str,
    prefix: Vec<String>,
    body: Vec<String>,
    description: String,
}

/// The snippets for the idioms of a library that was mined from the given programs.
///
/// # Panics
///
/// Never: texts are always JSON.
pub fn snippets(read: &RepositoryPrograms, library: &IdiomLibrary, file: &IdiomFile) -> Rules {
    let printer = IdiomPrinter::of_sources(&read.grammar, &read.language);
    let dominant = dominant(library.iter().map(|it| &it.1.fragment), &read.trees);
    let mut made = Map::new();
    let mut left_out = Vec::new();
    let idioms = library.iter().map(|it| &it.1.fragment).zip(&file.idioms);
    for ((fragment, record), dominant) in idioms.zip(&dominant) {
        let names = hole_names(&read.grammar, fragment);
        let (shown, left) = filled(&read.grammar, fragment, dominant);
        let left: Vec<String> = left.iter().map(|it| names[it.index()].clone()).collect();
        let body = body(&printer, &shown, &left).or_else(|| body(&printer, fragment, &names));
        let Some(body) = body else {
            left_out.push(LeftOut {
                idiom: record.id.clone(),
                reason: "it has no source code".to_owned(),
            });
            continue;
        };
        let snippet = Snippet {
            scope: scope(read.language.name()),
            prefix: prefixes(fragment, record),
            body,
            description: format!(
                "{} ({} places in {} programs)",
                record.title, record.occurrences, record.coverage
            ),
        };
        let snippet = serde_json::to_value(snippet).expect("texts are always JSON");
        made.insert(format!("{} ({})", record.title, record.id), snippet);
    }
    let n_expressed = made.len();
    let text = serde_json::to_string_pretty(&Value::Object(made));
    Rules {
        text: text.expect("texts are always JSON") + "\n",
        n_expressed,
        left_out,
    }
}

/// The lines of an idiom with tab stops for holes; the levels of code are tabs, which editors make their own.
fn body(printer: &IdiomPrinter<'_>, fragment: &Fragment, names: &[String]) -> Option<Vec<String>> {
    let marks: Vec<char> = (FIRST_PRIVATE..)
        .take(names.len())
        .map(char::from_u32)
        .collect::<Option<_>>()?;
    let marked: Vec<String> = marks.iter().map(char::to_string).collect();
    let source = printer.source_named(fragment, &marked)?;
    let mut order: Vec<usize> = Vec::new();
    let mut lines = Vec::new();
    for line in source.lines() {
        let (mut text, mut rest) = (String::new(), line);
        while let Some(deeper) = rest.strip_prefix(INDENT) {
            text.push('\t');
            rest = deeper;
        }
        for char in rest.chars() {
            match marks.iter().position(|&it| it == char) {
                Some(hole) => {
                    let known = order.iter().position(|&it| it == hole);
                    let stop = known.unwrap_or_else(|| {
                        order.push(hole);
                        order.len() - 1
                    });
                    text += &tab_stop(stop + 1, &names[hole]);
                }
                None => push_escaped(&mut text, char),
            }
        }
        lines.push(text);
    }
    Some(lines)
}

/// `${1:name}`; a hole without a name of its own has none to show.
fn tab_stop(number: usize, hole: &str) -> String {
    let name = hole.trim_start_matches('$').trim_end_matches(['.', '?']);
    if name.is_empty() || name.starts_with(|it: char| it.is_ascii_digit()) {
        return format!("${{{number}}}");
    }
    let mut shown = String::new();
    for char in name.chars() {
        push_escaped(&mut shown, char);
    }
    format!("${{{number}:{shown}}}")
}

fn push_escaped(text: &mut String, char: char) {
    if matches!(char, '$' | '}' | '\\') {
        text.push('\\');
    }
    text.push(char);
}

/// What is typed to be offered the idiom: some names of its own, and its id.
fn prefixes(fragment: &Fragment, record: &IdiomRecord) -> Vec<String> {
    let is_name = |text: &str| {
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        text.chars().all(is_word) && !text.starts_with(|it: char| it.is_numeric())
    };
    let mut prefixes: Vec<String> = Vec::new();
    for node in fragment.nodes() {
        if let FragmentNode::Fixed(Label::Text(text)) = node {
            let text = text.as_str();
            let is_shown = record.title.split([' ', '.', ':']).any(|it| it == text);
            let is_new = !prefixes.iter().any(|it| it == text);
            if prefixes.len() < MAX_PREFIXES && is_new && is_shown && is_name(text) {
                prefixes.push(text.to_owned());
            }
        }
    }
    prefixes.push(record.id.clone());
    prefixes
}

/// What the editor calls a language.
fn scope(language: &str) -> &str {
    match language {
        "javascript" => "javascript,javascriptreact",
        "tsx" => "typescriptreact",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use patois_languages::SourceLanguage;
    use patois_syntax::Idiom;

    use super::*;
    use crate::repository::UnitConfig;

    fn exported(language: &str, code: &str, notation: &str) -> Value {
        let language = SourceLanguage::named(language).unwrap();
        let sources = [("a".to_owned(), code.to_owned())];
        let config = UnitConfig::default();
        let read = RepositoryPrograms::of_sources(language, sources, &config);
        let idiom = Idiom {
            fragment: Fragment::parse(&read.grammar, notation).unwrap(),
            coverage: 1,
            score: 1.0,
        };
        let library = IdiomLibrary::new(&read.grammar, vec![idiom]);
        let printer = IdiomPrinter::of_sources(&read.grammar, &read.language);
        let file = IdiomFile::of_repository(&read, &library, Value::Null, &printer);
        let exported = snippets(&read, &library, &file);
        let json: Value = serde_json::from_str(&exported.text).unwrap();
        json.as_object().unwrap().values().next().unwrap().clone()
    }

    #[test]
    fn holes_are_tab_stops_and_equal_holes_are_the_same() {
        let code = "with open(p) as f:\n    x = json.load(f)\n";
        let notation = r#"(With [(WithItem (Call (Name "open") [?p] []) +(Name ?f))] [(Assign [?x] (Call (Attribute (Name "json") "load") [(Name ?f)] []))])"#;
        let snippet = exported("python", code, notation);
        let body = serde_json::json!([
            "with open(${1:argument}) as ${2}:",
            "\t${3:target} = json.load(${2})"
        ]);
        assert_eq!(snippet["body"], body);
        assert_eq!(snippet["scope"], "python");
        let prefixes = snippet["prefix"].as_array().unwrap();
        assert_eq!(prefixes[..3], ["open", "json", "load"].map(Value::from));
        assert!(prefixes[3].as_str().unwrap().starts_with("py-"));
    }

    /// `$el` is a name of the code, no hole; and strings hold whatever they like.
    #[test]
    fn what_the_code_writes_is_escaped() {
        let code = "x = f('${1:no} \\\\ }')\n";
        let notation = r#"(Assign [?x] (Call (Name "f") [(Str "${1:no} \\ }")] []))"#;
        let snippet = exported("python", code, notation);
        let line = snippet["body"][0].as_str().unwrap();
        assert_eq!(line, r#"${1:target} = f("\${1:no\} \\\\ \}")"#);
    }
}
