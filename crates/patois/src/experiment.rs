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
//! at the top holds for all of them. Runs that one of the experiments `runs_of` has made with the same
//! configuration are taken over; their folders are looked for beside that of this one.

pub mod figures;
pub mod grid;
pub mod outcome;
mod page;
mod plot;
pub mod record;

use std::path::{Path, PathBuf};

use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::corpus::Split;
use crate::run::config::{RunConfig, RunConfigError};

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
    /// The configuration, but for the seed.
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
    #[error("`{name}` is no experiment: {error}")]
    Text {
        /// The file.
        name: String,
        /// What is wrong, and where.
        error: Box<toml::de::Error>,
    },
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
struct FilePublished {
    cell: String,
    #[serde(flatten)]
    figures: Published,
}

fn dev() -> Split {
    Split::Dev
}

impl Experiment {
    /// Reads an experiment; `base` in it is relative to the file.
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
        let file: File = toml::from_str(&text).map_err(|error| ExperimentError::Text {
            name: name.clone(),
            error: Box::new(error),
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let base = folder.join(&file.base);
        let base =
            RunConfig::read(&base).map_err(|error| ExperimentError::Base(Box::new(error)))?;
        file.experiment(&name, &base)
    }

    /// All runs, seed by seed, so that every cell has some figures soon.
    pub fn runs(&self) -> Vec<PlannedRun> {
        let n_seeds = self
            .cells
            .iter()
            .map(|it| it.seeds.len())
            .max()
            .unwrap_or(0);
        let seeds = 0..n_seeds;
        seeds
            .flat_map(|index| {
                let cells = self.cells.iter();
                cells.filter_map(move |cell| cell.seeds.get(index).map(|&seed| cell.run(seed)))
            })
            .collect()
    }
}

impl Cell {
    /// The run with a seed.
    pub fn run(&self, seed: u64) -> PlannedRun {
        let mut config = self.config.clone();
        config.seed = seed;
        let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '.' | '-');
        let name: String = self
            .name
            .chars()
            .map(|it| if is_plain(it) { it } else { '_' })
            .collect();
        PlannedRun {
            folder: Path::new(&name).join(format!("seed-{seed}")),
            config,
        }
    }
}

impl File {
    fn experiment(self, name: &str, base: &RunConfig) -> Result<Experiment, ExperimentError> {
        let wrong = |message: String| ExperimentError::Cells {
            name: name.to_owned(),
            message,
        };
        let mut cells = Vec::new();
        for cell in self.cell {
            let seeds = cell.seeds.unwrap_or_else(|| self.seeds.clone());
            cells.push((cell.name, seeds, cell.set));
        }
        for (cell, set) in product(&self.axis) {
            cells.push((cell, self.seeds.clone(), set));
        }
        for (name, seeds, _) in &mut cells {
            seeds.extend(self.more_seeds.get(name).into_iter().flatten());
        }
        let names: IndexSet<&str> = cells.iter().map(|it| it.0.as_str()).collect();
        if names.len() < cells.len() || cells.is_empty() {
            return Err(wrong("expected cells with different names".to_owned()));
        }
        if let Some((cell, ..)) = cells.iter().find(|it| it.1.is_empty()) {
            return Err(wrong(format!("cell `{cell}` has no seeds")));
        }
        let distinct = |seeds: &[u64]| seeds.iter().collect::<IndexSet<_>>().len();
        if let Some((cell, ..)) = cells.iter().find(|it| distinct(&it.1) < it.1.len()) {
            return Err(wrong(format!("cell `{cell}` has a seed twice")));
        }
        let known = names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>();
        let mentioned = self.published.iter().map(|it| &it.cell);
        if let Some(cell) = mentioned
            .chain(&self.baseline)
            .chain(self.more_seeds.keys())
            .find(|it| !names.contains(it.as_str()))
        {
            let known = known.join(", ");
            return Err(wrong(format!("there is no cell `{cell}`, but {known}")));
        }
        let published = |cell: &str| {
            let found = self.published.iter().find(|it| it.cell == cell);
            found.map(|it| it.figures)
        };
        let cells = cells.into_iter().map(|(cell, seeds, set)| {
            let mut all = self.set.clone();
            merge(&mut all, set);
            let config = with(base, all).map_err(|error| ExperimentError::Config {
                name: name.to_owned(),
                cell: cell.clone(),
                error: Box::new(error),
            })?;
            Ok(Cell {
                published: published(&cell),
                name: cell,
                seeds,
                config,
            })
        });
        Ok(Experiment {
            title: self.title,
            split: self.split,
            cells: cells.collect::<Result<_, ExperimentError>>()?,
            baseline: self.baseline,
            runs_of: self.runs_of,
        })
    }
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

/// `a.b = value` as tables.
fn nested(key: &str, value: Value) -> Table {
    let (first, rest) = key
        .split_once('.')
        .map_or((key, None), |(a, b)| (a, Some(b)));
    let value = match rest {
        Some(rest) => Value::Table(nested(rest, value)),
        None => value,
    };
    Table::from_iter([(first.to_owned(), value)])
}

/// Puts the values of a table in the place of those of another; a table that is called something
/// else, such as another optimiser, has none of the old ones.
fn merge(into: &mut Table, from: Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Table(into)), Value::Table(from))
                if from
                    .get("name")
                    .is_none_or(|it| into.get("name") == Some(it)) =>
            {
                merge(into, from);
            }
            (_, value) => _ = into.insert(key, value),
        }
    }
}

fn with(base: &RunConfig, set: Table) -> Result<RunConfig, RunConfigError> {
    let text = base.to_toml();
    let mut table: Table = toml::from_str(&text).expect("a configuration that was just written");
    merge(&mut table, set);
    let text = toml::to_string(&table).expect("tables are always TOML");
    RunConfig::parse("set", &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Experiment, ExperimentError> {
        let file: File = toml::from_str(text).map_err(|error| ExperimentError::Text {
            name: "e.toml".to_owned(),
            error: Box::new(error),
        })?;
        file.experiment("e.toml", &RunConfig::default())
    }

    const GRID: &str = r#"
        title = "Which ranking?"
        base = "base.toml"
        seeds = [1, 2]
        baseline = "none"
        set.training = { n_shards = 1, n_steps = 20 }
        [[cell]]
        name = "none"
        seeds = [1, 2, 3]
        set.training = { objective = "plain", n_steps = 10 }
        [[axis]]
        key = "idioms.mining.ranking"
        values = ["coverage", "residual"]
        [[axis]]
        key = "idioms.mining.n_idioms"
        values = [10, 20]
        [[published]]
        cell = "residual, 20"
        exact_match = 0.2
        [more_seeds]
        "coverage, 20" = [3]
    "#;

    #[test]
    fn cells_are_listed_ones_and_the_product_of_axes() {
        let experiment = parse(GRID).unwrap();
        let names: Vec<&str> = experiment.cells.iter().map(|it| it.name.as_str()).collect();
        let expected = [
            "none",
            "coverage, 10",
            "coverage, 20",
            "residual, 10",
            "residual, 20",
        ];
        assert_eq!(names, expected);
        let (first, last) = (&experiment.cells[0], &experiment.cells[4]);
        assert_eq!(last.config.idioms.mining.n_idioms, 20);
        let training = |cell: &Cell| (cell.config.training.n_shards, cell.config.training.n_steps);
        assert_eq!((training(first), training(last)), ((1, 10), (1, 20)));
        assert_eq!(last.published.unwrap().exact_match, Some(0.2));
        let runs = experiment.runs();
        assert_eq!(runs.len(), 3 + 4 * 2 + 1);
        assert_eq!(runs[11].folder, Path::new("coverage__20/seed-3"));
        assert_eq!(runs[5].folder, Path::new("none/seed-2"));
        assert_eq!(runs[1].folder, Path::new("coverage__10/seed-1"));
        assert_eq!(runs[1].config.seed, 1);
    }

    #[test]
    fn mistakes_name_the_cell_and_the_key() {
        let check = |from: &str, to: &str, expected: &str| {
            let error = parse(&GRID.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("n_idioms", "n_idoms", "cell `coverage, 10`: `set`");
        check(
            "baseline = \"none\"",
            "baseline = \"nine\"",
            "no cell `nine`, but `none`",
        );
        check(
            "seeds = [1, 2, 3]",
            "seeds = []",
            "cell `none` has no seeds",
        );
        check(
            "\"coverage, 20\" =",
            "\"coverage, 30\" =",
            "no cell `coverage, 30`",
        );
        check(
            "\"coverage, 20\" = [3]",
            "\"coverage, 20\" = [2]",
            "cell `coverage, 20` has a seed twice",
        );
        check("values = [10, 20]", "values = [10, 10]", "different names");
        check("title = ", "tittle = ", "tittle");
    }
}
