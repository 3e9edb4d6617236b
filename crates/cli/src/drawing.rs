//! Traces as trees and results as tables.

use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use patois::run::trace::Part;
use patois_database::{Rows, SqlValue};

use crate::terminal::{BOLD, styled};

/// The colours of idioms, in turns.
const COLORS: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Magenta,
    AnsiColor::Green,
    AnsiColor::Yellow,
    AnsiColor::Blue,
    AnsiColor::Red,
];

/// A tree with a line for each part.
///
/// What an idiom made has the idiom's colour, and starts with `#` and its number; where something
/// was chosen stands the probability of the choice.
pub(crate) fn draw(parts: &[Part]) -> String {
    let branches = branches(parts);
    let mut text = String::new();
    for (part, branch) in parts.iter().zip(branches) {
        let mut label = part.label.clone();
        if let (Some(idiom), true) = (part.idiom, part.is_root_of_idiom) {
            label = format!("#{idiom} {label}");
        }
        let style = part.idiom.map_or(Style::new(), color);
        let probability = part.probability.map(|it| format!("  {it:.3}"));
        // Writing to a string cannot fail.
        let _ = write!(text, "{branch}{}", styled(style, label));
        text += &probability.unwrap_or_default();
        for source in &part.sources {
            let _ = write!(text, "  ← {}", source.words);
            let _ = match source.last - source.first {
                0 => write!(text, " (word {})", source.first + 1),
                _ => write!(text, " (words {}–{})", source.first + 1, source.last + 1),
            };
        }
        text.push('\n');
    }
    text
}

fn color(idiom: usize) -> Style {
    COLORS[idiom % COLORS.len()].on_default()
}

/// What leads to each part: lines down from those that it is inside of.
fn branches(parts: &[Part]) -> Vec<String> {
    // For each depth, whether another part of it follows, seen from below.
    let mut follows: Vec<bool> = Vec::new();
    let mut branches = Vec::with_capacity(parts.len());
    for part in parts.iter().rev() {
        let is_last = !follows.get(part.depth).copied().unwrap_or(false);
        let mut branch = String::new();
        for depth in 1..part.depth {
            let goes_on = follows.get(depth).copied().unwrap_or(false);
            branch.push_str(if goes_on { "│  " } else { "   " });
        }
        if part.depth > 0 {
            branch.push_str(if is_last { "└─ " } else { "├─ " });
        }
        follows.resize(part.depth + 1, false);
        follows[part.depth] = true;
        branches.push(branch);
    }
    branches.reverse();
    branches
}

/// The narrowest column.
const MIN_COLUMN: usize = 3;

/// A table of rows that is at most `width` wide where its columns can be made so narrow.
pub(crate) fn table(rows: &Rows, width: usize) -> String {
    let cells = |row: &Vec<SqlValue>| row.iter().map(cell).collect();
    let body: Vec<Vec<String>> = rows.rows.iter().map(cells).collect();
    let widths = widths(&rows.columns, &body, width);
    let line = |row: &[String]| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| {
            let cut = cut(cell, width);
            format!("{cut:<width$}")
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut text = styled(BOLD, line(&rows.columns)) + "\n";
    for row in &body {
        text += &line(row);
        text.push('\n');
    }
    text
}

fn widths(columns: &[String], body: &[Vec<String>], width: usize) -> Vec<usize> {
    let longest = |(index, name): (usize, &String)| {
        let cells = body.iter().filter_map(|row| row.get(index));
        let lengths = cells.chain([name]).map(|it| it.chars().count());
        lengths.max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = columns.iter().enumerate().map(longest).collect();
    let available = width.saturating_sub(2 * columns.len().saturating_sub(1));
    while widths.iter().sum::<usize>() > available {
        // The widest gives way first.
        let Some(widest) = widths.iter_mut().max().filter(|it| **it > MIN_COLUMN) else {
            break;
        };
        *widest -= 1;
    }
    widths
}

fn cut(cell: &str, width: usize) -> String {
    if cell.chars().count() <= width {
        return cell.to_owned();
    }
    let kept: String = cell.chars().take(width.saturating_sub(1)).collect();
    kept + "…"
}

/// A value in one line; nothing in it can steer the terminal.
fn cell(value: &SqlValue) -> String {
    match value {
        SqlValue::Text(text) => {
            let visible = |it: char| if it.is_control() { ' ' } else { it };
            // What is far too long for any terminal need not be measured.
            text.chars().take(1000).map(visible).collect()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(depth: usize, label: &str, idiom: Option<usize>) -> Part {
        Part {
            depth,
            label: label.to_owned(),
            idiom,
            is_root_of_idiom: label == "c",
            probability: (label == "a").then_some(0.5),
            sources: Vec::new(),
        }
    }

    #[test]
    fn traces_are_trees() {
        let parts = [
            part(0, "a", None),
            part(1, "b", None),
            part(2, "x", None),
            part(1, "c", Some(7)),
            part(2, "d", Some(7)),
        ];
        let drawn = draw(&parts);
        assert!(drawn.contains("\u{1b}["), "{drawn:?}");
        let drawn = anstream::adapter::strip_str(&drawn).to_string();
        assert_eq!(drawn, "a  0.500\n├─ b\n│  └─ x\n└─ #7 c\n   └─ d\n");
    }

    #[test]
    fn tables_fit() {
        let rows = Rows {
            columns: vec!["id".to_owned(), "title".to_owned()],
            rows: vec![
                vec![SqlValue::Integer(1), SqlValue::Text("x".repeat(50))],
                vec![SqlValue::Null, SqlValue::Text("a\n\u{1b}[31mb".to_owned())],
            ],
        };
        for width in [0, 10, 20, 80] {
            let shown = anstream::adapter::strip_str(&table(&rows, width)).to_string();
            let widest = shown.lines().map(|it| it.chars().count()).max().unwrap();
            assert!(widest <= width.max(9), "{shown}");
        }
        assert!(!table(&rows, 80).contains("\u{1b}[31m"));
    }
}
