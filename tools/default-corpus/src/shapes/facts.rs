//! Questions about what is missing, what holds or not, and when something was.

use rand::RngExt;

use super::filtered::{count_restricted, filtered};
use crate::query::{Condition, Expr, column, compare};
use crate::restrictions::fill;
use crate::words::{ColumnWords, Entity, Kind};
use crate::writer::{Draft, Modifier, Restriction, Writer};

/// The months as people say them, January first.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// `customers without an email`.
pub(super) fn missing(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, words) = w.hidden(|it| !it.missing.is_empty())?;
    let clause = w.choose(&words.missing)?.clone();
    let place = column(0, &words.column);
    w.told(entity, words, clause, Condition::IsNull(place))
}

/// `customers with an email`.
pub(super) fn present(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, words) = w.hidden(|it| !it.present.is_empty())?;
    let clause = w.choose(&words.present)?.clone();
    let place = column(0, &words.column);
    w.told(entity, words, clause, Condition::IsNotNull(place))
}

/// `homes with a garden`, `jobs that are not paid`.
pub(super) fn holds(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, words) = w.hidden(|it| !it.yes.is_empty())?;
    let (predicates, literal) = if w.chance(0.6) {
        (&words.yes, "1")
    } else {
        (&words.no, "0")
    };
    let clause = w.choose(predicates)?.clone();
    let place = Expr::Column(column(0, &words.column));
    w.told(entity, words, clause, compare(place, "=", literal))
}

/// `orders placed in 2020`, `after 2020`, `in March`.
pub(super) fn dated(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity_with(Kind::Date)?;
    let words = w.column(entity, |it| it.kind == Kind::Date && !it.more.is_empty())?;
    let value = w.value(entity, words)?.text.clone();
    let mut parts = value.split('-');
    let (year, month) = (parts.next()?, parts.next()?);
    let place = || column(0, &words.column);
    let of_year = |operator| compare(Expr::DatePart('Y', place()), operator, format!("'{year}'"));
    let of_month = || compare(Expr::DatePart('m', place()), "=", format!("'{month}'"));
    let name = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
    let (clause, condition) = match (w.rng.random_range(0..6), w.choose(&words.is).cloned()) {
        (0, _) => (fill(w.choose(&words.more)?, year), of_year(">")),
        (1, _) => (fill(w.choose(&words.less)?, year), of_year("<")),
        (2, Some(is)) => (fill(&is, name), of_month()),
        (3, Some(is)) => {
            let both = Condition::And(Box::new(of_year("=")), Box::new(of_month()));
            (fill(&is, &format!("{name} {year}")), both)
        }
        (_, Some(is)) => (fill(&is, year), of_year("=")),
        _ => return None,
    };
    w.told(entity, words, clause, condition)
}

impl<'d> Writer<'d> {
    /// A column for which `fits` holds, even one that is never shown.
    fn hidden(
        &mut self,
        fits: impl Fn(&ColumnWords) -> bool,
    ) -> Option<(&'d Entity, &'d ColumnWords)> {
        let entity = self.entity(|it| it.columns.iter().any(&fits))?;
        let fitting: Vec<&ColumnWords> = entity.columns.iter().filter(|it| fits(it)).collect();
        Some((entity, self.choose(&fitting).copied()?))
    }

    /// Lists or counts the rows of which a predicate tells, at times under a second condition.
    fn told(
        &mut self,
        entity: &'d Entity,
        words: &ColumnWords,
        clause: String,
        condition: Condition,
    ) -> Option<Draft> {
        let mut modifier = Modifier::from_clause(clause);
        if let Some(thing) = modifier.clause.strip_prefix("have no ") {
            let without = self.pick(&["without {a}", "with no {}", "that lack {a}"]);
            modifier.post = Some(fill(without, thing));
        }
        let mut by = vec![Restriction {
            condition,
            modifier,
            about: words.column.clone(),
        }];
        if self.chance(0.2) {
            by.extend(self.other_restriction(entity, 0, &words.column));
        }
        if self.chance(0.35) {
            Some(count_restricted(self, entity, &by))
        } else {
            filtered(self, entity, &by)
        }
    }
}
