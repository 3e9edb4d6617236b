//! Layer normalisation (Ba et al. 2016).

use std::sync::Arc;

use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Tape, Var};

/// What is learnt: two rows, [1, columns].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Norm {
    /// What values are multiplied with.
    pub(crate) gain: Var,
    /// What is added.
    pub(crate) bias: Var,
    /// What is added to the variance of a row.
    pub(crate) epsilon: f32,
}

impl Norm {
    /// What PyTorch adds to the variance of a row.
    pub(crate) const EPSILON: f32 = 1e-5;
}

/// The sum of `x` and `y`, whose values are multiplied with masks first; then each row less its mean,
/// over its deviation, times `gain` plus `bias`.
pub(crate) fn add_and_norm(
    tape: &mut Tape<'_>,
    x: Var,
    y: Var,
    masks: Option<Arc<Matrix>>,
    norm: Norm,
) -> Var {
    let sum = MaskedSum {
        x: tape.value(x),
        y: tape.value(y),
        masks: masks.as_deref(),
    };
    let (normalised, value) =
        sum.normalise(tape.value(norm.gain), tape.value(norm.bias), norm.epsilon);
    tape.push(value, move |values, gradient, gradients| {
        let result = normalised.backward(values[norm.gain].values(), gradient);
        gradients.add(norm.gain, result.gain);
        gradients.add(norm.bias, result.bias);
        if gradients.wants(y) {
            let mut masked = result.sum.clone();
            if let Some(masks) = &masks {
                simd::vectorized(
                    #[inline(always)]
                    || simd::multiply(masked.values_mut(), masks.values()),
                );
            }
            gradients.add(y, masked);
        }
        gradients.add(x, result.sum);
    })
}

/// What is normalised.
struct MaskedSum<'a> {
    x: &'a Matrix,
    y: &'a Matrix,
    masks: Option<&'a Matrix>,
}

/// Rows less their means, over their deviations.
struct Normalised {
    rows: Matrix,
    /// One over the deviation of each row.
    scales: Vec<f32>,
}

impl MaskedSum<'_> {
    /// Normalises the rows; also what they become with gain and bias.
    fn normalise(&self, gain: &Matrix, bias: &Matrix, epsilon: f32) -> (Normalised, Matrix) {
        let (n_rows, n_columns) = self.x.shape();
        let mut rows = Matrix::unset(n_rows, n_columns);
        let mut value = Matrix::unset(n_rows, n_columns);
        let mut scales = Vec::with_capacity(n_rows);
        simd::vectorized(
            #[inline(always)]
            || {
                for row in 0..n_rows {
                    let sum = rows.row_mut(row);
                    sum.copy_from_slice(self.y.row(row));
                    if let Some(masks) = self.masks {
                        simd::multiply(sum, masks.row(row));
                    }
                    simd::add(sum, self.x.row(row));
                    let mean = simd::total(sum) / n_columns as f32;
                    for value in sum.iter_mut() {
                        *value -= mean;
                    }
                    let centred = sum;
                    let variance = simd::dot(centred, centred) / n_columns as f32;
                    let scale = 1.0 / (variance + epsilon).sqrt();
                    scales.push(scale);
                    let factors = gain.values().iter().zip(bias.values());
                    for ((y, normal), (gain, bias)) in
                        value.row_mut(row).iter_mut().zip(centred).zip(factors)
                    {
                        *normal *= scale;
                        *y = normal.mul_add(*gain, *bias);
                    }
                }
            },
        );
        (Normalised { rows, scales }, value)
    }
}

struct NormGradients {
    /// Of the rows before they were normalised.
    sum: Matrix,
    gain: Matrix,
    bias: Matrix,
}

impl Normalised {
    fn backward(&self, gains: &[f32], mut gradient: Matrix) -> NormGradients {
        let n_columns = gradient.n_columns();
        let mut gain = Matrix::zeros(1, n_columns);
        let mut bias = Matrix::zeros(1, n_columns);
        simd::vectorized(
            #[inline(always)]
            || {
                for (row, scale) in self.scales.iter().enumerate() {
                    let (dy, normal) = (gradient.row_mut(row), self.rows.row(row));
                    let sums = gain.values_mut().iter_mut();
                    for ((sum, dy), normal) in sums.zip(dy.iter()).zip(normal) {
                        *sum = dy.mul_add(*normal, *sum);
                    }
                    simd::add(bias.values_mut(), dy);
                    // dx = (dn - mean(dn) - n mean(dn n)) / deviation, with dn = dy gain.
                    simd::multiply(dy, gains);
                    let mean = simd::total(dy) / n_columns as f32;
                    let along = simd::dot(dy, normal) / n_columns as f32;
                    for (dx, normal) in dy.iter_mut().zip(normal) {
                        *dx = (*dx - mean - normal * along) * scale;
                    }
                }
            },
        );
        NormGradients {
            sum: gradient,
            gain,
            bias,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, masks, values};

    #[test]
    fn gradients() {
        for masks in [None, Some(Arc::new(masks(4, 6)))] {
            check(
                &[values(4, 6), values(4, 6), values(1, 6), values(1, 6)],
                |tape, [x, y, gain, bias]| {
                    let epsilon = Norm::EPSILON;
                    let norm = Norm {
                        gain,
                        bias,
                        epsilon,
                    };
                    add_and_norm(tape, x, y, masks.clone(), norm)
                },
            );
        }
    }
}
