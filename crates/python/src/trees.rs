//! Programs as trees.

use std::collections::BTreeMap;

use patois_cli::Failure;
use patois_languages::SourceLanguage;
use patois_syntax::derivation::{shortest_steps, steps};
use patois_syntax::{
    Action, Ast, Child, ExtendedGrammar, Fragment, Grammar, Idiom, IdiomLibrary, Language, Marker,
    Rule, Step, Subtokens, Text, Tree,
};
use pyo3::prelude::*;

use crate::failure::{exception, misuse};
use crate::finding::language_named;
use crate::library::Library;
use crate::work;

/// A program that was parsed.
#[pyclass(frozen, module = "patois._patois")]
pub(crate) struct Parsed {
    language: SourceLanguage,
    ast: Ast,
    grammar: Grammar,
    tree: Tree,
}

/// A node as Python is told of it: its kind, its type, the field it is in, its text where it is a leaf, the bytes where it begins and
/// ends, and the number of its parent.
type Node = (
    &'static str,
    &'static str,
    &'static str,
    Option<String>,
    Option<(u32, u32)>,
    Option<usize>,
);

#[pymethods]
impl Parsed {
    /// Parses a program.
    #[new]
    fn new(py: Python<'_>, source: String, language: String) -> PyResult<Parsed> {
        work::run(py, None, move |_| parse(&source, &language))
    }

    /// All nodes in preorder.
    fn nodes(&self) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<(Part<'_>, &'static str, &'static str, Option<usize>)> =
            vec![(Part::Node(&self.ast), self.ast.ty, "", None)];
        while let Some((part, ty, field, parent)) = open.pop() {
            let own = nodes.len();
            match part {
                Part::Text(text) => nodes.push((ty, ty, field, Some(text), None, parent)),
                Part::Node(ast) => {
                    let span = ast.span.map(|it| (it.start, it.end));
                    nodes.push((ast.constructor, ty, field, None, span, parent));
                    let start = open.len();
                    for field in &ast.fields {
                        let children = field.value.children().iter();
                        open.extend(children.map(|it| {
                            let part = match it {
                                Child::Node(ast) => Part::Node(ast),
                                Child::Text(text) => Part::Text(text.to_string()),
                                Child::Reference(index) => Part::Text(format!("@{index}")),
                            };
                            (part, field.ty, field.name, Some(own))
                        }));
                    }
                    open[start..].reverse();
                }
            }
        }
        nodes
    }

    /// The program, printed.
    fn to_source(&self, py: Python<'_>) -> PyResult<String> {
        let printed = self.language.language().print(&self.ast);
        printed.map_err(|error| exception(py, &Failure::new(error.to_string())))
    }

    /// The tree in the notation of `idioms.json`.
    fn to_sexp(&self) -> String {
        let root = self.tree.root();
        let whole = Fragment::from_tree(&self.grammar, &self.tree, root, |_| false);
        whole.map_or_else(
            |error| error.to_string(),
            |it| it.display(&self.grammar).to_string(),
        )
    }

    /// The steps that write the program, with the idioms of a library where that takes fewer.
    #[pyo3(signature = (library=None))]
    fn derivation(
        &self,
        py: Python<'_>,
        library: Option<&Library>,
    ) -> PyResult<Vec<(usize, String)>> {
        let steps = self.steps(library);
        steps.map_err(|failure| exception(py, &failure))
    }
}

/// Texts are split as the language splits them.
struct Parts<'l>(&'l dyn Language);

impl Subtokens for Parts<'_> {
    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.0.split_text(text)
    }
}

enum Part<'a> {
    Node(&'a Ast),
    Text(String),
}

fn parse(source: &str, language: &str) -> Result<Parsed, Failure> {
    let language = language_named(language)?;
    let ast = language.language().parse(source).map_err(|error| {
        let place = error.line_column(source);
        let place = place.map(|(line, column)| format!(" (line {line}, column {column})"));
        let place = place.unwrap_or_default();
        misuse(format!("the source does not parse: {error}{place}"))
    })?;
    let grammar = match language.language().schema() {
        Some(schema) => Grammar::from_schema(schema),
        None => Grammar::induce(Text::new(language.name()).as_str(), [&ast]).map_err(misuse)?,
    };
    let tree = grammar.tree(&ast).map_err(misuse)?;
    Ok(Parsed {
        language,
        ast,
        grammar,
        tree,
    })
}

impl Parsed {
    fn steps(&self, library: Option<&Library>) -> Result<Vec<(usize, String)>, Failure> {
        let (own, numbers) = match library {
            Some(library) => self.known(library)?,
            None => (
                IdiomLibrary::new(&self.grammar, Vec::new()),
                BTreeMap::new(),
            ),
        };
        let grammar = ExtendedGrammar::new(&self.grammar, &own).map_err(misuse)?;
        let subtokens = &Parts(self.language.language());
        let found: Vec<Step> = if own.is_empty() {
            steps(&grammar, subtokens, &self.tree)
        } else {
            let marker = Marker::new(&self.grammar, &own).map_err(misuse)?;
            shortest_steps(&grammar, subtokens, &marker.mark(&self.tree))
        };
        let written = found.iter().map(|it| {
            let written = match it.action {
                Action::Apply(Rule::Idiom(id)) => format!("#{}", numbers[&id.index()]),
                action => action.display(&self.grammar).to_string(),
            };
            (it.node.index(), written)
        });
        Ok(written.collect())
    }

    /// The idioms of a library that this tree's grammar has, and which of the library's each is.
    fn known(&self, library: &Library) -> Result<(IdiomLibrary, BTreeMap<usize, usize>), Failure> {
        let (found, own) = (&library.file.corpus.language, self.language.name());
        if found != own {
            return Err(misuse(format!(
                "the idioms are of `{found}`, the program is of `{own}`"
            )));
        }
        let mut idioms = Vec::new();
        let mut numbers = BTreeMap::new();
        for (number, record) in library.file.idioms.iter().enumerate() {
            // What the grammar of this one program lacks does not occur in it.
            let Ok(fragment) = Fragment::parse(&self.grammar, &record.notation) else {
                continue;
            };
            numbers.insert(idioms.len(), number);
            idioms.push(Idiom {
                fragment,
                coverage: record.coverage,
                score: record.score,
            });
        }
        Ok((IdiomLibrary::new(&self.grammar, idioms), numbers))
    }
}
