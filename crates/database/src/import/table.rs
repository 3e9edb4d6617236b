//! One table from the rows of a file.
//!
//! The file is read twice: once to tell what its columns are, once to insert its values. The other way, inserting texts and
//! converting them, would write everything twice instead; the two were not measured against each other.

use std::borrow::Cow;
use std::path::Path;

use rusqlite::types::{Null, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, Statement};

use super::budget::{Budget, Cut};
use super::encoding::{Repairs, clean};
use super::guess::{Form, Guess, Value, is_missing};
use super::names::column_names;
use super::number::Style;
use super::{ImportError, Rows};
use crate::keys::is_key_name;
use crate::query::message;
use crate::schema::words;
use crate::statement::quoted;

/// What a table will be.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) columns: Vec<Column>,
    /// The column that rows are known by.
    pub(super) key: Option<usize>,
    n_rows: u64,
    cut: Option<Cut>,
}

/// What a column will be.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) form: Form,
    /// How many cells say in a word that they have no value.
    pub(super) n_missing: u64,
    /// Whether `NA` is a value.
    has_codes: bool,
    /// Whether dates may be read in two ways.
    pub(super) is_ambiguous: bool,
}

/// What a table has become.
#[derive(Debug, Default)]
pub(super) struct Filled {
    pub(super) n_rows: u64,
    pub(super) cut: Option<Cut>,
    pub(super) repairs: Repairs,
}

impl Plan {
    /// Reads all rows to tell what the columns of `table` are.
    pub(super) fn of<R: Rows>(
        rows: &mut R,
        table: &str,
        style: Style,
        budget: &Budget,
    ) -> Result<Plan, ImportError> {
        let budget = budget.for_a_look();
        let mut watched: Vec<Watched> = Vec::new();
        let mut n_rows = 0;
        let mut cut = None;
        while cut.is_none() && rows.advance()? {
            cut = budget.cut(n_rows, rows.n_bytes());
            if cut.is_some() {
                break;
            }
            watch_new(&mut watched, rows, table);
            for (column, watched) in watched.iter_mut().enumerate() {
                watched.see(rows.cell(column));
            }
            n_rows += 1;
        }
        watch_new(&mut watched, rows, table);
        let names = column_names(rows.names());
        let key = key(&watched, n_rows);
        let columns = watched.iter().zip(names);
        Ok(Plan {
            columns: columns.map(|(it, name)| it.column(name, style)).collect(),
            key,
            n_rows,
            cut,
        })
    }

    /// Makes the table.
    pub(super) fn create(&self, connection: &Connection, table: &str) -> rusqlite::Result<()> {
        let column = |(index, column): (usize, &Column)| {
            let key = if self.key == Some(index) {
                " PRIMARY KEY"
            } else {
                ""
            };
            format!("{} {}{key}", quoted(&column.name), column.form.declared())
        };
        let columns: Vec<String> = self.columns.iter().enumerate().map(column).collect();
        connection.execute_batch(&format!(
            "CREATE TABLE {}({})",
            quoted(table),
            columns.join(", ")
        ))
    }

    /// Inserts all rows.
    pub(super) fn fill<R: Rows>(
        &self,
        rows: &mut R,
        connection: &Connection,
        table: &str,
        budget: &Budget,
        path: &Path,
    ) -> Result<Filled, ImportError> {
        let insertion = insertion(table, self.columns.len());
        let mut statement = connection
            .prepare(&insertion)
            .map_err(|error| ImportError::write(&error))?;
        let mut filled = Filled {
            cut: self.cut,
            ..Filled::default()
        };
        while filled.n_rows < self.n_rows && rows.advance()? {
            if let Some(cut) = budget.cut(filled.n_rows, rows.n_bytes()) {
                filled.cut = Some(cut);
                break;
            }
            self.insert(rows, &mut statement, &mut filled.repairs)
                .map_err(|error| insertion_error(&error, path))?;
            filled.n_rows += 1;
        }
        Ok(filled)
    }

    fn insert<R: Rows>(
        &self,
        rows: &R,
        statement: &mut Statement<'_>,
        repairs: &mut Repairs,
    ) -> rusqlite::Result<()> {
        for (index, column) in self.columns.iter().enumerate() {
            let cell = clean(rows.cell(index), repairs);
            let place = index + 1;
            match column.value(cell) {
                None => statement.raw_bind_parameter(place, Null)?,
                Some(Value::Integer(it)) => statement.raw_bind_parameter(place, it)?,
                Some(Value::Real(it)) => statement.raw_bind_parameter(place, it)?,
                Some(Value::Text(it)) => {
                    let text = ToSqlOutput::Borrowed(ValueRef::Text(&it));
                    statement.raw_bind_parameter(place, text)?;
                }
            }
        }
        statement.raw_execute()?;
        Ok(())
    }
}

impl Column {
    /// The value of a cell; none where it has none.
    fn value<'c>(&self, cell: Cow<'c, [u8]>) -> Option<Value<'c>> {
        let is_code = self.has_codes && &*cell == b"NA";
        let has_value = !cell.is_empty() && (is_code || !is_missing(&cell));
        has_value.then(|| self.form.value(cell))
    }
}

/// The statement that inserts one row.
pub(super) fn insertion(table: &str, n_columns: usize) -> String {
    let places = vec!["?"; n_columns].join(",");
    format!("INSERT INTO {} VALUES ({places})", quoted(table))
}

fn insertion_error(error: &rusqlite::Error, path: &Path) -> ImportError {
    match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => ImportError::Changed {
            path: path.to_owned(),
            message: message(error),
        },
        _ => ImportError::write(error),
    }
}

/// A column while its values pass.
struct Watched {
    guess: Guess,
    /// Whether the column is called as a key would be; none where it cannot be one.
    unique: Option<(IsCalledKey, Unique)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct IsCalledKey(bool);

/// Begins to watch the columns that a row has brought.
fn watch_new<R: Rows>(watched: &mut Vec<Watched>, rows: &R, table: &str) {
    if watched.len() == rows.n_columns() {
        return;
    }
    for (index, name) in rows.names().into_iter().enumerate().skip(watched.len()) {
        let is_called_key = is_key_name(&words(name), &words(table));
        let n_others = watched.iter().filter(|it| it.unique.is_some()).count();
        let may_be_key = n_others < MAX_CANDIDATES && (is_called_key || index == 0);
        let unique = may_be_key.then(|| (IsCalledKey(is_called_key), Unique::default()));
        watched.push(Watched {
            guess: Guess::default(),
            unique,
        });
    }
}

impl Watched {
    fn see(&mut self, cell: &[u8]) {
        let Some((_, unique)) = &mut self.unique else {
            self.guess.see(cell.trim_ascii());
            return;
        };
        let cell = clean(cell, &mut Repairs::default());
        self.guess.see(&cell);
        if !unique.see(&cell) {
            self.unique = None;
        }
    }

    fn column(&self, name: String, style: Style) -> Column {
        let has_codes = self.guess.has_codes();
        Column {
            name,
            form: self.guess.form(style),
            n_missing: if has_codes { 0 } else { self.guess.n_missing },
            has_codes,
            is_ambiguous: self.guess.is_ambiguous(),
        }
    }
}

/// The column that rows are known by: one that is called so, else the first, if no value is missing or there twice.
fn key(watched: &[Watched], n_rows: u64) -> Option<usize> {
    let mut found: Vec<(IsCalledKey, usize)> = Vec::new();
    for (index, column) in watched.iter().enumerate() {
        let form = column.guess.form(Style::Point);
        let is_full = column.guess.n_values == n_rows && n_rows > 0;
        if let Some((is_called, unique)) = &column.unique
            && is_full
            && matches!(form, Form::Integer | Form::Text)
            && unique.holds(n_rows)
        {
            found.push((*is_called, index));
        }
    }
    let best = found
        .iter()
        .max_by_key(|it| (it.0, std::cmp::Reverse(it.1)));
    best.map(|it| it.1)
}

/// Whether all values of a column are different: they are rising numbers, or few enough to be compared.
struct Unique {
    is_rising: bool,
    last: i64,
    /// Of each value a number that tells it from others.
    hashes: Vec<u64>,
}

/// How many columns are watched at a time for values that are there twice.
const MAX_CANDIDATES: usize = 4;

/// How many values are compared at most.
const MAX_HASHES: usize = 4 << 20;

/// After so many values it is told whether it is worth the while.
const N_FIRST: usize = 1 << 10;

impl Default for Unique {
    fn default() -> Unique {
        Unique {
            is_rising: true,
            last: i64::MIN,
            hashes: Vec::new(),
        }
    }
}

impl Unique {
    /// Looks at a value; false where it is known that there are equal ones.
    fn see(&mut self, cell: &[u8]) -> bool {
        if self.is_rising {
            let value: Option<i64> = super::number::parsed(cell);
            self.is_rising = value.is_some_and(|it| it > self.last);
            self.last = value.unwrap_or(self.last);
        }
        if self.hashes.len() < MAX_HASHES {
            self.hashes.push(hash(cell));
        }
        self.hashes.len() != N_FIRST || are_different(&self.hashes)
    }

    fn holds(&self, n_rows: u64) -> bool {
        let are_all = self.hashes.len() as u64 == n_rows;
        self.is_rising || are_all && are_different(&self.hashes)
    }
}

fn are_different(hashes: &[u64]) -> bool {
    let mut sorted = hashes.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// FNV-1a: equal values have equal ones, and hardly any others.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
