//! Gradients of parameters.

use crate::matrix::Matrix;
use crate::simd;

/// The gradient of a parameter: of all its rows, or of some, where those of the others are zero.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gradient {
    /// Which rows, in ascending order.
    rows: Option<Vec<u32>>,
    values: Matrix,
}

impl Gradient {
    /// Of some rows, in ascending order, or of all.
    pub(crate) fn new(rows: Option<Vec<u32>>, values: Matrix) -> Gradient {
        Gradient { rows, values }
    }

    /// Of all rows.
    pub(crate) fn of_all(values: Matrix) -> Gradient {
        Gradient { rows: None, values }
    }

    /// Of some rows, of which each may come several times.
    pub(crate) fn of_rows(rows: &[u32], values: &Matrix) -> Gradient {
        let mut own = rows.to_vec();
        own.sort_unstable();
        own.dedup();
        let mut gradient = Gradient {
            values: Matrix::zeros(own.len(), values.n_columns()),
            rows: Some(own),
        };
        gradient.add_to_rows(rows, values);
        gradient
    }

    /// Adds another gradient of the same parameter.
    ///
    /// # Panics
    ///
    /// When one is of all rows and the other of some.
    pub(crate) fn add(&mut self, other: &Gradient) {
        match (&self.rows, &other.rows) {
            (None, None) => self.values.add(&other.values),
            (Some(rows), Some(others)) if rows == others => self.values.add(&other.values),
            (Some(rows), Some(others)) => {
                let both = [rows.as_slice(), others].concat();
                let mut sum = Gradient::of_rows(&both, &Matrix::zeros(0, other.values.n_columns()));
                sum.add_to_rows(rows, &self.values);
                sum.add_to_rows(others, &other.values);
                *self = sum;
            }
            _ => panic!("a parameter is learnt as a whole or row by row"),
        }
    }

    /// Adds values to rows that it has.
    fn add_to_rows(&mut self, rows: &[u32], values: &Matrix) {
        let own = self.rows.as_deref().unwrap_or_default();
        let sums = &mut self.values;
        simd::vectorized(
            #[inline(always)]
            || {
                for (from, row) in (0..values.n_rows()).zip(rows) {
                    let Ok(to) = own.binary_search(row) else {
                        unreachable!("it is one of the rows");
                    };
                    simd::add(sums.row_mut(to), values.row(from));
                }
            },
        );
    }

    /// Which rows it is of; none where it is of all.
    pub(crate) fn rows(&self) -> Option<&[u32]> {
        self.rows.as_deref()
    }

    /// The values of its rows.
    pub(crate) fn values(&self) -> &Matrix {
        &self.values
    }

    /// The values of its rows, to change.
    pub(crate) fn values_mut(&mut self) -> &mut Matrix {
        &mut self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(first: &[u32], second: &[u32], expected: &[(u32, f32)]) {
        let of =
            |rows: &[u32]| Gradient::of_rows(rows, &Matrix::from_fn(rows.len(), 2, |_, _| 1.0));
        let mut sum = of(first);
        sum.add(&of(second));
        let values = sum.values().values().chunks(2);
        let found = sum.rows().unwrap().iter().copied().zip(values);
        let found: Vec<(u32, f32)> = found.map(|(row, it)| (row, it[0])).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn rows_are_added_where_they_belong() {
        check(&[7, 3, 7], &[], &[(3, 1.0), (7, 2.0)]);
        check(&[1, 3], &[3, 1], &[(1, 2.0), (3, 2.0)]);
        check(&[1, 3], &[2, 3, 3], &[(1, 1.0), (2, 1.0), (3, 3.0)]);
    }
}
