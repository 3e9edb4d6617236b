//! Questions that follow a relation from one table to another.

use rand::RngExt;

use super::single::selected;
use crate::english::{plural, singular_verb, with_article};
use crate::phrases::plural_column;
use crate::query::{Condition, Expr, Operand, col, column};
use crate::words::Entity;
use crate::writer::{Draft, Modifier, Number, Related, Writer};

pub(super) fn both_names(w: &mut Writer<'_>) -> Option<Draft> {
    both_columns(w, Arrangement::AsItComes)
}

pub(super) fn ordered(w: &mut Writer<'_>) -> Option<Draft> {
    both_columns(w, Arrangement::Ordered)
}

/// Whether rows are put in an order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrangement {
    AsItComes,
    Ordered,
}

fn both_columns(w: &mut Writer<'_>, arrangement: Arrangement) -> Option<Draft> {
    let related = w.relation(|it, one, _| !it.role.is_empty() && one.name.is_some())?;
    let own = match related.many.naming() {
        Some(naming) => naming,
        None => w.column(related.many, |_| true)?,
    };
    let other = if w.chance(0.75) {
        related.one.naming()?
    } else {
        w.column(related.one, |_| true)?
    };
    let role = w.choose(&related.relation.role)?.clone();
    let (said, other_said) = (w.say(own), w.say(other));
    let is_both_named = Some(&own.column) == related.many.name.as_ref()
        && Some(&other.column) == related.one.name.as_ref();
    let (mut query, slot) = related.query();
    let mut shown = selected(&[own], slot);
    shown.extend(selected(&[other], 0));
    query = query.select(shown);
    let mut tail = String::new();
    if arrangement == Arrangement::Ordered {
        let by = w.column(related.many, |it| it.kind.is_ordered())?;
        let (direction, words) = w.order_tail(by);
        query = query.order_by(col(slot, &by.column), direction);
        tail = words;
    }
    let (one, many) = (w.one(related.many, &[]), w.many(related.many, &[]));
    let its = if related.many.person { "their" } else { "its" };
    let have = w.choose(&related.relation.have)?.clone();
    let text = match w.rng.random_range(0..7) {
        5 if is_both_named && have != "have {}" => {
            let (own_noun, that) = (w.noun(related.one), w.relative_pronoun(related.one.person));
            let has = singular_verb(&have.replace("{}", "it"));
            let with = w.pick(&["and", "together with", "along with", "with"]);
            w.command(&format!(
                "each {one} {with} the {other_said} of the {own_noun} {that} {has}{tail}"
            ))
        }
        6 if is_both_named => {
            let with = w.pick(&["and the", "with the", "together with the"]);
            w.command(&format!("all {many} {with} {role} of each{tail}"))
        }
        0 if is_both_named => w.command(&format!("each {one} with {its} {role}{tail}")),
        1 if is_both_named => w.command(&format!(
            "all {many} together with their {}{tail}",
            plural(&role)
        )),
        0 | 2 | 5 | 6 => {
            let each = w.pick(&["each", "every"]);
            let object =
                format!("the {said} of {each} {one} and the {other_said} of {its} {role}{tail}");
            w.request(&object, Number::Plural)
        }
        1 | 3 => {
            let (said, others) = (plural_column(&said), plural_column(&other_said));
            let object = format!(
                "the {said} of {many} and the {others} of their {}{tail}",
                plural(&role)
            );
            w.request(&object, Number::Plural)
        }
        _ => {
            let show = w.pick(&["show", "give", "list", "return"]);
            w.command_of(&format!(
                "for each {one}, {show} {its} {said} and the {other_said} of {its} {role}{tail}"
            ))
        }
    };
    Some(Draft { text, query })
}

pub(super) fn of_named(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|_, one, _| one.name.is_some())?;
    if w.chance(0.3) {
        return belonging(w, &related);
    }
    let (condition, modifier) = w.of_named_row(&related)?;
    w.list_many(&related, condition, modifier)
}

/// What a named row has, asked for as its own: `Nora Hale's books`, `which books did she write`.
fn belonging<'d>(w: &mut Writer<'d>, related: &Related<'d>) -> Option<Draft> {
    let naming = related.one.naming()?;
    let value = w.value(related.one, naming)?;
    let (called, nouns) = (w.called(related.one, &value.text), w.nouns(related.many));
    let rest = w.choose(&related.relation.how_many).cloned();
    let (shown, text) = match (related.many.naming(), rest) {
        (Some(own), Some(rest)) if w.chance(0.6) => {
            let which = w.pick(&["which", "what"]);
            let text = format!("{which} {nouns} {}", rest.replace("{}", &called));
            (vec![own], w.question(&text))
        }
        _ if related.one.person => {
            let shown = w.column(related.many, |_| true)?;
            let said = plural_column(&w.say(shown));
            let text = w.request(&format!("the {said} of {called}'s {nouns}"), Number::Plural);
            (vec![shown], text)
        }
        _ => return None,
    };
    let (query, slot) = related.query();
    let mut query = query
        .select(selected(&shown, slot))
        .and(Writer::is_called(naming, 0, value));
    query.distinct = related.relation.on.len() > 1;
    Some(Draft { text, query })
}

pub(super) fn of_restricted(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|_, _, _| true)?;
    let (condition, modifier) = w.of_restricted_rows(&related)?;
    w.list_many(&related, condition, modifier)
}

pub(super) fn with_restricted(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|_, one, _| one.name.is_some())?;
    let (mut query, slot) = related.query();
    let restriction = w.restriction(related.many, slot)?;
    let some = w.some(related.many, &[restriction.modifier]);
    let modifier = w.having(&related, &some)?;
    let shown = w.shown(related.one, None)?;
    query = query.select(selected(&shown, 0)).and(restriction.condition);
    Some(Draft {
        text: w.ask_columns(related.one, &shown, &[modifier], ""),
        query: query.distinct(),
    })
}

pub(super) fn with_extreme(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, one, _| one.name.is_some() && it.on.len() == 1)?;
    let by = w.column(related.many, |it| it.kind.is_ordered())?;
    let extreme = w.extreme();
    let (query, slot) = related.query();
    let phrase = format!("the {}", w.superlative(related.many, by, extreme, &[]));
    let naming = related.one.naming()?;
    let asked = if w.chance(0.7) {
        naming
    } else {
        w.column(related.one, |_| true)?
    };
    let have = singular_verb(&w.choose(&related.relation.have)?.replace("{}", &phrase));
    let noun = w.noun(related.one);
    let text = if asked.column == naming.column && w.chance(0.7) {
        match w.rng.random_range(0..4) {
            0 if related.one.person => w.question(&format!("who {have}")),
            1 if !related.relation.role.is_empty() => {
                let role = w.choose(&related.relation.role)?.clone();
                let who = if related.one.person { "who" } else { "what" };
                w.question(&format!("{who} is the {role} of {phrase}"))
            }
            _ => w.question(&format!("which {noun} {have}")),
        }
    } else {
        let said = w.say(asked);
        ask_of_one(w, &related, &format!("the {said} of the {noun}"), &have)
    };
    Some(Draft {
        text,
        query: query
            .select(selected(&[asked], 0))
            .order_by(col(slot, &by.column), extreme.first())
            .limit(1),
    })
}

pub(super) fn two_steps(w: &mut Writer<'_>) -> Option<Draft> {
    let first = w.relation(|_, _, _| true)?;
    let second = w.relation(|it, _, _| it.one == first.relation.many)?;
    let tables: Vec<&str> = std::iter::once(first.relation.one.as_str())
        .chain(first.relation.joins().map(|it| it.1))
        .chain(second.relation.joins().map(|it| it.1))
        .collect();
    let repeats = (1..tables.len()).any(|index| tables[..index].contains(&tables[index]));
    if repeats || tables.len() > 4 {
        return None;
    }
    let (mut query, middle) = first.query();
    let mut last = middle;
    for (left, table, right) in second.relation.joins() {
        last = query.join(column(last, left), table, right);
    }
    if w.chance(0.5) {
        let naming = first.one.naming()?;
        let (condition, inner) = match second.many.naming() {
            Some(named) if w.chance(0.5) => {
                let value = w.value(second.many, named)?;
                let called = w.called(second.many, &value.text);
                (Writer::is_called(named, last, value), called)
            }
            _ => {
                let restriction = w.restriction(second.many, last)?;
                let some = w.many(second.many, &[restriction.modifier]);
                (restriction.condition, some)
            }
        };
        let inner = w.having(&second, &inner)?;
        let some = w.some(first.many, &[inner]);
        let modifier = w.having(&first, &some)?;
        return Some(Draft {
            text: w.ask_columns(first.one, &[naming], &[modifier], ""),
            query: query
                .select(selected(&[naming], 0))
                .and(condition)
                .distinct(),
        });
    }
    let (condition, modifier) = if first.one.name.is_some() && w.chance(0.4) {
        w.of_named_row(&first)?
    } else {
        w.of_restricted_rows(&first)?
    };
    let middle = w.many(first.many, &[modifier]);
    let modifier = w.of(&second, &middle)?;
    if w.chance(0.35) && second.relation.on.len() == 1 {
        return Some(Draft {
            text: w.ask_count(second.many, &[modifier]),
            query: query.select(vec![Expr::Count]).and(condition),
        });
    }
    let shown = w.shown(second.many, None)?;
    query = query.select(selected(&shown, last)).and(condition);
    query.distinct = first.relation.on.len() + second.relation.on.len() > 2;
    Some(Draft {
        text: w.ask_columns(second.many, &shown, &[modifier], ""),
        query,
    })
}

pub(super) fn greater_than_owner(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, one, many| one.table == many.table && !it.role.is_empty())?;
    let naming = related.many.naming()?;
    let measure = w.column(related.many, |it| it.kind.is_ordered())?;
    let role = w.choose(&related.relation.role)?.clone();
    let (operator, own) = if w.chance(0.6) {
        (">", &measure.more)
    } else {
        ("<", &measure.less)
    };
    let plain: Vec<&String> = own.iter().filter(|it| it.ends_with(" {}")).collect();
    let clause = w.choose(&plain)?.replace("{}", &format!("their {role}"));
    let (mut query, slot) = related.query();
    query = query
        .select(selected(&[naming], slot))
        .and(Condition::Compare(
            col(slot, &measure.column),
            operator,
            Operand::Column(column(0, &measure.column)),
        ));
    Some(Draft {
        text: w.ask_columns(
            related.many,
            &[naming],
            &[Modifier::from_clause(clause)],
            "",
        ),
        query,
    })
}

impl<'d> Writer<'d> {
    /// A list of the `many` of a relation whose `one` fulfils a condition.
    fn list_many(
        &mut self,
        related: &Related<'d>,
        condition: Condition,
        modifier: Modifier,
    ) -> Option<Draft> {
        let shown = self.shown(related.many, None)?;
        let (query, slot) = related.query();
        let mut query = query.select(selected(&shown, slot)).and(condition);
        query.distinct = related.relation.on.len() > 1;
        Some(Draft {
            text: self.ask_columns(related.many, &shown, &[modifier], ""),
            query,
        })
    }

    /// `written by Nora Hale`.
    pub(super) fn of_named_row(&mut self, related: &Related<'d>) -> Option<(Condition, Modifier)> {
        let naming = related.one.naming()?;
        let value = self.value(related.one, naming)?;
        let called = self.called(related.one, &value.text);
        let modifier = self.of(related, &called)?;
        Some((Writer::is_called(naming, 0, value), modifier))
    }

    /// `written by Irish authors`.
    pub(super) fn of_restricted_rows(
        &mut self,
        related: &Related<'d>,
    ) -> Option<(Condition, Modifier)> {
        let restriction = self.restriction(related.one, 0)?;
        let phrase = self.many(related.one, &[restriction.modifier]);
        let modifier = self.of(related, &phrase)?;
        Some((restriction.condition, modifier))
    }

    /// The modifier of `many` that a noun phrase of `one` makes.
    pub(super) fn of(&mut self, related: &Related<'_>, phrase: &str) -> Option<Modifier> {
        let of = self.choose(&related.relation.of)?.replace("{}", phrase);
        let predicate = of.strip_prefix("who ").or(of.strip_prefix("that "));
        Some(Modifier {
            clause: predicate.unwrap_or_default().to_owned(),
            singular: None,
            pre: None,
            post: Some(of),
            noun: None,
        })
    }

    /// The modifier of `one` that a noun phrase of `many` makes.
    pub(super) fn having(&mut self, related: &Related<'_>, phrase: &str) -> Option<Modifier> {
        let have = self.choose(&related.relation.have)?;
        if have.ends_with(" at {}") && phrase.starts_with("at ") {
            return None;
        }
        Some(Modifier::from_clause(have.replace("{}", phrase)))
    }

    /// Some rows, no matter how many: `a crime book`, `crime books`.
    pub(super) fn some(&mut self, entity: &Entity, modifiers: &[Modifier]) -> String {
        match self.rng.random_range(0..5) {
            0 => format!("at least one {}", self.one(entity, modifiers)),
            1 | 2 => with_article(&self.one(entity, modifiers)),
            _ => self.many(entity, modifiers),
        }
    }

    /// `a book`.
    pub(super) fn noun_with_article(&mut self, entity: &Entity) -> String {
        with_article(&self.noun(entity))
    }
}

/// Asks for something of the one thing that has something.
pub(super) fn ask_of_one(
    w: &mut Writer<'_>,
    related: &Related<'_>,
    what: &str,
    have: &str,
) -> String {
    let that = w.relative_pronoun(related.one.person);
    w.request(&format!("{what} {that} {have}"), Number::Singular)
}
