//! What parts are to those who read them: arguments, values, and what is nothing to look at.

use patois_syntax::{Fragment, Label, NodeId};

use super::kinds::{LITERALS, is_item};
use super::{Aspect, Kind, Program, callee_name, callees};
use crate::check::rule::Rule;
use crate::check::tally::{Conventions, Place};

/// What calls are put into so that something happens later; whoever keeps the result instead may have forgotten it.
const LATER: &[&str] = &["await", "Await", "defer", "With"];
/// What hands on what a call returns.
const HANDING_ON: &[&str] = &["return", "Return", "arrow_function", "lambda", "Lambda"];
/// What is empty when it is called without arguments.
const CONTAINERS: &[&str] = &[
    "dict",
    "list",
    "set",
    "tuple",
    "str",
    "bytes",
    "frozenset",
    "object",
    "Map",
    "Set",
    "Array",
    "Object",
];
/// What hands on as many arguments as there are.
const SPREADING: &[&str] = &["spread", "splat", "variadic", "Unpack", "Starred"];
/// Values that are none.
const NULLS: &[&str] = &["null", "None", "nil", "undefined"];

impl Program<'_> {
    /// Whether what a place has instead is nothing to look at: a value that is computed, the object itself,
    /// another local name; the end of a row of equal calls; or, around a call, anything that uses what it returns.
    pub(in crate::check) fn is_nothing_new(
        &self,
        rule: &Rule,
        aspect: Aspect,
        place: Place,
        conventions: &Conventions,
    ) -> bool {
        let found = self.tree.label(place.part);
        let is_usually = |words: &[&str]| words.iter().any(|it| rule.usual.contains(it));
        match aspect {
            Aspect::Around | Aspect::Above => self.is_used(rule, found),
            // A row of calls of the same begins and ends somewhere.
            Aspect::Next | Aspect::Previous => {
                rule.usual.split(' ').next_back() == Some(self.called_name(place.root))
            }
            Aspect::Inside if rule.usual.starts_with('"') => {
                let usual: String = serde_json::from_str(&rule.usual).unwrap_or_default();
                let usual = Label::Text(usual.as_str().into());
                found == usual || (conventions.is_one(usual) && self.is_local(place.part))
            }
            Aspect::Inside => {
                // A raw string is a string.
                let is_string = is_usually(&["string"]) && self.is_named(place.part, &["string"]);
                let is_computed = is_usually(LITERALS) && !self.kinds.is_literal(found);
                is_string
                    || (is_computed && self.tree.subtree(place.part).len() > 1)
                    || self.is_self(place.part)
                    || (self.kinds.at(self.tree, place.part) == Some(Kind::End)
                        && self.is_complete(place))
            }
        }
    }

    /// Whether what a call returns is used as well as anybody could want, by what is around it.
    fn is_used(&self, rule: &Rule, around: Label) -> bool {
        let Label::Production(id) = around else {
            return true;
        };
        let name = self.grammar.constructor(id).map_or("", |it| it.name);
        let has = |text: &str, words: &[&str]| words.iter().any(|it| text.contains(it));
        // The same construct may be several productions.
        let is_same = rule
            .usual
            .starts_with(name.split(' ').next().unwrap_or_default());
        let is_kept = !has(&rule.usual, LATER) || has(name, HANDING_ON);
        is_same || (is_kept && !self.kinds.is_dropping(around))
    }

    /// Whether a call may lack what others have: it makes an empty container, names its arguments, or hands on those of others.
    fn is_complete(&self, place: Place) -> bool {
        let Some(call) = self.call_of(place.part) else {
            return false;
        };
        let first = self.arguments(call);
        let mut nodes = (first.index()..self.tree.end(call).index()).map(NodeId::new);
        let is_cell = |it: NodeId| self.kinds.at(self.tree, it) == Some(Kind::Cell);
        let is_empty = nodes.clone().all(|it| !is_cell(it));
        let names_others = self
            .tree
            .children(call)
            .any(|it| it > place.part && is_cell(it));
        let spreads =
            nodes.any(|it| self.is_named(it, SPREADING) && self.call_of(it) == Some(call));
        (is_empty && CONTAINERS.contains(&self.called_name(call))) || names_others || spreads
    }

    /// Whether what a construct is called has one of some words.
    fn is_named(&self, node: NodeId, words: &[&str]) -> bool {
        let Label::Production(id) = self.tree.label(node) else {
            return false;
        };
        let name = self.grammar.constructor(id).map_or("", |it| it.name);
        words.iter().any(|it| name.contains(it))
    }

    /// Whether a part is an argument of a call, and a context leaves open what is called.
    pub(in crate::check) fn calls_any(&self, context: &Fragment, place: Place) -> bool {
        let Some(call) = self.call_of(place.part) else {
            return false;
        };
        let callees = callees(self.grammar, self.tree, call);
        let mut names = callees.iter().rev().filter_map(|it| self.last_name(*it));
        let Some(name) = names.next() else {
            return true;
        };
        !context
            .own_nodes(self.tree, place.root)
            .any(|it| it == name)
    }

    /// Whether code is as it must be: types, imports, tokens of macros, and the head of a definition.
    pub(in crate::check) fn is_given(&self, part: NodeId) -> bool {
        let mut node = Some(part);
        let mut is_head = true;
        while let Some(at) = node {
            let kind = self.kinds.at(self.tree, at);
            if self.is_dull(at) || (is_head && self.kinds.is_definition(self.tree.label(at))) {
                return true;
            }
            is_head &= !matches!(kind, Some(Kind::Call | Kind::StatementCell));
            node = self.parents[at.index()];
        }
        false
    }

    /// The call that a part is an argument of, or could be.
    pub(in crate::check) fn call_of(&self, part: NodeId) -> Option<NodeId> {
        let mut above = self.construct_above(part);
        while let Some((node, _)) = above {
            if self.kinds.is_call(self.tree.label(node)) {
                return (part >= self.arguments(node)).then_some(node);
            }
            if !self.kinds.is_arguments(self.tree.label(node)) {
                return None;
            }
            above = self.construct_above(node);
        }
        None
    }

    /// Whether the first argument in a list is an object that is written down: options with names.
    pub(in crate::check) fn is_named_options(&self, list: NodeId) -> bool {
        self.tree
            .children(list)
            .next()
            .is_some_and(|it| self.is_named(it, &["object"]))
    }

    /// Whether a name is that of an option of a call.
    pub(in crate::check) fn names_option(&self, name: NodeId) -> bool {
        self.construct_above(name)
            .is_some_and(|it| self.is_named(it.0, &["keyword", "Keyword", "pair"]))
    }

    /// Whether what is called has more than its own name: whose it is.
    pub(in crate::check) fn is_method(&self, call: NodeId) -> bool {
        callee_name(self.grammar, self.tree, call).contains('.')
    }

    /// Whether what a call returns is thrown.
    pub(in crate::check) fn is_raised(&self, call: NodeId) -> bool {
        self.construct_above(call)
            .is_some_and(|it| self.is_named(it.0, &["Raise", "throw", "raise"]))
    }

    /// How many arguments a call has.
    pub(in crate::check) fn n_arguments(&self, call: NodeId) -> usize {
        let first = self.arguments(call);
        let nodes = (first.index()..self.tree.end(call).index()).map(NodeId::new);
        let is_argument = |it: &NodeId| match self.tree.label(*it) {
            Label::Production(id) => is_item(self.grammar, id),
            _ => false,
        };
        nodes
            .filter(|it| is_argument(it) && self.call_of(*it) == Some(call))
            .count()
    }

    /// Whether a call is of a method of the class above.
    pub(in crate::check) fn is_inherited(&self, call: NodeId) -> bool {
        callee_name(self.grammar, self.tree, call).starts_with("super.")
    }

    /// Whether a name is an argument, and another argument of the same call is the given name.
    pub(in crate::check) fn has_argument(&self, name: NodeId, other: &str) -> bool {
        let Some(argument) = self.parents[name.index()] else {
            return false;
        };
        let Some(call) = self.call_of(argument) else {
            return false;
        };
        let wanted = Label::Text(other.into());
        let nodes = (self.arguments(call).index()..self.tree.end(call).index()).map(NodeId::new);
        let mut names = nodes.filter(|it| *it != name && self.tree.label(*it) == wanted);
        names.any(|it| {
            let above = self.parents[it.index()];
            above.and_then(|it| self.call_of(it)) == Some(call)
        })
    }

    /// Whether a text is written down, and no name.
    pub(in crate::check) fn is_literal_text(&self, text: NodeId) -> bool {
        let above = self.construct_above(text);
        above.is_some_and(|it| self.kinds.is_literal(self.tree.label(it.0)))
    }

    /// Whether code is a literal.
    pub(in crate::check) fn is_written_down(&self, node: NodeId) -> bool {
        self.kinds.is_literal(self.tree.label(node))
    }

    /// Whether code is the value that is none.
    pub(in crate::check) fn is_null(&self, node: NodeId) -> bool {
        NULLS.contains(&self.only_word(node))
    }

    /// Whether code is the object that a method is of.
    fn is_self(&self, node: NodeId) -> bool {
        matches!(self.only_word(node), "self" | "this" | "cls" | "super")
    }

    /// The name that is all there is of some code, or what the construct without children is called.
    fn only_word(&self, node: NodeId) -> &str {
        match (self.tree.label(node), self.tree.subtree(node)) {
            (_, [_, Label::Text(text)]) => text.as_str(),
            (Label::Production(id), [_]) => self.grammar.constructor(id).map_or("", |it| it.name),
            _ => "",
        }
    }
}
