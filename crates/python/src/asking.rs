//! Databases asked in plain English.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use patois::run::folder::{RunDir, RunFile};
use patois::run::synthesizer::{Purpose, Synthesizer};
use patois::spec::linking::ValueCache;
use patois_ask::{Confidence, Keys, Memory, Request, Source, bundled, sample};
use patois_cli::Failure;
use pyo3::prelude::*;
use pythonize::pythonize;

use crate::failure::misuse;
use crate::work;

/// Answers questions about one database.
#[pyclass(frozen, module = "patois._patois")]
pub(crate) struct Asker {
    asker: Arc<Mutex<patois_ask::Asker<'static>>>,
    /// What is to be known about how the files were read.
    #[pyo3(get)]
    notes: Vec<String>,
}

#[pymethods]
impl Asker {
    /// Opens files, or the sample where there are none, to be asked about with the model of a run or the bundled one.
    #[new]
    #[pyo3(signature = (files, model=None, declared_keys=false))]
    fn new(
        py: Python<'_>,
        files: Vec<PathBuf>,
        model: Option<PathBuf>,
        declared_keys: bool,
    ) -> PyResult<Asker> {
        let keys = if declared_keys {
            Keys::Declared
        } else {
            Keys::Guessed
        };
        let asker = work::run(py, None, move |_| open(&files, model.as_deref(), keys))?;
        Ok(Asker {
            notes: asker.source().notes.clone(),
            asker: Arc::new(Mutex::new(asker)),
        })
    }

    /// Answers a question.
    #[pyo3(signature = (question, n_answers, n_rows))]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        question: String,
        n_answers: usize,
        n_rows: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let request = Request {
            n_programs: n_answers,
            n_rows,
            is_traced: false,
        };
        let asker = Arc::clone(&self.asker);
        let answer = work::run(py, None, move |_| Ok(lock(&asker).ask(&question, &request)))?;
        Ok(pythonize(py, &answer)?)
    }

    /// Remembers that a query is right for a question.
    fn learn(&self, py: Python<'_>, question: String, sql: String) -> PyResult<()> {
        let asker = Arc::clone(&self.asker);
        work::run(py, None, move |_| Ok(lock(&asker).learn(&question, &sql)?))
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn open(
    files: &[PathBuf],
    model: Option<&Path>,
    keys: Keys,
) -> Result<patois_ask::Asker<'static>, Failure> {
    // What is wrong with a file is said before a model is loaded.
    let source = if files.is_empty() {
        sample(keys)?
    } else {
        Source::open(files, keys)?
    };
    let memory = match source.files.first() {
        Some(file) => Memory::beside(file, &source.schema)?,
        None => Memory::default(),
    };
    let (model, confidence) = of_run(model)?;
    let confidence = confidence.clone();
    let asker = patois_ask::Asker::new(model, confidence, source, memory, ValueCache::of_user());
    Ok(asker?)
}

/// The model of a run, or the one inside the package. Each is loaded once, and lives as long as the process.
fn of_run(run: Option<&Path>) -> Result<&'static (Synthesizer, Confidence), Failure> {
    static LOADED: Mutex<BTreeMap<Option<PathBuf>, &'static (Synthesizer, Confidence)>> =
        Mutex::new(BTreeMap::new());
    let mut loaded = lock(&LOADED);
    if let Some(known) = loaded.get(&run.map(Path::to_owned)) {
        return Ok(known);
    }
    let model = match run {
        None => bundled(Purpose::Asking).map_err(|error| Failure::new(error.to_string()))?,
        Some(run) => read(&RunDir::open(run)?)?,
    };
    let model: &'static (Synthesizer, Confidence) = Box::leak(Box::new(model));
    loaded.insert(run.map(Path::to_owned), model);
    Ok(model)
}

fn read(run: &RunDir) -> Result<(Synthesizer, Confidence), Failure> {
    let model = Synthesizer::load_for(Purpose::Asking, run)?;
    let confidence = match run.read(RunFile::Confidence)? {
        None => Confidence::default(),
        Some(bytes) => serde_json::from_slice(&bytes).map_err(misuse)?,
    };
    Ok((model, confidence))
}
