//! Corpora, pipeline, evaluation, report and command line of patois.

pub mod corpus;
pub mod output;
pub mod roundtrip;
pub mod sources;
