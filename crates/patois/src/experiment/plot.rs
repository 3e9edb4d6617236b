//! The exact match of all runs as a picture: a row for each cell, a dot for each run.
//!
//! The picture stands alone, in light and dark, and scales with what it stands in.

use std::fmt::Write as _;

use patois_codebase::page::escaped;

use super::outcome::{CellOutcome, Outcome};
use crate::report::chart::Axis;

/// Sizes in the picture's own units: the plot, a row, what is above and below all rows, a letter.
const WIDTH: f64 = 440.0;
const ROW: f64 = 26.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 64.0;
const LETTER: f64 = 7.4;

const STYLE: &str = "\
.dots { font: 13px system-ui, sans-serif; color: #1d2430; --dot: #2f6fb4; }
.dots text { fill: currentColor; }
.dots line { stroke: currentColor; stroke-opacity: 0.16; }
.dots .run { fill: var(--dot); fill-opacity: 0.55; }
.dots .mean { stroke: var(--dot); stroke-opacity: 1; stroke-width: 3; }
.dots .published { fill: none; stroke: currentColor; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) { .dots { color: #e3e7ee; --dot: #7fb2ea; } }
";

/// An axis for some values; around a single one there is a point to either side.
fn axis(values: &[f64]) -> Axis {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let margin = if high > low { 0.0 } else { 0.01 };
    Axis::between(low - margin, high + margin)
}

/// The picture; none where no run is done.
pub(super) fn svg(outcome: &Outcome) -> Option<String> {
    let cells: Vec<&CellOutcome> = outcome
        .cells
        .iter()
        .filter(|it| !it.runs.is_empty())
        .collect();
    let values: Vec<f64> = cells
        .iter()
        .flat_map(|it| runs(it).chain(published(it)))
        .collect();
    if values.is_empty() {
        return None;
    }
    let axis = axis(&values);
    let longest = cells.iter().map(|it| it.name.chars().count()).max();
    let left = 16.0 + LETTER * longest.unwrap_or(0) as f64;
    let (width, height) = (left + WIDTH + 24.0, TOP + BOTTOM + ROW * cells.len() as f64);
    let x = |value: f64| left + WIDTH * axis.place(value);
    let bottom = height - BOTTOM;

    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dots\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         style=\"width: 100%; max-width: {width:.0}px\" role=\"img\" aria-label=\"Exact match of all runs\">\n<style>\n{STYLE}</style>"
    );
    for &tick in axis.ticks() {
        let (x, label) = (x(tick), axis.label(tick));
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            bottom + 18.0
        );
    }
    for (index, cell) in cells.iter().enumerate() {
        let y = TOP + ROW * (index as f64 + 0.5);
        row(&mut svg, cell, (left - 10.0, y), &x);
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">exact match: dots are runs, bars their \
         means, diamonds published</text>\n</svg>",
        width / 2.0,
        height - 18.0
    );
    Some(svg)
}

/// The figures of a cell's runs.
fn runs(cell: &CellOutcome) -> impl Iterator<Item = f64> {
    cell.runs.iter().map(|it| it.figures.exact_match)
}

/// What others have published for a cell.
fn published(cell: &CellOutcome) -> Option<f64> {
    cell.published.and_then(|it| it.exact_match)
}

/// A cell: its name, which ends at `right`, and to the right of it its runs, their mean and what is published.
fn row(svg: &mut String, cell: &CellOutcome, (right, y): (f64, f64), x: &dyn Fn(f64) -> f64) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<text x=\"{right:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
        y + 4.5,
        escaped(&cell.name)
    );
    for value in runs(cell) {
        let x = x(value);
        let _ = writeln!(
            svg,
            "<circle class=\"run\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>"
        );
    }
    if let Some(mean) = cell.exact_match {
        let x = x(mean.mean);
        let (above, below) = (y - 9.0, y + 9.0);
        let _ = writeln!(
            svg,
            "<line class=\"mean\" x1=\"{x:.1}\" y1=\"{above:.1}\" x2=\"{x:.1}\" y2=\"{below:.1}\"/>"
        );
    }
    if let Some(value) = published(cell) {
        let x = x(value);
        let _ = writeln!(
            svg,
            "<path class=\"published\" d=\"M{x:.1} {:.1}l6 6l-6 6l-6 -6z\"/>",
            y - 6.0
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_their_values() {
        for values in [vec![0.2], vec![0.0, 1.0], vec![0.18, 0.31], vec![0.5, 0.52]] {
            let axis = axis(&values);
            let (first, last) = (axis.ticks()[0], axis.ticks()[axis.ticks().len() - 1]);
            for value in values {
                let is_held = first - 1e-9 <= value && value <= last + 1e-9;
                assert!(is_held, "{value} between {first} and {last}");
            }
            assert!(axis.ticks().len() <= 11);
        }
    }
}
