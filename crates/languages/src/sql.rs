//! SQL over a database schema.

pub mod database;

pub use database::{Column, ColumnKind, DatabaseSchema, DatabaseSchemaError, Table};
