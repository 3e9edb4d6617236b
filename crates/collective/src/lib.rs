//! Ranks that work together: what patois needs of MPI, and what stands in for it on one machine.
//!
//! | file | what lives there |
//! | --- | --- |
//! | `lib.rs` | [`Collective`]: the operations, most of them made of three |
//! | `alone.rs`, `threads.rs` | [`Alone`]: one process; [`Threads`]: ranks that are threads of it |
//! | `metered.rs` | [`Metered`]: ranks that count what they send |
//! | `wire.rs` | [`Writer`] and [`Reader`]: numbers and texts as the bytes that ranks send |
//!
//! MPI itself is in `tools/mpi` of the repository, so that nobody needs it to build patois.
//!
//! All ranks must call the same operations in the same order, as everywhere in this style. What they are
//! given back is the same whatever the timing: bytes come in the order of the ranks, and sums are added in
//! it.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod alone;
mod metered;
mod threads;
mod wire;

pub use alone::Alone;
pub use metered::Metered;
pub use threads::{Lost, Threads};
pub use wire::{Reader, Writer};

/// Several ranks that run the same program on different data.
///
/// A rank that ends early, by a panic or by an error that the others do not have, ends all of them.
///
/// ```
/// use patois_collective::{Alone, Collective};
///
/// // What works with any number of ranks works with one.
/// let mut counts = [3, 4];
/// Alone.sum(&mut counts);
/// assert_eq!((Alone.size(), counts), (1, [3, 4]));
/// ```
pub trait Collective: Sync {
    /// Which rank this is, from zero on.
    fn rank(&self) -> usize;

    /// How many there are.
    fn size(&self) -> usize;

    /// Gives every rank a part; what all have given this one, in their order.
    ///
    /// # Panics
    ///
    /// When there are not as many parts as ranks.
    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// Gives all ranks the same; what all have given, in their order.
    fn all_gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>>;

    /// What the rank `root` has given; what others give is not looked at.
    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8>;

    /// Gives rank 0 something; what all have given there, in their order, and nothing elsewhere.
    fn gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        let mut parts = vec![Vec::new(); self.size()];
        parts[0] = bytes;
        let received = self.all_to_all(parts);
        if self.rank() == 0 {
            received
        } else {
            Vec::new()
        }
    }

    /// Waits until all ranks are here.
    fn barrier(&self) {
        self.all_gather(Vec::new());
    }

    /// Adds up the numbers of all ranks, place by place.
    ///
    /// # Panics
    ///
    /// When ranks have different numbers of them.
    fn sum(&self, values: &mut [u64]) {
        if self.size() == 1 {
            return;
        }
        let slices = Slices::of(values.len(), self.size());
        let part = |rank: usize| {
            let own = values[slices.range(rank)].iter();
            own.flat_map(|it| it.to_le_bytes()).collect()
        };
        let parts = (0..self.size()).map(part).collect();
        let mut sums = vec![0_u64; slices.range(self.rank()).len()];
        for bytes in self.all_to_all(parts) {
            assert_eq!(bytes.len(), sums.len() * 8, "all ranks sum as many numbers");
            for (sum, value) in sums.iter_mut().zip(words(&bytes)) {
                *sum += u64::from_le_bytes(value);
            }
        }
        let own = sums.iter().flat_map(|it| it.to_le_bytes()).collect();
        for (rank, bytes) in self.all_gather(own).into_iter().enumerate() {
            let sums = &mut values[slices.range(rank)];
            for (value, sum) in sums.iter_mut().zip(words(&bytes)) {
                *value = u64::from_le_bytes(sum);
            }
        }
    }

    /// Adds up rows of numbers, each of which some rank has, in the order of the rows.
    ///
    /// `rows` are those of this rank; ranks have consecutive ones, the first rank the first. The sum is
    /// `((row 0 + row 1) + row 2) + ...` for every number, so it does not depend on which rank has which.
    ///
    /// # Panics
    ///
    /// When a row has not `width` numbers.
    fn sum_rows(&self, rows: &[Vec<f32>], width: usize) -> Vec<f32> {
        assert!(
            rows.iter().all(|it| it.len() == width),
            "rows have {width} numbers"
        );
        let slices = Slices::of(width, self.size());
        let part = |rank: usize| {
            let own = rows.iter().flat_map(|row| &row[slices.range(rank)]);
            own.flat_map(|it| it.to_le_bytes()).collect()
        };
        let parts = (0..self.size()).map(part).collect();
        let n_own = slices.range(self.rank()).len();
        let mut sums: Option<Vec<f32>> = None;
        for bytes in self.all_to_all(parts) {
            for row in bytes.chunks_exact((4 * n_own).max(1)) {
                let row = words(row).map(f32::from_le_bytes);
                match &mut sums {
                    None => sums = Some(row.collect()),
                    Some(sums) => sums.iter_mut().zip(row).for_each(|(sum, it)| *sum += it),
                }
            }
        }
        let sums = sums.unwrap_or_default();
        let own = sums.iter().flat_map(|it| it.to_le_bytes()).collect();
        let gathered = self.all_gather(own);
        let numbers = gathered.iter().flat_map(|it| words(it));
        numbers.map(f32::from_le_bytes).collect()
    }
}

/// Numbers dealt to ranks, consecutive ones to each.
struct Slices {
    n: usize,
    size: usize,
}

impl Slices {
    fn of(n: usize, size: usize) -> Slices {
        Slices { n, size }
    }

    fn range(&self, rank: usize) -> std::ops::Range<usize> {
        let at = |rank: usize| (self.n as u128 * rank as u128 / self.size as u128) as usize;
        at(rank)..at(rank + 1)
    }
}

/// Bytes, so many at a time.
fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    bytes.as_chunks::<N>().0.iter().copied()
}
