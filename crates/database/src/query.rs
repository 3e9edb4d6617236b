//! Running one query.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::{Batch, ErrorCode, Row, Statement};
use serde::Serialize;

use crate::database::{Origin, locked};
use crate::sandbox::MAX_SQL_BYTES;
use crate::{Database, SqlValue};

/// What a query may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryLimits {
    /// How long it may run.
    pub time: Duration,
    /// How many rows it may return.
    pub n_rows: usize,
    /// How many bytes its texts and blobs may have in all.
    pub n_bytes: usize,
}

impl Default for QueryLimits {
    fn default() -> QueryLimits {
        QueryLimits {
            time: Duration::from_secs(10),
            n_rows: 1_000_000,
            n_bytes: 256 << 20,
        }
    }
}

/// The result of a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rows {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with one value per column.
    pub rows: Vec<Vec<SqlValue>>,
}

/// Whether a result is all that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Completeness {
    /// All rows.
    Whole,
    /// The first ones.
    Cut,
}

/// Why a query has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// No statement at all.
    #[error("expected a query, found nothing")]
    Empty,
    /// More than one statement.
    #[error("expected one query, found several statements")]
    Several,
    /// A statement that does more than reading.
    #[error("expected a query that only reads: {0}")]
    Refused(String),
    /// More text than a query may have.
    #[error("expected a query of at most {limit} bytes, found {found}")]
    TooLong {
        /// How long it may be.
        limit: usize,
        /// How long it is.
        found: usize,
    },
    /// It ran too long.
    #[error("the query took longer than {0:?}")]
    Time(Duration),
    /// It has too many rows.
    #[error("the query returns more than {0} rows")]
    Rows(usize),
    /// It returns too much, or one value is too large.
    #[error("the query makes too much data: {0}")]
    Size(String),
    /// Another program keeps the database's file for itself.
    #[error("{}", locked(.0))]
    Locked(PathBuf),
    /// SQLite's complaint: syntax, unknown names, wrong use of functions.
    #[error("{0}")]
    Sqlite(String),
}

impl Database {
    /// Runs `sql`, a single query, within `limits`.
    ///
    /// # Errors
    ///
    /// When it is not exactly one statement that only reads, when SQLite refuses it, or when it
    /// exceeds a limit.
    pub fn query(&self, sql: &str, limits: &QueryLimits) -> Result<Rows, QueryError> {
        match self.first_rows(sql, limits)? {
            (_, Completeness::Cut) => Err(QueryError::Rows(limits.n_rows)),
            (rows, Completeness::Whole) => Ok(rows),
        }
    }

    /// Runs `sql`, a single query, within `limits`, and leaves out the rows beyond them.
    ///
    /// # Errors
    ///
    /// As for [`query`](Database::query), except that it may have any number of rows.
    pub fn first_rows(
        &self,
        sql: &str,
        limits: &QueryLimits,
    ) -> Result<(Rows, Completeness), QueryError> {
        check_text(sql)?;
        let deadline = Instant::now().checked_add(limits.time);
        self.guard.until(deadline, || {
            let mut batch = Batch::new(&self.connection, sql);
            let convert = |error| from_sqlite(&error, limits, &self.origin);
            let mut statement = batch.next().map_err(convert)?.ok_or(QueryError::Empty)?;
            // A second statement is compiled, never run; one that cannot be compiled is one, too.
            if !matches!(batch.next(), Ok(None)) {
                return Err(QueryError::Several);
            }
            check_statement(&statement)?;
            collect(&mut statement, limits, convert)
        })
    }
}

fn check_text(sql: &str) -> Result<(), QueryError> {
    let limit = MAX_SQL_BYTES.unsigned_abs() as usize;
    if sql.len() > limit {
        let found = sql.len();
        return Err(QueryError::TooLong { limit, found });
    }
    // SQLite would stop reading there.
    if sql.contains('\0') {
        return Err(QueryError::Sqlite("unexpected NUL character".to_owned()));
    }
    Ok(())
}

fn check_statement(statement: &Statement<'_>) -> Result<(), QueryError> {
    let refuse = |what: &str| Err(QueryError::Refused(what.to_owned()));
    if statement.is_explain() != 0 {
        return refuse("this explains");
    }
    if !statement.readonly() || statement.column_count() == 0 {
        return refuse("this returns no rows");
    }
    Ok(())
}

fn collect(
    statement: &mut Statement<'_>,
    limits: &QueryLimits,
    convert: impl Fn(rusqlite::Error) -> QueryError,
) -> Result<(Rows, Completeness), QueryError> {
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = statement.query([]).map_err(&convert)?;
    let mut rows = Vec::new();
    let mut n_bytes = 0;
    while let Some(row) = found.next().map_err(&convert)? {
        if rows.len() == limits.n_rows {
            return Ok((Rows { columns, rows }, Completeness::Cut));
        }
        let row = read_row(row, columns.len()).map_err(&convert)?;
        n_bytes += row.iter().map(SqlValue::n_bytes).sum::<usize>();
        if n_bytes > limits.n_bytes {
            let what = format!("more than {} bytes of results", limits.n_bytes);
            return Err(QueryError::Size(what));
        }
        rows.push(row);
    }
    Ok((Rows { columns, rows }, Completeness::Whole))
}

fn read_row(row: &Row<'_>, n_columns: usize) -> rusqlite::Result<Vec<SqlValue>> {
    (0..n_columns)
        .map(|column| Ok(SqlValue::from(row.get_ref(column)?)))
        .collect()
}

fn from_sqlite(error: &rusqlite::Error, limits: &QueryLimits, origin: &Origin) -> QueryError {
    if let Some(path) = origin.lock(error) {
        return QueryError::Locked(path);
    }
    let message = message(error);
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => QueryError::Time(limits.time),
        Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => {
            QueryError::Refused(message)
        }
        Some(ErrorCode::TooBig | ErrorCode::OutOfMemory | ErrorCode::DiskFull) => {
            QueryError::Size(message)
        }
        // A refused function has no code of its own.
        _ if message.starts_with("not authorized") => QueryError::Refused(message),
        _ => QueryError::Sqlite(message),
    }
}

/// What SQLite says, without the statement it is about.
pub(super) fn message(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}
