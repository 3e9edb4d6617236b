//! What a name in a query stands for, by SQLite's rules of scope.
//!
//! The SELECTs around a place form a chain, innermost last. A name is looked for in the FROM
//! clause of the innermost one, then outwards. What is found is told as the tree tells it: a
//! column, and how many occurrences of its table are nearer.

use indexmap::{IndexMap, IndexSet};
use patois_syntax::Ast;

use super::DatabaseSchema;
use super::tree;

/// What the FROM clause of one SELECT brings into scope.
#[derive(Clone, Default)]
pub(super) struct Scope {
    /// The tables, in order.
    pub(super) sources: Vec<Source>,
}

/// What a chain of scopes holds, the innermost scope first, with the indices of scope and source.
pub(super) fn nearest_first<'a, Scope, Source: 'a>(
    chain: &'a [Scope],
    sources: impl Fn(&'a Scope) -> &'a [Source],
) -> impl Iterator<Item = (usize, usize, &'a Source)> {
    let innermost_first = chain.iter().enumerate().rev();
    innermost_first.flat_map(move |(depth, scope)| {
        let sources = sources(scope).iter().enumerate();
        sources.map(move |(index, source)| (depth, index, source))
    })
}

/// A table in scope.
#[derive(Clone)]
pub(super) struct Source {
    /// What qualifies its columns: the alias, else the table's name.
    pub(super) name: String,
    /// What it holds.
    pub(super) kind: SourceKind,
    /// Columns that `USING` or `NATURAL` merged with those of a table to the left.
    pub(super) merged: Vec<String>,
}

/// What a table in scope holds.
#[derive(Clone)]
pub(super) enum SourceKind {
    /// A table of the database.
    Table(usize),
    /// A query, with the names of its results.
    Derived(Vec<String>),
}

/// A column that a name stands for.
#[derive(Clone, Copy)]
pub(super) struct Found {
    scope: usize,
    source: usize,
    /// The column's index in the database, or the position of the derived table's output.
    column: usize,
}

/// Why a name stands for no column.
pub(super) enum NotFound {
    /// No table in scope has it.
    Unknown,
    /// Two tables of one FROM clause have it.
    Ambiguous(String, String),
}

/// The chain of scopes around a place, innermost last.
pub(super) struct Scopes<'d> {
    schema: &'d DatabaseSchema,
    chain: Vec<Scope>,
}

impl<'d> Scopes<'d> {
    /// No scope at all.
    pub(super) fn new(schema: &'d DatabaseSchema) -> Scopes<'d> {
        Scopes {
            schema,
            chain: Vec::new(),
        }
    }

    /// Enters a SELECT.
    pub(super) fn push(&mut self, scope: Scope) {
        self.chain.push(scope);
    }

    /// Leaves a SELECT.
    pub(super) fn pop(&mut self) -> Scope {
        self.chain.pop().expect("a scope is left once")
    }

    /// Takes all scopes away, as for LIMIT, which sees no column.
    pub(super) fn take(&mut self) -> Vec<Scope> {
        std::mem::take(&mut self.chain)
    }

    /// Puts back what was taken away.
    pub(super) fn restore(&mut self, chain: Vec<Scope>) {
        self.chain = chain;
    }

    /// The innermost scope.
    pub(super) fn innermost(&self) -> Option<&Scope> {
        self.chain.last()
    }

    /// The column called `name` in the innermost scope alone.
    pub(super) fn find_here(&self, name: &str) -> Result<Found, NotFound> {
        match self.chain.len().checked_sub(1) {
            Some(scope) => self.find_in(scope, name),
            None => Err(NotFound::Unknown),
        }
    }

    /// The column that the bare `name` stands for, searching from the enclosing SELECT outwards.
    pub(super) fn find_outside(&self, name: &str) -> Result<Found, NotFound> {
        for scope in (0..self.chain.len().saturating_sub(1)).rev() {
            match self.find_in(scope, name) {
                Err(NotFound::Unknown) => {}
                other => return other,
            }
        }
        Err(NotFound::Unknown)
    }

    fn find_in(&self, scope: usize, name: &str) -> Result<Found, NotFound> {
        let mut found: Option<Found> = None;
        for (index, source) in self.chain[scope].sources.iter().enumerate() {
            if source.has_merged(name) {
                continue;
            }
            let Some(column) = self.column_in(source, name) else {
                continue;
            };
            if let Some(first) = found {
                let first = self.chain[scope].sources[first.source].name.clone();
                return Err(NotFound::Ambiguous(first, source.name.clone()));
            }
            found = Some(Found {
                scope,
                source: index,
                column,
            });
        }
        found.ok_or(NotFound::Unknown)
    }

    /// The column that `qualifier.name` stands for.
    pub(super) fn find_qualified(&self, qualifier: &str, name: &str) -> Option<Found> {
        let mut sources = self.named(qualifier);
        sources.find_map(|(scope, source)| self.find_at(scope, source, name))
    }

    /// The column called `name` of one table of the innermost scope.
    pub(super) fn find_of(&self, source: usize, name: &str) -> Option<Found> {
        self.find_at(self.chain.len().checked_sub(1)?, source, name)
    }

    fn find_at(&self, scope: usize, source: usize, name: &str) -> Option<Found> {
        let column = self.column_in(&self.chain[scope].sources[source], name)?;
        Some(Found {
            scope,
            source,
            column,
        })
    }

    /// The columns of a table of the innermost scope, with their names, merged ones left out.
    pub(super) fn columns_of(&self, source: usize) -> Vec<(String, Found)> {
        let Some(scope) = self.chain.len().checked_sub(1) else {
            return Vec::new();
        };
        let held = &self.chain[scope].sources[source];
        let found = |column| Found {
            scope,
            source,
            column,
        };
        column_names(self.schema, held)
            .into_iter()
            .filter(|(name, _)| !held.has_merged(name))
            .map(|(name, column)| (name, found(column)))
            .collect()
    }

    /// `qualifier.*`, with the names of its columns: a table of the database as the tree tells it,
    /// or all outputs of a derived table.
    pub(super) fn star_of(&self, qualifier: &str) -> Option<(Vec<Ast>, Vec<String>)> {
        let (scope, source) = self.named(qualifier).next()?;
        let held = &self.chain[scope].sources[source];
        let names = column_names(self.schema, held)
            .into_iter()
            .map(|(name, _)| name);
        let stars = match &held.kind {
            SourceKind::Table(table) => {
                vec![tree::all_columns(
                    *table,
                    self.ordinal(scope, source, *table),
                )]
            }
            SourceKind::Derived(outputs) => (0..outputs.len())
                .map(|column| {
                    self.to_value(Found {
                        scope,
                        source,
                        column,
                    })
                })
                .collect(),
        };
        Some((stars, names.collect()))
    }

    /// The node for a column that was found.
    pub(super) fn to_value(&self, found: Found) -> Ast {
        match &self.chain[found.scope].sources[found.source].kind {
            SourceKind::Table(table) => {
                let ordinal = self.ordinal(found.scope, found.source, *table);
                tree::occurrence_or_column(found.column, ordinal)
            }
            SourceKind::Derived(_) => {
                let position = self.outputs_before(found.scope, found.source) + found.column + 1;
                tree::output(position)
            }
        }
    }

    /// All tables with the given name, nearest first.
    fn named(&self, name: &str) -> impl Iterator<Item = (usize, usize)> {
        self.sources()
            .filter(move |(_, _, source)| source.name.eq_ignore_ascii_case(name))
            .map(|(scope, index, _)| (scope, index))
    }

    /// All tables in scope, nearest first.
    fn sources(&self) -> impl Iterator<Item = (usize, usize, &Source)> {
        nearest_first(&self.chain, |scope| &scope.sources)
    }

    /// Counts the occurrences of `table` from the nearest up to the given one, from 1.
    fn ordinal(&self, scope: usize, source: usize, table: usize) -> usize {
        let up_to = self
            .sources()
            .take_while(|&(depth, index, _)| (depth, index) != (scope, source))
            .filter(|(_, _, it)| matches!(it.kind, SourceKind::Table(other) if other == table));
        up_to.count() + 1
    }

    fn outputs_before(&self, scope: usize, source: usize) -> usize {
        self.sources()
            .take_while(|&(depth, index, _)| (depth, index) != (scope, source))
            .map(|(_, _, it)| match &it.kind {
                SourceKind::Table(_) => 0,
                SourceKind::Derived(outputs) => outputs.len(),
            })
            .sum()
    }

    fn column_in(&self, source: &Source, name: &str) -> Option<usize> {
        match &source.kind {
            SourceKind::Table(table) => self.schema.column_named(*table, name),
            SourceKind::Derived(outputs) => {
                outputs.iter().position(|it| it.eq_ignore_ascii_case(name))
            }
        }
    }
}

impl Source {
    fn has_merged(&self, name: &str) -> bool {
        self.merged.iter().any(|it| it.eq_ignore_ascii_case(name))
    }
}

/// The columns of a table in scope: names, and indices as in [`Found`].
pub(super) fn column_names(schema: &DatabaseSchema, source: &Source) -> Vec<(String, usize)> {
    match &source.kind {
        SourceKind::Table(table) => schema
            .columns_of(*table)
            .map(|(index, column)| (column.name.clone(), index))
            .collect(),
        SourceKind::Derived(outputs) => outputs.iter().cloned().zip(0..).collect(),
    }
}

/// Tells equal names of a derived table's outputs apart as SQLite does: `id`, `id:1`, `id:2`.
pub(super) fn distinct_names(names: Vec<String>) -> Vec<String> {
    let mut taken: IndexSet<String> = IndexSet::new();
    let mut last_tried: IndexMap<String, usize> = IndexMap::new();
    let distinct = names.into_iter().map(|name| {
        let folded = name.to_ascii_lowercase();
        if name.is_empty() || taken.insert(folded.clone()) {
            return name;
        }
        let n_tried = last_tried.entry(folded.clone()).or_default();
        loop {
            *n_tried += 1;
            if taken.insert(format!("{folded}:{n_tried}")) {
                return format!("{name}:{n_tried}");
            }
        }
    });
    distinct.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_told_apart() {
        let names = ["id", "x", "ID", "id", ""].map(String::from).to_vec();
        assert_eq!(distinct_names(names), ["id", "x", "ID:1", "id:2", ""]);
        let names = ["id", "ID:1", "id", "", "id"].map(String::from).to_vec();
        assert_eq!(distinct_names(names), ["id", "ID:1", "id:2", "", "id:3"]);
    }
}
