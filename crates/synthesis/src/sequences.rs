//! Sequences of different lengths in one matrix, without padding.

use std::ops::Range;

/// The rows of sequences, longest first: those of all first steps, then those of all second
/// steps, and so on. Who goes on is always a prefix of who was there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sequences {
    lengths: Vec<usize>,
    /// Where each step's rows begin, and where the last one's end.
    starts: Vec<usize>,
}

impl Sequences {
    /// Sequences of the given lengths.
    ///
    /// # Panics
    ///
    /// When a sequence is longer than the one before it.
    pub(crate) fn new(lengths: Vec<usize>) -> Sequences {
        assert!(lengths.is_sorted_by(|a, b| a >= b), "longest first");
        let mut n_active = lengths.len();
        let mut starts = vec![0];
        for step in 0..lengths.first().copied().unwrap_or(0) {
            while lengths[n_active - 1] <= step {
                n_active -= 1;
            }
            starts.push(starts[step] + n_active);
        }
        Sequences { lengths, starts }
    }

    /// How many sequences there are.
    pub(crate) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The length of a sequence.
    pub(crate) fn length(&self, sequence: usize) -> usize {
        self.lengths[sequence]
    }

    /// How many steps the longest sequence has.
    pub(crate) fn n_steps(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many rows all have together.
    pub(crate) fn n_rows(&self) -> usize {
        self.starts[self.n_steps()]
    }

    /// The rows of a step, one for each of the first sequences.
    pub(crate) fn rows(&self, step: usize) -> Range<usize> {
        self.starts[step]..self.starts[step + 1]
    }

    /// The row of a step of a sequence.
    pub(crate) fn row(&self, sequence: usize, step: usize) -> usize {
        debug_assert!(step < self.lengths[sequence], "the sequence has that step");
        self.starts[step] + sequence
    }

    /// The sequence of each row.
    pub(crate) fn sequence_of_rows(&self) -> Vec<u32> {
        let steps = (0..self.n_steps()).map(|step| self.rows(step).len());
        steps.flat_map(|n_active| 0..n_active as u32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_step_by_step() {
        let sequences = Sequences::new(vec![3, 3, 1, 0]);
        assert_eq!(sequences.n_rows(), 7);
        assert_eq!(sequences.rows(0), 0..3);
        assert_eq!(sequences.rows(1), 3..5);
        assert_eq!(sequences.rows(2), 5..7);
        assert_eq!(sequences.row(1, 2), 6);
        assert_eq!(sequences.sequence_of_rows(), [0, 1, 2, 0, 1, 0, 1]);
        assert_eq!(Sequences::new(Vec::new()).n_rows(), 0);
    }
}
