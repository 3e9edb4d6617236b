//! An example as the network sees it: rows of tables, and what is right at each step.

use std::sync::Arc;

use indexmap::IndexSet;
use patois_syntax::derivation::{self, Subtokens};
use patois_syntax::{
    Action, ExtendedGrammar, Grammar, IdiomExpansion, Label, Language, MarkedTree, NodeId, Rule,
    Step, Subtoken, SymbolId,
};

use crate::config::ModelConfig;
use crate::following::Following;
use crate::lexicon::{Actions, Words};
use crate::matrix::Matrix;
use crate::pretrained::PieceSequences;
use crate::relations::Relations;
use crate::spec::{Copied, Origin, Spec};

pub use crate::layers::{Alternative, CopyOrigin, Derivations, EncodedCopy};

/// A specification as the network sees it.
#[derive(Clone, Debug)]
pub struct EncodedSpec {
    /// The rows of the words.
    pub words: Vec<u32>,
    /// The rows of the words of each column, its type first.
    pub columns: Vec<Vec<u32>>,
    /// The rows of the words of each table.
    pub tables: Vec<Vec<u32>>,
    /// How columns, tables and words are related.
    pub relations: Arc<Vec<u8>>,
    /// What can be copied.
    pub copies: Arc<Vec<EncodedCopy>>,
    /// What a pretrained encoder reads.
    pub pieces: Option<Arc<PieceSequences>>,
    /// What it makes of it, where it stays as it is.
    pub readings: Option<Readings>,
}

/// What a pretrained encoder makes of the columns, tables and words of a specification.
#[derive(Clone, Debug, PartialEq)]
pub struct Readings(Arc<Matrix>);

impl Readings {
    /// A row for each element.
    pub(crate) fn new(matrix: Matrix) -> Readings {
        Readings(Arc::new(matrix))
    }

    pub(crate) fn matrix(&self) -> &Matrix {
        &self.0
    }

    /// All numbers, element by element.
    pub fn to_bytes(&self) -> Vec<u8> {
        let values = self.0.values().iter();
        values.flat_map(|it| it.to_le_bytes()).collect()
    }

    /// The numbers of `n_elements` elements; none where they are not as many for each.
    pub fn from_bytes(bytes: &[u8], n_elements: usize) -> Option<Readings> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        let width = numbers.len().checked_div(n_elements)?;
        let is_whole = rest.is_empty() && width * n_elements == numbers.len();
        let values = numbers.iter().map(|&it| f32::from_le_bytes(it)).collect();
        is_whole.then(|| Readings::new(Matrix::new(n_elements, width, values)))
    }
}

impl EncodedSpec {
    /// Looks up the words of a specification.
    pub fn new(spec: &Spec, words: &Words, config: &ModelConfig) -> EncodedSpec {
        let rows = |texts: &[String]| texts.iter().map(|it| words.row(it)).collect::<Vec<u32>>();
        let named = |texts: &[String]| match rows(texts) {
            rows if rows.is_empty() => vec![Words::UNKNOWN],
            rows => rows,
        };
        let context = spec.context.as_deref();
        let columns = context.map_or(&[][..], |it| &it.columns);
        let tables = context.map_or(&[][..], |it| &it.tables);
        EncodedSpec {
            pieces: words.sequences(spec).map(Arc::new),
            readings: None,
            words: rows(&spec.words),
            columns: columns
                .iter()
                .map(|column| [vec![words.row(&column.kind)], rows(&column.words)].concat())
                .collect(),
            tables: tables.iter().map(|table| named(table)).collect(),
            relations: Arc::new(match context {
                Some(_) => Relations::of(spec, config.relations.linking)
                    .types()
                    .to_vec(),
                None => Vec::new(),
            }),
            copies: Arc::new(spec.copies.iter().map(copy).collect()),
        }
    }

    /// How many elements the decoder attends to: columns, tables, words.
    pub fn n_elements(&self) -> usize {
        self.n_items() + self.words.len()
    }

    /// How many of them can be pointed at.
    pub fn n_items(&self) -> usize {
        self.columns.len() + self.tables.len()
    }

    /// The elements that a reference of the given symbol may point at.
    pub fn items(&self, grammar: &Grammar, symbol: SymbolId) -> std::ops::Range<usize> {
        if grammar.symbol_type(symbol) == "table" {
            self.columns.len()..self.n_items()
        } else {
            0..self.columns.len()
        }
    }

    /// An action at a symbol as it is fed to the network.
    pub fn fed(
        &self,
        actions: &Actions,
        grammar: &Grammar,
        symbol: SymbolId,
        action: Action,
    ) -> Fed {
        match action {
            Action::Point(item) => Fed::Element(self.items(grammar, symbol).start as u32 + item),
            action => Fed::Row(actions.row(action)),
        }
    }
}

fn copy(copied: &Copied) -> EncodedCopy {
    let is_run = copied.first != copied.last;
    EncodedCopy {
        first: copied.first,
        last: copied.last,
        origin: match copied.origin {
            Origin::Words(form) => CopyOrigin::Words(form.index(is_run) as u32),
            Origin::Value { column, matching } => CopyOrigin::Value {
                column,
                matching: matching.index(is_run) as u32,
            },
        },
    }
}

/// An action as it is fed to the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fed {
    /// A row of the table of actions.
    Row(u32),
    /// An element of the specification that was pointed at.
    Element(u32),
}

/// What is chosen at a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// A rule.
    Rule {
        /// The rules that may expand the symbol there, as columns.
        possible: Arc<[u32]>,
        /// Those that are right, as indices of `possible`: the original production, then idioms.
        accepted: Vec<u32>,
    },
    /// A subtoken of text.
    Text {
        /// Its column in the vocabulary.
        subtoken: Option<u32>,
        /// The copies that it is.
        copied: Vec<u32>,
    },
    /// An element of the specification.
    Item {
        /// Those that may be pointed at there.
        items: Arc<[u32]>,
        /// The index of the right one among them.
        target: usize,
    },
    /// A subtoken that can be neither generated nor copied: it is fed, but teaches nothing.
    Unreachable,
}

impl Choice {
    /// How many log-probabilities are asked for.
    pub fn n_asked(&self) -> usize {
        match self {
            Choice::Rule { accepted, .. } => accepted.len(),
            Choice::Text { .. } | Choice::Item { .. } => 1,
            Choice::Unreachable => 0,
        }
    }
}

/// A step of an example.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleStep {
    /// The action before.
    pub previous: Fed,
    /// The step that built the parent.
    pub parent: Option<u32>,
    /// The action of that step.
    pub parent_action: Fed,
    /// The symbol.
    pub symbol: u32,
    /// The hole that is filled, as a row of the table of holes.
    pub place: u32,
    /// What is chosen.
    pub choice: Choice,
}

/// A specification, the steps that build its program, and how they can be told as idioms.
#[derive(Clone, Debug)]
pub struct TrainingExample {
    /// Where the example comes from.
    pub id: String,
    /// The specification.
    pub spec: EncodedSpec,
    /// The steps of the original derivation, or of the shortest one where idioms are atomic.
    pub steps: Vec<ExampleStep>,
    /// All derivations over the log-probabilities that the steps ask for.
    pub derivations: Arc<Derivations>,
    /// How many steps take an action that the language did not think possible.
    pub n_surprises: usize,
}

/// Which of the actions that a step accepts count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// The original one.
    Original,
    /// All, equally.
    All,
}

/// What makes training examples of specifications and marked trees.
#[derive(Clone, Copy)]
pub struct ExampleEncoder<'a> {
    /// The grammar and the idioms.
    pub grammar: ExtendedGrammar<'a>,
    /// The words.
    pub words: &'a Words,
    /// The actions.
    pub actions: &'a Actions,
    /// The shape of the network that they are for.
    pub config: &'a ModelConfig,
}

impl ExampleEncoder<'_> {
    /// An example as the network sees it: at each step, what may follow there, and what is right.
    ///
    /// What is right counts as possible even where `language` thinks otherwise.
    pub fn encode(
        &self,
        id: String,
        spec: &Spec,
        marked: &MarkedTree<'_>,
        subtokens: &dyn Subtokens,
        language: &dyn Language,
    ) -> TrainingExample {
        let encoded = EncodedSpec::new(spec, self.words, self.config);
        let expansion = self.actions.expansion();
        let steps = match expansion {
            IdiomExpansion::Replayed => derivation::steps(&self.grammar, subtokens, marked.tree()),
            IdiomExpansion::Atomic => derivation::shortest_steps(&self.grammar, subtokens, marked),
        };
        let mut masks = Masks::new(language, &self.grammar, marked);
        let choices: Vec<Choice> = steps
            .iter()
            .map(|step| self.choice(step, spec, &encoded, &mut masks))
            .collect();
        let derivations = Arc::new(match expansion {
            IdiomExpansion::Replayed => derivations(marked, &steps, &choices),
            IdiomExpansion::Atomic => only_derivation(&choices),
        });
        let fed = |index: Option<usize>| match index {
            Some(index) => {
                let Step { symbol, action, .. } = steps[index];
                encoded.fed(self.actions, self.grammar.grammar(), symbol, action)
            }
            None => Fed::Row(Actions::NONE),
        };
        let step_of = |(index, (step, choice)): (usize, (&Step, Choice))| ExampleStep {
            previous: fed(index.checked_sub(1)),
            parent: step.parent.map(|it| it as u32),
            parent_action: fed(step.parent),
            symbol: step.symbol.index() as u32,
            place: self.actions.place_row(step.place),
            choice,
        };
        let steps = steps.iter().zip(choices).enumerate().map(step_of).collect();
        TrainingExample {
            id,
            spec: encoded,
            steps,
            derivations,
            n_surprises: masks.n_surprises,
        }
    }

    fn choice(
        &self,
        step: &Step,
        spec: &Spec,
        encoded: &EncodedSpec,
        masks: &mut Masks<'_>,
    ) -> Choice {
        match step.action {
            Action::Apply(rule) => self.rule_choice(step, rule, masks),
            Action::Emit(subtoken) => self.text_choice(subtoken, spec),
            Action::Point(item) => {
                let items = encoded.items(self.grammar.grammar(), step.symbol);
                let possible = masks.items(step, items.clone());
                let element = items.start as u32 + item;
                let target = possible.iter().position(|&it| it == element);
                Choice::Item {
                    target: target.expect("what is right is possible"),
                    items: possible,
                }
            }
        }
    }

    fn rule_choice(&self, step: &Step, rule: Rule, masks: &mut Masks<'_>) -> Choice {
        let accepted: Vec<u32> = match self.actions.expansion() {
            IdiomExpansion::Atomic => vec![self.actions.rule_column(rule)],
            IdiomExpansion::Replayed => {
                let accepted = masks.marked.accepted(step.node).map(|action| match action {
                    Action::Apply(rule) => self.actions.rule_column(rule),
                    _ => unreachable!("a node that applies a rule accepts rules"),
                });
                accepted.collect()
            }
        };
        let possible = masks.rules(step, self.actions, &accepted);
        let index = |column: u32| {
            let index = possible.iter().position(|&it| it == column);
            index.expect("an accepted rule is possible") as u32
        };
        Choice::Rule {
            accepted: accepted.into_iter().map(index).collect(),
            possible,
        }
    }

    fn text_choice(&self, subtoken: Subtoken, spec: &Spec) -> Choice {
        let is_copy = |index: &usize| matches!(subtoken, Subtoken::Text(text) if spec.copies[*index].text == text);
        let copied: Vec<u32> = (0..spec.copies.len())
            .filter(is_copy)
            .map(|index| index as u32)
            .collect();
        match self.actions.subtoken_column(subtoken) {
            None if copied.is_empty() => Choice::Unreachable,
            subtoken => Choice::Text { subtoken, copied },
        }
    }
}

impl TrainingExample {
    /// How many log-probabilities its steps ask for.
    pub fn n_choices(&self) -> usize {
        self.derivations.n_choices
    }

    /// The weights of the log-probabilities in an objective that is a sum of them: one for the
    /// original action of each step, or equal ones for all that it accepts, which is the paper's eq. 5
    /// (and a bound of eq. 3 by eq. 4).
    pub fn weights(&self, accepted: Accepted) -> Vec<f32> {
        let asked = self.steps.iter().map(|step| step.choice.n_asked());
        let of_step = |n_asked: usize| {
            (0..n_asked).map(move |index| match accepted {
                Accepted::Original => f32::from(u8::from(index == 0)),
                Accepted::All => 1.0 / n_asked as f32,
            })
        };
        asked.flat_map(of_step).collect()
    }

    /// The idioms that are accepted, each with the index of its log-probability.
    pub fn idioms(&self, actions: &Actions) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut start = 0;
        for step in &self.steps {
            if let Choice::Rule { possible, accepted } = &step.choice {
                for (offset, &index) in accepted.iter().enumerate() {
                    let idiom = actions.idiom_of(possible[index as usize] as usize);
                    found.extend(idiom.map(|it| (it, start + offset)));
                }
            }
            start += step.choice.n_asked();
        }
        found
    }
}

/// What may follow at the steps of a program.
struct Masks<'a> {
    following: Following,
    grammar: ExtendedGrammar<'a>,
    marked: &'a MarkedTree<'a>,
    labels: Vec<Label>,
    /// The same few masks come again and again.
    seen: IndexSet<Arc<[u32]>>,
    n_surprises: usize,
}

impl<'a> Masks<'a> {
    fn new(
        language: &dyn Language,
        grammar: &ExtendedGrammar<'a>,
        marked: &'a MarkedTree<'a>,
    ) -> Masks<'a> {
        let tree = marked.tree();
        Masks {
            following: Following::new(language, grammar.grammar()),
            grammar: *grammar,
            marked,
            labels: (0..tree.n_nodes())
                .map(|it| tree.label(NodeId::new(it)))
                .collect(),
            seen: IndexSet::new(),
            n_surprises: 0,
        }
    }

    /// The rules that may follow, as columns; those that are accepted, the first of which is right, are among them.
    fn rules(&mut self, step: &Step, actions: &Actions, accepted: &[u32]) -> Arc<[u32]> {
        self.following.follow(&self.labels[..step.node.index()]);
        let all = actions.possible(step.symbol);
        let Some(possible) = self.following.rules(&self.grammar, step.symbol) else {
            return Arc::clone(all);
        };
        let possible = possible.iter().map(|&it| actions.rule_column(it));
        let mut possible: Vec<u32> = possible.collect();
        self.n_surprises += usize::from(!possible.contains(&accepted[0]));
        if accepted.iter().any(|it| !possible.contains(it)) {
            let is_kept = |it: &u32| possible.contains(it) || accepted.contains(it);
            possible = all.iter().copied().filter(is_kept).collect();
        }
        self.share(possible)
    }

    /// The elements that may be pointed at; the right one is among them.
    fn items(&mut self, step: &Step, items: std::ops::Range<usize>) -> Arc<[u32]> {
        self.following.follow(&self.labels[..step.node.index()]);
        let start = items.start as u32;
        let Some(mut possible) = self.following.items(items.len()) else {
            return self.share(items.map(|it| it as u32).collect());
        };
        if let Action::Point(right) = step.action
            && let Err(place) = possible.binary_search(&right)
        {
            possible.insert(place, right);
            self.n_surprises += 1;
        }
        self.share(possible.into_iter().map(|it| start + it).collect())
    }

    fn share(&mut self, mask: Vec<u32>) -> Arc<[u32]> {
        if let Some(same) = self.seen.get(&mask[..]) {
            return Arc::clone(same);
        }
        let mask: Arc<[u32]> = mask.into();
        self.seen.insert(Arc::clone(&mask));
        mask
    }
}

/// The derivation that makes the only choice of each step.
fn only_derivation(choices: &[Choice]) -> Derivations {
    let n_choices = choices.iter().map(Choice::n_asked).sum();
    let only = Alternative {
        choices: (0..n_choices as u32).collect(),
        nodes: Vec::new(),
    };
    Derivations {
        nodes: vec![vec![only]],
        n_choices,
    }
}

/// All derivations of a marked tree.
fn derivations(marked: &MarkedTree<'_>, steps: &[Step], choices: &[Choice]) -> Derivations {
    let tree = marked.tree();
    let n_nodes = tree.n_nodes();
    // A node comes after its descendants, so they are numbered from the last.
    let number = |node: NodeId| (n_nodes - 1 - node.index()) as u32;
    let mut asked: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n_nodes];
    let mut n_choices = 0;
    for (step, choice) in steps.iter().zip(choices) {
        let n_asked = choice.n_asked() as u32;
        asked[step.node.index()].push((n_choices, n_asked));
        n_choices += n_asked;
    }
    let alternatives = |node: NodeId| {
        let asked = &asked[node.index()];
        let first = asked.iter().filter(|(_, n_asked)| *n_asked > 0);
        let mut alternatives = vec![Alternative {
            choices: first.map(|&(start, _)| start).collect(),
            nodes: tree.children(node).map(number).collect(),
        }];
        if let (Label::Production(_), &[(start, _)]) = (tree.label(node), &asked[..]) {
            for (index, occurrence) in (1..).zip(marked.rooted_at(node)) {
                alternatives.push(Alternative {
                    choices: vec![start + index],
                    nodes: occurrence.bindings.iter().map(|it| number(it.1)).collect(),
                });
            }
        }
        alternatives
    };
    Derivations {
        nodes: (0..n_nodes)
            .rev()
            .map(|it| alternatives(NodeId::new(it)))
            .collect(),
        n_choices: n_choices as usize,
    }
}
