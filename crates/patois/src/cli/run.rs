//! `patois run`: all stages, from a corpus to a report.

use std::path::{Path, PathBuf};

use clap::Args;
use patois::corpus::Split;
use patois::report::{CorpusSummary, Headline, Report, System};
use patois::run::config::RunConfig;
use patois::run::folder::{BASELINE, RunDir, RunFile};
use patois::run::pipeline::{StopReason, Trained};
use patois::run::predictions::to_json_lines;
use patois::run::synthesizer::Writer;
use serde::Serialize;

use super::Context;
use super::evaluate::{predict, report_failure, writer_failure};
use super::train::report::Report as TrainingReport;
use super::train::{TrainOptions, config_failure, run_dir_failure, say, train};
use crate::cli::failure::{Failure, Status};
use crate::cli::stopwatch::Stopwatch;
use crate::cli::terminal::{BOLD, styled};

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
const DEFAULT: &str = include_str!("../run/default.toml");

impl RunArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let config = match &self.config {
            Some(path) => RunConfig::read(path),
            None => RunConfig::parse(DEFAULT_NAME, DEFAULT),
        };
        let config = config.map_err(|error| config_failure(&error))?;
        let config = self.options.apply(config, context);
        let name = self.config.as_deref().unwrap_or(Path::new(DEFAULT_NAME));
        let path = self.options.folder(name);
        let run = self.open(&path, &config)?;
        let mut stopwatch = Stopwatch::start();
        if let Some(config) = config.of_baseline() {
            let baseline = self.open(&path.join(BASELINE), &config)?;
            let trained = train(&config, &baseline, &mut Stopwatch::start(), context)?;
            if trained.reason == StopReason::Asked {
                return say(&trained, &baseline, context);
            }
            stopwatch.lap(BASELINE);
        }
        let trained = train(&config, &run, &mut stopwatch, context)?;
        if trained.reason == StopReason::Asked {
            return say(&trained, &run, context);
        }
        let report = report(&run, &stopwatch, context)?;
        let said = Said::new(&trained, &run, &report);
        context
            .terminal
            .result(&said, || said.for_people(&trained, &report))?;
        Ok(Status::Done)
    }

    /// The folder of a run: of one that goes on, or of a new one.
    fn open(&self, path: &Path, config: &RunConfig) -> Result<RunDir, Failure> {
        let existing = self.options.existing();
        RunDir::resume_or_create(path, config, existing).map_err(run_dir_failure)
    }
}

/// Asks all models of a run all there is to ask, and writes its report.
fn report(run: &RunDir, stopwatch: &Stopwatch, context: &Context) -> Result<Report, Failure> {
    let mut report = Report::of_run(run).map_err(report_failure)?;
    for (stage, seconds) in stopwatch.laps() {
        report.time(stage, *seconds);
    }
    let baseline = run.baseline().map_err(run_dir_failure)?;
    let mut predictions = Vec::new();
    for run in baseline.iter().chain([run]) {
        let writer = Writer::load(run).map_err(writer_failure)?;
        let corpus = super::corpus::of_run(&writer.config, context)?;
        report.corpus = CorpusSummary::of(&corpus);
        predictions.clear();
        for split in corpus.splits() {
            if split != Split::Train {
                let search = writer.config.search;
                let mut asked = corpus.clone();
                asked.keep(split);
                let outcome = predict(&writer, &asked, search, context)?;
                outcome.add_to(&mut report, &writer, split, search.beam_size);
                predictions.extend(outcome.predictions);
            }
        }
    }
    run.write(RunFile::Predictions, to_json_lines(&predictions))?;
    report.write(run)?;
    Ok(report)
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
