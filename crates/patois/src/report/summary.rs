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
    text + "."
}

/// A figure of results, for each system.
pub(super) struct Metric {
    pub(super) name: &'static str,
    pub(super) of: fn(&Results) -> Option<f64>,
}

/// The metrics that any of the results have.
pub(super) fn metrics(report: &Report) -> Vec<Metric> {
    let metric = |name, of| Metric { name, of };
    let metrics = [
        metric("exact match", |it: &Results| Some(it.exact_match)),
        metric("execution", |it| it.execution),
        metric("sentence BLEU", |it| it.sentence_bleu),
        metric("corpus BLEU", |it| it.corpus_bleu),
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
