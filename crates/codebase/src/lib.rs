//! The idioms of source trees: from files to programs, and from idioms to code, pages and rules.

pub mod duplicates;
pub mod export;
pub mod find;
pub mod idiom_file;
pub mod idiom_report;
pub mod idiom_source;
pub mod local_names;
mod mine;
pub mod number;
pub mod output;
pub mod page;
pub mod repository;
pub mod source_file;
pub mod sources;
mod tally;

pub use mine::{mine, mining_config};
