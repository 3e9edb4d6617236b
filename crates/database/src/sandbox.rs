//! What a statement may do: read, within limits.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;

/// Statements longer than this many bytes are refused.
pub(super) const MAX_SQL_BYTES: i32 = 100_000;

/// Functions that reach outside the database.
const FORBIDDEN_FUNCTIONS: [&str; 5] = [
    "load_extension",
    "fts3_tokenizer",
    "readfile",
    "writefile",
    "edit",
];

/// The limits of all statements. Values, not results: those are limited for each query.
const LIMITS: [(Limit, i32); 9] = [
    (Limit::SQLITE_LIMIT_LENGTH, 16 << 20),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, MAX_SQL_BYTES),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 300),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
    (Limit::SQLITE_LIMIT_VDBE_OP, 1_000_000),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10_000),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// How many steps of SQLite's machine pass between two looks at the clock: well under 1 ms.
const STEPS_BETWEEN_LOOKS: i32 = 1_000;

/// How long a statement waits for another program to finish writing.
const PATIENCE: Duration = Duration::from_secs(1);

/// What the hooks of a connection look at.
#[derive(Debug, Default)]
pub(super) struct Guard {
    deadline: Mutex<Option<Instant>>,
    is_trusted: AtomicBool,
}

impl Guard {
    /// Runs `action` until `deadline`, which then interrupts it.
    pub(super) fn until<T>(&self, deadline: Option<Instant>, action: impl FnOnce() -> T) -> T {
        self.set_deadline(deadline);
        let result = action();
        self.set_deadline(None);
        result
    }

    /// Runs `action`, our own statements, without asking the authorizer.
    pub(super) fn trusting<T>(&self, action: impl FnOnce() -> T) -> T {
        self.is_trusted.store(true, Relaxed);
        let result = action();
        self.is_trusted.store(false, Relaxed);
        result
    }

    fn set_deadline(&self, deadline: Option<Instant>) {
        *self.lock() = deadline;
    }

    fn is_over(&self) -> bool {
        self.lock()
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Confines `connection` to reading.
pub(super) fn confine(connection: &mut Connection) -> rusqlite::Result<Arc<Guard>> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    for (limit, value) in LIMITS {
        connection.set_limit(limit, value)?;
    }
    let guard = Arc::new(Guard::default());
    let clock = Arc::clone(&guard);
    connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(move || clock.is_over()))?;
    let judge = Arc::clone(&guard);
    connection.authorizer(Some(move |context: AuthContext<'_>| {
        if judge.is_trusted.load(Relaxed) || is_reading(context.action) {
            Authorization::Allow
        } else {
            Authorization::Deny
        }
    }))?;
    Ok(guard)
}

fn is_reading(action: AuthAction<'_>) -> bool {
    match action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => true,
        AuthAction::Function { function_name } => !FORBIDDEN_FUNCTIONS
            .iter()
            .any(|name| name.eq_ignore_ascii_case(function_name)),
        _ => false,
    }
}
