//! `patois experiment`: a grid of runs, and one table.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::Args;
use patois::experiment::grid::{Finish, Grid, GridError, GridObserver, claim_folder};
use patois::experiment::record::{RecordError, Setting};
use patois::experiment::shard::Shard;
use patois::experiment::{Experiment, PlannedRun};

use super::Context;
use crate::STACK_BYTES;
use crate::failure::{Failure, Status};
use crate::interrupt::Awaited;
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Train and measure a grid of models, and put them into one table
///
/// An experiment is a file of TOML: a configuration, what to change in it, and seeds. Runs that are
/// there already are not repeated, and one that was interrupted goes on. After every run,
/// OUT/table.{md,json,html} say what is known so far: means, deviations, intervals, differences from the
/// baseline with tests that mind the number of examples and of rows, and what others have published.
/// OUT/plot.svg shows every run.
///
/// OUT/CELL/seed-N.json (OUT/CELL/fold-N-seed-N.json where there are folds) is the record of a run: its configuration and figures. It is all that the table
/// needs; the folder of the run beside it, OUT/CELL/seed-N, can be deleted. Runs that another experiment has
/// made with the same configuration serve here, too, where the file names it (`runs_of`).
///
/// Several runs share the cores: for small models that is faster than one run on all cores.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois experiment configs/experiments/hearthstone-table.toml
  patois experiment configs/experiments/spider-table.toml --at-once 1 --out /tmp/spider
  seq 4 | xargs -P 4 -I {} patois experiment grid.toml --at-once 1 --threads 1 --shard {}/4")]
pub(super) struct ExperimentArgs {
    /// The experiment, a file of TOML
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,

    /// The folder of the runs and the table [default: runs/NAME, where the experiment is NAME.toml]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// How many runs share the cores [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    at_once: Option<u16>,

    /// Take one of N parts of the runs, the I-th: other processes, on this machine or on others, take the others
    ///
    /// All write to the same folder. Whoever ends a run writes the table of all that are there.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Do not run anything: write the table of the runs that are there
    #[arg(long)]
    table: bool,
}

impl ExperimentArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let experiment = Experiment::read(&self.experiment)?;
        let name = self.experiment.file_stem().unwrap_or("experiment".as_ref());
        let out = self
            .out
            .clone()
            .unwrap_or_else(|| Path::new("runs").join(name));
        let shard = self.shard.unwrap_or(Shard::ALL);
        let _lock = claim_folder(&out, shard)?;
        let grid = Grid {
            experiment: &experiment,
            command: format!("patois experiment {}", self.experiment.display()),
            out: &out,
            setting: Setting::here(&self.experiment, &out),
            here: context.surroundings(),
            stack_bytes: STACK_BYTES,
            shard,
        };
        let finish = if self.table {
            Finish::Done
        } else {
            let watcher = GridWatcher {
                terminal: context.terminal,
                progress: OnceLock::new(),
                interrupt: Awaited::start(),
            };
            grid.run_all(self.at_once.map(usize::from), &watcher)?
        };
        let outcome = grid.outcome()?;
        let written = out.join("table.html");
        context.terminal.result(&outcome, || {
            format!("{}\ntable {}\n", outcome.to_markdown(), written.display())
        })?;
        Ok(match finish {
            Finish::Stopped => Status::Interrupted,
            Finish::Done => Status::Done,
        })
    }
}

/// Shows how many runs are done; Ctrl-C asks them to stop.
struct GridWatcher {
    terminal: Terminal,
    progress: OnceLock<Progress>,
    interrupt: Awaited,
}

impl GridObserver for GridWatcher {
    fn begins(&self, n_done: usize, n_runs: usize) {
        self.progress
            .get_or_init(|| Progress::go_on(self.terminal, "runs", n_done, n_runs));
    }

    fn done(&self, run: &PlannedRun) {
        if let Some(progress) = self.progress.get() {
            progress.step_with(|| run.folder.display().to_string());
        }
    }

    fn is_over(&self) -> bool {
        self.interrupt.came()
    }
}

impl From<GridError> for Failure {
    fn from(error: GridError) -> Failure {
        let message = error.to_string();
        match error {
            GridError::OtherConfig(_) => Failure::misuse(message)
                .help("name another folder with `--out`, or delete the run and its record"),
            GridError::Folder { source, .. } | GridError::Records { source, .. } => {
                Failure::new(message).because(source)
            }
            GridError::Run { source, .. } => Failure::new(message).because(Failure::from(*source)),
            GridError::Threads(error) => Failure::new(message).because(error),
            GridError::Locked(error) => error.into(),
            GridError::Record(RecordError::Damaged { .. }) => Failure::new(message).help(
                "put it back as it was; where there is no copy, delete it, and the run is taken again",
            ),
            GridError::Record(RecordError::OtherVersion { .. }) => {
                Failure::new(message).help("name another folder with `--out`, or delete it")
            }
            GridError::Output(error) => error.into(),
        }
    }
}
