//! What the holes of an idiom are called: after the field that holds them.

use indexmap::IndexMap;
use patois_syntax::{
    Fragment, FragmentNode, Grammar, HoleId, Label, NodeId, ProductionKind, SymbolKind,
};

/// The names of a fragment's holes, such as `$target`, `$value2`, `$body...` for a list
/// and `$where?` for what may be left out. Variables have numbers: `$1`, `$2`.
pub(crate) fn hole_names(grammar: &Grammar, fragment: &Fragment) -> Vec<String> {
    let parents = fragment.parents();
    let mut bases: IndexMap<HoleId, (String, &str)> = IndexMap::new();
    for (index, node) in fragment.nodes().iter().enumerate() {
        if let FragmentNode::Hole(hole) = *node {
            let node = NodeId::new(index);
            bases.entry(hole).or_insert_with(|| {
                (
                    base(grammar, fragment, &parents, node),
                    suffix(grammar, fragment, node),
                )
            });
        }
    }
    for (base, _) in bases.values_mut() {
        *base = readable(base);
    }
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    let is_alone = |name: &str| bases.values().filter(|it| it.0 == name).count() == 1;
    let mut names = vec![String::new(); fragment.n_holes()];
    for (hole, (base, suffix)) in &bases {
        let count = counts.entry(base).or_default();
        *count += 1;
        names[hole.index()] = if is_alone(base) && !base.is_empty() {
            format!("${base}{suffix}")
        } else {
            format!("${base}{count}{suffix}")
        };
    }
    names
}

/// Any number of things may stand where a list is missing, and nothing where an option is.
fn suffix(grammar: &Grammar, fragment: &Fragment, hole: NodeId) -> &'static str {
    match grammar.symbol_kind(fragment.symbol(hole)) {
        SymbolKind::Many(_) | SymbolKind::NonEmpty(..) => "...",
        SymbolKind::Optional(_) => "?",
        SymbolKind::Node | SymbolKind::Text | SymbolKind::Reference => "",
    }
}

fn base(
    grammar: &Grammar,
    fragment: &Fragment,
    parents: &[Option<NodeId>],
    hole: NodeId,
) -> String {
    let ty = grammar.symbol_type(fragment.symbol(hole));
    let is_text = grammar.symbol_kind(fragment.symbol(hole)) == SymbolKind::Text;
    let mut at = hole;
    let mut is_item = false;
    while let Some(parent) = parents[at.index()] {
        let child = fragment.children(parent).take_while(|it| *it != at).count();
        let FragmentNode::Fixed(Label::Production(id)) = fragment.node(parent) else {
            break;
        };
        match grammar.production(id).kind {
            ProductionKind::Construct(_) => {
                let constructor = grammar.constructor(id);
                let field = constructor.map_or(ty, |it| it.fields[child].name);
                let kind = constructor.map_or("", |it| it.name);
                return match field {
                    "id" | "identifier" if is_text => String::new(),
                    "name" if is_text && kind.ends_with("Parameter") => String::new(),
                    "value" if is_text => ty.to_owned(),
                    _ if is_item => singular(field).unwrap_or_else(|| ty.to_owned()),
                    _ => field.to_owned(),
                };
            }
            ProductionKind::Cons | ProductionKind::First => is_item |= child == 0 && at == hole,
            ProductionKind::Present | ProductionKind::Nil | ProductionKind::Absent => {}
        }
        at = parent;
    }
    ty.to_owned()
}

/// The longest name of a hole.
const MAX_NAME: usize = 18;

/// A name that can be read: a choice of many kinds has none of its own, of a long one the last words say
/// enough, and a number at its end would be taken for that of the hole.
fn readable(name: &str) -> String {
    let name = name.trim_end_matches(|it: char| it.is_ascii_digit());
    let name = name.trim_matches('_');
    if name.contains("_or_") {
        return "part".to_owned();
    }
    let words: Vec<&str> = name.split('_').collect();
    let n_words = (1..=words.len()).rev();
    let mut short = n_words.map(|it| words[words.len() - it..].join("_"));
    let short = short.find(|it| it.len() <= MAX_NAME);
    short.unwrap_or_else(|| "part".to_owned())
}

/// One of many `targets` is a `target`; one of a `body` has no name of its own.
fn singular(field: &str) -> Option<String> {
    if let Some(stem) = field.strip_suffix("ches") {
        return Some(format!("{stem}ch"));
    }
    if field.ends_with("ss") {
        return None;
    }
    field.strip_suffix('s').map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_holes_can_be_read() {
        let check = |name: &str, expected: &str| assert_eq!(readable(name), expected);
        check("target", "target");
        check("", "");
        check(
            "function_modifiers_or_visibility_modifier_or_where_clause",
            "part",
        );
        check("_expression", "expression");
        check("explicit_constructor_invocation", "invocation");
        check("type_arguments", "type_arguments");
        check("item7", "item");
        check("aVeryLongNameOfSomethingWithoutWords", "part");
    }
}
