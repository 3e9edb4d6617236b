//! How good answers are, measured on pairs of one's own.

use std::fmt::Write as _;
use std::path::Path;

use patois_ask::{Answer, Asker, Request, area_under_curve, calibration_error};
use patois_codebase::sources;
use patois_database::{Database, QueryLimits};
use patois_metrics::execution_match;
use serde::{Deserialize, Serialize};

use crate::Context;
use crate::failure::{Failure, Status};

/// A question, and the query whose rows answer it; none where nothing here does.
#[derive(Deserialize)]
struct Pair {
    question: String,
    #[serde(default)]
    sql: Option<String>,
}

/// What came of it.
#[derive(Debug, Serialize)]
struct Report {
    /// How many questions have an answer.
    questions: usize,
    /// How many of those are answered rightly.
    right: usize,
    /// How many have the right rows among the first three answers.
    among_three: usize,
    /// How many are refused.
    refused: usize,
    /// Of those, how many would have been right.
    refused_right: usize,
    /// How many questions have no answer here.
    unanswerable: usize,
    /// How many of those are refused.
    unanswerable_refused: usize,
    calibration_error: f64,
    area_under_curve: f64,
    results: Vec<Graded>,
}

/// One question.
#[derive(Debug, Serialize)]
struct Graded {
    question: String,
    expected: Option<String>,
    found: Option<String>,
    is_right: bool,
    is_right_among_three: bool,
    is_refused: bool,
    confidence: f64,
}

/// Asks every question, and compares the rows of answers with those of the queries.
pub(super) fn measure(
    asker: &Asker<'_>,
    file: &Path,
    context: &Context,
) -> Result<Status, Failure> {
    let pairs = read(file)?;
    let source = asker.source();
    let database = source.place.open(&source.schema.name);
    let database = database.map_err(|error| Failure::new(error.to_string()))?;
    let mut results = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.into_iter().enumerate() {
        let answer = asker.ask(&pair.question, &Request::default());
        let graded = grade(&answer, pair, &database);
        results.push(graded.map_err(|error| {
            let message = format!("`{}`, line {}: {error}", file.display(), index + 1);
            Failure::new(message)
        })?);
    }
    let report = Report::of(results);
    context.terminal.result(&report, || report.for_people())?;
    Ok(Status::Done)
}

fn read(file: &Path) -> Result<Vec<Pair>, Failure> {
    let text = sources::read(file).map_err(|error| {
        Failure::new(format!("cannot read `{}`", file.display())).because(error.to_string())
    })?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|it| !it.1.trim().is_empty());
    let pairs: Result<Vec<Pair>, Failure> = lines
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|error| {
                let place = format!("`{}`, line {}", file.display(), index + 1);
                let message = format!("{place}: expected an object with `question` and `sql`");
                Failure::new(message).because(error)
            })
        })
        .collect();
    let pairs = pairs?;
    if pairs.is_empty() {
        let message = format!("there is no pair in `{}`", file.display());
        return Err(Failure::new(message));
    }
    Ok(pairs)
}

fn grade(answer: &Answer, pair: Pair, database: &Database) -> Result<Graded, String> {
    let mut right = Vec::new();
    for program in &answer.programs {
        right.push(match &pair.sql {
            None => false,
            Some(gold) => {
                let limits = QueryLimits::default();
                let found = execution_match(database, gold, &program.code, &limits);
                found
                    .map_err(|error| format!("the query fails: {error}"))?
                    .is_equal
            }
        });
    }
    let best = answer.programs.first();
    Ok(Graded {
        question: pair.question,
        expected: pair.sql,
        found: best.map(|it| it.code.clone()),
        is_right: right.first().copied().unwrap_or(false),
        is_right_among_three: right.iter().take(3).any(|it| *it),
        is_refused: answer.abstained,
        confidence: best.map_or(0.0, |it| it.confidence),
    })
}

impl Report {
    fn of(results: Vec<Graded>) -> Report {
        let (answerable, others): (Vec<&Graded>, Vec<&Graded>) =
            results.iter().partition(|it| it.expected.is_some());
        let count = |graded: &[&Graded], is_wanted: fn(&Graded) -> bool| {
            graded.iter().filter(|it| is_wanted(it)).count()
        };
        let pairs: Vec<(f64, bool)> = answerable
            .iter()
            .map(|it| (it.confidence, it.is_right))
            .collect();
        Report {
            questions: answerable.len(),
            right: count(&answerable, |it| it.is_right && !it.is_refused),
            among_three: count(&answerable, |it| it.is_right_among_three && !it.is_refused),
            refused: count(&answerable, |it| it.is_refused),
            refused_right: count(&answerable, |it| it.is_refused && it.is_right),
            unanswerable: others.len(),
            unanswerable_refused: count(&others, |it| it.is_refused),
            calibration_error: calibration_error(&pairs),
            area_under_curve: area_under_curve(&pairs),
            results,
        }
    }

    fn for_people(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        for it in self
            .results
            .iter()
            .filter(|it| !it.is_right && it.expected.is_some())
        {
            let found = it.found.as_deref().unwrap_or("nothing");
            let expected = it.expected.as_deref().unwrap_or_default();
            let refused = if it.is_refused { " (refused)" } else { "" };
            let _ = writeln!(
                text,
                "{}{refused}\n  found    {found}\n  expected {expected}",
                it.question
            );
        }
        let _ = writeln!(
            text,
            "right {} of {}, among the first three {}; refused {}, of which {} would have been right",
            self.right, self.questions, self.among_three, self.refused, self.refused_right
        );
        if self.unanswerable > 0 {
            let _ = writeln!(
                text,
                "without an answer here {}, of which {} were refused",
                self.unanswerable, self.unanswerable_refused
            );
        }
        let _ = writeln!(
            text,
            "confidence: calibration error {:.3}, area under the curve {:.3}",
            self.calibration_error, self.area_under_curve
        );
        text
    }
}
