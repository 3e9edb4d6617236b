//! How long the stages of a run take.

use std::time::Instant;

/// A clock that is looked at after each stage.
pub(crate) struct Stopwatch {
    last: Instant,
    laps: Vec<(String, f64)>,
}

impl Stopwatch {
    /// Starts with the first stage.
    pub(crate) fn start() -> Stopwatch {
        Stopwatch {
            last: Instant::now(),
            laps: Vec::new(),
        }
    }

    /// A stage is over: how long it took, in seconds.
    pub(crate) fn lap(&mut self, stage: impl Into<String>) -> f64 {
        let seconds = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        self.laps.push((stage.into(), seconds));
        seconds
    }

    /// The stages so far.
    pub(crate) fn laps(&self) -> &[(String, f64)] {
        &self.laps
    }
}
