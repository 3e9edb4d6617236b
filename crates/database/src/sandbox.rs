//! What a statement may do: read, within limits.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;

use crate::guard::{Guard, STEPS_BETWEEN_LOOKS};
use crate::program::{MAX_ARGUMENTS, MAX_PATTERN};
use crate::schema::HasSamples;

/// Functions that reach outside the database.
const FORBIDDEN_FUNCTIONS: [&str; 5] = [
    "load_extension",
    "fts3_tokenizer",
    "readfile",
    "writefile",
    "edit",
];

/// What our own statements ask SQLite besides reading.
const TRUSTED_PRAGMAS: [&str; 2] = ["table_xinfo", "foreign_key_list"];

/// How long definitions and values may be that are read before any query.
const DEFINITION_BYTES: i32 = 1 << 20;

/// The limits from the beginning on.
const LIMITS: [(Limit, i32); 6] = [
    (Limit::SQLITE_LIMIT_LENGTH, DEFINITION_BYTES),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, DEFINITION_BYTES),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    (Limit::SQLITE_LIMIT_SCHEMA, 20_000),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MAX_PATTERN),
];

/// The limits of queries, once the definitions of a database have been read: these may reach what
/// SQLite allows, which is as much as a sound database holds.
const QUERY_LIMITS: [(Limit, i32); 7] = [
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 300),
    (Limit::SQLITE_LIMIT_PARSER_DEPTH, 1_000),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
    (Limit::SQLITE_LIMIT_VDBE_OP, 100_000),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, MAX_ARGUMENTS),
    (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 100),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
];

/// How long a value may be while a query is compiled where the database has samples: SQLite then
/// calls the functions of the query to compare what they return with the samples.
const SAMPLED_BYTES: i32 = 256;

/// What a connection must not do, and what it does anyway.
const SWITCHES: [(DbConfig, bool); 5] = [
    (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
];

/// How long a statement waits for another program to finish writing.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many steps of SQLite's machine a script may take: a hundred times those of the largest embedded one.
const SCRIPT_STEPS: i32 = 50_000_000;

/// Fills `connection`, which is in memory, by the statements of a script: they make tables and rows and do nothing
/// else.
pub(super) fn fill(connection: &mut Connection, script: &str) -> rusqlite::Result<()> {
    // Tables of a dump may refer to those that follow.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.progress_handler(SCRIPT_STEPS, Some(|| true))?;
    connection.authorizer(Some(|context: AuthContext<'_>| match context.action {
        AuthAction::Attach { .. } | AuthAction::Detach { .. } => Authorization::Deny,
        AuthAction::Pragma { .. } => Authorization::Ignore,
        AuthAction::Function { function_name } if is_forbidden(function_name) => {
            Authorization::Deny
        }
        _ => Authorization::Allow,
    }))?;
    connection.execute_batch(script)
}

/// Confines `connection` to reading.
pub(super) fn confine(connection: &mut Connection) -> rusqlite::Result<Arc<Guard>> {
    connection.busy_timeout(PATIENCE)?;
    for (switch, value) in SWITCHES {
        connection.set_db_config(switch, value)?;
    }
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    // What is sorted or kept aside counts as memory, and no file is filled.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    for (limit, value) in LIMITS {
        connection.set_limit(limit, value)?;
    }
    let guard = Arc::new(Guard::default());
    let counter = Arc::clone(&guard);
    let n_steps = STEPS_BETWEEN_LOOKS as i32;
    connection.progress_handler(n_steps, Some(move || counter.ends()))?;
    let judge = Arc::clone(&guard);
    connection.authorizer(Some(move |context: AuthContext<'_>| {
        if is_allowed(context.action, judge.is_trusted()) {
            Authorization::Allow
        } else {
            Authorization::Deny
        }
    }))?;
    Ok(guard)
}

/// Limits what queries may consist of.
pub(super) fn limit_queries(
    connection: &Connection,
    HasSamples(has_samples): HasSamples,
) -> rusqlite::Result<()> {
    let sampled = has_samples.then_some((Limit::SQLITE_LIMIT_LENGTH, SAMPLED_BYTES));
    for (limit, value) in QUERY_LIMITS.into_iter().chain(sampled) {
        connection.set_limit(limit, value)?;
    }
    Ok(())
}

fn is_allowed(action: AuthAction<'_>, is_trusted: bool) -> bool {
    match action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => true,
        AuthAction::Function { function_name } => !is_forbidden(function_name),
        AuthAction::Pragma { pragma_name, .. } => {
            is_trusted && is_among(pragma_name, &TRUSTED_PRAGMAS)
        }
        _ => false,
    }
}

fn is_forbidden(function: &str) -> bool {
    is_among(function, &FORBIDDEN_FUNCTIONS)
}

fn is_among(name: &str, names: &[&str]) -> bool {
    names.iter().any(|it| it.eq_ignore_ascii_case(name))
}
