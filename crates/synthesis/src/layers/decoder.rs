//! The decoder's recurrence: attention, parent feeding and LSTM, all steps in one layer.

use std::ops::Range;
use std::sync::Arc;

use super::lstm::{self, CellAt};
use crate::matrix::{Matrix, add_product, product};
use crate::sequences::Sequences;
use crate::simd::{self, Panels};
use crate::tape::{Tape, Var};

/// What the states are computed from.
#[derive(Clone, Copy, Debug)]
pub struct DecoderInputs {
    /// What the embeddings contribute to the gates, bias included: [steps, 4 hidden].
    pub gates: Var,
    /// What each element of the encoding would contribute to the gates: [elements, 4 hidden].
    pub elements: Var,
    /// The key of each element: [elements, attention].
    pub keys: Var,
    /// From a state to what it contributes to the gates of the next step (4 hidden columns), to those of
    /// its children (4 hidden more), and to the query of the next step (attention more).
    pub weight: Var,
    /// The weights of attention, [1, attention].
    pub attention: Var,
}

/// What is the same for all weights.
#[derive(Clone, Debug)]
pub struct DecoderPlan {
    /// The steps of the programs, longest first.
    pub sequences: Sequences,
    /// For each row, the row of the step that built its parent.
    pub parents: Vec<Option<u32>>,
    /// For each program, the rows of the elements that it may attend to.
    pub elements: Vec<Range<usize>>,
    /// For each program, what its states are multiplied with before they are fed on.
    pub masks: Option<Matrix>,
}

/// The states after all steps, [steps, hidden].
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
pub fn decode(tape: &mut Tape<'_>, inputs: DecoderInputs, plan: Arc<DecoderPlan>) -> Var {
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
                        attend(
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
        let size = operands.weight.n_rows();
        let n_attention = operands.attention.n_columns();
        let sequences = &plan.sequences;
        let panels = Panels::transposed(operands.weight);
        let mut gates = Matrix::unset(sequences.n_rows(), 4 * size);
        let mut keys = Matrix::zeros(operands.keys.n_rows(), n_attention);
        let mut attention = Matrix::zeros(1, n_attention);
        let mut contributions = Matrix::zeros(sequences.n_rows(), operands.weight.n_columns());
        let mut cells = Matrix::zeros(sequences.len(), size);
        let mut states = Matrix::zeros(sequences.len(), size);
        let mut scores = Vec::new();
        for step in (0..sequences.n_steps()).rev() {
            let rows = sequences.rows(step);
            panels.fill_product(
                contributions.rows(rows.clone()),
                states.rows_mut(0..rows.len()),
            );
            for (sequence, row) in rows.enumerate() {
                let state = states.row_mut(sequence);
                if let Some(masks) = &plan.masks {
                    lstm::multiply(state, masks.row(sequence));
                }
                let before = (step > 0).then(|| sequences.row(sequence, step - 1));
                for (state, gradient) in state.iter_mut().zip(gradient.row(row)) {
                    *state += gradient;
                }
                lstm::backward(
                    &CellAt {
                        gates: self.gates.row(row),
                        cell: self.cells.row(row),
                        before: before.map(|it| self.cells.row(it)),
                    },
                    state,
                    cells.row_mut(sequence),
                    gates.row_mut(row),
                );
                let gates = gates.row(row);
                let elements = plan.elements[sequence].clone();
                let probabilities = self.attention.of(row, elements.len());
                let query = before.map(|it| &self.contributions.row(it)[8 * size..]);
                let mut query_gradient = vec![0.0; n_attention];
                simd::vectorized(
                    #[inline(always)]
                    || {
                        score_gradients(
                            &mut scores,
                            gates,
                            probabilities,
                            operands.elements,
                            elements.clone(),
                        );
                        attend_backward(
                            &scores,
                            &Scored {
                                keys: operands.keys,
                                weights: operands.attention.values(),
                                elements,
                                query,
                            },
                            &mut keys,
                            attention.values_mut(),
                            &mut query_gradient,
                        );
                        if let Some(before) = before {
                            let contribution = contributions.row_mut(before);
                            simd::add_scaled(&mut contribution[..4 * size], 1.0, gates);
                            simd::add_scaled(&mut contribution[8 * size..], 1.0, &query_gradient);
                        }
                        if let Some(parent) = plan.parents[row] {
                            let contribution = contributions.row_mut(parent as usize);
                            simd::add_scaled(&mut contribution[4 * size..8 * size], 1.0, gates);
                        }
                    },
                );
            }
        }
        let weight = product(self.fed.transposed(), contributions.view());
        OperandGradients {
            elements: self.element_gradients(operands, plan, &gates),
            gates,
            keys,
            weight,
            attention,
        }
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

/// Fills in how much a step attends to each element.
#[inline(always)]
pub(crate) fn attend(
    keys: &Matrix,
    weights: &[f32],
    elements: Range<usize>,
    query: &[f32],
    attention: &mut [f32],
) {
    for (score, element) in attention.iter_mut().zip(elements) {
        *score = score_of(weights, query, keys.row(element));
    }
    simd::softmax(attention);
}

/// `weights · tanh(query + key)`.
#[inline(always)]
fn score_of(weights: &[f32], query: &[f32], key: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0_f32; LANES];
    let (weights, weight_rest) = weights.as_chunks::<LANES>();
    let (queries, query_rest) = query.as_chunks::<LANES>();
    let (keys, key_rest) = key.as_chunks::<LANES>();
    for ((weight, query), key) in weights.iter().zip(queries).zip(keys) {
        for lane in 0..LANES {
            sums[lane] = weight[lane].mul_add(simd::tanh(query[lane] + key[lane]), sums[lane]);
        }
    }
    let mut sum = sums.iter().sum();
    for ((weight, query), key) in weight_rest.iter().zip(query_rest).zip(key_rest) {
        sum += weight * simd::tanh(query + key);
    }
    sum
}

/// Adds rows, each times its weight, four at a time.
#[inline(always)]
pub(crate) fn add_weighted_rows(
    result: &mut [f32],
    weights: &[f32],
    rows: &Matrix,
    which: Range<usize>,
) {
    let (fours, rest) = weights.as_chunks::<4>();
    let mut row = which.start;
    for weights in fours {
        let [a, b, c, d] = std::array::from_fn(|it| rows.row(row + it));
        for ((((result, a), b), c), d) in result.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            let first = a.mul_add(weights[0], b * weights[1]);
            let second = c.mul_add(weights[2], d * weights[3]);
            *result += first + second;
        }
        row += 4;
    }
    for weight in rest {
        simd::add_scaled(result, *weight, rows.row(row));
        row += 1;
    }
}

/// The gradients of the scores of elements, from those of the gates.
#[inline(always)]
fn score_gradients(
    scores: &mut Vec<f32>,
    gates: &[f32],
    probabilities: &[f32],
    rows: &Matrix,
    elements: Range<usize>,
) {
    scores.resize(elements.len(), 0.0);
    let (fours, rest) = scores.as_chunks_mut::<4>();
    let mut element = elements.start;
    for scores in fours {
        *scores = simd::four_dots(gates, std::array::from_fn(|it| rows.row(element + it)));
        element += 4;
    }
    for score in rest {
        *score = simd::dot(gates, rows.row(element));
        element += 1;
    }
    let mean = simd::dot(scores, probabilities);
    for (score, probability) in scores.iter_mut().zip(probabilities) {
        *score = (*score - mean) * probability;
    }
}

/// What scores were computed from.
struct Scored<'a> {
    keys: &'a Matrix,
    weights: &'a [f32],
    elements: Range<usize>,
    query: Option<&'a [f32]>,
}

/// Hands on the gradients of scores.
#[inline(always)]
fn attend_backward(
    scores: &[f32],
    scored: &Scored<'_>,
    key_gradients: &mut Matrix,
    weight_gradients: &mut [f32],
    query_gradient: &mut [f32],
) {
    let zeros;
    let query = if let Some(query) = scored.query {
        query
    } else {
        zeros = vec![0.0; scored.weights.len()];
        &zeros
    };
    // Slices of one length, so that no index has to be checked inside the loop.
    let size = query.len();
    let (weights, weight_gradients) = (&scored.weights[..size], &mut weight_gradients[..size]);
    let query_gradient = &mut query_gradient[..size];
    for (score, element) in scores.iter().zip(scored.elements.clone()) {
        let key = &scored.keys.row(element)[..size];
        let key_gradient = &mut key_gradients.row_mut(element)[..size];
        for index in 0..size {
            let tanh = simd::tanh(query[index] + key[index]);
            weight_gradients[index] = tanh.mul_add(*score, weight_gradients[index]);
            let inner = score * weights[index] * (1.0 - tanh * tanh);
            key_gradient[index] += inner;
            query_gradient[index] += inner;
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
