//! Layer normalisation (Ba et al. 2016).

use std::sync::Arc;

use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Tape, Var};

/// What is added to the variance of a row, as in PyTorch.
const EPSILON: f32 = 1e-5;

/// What is learnt: two rows, [1, columns].
#[derive(Clone, Copy, Debug)]
pub struct Norm {
    /// What values are multiplied with.
    pub gain: Var,
    /// What is added.
    pub bias: Var,
}

/// The sum of `x` and `y`, whose values are multiplied with masks first; then each row less its mean,
/// over its deviation, times `gain` plus `bias`.
pub fn add_and_norm(
    tape: &mut Tape<'_>,
    x: Var,
    y: Var,
    masks: Option<Arc<Matrix>>,
    norm: Norm,
) -> Var {
    let (n_rows, n_columns) = tape.value(x).shape();
    let mut normal = Matrix::unset(n_rows, n_columns);
    let mut value = Matrix::unset(n_rows, n_columns);
    let mut scales = Vec::with_capacity(n_rows);
    let (xs, ys) = (tape.value(x), tape.value(y));
    let (gains, biases) = (tape.value(norm.gain), tape.value(norm.bias));
    simd::vectorized(
        #[inline(always)]
        || {
            for row in 0..n_rows {
                let sum = normal.row_mut(row);
                sum.copy_from_slice(ys.row(row));
                if let Some(masks) = &masks {
                    simd::multiply(sum, masks.row(row));
                }
                simd::add(sum, xs.row(row));
                let mean = simd::total(sum) / n_columns as f32;
                for value in sum.iter_mut() {
                    *value -= mean;
                }
                let centred = sum;
                let variance = simd::dot(centred, centred) / n_columns as f32;
                let scale = 1.0 / (variance + EPSILON).sqrt();
                scales.push(scale);
                let factors = gains.values().iter().zip(biases.values());
                for ((y, normal), (gain, bias)) in
                    value.row_mut(row).iter_mut().zip(centred).zip(factors)
                {
                    *normal *= scale;
                    *y = normal.mul_add(*gain, *bias);
                }
            }
        },
    );
    tape.push(value, move |values, mut gradient, gradients| {
        let gains = values[norm.gain].values();
        let mut gain_gradient = Matrix::zeros(1, n_columns);
        let mut bias_gradient = Matrix::zeros(1, n_columns);
        simd::vectorized(
            #[inline(always)]
            || {
                for (row, scale) in scales.iter().enumerate() {
                    let (dy, normal) = (gradient.row_mut(row), normal.row(row));
                    let sums = gain_gradient.values_mut().iter_mut();
                    for ((sum, dy), normal) in sums.zip(dy.iter()).zip(normal) {
                        *sum = dy.mul_add(*normal, *sum);
                    }
                    simd::add(bias_gradient.values_mut(), dy);
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
        gradients.add(norm.gain, gain_gradient);
        gradients.add(norm.bias, bias_gradient);
        if gradients.wants(y) {
            let mut masked = gradient.clone();
            if let Some(masks) = &masks {
                simd::vectorized(
                    #[inline(always)]
                    || simd::multiply(masked.values_mut(), masks.values()),
                );
            }
            gradients.add(y, masked);
        }
        gradients.add(x, gradient);
    })
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
                    add_and_norm(tape, x, y, masks.clone(), Norm { gain, bias })
                },
            );
        }
    }
}
