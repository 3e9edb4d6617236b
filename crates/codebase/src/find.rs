//! Where idioms and hand-written fragments occur in source files.
//!
//! A fragment is sought as `patois mine` counts it: at every place, overlapping ones too. The grammar
//! of a language that declares none is that of the files, so a fragment may need productions that
//! no file has; then it occurs nowhere, which is no error.

mod holes;
mod pattern;

use std::collections::BTreeMap;

use patois_languages::SourceLanguage;
use patois_syntax::{
    Ast, Fragment, FragmentIndex, FragmentNode, Grammar, Label, NodeId, NodeSpans, Span, SymbolId,
};
use rayon::prelude::*;
use serde::{Serialize, Serializer};

use crate::idiom_file::IdiomFile;
use crate::idiom_source::hole_names;
use crate::repository::RepositoryPrograms;
use holes::NamedFragment;

pub use pattern::{Pattern, PatternError, holes_of};

/// What is looked for.
#[derive(Clone, Debug)]
pub enum Sought {
    /// Idioms of a library.
    Idioms(Vec<NumberedIdiom>),
    /// A fragment in the [notation](patois_syntax::notation).
    Notation(String),
    /// Source code with holes.
    Source(Pattern),
}

/// An idiom of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedIdiom {
    /// Which one, counted from one as `patois mine` shows them.
    pub number: usize,
    /// The idiom in the notation.
    pub notation: String,
}

/// A place where something was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// Which of the read files, in their order.
    #[serde(skip)]
    pub file_index: usize,
    /// The file.
    pub file: String,
    /// The line that it begins on, counted from one.
    pub line: usize,
    /// The column that it begins in, in characters, counted from one.
    pub column: usize,
    /// The line that it ends on.
    pub end_line: usize,
    /// The column behind its last character.
    pub end_column: usize,
    /// The number of the idiom, where idioms were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idiom: Option<usize>,
    /// The line of source code that it begins on.
    pub text: String,
    /// What the holes stand for, where one thing was looked for: a library has too many of them.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_map")]
    pub bindings: Vec<Binding>,
}

/// What a hole stands for at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Binding {
    /// The name of the hole, without the dollar sign.
    pub hole: String,
    /// The code; nothing where the rest of a list is empty.
    pub code: String,
}

fn as_map<S: Serializer>(bindings: &[Binding], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(bindings.iter().map(|it| (&it.hole, &it.code)))
}

/// Why something cannot be looked for.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// The source code with holes is none.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The notation cannot be read.
    #[error("{0}")]
    Notation(patois_syntax::ParseError),
}

impl NumberedIdiom {
    /// All idioms of a file.
    pub fn of(file: &IdiomFile) -> Vec<NumberedIdiom> {
        let idioms = file.idioms.iter().enumerate();
        let numbered = idioms.map(|(index, it)| NumberedIdiom {
            number: index + 1,
            notation: it.notation.clone(),
        });
        numbered.collect()
    }
}

impl Sought {
    /// The fragment or source code that a user typed.
    ///
    /// # Errors
    ///
    /// When there is nothing to look for.
    pub fn typed(text: &str) -> Result<Sought, PatternError> {
        if looks_like_notation(text) {
            return Ok(Sought::Notation(text.trim().to_owned()));
        }
        Ok(Sought::Source(Pattern::parse(text)?))
    }

    /// Names and literals that a source text must hold where one of these occurs in it; nothing is
    /// known where there are many.
    ///
    /// # Errors
    ///
    /// When what is sought is no code of the language.
    pub fn words(&self, language: &SourceLanguage) -> Result<Vec<String>, FindError> {
        let notation = match self {
            Sought::Source(pattern) => return Ok(pattern.words(language)?),
            Sought::Notation(notation) => notation,
            Sought::Idioms(idioms) => match &idioms[..] {
                [only] => &only.notation,
                _ => return Ok(Vec::new()),
            },
        };
        Ok(match language.language().schema() {
            // The notation says what a literal stands for, not how it is written.
            Some(schema) => {
                let grammar = Grammar::from_schema(schema);
                let read = fragments_of(&grammar, notation).unwrap_or_default();
                read.first()
                    .map(|it| identifiers(&grammar, it))
                    .unwrap_or_default()
            }
            None => quoted_texts(notation),
        })
    }

    /// The fragments of a grammar that stand for this, each with the number of its idiom.
    fn fragments(
        &self,
        language: &SourceLanguage,
        grammar: &mut Grammar,
    ) -> Result<Vec<(Option<usize>, NamedFragment)>, FindError> {
        let is_declared = language.language().schema().is_some();
        let read = |notation: &str, grammar: &Grammar| match fragments_of(grammar, notation) {
            Err(error) if is_declared => Err(FindError::Notation(error)),
            read => Ok(read.unwrap_or_default()),
        };
        match self {
            Sought::Idioms(idioms) => {
                let mut all = Vec::new();
                let is_one = idioms.len() == 1;
                for NumberedIdiom { number, notation } in idioms {
                    let found = read(notation, grammar)?.into_iter();
                    all.extend(found.map(|fragment| {
                        let names = if is_one {
                            names_of_holes(grammar, &fragment)
                        } else {
                            Vec::new()
                        };
                        (Some(*number), NamedFragment { fragment, names })
                    }));
                }
                Ok(all)
            }
            Sought::Notation(notation) => {
                let found = read(notation, grammar)?.into_iter();
                let named = found.map(|fragment| {
                    let names = names_of_holes(grammar, &fragment);
                    (None, NamedFragment { fragment, names })
                });
                Ok(named.collect())
            }
            Sought::Source(pattern) => {
                let found = pattern.fragments(language, grammar)?.into_iter();
                Ok(found.map(|it| (None, it)).collect())
            }
        }
    }
}

/// All places in the files, in their order.
///
/// # Errors
///
/// When what is sought is no code of the language.
pub fn find(read: &RepositoryPrograms, sought: &Sought) -> Result<Vec<Place>, FindError> {
    let occurrences = Occurrences::new(read, sought)?;
    let programs = 0..read.trees.len();
    let found: Vec<Vec<Place>> = programs
        .into_par_iter()
        .map(|program| {
            let nodes = occurrences.of(program);
            if nodes.is_empty() {
                return Vec::new();
            }
            let spans = read.spans(program);
            let nodes = nodes.into_iter();
            let places = nodes.map(|(fragment, node)| {
                let (idiom, fragment) = &occurrences.fragments[fragment];
                let place = read.place(&fragment.fragment, program, node, &spans);
                let span = place.map_or(read.units[program].span, |it| it.1);
                let bindings = bindings(read, program, fragment, node, &spans);
                place_of(read, read.units[program].file, span, *idiom, bindings)
            });
            places.collect()
        })
        .collect();
    let mut places: Vec<Place> = found.into_iter().flatten().collect();
    places.sort();
    Ok(places)
}

/// How often each idiom occurs in each file: for every file, in their order, the idioms by their number and how many places each
/// has there.
///
/// # Errors
///
/// When what is sought is no code of the language.
pub fn count(
    read: &RepositoryPrograms,
    sought: &Sought,
) -> Result<Vec<BTreeMap<usize, usize>>, FindError> {
    let occurrences = Occurrences::new(read, sought)?;
    let programs = 0..read.trees.len();
    let numbers: Vec<Vec<usize>> = programs
        .into_par_iter()
        .map(|program| {
            let nodes = occurrences.of(program).into_iter();
            let number = |(fragment, _): (usize, _)| occurrences.fragments[fragment].0;
            nodes.filter_map(number).collect()
        })
        .collect();
    let mut counts = vec![BTreeMap::new(); read.files.len()];
    for (unit, numbers) in read.units.iter().zip(numbers) {
        for number in numbers {
            *counts[unit.file].entry(number).or_default() += 1;
        }
    }
    Ok(counts)
}

/// What is sought, ready to be found in programs.
struct Occurrences<'r> {
    read: &'r RepositoryPrograms,
    fragments: Vec<(Option<usize>, NamedFragment)>,
    index: FragmentIndex,
}

impl<'r> Occurrences<'r> {
    fn new(read: &'r RepositoryPrograms, sought: &Sought) -> Result<Occurrences<'r>, FindError> {
        let mut grammar = read.grammar.clone();
        let fragments = sought.fragments(&read.language, &mut grammar)?;
        Ok(Occurrences {
            read,
            index: FragmentIndex::new(fragments.iter().map(|it| &it.1.fragment)),
            fragments,
        })
    }

    /// Which fragments occur in a program, and where.
    fn of(&self, program: usize) -> Vec<(usize, NodeId)> {
        let mut nodes = Vec::new();
        let tree = &self.read.trees[program];
        self.index
            .find(tree, |fragment, node, _| nodes.push((fragment, node)));
        nodes
    }
}

/// The holes of a fragment, called as they are where it is shown, each where it first stands.
fn names_of_holes(grammar: &Grammar, fragment: &Fragment) -> Vec<(String, NodeId)> {
    let names = hole_names(grammar, fragment);
    let mut is_seen = vec![false; names.len()];
    let nodes = fragment.nodes().iter().enumerate();
    let first = nodes.filter_map(|(index, node)| match *node {
        FragmentNode::Hole(hole) if !std::mem::replace(&mut is_seen[hole.index()], true) => {
            let name = bare_name(&names[hole.index()]).to_owned();
            Some((name, NodeId::new(index)))
        }
        _ => None,
    });
    first.collect()
}

/// The name of a hole without what tells how much it stands for: `$body...` is `body`.
fn bare_name(written: &str) -> &str {
    let name = written.trim_start_matches('$');
    name.trim_end_matches(['.', '?'])
}

/// What the holes of a fragment stand for where it occurs in a program.
fn bindings(
    read: &RepositoryPrograms,
    program: usize,
    fragment: &NamedFragment,
    node: NodeId,
    spans: &NodeSpans,
) -> Vec<Binding> {
    if fragment.names.is_empty() {
        return Vec::new();
    }
    let tree = &read.trees[program];
    let file = &read.files[read.units[program].file];
    let positions: Vec<NodeId> = fragment
        .fragment
        .positions(tree, node)
        .map(|it| it.1)
        .collect();
    let code = |node: NodeId| match (spans.get(node), tree.label(node)) {
        (Some(span), _) => file.text[span.range()].to_owned(),
        // Names have no place of their own where there is more to the node.
        (None, Label::Text(text)) => text.to_string(),
        (None, _) => String::new(),
    };
    let names = fragment.names.iter();
    names
        .map(|(name, part)| Binding {
            hole: name.clone(),
            code: code(positions[part.index()]),
        })
        .collect()
}

fn place_of(
    read: &RepositoryPrograms,
    file_index: usize,
    span: Span,
    idiom: Option<usize>,
    bindings: Vec<Binding>,
) -> Place {
    let file = &read.files[file_index];
    let (line, column) = file.line_column(span.range().start);
    let (end_line, end_column) = file.line_column(span.range().end);
    let text = file.lines(span).next().map_or("", |it| it.1);
    Place {
        file_index,
        file: file.path.clone(),
        line,
        column,
        end_line,
        end_column,
        idiom,
        text: text.trim().to_owned(),
        bindings,
    }
}

/// The fragments that a notation may stand for: one, unless its constructor is one of several
/// symbols in this grammar, as it may be where the notation was written for another.
fn fragments_of(
    grammar: &Grammar,
    notation: &str,
) -> Result<Vec<Fragment>, patois_syntax::ParseError> {
    let error = match Fragment::parse(grammar, notation) {
        Ok(fragment) => return Ok(vec![fragment]),
        Err(error) => error,
    };
    let symbols = (0..grammar.n_symbols()).map(SymbolId::new);
    let named = symbols.map(|it| format!("{}: {notation}", grammar.symbol_name(it)));
    let read: Vec<Fragment> = named
        .filter_map(|it| Fragment::parse(grammar, &it).ok())
        .collect();
    if read.is_empty() {
        Err(error)
    } else {
        Ok(read)
    }
}

/// Whether a text is a fragment in the notation rather than source code with holes: `(Pass)`,
/// `stmt*: [Pass | ?rest]`.
fn looks_like_notation(text: &str) -> bool {
    let text = text.trim();
    let outside_of_names = text.split('`').step_by(2);
    let has_holes = outside_of_names.clone().any(pattern::has_hole);
    let is_word = |it: char| it.is_alphanumeric() || it == '_' || it == '`';
    let starts = if let Some(inside) = text.strip_prefix('(') {
        inside.starts_with(is_word) && text.ends_with(')')
    } else {
        let rest = text.trim_start_matches(is_word);
        let rest = rest.strip_prefix(['*', '+', '?']).unwrap_or(rest);
        let rest = rest.strip_prefix(": ").or_else(|| rest.strip_prefix(':'));
        rest.is_some_and(|it| it.starts_with(['[', '(', '+', '_']) && it.ends_with([']', ')']))
    };
    // `(a, b)` is code; the parts of a fragment have blanks between them and nothing else.
    starts && !has_holes && is_balanced(text)
}

/// Whether what stands outside of quotes is made of words, holes and brackets only.
fn is_balanced(text: &str) -> bool {
    let outside_of_names = text.split('`').step_by(2).collect::<String>();
    let mut is_quoted = false;
    let mut is_escaped = false;
    outside_of_names.chars().all(|it| {
        if is_quoted {
            is_quoted = is_escaped || it != '"';
            is_escaped = it == '\\' && !is_escaped;
            return true;
        }
        is_quoted = it == '"';
        is_quoted || it.is_alphanumeric() || it.is_whitespace() || "_()[]|?*+:@".contains(it)
    })
}

/// The texts in quotes of a fragment in the notation.
fn quoted_texts(notation: &str) -> Vec<String> {
    let outside_of_names = notation.split('`').step_by(2);
    let mut texts = Vec::new();
    for part in outside_of_names {
        let mut pieces = part.split('"');
        pieces.next();
        while let (Some(text), Some(_)) = (pieces.next(), pieces.next()) {
            // What is escaped is written in another way.
            if text.contains('\\') {
                return Vec::new();
            }
            texts.push(text.to_owned());
        }
    }
    texts
}

/// The names in a fragment of a declared grammar.
fn identifiers(grammar: &Grammar, fragment: &Fragment) -> Vec<String> {
    let nodes = fragment.nodes().iter().enumerate();
    nodes
        .filter_map(|(index, node)| match node {
            FragmentNode::Fixed(Label::Text(text)) => {
                let symbol = fragment.symbol(NodeId::new(index));
                let is_name = grammar.symbol_type(symbol) == IDENTIFIER;
                is_name.then(|| text.to_string())
            }
            _ => None,
        })
        .collect()
}

/// What Python's grammar calls a name.
const IDENTIFIER: &str = "identifier";

/// Adds what `ast` needs to the grammar of a language that declares none.
fn learn(language: &SourceLanguage, grammar: &mut Grammar, ast: &Ast) -> Option<()> {
    if language.language().schema().is_some() {
        return Some(());
    }
    grammar.extend([ast]).ok()
}
