//! Queries of many databases: exact set match and execution accuracy, by hardness.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;
use patois_database::{Database, Databases, QueryLimits};
use patois_languages::sql::DatabaseSchema;
use serde::{Serialize, Serializer};

use crate::execution_match;
use crate::sql_match::{Component, ComponentScores, Hardness, SpiderSchema, exact_match};

/// How a predicted query compares with the gold one.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct QueryScore {
    /// How hard the gold query is; none where it cannot be parsed.
    pub hardness: Option<Hardness>,
    /// Whether all components agree.
    pub exact_match: bool,
    /// Whether both return the same rows; none where they were not to be run.
    pub execution: Option<bool>,
    /// Whether they were to be run and one of them could not be; `errors` say why.
    #[serde(skip)]
    pub has_failed: bool,
    /// The components; none where the gold query cannot be parsed.
    pub components: Option<ComponentScores>,
    /// What went wrong on the way, in the gold query or in the predicted one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
}

impl QueryScore {
    /// Compares two queries clause by clause.
    fn new(schema: &SpiderSchema, gold: &str, predicted: &str) -> QueryScore {
        match exact_match(schema, gold, predicted) {
            Ok(found) => QueryScore {
                hardness: Some(found.hardness),
                exact_match: found.is_exact,
                components: Some(found.components),
                errors: found
                    .prediction_error
                    .map(|error| format!("the predicted query is not understood: {error}"))
                    .into_iter()
                    .collect(),
                ..QueryScore::default()
            },
            Err(error) => QueryScore {
                errors: vec![format!("the gold query is not understood: {error}")],
                ..QueryScore::default()
            },
        }
    }

    /// Runs both queries, and compares what they return.
    fn executed(
        mut self,
        database: &Database,
        gold: &str,
        predicted: &str,
        limits: &QueryLimits,
    ) -> QueryScore {
        let found = match execution_match(database, gold, predicted, limits) {
            Ok(found) => found,
            Err(error) => return self.not_executed(format!("the gold query fails: {error}")),
        };
        if let Some(error) = found.prediction_error {
            return self.not_executed(format!("the predicted query fails: {error}"));
        }
        self.execution = Some(found.is_equal);
        self
    }

    /// The queries should have been run and could not be: nothing shows that the prediction is right.
    fn not_executed(mut self, error: String) -> QueryScore {
        self.execution = Some(false);
        self.has_failed = true;
        self.errors.push(error);
        self
    }
}

/// Scores queries about many databases.
#[derive(Clone, Debug)]
pub struct QueryScorer {
    schemas: BTreeMap<String, SpiderSchema>,
    databases: Option<Databases>,
    limits: QueryLimits,
}

impl QueryScorer {
    /// A scorer for databases of these schemas; queries are run where it is said where the
    /// databases are.
    pub fn new(
        schemas: &IndexMap<String, Arc<DatabaseSchema>>,
        databases: Option<Databases>,
    ) -> QueryScorer {
        let schema = |(name, schema): (&String, &Arc<DatabaseSchema>)| {
            (name.clone(), SpiderSchema::new(schema))
        };
        QueryScorer {
            schemas: schemas.iter().map(schema).collect(),
            databases,
            limits: QueryLimits::default(),
        }
    }

    /// Compares two queries about a database. What is not known of it is an error of the score.
    pub fn score(&self, database: &str, gold: &str, predicted: &str) -> QueryScore {
        let Some(schema) = self.schemas.get(database) else {
            return QueryScore {
                errors: vec![format!("the database `{database}` is not described")],
                ..QueryScore::default()
            };
        };
        let score = QueryScore::new(schema, gold, predicted);
        let Some(databases) = &self.databases else {
            return score;
        };
        match databases.open(database) {
            Ok(database) => score.executed(&database, gold, predicted, &self.limits),
            Err(error) => score.not_executed(error.to_string()),
        }
    }
}

/// A figure for each level of hardness, and for all queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByHardness<T> {
    /// Those of the levels, from the easiest.
    pub levels: [T; Hardness::ALL.len()],
    /// The one of all queries.
    pub all: T,
}

impl<T> ByHardness<T> {
    fn new(figure: impl Fn(Option<Hardness>) -> T) -> ByHardness<T> {
        ByHardness {
            levels: Hardness::ALL.map(|level| figure(Some(level))),
            all: figure(None),
        }
    }

    /// The names, as they are written, with the figures.
    pub fn named(&self) -> impl Iterator<Item = (String, &T)> {
        let levels = Hardness::ALL.iter().map(ToString::to_string);
        let levels = levels.zip(&self.levels);
        levels.chain([("all".to_owned(), &self.all)])
    }
}

impl<T: Serialize> Serialize for ByHardness<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.named())
    }
}

/// The figures of many queries.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryFigures {
    /// How many queries.
    pub examples: usize,
    /// How many of each level.
    pub count: ByHardness<usize>,
    /// The shares of exact set matches; none where there is no query of a level.
    pub exact_match: ByHardness<Option<f64>>,
    /// The shares that return the same rows; none where queries were not to be run.
    pub execution: Option<ByHardness<Option<f64>>>,
    /// How many were to be run and could not be, the gold query or the predicted one.
    pub failed_to_run: usize,
    /// The components of all queries.
    pub components: Vec<ComponentFigures>,
}

/// How often a component is right.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ComponentFigures {
    /// Which.
    pub component: Component,
    /// Of the predicted queries that have it.
    pub accuracy: f64,
    /// Of the gold queries that have it.
    pub recall: f64,
    /// The harmonic mean of both; 1 where both are 0, as in the official script.
    pub f1: f64,
}

impl QueryFigures {
    /// The figures of all queries.
    pub fn of(scores: &[QueryScore]) -> QueryFigures {
        let share = |level, is_right: &dyn Fn(&QueryScore) -> bool| {
            let of_level: Vec<&QueryScore> = of_level(scores, level).collect();
            let n_right = of_level.iter().filter(|it| is_right(it)).count();
            (!of_level.is_empty()).then(|| n_right as f64 / of_level.len() as f64)
        };
        let was_run = scores.iter().any(|it| it.execution.is_some());
        QueryFigures {
            examples: scores.len(),
            count: ByHardness::new(|level| of_level(scores, level).count()),
            exact_match: ByHardness::new(|level| share(level, &|it| it.exact_match)),
            execution: was_run
                .then(|| ByHardness::new(|level| share(level, &|it| it.execution == Some(true)))),
            failed_to_run: scores.iter().filter(|it| it.has_failed).count(),
            components: Component::ALL
                .map(|component| ComponentFigures::of(component, scores))
                .to_vec(),
        }
    }

    /// Whether there are queries, and not one of them could be run.
    pub fn none_could_run(&self) -> bool {
        self.examples > 0 && self.failed_to_run == self.examples
    }
}

/// The scores of a level, or all.
fn of_level(scores: &[QueryScore], level: Option<Hardness>) -> impl Iterator<Item = &QueryScore> {
    let is_wanted = move |it: &&QueryScore| level.is_none() || it.hardness == level;
    scores.iter().filter(is_wanted)
}

impl ComponentFigures {
    fn of(component: Component, scores: &[QueryScore]) -> ComponentFigures {
        let components = scores.iter().filter_map(|it| it.components.as_ref());
        let components: Vec<_> = components.map(|it| it.get(component)).collect();
        let share = |n_all: usize, n_right: usize| match n_all {
            0 => 0.0,
            n_all => n_right as f64 / n_all as f64,
        };
        let n_right = components
            .iter()
            .filter(|it| it.is_correct && it.n_gold > 0)
            .count();
        let accuracy = share(
            components.iter().filter(|it| it.n_predicted > 0).count(),
            n_right,
        );
        let recall = share(
            components.iter().filter(|it| it.n_gold > 0).count(),
            n_right,
        );
        let sum = accuracy + recall;
        ComponentFigures {
            component,
            accuracy,
            recall,
            f1: if sum > 0.0 {
                2.0 * accuracy * recall / sum
            } else {
                1.0
            },
        }
    }
}
