//! A database to try things with.

use patois_database::Place;

use crate::source::{Keys, Source, SourceError};

/// The record shop inside the program: artists, albums, tracks, customers and what they bought.
///
/// # Errors
///
/// Never, unless SQLite refuses to work at all.
pub fn sample(keys: Keys) -> Result<Source, SourceError> {
    let script = include_str!("../sample/record_shop.sql").to_owned();
    Source::of_place(Place::Script(script), "record shop", keys)
}
