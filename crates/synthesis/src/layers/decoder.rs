//! The decoder's recurrence: attention, parent feeding and LSTM, all steps in one layer.

use std::ops::Range;
use std::sync::Arc;

use super::additive_attention::{self, Scored, add_weighted_rows, additive_attention};
use super::lstm::{self, CellAt};
use crate::matrix::{Matrix, add_product, product};
use crate::sequences::Sequences;
use crate::simd::{self, Panels};
use crate::tape::{Tape, Var};

/// What the states are computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecoderInputs {
    /// What the embeddings contribute to the gates, bias included: [steps, 4 hidden].
    pub(crate) gates: Var,
    /// What each element of the encoding would contribute to the gates: [elements, 4 hidden].
    pub(crate) elements: Var,
    /// The key of each element: [elements, attention].
    pub(crate) keys: Var,
    /// From a state to what it contributes to the gates of the next step (4 hidden columns), to those of
    /// its children (4 hidden more), and to the query of the next step (attention more).
    pub(crate) weight: Var,
    /// The weights of attention, [1, attention].
    pub(crate) attention: Var,
}

/// What is the same for all weights.
#[derive(Clone, Debug)]
pub(crate) struct DecoderPlan {
    /// The steps of the programs, longest first.
    pub(crate) sequences: Sequences,
    /// For each row, the row of the step that built its parent.
    pub(crate) parents: Vec<Option<u32>>,
    /// For each program, the rows of the elements that it may attend to.
    pub(crate) elements: Vec<Range<usize>>,
    /// For each program, what its states are multiplied with before they are fed on.
    pub(crate) masks: Option<Matrix>,
}

/// The states after all steps, [steps, hidden]: the paper's
/// `h_t = LSTM([a_{t-1}, c_t, h_{p_t}, a_{p_t}, n_{f_t}], h_{t-1})`.
///
/// With the state `s` before, the state `p` of the parent's step, both masked, and the elements `m(j)`
/// with keys `k(j)`,
///
/// ```text
/// a     = softmax over j of attention · tanh(query(s) + k(j))
/// gates = gates(step) + W s + P p + Σ a(j) C m(j)
/// ```
///
/// `C m(j)` is taken once for each element instead of `C Σ a(j) m(j)` once for each step, and
/// `W s`, `P s` and `query(s)` are one product when `s` is made. Gradients of weights are taken
/// over all steps at once.
pub(crate) fn decode(tape: &mut Tape<'_>, inputs: DecoderInputs, plan: Arc<DecoderPlan>) -> Var {
    let (run, states) = Run::forward(
        &Operands {
            gates: tape.value(inputs.gates),
            elements: tape.value(inputs.elements),
            keys: tape.value(inputs.keys),
            weight: tape.value(inputs.weight),
            attention: tape.value(inputs.attention),
        },
        &plan,
    );
    if !tape.is_recording() {
        return tape.constant(states);
    }
    tape.push(states, move |values, gradient, gradients| {
        let operands = Operands {
            gates: &values[inputs.gates],
            elements: &values[inputs.elements],
            keys: &values[inputs.keys],
            weight: &values[inputs.weight],
            attention: &values[inputs.attention],
        };
        let result = run.backward(&operands, &plan, &gradient);
        gradients.add(inputs.gates, result.gates);
        gradients.add(inputs.elements, result.elements);
        gradients.add(inputs.keys, result.keys);
        gradients.add(inputs.weight, result.weight);
        gradients.add(inputs.attention, result.attention);
    })
}

#[derive(Clone, Copy)]
struct Operands<'a> {
    gates: &'a Matrix,
    elements: &'a Matrix,
    keys: &'a Matrix,
    weight: &'a Matrix,
    attention: &'a Matrix,
}

struct OperandGradients {
    gates: Matrix,
    elements: Matrix,
    keys: Matrix,
    weight: Matrix,
    attention: Matrix,
}

/// What a run leaves behind.
struct Run {
    /// The activations of the gates.
    gates: Matrix,
    cells: Matrix,
    /// The states as they are fed on: masked.
    fed: Matrix,
    /// What they contribute to later steps.
    contributions: Matrix,
    /// How much each step attends to each element of its program.
    attention: Attention,
}

/// A number for each step and each element of its program.
struct Attention {
    values: Vec<f32>,
    /// Where each row's numbers begin.
    starts: Vec<usize>,
}

impl Attention {
    fn new(plan: &DecoderPlan) -> Attention {
        let mut starts = Vec::with_capacity(plan.sequences.n_rows());
        let mut end = 0;
        for sequence in plan.sequences.sequence_of_rows() {
            starts.push(end);
            end += plan.elements[sequence as usize].len();
        }
        Attention {
            values: vec![0.0; end],
            starts,
        }
    }

    fn of(&self, row: usize, n_elements: usize) -> &[f32] {
        &self.values[self.starts[row]..][..n_elements]
    }

    fn of_mut(&mut self, row: usize, n_elements: usize) -> &mut [f32] {
        &mut self.values[self.starts[row]..][..n_elements]
    }
}

impl Run {
    /// Takes all steps; also the states after them.
    fn forward(operands: &Operands<'_>, plan: &DecoderPlan) -> (Run, Matrix) {
        let size = operands.weight.n_rows();
        let sequences = &plan.sequences;
        let n_rows = sequences.n_rows();
        let mut run = Run {
            gates: operands.gates.clone(),
            cells: Matrix::unset(n_rows, size),
            fed: Matrix::unset(n_rows, size),
            contributions: Matrix::unset(n_rows, operands.weight.n_columns()),
            attention: Attention::new(plan),
        };
        let mut states = Matrix::unset(n_rows, size);
        let panels = Panels::new(operands.weight);
        let nothing = vec![0.0; operands.weight.n_columns()];
        for step in 0..sequences.n_steps() {
            let rows = sequences.rows(step);
            for (sequence, row) in rows.clone().enumerate() {
                let before = (step > 0).then(|| sequences.row(sequence, step - 1));
                let contribution = before.map_or(&nothing[..], |it| run.contributions.row(it));
                let parent =
                    plan.parents[row].map_or(&nothing[..], |it| run.contributions.row(it as usize));
                let elements = plan.elements[sequence].clone();
                let gates = run.gates.row_mut(row);
                simd::vectorized(
                    #[inline(always)]
                    || {
                        let attention = run.attention.of_mut(row, elements.len());
                        additive_attention(
                            operands.keys,
                            operands.attention.values(),
                            elements.clone(),
                            &contribution[8 * size..],
                            attention,
                        );
                        simd::add_scaled(gates, 1.0, &contribution[..4 * size]);
                        simd::add_scaled(gates, 1.0, &parent[4 * size..8 * size]);
                        add_weighted_rows(gates, attention, operands.elements, elements);
                    },
                );
                lstm::forward(&mut run.gates, &mut run.cells, &mut states, row, before);
                run.fed.row_mut(row).copy_from_slice(states.row(row));
                if let Some(masks) = &plan.masks {
                    lstm::multiply(run.fed.row_mut(row), masks.row(sequence));
                }
            }
            panels.fill_product(run.fed.rows(rows.clone()), run.contributions.rows_mut(rows));
        }
        (run, states)
    }

    fn backward(
        &self,
        operands: &Operands<'_>,
        plan: &DecoderPlan,
        gradient: &Matrix,
    ) -> OperandGradients {
        let mut backward = Backward::new(self, *operands, plan);
        for step in (0..plan.sequences.n_steps()).rev() {
            backward.step(step, gradient);
        }
        backward.finish()
    }

    /// For each program, the attention of its steps, transposed, times the gradients of their gates.
    fn element_gradients(
        &self,
        operands: &Operands<'_>,
        plan: &DecoderPlan,
        gates: &Matrix,
    ) -> Matrix {
        let width = operands.elements.n_columns();
        let mut result = Matrix::zeros(operands.elements.n_rows(), width);
        for (sequence, elements) in plan.elements.iter().enumerate() {
            let n_steps = plan.sequences.length(sequence);
            let mut attention = Matrix::unset(n_steps, elements.len());
            let mut own = Matrix::unset(n_steps, width);
            for step in 0..n_steps {
                let row = plan.sequences.row(sequence, step);
                let weights = self.attention.of(row, elements.len());
                attention.row_mut(step).copy_from_slice(weights);
                own.row_mut(step).copy_from_slice(gates.row(row));
            }
            let result = result.rows_mut(elements.clone());
            add_product(result, width, 0..width, attention.transposed(), own.view());
        }
        result
    }
}

/// A run in reverse: gradients as far as later steps ask for them.
struct Backward<'a> {
    run: &'a Run,
    operands: Operands<'a>,
    plan: &'a DecoderPlan,
    panels: Panels,
    gates: Matrix,
    keys: Matrix,
    attention: Matrix,
    /// Of what each state contributes to later steps.
    contributions: Matrix,
    /// Of the cell and of the state of each program at the step at hand.
    cells: Matrix,
    states: Matrix,
    /// Of the scores of a step, kept so that their memory is used again.
    scores: Vec<f32>,
}

impl<'a> Backward<'a> {
    fn new(run: &'a Run, operands: Operands<'a>, plan: &'a DecoderPlan) -> Backward<'a> {
        let size = operands.weight.n_rows();
        let n_attention = operands.attention.n_columns();
        let (n_rows, n_programs) = (plan.sequences.n_rows(), plan.sequences.len());
        Backward {
            run,
            operands,
            plan,
            panels: Panels::transposed(operands.weight),
            gates: Matrix::unset(n_rows, 4 * size),
            keys: Matrix::zeros(operands.keys.n_rows(), n_attention),
            attention: Matrix::zeros(1, n_attention),
            contributions: Matrix::zeros(n_rows, operands.weight.n_columns()),
            cells: Matrix::zeros(n_programs, size),
            states: Matrix::zeros(n_programs, size),
            scores: Vec::new(),
        }
    }

    /// Goes through a step of all programs that have it; `gradient` is that of all states.
    fn step(&mut self, step: usize, gradient: &Matrix) {
        let sequences = &self.plan.sequences;
        let rows = sequences.rows(step);
        self.panels.fill_product(
            self.contributions.rows(rows.clone()),
            self.states.rows_mut(0..rows.len()),
        );
        for (sequence, row) in rows.enumerate() {
            let before = (step > 0).then(|| sequences.row(sequence, step - 1));
            self.through_cell(sequence, row, before, gradient.row(row));
            self.through_attention(sequence, row, before);
        }
    }

    /// From the gradient of a state to that of its gates.
    fn through_cell(
        &mut self,
        sequence: usize,
        row: usize,
        before: Option<usize>,
        gradient: &[f32],
    ) {
        let state = self.states.row_mut(sequence);
        if let Some(masks) = &self.plan.masks {
            lstm::multiply(state, masks.row(sequence));
        }
        for (state, gradient) in state.iter_mut().zip(gradient) {
            *state += gradient;
        }
        lstm::backward(
            &CellAt {
                gates: self.run.gates.row(row),
                cell: self.run.cells.row(row),
                before: before.map(|it| self.run.cells.row(it)),
            },
            state,
            self.cells.row_mut(sequence),
            self.gates.row_mut(row),
        );
    }

    /// From the gradients of gates to those of keys, query and attention, and of what the state before and
    /// the parent's have contributed.
    fn through_attention(&mut self, sequence: usize, row: usize, before: Option<usize>) {
        let size = self.operands.weight.n_rows();
        let gates = self.gates.row(row);
        let elements = self.plan.elements[sequence].clone();
        let probabilities = self.run.attention.of(row, elements.len());
        let query = before.map(|it| &self.run.contributions.row(it)[8 * size..]);
        let mut query_gradient = vec![0.0; self.operands.attention.n_columns()];
        simd::vectorized(
            #[inline(always)]
            || {
                additive_attention::score_gradients(
                    &mut self.scores,
                    gates,
                    probabilities,
                    self.operands.elements,
                    elements.clone(),
                );
                additive_attention::backward(
                    &self.scores,
                    &Scored {
                        keys: self.operands.keys,
                        weights: self.operands.attention.values(),
                        elements,
                        query,
                    },
                    &mut self.keys,
                    self.attention.values_mut(),
                    &mut query_gradient,
                );
                if let Some(before) = before {
                    let contribution = self.contributions.row_mut(before);
                    simd::add_scaled(&mut contribution[..4 * size], 1.0, gates);
                    simd::add_scaled(&mut contribution[8 * size..], 1.0, &query_gradient);
                }
                if let Some(parent) = self.plan.parents[row] {
                    let contribution = self.contributions.row_mut(parent as usize);
                    simd::add_scaled(&mut contribution[4 * size..8 * size], 1.0, gates);
                }
            },
        );
    }

    fn finish(self) -> OperandGradients {
        let weight = product(self.run.fed.transposed(), self.contributions.view());
        let elements = self
            .run
            .element_gradients(&self.operands, self.plan, &self.gates);
        OperandGradients {
            elements,
            gates: self.gates,
            keys: self.keys,
            weight,
            attention: self.attention,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    #[test]
    fn gradients() {
        let (size, attention) = (2, 3);
        let sequences = Sequences::new(vec![4, 2]);
        let plan = DecoderPlan {
            parents: vec![None, None, Some(0), Some(1), Some(0), Some(2)],
            elements: vec![0..3, 3..5],
            masks: Some(Matrix::new(2, 2, vec![1.25, 1.25, 0.0, 1.25])),
            sequences,
        };
        for masks in [None, plan.masks.clone()] {
            let plan = Arc::new(DecoderPlan {
                masks,
                ..plan.clone()
            });
            check(
                &[
                    values(6, 4 * size),
                    values(5, 4 * size),
                    values(5, attention),
                    values(size, 8 * size + attention),
                    values(1, attention),
                ],
                |tape, [gates, elements, keys, weight, attention]| {
                    let inputs = DecoderInputs {
                        gates,
                        elements,
                        keys,
                        weight,
                        attention,
                    };
                    decode(tape, inputs, Arc::clone(&plan))
                },
            );
        }
    }
}
