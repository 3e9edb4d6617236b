//! Words and phrases: what the shapes of questions are put together from.
//!
//! A [`Writer`] draws entities, columns, values and wordings for one database. Restrictions come as
//! a condition in SQL together with a [`Modifier`] in English, so that the two cannot disagree.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::domain::{Domain, Value};
use super::english::{postmodifier, singular_verb};
use super::query::{Aggregate, Condition, Direction, Query, col, column, compare};
use super::words::{ColumnWords, Entity, Kind, Relation};

/// Draws wordings for one database.
pub(super) struct Writer<'d> {
    pub(super) domain: &'d Domain,
    pub(super) rng: ChaCha8Rng,
}

/// A question and its query.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) text: String,
    pub(super) query: Query,
}

/// What restricts a noun, in the forms English has for it.
#[derive(Clone, Debug)]
pub(super) struct Modifier {
    /// A predicate of plural subjects: `are older than 30`.
    pub(super) clause: String,
    /// The same for one subject, where the verb is not all that changes: `is an engineer`.
    pub(super) singular: Option<String>,
    /// What can stand before the noun: `Irish`.
    pub(super) pre: Option<String>,
    /// What can stand behind it without a verb: `older than 30`.
    pub(super) post: Option<String>,
    /// What can be said in place of the noun, singular: `engineer`.
    pub(super) noun: Option<String>,
}

/// A condition and what it is called.
#[derive(Clone, Debug)]
pub(super) struct Restriction {
    pub(super) condition: Condition,
    pub(super) modifier: Modifier,
    /// The column it is about.
    pub(super) about: String,
}

/// Which end of a column is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extreme {
    Most,
    Least,
}

/// One thing or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Singular,
    Plural,
}

impl Extreme {
    /// The order that puts this end first.
    pub(super) fn first(self) -> Direction {
        match self {
            Extreme::Most => Direction::Descending,
            Extreme::Least => Direction::Ascending,
        }
    }

    /// The aggregate that yields this end.
    pub(super) fn aggregate(self) -> Aggregate {
        match self {
            Extreme::Most => Aggregate::Maximum,
            Extreme::Least => Aggregate::Minimum,
        }
    }
}

impl Modifier {
    /// A modifier with the forms that follow from its clause.
    pub(super) fn from_clause(clause: String) -> Modifier {
        let post = postmodifier(&clause);
        Modifier {
            clause,
            singular: None,
            pre: None,
            post,
            noun: None,
        }
    }
}

impl Modifier {
    /// The predicate for one subject.
    pub(super) fn one(&self) -> String {
        self.singular
            .clone()
            .unwrap_or_else(|| singular_verb(&self.clause))
    }
}

impl Kind {
    /// Whether values are compared by size.
    pub(super) fn is_ordered(self) -> bool {
        matches!(self, Kind::Number | Kind::Year | Kind::Date)
    }
}

impl<'d> Writer<'d> {
    /// One of several wordings.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        *items
            .choose(&mut self.rng)
            .expect("wordings are never empty lists")
    }

    /// One of several, where there are any.
    pub(super) fn choose<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.choose(&mut self.rng)
    }

    /// True with a probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    /// Either end.
    pub(super) fn extreme(&mut self) -> Extreme {
        self.pick(&[Extreme::Most, Extreme::Most, Extreme::Least])
    }

    /// An entity for which `fits` holds.
    pub(super) fn entity(&mut self, fits: impl Fn(&Entity) -> bool) -> Option<&'d Entity> {
        let fitting: Vec<&Entity> = self
            .domain
            .words
            .entities
            .iter()
            .filter(|it| fits(it))
            .collect();
        self.choose(&fitting).copied()
    }

    /// An entity whose rows have names.
    pub(super) fn named_entity(&mut self) -> Option<&'d Entity> {
        self.entity(|it| it.name.is_some())
    }

    /// An entity with a column of a kind.
    pub(super) fn entity_with(&mut self, kind: Kind) -> Option<&'d Entity> {
        self.entity(|it| it.columns.iter().any(|it| it.kind == kind))
    }

    /// A column for which `fits` holds.
    pub(super) fn column(
        &mut self,
        entity: &'d Entity,
        fits: impl Fn(&ColumnWords) -> bool,
    ) -> Option<&'d ColumnWords> {
        let fitting: Vec<&ColumnWords> = entity
            .columns
            .iter()
            .filter(|it| it.kind != Kind::Hidden && fits(it))
            .collect();
        self.choose(&fitting).copied()
    }

    /// A column of a kind.
    pub(super) fn column_of(&mut self, entity: &'d Entity, kind: Kind) -> Option<&'d ColumnWords> {
        self.column(entity, |it| it.kind == kind)
    }

    /// A relation for which `fits` holds, with its two entities.
    pub(super) fn relation(
        &mut self,
        fits: impl Fn(&Relation, &Entity, &Entity) -> bool,
    ) -> Option<Related<'d>> {
        let words = &self.domain.words;
        let fitting: Vec<Related<'d>> = words
            .relations
            .iter()
            .filter_map(|relation| {
                let (one, many) = (words.entity(&relation.one)?, words.entity(&relation.many)?);
                fits(relation, one, many).then_some(Related {
                    relation,
                    one,
                    many,
                })
            })
            .collect();
        self.choose(&fitting).copied()
    }

    /// A value of a column.
    pub(super) fn value(&mut self, entity: &Entity, column: &ColumnWords) -> Option<&'d Value> {
        self.domain.values(entity, column).choose(&mut self.rng)
    }

    /// That the row at `slot` has a name, which can be in two columns.
    pub(super) fn is_called(naming: &ColumnWords, slot: usize, value: &Value) -> Condition {
        let is = |column: &str, literal: &str| compare(col(slot, column), "=", literal);
        let first = is(&naming.column, &value.sql);
        match (&naming.surname, &value.surname) {
            (Some(column), Some(literal)) => {
                Condition::And(Box::new(first), Box::new(is(column, literal)))
            }
            _ => first,
        }
    }

    /// A number inside the range of a column, as round as people like them.
    pub(super) fn threshold(&mut self, entity: &Entity, column: &ColumnWords) -> Option<String> {
        let values = self.domain.values(entity, column);
        let inner = values.get(1..values.len().checked_sub(1)?)?;
        let value = inner.choose(&mut self.rng)?;
        let Some(number) = value.number else {
            return Some(value.sql.clone());
        };
        let (low, high) = (values.first()?.number?, values.last()?.number?);
        let rounded = if column.kind == Kind::Year {
            number
        } else {
            round(number)
        };
        let kept = if rounded > low && rounded < high {
            rounded
        } else {
            number
        };
        Some(kept.to_string())
    }
}

/// A relation with the entities at its ends.
#[derive(Clone, Copy)]
pub(super) struct Related<'d> {
    pub(super) relation: &'d Relation,
    pub(super) one: &'d Entity,
    pub(super) many: &'d Entity,
}

impl Related<'_> {
    /// A query over `one`, joined with the next table on the way to `many`: all that counting
    /// needs.
    pub(super) fn counting_query(&self) -> Query {
        self.query_along(1).0
    }

    /// A query over `one` joined with `many`, and the place of `many`.
    pub(super) fn query(&self) -> (Query, usize) {
        self.query_along(usize::MAX)
    }

    fn query_along(&self, n_joins: usize) -> (Query, usize) {
        let mut query = Query::over(&self.relation.one);
        let mut slot = 0;
        for (left, table, right) in self.relation.joins().take(n_joins) {
            slot = query.join(column(slot, left), table, right);
        }
        (query, slot)
    }

    /// The first table on the way to `many` and its column that refers to `one`.
    pub(super) fn referring(&self) -> Option<(&str, &str)> {
        self.relation
            .joins()
            .next()
            .map(|(_, table, column)| (table, column))
    }
}

/// Rounds to what people would say.
fn round(number: f64) -> f64 {
    let step = match number.abs() {
        it if it >= 10_000.0 => 5000.0,
        it if it >= 1000.0 => 100.0,
        it if it >= 200.0 => 50.0,
        it if it >= 50.0 => 10.0,
        it if it >= 20.0 => 5.0,
        _ => return number,
    };
    (number / step).round() * step
}
