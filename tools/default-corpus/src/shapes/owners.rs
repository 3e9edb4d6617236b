//! Questions about the one row that another row, known by its name, belongs to; and about values on
//! the other side of a relation.

use rand::RngExt;

use super::joined::ask_of_one;
use super::single::selected;
use crate::english::{negated, plural, singular_verb};
use crate::phrases::plural_column;
use crate::query::{SetOperation, col};
use crate::restrictions::fill;
use crate::words::Kind;
use crate::writer::{Draft, Modifier, Related, Writer};

/// `Who wrote Rust?`, `Which band does Eva belong to?`
pub(super) fn of_named(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|_, one, many| one.name.is_some() && many.name.is_some())?;
    let (naming, known) = (related.one.naming()?, related.many.naming()?);
    let value = w.value(related.many, known)?;
    let called = w.called(related.many, &value.text);
    let asked = if w.chance(0.65) {
        naming
    } else {
        w.column(related.one, |it| it.column != naming.column)?
    };
    let text = if asked.column == naming.column {
        ask_owner(w, &related, &called)?
    } else {
        let owner = match w.choose(&related.relation.role).cloned() {
            Some(role) if w.chance(0.7) => format!("the {role} of {called}"),
            _ => {
                let (noun, have) = (w.noun(related.one), w.choose(&related.relation.have)?);
                let has = singular_verb(&have.replace("{}", &called));
                let that = w.relative_pronoun(related.one.person);
                format!("the {noun} {that} {has}")
            }
        };
        match w.choose(&asked.ask).cloned() {
            Some(ask) if w.chance(0.6) => w.question(&fill(&ask, &owner)),
            _ => {
                let said = w.say(asked);
                w.request(
                    &format!("the {said} of {owner}"),
                    crate::writer::Number::Singular,
                )
            }
        }
    };
    let (query, slot) = related.query();
    let mut query = query
        .select(selected(&[asked], 0))
        .and(Writer::is_called(known, slot, value));
    query.distinct = related.relation.on.len() > 1;
    Some(Draft { text, query })
}

fn ask_owner(w: &mut Writer<'_>, related: &Related<'_>, called: &str) -> Option<String> {
    let noun = w.noun(related.one);
    let is_several = related.relation.on.len() > 1;
    let have = w.choose(&related.relation.have)?.replace("{}", called);
    if is_several {
        let which = w.pick(&["which", "which", "what"]);
        return Some(w.question(&format!("{which} {} {have}", plural(&noun))));
    }
    let role = w.choose(&related.relation.role).cloned();
    let which = w.choose(&related.relation.which).cloned();
    Some(match (which, role, w.rng.random_range(0..6)) {
        (Some(which), _, 0..3) => {
            let opening = w.pick(&["which", "which", "what"]);
            w.question(&format!("{opening} {noun} {}", which.replace("{}", called)))
        }
        (_, Some(role), 3) => {
            let who = if related.one.person { "who" } else { "what" };
            w.question(&format!("{who} is the {role} of {called}"))
        }
        (_, Some(role), 4) => w.command(&format!("the {role} of {called}")),
        (.., 0..3) if related.one.person => w.question(&format!("who {}", singular_verb(&have))),
        // People ask `who` for bands and studios as well.
        (.., 0) if have.contains("made") => w.question(&format!("who {}", singular_verb(&have))),
        _ => w.question(&format!("which {noun} {}", singular_verb(&have))),
    })
}

/// `Which genres are written by Irish authors?`
pub(super) fn values_across(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|_, _, many| has_category(many))?;
    let category = w.column_of(related.many, Kind::Category)?;
    let (condition, modifier) = if related.one.name.is_some() && w.chance(0.5) {
        w.of_named_row(&related)?
    } else {
        w.of_restricted_rows(&related)?
    };
    let (groups, nouns) = (plural_column(&w.say(category)), w.nouns(related.many));
    let post = modifier.post?;
    let is_plain = post.contains(" by ") && !post.starts_with("that") && !post.starts_with("who");
    let text = match w.rng.random_range(0..5) {
        0 | 1 if is_plain => w.question(&format!("which {groups} are {post}")),
        0 | 2 => w.question(&format!("what {groups} do the {nouns} {post} have")),
        1 | 3 => w.question(&format!(
            "which {groups} are there among the {nouns} {post}"
        )),
        _ => w.command(&format!("the different {groups} of {nouns} {post}")),
    };
    let (query, slot) = related.query();
    let query = query.select(selected(&[category], slot)).and(condition);
    Some(Draft {
        text,
        query: query.distinct(),
    })
}

/// `Which instruments are played by people over 50?`, as far as one table goes.
pub(super) fn values_of_restricted(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, category) = w.grouping()?;
    let restriction = w.other_restriction(entity, 0, &category.column)?;
    let groups = plural_column(&w.say(category));
    let phrase = w.many(entity, &[restriction.modifier]);
    let text = match w.rng.random_range(0..6) {
        0 => w.question(&format!("what {groups} do {phrase} have")),
        1 => w.question(&format!("which {groups} are there among {phrase}")),
        2 => w.command(&format!("the different {groups} of {phrase}")),
        3 => w.question(&format!("which {groups} have {phrase}")),
        4 => w.question(&format!("which {groups} belong to {phrase}")),
        _ => w.question(&format!("what are the different {groups} of the {phrase}")),
    };
    let query = crate::query::Query::over(&entity.table)
        .select(selected(&[category], 0))
        .and(restriction.condition);
    Some(Draft {
        text,
        query: query.distinct(),
    })
}

/// Rows restricted by what they are and by whose they are.
pub(super) fn both_restricted(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, _, many| many.name.is_some() && it.on.len() == 1)?;
    let (query, slot) = related.query();
    let (condition, modifier) = if related.one.name.is_some() && w.chance(0.4) {
        w.of_named_row(&related)?
    } else {
        w.of_restricted_rows(&related)?
    };
    let own = w.restriction(related.many, slot)?;
    let shown = w.shown(related.many, None)?;
    let (nouns, post) = (w.nouns(related.many), modifier.post.clone()?);
    let text = match (w.rng.random_range(0..4), post.split_once(' ')) {
        (0, _) => w.question(&format!("which {nouns} {post} {}", own.modifier.clause)),
        (1, Some(("who" | "that", clause))) => w.question(&format!(
            "which {nouns} {clause} and {}",
            own.modifier.clause
        )),
        _ => w.ask_columns(related.many, &shown, &[own.modifier.clone(), modifier], ""),
    };
    let is_short = text.to_lowercase().starts_with("which");
    let naming = related.many.naming()?;
    let shown = if is_short && shown.len() > 1 {
        vec![naming]
    } else {
        shown
    };
    let is_told = shown.len() > 1 || shown[0].column == naming.column;
    is_told.then_some(Draft {
        text,
        query: query
            .select(selected(&shown, slot))
            .and(condition)
            .and(own.condition),
    })
}

/// Those that have something of one kind, but nothing of another: `have released an album but never
/// played a concert`.
pub(super) fn one_but_not_other(w: &mut Writer<'_>) -> Option<Draft> {
    let with = w.relation(|it, one, _| one.name.is_some() && it.on.len() == 1)?;
    let without = w.relation(|it, one, _| {
        one.table == with.one.table && it.on.len() == 1 && it.many != with.relation.many
    })?;
    let naming = with.one.naming()?;
    let noun = w.nouns(with.many);
    let (any, some) = w.pick(&[("", "any "), ("some ", "any "), ("", "")]);
    let have = w
        .choose(&with.relation.have)?
        .replace("{}", &format!("{any}{noun}"));
    let other = w.nouns(without.many);
    let lack = w
        .choose(&without.relation.have)?
        .replace("{}", &format!("{some}{other}"));
    let is_both = w.chance(0.35);
    let (operation, lack) = if is_both {
        (SetOperation::Intersect, lack)
    } else {
        let not = negated(&lack)?;
        let never = not
            .replacen(" not ", " never ", 1)
            .replacen("do never", "never", 1);
        (
            SetOperation::Except,
            if w.chance(0.5) { never } else { not },
        )
    };
    let but = if is_both {
        w.pick(&["and", "and also", "and at the same time"])
    } else {
        w.pick(&["but", "but", "and", "yet"])
    };
    let select = |related: &Related<'_>| related.query().0.select(selected(&[naming], 0));
    let one = format!("{} {but} {}", singular_verb(&have), singular_verb(&lack));
    let modifier = Modifier {
        post: None,
        singular: Some(one),
        ..Modifier::from_clause(format!("{have} {but} {lack}"))
    };
    Some(Draft {
        text: w.ask_columns(with.one, &[naming], &[modifier], ""),
        query: select(&with).combine(operation, select(&without)),
    })
}

/// What the `one` of a relation is to the extreme of its `many`, asked for its place.
pub(super) fn column_of_extreme_owner(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|it, one, _| one.name.is_some() && it.on.len() == 1)?;
    let by = w.column(related.many, |it| it.kind == Kind::Number)?;
    let naming = related.one.naming()?;
    let more = w.column(related.one, |it| it.column != naming.column)?;
    let extreme = w.extreme();
    let phrase = format!("the {}", w.superlative(related.many, by, extreme, &[]));
    let have = singular_verb(&w.choose(&related.relation.have)?.replace("{}", &phrase));
    let (noun, said) = (w.noun(related.one), w.say(more));
    let its = if related.one.person { "their" } else { "its" };
    let text = match w.rng.random_range(0..3) {
        0 => ask_of_one(
            w,
            &related,
            &format!("the name and {said} of the {noun}"),
            &have,
        ),
        1 => w.question(&format!("which {noun} {have}, and what is {its} {said}")),
        _ => crate::english::capitalised(&format!("which {noun} {have}? show {its} {said} too.")),
    };
    let (query, slot) = related.query();
    Some(Draft {
        text,
        query: query
            .select(selected(&[naming, more], 0))
            .order_by(col(slot, &by.column), extreme.first())
            .limit(1),
    })
}

fn has_category(entity: &crate::words::Entity) -> bool {
    entity.columns.iter().any(|it| it.kind == Kind::Category)
}
