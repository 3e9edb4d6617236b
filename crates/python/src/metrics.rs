//! How good predicted programs are.

use std::path::{Path, PathBuf};

use patois::corpus::spider;
use patois::run::synthesize::{Figures, Score};
use patois_cli::Failure;
use patois_database::{Databases, Place, QueryLimits};
use patois_languages::python::Python as PythonLanguage;
use patois_metrics::{BleuCounts, ProgramScore, QueryScorer, execution_match};
use pyo3::prelude::*;
use pythonize::pythonize;
use rayon::prelude::*;
use serde::Serialize;

use crate::failure::misuse;
use crate::work;

/// The figures of many predictions, and the score of each.
#[derive(Serialize)]
struct Scored {
    figures: Figures,
    scores: Vec<Score>,
}

/// BLEU of many programs as one.
#[pyfunction]
pub(crate) fn corpus_bleu(
    py: Python<'_>,
    gold: Vec<String>,
    predicted: Vec<String>,
) -> PyResult<f64> {
    work::run(py, None, move |_| {
        let counts = counts(&gold, &predicted)?;
        Ok(counts.into_iter().sum::<BleuCounts>().corpus())
    })
}

/// BLEU of each of many programs.
#[pyfunction]
pub(crate) fn sentence_bleu(
    py: Python<'_>,
    gold: Vec<String>,
    predicted: Vec<String>,
) -> PyResult<Vec<f64>> {
    work::run(py, None, move |_| {
        let counts = counts(&gold, &predicted)?;
        Ok(counts.iter().map(BleuCounts::sentence).collect())
    })
}

/// Programs as `patois score hearthstone` scores them.
#[pyfunction]
pub(crate) fn score_programs(
    py: Python<'_>,
    gold: Vec<String>,
    predicted: Vec<String>,
) -> PyResult<Bound<'_, PyAny>> {
    let scored = work::run(py, None, move |_| {
        let pairs = pairs(&gold, &predicted)?;
        let score = |(gold, it)| Score::Program(ProgramScore::new(&PythonLanguage, gold, it));
        let scores: Vec<Score> = pairs.map(score).collect();
        let figures = Figures::of(&scores, "python");
        Ok(Scored { figures, scores })
    })?;
    Ok(pythonize(py, &scored)?)
}

/// Queries as `patois score spider` scores them.
#[pyfunction]
#[pyo3(signature = (gold, predicted, databases, tables, folder=None))]
pub(crate) fn score_queries(
    py: Python<'_>,
    gold: Vec<String>,
    predicted: Vec<String>,
    databases: Vec<String>,
    tables: PathBuf,
    folder: Option<PathBuf>,
) -> PyResult<Bound<'_, PyAny>> {
    let scored = work::run(py, None, move |_| {
        let folder = folder.map(|it| Databases::Folders(vec![it]));
        let scores = queries(&gold, &predicted, &databases, &tables, folder)?;
        let figures = Figures::of(&scores, "sql");
        Ok(Scored { figures, scores })
    })?;
    Ok(pythonize(py, &scored)?)
}

/// Whether each of many queries is an exact set match.
#[pyfunction]
pub(crate) fn spider_exact_match(
    py: Python<'_>,
    gold: Vec<String>,
    predicted: Vec<String>,
    databases: Vec<String>,
    tables: PathBuf,
) -> PyResult<Vec<bool>> {
    work::run(py, None, move |_| {
        let scores = queries(&gold, &predicted, &databases, &tables, None)?;
        let is_exact = |it: &Score| match it {
            Score::Query(it) => it.exact_match,
            Score::Program(it) => it.exact_match,
        };
        Ok(scores.iter().map(is_exact).collect())
    })
}

/// Whether each of many queries returns the rows that the gold one returns, from the database file beside it.
#[pyfunction]
pub(crate) fn execution(
    py: Python<'_>,
    gold: Vec<String>,
    predicted: Vec<String>,
    databases: Vec<PathBuf>,
) -> PyResult<Vec<bool>> {
    work::run(py, None, move |_| {
        check_length("databases", databases.len(), gold.len())?;
        let pairs = pairs(&gold, &predicted)?;
        let compared = pairs.zip(&databases).map(|((gold, predicted), file)| {
            let name = file.display().to_string();
            let database = Place::File(file.clone()).open(&name);
            let database = database.map_err(|error| Failure::new(error.to_string()))?;
            let found = execution_match(&database, gold, predicted, &QueryLimits::default());
            let found = found.map_err(|error| {
                Failure::new(format!("the gold query fails: {error}")).because(gold.to_owned())
            })?;
            Ok(found.is_equal)
        });
        compared.collect()
    })
}

fn queries(
    gold: &[String],
    predicted: &[String],
    databases: &[String],
    tables: &Path,
    folder: Option<Databases>,
) -> Result<Vec<Score>, Failure> {
    check_length("databases", databases.len(), gold.len())?;
    let schemas = spider::read_tables(tables)?;
    if let Some(unknown) = databases.iter().find(|it| !schemas.contains_key(*it)) {
        let tables = tables.display();
        return Err(misuse(format!("`{tables}` has no database `{unknown}`")));
    }
    let scorer = QueryScorer::new(&schemas, folder);
    let pairs = pairs(gold, predicted)?.with_max_len(8).zip(databases);
    let score = |((gold, predicted), database): ((&str, &str), &String)| {
        Score::Query(Box::new(scorer.score(database, gold, predicted)))
    };
    Ok(pairs.map(score).collect())
}

fn counts(gold: &[String], predicted: &[String]) -> Result<Vec<BleuCounts>, Failure> {
    let pairs = pairs(gold, predicted)?;
    Ok(pairs.map(|(gold, it)| BleuCounts::of(gold, it)).collect())
}

fn pairs<'a>(
    gold: &'a [String],
    predicted: &'a [String],
) -> Result<impl IndexedParallelIterator<Item = (&'a str, &'a str)>, Failure> {
    check_length("predictions", predicted.len(), gold.len())?;
    let pairs = gold.par_iter().zip(predicted);
    Ok(pairs.map(|(gold, it)| (gold.as_str(), it.as_str())))
}

fn check_length(what: &str, found: usize, expected: usize) -> Result<(), Failure> {
    if found == expected {
        return Ok(());
    }
    Err(misuse(format!(
        "there are {expected} gold programs, but {found} {what}"
    )))
}
