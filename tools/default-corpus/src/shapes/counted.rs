//! Questions that count or sum up what belongs to a row of another table.

use rand::RngExt;

use super::joined::ask_of_one;
use super::single::{selected, selected_and};
use crate::english::{count_word, plural, singular_verb};
use crate::phrases::plural_column;
use crate::query::{Direction, Expr, Query, column, compare};
use crate::words::{Entity, Kind};
use crate::writer::{Draft, Extreme, Number, Writer};

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
            .and(Writer::is_called(naming, 0, value)),
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
            .select(selected_and(&[naming], 0, Expr::Count))
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
            .select(selected_and(
                &[naming],
                0,
                Expr::Aggregate(aggregate, column(slot, &measure.column)),
            ))
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
        let k = count_word(limit, &mut w.rng);
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
            .select(selected(&[asked], 0))
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
            .select(selected(&[naming], 0))
            .group_by(column(0, &related.one.key))
            .order_by(Expr::Count, direction),
    })
}

fn has_measure(entity: &Entity) -> bool {
    entity.columns.iter().any(|it| it.kind == Kind::Number)
}
