//! What databases promise, on real ones.
#![expect(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod allowed_queries;
mod schemas;
