//! Memory of matrices that are gone, for those to come.
//!
//! Every step of training needs the same hundred megabytes again. Given back to the system in
//! between, they cost a page fault every four kilobytes: an eighth of a step.

use std::cell::RefCell;
use std::collections::BTreeMap;

/// How much memory a thread keeps, in numbers: half a gigabyte.
const MOST_KEPT: usize = 1 << 27;
/// Smaller matrices are not worth it.
const SMALLEST: usize = 1 << 10;

#[derive(Default)]
struct Kept {
    /// By their capacity.
    vectors: BTreeMap<usize, Vec<Vec<f32>>>,
    total: usize,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Zeros.
pub(super) fn zeros(length: usize) -> Vec<f32> {
    match take(length) {
        Some(mut vector) => {
            vector.fill(0.0);
            vector
        }
        None => fresh(length),
    }
}

/// Whatever numbers there were.
pub(super) fn any(length: usize) -> Vec<f32> {
    take(length).unwrap_or_else(|| fresh(length))
}

/// Zeros in memory of a size that others will want too: batches are about equally long, not equally. The system
/// hands it out zeroed, so that what is never written to takes no room.
fn fresh(length: usize) -> Vec<f32> {
    let mut vector = vec![0.0; rounded(length)];
    vector.truncate(length);
    vector
}

/// The next of eight sizes between a power of two and the next.
fn rounded(length: usize) -> usize {
    if length < SMALLEST {
        return length;
    }
    length.next_multiple_of(length.next_power_of_two() / 16)
}

/// A copy of values.
pub(super) fn copy(values: &[f32]) -> Vec<f32> {
    let mut vector = any(values.len());
    vector.copy_from_slice(values);
    vector
}

/// Values that others have made, in memory that was kept: were theirs kept as well once they are gone, what is kept
/// would grow with every step.
pub(super) fn adopted(values: Vec<f32>) -> Vec<f32> {
    if values.len() < SMALLEST {
        return values;
    }
    copy(&values)
}

/// A vector of `length` numbers, whichever they are.
fn take(length: usize) -> Option<Vec<f32>> {
    if length < SMALLEST {
        return None;
    }
    KEPT.with_borrow_mut(|kept| {
        // Nothing that is much too large: others will want that.
        let wanted = rounded(length);
        let (&capacity, vectors) = kept.vectors.range_mut(wanted..=2 * wanted).next()?;
        let vector = vectors.pop()?;
        if vectors.is_empty() {
            kept.vectors.remove(&capacity);
        }
        kept.total -= capacity;
        let mut vector = vector;
        vector.resize(length, 0.0);
        Some(vector)
    })
}

/// Keeps the memory of a vector.
pub(super) fn recycle(vector: Vec<f32>) {
    if vector.capacity() < SMALLEST {
        return;
    }
    // A thread that ends has given up its memory before its last matrices are gone.
    let _ = KEPT.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        if kept.total + vector.capacity() > MOST_KEPT {
            return;
        }
        kept.total += vector.capacity();
        let capacity = vector.capacity();
        kept.vectors.entry(capacity).or_default().push(vector);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;

    #[test]
    fn what_others_have_made_does_not_add_to_what_is_kept() {
        let kept = || KEPT.with_borrow(|kept| kept.total);
        let make = || drop(Matrix::new(3, 1_000, vec![1.0; 3_000]));
        make();
        let before = kept();
        make();
        make();
        assert_eq!(kept(), before);
    }

    #[test]
    fn recycled_memory_holds_zeros_again() {
        let mut vector = zeros(5_000);
        vector.fill(7.0);
        let place = vector.as_ptr();
        recycle(vector);
        let vector = zeros(4_500);
        assert_eq!(vector.as_ptr(), place, "the same memory");
        assert_eq!(vector, vec![0.0; 4_500]);
        recycle(vector);
        assert_eq!(copy(&vec![1.0; 6_000]), vec![1.0; 6_000]);
    }
}
