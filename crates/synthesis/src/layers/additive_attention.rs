//! Additive attention (Bahdanau et al. 2015) of one step to the elements of its example, and its derivative.

use std::ops::Range;

use crate::matrix::Matrix;
use crate::simd;

/// Fills in how much a step attends to each element.
#[inline(always)]
pub(crate) fn additive_attention(
    keys: &Matrix,
    weights: &[f32],
    elements: Range<usize>,
    query: &[f32],
    attention: &mut [f32],
) {
    for (score, element) in attention.iter_mut().zip(elements) {
        *score = score_of(weights, query, keys.row(element));
    }
    simd::softmax(attention);
}

/// `weights · tanh(query + key)`.
#[inline(always)]
fn score_of(weights: &[f32], query: &[f32], key: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0_f32; LANES];
    let (weights, weight_rest) = weights.as_chunks::<LANES>();
    let (queries, query_rest) = query.as_chunks::<LANES>();
    let (keys, key_rest) = key.as_chunks::<LANES>();
    for ((weight, query), key) in weights.iter().zip(queries).zip(keys) {
        for lane in 0..LANES {
            sums[lane] = weight[lane].mul_add(simd::tanh(query[lane] + key[lane]), sums[lane]);
        }
    }
    let mut sum = sums.iter().sum();
    for ((weight, query), key) in weight_rest.iter().zip(query_rest).zip(key_rest) {
        sum += weight * simd::tanh(query + key);
    }
    sum
}

/// Adds rows, each times its weight, four at a time.
#[inline(always)]
pub(crate) fn add_weighted_rows(
    result: &mut [f32],
    weights: &[f32],
    rows: &Matrix,
    which: Range<usize>,
) {
    let (fours, rest) = weights.as_chunks::<4>();
    let mut row = which.start;
    for weights in fours {
        let [a, b, c, d] = std::array::from_fn(|it| rows.row(row + it));
        for ((((result, a), b), c), d) in result.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            let first = a.mul_add(weights[0], b * weights[1]);
            let second = c.mul_add(weights[2], d * weights[3]);
            *result += first + second;
        }
        row += 4;
    }
    for weight in rest {
        simd::add_scaled(result, *weight, rows.row(row));
        row += 1;
    }
}

/// The gradients of the scores of elements, from those of the gates.
#[inline(always)]
pub(super) fn score_gradients(
    scores: &mut Vec<f32>,
    gates: &[f32],
    probabilities: &[f32],
    rows: &Matrix,
    elements: Range<usize>,
) {
    scores.resize(elements.len(), 0.0);
    let (fours, rest) = scores.as_chunks_mut::<4>();
    let mut element = elements.start;
    for scores in fours {
        *scores = simd::four_dots(gates, std::array::from_fn(|it| rows.row(element + it)));
        element += 4;
    }
    for score in rest {
        *score = simd::dot(gates, rows.row(element));
        element += 1;
    }
    let mean = simd::dot(scores, probabilities);
    for (score, probability) in scores.iter_mut().zip(probabilities) {
        *score = (*score - mean) * probability;
    }
}

/// What scores were computed from.
pub(super) struct Scored<'a> {
    pub(super) keys: &'a Matrix,
    pub(super) weights: &'a [f32],
    pub(super) elements: Range<usize>,
    pub(super) query: Option<&'a [f32]>,
}

/// Hands on the gradients of scores.
#[inline(always)]
pub(super) fn backward(
    scores: &[f32],
    scored: &Scored<'_>,
    key_gradients: &mut Matrix,
    weight_gradients: &mut [f32],
    query_gradient: &mut [f32],
) {
    let zeros;
    let query = if let Some(query) = scored.query {
        query
    } else {
        zeros = vec![0.0; scored.weights.len()];
        &zeros
    };
    // Slices of one length, so that no index has to be checked inside the loop.
    let size = query.len();
    let (weights, weight_gradients) = (&scored.weights[..size], &mut weight_gradients[..size]);
    let query_gradient = &mut query_gradient[..size];
    for (score, element) in scores.iter().zip(scored.elements.clone()) {
        let key = &scored.keys.row(element)[..size];
        let key_gradient = &mut key_gradients.row_mut(element)[..size];
        for index in 0..size {
            let tanh = simd::tanh(query[index] + key[index]);
            weight_gradients[index] = tanh.mul_add(*score, weight_gradients[index]);
            let inner = score * weights[index] * (1.0 - tanh * tanh);
            key_gradient[index] += inner;
            query_gradient[index] += inner;
        }
    }
}
