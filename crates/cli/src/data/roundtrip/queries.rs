//! What the queries of a corpus keep besides their trees.

use std::collections::BTreeMap;
use std::time::Duration;

use indexmap::IndexMap;
use patois::corpus::roundtrip::queries::{Kept, keeps_match, keeps_rows};
use patois::corpus::{Corpus, Example};
use patois_database::{Database, DatabaseError, Databases, QueryLimits};
use patois_metrics::sql_match::SpiderSchema;
use rayon::prelude::*;
use serde::Serialize;

use super::outcome::{Outcome, section};
use crate::Context;
use crate::corpus::label;
use crate::data::share;
use crate::progress::Progress;

/// What became of the queries: whether they ask the same, and return the same rows.
#[derive(Serialize)]
pub(super) struct QueryTally {
    exact_match: usize,
    /// None where queries have no values to be run with.
    same_rows: Option<usize>,
    lost: Causes,
    defective: Causes,
}

/// Queries by what is wrong with them.
#[derive(Default, Serialize)]
struct Causes {
    exact_match: ByCause,
    same_rows: ByCause,
}

type ByCause = IndexMap<String, Vec<Query>>;

/// A query that lost something.
#[derive(Clone, Serialize)]
struct Query {
    row: String,
    original: String,
    reprinted: String,
}

impl QueryTally {
    /// Compares the reprinted queries with their originals: what they ask, and, where their
    /// databases are given, what they return.
    pub(super) fn of(
        corpus: &Corpus,
        outcomes: &[Outcome],
        databases: Option<&Databases>,
        context: &Context,
    ) -> QueryTally {
        let matches = Sorted::new(corpus, outcomes, match_of_each(corpus, outcomes));
        let rows = databases
            .map(|databases| rows_of_each(corpus, outcomes, databases, context))
            .map(|all| Sorted::new(corpus, outcomes, all));
        let same_rows = rows.as_ref().map(|it| it.kept);
        let rows = rows.unwrap_or_default();
        QueryTally {
            exact_match: matches.kept,
            same_rows,
            lost: Causes {
                exact_match: matches.lost,
                same_rows: rows.lost,
            },
            defective: Causes {
                exact_match: matches.defective,
                same_rows: rows.defective,
            },
        }
    }

    /// Whether every query that is not itself at fault kept everything.
    pub(super) fn holds(&self) -> bool {
        self.lost.exact_match.is_empty() && self.lost.same_rows.is_empty()
    }

    /// The lists of what was lost, by cause.
    pub(super) fn lists(&self, limit: usize) -> String {
        let mut text = list("no exact match", &self.lost.exact_match, limit);
        text += &list("other rows", &self.lost.same_rows, limit);
        text += &list(
            "original not understood",
            &self.defective.exact_match,
            limit,
        );
        text += &list("original does not run", &self.defective.same_rows, limit);
        text
    }

    pub(super) fn counts(&self, parsed: usize) -> String {
        let line = |name: &str, count: usize| {
            format!(
                "{name:<12}{count:>8}  {} of the parsed\n",
                share(count, parsed)
            )
        };
        let mut text = line("exact match", self.exact_match);
        if let Some(same_rows) = self.same_rows {
            text += &line("same rows", same_rows);
        }
        text
    }
}

/// Whether each example's query kept something; none where it was not printed.
type KeptOfEach = Vec<Option<Kept>>;

fn match_of_each(corpus: &Corpus, outcomes: &[Outcome]) -> KeptOfEach {
    let databases = corpus.databases.iter();
    let schemas: IndexMap<_, _> = databases
        .map(|(name, schema)| (name.as_str(), SpiderSchema::new(schema)))
        .collect();
    let examples = corpus.examples.par_iter().zip(outcomes);
    let kept = |(example, outcome): (&Example, &Outcome)| {
        let schema = schemas.get(example.database.as_deref()?)?;
        Some(keeps_match(schema, &example.code, outcome.printed()?))
    };
    examples.map(kept).collect()
}

/// The corpus's own queries may take their time; one that never ends is cut off all the same.
const LIMITS: QueryLimits = QueryLimits {
    time: Duration::from_mins(1),
    n_rows: 10_000_000,
    n_bytes: 1 << 30,
};

/// Runs the queries of each database on a connection of their own.
fn rows_of_each(
    corpus: &Corpus,
    outcomes: &[Outcome],
    databases: &Databases,
    context: &Context,
) -> KeptOfEach {
    let mut groups: BTreeMap<&str, Group<'_>> = BTreeMap::new();
    for (index, (example, outcome)) in corpus.examples.iter().zip(outcomes).enumerate() {
        if let (Some(database), Some(printed)) = (&example.database, outcome.printed()) {
            groups.entry(database).or_default().push((index, printed));
        }
    }
    let n_queries = groups.values().map(Vec::len).sum();
    let progress = Progress::start(context.terminal, "running queries", n_queries);
    let run_group = |(name, group): (&&str, &Group<'_>)| {
        run_group(corpus, group, &databases.open(name), &progress)
    };
    let mut all: KeptOfEach = vec![None; corpus.examples.len()];
    let found: Vec<_> = groups.par_iter().flat_map_iter(run_group).collect();
    for (index, kept) in found {
        all[index] = Some(kept);
    }
    all
}

/// The printed queries about one database, each with the place of its example.
type Group<'a> = Vec<(usize, &'a str)>;

fn run_group<'a>(
    corpus: &'a Corpus,
    group: &Group<'a>,
    database: &Result<Database, DatabaseError>,
    progress: &Progress,
) -> Vec<(usize, Kept)> {
    // Datasets ask the same query with several questions.
    let mut known: BTreeMap<(&str, &str), Kept> = BTreeMap::new();
    let mut all = Vec::with_capacity(group.len());
    for &(index, printed) in group {
        let original = corpus.examples[index].code.as_str();
        let kept = known
            .entry((original, printed))
            .or_insert_with(|| match database {
                Ok(database) => keeps_rows(database, original, printed, &LIMITS),
                Err(error) => Kept::Defective(error.to_string()),
            });
        all.push((index, kept.clone()));
        progress.step();
    }
    all
}

/// Queries by what became of them.
#[derive(Default)]
struct Sorted {
    kept: usize,
    lost: ByCause,
    defective: ByCause,
}

impl Sorted {
    fn new(corpus: &Corpus, outcomes: &[Outcome], all: KeptOfEach) -> Sorted {
        let mut sorted = Sorted::default();
        let queries = corpus.examples.iter().zip(outcomes);
        for ((example, outcome), kept) in queries.zip(all) {
            let (causes, cause) = match kept {
                None => continue,
                Some(Kept::Yes) => {
                    sorted.kept += 1;
                    continue;
                }
                Some(Kept::No(cause)) => (&mut sorted.lost, cause),
                Some(Kept::Defective(cause)) => (&mut sorted.defective, cause),
            };
            causes.entry(cause).or_default().push(Query {
                row: label(example),
                original: example.code.clone(),
                reprinted: outcome.printed().unwrap_or_default().to_owned(),
            });
        }
        for causes in [&mut sorted.lost, &mut sorted.defective] {
            causes.sort_by(|_, a, _, b| b.len().cmp(&a.len()));
        }
        sorted
    }
}

fn list(what: &str, causes: &ByCause, limit: usize) -> String {
    let mut text = String::new();
    for (cause, queries) in causes {
        let items = queries.iter().map(|it| {
            let (original, reprinted) = (it.original.trim(), it.reprinted.trim());
            format!("  {}\n    - {original}\n    + {reprinted}\n", it.row)
        });
        text += &section(&format!("{what}, {cause}"), limit, items);
    }
    text
}
