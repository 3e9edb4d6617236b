//! Gradients against finite differences, and vectors against plain loops.

use std::sync::Arc;

use crate::gradient::Gradient;
use crate::matrix::Matrix;
use crate::parameters::Parameters;
use crate::sequences::Sequences;
use crate::simd;
use crate::tape::{Recording, Tape, Var};

use super::{
    DecoderInputs, DecoderPlan, Group, Norm, add_and_norm, attend, decode, gelu, lstm, relu,
    self_attend, weighted_sum,
};

/// Some values, different for each shape, between -1 and 1.
pub(crate) fn values(n_rows: usize, n_columns: usize) -> Matrix {
    Matrix::from_fn(n_rows, n_columns, |row, column| {
        let number = (row * 37 + column * 17 + n_rows * 5 + n_columns * 3) % 101;
        number as f32 / 50.0 - 1.0
    })
}

/// Masks that drop about a third of the values, and scale the others.
pub(crate) fn masks(n_rows: usize, n_columns: usize) -> Matrix {
    Matrix::from_fn(n_rows, n_columns, |row, column| {
        f32::from(u8::from((row + column) % 3 > 0)) * 1.25
    })
}

/// Compares gradients of a weighted sum of what `layer` computes with central differences, and both with
/// what plain loops compute.
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
    let gradients = with_and_without_vectors(&parameters, loss);

    for (id, gradient) in ids.into_iter().zip(gradients) {
        let gradient = gradient.unwrap_or_else(|| panic!("input {} has a gradient", id.index()));
        let gradient = whole(&gradient, parameters.get(id).shape());
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

/// A gradient of all rows, those that it is not of being zeros.
pub(crate) fn whole(gradient: &Gradient, (n_rows, n_columns): (usize, usize)) -> Matrix {
    let Some(rows) = gradient.rows() else {
        return gradient.values().clone();
    };
    let mut whole = Matrix::zeros(n_rows, n_columns);
    for (from, &to) in rows.iter().enumerate() {
        let values = gradient.values().row(from);
        whole.row_mut(to as usize).copy_from_slice(values);
    }
    whole
}

/// The gradients of a loss, which must be what plain loops find.
fn with_and_without_vectors(
    parameters: &Parameters,
    loss: impl Fn(&mut Tape<'_>) -> Var,
) -> Vec<Option<Gradient>> {
    let run = || {
        let mut tape = Tape::new(parameters, Recording::Gradients);
        let result = loss(&mut tape);
        (tape.value(result).clone(), tape.backward(result))
    };
    let (value, gradients) = run();
    let (plain_value, plain_gradients) = simd::plainly(run);
    assert_close("loss", &value, &plain_value);
    for (gradient, plain) in gradients.iter().zip(&plain_gradients) {
        let found = gradient.as_ref().zip(plain.as_ref());
        let (gradient, plain) = found.expect("every input has a gradient");
        assert_eq!(gradient.rows(), plain.rows());
        assert_close("gradient", gradient.values(), plain.values());
    }
    gradients
}

/// Vectors add up in another order than plain loops, and that is all.
fn assert_close(what: &str, vectors: &Matrix, plain: &Matrix) {
    assert_eq!(vectors.shape(), plain.shape(), "{what}");
    for (vectors, plain) in vectors.values().iter().zip(plain.values()) {
        assert!(
            (vectors - plain).abs() <= 1e-4 * plain.abs().max(1.0),
            "{what}: {vectors} with vectors, {plain} with plain loops"
        );
    }
}

/// Checks that a layer is the same with and without vectors.
fn compare<const N: usize>(inputs: [Matrix; N], layer: impl Fn(&mut Tape<'_>, [Var; N]) -> Var) {
    let mut parameters = Parameters::default();
    let inputs = inputs.map(|input| {
        let name = parameters.len().to_string();
        Var::from(parameters.add(name, input))
    });
    with_and_without_vectors(&parameters, |tape| {
        let value = layer(tape, inputs);
        let (n_rows, n_columns) = tape.value(value).shape();
        weighted_sum(tape, value, values(n_rows, n_columns))
    });
}

/// Layers that are wider than any vector, and not a multiple of it.
#[test]
fn vectors_and_plain_loops_agree_in_wide_layers() {
    compare(
        [values(3, 70), values(70, 90), values(1, 90)],
        |tape, [x, weight, bias]| relu(tape, x, weight, bias, None),
    );
    compare(
        [values(3, 70), values(3, 70), values(1, 70), values(1, 70)],
        |tape, [x, y, gain, bias]| {
            let epsilon = Norm::EPSILON;
            let norm = Norm {
                gain,
                bias,
                epsilon,
            };
            add_and_norm(tape, x, y, None, norm)
        },
    );
    compare(
        [values(3, 70), values(70, 90), values(1, 90)],
        |tape, [x, weight, bias]| gelu(tape, x, weight, bias),
    );
    compare([values(5, 3 * 70)], |tape, [projected]| {
        self_attend(tape, projected, Arc::new(vec![0..4, 4..5]), 2)
    });
    compare([values(5, 160), values(40, 160)], |tape, [x, weight]| {
        lstm(tape, x, weight, Arc::new(Sequences::new(vec![3, 2])), None)
    });
    compare(
        [values(5, 3 * 70), values(4, 35), values(4, 35)],
        |tape, [projected, keys, values]| {
            let relations = Arc::new((0..25).map(|it| it % 4).collect());
            let groups = Arc::new(vec![Group {
                rows: 0..5,
                relations,
            }]);
            attend(tape, projected, keys, values, groups, 2)
        },
    );
}

#[test]
fn vectors_and_plain_loops_agree_in_a_wide_decoder() {
    compare(
        [
            values(6, 160),
            values(7, 160),
            values(7, 35),
            values(40, 8 * 40 + 35),
            values(1, 35),
        ],
        |tape, [gates, elements, keys, weight, attention]| {
            let plan = DecoderPlan {
                sequences: Sequences::new(vec![4, 2]),
                parents: vec![None, None, Some(0), Some(1), Some(0), Some(2)],
                elements: vec![0..5, 5..7],
                masks: None,
            };
            let inputs = DecoderInputs {
                gates,
                elements,
                keys,
                weight,
                attention,
            };
            decode(tape, inputs, Arc::new(plan))
        },
    );
}
