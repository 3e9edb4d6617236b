//! Reading through the values of tables, without keeping them.

use std::ops::ControlFlow;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{ErrorCode, PrepFlags, Statement};

use crate::guard::{Allowance, Overrun};
use crate::program::longest_value;
use crate::statement::quoted;
use crate::{Completeness, Database, DatabaseError, memory};

/// What may be read of a database's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanLimits {
    /// How many rows of each table.
    pub n_rows: usize,
    /// How many bytes a value may have. Longer ones are left out, and most of them are not even read.
    pub n_value_bytes: usize,
    /// How many steps SQLite's machine may make in all: about five for each value. What has been read
    /// until then is the same in every run.
    pub n_steps: u64,
    /// How long it may take. No database that is what it seems takes so long.
    pub time: Duration,
}

impl Default for ScanLimits {
    fn default() -> ScanLimits {
        ScanLimits {
            n_rows: 200_000,
            n_value_bytes: 80,
            n_steps: 200_000_000,
            time: Duration::from_mins(1),
        }
    }
}

impl Database {
    /// Hands values of the given tables and columns to `visit`, with the place of the table in
    /// `tables` and of the column among its columns, until it breaks off; rows come in the order in
    /// which they are stored. What is computed is read as far as that succeeds.
    ///
    /// Returns whether it came to the end of all tables.
    ///
    /// # Errors
    ///
    /// When there is no such table or column, the database is damaged, or it takes too long.
    pub fn scan(
        &self,
        tables: &[(&str, Vec<&str>)],
        limits: &ScanLimits,
        mut visit: impl FnMut(usize, usize, ValueRef<'_>) -> ControlFlow<()>,
    ) -> Result<Completeness, DatabaseError> {
        let allowance = Allowance {
            time: limits.time,
            n_steps: limits.n_steps,
            n_bytes: MEMORY,
        };
        let scan = || {
            for (place, (table, columns)) in tables.iter().enumerate() {
                let visit = |column, value: ValueRef<'_>| visit(place, column, value);
                if self.scan_table(table, columns, limits, visit)?.is_break() {
                    return Ok(Completeness::Cut);
                }
            }
            Ok(Completeness::Whole)
        };
        match self.within(&allowance, "values", scan) {
            Err(DatabaseError::Costly {
                overrun: Overrun::Steps(_),
                ..
            }) => Ok(Completeness::Cut),
            other => other,
        }
    }

    fn scan_table(
        &self,
        table: &str,
        columns: &[&str],
        limits: &ScanLimits,
        visit: impl FnMut(usize, ValueRef<'_>) -> ControlFlow<()>,
    ) -> rusqlite::Result<ControlFlow<()>> {
        // `SELECT FROM` is no statement.
        if columns.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let sql = selection(table, columns, limits);
        let flags = PrepFlags::SQLITE_PREPARE_NO_VTAB;
        let mut statement = self.connection.prepare_with_flags(&sql, flags)?;
        // Columns may be computed by functions of which nothing is known.
        let Ok(length) = longest_value(&self.connection, &sql)? else {
            return Ok(ControlFlow::Continue(()));
        };
        let read = || read(&mut statement, columns.len(), limits, visit);
        match self.with_longest_value(length, read)? {
            Err(error) if is_of_computing(&error) => Ok(ControlFlow::Continue(())),
            other => other,
        }
    }
}

fn read(
    statement: &mut Statement<'_>,
    n_columns: usize,
    limits: &ScanLimits,
    mut visit: impl FnMut(usize, ValueRef<'_>) -> ControlFlow<()>,
) -> rusqlite::Result<ControlFlow<()>> {
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        for column in 0..n_columns {
            let visited = match memory::unrefused(|| row.get_ref(column))? {
                ValueRef::Text(it) | ValueRef::Blob(it) if it.len() > limits.n_value_bytes => {
                    ControlFlow::Continue(())
                }
                value => visit(column, value),
            };
            if visited.is_break() {
                return Ok(visited);
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Whether a function has failed or made a value that is too long.
fn is_of_computing(error: &rusqlite::Error) -> bool {
    let codes = [ErrorCode::Unknown, ErrorCode::TooBig];
    error
        .sqlite_error_code()
        .is_some_and(|code| codes.contains(&code))
}

/// How many bytes SQLite may take while it reads values, one row at a time.
const MEMORY: usize = 64 << 20;

/// The query for the values of a table that are not too long: SQLite tells the length of a value
/// without reading it.
pub(super) fn selection(table: &str, columns: &[&str], limits: &ScanLimits) -> String {
    // With the table before it, an unknown name is an error; alone it would be a text.
    let table = quoted(table);
    // A text may be stored in twice as many bytes, as UTF-16.
    let n_bytes = limits.n_value_bytes.saturating_mul(2);
    let values = columns.iter().map(|name| {
        let column = format!("{table}.{}", quoted(name));
        format!("iif(octet_length({column}) <= {n_bytes}, {column}, NULL)")
    });
    let values = values.collect::<Vec<_>>().join(", ");
    format!("SELECT {values} FROM {table} LIMIT {}", limits.n_rows)
}
