//! A tree under construction, and what may come next.
//!
//! [`PartialTree`] is the only place that knows how idioms are expanded. Whoever builds trees asks for the
//! [`Next`] action and carries it out: inside an idiom, and where a hole occurs a second time, the
//! next action is *forced*; elsewhere it is to be *chosen*. The loop of a decoder is therefore
//! *forced: feed it to the network; choice: score, pick, feed; done: stop*, with or without idioms.
//! A tree with [atomic](IdiomExpansion::Atomic) idioms forces nothing: what an idiom prescribes is
//! built on the way to the next choice.

use crate::derivation::text_subtokens;
use crate::ids::{IdiomId, NodeId};
use crate::tree::TreeBuilder;
use crate::{
    Action, ExtendedGrammar, Fragment, FragmentNode, Grammar, IdiomExpansion, Label, Place, Rule,
    Subtoken, Subtokens, SymbolId, SymbolKind, Text, Tree,
};

/// A tree that is being built from left to right, top down.
///
/// ```
/// use patois_syntax::{
///     Action, ExtendedGrammar, Fragment, Grammar, Idiom, IdiomLibrary, Next, PartialTree, Schema,
/// };
///
/// let schema = Schema::parse(
///     "module M { expr = Add(expr left, expr right) | Name(name id) name = text }",
/// )?;
/// let grammar = Grammar::from_schema(&schema);
/// let twice = Fragment::parse(&grammar, "(Add ?x ?x)")?;
/// let idiom = Idiom { fragment: twice, coverage: 1, score: 0.0 };
/// let library = IdiomLibrary::new(&grammar, vec![idiom]);
/// let extended = ExtendedGrammar::new(&grammar, &library)?;
///
/// let whole: fn(&str) -> Vec<&str> = |text| vec![text];
/// let mut partial = PartialTree::new(extended, &whole, grammar.root());
/// let mut script = ["#0", "expr.Name", "\"n\"", "$"].into_iter();
/// let tree = loop {
///     let action = match partial.next() {
///         Next::Choose(_) => Action::parse(&grammar, script.next().unwrap())?,
///         Next::Forced(action) => action,
///         Next::Done => break partial.finish().unwrap(),
///     };
///     partial.apply(&action)?;
/// };
/// assert_eq!(tree.display(&grammar).to_string(), r#"(Add (Name "n") (Name "n"))"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PartialTree<'a> {
    grammar: ExtendedGrammar<'a>,
    subtokens: &'a dyn Subtokens,
    expansion: IdiomExpansion,
    labels: Vec<Label>,
    symbols: Vec<SymbolId>,
    /// What is still to be built, next on top.
    pending: Vec<Pending>,
    /// The idioms that were applied, with where their holes were filled.
    applied: Vec<AppliedIdiom>,
    /// The text that is being emitted, subtoken by subtoken.
    text: String,
    /// The subtokens that a prescribed text still needs, last first; empty where a text is free.
    prescribed: Vec<Subtoken>,
    n_steps: usize,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Something must be chosen for the symbol.
    Choose(SymbolId),
    /// Only this action is possible.
    Forced(Action),
    /// The tree is complete.
    Done,
}

/// Why an action cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The tree is complete.
    #[error("the tree is complete: no action can follow")]
    Done,
    /// Another action is forced.
    #[error("expected the forced action {expected}, found {found}")]
    Forced {
        /// The forced action.
        expected: String,
        /// The other one.
        found: String,
    },
    /// The action cannot expand the symbol.
    #[error("expected an action for {expected}, found {found}")]
    Misplaced {
        /// The symbol.
        expected: String,
        /// The action.
        found: String,
    },
}

/// A part of the tree that is still to be built.
#[derive(Clone, Copy, Debug)]
struct Pending {
    symbol: SymbolId,
    /// The step that built the nearest ancestor which had a choice.
    parent: Option<usize>,
    /// The hole that it fills, where idioms are atomic.
    place: Option<Place>,
    content: Content,
}

#[derive(Clone, Copy, Debug)]
enum Content {
    /// Anything the grammar allows.
    Free,
    /// A node of the body of an idiom that was applied.
    Body { applied: usize, node: NodeId },
    /// The same as an earlier subtree, which begins at this node.
    Copy(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct AppliedIdiom {
    idiom: IdiomId,
    /// Where the subtree for each hole begins, for the holes that were reached.
    holes: Vec<usize>,
}

impl<'a> PartialTree<'a> {
    /// A tree for `root`, of which nothing is built yet.
    pub fn new(
        grammar: ExtendedGrammar<'a>,
        subtokens: &'a dyn Subtokens,
        root: SymbolId,
    ) -> PartialTree<'a> {
        PartialTree {
            grammar,
            subtokens,
            expansion: IdiomExpansion::Replayed,
            labels: Vec::new(),
            symbols: Vec::new(),
            pending: vec![Pending {
                symbol: root,
                parent: None,
                place: None,
                content: Content::Free,
            }],
            applied: Vec::new(),
            text: String::new(),
            prescribed: Vec::new(),
            n_steps: 0,
        }
    }

    /// The same tree, with idioms expanded in another way from now on.
    #[must_use]
    pub fn expansion(mut self, expansion: IdiomExpansion) -> PartialTree<'a> {
        self.expansion = expansion;
        self
    }

    /// What comes next; expands what leaves no choice on the way there.
    #[expect(
        clippy::should_implement_trait,
        reason = "it has no items: asking again changes nothing"
    )]
    pub fn next(&mut self) -> Next {
        loop {
            let Some(&top) = self.pending.last() else {
                return Next::Done;
            };
            if let Some(&subtoken) = self.prescribed.last() {
                return Next::Forced(Action::Emit(subtoken));
            }
            let Some(label) = self.resolve(top) else {
                match self.only_production(top.symbol) {
                    Some(label) => self.expand(label),
                    None => return Next::Choose(top.symbol),
                }
                continue;
            };
            match label {
                label if self.expansion == IdiomExpansion::Atomic => self.expand(label),
                Label::Production(id) if self.grammar.is_choice(top.symbol) => {
                    return Next::Forced(Action::Apply(Rule::Production(id)));
                }
                Label::Production(_) => self.expand(label),
                Label::Reference(index) => return Next::Forced(Action::Point(index)),
                Label::Text(text) => {
                    self.prescribed.extend(text_subtokens(self.subtokens, text));
                    self.prescribed.reverse();
                }
            }
        }
    }

    /// Carries out an action.
    ///
    /// # Errors
    ///
    /// When it is not possible here; the tree stays as it was.
    pub fn apply(&mut self, action: &Action) -> Result<(), ActionError> {
        let expected = match self.next() {
            Next::Done => return Err(ActionError::Done),
            Next::Forced(forced) if forced != *action => {
                return Err(ActionError::Forced {
                    expected: self.describe(forced),
                    found: self.describe(*action),
                });
            }
            Next::Forced(_) => None,
            Next::Choose(symbol) => Some(symbol),
        };
        if let Some(symbol) = expected
            && !self.fits(symbol, *action)
        {
            return Err(ActionError::Misplaced {
                expected: self.grammar.grammar().symbol_name(symbol),
                found: self.describe(*action),
            });
        }
        self.carry_out(*action);
        Ok(())
    }

    /// The finished tree; none while something is missing.
    pub fn finish(mut self) -> Option<Tree> {
        if self.next() != Next::Done {
            return None;
        }
        let mut builder = TreeBuilder::with_capacity(self.labels.len());
        for (&label, &symbol) in self.labels.iter().zip(&self.symbols) {
            builder.push(label, symbol);
        }
        Some(builder.finish(self.grammar.grammar()))
    }

    /// The grammar, without idioms.
    pub fn grammar(&self) -> &'a Grammar {
        self.grammar.grammar()
    }

    /// The labels of the nodes that are built, in preorder: a prefix of the finished tree's.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The subtokens so far of a text that is being emitted.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The node that is being built.
    pub fn node(&self) -> NodeId {
        NodeId::new(self.labels.len())
    }

    /// How many actions were applied; one that applies an idiom does not count, its body does.
    ///
    /// This is the number of steps of the derivation without idioms that has come as far. Where idioms
    /// are atomic, they count and their bodies do not.
    pub fn n_steps(&self) -> usize {
        self.n_steps
    }

    /// The step that built the nearest ancestor of the next node which had a choice.
    pub fn parent_step(&mut self) -> Option<usize> {
        self.next();
        self.pending.last()?.parent
    }

    /// The hole that the next node fills, alone or with its siblings; see [`Step::place`](crate::Step).
    pub fn place(&mut self) -> Option<Place> {
        self.next();
        self.pending.last()?.place
    }

    /// The symbol of the next node; none when the tree is complete.
    pub fn symbol(&mut self) -> Option<SymbolId> {
        self.next();
        Some(self.pending.last()?.symbol)
    }

    /// Whether whatever can follow here can follow there: the same is built, by whichever rules, and
    /// the same is prescribed for what is missing.
    pub fn is_same(&self, other: &PartialTree<'_>) -> bool {
        let is_same = |(own, others): (&Pending, &Pending)| {
            (own.symbol, own.parent, own.place) == (others.symbol, others.parent, others.place)
                && match (own.content, others.content) {
                    (Content::Free, Content::Free) => true,
                    (Content::Copy(own), Content::Copy(others)) => own == others,
                    (
                        Content::Body { applied, node },
                        Content::Body {
                            applied: others_applied,
                            node: others_node,
                        },
                    ) => {
                        let others = &other.applied[others_applied];
                        node == others_node && self.applied[applied] == *others
                    }
                    _ => false,
                }
        };
        self.labels == other.labels
            && self.text == other.text
            && self.prescribed == other.prescribed
            && self.pending.len() == other.pending.len()
            && self.pending.iter().zip(&other.pending).all(is_same)
    }

    /// What is prescribed for a pending part, if anything. A hole that is met turns into a free part
    /// or into a copy.
    fn resolve(&mut self, top: Pending) -> Option<Label> {
        let place;
        let content = match top.content {
            Content::Free => return None,
            Content::Copy(node) => return Some(self.labels[node]),
            Content::Body { applied, node } => match self.body(applied).node(node) {
                FragmentNode::Fixed(label) => return Some(label),
                FragmentNode::Hole(hole) => {
                    let idiom = self.applied[applied].idiom;
                    place =
                        (self.expansion == IdiomExpansion::Atomic).then_some(Place { idiom, hole });
                    let next_node = self.labels.len();
                    let holes = &mut self.applied[applied].holes;
                    if let Some(&first) = holes.get(hole.index()) {
                        Content::Copy(first)
                    } else {
                        holes.push(next_node);
                        Content::Free
                    }
                }
            },
        };
        let top = self
            .pending
            .last_mut()
            .expect("the part that is being resolved");
        top.content = content;
        top.place = place;
        match content {
            Content::Copy(node) => Some(self.labels[node]),
            _ => None,
        }
    }

    fn body(&self, applied: usize) -> &'a Fragment {
        &self
            .grammar
            .library()
            .get(self.applied[applied].idiom)
            .fragment
    }

    /// The only way to expand a symbol, if there is just one.
    fn only_production(&self, symbol: SymbolId) -> Option<Label> {
        if self.grammar.is_choice(symbol) {
            return None;
        }
        self.grammar
            .grammar()
            .expansions(symbol)
            .first()
            .map(|&id| Label::Production(id))
    }

    fn fits(&self, symbol: SymbolId, action: Action) -> bool {
        let grammar = self.grammar.grammar();
        match action {
            Action::Apply(Rule::Production(id)) => Label::Production(id).fits(grammar, symbol),
            Action::Apply(Rule::Idiom(id)) => {
                self.grammar.library().rooted_at(symbol).contains(&id)
            }
            Action::Emit(_) => grammar.symbol_kind(symbol) == SymbolKind::Text,
            Action::Point(_) => grammar.symbol_kind(symbol) == SymbolKind::Reference,
        }
    }

    fn carry_out(&mut self, action: Action) {
        match action {
            Action::Apply(Rule::Idiom(idiom)) => {
                // The root of the body stands where the choice was; its own step is yet to come.
                let applied = self.applied.len();
                self.applied.push(AppliedIdiom {
                    idiom,
                    holes: Vec::new(),
                });
                let top = self
                    .pending
                    .last_mut()
                    .expect("the part that the idiom expands");
                top.content = Content::Body {
                    applied,
                    node: NodeId::new(0),
                };
                if self.expansion == IdiomExpansion::Replayed {
                    return;
                }
                top.parent = Some(self.n_steps);
            }
            Action::Apply(Rule::Production(id)) => self.expand(Label::Production(id)),
            Action::Point(index) => self.expand(Label::Reference(index)),
            Action::Emit(subtoken) => {
                self.prescribed.pop();
                match subtoken {
                    Subtoken::Text(subtoken) => self.text.push_str(subtoken.as_str()),
                    Subtoken::End => {
                        let text = Text::new(&std::mem::take(&mut self.text));
                        self.expand(Label::Text(text));
                    }
                }
            }
        }
        self.n_steps += 1;
    }

    /// Puts a node in the place of the next part, and its children before the rest.
    fn expand(&mut self, label: Label) {
        let top = self.pending.pop().expect("the part that is being expanded");
        self.labels.push(label);
        self.symbols.push(top.symbol);
        let Label::Production(id) = label else { return };
        let is_free = matches!(top.content, Content::Free);
        let has_step = is_free || self.expansion == IdiomExpansion::Replayed;
        // The step for this node, if it has one, is counted once it is carried out.
        let (parent, place) = if has_step && self.grammar.is_choice(top.symbol) {
            (Some(self.n_steps), None)
        } else {
            (top.parent, top.place)
        };
        let rhs = &self.grammar.grammar().production(id).rhs;
        let start = self.pending.len();
        match top.content {
            Content::Free => {
                self.pending.extend(rhs.iter().map(|&symbol| Pending {
                    symbol,
                    parent,
                    place,
                    content: Content::Free,
                }));
            }
            Content::Body { applied, node } => {
                let children = self.body(applied).children(node);
                self.pending
                    .extend(children.zip(rhs).map(|(node, &symbol)| Pending {
                        symbol,
                        parent,
                        place: None,
                        content: Content::Body { applied, node },
                    }));
            }
            Content::Copy(node) => {
                let mut child = node + 1;
                for &symbol in rhs {
                    self.pending.push(Pending {
                        symbol,
                        parent,
                        place: None,
                        content: Content::Copy(child),
                    });
                    child = self.subtree_end(child);
                }
            }
        }
        self.pending[start..].reverse();
    }

    /// One past the last node of the finished subtree at `node`.
    fn subtree_end(&self, mut node: usize) -> usize {
        let mut n_open = 1;
        while n_open > 0 {
            n_open += self.labels[node].children(self.grammar.grammar()).len();
            n_open -= 1;
            node += 1;
        }
        node
    }

    fn describe(&self, action: Action) -> String {
        match action {
            Action::Apply(Rule::Production(id))
                if id.index() >= self.grammar.grammar().n_productions() =>
            {
                format!("{id:?}")
            }
            action => action.display(self.grammar.grammar()).to_string(),
        }
    }
}

impl std::fmt::Debug for PartialTree<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartialTree")
            .field("labels", &self.labels)
            .field("pending", &self.pending)
            .field("text", &self.text)
            .finish_non_exhaustive()
    }
}
