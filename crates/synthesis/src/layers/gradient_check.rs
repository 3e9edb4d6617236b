//! Gradients against finite differences.

use crate::matrix::Matrix;
use crate::parameters::Parameters;
use crate::tape::{Recording, Tape, Var};

use super::inside::weighted_sum;

/// Some values, different for each shape, between -1 and 1.
pub(crate) fn values(n_rows: usize, n_columns: usize) -> Matrix {
    Matrix::from_fn(n_rows, n_columns, |row, column| {
        let number = (row * 37 + column * 17 + n_rows * 5 + n_columns * 3) % 101;
        number as f32 / 50.0 - 1.0
    })
}

/// Compares gradients of a weighted sum of what `layer` computes with central differences.
pub(crate) fn check<const N: usize>(
    inputs: &[Matrix; N],
    layer: impl Fn(&mut Tape<'_>, [Var; N]) -> Var,
) {
    let mut parameters = Parameters::default();
    let ids: [_; N] = std::array::from_fn(|it| parameters.add(it.to_string(), inputs[it].clone()));
    let loss = |tape: &mut Tape<'_>| {
        let value = layer(tape, ids.map(Var::from));
        let (n_rows, n_columns) = tape.value(value).shape();
        let weights = Matrix::from_fn(n_rows, n_columns, |row, column| {
            ((row * 3 + column * 7) % 5) as f32 / 2.0 - 0.8
        });
        weighted_sum(tape, value, weights)
    };
    let mut tape = Tape::new(&parameters, Recording::Gradients);
    let result = loss(&mut tape);
    let gradients = tape.backward(result);

    for (id, gradient) in ids.into_iter().zip(gradients) {
        let gradient = gradient.unwrap_or_else(|| panic!("input {} has a gradient", id.index()));
        for index in 0..gradient.values().len() {
            const STEP: f32 = 5e-3;
            let mut at = |offset: f32| {
                let before = parameters.get(id).values()[index];
                parameters.get_mut(id).values_mut()[index] = before + offset;
                let mut tape = Tape::new(&parameters, Recording::ValuesOnly);
                let result = loss(&mut tape);
                let value = tape.value(result).values()[0];
                parameters.get_mut(id).values_mut()[index] = before;
                f64::from(value)
            };
            let expected = (at(STEP) - at(-STEP)) / (2.0 * f64::from(STEP));
            let found = f64::from(gradient.values()[index]);
            assert!(
                (found - expected).abs() < 2e-3 * expected.abs().max(1.0),
                "input {}, value {index}: gradient {found}, difference quotient {expected}",
                id.index(),
            );
        }
    }
}
