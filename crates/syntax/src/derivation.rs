//! Derivations: a tree as the steps that build it.
//!
//! A step exists only where there is a choice. A symbol with a single rule is expanded without
//! asking, in training and in search alike.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ids::{HoleId, IdiomId, NodeId};
use crate::{
    Grammar, IdiomLibrary, Label, Language, MarkedTree, Occurrence, ParseError, ProductionId,
    SymbolId, SymbolKind, Text, Tree,
};

/// A way to expand a symbol: an idiom is one more rule of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// A production of the grammar.
    Production(ProductionId),
    /// An idiom of the library.
    Idiom(IdiomId),
}

/// What a synthesiser may do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Expand a symbol.
    Apply(Rule),
    /// Add a subtoken to a text, or end it.
    Emit(Subtoken),
    /// Point at an item of the context.
    Point(u32),
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subtoken {
    /// Some characters.
    Text(Text),
    /// The end of the text.
    End,
}

/// How a synthesiser sees the body of an idiom that it has chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdiomExpansion {
    /// Replayed node by node: each is a step that leaves no choice.
    #[default]
    Replayed,
    /// As one step: the next is that of the idiom's first hole.
    Atomic,
}

/// A hole of an idiom that was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The idiom.
    pub idiom: IdiomId,
    /// Which of its holes.
    pub hole: HoleId,
}

/// A step of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The node that is being built.
    pub node: NodeId,
    /// The symbol it stands for.
    pub symbol: SymbolId,
    /// The hole that it fills, alone or with its siblings; none below the top of a filling, and none
    /// where idioms are replayed.
    pub place: Option<Place>,
    /// The step that built the nearest ancestor which had a choice; none at the top.
    pub parent: Option<usize>,
    /// What is done.
    pub action: Action,
}

/// How texts are split into subtokens: the same way in training and in search.
///
/// A [`Language`] splits texts by itself; a closure may take the specification into account.
pub trait Subtokens {
    /// The subtokens of a text; together they are the text.
    fn split<'t>(&self, text: &'t str) -> Vec<&'t str>;
}

impl<F: for<'t> Fn(&'t str) -> Vec<&'t str>> Subtokens for F {
    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self(text)
    }
}

impl Subtokens for dyn Language + '_ {
    fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.split_text(text)
    }
}

/// A grammar together with the idioms that extend it.
#[derive(Clone, Copy, Debug)]
pub struct ExtendedGrammar<'a> {
    grammar: &'a Grammar,
    library: &'a IdiomLibrary,
}

impl<'a> ExtendedGrammar<'a> {
    /// The grammar extended with a library.
    ///
    /// # Errors
    ///
    /// When the library was made for another grammar.
    pub fn new(
        grammar: &'a Grammar,
        library: &'a IdiomLibrary,
    ) -> Result<ExtendedGrammar<'a>, crate::GrammarMismatch> {
        library.check(grammar)?;
        Ok(ExtendedGrammar { grammar, library })
    }

    /// The grammar.
    pub fn grammar(&self) -> &'a Grammar {
        self.grammar
    }

    /// The idioms.
    pub fn library(&self) -> &'a IdiomLibrary {
        self.library
    }

    /// Every rule that may expand a symbol: productions, then idioms.
    pub fn rules(&self, symbol: SymbolId) -> impl Iterator<Item = Rule> + use<'a> {
        let productions = self
            .grammar
            .expansions(symbol)
            .iter()
            .copied()
            .map(Rule::Production);
        productions.chain(
            self.library
                .rooted_at(symbol)
                .iter()
                .copied()
                .map(Rule::Idiom),
        )
    }

    /// Whether there is anything to choose at a symbol. Texts and references are always chosen.
    pub(crate) fn is_choice(&self, symbol: SymbolId) -> bool {
        let n_rules = self.grammar.expansions(symbol).len() + self.library.rooted_at(symbol).len();
        let is_leaf = matches!(
            self.grammar.symbol_kind(symbol),
            SymbolKind::Text | SymbolKind::Reference
        );
        is_leaf || n_rules > 1
    }
}

/// The steps that build `tree` from productions alone, in preorder.
pub fn steps(grammar: &ExtendedGrammar<'_>, subtokens: &dyn Subtokens, tree: &Tree) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::with_capacity(tree.n_nodes());
    // Per node, the last step at or above it; a child comes after its parent.
    let mut above: Vec<Option<usize>> = vec![None; tree.n_nodes()];
    for node in tree.nodes() {
        let (symbol, parent) = (tree.symbol(node), above[node.index()]);
        let mut step = |action| {
            steps.push(Step {
                node,
                symbol,
                place: None,
                parent,
                action,
            });
        };
        let mut last = parent;
        match tree.label(node) {
            Label::Text(text) => text_subtokens(subtokens, text)
                .map(Action::Emit)
                .for_each(step),
            Label::Reference(index) => step(Action::Point(index)),
            Label::Production(id) => {
                if grammar.is_choice(symbol) {
                    step(Action::Apply(Rule::Production(id)));
                    last = Some(steps.len() - 1);
                }
            }
        }
        for child in tree.children(node) {
            above[child.index()] = last;
        }
    }
    steps
}

/// The fewest steps that build a marked tree where idioms are [atomic](IdiomExpansion::Atomic).
///
/// Where an idiom saves no step, productions are preferred; of several idioms that save as many, the
/// first of the library.
pub fn shortest_steps(
    grammar: &ExtendedGrammar<'_>,
    subtokens: &dyn Subtokens,
    marked: &MarkedTree<'_>,
) -> Vec<Step> {
    let tree = marked.tree();
    let chosen = shortest_choices(grammar, subtokens, marked);
    let mut steps: Vec<Step> = Vec::new();
    let mut pending = vec![(NodeId::new(0), None, None)];
    while let Some((node, parent, place)) = pending.pop() {
        let symbol = tree.symbol(node);
        let mut step = |action| {
            steps.push(Step {
                node,
                symbol,
                place,
                parent,
                action,
            });
            Some(steps.len() - 1)
        };
        let start = pending.len();
        match (chosen[node.index()], tree.label(node)) {
            (Some(occurrence), _) => {
                let idiom = occurrence.idiom;
                let own = step(Action::Apply(Rule::Idiom(idiom)));
                let holes = occurrence.bindings.iter();
                pending.extend(holes.map(|(hole, node)| (node, own, Some(Place { idiom, hole }))));
            }
            (None, Label::Text(text)) => {
                for subtoken in text_subtokens(subtokens, text) {
                    step(Action::Emit(subtoken));
                }
            }
            (None, Label::Reference(index)) => _ = step(Action::Point(index)),
            (None, Label::Production(id)) => {
                let (above, place) = if grammar.is_choice(symbol) {
                    (step(Action::Apply(Rule::Production(id))), None)
                } else {
                    (parent, place)
                };
                pending.extend(tree.children(node).map(|child| (child, above, place)));
            }
        }
        pending[start..].reverse();
    }
    steps
}

/// For each node, the occurrence that begins there in the derivation with the fewest steps, if one does.
fn shortest_choices<'m>(
    grammar: &ExtendedGrammar<'_>,
    subtokens: &dyn Subtokens,
    marked: &'m MarkedTree<'_>,
) -> Vec<Option<&'m Occurrence>> {
    let tree = marked.tree();
    let mut n_steps = vec![0; tree.n_nodes()];
    let mut chosen = vec![None; tree.n_nodes()];
    // Whatever is below a node comes after it.
    for index in (0..tree.n_nodes()).rev() {
        let node = NodeId::new(index);
        let sum = |nodes: &mut dyn Iterator<Item = NodeId>| -> usize {
            nodes.map(|it| n_steps[it.index()]).sum()
        };
        let mut fewest = match tree.label(node) {
            Label::Text(text) => text_subtokens(subtokens, text).count(),
            Label::Reference(_) => 1,
            Label::Production(_) => {
                usize::from(grammar.is_choice(tree.symbol(node))) + sum(&mut tree.children(node))
            }
        };
        for occurrence in marked.rooted_at(node) {
            let own = 1 + sum(&mut occurrence.bindings.iter().map(|it| it.1));
            if own < fewest {
                fewest = own;
                chosen[index] = Some(occurrence);
            }
        }
        n_steps[index] = fewest;
    }
    chosen
}

/// The subtokens of a text, then its end.
pub(crate) fn text_subtokens(
    subtokens: &dyn Subtokens,
    text: Text,
) -> impl Iterator<Item = Subtoken> + use<> {
    let subtokens = subtokens
        .split(text.as_str())
        .into_iter()
        .filter(|subtoken| !subtoken.is_empty());
    subtokens
        .map(|subtoken| Subtoken::Text(Text::new(subtoken)))
        .chain([Subtoken::End])
}

impl Action {
    /// How an action is written: `stmt.Assign`, `#3` for an idiom, `"copy"` for a subtoken, `$` for the
    /// end of a text, `@2` for a reference.
    pub fn display(self, grammar: &Grammar) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| match self {
            Action::Apply(Rule::Production(id)) => f.write_str(&grammar.production_name(id)),
            Action::Apply(Rule::Idiom(id)) => write!(f, "#{}", id.index()),
            Action::Emit(Subtoken::Text(text)) => crate::notation::write_text(f, text.as_str()),
            Action::Emit(Subtoken::End) => f.write_str("$"),
            Action::Point(index) => write!(f, "@{index}"),
        })
    }

    /// Reads an action as it is displayed.
    ///
    /// # Errors
    ///
    /// When `text` is no action of the grammar.
    pub fn parse(grammar: &Grammar, text: &str) -> Result<Action, ParseError> {
        let number = |digits: &str| {
            digits
                .parse::<u32>()
                .map_err(|_| ParseError::at(1, format!("expected a number, found `{digits}`")))
        };
        match text.as_bytes().first() {
            Some(b'#') => Ok(Action::Apply(Rule::Idiom(IdiomId::new(
                number(&text[1..])? as usize,
            )))),
            Some(b'@') => Ok(Action::Point(number(&text[1..])?)),
            Some(b'$') if text.len() == 1 => Ok(Action::Emit(Subtoken::End)),
            Some(b'"') => {
                let text = crate::notation::parse_text(text)?;
                Ok(Action::Emit(Subtoken::Text(Text::new(&text))))
            }
            _ => match grammar.production_named(text) {
                Some(id) => Ok(Action::Apply(Rule::Production(id))),
                None => Err(ParseError::at(
                    0,
                    format!("the grammar has no production `{text}`"),
                )),
            },
        }
    }
}
