//! What `patois evaluate` says in the end.

use std::fmt::Write as _;
use std::path::Path;

use patois::corpus::Split;
use patois::evaluation::predictions::{Figures, Prediction};
use patois::evaluation::program_score::ProgramFigures;
use patois::evaluation::query_score::QueryFigures;
use serde::Serialize;

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
        let mut text = match &self.figures {
            Figures::Programs(figures) => programs(figures),
            Figures::Queries(figures) => queries(figures),
        };
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

fn programs(figures: &ProgramFigures) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "examples       {:>6}", figures.examples);
    for (what, figure) in [
        ("exact match", figures.exact_match),
        ("sentence BLEU", figures.sentence_bleu),
        ("corpus BLEU", figures.corpus_bleu),
    ] {
        let _ = writeln!(text, "{what:<15}{figure:>6.3}");
    }
    text
}

fn queries(figures: &QueryFigures) -> String {
    let mut text = format!("{:<12}", "");
    let mut rows = vec![
        format!("{:<12}", "examples"),
        format!("{:<12}", "exact match"),
    ];
    for (name, count) in figures.count.named() {
        let _ = write!(text, "{name:>8}");
        let _ = write!(rows[0], "{count:>8}");
    }
    let share = |share: &Option<f64>| match share {
        Some(share) => format!("{share:>8.3}"),
        None => format!("{:>8}", "-"),
    };
    for (_, figure) in figures.exact_match.named() {
        rows[1].push_str(&share(figure));
    }
    if let Some(execution) = &figures.execution {
        let mut row = format!("{:<12}", "execution");
        for (_, figure) in execution.named() {
            row.push_str(&share(figure));
        }
        rows.push(row);
    }
    for row in rows {
        text.push('\n');
        text.push_str(&row);
    }
    text.push('\n');
    text
}
