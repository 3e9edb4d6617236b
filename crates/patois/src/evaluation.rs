//! Evaluation: how good predicted programs are.

pub mod bleu;
pub mod execution;
pub mod idiom_usage;
pub mod pairs;
pub mod predictions;
pub mod program_score;
pub mod query_score;
pub mod sql_match;
