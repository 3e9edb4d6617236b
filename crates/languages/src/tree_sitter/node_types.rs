//! What may stand where: the types of the positions of a grammar, from its `node-types.json`.
//!
//! A hole of an idiom stands for whatever its position allows, so positions with much the same
//! children should have the same type. Most grammars name classes of kinds (`expression`,
//! `statement`), and these are the types; a class within a class counts as the larger one. Where a
//! grammar names none, positions that share most of their kinds have one type.

use std::collections::{BTreeMap, BTreeSet};

use patois_syntax::Text;
use serde::Deserialize;

/// The positions of a grammar.
#[derive(Debug)]
pub(super) struct NodeTypes {
    kinds: BTreeMap<String, Kind>,
    tokens: BTreeSet<String>,
}

/// The positions below one kind of node.
#[derive(Debug, Default)]
struct Kind {
    fields: BTreeMap<String, Position>,
    /// Children without a field.
    children: Option<Position>,
}

/// What stands at one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The type of each child there.
    pub(super) ty: &'static str,
    /// Whether there may be several.
    pub(super) is_list: bool,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: String,
    named: bool,
    #[serde(default)]
    subtypes: Vec<Reference>,
    #[serde(default)]
    fields: BTreeMap<String, Children>,
    children: Option<Children>,
}

#[derive(Deserialize)]
struct Children {
    multiple: bool,
    types: Vec<Reference>,
}

#[derive(Deserialize)]
struct Reference {
    #[serde(rename = "type")]
    kind: String,
    named: bool,
}

/// The type of what stands where nothing is expected.
const ANYTHING: Position = Position {
    ty: "anything",
    is_list: false,
};

/// So many kinds at one position are listed in the name of its type.
const MAX_LISTED: usize = 3;

impl NodeTypes {
    /// Reads the description that comes with a grammar.
    pub(super) fn parse(json: &str) -> Result<NodeTypes, serde_json::Error> {
        let entries: Vec<Entry> = serde_json::from_str(json)?;
        let classes = Classes::new(&entries);
        let crowds = Crowds::new(&entries, &classes);
        let position = |parent: &Entry, field: &str, children: &Children| {
            let named = named(children);
            Position {
                ty: Text::new(&type_of(&classes, &crowds, &parent.kind, field, &named)).as_str(),
                is_list: children.multiple,
            }
        };
        let kinds = entries.iter().filter(|it| it.named).map(|entry| {
            let fields = entry.fields.iter();
            let kind = Kind {
                fields: fields
                    .map(|(field, it)| (field.clone(), position(entry, field, it)))
                    .collect(),
                children: entry
                    .children
                    .as_ref()
                    .map(|it| position(entry, "item", it)),
            };
            (entry.kind.clone(), kind)
        });
        let tokens = entries.iter().filter(|it| !it.named);
        Ok(NodeTypes {
            kinds: kinds.collect(),
            tokens: tokens.map(|it| it.kind.clone()).collect(),
        })
    }

    /// The position of a child below a kind of node.
    pub(super) fn position(&self, parent: &str, field: Option<&str>) -> Position {
        let found = self.kinds.get(parent).and_then(|kind| match field {
            Some(field) => kind.fields.get(field).copied(),
            None => kind.children,
        });
        found.unwrap_or(ANYTHING)
    }

    /// Whether a longer token than `left` begins where `left` and `right` stand side by side.
    pub(super) fn run_together(&self, left: &str, right: &str) -> bool {
        let both = format!("{left}{right}");
        let starts = both.char_indices().map(|(at, _)| &both[at..]);
        let mut ends = starts.take_while(|it| it.len() > right.len());
        ends.any(|rest| {
            let n_left = rest.len() - right.len();
            let first = rest.chars().next().map(String::from).unwrap_or_default();
            self.tokens
                .range(first.clone()..)
                .take_while(|token| token.starts_with(&first))
                .any(|token| token.len() > n_left && rest.starts_with(token.as_str()))
        })
    }
}

fn named(children: &Children) -> BTreeSet<&str> {
    let types = children.types.iter().filter(|it| it.named);
    types.map(|it| it.kind.as_str()).collect()
}

fn type_of(
    classes: &Classes<'_>,
    crowds: &Crowds<'_>,
    parent: &str,
    field: &str,
    kinds: &BTreeSet<&str>,
) -> String {
    let tops: BTreeSet<&str> = kinds.iter().filter_map(|it| classes.top(it)).collect();
    let plain = |it: &&str| it.trim_start_matches('_').to_owned();
    let listed: Vec<String> = if tops.is_empty() {
        kinds.iter().map(plain).collect()
    } else {
        tops.iter().map(plain).collect()
    };
    match listed.len() {
        0 => format!("{parent}_{field}"),
        1..=MAX_LISTED => listed.join("_or_"),
        _ => crowds.name_of(kinds),
    }
}

/// The classes of kinds that a grammar names.
struct Classes<'e> {
    /// The class that a class is within, if any.
    above: BTreeMap<&'e str, &'e str>,
    names: BTreeSet<&'e str>,
}

impl<'e> Classes<'e> {
    fn new(entries: &'e [Entry]) -> Classes<'e> {
        let classes = || entries.iter().filter(|it| !it.subtypes.is_empty());
        let names: BTreeSet<&str> = classes().map(|it| it.kind.as_str()).collect();
        let mut above: BTreeMap<&str, &str> = BTreeMap::new();
        for class in classes() {
            for subtype in &class.subtypes {
                if names.contains(subtype.kind.as_str()) {
                    above.entry(&subtype.kind).or_insert(&class.kind);
                }
            }
        }
        Classes { above, names }
    }

    /// The largest class that a class is within; none for what is no class.
    fn top(&self, name: &str) -> Option<&'e str> {
        let mut top = *self.names.get(name)?;
        // A grammar that goes round in circles is cut off.
        for _ in 0..self.names.len() {
            match self.above.get(top) {
                Some(above) => top = above,
                None => break,
            }
        }
        Some(top)
    }
}

/// Sets of kinds that stand at the same position, as far as no class names them; sets that share
/// most of their kinds are one crowd.
struct Crowds<'e> {
    sets: Vec<(BTreeSet<&'e str>, usize)>,
}

impl<'e> Crowds<'e> {
    fn new(entries: &'e [Entry], classes: &Classes<'_>) -> Crowds<'e> {
        let positions = entries
            .iter()
            .flat_map(|it| it.fields.values().chain(&it.children));
        let sets: BTreeSet<BTreeSet<&str>> = positions
            .map(named)
            .filter(|it| it.len() > MAX_LISTED)
            .filter(|it| it.iter().all(|kind| classes.top(kind).is_none()))
            .collect();
        let mut crowds: Vec<(BTreeSet<&str>, usize)> = Vec::new();
        for set in sets {
            let known = crowds.iter().find(|it| is_alike(&it.0, &set));
            let crowd = known.map_or(crowds.len(), |it| it.1);
            crowds.push((set, crowd));
        }
        Crowds { sets: crowds }
    }

    fn name_of(&self, kinds: &BTreeSet<&str>) -> String {
        let found = self.sets.iter().find(|it| &it.0 == kinds);
        let number = found.map_or(0, |it| it.1);
        let is_expression = kinds.iter().any(|it| it.contains("expression"));
        let base = if is_expression { "expression" } else { "item" };
        match number {
            0 => base.to_owned(),
            number => format!("{base}{}", number + 1),
        }
    }
}

/// Whether two sets have most of the smaller one in common.
fn is_alike(one: &BTreeSet<&str>, other: &BTreeSet<&str>) -> bool {
    let shared = one.intersection(other).count();
    4 * shared >= 3 * one.len().min(other.len())
}
