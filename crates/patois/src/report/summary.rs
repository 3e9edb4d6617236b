//! What the writers have to say in common.

use std::fmt::Write as _;

use patois_codebase::number::{count, counted, share_or_dash};

use super::results::{Results, Usage, mean};
use super::{QuestionSet, Report};
use crate::corpus::Split;
use crate::run::trace::Part;

/// The table of results: sets of questions in rows, figures of systems in columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// The names of the columns.
    pub heading: Vec<String>,
    /// The rows, each as long as the heading.
    pub rows: Vec<Vec<String>>,
}

impl Headline {
    pub(super) fn of(report: &Report) -> Headline {
        let metrics = metrics(report);
        let columns = || {
            let systems = |metric| report.systems.iter().map(move |system| (metric, system));
            metrics.iter().flat_map(systems)
        };
        let name = |(metric, system): (&Metric, &super::System)| match report.systems.len() {
            1 => metric.name.to_owned(),
            _ => format!("{}, {}", metric.name, system.name),
        };
        let heading = ["questions".to_owned(), "number".to_owned()];
        let row = |set: &QuestionSet| {
            let first = [set.label.clone(), count(n_questions(report, set))];
            let figures = columns()
                .map(|(metric, system)| share_or_dash(system.of(set.split).and_then(metric.of)));
            first.into_iter().chain(figures).collect()
        };
        Headline {
            heading: heading.into_iter().chain(columns().map(name)).collect(),
            rows: report.sets.iter().map(row).collect(),
        }
    }
}

/// What was done, in a sentence or two.
pub(super) fn summary(report: &Report) -> String {
    let corpus = &report.corpus;
    let language = match corpus.language.as_str() {
        "sql" => "SQL",
        "python" => "Python",
        other => other,
    };
    let train = corpus.splits.iter().find(|it| it.split == Split::Train);
    let mut text = match train {
        Some(train) => format!(
            "A model that writes {language}, trained on {} of the corpus {}",
            counted(train.examples, "example"),
            corpus.name
        ),
        None => format!("A model of the corpus {}", corpus.name),
    };
    if let Some(system) = report.main_system() {
        let _ = write!(text, " for {}", counted(system.step, "step"));
        let _ = match system.idioms {
            0 => write!(text, ", without idioms"),
            n => write!(text, ", with {}", counted(n, "idiom")),
        };
    }
    if report.systems.len() > 1 {
        text += ". Beside it a baseline that knows no idioms";
    }
    for note in &corpus.notes {
        let _ = write!(text, ". Note that {note}");
    }
    text + "."
}

/// A figure of results, for each system.
pub(super) struct Metric {
    pub(super) name: &'static str,
    /// What it says, in a sentence.
    pub(super) meaning: &'static str,
    pub(super) kind: MetricKind,
    pub(super) of: fn(&Results) -> Option<f64>,
}

/// What a figure is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MetricKind {
    /// A share of questions, which has an interval.
    Share,
    /// A mean of other numbers.
    Mean,
}

/// Where the share lies that `share` of `n` questions are a sample of, with 95 % confidence (Wilson 1927):
/// `(p + z²/2n ± z √(p(1 - p)/n + z²/4n²)) / (1 + z²/n)`.
pub(super) fn interval(share: f64, n: usize) -> (f64, f64) {
    const Z: f64 = 1.96;
    let n = n.max(1) as f64;
    let scale = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// The metrics that any of the results have.
pub(super) fn metrics(report: &Report) -> Vec<Metric> {
    let is_sql = report.corpus.language == "sql";
    let metrics = [
        Metric {
            name: "exact match",
            meaning: if is_sql {
                "the share of queries that agree with the expected one in every clause, whatever the \
                 order inside of it; values do not count (Spider's exact set match)"
            } else {
                "the share of programs with the same syntax tree as the expected one"
            },
            kind: MetricKind::Share,
            of: |it| Some(it.exact_match),
        },
        Metric {
            name: "execution",
            meaning: "the share of queries that return the same rows as the expected one",
            kind: MetricKind::Share,
            of: |it| it.execution,
        },
        Metric {
            name: "sentence BLEU",
            meaning: "how many runs of one to four tokens a program shares with the expected one, on \
                      average over programs",
            kind: MetricKind::Mean,
            of: |it| it.sentence_bleu,
        },
        Metric {
            name: "corpus BLEU",
            meaning: "the same with the runs of all programs counted together",
            kind: MetricKind::Mean,
            of: |it| it.corpus_bleu,
        },
    ];
    let results = || report.systems.iter().flat_map(|it| &it.results);
    let is_there = |metric: &Metric| results().any(|it| (metric.of)(it).is_some());
    metrics.into_iter().filter(is_there).collect()
}

/// How many questions a set has, as far as any system was asked them.
pub(super) fn n_questions(report: &Report, set: &QuestionSet) -> usize {
    let results = report.systems.iter().filter_map(|it| it.of(set.split));
    results.map(|it| it.examples).max().unwrap_or(0)
}

/// What figure 6 shows, in words.
pub(super) fn usage_in_words(usage: &Usage, n_idioms: usize, label: &str) -> String {
    let mut text = format!(
        "{label}: {} of {} idioms are used at all",
        count(usage.n_different()),
        count(n_idioms)
    );
    if let Some(all) = mean(&usage.all) {
        let _ = write!(text, "; a program has {all:.1} of them on average");
    }
    if let Some(exact) = mean(&usage.exact) {
        let _ = write!(text, ", {exact:.1} where it is an exact match");
    }
    text + "."
}

/// How many parts were chosen rather than given by an idiom.
pub(super) fn n_choices(trace: &[Part]) -> usize {
    trace.iter().filter(|it| it.probability.is_some()).count()
}

#[cfg(test)]
mod tests {
    use super::interval;

    /// Against `statsmodels.stats.proportion.proportion_confint(method="wilson")`.
    #[test]
    fn intervals_are_wilsons() {
        let near = |found: (f64, f64), low: f64, high: f64| {
            assert!(
                (found.0 - low).abs() < 5e-4 && (found.1 - high).abs() < 5e-4,
                "{found:?}"
            );
        };
        near(interval(0.5, 100), 0.4038, 0.5962);
        near(interval(0.0, 20), 0.0, 0.1611);
        near(interval(1.0, 20), 0.8389, 1.0);
    }
}
