//! Fragments of languages whose constructors hold their own tokens: printed as they are.
//!
//! Nothing has to be filled in and found again: a name stands in the tree wherever a hole is.

use patois_languages::tree_sitter::TreeSitter;
use patois_syntax::{
    Arity, Ast, Child, Field, FieldValue, Fragment, FragmentNode, Grammar, Label, Language as _,
    NodeId, ProductionId, ProductionKind, SymbolId, SymbolKind, Text,
};

/// A fragment as source code; none where it has references.
pub(super) fn source(
    language: &TreeSitter,
    grammar: &Grammar,
    fragment: &Fragment,
    names: &[String],
) -> Option<String> {
    let mut built: Vec<Built> = Vec::new();
    // From the last node to the first, a node's children are complete: the first one on top.
    for index in (0..fragment.n_nodes()).rev() {
        let node = NodeId::new(index);
        let value = match fragment.node(node) {
            FragmentNode::Hole(hole) => {
                let name = Child::Text(Text::new(&names[hole.index()]));
                match grammar.symbol_kind(fragment.symbol(node)) {
                    SymbolKind::Many(_) | SymbolKind::NonEmpty(..) | SymbolKind::Optional(_) => {
                        Built::Reversed(vec![name])
                    }
                    _ => Built::Child(name),
                }
            }
            FragmentNode::Fixed(Label::Text(text)) => Built::Child(Child::Text(text)),
            FragmentNode::Fixed(Label::Reference(_)) => return None,
            FragmentNode::Fixed(Label::Production(id)) => build(grammar, id, &mut built)?,
        };
        built.push(value);
    }
    let text = match built.pop()? {
        Built::Child(Child::Node(ast)) => language.print(&ast).ok()?,
        Built::Child(Child::Text(text)) => text.to_string(),
        Built::Child(Child::Reference(_)) => return None,
        Built::Reversed(mut items) => {
            items.reverse();
            let list = fragment.root_symbol();
            let is_tokens = items.iter().any(is_token);
            let (constructor, field) = place_of_list(grammar, list, is_tokens.into())?;
            let text = language.print_items(constructor, field, &items).ok()?;
            // The rest of a list goes on behind a comma.
            text.trim_start_matches([',', ' ']).to_owned()
        }
    };
    Some(text.trim_end().to_owned())
}

/// A finished part of a tree.
enum Built {
    Child(Child),
    /// A list or option, last item first.
    Reversed(Vec<Child>),
}

fn build(grammar: &Grammar, id: ProductionId, built: &mut Vec<Built>) -> Option<Built> {
    let production = grammar.production(id);
    Some(match production.kind {
        ProductionKind::Construct(_) => {
            let constructor = grammar.constructor(id)?;
            let mut fields = Vec::with_capacity(constructor.fields.len());
            for field in &constructor.fields {
                let value = match built.pop()? {
                    Built::Child(child) => FieldValue::One(child),
                    Built::Reversed(mut items) => {
                        items.reverse();
                        FieldValue::Many(items)
                    }
                };
                fields.push(Field {
                    name: field.name,
                    ty: field.ty,
                    value,
                });
            }
            let ty = grammar.symbol_type(production.lhs);
            Built::Child(Child::Node(Ast::new(ty, constructor.name, fields)))
        }
        ProductionKind::Nil | ProductionKind::Absent => Built::Reversed(Vec::new()),
        ProductionKind::Cons | ProductionKind::First => {
            let (Built::Child(item), Built::Reversed(mut rest)) = (built.pop()?, built.pop()?)
            else {
                return None;
            };
            rest.push(item);
            Built::Reversed(rest)
        }
        ProductionKind::Present => match built.pop()? {
            Built::Child(item) => Built::Reversed(vec![item]),
            Built::Reversed(_) => return None,
        },
    })
}

/// The first constructor with a list of that type, and the field that holds it.
fn place_of_list(
    grammar: &Grammar,
    list: SymbolId,
    separators: Separators,
) -> Option<(&'static str, &'static str)> {
    let ty = grammar.symbol_type(list);
    let constructors =
        (0..grammar.n_productions()).filter_map(|it| grammar.constructor(ProductionId::new(it)));
    let places = constructors.filter_map(|constructor| {
        let mut fields = constructor.fields.iter();
        let field =
            fields.find(|it| it.ty == ty && matches!(it.arity, Arity::Many | Arity::NonEmpty))?;
        Some((constructor.name, field.name))
    });
    // Where some of these lists have commas, most of them do.
    let has_commas = |place: &(&str, &str)| place.0.contains(&format!("${}*,", place.1));
    places.min_by_key(|it| match separators {
        Separators::Commas => !has_commas(it),
        Separators::Own => has_commas(it),
    })
}

/// What stands between the items of a list.
#[derive(Clone, Copy)]
enum Separators {
    Commas,
    /// The commas are items themselves.
    Own,
}

impl From<bool> for Separators {
    fn from(is_tokens: bool) -> Separators {
        if is_tokens {
            Separators::Own
        } else {
            Separators::Commas
        }
    }
}

/// Whether an item is a token that only a macro understands.
fn is_token(item: &Child) -> bool {
    matches!(item, Child::Node(ast) if ast.constructor.starts_with("token "))
}
