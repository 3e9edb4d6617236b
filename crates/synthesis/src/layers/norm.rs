//! Layer normalisation (Ba et al. 2016).

use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Tape, Var};

/// What is added to the variance of a row, as in PyTorch.
const EPSILON: f32 = 1e-5;

/// Each row less its mean, over its deviation, times `gain` plus `bias`, both [1, columns].
pub fn layer_norm(tape: &mut Tape<'_>, x: Var, gain: Var, bias: Var) -> Var {
    let (n_rows, n_columns) = tape.value(x).shape();
    let mut normal = Matrix::unset(n_rows, n_columns);
    let mut value = Matrix::unset(n_rows, n_columns);
    let mut scales = Vec::with_capacity(n_rows);
    let (xs, gains, biases) = (tape.value(x), tape.value(gain), tape.value(bias));
    simd::vectorized(
        #[inline(always)]
        || {
            for row in 0..n_rows {
                let x = xs.row(row);
                let mean = simd::total(x) / n_columns as f32;
                let centred = normal.row_mut(row);
                for (centred, x) in centred.iter_mut().zip(x) {
                    *centred = x - mean;
                }
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
    tape.push(value, move |values, gradient, gradients| {
        let gains = values[gain].values();
        let mut result = Matrix::unset(n_rows, n_columns);
        let mut gain_gradient = Matrix::zeros(1, n_columns);
        let mut bias_gradient = Matrix::zeros(1, n_columns);
        simd::vectorized(
            #[inline(always)]
            || {
                for (row, scale) in scales.iter().enumerate() {
                    let (dy, normal) = (gradient.row(row), normal.row(row));
                    for ((sum, dy), normal) in
                        gain_gradient.values_mut().iter_mut().zip(dy).zip(normal)
                    {
                        *sum = dy.mul_add(*normal, *sum);
                    }
                    for (sum, dy) in bias_gradient.values_mut().iter_mut().zip(dy) {
                        *sum += dy;
                    }
                    // dx = (dn - mean(dn) - n mean(dn n)) / deviation, with dn = dy gain.
                    let dx = result.row_mut(row);
                    for ((dx, dy), gain) in dx.iter_mut().zip(dy).zip(gains) {
                        *dx = dy * gain;
                    }
                    let mean = simd::total(dx) / n_columns as f32;
                    let along = simd::dot(dx, normal) / n_columns as f32;
                    for (dx, normal) in dx.iter_mut().zip(normal) {
                        *dx = (*dx - mean - normal * along) * scale;
                    }
                }
            },
        );
        gradients.add(x, result);
        gradients.add(gain, gain_gradient);
        gradients.add(bias, bias_gradient);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    #[test]
    fn gradients() {
        check(
            &[values(4, 6), values(1, 6), values(1, 6)],
            |tape, [x, gain, bias]| layer_norm(tape, x, gain, bias),
        );
    }
}
