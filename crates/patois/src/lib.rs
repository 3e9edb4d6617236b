//! Corpora, pipeline, evaluation, report and command line of patois.

pub mod corpus;
