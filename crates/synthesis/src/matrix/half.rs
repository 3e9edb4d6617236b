//! Products of large matrices in half precision, where the processor has instructions for them.
//!
//! Factors are rounded to bfloat16, which has the range of single precision and eight bits of its fraction; their
//! products are summed in single precision. Instructions multiply pairs of neighbours along the dimension that is
//! summed over, so both factors are packed as such pairs, two halves of a `u32`: a vector of them at a time
//! (`vdpbf16ps`), or sixteen rows of sixteen pairs with as many columns (`tdpbf16ps`), where the processor has that.

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "instructions that not every processor has, on memory that the callers have checked"
)]
mod x86_64;

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "tiles are reached in assembly only; on memory that the caller has checked"
)]
mod tiles;

use std::cell::RefCell;

use super::{ByteRows, Existing, Matrix, View, fill_product};
#[cfg(target_arch = "x86_64")]
use x86_64 as processor;

/// Fewer multiplications than this are as fast in single precision.
const WORTHWHILE: usize = 1 << 18;

/// How many pairs are summed at once: what is packed of both factors stays in the cache.
const MOST_PAIRS: usize = 192;

/// How many columns of the result are computed at once: three vectors of the widest kind.
const WIDTH: usize = 48;

/// How many panels are spelled out at once where the right factor is bytes: three lines of the cache of each row.
const PANELS_OF_BYTES: usize = 8;

/// As many rows, pairs and columns are a tile of the processor's.
const TILE: usize = 16;

/// Which instructions multiply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    /// A pair of one row with a vector of columns.
    Vectors,
    /// A tile of pairs with a tile of columns.
    Tiles,
}

impl Kernel {
    /// The fastest that the processor has.
    fn of_processor() -> Kernel {
        if processor::multiplies_tiles() {
            Kernel::Tiles
        } else {
            Kernel::Vectors
        }
    }

    /// How many rows of the result are computed at once.
    fn height(self) -> usize {
        match self {
            Kernel::Vectors => 8,
            Kernel::Tiles => TILE,
        }
    }
}

/// Both factors of a product, packed; kept by each thread, since every step of training needs them again.
#[derive(Default)]
struct Packed {
    left: Vec<u32>,
    right: Vec<u32>,
}

thread_local! {
    static PACKED: RefCell<Packed> = RefCell::default();
}

/// Whether a product can be had in half precision here, and sooner.
pub(super) fn suits(left: &View<'_>, right: &View<'_>) -> bool {
    let has_lines = |it: &View<'_>| it.column_stride == 1 || it.row_stride == 1;
    left.n_rows * left.n_columns * right.n_columns >= WORTHWHILE
        && has_lines(left)
        && has_lines(right)
        && is_here()
}

/// The second factor of a product.
#[derive(Clone, Copy)]
pub(crate) enum Right<'a> {
    /// It is packed for this product.
    Loose(View<'a>),
    /// It was packed once.
    Packed(&'a Halves),
    /// It is spelled out and packed for this product.
    Bytes(&'a ByteRows),
}

impl Right<'_> {
    fn shape(&self) -> (usize, usize) {
        match self {
            Right::Loose(it) => (it.n_rows, it.n_columns),
            Right::Packed(it) => it.shape(),
            Right::Bytes(it) => it.shape(),
        }
    }

    /// Fills some columns of rows that are `n_columns` wide with the product of a matrix and this one. Bytes are multiplied
    /// in single precision where the processor multiplies no halves.
    ///
    /// # Panics
    ///
    /// When the shapes do not fit, or the processor multiplies no halves and this is no bytes.
    pub(crate) fn fill_product(
        self,
        result: &mut [f32],
        n_columns: usize,
        columns: std::ops::Range<usize>,
        left: &Matrix,
    ) {
        if let Right::Bytes(bytes) = self
            && !is_here()
        {
            let right = bytes.to_matrix();
            return fill_product(result, n_columns, columns, left.view(), right.view());
        }
        let (depth, width) = self.shape();
        assert_eq!(
            (result.len(), columns.len()),
            (left.n_rows * n_columns, width),
            "as many rows and columns as the product"
        );
        assert!(columns.end <= n_columns, "columns of the result");
        assert_eq!(left.n_columns, depth, "factors fit each other");
        assert!(is_here(), "instructions for halves");
        if left.n_rows > 0 {
            let result = &mut result[columns.start..];
            multiply(Existing::Replace, result, n_columns, left.view(), self);
        }
    }
}

/// A matrix that stays packed as the second factor of products, in half the room: [blocks of pairs, panels, pairs,
/// WIDTH].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Halves {
    pairs: Vec<u32>,
    n_rows: usize,
    n_columns: usize,
}

impl Halves {
    /// The matrix rounded, where the processor multiplies such halves.
    pub(crate) fn new(matrix: &Matrix) -> Option<Halves> {
        if !is_here() {
            return None;
        }
        let (n_rows, n_columns) = matrix.shape();
        let n_pairs = whole_tiles(n_rows);
        let mut pairs = Vec::with_capacity(n_pairs * n_columns.next_multiple_of(WIDTH));
        let mut panel = Vec::new();
        for start in (0..n_rows).step_by(2 * MOST_PAIRS) {
            let summed = start..n_rows.min(start + 2 * MOST_PAIRS);
            for first in (0..n_columns).step_by(WIDTH) {
                let columns = first..n_columns.min(first + WIDTH);
                pairs.extend_from_slice(pack_panel(&mut panel, matrix.view(), columns, &summed));
            }
        }
        Some(Halves {
            pairs,
            n_rows,
            n_columns,
        })
    }

    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.n_rows, self.n_columns)
    }

    /// The columns from `first` on of a block of rows.
    fn panel(&self, first: usize, summed: &std::ops::Range<usize>) -> &[u32] {
        let n_pairs = whole_tiles(summed.len());
        let block = summed.start / 2 * self.n_columns.next_multiple_of(WIDTH);
        &self.pairs[block + first * n_pairs..][..n_pairs * WIDTH]
    }
}

/// Whether the processor multiplies halves.
pub(super) fn is_here() -> bool {
    processor::multiplies_halves()
}

/// How many pairs so many values are packed as: whole tiles of them, with zeros at the end.
fn whole_tiles(n_values: usize) -> usize {
    n_values.div_ceil(2).next_multiple_of(TILE)
}

/// Adds the product of two matrices to rows that are `n_columns` wide, from their beginning, or puts it there.
///
/// # Panics
///
/// When the shapes do not fit, or the product does not [suit](suits).
pub(super) fn multiply(
    existing: Existing,
    result: &mut [f32],
    n_columns: usize,
    left: View<'_>,
    right: Right<'_>,
) {
    multiply_by(
        Kernel::of_processor(),
        existing,
        result,
        n_columns,
        left,
        right,
    );
}

fn multiply_by(
    kernel: Kernel,
    existing: Existing,
    result: &mut [f32],
    n_columns: usize,
    left: View<'_>,
    right: Right<'_>,
) {
    let (_, width) = right.shape();
    let tiles = (kernel == Kernel::Tiles).then(processor::Configured::new);
    PACKED.with_borrow_mut(|packed| {
        let depth = left.n_columns;
        for start in (0..depth).step_by(2 * MOST_PAIRS) {
            let summed = start..depth.min(start + 2 * MOST_PAIRS);
            let existing = if start == 0 { existing } else { Existing::Add };
            let left = Left::pack(kernel, &mut packed.left, left, summed.clone());
            let n_pairs = whole_tiles(summed.len());
            for first_column in (0..width).step_by(WIDTH) {
                let columns = first_column..width.min(first_column + WIDTH);
                // A panel is used while it is in the innermost cache, then the next takes its place.
                let panel = match right {
                    Right::Loose(right) => {
                        pack_panel(&mut packed.right, right, columns.clone(), &summed)
                    }
                    Right::Packed(right) => right.panel(first_column, &summed),
                    Right::Bytes(right) => {
                        let panel = first_column / WIDTH % PANELS_OF_BYTES;
                        if panel == 0 {
                            pack_bytes(&mut packed.right, right, first_column, &summed);
                        }
                        &packed.right[panel * n_pairs * WIDTH..][..n_pairs * WIDTH]
                    }
                };
                for first_row in (0..left.n_rows).step_by(kernel.height()) {
                    let result = &mut result[first_row * n_columns + first_column..];
                    let mut part = Part {
                        result,
                        n_columns,
                        width: columns.len(),
                        existing,
                    };
                    part.compute(tiles.as_ref(), &left, first_row, panel);
                }
            }
        }
    });
}

/// The left factor, packed: pair `p` of row `i` is at `i * row_step + p * pair_step`. What tiles are made of are whole
/// tiles of rows, pair after pair.
struct Left<'p> {
    pairs: &'p [u32],
    n_rows: usize,
    row_step: usize,
    pair_step: usize,
}

impl<'p> Left<'p> {
    fn pack(
        kernel: Kernel,
        to: &'p mut Vec<u32>,
        left: View<'_>,
        summed: std::ops::Range<usize>,
    ) -> Left<'p> {
        let n_pairs = whole_tiles(summed.len());
        let n_rows = left.n_rows;
        to.clear();
        to.resize(n_rows.next_multiple_of(TILE) * n_pairs, 0);
        let (row_step, pair_step) = if left.column_stride == 1 {
            for (row, pairs) in to.chunks_exact_mut(n_pairs).take(n_rows).enumerate() {
                let start = row * left.row_stride;
                let values = &left.values[start + summed.start..start + summed.end];
                processor::pair_neighbours(values, pairs);
            }
            (n_pairs, 1)
        } else if kernel == Kernel::Tiles {
            pack_rows(to, n_pairs, left, &summed);
            (n_pairs, 1)
        } else {
            for (pairs, row) in to.chunks_exact_mut(n_rows).zip(summed.clone().step_by(2)) {
                let [even, odd] = two_lines(left.transposed(), row, summed.end);
                processor::pair_lines(even, odd, pairs);
            }
            (1, n_rows)
        };
        Left {
            pairs: to,
            n_rows,
            row_step,
            pair_step,
        }
    }
}

/// Packs rows whose values lie apart, and those of each column side by side: [rows, pairs].
fn pack_rows(to: &mut [u32], n_pairs: usize, left: View<'_>, summed: &std::ops::Range<usize>) {
    let columns = left.transposed();
    for first_pair in (0..summed.len().div_ceil(2)).step_by(TILE) {
        let start = summed.start + 2 * first_pair;
        let lines: [_; TILE] =
            std::array::from_fn(|pair| two_lines(columns, start + 2 * pair, summed.end));
        for first_row in (0..left.n_rows).step_by(TILE) {
            let rows = first_row..left.n_rows.min(first_row + TILE);
            let mut square = [[0; TILE]; TILE];
            for (pairs, [even, odd]) in square.iter_mut().zip(lines) {
                let [even, odd] = [even, odd].map(|it| it.get(rows.clone()).unwrap_or_default());
                processor::pair_lines(even, odd, pairs);
            }
            processor::turn(&mut square);
            for (row, pairs) in rows.zip(&square) {
                to[row * n_pairs + first_pair..][..TILE].copy_from_slice(pairs);
            }
        }
    }
}

/// Packs some columns of the right factor: [pairs, WIDTH], with zeros beyond the last of them.
fn pack_panel<'p>(
    to: &'p mut Vec<u32>,
    right: View<'_>,
    columns: std::ops::Range<usize>,
    summed: &std::ops::Range<usize>,
) -> &'p [u32] {
    to.clear();
    to.resize(whole_tiles(summed.len()) * WIDTH, 0);
    if right.column_stride == 1 {
        let rows = summed.clone().step_by(2);
        for (pairs, row) in to.chunks_exact_mut(WIDTH).zip(rows) {
            let [even, odd] = two_lines(right, row, summed.end);
            let odd = odd.get(columns.clone()).unwrap_or_default();
            processor::pair_lines(&even[columns.clone()], odd, pairs);
        }
    } else {
        pack_columns(to, right, columns, summed);
    }
    to
}

/// The same of whole numbers and their scales, for some panels from a column on: [panels, pairs, WIDTH].
fn pack_bytes(
    to: &mut Vec<u32>,
    right: &ByteRows,
    first_column: usize,
    summed: &std::ops::Range<usize>,
) {
    let (n_rows, width) = (summed.len(), right.shape().1 - first_column);
    let width = width.min(PANELS_OF_BYTES * WIDTH);
    let n_pairs = whole_tiles(n_rows);
    // Nothing is written beyond the last column and the last line.
    if !width.is_multiple_of(WIDTH) || n_rows != 2 * n_pairs {
        to.clear();
    }
    to.resize(n_pairs * width.next_multiple_of(WIDTH), 0);
    let row = |row: usize| {
        let (bytes, scale) = right.row(summed.start + row);
        (&bytes[first_column..][..width], scale)
    };
    processor::pack_bytes(row, n_rows, n_pairs, to);
}

/// Packs columns whose values follow each other.
fn pack_columns(
    panel: &mut [u32],
    right: View<'_>,
    columns: std::ops::Range<usize>,
    summed: &std::ops::Range<usize>,
) {
    for first in (0..columns.len()).step_by(TILE) {
        let lanes = first..columns.len().min(first + TILE);
        for start in summed.clone().step_by(2 * TILE) {
            let end = summed.end.min(start + 2 * TILE);
            let mut square = [[0; TILE]; TILE];
            for (pairs, lane) in square.iter_mut().zip(lanes.clone()) {
                let line = (columns.start + lane) * right.column_stride;
                processor::pair_neighbours(&right.values[line + start..line + end], pairs);
            }
            processor::turn(&mut square);
            let rows = panel
                .chunks_exact_mut(WIDTH)
                .skip((start - summed.start) / 2);
            for (row, lane) in rows.zip(&square) {
                row[first..first + TILE].copy_from_slice(lane);
            }
        }
    }
}

/// A row whose values follow each other, and the next one; nothing for rows from `end` on.
fn two_lines(view: View<'_>, row: usize, end: usize) -> [&[f32]; 2] {
    [row, row + 1].map(|row| {
        let start = row * view.row_stride;
        if row < end {
            &view.values[start..start + view.n_columns]
        } else {
            &[]
        }
    })
}

/// A part of the result: at most as many rows as are computed at once, of at most [`WIDTH`] columns.
struct Part<'r> {
    /// From the first value of the part on.
    result: &'r mut [f32],
    /// How wide a row of the whole result is.
    n_columns: usize,
    width: usize,
    existing: Existing,
}

impl Part<'_> {
    fn compute(
        &mut self,
        tiles: Option<&processor::Configured>,
        left: &Left<'_>,
        first_row: usize,
        panel: &[u32],
    ) {
        let kernel = tiles.map_or(Kernel::Vectors, |_| Kernel::Tiles);
        let height = kernel.height().min(left.n_rows - first_row);
        let pairs = &left.pairs[first_row * left.row_step..];
        let n_pairs = panel.len() / WIDTH;
        let n_read = tiles.map_or(height, |_| TILE);
        let last = (n_read - 1) * left.row_step + (n_pairs - 1) * left.pair_step;
        assert!(last < pairs.len(), "the left factor is packed");
        assert!(
            n_pairs.is_multiple_of(TILE) && panel.len().is_multiple_of(WIDTH),
            "the right factor is packed"
        );
        let last = (height - 1) * self.n_columns + self.width;
        assert!(last <= self.result.len(), "the part lies in the result");
        let left = Left {
            pairs,
            n_rows: height,
            ..*left
        };
        match tiles {
            None => processor::multiply(self, &left, panel),
            Some(tiles) => processor::multiply_tiles(tiles, self, &left, panel),
        }
    }
}

/// Other processors multiply in single precision.
#[cfg(not(target_arch = "x86_64"))]
mod processor {
    use super::{Left, Part, TILE};

    pub(super) fn multiplies_halves() -> bool {
        false
    }

    pub(super) fn multiplies_tiles() -> bool {
        false
    }

    pub(super) struct Configured;

    impl Configured {
        pub(super) fn new() -> Configured {
            unreachable!("there are no tiles")
        }
    }

    pub(super) fn pair_neighbours(_: &[f32], _: &mut [u32]) {
        unreachable!("nothing suits")
    }

    pub(super) fn pair_lines(_: &[f32], _: &[f32], _: &mut [u32]) {
        unreachable!("nothing suits")
    }

    pub(super) fn turn(_: &mut [[u32; TILE]; TILE]) {
        unreachable!("nothing suits")
    }

    pub(super) fn pack_bytes<'b>(
        _: impl Fn(usize) -> (&'b [u8], f32),
        _: usize,
        _: usize,
        _: &mut [u32],
    ) {
        unreachable!("nothing suits")
    }

    pub(super) fn multiply(_: &mut Part<'_>, _: &Left<'_>, _: &[u32]) {
        unreachable!("nothing suits")
    }

    pub(super) fn multiply_tiles(_: &Configured, _: &mut Part<'_>, _: &Left<'_>, _: &[u32]) {
        unreachable!("nothing suits")
    }
}

#[cfg(test)]
mod tests;
