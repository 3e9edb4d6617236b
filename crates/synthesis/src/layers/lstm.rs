//! Long short-term memory (Hochreiter and Schmidhuber 1997) over sequences of different lengths.

use std::sync::Arc;

use crate::matrix::Matrix;
use crate::sequences::Sequences;
use crate::simd::{self, Panels};
use crate::tape::{Tape, Var};

/// The states of a recurrent layer after each step, [rows, hidden].
///
/// `inputs` [rows, 4 hidden] is what the input contributes to the gates, bias included; `weight`
/// [hidden, 4 hidden] is for the state before. Gates come in PyTorch's order: input, forget,
/// candidate, output. A state is multiplied with its sequence's mask before it goes into the next
/// step.
///
/// The gradient of `weight` is one large product at the end, not one small product a step.
pub fn lstm(
    tape: &mut Tape<'_>,
    inputs: Var,
    weight: Var,
    sequences: Arc<Sequences>,
    masks: Option<Arc<Matrix>>,
) -> Var {
    let size = tape.value(weight).n_rows();
    let mut gates = tape.value(inputs).clone();
    let mut cells = Matrix::unset(sequences.n_rows(), size);
    let mut states = Matrix::unset(sequences.n_rows(), size);
    // What goes into the next step: the state, masked.
    let mut fed = Matrix::unset(sequences.n_rows(), size);
    let panels = Panels::new(tape.value(weight));
    for step in 0..sequences.n_steps() {
        let rows = sequences.rows(step);
        if step > 0 {
            let before = sequences.rows(step - 1).start;
            let before = before..before + rows.len();
            panels.add_product(fed.rows(before), gates.rows_mut(rows.clone()));
        }
        for (sequence, row) in rows.enumerate() {
            let before = (step > 0).then(|| sequences.row(sequence, step - 1));
            forward(&mut gates, &mut cells, &mut states, row, before);
            fed.row_mut(row).copy_from_slice(states.row(row));
            if let Some(masks) = &masks {
                multiply(fed.row_mut(row), masks.row(sequence));
            }
        }
    }
    tape.push(states, move |values, gradient, gradients| {
        let panels = Panels::transposed(&values[weight]);
        let mut gate_gradients = Matrix::unset(sequences.n_rows(), 4 * size);
        let mut state_gradients = Matrix::zeros(sequences.len(), size);
        let mut cell_gradients = Matrix::zeros(sequences.len(), size);
        for step in (0..sequences.n_steps()).rev() {
            let rows = sequences.rows(step);
            for (sequence, row) in rows.clone().enumerate() {
                if let Some(masks) = &masks {
                    multiply(state_gradients.row_mut(sequence), masks.row(sequence));
                }
                let state = state_gradients.row_mut(sequence);
                for (state, gradient) in state.iter_mut().zip(gradient.row(row)) {
                    *state += gradient;
                }
                let before = (step > 0).then(|| cells.row(sequences.row(sequence, step - 1)));
                backward(
                    &CellAt {
                        gates: gates.row(row),
                        cell: cells.row(row),
                        before,
                    },
                    state,
                    cell_gradients.row_mut(sequence),
                    gate_gradients.row_mut(row),
                );
            }
            let states = state_gradients.rows_mut(0..rows.len());
            states.fill(0.0);
            panels.add_product(gate_gradients.rows(rows), states);
        }
        let shape = values[weight].shape();
        let weights = gradients.of(weight, shape);
        add_recurrent_gradient(weights, &sequences, &fed, &gate_gradients);
        gradients.add(inputs, gate_gradients);
    })
}

/// Adds `fed(t - 1)ᵀ · gates(t)` for all steps but the first.
fn add_recurrent_gradient(
    weights: &mut Matrix,
    sequences: &Sequences,
    fed: &Matrix,
    gate_gradients: &Matrix,
) {
    if sequences.n_steps() < 2 {
        return;
    }
    let first = sequences.rows(0).len();
    let n_rows = sequences.n_rows() - first;
    let mut before = Matrix::unset(n_rows, fed.n_columns());
    for step in 1..sequences.n_steps() {
        let rows = sequences.rows(step);
        let start = sequences.rows(step - 1).start;
        let to = rows.start - first..rows.end - first;
        before
            .rows_mut(to)
            .copy_from_slice(fed.rows(start..start + rows.len()));
    }
    let gates = crate::matrix::View::of(
        gate_gradients.rows(first..sequences.n_rows()),
        n_rows,
        gate_gradients.n_columns(),
    );
    weights.add_product(before.transposed(), gates);
}

/// Replaces the gates of a row by their activations; fills in its cell and its state.
pub(super) fn forward(
    gates: &mut Matrix,
    cells: &mut Matrix,
    states: &mut Matrix,
    row: usize,
    before: Option<usize>,
) {
    let size = cells.n_columns();
    let (earlier, cell) = cells.values_mut().split_at_mut(row * size);
    let before = before.map(|before| &earlier[before * size..(before + 1) * size]);
    step(
        gates.row_mut(row),
        before,
        &mut cell[..size],
        states.row_mut(row),
    );
}

/// One step of a cell: `c = f c' + i g`, `h = o tanh(c)`.
pub(crate) fn step(gates: &mut [f32], before: Option<&[f32]>, cell: &mut [f32], state: &mut [f32]) {
    let size = cell.len();
    simd::vectorized(
        #[inline(always)]
        || {
            let (input, rest) = gates.split_at_mut(size);
            let (forget, rest) = rest.split_at_mut(size);
            let (candidate, output) = rest.split_at_mut(size);
            // Slices of one length, so that no index has to be checked inside the loops.
            let (output, state) = (&mut output[..size], &mut state[..size]);
            for gate in [&mut *input, &mut *forget, &mut *output] {
                for gate in gate {
                    *gate = simd::sigmoid(*gate);
                }
            }
            for gate in &mut *candidate {
                *gate = simd::tanh(*gate);
            }
            for index in 0..size {
                cell[index] = input[index] * candidate[index];
            }
            if let Some(before) = before {
                let before = &before[..size];
                for index in 0..size {
                    cell[index] = forget[index].mul_add(before[index], cell[index]);
                }
            }
            for index in 0..size {
                state[index] = output[index] * simd::tanh(cell[index]);
            }
        },
    );
}

/// What a cell was at a step.
pub(super) struct CellAt<'a> {
    /// The activations of its gates.
    pub(super) gates: &'a [f32],
    /// Its value.
    pub(super) cell: &'a [f32],
    /// Its value a step before.
    pub(super) before: Option<&'a [f32]>,
}

/// From the gradient of the state, and of the cell as far as later steps ask for it, to those of the
/// gates; the gradient of the cell becomes that of the cell before.
pub(super) fn backward(
    at: &CellAt<'_>,
    state_gradient: &[f32],
    cell_gradient: &mut [f32],
    gate_gradients: &mut [f32],
) {
    let size = at.cell.len();
    simd::vectorized(
        #[inline(always)]
        || {
            let (input, rest) = at.gates.split_at(size);
            let (forget, rest) = rest.split_at(size);
            let (candidate, output) = rest.split_at(size);
            let output = &output[..size];
            let (d_input, rest) = gate_gradients.split_at_mut(size);
            let (d_forget, rest) = rest.split_at_mut(size);
            let (d_candidate, d_output) = rest.split_at_mut(size);
            let d_output = &mut d_output[..size];
            let state_gradient = &state_gradient[..size];
            let cell_gradient = &mut cell_gradient[..size];
            let zeros;
            let before = if let Some(before) = at.before {
                &before[..size]
            } else {
                zeros = vec![0.0; size];
                &zeros[..size]
            };
            for index in 0..size {
                let tanh = simd::tanh(at.cell[index]);
                let (i, f, g, o) = (input[index], forget[index], candidate[index], output[index]);
                let dh = state_gradient[index];
                let dc = cell_gradient[index] + dh * o * (1.0 - tanh * tanh);
                d_input[index] = dc * g * i * (1.0 - i);
                d_forget[index] = dc * before[index] * f * (1.0 - f);
                d_candidate[index] = dc * i * (1.0 - g * g);
                d_output[index] = dh * tanh * o * (1.0 - o);
                cell_gradient[index] = dc * f;
            }
        },
    );
}

/// Multiplies values with a mask.
pub(super) fn multiply(values: &mut [f32], mask: &[f32]) {
    for (value, mask) in values.iter_mut().zip(mask) {
        *value *= mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    #[test]
    fn gradients() {
        for lengths in [vec![3, 2, 2], vec![1], vec![4, 1]] {
            let sequences = Arc::new(Sequences::new(lengths));
            let n_sequences = sequences.len();
            let masks = Matrix::from_fn(n_sequences, 3, |row, column| {
                f32::from(u8::from((row + column) % 3 > 0)) * 1.25
            });
            for masks in [None, Some(Arc::new(masks))] {
                let inputs = values(sequences.n_rows(), 12);
                check(&[inputs, values(3, 12)], |tape, [inputs, weight]| {
                    // A sequence of one step does not use the weights: their gradient is zero.
                    lstm(tape, inputs, weight, Arc::clone(&sequences), masks.clone())
                });
            }
        }
    }
}
