//! `patois mcp`: a database as tools for other programs.

use std::path::PathBuf;

use clap::Args;
use patois_ask::Keys;
use patois_serve::Limits;

use super::Context;
use crate::asker::open_asker;
use crate::failure::{Failure, Status};

/// Offer a database to other programs as tools, over the Model Context Protocol
///
/// Speaks the protocol on standard input and output, and nothing else there. The tools: ask (a question in English), schema, `run_sql`
/// (one query, read-only, within limits), `check_sql` (would it run, and what does it compute in words). The database is only read.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois mcp music.sqlite --model runs/default
  {\"mcpServers\": {\"music\": {\"command\": \"patois\", \"args\": [\"mcp\", \"music.sqlite\", \"--model\", \"runs/default\"]}}}")]
pub(super) struct McpArgs {
    /// What to ask about: a SQLite database
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The folder of a run whose model is asked
    #[arg(long, value_name = "RUN")]
    model: Option<PathBuf>,

    /// Join along declared keys only, not along those that names and values tell
    #[arg(long)]
    declared_keys: bool,
}

impl McpArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let keys = if self.declared_keys {
            Keys::Declared
        } else {
            Keys::Guessed
        };
        let asker = open_asker(&self.files, self.model.as_deref(), keys, context)?;
        patois_serve::mcp(asker, Limits::default())?;
        Ok(Status::Done)
    }
}
