//! How often answers like one are right: logistic regression over its evidence, fitted on questions about databases
//! that the model had not seen.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::evidence::{Evidence, N_FEATURES};

/// How sure answers are, given what speaks for them; belongs to one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// What each number of the evidence counts.
    weights: Vec<f64>,
    /// How sure an answer must be to be shown as one.
    pub threshold: f64,
    /// Words that are said about many databases, and so tell nothing about any of them.
    pub(crate) usual_words: BTreeSet<String>,
}

impl Default for Confidence {
    fn default() -> Confidence {
        let mut weights = vec![0.0; N_FEATURES];
        (weights[0], weights[2]) = (-2.0, 4.0);
        Confidence {
            weights,
            threshold: 0.0,
            usual_words: BTreeSet::new(),
        }
    }
}

/// How large weights may get: ridge, for each answer that is fitted on.
const RIDGE: f64 = 1e-3;

/// How often the weights are corrected; Newton's method needs about ten times.
const N_ROUNDS: usize = 30;

impl Confidence {
    /// Before anything was fitted: the share of the hypotheses that agree.
    pub(crate) fn unfitted(usual_words: BTreeSet<String>) -> Confidence {
        Confidence {
            usual_words,
            ..Confidence::default()
        }
    }

    /// How often an answer with such evidence is right.
    pub fn of(&self, evidence: &Evidence) -> f64 {
        let features = evidence.features();
        let sum: f64 = self.weights.iter().zip(features).map(|(w, x)| w * x).sum();
        1.0 / (1.0 + (-sum).exp())
    }

    /// Fits the weights to answers of which it is known whether they were right, by Newton's method.
    pub fn fit(
        answers: &[(Evidence, bool)],
        usual_words: BTreeSet<String>,
        threshold: f64,
    ) -> Confidence {
        let mut fitted = Confidence {
            weights: vec![0.0; N_FEATURES],
            threshold,
            usual_words,
        };
        for _ in 0..N_ROUNDS {
            let mut gradient = [0.0; N_FEATURES];
            let mut curvature = [[0.0; N_FEATURES]; N_FEATURES];
            for (evidence, is_right) in answers {
                let (x, p) = (evidence.features(), fitted.of(evidence));
                let error = f64::from(u8::from(*is_right)) - p;
                for (row, own) in x.iter().enumerate() {
                    gradient[row] += error * own;
                    for (sum, other) in curvature[row].iter_mut().zip(x) {
                        *sum += p * (1.0 - p) * own * other;
                    }
                }
            }
            let ridge = RIDGE * answers.len() as f64 + 1e-9;
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
        let answers: Vec<(Evidence, bool)> = (0..1000)
            .map(|it| {
                let agrees = it % 2 == 0;
                let evidence = Evidence {
                    agreement: f64::from(u8::from(agrees)),
                    n_linked: 1,
                    n_words: 4,
                    ..Evidence::default()
                };
                (evidence, (it / 2 % 10 == 0) != agrees)
            })
            .collect();
        let fitted = Confidence::fit(&answers, BTreeSet::new(), 0.5);
        let [agreeing, not] = [0, 1].map(|it: usize| fitted.of(&answers[it].0));
        assert!((agreeing - 0.9).abs() < 0.02, "{agreeing}");
        assert!((not - 0.1).abs() < 0.02, "{not}");
    }
}
