//! Ranks that count what they send.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Collective;

/// Ranks that count the bytes which this one sends to others, and how often all have met.
///
/// ```
/// use patois_collective::{Alone, Collective, Metered};
///
/// let ranks = Metered::new(&Alone);
/// ranks.all_gather(vec![1, 2, 3]);
/// // There is nobody to send them to.
/// assert_eq!((ranks.n_bytes(), ranks.n_meetings()), (0, 1));
/// ```
pub struct Metered<'c> {
    ranks: &'c dyn Collective,
    n_bytes: AtomicU64,
    n_meetings: AtomicU64,
}

impl<'c> Metered<'c> {
    /// Counts what goes through these ranks from now on.
    pub fn new(ranks: &'c dyn Collective) -> Metered<'c> {
        Metered {
            ranks,
            n_bytes: AtomicU64::new(0),
            n_meetings: AtomicU64::new(0),
        }
    }

    /// How many bytes this rank has sent; what goes to several counts for each.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes.load(Ordering::Relaxed)
    }

    /// How many operations there were.
    pub fn n_meetings(&self) -> u64 {
        self.n_meetings.load(Ordering::Relaxed)
    }

    fn count(&self, n_bytes: usize) {
        self.n_bytes.fetch_add(n_bytes as u64, Ordering::Relaxed);
        self.n_meetings.fetch_add(1, Ordering::Relaxed);
    }
}

impl Collective for Metered<'_> {
    fn rank(&self) -> usize {
        self.ranks.rank()
    }

    fn size(&self) -> usize {
        self.ranks.size()
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let others = parts.iter().enumerate().filter(|it| it.0 != self.rank());
        self.count(others.map(|it| it.1.len()).sum());
        self.ranks.all_to_all(parts)
    }

    fn all_gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        self.count(bytes.len() * (self.size() - 1));
        self.ranks.all_gather(bytes)
    }

    fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Vec<u8> {
        let is_root = root == self.rank();
        self.count(if is_root {
            bytes.len() * (self.size() - 1)
        } else {
            0
        });
        self.ranks.broadcast(root, bytes)
    }
}
