//! `patois evaluate`: what a model writes for the examples of a split, and how good it is.

mod report;
mod side_by_side;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use patois::corpus::databases::databases_of;
use patois::corpus::{Corpus, Languages, Split};
use patois::report::results::{Evaluation, Results};
use patois::report::{CorpusSummary, Report as RunReport, ReportError, System};
use patois::run::folder::{RunDir, RunFile};
use patois::run::idiom_usage::IdiomUsage;
use patois::run::predictions::{Evaluator, Figures, Prediction, to_json_lines};
use patois::run::synthesizer::{Writer, WriterError};
use patois::spec::Specs;
use patois::spec::linking::ValueCache;
use patois_synthesis::SearchConfig;

use super::Context;
use super::corpus::{SplitName, corpus_failure, keep_split};
use super::train::run_dir_failure;
use crate::cli::failure::{Failure, Status};
use crate::cli::progress::Progress;
use crate::cli::terminal::Terminal;
use report::{Fault, Report};

/// Write programs for the examples of a split, and measure how good they are
///
/// Programs are compared by their syntax trees; queries clause by clause, as Spider's exact set
/// match does, and by the rows that they return. All predictions are written to
/// RUN/predictions.jsonl, and RUN/report.{html,md,json} say what is new.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois evaluate runs/default
  patois evaluate runs/hearthstone --split dev --beam 10 --show-wrong
  patois evaluate runs/spider --limit 100 --json")]
pub(super) struct EvaluateArgs {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// The part of the corpus
    #[arg(long, value_name = "NAME", default_value = "dev")]
    split: SplitName,

    /// How many hypotheses are kept, whatever the configuration says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    beam: Option<u16>,

    /// Only the first examples
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// Where predictions go [default: RUN/predictions.jsonl]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Show the first wrong programs, each beside what was expected
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20")]
    show_wrong: Option<u32>,

    /// With --json, every prediction too
    #[arg(long)]
    per_example: bool,
}

/// Predictions, and how they came about.
pub(super) struct Outcome {
    pub(super) predictions: Vec<Prediction>,
    n_dropped: usize,
    seconds: f64,
}

/// How wide texts are where nothing says how wide the terminal is.
const WIDTH: usize = 100;

impl EvaluateArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let run = RunDir::open(&self.run).map_err(run_dir_failure)?;
        let out = match &self.out {
            Some(out) => out.clone(),
            None => run.file(RunFile::Predictions),
        };
        patois_codebase::output::check(&out)?;
        let writer = Writer::load(&run).map_err(writer_failure)?;
        let mut corpus = super::corpus::of_run(&writer.config, context)?;
        let summary = CorpusSummary::of(&corpus);
        keep_split(&mut corpus, Some(self.split))?;
        if let Some(limit) = self.limit {
            corpus.examples.truncate(limit as usize);
        }
        let search = self.search(&writer);
        let outcome = predict(&writer, &corpus, search, context)?;
        let predictions = &outcome.predictions;
        patois_codebase::output::write(&out, to_json_lines(predictions))?;
        // Figures of some examples must not take the place of figures of all.
        if self.limit.is_none() {
            let mut report = RunReport::of_run(&run).map_err(report_failure)?;
            report.corpus = summary;
            outcome.add_to(&mut report, &writer, self.split.into(), search.beam_size);
            report.write(&run)?;
        }
        let faults = faults_of(predictions);
        let named = faults.iter().map(|it| (it.id.to_owned(), it.errors[0]));
        super::faults::note(context.terminal, named, &out.display().to_string());
        let scores = predictions.iter().map(|it| &it.score);
        let report = Report {
            run: run.path(),
            split: self.split.into(),
            beam: search.beam_size,
            figures: Figures::of(scores, &writer.card.language),
            idioms: IdiomUsage::of(predictions, writer.library.len()),
            dropped: outcome.n_dropped,
            errors: faults.len(),
            faults,
            seconds: outcome.seconds,
            predictions: &out,
            page: (self.limit.is_none()).then(|| run.file(RunFile::ReportHtml)),
            per_example: self.per_example.then_some(predictions),
        };
        let width = Terminal::width().unwrap_or(WIDTH);
        context.terminal.result(&report, || {
            let n_wrong = self.show_wrong.map_or(0, |it| it as usize);
            report::wrong(predictions, n_wrong, width) + &report.for_people()
        })?;
        Ok(Status::Done)
    }

    fn search(&self, writer: &Writer) -> SearchConfig {
        let mut config = writer.config.search;
        config.beam_size = self.beam.map_or(config.beam_size, usize::from);
        config
    }
}

/// What a model writes for the examples of a corpus.
pub(super) fn predict(
    writer: &Writer,
    corpus: &Corpus,
    search: SearchConfig,
    context: &Context,
) -> Result<Outcome, Failure> {
    let mode = writer.config.sql.mode;
    let languages = Languages::of_corpus(corpus, mode).map_err(corpus_failure)?;
    let databases = databases_of(&writer.config.corpus, None, &context.data);
    let linking = writer.model().config.relations.linking;
    let specs = Specs::linked(corpus, linking, &databases, &ValueCache::of_user());
    let specs = specs.map_err(|error| super::train::failure(error.into()))?;
    let started = Instant::now();
    let evaluator = Evaluator::new(writer, search, corpus, languages, &specs, &databases);
    let progress = Progress::start(context.terminal, "writing", corpus.examples.len());
    let predictions = evaluator.run(&|_| progress.step());
    Ok(Outcome {
        predictions,
        n_dropped: corpus.dropped.len(),
        seconds: started.elapsed().as_secs_f64(),
    })
}

impl Outcome {
    /// Adds what came of a model to the report of its run.
    pub(super) fn add_to(&self, report: &mut RunReport, writer: &Writer, set: Split, beam: usize) {
        let name = System::name_of(writer.card.n_idioms);
        let evaluation = Evaluation {
            set,
            language: &writer.card.language,
            step: writer.card.step,
            beam,
            seconds: self.seconds,
        };
        report.time(format!("write {set}, {name}"), self.seconds);
        report.add(name, Results::new(evaluation, &self.predictions));
    }
}

fn faults_of(predictions: &[Prediction]) -> Vec<Fault<'_>> {
    let fault = |it| {
        let prediction: &Prediction = it;
        let errors: Vec<&str> = prediction.errors().collect();
        let id = prediction.id.as_str();
        (!errors.is_empty()).then_some(Fault { id, errors })
    };
    predictions.iter().filter_map(fault).collect()
}

pub(super) fn writer_failure(error: WriterError) -> Failure {
    match error {
        WriterError::RunDir(error) => run_dir_failure(error),
        other => Failure::new(other.to_string()),
    }
}

pub(super) fn report_failure(error: ReportError) -> Failure {
    match error {
        ReportError::RunDir(error) => run_dir_failure(error),
        ReportError::Idioms(error) => Failure::new(error.to_string()),
    }
}
