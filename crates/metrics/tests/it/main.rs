//! Metrics against what the datasets publish.
#![expect(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod execution;
mod spider;
mod sql_match;
