//! Rules for the other languages, which have the trees of the tool.

use patois_languages::SourceLanguage;

use super::super::lowering::Code;
use super::terms::{is_metavariable, kind, pattern, selected, with};
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
        _ => text.to_owned(),
    };
    // A metavariable alone would be what is in the statement to the tool.
    if name == "expression_statement" && is_metavariable(&text) {
        return Ok(with(kind(name), [("has", pattern(&text))]));
    }
    // Holes as we write them, to see whether this is code.
    let ours = text.replace("$$$", "$...");
    let parsed = Pattern::parse(&ours).map_err(|_| NO_NODE)?;
    let (before, after) = parsed.context(language, name).ok_or(NO_NODE)?;
    let way = selected(&format!("{before}{text}{after}"), name);
    with_blocks(language, &code.blocks, way)
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
