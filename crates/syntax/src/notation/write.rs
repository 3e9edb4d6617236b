//! Writing trees and fragments in their notation.

use std::fmt::{self, Write};

use super::{Pending, only_symbol_with};
use crate::grammar::quoted;
use crate::{FragmentNode, Grammar, Label, ProductionId, ProductionKind, SymbolId};

/// Writes nodes in preorder, rooted at `root`.
pub(crate) fn write(
    f: &mut impl Write,
    grammar: &Grammar,
    root: SymbolId,
    nodes: impl IntoIterator<Item = FragmentNode>,
) -> fmt::Result {
    let mut nodes = nodes.into_iter();
    let mut next = || nodes.next().expect("every symbol has a node");
    let mut pending = vec![Pending::Symbol(root)];
    let mut first = Some(next());
    if let Some(FragmentNode::Fixed(label)) = first
        && !tells_its_symbol(grammar, label)
    {
        write!(f, "{}: ", grammar.symbol_name(root))?;
    }
    // Whether something was written that the next item must be kept apart from.
    let mut needs_space = false;
    while let Some(item) = pending.pop() {
        if let Pending::Close = item {
            f.write_str(")")?;
            needs_space = true;
            continue;
        }
        let node = first.take().unwrap_or_else(&mut next);
        let is_rest = matches!(item, Pending::ListRest(_));
        let label = match node {
            FragmentNode::Hole(hole) if is_rest => {
                write!(f, " | ?{}]", hole.index())?;
                needs_space = true;
                continue;
            }
            FragmentNode::Hole(hole) => {
                write!(f, "{}?{}", space(needs_space), hole.index())?;
                needs_space = true;
                continue;
            }
            FragmentNode::Fixed(label) => label,
        };
        needs_space = match label {
            Label::Text(text) => {
                f.write_str(space(needs_space))?;
                write_text(f, text.as_str())?;
                true
            }
            Label::Reference(index) => {
                write!(f, "{}@{index}", space(needs_space))?;
                true
            }
            Label::Production(id) => {
                write_production(f, grammar, id, is_rest, needs_space, &mut pending)?
            }
        };
    }
    Ok(())
}

/// Writes the opening of a production, schedules its parts; true if a space must follow.
fn write_production(
    f: &mut impl Write,
    grammar: &Grammar,
    id: ProductionId,
    is_rest: bool,
    needs_space: bool,
    pending: &mut Vec<Pending>,
) -> Result<bool, fmt::Error> {
    let production = grammar.production(id);
    match (production.kind, &*production.rhs) {
        (ProductionKind::Construct(constructor), rhs) => {
            let name = quoted(grammar.constructor_at(constructor).name);
            f.write_str(space(needs_space))?;
            if rhs.is_empty() {
                f.write_str(&name)?;
            } else {
                write!(f, "({name}")?;
                pending.push(Pending::Close);
                pending.extend(rhs.iter().rev().map(|&symbol| Pending::Symbol(symbol)));
            }
            Ok(true)
        }
        (ProductionKind::Cons | ProductionKind::First, &[item, rest]) => {
            if !is_rest {
                write!(f, "{}[", space(needs_space))?;
            }
            pending.push(Pending::ListRest(rest));
            pending.push(Pending::Symbol(item));
            Ok(is_rest && needs_space)
        }
        (ProductionKind::Nil, _) => {
            f.write_str(if is_rest { "]" } else { space(needs_space) })?;
            f.write_str(if is_rest { "" } else { "[]" })?;
            Ok(true)
        }
        (ProductionKind::Present, &[item]) => {
            write!(f, "{}+", space(needs_space))?;
            pending.push(Pending::Symbol(item));
            Ok(false)
        }
        (ProductionKind::Absent, _) => {
            write!(f, "{}_", space(needs_space))?;
            Ok(true)
        }
        _ => unreachable!("lists have two parts and options have one"),
    }
}

fn space(needed: bool) -> &'static str {
    if needed { " " } else { "" }
}

pub(crate) fn write_text(f: &mut impl Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for it in text.chars() {
        match it {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            it if it.is_control() || it == '\u{feff}' => {
                write!(f, "\\u{{{:x}}}", u32::from(it))?;
            }
            it => f.write_char(it)?,
        }
    }
    f.write_char('"')
}

/// Whether a root with this label can be read without naming its symbol.
fn tells_its_symbol(grammar: &Grammar, label: Label) -> bool {
    match label {
        Label::Production(id) => grammar
            .constructor(id)
            .is_some_and(|constructor| only_symbol_with(grammar, constructor.name).is_ok()),
        Label::Text(_) | Label::Reference(_) => false,
    }
}
