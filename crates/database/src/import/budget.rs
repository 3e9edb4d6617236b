//! How much of files is read.

use std::time::{Duration, Instant};

/// How much of files is read; what is beyond is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportLimits {
    /// How many bytes of all files together.
    pub n_bytes: u64,
    /// How many rows of a table.
    pub n_rows: u64,
    /// For how long.
    pub time: Duration,
}

impl Default for ImportLimits {
    fn default() -> ImportLimits {
        ImportLimits {
            n_bytes: 2 << 30,
            n_rows: 20_000_000,
            time: Duration::from_mins(2),
        }
    }
}

/// Why a table was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    Rows,
    Bytes,
    Time,
}

/// What is left of the limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) n_rows: u64,
    pub(super) n_bytes: u64,
    /// None where it is out of sight.
    deadline: Option<Instant>,
}

/// How many rows pass between two looks at the clock.
const ROWS_BETWEEN_LOOKS: u64 = 1 << 10;

impl Budget {
    pub(super) fn of(limits: &ImportLimits) -> Budget {
        Budget {
            n_rows: limits.n_rows,
            n_bytes: limits.n_bytes,
            deadline: Instant::now().checked_add(limits.time),
        }
    }

    /// Whether a row that is read after so many others is one too many; it ends after so many bytes.
    pub(super) fn cut(&self, n_rows: u64, n_bytes: u64) -> Option<Cut> {
        if n_rows >= self.n_rows {
            Some(Cut::Rows)
        } else if n_bytes > self.n_bytes {
            Some(Cut::Bytes)
        } else if n_rows.is_multiple_of(ROWS_BETWEEN_LOOKS) && self.time_left().is_zero() {
            Some(Cut::Time)
        } else {
            None
        }
    }

    /// The same, with a third of the time: what is looked at still has to be inserted.
    pub(super) fn for_a_look(&self) -> Budget {
        let deadline = Instant::now().checked_add(self.time_left() / 3);
        Budget {
            deadline: deadline.filter(|_| self.deadline.is_some()),
            ..*self
        }
    }

    pub(super) fn time_left(&self) -> Duration {
        self.deadline.map_or(Duration::MAX, |it| {
            it.saturating_duration_since(Instant::now())
        })
    }
}
