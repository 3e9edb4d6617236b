//! Heads: log-probabilities of rules and items, each normalised over what is possible at its step.

use std::sync::Arc;

use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Tape, Var};

/// A step at which a rule is applied.
#[derive(Clone, Debug)]
pub(crate) struct RuleChoice {
    /// Its row of the logits.
    pub(crate) row: usize,
    /// The rules that may expand the symbol, as columns of the logits.
    pub(crate) possible: Arc<[u32]>,
    /// The rules whose probability is asked for, as indices of `possible`.
    pub(crate) asked: Vec<u32>,
}

/// ln p of all rules that are asked for, one after the other: [asked, 1].
///
/// `logits` is [steps, rules].
pub(crate) fn choose_rules(tape: &mut Tape<'_>, logits: Var, choices: Arc<Vec<RuleChoice>>) -> Var {
    let mut result = Vec::new();
    let mut scores = Vec::new();
    for choice in choices.iter() {
        let ln_sum = possible_scores(tape.value(logits), choice, &mut scores);
        let logits = tape.value(logits).row(choice.row);
        let logit = |it: &u32| logits[choice.possible[*it as usize] as usize];
        result.extend(choice.asked.iter().map(|it| logit(it) - ln_sum));
    }
    let value = Matrix::new(result.len(), 1, result);
    tape.push(value, move |values, gradient, gradients| {
        let mut start = 0;
        let mut scores = Vec::new();
        let mut logit_gradients =
            Matrix::zeros(values[logits].n_rows(), values[logits].n_columns());
        for choice in choices.iter() {
            let own = &gradient.values()[start..start + choice.asked.len()];
            start += choice.asked.len();
            possible_scores(&values[logits], choice, &mut scores);
            let total: f32 = own.iter().sum();
            let result = logit_gradients.row_mut(choice.row);
            for (&rule, probability) in choice.possible.iter().zip(&scores) {
                result[rule as usize] -= total * probability;
            }
            for (&asked, gradient) in choice.asked.iter().zip(own) {
                result[choice.possible[asked as usize] as usize] += gradient;
            }
        }
        gradients.add(logits, logit_gradients);
    })
}

/// Fills in the probabilities of the possible rules; ln of the sum of exponentials.
fn possible_scores(logits: &Matrix, choice: &RuleChoice, scores: &mut Vec<f32>) -> f32 {
    let logits = logits.row(choice.row);
    scores.clear();
    scores.extend(choice.possible.iter().map(|&rule| logits[rule as usize]));
    softmax(scores)
}

/// Replaces scores by probabilities; ln of the sum of exponentials.
pub(crate) fn softmax(scores: &mut [f32]) -> f32 {
    simd::vectorized(
        #[inline(always)]
        || simd::softmax(scores),
    )
}

/// A step at which an item is pointed at.
#[derive(Clone, Debug)]
pub(crate) struct PointerChoice {
    /// Its row of the queries.
    pub(crate) row: usize,
    /// The row of the first element of its example.
    pub(crate) start: usize,
    /// The elements that may be pointed at, counted from there.
    pub(crate) items: Arc<[u32]>,
    /// The index of the right one among them.
    pub(crate) target: usize,
}

impl PointerChoice {
    /// The rows of the items.
    fn rows(&self) -> impl ExactSizeIterator<Item = usize> {
        self.items.iter().map(|&it| self.start + it as usize)
    }
}

/// ln p of the right item of each step, [steps, 1]: scaled dot products of `queries` [steps, hidden]
/// and `items` [items, hidden].
pub(crate) fn choose_items(
    tape: &mut Tape<'_>,
    queries: Var,
    items: Var,
    choices: Arc<Vec<PointerChoice>>,
) -> Var {
    let mut result = Vec::with_capacity(choices.len());
    for choice in choices.iter() {
        let query = tape.value(queries).row(choice.row);
        let mut scores = scaled_dots(query, tape.value(items), choice.rows());
        let right = scores[choice.target];
        result.push(right - softmax(&mut scores));
    }
    let value = Matrix::new(result.len(), 1, result);
    tape.push(value, move |values, gradient, gradients| {
        let scale = scale(values[queries].n_columns());
        let shape = values[queries].shape();
        let mut query_gradients = Matrix::zeros(shape.0, shape.1);
        let shape = values[items].shape();
        let mut item_gradients = Matrix::zeros(shape.0, shape.1);
        for (choice, &gradient) in choices.iter().zip(gradient.values()) {
            let query = values[queries].row(choice.row);
            let mut scores = scaled_dots(query, &values[items], choice.rows());
            softmax(&mut scores);
            simd::vectorized(
                #[inline(always)]
                || {
                    for (index, item) in choice.rows().enumerate() {
                        let is_right = f32::from(u8::from(index == choice.target));
                        let factor = gradient * (is_right - scores[index]) * scale;
                        let row = query_gradients.row_mut(choice.row);
                        simd::add_scaled(row, factor, values[items].row(item));
                        simd::add_scaled(item_gradients.row_mut(item), factor, query);
                    }
                },
            );
        }
        gradients.add(queries, query_gradients);
        gradients.add(items, item_gradients);
    })
}

pub(super) fn scale(width: usize) -> f32 {
    1.0 / (width as f32).sqrt()
}

/// Dot products of a query with some rows, over the root of their width.
pub(crate) fn scaled_dots(
    query: &[f32],
    rows: &Matrix,
    which: impl ExactSizeIterator<Item = usize>,
) -> Vec<f32> {
    let scale = scale(query.len());
    let mut dots = vec![0.0; which.len()];
    simd::vectorized(
        #[inline(always)]
        || {
            for (dot, row) in dots.iter_mut().zip(which) {
                *dot = simd::dot(query, rows.row(row)) * scale;
            }
        },
    );
    dots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    #[test]
    fn gradients_of_rules() {
        let choices = Arc::new(vec![
            RuleChoice {
                row: 0,
                possible: [0, 2, 3].into(),
                asked: vec![1],
            },
            RuleChoice {
                row: 2,
                possible: [1, 4].into(),
                asked: vec![0, 1],
            },
        ]);
        check(&[values(3, 5)], |tape, [logits]| {
            choose_rules(tape, logits, Arc::clone(&choices))
        });
    }

    #[test]
    fn gradients_of_items() {
        let choices = Arc::new(vec![
            PointerChoice {
                row: 1,
                start: 0,
                items: [0, 2, 3].into(),
                target: 2,
            },
            PointerChoice {
                row: 0,
                start: 1,
                items: [0, 1, 3].into(),
                target: 0,
            },
        ]);
        check(&[values(2, 4), values(5, 4)], |tape, [queries, items]| {
            choose_items(tape, queries, items, Arc::clone(&choices))
        });
    }
}
