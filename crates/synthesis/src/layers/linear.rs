//! Products with weights.

use crate::matrix::{Matrix, product};
use crate::tape::{Tape, Var};

/// `x · weight + bias`, with `x` [rows, inputs], `weight` [inputs, outputs], `bias` [1, outputs].
pub fn linear(tape: &mut Tape<'_>, x: Var, weight: Var, bias: Option<Var>) -> Var {
    let n_rows = tape.value(x).n_rows();
    let mut value = match bias {
        Some(bias) => repeated(tape.value(bias), n_rows),
        None => Matrix::zeros(n_rows, tape.value(weight).n_columns()),
    };
    value.add_product(tape.value(x).view(), tape.value(weight).view());
    tape.push(value, move |values, gradient, gradients| {
        if gradients.wants(x) {
            gradients.add(x, product(gradient.view(), values[weight].transposed()));
        }
        let shape = values[weight].shape();
        let weights = gradients.of(weight, shape);
        weights.add_product(values[x].transposed(), gradient.view());
        if let Some(bias) = bias {
            let sums = gradients.of(bias, (1, shape.1));
            for row in 0..gradient.n_rows() {
                for (sum, value) in sums.values_mut().iter_mut().zip(gradient.row(row)) {
                    *sum += value;
                }
            }
        }
    })
}

fn repeated(row: &Matrix, n_rows: usize) -> Matrix {
    let mut result = Matrix::unset(n_rows, row.n_columns());
    for index in 0..n_rows {
        result.row_mut(index).copy_from_slice(row.values());
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    #[test]
    fn gradients() {
        check(
            &[values(3, 4), values(4, 5), values(1, 5)],
            |tape, [x, weight, bias]| linear(tape, x, weight, Some(bias)),
        );
    }
}
