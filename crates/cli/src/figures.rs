//! The figures of programs and queries as tables for people.

use std::fmt::Write as _;

use patois::run::synthesize::Figures;
use patois_metrics::ProgramFigures;
use patois_metrics::{ByHardness, ComponentFigures, QueryFigures};

use crate::terminal::{BOLD, styled};

/// The width of the names, and of each figure.
const NAME: usize = 18;
const FIGURE: usize = 8;

/// A table of all figures.
pub(super) fn table(figures: &Figures) -> String {
    match figures {
        Figures::Programs(figures) => programs(figures),
        Figures::Queries(figures) => queries(figures),
    }
}

fn programs(figures: &ProgramFigures) -> String {
    let mut text = row("examples", [figures.examples.to_string()]);
    for (name, figure) in [
        ("exact match", figures.exact_match),
        ("sentence BLEU", figures.sentence_bleu),
        ("corpus BLEU", figures.corpus_bleu),
    ] {
        text += &row(name, [format!("{figure:.3}")]);
    }
    text
}

fn queries(figures: &QueryFigures) -> String {
    let mut text = heading("", figures.count.named().map(|it| it.0));
    text += &row("examples", figures.count.named().map(|it| it.1.to_string()));
    text += &row("exact match", shares(&figures.exact_match));
    if let Some(execution) = &figures.execution {
        text += &row("execution", shares(execution));
    }
    text.push('\n');
    text += &heading("component", ["acc", "rec", "F1"].map(str::to_owned));
    for component in &figures.components {
        text += &component_row(component);
    }
    text
}

fn component_row(figures: &ComponentFigures) -> String {
    let numbers = [figures.accuracy, figures.recall, figures.f1];
    row(
        figures.component.name(),
        numbers.map(|it| format!("{it:.3}")),
    )
}

fn shares(shares: &ByHardness<Option<f64>>) -> impl Iterator<Item = String> {
    shares.named().map(|(_, share)| match share {
        Some(share) => format!("{share:.3}"),
        None => "-".to_owned(),
    })
}

fn heading(name: &str, names: impl IntoIterator<Item = String>) -> String {
    styled(BOLD, row(name, names).trim_end()) + "\n"
}

fn row(name: &str, figures: impl IntoIterator<Item = String>) -> String {
    let mut row = format!("{name:<NAME$}");
    for figure in figures {
        // Writing to a string cannot fail.
        let _ = write!(row, "{figure:>FIGURE$}");
    }
    row + "\n"
}
