//! `patois serve`: a database asked from a page in the browser.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use patois_serve::{Limits, ServeError, ServeOptions};
use serde::Serialize;

use super::Context;
use crate::ask::Opening;
use crate::failure::{Failure, Status};
use crate::interrupt::Awaited;

/// Ask a database from a page in the browser, or over HTTP
///
/// The page and all that it needs are inside the program, and nothing leaves this machine. Answers come with the query, what it
/// computes in words and how sure that is; what is confirmed or corrected is kept in FILE.patois. The database is only read. Programs
/// ask the same server: /openapi.json describes how. Ctrl-C ends it.
///
/// Only this machine can reach it, unless --address says otherwise: then visitors need the token that is printed, or the one in
/// `PATOIS_TOKEN`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois serve music.sqlite
  patois serve customers.csv orders.csv --port 0
  patois serve --sample
  curl -H 'content-type: application/json' -d '{\"question\": \"How many albums?\"}' \\
      http://127.0.0.1:8700/api/ask")]
pub(super) struct ServeArgs {
    /// What to ask about: SQLite files, CSV, TSV or JSON lines
    #[arg(value_name = "FILE", required_unless_present = "sample")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    opening: Opening,

    /// Port to listen on; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 8700)]
    port: u16,

    /// Address to listen on
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    address: IpAddr,

    /// A name, beside localhost, that browsers may call this machine by; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,

    /// How many questions are worked on at once [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    at_once: Option<u16>,
}

/// What is printed.
#[derive(Serialize)]
struct Report<'u> {
    url: &'u str,
}

impl ServeArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let asker = self.opening.open(&self.files, context)?;
        let awaited = Awaited::start();
        let options = self.options(Arc::new(move || awaited.came()));
        let on_ready = |url: &str| {
            let printed = context
                .terminal
                .result(&Report { url }, || format!("{url}\n"));
            if let Err(failure) = printed {
                context.terminal.show(&failure);
            }
            context
                .terminal
                .note("open the address in a browser; Ctrl-C ends");
        };
        patois_serve::serve(asker, options, on_ready)?;
        Ok(Status::Done)
    }

    fn options(&self, is_stopped: Arc<dyn Fn() -> bool + Send + Sync>) -> ServeOptions {
        let usual = Limits::default();
        ServeOptions {
            address: self.address,
            port: self.port,
            hosts: self.hosts.clone(),
            token: std::env::var("PATOIS_TOKEN")
                .ok()
                .filter(|it| !it.is_empty()),
            limits: Limits {
                n_at_once: self.at_once.map_or(usual.n_at_once, usize::from),
                ..usual
            },
            is_stopped,
        }
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Failure {
        let failure = Failure::new(error.to_string());
        match error {
            ServeError::Busy(_) => failure.help(
                "another program listens there, perhaps another patois: end it, or take another port: --port 0 finds a free one",
            ),
            ServeError::Listen { .. } => {
                failure.help("ports below 1024 may need rights; --port 0 finds a free one")
            }
            ServeError::Start(_) | ServeError::Protocol(_) => failure,
        }
    }
}
