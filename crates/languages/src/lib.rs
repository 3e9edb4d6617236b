//! The languages patois reads and writes.

pub mod python;
pub mod sql;
pub mod tree_sitter;
pub mod units;
