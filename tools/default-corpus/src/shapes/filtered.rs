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
    let is = measure.is.first().filter(|it| it.contains(" in {}"));
    let clause = match is {
        Some(predicate) => predicate.replace("in {}", &range),
        None => match say.strip_prefix("number of ") {
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
    let entity = w.entity(|it| it.naming().is_some_and(|it| it.say[0] != "id"))?;
    let naming = entity.naming()?;
    let value = w.value(entity, naming)?.text.clone();
    let say = w.say(naming);
    let word = value.split(' ').next_back().filter(|it| it.len() > 2);
    let (pattern, predicate) = match (word, w.rng.random_range(0..4)) {
        (Some(word), 0 | 1) => {
            let verb = w.pick(&["contains", "includes", "has"]);
            let thing = w.pick(&["the word ", ""]);
            (format!("%{word}%"), format!("{verb} {thing}'{word}'"))
        }
        (_, 2) => {
            let end = value.chars().next_back()?;
            (format!("%{end}"), format!("ends with {}", w.letter(end)))
        }
        _ => {
            let start = value.chars().next()?;
            let verb = w.pick(&["starts with", "begins with"]);
            (format!("{start}%"), format!("{verb} {}", w.letter(start)))
        }
    };
    let clause = format!("have a {say} that {predicate}");
    let restriction = Restriction {
        condition: compare(col(0, &naming.column), "LIKE", format!("'{pattern}'")),
        modifier: Modifier {
            post: Some(format!("whose {say} {predicate}")),
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
    let is = |index: usize| Box::new(compare(col(0, &category.column), "=", &values[index].sql));
    let restriction = Restriction {
        condition: Condition::Or(Box::new(Condition::Or(is(0), is(1))), is(2)),
        modifier: Modifier {
            pre: None,
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
    let restriction = w.negation(entity, category, 0)?;
    if w.chance(0.3) {
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
fn filtered<'d>(w: &mut Writer<'d>, entity: &'d Entity, by: &[Restriction]) -> Option<Draft> {
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
fn count_restricted(w: &mut Writer<'_>, entity: &Entity, by: &[Restriction]) -> Draft {
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
