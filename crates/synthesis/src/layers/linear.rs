//! Products with weights.

use std::sync::Arc;

use crate::matrix::{Matrix, product};
use crate::simd;
use crate::tape::{Gradients, Tape, Values, Var};

/// `x · weight + bias`, with `x` [rows, inputs], `weight` [inputs, outputs], `bias` [1, outputs].
pub(crate) fn linear(tape: &mut Tape<'_>, x: Var, weight: Var, bias: Option<Var>) -> Var {
    let mut value = product(tape.value(x).view(), tape.value(weight).view());
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
    let mut value = product(tape.value(x).view(), tape.value(weight).view());
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
    }
}
