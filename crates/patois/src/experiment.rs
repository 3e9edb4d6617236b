//! Experiments: many runs that differ in a few keys and in their seeds, and one table of what came
//! of them.
//!
//! ```toml
//! title = "Does the number of idioms matter?"
//! base = "../hearthstone.toml"
//! seeds = [1, 2, 3]
//! baseline = "no idioms"
//! set.training.n_shards = 1
//! runs_of = ["hearthstone-table"]
//!
//! [[cell]]
//! name = "no idioms"
//! seeds = [1, 2, 3, 4, 5]
//! set.training.objective = "plain"
//!
//! [[axis]]
//! key = "idioms.mining.n_idioms"
//! values = [10, 80]
//!
//! [more_seeds]
//! "80" = [4, 5]
//!
//! [[published]]
//! cell = "80"
//! exact_match = 0.197
//! ```
//!
//! Cells are those that are listed, then the product of all axes, each called by its values. What is set
//! at the top holds for all of them. With `folds = [0, 1, 2, 3, 4]` and `set.n_folds = 5` every seed is run once
//! for each part of the corpus, so that all of it is measured. Runs that one of the experiments `runs_of` has made with the same
//! configuration are taken over; their folders are looked for beside that of this one. Paths are seen from
//! the folder of the file.

pub mod figures;
pub mod grid;
pub mod outcome;
mod page;
mod plot;
pub mod record;
pub mod shard;
pub mod statistics;
mod table;

use std::path::{Path, PathBuf};

use indexmap::{IndexMap, IndexSet};
use patois_syntax::ParseError;
use serde::{Deserialize, Serialize};
use toml::de::DeTable;
use toml::{Table, Value};

use crate::corpus::Split;
use crate::run::config::{RunConfig, RunConfigError, merge, nested};
use crate::run::document::{self, DocumentError};

/// A grid of runs.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What is asked.
    pub title: String,
    /// The examples that models are compared on.
    pub split: Split,
    /// The cell that the others are compared with.
    pub baseline: Option<String>,
    /// The names of experiments whose runs are taken over where their configuration is the same.
    pub runs_of: Vec<String>,
    /// The kinds of runs, in the order of the table.
    pub cells: Vec<Cell>,
}

/// Runs that differ in their seed only.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What it is called.
    pub name: String,
    /// The seeds of its runs.
    pub seeds: Vec<u64>,
    /// The parts of the corpus that are measured, each with every seed; empty where the configuration says which.
    pub folds: Vec<usize>,
    /// The configuration, but for the seed and the fold.
    pub config: RunConfig,
    /// What others have reported.
    pub published: Option<Published>,
}

/// Figures that others have reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Exact match.
    pub exact_match: Option<f64>,
    /// The mean of the programs' BLEU.
    pub sentence_bleu: Option<f64>,
    /// BLEU of all programs as one.
    pub corpus_bleu: Option<f64>,
}

/// One run of an experiment.
#[derive(Clone, Debug)]
pub struct PlannedRun {
    /// The folder, below that of the experiment.
    pub folder: PathBuf,
    /// The configuration, seed and all.
    pub config: RunConfig,
}

/// Why a file is no experiment.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The file cannot be read.
    #[error("cannot read the experiment `{}`: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not what it should be.
    #[error(transparent)]
    Text(#[from] Box<DocumentError>),
    /// The cells make no sense.
    #[error("`{name}`: {message}")]
    Cells {
        /// The file.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// The configuration of a cell is none.
    #[error("`{name}`, cell `{cell}`: {error}")]
    Config {
        /// The file.
        name: String,
        /// The cell.
        cell: String,
        /// What is wrong.
        error: Box<RunConfigError>,
    },
    /// The configuration that all cells start from cannot be read.
    #[error(transparent)]
    Base(Box<RunConfigError>),
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    base: PathBuf,
    #[serde(default = "dev")]
    split: Split,
    seeds: Vec<u64>,
    #[serde(default)]
    folds: Vec<usize>,
    baseline: Option<String>,
    #[serde(default)]
    runs_of: Vec<String>,
    #[serde(default)]
    set: Table,
    #[serde(default)]
    cell: Vec<FileCell>,
    #[serde(default)]
    axis: Vec<Axis>,
    #[serde(default)]
    more_seeds: IndexMap<String, Vec<u64>>,
    #[serde(default)]
    published: Vec<FilePublished>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileCell {
    name: String,
    seeds: Option<Vec<u64>>,
    #[serde(default)]
    set: Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Axis {
    key: String,
    values: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FilePublished {
    cell: String,
    exact_match: Option<f64>,
    sentence_bleu: Option<f64>,
    corpus_bleu: Option<f64>,
}

fn dev() -> Split {
    Split::Dev
}

impl Experiment {
    /// Reads an experiment.
    ///
    /// # Errors
    ///
    /// When the file is no experiment, or one of its cells no configuration.
    pub fn read(path: &Path) -> Result<Experiment, ExperimentError> {
        let text = std::fs::read_to_string(path).map_err(|source| ExperimentError::Read {
            path: path.to_owned(),
            source,
        })?;
        let name = path.display().to_string();
        let file: File = document::parse(&name, &text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let base = folder.join(&file.base);
        let base =
            RunConfig::read(&base).map_err(|error| ExperimentError::Base(Box::new(error)))?;
        let mut experiment = file.experiment(&name, &text, &base)?;
        for cell in &mut experiment.cells {
            cell.config = std::mem::take(&mut cell.config).seen_from(folder);
        }
        Ok(experiment)
    }

    /// All runs: for every seed and every fold all cells, so that whatever is done can be compared soon.
    pub fn runs(&self) -> Vec<PlannedRun> {
        let planned: Vec<Vec<PlannedRun>> = self.cells.iter().map(Cell::runs).collect();
        let n_runs = planned.iter().map(Vec::len).max().unwrap_or(0);
        let places = 0..n_runs;
        places
            .flat_map(|place| planned.iter().filter_map(move |runs| runs.get(place)))
            .cloned()
            .collect()
    }
}

impl Cell {
    /// Its runs, seed by seed, and fold by fold where there are folds.
    pub(crate) fn runs(&self) -> Vec<PlannedRun> {
        let folds = || match self.folds.as_slice() {
            [] => vec![None],
            folds => folds.iter().copied().map(Some).collect(),
        };
        let seeds = self.seeds.iter();
        seeds
            .flat_map(|&seed| folds().into_iter().map(move |fold| self.run(seed, fold)))
            .collect()
    }

    /// The run with a seed, on a fold.
    fn run(&self, seed: u64, fold: Option<usize>) -> PlannedRun {
        let mut config = self.config.clone();
        config.seed = seed;
        config.fold = fold.or(config.fold);
        let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '.' | '-');
        let name: String = self
            .name
            .chars()
            .map(|it| if is_plain(it) { it } else { '_' })
            .collect();
        let own = match fold {
            Some(fold) => format!("fold-{fold}-seed-{seed}"),
            None => format!("seed-{seed}"),
        };
        PlannedRun {
            folder: Path::new(&name).join(own),
            config,
        }
    }
}

impl File {
    fn experiment(
        self,
        name: &str,
        text: &str,
        base: &RunConfig,
    ) -> Result<Experiment, ExperimentError> {
        let mut cells = Vec::new();
        for cell in &self.cell {
            let seeds = cell.seeds.as_ref().unwrap_or(&self.seeds);
            cells.push((cell.name.clone(), seeds.clone(), cell.set.clone()));
        }
        for (cell, set) in product(&self.axis) {
            cells.push((cell, self.seeds.clone(), set));
        }
        for (name, seeds, _) in &mut cells {
            seeds.extend(self.more_seeds.get(name).into_iter().flatten());
        }
        let listed = cells.iter().map(|it| (it.0.as_str(), it.1.as_slice()));
        self.check(listed.collect())
            .map_err(|message| ExperimentError::Cells {
                name: name.to_owned(),
                message,
            })?;
        let cells = cells.into_iter().map(|(cell, seeds, set)| {
            let mut all = self.set.clone();
            merge(&mut all, set);
            let config = base
                .with(all)
                .map_err(|error| in_cell(name, text, &cell, error))?;
            check_folds(&self.folds, &cell, &config).map_err(|message| {
                let name = name.to_owned();
                ExperimentError::Cells { name, message }
            })?;
            let mut published = self.published.iter();
            Ok(Cell {
                published: published.find(|it| it.cell == cell).map(Published::from),
                name: cell,
                seeds,
                folds: self.folds.clone(),
                config,
            })
        });
        Ok(Experiment {
            cells: cells.collect::<Result<_, ExperimentError>>()?,
            title: self.title,
            split: self.split,
            baseline: self.baseline,
            runs_of: self.runs_of,
        })
    }

    /// Refuses cells, each with its seeds, that no table can be made of.
    fn check(&self, cells: Vec<(&str, &[u64])>) -> Result<(), String> {
        let names: IndexSet<&str> = cells.iter().map(|it| it.0).collect();
        if names.len() < cells.len() || cells.is_empty() {
            return Err("expected cells with different names".to_owned());
        }
        for (cell, seeds) in cells {
            if seeds.is_empty() {
                return Err(format!("cell `{cell}` has no seeds"));
            }
            if seeds.iter().collect::<IndexSet<_>>().len() < seeds.len() {
                return Err(format!("cell `{cell}` has a seed twice"));
            }
        }
        let mentioned = self.published.iter().map(|it| &it.cell);
        let mut mentioned = mentioned
            .chain(&self.baseline)
            .chain(self.more_seeds.keys());
        match mentioned.find(|it| !names.contains(it.as_str())) {
            None => Ok(()),
            Some(cell) => {
                let known: Vec<_> = names.iter().map(|it| format!("`{it}`")).collect();
                Err(format!(
                    "there is no cell `{cell}`, but {}",
                    known.join(", ")
                ))
            }
        }
    }
}

/// Refuses folds that the configuration of a cell does not have.
fn check_folds(folds: &[usize], cell: &str, config: &RunConfig) -> Result<(), String> {
    if folds.is_empty() {
        return Ok(());
    }
    let Some(n_folds) = config.n_folds else {
        return Err(format!(
            "cell `{cell}` has folds, but its configuration no `n_folds`"
        ));
    };
    if folds.iter().collect::<IndexSet<_>>().len() < folds.len() {
        return Err("expected every fold once".to_owned());
    }
    match folds.iter().find(|it| **it >= n_folds) {
        Some(fold) => Err(format!(
            "cell `{cell}` has {n_folds} folds, counted from 0, and no fold {fold}"
        )),
        None => Ok(()),
    }
}

impl From<&FilePublished> for Published {
    fn from(file: &FilePublished) -> Published {
        Published {
            exact_match: file.exact_match,
            sentence_bleu: file.sentence_bleu,
            corpus_bleu: file.corpus_bleu,
        }
    }
}

/// A mistake in the configuration of a cell, where the experiment called `name` makes it.
fn in_cell(name: &str, text: &str, cell: &str, error: RunConfigError) -> ExperimentError {
    match error {
        RunConfigError::Text(error) => ExperimentError::Text(Box::new(DocumentError {
            name: name.to_owned(),
            text: text.to_owned(),
            error: ParseError {
                offset: place(text, &error),
                message: format!("cell `{cell}`: {}", error.error.message),
            },
            ..*error
        })),
        error => ExperimentError::Config {
            name: name.to_owned(),
            cell: cell.to_owned(),
            error: Box::new(error),
        },
    }
}

/// Where an experiment sets the key that is wrong: as one of a table `set`, or as an axis.
fn place(text: &str, error: &DocumentError) -> Option<usize> {
    let document = DeTable::parse(text).ok()?.into_inner();
    let mut key = error.key.clone();
    key.extend(error.unknown.as_ref().map(|it| it.found.clone()));
    let tables = |name: &str| {
        let tables = document.get(name).and_then(|it| it.get_ref().as_array());
        let tables = tables.into_iter().flatten();
        tables.filter_map(|it| it.get_ref().as_table())
    };
    let mut sets = std::iter::once(&document).chain(tables("cell"));
    let in_set =
        sets.find_map(|it| document::offset_of(it.get("set")?.get_ref().as_table()?, &key));
    let axis_keys = || tables("axis").filter_map(|it| it.get("key"));
    let is_wrong = |it: &str| key.join(".").starts_with(it);
    in_set.or_else(|| {
        let axis = axis_keys().find(|it| it.get_ref().as_str().is_some_and(is_wrong));
        axis.map(|it| it.span().start)
    })
}

/// The product of the axes: names, and what is set.
fn product(axes: &[Axis]) -> Vec<(String, Table)> {
    if axes.is_empty() {
        return Vec::new();
    }
    let mut cells = vec![(String::new(), Table::new())];
    for axis in axes {
        let longer = |(name, set): &(String, Table)| {
            let (name, set) = (name.clone(), set.clone());
            axis.values.iter().map(move |value| {
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), ToOwned::to_owned);
                let name = if name.is_empty() {
                    text
                } else {
                    format!("{name}, {text}")
                };
                let mut set = set.clone();
                merge(&mut set, nested(&axis.key, value.clone()));
                (name, set)
            })
        };
        cells = cells.iter().flat_map(longer).collect();
    }
    cells
}

#[cfg(test)]
mod tests;
