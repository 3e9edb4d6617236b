//! Rules for the other languages, which have the trees of the tool.

use patois_languages::SourceLanguage;

use super::super::lowering::Code;
use super::terms::{any, is_metavariable, kind, pattern, selected, with};
use super::{NO_NODE, Reason, Yaml, with_blocks};
use crate::find::Pattern;

/// The rule for one way to write some code; the code around is what made the pattern a program.
pub(super) fn way(language: &SourceLanguage, code: &Code, text: &str) -> Result<Yaml, Reason> {
    let name = code.constructor.split(' ').next().unwrap_or_default();
    if matches!(name, "ended" | "token" | "unit" | "") {
        return Err(NO_NODE);
    }
    let text = match language.name() {
        "javascript" | "typescript" | "tsx" => without_semicolons(text),
        "go" => with_blocks_on_one_line(text),
        _ => text.to_owned(),
    };
    // A metavariable alone would be what is in the statement to the tool.
    if name == "expression_statement" && is_metavariable(&text) {
        return Ok(with(kind(name), [("has", pattern(&text))]));
    }
    let way = match name {
        "match_expression" if !code.blocks.is_empty() => match_of(&text).ok_or(NO_NODE)?,
        // What separates it from the next one may be missing.
        "match_arm" => in_context(language, name, text.trim_end_matches(','))?,
        _ => in_context(language, name, &text)?,
    };
    let grouped = grouped(name, &text);
    let grouped = grouped.and_then(|it| in_context(language, name, &it).ok());
    let ways = std::iter::once(way).chain(grouped).collect();
    with_blocks(language, &code.blocks, any(ways))
}

/// A pattern in code that makes it a node of a kind.
fn in_context(language: &SourceLanguage, name: &str, text: &str) -> Result<Yaml, Reason> {
    // Holes as we write them, to see whether this is code.
    let ours = text.replace("$$$", "$...").replace("$$", "$");
    let parsed = Pattern::parse(&ours).map_err(|_| NO_NODE)?;
    let (before, after) = parsed.context(language, name).ok_or(NO_NODE)?;
    Ok(selected(&format!("{before}{text}{after}"), name))
}

/// A `match` whose arms are said one by one.
fn match_of(text: &str) -> Option<Yaml> {
    let (value, _) = text.strip_prefix("match ")?.rsplit_once('{')?;
    let value = with(pattern(value.trim_end()), [("field", Yaml::text("value"))]);
    Some(with(kind("match_expression"), [("has", value)]))
}

/// A declaration of Go as one that is alone in brackets.
fn grouped(name: &str, text: &str) -> Option<String> {
    let keyword = match name {
        "type_declaration" => "type",
        "var_declaration" => "var",
        "const_declaration" => "const",
        _ => return None,
    };
    let declared = text.strip_prefix(keyword)?.trim();
    (!declared.starts_with('(')).then(|| format!("{keyword} (\n{declared}\n)"))
}

/// A metavariable for all statements of a block is one of a list with the end of its line to the tool,
/// which has neither where nothing but a comment stands before the statements.
fn with_blocks_on_one_line(text: &str) -> String {
    let mut joined = String::new();
    for line in text.lines() {
        let last = joined.lines().next_back().unwrap_or_default().trim();
        let is_opened = joined.ends_with('{') && line.trim().starts_with("$$$");
        let is_closed = last.contains("{ $$$") && line.trim().starts_with('}');
        if is_opened || is_closed {
            joined.push(' ');
            joined.push_str(line.trim());
        } else {
            if !joined.is_empty() {
                joined.push('\n');
            }
            joined.push_str(line);
        }
    }
    joined
}

/// A semicolon of the pattern would have to be there; it may be left out.
fn without_semicolons(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut kept = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let next = lines.get(index + 1).map_or("", |it| it.trim_start());
        // Lines like these would go on with the one before.
        let goes_on = next.starts_with(['(', '[', '`', '+', '-', '*', '/', ',', '.']);
        kept.push(if goes_on {
            line
        } else {
            line.trim_end_matches(';')
        });
    }
    kept.join("\n")
}
