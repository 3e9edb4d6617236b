//! Products with few rows, whose right factor is used again and again.

use pulp::{Simd, WithSimd};

use crate::matrix::{Existing, Matrix};

/// A matrix of weights, laid out for products with few rows.
///
/// `x · W` for a handful of rows reads all of `W` once for little arithmetic, at every step of a
/// recurrence. Here the columns of `W` come in panels whose values lie in the order in which
/// the product needs them: 32 columns of one row, then those of the next. All rows of `x` are
/// multiplied with a panel at once, so that it is read once, as long as their sums fit into registers.
///
/// Where the panels begin depends on where the memory lies, so that they cannot be copied as they are.
#[derive(Debug)]
pub(crate) struct Panels {
    n_inputs: usize,
    n_outputs: usize,
    /// All panels, one after the other, and room for shifting them.
    values: Matrix,
}

/// How many columns a panel has.
const WIDTH: usize = 32;
/// How many inputs of a row of `x` lie side by side.
const DEPTH: usize = 64;
/// How many rows of `x` are multiplied at once: where there are 32 registers of 16 numbers, and
/// elsewhere. Each has two sums; three registers are needed besides.
const MOST_ROWS: [usize; 2] = [14, 6];
/// The length of a line of the caches, in bytes: no vector should lie on two.
const LINE: usize = 64;

impl Panels {
    /// Lays out a matrix of weights.
    pub(crate) fn new(weight: &Matrix) -> Panels {
        let (n_inputs, n_outputs) = weight.shape();
        let mut panels = Panels::unset(n_inputs, n_outputs);
        for (index, panel) in panels.panels_mut().enumerate() {
            let columns = index * WIDTH..n_outputs.min((index + 1) * WIDTH);
            for (input, row) in panel.iter_mut().enumerate() {
                row[..columns.len()].copy_from_slice(&weight.row(input)[columns.clone()]);
            }
        }
        panels
    }

    /// Lays out the transposed matrix.
    pub(crate) fn transposed(weight: &Matrix) -> Panels {
        let (n_outputs, n_inputs) = weight.shape();
        let mut panels = Panels::unset(n_inputs, n_outputs);
        for (index, panel) in panels.panels_mut().enumerate() {
            let columns = index * WIDTH..n_outputs.min((index + 1) * WIDTH);
            for (to, column) in columns.enumerate() {
                for (row, weight) in panel.iter_mut().zip(weight.row(column)) {
                    row[to] = *weight;
                }
            }
        }
        panels
    }

    /// Panels to be written to. What lies beyond the last column is multiplied, but goes nowhere.
    fn unset(n_inputs: usize, n_outputs: usize) -> Panels {
        let n_values = n_outputs.div_ceil(WIDTH) * n_inputs * WIDTH;
        Panels {
            n_inputs,
            n_outputs,
            values: Matrix::unset(1, n_values + LINE / size_of::<f32>()),
        }
    }

    /// Where the first panel begins: at the beginning of a line.
    fn start(&self) -> usize {
        let start = self.values.values().as_ptr().align_offset(LINE);
        start.min(LINE / size_of::<f32>())
    }

    fn panels_mut(&mut self) -> impl Iterator<Item = &mut [[f32; WIDTH]]> {
        let (start, n_inputs) = (self.start(), self.n_inputs.max(1));
        let (rows, _) = self.values.values_mut()[start..].as_chunks_mut();
        rows.chunks_exact_mut(n_inputs)
    }

    #[inline(always)]
    fn panels(&self) -> impl Iterator<Item = &[[f32; WIDTH]]> {
        let (rows, _) = self.values.values()[self.start()..].as_chunks();
        rows.chunks_exact(self.n_inputs.max(1))
    }

    /// Adds `x · W` to `result`; both row by row.
    ///
    /// # Panics
    ///
    /// When the shapes do not fit.
    pub(crate) fn add_product(&self, x: &[f32], result: &mut [f32]) {
        self.multiply(Existing::Add, x, result);
    }

    /// Fills `result` with `x · W`; both row by row.
    ///
    /// # Panics
    ///
    /// When the shapes do not fit.
    pub(crate) fn fill_product(&self, x: &[f32], result: &mut [f32]) {
        self.multiply(Existing::Replace, x, result);
    }

    fn multiply(&self, existing: Existing, x: &[f32], result: &mut [f32]) {
        let n_rows = x.len() / self.n_inputs.max(1);
        assert_eq!(x.len(), n_rows * self.n_inputs, "whole rows");
        assert_eq!(
            result.len(),
            n_rows * self.n_outputs,
            "a result for each row"
        );
        super::arch().dispatch(Multiply {
            existing,
            x,
            panels: self,
            result,
        });
    }
}

struct Multiply<'a> {
    existing: Existing,
    x: &'a [f32],
    panels: &'a Panels,
    result: &'a mut [f32],
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (n_inputs, n_outputs) = (self.panels.n_inputs, self.panels.n_outputs);
        let n_rows = self.x.len() / n_inputs.max(1);
        let most = MOST_ROWS[usize::from(size_of::<S::f32s>() < LINE)];
        let n_at_once = n_rows.div_ceil(n_rows.div_ceil(most).max(1)).max(1);
        let rows = self.x.chunks(n_at_once * n_inputs.max(1));
        let results = self.result.chunks_mut(n_at_once * n_outputs.max(1));
        for (x, result) in rows.zip(results) {
            let n_rows = x.len() / n_inputs;
            let x = in_order_of_use(x, n_inputs);
            let (x, _) = x.values().as_chunks();
            let firsts = (0..n_outputs).step_by(WIDTH);
            for (panel, first) in self.panels.panels().zip(firsts) {
                let mut tile = Tile {
                    existing: self.existing,
                    x,
                    panel,
                    result,
                    n_outputs,
                    columns: first..n_outputs.min(first + WIDTH),
                };
                tile.multiply_any(simd, n_rows);
            }
        }
    }
}

/// The first [`DEPTH`] inputs of all rows, then the next of all. The distance between two rows is
/// known when this is compiled, so that the innermost loop needs one address for all.
fn in_order_of_use(x: &[f32], n_inputs: usize) -> Matrix {
    let n_rows = x.len() / n_inputs;
    let mut result = Matrix::unset(n_inputs.div_ceil(DEPTH) * n_rows, DEPTH);
    for (row, inputs) in x.chunks_exact(n_inputs).enumerate() {
        for (block, inputs) in inputs.chunks(DEPTH).enumerate() {
            result.row_mut(block * n_rows + row)[..inputs.len()].copy_from_slice(inputs);
        }
    }
    result
}

/// A few rows times one panel.
struct Tile<'a> {
    existing: Existing,
    x: &'a [[f32; DEPTH]],
    panel: &'a [[f32; WIDTH]],
    result: &'a mut [f32],
    n_outputs: usize,
    /// The columns of the panel.
    columns: std::ops::Range<usize>,
}

impl Tile<'_> {
    #[inline(always)]
    fn multiply_any<S: Simd>(&mut self, simd: S, n_rows: usize) {
        match n_rows {
            1 => self.multiply::<S, 1>(simd),
            2 => self.multiply::<S, 2>(simd),
            3 => self.multiply::<S, 3>(simd),
            4 => self.multiply::<S, 4>(simd),
            5 => self.multiply::<S, 5>(simd),
            6 => self.multiply::<S, 6>(simd),
            7 => self.multiply::<S, 7>(simd),
            8 => self.multiply::<S, 8>(simd),
            9 => self.multiply::<S, 9>(simd),
            10 => self.multiply::<S, 10>(simd),
            11 => self.multiply::<S, 11>(simd),
            12 => self.multiply::<S, 12>(simd),
            13 => self.multiply::<S, 13>(simd),
            _ => self.multiply::<S, { MOST_ROWS[0] }>(simd),
        }
    }

    /// All columns, two vectors at a time.
    #[inline(always)]
    fn multiply<S: Simd, const N: usize>(&mut self, simd: S) {
        let n_lanes = size_of::<S::f32s>() / size_of::<f32>();
        for start in (0..self.columns.len()).step_by((2 * n_lanes).min(WIDTH)) {
            let sums = self.sums::<S, N>(simd, start);
            let first = self.columns.start + start;
            let end = self.columns.end.min(first + 2 * n_lanes);
            for (row, sum) in sums.iter().enumerate() {
                let result = &mut self.result[row * self.n_outputs..][first..end];
                let (whole, rest) = S::as_mut_simd_f32s(result);
                let with = |value: S::f32s, sum: S::f32s| match self.existing {
                    Existing::Add => simd.add_f32s(value, sum),
                    Existing::Replace => sum,
                };
                for (value, sum) in whole.iter_mut().zip(sum) {
                    *value = with(*value, *sum);
                }
                if !rest.is_empty() {
                    let value = with(simd.partial_load_f32s(rest), sum[whole.len()]);
                    simd.partial_store_f32s(rest, value);
                }
            }
        }
    }

    /// Over all inputs, for two vectors of columns.
    #[inline(always)]
    fn sums<S: Simd, const N: usize>(&self, simd: S, start: usize) -> [[S::f32s; 2]; N] {
        let mut sums = [[simd.splat_f32s(0.0); 2]; N];
        let (blocks, _) = self.x.as_chunks::<N>();
        for (rows, panel) in blocks.iter().zip(self.panel.chunks(DEPTH)) {
            for (input, weights) in panel.iter().enumerate() {
                let (weights, _) = S::as_simd_f32s(&weights[start..]);
                let weights = [weights[0], weights[1]];
                for (row, sum) in rows.iter().zip(&mut sums) {
                    let x = simd.splat_f32s(row[input]);
                    sum[0] = simd.mul_add_f32s(x, weights[0], sum[0]);
                    sum[1] = simd.mul_add_f32s(x, weights[1], sum[1]);
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::product;

    #[test]
    fn panels_multiply_as_matrices_do() {
        for n_rows in 0..31 {
            for (n_inputs, n_outputs) in [
                (1, 1),
                (3, 31),
                (7, 32),
                (8, 33),
                (5, 70),
                (16, 128),
                (65, 2),
                (200, 40),
            ] {
                let x = Matrix::from_fn(n_rows, n_inputs, |row, column| {
                    ((row * 5 + column) % 9) as f32 - 4.0
                });
                let weight = Matrix::from_fn(n_inputs, n_outputs, |row, column| {
                    ((row * 3 + column * 7) % 13) as f32 - 6.0
                });
                let expected = product(x.view(), weight.view());
                let mut found = Matrix::zeros(n_rows, n_outputs);
                Panels::new(&weight).add_product(x.values(), found.values_mut());
                assert_eq!(found, expected);
                let mut found = Matrix::zeros(n_rows, n_inputs);
                Panels::transposed(&weight).add_product(expected.values(), found.values_mut());
                assert_eq!(found, product(expected.view(), weight.transposed()));
            }
        }
    }
}
