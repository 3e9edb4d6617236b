//! SQLite databases that can be asked, but not changed.
//!
//! A query that a model wrote may be anything, and so may a file. A query is run on a connection that
//! is read-only, with an authorizer that lets through nothing but reading, a share of memory, values
//! no longer than its program can work on without being stopped, and a deadline.
//! [`Database::query`] therefore returns rows or an error, in bounded time and space:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use patois_database::{Database, QueryError, QueryLimits, ScanLimits, SqlValue};
//!
//! let script = "CREATE TABLE pet(name TEXT, age INT); INSERT INTO pet VALUES ('Rex', 3);";
//! let pets = Database::from_script("pets", script)?; // or Database::open(path)
//! let limits = QueryLimits { n_rows: 1_000, ..QueryLimits::default() };
//!
//! let rows = pets.query("SELECT name FROM pet", &limits)?;
//! assert_eq!(rows.rows, [[SqlValue::Text("Rex".to_owned())]]);
//!
//! let error = pets.query("DELETE FROM pet", &limits).unwrap_err();
//! assert!(matches!(error, QueryError::Refused(_)));
//! let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
//! assert_eq!(pets.query(endless, &limits), Err(QueryError::Rows(1_000)));
//!
//! // What there is to ask about, and every value of it.
//! let schema = pets.schema()?.schema;
//! assert_eq!(schema.tables[0].name, "pet");
//! let mut n_values = 0;
//! let tables = [("pet", vec!["name", "age"])];
//! pets.scan(&tables, &ScanLimits::default(), |_, _, _| {
//!     n_values += 1;
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(n_values, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Databases`] finds the database that a query is about by its name. [`import`](import()) makes one of files of other kinds:
//!
//! ```
//! use patois_database::{ImportLimits, QueryLimits, import};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("Pets 2024.csv");
//! std::fs::write(&file, "name;born\nRex;31.12.2020\nTom;n/a\n")?;
//! let imported = import(&[file], &ImportLimits::default())?;
//! assert_eq!(imported.notes.len(), 2); // dates are now ISO 8601, `n/a` is NULL
//!
//! let pets = imported.place.open("pets")?;
//! let found = pets.query("SELECT name FROM pets_2024 WHERE born < '2021-01-01'", &QueryLimits::default())?;
//! assert_eq!(found.rows[0][0].to_string(), "Rex");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod copy;
mod database;
mod databases;
mod file;
mod guard;
mod import;
mod keys;
mod memory;
mod opening;
mod program;
mod query;
mod sandbox;
mod scan;
mod schema;
mod statement;
mod value;

pub use copy::Names;
pub use database::{Database, DatabaseError, bound_memory};
pub use databases::{Databases, Place, file_in};
pub use guard::Overrun;
pub use import::{FileKind, ImportError, ImportLimits, Imported, ImportedTable, import, kind_of};
pub use query::{Completeness, QueryError, QueryLimits, Rows};
pub use rusqlite::types::ValueRef;
pub use scan::ScanLimits;
pub use schema::{DanglingForeignKey, LiveSchema};
pub use value::SqlValue;

#[cfg(test)]
mod tests;
