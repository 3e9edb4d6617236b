//! Relation-aware self-attention (Shaw et al. 2018).

use std::ops::Range;
use std::sync::Arc;

use super::heads::HeadLayout;
use crate::matrix::{Matrix, View, add_product, fill_product, product};
use crate::simd;
use crate::tape::{Tape, Var};

/// Elements that attend to each other: those of one example.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Their rows.
    pub(crate) rows: Range<usize>,
    /// The type of the relation of each to each, row by row.
    pub(crate) relations: Arc<Vec<u8>>,
}

/// What each element gathers from its group, [rows, width], all heads side by side.
///
/// These are the paper's `e_ij`, `α_ij` and `z_i` with `r_ij^K` and `r_ij^V` (section 5).
/// `projected` [rows, 3 width] holds queries, keys and values. With `r(i, j)` the relation of two
/// elements and `d` the width of a head,
///
/// ```text
/// e(i, j) = q(i) · (k(j) + keys[r(i, j)]) / √d      a = softmax over j of e
/// z(i)    = Σ a(i, j) (v(j) + values[r(i, j)])
/// ```
///
/// where `relation_keys` and `relation_values` [types, d] are shared by all heads. Scores are taken
/// once for each type and picked for each pair, so that no vector is ever made for a pair; what has
/// to do with types is one product for all groups.
///
/// # Panics
///
/// When not every row is of one group.
pub(crate) fn attend(
    tape: &mut Tape<'_>,
    projected: Var,
    relation_keys: Var,
    relation_values: Var,
    groups: Arc<Vec<Group>>,
    n_heads: usize,
) -> Var {
    let (n_rows, n_columns) = tape.value(projected).shape();
    let n_grouped: usize = groups.iter().map(|it| it.rows.len()).sum();
    assert_eq!(n_grouped, n_rows, "every row is of one group");
    let layout = HeadLayout::new(n_columns, n_heads);
    let width = layout.width;
    let mut value = Matrix::unset(n_rows, width);
    let mut attention = Vec::with_capacity(n_heads);
    let operands = Operands {
        projected: tape.value(projected),
        relation_keys: tape.value(relation_keys),
        relation_values: tape.value(relation_values),
    };
    for head in 0..n_heads {
        let own = layout.forward(&operands, &groups, head, &mut value);
        if tape.is_recording() {
            attention.push(own);
        }
    }
    tape.push(value, move |values, gradient, gradients| {
        let operands = Operands {
            projected: &values[projected],
            relation_keys: &values[relation_keys],
            relation_values: &values[relation_values],
        };
        let shape = values[relation_keys].shape();
        let mut result = OperandGradients {
            projected: Matrix::unset(n_rows, 3 * width),
            relation_keys: Matrix::zeros(shape.0, shape.1),
            relation_values: Matrix::zeros(shape.0, shape.1),
        };
        for (head, attention) in attention.iter().enumerate() {
            layout.backward(&operands, &groups, head, attention, &gradient, &mut result);
        }
        gradients.add(projected, result.projected);
        gradients.add(relation_keys, result.relation_keys);
        gradients.add(relation_values, result.relation_values);
    })
}

/// How much is attended to in one head.
struct Attention {
    /// For each group, how much each element attends to each: [elements, elements].
    to_elements: Vec<Matrix>,
    /// How much each element attends to those that it is related to by each type: [rows, types].
    to_types: Matrix,
}

struct Operands<'a> {
    projected: &'a Matrix,
    relation_keys: &'a Matrix,
    relation_values: &'a Matrix,
}

struct OperandGradients {
    projected: Matrix,
    relation_keys: Matrix,
    relation_values: Matrix,
}

impl HeadLayout {
    /// Fills in the columns of a head.
    fn forward(
        self,
        operands: &Operands<'_>,
        groups: &[Group],
        head: usize,
        value: &mut Matrix,
    ) -> Attention {
        let (keys, values) = (operands.relation_keys, operands.relation_values);
        let queries = operands.projected.view().columns(self.queries(head));
        let by_type = product(queries, keys.transposed()); // [rows, types]
        let mut to_types = Matrix::zeros(queries.n_rows(), keys.n_rows());
        let mut to_elements = Vec::with_capacity(groups.len());
        for group in groups {
            let rows = rows_of(operands.projected, group);
            let queries = rows.columns(self.queries(head));
            let mut a = product(queries, rows.columns(self.keys(head)).transposed());
            self.become_probabilities(&mut a, group, &by_type);
            add_by_type(&a, group, &mut to_types);
            let values = rows.columns(self.values(head));
            let result = value.rows_mut(group.rows.clone());
            fill_product(result, self.width, self.queries(head), a.view(), values);
            to_elements.push(a);
        }
        add_product(
            value.values_mut(),
            self.width,
            self.queries(head),
            to_types.view(),
            values.view(),
        );
        Attention {
            to_elements,
            to_types,
        }
    }

    /// From dot products of a group to probabilities.
    fn become_probabilities(self, scores: &mut Matrix, group: &Group, by_type: &Matrix) {
        let scale = self.scale();
        simd::vectorized(
            #[inline(always)]
            || {
                for (index, types) in relations(group).enumerate() {
                    let by_type = by_type.row(group.rows.start + index);
                    let scores = scores.row_mut(index);
                    for (score, &relation) in scores.iter_mut().zip(types) {
                        *score = (*score + by_type[relation as usize]) * scale;
                    }
                    simd::softmax(scores);
                }
            },
        );
    }

    fn backward(
        self,
        operands: &Operands<'_>,
        groups: &[Group],
        head: usize,
        attention: &Attention,
        gradient: &Matrix,
        result: &mut OperandGradients,
    ) {
        let (own, wide) = (self.queries(head), 3 * self.width);
        let all_dz = gradient.view().columns(own.clone());
        let all_queries = operands.projected.view().columns(own.clone());
        let by_type = product(all_dz, operands.relation_values.transposed());
        let to_types = &attention.to_types;
        result
            .relation_values
            .add_product(to_types.transposed(), all_dz);
        let mut by_types = Matrix::zeros(to_types.n_rows(), to_types.n_columns());
        for (group, a) in groups.iter().zip(&attention.to_elements) {
            let rows = rows_of(operands.projected, group);
            let dz = rows_of(gradient, group).columns(own.clone());
            let mut scores = product(dz, rows.columns(self.values(head)).transposed());
            self.become_score_gradients(&mut scores, group, &by_type, a);
            add_by_type(&scores, group, &mut by_types);
            let (queries, keys) = (rows.columns(own.clone()), rows.columns(self.keys(head)));
            let result = result.projected.rows_mut(group.rows.clone());
            fill_product(result, wide, self.values(head), a.transposed(), dz);
            fill_product(result, wide, own.clone(), scores.view(), keys);
            fill_product(result, wide, self.keys(head), scores.transposed(), queries);
        }
        add_product(
            result.projected.values_mut(),
            wide,
            own,
            by_types.view(),
            operands.relation_keys.view(),
        );
        result
            .relation_keys
            .add_product(by_types.transposed(), all_queries);
    }

    /// From dot products with the gradients of what is gathered to gradients of scores.
    fn become_score_gradients(
        self,
        scores: &mut Matrix,
        group: &Group,
        by_type: &Matrix,
        a: &Matrix,
    ) {
        let scale = self.scale();
        simd::vectorized(
            #[inline(always)]
            || {
                for (index, types) in relations(group).enumerate() {
                    let by_type = by_type.row(group.rows.start + index);
                    let (scores, a) = (scores.row_mut(index), a.row(index));
                    for (score, &relation) in scores.iter_mut().zip(types) {
                        *score += by_type[relation as usize];
                    }
                    let mean = simd::dot(scores, a);
                    for (score, a) in scores.iter_mut().zip(a) {
                        *score = (*score - mean) * a * scale;
                    }
                }
            },
        );
    }
}

fn rows_of<'m>(matrix: &'m Matrix, group: &Group) -> View<'m> {
    View::of(
        matrix.rows(group.rows.clone()),
        group.rows.len(),
        matrix.n_columns(),
    )
}

fn relations(group: &Group) -> impl Iterator<Item = &[u8]> {
    group.relations.chunks_exact(group.rows.len().max(1))
}

/// Adds values of pairs to the sums of each element and each type of relation.
fn add_by_type(values: &Matrix, group: &Group, sums: &mut Matrix) {
    for (index, types) in relations(group).enumerate() {
        let sums = sums.row_mut(group.rows.start + index);
        for (value, &relation) in values.row(index).iter().zip(types) {
            sums[relation as usize] += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    #[test]
    fn gradients() {
        let relations = |n: u8, shift: u8| {
            let pairs = (0..n).flat_map(move |i| (0..n).map(move |j| (i * 3 + j * 2 + shift) % 4));
            Arc::new(pairs.collect::<Vec<u8>>())
        };
        let groups = Arc::new(vec![
            Group {
                rows: 0..3,
                relations: relations(3, 0),
            },
            Group {
                rows: 3..5,
                relations: relations(2, 1),
            },
        ]);
        check(
            &[values(5, 12), values(4, 2), values(4, 2)],
            |tape, [projected, keys, values]| {
                attend(tape, projected, keys, values, Arc::clone(&groups), 2)
            },
        );
    }
}
