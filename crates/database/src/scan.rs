//! Reading through the values of a table, without keeping them.

use rusqlite::types::ValueRef;

use crate::{Database, DatabaseError};

impl Database {
    /// Hands each value of the given columns of a table to `visit`, with the place of its column in
    /// `columns`; at most `n_rows` rows, in the order in which they are stored.
    ///
    /// # Errors
    ///
    /// When there is no such table or column, or the database is damaged.
    pub fn scan(
        &self,
        table: &str,
        columns: &[&str],
        n_rows: usize,
        mut visit: impl FnMut(usize, ValueRef<'_>),
    ) -> Result<(), DatabaseError> {
        // `SELECT FROM` is no statement.
        if columns.is_empty() {
            return Ok(());
        }
        // With the table before it, an unknown name is an error; alone it would be a text.
        let table = quoted(table);
        let list = columns
            .iter()
            .map(|name| format!("{table}.{}", quoted(name)));
        let list = list.collect::<Vec<_>>().join(", ");
        let sql = format!("SELECT {list} FROM {table} LIMIT {n_rows}");
        let scanned: rusqlite::Result<()> = self.guard.trusting(|| {
            let mut statement = self.connection.prepare(&sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                for column in 0..columns.len() {
                    visit(column, row.get_ref(column)?);
                }
            }
            Ok(())
        });
        scanned.map_err(|error| self.origin.error(&error))
    }
}

/// A name as SQLite takes it whatever its characters are.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
