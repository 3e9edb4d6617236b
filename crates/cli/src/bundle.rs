//! `patois bundle`: a model made small, which knows how sure it is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use patois::corpus::{Corpus, CorpusOptions};
use patois::run::folder::{RunDir, RunFile};
use patois::run::read::open_corpus;
use patois::run::synthesizer::Synthesizer;
use patois_ask::{CalibrationFigures, Paper, QuestionWords, calibrate};
use serde::Serialize;

use super::Context;
use crate::ask::write_confidence;
use crate::failure::{Failure, Status};

/// Make a model small, and measure how sure its answers are
///
/// Weights are kept in 8 bits, a quarter of the room. The small model is then asked the dev questions of its corpora, about
/// their own databases, which it has not seen, and about others, so that it can tell later how often such an answer is
/// right, and what it had better refuse. The figures are of databases that were kept aside.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois bundle runs/ask --practice exams/practice --out models/ask
  patois ask --model models/ask shop.sqlite \"How many customers are from Berlin?\"")]
pub(super) struct BundleArgs {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Where the small model goes: a folder that is new or empty
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Ask the questions of a folder too: for each script `NAME.sql` those of `NAME.jsonl`, with `question` and `sql`,
    /// which is null where it should be refused
    #[arg(long, value_name = "DIR")]
    practice: Vec<PathBuf>,

    /// Ask questions that cannot be answered, too: JSON lines with `text` and `database`
    #[arg(long, value_name = "FILE")]
    unanswerable: Option<PathBuf>,
}

/// What came of it.
#[derive(Serialize)]
struct Report<'a> {
    out: &'a Path,
    bytes: u64,
    threshold: f64,
    figures: CalibrationFigures,
}

impl BundleArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let model = Synthesizer::load(&RunDir::open(&self.run)?)?;
        let corpora = corpora(&model, context)?;
        let collections = self.collections(&corpora)?;
        let run = model.save_small(&self.out)?;
        // What is measured is what will be used.
        let small = Synthesizer::load(&run)?;
        context.terminal.note("asking the dev questions");
        let (confidence, figures) = calibrate(&small, &collections, &QuestionWords::of(&corpora)?)?;
        let threshold = confidence.threshold;
        write_confidence(&run, &confidence)?;
        let bytes = std::fs::metadata(run.file(RunFile::Model)).map_or(0, |it| it.len());
        let report = Report {
            out: &self.out,
            bytes,
            threshold,
            figures,
        };
        context.terminal.result(&report, || report.for_people())?;
        Ok(Status::Done)
    }

    /// What it is asked: dev questions about databases that it has not seen, and those of folders.
    fn collections(&self, corpora: &[Corpus]) -> Result<Vec<Vec<Paper>>, Failure> {
        let mut collections: Vec<Vec<Paper>> = corpora.iter().map(Paper::of_dev).collect();
        for folder in &self.practice {
            let papers = Paper::read_folder(folder);
            collections.push(papers.map_err(|error| Failure::new(error.to_string()))?);
        }
        if let Some(file) = &self.unanswerable {
            let mut papers = collections.iter_mut();
            papers
                .try_for_each(|it| Paper::add_unanswerable(it, file))
                .map_err(|error| Failure::new(error.to_string()))?;
        }
        collections.retain(|it| !it.is_empty());
        if collections.is_empty() {
            let names: Vec<&str> = corpora.iter().map(|it| it.name.as_str()).collect();
            let message = format!(
                "no dev question is about a database that the model has not seen, in: {}",
                names.join(", ")
            );
            return Err(Failure::misuse(message));
        }
        Ok(collections)
    }
}

/// All corpora that a model has learnt from.
fn corpora(model: &Synthesizer, context: &Context) -> Result<Vec<Corpus>, Failure> {
    let first = open_corpus(&model.config, &context.data)?;
    let options = CorpusOptions {
        language: Some(first.language.clone()),
        ..model.config.corpus_options()
    };
    let mut corpora = vec![first];
    for source in &model.config.sources {
        corpora.push(Corpus::open(&source.corpus, &context.data, &options)?);
    }
    Ok(corpora)
}

impl Report<'_> {
    fn for_people(&self) -> String {
        let it = &self.figures;
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{} questions: first answer right {:.3}, one of the first three {:.3}",
            it.n_questions, it.first_is_right, it.right_among_three
        );
        let _ = writeln!(
            text,
            "confidence: calibration error {:.3}, area under the curve {:.3}",
            it.calibration_error, it.area_under_curve
        );
        let _ = writeln!(
            text,
            "refused below {:.2}: {:.3} of {} questions about other databases, {:.3} of {} that their own do not answer, and {:.3} of the right answers",
            self.threshold,
            it.refused_strangers,
            it.n_strangers,
            it.refused_near_misses,
            it.n_near_misses,
            it.lost
        );
        let _ = writeln!(
            text,
            "model of {} bytes in {}",
            self.bytes,
            self.out.display()
        );
        text
    }
}
