//! The crate from outside: samplers against the truth, the stage as a whole.
//!
//! Statistical tests have a short form, which every run takes, and a long form with the same
//! assertions and a finer tolerance: `cargo test -p patois-mining -- --ignored`.

mod distributed;
mod exact_posterior;
mod geweke;
mod mine;
mod planted;
