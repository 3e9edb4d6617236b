//! `patois experiment`: a grid of runs, and one table.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::Args;
use patois::experiment::figures::Figures;
use patois::experiment::outcome::Outcome;
use patois::experiment::record::{RunRecord, Setting};
use patois::experiment::{Experiment, PlannedRun};
use patois::run::folder::RunDir;
use patois_codebase::output;

use super::Context;
use crate::cli::failure::{Failure, Status};
use crate::cli::interrupt::Awaited;
use crate::cli::progress::Progress;

/// Train and measure a grid of models, and put them into one table
///
/// An experiment is a file of TOML: a configuration, what to change in it, and seeds. Runs that are
/// there already are not repeated, and one that was interrupted goes on. After every run,
/// OUT/table.{md,json,html} say what is known so far: means, deviations, a paired bootstrap against
/// the baseline, and what others have published. OUT/plot.svg shows every run.
///
/// OUT/CELL/seed-N.json is the record of a run: its configuration and figures. It is all that the table
/// needs; the folder of the run beside it, OUT/CELL/seed-N, can be deleted. Runs that another experiment has
/// made with the same configuration serve here, too, where the file names it (`runs_of`).
///
/// Each run is a process of its own, and several of them share the cores: for small models that is
/// faster than one run on all cores.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois experiment configs/experiments/hearthstone-table.toml
  patois experiment configs/experiments/spider-table.toml --at-once 1 --out /tmp/spider")]
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

    /// Do not run anything: write the table of the runs that are there
    #[arg(long)]
    table: bool,
}

impl ExperimentArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let experiment = Experiment::read(&self.experiment)
            .map_err(|error| Failure::misuse(error.to_string()))?;
        let name = self.experiment.file_stem().unwrap_or("experiment".as_ref());
        let out = self
            .out
            .clone()
            .unwrap_or_else(|| Path::new("runs").join(name));
        make_folder(&out)?;
        let grid = Grid {
            experiment: &experiment,
            command: format!("patois experiment {}", self.experiment.display()),
            out: &out,
            setting: Setting::here(&self.experiment, &out),
            context,
        };
        let interrupted = if self.table {
            false
        } else {
            grid.run_all(self.at_once.map(usize::from))?
        };
        let outcome = grid.outcome()?;
        let written = out.join("table.html");
        context.terminal.result(&outcome, || {
            format!("{}\ntable {}\n", outcome.to_markdown(), written.display())
        })?;
        Ok(if interrupted {
            Status::Interrupted
        } else {
            Status::Done
        })
    }
}

/// An experiment, and where it takes place.
struct Grid<'a> {
    experiment: &'a Experiment,
    command: String,
    out: &'a Path,
    /// What its runs are made by.
    setting: Setting,
    context: &'a Context,
}

impl Grid<'_> {
    /// The table so far, written down.
    fn outcome(&self) -> Result<Outcome, Failure> {
        let outcome = Outcome::of(self.experiment, self.out, self.command.clone());
        outcome.write(self.out)?;
        Ok(outcome)
    }

    /// Whether a run is recorded already, or has its predictions.
    ///
    /// Fails where it was made with another configuration: a table of both would be none.
    fn is_done(&self, run: &PlannedRun) -> Result<bool, Failure> {
        let folder = self.out.join(&run.folder);
        let Some(record) = RunRecord::of(&folder) else {
            return Ok(Figures::of(&folder).is_some());
        };
        if record.config != run.config {
            let message = format!(
                "the run `{}` was made with another configuration",
                folder.display()
            );
            let help = "name another folder with `--out`, or delete the run and its record";
            return Err(Failure::misuse(message).help(help));
        }
        Ok(record.figures.is_some())
    }

    /// Takes over the records of runs that other experiments have made with the same configuration.
    fn take_over(&self, runs: &[PlannedRun]) -> Result<(), Failure> {
        let folder = self.out.parent().unwrap_or(Path::new(""));
        for name in &self.experiment.runs_of {
            let records = match RunRecord::all(&folder.join(name)) {
                // Nobody has run it yet.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                records => records.map_err(|error| {
                    let message = format!("cannot read the runs of the experiment `{name}`");
                    Failure::new(message).because(error)
                })?,
            };
            for run in runs {
                let own = self.out.join(&run.folder);
                let is_same =
                    |it: &RunRecord| it.config == run.config && it.split == self.experiment.split;
                let found = records.iter().find(|it| is_same(it));
                if let Some(record) =
                    found.filter(|_| !own.exists() && RunRecord::of(&own).is_none())
                {
                    make_folder(own.parent().unwrap_or(self.out))?;
                    record.clone().write(&own)?;
                }
            }
        }
        Ok(())
    }

    /// Takes all runs that are not done; whether Ctrl-C came in between.
    fn run_all(&self, at_once: Option<usize>) -> Result<bool, Failure> {
        let runs = self.experiment.runs();
        self.take_over(&runs)?;
        let mut open: Vec<&PlannedRun> = Vec::new();
        for run in &runs {
            if !self.is_done(run)? {
                open.push(run);
            }
        }
        let n_threads = rayon::current_num_threads();
        let at_once = at_once.unwrap_or(n_threads).clamp(1, open.len().max(1));
        let threads = (n_threads / at_once).max(1);
        let n_done = runs.len() - open.len();
        let progress = Progress::go_on(self.context.terminal, "runs", n_done, runs.len());
        let interrupt = Awaited::start();
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<Failure>> = Mutex::new(None);
        let lock = || {
            failed
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
        };
        let work = || {
            while let Some(run) = open.get(next.fetch_add(1, Ordering::SeqCst)) {
                if interrupt.came() || lock().is_some() {
                    return;
                }
                let taken = self.record(run, at_once, threads);
                // A run that was asked to stop has not failed.
                match taken {
                    Ok(_) => progress.step_with(|| run.folder.display().to_string()),
                    Err(_) if interrupt.came() => return,
                    Err(failure) => _ = lock().get_or_insert(failure),
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..at_once {
                scope.spawn(work);
            }
        });
        let interrupted = interrupt.came();
        drop(interrupt);
        match failed
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
        {
            Some(failure) => Err(failure),
            None => Ok(interrupted),
        }
    }

    /// Trains and measures one model, and writes down what that took.
    fn record(&self, run: &PlannedRun, at_once: usize, threads: usize) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let folder = self.out.join(&run.folder);
        let taken = self.take(run, threads);
        let record = RunRecord {
            seconds: started.elapsed().as_secs_f64(),
            at_once,
            setting: self.setting.clone(),
            config: run.config.clone(),
            split: self.experiment.split,
            figures: taken.is_ok().then(|| Figures::of(&folder)).flatten(),
        };
        let written = record.write(&folder);
        // What went wrong with the run counts more than what went wrong with its record.
        taken?;
        written?;
        self.outcome()
    }

    /// Trains and measures one model.
    fn take(&self, run: &PlannedRun, threads: usize) -> Result<(), Failure> {
        let folder = self.out.join(&run.folder);
        let config = folder.with_extension("toml");
        if let Some(parent) = folder.parent() {
            make_folder(parent)?;
        }
        output::write(&config, run.config.to_toml())?;
        let is_begun = RunDir::open(&folder).is_ok();
        let mut train = self.command("train", threads);
        train.arg(&config).arg("--out").arg(&folder);
        if is_begun {
            train.arg("--resume");
        }
        finish(train, &folder)?;
        let split = self.experiment.split.to_string();
        let mut evaluate = self.command("evaluate", threads);
        evaluate.arg(&folder).args(["--split", &split]);
        finish(evaluate, &folder)
    }

    /// This program, for another verb.
    fn command(&self, verb: &str, threads: usize) -> Command {
        let program = std::env::current_exe().unwrap_or_else(|_| "patois".into());
        let mut command = Command::new(program);
        command
            .arg(verb)
            .args(["--quiet", "--threads", &threads.to_string()]);
        command.arg("--data").arg(self.context.data.path());
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

fn make_folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path).map_err(|error| {
        let message = format!("cannot make the folder `{}`", path.display());
        Failure::new(message).because(error)
    })
}

/// Waits for a run, and says what it said where it has failed.
fn finish(mut command: Command, folder: &Path) -> Result<(), Failure> {
    let failed = |why: String| {
        let message = format!("the run `{}` has failed", folder.display());
        Failure::new(message).because(why)
    };
    let output = command.stderr(Stdio::piped()).output();
    let output = output.map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(failed(match said.trim() {
        "" => output.status.to_string(),
        said => said.to_owned(),
    }))
}
