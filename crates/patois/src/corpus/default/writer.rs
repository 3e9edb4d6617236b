//! Words and phrases: what the shapes of questions are put together from.
//!
//! A [`Writer`] draws entities, columns, values and wordings for one database. Restrictions come as
//! a condition in SQL together with a [`Modifier`] in English, so that the two cannot disagree.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::domain::{Domain, Value};
use super::english::{self, Mood, negated, plural, postmodifier, singular_verb, with_article};
use super::query::{Aggregate, Condition, Direction, Query, col, column, compare};
use super::words::{ColumnWords, Entity, Kind, Relation};

/// Draws wordings for one database.
pub(super) struct Writer<'d> {
    pub(super) domain: &'d Domain,
    pub(super) rng: ChaCha8Rng,
}

/// A question and its query.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) text: String,
    pub(super) query: Query,
}

/// What restricts a noun, in the forms English has for it.
#[derive(Clone, Debug)]
pub(super) struct Modifier {
    /// A predicate of plural subjects: `are older than 30`.
    pub(super) clause: String,
    /// The same for one subject, where the verb is not all that changes: `is an engineer`.
    pub(super) singular: Option<String>,
    /// What can stand before the noun: `Irish`.
    pub(super) pre: Option<String>,
    /// What can stand behind it without a verb: `older than 30`.
    pub(super) post: Option<String>,
}

/// A condition and what it is called.
#[derive(Clone, Debug)]
pub(super) struct Restriction {
    pub(super) condition: Condition,
    pub(super) modifier: Modifier,
    /// The column it is about.
    pub(super) about: String,
}

/// Which end of a column is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extreme {
    Most,
    Least,
}

/// One thing or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Singular,
    Plural,
}

impl Extreme {
    /// The order that puts this end first.
    pub(super) fn first(self) -> Direction {
        match self {
            Extreme::Most => Direction::Descending,
            Extreme::Least => Direction::Ascending,
        }
    }

    /// The aggregate that yields this end.
    pub(super) fn aggregate(self) -> Aggregate {
        match self {
            Extreme::Most => Aggregate::Maximum,
            Extreme::Least => Aggregate::Minimum,
        }
    }
}

impl Modifier {
    /// A modifier with the forms that follow from its clause.
    pub(super) fn from_clause(clause: String) -> Modifier {
        let post = postmodifier(&clause);
        Modifier {
            clause,
            singular: None,
            pre: None,
            post,
        }
    }
}

impl Modifier {
    /// The predicate for one subject.
    pub(super) fn one(&self) -> String {
        self.singular
            .clone()
            .unwrap_or_else(|| singular_verb(&self.clause))
    }
}

impl Kind {
    /// Whether values are compared by size.
    pub(super) fn is_ordered(self) -> bool {
        matches!(self, Kind::Number | Kind::Year | Kind::Date)
    }
}

// Drawing.
impl<'d> Writer<'d> {
    /// One of several wordings.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        *items
            .choose(&mut self.rng)
            .expect("wordings are never empty lists")
    }

    /// One of several, where there are any.
    pub(super) fn choose<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.choose(&mut self.rng)
    }

    /// True with a probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    /// Either end.
    pub(super) fn extreme(&mut self) -> Extreme {
        self.pick(&[Extreme::Most, Extreme::Most, Extreme::Least])
    }

    /// An entity for which `fits` holds.
    pub(super) fn entity(&mut self, fits: impl Fn(&Entity) -> bool) -> Option<&'d Entity> {
        let fitting: Vec<&Entity> = self
            .domain
            .words
            .entities
            .iter()
            .filter(|it| fits(it))
            .collect();
        self.choose(&fitting).copied()
    }

    /// An entity whose rows have names.
    pub(super) fn named_entity(&mut self) -> Option<&'d Entity> {
        self.entity(|it| it.name.is_some())
    }

    /// An entity with a column of a kind.
    pub(super) fn entity_with(&mut self, kind: Kind) -> Option<&'d Entity> {
        self.entity(|it| it.columns.iter().any(|it| it.kind == kind))
    }

    /// A column for which `fits` holds.
    pub(super) fn column(
        &mut self,
        entity: &'d Entity,
        fits: impl Fn(&ColumnWords) -> bool,
    ) -> Option<&'d ColumnWords> {
        let fitting: Vec<&ColumnWords> = entity.columns.iter().filter(|it| fits(it)).collect();
        self.choose(&fitting).copied()
    }

    /// A column of a kind.
    pub(super) fn column_of(&mut self, entity: &'d Entity, kind: Kind) -> Option<&'d ColumnWords> {
        self.column(entity, |it| it.kind == kind)
    }

    /// A relation for which `fits` holds, with its two entities.
    pub(super) fn relation(
        &mut self,
        fits: impl Fn(&Relation, &Entity, &Entity) -> bool,
    ) -> Option<Related<'d>> {
        let words = &self.domain.words;
        let fitting: Vec<Related<'d>> = words
            .relations
            .iter()
            .filter_map(|relation| {
                let (one, many) = (words.entity(&relation.one)?, words.entity(&relation.many)?);
                fits(relation, one, many).then_some(Related {
                    relation,
                    one,
                    many,
                })
            })
            .collect();
        self.choose(&fitting).copied()
    }

    /// A value of a column.
    pub(super) fn value(&mut self, entity: &Entity, column: &ColumnWords) -> Option<&'d Value> {
        self.domain.values(entity, column).choose(&mut self.rng)
    }

    /// A number inside the range of a column, as round as people like them.
    pub(super) fn threshold(&mut self, entity: &Entity, column: &ColumnWords) -> Option<String> {
        let values = self.domain.values(entity, column);
        let inner = values.get(1..values.len().checked_sub(1)?)?;
        let value = inner.choose(&mut self.rng)?;
        let Some(number) = value.number else {
            return Some(value.sql.clone());
        };
        let (low, high) = (values.first()?.number?, values.last()?.number?);
        let rounded = if column.kind == Kind::Year {
            number
        } else {
            round(number)
        };
        let kept = if rounded > low && rounded < high {
            rounded
        } else {
            number
        };
        Some(kept.to_string())
    }
}

/// A relation with the entities at its ends.
#[derive(Clone, Copy)]
pub(super) struct Related<'d> {
    pub(super) relation: &'d Relation,
    pub(super) one: &'d Entity,
    pub(super) many: &'d Entity,
}

impl Related<'_> {
    /// A query over `one`, joined with the next table on the way to `many`: all that counting
    /// needs.
    pub(super) fn counting_query(&self) -> Query {
        self.query_along(1).0
    }

    /// A query over `one` joined with `many`, and the place of `many`.
    pub(super) fn query(&self) -> (Query, usize) {
        self.query_along(usize::MAX)
    }

    fn query_along(&self, n_joins: usize) -> (Query, usize) {
        let mut query = Query::over(&self.relation.one);
        let mut slot = 0;
        for (left, table, right) in self.relation.joins().take(n_joins) {
            slot = query.join(column(slot, left), table, right);
        }
        (query, slot)
    }

    /// The first table on the way to `many` and its column that refers to `one`.
    pub(super) fn referring(&self) -> Option<(&str, &str)> {
        self.relation
            .joins()
            .next()
            .map(|(_, table, column)| (table, column))
    }
}

// Restrictions.
impl<'d> Writer<'d> {
    /// A restriction of the rows at `slot` by any kind of column.
    pub(super) fn restriction(&mut self, entity: &'d Entity, slot: usize) -> Option<Restriction> {
        let column = self.column(entity, |it| {
            it.kind == Kind::Category || it.kind.is_ordered()
        })?;
        if column.kind == Kind::Category {
            self.equality(entity, column, slot)
        } else {
            self.comparison(entity, column, slot)
        }
    }

    /// A restriction that is not about a given column.
    pub(super) fn other_restriction(
        &mut self,
        entity: &'d Entity,
        slot: usize,
        about: &str,
    ) -> Option<Restriction> {
        let found = self.restriction(entity, slot)?;
        (found.about != about).then_some(found)
    }

    /// `column = value`.
    pub(super) fn equality(
        &mut self,
        entity: &'d Entity,
        words: &'d ColumnWords,
        slot: usize,
    ) -> Option<Restriction> {
        let value = self.value(entity, words)?;
        Some(Restriction {
            condition: compare(col(slot, &words.column), "=", &value.sql),
            modifier: self.equality_modifier(words, &value.text),
            about: words.column.clone(),
        })
    }

    /// What a row is called whose column has a value.
    pub(super) fn equality_modifier(&mut self, words: &ColumnWords, value: &str) -> Modifier {
        let say = self.say(words);
        let generic = words.is.is_empty() || self.chance(0.18);
        let mut modifier = if generic {
            let value = self.maybe_quoted(value);
            let mut modifier = Modifier::from_clause(match self.rng.random_range(0..2) {
                0 => format!("have {value} as the {say}"),
                _ => format!("have the {say} {value}"),
            });
            if self.chance(0.7) {
                modifier.post = Some(format!("whose {say} is {value}"));
            }
            modifier
        } else {
            let predicate = self.choose(&words.is).cloned().unwrap_or_default();
            let mut modifier = Modifier::from_clause(fill(&predicate, value));
            if predicate.contains("{s}") {
                let one = predicate.replace("{s}", "{a}");
                modifier.singular = Some(singular_verb(&fill(&one, value)));
                modifier.post = None;
            }
            modifier
        };
        if words.pre && (words.is.is_empty() || self.chance(0.8)) {
            modifier.pre = Some(value.to_owned());
        }
        modifier
    }

    /// A comparison of an ordered column with a value.
    pub(super) fn comparison(
        &mut self,
        entity: &'d Entity,
        words: &'d ColumnWords,
        slot: usize,
    ) -> Option<Restriction> {
        let value = self.threshold(entity, words)?;
        if value == "1" && words.say[0].starts_with("number of") {
            return None;
        }
        let is_equality = !words.is.is_empty() && words.kind == Kind::Year && self.chance(0.35);
        if is_equality {
            return self.equality(entity, words, slot);
        }
        let (operator, clause) = self.comparative(words, value.trim_matches('\''));
        let mut modifier = Modifier::from_clause(clause);
        if self.chance(0.15) && words.kind == Kind::Number {
            let say = self.say(words);
            let than = match operator {
                ">" => self.pick(&["greater than", "above", "higher than", "over"]),
                "<" => self.pick(&["less than", "below", "lower than", "under"]),
                ">=" => "at least",
                _ => "at most",
            };
            modifier.post = Some(format!(
                "whose {say} is {than} {}",
                value.trim_matches('\'')
            ));
        }
        Some(Restriction {
            condition: compare(col(slot, &words.column), operator, &value),
            modifier,
            about: words.column.clone(),
        })
    }

    /// An operator and the predicate that says so.
    fn comparative(&mut self, words: &ColumnWords, value: &str) -> (&'static str, String) {
        let say = self.say(words);
        let operator = self.pick(&[">", ">", ">", "<", "<", ">=", "<="]);
        let own = match operator {
            ">" => &words.more,
            "<" => &words.less,
            _ => &Vec::new(),
        };
        if let Some(predicate) = self.choose(own).cloned()
            && (words.kind != Kind::Number || self.chance(0.7))
        {
            return (operator, fill(&predicate, value));
        }
        if words.kind == Kind::Number {
            return (operator, self.generic_comparison(&say, operator, value));
        }
        // Years and dates: the plain words for them do without "greater".
        let (operator, relation) = match operator {
            ">" | ">=" => (">", "after"),
            _ => ("<", "before"),
        };
        (
            operator,
            format!("have {} {relation} {value}", with_article(&say)),
        )
    }

    fn generic_comparison(&mut self, say: &str, operator: &str, value: &str) -> String {
        let than = match operator {
            ">" => self.pick(&[
                "above",
                "over",
                "of more than",
                "greater than",
                "higher than",
            ]),
            "<" => self.pick(&["below", "under", "of less than", "lower than"]),
            ">=" => self.pick(&["of at least", "of no less than"]),
            _ => self.pick(&["of at most", "of no more than"]),
        };
        if let Some(counted) = say.strip_prefix("number of ") {
            let than = match operator {
                ">" => "more than",
                "<" => "fewer than",
                ">=" => "at least",
                _ => "at most",
            };
            return format!("have {than} {value} {counted}");
        }
        if is_uncountable(say) {
            let than = match operator {
                ">" => "more than",
                "<" => "less than",
                ">=" => "at least",
                _ => "at most",
            };
            return format!("have {than} {value} years of experience");
        }
        format!("have {} {than} {value}", with_article(say))
    }

    /// A restriction denied.
    pub(super) fn negation(
        &mut self,
        entity: &'d Entity,
        words: &'d ColumnWords,
        slot: usize,
    ) -> Option<Restriction> {
        let value = self.value(entity, words)?;
        let clause = match self.choose(&words.is) {
            Some(predicate) => fill(predicate, &value.text),
            None => self.equality_modifier(words, &value.text).clause,
        };
        let mut negative = Modifier::from_clause(negated(&clause)?);
        // Nobody says "players not Irish".
        let is_bare = clause
            .strip_prefix("are ")
            .is_some_and(|it| !it.contains(' '));
        negative.post = negative.post.filter(|_| !is_bare);
        if self.chance(0.3) {
            let say = self.say(words);
            negative.post = Some(format!("whose {say} is not {}", value.text));
        }
        Some(Restriction {
            condition: compare(col(slot, &words.column), "!=", &value.sql),
            modifier: negative,
            about: words.column.clone(),
        })
    }
}

// Noun phrases.
impl Writer<'_> {
    /// A word for a column.
    pub(super) fn say(&mut self, words: &ColumnWords) -> String {
        let usual = self.chance(0.65);
        let say = if usual {
            words.say.first()
        } else {
            self.choose(&words.say)
        };
        say.cloned().unwrap_or_default()
    }

    /// A noun for a row.
    pub(super) fn noun(&mut self, entity: &Entity) -> String {
        let usual = self.chance(0.75);
        let noun = if usual {
            entity.nouns.first()
        } else {
            self.choose(&entity.nouns)
        };
        noun.cloned().unwrap_or_default()
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
        for modifier in modifiers {
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
        self.pick(&["", "", "the ", "all ", "all the ", "all "])
    }
}

// Sentences.
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

/// Whether one has more of it, not a higher one.
pub(super) fn is_uncountable(say: &str) -> bool {
    say.ends_with("experience")
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
fn is_invariable(say: &str) -> bool {
    say.starts_with("number of") || ["experience", "stock"].contains(&say)
}

/// A predicate with a value in place of `{}`, `{a}` (with an article) or `{s}` (plural).
pub(super) fn fill(predicate: &str, value: &str) -> String {
    predicate
        .replace("{}", value)
        .replace("{a}", &with_article(value))
        .replace("{s}", &plural(value))
}

/// Rounds to what people would say.
fn round(number: f64) -> f64 {
    let step = match number.abs() {
        it if it >= 10_000.0 => 5000.0,
        it if it >= 1000.0 => 100.0,
        it if it >= 200.0 => 50.0,
        it if it >= 50.0 => 10.0,
        it if it >= 20.0 => 5.0,
        _ => return number,
    };
    (number / step).round() * step
}
