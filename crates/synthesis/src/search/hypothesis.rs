//! A partial tree in a beam, with what the network remembers of it.

use std::sync::Arc;

use patois_syntax::{
    Action, ExtendedGrammar, IdiomExpansion, Language, Next, NodeId, PartialTree, Place, Rule,
    Subtoken, Subtokens, SymbolId,
};

use super::{Followed, Found};
use crate::following::Following;
use crate::lexicon::Actions;
use crate::model::{Encodings, Model, States, StepInput};
use crate::training_example::{EncodedSpec, Fed};

/// An action that can be carried out, and the logarithm of its probability.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choosable {
    pub(super) action: Action,
    pub(super) ln_p: f64,
    is_forced: bool,
}

impl Choosable {
    pub(super) fn new(action: Action, ln_p: f32) -> Choosable {
        Choosable {
            action,
            ln_p: f64::from(ln_p),
            is_forced: false,
        }
    }

    pub(super) fn forced(action: Action) -> Choosable {
        Choosable {
            action,
            ln_p: 0.0,
            is_forced: true,
        }
    }
}

/// A choice that was made on the way to a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TraceStep {
    /// The node that was being built.
    pub node: NodeId,
    /// What was chosen: a rule, an idiom, a subtoken of text, an item.
    pub action: Action,
    /// The logarithm of its probability.
    pub ln_p: f64,
}

/// Where the next step of a derivation is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub(super) symbol: SymbolId,
    pub(super) place: Option<Place>,
    /// The step that built the parent.
    pub(super) parent: Option<usize>,
}

/// A partial tree in a beam.
#[derive(Clone)]
pub(super) struct Hypothesis<'a> {
    partial: PartialTree<'a>,
    pub(super) ln_p: f64,
    /// The state of each step that the network has taken.
    states: Vec<Arc<States>>,
    /// The action of each step.
    actions: Vec<Fed>,
    /// How many subtokens the text that is being emitted has.
    n_subtokens: usize,
    trace: Vec<TraceStep>,
    following: Following,
    is_possible: bool,
}

impl<'a> Hypothesis<'a> {
    /// Nothing is built.
    pub(super) fn new(
        grammar: ExtendedGrammar<'a>,
        subtokens: &'a dyn Subtokens,
        language: &dyn Language,
        expansion: IdiomExpansion,
    ) -> Hypothesis<'a> {
        let root = grammar.grammar().root();
        let mut hypothesis = Hypothesis {
            partial: PartialTree::new(grammar, subtokens, root).expansion(expansion),
            ln_p: 0.0,
            states: Vec::new(),
            actions: Vec::new(),
            n_subtokens: 0,
            trace: Vec::new(),
            following: Following::new(language, grammar.grammar()),
            is_possible: true,
        };
        hypothesis.follow();
        hypothesis
    }

    /// Builds what leaves no choice, and sees whether it may stand there.
    fn follow(&mut self) {
        self.partial.next();
        self.is_possible &= self.following.follow(self.partial.labels());
    }

    pub(super) fn next(&mut self) -> Next {
        self.partial.next()
    }

    /// Where the next step is.
    pub(super) fn position(&mut self) -> Position {
        Position {
            symbol: self.partial.symbol().expect("something is missing"),
            place: self.partial.place(),
            parent: self.partial.parent_step(),
        }
    }

    /// What the network needs for the next step.
    pub(super) fn input<'s>(
        &'s self,
        encoding: &'s Encodings,
        actions: &Actions,
        position: Position,
    ) -> StepInput<'s, Encodings, States> {
        let none = Fed::Row(Actions::NONE);
        let parent = position.parent;
        StepInput {
            encoding,
            previous: self.actions.last().copied().unwrap_or(none),
            parent_action: parent.map_or(none, |it| self.actions[it]),
            symbol: position.symbol.index(),
            place: actions.place_row(position.place) as usize,
            before: self.states.last().map(AsRef::as_ref),
            parent: parent.map(|it| &*self.states[it]),
        }
    }

    pub(super) fn push_state(&mut self, state: Arc<States>) {
        self.states.push(state);
    }

    /// The state of the step that is being taken.
    pub(super) fn state(&self) -> &States {
        self.states.last().expect("the network took the step")
    }

    /// The subtokens so far of the text that is being emitted.
    pub(super) fn text(&self) -> &str {
        self.partial.text()
    }

    /// What may follow.
    pub(super) fn following(&self) -> &Following {
        &self.following
    }

    /// Whether all that is built may stand where it does: what an idiom prescribes after its holes may not.
    pub(super) fn is_possible(&self) -> bool {
        self.is_possible
    }

    pub(super) fn n_subtokens(&self) -> usize {
        self.n_subtokens
    }

    /// Carries out an action; after an idiom that is replayed, also the first action of its
    /// body, which belongs to the same step.
    pub(super) fn take(
        &mut self,
        choosable: &Choosable,
        spec: &EncodedSpec,
        model: &Model,
        grammar: &ExtendedGrammar<'_>,
    ) {
        if !choosable.is_forced {
            self.ln_p += choosable.ln_p;
            self.trace.push(TraceStep {
                node: self.partial.node(),
                action: choosable.action,
                ln_p: choosable.ln_p,
            });
        }
        let mut action = choosable.action;
        let is_replayed = model.actions.expansion() == IdiomExpansion::Replayed;
        if let (Action::Apply(Rule::Idiom(_)), true) = (action, is_replayed) {
            self.apply(action);
            let Next::Forced(first) = self.partial.next() else {
                unreachable!("the root of an idiom's body is fixed")
            };
            action = first;
        }
        let symbol = self.position().symbol;
        self.apply(action);
        self.follow();
        self.n_subtokens = match action {
            Action::Emit(Subtoken::Text(_)) => self.n_subtokens + 1,
            _ => 0,
        };
        self.actions
            .push(spec.fed(&model.actions, grammar.grammar(), symbol, action));
    }

    fn apply(&mut self, action: Action) {
        self.partial
            .apply(&action)
            .expect("the partial tree asked for it");
    }

    /// Whether the same nodes are built.
    pub(super) fn has_built_same(&self, other: &Hypothesis<'_>) -> bool {
        self.partial.labels() == other.partial.labels()
    }

    /// Whether whatever can follow here can follow there, with the same probabilities.
    pub(super) fn is_same(&self, other: &Hypothesis<'_>) -> bool {
        self.partial.is_same(&other.partial) && self.actions == other.actions
    }

    /// Adds the probability of another way to get here.
    pub(super) fn merge(&mut self, other: &Hypothesis<'_>) {
        let (high, low) = (self.ln_p.max(other.ln_p), self.ln_p.min(other.ln_p));
        self.ln_p = high + (low - high).exp().ln_1p();
    }

    /// Where the choices so far led.
    pub(super) fn into_followed(self) -> Followed {
        Followed {
            ln_p: self.ln_p,
            state: self.state().clone(),
            tree: self.partial.finish(),
        }
    }

    /// The finished program.
    pub(super) fn finish(self) -> Option<Found> {
        Some(Found {
            ln_p: self.ln_p,
            trace: self.trace,
            tree: self.partial.finish()?,
        })
    }
}
