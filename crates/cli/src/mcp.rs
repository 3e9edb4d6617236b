//! `patois mcp`: a database as tools for other programs.

use std::path::PathBuf;

use clap::Args;
use patois_serve::Limits;

use super::Context;
use crate::ask::Opening;
use crate::failure::{Failure, Status};

/// Offer a database to other programs as tools, over the Model Context Protocol
///
/// Speaks the protocol on standard input and output, and nothing else there. The tools: ask (a question in English), schema, `run_sql`
/// (one query, read-only, within limits), `check_sql` (would it run, and what does it compute in words). The database is only read.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois mcp music.sqlite
  {\"mcpServers\": {\"music\": {\"command\": \"patois\", \"args\": [\"mcp\", \"music.sqlite\"]}}}")]
pub(super) struct McpArgs {
    /// What to ask about: SQLite files, CSV, TSV or JSON lines
    #[arg(value_name = "FILE", required_unless_present = "sample")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    opening: Opening,
}

impl McpArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let asker = self.opening.open(&self.files, context)?;
        patois_serve::mcp(asker, Limits::default())?;
        Ok(Status::Done)
    }
}
