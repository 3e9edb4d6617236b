//! How much more work twice the input makes: counted, not timed, so that a test says the same on every
//! machine.
//!
//! A test binary installs the [`Counter`], and each of its tests asks [`check_linear`]:
//!
//! ```
//! #[global_allocator]
//! static COUNTER: patois_growth::Counter = patois_growth::Counter;
//!
//! let words = |text: &String| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
//! patois_growth::check_linear("words", 1_000, |n| "word ".repeat(n), |text| drop(words(text)));
//! ```
//!
//! What is counted are the bytes that the work asks the allocator for, on all threads. That sees lists
//! and texts that are made anew at every step, but neither a search through what is there already nor C.
//! `fuzz/growth` compiles the same tests so that each basic block says when it is run, of C as well, and
//! counts those.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many times the work may become more where the input becomes twice as much.
pub const MAX_GROWTH: f64 = 2.3;

/// So much may be the work of others: of whoever runs the tests, say.
const SLACK: f64 = 50_000.0;

/// Checks that work grows with its input and not faster: from `n` to `2 * n`, and to `4 * n`.
///
/// One such check runs at a time: the others wait, so that what they do is not counted. What a test makes
/// before it asks is, so large things are made by `input` and `work`.
///
/// # Panics
///
/// When it grows faster, or no [`Counter`] is installed.
pub fn check_linear<I>(what: &str, n: usize, input: impl Fn(usize) -> I, work: impl Fn(&I)) {
    check_growth(what, MAX_GROWTH, n, input, work);
}

/// As [`check_linear`], where each time the work may become `max_growth` times as much.
///
/// # Panics
///
/// When it grows faster, or no [`Counter`] is installed.
pub fn check_growth<I>(
    what: &str,
    max_growth: f64,
    n: usize,
    input: impl Fn(usize) -> I,
    work: impl Fn(&I),
) {
    let counts = count_thrice(what, n, input, work);
    for pair in counts.windows(2) {
        compare(what, "twice", max_growth, [pair[0], pair[1]], &counts);
    }
}

/// As [`check_linear`], but on average over both doublings: for a search that is long or short by chance.
///
/// # Panics
///
/// When it grows faster, or no [`Counter`] is installed.
pub fn check_linear_by_and_large<I>(
    what: &str,
    n: usize,
    input: impl Fn(usize) -> I,
    work: impl Fn(&I),
) {
    let counts = count_thrice(what, n, input, work);
    let ends = [counts[0], counts[2]];
    compare(what, "four times", MAX_GROWTH * MAX_GROWTH, ends, &counts);
}

/// The work that inputs of `n`, `2 * n` and `4 * n` make.
fn count_thrice<I>(
    what: &str,
    n: usize,
    input: impl Fn(usize) -> I,
    work: impl Fn(&I),
) -> [u64; 3] {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    // Whatever is made once and kept is made now.
    work(&input(n / 8));
    let counts = [n, 2 * n, 4 * n].map(|n| {
        let input = input(n);
        let before = WORK.load(Ordering::Relaxed);
        work(&input);
        WORK.load(Ordering::Relaxed) - before
    });
    assert!(counts[0] > 0, "{what}: no counter is installed");
    counts
}

fn compare(what: &str, times: &str, max_growth: f64, [less, more]: [u64; 2], counts: &[u64]) {
    let (less, more) = (less as f64, more as f64);
    assert!(
        more < max_growth * less + SLACK,
        "{what}: {times} the input makes {:.2} times the work: {counts:?}",
        more / less
    );
}

/// Waits for its turn: the counter counts what all threads of a process do, and so a test that makes something before
/// its work is counted would be counted with another's.
///
/// ```
/// let _turn = patois_growth::turn();
/// ```
pub fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

static WORK: AtomicU64 = AtomicU64::new(0);

/// The allocator of the system, which counts the bytes that it is asked for.
pub struct Counter;

// SAFETY: all is left to the allocator of the system.
unsafe impl GlobalAlloc for Counter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size);
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[cfg(not(count_blocks))]
fn count(n_bytes: usize) {
    WORK.fetch_add(n_bytes as u64, Ordering::Relaxed);
}

#[cfg(count_blocks)]
fn count(_: usize) {}

/// What compilers make every basic block call. A function of this name calls nothing itself.
#[cfg(count_blocks)]
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_trace_pc() {
    WORK.fetch_add(1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static COUNTER: Counter = Counter;

    /// Copies a text so many times.
    fn copy(text: &str, n_copies: usize) {
        for _ in 0..n_copies {
            assert_eq!(text.to_owned(), text);
        }
    }

    #[test]
    fn linear_work_passes() {
        check_linear("copy", 1_000, |n| "a".repeat(n), |it| copy(it, 3));
    }

    #[test]
    #[should_panic(expected = "times the work")]
    fn quadratic_work_does_not() {
        let input = |n| "a".repeat(n);
        check_linear("copy", 1_000, input, |it| copy(it, it.len()));
    }
}
