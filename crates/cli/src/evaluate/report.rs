//! What `patois evaluate` says in the end.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use patois::corpus::Split;
use patois::report::diff::lines_of;
use patois::run::idiom_usage::{IdiomUsage, Uses};
use patois::run::synthesize::{Figures, Prediction};
use serde::Serialize;

use super::side_by_side::side_by_side;
use crate::figures;
use crate::terminal::{BOLD, styled};

/// The figures of an evaluation.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub(super) run: &'a Path,
    pub(super) split: Split,
    pub(super) beam: usize,
    #[serde(flatten)]
    pub(super) figures: Figures,
    pub(super) idioms: IdiomUsage,
    /// How many rows of the split are no examples.
    pub(super) dropped: usize,
    /// In how many examples something went wrong.
    pub(super) errors: usize,
    /// What.
    pub(super) faults: Vec<Fault<'a>>,
    pub(super) seconds: f64,
    pub(super) predictions: &'a Path,
    /// Where the report of the run is, unless it stayed as it was.
    #[serde(rename = "report")]
    pub(super) page: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) per_example: Option<&'a [Prediction]>,
}

/// What went wrong with an example.
#[derive(Serialize)]
pub(super) struct Fault<'a> {
    pub(super) id: &'a str,
    pub(super) errors: Vec<&'a str>,
}

impl Report<'_> {
    pub(super) fn for_people(&self) -> String {
        let mut text = figures::table(&self.figures);
        let idioms = &self.idioms;
        if idioms.library > 0 {
            let _ = writeln!(
                text,
                "\n{}",
                styled(BOLD, "idioms of the library that are used")
            );
            for (what, uses) in [
                ("all programs", idioms.all),
                ("exact matches", idioms.exact),
            ] {
                text += &usage(what, uses, idioms.library);
            }
        }
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
        if let Some(page) = &self.page {
            let _ = writeln!(text, "report in {}", page.display());
        }
        if self.errors > 0 {
            let _ = writeln!(text, "something went wrong in {} examples", self.errors);
        }
        if self.dropped > 0 {
            let _ = writeln!(text, "{} rows of the split are no examples", self.dropped);
        }
        text
    }
}

fn usage(what: &str, uses: Uses, n_idioms: usize) -> String {
    let Uses {
        programs,
        with_idioms,
        uses,
        different,
    } = uses;
    format!(
        "{what:<18}{different:>8} of {n_idioms}, {uses} times, in {with_idioms} of {programs} programs\n"
    )
}

/// The first `n` wrong predictions, each beside what was expected.
pub(super) fn wrong(predictions: &[Prediction], n: usize, width: usize) -> String {
    let mut text = String::new();
    for prediction in predictions.iter().filter(|it| !it.is_exact()).take(n) {
        let _ = writeln!(text, "{}", styled(BOLD, &prediction.id));
        for line in prediction.text.lines() {
            let _ = writeln!(text, "{line}");
        }
        for error in prediction.errors() {
            let _ = writeln!(text, "{error}");
        }
        let (gold, predicted) = (lines_of(&prediction.gold), lines_of(&prediction.predicted));
        text += &side_by_side(&gold, &predicted, width);
        text.push('\n');
    }
    text
}
