//! Evaluation: how good predicted programs are.

pub mod sql_match;
