//! Questions about one table.

use rand::RngExt;

use crate::english::{self, count_word};
use crate::phrases::plural_column;
use crate::query::{Aggregate, Expr, Query, col, column};
use crate::restrictions::fill;
use crate::words::{ColumnWords, Entity, Kind};
use crate::writer::{Draft, Extreme, Modifier, Number, Writer};

pub(super) fn columns(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity(|_| true)?;
    let shown = w.shown(entity, None)?;
    Some(Draft {
        text: w.ask_columns(entity, &shown, &[], ""),
        query: Query::over(&entity.table).select(selected(&shown, 0)),
    })
}

pub(super) fn everything(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity(|_| true)?;
    let restriction = if w.chance(0.6) {
        w.restriction(entity, 0)
    } else {
        None
    };
    let modifiers: Vec<Modifier> = restriction.iter().map(|it| it.modifier.clone()).collect();
    let phrase = w.many(entity, &modifiers);
    let object = w.pick(&[
        "all the information about",
        "everything about",
        "all details of",
        "every detail of",
        "the full records of",
        "all we know about",
        "all columns for",
        "everything we know about",
        "everything there is on",
        "whatever we have about",
        "the complete data on",
    ]);
    Some(Draft {
        text: w.command(&format!("{object} {phrase}")),
        query: Query::over(&entity.table)
            .select(vec![Expr::Star])
            .and_maybe(restriction.map(|it| it.condition)),
    })
}

pub(super) fn distinct_values(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity_with(Kind::Category)?;
    let category = w.column_of(entity, Kind::Category)?;
    let (say, phrase) = (plural_column(&w.say(category)), w.many(entity, &[]));
    let different = w.pick(&["different", "distinct", "unique", "various"]);
    let text = match w.rng.random_range(0..8) {
        4 => w.question(&format!("what {say} are there")),
        5 => w.question(&format!("which {say} do we have among our {phrase}")),
        6 => w.question(&format!("what {say} of {phrase} are there")),
        7 => w.question(&format!("which {say} do the {phrase} have")),
        0 => w.question(&format!("what different {say} do the {phrase} have")),
        1 => w.command(&format!("the {say} of the {phrase} without repetition")),
        2 => w.request(
            &format!("the {different} {say} of {phrase}"),
            Number::Plural,
        ),
        _ => w.request(
            &format!("all {different} {say} among the {phrase}"),
            Number::Plural,
        ),
    };
    let query = Query::over(&entity.table).select(vec![col(0, &category.column)]);
    Some(Draft {
        text: text.replace("What are all", "What are the"),
        query: query.distinct(),
    })
}

pub(super) fn value_of_named(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.named_entity()?;
    let naming = entity.naming()?;
    let asked = w.column(entity, |it| it.column != naming.column)?;
    let value = w.value(entity, naming)?;
    let text = match w.choose(&asked.ask).cloned() {
        Some(ask) if w.chance(0.7) => {
            let name = match naming.say[0].as_str() {
                "title" if w.chance(0.4) => format!("'{}'", value.text),
                _ => value.text.clone(),
            };
            w.question(&fill(&ask, &name))
        }
        _ => {
            let (say, called) = (w.say(asked), w.called(entity, &value.text));
            let object = if entity.person && w.chance(0.3) {
                format!("{called}'s {say}")
            } else {
                format!("the {say} of {called}")
            };
            w.request(&object, Number::Singular)
        }
    };
    let query = Query::over(&entity.table)
        .select(selected(&[asked], 0))
        .and(Writer::is_called(naming, 0, value));
    Some(Draft { text, query })
}

pub(super) fn count_all(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity(|_| true)?;
    let where_ = w.pick(&["", "", " in the database", " in total", " on record"]);
    let text = if w.chance(0.35) {
        let phrase = w.many(entity, &[]);
        let known = w.pick(&[
            "are on file",
            "are in the system",
            "do we know of",
            "are in our records",
            "do we have on record",
            "are known to us",
            "are we dealing with",
            "do we have in total",
            "are there altogether",
            "have we got",
        ]);
        w.question(&format!("how many {phrase} {known}"))
    } else if w.chance(0.5) {
        let phrase = w.many(entity, &[]);
        let are = w.pick(&["are there", "are there", "exist"]);
        w.question(&format!("how many {phrase} {are}{where_}"))
    } else {
        w.ask_count(entity, &[])
    };
    Some(Draft {
        text,
        query: Query::over(&entity.table).select(vec![Expr::Count]),
    })
}

pub(super) fn count_distinct(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity_with(Kind::Category)?;
    let category = w.column_of(entity, Kind::Category)?;
    let (say, phrase) = (plural_column(&w.say(category)), w.many(entity, &[]));
    let different = w.pick(&["different", "distinct", "unique"]);
    let text = match w.rng.random_range(0..6) {
        4 => w.question(&format!("how many {different} {say} are there")),
        5 => w.question(&format!(
            "how many {different} {say} do we have among our {phrase}"
        )),
        0 => w.question(&format!("how many {different} {say} do the {phrase} have")),
        1 => w.question(&format!(
            "how many {different} {say} are there among the {phrase}"
        )),
        2 => w.command_of(&format!("count the {different} {say} of the {phrase}")),
        _ => w.request(
            &format!("the number of {different} {say} of {phrase}"),
            Number::Singular,
        ),
    };
    let place = column(0, &category.column);
    Some(Draft {
        text,
        query: Query::over(&entity.table).select(vec![Expr::CountDistinct(place)]),
    })
}

pub(super) fn aggregate_all(w: &mut Writer<'_>) -> Option<Draft> {
    aggregated(w, Scope::AllRows)
}

pub(super) fn aggregate_filter(w: &mut Writer<'_>) -> Option<Draft> {
    aggregated(w, Scope::SomeRows)
}

/// Which rows of the table a question is about.
#[derive(Clone, Copy)]
enum Scope {
    AllRows,
    SomeRows,
}

fn aggregated(w: &mut Writer<'_>, scope: Scope) -> Option<Draft> {
    let entity = w.entity_with(Kind::Number)?;
    let measure = w.column_of(entity, Kind::Number)?;
    let aggregate = w.aggregate(measure);
    let restriction = match scope {
        Scope::AllRows => None,
        Scope::SomeRows => Some(w.other_restriction(entity, 0, &measure.column)?),
    };
    let modifiers: Vec<Modifier> = restriction.iter().map(|it| it.modifier.clone()).collect();
    Some(Draft {
        text: w.ask_aggregate(entity, measure, aggregate, &modifiers),
        query: Query::over(&entity.table)
            .select(vec![Expr::Aggregate(aggregate, column(0, &measure.column))])
            .and_maybe(restriction.map(|it| it.condition)),
    })
}

pub(super) fn aggregate_two(w: &mut Writer<'_>) -> Option<Draft> {
    use Aggregate::{Average, Maximum, Minimum};
    let entity = w.entity_with(Kind::Number)?;
    let measure = w.column_of(entity, Kind::Number)?;
    let asked = w.pick(&[
        &[Minimum, Maximum][..],
        &[Maximum, Minimum],
        &[Average, Maximum],
        &[Minimum, Average, Maximum],
        &[Maximum, Average],
    ]);
    let style = w.rng.clone();
    let words: Vec<String> = asked
        .iter()
        .map(|&it| {
            // The same draws give words of one style: `lowest` and `highest`.
            w.rng = style.clone();
            w.aggregate_word(measure, it).to_owned()
        })
        .collect();
    let restriction = if w.chance(0.4) {
        Some(w.other_restriction(entity, 0, &measure.column)?)
    } else {
        None
    };
    let modifiers: Vec<Modifier> = restriction.iter().map(|it| it.modifier.clone()).collect();
    let (say, all, phrase) = (w.say(measure), w.all(), w.many(entity, &modifiers));
    let text = if words.len() == 2 && w.chance(0.35) {
        let (first, second) = (&words[0], &words[1]);
        let and = w.pick(&["and what is the", "and the", "and what about the"]);
        let of = w.pick(&["of", "among", "for"]);
        w.question(&format!(
            "what is the {first} {say} {of} the {phrase}, {and} {second}"
        ))
    } else {
        let words = english::list(&words, "and");
        w.request(
            &format!("the {words} {say} of {all}{phrase}"),
            Number::Plural,
        )
    };
    Some(Draft {
        text,
        query: Query::over(&entity.table)
            .select(
                asked
                    .iter()
                    .map(|&it| Expr::Aggregate(it, column(0, &measure.column)))
                    .collect(),
            )
            .and_maybe(restriction.map(|it| it.condition)),
    })
}

pub(super) fn difference(w: &mut Writer<'_>) -> Option<Draft> {
    let words = w.choose(&w.domain.words.differences)?;
    let entity = w.domain.words.entity(&words.table)?;
    let value = Expr::Minus(
        Box::new(col(0, &words.left)),
        Box::new(col(0, &words.right)),
    );
    let restriction = if w.chance(0.5) {
        w.restriction(entity, 0)
    } else {
        None
    };
    let modifiers: Vec<Modifier> = restriction.iter().map(|it| it.modifier.clone()).collect();
    let say = w.choose(&words.say)?.clone();
    let query = Query::over(&entity.table).and_maybe(restriction.map(|it| it.condition));
    if w.chance(0.5) {
        let phrase = w.one(entity, &modifiers);
        let each = w.pick(&["each", "every"]);
        return Some(Draft {
            text: w.request(&format!("the {say} of {each} {phrase}"), Number::Singular),
            query: query.select(vec![value]),
        });
    }
    let shown = w.column(entity, |it| {
        it.column != words.left && it.column != words.right
    })?;
    let extreme = w.extreme();
    let largest = match extreme {
        Extreme::Most => w.pick(&["largest", "highest", "greatest"]),
        Extreme::Least => w.pick(&["smallest", "lowest"]),
    };
    let (said, phrase) = (w.say(shown), w.one(entity, &modifiers));
    let with = if modifiers.is_empty() {
        "with"
    } else {
        "and with"
    };
    Some(Draft {
        text: w.request(
            &format!("the {said} of the {phrase} {with} the {largest} {say}"),
            Number::Singular,
        ),
        query: query
            .select(selected(&[shown], 0))
            .order_by(value, extreme.first())
            .limit(1),
    })
}

pub(super) fn order(w: &mut Writer<'_>) -> Option<Draft> {
    ordered(w, Scope::AllRows)
}

pub(super) fn order_filter(w: &mut Writer<'_>) -> Option<Draft> {
    ordered(w, Scope::SomeRows)
}

fn ordered(w: &mut Writer<'_>, scope: Scope) -> Option<Draft> {
    let entity = w.entity(|_| true)?;
    let by = w.column(entity, |it| {
        it.kind.is_ordered() || Some(&it.column) == entity.name.as_ref()
    })?;
    let restriction = match scope {
        Scope::AllRows => None,
        Scope::SomeRows => Some(w.other_restriction(entity, 0, &by.column)?),
    };
    let shown = w.shown(entity, Some(by))?;
    let (direction, tail) = w.order_tail(by);
    let modifiers: Vec<Modifier> = restriction.iter().map(|it| it.modifier.clone()).collect();
    Some(Draft {
        text: w.ask_columns(entity, &shown, &modifiers, &tail),
        query: Query::over(&entity.table)
            .select(selected(&shown, 0))
            .and_maybe(restriction.map(|it| it.condition))
            .order_by(col(0, &by.column), direction),
    })
}

pub(super) fn superlative(w: &mut Writer<'_>) -> Option<Draft> {
    extreme_row(w, Scope::AllRows)
}

pub(super) fn superlative_filter(w: &mut Writer<'_>) -> Option<Draft> {
    extreme_row(w, Scope::SomeRows)
}

fn extreme_row(w: &mut Writer<'_>, scope: Scope) -> Option<Draft> {
    let entity = w.entity(|it| it.columns.iter().any(|it| it.kind.is_ordered()))?;
    let by = w.column(entity, |it| it.kind.is_ordered())?;
    let restriction = match scope {
        Scope::AllRows => None,
        Scope::SomeRows => Some(w.other_restriction(entity, 0, &by.column)?),
    };
    let extreme = w.extreme();
    let shown: Vec<&ColumnWords> = w
        .shown(entity, None)?
        .into_iter()
        .filter(|it| it.column != by.column)
        .collect();
    let shown: Vec<&ColumnWords> = shown
        .into_iter()
        .filter(|it| {
            restriction
                .as_ref()
                .is_none_or(|known| known.about != it.column)
        })
        .collect();
    let is_name = |it: &ColumnWords| Some(&it.column) == entity.name.as_ref();
    if shown.is_empty() {
        return None;
    }
    let modifiers: Vec<Modifier> = restriction.iter().map(|it| it.modifier.clone()).collect();
    let phrase = w.superlative(entity, by, extreme, &modifiers);
    let told = w.ask_extreme(entity, by, extreme, &modifiers, &shown);
    let text = match shown.as_slice() {
        _ if told.is_some() => told.unwrap_or_default(),
        [only] if is_name(only) && w.chance(0.6) => {
            let opening = if entity.person {
                w.pick(&["who is the", "who is the", "which is the", "who is our"])
            } else {
                w.pick(&[
                    "what is the",
                    "which is the",
                    "which one is the",
                    "what is our",
                ])
            };
            match w.rng.random_range(0..3) {
                0 if phrase.contains(" with the ") && modifiers.is_empty() => w.question(&format!(
                    "which {}",
                    phrase.replacen(" with the ", " has the ", 1)
                )),
                0 => w.command(&format!("the {phrase}")),
                _ => w.question(&format!("{opening} {phrase}")),
            }
        }
        _ => {
            let said = w.said(&shown, Number::Singular);
            let number = if shown.len() > 1 {
                Number::Plural
            } else {
                Number::Singular
            };
            w.request(&format!("the {said} of the {phrase}"), number)
        }
    };
    Some(Draft {
        text,
        query: Query::over(&entity.table)
            .select(selected(&shown, 0))
            .and_maybe(restriction.map(|it| it.condition))
            .order_by(col(0, &by.column), extreme.first())
            .limit(1),
    })
}

pub(super) fn top(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity(|it| it.columns.iter().any(|it| it.kind.is_ordered()))?;
    let by = w.column(entity, |it| it.kind.is_ordered())?;
    let extreme = w.extreme();
    let shown = w.shown(entity, Some(by))?;
    let limit = w.rng.random_range(2..6);
    let k = count_word(limit, &mut w.rng);
    let phrase = match (extreme, w.chance(0.25)) {
        (Extreme::Most, true) => {
            let (phrase, say) = (w.many(entity, &[]), w.say(by));
            format!("top {k} {phrase} by {say}")
        }
        _ => format!("{k} {}", w.superlatives(entity, by, extreme, &[])),
    };
    let is_name = |it: &ColumnWords| Some(&it.column) == entity.name.as_ref();
    let own = match extreme {
        Extreme::Most => &by.most,
        Extreme::Least => &by.least,
    };
    let adjective = w.choose(own).cloned();
    let nouns = w.many(entity, &[]);
    let text = match (shown.as_slice(), adjective) {
        ([only], Some(adjective)) if is_name(only) && w.chance(0.3) => {
            w.question(&format!("which {k} {nouns} are the {adjective}"))
        }
        ([only], Some(adjective)) if !is_name(only) && w.chance(0.3) => {
            let said = w.said(&[only], Number::Plural);
            let show = w.pick(&["I need the", "give me the", "show the", "only the"]);
            english::capitalised(&format!(
                "what are the {k} {adjective} {nouns}? {show} {said}."
            ))
        }
        ([only], _) if is_name(only) && w.chance(0.5) => match w.rng.random_range(0..3) {
            0 if entity.person => w.question(&format!("who are the {phrase}")),
            0 | 1 => w.question(&format!("what are the {phrase}")),
            _ => w.command(&format!("the {phrase}")),
        },
        _ => {
            let said = w.said(&shown, Number::Plural);
            w.request(&format!("the {said} of the {phrase}"), Number::Plural)
        }
    };
    Some(Draft {
        text,
        query: Query::over(&entity.table)
            .select(selected(&shown, 0))
            .order_by(col(0, &by.column), extreme.first())
            .limit(limit),
    })
}

impl Writer<'_> {
    /// Asks for the row at an end in the words of a verb, or in two clauses; not always.
    fn ask_extreme(
        &mut self,
        entity: &Entity,
        by: &ColumnWords,
        extreme: Extreme,
        modifiers: &[Modifier],
        shown: &[&ColumnWords],
    ) -> Option<String> {
        let is_name = |it: &ColumnWords| Some(&it.column) == entity.name.as_ref();
        let (own, sign, end) = match extreme {
            Extreme::Most => (&by.more, " more than {}", " the most"),
            Extreme::Least => (&by.less, " less than {}", " the least"),
        };
        let verbs: Vec<&str> = own.iter().filter_map(|it| it.strip_suffix(sign)).collect();
        let verb = self.choose(&verbs).map(|it| format!("{it}{end}"));
        let predicate = match verb {
            Some(verb) if self.chance(0.6) => english::singular_verb(&verb),
            _ => {
                let word = self.extreme_word(by, extreme);
                format!("has the {word} {}", self.say(by))
            }
        };
        let which = if entity.person { "who" } else { "which one" };
        let its = if entity.person { "their" } else { "its" };
        let (noun, many) = (self.noun(entity), self.many(entity, modifiers));
        match shown {
            [only] if is_name(only) && self.chance(0.4) => {
                let text = match self.rng.random_range(0..4) {
                    _ if modifiers.is_empty() => format!("which {noun} {predicate}"),
                    0 => format!("among {many}, {which} {predicate}"),
                    1 => format!("of all {many}, {which} {predicate}"),
                    2 => format!("among the {many}, which {noun} {predicate}"),
                    _ => format!("which of the {many} {predicate}"),
                };
                Some(self.question(&text))
            }
            [first, rest @ ..] if is_name(first) && !rest.is_empty() && self.chance(0.4) => {
                let said = self.said(rest, Number::Singular);
                let phrase = self.superlative(entity, by, extreme, modifiers);
                let text = match self.rng.random_range(0..3) {
                    0 if modifiers.is_empty() => {
                        format!("which {noun} {predicate}, and what is {its} {said}?")
                    }
                    1 => format!("what is the {phrase}? give {its} {said} too."),
                    _ => format!("which is the {phrase}, and what is {its} {said}?"),
                };
                Some(english::capitalised(&text))
            }
            _ => None,
        }
    }
}

/// Columns as expressions.
pub(super) fn selected(columns: &[&ColumnWords], slot: usize) -> Vec<Expr> {
    let names = |it: &&ColumnWords| [Some(it.column.clone()), it.surname.clone()];
    let names = columns.iter().flat_map(names).flatten();
    names.map(|it| col(slot, &it)).collect()
}

/// The same, followed by another expression.
pub(super) fn selected_and(columns: &[&ColumnWords], slot: usize, last: Expr) -> Vec<Expr> {
    let mut all = selected(columns, slot);
    all.push(last);
    all
}
