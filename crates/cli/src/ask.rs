//! `patois ask`: a database asked in plain English.

mod answers;
mod exam;
mod opening;
mod prompt;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use patois_ask::{Answer, Asker, Request};
use serde::Serialize;

use super::Context;
use crate::failure::{Failure, Status};
pub(super) use opening::{Opening, write_confidence};

/// Ask a database in plain English
///
/// Answers come from a model inside the program, on this machine: the rows, what was computed in words, the query, how
/// sure it is, and other answers it could have meant. Nothing is written to the files. What you confirm, correct or note is
/// kept beside the first of them, in FILE.patois, and used from then on. Without a question there is a prompt.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois ask shop.sqlite \"Which artist has the most albums?\"
  patois ask customers.csv orders.csv \"total amount per city\"
  patois ask --sample
  patois ask shop.sqlite --exam pairs.jsonl")]
pub(super) struct AskArgs {
    /// SQLite files, CSV, TSV or JSON lines; then the question, in quotes
    #[arg(value_name = "FILE|QUESTION")]
    words: Vec<PathBuf>,

    #[command(flatten)]
    opening: Opening,

    /// How many answers there may be: the best, and others that differ in their rows
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u16).range(1..=100))]
    top: u16,

    /// How many rows are shown of each
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    limit: u32,

    /// Print the rows of the best answer as CSV, and nothing else
    #[arg(long, conflicts_with_all = ["json", "no_rows", "exam"])]
    csv: bool,

    /// Do not show rows
    #[arg(long)]
    no_rows: bool,

    /// Draw which idioms and rules made which part, and what was copied from where
    #[arg(long)]
    trace: bool,

    /// Measure it on pairs of your own: JSON lines with `question` and `sql`
    #[arg(long, value_name = "FILE")]
    exam: Option<PathBuf>,
}

/// What is printed.
#[derive(Serialize)]
struct Report {
    answers: Vec<Answer>,
}

impl AskArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let (files, question) = self.files_and_question()?;
        let mut asker = self.opening.open(&files, context)?;
        if let Some(pairs) = &self.exam {
            return exam::measure(&asker, pairs, context);
        }
        if let Some(question) = question {
            return self.answer(&asker, &question, context);
        }
        if std::io::stdin().is_terminal() && !self.csv {
            return prompt::talk(&mut asker, &self.request(), context);
        }
        self.answer_lines(&asker, context)
    }

    /// Files come first; what is no file and comes last is the question.
    fn files_and_question(&self) -> Result<(Vec<PathBuf>, Option<String>), Failure> {
        let mut files = self.words.clone();
        let is_question = |it: &PathBuf| !it.exists() && !looks_like_file(it);
        let question = files.pop_if(|it| is_question(it));
        if files.is_empty() && !self.opening.is_sample() {
            return Err(Failure::misuse("there is no file to ask about")
                .help("name one before the question: patois ask shop.sqlite \"how many customers?\"; or try --sample"));
        }
        let question = question.map(|it| it.to_string_lossy().into_owned());
        Ok((files, question))
    }

    fn request(&self) -> Request {
        Request {
            n_programs: self.top.into(),
            n_rows: self.limit as usize,
            is_traced: self.trace,
        }
    }

    fn answer(
        &self,
        asker: &Asker<'_>,
        question: &str,
        context: &Context,
    ) -> Result<Status, Failure> {
        let answer = asker.ask(question, &self.request());
        let is_answered = answers::is_answered(&answer);
        self.show(vec![answer], context)?;
        Ok(if is_answered {
            Status::Done
        } else {
            Status::Failed
        })
    }

    /// Every line of standard input is a question.
    fn answer_lines(&self, asker: &Asker<'_>, context: &Context) -> Result<Status, Failure> {
        let text = patois_codebase::sources::read_from(std::io::stdin().lock())
            .map_err(|error| Failure::new("cannot read standard input").because(error))?;
        let lines = text.lines().filter(|it| !it.trim().is_empty());
        let answers: Vec<Answer> = lines.map(|it| asker.ask(it, &self.request())).collect();
        if answers.is_empty() {
            return Err(
                Failure::misuse("there is no question").help("give it in quotes after the files")
            );
        }
        let is_answered = answers.iter().any(answers::is_answered);
        self.show(answers, context)?;
        Ok(if is_answered {
            Status::Done
        } else {
            Status::Failed
        })
    }

    fn show(&self, mut answers: Vec<Answer>, context: &Context) -> Result<(), Failure> {
        if self.no_rows {
            let programs = answers.iter_mut().flat_map(|it| &mut it.programs);
            programs.for_each(|it| it.rows.clear());
        }
        let has_rows = !self.no_rows;
        let report = Report { answers };
        context.terminal.result(&report, || {
            let shown = report.answers.iter().map(|it| {
                if self.csv {
                    answers::csv(it)
                } else {
                    answers::for_people(it, has_rows)
                }
            });
            shown.collect::<Vec<_>>().join("\n")
        })
    }
}

/// Whether a word that is no file was meant to be one: it ends like one, and has no blanks.
fn looks_like_file(word: &Path) -> bool {
    const ENDINGS: [&str; 9] = [
        "sqlite", "sqlite3", "db", "db3", "csv", "tsv", "jsonl", "ndjson", "json",
    ];
    let ending = word
        .extension()
        .and_then(|it| it.to_str())
        .unwrap_or_default();
    ENDINGS.contains(&ending.to_lowercase().as_str())
        && !word.to_string_lossy().contains(char::is_whitespace)
}
