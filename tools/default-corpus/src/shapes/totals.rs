//! Questions that count with an order or a bound, count nothing as zero, or add up products.

use rand::RngExt;

use super::single::{selected, selected_and};
use crate::english::{self, Mood, plural};
use crate::phrases::plural_column;
use crate::query::{Direction, Expr, Query, column, compare};
use crate::words::Kind;
use crate::writer::{Draft, Number, Writer};

/// `How many books has each author written, including those with none?`
pub(super) fn count_with_zero(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, one, _| {
        one.name.is_some() && !it.repeats && it.on.len() == 1 && it.one != it.many
    })?;
    let naming = related.one.naming()?;
    let (one, ones) = (w.noun(related.one), w.nouns(related.one));
    let nouns = w.nouns(related.many);
    let none = w.pick(&[
        "including those with none",
        "even those with none",
        "including the ones without any",
        "counting zero for those without",
        "also the ones that have none",
    ]);
    let text = match w.choose(&related.relation.how_many).cloned() {
        Some(rest) if w.chance(0.4) => {
            let rest = rest.replace("{}", &format!("each {one}"));
            w.question(&format!("how many {nouns} {rest}, {none}"))
        }
        _ if w.chance(0.5) => w.request(
            &format!("the number of {nouns} of every {one}, {none}"),
            Number::Singular,
        ),
        _ => w.command(&format!("all {ones} with their number of {nouns}, {none}")),
    };
    let (_, reference) = related.referring()?;
    Some(Draft {
        text,
        query: related
            .counting_query()
            .keep_unmatched()
            .select(selected_and(
                &[naming],
                0,
                Expr::CountOf(column(1, reference)),
            ))
            .group_by(column(0, &related.one.key)),
    })
}

/// Those with a number of something, the number beside them or the most first.
pub(super) fn having_told(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, one, _| one.name.is_some() && !it.repeats)?;
    let naming = related.one.naming()?;
    let (operator, number, amount) = w.amount();
    let noun = w.counted(related.many, number);
    let modifier = w.having(&related, &format!("{amount} {noun}"))?;
    let phrase = w.many(related.one, std::slice::from_ref(&modifier));
    let nouns = plural(&w.noun(related.one));
    let query = related
        .counting_query()
        .group_by(column(0, &related.one.key))
        .having(compare(Expr::Count, operator, number.to_string()));
    if w.chance(0.5) {
        let tail = w.pick(&[
            "and how many is it for each",
            "and how many are there for each of them",
            "with the number for each",
            "and the number for each",
            "and how many exactly",
        ]);
        let clause = &modifier.clause;
        let text = match w.rng.random_range(0..3) {
            0 => w.question(&format!("which {nouns} {clause}, {tail}")),
            1 => w.command(&format!("the {phrase}, {tail}")),
            _ => {
                let said = plural_column(&w.say(naming));
                w.request(
                    &format!("the {said} of the {phrase}, {tail}"),
                    Number::Plural,
                )
            }
        };
        let select = selected_and(&[naming], 0, Expr::Count);
        return Some(Draft {
            text,
            query: query.select(select),
        });
    }
    let (direction, tail) = if w.chance(0.7) {
        (
            Direction::Descending,
            w.pick(&[
                "most first",
                "the most first",
                "highest number first",
                "busiest first",
            ]),
        )
    } else {
        (
            Direction::Ascending,
            w.pick(&["fewest first", "the fewest first", "lowest number first"]),
        )
    };
    Some(Draft {
        text: w.command(&format!("the {phrase}, {tail}")),
        query: query
            .select(selected(&[naming], 0))
            .order_by(Expr::Count, direction),
    })
}

/// A sum for a row known by its name, asked for as if it were the row's own: `How many copies has
/// Red Lantern sold overall?`
pub(super) fn sum_of_named(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, one, many| {
        one.name.is_some() && !it.repeats && many.columns.iter().any(|it| it.sum)
    })?;
    let naming = related.one.naming()?;
    let measure = w.column(related.many, |it| it.sum && it.kind == Kind::Number)?;
    let value = w.value(related.one, naming)?;
    let (called, say) = (w.called(related.one, &value.text), w.say(measure));
    let nouns = w.nouns(related.many);
    let total = w.pick(&[
        "in total",
        "altogether",
        "overall",
        "in all",
        "all together",
    ]);
    let how = measure.ask.iter().find(|it| it.starts_with("How many"));
    let is_money = ["cost", "price", "fee", "fare", "amount", "tip"]
        .iter()
        .any(|it| measure.say[0].ends_with(it));
    let text = match (how, w.rng.random_range(0..5)) {
        (Some(how), 0 | 1) => w.question(&format!("{} {total}", how.replace("{}", &called))),
        (_, 0 | 1) if is_money && related.one.person => {
            let pay = w.pick(&[
                "how much did {} pay for {nouns}",
                "how much has {} paid for {nouns}",
                "what did {}'s {nouns} cost",
                "how much money have {}'s {nouns} made",
                "how much has {} spent on {nouns}",
            ]);
            let pay = pay.replace("{nouns}", &nouns).replace("{}", &called);
            w.question(&format!("{pay} {total}"))
        }
        (_, 0) => {
            let verb = w.pick(&["come to", "add up to", "amount to"]);
            w.question(&format!(
                "how much do the {nouns} of {called} {verb} {total}"
            ))
        }
        (_, 1 | 2) => w.question(&format!(
            "what is {called}'s {say} {total}, over all {nouns}"
        )),
        (_, 3) => w.question(&format!(
            "what do all {nouns} of {called} add up to in {say}"
        )),
        _ => w.request(
            &format!("the total {say} over all {nouns} of {called}"),
            Number::Singular,
        ),
    };
    let (query, slot) = related.query();
    let sum = Expr::Aggregate(crate::query::Aggregate::Sum, column(slot, &measure.column));
    Some(Draft {
        text,
        query: query
            .select(vec![sum])
            .and(Writer::is_called(naming, 0, value)),
    })
}

/// An aggregate for each `one`, in short: `total sales per band`.
pub(super) fn aggregate_per(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, one, many| {
        one.name.is_some()
            && !it.repeats
            && !it.is_one_of_several
            && many.columns.iter().any(|it| it.kind == Kind::Number)
    })?;
    let naming = related.one.naming()?;
    let measure = w.column_of(related.many, Kind::Number)?;
    let aggregate = w.aggregate(measure);
    let (word, say) = (w.aggregate_word(measure, aggregate), w.say(measure));
    let (one, said, nouns) = (w.noun(related.one), w.say(naming), w.nouns(related.many));
    let per = w.pick(&["per", "for each", "by", "for every", "of every", "in every"]);
    let named = w
        .pick(
            &[
                String::new(),
                format!(", with the {one}'s {said}"),
                format!(", and show the {said} of the {one}"),
                format!(", together with its {said}"),
            ]
            .each_ref()
            .map(String::as_str),
        )
        .to_owned();
    let its = if related.one.person { "their" } else { "its" };
    let text = match w.rng.random_range(0..6) {
        0 => english::sentence(&format!("{word} {say} {per} {one}"), Mood::Note, &mut w.rng),
        1 | 2 => w.command(&format!("the {word} {say} {per} {one}{named}")),
        3 => w.command_of(&format!(
            "for every {one}, give {its} {said} and the {word} {say} of {its} {nouns}"
        )),
        4 => w.request(
            &format!("the {word} {say} of the {nouns} {per} {one}"),
            Number::Singular,
        ),
        _ => english::capitalised(&format!(
            "what is the {word} {say} of each {one}? include the {said}."
        )),
    };
    let (query, slot) = related.query();
    let value = Expr::Aggregate(aggregate, column(slot, &measure.column));
    Some(Draft {
        text,
        query: query
            .select(selected_and(&[naming], 0, value))
            .group_by(column(0, &related.one.key)),
    })
}

/// Products added up: the revenue, of all or of each.
pub(super) fn product(w: &mut Writer<'_>) -> Option<Draft> {
    let words = w.choose(&w.domain.words.products)?;
    let entity = w.domain.words.entity(&words.table)?;
    let say = w.choose(&words.say)?.clone();
    let sum = |slot| Expr::SumOfProducts(column(slot, &words.left), column(slot, &words.right));
    if w.chance(0.2) {
        let nouns = w.nouns(entity);
        let all = w.pick(&["", " overall", " of all {}", " in total"]);
        let object = format!("the {say}{}", all.replace("{}", &nouns));
        return Some(Draft {
            text: w.request(&object, Number::Singular),
            query: Query::over(&entity.table).select(vec![sum(0)]),
        });
    }
    let related =
        w.relation(|it, one, _| it.many == words.table && words.ones.contains(&one.table))?;
    let naming = related.one.naming()?;
    let one = w.noun(related.one);
    let (query, slot) = related.query();
    if w.chance(0.5) {
        let value = w.value(related.one, naming)?;
        let called = w.called(related.one, &value.text);
        let of = w.pick(&["of", "from", "with", "for"]);
        return Some(Draft {
            text: w.request(&format!("the {say} {of} {called}"), Number::Singular),
            query: query
                .select(vec![sum(slot)])
                .and(Writer::is_called(naming, 0, value)),
        });
    }
    let query = query.group_by(column(0, &related.one.key));
    if w.chance(0.5) {
        let per = w.pick(&["per", "for each", "by", "of every"]);
        return Some(Draft {
            text: w.request(&format!("the {say} {per} {one}"), Number::Singular),
            query: query.select(selected_and(&[naming], 0, sum(slot))),
        });
    }
    let extreme = w.extreme();
    let word = w.extreme_word(naming, extreme);
    Some(Draft {
        text: w.question(&format!("which {one} has the {word} {say}")),
        query: query
            .select(selected(&[naming], 0))
            .order_by(sum(slot), extreme.first())
            .limit(1),
    })
}
