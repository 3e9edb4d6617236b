//! Functions of single values.

use std::sync::Arc;

use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Tape, Var};

/// The hyperbolic tangent of each value.
pub fn tanh(tape: &mut Tape<'_>, x: Var) -> Var {
    let value = map(tape.value(x), simd::tanh);
    let result = Arc::new(value.clone());
    tape.push(value, move |_, mut gradient, gradients| {
        simd::vectorized(
            #[inline(always)]
            || {
                for (gradient, y) in gradient.values_mut().iter_mut().zip(result.values()) {
                    *gradient *= 1.0 - y * y;
                }
            },
        );
        gradients.add(x, gradient);
    })
}

/// Negative values become zero.
pub fn relu(tape: &mut Tape<'_>, x: Var) -> Var {
    let value = map(tape.value(x), |x| x.max(0.0));
    tape.push(value, move |values, mut gradient, gradients| {
        simd::vectorized(
            #[inline(always)]
            || {
                for (gradient, &x) in gradient.values_mut().iter_mut().zip(values[x].values()) {
                    *gradient = if x > 0.0 { *gradient } else { 0.0 };
                }
            },
        );
        gradients.add(x, gradient);
    })
}

/// The sum of two matrices of the same shape.
pub fn add(tape: &mut Tape<'_>, left: Var, right: Var) -> Var {
    let mut value = tape.value(left).clone();
    value.add(tape.value(right));
    tape.push(value, move |_, gradient, gradients| {
        gradients.add(left, gradient.clone());
        gradients.add(right, gradient);
    })
}

/// Multiplies each row with a row of a constant mask: the one whose index `rows` gives, or its own.
pub fn mask(tape: &mut Tape<'_>, x: Var, masks: Arc<Matrix>, rows: Option<Arc<Vec<u32>>>) -> Var {
    let mut value = tape.value(x).clone();
    multiply(&mut value, &masks, rows.as_deref());
    tape.push(value, move |_, mut gradient, gradients| {
        multiply(&mut gradient, &masks, rows.as_deref());
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

fn multiply(values: &mut Matrix, masks: &Matrix, rows: Option<&Vec<u32>>) {
    simd::vectorized(
        #[inline(always)]
        || {
            for row in 0..values.n_rows() {
                let mask = masks.row(rows.map_or(row, |rows| rows[row] as usize));
                for (value, mask) in values.row_mut(row).iter_mut().zip(mask) {
                    *value *= mask;
                }
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
        check(&[values(3, 4)], |tape, [x]| relu(tape, x));
        check(&[values(3, 4), values(3, 4)], |tape, [x, y]| {
            add(tape, x, y)
        });
        check(&[values(3, 2)], |tape, [x]| {
            let masks = Arc::new(Matrix::new(2, 2, vec![0.0, 1.25, 1.25, 0.0]));
            mask(tape, x, masks, Some(Arc::new(vec![1, 0, 1])))
        });
    }
}
