//! Noun phrases: what rows and columns are called, with their modifiers around them.

use rand::RngExt;

use super::english::plural;
use super::query::Aggregate;
use super::words::{ColumnWords, Entity, Kind};
use super::writer::{Extreme, Modifier, Number, Writer};

impl Writer<'_> {
    /// A word for a column.
    pub(super) fn say(&mut self, words: &ColumnWords) -> String {
        self.mostly_first(0.65, &words.say)
    }

    /// A noun for a row.
    pub(super) fn noun(&mut self, entity: &Entity) -> String {
        self.mostly_first(0.75, &entity.nouns)
    }

    /// The first of some words with the given probability, else any of them.
    fn mostly_first(&mut self, probability: f64, words: &[String]) -> String {
        let word = if self.chance(probability) {
            words.first()
        } else {
            self.choose(words)
        };
        word.cloned().unwrap_or_default()
    }

    /// A plural noun phrase without a determiner.
    pub(super) fn many(&mut self, entity: &Entity, modifiers: &[Modifier]) -> String {
        let noun = plural(&self.noun(entity));
        self.noun_phrase(&noun, entity.person, modifiers, Number::Plural)
    }

    /// A singular noun phrase without a determiner.
    pub(super) fn one(&mut self, entity: &Entity, modifiers: &[Modifier]) -> String {
        let noun = self.noun(entity);
        self.noun_phrase(&noun, entity.person, modifiers, Number::Singular)
    }

    /// A noun with its modifiers around it.
    pub(super) fn noun_phrase(
        &mut self,
        noun: &str,
        person: bool,
        modifiers: &[Modifier],
        number: Number,
    ) -> String {
        let mut pre = String::new();
        let mut posts = String::new();
        let mut clauses: Vec<String> = Vec::new();
        let mut own_noun: Option<String> = None;
        for modifier in modifiers {
            if let (None, Some(word)) = (&own_noun, &modifier.noun)
                && self.chance(0.6)
            {
                own_noun = Some(match number {
                    Number::Plural => plural(word),
                    Number::Singular => word.clone(),
                });
                continue;
            }
            if let (true, Some(post)) = (modifier.clause.is_empty(), &modifier.post) {
                posts = format!("{posts} {post}");
                continue;
            }
            match (&modifier.pre, &modifier.post) {
                (Some(word), _) if pre.is_empty() && self.chance(0.85) => pre = format!("{word} "),
                (_, Some(post)) if posts.is_empty() && clauses.is_empty() && self.chance(0.6) => {
                    posts = format!(" {post}");
                }
                _ if number == Number::Singular => clauses.push(modifier.one()),
                _ => clauses.push(modifier.clause.clone()),
            }
        }
        let noun = own_noun.as_deref().unwrap_or(noun);
        if clauses.is_empty() {
            return format!("{pre}{noun}{posts}");
        }
        let who = self.relative_pronoun(person);
        let is_clause = [" who ", " that ", " whose "]
            .iter()
            .any(|it| posts.contains(it));
        let and = if is_clause { " and" } else { "" };
        format!("{pre}{noun}{posts}{and} {who} {}", clauses.join(" and "))
    }

    /// `who`, `that` or `which`.
    pub(super) fn relative_pronoun(&mut self, person: bool) -> &'static str {
        if person {
            self.pick(&["who", "who", "who", "that"])
        } else {
            self.pick(&["that", "that", "that", "which"])
        }
    }

    /// What to call the row named by a value: `the Riverside branch`, `Nora Hale`.
    pub(super) fn called(&mut self, entity: &Entity, value: &str) -> String {
        let naming = entity.naming().map_or("", |it| it.say[0].as_str());
        let noun = entity.nouns.first().map_or("", String::as_str);
        match naming {
            _ if entity.person => value.to_owned(),
            "title" => match self.rng.random_range(0..4) {
                0 => format!("'{value}'"),
                1 => format!("the {noun} {value}"),
                2 => format!("the {noun} '{value}'"),
                _ => value.to_owned(),
            },
            "id" | "flight number" | "room number" => format!("{noun} {value}"),
            "city" => format!("the {value} {noun}"),
            _ if value.to_lowercase().contains(noun) || value.starts_with("The ") => {
                value.to_owned()
            }
            _ if self.chance(0.5) => format!("the {value} {noun}"),
            _ => value.to_owned(),
        }
    }

    /// A value, in quotation marks now and then.
    pub(super) fn maybe_quoted(&mut self, value: &str) -> String {
        let is_word = value.starts_with(|it: char| it.is_lowercase());
        if is_word && self.chance(0.3) {
            format!("'{value}'")
        } else {
            value.to_owned()
        }
    }

    /// The row at an end of a column, singular, without its article: `oldest member`.
    pub(super) fn superlative(
        &mut self,
        entity: &Entity,
        words: &ColumnWords,
        extreme: Extreme,
        modifiers: &[Modifier],
    ) -> String {
        let noun = self.noun(entity);
        self.superlative_of(&noun, entity, words, extreme, modifiers, Number::Singular)
    }

    /// The rows at an end of a column, plural, without their article.
    pub(super) fn superlatives(
        &mut self,
        entity: &Entity,
        words: &ColumnWords,
        extreme: Extreme,
        modifiers: &[Modifier],
    ) -> String {
        let noun = plural(&self.noun(entity));
        self.superlative_of(&noun, entity, words, extreme, modifiers, Number::Plural)
    }

    fn superlative_of(
        &mut self,
        noun: &str,
        entity: &Entity,
        words: &ColumnWords,
        extreme: Extreme,
        modifiers: &[Modifier],
        number: Number,
    ) -> String {
        let own = match extreme {
            Extreme::Most => &words.most,
            Extreme::Least => &words.least,
        };
        if let Some(adjective) = self.choose(own).cloned()
            && self.chance(0.7)
        {
            let phrase = self.noun_phrase(noun, entity.person, modifiers, number);
            return format!("{adjective} {phrase}");
        }
        let adjective = self.extreme_word(words, extreme);
        let say = self.say(words);
        let phrase = self.noun_phrase(noun, entity.person, modifiers, number);
        if modifiers.is_empty() || !phrase.contains(" who ") && !phrase.contains(" that ") {
            format!("{phrase} with the {adjective} {say}")
        } else {
            format!(
                "{phrase} and {} the {adjective} {say}",
                if number == Number::Plural {
                    "have"
                } else {
                    "has"
                }
            )
        }
    }

    /// `highest`, `latest`, `lowest` and their like, for the noun of a column.
    pub(super) fn extreme_word(&mut self, words: &ColumnWords, extreme: Extreme) -> &'static str {
        let last = words.say[0].rsplit(' ').next().unwrap_or_default();
        let is_span = ["time", "duration", "length", "distance"].contains(&last);
        let is_size = words.say[0].starts_with("number of")
            || ["capacity", "size", "area", "budget", "count"].contains(&last);
        match (words.kind, extreme) {
            (Kind::Year | Kind::Date, Extreme::Most) => self.pick(&["latest", "most recent"]),
            (Kind::Year | Kind::Date, Extreme::Least) => "earliest",
            (_, Extreme::Most) if is_uncountable(last) => "most",
            (_, Extreme::Least) if is_uncountable(last) => "least",
            (_, Extreme::Most) if is_span => "longest",
            (_, Extreme::Least) if is_span => "shortest",
            (_, Extreme::Most) if is_size => self.pick(&["highest", "largest", "greatest"]),
            (_, Extreme::Least) if is_size => self.pick(&["lowest", "smallest"]),
            (_, Extreme::Most) => self.pick(&["highest", "highest", "greatest"]),
            (_, Extreme::Least) => "lowest",
        }
    }

    /// A word for an aggregate of a column.
    pub(super) fn aggregate_word(
        &mut self,
        words: &ColumnWords,
        aggregate: Aggregate,
    ) -> &'static str {
        match aggregate {
            Aggregate::Average => self.pick(&["average", "average", "mean"]),
            Aggregate::Sum => self.pick(&["total", "total", "combined", "overall"]),
            Aggregate::Maximum if is_uncountable(&words.say[0]) => "maximum",
            Aggregate::Minimum if is_uncountable(&words.say[0]) => "minimum",
            Aggregate::Maximum if self.chance(0.5) => "maximum",
            Aggregate::Minimum if self.chance(0.5) => "minimum",
            Aggregate::Maximum => self.extreme_word(words, Extreme::Most),
            Aggregate::Minimum => self.extreme_word(words, Extreme::Least),
        }
    }

    /// An aggregate that makes sense for a column.
    pub(super) fn aggregate(&mut self, words: &ColumnWords) -> Aggregate {
        use Aggregate::{Average, Maximum, Minimum, Sum};
        match words.kind {
            Kind::Number if words.sum => self.pick(&[Average, Average, Maximum, Minimum, Sum, Sum]),
            Kind::Number => self.pick(&[Average, Average, Maximum, Minimum]),
            _ => self.pick(&[Maximum, Minimum]),
        }
    }

    /// A determiner for a plural noun phrase, or none.
    pub(super) fn all(&mut self) -> &'static str {
        self.pick(&["", "", "the ", "all ", "all the ", "all ", "our "])
    }
}

/// Whether one has more of it, not a higher one.
pub(super) fn is_uncountable(say: &str) -> bool {
    say.ends_with("experience") || say.starts_with("years of")
}

/// The plural of what a column is called; measures such as `sales` have none.
pub(super) fn plural_column(say: &str) -> String {
    match say {
        "GPA" => "GPAs".into(),
        "sales" | "years of experience" | "species" => say.to_owned(),
        _ if is_invariable(say) => say.to_owned(),
        _ => plural(say),
    }
}

/// Whether it is said in the singular of many rows too.
pub(super) fn is_invariable(say: &str) -> bool {
    say.starts_with("number of") || ["experience", "stock"].contains(&say)
}
