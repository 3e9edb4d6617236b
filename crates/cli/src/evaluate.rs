//! `patois evaluate`: what a model writes for the examples of a split, and how good it is.

mod report;
mod side_by_side;

use std::path::PathBuf;

use clap::Args;
use patois::run::folder::{RunDir, RunFile};
use patois::run::idiom_usage::IdiomUsage;
use patois::run::pipeline::{self, Asked};
use patois::run::synthesize::{Figures, Prediction, to_json_lines};
use patois::run::synthesizer::Synthesizer;
use patois_codebase::output;

use super::Context;
use super::corpus::SplitName;
use super::watcher::Watcher;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
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
  patois evaluate runs/spider --limit 100 --json
  patois evaluate runs/spider --corpus reworded/spider --out reworded.jsonl")]
pub(super) struct EvaluateArgs {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// The part of the corpus
    #[arg(long, value_name = "NAME", default_value = "dev")]
    split: SplitName,

    /// Another corpus than the run's, by its name or path; the folder of the run stays as it is
    #[arg(long, value_name = "CORPUS", requires = "out")]
    corpus: Option<String>,

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

/// How wide texts are where nothing says how wide the terminal is.
const WIDTH: usize = 100;

impl EvaluateArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        // Some examples, and predictions that go elsewhere, leave the folder as it is.
        let is_renewed = self.limit.is_none() && self.corpus.is_none();
        let run = match &self.out {
            Some(_) if !is_renewed => RunDir::open(&self.run)?,
            _ => RunDir::open_to_write(&self.run)?,
        };
        let default = || run.file(RunFile::Predictions);
        let out = self.out.clone().unwrap_or_else(default);
        output::check(&out)?;
        let synthesizer = Synthesizer::load(&run)?;
        let mut search = synthesizer.config.search;
        search.beam_size = self.beam.map_or(search.beam_size, usize::from);
        let asked = Asked {
            split: self.split.into(),
            search,
            limit: self.limit.map(|it| it as usize),
        };
        let mut watcher = Watcher::new(context.terminal);
        let here = context.surroundings();
        let outcome = match &self.corpus {
            Some(corpus) => {
                pipeline::evaluate_on(corpus, &synthesizer, &asked, &here, &mut watcher)?
            }
            None => pipeline::evaluate(&synthesizer, &run, &asked, &here, &mut watcher)?,
        };
        let predictions = &outcome.predictions;
        output::write(&out, to_json_lines(predictions))?;
        let faults = faults_of(predictions);
        let named = faults.iter().map(|it| (it.id.to_owned(), it.errors[0]));
        super::faults::note(context.terminal, named, &out.display().to_string());
        let scores = predictions.iter().map(|it| &it.score);
        let report = Report {
            run: run.path(),
            split: asked.split,
            beam: search.beam_size,
            figures: Figures::of(scores, &synthesizer.card.language),
            idioms: IdiomUsage::of(predictions, synthesizer.library.len()),
            dropped: outcome.n_dropped,
            errors: faults.len(),
            faults,
            seconds: outcome.seconds,
            predictions: &out,
            page: is_renewed.then(|| run.file(RunFile::ReportHtml)),
            per_example: self.per_example.then_some(predictions),
        };
        let width = Terminal::width().unwrap_or(WIDTH);
        context.terminal.result(&report, || {
            let n_wrong = self.show_wrong.map_or(0, |it| it as usize);
            report::wrong(predictions, n_wrong, width) + &report.for_people()
        })?;
        // Where not one query could be run, the figures say nothing of the model.
        let is_hopeless = report.errors > 0 && report.errors == predictions.len();
        Ok(if is_hopeless {
            Status::Failed
        } else {
            Status::Done
        })
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
