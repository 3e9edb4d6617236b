//! What is known of calls and names beyond the counts of contexts: what the code base defines and writes elsewhere.

use std::sync::OnceLock;

use indexmap::IndexMap;
use patois_syntax::{Label, Text};

use super::definitions::Definitions;
use crate::repository::RepositoryPrograms;

/// Languages in which a call may have too few arguments, and nobody complains.
const LENIENT: &[&str] = &["javascript"];
/// Languages whose compilers count arguments.
const COMPILED: &[&str] = &["c", "cpp", "csharp", "go", "java", "rust", "typescript"];

/// What is known of calls and names.
pub(super) struct Knowledge<'r> {
    read: &'r RepositoryPrograms,
    pub(super) definitions: Definitions,
    /// Whether the compiler counts arguments: where there are more than usual, any number may be given.
    pub(super) is_compiled: bool,
    /// Whether a call with too few arguments does not run.
    pub(super) are_arguments_checked: bool,
    /// How often names are written; counted when somebody asks.
    n_written: OnceLock<IndexMap<Text, usize>>,
}

impl<'r> Knowledge<'r> {
    /// What is known where a code base defines functions so.
    pub(super) fn new(read: &'r RepositoryPrograms, definitions: Definitions) -> Knowledge<'r> {
        let is_in = |languages: &[&str]| languages.contains(&read.language.name());
        Knowledge {
            read,
            definitions,
            is_compiled: is_in(COMPILED),
            are_arguments_checked: !is_in(LENIENT),
            n_written: OnceLock::new(),
        }
    }

    /// How often a name is written in the files that were read.
    pub(super) fn n_written(&self, name: Text) -> usize {
        let counts = self.n_written.get_or_init(|| {
            let mut counts: IndexMap<Text, usize> = IndexMap::new();
            let nodes = self.read.trees.iter().flat_map(|it| it.subtree(it.root()));
            for label in nodes {
                if let Label::Text(text) = label {
                    *counts.entry(*text).or_default() += 1;
                }
            }
            counts
        });
        counts.get(&name).copied().unwrap_or(0)
    }
}
