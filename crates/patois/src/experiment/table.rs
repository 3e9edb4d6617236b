//! The table of an experiment, as rows and as Markdown, and what it takes to understand it.

use super::Published;
use super::outcome::{CellOutcome, Mean, Outcome};
use super::record::Setting;
use super::statistics::{Difference, N_DRAWS, N_FLIPS};
use crate::report::markdown::{in_line, plain};

/// A part of a legend.
pub(super) enum Part {
    /// Words.
    Text(String),
    /// What people type, or read in a file.
    Code(String),
}

impl Outcome {
    /// The table as Markdown.
    pub fn to_markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let (heading, rows) = self.table();
        let rule: Vec<String> = (0..heading.len())
            .map(|column| if column == 0 { "---" } else { "---:" }.to_owned())
            .collect();
        let rows: String = rows
            .into_iter()
            .map(|mut row| {
                // The others are figures of ours.
                row[0] = plain(&row[0]);
                line(&row)
            })
            .collect();
        let table = line(&heading) + &line(&rule) + &rows;
        let legend = self.legend();
        let legend: String = legend
            .iter()
            .map(|part| match part {
                Part::Text(text) => plain(text),
                Part::Code(code) => in_line(code),
            })
            .collect();
        format!(
            "# {}\n\n{table}\n{legend}\n\n{}\n",
            plain(&self.title),
            in_line(&self.command)
        )
    }

    /// What the table needs to be understood.
    pub(super) fn legend(&self) -> Vec<Part> {
        let text = |text: String| Part::Text(text);
        let n = self.examples;
        let mut parts = match self.cells.iter().find_map(|it| it.n_folds) {
            Some(n_folds) => vec![text(format!(
                "Cross-validation: {n} examples in {n_folds} parts, each asked of models that learnt from the others; "
            ))],
            None => vec![
                text(format!("Means over seeds on {n} examples of ")),
                Part::Code(self.split.to_string()),
                text(", ".to_owned()),
            ],
        };
        parts.push(text("± the standard deviation of a single run.".to_owned()));
        if let Some(baseline) = &self.baseline {
            parts.push(text(" Differences in exact match from ".to_owned()));
            parts.push(Part::Code(baseline.clone()));
            parts.push(text(format!(
                ", with 95 % intervals of a bootstrap over examples ({N_DRAWS} draws), each with all answers to it, and p of \
                 a permutation test that flips the signs of examples (in all ways, or {N_FLIPS} of them), alone and corrected for \
                 the number of rows (Holm). Seen with 80 %: the difference that would have been seen, at the corrected level of 5 %, with a \
                 probability of 80 %."
            )));
        }
        for (setting, at_once) in self.settings() {
            let how = match at_once {
                1 => "one run after the other".to_owned(),
                n => format!("{n} runs at once"),
            };
            parts.push(text(format!(" Made by {}, {how}.", setting.text())));
        }
        parts
    }

    /// What made the runs, and how many at once; each once.
    fn settings(&self) -> Vec<(&Setting, usize)> {
        let runs = self.cells.iter().flat_map(|it| &it.runs);
        let records = runs.filter_map(|it| it.record.as_ref());
        let mut settings: Vec<(&Setting, usize)> = Vec::new();
        for setting in records.map(|it| (&it.setting, it.at_once)) {
            if !settings.contains(&setting) {
                settings.push(setting);
            }
        }
        settings
    }

    /// The heading and the rows; columns that nothing is known of are left out.
    pub(super) fn table(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let columns: [Column; 15] = [
            ("runs", |it| {
                Some(format!("{} of {}", it.runs.len(), it.planned))
            }),
            ("outcomes", |it| {
                (it.outcomes > 0).then(|| it.outcomes.to_string())
            }),
            ("exact match", |it| it.exact_match.map(Mean::share)),
            ("95 % interval", |it| {
                it.interval.map(|(low, high)| format!("{low:.3}–{high:.3}"))
            }),
            ("execution", |it| it.execution.map(Mean::share)),
            ("sentence BLEU", |it| it.sentence_bleu.map(Mean::share)),
            ("corpus BLEU", |it| it.corpus_bleu.map(Mean::share)),
            ("idioms used", |it| it.idioms_used.map(Mean::count)),
            ("minutes", |it| it.minutes.map(Mean::count)),
            ("CPU minutes", |it| it.cpu_minutes.map(Mean::count)),
            ("difference", |it| it.against_baseline.map(Difference::text)),
            ("p", |it| it.against_baseline.map(|it| p_text(it.p))),
            ("p, corrected", |it| {
                it.against_baseline.map(|it| p_text(it.p_corrected))
            }),
            ("seen with 80 %", |it| {
                it.against_baseline
                    .map(|it| format!("{:.3}", it.detectable))
            }),
            ("published", |it| it.published.map(Published::text)),
        ];
        let is_known = |column: &&Column| self.cells.iter().any(|it| column.1(it).is_some());
        let columns: Vec<&Column> = columns.iter().filter(is_known).collect();
        let heading = std::iter::once(String::new())
            .chain(columns.iter().map(|it| it.0.to_owned()))
            .collect();
        let row = |cell: &CellOutcome| {
            let values = columns.iter().map(|it| it.1(cell).unwrap_or_default());
            std::iter::once(cell.name.clone()).chain(values).collect()
        };
        (heading, self.cells.iter().map(row).collect())
    }
}

/// A heading, and what stands below it for a cell.
type Column = (&'static str, fn(&CellOutcome) -> Option<String>);

/// A probability, as exact as it is of use.
fn p_text(p: f64) -> String {
    match p {
        0.095.. => format!("{p:.2}"),
        0.000_95.. => format!("{p:.3}"),
        _ => "< 0.001".to_owned(),
    }
}

impl Difference {
    /// The difference with its interval.
    fn text(self) -> String {
        let (low, high) = self.interval;
        format!("{:+.3} [{low:+.3}, {high:+.3}]", self.mean)
    }
}

impl Published {
    /// Exact match / sentence BLEU / corpus BLEU.
    fn text(self) -> String {
        let text = |it: Option<f64>| it.map_or_else(|| "–".to_owned(), |it| format!("{it:.3}"));
        let figures = [self.exact_match, self.sentence_bleu, self.corpus_bleu];
        figures.map(text).join(" / ")
    }
}
