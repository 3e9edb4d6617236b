//! What languages promise, through their public interface.
#![expect(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod data;
mod locals;
mod python_faults;
mod python_limits;
mod python_random;
mod python_round_trip;
mod spans;
mod sql_cases;
mod sql_joins;
mod sql_laws;
mod tree_sitter;
