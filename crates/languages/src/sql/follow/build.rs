//! What a node adds to a query.

use std::sync::Arc;

use super::allow::is_value;
use super::fact::Kind;
use super::frame::{Frame, Source};
use super::{Context, Open, Place, QueryBeginning};
use crate::sql::DatabaseSchema;

impl QueryBeginning {
    pub(super) fn push_production(&mut self, production: usize, mut context: Context) {
        let kind = self.known.facts[production].kind;
        let mut count = 0;
        match kind {
            Kind::Select => {
                context.own = self.frames.len();
                self.begin_select(context);
            }
            Kind::Grouping => self.frames[context.own].is_aggregate = true,
            Kind::Function(_) => {
                if let Some(call) = self.open.last_mut() {
                    call.first = production;
                }
                self.note_aggregate(kind, context);
            }
            Kind::Aggregate => self.note_aggregate(kind, context),
            Kind::Output => count = self.n_outputs(context),
            Kind::Cell => self.count_item(),
            _ => {}
        }
        if context.place == Place::Result && is_value(kind) {
            self.frames[context.own].n_results += 1;
        }
        self.open.push(Open {
            production,
            kind,
            n_built: 0,
            context,
            count,
            first: 0,
        });
    }

    fn begin_select(&mut self, context: Context) {
        let index = self.frames.len();
        self.frames.push(Frame {
            outer: context.frame,
            n_demanded: context.n_results,
            ..Frame::default()
        });
        let query = self.open.iter_mut().rfind(|it| it.kind == Kind::Query);
        if let Some(query) = query {
            if query.count == 0 {
                query.first = index;
            }
            query.count += 1;
        }
    }

    /// A SELECT with an aggregate among its results may be ordered by one.
    fn note_aggregate(&mut self, kind: Kind, context: Context) {
        let is_aggregate = match kind {
            Kind::Function(function) => function.is_aggregate,
            _ => true,
        };
        if let (true, Some(frame)) = (is_aggregate && context.aggregates, context.frame) {
            self.frames[frame].is_aggregate = true;
        }
    }

    /// Counts the items of a list whose length matters.
    fn count_item(&mut self) {
        let is_cell = |it: &&mut Open| !matches!(it.kind, Kind::Cell | Kind::Option);
        let owner = self.open.iter_mut().rev().find(is_cell);
        if let Some(owner) = owner.filter(|it| matches!(it.kind, Kind::Call | Kind::Value)) {
            owner.count += 1;
        }
    }

    pub(super) fn push_reference(&mut self, index: usize) {
        let Some(parent) = self.open.last().copied() else {
            return;
        };
        let context = parent.context;
        match parent.kind {
            Kind::Source => self.add_source(context.own, Source::Table(index)),
            Kind::KeyJoin => {
                let known = Arc::clone(&self.known);
                let frame = &mut self.frames[context.own];
                frame.joined.push_along_key(&known.keys, index);
                frame.sources.push(Source::Table(index));
            }
            Kind::Column if context.place == Place::Result => self.add_result(context, index),
            Kind::AllColumns | Kind::AllColumnsOf => {
                let n_occurrences = self
                    .frames
                    .get(context.own)
                    .map(|it| it.n_occurrences(index));
                self.set_count(n_occurrences.unwrap_or(0).saturating_sub(1));
                if context.place == Place::Result {
                    self.widen(context, self.known.widths.get(index).copied().unwrap_or(0));
                }
            }
            Kind::Occurrence => {
                let n_occurrences = self.n_occurrences_of(context, index);
                self.set_count(n_occurrences.saturating_sub(1));
            }
            _ => {}
        }
    }

    fn set_count(&mut self, count: usize) {
        if let Some(open) = self.open.last_mut() {
            open.count = count;
        }
    }

    fn add_source(&mut self, frame: usize, source: Source) {
        let frame = &mut self.frames[frame];
        frame.sources.push(source);
        frame.joined.push(match source {
            Source::Table(table) => Some(table),
            Source::Derived(_) => None,
        });
    }

    /// A column that is a result.
    fn add_result(&mut self, context: Context, column: usize) {
        if column == DatabaseSchema::STAR {
            let width = self.frames[context.own].width(&self.known.widths);
            self.widen(context, width);
            return;
        }
        let table = self
            .known
            .schema
            .columns
            .get(column)
            .and_then(|it| it.table);
        let is_paper = self.is_paper();
        let frame = &mut self.frames[context.own];
        if table.is_some_and(|it| is_paper || frame.n_occurrences(it) > 0) {
            frame.plain_results.push(column);
        }
    }

    /// A result that is counted as one column stands for so many.
    fn widen(&mut self, context: Context, width: usize) {
        let is_paper = self.is_paper();
        let frame = &mut self.frames[context.own];
        frame.is_vague |= is_paper;
        frame.n_results = (frame.n_results + width).saturating_sub(1);
    }

    /// Ends the innermost node.
    pub(super) fn close(&mut self) {
        let Some(closed) = self.open.pop() else {
            return;
        };
        match closed.kind {
            Kind::Query => self.last_arity = self.frames[closed.first].n_results,
            Kind::Derived => self.add_source(closed.context.own, Source::Derived(self.last_arity)),
            _ => {}
        }
    }
}
