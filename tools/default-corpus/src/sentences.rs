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
                    "can I have",
                    "could I see",
                    "may I see",
                ]);
                self.question(&format!("{opening} {object}"))
            }
            11 => {
                let opening = self.pick(&[
                    "I need a list with",
                    "I am looking for",
                    "I want",
                    "we need",
                    "I would like to know",
                    "I would like",
                    "I have to know",
                    "it would help to have",
                    "get me",
                ]);
                self.command_of(&format!("{opening} {object}"))
            }
            10 | 12 => {
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
            && self.chance(if modifier.noun.is_some() { 0.4 } else { 0.8 })
        {
            let noun = plural(&self.noun(entity));
            return self.question(&format!("how many {noun} {}", modifier.clause));
        }
        let phrase = self.many(entity, modifiers);
        if let [Modifier { noun: Some(_), .. }] = modifiers
            && self.chance(0.3)
        {
            let known = self.pick(&[
                "do we know",
                "have we got",
                "are on file",
                "do we have here",
            ]);
            return self.question(&format!("how many {phrase} {known}"));
        }
        match self.rng.random_range(0..12) {
            10 => self.question(&format!("what number of {phrase} do we have")),
            11 => {
                let number = self.pick(&["number of", "count of", "how many"]);
                english::sentence(&format!("{number} {phrase}"), Mood::Note, &mut self.rng)
            }
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
        if tail.is_empty()
            && self.chance(0.2)
            && let Some(text) = self.ask_in_two(entity, columns, modifiers)
        {
            return text;
        }
        match columns {
            [only] if is_name(only) && self.chance(0.55) => self.ask_which(entity, modifiers, tail),
            [first, rest @ ..] if is_name(first) && !rest.is_empty() && self.chance(0.25) => {
                let phrase = self.many(entity, modifiers);
                let rest = self.said(rest, Number::Plural);
                let with = match modifiers {
                    [] => self.pick(&["and their", "with their", "along with their"]),
                    _ => self.pick(&["and their", "along with their", "together with their"]),
                };
                if self.chance(0.25) {
                    let note = format!("{phrase} {with} {rest}{tail}");
                    return english::sentence(&note, Mood::Note, &mut self.rng);
                }
                let all = self.pick(&["the ", "all ", "all the ", "our "]);
                self.command(&format!("{all}{phrase} {with} {rest}{tail}"))
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
        if self.chance(0.12) {
            return english::sentence(&format!("{phrase}{tail}"), Mood::Note, &mut self.rng);
        }
        if self.chance(0.12) && entity.person {
            return self.question(&format!("who are the {phrase}{tail}"));
        }
        if self.chance(0.15) {
            return self.command_of(&format!("name {all}{phrase}{tail}"));
        }
        self.command(&format!("{all}{phrase}{tail}"))
    }

    /// Asks in two sentences or clauses: for the rows, then for what is to be told of them.
    fn ask_in_two(
        &mut self,
        entity: &Entity,
        columns: &[&ColumnWords],
        modifiers: &[Modifier],
    ) -> Option<String> {
        let is_name = |it: &ColumnWords| Some(&it.column) == entity.name.as_ref();
        let [modifier] = modifiers else { return None };
        let nouns = plural(&self.noun(entity));
        let phrase = self.many(entity, modifiers);
        let any = self.pick(&["are there", "do we have", "are there", "have we got"]);
        let exist = format!("{any} any {phrase}?");
        let which = match modifier.clause.as_str() {
            "" => format!("I want the {phrase}"),
            clause => format!("which {nouns} {clause}"),
        };
        let mark = if which.starts_with("which") { "?" } else { "." };
        let text = match columns {
            [only] if is_name(only) => {
                let (name, them) = (self.say(only), plural_column(&self.say(only)));
                let who = if entity.person {
                    "who are they?"
                } else {
                    "which ones?"
                };
                match self.rng.random_range(0..6) {
                    0 => format!("{exist} {who}"),
                    1 => format!("{exist} give me the {them}."),
                    2 => format!("{exist} list them."),
                    3 => format!("{exist} which are they?"),
                    4 => format!("{which}{mark} I just want the {them}."),
                    _ => format!("{which}{mark} only the {name}, please."),
                }
            }
            [first, rest @ ..] if is_name(first) => {
                let said = self.said(rest, Number::Plural);
                match self.rng.random_range(0..5) {
                    0 => format!("{which}{mark} show their {said} too."),
                    1 => format!("{which}{mark} include the {said}."),
                    2 => format!("{exist} list them with their {said}."),
                    3 => format!("{which}, and what are their {said}?"),
                    _ => format!("{which}{mark} add their {said} as well."),
                }
            }
            _ => {
                let said = self.said(columns, Number::Plural);
                match self.rng.random_range(0..3) {
                    0 => format!("{which}{mark} I only need the {said}."),
                    1 => format!("{exist} give me the {said}."),
                    _ => format!("{which}{mark} just show the {said}."),
                }
            }
        };
        Some(english::capitalised(&text))
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
