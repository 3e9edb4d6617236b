//! The report as plain text: the same tables and programs, without the pictures.

use std::fmt::Write as _;

use patois_codebase::number::{count, counted, duration, probability, share, share_or_dash};

use super::Report;
use super::results::{Results, Shown};
use super::summary::{n_choices, summary, usage_in_words};
use crate::report::diff::lines_of;
use crate::run::trace::Part;

/// How many points of a learning curve are written down.
const N_POINTS: usize = 10;

/// The whole text.
pub(super) fn write(report: &Report) -> String {
    let mut text = format!(
        "# {}\n\n{}\n",
        plain(&report.corpus.name),
        plain(&summary(report))
    );
    text += &results(report);
    text += &idioms(report);
    text += &learning(report);
    text += &examples(report);
    text += &details(report);
    text
}

fn results(report: &Report) -> String {
    let mut text = "\n## Results\n\n".to_owned();
    if report.sets.is_empty() {
        return text + "Nothing was evaluated yet.\n";
    }
    let headline = report.headline();
    text += &table(&headline.heading, headline.rows.into_iter());
    for set in &report.sets {
        for system in &report.systems {
            if let Some(results) = system.of(set.split) {
                text += &more(results, &format!("{}: {}", set.label, system.name));
            }
        }
    }
    text
}

/// The figures by hardness and component.
fn more(results: &Results, title: &str) -> String {
    if results.components.is_empty() {
        return String::new();
    }
    let levels = results.hardness.iter().map(|it| {
        vec![
            it.level.clone(),
            count(it.examples),
            share_or_dash(it.exact_match),
            share_or_dash(it.execution),
        ]
    });
    let components = results.components.iter().map(|it| {
        let figures = [it.accuracy, it.recall, it.f1].map(share);
        [vec![it.component.clone()], figures.to_vec()].concat()
    });
    format!(
        "\n### {}\n\n{}\n{}",
        plain(title),
        table(&["hardness", "queries", "exact match", "execution"], levels),
        table(&["component", "accuracy", "recall", "F1"], components)
    )
}

fn idioms(report: &Report) -> String {
    if report.idioms.is_empty() {
        return String::new();
    }
    let mut text = "\n## Idioms\n".to_owned();
    let results = report.main_system().into_iter().flat_map(|it| &it.results);
    for results in results {
        let set = report.sets.iter().find(|it| it.split == results.set);
        let label = set.map_or("", |it| it.label.as_str());
        let sentence = usage_in_words(&results.usage, report.idioms.len(), label);
        let _ = write!(text, "\n{}\n\n", plain(&sentence));
        let at = |counts: &[usize], n: usize| count(counts.get(n).copied().unwrap_or(0));
        let rows = (0..results.usage.all.len()).map(|n| {
            let (exact, all) = (&results.usage.exact, &results.usage.all);
            vec![n.to_string(), at(exact, n), at(all, n)]
        });
        let heading = ["idioms in a program", "exactly matched programs", "all"];
        text += &table(&heading, rows);
    }
    for (idiom, uses) in report.idioms.iter().zip(report.uses()) {
        let _ = write!(
            text,
            "\n**#{}** {} in {}, used {} by the model, {} of them in exact matches\n\n{}",
            idiom.idiom,
            counted(idiom.occurrences, "occurrence"),
            counted(idiom.programs, "program"),
            counted(uses.all, "time"),
            count(uses.exact),
            fenced(&lines_of(&idiom.source), &report.corpus.language)
        );
    }
    text
}

fn learning(report: &Report) -> String {
    let mut text = String::new();
    for system in &report.systems {
        let dev = &system.curve.dev;
        if dev.is_empty() {
            continue;
        }
        let _ = write!(
            text,
            "\n### {}: objective {}\n\n",
            plain(&system.name),
            plain(&system.objective)
        );
        let every = dev.len().div_ceil(N_POINTS);
        let shown = dev.iter().rev().step_by(every).collect::<Vec<_>>();
        let rows = shown.into_iter().rev().map(|point| {
            let mut train = system.curve.train.iter();
            let train = train.rfind(|it| it.step <= point.step);
            let train = train.map(|it| it.loss);
            vec![count(point.step), share_or_dash(train), share(point.loss)]
        });
        text += &table(&["step", "train loss", "dev loss"], rows);
    }
    if text.is_empty() {
        return text;
    }
    format!("\n## Learning curves\n{text}")
}

fn examples(report: &Report) -> String {
    let mut text = String::new();
    let results = report.main_system().into_iter().flat_map(|it| &it.results);
    for results in results {
        let set = report.sets.iter().find(|it| it.split == results.set);
        let label = set.map_or("", |it| it.label.as_str());
        for (what, shown) in [("right", &results.right), ("wrong", &results.wrong)] {
            if shown.is_empty() {
                continue;
            }
            let _ = write!(text, "\n### {}: {what}\n", plain(label));
            for shown in shown {
                text += &example(report, shown);
            }
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("\n## Examples\n{text}")
}

fn example(report: &Report, shown: &Shown) -> String {
    let language = &report.corpus.language;
    let mut text = String::new();
    for line in shown.question.trim().lines() {
        let _ = write!(text, "\n> {}", plain(line));
    }
    let _ = write!(text, "\n\n{}", plain(&shown.id));
    if let Some(database) = &shown.database {
        let _ = write!(text, ", database {}", plain(database));
    }
    if let Some(p) = shown.probability {
        let _ = write!(text, ", probability {}", plain(&probability(p)));
    }
    if let Some(execution) = shown.execution {
        text += if execution {
            ", same rows"
        } else {
            ", other rows"
        };
    }
    let (expected, predicted) = (lines_of(&shown.expected), lines_of(&shown.predicted));
    let (left, right) = (fenced(&expected, language), fenced(&predicted, language));
    let _ = if expected == predicted {
        write!(text, "\n\nExpected and predicted:\n\n{right}")
    } else {
        write!(text, "\n\nExpected:\n\n{left}\nPredicted:\n\n{right}")
    };
    for error in &shown.errors {
        let _ = write!(text, "\n{}\n", plain(error));
    }
    if !shown.trace.is_empty() {
        let _ = write!(
            text,
            "\nWritten with {} in {}:\n\n{}",
            counted(shown.idioms.len(), "idiom"),
            counted(n_choices(&shown.trace), "choice"),
            fenced(&trace(&shown.trace), "text")
        );
    }
    text
}

/// The parts of a program, each below what holds it.
fn trace(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        text += &"  ".repeat(part.depth);
        if let (Some(idiom), true) = (part.idiom, part.is_root_of_idiom) {
            let _ = write!(text, "#{idiom} ");
        }
        text += &part.label;
        if let Some(p) = part.probability {
            let _ = write!(text, "  {}", probability(p));
        }
        for source in &part.sources {
            let _ = write!(text, "  ← {}", source.words);
        }
        text.push('\n');
    }
    text
}

fn details(report: &Report) -> String {
    let mut text = "\n## The run\n".to_owned();
    if !report.corpus.splits.is_empty() {
        let rows = report.corpus.splits.iter().map(|it| {
            let split = it.split.to_string();
            vec![split, count(it.examples), count(it.dropped)]
        });
        let _ = write!(
            text,
            "\n{}",
            table(&["split", "examples", "rows left out"], rows)
        );
    }
    if !report.timings.is_empty() {
        let rows = report
            .timings
            .iter()
            .map(|it| vec![it.stage.clone(), duration(it.seconds)]);
        let _ = write!(text, "\n{}", table(&["stage", "time"], rows));
    }
    let _ = write!(
        text,
        "\npatois {}, seed {}\n\n{}",
        plain(&report.patois),
        report.seed,
        fenced(&report.config_toml(), "toml")
    );
    text
}

/// A table: the first column to the left, the others to the right.
fn table(heading: &[impl AsRef<str>], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> = cells.map(plain).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut text = line(&mut heading.iter().map(AsRef::as_ref));
    text += "| --- |";
    text += &" ---: |".repeat(heading.len().saturating_sub(1));
    text.push('\n');
    for row in rows {
        text += &line(&mut row.iter().map(String::as_str));
    }
    text
}

/// Code between fences that do not occur in it.
fn fenced(code: &str, language: &str) -> String {
    let longest = code.split(|it| it != '`').map(str::len).max();
    let fence = "`".repeat((longest.unwrap_or(0) + 1).max(3));
    let visible = |it: char| match it {
        '\n' | '\t' => it,
        it if it.is_control() => '\u{fffd}',
        it => it,
    };
    let code: String = code.trim_end().chars().map(visible).collect();
    format!("{fence}{language}\n{code}\n{fence}\n")
}

/// Code in a line, between as many quotes as it takes.
pub(crate) fn in_line(code: &str) -> String {
    let code: String = code
        .chars()
        .map(|it| if it.is_control() { ' ' } else { it })
        .collect();
    let longest = code.split(|it| it != '`').map(str::len).max();
    let quotes = "`".repeat(longest.unwrap_or(0) + 1);
    let blank = if code.starts_with(['`', ' ']) || code.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{quotes}{blank}{code}{blank}{quotes}")
}

/// A text in one line, with everything that means something taken its meaning.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::new();
    for char in text.chars() {
        if char.is_control() {
            plain.push(' ');
            continue;
        }
        if "\\`*_[]<>|#&~".contains(char) {
            plain.push('\\');
        }
        plain.push(char);
    }
    plain
}
