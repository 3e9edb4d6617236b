//! Scaled dot-product attention of steps to the elements of their examples.

use std::ops::Range;
use std::sync::Arc;

use super::additive_attention::add_weighted_rows;
use super::choice::{scale, scaled_dots, softmax};
use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Tape, Var};

/// What each query attends to, [rows, width] for `queries` of the same shape: the mean of its rows of
/// `elements` [elements, width], weighted by the softmax of its scaled dot products with them.
///
/// `which` holds the elements of each row.
pub(crate) fn dot_attention(
    tape: &mut Tape<'_>,
    queries: Var,
    elements: Var,
    which: Arc<Vec<Range<usize>>>,
) -> Var {
    let (n_rows, width) = tape.value(queries).shape();
    let mut value = Matrix::zeros(n_rows, width);
    let mut all_weights = Vec::with_capacity(n_rows);
    for (row, which) in which.iter().enumerate() {
        let weights = dot_attention_row(
            tape.value(queries).row(row),
            tape.value(elements),
            which.clone(),
            value.row_mut(row),
        );
        all_weights.push(weights);
    }
    tape.push(value, move |values, gradient, gradients| {
        let scale = scale(width);
        let mut query_gradients = Matrix::zeros(n_rows, width);
        let mut of_weights = Vec::new();
        let mut element_gradients = Matrix::zeros(values[elements].n_rows(), width);
        for (row, (which, weights)) in which.iter().zip(&all_weights).enumerate() {
            let (query, gradient) = (values[queries].row(row), gradient.row(row));
            let of_query = query_gradients.row_mut(row);
            simd::vectorized(
                #[inline(always)]
                || {
                    of_weights.clear();
                    for element in which.clone() {
                        of_weights.push(simd::dot(gradient, values[elements].row(element)));
                    }
                    let mean = simd::dot(weights, &of_weights);
                    for ((element, &weight), of_weight) in
                        which.clone().zip(weights).zip(&of_weights)
                    {
                        let of_score = weight * (of_weight - mean) * scale;
                        simd::add_scaled(of_query, of_score, values[elements].row(element));
                        let result = element_gradients.row_mut(element);
                        simd::add_scaled(result, of_score, query);
                        simd::add_scaled(result, weight, gradient);
                    }
                },
            );
        }
        gradients.add(queries, query_gradients);
        gradients.add(elements, element_gradients);
    })
}

/// Adds to `result` what a query attends to; the weights of the elements.
pub(crate) fn dot_attention_row(
    query: &[f32],
    elements: &Matrix,
    which: Range<usize>,
    result: &mut [f32],
) -> Vec<f32> {
    let mut weights = scaled_dots(query, elements, which.clone());
    softmax(&mut weights);
    simd::vectorized(
        #[inline(always)]
        || add_weighted_rows(result, &weights, elements, which),
    );
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    #[test]
    fn gradients() {
        let which = Arc::new(vec![0..3, 3..5, 0..3]);
        check(
            &[values(3, 4), values(5, 4)],
            |tape, [queries, elements]| dot_attention(tape, queries, elements, Arc::clone(&which)),
        );
    }
}
