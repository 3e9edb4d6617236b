//! `patois teach`: a copy of the model that knows one database better.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use patois::corpus::{Corpus, CorpusOptions};
use patois::run::synthesizer::Purpose;
use patois_ask::teach_database;
use serde::Serialize;

use super::Context;
use super::watcher::Watcher;
use crate::ask::{Opening, write_confidence};
use crate::failure::{Failure, Status};

/// Teach a copy of the model one database: what you said about it, and questions made from its tables
///
/// What was confirmed, corrected and noted with `patois ask` is learnt from, together with questions that are made from
/// tables, columns, keys and values, and with some of what the model knew before. It takes about three minutes on two cores.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois teach firm.sqlite --out firm-model
  patois ask --model firm-model firm.sqlite \"Who earns most?\"")]
pub(super) struct TeachArgs {
    /// SQLite files, CSV, TSV or JSON lines
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    opening: Opening,

    /// Where the new model goes: a folder that is new or empty
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// How many steps are taken
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    steps: u32,
}

/// What came of it.
#[derive(Serialize)]
struct Report<'a> {
    out: &'a Path,
    /// Questions with the query that a person said is right.
    lessons: usize,
    notes: usize,
    skipped: usize,
    first_loss: f64,
    last_loss: f64,
    seconds: f64,
}

impl TeachArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let started = Instant::now();
        let (model, confidence) = self.opening.model(Purpose::Learning)?;
        let (source, memory) = self.opening.source(&self.files, context)?;
        let embedded = Corpus::open("default", &context.data, &CorpusOptions::default())?;
        let mut watcher = Watcher::new(context.terminal);
        let n_steps = self.steps as usize;
        let taught = teach_database(&model, &source, &memory, &embedded, n_steps, &mut watcher)?;
        let run = taught.model.save(&self.out)?;
        write_confidence(&run, &confidence)?;
        let report = Report {
            out: &self.out,
            lessons: memory.lessons().len(),
            notes: memory.notes().len(),
            skipped: taught.n_skipped,
            first_loss: taught.losses.0,
            last_loss: taught.losses.1,
            seconds: started.elapsed().as_secs_f64(),
        };
        context.terminal.result(&report, || report.for_people())?;
        Ok(Status::Done)
    }
}

impl Report<'_> {
    fn for_people(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "learnt from {} answers that you confirmed or corrected, {} notes, and questions made from the tables",
            self.lessons, self.notes
        );
        if self.skipped > 0 {
            let _ = writeln!(
                text,
                "{} of the queries could not be learnt from",
                self.skipped
            );
        }
        let _ = writeln!(
            text,
            "loss {:.2} at first, {:.2} in the end; {:.0} s\nmodel {}",
            self.first_loss,
            self.last_loss,
            self.seconds,
            self.out.display()
        );
        text
    }
}
