//! How likely a difference of each kind is a mistake, whatever the counts say.
//!
//! The surprise says how improbable a place is, not that it is wrong: whose attribute is read differs rightly nearly
//! always, and a call without its argument hardly ever. So each kind of difference has prior odds, in bits,
//! that are added to the surprise. They are rough, from findings that were judged one by one (`docs/check.md`): kinds of
//! which none was worth a look lose the most.

use patois_syntax::{Label, NodeId, Text};
use strsim::levenshtein;

use super::context::{Aspect, Program, callee_name};
use super::knowledge::Knowledge;
use super::rule::{Rule, is_nothing};
use super::tally::Place;

/// How a place differs from a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// An argument of a call is left out.
    Missing,
    /// A call has no arguments at all, where others pass some.
    Bare,
    /// An argument is left out that the code base's own definition can do without.
    Default,
    /// A call has an argument more.
    Superfluous,
    /// An error has an argument more, and nobody sees it.
    Lost,
    /// A call has an argument more than the function of that name takes.
    Refused,
    /// What is called takes any number of arguments, or so many.
    Variadic,
    /// An option of a call, an argument that has a name, is left out.
    NoOption,
    /// There is an option more.
    Option,
    /// Two arguments stand in each other's place, as far as names can tell.
    Swapped,
    /// An argument is missing, added or of another kind, and what is called may be another function.
    Called,
    /// The same, and what is called is of the class above.
    Inherited,
    /// An argument is nothing at all: `null`, `None`, `nil`.
    Null,
    /// An argument is written down where the others are not.
    Fixed,
    /// An argument is code of another kind.
    Argument,
    /// What a call returns is dropped.
    Dropped,
    /// A call is not waited for, or not cleaned up after.
    Unhandled,
    /// Another statement stands beside a call, or none.
    Neighbour,
    /// A name or text that differs from the usual one by a letter or two.
    Misspelt,
    /// Another text that is written down.
    Literal,
    /// Another number.
    Number,
    /// Another name: of an object, an attribute, a function.
    Name,
    /// Something is left out that is no argument.
    LeftOut,
    /// There is something where the others have nothing.
    Added,
    /// There is code of another kind.
    Kind,
}

impl Change {
    /// The prior odds that it is a mistake, in bits, against a kind of which one in ten is.
    pub(super) fn prior(self) -> f64 {
        match self {
            // Nine of eleven that were judged were worth a look: a message that is never put together.
            Change::Lost => 2.0,
            // Half of some thirty.
            Change::Missing | Change::Refused => 1.5,
            // Half of nine; what may be misspelt is rare.
            Change::Dropped | Change::Misspelt => 0.0,
            Change::Swapped | Change::Null => -1.0,
            // Two of fifteen.
            Change::NoOption => -2.5,
            // One of seven.
            Change::Unhandled => -3.0,
            // One of a dozen, and none of a dozen.
            Change::Literal | Change::Number => -3.5,
            Change::Neighbour | Change::Fixed => -4.0,
            // Anything can be computed; tuples of one and the like; whoever names an option means it, and whoever calls what
            // can do without arguments.
            Change::Argument
            | Change::LeftOut
            | Change::Option
            | Change::Inherited
            | Change::Bare
            | Change::Default => -5.5,
            // None of thirty: other objects, attributes and functions are meant, and other forms of functions that have several.
            Change::Kind
            | Change::Added
            | Change::Name
            | Change::Called
            | Change::Superfluous
            | Change::Variadic => -8.0,
        }
    }

    /// The same in an idiom that somebody has mined: its names belong to it, and who gives it wants to hear of all that
    /// is nearly one.
    pub(super) fn prior_in_idiom(self) -> f64 {
        match self {
            Change::Missing
            | Change::Bare
            | Change::Default
            | Change::Lost
            | Change::Refused
            | Change::Swapped => self.prior().max(Change::Missing.prior()),
            Change::Name
            | Change::Literal
            | Change::Number
            | Change::Null
            | Change::NoOption
            | Change::Misspelt => 0.0,
            Change::Fixed => FIXED_IN_IDIOM,
            _ => self.prior().max(OTHER_IN_IDIOM),
        }
    }
}

/// What a value that is written down loses in an idiom where others ask for it, in bits.
const FIXED_IN_IDIOM: f64 = -1.5;
/// What code of another kind loses in an idiom at most, in bits.
const OTHER_IN_IDIOM: f64 = -4.5;

/// How many letters of a name may be others if it is to be the same name, misspelt.
const MAX_SLIPS: usize = 2;
/// Names must be so long to be misspelt.
const MIN_LETTERS: usize = 5;

impl Program<'_> {
    /// How a place differs from a rule.
    pub(super) fn change(
        &self,
        rule: &Rule,
        aspect: Aspect,
        place: Place,
        known: &Knowledge<'_>,
    ) -> Change {
        match aspect {
            Aspect::Around | Aspect::Above => {
                let is_dropped = self.kinds.is_dropping(self.tree.label(place.part));
                return if is_dropped {
                    Change::Dropped
                } else {
                    Change::Unhandled
                };
            }
            Aspect::Next | Aspect::Previous => return Change::Neighbour,
            Aspect::Inside => {}
        }
        let call = self.call_of(place.part);
        let list = self.grammar.symbol_type(self.tree.symbol(place.part));
        let is_option = list.contains("keyword");
        let is_inherited = call.is_some_and(|it| self.is_inherited(it));
        let either = |argument, other| match call {
            Some(_) if rule.calls_any => Change::Called,
            Some(_) if is_inherited => Change::Inherited,
            Some(_) => argument,
            None => other,
        };
        match self.tree.label(place.part) {
            _ if rule.wanted.is_empty() && is_option => either(Change::Option, Change::Added),
            _ if rule.wanted.is_empty() => {
                let superfluous = call.map(|it| self.change_of_superfluous(it, place, known));
                either(superfluous.unwrap_or(Change::Superfluous), Change::Added)
            }
            Label::Production(id) if is_nothing(self.grammar, id) && is_option => {
                either(Change::NoOption, Change::LeftOut)
            }
            Label::Production(id) if is_nothing(self.grammar, id) => {
                let missing = call.map(|it| self.change_of_missing(it, known));
                either(missing.unwrap_or(Change::Missing), Change::LeftOut)
            }
            Label::Text(text) => self.change_of_text(rule, place, text, known),
            _ if self.is_null(place.part) => either(Change::Null, Change::Kind),
            _ if self.is_written_down(place.part) => either(Change::Fixed, Change::Kind),
            _ => either(Change::Argument, Change::Kind),
        }
    }

    /// How surprising a place that is not as usual is, in bits.
    pub(super) fn surprise(
        &self,
        rule: &Rule,
        aspect: Aspect,
        place: Place,
        known: &Knowledge<'_>,
    ) -> f64 {
        let callee = if rule.callees.is_empty() {
            String::new()
        } else {
            callee_name(self.grammar, self.tree, place.root)
        };
        rule.surprise(&callee, self.change(rule, aspect, place, known))
    }

    /// How a call differs that lacks an argument.
    fn change_of_missing(&self, call: NodeId, known: &Knowledge<'_>) -> Change {
        let n_arguments = self.n_arguments(call);
        let name = self.called_name(call);
        match known.definitions.needs_no_more(name, n_arguments) {
            Some(true) => Change::Default,
            _ if n_arguments == 0 => Change::Bare,
            // It would not run: what is called is something else of that name.
            Some(false) if known.are_arguments_checked && self.is_method(call) => Change::Called,
            _ => Change::Missing,
        }
    }

    /// How a call differs that has an argument more.
    fn change_of_superfluous(&self, call: NodeId, place: Place, known: &Knowledge<'_>) -> Change {
        let n_arguments = self.n_arguments(call);
        match known.definitions.takes(self.called_name(call), n_arguments) {
            Some(true) => Change::Variadic,
            // A function that takes any number, or it would not compile.
            _ if known.is_compiled => Change::Variadic,
            _ if self.is_named_options(place.part) => Change::Option,
            // Errors take whatever they are given.
            None if n_arguments > 1 && self.is_raised(call) => Change::Lost,
            Some(false) if !self.is_method(call) => Change::Refused,
            Some(false) => Change::Called,
            None => Change::Superfluous,
        }
    }

    fn change_of_text(
        &self,
        rule: &Rule,
        place: Place,
        text: Text,
        known: &Knowledge<'_>,
    ) -> Change {
        let usual: String = serde_json::from_str(&rule.usual).unwrap_or_default();
        let found = text.as_str();
        if found.starts_with(|it: char| it.is_ascii_digit()) {
            Change::Number
        } else if self.has_argument(place.part, &usual) && !self.names_option(place.part) {
            Change::Swapped
        } else if is_misspelt(&usual, found) && known.n_written(text) == 1 {
            Change::Misspelt
        } else if self.is_literal_text(place.part) {
            Change::Literal
        } else {
            Change::Name
        }
    }
}

/// Whether a text is another one but for a letter or two.
fn is_misspelt(usual: &str, found: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|it| it.is_alphabetic()).count();
    // Another number in a name makes another name.
    let word = |text: &str| {
        text.replace(|it: char| it.is_ascii_digit(), "")
            .to_lowercase()
    };
    let is_long = letters(usual) >= MIN_LETTERS && letters(found) >= MIN_LETTERS;
    is_long && word(usual) != word(found) && levenshtein(usual, found) <= MAX_SLIPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_and_other_cases_are_not_misspelt() {
        assert!(is_misspelt("strict", "strickt"));
        assert!(!is_misspelt("write_u16", "write_u32"));
        assert!(!is_misspelt("db", "id"));
        assert!(!is_misspelt("Strict", "strict"));
        assert!(!is_misspelt("connection", "features"));
    }

    #[test]
    fn arguments_that_are_missing_come_before_other_names() {
        assert!(Change::Missing.prior() > Change::Option.prior());
        assert!(Change::Option.prior() > Change::Name.prior());
        assert!(Change::Missing.prior() > Change::Default.prior());
    }
}
