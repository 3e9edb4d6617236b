//! `patois train`: a run directory with a model in it.

pub(super) mod report;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use patois::corpus::Split;
use patois::run::config::{RunConfig, RunConfigError};
use patois::run::folder::{Existing, ModelCard, RunDir, RunDirError, RunFile};
use patois::run::pipeline::{
    self, Checkpoint, CheckpointError, Event, PipelineError, Source, StopReason, Trained, Training,
    TrainingRunError,
};
use patois::spec::linking::ValueCache;
use patois_mining::Sweep;
use patois_syntax::{ExtendedGrammar, IdiomLibrary};
use patois_synthesis::{Objective, Trainer, TrainingExample};

use super::Context;
use super::corpus::corpus_failure;
use crate::cli::excerpt::Excerpt;
use crate::cli::failure::{Failure, Status};
use crate::cli::interrupt::Awaited;
use crate::cli::progress::Progress;
use crate::cli::stopwatch::Stopwatch;
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
  patois train configs/spider.toml --resume")]
pub(super) struct TrainArgs {
    /// The configuration, a file of TOML
    #[arg(value_name = "CONFIG")]
    config: PathBuf,

    #[command(flatten)]
    options: TrainOptions,

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
        let config = RunConfig::read(&self.config).map_err(|error| config_failure(&error))?;
        let config = self.options.apply(config, context);
        let path = self.options.folder(&self.config);
        let run = if self.resume {
            RunDir::resume(&path, &config)
        } else {
            RunDir::create(&path, &config, self.options.existing())
        };
        let run = run.map_err(run_dir_failure)?;
        let trained = train(&config, &run, &mut Stopwatch::start(), context)?;
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
        StopReason::AllSteps | StopReason::NoBetter => Status::Done,
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

/// All stages up to a trained model, each timed.
pub(super) fn train(
    config: &RunConfig,
    run: &RunDir,
    stopwatch: &mut Stopwatch,
    context: &Context,
) -> Result<Trained, Failure> {
    let source = Source::read(config, &context.data).map_err(failure)?;
    stopwatch.lap("read");
    let checkpoint = Checkpoint::of(run).map_err(run_dir_failure)?;
    let grammar = &source.programs.grammar;
    let library = match &checkpoint {
        Some(checkpoint) => checkpoint.idioms(grammar).map_err(failure)?,
        None => idioms(config, &source, run, stopwatch, context)?,
    };
    let extended = ExtendedGrammar::new(grammar, &library)
        .map_err(|error| Failure::new("the idioms are of another grammar").because(error))?;
    let (trainer, dev) = trainer(config, &source, &extended, checkpoint, context)?;
    stopwatch.lap("mark and link");
    let mut training = Training {
        trainer,
        dev,
        grammar: extended,
        run,
        card: card(&source, &library),
    };
    watch(&mut training, context)
}

/// Reads or mines the idioms, and writes them down.
fn idioms(
    config: &RunConfig,
    source: &Source,
    run: &RunDir,
    stopwatch: &mut Stopwatch,
    context: &Context,
) -> Result<IdiomLibrary, Failure> {
    let n_sweeps = config.idioms.mining.chain.n_sweeps;
    let progress = Progress::start(context.terminal, "mining", n_sweeps);
    let mut watch = |sweep: &Sweep| {
        progress.step_with(|| format!("{} fragments", sweep.n_fragments));
        ControlFlow::Continue(())
    };
    let idioms = pipeline::idioms(config, source, &mut watch).map_err(failure)?;
    idioms.file.write(&run.file(RunFile::Idioms))?;
    stopwatch.lap("mine");
    Ok(idioms.library)
}

/// What takes the steps, new or from a checkpoint, and what is measured on.
fn trainer(
    config: &RunConfig,
    source: &Source,
    grammar: &ExtendedGrammar<'_>,
    checkpoint: Option<Checkpoint>,
    context: &Context,
) -> Result<(Trainer, Vec<TrainingExample>), Failure> {
    let cache = ValueCache::of_user();
    let specs = pipeline::specify(config, source, &context.data, &cache).map_err(failure)?;
    let Some(checkpoint) = checkpoint else {
        let models = pipeline::new_models(config, source, &specs, grammar, &context.data);
        let models = models.map_err(failure)?;
        let examples = pipeline::training_examples(config, source, &specs, grammar, &models[0]);
        let trainer = Trainer::new(models, examples.train, config.training.clone(), config.seed)
            .map_err(|error| Failure::new(error.to_string()))?;
        return Ok((trainer, examples.dev));
    };
    let models = checkpoint.models(grammar).map_err(failure)?;
    let examples = pipeline::training_examples(config, source, &specs, grammar, &models[0]);
    checkpoint
        .trainer(grammar, models, examples, &config.training)
        .map_err(|error| match error {
            CheckpointError::Pipeline(error) => failure(error),
            CheckpointError::Training(error) => Failure::new(error.to_string()),
        })
}

fn card(source: &Source, library: &IdiomLibrary) -> ModelCard {
    let (corpus, grammar) = (&source.programs.corpus, &source.programs.grammar);
    ModelCard {
        version: ModelCard::VERSION,
        corpus: corpus.name.clone(),
        language: corpus.language.clone(),
        grammar: grammar.name().to_owned(),
        fingerprint: grammar.fingerprint(),
        n_idioms: library.len(),
        step: 0,
        dev_loss: None,
    }
}

/// Trains, and shows how it goes; Ctrl-C asks it to stop.
fn watch(training: &mut Training<'_>, context: &Context) -> Result<Trained, Failure> {
    let n_steps = training.trainer.config().n_steps;
    let first = training.trainer.n_steps_taken();
    let progress = Progress::go_on(context.terminal, "training", first, n_steps);
    let interrupt = Awaited::start();
    let mut mean: Option<f64> = None;
    let mut watch = |event| {
        match event {
            Event::Step(record) => {
                // Single losses jump; what is shown follows them slowly.
                let kept = mean.unwrap_or(record.loss);
                mean = Some(0.95 * kept + 0.05 * record.loss);
                progress.step_with(|| format!("loss {:.3}", mean.unwrap_or(record.loss)));
            }
            Event::Measured(step, measurement) => {
                let best = if measurement.is_best {
                    ", the best"
                } else {
                    ""
                };
                let (dev, loss) = (Split::Dev, measurement.loss);
                progress.note(&format!("step {step}: {dev} loss {loss:.3}{best}"));
            }
            Event::Saved(_) => {}
        }
        if interrupt.came() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    training.run(&mut watch).map_err(|error| match error {
        TrainingRunError::Training(error) => Failure::new(error.to_string())
            .help("the last checkpoint is as it was; a lower rate or `training.clip` may help"),
        TrainingRunError::Output(error) => error.into(),
        TrainingRunError::RunDir(error) => run_dir_failure(error),
    })
}

pub(super) fn config_failure(error: &RunConfigError) -> Failure {
    let help = error.help();
    let failure = match error {
        RunConfigError::Read { path, source } => {
            let message = format!("cannot read the configuration `{}`", path.display());
            Failure::misuse(message).because(source.to_string())
        }
        RunConfigError::Text { name, text, error } => {
            let message = format!("`{name}` is no configuration: {}", error.message);
            // What would be right has been said; the label says what is wrong.
            let wrong = error.message.split(", expected").next();
            let mut short = error.clone();
            wrong.unwrap_or_default().clone_into(&mut short.message);
            Failure::misuse(message).at(Excerpt::of(name, text, &short))
        }
        RunConfigError::Value { .. } | RunConfigError::Prior { .. } => {
            Failure::misuse(error.to_string())
        }
    };
    match help {
        Some(help) => failure.help(help),
        None => failure,
    }
}

pub(super) fn run_dir_failure(error: RunDirError) -> Failure {
    let help = match &error {
        RunDirError::HoldsRun(_) => {
            "go on with it (--resume), replace it (--force), or give another folder (--out)"
        }
        RunDirError::HoldsOther { .. } => "give another folder: --out",
        RunDirError::NoRun { .. } => "make one: patois run, or patois train without --resume",
        RunDirError::OtherConfig { .. } => "replace it (--force), or give another folder (--out)",
        RunDirError::Config(_)
        | RunDirError::Card { .. }
        | RunDirError::Io { .. }
        | RunDirError::Output(_) => "",
    };
    let failure = match error {
        RunDirError::Config(error) => config_failure(&error),
        RunDirError::Output(error) => error.into(),
        other => Failure::new(other.to_string()),
    };
    if help.is_empty() {
        return failure;
    }
    failure.help(help)
}

pub(super) fn failure(error: PipelineError) -> Failure {
    match error {
        PipelineError::Corpus(error) => corpus_failure(error),
        PipelineError::Database(error) => Failure::new("cannot link words to values")
            .because(error)
            .help("without the databases, `linking = \"names\"` does"),
        PipelineError::Encoder { .. } => Failure::misuse(error.to_string()),
        other => Failure::new(other.to_string()),
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
