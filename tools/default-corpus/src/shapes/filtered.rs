//! Questions about those rows of one table for which something holds.

use rand::RngExt;

use super::single::selected;
use crate::english;
use crate::query::{Condition, Expr, Query, col, column, compare};
use crate::restrictions::fill;
use crate::words::{ColumnWords, Entity, Kind};
use crate::writer::{Draft, Modifier, Restriction, Writer};

pub(super) fn filter_equal(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity_with(Kind::Category)?;
    let category = w.column_of(entity, Kind::Category)?;
    let restriction = w.equality(entity, category, 0)?;
    filtered(w, entity, &[restriction])
}

pub(super) fn filter_compare(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity(|it| it.columns.iter().any(|it| it.kind.is_ordered()))?;
    let measure = w.column(entity, |it| it.kind.is_ordered())?;
    let restriction = w.comparison(entity, measure, 0)?;
    filtered(w, entity, &[restriction])
}

pub(super) fn filter_between(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity(|it| it.columns.iter().any(|it| it.kind.is_ordered()))?;
    let measure = w.column(entity, |it| it.kind.is_ordered())?;
    let (a, b) = (w.threshold(entity, measure)?, w.threshold(entity, measure)?);
    let smaller = match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) if a < b || b < a => a < b,
        (Err(_), Err(_)) if a != b => a < b,
        _ => return None,
    };
    let (low, high) = if smaller { (a, b) } else { (b, a) };
    let range = format!(
        "between {} and {}",
        low.trim_matches('\''),
        high.trim_matches('\'')
    );
    let say = w.say(measure);
    let clause = match w.choose(&measure.is) {
        Some(predicate) if measure.kind == Kind::Number => fill(predicate, &range),
        Some(predicate) if predicate.contains(" in {}") => predicate.replace("in {}", &range),
        _ if measure.say[0] == "age" && w.chance(0.5) => {
            let aged = w.pick(&["aged {}", "{} years old", "{} in age"]);
            format!("are {}", aged.replace("{}", &range))
        }
        _ => match say.strip_prefix("number of ") {
            Some(counted) => format!("have {range} {counted}"),
            None => format!("have {} {range}", english::with_article(&say)),
        },
    };
    let restriction = Restriction {
        condition: Condition::Between(column(0, &measure.column), low, high),
        modifier: Modifier::from_clause(clause),
        about: measure.column.clone(),
    };
    filtered(w, entity, &[restriction])
}

pub(super) fn filter_like(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity(|it| {
        it.naming()
            .is_some_and(|it| it.say[0] != "id" && it.surname.is_none())
    })?;
    let naming = entity.naming()?;
    let value = w.value(entity, naming)?.text.clone();
    let say = w.say(naming);
    let word = value.split(' ').next_back().filter(|it| it.len() > 2);
    let (pattern, predicate) = match (word, w.rng.random_range(0..4)) {
        (Some(word), 0 | 1) => {
            let verb = w.pick(&["contains", "includes", "has", "contains"]);
            let thing = w.pick(&["the word ", "", ""]);
            let word_said = if w.chance(0.3) {
                word.to_owned()
            } else {
                format!("'{word}'")
            };
            (format!("%{word}%"), format!("{verb} {thing}{word_said}"))
        }
        (_, 2) => {
            let end = value.chars().next_back()?;
            (format!("%{end}"), format!("ends with {}", w.letter(end)))
        }
        _ => {
            let start = value.chars().next()?;
            let verb = w.pick(&["starts with", "begins with", "starts in"]);
            (format!("{start}%"), format!("{verb} {}", w.letter(start)))
        }
    };
    let clause = match predicate.split_once(' ') {
        Some(("contains" | "includes" | "has", word)) if w.chance(0.5) => {
            format!("have {word} in their {say}")
        }
        _ => format!("have {} that {predicate}", english::with_article(&say)),
    };
    let restriction = Restriction {
        condition: compare(col(0, &naming.column), "LIKE", format!("'{pattern}'")),
        modifier: Modifier {
            post: match clause.strip_prefix("have ") {
                Some(it) if w.chance(0.4) => Some(format!("with {it}")),
                _ => Some(format!("whose {say} {predicate}")),
            },
            ..Modifier::from_clause(clause)
        },
        about: naming.column.clone(),
    };
    filtered(w, entity, &[restriction])
}

pub(super) fn filter_one_of_three(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity_with(Kind::Category)?;
    let category = w.column_of(entity, Kind::Category)?;
    let values = w.distinct_values(entity, category, 3)?;
    let texts: Vec<String> = values.iter().map(|it| it.text.clone()).collect();
    let modifier = w.equality_modifier(category, &english::list(&texts, "or"));
    let literals = values.iter().map(|it| it.sql.clone()).collect();
    let restriction = Restriction {
        condition: Condition::OneOf(column(0, &category.column), literals),
        modifier: Modifier {
            pre: None,
            noun: None,
            ..modifier
        },
        about: category.column.clone(),
    };
    let is_phrased = !restriction.modifier.clause.contains("{s}");
    is_phrased.then(|| filtered(w, entity, &[restriction]))?
}

pub(super) fn filter_and(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity(|_| true)?;
    let first = w.restriction(entity, 0)?;
    let second = w.other_restriction(entity, 0, &first.about)?;
    if w.chance(0.25) {
        return Some(count_restricted(w, entity, &[first, second]));
    }
    filtered(w, entity, &[first, second])
}

pub(super) fn filter_or(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity(|_| true)?;
    let (left, right, clause, post) = if w.chance(0.5) {
        let category = w.column_of(entity, Kind::Category)?;
        let values = w.distinct_values(entity, category, 2)?;
        let either = w.pick(&["", "", "either "]);
        let text = format!("{either}{} or {}", values[0].text, values[1].text);
        let plain = category.is.iter().find(|it| it.ends_with("{}"));
        let clause = match plain {
            Some(predicate) => fill(predicate, &text),
            None => format!("have {text} as their {}", w.say(category)),
        };
        let post = english::postmodifier(&clause);
        let is = |index: usize| compare(col(0, &category.column), "=", &values[index].sql);
        (is(0), is(1), clause, post)
    } else {
        let first = w.restriction(entity, 0)?;
        let second = w.other_restriction(entity, 0, &first.about)?;
        let clause = format!("{} or {}", first.modifier.clause, second.modifier.clause);
        (first.condition, second.condition, clause, None)
    };
    let restriction = Restriction {
        condition: Condition::Or(Box::new(left), Box::new(right)),
        modifier: Modifier {
            clause,
            singular: None,
            pre: None,
            post,
            noun: None,
        },
        about: String::new(),
    };
    if w.chance(0.25) {
        return Some(count_restricted(w, entity, &[restriction]));
    }
    filtered(w, entity, &[restriction])
}

pub(super) fn filter_not(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity_with(Kind::Category)?;
    let category = w.column_of(entity, Kind::Category)?;
    let restriction = if w.chance(0.35) {
        w.exclusion(entity, category, 0)?
    } else {
        w.negation(entity, category, 0)?
    };
    if !restriction.modifier.clause.is_empty() && w.chance(0.3) {
        return Some(count_restricted(w, entity, &[restriction]));
    }
    filtered(w, entity, &[restriction])
}

pub(super) fn count_filter(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity(|_| true)?;
    let restriction = w.restriction(entity, 0)?;
    Some(count_restricted(w, entity, &[restriction]))
}

/// A list of the rows under restrictions.
pub(super) fn filtered<'d>(
    w: &mut Writer<'d>,
    entity: &'d Entity,
    by: &[Restriction],
) -> Option<Draft> {
    let shown: Vec<&ColumnWords> = w
        .shown(entity, None)?
        .into_iter()
        .filter(|shown| {
            by.iter()
                .all(|it| it.about != shown.column || Some(&it.about) == entity.name.as_ref())
        })
        .collect();
    if shown.is_empty() {
        return None;
    }
    let modifiers: Vec<Modifier> = by.iter().map(|it| it.modifier.clone()).collect();
    let mut query = Query::over(&entity.table).select(selected(&shown, 0));
    for restriction in by {
        query = query.and(restriction.condition.clone());
    }
    Some(Draft {
        text: w.ask_columns(entity, &shown, &modifiers, ""),
        query,
    })
}

/// A count of the rows under restrictions.
pub(super) fn count_restricted(w: &mut Writer<'_>, entity: &Entity, by: &[Restriction]) -> Draft {
    let modifiers: Vec<Modifier> = by.iter().map(|it| it.modifier.clone()).collect();
    let mut query = Query::over(&entity.table).select(vec![Expr::Count]);
    for restriction in by {
        query = query.and(restriction.condition.clone());
    }
    Draft {
        text: w.ask_count(entity, &modifiers),
        query,
    }
}
