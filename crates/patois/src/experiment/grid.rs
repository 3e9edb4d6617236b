//! The runs of an experiment, several at once, and the table that they come to.

use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::figures::Figures;
use super::outcome::Outcome;
use super::record::{Effort, RecordError, RunRecord, Setting};
use super::shard::Shard;
use super::{Experiment, PlannedRun};
use crate::run::folder::{Existing, RunDir, RunFile};
use crate::run::pipeline::{self, Asked};
use crate::run::synthesize::to_json_lines;
use crate::run::synthesizer::Synthesizer;
use crate::run::train::StopReason;
use crate::run::{Event, StageError, Surroundings};
use patois_codebase::output::{self, Lock, LockError, OutputError};

/// An experiment, and where it takes place.
pub struct Grid<'a> {
    /// What is run.
    pub experiment: &'a Experiment,
    /// The command that runs it, for the table.
    pub command: String,
    /// The folder of the runs and the table.
    pub out: &'a Path,
    /// What its runs are made by.
    pub setting: Setting,
    /// What its runs find around them.
    pub here: Surroundings,
    /// How deep the stacks of threads may be, in bytes.
    pub stack_bytes: usize,
    /// Which of the runs are taken; other processes take the others.
    pub shard: Shard,
}

/// Somebody who waits for the runs of an experiment, and may stop them.
pub trait GridObserver: Sync {
    /// So many runs are done before the first begins, of all that there are.
    fn begins(&self, n_done: usize, n_runs: usize);
    /// A run is done.
    fn done(&self, run: &PlannedRun);
    /// Whether the runs should stop as soon as they can be gone on with.
    fn is_over(&self) -> bool;
}

/// Why an experiment cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum GridError {
    /// A folder cannot be made.
    #[error("cannot make the folder `{}`", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is a run of another configuration, and a table of both would be none.
    #[error("the run `{}` was made with another configuration", .0.display())]
    OtherConfig(PathBuf),
    /// The records of another experiment cannot be read.
    #[error("cannot read the runs of the experiment `{name}`")]
    Records {
        /// The other experiment.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// A run has failed.
    #[error("the run `{}` has failed", .path.display())]
    Run {
        /// Its folder.
        path: PathBuf,
        /// Why.
        source: Box<StageError>,
    },
    /// There are no threads for a run.
    #[error("cannot start the threads to work on")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A record of a run cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Another process is writing to the folder.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// How a grid of runs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// All runs are done.
    Done,
    /// It was asked to stop.
    Stopped,
}

impl Grid<'_> {
    /// The table so far, written down.
    ///
    /// # Errors
    ///
    /// When the system refuses, or a record cannot be read.
    pub fn outcome(&self) -> Result<Outcome, GridError> {
        // Whoever writes last has read last.
        let _lock = self.claim_table()?;
        let outcome = Outcome::of(self.experiment, self.out, self.command.clone())?;
        outcome.write(self.out)?;
        Ok(outcome)
    }

    /// Locks the table, once no other process writes it.
    fn claim_table(&self) -> Result<Option<Lock>, GridError> {
        let table = self.out.join("table.json");
        for _ in 0..N_TRIES {
            match Lock::of_file(&table) {
                Err(LockError::Held { .. }) => std::thread::sleep(BETWEEN_TRIES),
                lock => return Ok(lock?),
            }
        }
        Ok(Lock::of_file(&table)?)
    }

    /// Takes all runs that are not done, `at_once` of them at a time, on the threads of the current pool.
    ///
    /// # Errors
    ///
    /// When a run fails, or there is one of another configuration.
    pub fn run_all(
        &self,
        at_once: Option<usize>,
        watch: &dyn GridObserver,
    ) -> Result<Finish, GridError> {
        let runs = self.experiment.runs().into_iter().enumerate();
        let runs = runs.filter(|(number, _)| self.shard.has(*number));
        let runs: Vec<PlannedRun> = runs.map(|it| it.1).collect();
        self.take_over(&runs)?;
        let mut open: Vec<&PlannedRun> = Vec::new();
        for run in &runs {
            if !self.is_done(run)? {
                open.push(run);
            }
        }
        let n_threads = rayon::current_num_threads();
        let at_once = at_once.unwrap_or(n_threads).clamp(1, open.len().max(1));
        let share = Share {
            at_once,
            n_threads: (n_threads / at_once).max(1),
        };
        watch.begins(runs.len() - open.len(), runs.len());
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<GridError>> = Mutex::new(None);
        let lock = || failed.lock().unwrap_or_else(PoisonError::into_inner);
        let work = || {
            while let Some(run) = open.get(next.fetch_add(1, Ordering::SeqCst)) {
                if watch.is_over() || lock().is_some() {
                    return;
                }
                match self.record(run, share, watch) {
                    Ok(Finish::Done) => watch.done(run),
                    Ok(Finish::Stopped) => return,
                    Err(error) => _ = lock().get_or_insert(error),
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..at_once {
                scope.spawn(work);
            }
        });
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None if watch.is_over() => Ok(Finish::Stopped),
            None => Ok(Finish::Done),
        }
    }

    /// Whether a run is recorded already, or all that is left of it are its predictions.
    fn is_done(&self, run: &PlannedRun) -> Result<bool, GridError> {
        let folder = self.out.join(&run.folder);
        match RunRecord::of(&folder)? {
            // Killed before it was recorded: asked again, it needs no step more.
            None if folder.join(RunFile::Checkpoint.name()).exists() => Ok(false),
            None => Ok(Figures::of(&folder).is_some()),
            Some(record) if record.config == run.config => Ok(record.figures.is_some()),
            Some(_) => Err(GridError::OtherConfig(folder)),
        }
    }

    /// Takes over the records of runs that other experiments have made with the same configuration.
    fn take_over(&self, runs: &[PlannedRun]) -> Result<(), GridError> {
        let folder = self.out.parent().unwrap_or(Path::new(""));
        for name in &self.experiment.runs_of {
            let records = match RunRecord::all(&folder.join(name)) {
                // Nobody has run it yet.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                records => records.map_err(|source| GridError::Records {
                    name: name.clone(),
                    source,
                })?,
            };
            for run in runs {
                let own = self.out.join(&run.folder);
                let is_same =
                    |it: &RunRecord| it.config == run.config && it.split == self.experiment.split;
                let found = records.iter().find(|it| is_same(it));
                let is_new = !own.exists() && RunRecord::of(&own)?.is_none();
                if let Some(record) = found.filter(|_| is_new) {
                    make_folder(own.parent().unwrap_or(self.out))?;
                    record.clone().write(&own)?;
                }
            }
        }
        Ok(())
    }

    /// Trains and measures one model, and writes down what that took.
    fn record(
        &self,
        run: &PlannedRun,
        share: Share,
        watch: &dyn GridObserver,
    ) -> Result<Finish, GridError> {
        let started = Instant::now();
        let folder = self.out.join(&run.folder);
        make_folder(folder.parent().unwrap_or(self.out))?;
        let config = run.config.clone().absolute();
        output::write(&folder.with_extension("toml"), config.to_toml())?;
        let pool = rayon::ThreadPoolBuilder::new();
        let pool = pool
            .num_threads(share.n_threads)
            .stack_size(self.stack_bytes);
        let mut effort = None;
        let take = || self.take(run, &folder, &mut effort, watch);
        let taken = pool.build()?.install(take);
        let record = RunRecord {
            seconds: started.elapsed().as_secs_f64(),
            at_once: share.at_once,
            setting: self.setting.clone(),
            config: run.config.clone(),
            split: self.experiment.split,
            effort,
            figures: matches!(taken, Ok(Finish::Done))
                .then(|| Figures::of(&folder))
                .flatten(),
        };
        let written = record.write(&folder);
        // What went wrong with the run counts more than what went wrong with its record.
        let finish = taken.map_err(|source| GridError::Run {
            path: folder,
            source: Box::new(source),
        })?;
        written?;
        self.outcome()?;
        Ok(finish)
    }

    /// Trains and measures one model; training leaves word of what it took.
    fn take(
        &self,
        run: &PlannedRun,
        folder: &Path,
        effort: &mut Option<Effort>,
        watch: &dyn GridObserver,
    ) -> Result<Finish, StageError> {
        let mut observer = |_: Event<'_>| {
            if watch.is_over() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let dir = RunDir::resume_or_create(folder, &run.config, Existing::Refuse)?;
        let trained = pipeline::train(&run.config, &dir, &self.here, &mut observer)?;
        *effort = Some(Effort {
            n_steps: trained.n_steps,
            cpu_seconds: trained.cpu_seconds,
        });
        if trained.reason == StopReason::Asked {
            return Ok(Finish::Stopped);
        }
        let synthesizer = Synthesizer::load(&dir)?;
        let asked = Asked {
            split: self.experiment.split,
            search: run.config.search,
            limit: None,
        };
        match pipeline::evaluate(&synthesizer, &dir, &asked, &self.here, &mut observer) {
            Ok(answered) => {
                let predictions = to_json_lines(&answered.predictions);
                dir.write(RunFile::Predictions, predictions)?;
                Ok(Finish::Done)
            }
            Err(StageError::Stopped) => Ok(Finish::Stopped),
            Err(error) => Err(error),
        }
    }
}

/// What a run gets of the machine.
#[derive(Clone, Copy)]
struct Share {
    /// How many runs share it.
    at_once: usize,
    /// How many threads each has.
    n_threads: usize,
}

/// How often a process tries to write the table while another does.
const N_TRIES: u32 = 500;
/// How long it waits before it tries again.
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Makes the folder of an experiment. As long as the lock lives, no other process takes the same runs.
///
/// # Errors
///
/// When the system refuses, or another process has it.
pub fn claim_folder(path: &Path, shard: Shard) -> Result<Option<Lock>, GridError> {
    make_folder(path)?;
    if shard == Shard::ALL {
        return Ok(Some(Lock::of_folder(path)?));
    }
    let name = format!("shard-{}", shard.to_string().replace('/', "-of-"));
    Ok(Lock::of_file(&path.join(name))?)
}

/// Makes a folder and those above it.
fn make_folder(path: &Path) -> Result<(), GridError> {
    std::fs::create_dir_all(path).map_err(|source| GridError::Folder {
        path: path.to_owned(),
        source,
    })
}
