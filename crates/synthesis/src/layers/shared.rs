//! Products with rows that many others share.

use std::sync::Arc;

use super::linear::{add_rows, add_to_rows};
use crate::matrix::{Matrix, View, add_product, product};
use crate::simd;
use crate::tape::{Tape, Var};

/// A part of the input of a product.
#[derive(Clone, Debug)]
pub(crate) struct SharedRows {
    /// Rows, each different: [different rows, inputs of the part].
    pub(crate) x: Var,
    /// Which of them each row of the result has.
    pub(crate) of_rows: Arc<Vec<u32>>,
}

/// `x · weight + bias`, where the inputs of a row are one row of each part, side by side.
///
/// The same as [`linear`](super::linear) of gathered and concatenated rows, but a row that occurs
/// many times is multiplied once, forwards and backwards.
///
/// # Panics
///
/// When there is no part.
pub(crate) fn linear_of_shared(
    tape: &mut Tape<'_>,
    parts: Vec<SharedRows>,
    weight: Var,
    bias: Var,
) -> Var {
    let n_rows = parts[0].of_rows.len();
    let mut value = Matrix::unset(n_rows, tape.value(weight).n_columns());
    let mut start = 0;
    for (index, part) in parts.iter().enumerate() {
        let x = tape.value(part.x);
        let weights = rows_of(tape.value(weight), start, x.n_columns());
        start += x.n_columns();
        let mut products = product(x.view(), weights);
        if index == 0 {
            add_to_rows(&mut products, tape.value(bias));
            gather(&mut value, &products, &part.of_rows);
        } else {
            gather_sums(&mut value, &products, &part.of_rows);
        }
    }
    tape.push(value, move |values, gradient, gradients| {
        let shape = values[weight].shape();
        let mut start = 0;
        for (index, part) in parts.iter().enumerate() {
            let x = &values[part.x];
            let mut sums = Matrix::zeros(x.n_rows(), shape.1);
            simd::vectorized(
                #[inline(always)]
                || {
                    for (row, &of_row) in part.of_rows.iter().enumerate() {
                        simd::add(sums.row_mut(of_row as usize), gradient.row(row));
                    }
                },
            );
            if index == 0 {
                add_rows(gradients.of(bias, (1, shape.1)), &sums);
            }
            let weights = rows_of(&values[weight], start, x.n_columns());
            gradients.add_product(part.x, sums.view(), weights.transposed());
            let own = gradients.of(weight, shape);
            let own = own.rows_mut(start..start + x.n_columns());
            add_product(own, shape.1, 0..shape.1, x.transposed(), sums.view());
            start += x.n_columns();
        }
    })
}

fn rows_of(weight: &Matrix, start: usize, n_rows: usize) -> View<'_> {
    weight.view().rows(start..start + n_rows)
}

fn gather(to: &mut Matrix, from: &Matrix, of_rows: &[u32]) {
    for (row, &of_row) in of_rows.iter().enumerate() {
        to.row_mut(row).copy_from_slice(from.row(of_row as usize));
    }
}

fn gather_sums(to: &mut Matrix, from: &Matrix, of_rows: &[u32]) {
    simd::vectorized(
        #[inline(always)]
        || {
            for (row, &of_row) in of_rows.iter().enumerate() {
                simd::add(to.row_mut(row), from.row(of_row as usize));
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};
    use crate::layers::{concat_columns, gather_rows, linear};
    use crate::parameters::Parameters;
    use crate::tape::Recording;

    fn of_rows() -> [Arc<Vec<u32>>; 2] {
        [vec![1, 0, 0, 1, 2], vec![0, 1, 1, 1, 0]].map(Arc::new)
    }

    #[test]
    fn gradients() {
        check(
            &[values(3, 2), values(2, 3), values(5, 4), values(1, 4)],
            |tape, [first, second, weight, bias]| {
                let parts = [first, second].into_iter().zip(of_rows());
                let parts = parts.map(|(x, of_rows)| SharedRows { x, of_rows });
                linear_of_shared(tape, parts.collect(), weight, bias)
            },
        );
    }

    #[test]
    fn shared_rows_are_rows() {
        let mut parameters = Parameters::default();
        let xs = [("first", values(3, 2)), ("second", values(2, 3))];
        let xs: [Var; 2] = xs.map(|(name, x)| parameters.add(name, x).into());
        let weight = parameters.add("weight", values(5, 4)).into();
        let bias = parameters.add("bias", values(1, 4)).into();
        let mut tape = Tape::new(&parameters, Recording::ValuesOnly);
        let gathered: Vec<Var> = (xs.iter().zip(of_rows()))
            .map(|(&x, of_rows)| gather_rows(&mut tape, x, of_rows))
            .collect();
        let rows = concat_columns(&mut tape, &gathered);
        let expected = linear(&mut tape, rows, weight, Some(bias));
        let parts = xs.into_iter().zip(of_rows());
        let parts = parts.map(|(x, of_rows)| SharedRows { x, of_rows });
        let found = linear_of_shared(&mut tape, parts.collect(), weight, bias);
        let pairs = tape.value(found).values().iter();
        for (found, expected) in pairs.zip(tape.value(expected).values()) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }
}
