//! Corpora, runs, experiments, reports and the command line of patois.

pub mod corpus;
pub mod experiment;
pub mod report;
pub mod run;
pub mod spec;

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
