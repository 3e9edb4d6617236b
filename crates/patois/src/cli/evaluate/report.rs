//! What `patois evaluate` says in the end.

use std::fmt::Write as _;
use std::path::Path;

use patois::corpus::Split;
use patois::evaluation::predictions::{Figures, Prediction};
use serde::Serialize;

use crate::cli::figures;

/// The figures of an evaluation.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub(super) run: &'a Path,
    pub(super) split: Split,
    pub(super) beam: usize,
    #[serde(flatten)]
    pub(super) figures: Figures,
    /// Examples in which something went wrong.
    #[serde(rename = "errors")]
    pub(super) n_errors: usize,
    pub(super) seconds: f64,
    pub(super) predictions: &'a Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) per_example: Option<&'a Vec<Prediction>>,
}

impl Report<'_> {
    pub(super) fn for_people(&self) -> String {
        let mut text = figures::table(&self.figures);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "\n{} of `{}`, beam {}: {:.1} s; predictions in {}",
            self.split,
            self.run.display(),
            self.beam,
            self.seconds,
            self.predictions.display()
        );
        text
    }
}
