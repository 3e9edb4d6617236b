//! Questions that need a query inside a query, or two queries side by side.

use rand::RngExt;

use super::single::selected;
use crate::domain::Value;
use crate::english::{negated, plural, postmodifier, with_article};
use crate::phrases::{is_uncountable, plural_column};
use crate::query::{Condition, Expr, Operand, Query, SetOperation, col, column, compare};
use crate::restrictions::fill;
use crate::words::{ColumnWords, Entity, Kind};
use crate::writer::{Draft, Modifier, Number, Related, Restriction, Writer};

pub(super) fn all_at_extreme(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity(|it| it.columns.iter().any(|it| it.kind.is_ordered()))?;
    let measure = w.column(entity, |it| it.kind.is_ordered())?;
    let extreme = w.extreme();
    let (say, word) = (
        w.say(measure),
        w.aggregate_word(measure, extreme.aggregate()),
    );
    let clause = match w.rng.random_range(0..3) {
        0 => format!("share the {word} {say}"),
        _ => format!("have the {word} {say}"),
    };
    let end = Query::over(&entity.table).select(vec![Expr::Aggregate(
        extreme.aggregate(),
        column(0, &measure.column),
    )]);
    let condition = Condition::Compare(col(0, &measure.column), "=", Operand::Query(Box::new(end)));
    let shown = match entity.naming() {
        Some(naming) => vec![naming],
        None => vec![w.column(entity, |it| it.column != measure.column)?],
    };
    let modifier = Modifier::from_clause(clause);
    let text = match w.rng.random_range(0..3) {
        0 if entity.name.is_some() => {
            let nouns = w.nouns(entity);
            w.question(&format!("which {nouns} {}", modifier.clause))
        }
        1 => {
            let (phrase, said) = (w.many(entity, &[modifier]), w.said(&shown, Number::Plural));
            w.request(&format!("the {said} of all {phrase}"), Number::Plural)
        }
        _ => {
            let (phrase, said) = (w.many(entity, &[modifier]), w.said(&shown, Number::Plural));
            w.command(&format!("the {said} of all the {phrase}"))
        }
    };
    Some(Draft {
        text,
        query: Query::over(&entity.table)
            .select(selected(&shown, 0))
            .and(condition),
    })
}

pub(super) fn against_named(w: &mut Writer<'_>) -> Option<Draft> {
    let entity =
        w.entity(|it| it.name.is_some() && it.columns.iter().any(|it| it.kind == Kind::Number))?;
    let naming = entity.naming()?;
    let measure = w.column(entity, |it| it.kind.is_ordered() && it.kind != Kind::Date)?;
    let value = w.value(entity, naming)?;
    let called = w.called(entity, &value.text);
    let (operator, own) = if w.chance(0.6) {
        (">", &measure.more)
    } else {
        ("<", &measure.less)
    };
    let plain: Vec<&String> = own
        .iter()
        .filter(|it| {
            it.ends_with(" than {}") && measure.kind == Kind::Number && !it.contains("have a")
        })
        .collect();
    let say = w.say(measure);
    let clause = match w.choose(&plain) {
        Some(predicate) if w.chance(0.6) => predicate.replace("{}", &called),
        _ => {
            let word = match (measure.kind, operator) {
                (Kind::Year, ">") => "later",
                (Kind::Year, _) => "earlier",
                (_, ">") => w.pick(&["higher", "higher", "greater"]),
                _ => "lower",
            };
            match say.strip_prefix("number of ") {
                Some(counted) => {
                    let word = if operator == ">" { "more" } else { "fewer" };
                    format!("have {word} {counted} than {called}")
                }
                None if is_uncountable(&say) => {
                    let word = if operator == ">" { "more" } else { "less" };
                    format!("have {word} {say} than {called}")
                }
                None => fix_article(&format!("have a {word} {say} than {called}")),
            }
        }
    };
    let known = Query::over(&entity.table)
        .select(vec![col(0, &measure.column)])
        .and(Writer::is_called(naming, 0, value));
    let condition = Condition::Compare(
        col(0, &measure.column),
        operator,
        Operand::Query(Box::new(known)),
    );
    listed_or_counted(w, entity, condition, Modifier::from_clause(clause))
}

pub(super) fn same_as_named(w: &mut Writer<'_>) -> Option<Draft> {
    let entity =
        w.entity(|it| it.name.is_some() && it.columns.iter().any(|it| it.kind == Kind::Category))?;
    let naming = entity.naming()?;
    let category = w.column_of(entity, Kind::Category)?;
    let value = w.value(entity, naming)?;
    let called = w.called(entity, &value.text);
    let say = w.say(category);
    let same = format!("the same {say} as {called}");
    let placed: Vec<&String> = category
        .is
        .iter()
        .filter(|it| {
            [" in {}", " from {}", " by {}"]
                .iter()
                .any(|end| it.ends_with(end))
        })
        .collect();
    let clause = match w.choose(&placed) {
        Some(predicate) if w.chance(0.7) => predicate.replace("{}", &same),
        _ if w.chance(0.4) => {
            let a = w.pick(&["a", "the", "their"]);
            fix_article(&format!("share {a} {say} with {called}"))
        }
        _ => format!("have {same}"),
    };
    let known = Query::over(&entity.table)
        .select(vec![col(0, &category.column)])
        .and(Writer::is_called(naming, 0, value));
    let condition = Condition::Compare(
        col(0, &category.column),
        "=",
        Operand::Query(Box::new(known)),
    );
    listed_or_counted(w, entity, condition, Modifier::from_clause(clause))
}

pub(super) fn values_with_both(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, category) = w.grouping()?;
    let (first, second) = if w.chance(0.5) {
        w.opposites(entity)?
    } else {
        let first = w.other_restriction(entity, 0, &category.column)?;
        let second = w.other_restriction(entity, 0, &category.column)?;
        (first.about != second.about).then_some((first, second))?
    };
    let groups = plural_column(&w.say(category));
    let noun = w.nouns(entity);
    let [left, right] = [&first, &second].map(|it| {
        let modifiers = [it.modifier.clone()];
        w.noun_phrase(&noun, entity.person, &modifiers, Number::Plural)
    });
    let text = match w.rng.random_range(0..5) {
        3 => w.question(&format!("which {groups} have {left} as well as {right}")),
        4 => w.question(&format!("which {groups} have {left} but also {right}")),
        0 => w.question(&format!("which {groups} have both {left} and {right}")),
        1 => w.request(
            &format!("the {groups} that have both {left} and {right}"),
            Number::Plural,
        ),
        _ => w.request(
            &format!("the {groups} shared by {left} and {right}"),
            Number::Plural,
        ),
    };
    let over = |condition| {
        Query::over(&entity.table)
            .select(vec![col(0, &category.column)])
            .and(condition)
    };
    Some(Draft {
        text,
        query: over(first.condition).combine(SetOperation::Intersect, over(second.condition)),
    })
}

pub(super) fn values_without(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, category) = w.grouping()?;
    let restriction = w.other_restriction(entity, 0, &category.column)?;
    let groups = plural_column(&w.say(category));
    let phrase = w.many(entity, &[restriction.modifier]);
    let text = match w.rng.random_range(0..4) {
        0 => w.question(&format!("which {groups} have no {phrase}")),
        1 => w.question(&format!("which {groups} do not have any {phrase}")),
        2 => w.request(
            &format!("the {groups} without any {phrase}"),
            Number::Plural,
        ),
        _ => w.request(
            &format!("the {groups} that have no {phrase}"),
            Number::Plural,
        ),
    };
    let all = || Query::over(&entity.table).select(vec![col(0, &category.column)]);
    Some(Draft {
        text,
        query: all().combine(SetOperation::Except, all().and(restriction.condition)),
    })
}

pub(super) fn shared_values(w: &mut Writer<'_>) -> Option<Draft> {
    let shared = w.choose(&w.domain.words.shared)?;
    let is_swapped = w.chance(0.4);
    let mut ends = [
        (&shared.left, &shared.left_have),
        (&shared.right, &shared.right_have),
    ];
    if is_swapped {
        ends.reverse();
    }
    let [(left, left_have), (right, right_have)] = ends;
    let nouns = plural(&shared.noun);
    let (operation, clause) = if w.chance(0.5) {
        let and = w.pick(&["and also", "and"]);
        (
            SetOperation::Intersect,
            format!("{left_have} {and} {right_have}"),
        )
    } else {
        let but = w.pick(&["but", "and"]);
        (
            SetOperation::Except,
            format!("{left_have} {but} {}", negated(right_have)?),
        )
    };
    let text = if w.chance(0.5) {
        w.question(&format!("which {nouns} {clause}"))
    } else {
        w.request(&format!("the {nouns} that {clause}"), Number::Plural)
    };
    let query = of_place(left)?.combine(operation, of_place(right)?);
    Some(Draft { text, query })
}

pub(super) fn values_of_either(w: &mut Writer<'_>) -> Option<Draft> {
    let shared = w.choose(&w.domain.words.shared)?;
    let nouns = plural(&shared.noun);
    let (left, right) = (&shared.left_have, &shared.right_have);
    let either = w.pick(&["", "either "]);
    let text = match w.rng.random_range(0..3) {
        0 => w.question(&format!("which {nouns} {left} or {right}")),
        1 => w.command(&format!("all {nouns} that {either}{left} or {right}")),
        _ => w.request(
            &format!("the {nouns} that {either}{left} or {right}"),
            Number::Plural,
        ),
    };
    let query = of_place(&shared.left)?.combine(SetOperation::Union, of_place(&shared.right)?);
    Some(Draft { text, query })
}

pub(super) fn without_any(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|_, one, _| one.name.is_some())?;
    let modifier = w.lacking(&related)?;
    let shown = w.shown(related.one, None)?;
    Some(Draft {
        text: w.ask_columns(related.one, &shown, &[modifier], ""),
        query: Query::over(&related.one.table)
            .select(selected(&shown, 0))
            .and(unrelated(&related)?),
    })
}

pub(super) fn count_without_any(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|_, _, _| true)?;
    let modifier = w.lacking(&related)?;
    Some(Draft {
        text: w.ask_count(related.one, &[modifier]),
        query: Query::over(&related.one.table)
            .select(vec![Expr::Count])
            .and(unrelated(&related)?),
    })
}

pub(super) fn with_both(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|_, one, many| {
        one.name.is_some() && many.columns.iter().any(|it| it.kind == Kind::Category)
    })?;
    let naming = related.one.naming()?;
    let (query, slot) = related.query();
    if let Some(named) = related.many.naming().filter(|it| it.surname.is_none())
        && w.chance(0.3)
    {
        let values = w.distinct_values(related.many, named, 2)?;
        let [left, right] = [0, 1].map(|index: usize| w.called(related.many, &values[index].text));
        let modifier = w.having(&related, &format!("both {left} and {right}"))?;
        let query = query.select(selected(&[naming], 0));
        let [left, right] =
            [0, 1].map(|index: usize| Writer::is_called(named, slot, values[index]));
        return Some(Draft {
            text: w.ask_columns(related.one, &[naming], &[modifier], ""),
            query: query
                .clone()
                .and(left)
                .combine(SetOperation::Intersect, query.and(right)),
        });
    }
    let category = w.column_of(related.many, Kind::Category)?;
    let values = w.distinct_values(related.many, category, 2)?;
    let [left, right] = [0, 1]
        .map(|index: usize| compare(col(slot, &category.column), "=", values[index].sql.clone()));
    let both = w.both_kinds(related.many, category, [&values[0].text, &values[1].text]);
    let modifier = w.having(&related, &both)?;
    let query = query.select(selected(&[naming], 0));
    Some(Draft {
        text: w.ask_columns(related.one, &[naming], &[modifier], ""),
        query: query
            .clone()
            .and(left)
            .combine(SetOperation::Intersect, query.and(right)),
    })
}

pub(super) fn with_none_of(w: &mut Writer<'_>) -> Option<Draft> {
    let related = w.relation(|_, one, _| one.name.is_some())?;
    let naming = related.one.naming()?;
    let (query, slot) = related.query();
    let restriction = w.restriction(related.many, slot)?;
    let modifier = restriction.modifier;
    let phrase = w.many(related.many, std::slice::from_ref(&modifier));
    let have = w.choose(&related.relation.have)?.clone();
    let clause = if have == "have {}" && w.chance(0.4) {
        format!("have no {phrase}")
    } else if w.chance(0.5) {
        let one = w.some(related.many, &[modifier]);
        let clause = negated(&have.replace("{}", &one))?;
        never(&clause)
    } else {
        negated(&have.replace("{}", &format!("any {phrase}")))?
    };
    let all = Query::over(&related.one.table).select(selected(&[naming], 0));
    let with = query
        .select(selected(&[naming], 0))
        .and(restriction.condition);
    Some(Draft {
        text: w.ask_columns(related.one, &[naming], &[Modifier::from_clause(clause)], ""),
        query: all.combine(SetOperation::Except, with),
    })
}

/// The rows under a condition, by name or by number.
pub(super) fn listed_or_counted<'d>(
    w: &mut Writer<'d>,
    entity: &'d Entity,
    condition: Condition,
    modifier: Modifier,
) -> Option<Draft> {
    let restriction = Restriction {
        condition,
        modifier,
        about: String::new(),
    };
    if w.chance(0.2) {
        return Some(Draft {
            text: w.ask_count(entity, &[restriction.modifier]),
            query: Query::over(&entity.table)
                .select(vec![Expr::Count])
                .and(restriction.condition),
        });
    }
    let shown = w.shown(entity, None)?;
    Some(Draft {
        text: w.ask_columns(entity, &shown, &[restriction.modifier], ""),
        query: Query::over(&entity.table)
            .select(selected(&shown, 0))
            .and(restriction.condition),
    })
}

/// `have not been` as `have never been`.
fn never(clause: &str) -> String {
    let clause = clause.replacen(" not ", " never ", 1);
    clause.replacen("do never", "never", 1)
}

/// The values at `table.column`.
fn of_place(place: &str) -> Option<Query> {
    let (table, name) = place.split_once('.')?;
    Some(Query::over(table).select(vec![col(0, name)]))
}

/// That a row of `one` is not referred to.
fn unrelated(related: &Related<'_>) -> Option<Condition> {
    let (table, reference) = related.referring()?;
    let referred = Query::over(table).select(vec![col(0, reference)]);
    Some(Condition::NotInQuery(
        column(0, &related.one.key),
        Box::new(referred),
    ))
}

/// `an` where a vowel follows: the adjectives here are drawn before the noun is known.
pub(super) fn fix_article(clause: &str) -> String {
    let words: Vec<&str> = clause.split(' ').collect();
    let mut fixed: Vec<&str> = Vec::with_capacity(words.len());
    for (index, &word) in words.iter().enumerate() {
        match words.get(index + 1) {
            Some(next) if word == "a" || word == "an" => {
                fixed.push(crate::english::article_for(next));
            }
            _ => fixed.push(word),
        }
    }
    fixed.join(" ")
}

impl<'d> Writer<'d> {
    /// Both ends of one column: `older than 60` and `younger than 20`.
    fn opposites(&mut self, entity: &'d Entity) -> Option<(Restriction, Restriction)> {
        let measure = self.column(entity, |it| {
            it.kind.is_ordered() && !it.more.is_empty() && !it.less.is_empty()
        })?;
        let values = self.domain.values(entity, measure);
        let (low, high) = (
            values.get(values.len() / 3)?,
            values.get(values.len() * 2 / 3)?,
        );
        let end = |predicates: &[String], operator, value: &Value, w: &mut Self| {
            let clause = fill(w.choose(predicates)?, &value.text);
            Some(Restriction {
                condition: compare(col(0, &measure.column), operator, value.sql.clone()),
                modifier: Modifier::from_clause(clause),
                about: measure.column.clone(),
            })
        };
        let above = end(&measure.more, ">", high, self)?;
        let below = end(&measure.less, "<", low, self)?;
        Some(if self.chance(0.5) {
            (above, below)
        } else {
            (below, above)
        })
    }

    /// Rows of two kinds in like words: `both a pupil from Bath and one from Frome`.
    fn both_kinds(&mut self, entity: &Entity, category: &ColumnWords, kinds: [&str; 2]) -> String {
        let before = self.rng.clone();
        let is_singular = self.chance(0.4);
        let [left, right] = kinds.map(|kind| {
            // The same draws give the same words.
            self.rng = before.clone();
            let modifier = self.equality_modifier(category, kind);
            if is_singular {
                self.one(entity, &[modifier])
            } else {
                self.many(entity, &[modifier])
            }
        });
        let noun = left.split(' ').next_back().unwrap_or_default();
        let both = self.pick(&["both ", "both ", ""]);
        if is_singular {
            let (left, right) = (with_article(&left), with_article(&right));
            return format!("{both}{left} and {right}");
        }
        match (left.strip_suffix(noun), right.strip_suffix(noun)) {
            (Some(first), Some(_)) if self.chance(0.6) => format!("both {first}and {right}"),
            _ => format!("{both}{left} and {right}"),
        }
    }

    /// The modifier of `one` that has no `many`.
    fn lacking(&mut self, related: &Related<'_>) -> Option<Modifier> {
        let nouns = self.nouns(related.many);
        let have = self.choose(&related.relation.have)?.clone();
        let is_plain = have == "have {}";
        let clause = match self.rng.random_range(0..4) {
            0 | 1 if is_plain => format!("have no {nouns}"),
            0 if self.chance(0.4) => {
                let one = self.noun_with_article(related.many);
                never(&negated(&have.replace("{}", &one))?)
            }
            2 => {
                let single = self.pick(&["a single {}", "even one {}", "one {}"]);
                let one = single.replace("{}", &self.noun(related.many));
                negated(&have.replace("{}", &one))?
            }
            _ => negated(&have.replace("{}", &format!("any {nouns}")))?,
        };
        let mut modifier = Modifier::from_clause(clause);
        if is_plain {
            let without = self.pick(&[
                "without",
                "without any",
                "with no",
                "that lack",
                "with zero",
            ]);
            modifier.post = Some(format!("{without} {nouns}"));
        } else {
            modifier.post = modifier.post.filter(|_| postmodifier(&have).is_some());
        }
        Some(modifier)
    }
}
