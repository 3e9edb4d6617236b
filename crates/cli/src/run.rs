//! `patois run`: all stages, from a corpus to a report.

use std::path::{Path, PathBuf};

use clap::Args;
use patois::corpus::Split;
use patois::report::{Headline, Report, System};
use patois::run::config::RunConfig;
use patois::run::folder::{RunDir, RunFile};
use patois::run::pipeline::{self, Outcome};
use patois::run::train::Trained;
use serde::Serialize;

use super::Context;
use super::train::report::Report as TrainingReport;
use super::train::{TrainOptions, say};
use super::watcher::Watcher;
use crate::failure::{Failure, Status};
use crate::terminal::{BOLD, styled};

/// Run all stages: read, mine, mark, train, evaluate, report
///
/// Without a configuration, on the embedded corpus of questions and SQL queries: a couple of
/// minutes. A run that was interrupted goes on where it stopped. What came of it is told by
/// RUN/report.html, and for programs by RUN/report.json.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois run
  patois run configs/hearthstone.toml --objective marginal --out runs/marginal")]
pub(super) struct RunArgs {
    /// The configuration, a file of TOML [default: the embedded one]
    #[arg(value_name = "CONFIG")]
    config: Option<PathBuf>,

    #[command(flatten)]
    options: TrainOptions,
}

const DEFAULT_NAME: &str = "configs/default.toml";
const DEFAULT: &str = include_str!("run/default.toml");

/// The configuration inside the program.
///
/// # Panics
///
/// Never: it is tested.
pub fn default_config() -> RunConfig {
    RunConfig::parse(DEFAULT_NAME, DEFAULT).expect("the embedded configuration is one")
}

impl RunArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let config = match &self.config {
            Some(path) => RunConfig::read(path),
            None => Ok(default_config()),
        };
        let config = self.options.apply(config?, context);
        let name = self.config.as_deref().unwrap_or(Path::new(DEFAULT_NAME));
        let path = self.options.folder(name);
        let run = RunDir::resume_or_create(&path, &config, self.options.existing())?;
        let mut watcher = Watcher::new(context.terminal);
        match pipeline::run(&config, &run, &context.surroundings(), &mut watcher)? {
            Outcome::Stopped(run, trained) => say(&trained, &run, context),
            Outcome::Done(trained, report) => {
                let said = Said::new(&trained, &run, &report);
                context
                    .terminal
                    .result(&said, || said.for_people(&trained, &report))?;
                Ok(Status::Done)
            }
        }
    }
}

/// What is said in the end.
#[derive(Serialize)]
struct Said<'a> {
    #[serde(flatten)]
    training: TrainingReport,
    /// The figures of each system for each set of questions.
    results: Vec<Figures<'a>>,
    report: PathBuf,
}

/// The figures of a system for a set of questions.
#[derive(Serialize)]
struct Figures<'a> {
    system: &'a str,
    set: Split,
    examples: usize,
    exact_match: f64,
    execution: Option<f64>,
    sentence_bleu: Option<f64>,
    corpus_bleu: Option<f64>,
}

impl Said<'_> {
    fn new<'a>(trained: &Trained, run: &RunDir, report: &'a Report) -> Said<'a> {
        let of_system = |system: &'a System| {
            let results = system.results.iter();
            results.map(|it| Figures {
                system: &system.name,
                set: it.set,
                examples: it.examples,
                exact_match: it.exact_match,
                execution: it.execution,
                sentence_bleu: it.sentence_bleu,
                corpus_bleu: it.corpus_bleu,
            })
        };
        Said {
            training: TrainingReport::new(trained, run),
            results: report.systems.iter().flat_map(of_system).collect(),
            report: run.file(RunFile::ReportHtml),
        }
    }

    fn for_people(&self, trained: &Trained, report: &Report) -> String {
        let table = table(&report.headline());
        let training = self.training.for_people(trained.reason);
        format!("{training}report {}\n\n{table}", self.report.display())
    }
}

/// The table of results, each column as wide as it must be.
fn table(headline: &Headline) -> String {
    let lines = || std::iter::once(&headline.heading).chain(&headline.rows);
    let width = |column: usize| {
        let cells = lines().filter_map(|line| line.get(column));
        cells.map(|it| it.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headline.heading.len()).map(width).collect();
    let line = |cells: &Vec<String>| {
        let cells = cells.iter().zip(&widths).enumerate();
        let cells = cells.map(|(index, (cell, &width))| match index {
            0 => format!("{cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        cells.collect::<String>() + "\n"
    };
    let heading = styled(BOLD, line(&headline.heading).trim_end());
    let rows: String = headline.rows.iter().map(line).collect();
    format!("{heading}\n{rows}")
}
