//! Runs: training and evaluation, in folders, as `patois train` and `patois evaluate` do it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use patois::corpus::{DataDir, Split};
use patois::run::config::{RunConfig, RunConfigError, merge, nested};
use patois::run::folder::{Existing, RunDir, RunFile};
use patois::run::pipeline::{self, Asked};
use patois::run::synthesize::{Figures, Prediction, to_json_lines};
use patois::run::synthesizer::Synthesizer;
use patois::run::train::{StopReason, Trained};
use patois::run::{Event, Observer, Surroundings, Work};
use patois::spec::linking::ValueCache;
use patois_cli::{Failure, default_config};
use pyo3::prelude::*;
use pythonize::{depythonize, pythonize};
use serde::Serialize;
use toml::Table;

use crate::failure::{exception, misuse};
use crate::work::{self, Watch};

/// What came of training.
#[derive(Serialize)]
struct Outcome {
    steps: usize,
    new_steps: usize,
    seconds: f64,
    loss: Option<f64>,
    dev_loss: Option<f64>,
    stopped: StopReason,
}

/// What came of an evaluation.
#[derive(Serialize)]
struct Evaluated {
    split: Split,
    beam: usize,
    figures: Figures,
    seconds: f64,
    dropped: usize,
    predictions: Vec<Prediction>,
}

/// Trains a model; without a configuration, with the one inside the package. Keys of `overrides` may have dots.
#[pyfunction]
#[pyo3(signature = (config, out, overrides, existing, progress=None))]
pub(crate) fn train<'py>(
    py: Python<'py>,
    config: Option<PathBuf>,
    out: PathBuf,
    overrides: &Bound<'py, PyAny>,
    existing: String,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let overrides: Table =
        depythonize(overrides).map_err(|error| exception(py, &misuse(error.to_string())))?;
    let outcome = work::run(py, progress, move |watch| {
        let config = configured(config.as_deref(), overrides)?;
        let run = match existing.as_str() {
            "resume" => RunDir::resume_or_create(&out, &config, Existing::Refuse),
            "replace" => RunDir::create(&out, &config, Existing::Replace),
            _ => RunDir::create(&out, &config, Existing::Refuse),
        };
        let trained = pipeline::train(&config, &run?, &here(), &mut Watcher(watch.clone()))?;
        Ok(Outcome::from(trained))
    })?;
    Ok(pythonize(py, &outcome)?)
}

/// Asks the model of a run about a split of its corpus; predictions and report go to its folder.
#[pyfunction]
#[pyo3(signature = (run, split, beam=None, limit=None, progress=None))]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    run: PathBuf,
    split: String,
    beam: Option<usize>,
    limit: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let evaluated = work::run(py, progress, move |watch| {
        let run = RunDir::open_to_write(&run)?;
        let synthesizer = Synthesizer::load(&run)?;
        let mut search = synthesizer.config.search;
        search.beam_size = beam.unwrap_or(search.beam_size);
        let asked = Asked {
            split: split_named(&split)?,
            search,
            limit,
        };
        let mut watcher = Watcher(watch.clone());
        let answered = pipeline::evaluate(&synthesizer, &run, &asked, &here(), &mut watcher)?;
        run.write(RunFile::Predictions, to_json_lines(&answered.predictions))?;
        let scores = answered.predictions.iter().map(|it| &it.score);
        Ok(Evaluated {
            split: asked.split,
            beam: search.beam_size,
            figures: Figures::of(scores, &synthesizer.card.language),
            seconds: answered.seconds,
            dropped: answered.n_dropped,
            predictions: answered.predictions,
        })
    })?;
    Ok(pythonize(py, &evaluated)?)
}

/// A configuration with every default; without a file, the one inside the package.
#[pyfunction]
#[pyo3(signature = (config=None))]
pub(crate) fn configuration(py: Python<'_>, config: Option<PathBuf>) -> PyResult<Bound<'_, PyAny>> {
    let config = configured(config.as_deref(), Table::new());
    let config = config.map_err(|failure| exception(py, &failure))?;
    Ok(pythonize(py, &config)?)
}

fn configured(path: Option<&Path>, overrides: Table) -> Result<RunConfig, Failure> {
    let config = match path {
        Some(path) => RunConfig::read(path)?,
        None => default_config(),
    };
    let mut set = Table::new();
    for (key, value) in overrides {
        merge(&mut set, nested(&key, value));
    }
    config.with(set).map_err(|error| match error {
        // The document that it is found in is one that nobody wrote.
        RunConfigError::Text(error) => {
            let (key, what) = (error.key.join("."), &error.error.message);
            let failure = misuse(format!("`{key}`: {what}"));
            match error.help() {
                Some(help) => failure.help(help),
                None => failure,
            }
        }
        other => other.into(),
    })
}

fn here() -> Surroundings {
    Surroundings {
        data: DataDir::locate(None),
        values: ValueCache::of_user(),
    }
}

fn split_named(name: &str) -> Result<Split, Failure> {
    match name {
        "train" => Ok(Split::Train),
        "dev" => Ok(Split::Dev),
        "test" => Ok(Split::Test),
        "handwritten" => Ok(Split::Handwritten),
        other => Err(misuse(format!(
            "expected the split `train`, `dev`, `test` or `handwritten`, found `{other}`"
        ))),
    }
}

impl From<Trained> for Outcome {
    fn from(trained: Trained) -> Outcome {
        Outcome {
            steps: trained.n_steps,
            new_steps: trained.n_new_steps,
            seconds: trained.seconds,
            loss: trained.loss,
            dev_loss: trained.dev_loss,
            stopped: trained.reason,
        }
    }
}

/// Passes on how a run goes.
struct Watcher(Watch);

impl Observer for Watcher {
    fn see(&mut self, event: Event<'_>) -> ControlFlow<()> {
        let watch = &self.0;
        match event {
            Event::Begins {
                work,
                n_done,
                n_items,
            } => watch.begin(name_of(work), n_done, n_items),
            Event::Swept(sweep) => {
                watch.end_if_over();
                watch.step(|| format!("{} fragments", sweep.n_fragments));
            }
            Event::Step(record) => watch.step(|| format!("loss {:.3}", record.loss)),
            Event::Counted | Event::Read | Event::Written(_) => watch.step(String::new),
            Event::Noted(_) | Event::Measured(..) | Event::Saved(_) | Event::Ends(_) => {}
        }
        if watch.is_over() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

fn name_of(work: Work) -> &'static str {
    match work {
        Work::Mining => "mining",
        Work::Selecting => "selecting",
        Work::Counting => "counting",
        Work::Reading => "reading",
        Work::Training => "training",
        Work::Writing => "writing",
    }
}
