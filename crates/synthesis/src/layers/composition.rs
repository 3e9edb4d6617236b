//! What is put together from parts: to some rows or columns the mean of others is added.

use std::sync::Arc;

use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Tape, Var};

/// For each of some rows or columns that follow each other, those whose mean is added to it. None is a part of another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Composition {
    /// The first that has parts.
    pub(crate) first: usize,
    /// The parts of the first, of the next, and so on; never empty.
    pub(crate) parts: Vec<Box<[u32]>>,
}

impl Composition {
    /// The parts of a row or column, where it has some.
    pub(crate) fn parts_of(&self, index: usize) -> Option<&[u32]> {
        let parts = self.parts.get(index.checked_sub(self.first)?)?;
        Some(parts)
    }

    /// Adds to the values of a row what its columns are put together from.
    pub(crate) fn add_to(&self, row: &mut [f32]) {
        for (to, parts) in (self.first..).zip(&self.parts) {
            let sum: f32 = parts.iter().map(|&part| row[part as usize]).sum();
            row[to] += sum / parts.len() as f32;
        }
    }

    /// The other way around: hands the gradients of columns on to what they are put together from.
    fn hand_on(&self, gradients: &mut [f32]) {
        for (from, parts) in (self.first..).zip(&self.parts) {
            let share = gradients[from] / parts.len() as f32;
            for &part in parts {
                gradients[part as usize] += share;
            }
        }
    }
}

/// A table whose rows are put together from others.
pub(crate) fn compose_rows(tape: &mut Tape<'_>, x: Var, of_rows: Arc<Composition>) -> Var {
    let table = tape.value(x);
    let mut value = table.clone();
    for (to, parts) in (of_rows.first..).zip(&of_rows.parts) {
        let share = 1.0 / parts.len() as f32;
        for &part in parts {
            simd::add_scaled(value.row_mut(to), share, table.row(part as usize));
        }
    }
    tape.push(value, move |_, mut gradient, gradients| {
        for (from, parts) in (of_rows.first..).zip(&of_rows.parts) {
            let share = 1.0 / parts.len() as f32;
            let own = gradient.row(from).to_vec();
            for &part in parts {
                simd::add_scaled(gradient.row_mut(part as usize), share, &own);
            }
        }
        gradients.add(x, gradient);
    })
}

/// Rows whose columns are put together from others.
pub(crate) fn compose_columns(tape: &mut Tape<'_>, x: Var, of_columns: Arc<Composition>) -> Var {
    let each_row = |matrix: &mut Matrix, change: &dyn Fn(&mut [f32])| {
        (0..matrix.n_rows()).for_each(|row| change(matrix.row_mut(row)));
    };
    let mut value = tape.value(x).clone();
    each_row(&mut value, &|row| of_columns.add_to(row));
    tape.push(value, move |_, mut gradient, gradients| {
        each_row(&mut gradient, &|row| of_columns.hand_on(row));
        gradients.add(x, gradient);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::gradient_check::{check, values};

    fn composition() -> Arc<Composition> {
        Arc::new(Composition {
            first: 3,
            parts: [vec![0, 2, 2], vec![1]].map(Into::into).into(),
        })
    }

    #[test]
    fn means_are_added() {
        let mut row = vec![1.0, 2.0, 4.0, 10.0, 20.0, 7.0];
        composition().add_to(&mut row);
        let expected = vec![1.0, 2.0, 4.0, 13.0, 22.0, 7.0];
        assert_eq!(row, expected);
        let parts = [2, 3, 5].map(|it| composition().parts_of(it).map(<[u32]>::to_vec));
        assert_eq!(parts, [None, Some(vec![0, 2, 2]), None]);
    }

    #[test]
    fn gradients() {
        check(&[values(5, 2)], |tape, [x]| {
            compose_rows(tape, x, composition())
        });
        check(&[values(3, 6)], |tape, [x]| {
            compose_columns(tape, x, composition())
        });
    }
}
