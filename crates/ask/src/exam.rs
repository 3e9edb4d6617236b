//! How good answers are, measured on questions whose right query is known.

use std::fmt;

use patois_database::{Database, DatabaseError, QueryError, QueryLimits};
use patois_metrics::execution_match;
use serde::Serialize;

use crate::answer::Answer;
use crate::asker::{Asker, Request};
use crate::calibration::{area_under_curve, calibration_error};
use crate::paper::Pair;

/// What came of an exam.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exam {
    /// How many questions have an answer.
    pub questions: usize,
    /// How many of those are answered rightly.
    pub right: usize,
    /// How many have the right rows among the first three answers.
    pub among_three: usize,
    /// How many are refused.
    pub refused: usize,
    /// How many of the refused answers would have been right.
    pub refused_right: usize,
    /// How many questions have no answer in the database.
    pub unanswerable: usize,
    /// How many of those are refused.
    pub unanswerable_refused: usize,
    /// By how much confidence and the share of right answers differ.
    pub calibration_error: f64,
    /// How often a right answer has more confidence than one that is not; questions without an answer count as wrong.
    pub area_under_curve: f64,
    /// Each question.
    pub results: Vec<Graded>,
}

/// One question of an exam.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Graded {
    /// The question.
    pub question: String,
    /// The query whose rows answer it.
    pub expected: Option<String>,
    /// The best query that was found.
    pub found: Option<String>,
    /// Whether both have the same rows.
    pub is_right: bool,
    /// Whether one of the first three has.
    pub is_right_among_three: bool,
    /// Whether it was refused.
    pub is_refused: bool,
    /// How sure the answer was.
    pub confidence: f64,
}

/// Why an exam cannot be sat.
#[derive(Debug, thiserror::Error)]
pub enum ExamError {
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A query that should be right fails.
    #[error("question {number}: the query that should be right fails: {error}")]
    Gold {
        /// Which one, from 1.
        number: usize,
        /// Why.
        error: QueryError,
    },
}

impl Exam {
    /// Asks every question, and compares the rows of answers with those of the right queries.
    ///
    /// # Errors
    ///
    /// When one of the right queries fails.
    pub fn sit(asker: &Asker<'_>, pairs: Vec<Pair>) -> Result<Exam, ExamError> {
        let source = asker.source();
        let database = source.place.open(&source.schema.name)?;
        let mut results = Vec::with_capacity(pairs.len());
        for (index, pair) in pairs.into_iter().enumerate() {
            let answer = asker.ask(&pair.question, &Request::default());
            let graded = grade(&answer, pair, &database);
            let number = index + 1;
            results.push(graded.map_err(|error| ExamError::Gold { number, error })?);
        }
        Ok(Exam::of(results))
    }

    /// The figures of some results.
    pub fn of(results: Vec<Graded>) -> Exam {
        let (answerable, others): (Vec<&Graded>, Vec<&Graded>) =
            results.iter().partition(|it| it.expected.is_some());
        let count = |graded: &[&Graded], is_wanted: fn(&Graded) -> bool| {
            graded.iter().filter(|it| is_wanted(it)).count()
        };
        let pairs = |graded: &mut dyn Iterator<Item = &Graded>| -> Vec<(f64, bool)> {
            graded.map(|it| (it.confidence, it.is_right)).collect()
        };
        Exam {
            questions: answerable.len(),
            right: count(&answerable, |it| it.is_right && !it.is_refused),
            among_three: count(&answerable, |it| it.is_right_among_three && !it.is_refused),
            refused: count(&answerable, |it| it.is_refused),
            refused_right: count(&answerable, |it| it.is_refused && it.is_right),
            unanswerable: others.len(),
            unanswerable_refused: count(&others, |it| it.is_refused),
            calibration_error: calibration_error(&pairs(&mut answerable.iter().copied())),
            area_under_curve: area_under_curve(&pairs(&mut results.iter())),
            results,
        }
    }
}

fn grade(answer: &Answer, pair: Pair, database: &Database) -> Result<Graded, QueryError> {
    let mut right = Vec::new();
    for program in &answer.programs {
        right.push(match &pair.sql {
            None => false,
            Some(gold) => {
                let limits = QueryLimits::default();
                execution_match(database, gold, &program.code, &limits)?.is_equal
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

impl fmt::Display for Exam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "right {} of {}, among the first three {}; refused {}, of which {} would have been right",
            self.right, self.questions, self.among_three, self.refused, self.refused_right
        )?;
        if self.unanswerable > 0 {
            writeln!(
                f,
                "without an answer here {}, of which {} were refused",
                self.unanswerable, self.unanswerable_refused
            )?;
        }
        writeln!(
            f,
            "confidence: calibration error {:.3}, area under the curve {:.3}",
            self.calibration_error, self.area_under_curve
        )
    }
}
