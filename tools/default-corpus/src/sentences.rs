//! Sentences: the ways people ask for something, or tell to show it.

use rand::RngExt;

use super::english::{self, Mood, plural};
use super::phrases::{is_invariable, plural_column};
use super::words::{ColumnWords, Entity};
use super::writer::{Modifier, Number, Writer};

impl Writer<'_> {
    /// Asks for a thing named by a definite noun phrase.
    pub(super) fn request(&mut self, object: &str, number: Number) -> String {
        let is = if number == Number::Plural {
            "are"
        } else {
            "is"
        };
        match self.rng.random_range(0..20) {
            0..8 => self.question(&format!("what {is} {object}")),
            8 => {
                let opening = self.pick(&[
                    "can you tell me",
                    "could you tell me",
                    "do you know",
                    "may I know",
                ]);
                self.question(&format!("{opening} {object}"))
            }
            9 => {
                let opening = self.pick(&[
                    "can you list",
                    "could you show me",
                    "can you give me",
                    "could you find",
                ]);
                self.question(&format!("{opening} {object}"))
            }
            10 => {
                let object = object.trim_start_matches("the ");
                english::sentence(object, Mood::Note, &mut self.rng)
            }
            _ => self.command(object),
        }
    }

    /// Tells to show something.
    pub(super) fn command(&mut self, object: &str) -> String {
        let verb = self.command_verb();
        english::sentence(&format!("{verb} {object}"), Mood::Command, &mut self.rng)
    }

    /// A verb for showing something.
    pub(super) fn command_verb(&mut self) -> &'static str {
        self.pick(&[
            "list",
            "list",
            "show",
            "show",
            "show me",
            "give",
            "give me",
            "find",
            "find",
            "return",
            "display",
            "tell me",
            "get",
            "please list",
            "please show",
            "I want to see",
            "I would like to see",
            "I need",
            "let me see",
            "let's see",
            "look up",
            "report",
        ])
    }

    /// A question.
    pub(super) fn question(&mut self, text: &str) -> String {
        english::sentence(text, Mood::Question, &mut self.rng)
    }

    /// Asks how many there are of a plural noun phrase.
    pub(super) fn ask_count(&mut self, entity: &Entity, modifiers: &[Modifier]) -> String {
        if let [modifier] = modifiers
            && !modifier.clause.is_empty()
            && self.chance(0.85)
        {
            let noun = plural(&self.noun(entity));
            return self.question(&format!("how many {noun} {}", modifier.clause));
        }
        let phrase = self.many(entity, modifiers);
        match self.rng.random_range(0..10) {
            0..4 => self.question(&format!("how many {phrase} are there")),
            4 => self.question(&format!("how many {phrase} do we have")),
            5 => self.command_of(&format!("count the {phrase}")),
            6 => self.command_of(&format!("tell me how many {phrase} there are")),
            7 => self.command_of(&format!("count how many {phrase} there are")),
            _ => {
                let total = self.pick(&["", "", "total "]);
                self.request(&format!("the {total}number of {phrase}"), Number::Singular)
            }
        }
    }

    /// A sentence that is a command already.
    pub(super) fn command_of(&mut self, text: &str) -> String {
        english::sentence(text, Mood::Command, &mut self.rng)
    }

    /// Asks for columns of the rows of a noun phrase; rows are known by their name where only that
    /// is asked for.
    pub(super) fn ask_columns(
        &mut self,
        entity: &Entity,
        columns: &[&ColumnWords],
        modifiers: &[Modifier],
        tail: &str,
    ) -> String {
        let is_name = |it: &ColumnWords| Some(&it.column) == entity.name.as_ref();
        match columns {
            [only] if is_name(only) && self.chance(0.55) => self.ask_which(entity, modifiers, tail),
            [first, rest @ ..] if is_name(first) && !rest.is_empty() && self.chance(0.25) => {
                let phrase = self.many(entity, modifiers);
                let rest = self.said(rest, Number::Plural);
                let with = match modifiers {
                    [] => self.pick(&["and their", "with their", "along with their"]),
                    _ => self.pick(&["and their", "along with their", "together with their"]),
                };
                self.command(&format!("the {phrase} {with} {rest}{tail}"))
            }
            _ if self.chance(0.3) => {
                let phrase = self.one(entity, modifiers);
                let said = self.said(columns, Number::Singular);
                let each = self.pick(&["each", "every"]);
                if self.chance(0.4) {
                    let show = self.pick(&["show", "list", "give", "what is", "return", "give me"]);
                    let text = format!("for {each} {phrase}, {show} the {said}{tail}");
                    return if show == "what is" && columns.len() == 1 && tail.is_empty() {
                        self.question(&text)
                    } else {
                        self.command_of(&text.replace("what is", "show"))
                    };
                }
                let number = if columns.len() > 1 {
                    Number::Plural
                } else {
                    Number::Singular
                };
                self.request(&format!("the {said} of {each} {phrase}{tail}"), number)
            }
            _ => {
                let phrase = self.many(entity, modifiers);
                let said = self.said(columns, Number::Plural);
                let all = self.all();
                let of = self.pick(&["of", "of", "of", "of", "of", "of", "for"]);
                let is_plural = columns.len() > 1 || !is_invariable(&said);
                let number = if is_plural {
                    Number::Plural
                } else {
                    Number::Singular
                };
                self.request(&format!("the {said} {of} {all}{phrase}{tail}"), number)
            }
        }
    }

    /// Asks which rows there are, which means their names.
    pub(super) fn ask_which(
        &mut self,
        entity: &Entity,
        modifiers: &[Modifier],
        tail: &str,
    ) -> String {
        let noun = self.noun(entity);
        if let [modifier] = modifiers
            && tail.is_empty()
            && !modifier.clause.is_empty()
            && self.chance(0.5)
        {
            let clause = &modifier.clause;
            if entity.person && self.chance(0.2) {
                return self.question(&format!("who {}", modifier.one()));
            }
            let which = self.pick(&["which", "which", "what"]);
            return self.question(&format!("{which} {} {clause}", plural(&noun)));
        }
        let phrase = self.many(entity, modifiers);
        let all = self.pick(&["the ", "all ", "all the ", "every "]);
        if all == "every " {
            let phrase = self.one(entity, modifiers);
            return self.command(&format!("every {phrase}{tail}"));
        }
        if self.chance(0.12) && entity.person {
            return self.question(&format!("who are the {phrase}{tail}"));
        }
        if self.chance(0.15) {
            return self.command_of(&format!("name {all}{phrase}{tail}"));
        }
        self.command(&format!("{all}{phrase}{tail}"))
    }

    /// Columns in words: `name and age`, `names and ages`.
    pub(super) fn said(&mut self, columns: &[&ColumnWords], number: Number) -> String {
        let said: Vec<String> = columns
            .iter()
            .map(|it| {
                let say = self.say(it);
                if number == Number::Plural {
                    plural_column(&say)
                } else {
                    say
                }
            })
            .collect();
        english::list(&said, "and")
    }
}
