//! `patois run`: all stages, from a corpus to a trained model.

use std::path::{Path, PathBuf};

use clap::Args;
use patois::run_config::RunConfig;
use patois::run_dir::{Existing, RunDir, RunDirError};

use super::Context;
use super::train::{TrainOptions, config_failure, run_dir_failure, run_stages};
use crate::failure::{Failure, Status};

/// Run all stages: read, mine, mark, train
///
/// Without a configuration, on the embedded corpus of questions and SQL queries: a couple of
/// minutes. A run that was interrupted goes on where it stopped.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois run
  patois run configs/hearthstone.toml --objective marginal --out runs/marginal")]
pub(super) struct RunArgs {
    /// The configuration, a file of TOML [default: the embedded one]
    #[arg(value_name = "CONFIG")]
    config: Option<PathBuf>,

    #[command(flatten)]
    options: TrainOptions,
}

const DEFAULT_NAME: &str = "configs/default.toml";
const DEFAULT: &str = include_str!("../../../../configs/default.toml");

impl RunArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let config = match &self.config {
            Some(path) => RunConfig::read(path),
            None => RunConfig::parse(DEFAULT_NAME, DEFAULT),
        };
        let config = config.map_err(|error| config_failure(&error))?;
        let config = self.options.apply(config, context);
        let name = self.config.as_deref().unwrap_or(Path::new(DEFAULT_NAME));
        let path = self.options.folder(name);
        let run = match (self.options.existing(), RunDir::resume(&path, &config)) {
            (Existing::Refuse, Err(RunDirError::NoRun { .. })) | (Existing::Replace, _) => {
                RunDir::create(&path, &config, self.options.existing())
            }
            (Existing::Refuse, resumed) => resumed,
        };
        run_stages(&config, &run.map_err(run_dir_failure)?, context)
    }
}
