//! Tests of code bases as a whole.
#![expect(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod mutants;
mod share;
