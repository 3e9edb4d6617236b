//! What came of an experiment: means, deviations, and how sure a difference is.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;

use patois_codebase::output::{self, OutputError};
use serde::Serialize;

use super::figures::Figures;
use super::record::{RecordError, RunRecord};
use super::statistics::{self, Difference};
use super::{Cell, Experiment, PlannedRun, Published};

/// The table of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// What was asked.
    pub title: String,
    /// What makes the table again.
    pub command: String,
    /// The examples that models are compared on.
    pub split: crate::corpus::Split,
    /// How many there are.
    pub examples: usize,
    /// The cell that the others are compared with.
    pub baseline: Option<String>,
    /// The rows, in the order of the experiment.
    pub cells: Vec<CellOutcome>,
}

/// What came of the runs of a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellOutcome {
    /// The cell.
    pub name: String,
    /// How many runs it has in all, done or not.
    pub planned: usize,
    /// In how many parts the corpus is asked for, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_folds: Option<usize>,
    /// How many answers were given in all.
    pub outcomes: usize,
    /// The runs that are done.
    pub runs: Vec<RunOutcome>,
    /// Exact match.
    pub exact_match: Option<Mean>,
    /// Where the mean over examples is between with a probability of 95 %.
    pub interval: Option<(f64, f64)>,
    /// The same rows, of queries.
    pub execution: Option<Mean>,
    /// The mean of the programs' BLEU.
    pub sentence_bleu: Option<Mean>,
    /// BLEU of all programs as one.
    pub corpus_bleu: Option<Mean>,
    /// How many different idioms are used.
    pub idioms_used: Option<Mean>,
    /// How long a run takes, in minutes.
    pub minutes: Option<Mean>,
    /// How long processors work for the steps of training, in minutes.
    pub cpu_minutes: Option<Mean>,
    /// How much better than the baseline in exact match.
    pub against_baseline: Option<Difference>,
    /// What others have reported.
    pub published: Option<Published>,
}

/// What came of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunOutcome {
    /// Its seed.
    pub seed: u64,
    /// The part of the corpus that it was measured on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fold: Option<usize>,
    /// What was measured.
    #[serde(flatten)]
    pub figures: Figures,
    /// How it came about, where that was written down.
    pub record: Option<RunRecord>,
}

/// A mean over seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of a single run, where there are two or more.
    pub deviation: Option<f64>,
}

impl Outcome {
    /// What has come of an experiment so far; `folder` is where its runs are.
    ///
    /// # Errors
    ///
    /// When the record of a run cannot be read.
    pub(crate) fn of(
        experiment: &Experiment,
        folder: &Path,
        command: String,
    ) -> Result<Outcome, RecordError> {
        let mut cells = Vec::new();
        for cell in &experiment.cells {
            let mut runs = Vec::new();
            for run in cell.runs() {
                runs.extend(RunOutcome::of(&run, folder)?);
            }
            cells.push(CellOutcome::new(cell, runs));
        }
        let shares = Shares::of(&cells);
        for (cell, shares) in cells.iter_mut().zip(&shares) {
            cell.interval = statistics::interval(&shares.values());
        }
        let baseline = experiment.baseline.as_ref();
        let baseline = baseline.and_then(|name| cells.iter().position(|it| it.name == *name));
        if let Some(baseline) = baseline {
            compare(&mut cells, &shares, baseline);
        }
        Ok(Outcome {
            title: experiment.title.clone(),
            command,
            split: experiment.split,
            examples: shares.iter().map(|it| it.0.len()).max().unwrap_or(0),
            baseline: experiment.baseline.clone(),
            cells,
        })
    }

    /// Writes `table.md`, `table.json` and `table.html`, and once there is a run, `plot.svg`.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    ///
    /// # Panics
    ///
    /// Never: texts and finite numbers are always JSON.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), OutputError> {
        let json = serde_json::to_string_pretty(self).expect("texts and numbers are JSON");
        output::write(&folder.join("table.json"), json + "\n")?;
        output::write(&folder.join("table.md"), self.to_markdown())?;
        let plot = super::plot::svg(self);
        if let Some(plot) = &plot {
            output::write(&folder.join("plot.svg"), plot)?;
        }
        let page = super::page::html(self, plot.as_deref().unwrap_or_default());
        output::write(&folder.join("table.html"), page)
    }
}

impl CellOutcome {
    fn new(cell: &Cell, runs: Vec<RunOutcome>) -> CellOutcome {
        let mean = |of: fn(&Figures) -> Option<f64>| {
            Mean::of(runs.iter().filter_map(|it| of(&it.figures)))
        };
        let seconds = runs
            .iter()
            .filter_map(|it| Some(it.record.as_ref()?.seconds));
        let effort = runs.iter().filter_map(|it| it.record.as_ref()?.effort);
        CellOutcome {
            name: cell.name.clone(),
            planned: cell.runs().len(),
            n_folds: cell.config.n_folds,
            outcomes: runs.iter().map(|it| it.figures.right.len()).sum(),
            exact_match: mean(|it| Some(it.exact_match)),
            execution: mean(|it| it.execution),
            sentence_bleu: mean(|it| it.sentence_bleu),
            corpus_bleu: mean(|it| it.corpus_bleu),
            idioms_used: mean(|it| Some(it.idioms_used as f64)),
            interval: None,
            minutes: Mean::of(seconds.map(|it| it / 60.0)),
            cpu_minutes: Mean::of(effort.map(|it| it.cpu_seconds / 60.0)),
            against_baseline: None,
            published: cell.published,
            runs,
        }
    }
}

/// For each example, the share of the runs that were asked for it and get it right.
struct Shares(BTreeMap<String, Share>);

/// Of so many answers, so many right ones.
#[derive(Clone, Copy, Default)]
struct Share {
    n_right: usize,
    n_asked: usize,
}

impl Shares {
    /// Those of all cells. Examples are told by where they come from; where one of the records does not tell, by the
    /// place that they have among those that a run was asked for.
    fn of(cells: &[CellOutcome]) -> Vec<Shares> {
        let mut runs = cells.iter().flat_map(|it| &it.runs);
        let are_told = runs.all(|it| it.figures.ids.len() == it.figures.right.len());
        let of_cell = |cell: &CellOutcome| {
            let mut shares: BTreeMap<String, Share> = BTreeMap::new();
            for run in &cell.runs {
                for (place, &is_right) in run.figures.right.iter().enumerate() {
                    let example = if are_told {
                        run.figures.ids[place].clone()
                    } else {
                        format!("{:?} {place:08}", run.fold)
                    };
                    let share = shares.entry(example).or_default();
                    share.n_right += usize::from(is_right);
                    share.n_asked += 1;
                }
            }
            Shares(shares)
        };
        cells.iter().map(of_cell).collect()
    }

    fn values(&self) -> Vec<f64> {
        self.0.values().map(|it| it.value()).collect()
    }

    /// For each example that both were asked for, how much more often ours is right.
    fn minus(&self, theirs: &Shares) -> Vec<f64> {
        let ours = self.0.iter();
        ours.filter_map(|(example, share)| Some(share.value() - theirs.0.get(example)?.value()))
            .collect()
    }
}

impl Share {
    fn value(self) -> f64 {
        self.n_right as f64 / self.n_asked as f64
    }
}

/// Compares all cells with one of them.
fn compare(cells: &mut [CellOutcome], shares: &[Shares], baseline: usize) {
    let expected = cells[baseline].runs.clone();
    let mut tested = Vec::new();
    for (index, cell) in cells.iter_mut().enumerate() {
        if index == baseline {
            continue;
        }
        let differences = shares[index].minus(&shares[baseline]);
        let runs = ahead_even_behind(&cell.runs, &expected);
        cell.against_baseline = Difference::of(&differences, runs);
        if let Some(difference) = &mut cell.against_baseline {
            tested.push((difference, differences));
        }
    }
    let mut tested: Vec<(&mut Difference, &[f64])> = tested
        .iter_mut()
        .map(|(difference, values)| (&mut **difference, values.as_slice()))
        .collect();
    statistics::correct(&mut tested);
}

/// In how many pairs of runs with the same seed and fold ours is ahead, even, or behind.
fn ahead_even_behind(ours: &[RunOutcome], theirs: &[RunOutcome]) -> (usize, usize, usize) {
    let mut counts = (0, 0, 0);
    for our in ours {
        let is_pair = |it: &&RunOutcome| (it.seed, it.fold) == (our.seed, our.fold);
        let Some(their) = theirs.iter().find(is_pair) else {
            continue;
        };
        match our.figures.n_right().cmp(&their.figures.n_right()) {
            Ordering::Greater => counts.0 += 1,
            Ordering::Equal => counts.1 += 1,
            Ordering::Less => counts.2 += 1,
        }
    }
    counts
}

impl RunOutcome {
    /// What came of a run, from its record or else from its folder; none where it is not done.
    fn of(run: &PlannedRun, experiment: &Path) -> Result<Option<RunOutcome>, RecordError> {
        let folder = experiment.join(&run.folder);
        let mut record = RunRecord::of_this_version(&folder)?;
        let recorded = record.as_mut().and_then(|it| it.figures.take());
        let figures = recorded.or_else(|| Figures::of(&folder));
        Ok(figures.map(|figures| RunOutcome {
            seed: run.config.seed,
            fold: run.config.fold().map(|it| it.index),
            figures,
            record,
        }))
    }
}

impl Mean {
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Option<Mean> {
        let values: Vec<f64> = values.collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|it| (it - mean).powi(2)).sum();
        (!values.is_empty()).then(|| Mean {
            mean,
            deviation: (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt()),
        })
    }

    pub(super) fn share(self) -> String {
        self.with(3)
    }

    pub(super) fn count(self) -> String {
        self.with(1)
    }

    fn with(self, n_digits: usize) -> String {
        match self.deviation {
            Some(deviation) => format!("{:.n_digits$} ± {deviation:.n_digits$}", self.mean),
            None => format!("{:.n_digits$}", self.mean),
        }
    }
}

#[cfg(test)]
mod tests;
