//! `patois train`: a run directory with a model in it.

pub(super) mod report;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use patois::run::config::RunConfig;
use patois::run::folder::{Existing, RunDir};
use patois::run::train::{StopReason, Trained};
use patois::run::{Unobserved, pipeline};
use patois_synthesis::Objective;

use super::Context;
use super::watcher::Watcher;
use crate::failure::{Failure, Status};
use report::Report;

/// Train a model to write programs, with or without idioms
///
/// The configuration says which corpus, how idioms are mined, the shape of the network and how it
/// is trained. Everything is written to one folder. Ctrl-C finishes the step and saves; --resume
/// goes on, to the same model as without the interruption.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois train configs/default.toml
  patois train configs/hearthstone.toml --objective plain --out runs/baseline
  patois train configs/spider.toml --resume
  patois train mine.toml --from models/ask    # go on with what another model knows")]
pub(super) struct TrainArgs {
    /// The configuration, a file of TOML
    #[arg(value_name = "CONFIG")]
    config: PathBuf,

    #[command(flatten)]
    options: TrainOptions,

    /// Begin with the model of this run, its idioms and vocabularies, instead of random weights
    #[arg(long, value_name = "RUN", conflicts_with = "idioms")]
    from: Option<PathBuf>,

    /// Go on with the run in the folder
    #[arg(long, conflicts_with = "force")]
    resume: bool,
}

/// What can be said instead of what the configuration says.
#[derive(Args)]
pub(super) struct TrainOptions {
    /// The folder of the run [default: runs/NAME, where the configuration is NAME.toml]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Read the idioms from this file instead of mining them
    #[arg(long, value_name = "FILE")]
    idioms: Option<PathBuf>,

    /// What is maximised, whatever the configuration says
    #[arg(long, value_name = "NAME")]
    objective: Option<ObjectiveName>,

    /// How many steps are taken, whatever the configuration says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    steps: Option<u32>,

    /// Replace the run in the folder
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ObjectiveName {
    /// The program as it is written, without idioms
    Plain,
    /// At each step the mean over all accepted actions: the paper's
    Mean,
    /// The program, summed over all ways to write it with idioms
    Marginal,
}

impl TrainArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let config = RunConfig::read(&self.config)?;
        let mut config = self.options.apply(config, context);
        if let Some(from) = &self.from {
            config.from = Some(from.clone());
            config.idioms.file = None;
            config.idioms.selection = None;
        }
        let path = self.options.folder(&self.config);
        let ranks = context.ranks.as_ref();
        if ranks.rank() > 0 {
            // Rank 0 has made the folder, or said why it cannot.
            ranks.barrier();
            let run = RunDir::open(&path)?;
            let here = context.surroundings();
            pipeline::train_on(ranks, &config, &run, &here, &mut Unobserved)?;
            return Ok(Status::Done);
        }
        let run = if self.resume {
            RunDir::resume(&path, &config)
        } else {
            RunDir::create(&path, &config, self.options.existing())
        };
        let run = run?;
        ranks.barrier();
        let mut watcher = Watcher::new(context.terminal);
        let here = context.surroundings();
        let trained = pipeline::train_on(ranks, &config, &run, &here, &mut watcher)?;
        say(&trained, &run, context)
    }
}

/// Says what came of training.
pub(super) fn say(trained: &Trained, run: &RunDir, context: &Context) -> Result<Status, Failure> {
    let report = Report::new(trained, run);
    context
        .terminal
        .result(&report, || report.for_people(trained.reason))?;
    Ok(match trained.reason {
        StopReason::AllSteps | StopReason::AllSeconds | StopReason::NoBetter => Status::Done,
        StopReason::Asked => Status::Interrupted,
    })
}

impl TrainOptions {
    /// A configuration, with what the command line says instead.
    pub(super) fn apply(&self, mut config: RunConfig, context: &Context) -> RunConfig {
        config.seed = context.given_seed.unwrap_or(config.seed);
        if let Some(objective) = self.objective {
            config.training.objective = objective.into();
        }
        if let Some(steps) = self.steps {
            config.training.n_steps = steps as usize;
        }
        if let Some(idioms) = &self.idioms {
            config.idioms.file = Some(idioms.clone());
        }
        config
    }

    /// The folder of a run of the configuration in a file.
    pub(super) fn folder(&self, config: &Path) -> PathBuf {
        let name = config.file_stem().unwrap_or("run".as_ref());
        let default = || Path::new("runs").join(name);
        self.out.clone().unwrap_or_else(default)
    }

    /// What happens to a run that is there.
    pub(super) fn existing(&self) -> Existing {
        if self.force {
            Existing::Replace
        } else {
            Existing::Refuse
        }
    }
}

impl From<ObjectiveName> for Objective {
    fn from(name: ObjectiveName) -> Objective {
        match name {
            ObjectiveName::Plain => Objective::Plain,
            ObjectiveName::Mean => Objective::Mean,
            ObjectiveName::Marginal => Objective::Marginal,
        }
    }
}
