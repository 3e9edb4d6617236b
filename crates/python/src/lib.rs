//! The part of the Python package `patois` that is Rust.
//!
//! Here are plain functions and a few classes that hold what is expensive to make again. What people see, with its types, its
//! documentation and its pictures in notebooks, is Python: `python/patois`. Long work gives up the interpreter's lock, listens
//! for Ctrl-C, and tells how far it is: see `work.rs`.

#![expect(
    clippy::needless_pass_by_value,
    reason = "what Python passes is copied on its way, and ours"
)]

mod asking;
mod failure;
mod finding;
mod library;
mod metrics;
mod mining;
mod runs;
mod trees;
mod work;

use pyo3::prelude::*;

/// What the Python modules of the package call.
#[pymodule]
mod _patois {
    #[pymodule_export]
    use super::asking::Asker;
    #[pymodule_export]
    use super::command_line;
    #[pymodule_export]
    use super::finding::find;
    #[pymodule_export]
    use super::library::{Library, holes};
    #[pymodule_export]
    use super::metrics::{
        corpus_bleu, execution, score_programs, score_queries, sentence_bleu, spider_exact_match,
    };
    #[pymodule_export]
    use super::mining::mine;
    #[pymodule_export]
    use super::runs::{configuration, evaluate, train};
    #[pymodule_export]
    use super::trees::Parsed;
    #[pymodule_export]
    use super::version;
    #[pymodule_export]
    use super::work::{set_threads, threads};
}

/// The version of the package.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Runs the command line, the program's own name first, and returns its exit code.
#[pyfunction]
fn command_line(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| patois_cli::run(arguments).code())
}
