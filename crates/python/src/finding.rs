//! Where idioms and code with holes occur in source files.

use std::path::PathBuf;

use patois_cli::{Failure, Query};
use patois_languages::{SourceLanguage, UnitKind};
use pyo3::prelude::*;
use pythonize::pythonize;

use crate::failure::{exception, misuse};
use crate::work;

/// Where code with holes, or what else `patois find` takes, occurs in files and folders.
#[pyfunction]
#[pyo3(signature = (what, paths, language=None, unit=None, max_file_size=None, progress=None))]
pub(crate) fn find<'py>(
    py: Python<'py>,
    what: &str,
    paths: Vec<PathBuf>,
    language: Option<&str>,
    unit: Option<&str>,
    max_file_size: Option<u64>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let query = Query::of(what).and_then(|mut query| {
        let units = &mut query.units;
        if let Some(name) = language {
            units.language = Some(language_named(name)?.name().to_owned());
        }
        units.unit = unit.map_or(Ok(units.unit), unit_named)?;
        units.max_file_bytes = max_file_size.unwrap_or(units.max_file_bytes);
        Ok(query)
    });
    let query = query.map_err(|failure| exception(py, &failure))?;
    search(py, query, paths, progress)
}

/// Looks through files and folders.
pub(crate) fn search<'py>(
    py: Python<'py>,
    query: Query,
    paths: Vec<PathBuf>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let found = work::run(py, progress, move |watch| {
        query.search(&paths, &|n_files| {
            watch.begin("searching files", 0, n_files);
            let watch = watch.clone();
            Box::new(move || {
                watch.end_if_over();
                watch.step(String::new);
            })
        })
    })?;
    Ok(pythonize(py, &found)?)
}

/// The language of a name.
pub(crate) fn language_named(name: &str) -> Result<SourceLanguage, Failure> {
    SourceLanguage::named(name).ok_or_else(|| {
        let known = SourceLanguage::names().join(", ");
        misuse(format!("expected a language of {known}, found `{name}`"))
    })
}

/// What counts as a program, by its name.
pub(crate) fn unit_named(name: &str) -> Result<UnitKind, Failure> {
    match name {
        "file" => Ok(UnitKind::File),
        "function" => Ok(UnitKind::Function),
        other => Err(misuse(format!(
            "expected the unit `file` or `function`, found `{other}`"
        ))),
    }
}
