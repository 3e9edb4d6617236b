//! Rules for ast-grep.
//!
//! Its patterns are code that its own parser reads, so what is no statement or expression stands in
//! code around it, and a selector says which kind of node is meant. Statements that follow each other
//! are rules that precede each other, with comments between them. Strings and numbers, which are
//! written in many ways, are metavariables with constraints.

mod literals;
mod python;
mod terms;
mod tree_sitter;

use std::collections::BTreeSet;

use patois_languages::SourceLanguage;

use super::lowering::{Block, Code, Item, Lowered, Place, literal_name, lower};
use super::yaml::Yaml;
use super::{Reason, Subject, Tool};
use literals::{in_brackets, literal_rule};
use terms::{all, any, anything, first, has, kind, something, with};

const TOO_LONG: Reason = "it is longer than the tool can read";
const NO_NODE: Reason = "it is no node of its own to the tool";

/// The tool reads rules that nest as deep as 64, counted from the rule's own entries on.
const MAX_YAML_DEPTH: usize = 60;

pub(super) fn rule(subject: &Subject<'_>) -> Result<Yaml, Reason> {
    let language = subject.language;
    if language.name() == "sql" {
        return Err("the tool does not know the language");
    }
    let Lowered {
        items,
        is_list,
        constraints,
    } = lower(subject, Tool::AstGrep)?;
    // Each item is in the rule of the one before.
    if items.len() > MAX_YAML_DEPTH {
        return Err(TOO_LONG);
    }
    let mut rule = chain(language, rules(language, &items)?).ok_or(NO_NODE)?;
    let is_expression = |it: &Item| matches!(it, Item::Code(code) if code.ty == "expr");
    if language.name() == "python" && is_list && items.iter().any(is_expression) {
        // A list of expressions to us, as arguments are.
        let decorators = python::decorators(&items)?;
        rule = any(std::iter::once(rule).chain(decorators).collect());
    }
    if rule.depth() > MAX_YAML_DEPTH {
        return Err(TOO_LONG);
    }
    let written = rule.document();
    let used = Used::of(&written);
    let mut entries = vec![
        ("id", Yaml::text(subject.id())),
        ("language", Yaml::text(language.name())),
        ("severity", Yaml::text("hint")),
        ("message", Yaml::text(subject.message())),
        ("metadata", subject.metadata()),
        ("rule", rule),
    ];
    let constraints: Vec<(String, Yaml)> = constraints
        .iter()
        .filter(|(name, _)| used.has(name))
        .map(|(name, literal)| Ok((name.clone(), literal_rule(language, literal)?)))
        .collect::<Result<_, Reason>>()?;
    if !constraints.is_empty() {
        entries.push(("constraints", Yaml::map(constraints)));
    }
    Ok(Yaml::map(entries))
}

/// The rules, one document each.
pub(super) fn file(rules: &[&Yaml]) -> String {
    let documents: Vec<String> = rules.iter().map(|it| it.document()).collect();
    documents.join("---\n")
}

/// The metavariables for literals in a rule: the tool does not take constraints of others.
struct Used<'r>(BTreeSet<&'r str>);

impl<'r> Used<'r> {
    fn of(rule: &'r str) -> Used<'r> {
        Used(
            rule.split('$')
                .skip(1)
                .map(|it| literal_name(it).0)
                .collect(),
        )
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// Rules for nodes that follow each other.
fn chain(language: &SourceLanguage, rules: Vec<Yaml>) -> Option<Yaml> {
    rules.into_iter().rev().reduce(|next, this| {
        let next = with(next, [("stopBy", something(language))]);
        with(this, [("precedes", next)])
    })
}

fn rules(language: &SourceLanguage, items: &[Item]) -> Result<Vec<Yaml>, Reason> {
    items.iter().map(|it| item_rule(language, it)).collect()
}

fn item_rule(language: &SourceLanguage, item: &Item) -> Result<Yaml, Reason> {
    match item {
        Item::Anything => Ok(anything(language)),
        Item::Literal(literal) => literal_rule(language, literal),
        Item::Code(code) => code_rule(language, code),
    }
}

fn code_rule(language: &SourceLanguage, code: &Code) -> Result<Yaml, Reason> {
    let mut ways = Vec::new();
    for text in &code.texts {
        ways.extend(match language {
            SourceLanguage::Python => python::ways(code, text)?,
            SourceLanguage::TreeSitter(_) => vec![tree_sitter::way(language, code, text)?],
        });
    }
    ways.extend(in_brackets(code, |_| true)?);
    Ok(any(ways))
}

/// A rule for some code and blocks of it.
fn with_blocks<'b>(
    language: &SourceLanguage,
    blocks: impl IntoIterator<Item = &'b Block>,
    way: Yaml,
) -> Result<Yaml, Reason> {
    let mut parts = vec![way];
    for block in blocks {
        parts.extend(block_rule(language, block)?.map(has));
    }
    Ok(all(parts))
}

fn block_rule(language: &SourceLanguage, block: &Block) -> Result<Option<Yaml>, Reason> {
    let mut rules = rules(language, &block.items)?;
    if let Some(last) = rules.pop() {
        rules.push(if block.is_closed {
            let more = with(something(language), [("stopBy", Yaml::text("end"))]);
            let end = Yaml::map([("not", Yaml::map([("precedes", more)]))]);
            all(vec![last, end])
        } else {
            last
        });
    }
    let Some(statements) = chain(language, rules) else {
        return Ok(None);
    };
    let statements = first_of_block(language, &block.items, &statements);
    if block.place == Place::Itself {
        return Ok(Some(statements));
    }
    let mut body = has(statements);
    if is_pass(&block.items) {
        // Where all are definitions, nothing is left of it.
        let more = has(something(language));
        body = any(vec![body, Yaml::map([("not", more)])]);
    }
    let of_kind = ("kind", Yaml::text(block.kind));
    Ok(Some(with(body, [of_kind, ("stopBy", kind(block.kind))])))
}

/// A rule for the statements from the first of a block on.
fn first_of_block(language: &SourceLanguage, items: &[Item], rule: &Yaml) -> Yaml {
    let is_definition = |code: &Code| code.ty != "stmt" || code.constructor.contains("Def");
    match items.first() {
        Some(Item::Code(code)) if !is_definition(code) => first(rule.clone(), something(language)),
        Some(Item::Literal(_)) => first(rule.clone(), something(language)),
        // It may be a definition itself.
        _ => any(vec![
            first(rule.clone(), something(language)),
            first(rule.clone(), anything(language)),
        ]),
    }
}

fn is_pass(items: &[Item]) -> bool {
    matches!(items, [Item::Code(code)] if code.constructor == "Pass")
}
