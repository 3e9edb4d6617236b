//! What may come next in a query.

use super::fact::{Kind, Role};
use super::{
    Context, DEEP, LONG, MAX_COMPOUND_RESULTS, MAX_COMPOUNDS, MAX_SOURCES, Open, Place,
    QueryBeginning,
};
use crate::sql::DatabaseSchema;
use crate::sql::functions::MANY;

impl QueryBeginning {
    pub(super) fn allows_production(&self, id: usize) -> bool {
        let fact = &self.known.facts[id];
        if fact.deepens && (self.open.len() >= DEEP || self.n_nodes >= LONG) {
            return false;
        }
        let context = self.context();
        match fact.kind {
            Kind::Cell => self.allows_more(context),
            Kind::End => self.allows_end(),
            Kind::KeyJoin => {
                let frame = &self.frames[context.own];
                let mut tables = 0..self.known.widths.len();
                tables.any(|it| frame.joined.reaches(&self.known.keys, it))
            }
            Kind::Function(function) => match self.open.last().map(|it| it.kind) {
                Some(Kind::CallDistinct) => function.is_aggregate,
                _ => context.aggregates || !function.is_aggregate,
            },
            Kind::LimitValue => false,
            Kind::Next => self.allows_next(),
            kind => self.allows_value(kind, context),
        }
    }

    fn allows_value(&self, kind: Kind, context: Context) -> bool {
        let is_placed = match context.place {
            Place::CompoundKey => {
                kind == Kind::Column && !self.frames[context.own].plain_results.is_empty()
                    || !is_value(kind)
            }
            Place::Key => !matches!(kind, Kind::Number | Kind::Condition),
            Place::Tested => {
                let is_computed = matches!(kind, Kind::Aggregate | Kind::Call);
                is_computed || names_column(kind) || !is_value(kind)
            }
            Place::Other | Place::Result | Place::Counted => true,
        };
        is_placed
            && match kind {
                Kind::Column => self.allows_column(context),
                Kind::Occurrence => self
                    .tables(context)
                    .any(|it| self.known.widths[it] > 0 && self.n_occurrences(context, it) > 1),
                Kind::AllColumns => self.allows_all_columns(context, 1),
                Kind::AllColumnsOf => self.allows_all_columns(context, 2),
                Kind::Output => self.n_outputs(context) > 0,
                Kind::Aggregate | Kind::CallDistinct => context.aggregates,
                Kind::Truth => !self.known.hides_truth,
                Kind::IsNull if context.place == Place::Key => self.allows_column(context),
                _ => true,
            }
    }

    /// Whether there is a column, or a place for `*`.
    fn allows_column(&self, context: Context) -> bool {
        self.is_paper()
            || self.allows_star(context)
            || self.tables(context).any(|it| self.known.widths[it] > 0)
    }

    fn allows_star(&self, context: Context) -> bool {
        match context.place {
            Place::Counted => true,
            Place::Result => {
                let frame = &self.frames[context.own];
                if self.is_paper() {
                    return frame.n_demanded.is_none();
                }
                self.has_room_for(context, frame.width(&self.known.widths))
            }
            _ => false,
        }
    }

    /// Whether a result may be that many columns; the result itself is counted once it is begun.
    fn has_room_for(&self, context: Context, width: usize) -> bool {
        let is_begun = self
            .open
            .last()
            .is_some_and(|it| !matches!(it.kind, Kind::Cell | Kind::Option));
        width > 0 && self.frames[context.own].has_room(width - usize::from(is_begun))
    }

    /// Whether some table occurs so often that all its columns may be a result.
    fn allows_all_columns(&self, context: Context, n_occurrences: usize) -> bool {
        if context.place != Place::Result {
            return false;
        }
        let mut tables = 0..self.known.widths.len();
        tables.any(|it| self.allows_all_columns_of(context, it, n_occurrences))
    }

    fn allows_all_columns_of(&self, context: Context, table: usize, n_occurrences: usize) -> bool {
        let frame = &self.frames[context.own];
        if self.is_paper() {
            return frame.n_demanded.is_none() && table < self.known.widths.len();
        }
        frame.n_occurrences(table) >= n_occurrences
            && self.has_room_for(context, self.known.widths[table])
    }

    fn allows_more(&self, context: Context) -> bool {
        let Some(owner) = self.owner() else {
            return true;
        };
        let is_first = self.open.last().is_some_and(|it| it.kind == owner.kind);
        let index = owner.n_built - usize::from(!is_first);
        match (owner.kind, self.known.facts[owner.production].roles[index]) {
            (Kind::Select, Role::Results) => {
                let frame = &self.frames[context.own];
                frame.is_vague || frame.has_room(1)
            }
            (Kind::Query, Role::Compounds) => {
                let arity = self.frames[owner.first].arity();
                arity.is_some_and(|it| it <= MAX_COMPOUND_RESULTS) && owner.count < MAX_COMPOUNDS
            }
            (Kind::Query, Role::OrderBy) => {
                owner.count == 1 || !self.frames[owner.first].plain_results.is_empty()
            }
            (Kind::Call, _) => owner.count < self.n_arguments(owner).1,
            (Kind::Value, _) => owner.count < MANY,
            (Kind::From, _) => self.frames[context.own].sources.len() < MAX_SOURCES,
            _ => true,
        }
    }

    fn allows_end(&self) -> bool {
        let Some(owner) = self.owner() else {
            return true;
        };
        match owner.kind {
            Kind::Select => self.frames[owner.context.own].is_full(),
            Kind::Call => owner.count >= self.n_arguments(owner).0,
            _ => true,
        }
    }

    fn n_arguments(&self, call: &Open) -> (usize, usize) {
        match self.known.facts[call.first].kind {
            Kind::Function(function) => function.n_arguments,
            _ => (0, MANY),
        }
    }

    /// Whether there is one after those that are counted so far.
    fn allows_next(&self) -> bool {
        let n_before = self
            .open
            .iter()
            .rev()
            .take_while(|it| it.kind == Kind::Next)
            .count();
        let counted = self.open.iter().rev().nth(n_before);
        counted.is_some_and(|it| n_before + 1 < it.count)
    }

    pub(super) fn allows_reference(&self, index: usize) -> bool {
        let context = self.context();
        let Some(parent) = self.open.last() else {
            return true;
        };
        match parent.kind {
            Kind::KeyJoin => self.frames[context.own]
                .joined
                .reaches(&self.known.keys, index),
            Kind::AllColumns => self.allows_all_columns_of(context, index, 1),
            Kind::AllColumnsOf => self.allows_all_columns_of(context, index, 2),
            Kind::Column if index == DatabaseSchema::STAR => self.allows_star(context),
            Kind::Column if context.place == Place::CompoundKey => {
                self.frames[context.own].plain_results.contains(&index)
            }
            Kind::Column if self.is_paper() => index < self.known.schema.columns.len(),
            Kind::Column => self.n_occurrences_of(context, index) > 0,
            Kind::Occurrence => self.n_occurrences_of(context, index) > 1,
            _ => index < self.known.widths.len(),
        }
    }

    /// How often the table of a column occurs.
    pub(super) fn n_occurrences_of(&self, context: Context, column: usize) -> usize {
        let column = self.known.schema.columns.get(column);
        let table = column.and_then(|it| it.table);
        table.map_or(0, |it| self.n_occurrences(context, it))
    }
}

fn names_column(kind: Kind) -> bool {
    matches!(kind, Kind::Column | Kind::Occurrence | Kind::Output)
}

pub(super) fn is_value(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Query
            | Kind::Select
            | Kind::Option
            | Kind::Cell
            | Kind::End
            | Kind::Other
            | Kind::One
            | Kind::Next
            | Kind::Function(_)
            | Kind::Grouping
            | Kind::From
            | Kind::Derived
            | Kind::Source
            | Kind::KeyJoin
            | Kind::LimitValue
            | Kind::Comparison
            | Kind::IsNull
            | Kind::Condition
    )
}
