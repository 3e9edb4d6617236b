//! The SELECTs of a query under construction: what they bring into scope, and what they result in.

use crate::sql::DatabaseSchema;
use crate::sql::from_clause::Joined;

/// A SELECT.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// The SELECT around it, whose tables it sees as well.
    pub(super) outer: Option<usize>,
    /// The tables of its FROM clause, in order.
    pub(super) sources: Vec<Source>,
    pub(super) joined: Joined,
    /// How many columns it results in so far.
    pub(super) n_results: usize,
    /// How many there must be.
    pub(super) n_demanded: Option<usize>,
    /// Whether `*` makes them more than can be known.
    pub(super) is_vague: bool,
    /// The results that are just a column of one of its own tables.
    pub(super) plain_results: Vec<usize>,
    /// Whether it is computed from groups of rows.
    pub(super) is_aggregate: bool,
}

/// A table in scope.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// One of the database.
    Table(usize),
    /// A query with so many results.
    Derived(usize),
}

impl Frame {
    /// How often a table of the database occurs.
    pub(super) fn n_occurrences(&self, table: usize) -> usize {
        let is_table = |it: &&Source| matches!(it, Source::Table(other) if *other == table);
        self.sources.iter().filter(is_table).count()
    }

    /// How many columns `*` stands for.
    pub(super) fn width(&self, widths: &[usize]) -> usize {
        let width = |it: &Source| match *it {
            Source::Table(table) => widths[table],
            Source::Derived(n_outputs) => n_outputs,
        };
        self.sources.iter().map(width).sum()
    }

    /// How many results its query has, where that is known.
    pub(super) fn arity(&self) -> Option<usize> {
        (!self.is_vague).then_some(self.n_results)
    }

    /// Whether there is room for `n_more` results.
    pub(super) fn has_room(&self, n_more: usize) -> bool {
        let n_results = self.n_results + n_more;
        n_results <= self.n_demanded.unwrap_or(MAX_RESULTS)
    }

    /// Whether there are as many results as there must be.
    pub(super) fn is_full(&self) -> bool {
        self.is_vague || self.n_demanded.is_none_or(|it| it == self.n_results)
    }
}

/// How many results a SELECT has at most; SQLite takes 2000.
const MAX_RESULTS: usize = 1000;

/// How many columns each table has.
pub(super) fn widths(schema: &DatabaseSchema) -> Vec<usize> {
    let mut widths = vec![0; schema.tables.len()];
    for table in schema.columns.iter().filter_map(|it| it.table) {
        widths[table] += 1;
    }
    widths
}
