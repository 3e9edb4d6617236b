//! `patois evaluate`: what a model writes for the examples of a split, and how good it is.

mod report;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use patois::corpus::Languages;
use patois::databases::Databases;
use patois::evaluation::predictions::{Evaluator, Figures, Prediction, to_json_lines};
use patois::run_dir::{RunDir, RunFile};
use patois::specs::Specs;
use patois::writer::{Writer, WriterError};

use super::Context;
use super::corpus::{SplitName, corpus_failure, keep_split};
use super::train::{run_dir_failure, value_cache};
use crate::failure::{Failure, Status};
use crate::progress::Progress;
use report::Report;

/// Write programs for the examples of a split, and measure how good they are
///
/// Programs are compared by their syntax trees; queries clause by clause, as Spider's exact set
/// match does, and by the rows that they return. All predictions are written to
/// RUN/predictions.jsonl.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois evaluate runs/default
  patois evaluate runs/hearthstone --split dev --beam 10
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

    /// With --json, every prediction too
    #[arg(long)]
    per_example: bool,
}

impl EvaluateArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let run = RunDir::open(&self.run).map_err(run_dir_failure)?;
        let out = match &self.out {
            Some(out) => out.clone(),
            None => run.file(RunFile::Predictions),
        };
        patois::output::check(&out)?;
        let writer = Writer::load(&run).map_err(writer_failure)?;
        let (predictions, seconds) = self.predictions(&writer, context)?;
        patois::output::write(&out, to_json_lines(&predictions))?;
        let report = Report {
            run: run.path(),
            split: self.split.into(),
            beam: self.search(&writer).beam_size,
            figures: Figures::of(
                predictions.iter().map(|it| &it.score),
                &writer.card.language,
            ),
            n_errors: predictions
                .iter()
                .filter(|it| it.errors().next().is_some())
                .count(),
            seconds,
            predictions: &out,
            per_example: self.per_example.then_some(&predictions),
        };
        context.terminal.result(&report, || report.for_people())?;
        Ok(Status::Done)
    }

    fn search(&self, writer: &Writer) -> patois_synthesis::SearchConfig {
        let mut config = writer.config.search;
        config.beam_size = self.beam.map_or(config.beam_size, usize::from);
        config
    }

    /// Predictions, and how long they took, in seconds.
    fn predictions(
        &self,
        writer: &Writer,
        context: &Context,
    ) -> Result<(Vec<Prediction>, f64), Failure> {
        let name = &writer.config.corpus;
        let mut corpus = super::corpus::open(name, None, context)?;
        keep_split(&mut corpus, Some(self.split))?;
        if let Some(limit) = self.limit {
            corpus.examples.truncate(limit as usize);
        }
        let mode = writer.config.sql.mode.into();
        let languages = Languages::of_corpus(&corpus, mode).map_err(corpus_failure)?;
        let databases = Databases::of(name, None, &context.data);
        let linking = writer.model.config.relations.linking;
        let specs = Specs::linked(&corpus, linking, &databases, &value_cache());
        let specs = specs.map_err(|error| super::train::failure(error.into()))?;
        let config = self.search(writer);
        let started = Instant::now();
        let evaluator = Evaluator::new(writer, config, &corpus, languages, &specs, &databases);
        let progress = Progress::start(context.terminal, "writing", corpus.examples.len());
        let predictions = evaluator.run(&|_| progress.step());
        Ok((predictions, started.elapsed().as_secs_f64()))
    }
}

pub(super) fn writer_failure(error: WriterError) -> Failure {
    match error {
        WriterError::RunDir(error) => run_dir_failure(error),
        other => Failure::new(other.to_string()),
    }
}
