//! Questions that follow a relation from one table to another.

use rand::RngExt;

use super::single::selected;
use crate::corpus::default::english::{plural, singular_verb, with_article};
use crate::corpus::default::phrases::plural_column;
use crate::corpus::default::query::{
    Condition, Direction, Expr, Operand, Query, col, column, compare,
};
use crate::corpus::default::words::{ColumnWords, Entity, Kind};
use crate::corpus::default::writer::{Draft, Extreme, Modifier, Number, Related, Writer};

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
    query = query.select(vec![col(slot, &own.column), col(0, &other.column)]);
    let mut tail = String::new();
    if arrangement == Arrangement::Ordered {
        let by = w.column(related.many, |it| it.kind.is_ordered())?;
        let (direction, words) = w.order_tail(by);
        query = query.order_by(col(slot, &by.column), direction);
        tail = words;
    }
    let (one, many) = (w.one(related.many, &[]), w.many(related.many, &[]));
    let its = if related.many.person { "their" } else { "its" };
    let text = match w.rng.random_range(0..5) {
        0 if is_both_named => w.command(&format!("each {one} with {its} {role}{tail}")),
        1 if is_both_named => w.command(&format!(
            "all {many} together with their {}{tail}",
            plural(&role)
        )),
        0 | 2 => {
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
    let (condition, modifier) = w.of_named_row(&related)?;
    w.list_many(&related, condition, modifier)
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
            .select(vec![col(0, &asked.column)])
            .order_by(col(slot, &by.column), extreme.first())
            .limit(1),
    })
}

pub(super) fn count_of_named(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, one, _| one.name.is_some() && !it.repeats)?;
    let naming = related.one.naming()?;
    let value = w.value(related.one, naming)?;
    let called = w.called(related.one, &value.text);
    let text = match w.choose(&related.relation.how_many).cloned() {
        Some(rest) if w.chance(0.6) => {
            let nouns = w.nouns(related.many);
            w.question(&format!("how many {nouns} {}", rest.replace("{}", &called)))
        }
        _ => {
            let modifier = w.of(&related, &called)?;
            w.ask_count(related.many, &[modifier])
        }
    };
    Some(Draft {
        text,
        query: related
            .counting_query()
            .select(vec![Expr::Count])
            .and(compare(col(0, &naming.column), "=", &value.sql)),
    })
}

pub(super) fn count_of_restricted(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, _, _| it.on.len() == 1)?;
    let (condition, modifier) = w.of_restricted_rows(&related)?;
    Some(Draft {
        text: w.ask_count(related.many, &[modifier]),
        query: related
            .counting_query()
            .select(vec![Expr::Count])
            .and(condition),
    })
}

pub(super) fn count_with_any(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|_, _, _| true)?;
    let some = match w.rng.random_range(0..3) {
        0 => format!("any {}", w.nouns(related.many)),
        1 => format!("at least one {}", w.noun(related.many)),
        _ => w.noun_with_article(related.many),
    };
    let modifier = w.having(&related, &some)?;
    let (table, reference) = related.referring()?;
    Some(Draft {
        text: w.ask_count(related.one, &[modifier]),
        query: Query::over(table).select(vec![Expr::CountDistinct(column(0, reference))]),
    })
}

pub(super) fn aggregate_of_named(w: &mut Writer<'_>) -> Option<Draft> {
    let related =
        w.relation(|it, one, many| one.name.is_some() && has_measure(many) && !it.repeats)?;
    let measure = w.column_of(related.many, Kind::Number)?;
    let aggregate = w.aggregate(measure);
    let (condition, modifier) = if w.chance(0.65) {
        w.of_named_row(&related)?
    } else {
        w.of_restricted_rows(&related)?
    };
    let (query, slot) = related.query();
    Some(Draft {
        text: w.ask_aggregate(related.many, measure, aggregate, &[modifier]),
        query: query
            .select(vec![Expr::Aggregate(
                aggregate,
                column(slot, &measure.column),
            )])
            .and(condition),
    })
}

pub(super) fn count_for_each(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, one, _| one.name.is_some() && !it.repeats)?;
    let naming = related.one.naming()?;
    let (one, nouns) = (w.one(related.one, &[]), w.nouns(related.many));
    let each = format!("each {one}");
    let text = match (
        w.choose(&related.relation.how_many).cloned(),
        w.rng.random_range(0..6),
    ) {
        (Some(rest), 0..3) => {
            let question = format!("how many {nouns} {}", rest.replace("{}", &each));
            let more = if question.ends_with(" in") {
                ""
            } else {
                w.pick(&["", "", " in total"])
            };
            w.question(&format!("{question}{more}"))
        }
        (_, 3) => {
            let modifier = w.of(&related, &each)?;
            let post = modifier.post?;
            w.request(&format!("the number of {nouns} {post}"), Number::Singular)
        }
        (_, 4 | 5) if related.relation.is_one_of_several => return None,
        (_, 4) => {
            let (ones, said) = (w.many(related.one, &[]), plural_column(&w.say(naming)));
            let have = w.pick(&["each has", "each of them has", "they have"]);
            let is_having = related.relation.have.iter().any(|it| it == "have {}");
            let tail = if is_having {
                format!(" {have}")
            } else {
                " for each".into()
            };
            w.request(
                &format!("the {said} of the {ones} and the number of {nouns}{tail}"),
                Number::Plural,
            )
        }
        _ => {
            let said = w.say(naming);
            let show = w.pick(&["show", "list", "give", "return"]);
            let its = if related.one.person { "their" } else { "its" };
            w.command_of(&format!(
                "for {each}, {show} {its} {said} and the number of {nouns}"
            ))
        }
    };
    Some(Draft {
        text,
        query: related
            .counting_query()
            .select(vec![col(0, &naming.column), Expr::Count])
            .group_by(column(0, &related.one.key)),
    })
}

pub(super) fn aggregate_for_each(w: &mut Writer<'_>) -> Option<Draft> {
    let related =
        w.relation(|it, one, many| one.name.is_some() && has_measure(many) && !it.repeats)?;
    let naming = related.one.naming()?;
    let measure = w.column_of(related.many, Kind::Number)?;
    let aggregate = w.aggregate(measure);
    let (word, say) = (w.aggregate_word(measure, aggregate), w.say(measure));
    let each = format!("each {}", w.one(related.one, &[]));
    let nouns = w.nouns(related.many);
    let text = match w.rng.random_range(0..4) {
        0 | 1 if related.relation.is_one_of_several => return None,
        0 => w.question(&format!(
            "for {each}, what is the {word} {say} of the {nouns}"
        )),
        1 => {
            let (ones, said) = (w.many(related.one, &[]), plural_column(&w.say(naming)));
            w.command(&format!(
                "the {said} of {ones} with the {word} {say} of their {nouns}"
            ))
        }
        _ => {
            let modifier = w.of(&related, &each)?;
            let post = modifier.post?;
            w.request(
                &format!("the {word} {say} of {nouns} {post}"),
                Number::Singular,
            )
        }
    };
    let (query, slot) = related.query();
    Some(Draft {
        text,
        query: query
            .select(vec![
                col(0, &naming.column),
                Expr::Aggregate(aggregate, column(slot, &measure.column)),
            ])
            .group_by(column(0, &related.one.key)),
    })
}

pub(super) fn having_count(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, one, _| one.name.is_some() && !it.repeats)?;
    let (operator, number, amount) = w.amount();
    let noun = w.counted(related.many, number);
    let modifier = w.having(&related, &format!("{amount} {noun}"))?;
    let shown = w.shown(related.one, None)?;
    Some(Draft {
        text: w.ask_columns(related.one, &shown, &[modifier], ""),
        query: related
            .counting_query()
            .select(selected(&shown, 0))
            .group_by(column(0, &related.one.key))
            .having(compare(Expr::Count, operator, number.to_string())),
    })
}

pub(super) fn with_most(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, one, _| one.name.is_some() && !it.repeats)?;
    let naming = related.one.naming()?;
    let extreme = w.extreme();
    let limit = if w.chance(0.25) {
        w.rng.random_range(2..5)
    } else {
        1
    };
    let most = match extreme {
        Extreme::Most => w.pick(&[
            "the most",
            "the most",
            "the largest number of",
            "the highest number of",
        ]),
        Extreme::Least => w.pick(&["the fewest", "the fewest", "the smallest number of"]),
    };
    let object = format!("{most} {}", w.nouns(related.many));
    let asked = if w.chance(0.75) {
        naming
    } else {
        w.column(related.one, |_| true)?
    };
    let have = w.choose(&related.relation.have)?.replace("{}", &object);
    let (noun, said) = (w.noun(related.one), w.say(asked));
    let is_name = asked.column == naming.column;
    let text = if limit > 1 {
        let k = crate::corpus::default::english::count_word(limit, &mut w.rng);
        let (nouns, said) = (plural(&noun), plural_column(&said));
        let that = w.relative_pronoun(related.one.person);
        if is_name && w.chance(0.5) {
            w.question(&format!("which {k} {nouns} {have}"))
        } else {
            w.request(
                &format!("the {said} of the {k} {nouns} {that} {have}"),
                Number::Plural,
            )
        }
    } else {
        let have = singular_verb(&have);
        match w.rng.random_range(0..5) {
            0 if is_name && related.one.person => w.question(&format!("who {have}")),
            0..3 if is_name => w.question(&format!("which {noun} {have}")),
            3 if !related.relation.is_one_of_several => w.request(
                &format!("the {said} of the {noun} with {object}"),
                Number::Singular,
            ),
            _ => ask_of_one(w, &related, &format!("the {said} of the {noun}"), &have),
        }
    };
    Some(Draft {
        text,
        query: related
            .counting_query()
            .select(vec![col(0, &asked.column)])
            .group_by(column(0, &related.one.key))
            .order_by(Expr::Count, extreme.first())
            .limit(limit),
    })
}

pub(super) fn ordered_by_count(w: &mut Writer<'_>) -> Option<Draft> {
    let related =
        w.relation(|it, one, _| one.name.is_some() && !it.repeats && !it.is_one_of_several)?;
    let naming = related.one.naming()?;
    let direction = w.pick(&[
        Direction::Descending,
        Direction::Descending,
        Direction::Ascending,
    ]);
    let (ones, nouns) = (w.many(related.one, &[]), w.nouns(related.many));
    let said = plural_column(&w.say(naming));
    let listed = if w.chance(0.5) {
        format!("the {ones}")
    } else {
        format!("the {said} of the {ones}")
    };
    let order = match (direction, w.rng.random_range(0..3)) {
        (Direction::Descending, 0) => format!("in descending order of their number of {nouns}"),
        (Direction::Descending, 1) => format!("by the number of their {nouns}, highest first"),
        (Direction::Descending, _) => format!("starting with the one with the most {nouns}"),
        (Direction::Ascending, 0) => format!("in ascending order of their number of {nouns}"),
        (Direction::Ascending, 1) => format!("sorted by their number of {nouns}"),
        (Direction::Ascending, _) => format!("starting with the one with the fewest {nouns}"),
    };
    let comma = if order.starts_with("starting") {
        ", "
    } else {
        " "
    };
    let object = format!("{listed}{comma}{order}");
    Some(Draft {
        text: w.command(&object),
        query: related
            .counting_query()
            .select(vec![col(0, &naming.column)])
            .group_by(column(0, &related.one.key))
            .order_by(Expr::Count, direction),
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
                (compare(col(last, &named.column), "=", &value.sql), called)
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
                .select(vec![col(0, &naming.column)])
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
        .select(vec![col(slot, &naming.column)])
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
    fn of_named_row(&mut self, related: &Related<'d>) -> Option<(Condition, Modifier)> {
        let naming = related.one.naming()?;
        let value = self.value(related.one, naming)?;
        let called = self.called(related.one, &value.text);
        let modifier = self.of(related, &called)?;
        Some((compare(col(0, &naming.column), "=", &value.sql), modifier))
    }

    /// `written by Irish authors`.
    fn of_restricted_rows(&mut self, related: &Related<'d>) -> Option<(Condition, Modifier)> {
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
fn ask_of_one(w: &mut Writer<'_>, related: &Related<'_>, what: &str, have: &str) -> String {
    let that = w.relative_pronoun(related.one.person);
    w.request(&format!("{what} {that} {have}"), Number::Singular)
}

fn has_measure(entity: &Entity) -> bool {
    entity
        .columns
        .iter()
        .any(|it: &ColumnWords| it.kind == Kind::Number)
}
