//! Long work: on threads of its own, without the interpreter's lock, with progress, ended by Ctrl-C.
//!
//! The thread that called from Python waits. Several times a second it looks whether there was a signal, and passes on how far
//! the work is; so callbacks run on the caller's thread, and however fast the work reports, Python is asked no more often than a
//! person can see.
//!
//! After a Ctrl-C, or an exception of the callback, the work has a moment to end by itself, as training does, which saves. Else it
//! is left behind: its threads end at the next thing that they report, and what comes next gets others.

use std::panic::resume_unwind;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use patois_cli::{Failure, STACK_BYTES};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::exception;

/// How often signals are looked for, and progress is shown.
const PAUSE: Duration = Duration::from_millis(50);

/// How long work may take to end by itself.
const GRACE: Duration = Duration::from_millis(600);

/// How far some work is.
#[derive(Clone, Debug)]
struct Progress {
    work: &'static str,
    n_done: usize,
    n_items: usize,
    message: String,
}

/// What the threads that work say to the one that waits.
enum Said<T> {
    Progress(Progress),
    Ended(Result<T, Failure>),
}

/// What work reports to, and whether it should go on.
#[derive(Clone)]
pub(crate) struct Watch {
    is_over: Arc<AtomicBool>,
    state: Arc<Mutex<Progress>>,
    tell: Arc<dyn Fn(Progress) + Send + Sync>,
}

/// What unwinds from work that nobody waits for any more.
struct Over;

impl Watch {
    /// Some work begins: so many of its items were done before.
    pub(crate) fn begin(&self, work: &'static str, n_done: usize, n_items: usize) {
        let begun = Progress {
            work,
            n_done,
            n_items,
            message: String::new(),
        };
        *self.lock() = begun.clone();
        (self.tell)(begun);
    }

    /// One more item is done, and `message` says how it went.
    pub(crate) fn step(&self, message: impl FnOnce() -> String) {
        let mut state = self.lock();
        state.n_done += 1;
        state.message = message();
        (self.tell)(state.clone());
    }

    /// Whether nobody waits any more.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Ends the work here and now where nobody waits any more: for work that has no other way to be stopped.
    pub(crate) fn end_if_over(&self) {
        if self.is_over() {
            resume_unwind(Box::new(Over));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does work on the package's threads; `progress` is called with what is done, how much of it, of how much, and a remark.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let pool = pool().map_err(|failure| exception(py, &failure))?;
    let (sender, receiver) = channel();
    let is_over = Arc::new(AtomicBool::new(false));
    let watch = watch(Arc::clone(&is_over), &sender);
    pool.spawn(move || {
        let done = patois_cli::guarded(|| work(&watch));
        // Whoever left does not want to know.
        let _ = sender.send(Said::Ended(done));
    });
    let receiver = Mutex::new(receiver);
    let waited = wait(py, progress, &receiver);
    if waited.is_err() {
        is_over.store(true, Ordering::Relaxed);
        py.detach(|| leave(&receiver));
    }
    waited?.map_err(|failure| exception(py, &failure))
}

fn watch<T: Send + 'static>(is_over: Arc<AtomicBool>, sender: &Sender<Said<T>>) -> Watch {
    let sender = Mutex::new(sender.clone());
    let tell = move |progress| {
        let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = sender.send(Said::Progress(progress));
    };
    Watch {
        is_over,
        state: Arc::new(Mutex::new(Progress {
            work: "",
            n_done: 0,
            n_items: 0,
            message: String::new(),
        })),
        tell: Arc::new(tell),
    }
}

/// Waits for the end, unless there is a signal or the callback raises an exception.
fn wait<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    receiver: &Mutex<Receiver<Said<T>>>,
) -> PyResult<Result<T, Failure>> {
    loop {
        let (said, ended) = py.detach(|| listen(receiver, Instant::now() + PAUSE));
        if let Some(callback) = progress {
            for Progress {
                work,
                n_done,
                n_items,
                message,
            } in said
            {
                callback.call1((work, n_done, n_items, message))?;
            }
        }
        if let Some(ended) = ended {
            return Ok(ended);
        }
        py.check_signals()?;
    }
}

/// What is said until some time, of each work the last; and how it ended, if it did.
fn listen<T>(
    receiver: &Mutex<Receiver<Said<T>>>,
    until: Instant,
) -> (Vec<Progress>, Option<Result<T, Failure>>) {
    let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
    let mut said: Vec<Progress> = Vec::new();
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match receiver.recv_timeout(left) {
            Ok(Said::Ended(ended)) => return (said, Some(ended)),
            Ok(Said::Progress(progress)) => {
                said.pop_if(|it| it.work == progress.work);
                said.push(progress);
            }
            Err(RecvTimeoutError::Timeout) => return (said, None),
            Err(RecvTimeoutError::Disconnected) => {
                let gone = Failure::new("the threads that worked are gone");
                return (said, Some(Err(gone)));
            }
        }
    }
}

/// Gives work that nobody wants a moment to end by itself; whoever comes next gets other threads where it does not.
fn leave<T>(receiver: &Mutex<Receiver<Said<T>>>) {
    let (_, ended) = listen(receiver, Instant::now() + GRACE);
    if ended.is_none() {
        lock().made = None;
    }
}

/// The threads of the package.
struct Threads {
    /// How many are wanted; as many as there are cores where it is 0.
    n_wanted: usize,
    made: Option<Made>,
}

struct Made {
    pool: Arc<ThreadPool>,
    /// The process that has made them: a fork of it has none.
    process: u32,
}

static THREADS: Mutex<Threads> = Mutex::new(Threads {
    n_wanted: 0,
    made: None,
});

fn lock() -> MutexGuard<'static, Threads> {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pool() -> Result<Arc<ThreadPool>, Failure> {
    let mut threads = lock();
    let here = process::id();
    if let Some(made) = threads.made.take() {
        if made.process == here {
            let pool = Arc::clone(&made.pool);
            threads.made = Some(made);
            return Ok(pool);
        }
        // Its threads are not here to be waited for.
        std::mem::forget(made);
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads.n_wanted)
        .stack_size(STACK_BYTES)
        .build();
    let pool = Arc::new(pool.map_err(|error| {
        Failure::new("cannot start the threads to work on")
            .because(error)
            .help("fewer may do: patois.set_threads(1)")
    })?);
    threads.made = Some(Made {
        pool: Arc::clone(&pool),
        process: here,
    });
    Ok(pool)
}

/// Sets the number of threads that work; 0 for as many as there are cores.
#[pyfunction]
pub(crate) fn set_threads(n: usize) {
    let mut threads = lock();
    threads.n_wanted = n;
    threads.made = None;
}

/// The number of threads that work.
#[pyfunction]
pub(crate) fn threads(py: Python<'_>) -> PyResult<usize> {
    let pool = pool().map_err(|failure| exception(py, &failure))?;
    Ok(pool.current_num_threads())
}
