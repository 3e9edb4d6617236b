//! The bundled model, asked.
#![cfg(feature = "bundled")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod answers;
mod prepared;
