//! Rows and columns put together in another way.

use std::sync::Arc;

use crate::matrix::Matrix;
use crate::parameters::Compact;
use crate::simd;
use crate::tape::{Tape, Var};

/// The rows of `x` with the given indices; a row may be taken many times.
pub(crate) fn gather_rows(tape: &mut Tape<'_>, x: Var, rows: Arc<Vec<u32>>) -> Var {
    let value = gathered(tape.value(x), &rows);
    tape.push(value, move |values, gradient, gradients| {
        if !gradients.wants(x) {
            return;
        }
        let sums = gradients.of(x, values[x].shape());
        for (to, &from) in rows.iter().enumerate() {
            let sum = sums.row_mut(from as usize);
            for (sum, value) in sum.iter_mut().zip(gradient.row(to)) {
                *sum += value;
            }
        }
    })
}

/// The rows of `table`, a parameter that is learnt row by row, with the given indices.
pub(crate) fn gather_learnt_rows(tape: &mut Tape<'_>, table: Var, rows: Arc<Vec<u32>>) -> Var {
    let value = match tape.compact(table) {
        Some(Compact::Bytes(bytes)) => bytes.gathered(&rows),
        _ => gathered(tape.value(table), &rows),
    };
    tape.push(value, move |_, gradient, gradients| {
        gradients.add_rows(table, &rows, &gradient);
    })
}

/// The mean of some rows of `x` for each list of indices, none of which is empty.
pub(crate) fn mean_rows(tape: &mut Tape<'_>, x: Var, lists: Arc<Vec<Vec<u32>>>) -> Var {
    let source = tape.value(x);
    let mut value = Matrix::zeros(lists.len(), source.n_columns());
    simd::vectorized(
        #[inline(always)]
        || {
            for (to, list) in lists.iter().enumerate() {
                let share = 1.0 / list.len() as f32;
                for &from in list {
                    simd::add_scaled(value.row_mut(to), share, source.row(from as usize));
                }
            }
        },
    );
    tape.push(value, move |values, gradient, gradients| {
        if !gradients.wants(x) {
            return;
        }
        let sums = gradients.of(x, values[x].shape());
        simd::vectorized(
            #[inline(always)]
            || {
                for (to, list) in lists.iter().enumerate() {
                    let share = 1.0 / list.len() as f32;
                    for &from in list {
                        simd::add_scaled(sums.row_mut(from as usize), share, gradient.row(to));
                    }
                }
            },
        );
    })
}

/// The rows with the given indices of a matrix that is learnt followed by one that is fixed.
pub(crate) fn look_up(
    tape: &mut Tape<'_>,
    learnt: Var,
    fixed: &Matrix,
    rows: Arc<Vec<u32>>,
) -> Var {
    let source = tape.value(learnt);
    let n_learnt = source.n_rows();
    let mut value = Matrix::unset(rows.len(), source.n_columns());
    for (to, &from) in rows.iter().enumerate() {
        let row = match (from as usize).checked_sub(n_learnt) {
            Some(fixed_row) => fixed.row(fixed_row),
            None => source.row(from as usize),
        };
        value.row_mut(to).copy_from_slice(row);
    }
    tape.push(value, move |values, gradient, gradients| {
        let sums = gradients.of(learnt, values[learnt].shape());
        let is_learnt = |it: &(usize, &u32)| (*it.1 as usize) < n_learnt;
        for (to, &from) in rows.iter().enumerate().filter(is_learnt) {
            let sum = sums.row_mut(from as usize);
            for (sum, value) in sum.iter_mut().zip(gradient.row(to)) {
                *sum += value;
            }
        }
    })
}

fn gathered(source: &Matrix, rows: &[u32]) -> Matrix {
    let mut value = Matrix::unset(rows.len(), source.n_columns());
    for (to, &from) in rows.iter().enumerate() {
        value.row_mut(to).copy_from_slice(source.row(from as usize));
    }
    value
}

/// The rows of the first matrix, then those of the next, and so on.
///
/// # Panics
///
/// When they are not equally wide, or there is none.
pub(crate) fn concat_rows(tape: &mut Tape<'_>, parts: &[Var]) -> Var {
    let n_columns = tape.value(parts[0]).n_columns();
    let n_rows = parts.iter().map(|&it| tape.value(it).n_rows()).sum();
    let mut value = Matrix::unset(n_rows, n_columns);
    let mut start = 0;
    for &part in parts {
        let part = tape.value(part);
        assert_eq!(part.n_columns(), n_columns, "equally wide");
        let rows = start..start + part.n_rows();
        start = rows.end;
        value.rows_mut(rows).copy_from_slice(part.values());
    }
    let parts = parts.to_vec();
    tape.push(value, move |values, gradient, gradients| {
        let mut start = 0;
        for &part in &parts {
            let rows = start..start + values[part].n_rows();
            start = rows.end;
            let mut own = Matrix::unset(rows.len(), gradient.n_columns());
            own.values_mut().copy_from_slice(gradient.rows(rows));
            gradients.add(part, own);
        }
    })
}

/// Each row of the first matrix, followed by the same row of the next, and so on.
///
/// # Panics
///
/// When they are not equally high, or there is none.
pub(crate) fn concat_columns(tape: &mut Tape<'_>, parts: &[Var]) -> Var {
    let n_rows = tape.value(parts[0]).n_rows();
    let n_columns = parts.iter().map(|&it| tape.value(it).n_columns()).sum();
    let mut value = Matrix::unset(n_rows, n_columns);
    let mut start = 0;
    for &part in parts {
        let part = tape.value(part);
        assert_eq!(part.n_rows(), n_rows, "equally high");
        for row in 0..n_rows {
            value.row_mut(row)[start..start + part.n_columns()].copy_from_slice(part.row(row));
        }
        start += part.n_columns();
    }
    let parts = parts.to_vec();
    tape.push(value, move |values, gradient, gradients| {
        let mut start = 0;
        for &part in &parts {
            let n_columns = values[part].n_columns();
            let own = Matrix::from_fn(gradient.n_rows(), n_columns, |row, column| {
                gradient.row(row)[start + column]
            });
            gradients.add(part, own);
            start += n_columns;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    #[test]
    fn gradients() {
        check(&[values(3, 2)], |tape, [x]| {
            gather_rows(tape, x, Arc::new(vec![2, 0, 2, 2]))
        });
        check(&[values(3, 2)], |tape, [x]| {
            gather_learnt_rows(tape, x, Arc::new(vec![2, 0, 2, 2]))
        });
        check(&[values(3, 2)], |tape, [x]| {
            mean_rows(tape, x, Arc::new(vec![vec![2, 0], vec![2], vec![2, 1, 1]]))
        });
        check(&[values(3, 2)], |tape, [x]| {
            look_up(tape, x, &values(2, 2), Arc::new(vec![2, 4, 0, 3, 2]))
        });
        check(&[values(3, 2), values(1, 2)], |tape, [x, y]| {
            concat_rows(tape, &[x, y])
        });
        check(&[values(3, 2), values(3, 4)], |tape, [x, y]| {
            concat_columns(tape, &[x, y, x])
        });
    }
}
