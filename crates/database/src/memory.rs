//! How much memory SQLite holds, counted and limited for each thread.
//!
//! SQLite's own limit, `sqlite3_hard_heap_limit64`, is one for the whole process: of queries that run
//! side by side, one that takes too much would make the others fail, or not, as the threads happen to
//! be scheduled. A query runs on one thread. So what SQLite allocates is counted by thread, and it is
//! told that there is no memory left when the thread has taken its share, which it reports as an
//! error, as it does everywhere.
#![expect(
    unsafe_code,
    reason = "SQLite takes an allocator as a table of C functions"
)]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::time::Duration;

use rusqlite::ffi::{
    SQLITE_CONFIG_GETMALLOC, SQLITE_CONFIG_MALLOC, SQLITE_OK, sqlite3_config, sqlite3_mem_methods,
};

/// Runs `action`, during which SQLite may take `n_bytes` more than it holds, on this thread.
pub(super) fn limited<T>(n_bytes: usize, action: impl FnOnce() -> T) -> T {
    let account = Account {
        limit: i64::try_from(n_bytes).unwrap_or(i64::MAX),
        ..Account::UNLIMITED
    };
    let _outer = Outer(ACCOUNT.replace(account));
    action()
}

/// Runs `action`, and tells how many bytes more SQLite held during it, at most.
#[cfg(test)]
pub(super) fn peak<T>(action: impl FnOnce() -> T) -> (T, i64) {
    limited(usize::MAX, || (action(), ACCOUNT.get().peak))
}

/// Runs `action`, in which SQLite is refused nothing, for those of its functions that have no way to
/// report it. What it takes counts all the same.
pub(super) fn unrefused<T>(action: impl FnOnce() -> T) -> T {
    let limit = ACCOUNT.get().limit;
    ACCOUNT.set(Account {
        limit: i64::MAX,
        ..ACCOUNT.get()
    });
    let result = action();
    ACCOUNT.set(Account {
        limit,
        ..ACCOUNT.get()
    });
    result
}

/// How many bytes this thread may take.
pub(super) fn limit() -> i64 {
    ACCOUNT.get().limit
}

/// Whether this thread holds more than it may, or would if it had not been refused.
pub(super) fn is_exceeded() -> bool {
    let account = ACCOUNT.get();
    account.was_refused || account.used > account.limit
}

/// Notes that an action holds `n_bytes` besides what SQLite holds, until it ends.
pub(super) fn charge(n_bytes: usize) {
    let n_bytes = i64::try_from(n_bytes).unwrap_or(i64::MAX);
    note(n_bytes, 0);
    ACCOUNT.set(Account {
        charged: ACCOUNT.get().charged + n_bytes,
        ..ACCOUNT.get()
    });
}

/// How long SQLite may take to sort all that it holds, each piece of memory being a row; it cannot be
/// stopped meanwhile. Half as much was measured.
pub(super) fn sorting_time() -> Duration {
    let account = ACCOUNT.get();
    let nanoseconds = 1_000 * account.n_pieces + 20 * (account.used - account.charged);
    Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(0))
}

/// Makes SQLite allocate through this module, once in a process.
///
/// Whether it does: SQLite takes no allocator once it has been used.
pub(super) fn install() -> bool {
    static IS_INSTALLED: OnceLock<bool> = OnceLock::new();
    *IS_INSTALLED.get_or_init(|| {
        let mut methods = EMPTY;
        // SAFETY: both options take a pointer to such a table, and copy from it or to it. Where
        // another thread starts SQLite at this moment, it sees the old functions or the new ones;
        // these pass memory from and to the old ones as it is, so either can free what the other
        // allocated.
        let is_known =
            unsafe { sqlite3_config(SQLITE_CONFIG_GETMALLOC, &raw mut methods) } == SQLITE_OK;
        let system = System::new(&methods).filter(|_| is_known);
        let Some(system) = system else {
            return false;
        };
        let system = SYSTEM.get_or_init(|| system);
        let counting = system.counting();
        // SAFETY: as above.
        unsafe { sqlite3_config(SQLITE_CONFIG_MALLOC, &raw const counting) == SQLITE_OK }
    })
}

/// What SQLite holds on one thread since the count began.
#[derive(Clone, Copy)]
struct Account {
    /// In bytes; less than 0 where more was freed than allocated.
    used: i64,
    /// How much of it is not SQLite's.
    charged: i64,
    /// How many pieces of memory the rest is.
    n_pieces: i64,
    peak: i64,
    limit: i64,
    was_refused: bool,
}

impl Account {
    const UNLIMITED: Account = Account {
        used: 0,
        charged: 0,
        n_pieces: 0,
        peak: 0,
        limit: i64::MAX,
        was_refused: false,
    };
}

thread_local! {
    static ACCOUNT: Cell<Account> = const { Cell::new(Account::UNLIMITED) };
}

/// The account that an action found, to which its own is added when it ends, even in a panic.
struct Outer(Account);

impl Drop for Outer {
    fn drop(&mut self) {
        let (outer, inner) = (self.0, ACCOUNT.get());
        ACCOUNT.set(Account {
            used: outer.used + inner.used - inner.charged,
            n_pieces: outer.n_pieces + inner.n_pieces,
            peak: outer.peak.max(outer.used + inner.peak),
            ..outer
        });
    }
}

/// Whether `n_bytes` more may be taken.
fn may_take(n_bytes: i64) -> bool {
    let mut account = ACCOUNT.get();
    let may_take = account.used.saturating_add(n_bytes) <= account.limit;
    account.was_refused |= !may_take;
    ACCOUNT.set(account);
    may_take
}

/// Notes that `n_bytes` were taken in `n_pieces`, or given back where they are negative.
fn note(n_bytes: i64, n_pieces: i64) {
    let mut account = ACCOUNT.get();
    account.used += n_bytes;
    account.n_pieces += n_pieces;
    account.peak = account.peak.max(account.used);
    ACCOUNT.set(account);
}

/// The allocator that SQLite would use.
struct System {
    allocate: unsafe extern "C" fn(c_int) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    reallocate: unsafe extern "C" fn(*mut c_void, c_int) -> *mut c_void,
    size: unsafe extern "C" fn(*mut c_void) -> c_int,
    round_up: unsafe extern "C" fn(c_int) -> c_int,
    start: unsafe extern "C" fn(*mut c_void) -> c_int,
    stop: unsafe extern "C" fn(*mut c_void),
}

/// What allocators add to a piece of memory: two lengths, and what makes its length a round one. Without
/// them a million small pieces would take twice as much as they seem to.
const SURROUNDINGS: i64 = 24;

static SYSTEM: OnceLock<System> = OnceLock::new();

const EMPTY: sqlite3_mem_methods = sqlite3_mem_methods {
    xMalloc: None,
    xFree: None,
    xRealloc: None,
    xSize: None,
    xRoundup: None,
    xInit: None,
    xShutdown: None,
    pAppData: ptr::null_mut(),
};

impl System {
    fn new(methods: &sqlite3_mem_methods) -> Option<System> {
        Some(System {
            allocate: methods.xMalloc?,
            free: methods.xFree?,
            reallocate: methods.xRealloc?,
            size: methods.xSize?,
            round_up: methods.xRoundup?,
            start: methods.xInit?,
            stop: methods.xShutdown?,
        })
    }

    /// The functions of this module, and those that need no counting.
    fn counting(&self) -> sqlite3_mem_methods {
        sqlite3_mem_methods {
            xMalloc: Some(allocate),
            xFree: Some(free),
            xRealloc: Some(reallocate),
            xSize: Some(self.size),
            xRoundup: Some(self.round_up),
            xInit: Some(self.start),
            xShutdown: Some(self.stop),
            ..EMPTY
        }
    }

    /// How large an allocation is, with what an allocator needs around it; 0 where there is none.
    ///
    /// # Safety
    ///
    /// `memory` is null or was allocated by this allocator, and not freed.
    unsafe fn size_of(&self, memory: *mut c_void) -> i64 {
        if memory.is_null() {
            return 0;
        }
        // SAFETY: by the condition above.
        SURROUNDINGS + i64::from(unsafe { (self.size)(memory) })
    }
}

unsafe extern "C" fn allocate(n_bytes: c_int) -> *mut c_void {
    let Some(system) = SYSTEM.get().filter(|_| may_take(n_bytes.into())) else {
        return ptr::null_mut();
    };
    // SAFETY: SQLite asks us as it would ask the system's allocator.
    unsafe {
        let memory = (system.allocate)(n_bytes);
        if !memory.is_null() {
            note(system.size_of(memory), 1);
        }
        memory
    }
}

unsafe extern "C" fn free(memory: *mut c_void) {
    let Some(system) = SYSTEM.get() else {
        return;
    };
    // SAFETY: as above; `memory` came from there.
    unsafe {
        note(-system.size_of(memory), -1);
        (system.free)(memory);
    }
}

unsafe extern "C" fn reallocate(memory: *mut c_void, n_bytes: c_int) -> *mut c_void {
    let Some(system) = SYSTEM.get() else {
        return ptr::null_mut();
    };
    // SAFETY: as above; where it fails, `memory` stays as it is, and so does its size.
    unsafe {
        let old = system.size_of(memory);
        if !may_take(i64::from(n_bytes) - old) {
            return ptr::null_mut();
        }
        let moved = (system.reallocate)(memory, n_bytes);
        if !moved.is_null() {
            note(system.size_of(moved) - old, 0);
        }
        moved
    }
}
