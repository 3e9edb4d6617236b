//! What an action on a database may cost, and what ends it when it costs more.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use crate::memory;

/// What an action may cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// How long it may take. The clock is no part of what it does: of two runs, one may end here.
    pub(super) time: Duration,
    /// How many steps SQLite's machine may make: the same in every run.
    pub(super) n_steps: u64,
    /// How many bytes SQLite may take.
    pub(super) n_bytes: usize,
}

/// What an action took too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Overrun {
    /// Time.
    #[error("longer than {0:?}")]
    Time(Duration),
    /// Steps of SQLite's machine.
    #[error("more than {0} steps")]
    Steps(u64),
    /// Memory, in bytes.
    #[error("more than {} MB of memory", .0 >> 20)]
    Memory(usize),
}

impl Overrun {
    /// What `error` says of an action that is allowed so much, as long as it lasts.
    pub(super) fn of(
        error: &rusqlite::Error,
        allowance: &Allowance,
        guard: &Guard,
    ) -> Option<Overrun> {
        match error.sqlite_error_code()? {
            ErrorCode::OutOfMemory => Some(Overrun::Memory(allowance.n_bytes)),
            ErrorCode::OperationInterrupted if memory::is_exceeded() => {
                Some(Overrun::Memory(allowance.n_bytes))
            }
            ErrorCode::OperationInterrupted if guard.n_steps_left.load(Relaxed) == 0 => {
                Some(Overrun::Steps(allowance.n_steps))
            }
            ErrorCode::OperationInterrupted => Some(Overrun::Time(allowance.time)),
            _ => None,
        }
    }
}

/// What the hooks of a connection look at.
#[derive(Debug)]
pub(super) struct Guard {
    deadline: Mutex<Option<Deadline>>,
    n_steps_left: AtomicU64,
    is_trusted: AtomicBool,
}

/// How many steps of SQLite's machine pass between two calls of [`Guard::ends`]: well under 1 ms,
/// unless the steps are slow.
pub(super) const STEPS_BETWEEN_LOOKS: u64 = 1_000;

/// How long after an interruption without effect the next one follows: SQLite forgets those that
/// come between two statements.
const INSISTENCE: Duration = Duration::from_millis(10);

/// The stack of the thread that waits.
const STACK: usize = 64 << 10;

/// When an action ends.
#[derive(Clone, Copy, Debug)]
struct Deadline {
    at: Instant,
    /// When it must be over, whatever it was doing.
    latest: Instant,
}

impl Deadline {
    /// The deadline of an action that begins now; none where it is out of sight.
    fn after(time: Duration) -> Option<Deadline> {
        let at = Instant::now().checked_add(time)?;
        let latest = at.checked_add(time / 10)?;
        Some(Deadline { at, latest })
    }

    /// Whether it has come, or would pass while SQLite sorts what it holds.
    fn has_come(&self) -> bool {
        let now = Instant::now();
        now >= self.at || self.latest.duration_since(now) < memory::sorting_time()
    }
}

impl Default for Guard {
    fn default() -> Guard {
        Guard {
            deadline: Mutex::new(None),
            n_steps_left: AtomicU64::new(u64::MAX),
            is_trusted: AtomicBool::new(false),
        }
    }
}

impl Guard {
    /// Runs `action` on `connection` within an allowance; beyond it, SQLite ends with an error.
    pub(super) fn within<T>(
        &self,
        allowance: &Allowance,
        connection: &Connection,
        action: impl FnOnce() -> T,
    ) -> T {
        self.n_steps_left.store(allowance.n_steps, Relaxed);
        *self.deadline() = Deadline::after(allowance.time);
        let result = memory::limited(allowance.n_bytes, || {
            watched(connection, allowance.time, action)
        });
        *self.deadline() = None;
        self.n_steps_left.store(u64::MAX, Relaxed);
        result
    }

    /// Runs `action`, our own statements, which may ask SQLite about the schema.
    pub(super) fn trusting<T>(&self, action: impl FnOnce() -> T) -> T {
        self.is_trusted.store(true, Relaxed);
        let result = action();
        self.is_trusted.store(false, Relaxed);
        result
    }

    pub(super) fn is_trusted(&self) -> bool {
        self.is_trusted.load(Relaxed)
    }

    /// Whether SQLite should end, after as many steps as pass between two looks.
    pub(super) fn ends(&self) -> bool {
        let n_steps = self.n_steps_left.load(Relaxed);
        let n_left = n_steps.saturating_sub(STEPS_BETWEEN_LOOKS);
        self.n_steps_left.store(n_left, Relaxed);
        // Some functions of SQLite go on without the memory that they were refused.
        n_left == 0 || memory::is_exceeded() || self.deadline().is_some_and(|it| it.has_come())
    }

    fn deadline(&self) -> MutexGuard<'_, Option<Deadline>> {
        self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs `action`, and interrupts it after `time`.
///
/// Some steps of SQLite's machine last: one counts a whole table. It looks for an interruption more
/// often than it lets us look at the clock.
fn watched<T>(connection: &Connection, time: Duration, action: impl FnOnce() -> T) -> T {
    let handle = connection.get_interrupt_handle();
    let (end, ended) = channel::<()>();
    thread::scope(move |scope| {
        let watch = move || {
            let mut patience = time;
            while ended.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                handle.interrupt();
                patience = INSISTENCE;
            }
        };
        // Where there can be no more threads, the hook that counts steps looks at the clock as well.
        let watching = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, watch);
        let result = action();
        drop((end, watching));
        result
    })
}
