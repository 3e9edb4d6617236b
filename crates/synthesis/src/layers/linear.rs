//! Products with weights.

use std::sync::Arc;

use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Gradients, Tape, Values, Var};

/// `x · weight + bias`, with `x` [rows, inputs], `weight` [inputs, outputs], `bias` [1, outputs].
pub(crate) fn linear(tape: &mut Tape<'_>, x: Var, weight: Var, bias: Option<Var>) -> Var {
    let mut value = tape.product(x, weight);
    if let Some(bias) = bias {
        add_to_rows(&mut value, tape.value(bias));
    }
    tape.push(value, move |values, gradient, gradients| {
        backward(values, &gradient, gradients, (x, weight, bias));
    })
}

/// Rectified linear units, `max(0, x · weight + bias)`, times a mask where one is given, in one pass over the values.
pub(crate) fn relu(
    tape: &mut Tape<'_>,
    x: Var,
    weight: Var,
    bias: Var,
    masks: Option<Arc<Matrix>>,
) -> Var {
    let mut value = tape.product(x, weight);
    let biases = tape.value(bias).values();
    simd::vectorized(
        #[inline(always)]
        || {
            for row in 0..value.n_rows() {
                let values = value.row_mut(row).iter_mut();
                for (value, bias) in values.zip(biases) {
                    *value = (*value + bias).max(0.0);
                }
            }
            if let Some(masks) = &masks {
                simd::multiply(value.values_mut(), masks.values());
            }
        },
    );
    let result = tape.next();
    tape.push(value, move |values, mut gradient, gradients| {
        simd::vectorized(
            #[inline(always)]
            || {
                if let Some(masks) = &masks {
                    simd::multiply(gradient.values_mut(), masks.values());
                }
                let values = values[result].values();
                for (gradient, &value) in gradient.values_mut().iter_mut().zip(values) {
                    *gradient = if value > 0.0 { *gradient } else { 0.0 };
                }
            },
        );
        backward(values, &gradient, gradients, (x, weight, Some(bias)));
    })
}

/// Gaussian error linear units (Hendrycks and Gimpel 2016), `y Φ(y)` with `y = x · weight + bias`, in one pass over
/// the values.
pub(crate) fn gelu(tape: &mut Tape<'_>, x: Var, weight: Var, bias: Var) -> Var {
    let mut before = tape.product(x, weight);
    let mut value = Matrix::unset(before.n_rows(), before.n_columns());
    let biases = tape.value(bias).values();
    simd::vectorized(
        #[inline(always)]
        || {
            for row in 0..value.n_rows() {
                let values = value.row_mut(row).iter_mut();
                for ((value, before), bias) in values.zip(before.row_mut(row)).zip(biases) {
                    *before += bias;
                    *value = *before * simd::gauss(*before).below;
                }
            }
        },
    );
    tape.push(value, move |values, mut gradient, gradients| {
        simd::vectorized(
            #[inline(always)]
            || {
                let before = before.values();
                for (gradient, &y) in gradient.values_mut().iter_mut().zip(before) {
                    let gauss = simd::gauss(y);
                    *gradient *= y.mul_add(gauss.density, gauss.below);
                }
            },
        );
        backward(values, &gradient, gradients, (x, weight, Some(bias)));
    })
}

/// What several layers, each a weight and a bias of the same shapes, make of `x`, side by side:
/// [rows, layers · outputs].
pub(crate) fn linear_side_by_side<const N: usize>(
    tape: &mut Tape<'_>,
    x: Var,
    layers: [(Var, Var); N],
) -> Var {
    let n_rows = tape.value(x).n_rows();
    let biases = layers.map(|(_, bias)| tape.value(bias).values()).concat();
    let (all, width) = (biases.len(), biases.len() / N);
    let mut value = Matrix::unset(n_rows, all);
    for (index, (weight, _)) in layers.iter().enumerate() {
        let columns = index * width..(index + 1) * width;
        tape.fill_product(&mut value, columns, x, *weight);
    }
    add_to_rows(&mut value, &Matrix::new(1, all, biases));
    tape.push(value, move |values, gradient, gradients| {
        let mut sums = Matrix::zeros(1, all);
        add_rows(&mut sums, &gradient);
        for (index, &(weight, bias)) in layers.iter().enumerate() {
            let columns = index * width..(index + 1) * width;
            let own = gradient.view().columns(columns.clone());
            gradients.add_product(x, own, values[weight].transposed());
            gradients.add_product(weight, values[x].transposed(), own);
            let sum = sums.values()[columns].to_vec();
            gradients.add(bias, Matrix::new(1, width, sum));
        }
    })
}

/// From the gradient of a product to those of its factors and of the bias.
fn backward(
    values: &Values<'_>,
    gradient: &Matrix,
    gradients: &mut Gradients,
    (x, weight, bias): (Var, Var, Option<Var>),
) {
    gradients.add_product(x, gradient.view(), values[weight].transposed());
    gradients.add_product(weight, values[x].transposed(), gradient.view());
    if let Some(bias) = bias {
        add_rows(gradients.of(bias, (1, gradient.n_columns())), gradient);
    }
}

/// Adds a bias, [1, columns], to every row.
pub(super) fn add_to_rows(rows: &mut Matrix, bias: &Matrix) {
    simd::vectorized(
        #[inline(always)]
        || {
            for row in 0..rows.n_rows() {
                simd::add(rows.row_mut(row), bias.values());
            }
        },
    );
}

/// Adds every row to a sum, [1, columns].
pub(super) fn add_rows(sum: &mut Matrix, rows: &Matrix) {
    simd::vectorized(
        #[inline(always)]
        || {
            for row in 0..rows.n_rows() {
                simd::add(sum.values_mut(), rows.row(row));
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, masks, values};

    #[test]
    fn gradients() {
        let inputs = [values(3, 4), values(4, 5), values(1, 5)];
        check(&inputs, |tape, [x, weight, bias]| {
            linear(tape, x, weight, Some(bias))
        });
        for masks in [None, Some(Arc::new(masks(3, 5)))] {
            check(&inputs, |tape, [x, weight, bias]| {
                relu(tape, x, weight, bias, masks.clone())
            });
        }
        check(&inputs, |tape, [x, weight, bias]| {
            gelu(tape, x, weight, bias)
        });
        let inputs = [values(3, 4), values(4, 5), values(1, 5), values(4, 5)];
        check(&inputs, |tape, [x, weight, bias, other]| {
            linear_side_by_side(tape, x, [(weight, bias), (other, bias)])
        });
    }
}
