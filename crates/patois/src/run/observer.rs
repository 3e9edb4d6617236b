//! Whoever waits for a run is told how it goes, and may stop it.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use patois_mining::Sweep;
use patois_synthesis::training::{Measurement, StepRecord};

use super::synthesize::Prediction;

/// Work that takes long enough to be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Idioms are mined, sweep by sweep.
    Mining,
    /// A model that idioms are chosen with is trained, step by step.
    Selecting,
    /// How often idioms are used is counted, program by program.
    Counting,
    /// A pretrained encoder that is not trained reads, specification by specification.
    Reading,
    /// A model is trained, step by step.
    Training,
    /// Programs are written, example by example.
    Writing,
}

/// Something that whoever waits may want to know.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Something that the corpus does not say was decided for it.
    Noted(&'a str),
    /// Work begins.
    Begins {
        /// Which.
        work: Work,
        /// How many items were done at another time.
        n_done: usize,
        /// How many there are.
        n_items: usize,
    },
    /// The miner has been through all programs.
    Swept(&'a Sweep),
    /// The idioms of a program were counted.
    Counted,
    /// A specification was read.
    Read,
    /// A step was taken.
    Step(StepRecord),
    /// The loss on dev was measured after a step.
    Measured(usize, Measurement),
    /// A checkpoint was written after a step.
    Saved(usize),
    /// A program was written for an example, or could not be; examples come in any order.
    Written(&'a Prediction),
    /// Work ends.
    Ends(Work),
}

/// Somebody who waits for a run: a progress bar, a log, a test.
pub trait Observer: Send {
    /// Something has happened. To break is to ask the work to stop as soon as it can be gone on with.
    fn see(&mut self, event: Event<'_>) -> ControlFlow<()>;
}

impl<F: FnMut(Event<'_>) -> ControlFlow<()> + Send> Observer for F {
    fn see(&mut self, event: Event<'_>) -> ControlFlow<()> {
        self(event)
    }
}

/// Nobody waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn see(&mut self, _: Event<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Does work between its beginning and its end.
pub(super) fn observed<T>(
    watch: &mut dyn Observer,
    work: Work,
    (n_done, n_items): (usize, usize),
    action: impl FnOnce(&mut dyn Observer) -> T,
) -> T {
    // Who does not want it to begin can say so at the first item.
    let _ = watch.see(Event::Begins {
        work,
        n_done,
        n_items,
    });
    let done = action(watch);
    let _ = watch.see(Event::Ends(work));
    done
}

/// An observer that several threads talk to, one at a time.
pub(super) fn lock<'l, 'o>(
    watch: &'l Mutex<&'o mut dyn Observer>,
) -> MutexGuard<'l, &'o mut dyn Observer> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}
