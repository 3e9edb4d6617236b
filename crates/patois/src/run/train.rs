//! Training with a folder: steps, measurements, checkpoints, and the log.

use std::path::PathBuf;
use std::time::Instant;

use patois_codebase::output::OutputError;
use patois_collective::Collective;
use patois_syntax::{ExtendedGrammar, Grammar, IdiomLibrary};
use patois_synthesis::training::{
    LoadError, Measurement, read_idioms, read_models, read_remembered, write_models,
};
use patois_synthesis::{ExampleSource, Model, Trainer, TrainingConfig, TrainingExample};
use serde::Serialize;

use super::card::ModelCard;
use super::cpu_time::cpu_seconds;
use super::error::StageError;
use super::folder::{RunDir, RunDirError, RunFile};
use super::log::Log;
use super::observer::{Event, Observer, Work, observed};

/// A model that is being trained, and the folder that everything is written to.
pub(crate) struct Training<'a> {
    /// What takes the steps.
    pub trainer: Trainer<'a>,
    /// Those that take them together; the first of them writes.
    pub ranks: &'a dyn Collective,
    /// What is measured on.
    pub dev: Vec<TrainingExample>,
    /// The grammar and the idioms.
    pub grammar: ExtendedGrammar<'a>,
    /// The folder.
    pub run: &'a RunDir,
    /// What is written about the model; steps and loss are filled in.
    pub card: ModelCard,
}

/// Why training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// All steps were taken.
    AllSteps,
    /// All seconds of processors that it had were spent.
    AllSeconds,
    /// The loss on dev did not get better for long enough.
    NoBetter,
    /// It was asked to stop.
    Asked,
}

/// What came of training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trained {
    /// Why it ended.
    pub reason: StopReason,
    /// How many steps were taken in all.
    pub n_steps: usize,
    /// How many of them were taken now.
    pub n_new_steps: usize,
    /// How long they took, in seconds.
    pub seconds: f64,
    /// How long processors worked for them, in seconds: without measurements and checkpoints.
    pub cpu_seconds: f64,
    /// The mean loss of the last steps, up to a hundred.
    pub loss: Option<f64>,
    /// The last loss on dev.
    pub dev_loss: Option<f64>,
}

/// A line of the log.
#[derive(Serialize)]
struct Line {
    step: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gradient: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dev_loss: Option<f64>,
    /// Since training began or went on.
    seconds: f64,
}

/// How many of the last steps a loss is averaged over.
const N_RECENT: usize = 100;

impl Training<'_> {
    /// Takes steps until all are taken, none helps any more, or the observer breaks.
    ///
    /// The model that is kept is the last one; where training ends early for want of a better one,
    /// it is the one with the least loss on dev.
    ///
    /// # Errors
    ///
    /// When a loss is not a number, in which case the last checkpoint stays, or a file cannot be
    /// written.
    pub(crate) fn run(&mut self, watch: &mut dyn Observer) -> Result<Trained, StageError> {
        // All have read the checkpoint before it is written anew.
        self.ranks.barrier();
        if self.ranks.rank() > 0 {
            return self.follow();
        }
        let n_steps = (self.trainer.n_steps_taken(), self.n_steps());
        observed(watch, Work::Training, n_steps, |watch| {
            self.take_steps(watch)
        })
    }

    /// Takes the steps that rank 0 takes, and writes nothing.
    fn follow(&mut self) -> Result<Trained, StageError> {
        let first = self.trainer.n_steps_taken();
        while self.lead(true) {
            self.trainer.step()?;
            let spent = self.agree(0.0);
            self.trainer.spend(spent);
            if self.is_time(self.config().evaluate_every) && !self.dev.is_empty() {
                self.trainer.measure(&self.dev);
            }
        }
        let n_steps = self.trainer.n_steps_taken();
        Ok(Trained {
            reason: StopReason::AllSteps,
            n_steps,
            n_new_steps: n_steps - first,
            seconds: 0.0,
            cpu_seconds: 0.0,
            loss: None,
            dev_loss: None,
        })
    }

    /// Whether rank 0 takes another step.
    fn lead(&self, goes_on: bool) -> bool {
        self.ranks.size() == 1 || self.ranks.broadcast(0, vec![goes_on.into()]) == [1]
    }

    /// What rank 0 has spent on a step: rates may depend on it.
    fn agree(&self, seconds: f64) -> f64 {
        if self.ranks.size() == 1 {
            return seconds;
        }
        let bytes = self.ranks.broadcast(0, seconds.to_le_bytes().to_vec());
        bytes
            .as_slice()
            .try_into()
            .map_or(seconds, f64::from_le_bytes)
    }

    fn take_steps(&mut self, watch: &mut dyn Observer) -> Result<Trained, StageError> {
        let first = self.trainer.n_steps_taken();
        let mut log = Log::after(self.run, first)?;
        let started = Instant::now();
        let mut recent: Vec<f64> = Vec::new();
        let mut spent = 0.0;
        let mut reason = StopReason::AllSteps;
        // It may have ended for want of a better one already.
        if self.keeps_best() && self.trainer.is_over() {
            reason = StopReason::NoBetter;
        }
        while reason == StopReason::AllSteps && !self.trainer.is_spent() {
            self.lead(true);
            let before = cpu_seconds();
            let record = self.trainer.step()?;
            let seconds = self.agree(cpu_seconds() - before);
            self.trainer.spend(seconds);
            spent += seconds;
            recent.push(record.loss);
            log.add(&Line {
                step: record.step,
                loss: Some(record.loss),
                gradient: Some(record.gradient),
                dev_loss: None,
                seconds: started.elapsed().as_secs_f64(),
            })?;
            if watch.see(Event::Step(record)).is_break() {
                reason = StopReason::Asked;
            }
            if self.is_time(self.config().evaluate_every)
                && let Some(measurement) = self.measure(&mut log, started)?
            {
                if watch
                    .see(Event::Measured(record.step, measurement))
                    .is_break()
                {
                    reason = StopReason::Asked;
                }
                if measurement.is_last {
                    reason = StopReason::NoBetter;
                }
            }
            let is_over = reason != StopReason::AllSteps || self.trainer.is_spent();
            if is_over && !self.keeps_best() {
                self.write_model()?;
            }
            if is_over || self.is_time(self.config().checkpoint_every) {
                self.write_checkpoint(&log)?;
                let _ = watch.see(Event::Saved(record.step));
            }
        }
        self.lead(false);
        let n_steps = self.trainer.n_steps_taken();
        if reason == StopReason::AllSteps && n_steps < self.n_steps() {
            reason = StopReason::AllSeconds;
        }
        if !self.is_written() {
            self.write_model()?;
        }
        let recent = &recent[recent.len().saturating_sub(N_RECENT)..];
        Ok(Trained {
            reason,
            n_steps,
            n_new_steps: n_steps - first,
            seconds: started.elapsed().as_secs_f64(),
            cpu_seconds: spent,
            loss: (!recent.is_empty()).then(|| recent.iter().sum::<f64>() / recent.len() as f64),
            dev_loss: self.card.dev_loss,
        })
    }

    fn config(&self) -> &TrainingConfig {
        self.trainer.config()
    }

    fn n_steps(&self) -> usize {
        self.config().n_steps
    }

    /// Whether the step just taken is one of every `n`, or the last.
    fn is_time(&self, n: usize) -> bool {
        let step = self.trainer.n_steps_taken();
        step.is_multiple_of(n.max(1)) || self.trainer.is_spent()
    }

    fn keeps_best(&self) -> bool {
        self.config().patience.is_some() && !self.dev.is_empty()
    }

    /// Whether the model in the folder is the one that is to be kept.
    fn is_written(&self) -> bool {
        let step = self.run.card().ok().map(|it| it.step);
        let is_current = self.keeps_best() || step == Some(self.trainer.n_steps_taken());
        step.is_some() && is_current && self.run.file(RunFile::Model).exists()
    }

    fn measure(
        &mut self,
        log: &mut Log,
        started: Instant,
    ) -> Result<Option<Measurement>, StageError> {
        if self.dev.is_empty() {
            return Ok(None);
        }
        let measurement = self.trainer.measure(&self.dev);
        log.add(&Line {
            step: self.trainer.n_steps_taken(),
            loss: None,
            gradient: None,
            dev_loss: Some(measurement.loss),
            seconds: started.elapsed().as_secs_f64(),
        })?;
        self.card.dev_loss = Some(measurement.loss);
        if self.keeps_best() && measurement.is_best {
            self.write_model()?;
        }
        Ok(Some(measurement))
    }

    /// A checkpoint comes last, so that what it speaks of is there whenever the process is killed.
    fn write_checkpoint(&self, log: &Log) -> Result<(), RunDirError> {
        log.sync()?;
        let checkpoint = self.trainer.checkpoint(&self.grammar, self.card.run);
        Ok(self.run.write(RunFile::Checkpoint, checkpoint)?)
    }

    fn write_model(&mut self) -> Result<(), OutputError> {
        let models = write_models(&self.trainer.models(), &self.grammar, self.card.run);
        self.run.write(RunFile::Model, models)?;
        self.card.step = self.trainer.n_steps_taken();
        self.run.write(RunFile::Card, self.card.to_toml())
    }
}

/// A checkpoint that training goes on from.
pub(crate) struct Checkpoint {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Checkpoint {
    /// The checkpoint of a run; none where none was written yet.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub(crate) fn of(run: &RunDir) -> Result<Option<Checkpoint>, RunDirError> {
        let bytes = run.read(RunFile::Checkpoint)?;
        let path = run.file(RunFile::Checkpoint);
        Ok(bytes.map(|bytes| Checkpoint { path, bytes }))
    }

    /// The idioms that it was trained with.
    ///
    /// # Errors
    ///
    /// When it is no checkpoint of the grammar.
    pub(crate) fn idioms(&self, grammar: &Grammar) -> Result<IdiomLibrary, StageError> {
        read_idioms(&self.bytes, grammar).map_err(|source| self.error(source))
    }

    /// The models as they were.
    ///
    /// # Errors
    ///
    /// When it is no checkpoint of the grammar and its idioms.
    pub(crate) fn models(&self, grammar: &ExtendedGrammar<'_>) -> Result<Vec<Model>, StageError> {
        read_models(&self.bytes, grammar).map_err(|source| self.error(source))
    }

    /// What goes on with training; how long and how often may have changed.
    ///
    /// # Errors
    ///
    /// When it is no checkpoint of the models.
    ///
    /// # Panics
    ///
    /// When there is no model.
    pub(crate) fn trainer<'a>(
        &self,
        grammar: &ExtendedGrammar<'_>,
        models: Vec<Model>,
        train: impl ExampleSource + 'a,
        config: &TrainingConfig,
    ) -> Result<Trainer<'a>, StageError> {
        let remembered = read_remembered(&self.bytes, grammar.grammar(), &models[0]);
        let mut remembered = remembered.map_err(|source| self.error(source))?;
        remembered.progress.config = config.clone();
        Ok(Trainer::resume(models, train, remembered)?)
    }

    fn error(&self, source: LoadError) -> StageError {
        StageError::Model {
            path: self.path.clone(),
            source,
        }
    }
}
