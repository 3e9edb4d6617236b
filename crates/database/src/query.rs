//! Running one query.

use std::path::PathBuf;
use std::time::Duration;

use rusqlite::limits::Limit;
use rusqlite::{ErrorCode, PrepFlags, Row, Statement};
use serde::Serialize;

use crate::database::{locked, unfinished};
use crate::guard::Allowance;
use crate::memory;
use crate::program::{Unbounded, longest_value};
use crate::statement::only_statement;
use crate::{Database, SqlValue};

/// What a query may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryLimits {
    /// How long it may run.
    pub time: Duration,
    /// How many rows it may return.
    pub n_rows: usize,
    /// How many bytes its rows may take, in memory: a value without any text takes some, too. What
    /// SQLite works with counts as well, but for the first 192 MB.
    pub n_bytes: usize,
}

/// How many bytes SQLite may take for a query that returns little.
const WORK_BYTES: usize = 192 << 20;

/// How many bytes SQLite may take to compile a query. Some of that takes the square of its length, or
/// of a view's, in time as well as in memory, and it cannot be stopped: views that unfold to 8,192 tables took
/// 13 MB and 8 s, half as many take a sixth of the time. A list of 16,000 constants takes 5 MB.
const COMPILE_BYTES: usize = 8 << 20;

impl QueryLimits {
    /// How many bytes rows and SQLite may take together.
    fn memory(&self) -> usize {
        self.n_bytes.max(WORK_BYTES)
    }
}

/// Queries longer than this many bytes are refused.
const MAX_SQL_BYTES: usize = 100_000;

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
    #[error("the query takes longer than {0:?}")]
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
        self.rows_within(sql, limits, u64::MAX)
    }

    /// Runs `sql` within `limits` and so many steps of SQLite's machine.
    pub(super) fn rows_within(
        &self,
        sql: &str,
        limits: &QueryLimits,
        n_steps: u64,
    ) -> Result<(Rows, Completeness), QueryError> {
        let allowance = Allowance {
            time: limits.time,
            n_steps,
            n_bytes: limits.memory(),
        };
        self.guard.within(&allowance, &self.connection, || {
            check_length(sql)?;
            let sql = only_statement(sql)?;
            self.run(sql, limits)
        })
    }

    fn run(&self, sql: &str, limits: &QueryLimits) -> Result<(Rows, Completeness), QueryError> {
        let convert = |error| self.query_error(&error, limits);
        let compile = || self.compile(sql, convert);
        let (mut statement, length) = memory::limited(COMPILE_BYTES, compile)?;
        let collected = || collect(&mut statement, limits, convert);
        self.with_longest_value(length, collected)
            .map_err(convert)?
    }

    /// The statement, and how long the values may be that it works on.
    fn compile(
        &self,
        sql: &str,
        convert: impl Fn(rusqlite::Error) -> QueryError,
    ) -> Result<(Statement<'_>, usize), QueryError> {
        let flags = PrepFlags::SQLITE_PREPARE_NO_VTAB;
        let statement = self.connection.prepare_with_flags(sql, flags);
        let statement = statement.map_err(&convert)?;
        check_statement(&statement)?;
        let length = longest_value(&self.connection, sql).map_err(&convert)?;
        let length = length.map_err(|it| match it {
            Unbounded::Function(_) => QueryError::Refused(it.to_string()),
            Unbounded::Program => QueryError::Size(it.to_string()),
        })?;
        Ok((statement, length))
    }

    /// Runs `action`, in which no value may be longer.
    pub(super) fn with_longest_value<T>(
        &self,
        n_bytes: usize,
        action: impl FnOnce() -> T,
    ) -> rusqlite::Result<T> {
        let set = |n_bytes| {
            self.connection
                .set_limit(Limit::SQLITE_LIMIT_LENGTH, n_bytes)
        };
        let outer = set(i32::try_from(n_bytes).unwrap_or(i32::MAX))?;
        let result = action();
        set(outer)?;
        Ok(result)
    }

    fn query_error(&self, error: &rusqlite::Error, limits: &QueryLimits) -> QueryError {
        if let Some(path) = self.origin.lock(error) {
            return QueryError::Locked(path);
        }
        if let Some(path) = self.origin.unfinished(error) {
            return QueryError::Sqlite(unfinished(&path));
        }
        if matches!(error, rusqlite::Error::MultipleStatement) {
            return QueryError::Several;
        }
        let message = message(error);
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted | ErrorCode::OutOfMemory)
                if memory::is_exceeded() =>
            {
                no_memory()
            }
            Some(ErrorCode::OperationInterrupted) => QueryError::Time(limits.time),
            Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => {
                QueryError::Refused(message)
            }
            // SQLite has no other word for a program of too many instructions.
            Some(ErrorCode::OutOfMemory) => QueryError::Size(Unbounded::Program.to_string()),
            Some(ErrorCode::TooBig) => {
                let limit = self.connection.limit(Limit::SQLITE_LIMIT_LENGTH);
                let limit = limit.unwrap_or_default();
                QueryError::Size(format!("{message}: such a query may work on {limit} bytes"))
            }
            // A refused function has no code of its own.
            _ if message.starts_with("not authorized") => QueryError::Refused(message),
            _ => match self.virtual_table(&message) {
                Some(table) => QueryError::Refused(format!(
                    "`{table}` is a virtual table, which could not be stopped"
                )),
                None => QueryError::Sqlite(message),
            },
        }
    }

    /// The virtual table that a message says is not there: it is not for queries.
    fn virtual_table<'m>(&self, message: &'m str) -> Option<&'m str> {
        let name = message.strip_prefix("no such table: ")?;
        let name = name.strip_prefix("main.").unwrap_or(name);
        let lower = name.to_ascii_lowercase();
        let mut prefixes = ["pragma_", "json_", "jsonb_", "dbstat"].iter();
        let is_built_in = prefixes.any(|it| lower.starts_with(it));
        (is_built_in || self.has_virtual_table(name)).then_some(name)
    }
}

fn check_length(sql: &str) -> Result<(), QueryError> {
    let (limit, found) = (MAX_SQL_BYTES, sql.len());
    if found > limit {
        return Err(QueryError::TooLong { limit, found });
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
    let mut space = Space::new(limits.n_bytes);
    while let Some(row) = found.next().map_err(&convert)? {
        if rows.len() == limits.n_rows {
            return Ok((Rows { columns, rows }, Completeness::Cut));
        }
        rows.push(read_row(row, columns.len(), &mut space, &convert)?);
    }
    Ok((Rows { columns, rows }, Completeness::Whole))
}

/// What a row takes besides its values: its place among the others, which grow by doubling.
const ROW_BYTES: usize = 3 * size_of::<Vec<SqlValue>>();

fn read_row(
    row: &Row<'_>,
    n_columns: usize,
    space: &mut Space,
    convert: impl Fn(rusqlite::Error) -> QueryError,
) -> Result<Vec<SqlValue>, QueryError> {
    space.take(ROW_BYTES + n_columns * size_of::<SqlValue>())?;
    let mut values = Vec::with_capacity(n_columns);
    for column in 0..n_columns {
        // SQLite may have to convert a value, and cannot say so when it fails.
        let value = memory::unrefused(|| row.get_ref(column)).map_err(&convert)?;
        if memory::is_exceeded() {
            return Err(no_memory());
        }
        let bytes = value.as_bytes_or_null().ok().flatten();
        space.check(bytes.map_or(0, <[u8]>::len))?;
        let value = SqlValue::from(value);
        space.take(value.n_heap_bytes())?;
        values.push(value);
    }
    Ok(values)
}

/// The bytes that a result may take.
struct Space {
    limit: usize,
    left: usize,
}

impl Space {
    fn new(limit: usize) -> Space {
        Space { limit, left: limit }
    }

    fn check(&self, n_bytes: usize) -> Result<usize, QueryError> {
        let left = self.left.checked_sub(n_bytes);
        left.ok_or_else(|| QueryError::Size(format!("more than {} bytes of results", self.limit)))
    }

    fn take(&mut self, n_bytes: usize) -> Result<(), QueryError> {
        self.left = self.check(n_bytes)?;
        memory::charge(n_bytes);
        Ok(())
    }
}

fn no_memory() -> QueryError {
    QueryError::Size(format!("more than {} bytes of memory", memory::limit()))
}

/// What SQLite says, without the statement it is about.
pub(super) fn message(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}
