//! Products of halves are those of single precision, as far as rounding goes.

use super::*;
use crate::config::Precision;
use crate::matrix::product;

/// Whole numbers of few bits, whose products and sums are exact in both precisions.
fn numbers(n_rows: usize, n_columns: usize) -> Matrix {
    Matrix::from_fn(n_rows, n_columns, |row, column| {
        ((row * 7 + column * 3 + row * column) % 11) as f32 - 5.0
    })
}

fn check(left: View<'_>, right: View<'_>) {
    let expected = product(left, right);
    assert_eq!(Precision::Half.product(left, right), expected);
    for kernel in kernels() {
        let mut found = numbers(expected.n_rows(), expected.n_columns());
        for existing in [Existing::Replace, Existing::Add] {
            let result = &mut found.values_mut()[..];
            let right = Right::Loose(right);
            multiply_by(kernel, existing, result, expected.n_columns(), left, right);
        }
        let twice = Matrix::from_fn(expected.n_rows(), expected.n_columns(), |row, column| {
            2.0 * expected.row(row)[column]
        });
        assert_eq!(found, twice, "{kernel:?}");
    }
    let mut sum = numbers(expected.n_rows(), expected.n_columns());
    let mut other = sum.clone();
    sum.add(&expected);
    Precision::Half.add_product(&mut other, left, right);
    assert_eq!(other, sum);
}

/// Those that this processor has.
fn kernels() -> Vec<Kernel> {
    let tiles = processor::multiplies_tiles().then_some(Kernel::Tiles);
    let vectors = is_here().then_some(Kernel::Vectors);
    vectors.into_iter().chain(tiles).collect()
}

#[test]
fn products_of_whole_numbers_are_those_of_single_precision() {
    for (n, k, m) in [(8, 700, 48), (61, 385, 50), (70, 384, 33), (513, 11, 49)] {
        let (left, right) = (numbers(n, k), numbers(k, m));
        check(left.view(), right.view());
        check(numbers(k, n).transposed(), right.view());
        check(left.view(), numbers(m, k).transposed());
        check(left.view().columns(1..k), right.view().rows(1..k));
    }
}

#[test]
fn factors_are_rounded_to_eight_bits() {
    if !processor::multiplies_halves() {
        return;
    }
    let left = Matrix::from_fn(64, 64, |_, _| 1.0 + 1.0 / 512.0);
    let right = Matrix::from_fn(64, 64, |_, _| 1.0);
    let found = Precision::Half.product(left.view(), right.view());
    assert!(found.values().iter().all(|&it| (it - 64.0).abs() < 1e-6));
}

#[test]
fn whole_numbers_with_scales_give_the_products_of_what_they_stand_for() {
    for (n_rows, depth, n_columns) in [(1, 3, 5), (9, 385, 49), (20, 1000, 250), (3, 5, 576)] {
        let left = numbers(n_rows, depth);
        let bytes = (0..depth * n_columns).map(|it| (it * 37 % 251) as u8);
        let scales = (0..depth).map(|row| 0.01 + (row % 13) as f32 / 97.0);
        let bytes = ByteRows::new(bytes.collect(), scales.collect(), n_columns);
        let spelled_out = bytes.to_matrix();
        let mut found = vec![0.0; n_rows * n_columns];
        Right::Bytes(&bytes).fill_product(&mut found, n_columns, 0..n_columns, &left);
        let mut expected = vec![0.0; n_rows * n_columns];
        match Halves::new(&spelled_out) {
            Some(it) => {
                Right::Packed(&it).fill_product(&mut expected, n_columns, 0..n_columns, &left);
            }
            None => expected.copy_from_slice(product(left.view(), spelled_out.view()).values()),
        }
        assert!(found == expected, "{n_rows} x {depth} x {n_columns}");
    }
}

#[test]
fn what_was_packed_once_gives_the_same_products() {
    for (n_rows, depth, n_columns) in [(1, 3, 5), (9, 385, 49), (20, 1000, 96)] {
        let value = |row: usize, column: usize| ((row * 31 + column * 17) % 101) as f32 / 7.0;
        let left = Matrix::from_fn(n_rows, depth, value);
        let right = Matrix::from_fn(depth, n_columns, |row, column| value(column, row) - 5.0);
        let Some(halves) = Halves::new(&right) else {
            return;
        };
        assert_eq!(halves.shape(), right.shape());
        let [loose, packed] = [Right::Loose(right.view()), Right::Packed(&halves)].map(|it| {
            let mut result = vec![0.0; n_rows * n_columns];
            multiply(Existing::Replace, &mut result, n_columns, left.view(), it);
            result
        });
        assert!(loose == packed, "{n_rows} x {depth} x {n_columns}");
    }
}
