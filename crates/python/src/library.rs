//! Libraries of idioms.

use std::path::PathBuf;
use std::sync::Arc;

use patois_cli::{Failure, Query};
use patois_codebase::find::{count, holes_of};
use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::repository::{RepositoryPrograms, UnitConfig};
use patois_languages::SourceLanguage;
use pyo3::prelude::*;
use pythonize::pythonize;

use crate::failure::{exception, misuse};
use crate::finding::search;
use crate::work;

/// What `idioms.json` holds.
#[pyclass(frozen, module = "patois._patois")]
pub(crate) struct Library {
    pub(crate) file: Arc<IdiomFile>,
    /// What messages call it.
    pub(crate) name: String,
}

#[pymethods]
impl Library {
    /// Reads the text of a file.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str, name: String) -> PyResult<Library> {
        let file = IdiomFile::parse(name.as_ref(), text);
        let file = file.map_err(|error| exception(py, &error.into()))?;
        Ok(Library::new(file, name))
    }

    /// Reads a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Library> {
        let file = IdiomFile::open(&path).map_err(|error| exception(py, &error.into()))?;
        Ok(Library::new(file, path.display().to_string()))
    }

    /// The text of a file.
    fn to_json(&self) -> String {
        self.file.to_json()
    }

    /// Writes a file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let written = self.file.write(&path);
        written.map_err(|error| exception(py, &error.into()))
    }

    /// The corpus that the idioms come from, and how they were mined.
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let about = (
            &self.file.corpus,
            &self.file.grammar.name,
            &self.file.config,
        );
        Ok(pythonize(py, &about)?)
    }

    /// The idioms, best first.
    fn idioms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.file.idioms)?)
    }

    /// Where the idioms occur, or one of them, counted from one.
    #[pyo3(signature = (paths, number=None, progress=None))]
    fn find<'py>(
        &self,
        py: Python<'py>,
        paths: Vec<PathBuf>,
        number: Option<usize>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let query = Query::of_idioms(&self.file, &self.name, number);
        let query = query.map_err(|failure| exception(py, &failure))?;
        search(py, query, paths, progress)
    }

    /// For each of some sources, the idioms that occur in it, counted from zero, and how often each does.
    #[pyo3(signature = (sources, progress=None))]
    fn count(
        &self,
        py: Python<'_>,
        sources: Vec<String>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Vec<(usize, usize)>>> {
        let (file, name) = (Arc::clone(&self.file), self.name.clone());
        work::run(py, progress, move |watch| {
            watch.begin("counting idioms", 0, sources.len());
            count_in(&file, &name, sources)
        })
    }
}

impl Library {
    pub(crate) fn new(file: IdiomFile, name: String) -> Library {
        Library {
            file: Arc::new(file),
            name,
        }
    }
}

/// The names of the holes of code that is written with them, without the dollar sign.
#[pyfunction]
pub(crate) fn holes(source: &str) -> Vec<String> {
    holes_of(source)
}

fn count_in(
    file: &IdiomFile,
    name: &str,
    sources: Vec<String>,
) -> Result<Vec<Vec<(usize, usize)>>, Failure> {
    let query = Query::of_idioms(file, name, None)?;
    let language = SourceLanguage::named(&file.corpus.language);
    let language = language.ok_or_else(|| misuse("the language is not in this build"))?;
    let n_sources = sources.len();
    let named = sources.into_iter().enumerate();
    let named = named.map(|(index, text)| (index.to_string(), text));
    let units = UnitConfig {
        max_file_bytes: u64::MAX,
        ..query.units.clone()
    };
    let read = RepositoryPrograms::of_sources(language, named, &units);
    let counted = count(&read, query.sought()).map_err(misuse)?;
    // Sources that hold nothing have no file.
    let mut counts = vec![Vec::new(); n_sources];
    for (file, idioms) in read.files.iter().zip(counted) {
        let index: usize = file.path.parse().expect("files are called by their number");
        counts[index] = idioms.into_iter().map(|(it, n)| (it - 1, n)).collect();
    }
    Ok(counts)
}
