//! The languages patois reads and writes.

mod locals;
pub mod python;
mod source_language;
pub mod sql;
pub mod tree_sitter;
pub mod units;

pub use source_language::{LANGUAGES, LanguageEntry, SourceLanguage};
