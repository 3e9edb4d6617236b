//! The languages patois reads and writes.

pub mod python;
pub mod sql;
