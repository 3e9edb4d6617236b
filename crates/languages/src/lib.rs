//! The languages patois reads and writes.

pub mod sql;
