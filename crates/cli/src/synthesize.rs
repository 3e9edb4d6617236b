//! `patois synthesize`: programs for a text, best first.

mod answer;
mod subject;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use patois::run::folder::RunDir;
use patois::run::synthesizer::Synthesizer;
use patois_ask::Keys;
use patois_codebase::sources;
use rayon::prelude::*;
use serde::Serialize;

use super::Context;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use answer::{Answer, Asked};
use subject::subject;

/// Write programs for a text, best first
///
/// Queries are about a database: any SQLite file. What they compute is said in words. The best one
/// that can be run is run, read-only, and its first rows are shown. Without a text, every line of the file or of standard input is
/// one.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois synthesize runs/default \"How many books are there?\" --database library.sqlite
  patois synthesize runs/hearthstone --file cards.in --beam 10 --top 3
  patois synthesize runs/hearthstone \"$(head -1 dev_hs.in)\" --trace")]
pub(super) struct SynthesizeArgs {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// What the program should do
    #[arg(value_name = "TEXT")]
    text: Option<String>,

    /// Read texts from this file, one a line; `-` is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,

    /// How many hypotheses are kept [default: the configuration's, and four times --top if that is more than 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    beam: Option<u16>,

    /// How many programs are shown
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    top: u16,

    /// Draw which idioms and rules made which part, and what was copied from where
    #[arg(long)]
    trace: bool,

    /// SQL: the database, a SQLite file, or the name of one of the corpus
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,

    /// SQL: join along declared keys only, not along those that names and values tell
    #[arg(long)]
    declared_keys: bool,

    /// SQL: do not run the query
    #[arg(long)]
    no_rows: bool,
}

/// What is printed.
#[derive(Serialize)]
struct Report {
    answers: Vec<Answer>,
    /// To load the model and the database.
    load_seconds: f64,
    /// To write all programs.
    seconds: f64,
}

impl SynthesizeArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let started = Instant::now();
        let run = RunDir::open(&self.run)?;
        let synthesizer = Synthesizer::load(&run)?;
        let texts = self.texts()?;
        let subject = subject(&synthesizer, self.database.as_deref(), self.keys(), context)?;
        let mut config = synthesizer.config.search;
        let top = usize::from(self.top);
        config.beam_size = match self.beam {
            Some(beam) => beam.into(),
            None if top > 1 => config.beam_size.max(HYPOTHESES_A_PROGRAM * top),
            None => config.beam_size,
        };
        let searcher = synthesizer.searcher(config);
        let load_seconds = started.elapsed().as_secs_f64();
        let asked = Asked {
            synthesizer: &synthesizer,
            searcher: &searcher,
            subject: &subject,
            n_programs: top,
            is_traced: self.trace,
            is_run: !self.no_rows,
        };
        let started = Instant::now();
        let texts = texts.par_iter().with_max_len(1);
        let answers: Vec<Answer> = texts.map(|text| asked.answer(text)).collect();
        let report = Report {
            answers,
            load_seconds,
            seconds: started.elapsed().as_secs_f64(),
        };
        context.terminal.result(&report, || report.for_people())?;
        let has_program = |it: &Answer| !it.programs.is_empty();
        let is_right =
            report.answers.iter().all(has_program) && report.answers.iter().any(Answer::is_whole);
        Ok(if is_right {
            Status::Done
        } else {
            Status::Failed
        })
    }

    fn keys(&self) -> Keys {
        if self.declared_keys {
            Keys::Declared
        } else {
            Keys::Guessed
        }
    }

    fn texts(&self) -> Result<Vec<String>, Failure> {
        if let Some(text) = &self.text {
            return Ok(vec![text.clone()]);
        }
        let read = match &self.file {
            Some(file) if file != Path::new("-") => sources::read(file).map_err(|error| {
                Failure::new(format!("cannot read `{}`", file.display())).because(error.to_string())
            })?,
            None if std::io::stdin().is_terminal() => {
                return Err(Failure::misuse("there is no text to write a program for")
                    .help("give it in quotes, or a file with one a line: --file FILE"));
            }
            _ => sources::read_from(std::io::stdin().lock())
                .map_err(|error| Failure::new("cannot read standard input").because(error))?,
        };
        let lines = read.lines().filter(|it| !it.trim().is_empty());
        let texts: Vec<String> = lines.map(str::to_owned).collect();
        if texts.is_empty() {
            return Err(Failure::new("there is no text to write a program for"));
        }
        Ok(texts)
    }
}

/// Not every hypothesis comes to an end: a beam as wide as the programs that are asked for often
/// finds fewer of them.
const HYPOTHESES_A_PROGRAM: usize = 4;

/// How wide tables are where nothing says how wide the terminal is.
const WIDTH: usize = 100;

impl Report {
    fn for_people(&self) -> String {
        let width = Terminal::width().unwrap_or(WIDTH);
        let is_batch = self.answers.len() > 1;
        let shown = self.answers.iter().map(|it| it.for_people(is_batch, width));
        shown.collect::<Vec<_>>().join("\n")
    }
}
