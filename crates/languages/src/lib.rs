//! The languages patois reads and writes.

mod locals;
pub mod python;
pub mod sql;
pub mod tree_sitter;
pub mod units;
