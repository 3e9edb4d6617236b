//! How a program came about: which idioms and rules made which part of it, and what was copied.

use patois_languages::sql::DatabaseSchema;
use patois_syntax::{Action, Grammar, Label, NodeId, Rule, Subtoken};
use patois_synthesis::{Found, Spec};
use serde::{Deserialize, Serialize};

/// A part of a program, and what made it.
///
/// Parts come in the order of generation. Cells of lists and options are left out unless an idiom
/// starts there; what they hold belongs to what holds them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// How many parts it is inside of.
    pub depth: usize,
    /// The constructor, the text in quotes, or the name of what is pointed at.
    pub label: String,
    /// The idiom that it belongs to.
    pub idiom: Option<usize>,
    /// Whether it was chosen to use the idiom here.
    pub is_root_of_idiom: bool,
    /// The probability of what was chosen here; none where an idiom left no choice.
    pub probability: Option<f64>,
    /// Where its text is in the question, as far as it is there.
    pub sources: Vec<Source>,
}

/// Words of a question that a text is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// What was copied.
    pub subtoken: String,
    /// The words, as the model reads them.
    pub words: String,
    /// The index of the first word, from zero.
    pub first: usize,
    /// The index of the last word.
    pub last: usize,
}

/// What was chosen at a node.
#[derive(Clone, Debug, Default)]
struct Choice {
    idiom: Option<usize>,
    ln_p: Option<f64>,
    sources: Vec<Source>,
}

/// The parts of a program; `name` tells what a reference of a type points at.
pub fn parts(
    grammar: &Grammar,
    found: &Found,
    spec: &Spec,
    name: &dyn Fn(&str, u32) -> String,
) -> Vec<Part> {
    let tree = &found.tree;
    let choices = choices(found, spec);
    let parents = tree.parents();
    // For each node, the idiom that it belongs to, and the depth of what it holds.
    let mut owners: Vec<Option<usize>> = Vec::with_capacity(tree.n_nodes());
    let mut depths: Vec<usize> = Vec::with_capacity(tree.n_nodes());
    let mut parts: Vec<Part> = Vec::new();
    for node in tree.nodes() {
        let choice = &choices[node.index()];
        let parent = parents[node.index()].map(NodeId::index);
        let owner = match choice.ln_p {
            Some(_) => choice.idiom,
            None => parent.and_then(|it| owners[it]),
        };
        let depth = parent.map_or(0, |it| depths[it]);
        let is_root_of_idiom = choice.idiom.is_some();
        let label = match tree.label(node) {
            Label::Production(production) => match grammar.constructor(production) {
                Some(constructor) => Some(constructor.name.to_owned()),
                None => is_root_of_idiom.then(|| grammar.symbol_name(tree.symbol(node))),
            },
            Label::Text(text) => Some(format!("{:?}", text.as_str())),
            Label::Reference(item) => Some(name(grammar.symbol_type(tree.symbol(node)), item)),
        };
        owners.push(owner);
        depths.push(depth + usize::from(label.is_some()));
        if let Some(label) = label {
            parts.push(Part {
                depth,
                label,
                idiom: owner,
                is_root_of_idiom,
                probability: choice.ln_p.map(f64::exp),
                sources: choice.sources.clone(),
            });
        }
    }
    parts
}

/// What a reference of a type points at, where programs are about a database or nothing.
pub fn item_name(schema: Option<&DatabaseSchema>, ty: &str, item: u32) -> String {
    let index = item as usize;
    let name = schema.and_then(|schema| {
        let table = |index: usize| schema.tables.get(index).map(|it| it.name.clone());
        if ty == "table" {
            return table(index);
        }
        let column = schema.columns.get(index)?;
        Some(match column.table.and_then(table) {
            Some(table) => format!("{table}.{}", column.name),
            None => column.name.clone(),
        })
    });
    name.unwrap_or_else(|| format!("@{item}"))
}

/// What was chosen at each node.
fn choices(found: &Found, spec: &Spec) -> Vec<Choice> {
    let mut choices = vec![Choice::default(); found.tree.n_nodes()];
    for step in &found.trace {
        let Some(choice) = choices.get_mut(step.node.index()) else {
            continue;
        };
        choice.ln_p = Some(choice.ln_p.unwrap_or(0.0) + step.ln_p);
        match step.action {
            Action::Apply(Rule::Idiom(idiom)) => choice.idiom = Some(idiom.index()),
            Action::Emit(Subtoken::Text(text)) => {
                choice.sources.extend(source(spec, text.as_str()));
            }
            Action::Apply(Rule::Production(_)) | Action::Emit(Subtoken::End) | Action::Point(_) => {
            }
        }
    }
    choices
}

/// Where a subtoken can be copied from first.
fn source(spec: &Spec, subtoken: &str) -> Option<Source> {
    let copy = spec.copies.iter().find(|it| it.text.as_str() == subtoken)?;
    let (first, last) = (copy.first as usize, copy.last as usize);
    Some(Source {
        subtoken: subtoken.to_owned(),
        words: spec.words.get(first..=last)?.join(" "),
        first,
        last,
    })
}
