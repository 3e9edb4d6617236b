//! Self-attention (Vaswani et al. 2017).

use std::ops::Range;
use std::sync::Arc;

use super::heads::HeadLayout;
use crate::matrix::{Matrix, fill_product, product};
use crate::simd;
use crate::tape::{Tape, Var};

/// What each row gathers from its sequence, [rows, width], all heads side by side.
///
/// `projected` [rows, 3 width] holds queries, keys and values. With `d` the width of a head,
///
/// ```text
/// a = softmax over j of q(i) · k(j) / √d        z(i) = Σ a(i, j) v(j)
/// ```
///
/// # Panics
///
/// When not every row is of one sequence.
pub(crate) fn self_attend(
    tape: &mut Tape<'_>,
    projected: Var,
    sequences: Arc<Vec<Range<usize>>>,
    n_heads: usize,
) -> Var {
    let source = tape.value(projected);
    let (n_rows, layout) = (
        source.n_rows(),
        HeadLayout::new(source.n_columns(), n_heads),
    );
    let n_grouped: usize = sequences.iter().map(Range::len).sum();
    assert_eq!(n_grouped, n_rows, "every row is of one sequence");
    let mut value = Matrix::unset(n_rows, layout.width);
    let mut attention = Vec::new();
    for rows in sequences.iter() {
        for head in 0..n_heads {
            let own = forward(layout, source, rows.clone(), head, &mut value);
            if tape.is_recording() {
                attention.push(own);
            }
        }
    }
    tape.push(value, move |values, gradient, gradients| {
        let mut result = Matrix::unset(n_rows, 3 * layout.width);
        let mut attention = attention.iter();
        for rows in sequences.iter() {
            for (head, a) in (0..n_heads).zip(attention.by_ref()) {
                let own = Own {
                    layout,
                    projected: &values[projected],
                    rows: rows.clone(),
                    head,
                };
                own.backward(a, &gradient, &mut result);
            }
        }
        gradients.add(projected, result);
    })
}

/// Fills in the columns of a head; how much each row of the sequence attends to each.
fn forward(
    layout: HeadLayout,
    projected: &Matrix,
    rows: Range<usize>,
    head: usize,
    value: &mut Matrix,
) -> Matrix {
    let own = projected.view().rows(rows.clone());
    let queries = own.columns(layout.queries(head));
    let mut a = product(queries, own.columns(layout.keys(head)).transposed());
    let scale = layout.scale();
    simd::vectorized(
        #[inline(always)]
        || {
            for row in 0..a.n_rows() {
                let scores = a.row_mut(row);
                for score in scores.iter_mut() {
                    *score *= scale;
                }
                simd::softmax(scores);
            }
        },
    );
    let result = value.rows_mut(rows);
    let values = own.columns(layout.values(head));
    fill_product(result, layout.width, layout.queries(head), a.view(), values);
    a
}

/// A head of a sequence.
struct Own<'a> {
    layout: HeadLayout,
    projected: &'a Matrix,
    rows: Range<usize>,
    head: usize,
}

impl Own<'_> {
    /// Fills in the gradients of its queries, keys and values.
    fn backward(self, a: &Matrix, gradient: &Matrix, result: &mut Matrix) {
        let (layout, head, wide) = (self.layout, self.head, 3 * self.layout.width);
        let own = self.projected.view().rows(self.rows.clone());
        let dz = gradient.view().rows(self.rows.clone());
        let dz = dz.columns(layout.queries(head));
        let mut scores = product(dz, own.columns(layout.values(head)).transposed());
        let scale = layout.scale();
        simd::vectorized(
            #[inline(always)]
            || {
                for row in 0..a.n_rows() {
                    let (scores, a) = (scores.row_mut(row), a.row(row));
                    let mean = simd::dot(scores, a);
                    for (score, a) in scores.iter_mut().zip(a) {
                        *score = (*score - mean) * a * scale;
                    }
                }
            },
        );
        let queries = own.columns(layout.queries(head));
        let keys = own.columns(layout.keys(head));
        let result = result.rows_mut(self.rows);
        fill_product(result, wide, layout.values(head), a.transposed(), dz);
        fill_product(result, wide, layout.queries(head), scores.view(), keys);
        fill_product(
            result,
            wide,
            layout.keys(head),
            scores.transposed(),
            queries,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    #[test]
    fn gradients() {
        let sequences = Arc::new(vec![0..3, 3..5]);
        check(&[values(5, 12)], |tape, [projected]| {
            self_attend(tape, projected, Arc::clone(&sequences), 2)
        });
    }
}
