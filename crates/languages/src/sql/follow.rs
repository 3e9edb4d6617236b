//! What may follow in a query under construction, so that it runs once it is complete.
//!
//! The grammar lets a reference point anywhere, an aggregate stand in an aggregate, a query with two results be
//! a value. SQLite refuses what names a column of no table in scope, what joins along a key that is not there, what
//! compares queries with different numbers of results, and more. All of that is decided by what stands to
//! the left, since a SELECT begins with its tables.
//!
//! Where SQLite's rule is subtle, ours is stricter: an aggregate is computed from columns of its own SELECT
//! (SQLite moves it to the SELECT that they belong to), a join's condition sees the tables before it and
//! nothing around (later tables would hide what is around), and what orders a compound query is a result of the
//! first SELECT.

mod allow;
mod build;
mod fact;
mod frame;

use std::sync::Arc;

use patois_syntax::{Beginning, Grammar, Label};

use super::from_clause::Keys;
use super::{DatabaseSchema, Mode};
use fact::{Fact, Kind, Role};
use frame::{Frame, Source};

/// Below so many nodes and cells, what a tree consists of gets no deeper: SQLite limits how deep expressions are,
/// and so do we.
const DEEP: usize = 150;

/// After so many nodes likewise: an idiom whose hole occurs twice may copy copies of copies.
const LONG: usize = 3000;

/// How many tables a FROM clause has at most; SQLite joins 64.
const MAX_SOURCES: usize = 24;

/// How many SELECTs follow the first one at most.
const MAX_COMPOUNDS: usize = 50;

/// How many results each of several SELECTs has at most.
const MAX_COMPOUND_RESULTS: usize = 100;

/// The beginning of a query.
#[derive(Clone)]
pub(super) struct QueryBeginning {
    known: Arc<Known>,
    /// The nodes that are not finished, outermost first.
    open: Vec<Open>,
    frames: Vec<Frame>,
    /// How many results the query has that was finished last.
    last_arity: usize,
    n_nodes: usize,
}

/// What is known before a query begins.
struct Known {
    schema: Arc<DatabaseSchema>,
    mode: Mode,
    facts: Vec<Fact>,
    keys: Keys,
    /// How many columns each table has.
    widths: Vec<usize>,
    /// Whether a column is called `true` or `false`, which hides the truth value.
    hides_truth: bool,
}

/// A node that is not finished.
#[derive(Clone, Copy, Debug)]
struct Open {
    production: usize,
    kind: Kind,
    n_built: usize,
    context: Context,
    /// Queries: how many SELECTs have begun. Calls: how many arguments. Numbered things: how many there are.
    count: usize,
    /// Queries: the first SELECT. Calls: the production of the function.
    first: usize,
}

/// What a node can see, and what it is good for.
#[derive(Clone, Copy, Debug)]
struct Context {
    /// The innermost SELECT whose tables it sees.
    frame: Option<usize>,
    /// SELECTs before this one are out of sight.
    floor: usize,
    /// The innermost SELECT that it is a part of.
    own: usize,
    /// Whether an aggregate may stand here.
    aggregates: bool,
    /// How many results a query must have here.
    n_results: Option<usize>,
    place: Place,
}

/// What a value is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Other,
    Result,
    Counted,
    /// What is ordered or grouped by, where a number would mean a result.
    Key,
    /// What is null or not in such a place: SQLite makes a number of a constant that is or is not.
    Tested,
    /// What a compound query is ordered by.
    CompoundKey,
}

impl QueryBeginning {
    /// A query over `schema` of which nothing is built yet.
    pub(super) fn new(
        schema: &Arc<DatabaseSchema>,
        mode: Mode,
        grammar: &Grammar,
    ) -> QueryBeginning {
        let is_truth = |name: &str| {
            ["true", "false"]
                .iter()
                .any(|it| name.eq_ignore_ascii_case(it))
        };
        let known = Known {
            mode,
            facts: fact::facts(grammar),
            keys: Keys::of(schema),
            widths: frame::widths(schema),
            hides_truth: schema.columns.iter().any(|it| is_truth(&it.name)),
            schema: Arc::clone(schema),
        };
        QueryBeginning {
            known: Arc::new(known),
            open: Vec::new(),
            frames: Vec::new(),
            last_arity: 0,
            n_nodes: 0,
        }
    }
}

impl Beginning for QueryBeginning {
    fn allows(&self, label: Label) -> bool {
        match label {
            Label::Production(id) => self.allows_production(id.index()),
            Label::Reference(index) => self.allows_reference(index as usize),
            Label::Text(_) => true,
        }
    }

    fn push(&mut self, label: Label) {
        let context = self.context();
        self.n_nodes += 1;
        if let Some(parent) = self.open.last_mut() {
            parent.n_built += 1;
        }
        match label {
            Label::Production(id) => self.push_production(id.index(), context),
            Label::Reference(index) => self.push_reference(index as usize),
            Label::Text(_) => {}
        }
        while let Some(last) = self.open.last()
            && last.n_built == self.known.facts[last.production].roles.len()
        {
            self.close();
        }
    }

    fn boxed_clone(&self) -> Box<dyn Beginning> {
        Box::new(self.clone())
    }
}

/// What stands around the next node.
impl QueryBeginning {
    fn context(&self) -> Context {
        let Some(parent) = self.open.last() else {
            return Context {
                frame: None,
                floor: 0,
                own: 0,
                aggregates: false,
                n_results: None,
                place: Place::Other,
            };
        };
        let context = parent.context;
        let roles = &self.known.facts[parent.production].roles;
        let role = roles.get(parent.n_built).copied().unwrap_or(Role::Same);
        match role {
            Role::Same => context,
            Role::Compounds | Role::OrderBy | Role::Limit => self.context_in_query(role, parent),
            Role::From
            | Role::On
            | Role::Results
            | Role::Where
            | Role::Grouping
            | Role::Keys
            | Role::Having => self.context_in_select(role, context),
            Role::OneResult | Role::AnyResults => Context {
                n_results: (role == Role::OneResult).then_some(1),
                aggregates: false,
                place: Place::Other,
                ..context
            },
            Role::Argument => self.context_in_aggregate(context, Place::Other),
            Role::Counted => self.context_in_aggregate(context, Place::Counted),
            Role::Arguments => match self.known.facts[parent.first].kind {
                Kind::Function(it) if it.is_aggregate => {
                    self.context_in_aggregate(context, Place::Other)
                }
                _ => context.part(),
            },
            Role::Sign if context.place == Place::Key => context,
            Role::Tested if context.place == Place::Key => Context {
                place: Place::Tested,
                ..context
            },
            Role::Part | Role::Sign | Role::Tested => context.part(),
        }
    }

    fn context_in_query(&self, role: Role, query: &Open) -> Context {
        let context = query.context;
        let first = &self.frames[query.first];
        match role {
            Role::Compounds => Context {
                n_results: first.arity(),
                ..context
            },
            Role::OrderBy => Context {
                frame: Some(query.first),
                own: query.first,
                aggregates: first.is_aggregate,
                place: if query.count > 1 {
                    Place::CompoundKey
                } else {
                    Place::Key
                },
                ..context
            },
            _ => Context {
                frame: None,
                floor: self.frames.len(),
                aggregates: false,
                place: Place::Other,
                ..context
            },
        }
    }

    fn context_in_select(&self, role: Role, context: Context) -> Context {
        let own = context.own;
        let inside = Context {
            frame: Some(own),
            aggregates: false,
            n_results: None,
            place: Place::Other,
            ..context
        };
        match role {
            // A query in FROM sees what is around the SELECT, not the tables beside it.
            Role::From => Context {
                frame: self.frames[own].outer,
                ..inside
            },
            Role::On => Context {
                floor: own,
                ..inside
            },
            Role::Results => Context {
                aggregates: true,
                place: Place::Result,
                ..inside
            },
            Role::Having => Context {
                aggregates: true,
                ..inside
            },
            Role::Keys => Context {
                place: Place::Key,
                ..inside
            },
            _ => inside,
        }
    }

    /// Inside an aggregate only the SELECT that it is computed from is in sight.
    fn context_in_aggregate(&self, context: Context, place: Place) -> Context {
        let frame = context.frame.unwrap_or(self.frames.len());
        Context {
            aggregates: false,
            floor: frame.max(context.floor),
            place,
            ..context
        }
    }

    /// The nearest node around the next one that is no cell of a list or option.
    fn owner(&self) -> Option<&Open> {
        let is_cell = |it: &&Open| !matches!(it.kind, Kind::Cell | Kind::Option);
        self.open.iter().rev().find(is_cell)
    }

    /// The SELECTs whose tables are in sight, innermost first.
    fn visible(&self, context: Context) -> impl Iterator<Item = &Frame> {
        let is_visible = move |it: &usize| *it >= context.floor;
        let first = context.frame.filter(is_visible);
        let outer = move |it: &usize| self.frames[*it].outer.filter(is_visible);
        std::iter::successors(first, outer).map(|it| &self.frames[it])
    }

    fn n_occurrences(&self, context: Context, table: usize) -> usize {
        self.visible(context)
            .map(|it| it.n_occurrences(table))
            .sum()
    }

    fn n_outputs(&self, context: Context) -> usize {
        let outputs = |it: &Source| match *it {
            Source::Table(_) => 0,
            Source::Derived(n_outputs) => n_outputs,
        };
        let sources = self.visible(context).flat_map(|it| &it.sources);
        sources.map(outputs).sum()
    }

    fn tables(&self, context: Context) -> impl Iterator<Item = usize> {
        let sources = self.visible(context).flat_map(|it| &it.sources);
        sources.filter_map(|it| match *it {
            Source::Table(table) => Some(table),
            Source::Derived(_) => None,
        })
    }

    fn is_paper(&self) -> bool {
        self.known.mode == Mode::Paper
    }
}

impl Context {
    fn part(self) -> Context {
        Context {
            place: Place::Other,
            ..self
        }
    }
}
