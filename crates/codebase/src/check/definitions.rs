//! The functions that a code base defines itself: with how many arguments each may be called.
//!
//! A call that leaves out what its definition has a default for is no mistake, however many others say it.

use std::collections::BTreeMap;

use patois_syntax::{Grammar, Label, NodeId, ProductionId, Tree};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::repository::RepositoryPrograms;

/// What makes objects of a class, and is called by the name of the class.
const CONSTRUCTORS: &[&str] = &["__init__", "__new__", "constructor"];
/// The object that a method is of, where it is a parameter.
const OBJECTS: &[&str] = &["self", "cls", "mcs", "this"];
/// Parameters that take any number of arguments.
const ANY_NUMBER: &[&str] = &["VarArgs", "rest_pattern", "variadic", "splat"];
/// What has all arguments of a call, whatever the parameters are.
const ALL: &str = "arguments";
/// Parameters that may be left out.
const OPTIONAL: &[&str] = &["Default", "optional", "assignment_pattern", "KwArgs"];
/// What is among the parameters and takes no argument.
const NO_PARAMETER: &[&str] = &["KeywordOnly", "self_parameter", "attribute_item", "comment"];

/// With how many arguments functions may be called, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Definitions(BTreeMap<String, Vec<Accepted>>);

/// How many arguments a function takes, at least and at most; any number where there is no most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Accepted(usize, Option<usize>);

impl Definitions {
    /// The functions of some programs.
    pub(super) fn of(read: &RepositoryPrograms) -> Definitions {
        let heads = Heads::of(&read.grammar);
        let programs = (0..read.trees.len()).into_par_iter();
        let found: Vec<Vec<(String, Accepted)>> = programs
            .map(|program| heads.definitions(&read.trees[program], || assigned_to(read, program)))
            .collect();
        let classes: Vec<(usize, String)> = (0..read.trees.len())
            .filter_map(|it| Some((it, heads.class(&read.trees[it])?)))
            .collect();
        let mut all = Definitions::default();
        for (program, found) in found.into_iter().enumerate() {
            for (name, accepted) in found {
                if CONSTRUCTORS.contains(&name.as_str())
                    && let Some(class) = class_around(read, &classes, program)
                {
                    all.add(class, accepted);
                }
                all.add(name, accepted);
            }
        }
        all
    }

    /// Those of some names only.
    pub(super) fn named(&self, is_wanted: impl Fn(&str) -> bool) -> Definitions {
        let wanted = self.0.iter().filter(|it| is_wanted(it.0));
        Definitions(
            wanted
                .map(|(name, it)| (name.clone(), it.clone()))
                .collect(),
        )
    }

    /// Whether a function of that name can do with so few arguments; nothing where the code base has none.
    pub(super) fn needs_no_more(&self, name: &str, n_arguments: usize) -> Option<bool> {
        let known = self.0.get(name)?;
        Some(known.iter().any(|it| it.0 <= n_arguments))
    }

    /// Whether a function of that name takes so many arguments; nothing where the code base has none.
    pub(super) fn takes(&self, name: &str, n_arguments: usize) -> Option<bool> {
        let known = self.0.get(name)?;
        let takes = |it: &Accepted| it.1.is_none_or(|most| n_arguments <= most);
        Some(known.iter().any(takes))
    }

    fn add(&mut self, name: String, accepted: Accepted) {
        let known = self.0.entry(name).or_default();
        if let Err(at) = known.binary_search(&accepted) {
            known.insert(at, accepted);
        }
    }
}

/// What a function that was cut out of its file is assigned to.
fn assigned_to(read: &RepositoryPrograms, program: usize) -> Option<String> {
    let unit = &read.units[program];
    let before = read.files[unit.file].text[..unit.span.range().start].trim_end();
    let left = before.strip_suffix(['=', ':'])?.trim_end();
    let is_part = |it: char| it.is_alphanumeric() || it == '_' || it == '$';
    let start = left.trim_end_matches(is_part).len();
    Some(left[start..].to_owned()).filter(|it| !it.is_empty())
}

/// The name of the smallest class around a program.
fn class_around(
    read: &RepositoryPrograms,
    classes: &[(usize, String)],
    program: usize,
) -> Option<String> {
    let own = &read.units[program];
    // Programs are in the order of files.
    let from = classes.partition_point(|it| read.units[it.0].file < own.file);
    let of_file = classes[from..].iter();
    let of_file = of_file.take_while(|it| read.units[it.0].file == own.file);
    let around = of_file.filter(|it| {
        let (outer, inner) = (read.units[it.0].span.range(), own.span.range());
        outer.start <= inner.start && inner.end <= outer.end
    });
    let smallest = around.min_by_key(|it| read.units[it.0].span.range().len());
    smallest.map(|it| it.1.clone())
}

/// The productions that define functions and classes.
struct Heads<'g> {
    grammar: &'g Grammar,
    /// Which child has the parameters.
    parameters: Vec<Option<usize>>,
    /// Which child has the name.
    names: Vec<Option<usize>>,
    is_class: Vec<bool>,
}

impl<'g> Heads<'g> {
    fn of(grammar: &'g Grammar) -> Heads<'g> {
        let productions = || (0..grammar.n_productions()).map(ProductionId::new);
        let field = |id: ProductionId, names: &[&str]| {
            let fields = &grammar.constructor(id)?.fields;
            fields.iter().position(|it| names.contains(&it.name))
        };
        let is_class = |id: ProductionId| {
            let name = grammar.constructor(id).map_or("", |it| it.name);
            name.starts_with("class") || name.starts_with("Class")
        };
        Heads {
            grammar,
            parameters: productions()
                .map(|it| field(it, &["parameters", "parameter"]))
                .collect(),
            names: productions()
                .map(|it| field(it, &["name", "key", "left"]))
                .collect(),
            is_class: productions().map(is_class).collect(),
        }
    }

    /// The class that a program is, if it is one.
    fn class(&self, tree: &Tree) -> Option<String> {
        let is_class = |it: &NodeId| match tree.label(*it) {
            Label::Production(id) => self.is_class[id.index()],
            _ => false,
        };
        let class = tree.nodes().take(12).find(is_class)?;
        self.name(tree, class)
    }

    fn definitions(
        &self,
        tree: &Tree,
        assigned_to: impl Fn() -> Option<String>,
    ) -> Vec<(String, Accepted)> {
        let parents = tree.parents();
        let nodes = tree.nodes().filter_map(|node| {
            let Label::Production(id) = tree.label(node) else {
                return None;
            };
            let parameters = tree.children(node).nth(self.parameters[id.index()]?)?;
            // A function that has no name of its own has that of what it is assigned to.
            let above = || match parents[node.index()] {
                Some(parent) => self.name(tree, parent),
                None => assigned_to(),
            };
            let name = self.name(tree, node).or_else(above)?;
            let mut accepted = self.accepted(tree, parameters);
            if tree.subtree(node).contains(&Label::Text(ALL.into())) {
                accepted.1 = None;
            }
            Some((name, accepted))
        });
        nodes.collect()
    }

    /// The last name of what a node is called.
    fn name(&self, tree: &Tree, node: NodeId) -> Option<String> {
        let Label::Production(id) = tree.label(node) else {
            return None;
        };
        let name = tree.children(node).nth(self.names[id.index()]?)?;
        let labels = tree.subtree(name).iter().rev();
        let mut texts = labels.filter_map(|it| match it {
            Label::Text(text) => Some(text.as_str().to_owned()),
            _ => None,
        });
        texts.next()
    }

    fn accepted(&self, tree: &Tree, parameters: NodeId) -> Accepted {
        let mut accepted = Accepted(0, Some(0));
        let mut open = vec![parameters];
        while let Some(node) = open.pop() {
            let constructor = match tree.label(node) {
                Label::Production(id) => self.grammar.constructor(id).map(|it| it.name),
                _ => Some(""),
            };
            let has = |words: &[&str]| {
                constructor.is_some_and(|name| words.iter().any(|it| head(name).contains(it)))
            };
            if constructor.is_none() || node == parameters {
                open.extend(tree.children(node));
            } else if has(ANY_NUMBER) {
                accepted.1 = None;
            } else if !has(NO_PARAMETER) && !is_object(tree, node) {
                let n_names = self.n_names(tree, node);
                if !has(OPTIONAL) {
                    accepted.0 += n_names;
                }
                accepted.1 = accepted.1.map(|it| it + n_names);
            }
        }
        accepted
    }

    /// How many names a parameter has: `a, b int` is two.
    fn n_names(&self, tree: &Tree, parameter: NodeId) -> usize {
        let mut list = match tree.label(parameter) {
            Label::Production(id) => {
                let is_go = |at: usize| {
                    let constructor = self.grammar.constructor(id);
                    constructor.is_some_and(|it| {
                        it.fields[at].name == "name" && head(it.name) == "parameter_declaration"
                    })
                };
                let names = self.names[id.index()].filter(|it| is_go(*it));
                names.and_then(|it| tree.children(parameter).nth(it))
            }
            _ => None,
        };
        let mut n_names = 0;
        while let Some(cell) = list {
            let is_cell = match tree.label(cell) {
                Label::Production(id) => self.grammar.constructor(id).is_none(),
                _ => false,
            };
            let mut children = tree.children(cell);
            if !is_cell || children.next().is_none() {
                break;
            }
            n_names += 1;
            list = children.next();
        }
        n_names.max(1)
    }
}

/// Whether a parameter is the object that a method is of.
fn is_object(tree: &Tree, parameter: NodeId) -> bool {
    let mut texts = tree.subtree(parameter).iter().filter_map(|it| match it {
        Label::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.next().is_some_and(|it| OBJECTS.contains(&it))
}

/// What kind of construct a constructor makes.
fn head(constructor: &str) -> &str {
    constructor.split(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use patois_languages::SourceLanguage;

    use super::*;
    use crate::repository::UnitConfig;

    #[test]
    fn what_functions_take_is_known_in_every_language() {
        let check = |file: &str, source: &str, name: &str, least: usize, most: Option<usize>| {
            let language = SourceLanguage::of_file(file.as_ref()).unwrap();
            let language = SourceLanguage::named(language).unwrap();
            let source = [(file.to_owned(), source.to_owned())];
            let read = RepositoryPrograms::of_sources(language, source, &UnitConfig::default());
            let known = Definitions::of(&read);
            let found = known.0.get(name).map(Vec::as_slice);
            assert_eq!(
                found,
                Some(&[Accepted(least, most)][..]),
                "{name}: {known:?}"
            );
        };
        check("a.py", "def f(a, b=1, *, c): pass\n", "f", 1, Some(2));
        check("a.py", "def f(a, *rest, **more): pass\n", "f", 1, None);
        let class = "class A(B):\n    def __init__(self, a, b=2):\n        self.a = a\n";
        check("a.py", class, "A", 1, Some(2));
        check(
            "a.js",
            "function f(a, {b}, c = 1) { return a; }",
            "f",
            2,
            Some(3),
        );
        check("a.js", "const f = (a, ...b) => a;", "f", 1, None);
        check(
            "a.js",
            "class A { constructor(a) { this.a = a; } }",
            "A",
            1,
            Some(1),
        );
        check(
            "a.js",
            "Model.prototype.save = function (a, b) { };",
            "save",
            2,
            Some(2),
        );
        check(
            "a.ts",
            "function f(a: string, b?: number): void { g(a); }",
            "f",
            1,
            Some(2),
        );
        check(
            "a.go",
            "package a\nfunc f(a, b int, c ...string) { g() }\n",
            "f",
            2,
            None,
        );
        check(
            "a.rs",
            "impl A { fn f(&self, a: u32, b: &str) { g() } }",
            "f",
            2,
            Some(2),
        );
    }
}
