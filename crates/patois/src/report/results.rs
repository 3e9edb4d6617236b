//! How good the programs of a system are for a set of questions, with some of them to look at.

use patois_metrics::QueryFigures;
use serde::{Deserialize, Serialize};

use crate::corpus::Split;
use crate::run::idiom_usage::IdiomUsage;
use crate::run::synthesize::{Figures, Prediction, Score};
use crate::run::trace::Part;

/// How many examples of each kind are shown.
const N_RIGHT: usize = 6;
const N_WRONG: usize = 10;

/// How good the programs of a system are for a set of questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The questions.
    pub set: Split,
    /// How many there are.
    pub examples: usize,
    /// After how many steps the model was written.
    pub step: usize,
    /// How many hypotheses the search kept.
    pub beam: usize,
    /// How long it took to write the programs.
    pub seconds: f64,
    /// In how many examples something went wrong.
    pub errors: usize,
    /// The share of exact matches: equal syntax trees, or for SQL Spider's exact set match.
    pub exact_match: f64,
    /// The share of queries that return the same rows; none where they were not run.
    pub execution: Option<f64>,
    /// The mean of the programs' BLEU; none for SQL.
    pub sentence_bleu: Option<f64>,
    /// BLEU of all programs as one; none for SQL.
    pub corpus_bleu: Option<f64>,
    /// The figures of each level of hardness; none but for SQL.
    pub hardness: Vec<Level>,
    /// The figures of each component; none but for SQL.
    pub components: Vec<ComponentRow>,
    /// Which idioms were used.
    pub usage: Usage,
    /// Some exact matches.
    pub right: Vec<Shown>,
    /// Some others.
    pub wrong: Vec<Shown>,
}

/// The figures of the queries of a level of hardness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// The level.
    pub level: String,
    /// How many queries.
    pub examples: usize,
    /// The share of exact matches; none where there is no query.
    pub exact_match: Option<f64>,
    /// The share that returns the same rows; none where they were not run.
    pub execution: Option<f64>,
}

/// How often a component of queries is right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComponentRow {
    /// Which.
    pub component: String,
    /// Of the predicted queries that have it.
    pub accuracy: f64,
    /// Of the gold queries that have it.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
}

/// Which idioms were used, and how many of them in a program: the paper's figure 6.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// At index n, how many of all programs use n idioms.
    pub all: Vec<usize>,
    /// The same for exact matches.
    pub exact: Vec<usize>,
    /// The idioms that were used, the most used first.
    pub idioms: Vec<UsedIdiom>,
}

/// How often an idiom was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsedIdiom {
    /// Its index in the library.
    pub idiom: usize,
    /// In all programs.
    pub all: usize,
    /// In exact matches.
    pub exact: usize,
}

/// An example to look at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Where it comes from.
    pub id: String,
    /// The database that it is about.
    pub database: Option<String>,
    /// What was asked.
    pub question: String,
    /// What was expected.
    pub expected: String,
    /// What was written; empty where nothing was.
    pub predicted: String,
    /// The probability that the model gave to it.
    pub probability: Option<f64>,
    /// Whether it returns the expected rows; none where it was not run.
    pub execution: Option<bool>,
    /// The indices of the idioms that were used, in the order in which they were chosen.
    pub idioms: Vec<usize>,
    /// What made which part of it.
    pub trace: Vec<Part>,
    /// All that went wrong on the way.
    pub errors: Vec<String>,
}

/// How predictions came about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluation<'a> {
    /// The questions.
    pub set: Split,
    /// The language of the programs.
    pub language: &'a str,
    /// After how many steps the model was written.
    pub step: usize,
    /// How many hypotheses the search kept.
    pub beam: usize,
    /// How long it took.
    pub seconds: f64,
}

impl Results {
    /// The results of predictions.
    pub(crate) fn new(evaluation: Evaluation<'_>, predictions: &[Prediction]) -> Results {
        let scores = predictions.iter().map(|it| &it.score);
        let faulty = |it: &&Prediction| it.errors().next().is_some();
        let (right, wrong): (Vec<&Prediction>, Vec<&Prediction>) =
            predictions.iter().partition(|it| it.is_exact());
        let results = Results {
            set: evaluation.set,
            examples: predictions.len(),
            step: evaluation.step,
            beam: evaluation.beam,
            seconds: evaluation.seconds,
            errors: predictions.iter().filter(faulty).count(),
            exact_match: 0.0,
            execution: None,
            sentence_bleu: None,
            corpus_bleu: None,
            hardness: Vec::new(),
            components: Vec::new(),
            usage: Usage::of(predictions),
            right: spread(&right, N_RIGHT).map(Shown::new).collect(),
            wrong: spread(&wrong, N_WRONG).map(Shown::new).collect(),
        };
        results.with(&Figures::of(scores, evaluation.language))
    }

    fn with(self, figures: &Figures) -> Results {
        match figures {
            Figures::Programs(figures) => Results {
                exact_match: figures.exact_match,
                sentence_bleu: Some(figures.sentence_bleu),
                corpus_bleu: Some(figures.corpus_bleu),
                ..self
            },
            Figures::Queries(figures) => Results {
                exact_match: figures.exact_match.all.unwrap_or(0.0),
                execution: figures.execution.and_then(|it| it.all),
                hardness: levels(figures),
                components: components(figures),
                ..self
            },
        }
    }
}

fn levels(figures: &QueryFigures) -> Vec<Level> {
    let execution = figures.execution.as_ref();
    let named = figures.count.named().zip(figures.exact_match.named());
    let levels = named.enumerate();
    let levels = levels.map(|(index, ((level, &examples), (_, &exact_match)))| Level {
        level,
        examples,
        exact_match,
        execution: execution.and_then(|it| it.levels.get(index).copied().flatten()),
    });
    // The last is all of them, which the results say already.
    levels.take(figures.count.levels.len()).collect()
}

fn components(figures: &QueryFigures) -> Vec<ComponentRow> {
    let rows = figures.components.iter().map(|it| ComponentRow {
        component: it.component.name().to_owned(),
        accuracy: it.accuracy,
        recall: it.recall,
        f1: it.f1,
    });
    rows.collect()
}

impl Usage {
    fn of(predictions: &[Prediction]) -> Usage {
        let exact = predictions.iter().filter(|it| it.is_exact());
        let used = IdiomUsage::of(predictions, 0).idioms.into_iter();
        Usage {
            all: histogram(predictions.iter()),
            exact: histogram(exact),
            idioms: used
                .map(|it| UsedIdiom {
                    idiom: it.idiom,
                    all: it.all,
                    exact: it.exact,
                })
                .collect(),
        }
    }

    /// How many different idioms were used.
    pub(super) fn n_different(&self) -> usize {
        self.idioms.len()
    }
}

/// At index n, how many programs use n idioms.
fn histogram<'a>(predictions: impl Iterator<Item = &'a Prediction>) -> Vec<usize> {
    let mut counts = Vec::new();
    for prediction in predictions {
        let n_idioms = prediction.idioms.len();
        if counts.len() <= n_idioms {
            counts.resize(n_idioms + 1, 0);
        }
        counts[n_idioms] += 1;
    }
    counts
}

/// The mean of what a histogram counts; none where it counts nothing.
pub(super) fn mean(histogram: &[usize]) -> Option<f64> {
    let n_programs: usize = histogram.iter().sum();
    let n_uses: usize = histogram.iter().enumerate().map(|(n, it)| n * it).sum();
    (n_programs > 0).then(|| n_uses as f64 / n_programs as f64)
}

/// At most `n` items, as far apart as can be.
fn spread<'a>(
    items: &'a [&'a Prediction],
    n: usize,
) -> impl Iterator<Item = &'a Prediction> + use<'a> {
    let n = n.min(items.len());
    (0..n).map(move |index| items[index * items.len() / n])
}

impl Shown {
    fn new(prediction: &Prediction) -> Shown {
        let execution = match &prediction.score {
            Score::Program(_) => None,
            Score::Query(score) => score.execution,
        };
        Shown {
            id: prediction.id.clone(),
            database: prediction.database.clone(),
            question: prediction.text.clone(),
            expected: prediction.gold.clone(),
            predicted: prediction.predicted.clone(),
            probability: prediction.ln_p.map(f64::exp),
            execution,
            idioms: prediction.idioms.clone(),
            trace: prediction.trace.clone(),
            errors: prediction.errors().map(str::to_owned).collect(),
        }
    }
}
