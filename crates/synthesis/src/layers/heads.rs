//! Where queries, keys and values of a head stand in a row.

use std::ops::Range;

/// Rows of queries, then keys, then values, each `width` wide, all heads side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadLayout {
    /// The width of all heads together.
    pub(super) width: usize,
    /// The width of a head.
    pub(super) head: usize,
}

impl HeadLayout {
    /// The layout of rows that hold queries, keys and values.
    pub(super) fn new(n_columns: usize, n_heads: usize) -> HeadLayout {
        let width = n_columns / 3;
        HeadLayout {
            width,
            head: width / n_heads,
        }
    }

    /// The columns of the queries of a head; also those of what it gathers.
    pub(super) fn queries(self, head: usize) -> Range<usize> {
        head * self.head..(head + 1) * self.head
    }

    /// The columns of the keys of a head.
    pub(super) fn keys(self, head: usize) -> Range<usize> {
        self.width + head * self.head..self.width + (head + 1) * self.head
    }

    /// The columns of the values of a head.
    pub(super) fn values(self, head: usize) -> Range<usize> {
        2 * self.width + head * self.head..2 * self.width + (head + 1) * self.head
    }

    /// What scores are multiplied with.
    pub(super) fn scale(self) -> f32 {
        1.0 / (self.head as f32).sqrt()
    }
}
