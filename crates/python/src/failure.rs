//! Failures of the command line as exceptions.

use patois_cli::{Failure, Status};
use pyo3::prelude::*;

/// The exception for a failure: `patois.MisuseError` where what was asked for makes no sense, else `patois.Error`.
pub(crate) fn exception(py: Python<'_>, failure: &Failure) -> PyErr {
    let class = match failure.status() {
        Status::Misuse => "MisuseError",
        _ => "Error",
    };
    let made = py
        .import("patois._errors")
        .and_then(|it| it.getattr(class))
        .and_then(|it| it.call1((failure.to_string(), failure.causes(), failure.advice())));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A mistake in what was passed, as a failure.
pub(crate) fn misuse(error: impl std::fmt::Display) -> Failure {
    Failure::misuse(error.to_string())
}
