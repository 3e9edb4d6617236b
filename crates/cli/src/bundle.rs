//! `patois bundle`: a model made small, which knows how sure it is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use patois::corpus::{Corpus, Split};
use patois::run::folder::{RunDir, RunFile};
use patois::run::read::open_corpus;
use patois::run::synthesizer::Synthesizer;
use patois_ask::{CalibrationFigures, calibrate, usual_words};
use serde::Serialize;

use super::Context;
use crate::ask::write_confidence;
use crate::failure::{Failure, Status};

/// Make a model small, and measure how sure its answers are
///
/// Weights are kept in 8 bits, a quarter of the room. The small model is then asked the dev questions of its corpus, about
/// their own databases and about others, so that it can tell later how often such an answer is right, and what it had
/// better refuse. The figures are of databases that were kept aside.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois bundle runs/ask --out models/ask
  patois ask --model models/ask shop.sqlite \"How many customers are from Berlin?\"")]
pub(super) struct BundleArgs {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Where the small model goes: a folder that is new or empty
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
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
        let corpus = open_corpus(&model.config, &context.data)?;
        check(&corpus)?;
        let run = model.save_small(&self.out)?;
        // What is measured is what will be used.
        let small = Synthesizer::load(&run)?;
        context.terminal.note("asking the dev questions");
        let usual = usual_words(&corpora(&model, &corpus, context)?);
        let (confidence, figures) = calibrate(&small, &corpus, Split::Dev, &usual)?;
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
}

/// All corpora that a model has learnt from.
fn corpora(model: &Synthesizer, first: &Corpus, context: &Context) -> Result<Vec<Corpus>, Failure> {
    let mut corpora = vec![first.clone()];
    for source in &model.config.sources {
        let options = model.config.corpus_options();
        corpora.push(Corpus::open(&source.corpus, &context.data, &options)?);
    }
    Ok(corpora)
}

/// Refuses a corpus without databases to ask.
fn check(corpus: &Corpus) -> Result<(), Failure> {
    let n_asked = corpus
        .of(Split::Dev)
        .filter(|it| it.database.is_some())
        .count();
    if n_asked == 0 {
        let message = format!(
            "the corpus `{}` has no dev questions about databases",
            corpus.name
        );
        return Err(Failure::misuse(message));
    }
    Ok(())
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
            "refused below {:.2}: {:.3} of {} questions about other databases, and {:.3} of the right answers",
            self.threshold, it.refused_strangers, it.n_strangers, it.lost
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
