//! `patois grammar`: a grammar whose every sentence is a query over one database.

use std::path::PathBuf;

use clap::Args;
use patois_ask::{Keys, Source};
use patois_languages::sql::QueryGrammar;
use serde::Serialize;

use super::Context;
use crate::failure::{Failure, Status};

/// Print a grammar whose every sentence is a query over a database
///
/// It is in GBNF, which llama.cpp and others take to constrain what a language model writes: no table or column can be
/// named that is not there. It has the tables, and every two tables along a key, declared or guessed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois grammar shop.sqlite > shop.gbnf
  patois grammar customers.csv orders.csv")]
pub(super) struct GrammarArgs {
    /// SQLite files, CSV, TSV or JSON lines
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Join along declared keys only, not along those that names and values tell
    #[arg(long)]
    declared_keys: bool,

    /// Print GBNF, the notation of llama.cpp; the only one there is
    #[arg(long)]
    gbnf: bool,
}

/// What is printed.
#[derive(Serialize)]
struct Report {
    gbnf: String,
}

impl GrammarArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let keys = if self.declared_keys {
            Keys::Declared
        } else {
            Keys::Guessed
        };
        let source = Source::open(&self.files, keys)?;
        for note in &source.notes {
            context.terminal.note(note);
        }
        let gbnf = QueryGrammar::new(&source.schema).to_string();
        let report = Report { gbnf };
        context.terminal.result(&report, || report.gbnf.clone())?;
        Ok(Status::Done)
    }
}
