//! Functions of single values.

use std::sync::Arc;

use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Tape, Var};

/// The hyperbolic tangent of each value.
pub(crate) fn tanh(tape: &mut Tape<'_>, x: Var) -> Var {
    let value = map(tape.value(x), simd::tanh);
    let result = tape.next();
    tape.push(value, move |values, mut gradient, gradients| {
        simd::vectorized(
            #[inline(always)]
            || {
                for (gradient, y) in gradient
                    .values_mut()
                    .iter_mut()
                    .zip(values[result].values())
                {
                    *gradient *= 1.0 - y * y;
                }
            },
        );
        gradients.add(x, gradient);
    })
}

/// The sum of two matrices of the same shape.
pub(crate) fn add(tape: &mut Tape<'_>, x: Var, y: Var) -> Var {
    let mut value = tape.value(x).clone();
    value.add(tape.value(y));
    tape.push(value, move |_, gradient, gradients| {
        if gradients.wants(y) {
            gradients.add(y, gradient.clone());
        }
        gradients.add(x, gradient);
    })
}

/// Multiplies each row with a row of a constant mask: the one whose index `rows` gives.
pub(crate) fn mask(tape: &mut Tape<'_>, x: Var, masks: Arc<Matrix>, rows: Arc<Vec<u32>>) -> Var {
    let mut value = tape.value(x).clone();
    multiply(&mut value, &masks, &rows);
    tape.push(value, move |_, mut gradient, gradients| {
        multiply(&mut gradient, &masks, &rows);
        gradients.add(x, gradient);
    })
}

/// A function of each value.
#[inline(always)]
fn map(x: &Matrix, function: impl Fn(f32) -> f32) -> Matrix {
    let mut result = Matrix::unset(x.n_rows(), x.n_columns());
    simd::vectorized(
        #[inline(always)]
        || {
            for (result, &x) in result.values_mut().iter_mut().zip(x.values()) {
                *result = function(x);
            }
        },
    );
    result
}

fn multiply(values: &mut Matrix, masks: &Matrix, rows: &[u32]) {
    simd::vectorized(
        #[inline(always)]
        || {
            for (row, &mask) in rows.iter().enumerate() {
                simd::multiply(values.row_mut(row), masks.row(mask as usize));
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    #[test]
    fn gradients() {
        check(&[values(3, 4)], |tape, [x]| tanh(tape, x));
        check(&[values(3, 4), values(3, 4)], |tape, [x, y]| {
            let sum = add(tape, x, y);
            add(tape, sum, x)
        });
        check(&[values(3, 2)], |tape, [x]| {
            let masks = Arc::new(Matrix::new(2, 2, vec![0.0, 1.25, 1.25, 0.0]));
            mask(tape, x, masks, Arc::new(vec![1, 0, 1]))
        });
    }
}
