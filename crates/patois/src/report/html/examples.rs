//! Programs to look at: what was asked, expected and written, and how it came about.

use std::fmt::Write as _;

use patois_codebase::number::{counted, probability};

use super::{escaped, folded, spans};
use crate::report::Report;
use crate::report::code::{Span, copied, differences};
use crate::report::diff::lines_of;
use crate::report::results::Shown;
use crate::report::summary::n_choices;
use crate::run::trace::Part;

/// How many colours idioms have, in turns.
const N_COLORS: usize = 6;

/// How many examples of each kind are shown at once.
const N_OPEN: usize = 3;

/// The section; empty where there are no examples.
pub(super) fn write(report: &Report) -> String {
    let mut html = String::new();
    for (set, results) in report.main_results() {
        for (what, shown) in [("right", &results.right), ("wrong", &results.wrong)] {
            if shown.is_empty() {
                continue;
            }
            let label = escaped(&set.label);
            let _ = writeln!(html, "<h3>{label}: {what}</h3>");
            let articles = shown.iter();
            let articles = articles.map(|it| article(report, it, what == "right"));
            let articles: Vec<String> = articles.collect();
            html += &folded(&articles, N_OPEN, ("<div class=\"examples\">", "</div>"));
        }
    }
    html
}

fn article(report: &Report, shown: &Shown, is_right: bool) -> String {
    let mut html = format!(
        "<article>\n<h4 class=\"question\">{}</h4>\n<p class=\"about\">{}</p>\n",
        spans(&copied(&shown.question, &shown.trace), "<mark>", "</mark>").trim(),
        about(shown, is_right)
    );
    let (expected, predicted) = (lines_of(&shown.expected), lines_of(&shown.predicted));
    let (left, right) = differences(&expected, &predicted, &report.corpus.language);
    html += "<div class=\"pair\">\n";
    if left.iter().chain(&right).any(|it| it.is_marked) {
        html += &block("expected", &left);
        html += &block("predicted", &right);
    } else {
        html += &block("expected and predicted", &right);
    }
    html += "</div>\n";
    for error in &shown.errors {
        let _ = writeln!(html, "<p class=\"error\">{}</p>", escaped(error));
    }
    if !shown.trace.is_empty() {
        let _ = write!(
            html,
            "<details><summary>How it was written: {} in {}</summary>\n{}</details>\n",
            counted(shown.idioms.len(), "idiom"),
            counted(n_choices(&shown.trace), "choice"),
            trace(report, &shown.trace)
        );
    }
    html + "</article>\n"
}

fn about(shown: &Shown, is_right: bool) -> String {
    let (class, verdict) = if is_right {
        ("right", "exact match")
    } else {
        ("wrong", "no match")
    };
    let mut html = format!("<span class=\"verdict {class}\">{verdict}</span>");
    match shown.execution {
        Some(true) => html += ", same rows",
        Some(false) => html += ", other rows",
        None => {}
    }
    if let Some(p) = shown.probability {
        let _ = write!(html, " · probability {}", escaped(&probability(p)));
    }
    if let Some(database) = &shown.database {
        let _ = write!(html, " · database {}", escaped(database));
    }
    let _ = write!(html, " · {}", escaped(&shown.id));
    html
}

fn block(name: &str, code: &[Span<'_>]) -> String {
    let code = spans(code, "<mark>", "</mark>");
    let code = match code.as_str() {
        "" => "(nothing)",
        code => code,
    };
    let class = name.split(' ').next_back().unwrap_or(name);
    format!("<div class=\"{class}\"><h5>{name}</h5><pre><code>{code}</code></pre></div>\n")
}

/// The parts of a program, each below what holds it.
fn trace(report: &Report, parts: &[Part]) -> String {
    let mut html = "<ul class=\"trace\">\n".to_owned();
    for part in parts {
        let class = match part.idiom {
            Some(idiom) => format!(" class=\"i{}\"", idiom % N_COLORS),
            None => String::new(),
        };
        let _ = write!(html, "<li style=\"--depth:{}\"><span{class}>", part.depth);
        if let (Some(idiom), true) = (part.idiom, part.is_root_of_idiom) {
            let _ = match report.idioms.get(idiom) {
                Some(found) => write!(
                    html,
                    "<a href=\"#idiom-{idiom}\" title=\"{}\">#{idiom}</a> ",
                    escaped(&found.source)
                ),
                None => write!(html, "#{idiom} "),
            };
        }
        let _ = write!(html, "{}", escaped(&part.label));
        if let Some(p) = part.probability {
            let p = probability(p);
            let _ = write!(html, " <span class=\"p\">{}</span>", escaped(&p));
        }
        for source in &part.sources {
            let _ = write!(html, " ← <q>{}</q>", escaped(&source.words));
        }
        html += "</span></li>\n";
    }
    html + "</ul>\n"
}
