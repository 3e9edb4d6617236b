//! Runs: what they depend on, where they are kept, their stages, and what comes of them.
//!
//! [`pipeline`] is the main path; every stage has a file of its own.

mod beginning;
pub mod card;
mod check;
pub mod config;
mod cpu_time;
pub mod document;
mod error;
mod fingerprint;
pub mod folder;
pub mod idiom_usage;
mod log;
pub mod mark;
pub mod mine;
mod observer;
pub mod pipeline;
pub mod prune;
pub mod read;
mod select;
pub mod standing;
mod stopwatch;
pub mod synthesize;
pub mod synthesizer;
pub mod teach;
pub mod trace;
pub mod train;

pub use error::StageError;
pub use observer::{Event, Observer, Unobserved, Work};
pub(crate) use stopwatch::Stopwatch;

use crate::corpus::DataDir;
use crate::spec::linking::ValueCache;

/// What a run finds around it: it does not change what comes of the run.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Where datasets are.
    pub data: DataDir,
    /// Where the values of databases are kept between runs.
    pub values: ValueCache,
}
