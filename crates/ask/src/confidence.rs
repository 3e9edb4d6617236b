//! How often answers like one are right: logistic regressions over its evidence, fitted on questions about databases
//! that the model had not seen, and on questions that were about others.

use serde::{Deserialize, Serialize};

use crate::evidence::{Evidence, N_FEATURES};
use crate::question_words::QuestionWords;

/// How sure answers are, given what speaks for them; belongs to one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// Whether a question is about the database that it is asked of.
    about: Logistic,
    /// Whether a first answer is right, where the question is about the database.
    first: Logistic,
    /// Whether another answer is, there.
    other: Logistic,
    /// How surely a question must be about the database to be answered.
    pub threshold: f64,
    /// What words do in questions.
    pub(crate) words: QuestionWords,
}

impl Default for Confidence {
    fn default() -> Confidence {
        let agreement = Logistic::of_agreement();
        Confidence {
            about: agreement.clone(),
            first: agreement.clone(),
            other: agreement,
            threshold: 0.0,
            words: QuestionWords::default(),
        }
    }
}

/// An answer that is known to be right or not, to a question that was about its database or not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Known {
    pub(crate) evidence: Evidence,
    pub(crate) is_right: bool,
    pub(crate) is_about: bool,
}

impl Confidence {
    /// Before anything was fitted: the share of the hypotheses that agree.
    pub(crate) fn unfitted(words: QuestionWords) -> Confidence {
        Confidence {
            words,
            ..Confidence::default()
        }
    }

    /// How often an answer with such evidence is right.
    pub fn of(&self, evidence: &Evidence) -> f64 {
        let right = match evidence.rank {
            0 => self.first.of(evidence),
            _ => self.other.of(evidence),
        };
        if self.is_refused(evidence) {
            right * self.about.of(evidence)
        } else {
            right
        }
    }

    /// Whether a question whose first answer has such evidence is rather about something else.
    pub fn is_refused(&self, first: &Evidence) -> bool {
        self.about.of(first) < self.threshold
    }

    /// How surely a question whose first answer has such evidence is about the database.
    pub(crate) fn about(&self, first: &Evidence) -> f64 {
        self.about.of(first)
    }

    /// Fits to answers, each with how much it counts; without a threshold.
    pub(crate) fn fit(answers: &[(&Known, f64)], words: QuestionWords) -> Confidence {
        let about = answers.iter().filter(|it| it.0.evidence.rank == 0);
        let about: Vec<Observed<'_>> = about
            .map(|&(it, weight)| (&it.evidence, it.is_about, weight))
            .collect();
        let right = |is_wanted: &dyn Fn(&Known) -> bool| {
            let own = answers.iter();
            let own = own.filter(|it| it.0.is_about && is_wanted(it.0));
            let own: Vec<Observed<'_>> = own
                .map(|&(it, weight)| (&it.evidence, it.is_right, weight))
                .collect();
            Logistic::fit(&own)
        };
        Confidence {
            about: Logistic::fit(&about),
            first: right(&|it| it.evidence.rank == 0),
            other: right(&|it| it.evidence.rank > 0),
            threshold: 0.0,
            words,
        }
    }
}

/// Some evidence, whether what it speaks for holds, and how much that counts.
type Observed<'e> = (&'e Evidence, bool, f64);

/// A logistic regression over evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Logistic {
    /// What each number of the evidence counts.
    weights: Vec<f64>,
}

/// How large weights may get: ridge, for what all answers that are fitted on count.
const RIDGE: f64 = 1e-4;

/// How often the weights are corrected; Newton's method needs about ten times.
const N_ROUNDS: usize = 30;

impl Logistic {
    /// The share of the hypotheses that agree, and nothing else.
    fn of_agreement() -> Logistic {
        let mut weights = vec![0.0; N_FEATURES];
        (weights[0], weights[5]) = (-2.0, 4.0);
        Logistic { weights }
    }

    fn of(&self, evidence: &Evidence) -> f64 {
        let features = evidence.features();
        let sum: f64 = self.weights.iter().zip(features).map(|(w, x)| w * x).sum();
        1.0 / (1.0 + (-sum).exp())
    }

    /// Fits the weights to what holds of some evidence and what does not, by Newton's method.
    fn fit(answers: &[Observed<'_>]) -> Logistic {
        let mut fitted = Logistic {
            weights: vec![0.0; N_FEATURES],
        };
        for _ in 0..N_ROUNDS {
            let mut gradient = [0.0; N_FEATURES];
            let mut curvature = [[0.0; N_FEATURES]; N_FEATURES];
            for (evidence, holds, counts) in answers {
                let (x, p) = (evidence.features(), fitted.of(evidence));
                let error = counts * (f64::from(u8::from(*holds)) - p);
                for (row, own) in x.iter().enumerate() {
                    gradient[row] += error * own;
                    for (sum, other) in curvature[row].iter_mut().zip(x) {
                        *sum += counts * p * (1.0 - p) * own * other;
                    }
                }
            }
            let ridge = RIDGE * answers.iter().map(|it| it.2).sum::<f64>() + 1e-9;
            for row in 0..N_FEATURES {
                gradient[row] -= ridge * fitted.weights[row];
                curvature[row][row] += ridge;
            }
            let step = solve(curvature, gradient);
            for (weight, step) in fitted.weights.iter_mut().zip(step) {
                *weight += step;
            }
        }
        fitted
    }
}

/// The solution of a system of linear equations whose matrix is positive definite, by elimination.
fn solve(
    mut matrix: [[f64; N_FEATURES]; N_FEATURES],
    mut right: [f64; N_FEATURES],
) -> [f64; N_FEATURES] {
    for pivot in 0..N_FEATURES {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let top = &above[pivot];
        for (offset, row) in below.iter_mut().enumerate() {
            let factor = row[pivot] / top[pivot];
            for (value, other) in row.iter_mut().zip(top) {
                *value -= factor * other;
            }
            right[pivot + 1 + offset] -= factor * right[pivot];
        }
    }
    for row in (0..N_FEATURES).rev() {
        let known: f64 = (row + 1..N_FEATURES)
            .map(|it| matrix[row][it] * right[it])
            .sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers that are right nine times of ten where hypotheses agree, once in ten where they do not.
    #[test]
    fn fitted_confidence_is_how_often_answers_are_right() {
        let answers: Vec<Known> = (0..1000)
            .map(|it| {
                let agrees = it % 2 == 0;
                let evidence = Evidence {
                    agreement: f64::from(u8::from(agrees)),
                    n_linked: 1,
                    n_words: 4,
                    ..Evidence::default()
                };
                Known {
                    evidence,
                    is_right: (it / 2 % 10 == 0) != agrees,
                    is_about: true,
                }
            })
            .collect();
        let counted: Vec<(&Known, f64)> = answers.iter().map(|it| (it, 0.5)).collect();
        let fitted = Confidence::fit(&counted, QuestionWords::default());
        let [agreeing, not] = [0, 1].map(|it: usize| fitted.of(&answers[it].evidence));
        assert!((agreeing - 0.9).abs() < 0.02, "{agreeing}");
        assert!((not - 0.1).abs() < 0.02, "{not}");
    }
}
