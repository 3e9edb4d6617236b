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
pub(crate) fn lstm(
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
            panels.fill_product(gate_gradients.rows(rows), states);
        }
        let before = fed_before(&sequences, &fed);
        let first = sequences.n_rows() - before.n_rows();
        let later = gate_gradients.view().rows(first..sequences.n_rows());
        gradients.add_product(weight, before.transposed(), later);
        gradients.add(inputs, gate_gradients);
    })
}

/// What goes into all steps but the first.
fn fed_before(sequences: &Sequences, fed: &Matrix) -> Matrix {
    let first = if sequences.is_empty() {
        0
    } else {
        sequences.rows(0).len()
    };
    let mut before = Matrix::unset(sequences.n_rows() - first, fed.n_columns());
    for step in 1..sequences.n_steps() {
        let rows = sequences.rows(step);
        let start = sequences.rows(step - 1).start;
        let to = rows.start - first..rows.end - first;
        let from = fed.rows(start..start + rows.len());
        before.rows_mut(to).copy_from_slice(from);
    }
    before
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
    let nothing;
    let before = if let Some(before) = at.before {
        before
    } else {
        nothing = vec![0.0; size];
        &nothing
    };
    let gates: [&[f32]; 4] = std::array::from_fn(|gate| &at.gates[gate * size..][..size]);
    simd::vectorized(
        #[inline(always)]
        || {
            // Results are gathered apart before they are written: so many slices could overlap, for all
            // the compiler knows, and it would not use vectors.
            const LANES: usize = 16;
            for start in (0..size).step_by(LANES) {
                let lanes = start..size.min(start + LANES);
                let read = |values: &[f32]| {
                    let mut lane_values = [0.0; LANES];
                    lane_values[..lanes.len()].copy_from_slice(&values[lanes.clone()]);
                    lane_values
                };
                let [i, f, g, o] = gates.map(read);
                let (cell, before) = (read(at.cell), read(before));
                let (state, mut later) = (read(state_gradient), read(cell_gradient));
                let mut results = [[0.0; LANES]; 4];
                for lane in 0..LANES {
                    let (i, f, g, o) = (i[lane], f[lane], g[lane], o[lane]);
                    let tanh = simd::tanh(cell[lane]);
                    let dc = later[lane] + state[lane] * o * (1.0 - tanh * tanh);
                    results[0][lane] = dc * g * i * (1.0 - i);
                    results[1][lane] = dc * before[lane] * f * (1.0 - f);
                    results[2][lane] = dc * i * (1.0 - g * g);
                    results[3][lane] = state[lane] * tanh * o * (1.0 - o);
                    later[lane] = dc * f;
                }
                for (gate, result) in results.iter().enumerate() {
                    let own = &mut gate_gradients[gate * size..][lanes.clone()];
                    own.copy_from_slice(&result[..lanes.len()]);
                }
                cell_gradient[lanes.clone()].copy_from_slice(&later[..lanes.len()]);
            }
        },
    );
}

/// Multiplies values with a mask.
pub(super) fn multiply(values: &mut [f32], mask: &[f32]) {
    simd::vectorized(
        #[inline(always)]
        || simd::multiply(values, mask),
    );
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
