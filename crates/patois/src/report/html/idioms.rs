//! The idioms, and how many of them programs are written with.

use std::fmt::Write as _;

use patois_codebase::number::{count, counted};

use super::{escaped, figure, folded, spans};
use crate::report::chart::{BarChart, Series};
use crate::report::code::holes;
use crate::report::diff::lines_of;
use crate::report::results::Usage;
use crate::report::summary::usage_in_words;
use crate::report::{IdiomSummary, QuestionSet, Report, Uses};

/// How many idioms are shown at once.
const N_OPEN: usize = 12;

/// The section; empty where there are no idioms.
pub(super) fn write(report: &Report) -> String {
    if report.idioms.is_empty() {
        return String::new();
    }
    let mut html = "<p>An idiom is a piece of code with holes that people keep writing. The model \
        may write one in a single step, then fills its holes, \
        <code><span class=\"hole\">$name</span></code>; equal names stand for equal code.</p>\n"
        .to_owned();
    html += &usage(report);
    html += "<h3>The library</h3>\n<p>Best first, as the miner ranks them. Uses by the model are \
             counted over all questions of the table of results.</p>\n";
    let uses = report.uses();
    let rows: Vec<String> = report
        .idioms
        .iter()
        .zip(&uses)
        .map(|(idiom, uses)| row(idiom, *uses))
        .collect();
    html + &folded(&rows, N_OPEN, ("<ol class=\"idioms\">", "</ol>"))
}

fn row(idiom: &IdiomSummary, uses: Uses) -> String {
    let index = idiom.idiom;
    let source = lines_of(&idiom.source);
    let source = spans(&holes(&source), "<span class=\"hole\">", "</span>");
    let mut counts = format!(
        "{} in {} of the corpus",
        counted(idiom.occurrences, "occurrence"),
        counted(idiom.programs, "program")
    );
    // Writing to a string cannot fail.
    let _ = match uses.all {
        0 => write!(counts, " · not used by the model"),
        all => write!(
            counts,
            " · used {} by the model, {} of them in exact matches",
            counted(all, "time"),
            count(uses.exact)
        ),
    };
    if !idiom.phrases.is_empty() {
        let named = idiom.phrases.iter().map(|it| {
            let phrase = escaped(&it.phrase);
            format!(
                "\u{201c}{phrase}\u{201d} ({} of {} programs)",
                count(it.programs),
                count(it.of)
            )
        });
        let named: Vec<String> = named.collect();
        let _ = write!(counts, "<br>foretold by {}", named.join(", "));
    }
    format!(
        "<li id=\"idiom-{index}\"><span class=\"number\">#{index}</span><pre><code>{source}</code></pre>\
         <p class=\"counts\">{counts}</p></li>\n"
    )
}

/// The paper's figure 6, for each set of questions; the first is open.
fn usage(report: &Report) -> String {
    let mut html = String::new();
    for (set, results) in report.main_results() {
        let sentence = usage_in_words(&results.usage, report.idioms.len(), &set.label);
        let charts = charts(&results.usage, set);
        let _ = if html.is_empty() {
            write!(
                html,
                "<h3>How many are used</h3>\n<p>{}</p>\n<div class=\"charts\">\n{charts}</div>\n",
                escaped(&sentence)
            )
        } else {
            write!(
                html,
                "<details><summary>The same for {}</summary>\n<p>{}</p>\n\
                 <div class=\"charts\">\n{charts}</div>\n</details>\n",
                escaped(&set.label),
                escaped(&sentence)
            )
        };
    }
    html
}

fn charts(usage: &Usage, set: &QuestionSet) -> String {
    let n_groups = usage.all.len();
    // Both have the same axes, to be compared.
    let highest = |counts: &[usize]| {
        let most = counts.iter().max().copied().unwrap_or(0);
        most as f64 / counts.iter().sum::<usize>().max(1) as f64
    };
    let y_max = highest(&usage.all).max(highest(&usage.exact));
    let chart = |what: &str, counts: &[usize], color| {
        let n_programs = counts.iter().sum::<usize>().max(1) as f64;
        let share = |n: usize| counts.get(n).map(|&it| it as f64 / n_programs);
        let title = format!(
            "Idioms used in each of {}, {}",
            counted(counts.iter().sum(), what),
            set.label
        );
        let chart = BarChart {
            title: &title,
            x_label: "idioms in a program",
            y_label: "share of programs",
            groups: (0..n_groups).map(|it| it.to_string()).collect(),
            series: vec![Series {
                name: String::new(),
                values: (0..n_groups).map(share).collect(),
                color,
            }],
            y_max,
        };
        figure(&chart.draw(), &format!("{title}."))
    };
    chart("exactly matched program", &usage.exact, 2) + &chart("program", &usage.all, 0)
}
