//! Rules for Semgrep.
//!
//! Its patterns know statements that follow each other, and that quotes and comments do not matter.

use std::collections::BTreeSet;

use super::lowering::{Code, Item, Literal, Lowered, literal_name, lower};
use super::yaml::Yaml;
use super::{Reason, Subject, Tool};

pub(super) fn rule(subject: &Subject<'_>) -> Result<Yaml, Reason> {
    let language = match subject.language.name() {
        "sql" => return Err("the tool does not know the language"),
        "tsx" => "typescript",
        other => other,
    };
    let Lowered {
        items, constraints, ..
    } = lower(subject, Tool::Semgrep)?;
    if constraints
        .iter()
        .any(|it| !matches!(it.1, Literal::String(None)))
    {
        return Err("the tool has no metavariable for one of its parts");
    }
    let texts: Vec<String> = texts(&items)?
        .into_iter()
        .map(|text| with_literals(&text, &constraints))
        .collect();
    let patterns = if let [only] = &texts[..] {
        ("pattern", Yaml::text(only))
    } else {
        let ways = texts.iter();
        let ways = ways.map(|it| Yaml::map([("pattern", Yaml::text(it))]));
        ("pattern-either", Yaml::List(ways.collect()))
    };
    Ok(Yaml::map([
        ("id", Yaml::text(subject.id())),
        ("languages", Yaml::List(vec![Yaml::text(language)])),
        ("severity", Yaml::text("INFO")),
        ("message", Yaml::text(subject.message())),
        ("metadata", subject.metadata()),
        patterns,
    ]))
}

/// All rules in one document.
pub(super) fn file(rules: &[&Yaml]) -> String {
    if rules.is_empty() {
        return "rules: []\n".to_owned();
    }
    let rules = rules.iter().map(|&it| it.clone()).collect();
    Yaml::map([("rules", Yaml::List(rules))]).document()
}

/// The ways to write an idiom: statements on lines of their own.
fn texts(items: &[Item]) -> Result<Vec<String>, Reason> {
    let mut texts = vec![String::new()];
    let is_list = items.len() > 1;
    for (index, item) in items.iter().enumerate() {
        let Item::Code(Code {
            ty,
            texts: ways,
            constructor,
            ..
        }) = item
        else {
            return Err("one of its parts is a hole");
        };
        let is_statement = *ty == "stmt"
            || constructor.contains("statement")
            || constructor.contains("declaration");
        let is_expression = matches!(*ty, "expr" | "target") || ty.contains("expression");
        if !is_statement && (is_list || !is_expression) {
            return Err("it is no statement or expression");
        }
        let break_line = if index > 0 { "\n" } else { "" };
        if let [only] = &ways[..] {
            // As it mostly is: what is there already is not copied.
            for text in &mut texts {
                text.extend([break_line, only]);
            }
            continue;
        }
        texts = texts
            .iter()
            .flat_map(|before| {
                ways.iter()
                    .map(move |it| format!("{before}{break_line}{it}"))
            })
            .collect();
        if texts.len() > 16 {
            return Err("there are too many ways to write it");
        }
    }
    // Names of metavariables for lists are blanks behind their dots.
    Ok(texts.iter().map(|it| tidy(it)).collect())
}

fn tidy(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let mut line = line.to_owned();
            while line.contains("... ") && line.contains("...  ") {
                line = line.replace("...  ", "... ");
            }
            line.replace("... )", "...)")
                .replace("... ,", "...,")
                .replace("... ]", "...]")
                .replace("... }", "...}")
                .trim_end()
                .to_owned()
        })
        .collect();
    lines.join("\n")
}

/// Formatted strings are written `f"..."`.
fn with_literals(text: &str, constraints: &[(String, Literal)]) -> String {
    let names: BTreeSet<&str> = constraints.iter().map(|it| it.0.as_str()).collect();
    let mut parts = text.split('$');
    let mut with_literals = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match literal_name(part) {
            (name, rest) if names.contains(name) => with_literals.extend(["f\"...\"", rest]),
            _ => with_literals.extend(["$", part]),
        }
    }
    with_literals
}
