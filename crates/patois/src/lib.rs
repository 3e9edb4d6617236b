//! Corpora, pipeline, evaluation, report and command line of patois.

pub mod canonical;
pub mod comparison;
pub mod copying;
pub mod corpus;
pub mod database;
pub mod databases;
pub mod duplicates;
pub mod evaluation;
pub mod experiment;
pub mod export;
pub mod find;
pub mod idiom_file;
pub mod idiom_report;
pub mod idiom_source;
pub mod linking;
pub mod output;
pub mod pieces;
pub mod pipeline;
pub mod report;
pub mod roundtrip;
pub mod run_config;
pub mod run_dir;
pub mod source_file;
pub mod sources;
pub mod specs;
pub mod statistics;
pub mod trace;
pub mod vectors_file;
pub mod words;
pub mod writer;

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
