//! Evaluation: how good predicted programs are.

pub mod execution;
pub mod sql_match;
