//! Relation-aware self-attention (Shaw et al. 2018).

use std::ops::Range;
use std::sync::Arc;

use crate::matrix::{Matrix, View, add_product, product};
use crate::simd;
use crate::tape::{Tape, Var};

/// Elements that attend to each other: those of one example.
#[derive(Clone, Debug)]
pub struct Group {
    /// Their rows.
    pub rows: Range<usize>,
    /// The type of the relation of each to each, row by row.
    pub relations: Arc<Vec<u8>>,
}

/// What each element gathers from its group, [rows, width], all heads side by side.
///
/// `projected` [rows, 3 width] holds queries, keys and values. With `r(i, j)` the relation of two
/// elements and `d` the width of a head,
///
/// ```text
/// e(i, j) = q(i) · (k(j) + keys[r(i, j)]) / √d      a = softmax over j of e
/// z(i)    = Σ a(i, j) (v(j) + values[r(i, j)])
/// ```
///
/// where `relation_keys` and `relation_values` [types, d] are shared by all heads. Scores are taken
/// once for each type and picked for each pair, so that no vector is ever made for a pair.
pub fn attend(
    tape: &mut Tape<'_>,
    projected: Var,
    relation_keys: Var,
    relation_values: Var,
    groups: Arc<Vec<Group>>,
    n_heads: usize,
) -> Var {
    let (n_rows, width) = (
        tape.value(projected).n_rows(),
        tape.value(projected).n_columns() / 3,
    );
    let layout = Layout {
        width,
        head: width / n_heads,
    };
    let mut value = Matrix::zeros(n_rows, width);
    let mut probabilities = Vec::new();
    let operands = Operands {
        projected: tape.value(projected),
        relation_keys: tape.value(relation_keys),
        relation_values: tape.value(relation_values),
    };
    for group in groups.iter() {
        for head in 0..n_heads {
            let a = layout.probabilities(&operands, group, head);
            layout.gather(&operands, group, head, &a, &mut value);
            if tape.is_recording() {
                probabilities.push(a);
            }
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
            projected: Matrix::zeros(n_rows, 3 * width),
            relation_keys: Matrix::zeros(shape.0, shape.1),
            relation_values: Matrix::zeros(shape.0, shape.1),
        };
        let mut probabilities = probabilities.iter();
        for group in groups.iter() {
            for (head, a) in (0..n_heads).zip(&mut probabilities) {
                layout.backward(&operands, group, head, a, &gradient, &mut result);
            }
        }
        gradients.add(projected, result.projected);
        gradients.add(relation_keys, result.relation_keys);
        gradients.add(relation_values, result.relation_values);
    })
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

/// Where queries, keys and values of a head stand in a row.
#[derive(Clone, Copy)]
struct Layout {
    width: usize,
    head: usize,
}

impl Layout {
    fn queries(self, head: usize) -> Range<usize> {
        head * self.head..(head + 1) * self.head
    }

    fn keys(self, head: usize) -> Range<usize> {
        self.width + head * self.head..self.width + (head + 1) * self.head
    }

    fn values(self, head: usize) -> Range<usize> {
        2 * self.width + head * self.head..2 * self.width + (head + 1) * self.head
    }

    fn scale(self) -> f32 {
        1.0 / (self.head as f32).sqrt()
    }

    /// How much each element attends to each, [elements, elements].
    fn probabilities(self, operands: &Operands<'_>, group: &Group, head: usize) -> Matrix {
        let rows = rows_of(operands.projected, group);
        let queries = rows.columns(self.queries(head));
        let mut scores = product(queries, rows.columns(self.keys(head)).transposed());
        let by_type = product(queries, operands.relation_keys.transposed()); // [elements, types]
        let scale = self.scale();
        simd::vectorized(
            #[inline(always)]
            || {
                for (row, types) in relations(group).enumerate() {
                    let by_type = by_type.row(row);
                    let scores = scores.row_mut(row);
                    for (score, &relation) in scores.iter_mut().zip(types) {
                        *score = (*score + by_type[relation as usize]) * scale;
                    }
                    simd::softmax(scores);
                }
            },
        );
        scores
    }

    fn gather(
        self,
        operands: &Operands<'_>,
        group: &Group,
        head: usize,
        a: &Matrix,
        value: &mut Matrix,
    ) {
        let rows = rows_of(operands.projected, group);
        let columns = self.queries(head);
        let result = value.rows_mut(group.rows.clone());
        let values = rows.columns(self.values(head));
        add_product(result, self.width, columns.clone(), a.view(), values);
        let by_type = sums_by_type(a, group, operands.relation_values.n_rows());
        let values = operands.relation_values.view();
        add_product(result, self.width, columns, by_type.view(), values);
    }

    fn backward(
        self,
        operands: &Operands<'_>,
        group: &Group,
        head: usize,
        a: &Matrix,
        gradient: &Matrix,
        result: &mut OperandGradients,
    ) {
        let n_types = operands.relation_keys.n_rows();
        let rows = rows_of(operands.projected, group);
        let queries = rows.columns(self.queries(head));
        let dz = rows_of(gradient, group).columns(self.queries(head));

        // Values: of the elements, and of the types.
        let own = result.projected.rows_mut(group.rows.clone());
        add_product(own, 3 * self.width, self.values(head), a.transposed(), dz);
        let by_type = sums_by_type(a, group, n_types);
        result.relation_values.add_product(by_type.transposed(), dz);

        // Probabilities, then scores.
        let mut scores = product(dz, rows.columns(self.values(head)).transposed());
        let by_type = product(dz, operands.relation_values.transposed());
        let scale = self.scale();
        simd::vectorized(
            #[inline(always)]
            || {
                for (row, types) in relations(group).enumerate() {
                    let (by_type, a) = (by_type.row(row), a.row(row));
                    let scores = scores.row_mut(row);
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

        // Queries and keys: of the elements, and of the types.
        let keys = rows.columns(self.keys(head));
        let by_type = sums_by_type(&scores, group, n_types);
        add_product(own, 3 * self.width, self.queries(head), scores.view(), keys);
        let type_keys = operands.relation_keys.view();
        add_product(
            own,
            3 * self.width,
            self.queries(head),
            by_type.view(),
            type_keys,
        );
        add_product(
            own,
            3 * self.width,
            self.keys(head),
            scores.transposed(),
            queries,
        );
        result
            .relation_keys
            .add_product(by_type.transposed(), queries);
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

/// For each element and each type of relation, the sum over the elements so related.
fn sums_by_type(values: &Matrix, group: &Group, n_types: usize) -> Matrix {
    let mut sums = Matrix::zeros(group.rows.len(), n_types);
    for (row, types) in relations(group).enumerate() {
        let sums = sums.row_mut(row);
        for (value, &relation) in values.row(row).iter().zip(types) {
            sums[relation as usize] += value;
        }
    }
    sums
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
