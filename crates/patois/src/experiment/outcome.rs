//! What came of an experiment: means, deviations, and how sure a difference is.

use std::collections::BTreeMap;
use std::path::Path;

use patois_codebase::output::{self, OutputError};
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::figures::Figures;
use super::record::{RecordError, RunRecord, Setting};
use super::{Cell, Experiment, Published};
use crate::corpus::Fold;
use crate::report::markdown::{in_line, plain};

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
    /// In how many parts the train split is asked for, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_folds: Option<usize>,
    /// The runs that are done.
    pub runs: Vec<RunOutcome>,
    /// Exact match.
    pub exact_match: Option<Mean>,
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

/// A difference of means, and how sure it is: a paired bootstrap over examples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The difference.
    pub mean: f64,
    /// Where it is between with a probability of 95 %.
    pub interval: (f64, f64),
    /// The probability of a difference this large or larger, either way, where there is none.
    pub p: f64,
}

/// A part of a legend.
pub(super) enum Part {
    /// Words.
    Text(String),
    /// What people type, or read in a file.
    Code(String),
}

/// How often the examples are drawn anew.
const N_DRAWS: usize = 10_000;

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
            for &seed in &cell.seeds {
                runs.extend(RunOutcome::of(seed, &folder.join(cell.run(seed).folder))?);
            }
            cells.push(CellOutcome::new(cell, runs));
        }
        let baseline = experiment.baseline.as_ref();
        let baseline = baseline.and_then(|name| cells.iter().position(|it| it.name == *name));
        if let Some(baseline) = baseline {
            let expected = cells[baseline].shares();
            for (index, cell) in cells.iter_mut().enumerate() {
                if index != baseline {
                    cell.against_baseline = difference(&cell.shares(), &expected);
                }
            }
        }
        Ok(Outcome {
            title: experiment.title.clone(),
            command,
            split: experiment.split,
            examples: cells.iter().map(|it| it.shares().len()).max().unwrap_or(0),
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

    /// The table as Markdown.
    pub fn to_markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let (heading, rows) = self.table();
        let rule: Vec<String> = (0..heading.len())
            .map(|column| if column == 0 { "---" } else { "---:" }.to_owned())
            .collect();
        let rows: String = rows
            .into_iter()
            .map(|mut row| {
                // The others are figures of ours.
                row[0] = plain(&row[0]);
                line(&row)
            })
            .collect();
        let table = line(&heading) + &line(&rule) + &rows;
        let legend = self.legend();
        let legend: String = legend
            .iter()
            .map(|part| match part {
                Part::Text(text) => plain(text),
                Part::Code(code) => in_line(code),
            })
            .collect();
        format!(
            "# {}\n\n{table}\n{legend}\n\n{}\n",
            plain(&self.title),
            in_line(&self.command)
        )
    }

    /// What the table needs to be understood.
    pub(super) fn legend(&self) -> Vec<Part> {
        let text = |text: String| Part::Text(text);
        let n = self.examples;
        let mut parts = match self.cells.iter().find_map(|it| it.n_folds) {
            Some(n_folds) => vec![
                text(format!("Cross-validation: {n} examples of ")),
                Part::Code("train".to_owned()),
                text(format!(
                    " in {n_folds} parts, each asked of models that learnt from the others; "
                )),
            ],
            None => vec![
                text(format!("Means over seeds on {n} examples of ")),
                Part::Code(self.split.to_string()),
                text(", ".to_owned()),
            ],
        };
        parts.push(text("± the standard deviation of a single run.".to_owned()));
        if let Some(baseline) = &self.baseline {
            parts.push(text(" Differences in exact match from ".to_owned()));
            parts.push(Part::Code(baseline.clone()));
            parts.push(text(format!(
                ", with the 95 % interval and p of a paired bootstrap over examples ({N_DRAWS} draws)."
            )));
        }
        for (setting, at_once) in self.settings() {
            let how = match at_once {
                1 => "one run after the other".to_owned(),
                n => format!("{n} runs at once"),
            };
            parts.push(text(format!(" Made by {}, {how}.", setting.text())));
        }
        parts
    }

    /// What made the runs, and how many at once; each once.
    fn settings(&self) -> Vec<(&Setting, usize)> {
        let runs = self.cells.iter().flat_map(|it| &it.runs);
        let records = runs.filter_map(|it| it.record.as_ref());
        let mut settings: Vec<(&Setting, usize)> = Vec::new();
        for setting in records.map(|it| (&it.setting, it.at_once)) {
            if !settings.contains(&setting) {
                settings.push(setting);
            }
        }
        settings
    }

    /// The heading and the rows; columns that nothing is known of are left out.
    pub(super) fn table(&self) -> (Vec<String>, Vec<Vec<String>>) {
        type Column = (&'static str, fn(&CellOutcome) -> Option<String>);
        let columns: [Column; 10] = [
            ("runs", |it| {
                Some(format!("{} of {}", it.runs.len(), it.planned))
            }),
            ("exact match", |it| it.exact_match.map(Mean::share)),
            ("execution", |it| it.execution.map(Mean::share)),
            ("sentence BLEU", |it| it.sentence_bleu.map(Mean::share)),
            ("corpus BLEU", |it| it.corpus_bleu.map(Mean::share)),
            ("idioms used", |it| it.idioms_used.map(Mean::count)),
            ("minutes", |it| it.minutes.map(Mean::count)),
            ("difference", |it| {
                it.against_baseline.map(|it| {
                    format!(
                        "{:+.3} [{:+.3}, {:+.3}]",
                        it.mean, it.interval.0, it.interval.1
                    )
                })
            }),
            ("p", |it| {
                it.against_baseline.map(|it| format!("{:.2}", it.p))
            }),
            ("published", |it| it.published.map(Published::text)),
        ];
        let is_known = |column: &&Column| self.cells.iter().any(|it| column.1(it).is_some());
        let columns: Vec<&Column> = columns.iter().filter(is_known).collect();
        let heading = std::iter::once(String::new())
            .chain(columns.iter().map(|it| it.0.to_owned()))
            .collect();
        let row = |cell: &CellOutcome| {
            let values = columns.iter().map(|it| it.1(cell).unwrap_or_default());
            std::iter::once(cell.name.clone()).chain(values).collect()
        };
        (heading, self.cells.iter().map(row).collect())
    }
}

impl Published {
    /// Exact match / sentence BLEU / corpus BLEU.
    fn text(self) -> String {
        let text = |it: Option<f64>| it.map_or_else(|| "–".to_owned(), |it| format!("{it:.3}"));
        let figures = [self.exact_match, self.sentence_bleu, self.corpus_bleu];
        figures.map(text).join(" / ")
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
        CellOutcome {
            name: cell.name.clone(),
            planned: cell.seeds.len(),
            n_folds: cell.config.n_folds,
            exact_match: mean(|it| Some(it.exact_match)),
            execution: mean(|it| it.execution),
            sentence_bleu: mean(|it| it.sentence_bleu),
            corpus_bleu: mean(|it| it.corpus_bleu),
            idioms_used: mean(|it| Some(it.idioms_used as f64)),
            minutes: Mean::of(seconds.map(|it| it / 60.0)),
            against_baseline: None,
            published: cell.published,
            runs,
        }
    }

    /// For each example the share of the runs asked for it that get it right.
    fn shares(&self) -> Vec<f64> {
        let mut by_fold: BTreeMap<Option<usize>, Vec<&Figures>> = BTreeMap::new();
        for run in &self.runs {
            let fold = self.n_folds.map(|it| Fold::of_seed(run.seed, it).index);
            by_fold.entry(fold).or_default().push(&run.figures);
        }
        by_fold.values().flat_map(|it| shares_of(it)).collect()
    }
}

/// For each example the share of runs that get it right.
fn shares_of(runs: &[&Figures]) -> Vec<f64> {
    let n_examples = runs.iter().map(|it| it.right.len()).min();
    let share = |example: usize| {
        let right = runs.iter().filter(|it| it.right[example]);
        right.count() as f64 / runs.len() as f64
    };
    (0..n_examples.unwrap_or(0)).map(share).collect()
}

impl RunOutcome {
    /// What came of the run in a folder, or of the one that a record beside it tells of; none where
    /// it is not done.
    fn of(seed: u64, run: &Path) -> Result<Option<RunOutcome>, RecordError> {
        let mut record = RunRecord::of_this_version(run)?;
        let recorded = record.as_mut().and_then(|it| it.figures.take());
        let figures = recorded.or_else(|| Figures::of(run));
        Ok(figures.map(|figures| RunOutcome {
            seed,
            figures,
            record,
        }))
    }
}

impl Mean {
    fn of(values: impl Iterator<Item = f64>) -> Option<Mean> {
        let values: Vec<f64> = values.collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|it| (it - mean).powi(2)).sum();
        (!values.is_empty()).then(|| Mean {
            mean,
            deviation: (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt()),
        })
    }

    fn share(self) -> String {
        self.with(3)
    }

    fn count(self) -> String {
        self.with(1)
    }

    fn with(self, n_digits: usize) -> String {
        match self.deviation {
            Some(deviation) => format!("{:.n_digits$} ± {deviation:.n_digits$}", self.mean),
            None => format!("{:.n_digits$}", self.mean),
        }
    }
}

/// The difference of the means of two systems over the same examples.
fn difference(ours: &[f64], theirs: &[f64]) -> Option<Difference> {
    if ours.len() != theirs.len() || ours.is_empty() {
        return None;
    }
    let differences: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
    let n = differences.len();
    let mean = differences.iter().sum::<f64>() / n as f64;
    // Always the same draws: the table depends on the runs alone.
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut means: Vec<f64> = (0..N_DRAWS)
        .map(|_| {
            let draws = (0..n).map(|_| differences[rng.random_range(0..n)]);
            draws.sum::<f64>() / n as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    // What the draws would be around no difference.
    let is_as_large = |it: &&f64| (**it - mean).abs() >= mean.abs() - 1e-12;
    Some(Difference {
        mean,
        interval: (means[N_DRAWS / 40], means[N_DRAWS - 1 - N_DRAWS / 40]),
        p: means.iter().filter(is_as_large).count() as f64 / N_DRAWS as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::config::RunConfig;

    #[test]
    fn a_difference_is_as_sure_as_the_examples_make_it() {
        let all_right = vec![1.0; 60];
        let half: Vec<f64> = (0..60).map(|it| f64::from(it % 2)).collect();
        let clear = difference(&all_right, &half).unwrap();
        assert!((clear.mean - 0.5).abs() < 1e-12);
        assert!(clear.p < 0.001 && clear.interval.0 > 0.3, "{clear:?}");

        let mut other = half.clone();
        other[0] = 1.0;
        let unclear = difference(&other, &half).unwrap();
        assert!(unclear.p > 0.3 && unclear.interval.0 <= 0.0, "{unclear:?}");
        assert!(difference(&half, &half).unwrap().p > 0.99);
        assert_eq!(difference(&half, &[]), None);
    }

    #[test]
    fn parts_of_train_are_put_together() {
        let run = |seed, right: &[bool]| RunOutcome {
            seed,
            figures: Figures {
                exact_match: 0.0,
                execution: None,
                sentence_bleu: None,
                corpus_bleu: None,
                idioms_used: 0,
                right: right.to_vec(),
            },
            record: None,
        };
        let runs = [
            run(1, &[true, false]),
            run(2, &[true, true, true]),
            run(3, &[true, true]),
        ];
        let shares = |n_folds| {
            let cell = Cell {
                name: "cell".to_owned(),
                seeds: vec![1, 2, 3],
                config: RunConfig {
                    n_folds,
                    ..RunConfig::default()
                },
                published: None,
            };
            CellOutcome::new(&cell, runs.to_vec()).shares()
        };
        assert_eq!(shares(Some(2)), [1.0, 1.0, 1.0, 1.0, 0.5]);
        assert_eq!(shares(None), [1.0, 2.0 / 3.0]);
    }

    /// A `|` used to begin another column, and a tag to be one.
    #[test]
    fn hostile_names_stay_names() {
        let hostile = "a | b `c` ``d`` <script>x</script>\n# second [l](u) \\";
        let cell = Cell {
            name: hostile.to_owned(),
            seeds: vec![1],
            config: RunConfig::default(),
            published: None,
        };
        let outcome = Outcome {
            title: hostile.to_owned(),
            command: hostile.to_owned(),
            split: crate::corpus::Split::Dev,
            examples: 3,
            baseline: Some(hostile.to_owned()),
            cells: vec![CellOutcome::new(&cell, Vec::new())],
        };
        let markdown = outcome.to_markdown();
        let plain = r"a \| b \`c\` \`\`d\`\` \<script\>x\</script\> \# second \[l\](u) \\";
        let code = r"```a | b `c` ``d`` <script>x</script> # second [l](u) \```";
        let expected = format!(
            "# {plain}\n\n|  | runs |\n| --- | ---: |\n| {plain} | 0 of 1 |\n\nMeans over seeds on 3 \
             examples of `dev`, ± the standard deviation of a single run. Differences in exact match from {code}, \
             with the 95 % interval and p of a paired bootstrap over examples (10000 draws).\n\n{code}\n"
        );
        assert_eq!(markdown, expected);
    }

    #[test]
    fn means_and_deviations() {
        let mean = Mean::of([0.1, 0.2, 0.3].into_iter()).unwrap();
        assert_eq!(mean.share(), "0.200 ± 0.100");
        assert_eq!(Mean::of([0.5].into_iter()).unwrap().share(), "0.500");
        assert_eq!(Mean::of(std::iter::empty()), None);
    }
}
