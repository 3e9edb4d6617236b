//! `patois report`: the report of a run, made again from its files.

use std::path::PathBuf;

use clap::Args;
use patois::report::{CorpusSummary, Report};
use patois::run::folder::{RunDir, RunFile};

use super::Context;
use crate::failure::{Failure, Status};

/// Write the report of a run again, without training or evaluating anything
///
/// What the report said of evaluations stays, as long as the model is the same; a report that cannot be
/// read is left as it is. The report is RUN/report.html for people, RUN/report.md for a terminal, RUN/report.json for programs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois report runs/default
  patois report runs/default --json")]
pub(super) struct ReportArgs {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

impl ReportArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let run = RunDir::open_to_write(&self.run)?;
        let mut report = Report::of_run(&run)?;
        // A run can be reported where its corpus is not.
        if let Ok(corpus) = super::corpus::of_run(&run.config()?, context) {
            report.corpus = CorpusSummary::of(&corpus);
        }
        report.write(&run)?;
        let path = run.file(RunFile::ReportHtml);
        context
            .terminal
            .result(&report, || format!("report {}\n", path.display()))?;
        Ok(Status::Done)
    }
}
