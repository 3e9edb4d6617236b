//! The schema of a live database.

use std::time::{Duration, Instant};

use patois_languages::sql::{Column, ColumnKind, DatabaseSchema, Table};
use rusqlite::types::ValueRef;
use rusqlite::{Row, ToSql};

use crate::guard::{Allowance, Overrun};
use crate::statement::quoted;
use crate::{Database, DatabaseError, memory};

/// The schema of a database, and what of its definition could not become part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveSchema {
    /// The tables, columns and keys.
    pub schema: DatabaseSchema,
    /// Foreign keys that lead nowhere. SQLite does not mind them until a row is written, so a
    /// database can be read in spite of them; they are left out, and listed here for a warning.
    pub dangling: Vec<DanglingForeignKey>,
}

/// A foreign key that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("foreign key `{table}.{column}` refers to `{target}`, which does not exist")]
pub struct DanglingForeignKey {
    /// The table it is declared in.
    pub table: String,
    /// The column that holds the key.
    pub column: String,
    /// The table, or table and column, that it names.
    pub target: String,
}

/// Virtual tables have no page of their own.
const TABLES: &str = "SELECT name FROM sqlite_schema
    WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";

const VIEWS: &str = "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY rowid";

const COLUMNS: &str = "SELECT name, type, pk FROM pragma_table_xinfo(?1) ORDER BY cid";

const VIRTUAL_TABLE: &str = "SELECT 1 FROM sqlite_schema
    WHERE type = 'table' AND rootpage = 0 AND name = ?1 COLLATE NOCASE";

/// What reading a schema may cost. Twenty thousand tables take a fifth of it.
pub(super) const SCHEMA: Allowance = Allowance {
    time: Duration::from_secs(10),
    n_steps: 100_000_000,
    n_bytes: 64 << 20,
};

/// What the columns of one view may cost, which is compiled for them, and how long all views may take together.
const VIEW: Allowance = Allowance {
    time: Duration::from_secs(10),
    n_steps: 1_000_000,
    n_bytes: 4 << 20,
};

/// The last key declared has the smallest id.
const FOREIGN_KEYS: &str = "SELECT \"from\", \"table\", \"to\", seq, id
    FROM pragma_foreign_key_list(?1) ORDER BY id DESC, seq";

impl Database {
    /// The database's tables, columns and keys, in the order of their declaration.
    ///
    /// Names in words are the names in lower case, split at underscores and at capitals. Views are tables, after
    /// the others; those that cannot be read or cost too much, virtual tables and SQLite's own are left out.
    ///
    /// # Errors
    ///
    /// When the database is damaged, or its schema takes too long to read.
    pub fn schema(&self) -> Result<LiveSchema, DatabaseError> {
        let mut reader = SchemaReader::new(self);
        let views = self.within(&SCHEMA, "schema", || {
            for name in self.rows(TABLES, &[], |row| text(row, 0))? {
                reader.table(name)?;
            }
            reader.foreign_keys()?;
            self.rows(VIEWS, &[], |row| text(row, 0))
        })?;
        let started = Instant::now();
        for name in views {
            let time = VIEW.time.saturating_sub(started.elapsed());
            let left = Allowance { time, ..VIEW };
            let columns = self.within(&left, "views", || {
                // Not every view that has columns can be asked.
                let query = format!("SELECT * FROM {}", quoted(&name));
                drop(self.connection.prepare(&query)?);
                reader.columns(&name)
            });
            // Compiling cannot be stopped. By the clock there is an error, never another schema.
            if started.elapsed() > VIEW.time {
                return Err(DatabaseError::Costly {
                    database: self.origin.to_string(),
                    what: "views",
                    overrun: Overrun::Time(VIEW.time),
                });
            }
            match columns {
                Ok(columns) => reader.add_table(name, columns),
                // Views of views of views: the next ones cost no less.
                Err(DatabaseError::Costly { .. }) => break,
                Err(_) => {}
            }
        }
        Ok(reader.live)
    }

    /// Whether there is a virtual table of that name.
    pub(super) fn has_virtual_table(&self, name: &str) -> bool {
        let found = self.rows(VIRTUAL_TABLE, &[&name], |_| Ok(()));
        found.is_ok_and(|found| !found.is_empty())
    }

    /// Looks through all definitions: names that are not valid UTF-8 could not be told apart once
    /// they are read.
    ///
    /// Returns whether there are samples of values, which `ANALYZE` leaves there.
    pub(super) fn check_definitions(&self) -> Result<HasSamples, DatabaseError> {
        let sql = "SELECT name, tbl_name, sql FROM sqlite_schema";
        let read = |row: &Row<'_>| {
            let name = text(row, 0)?;
            let mut is_valid = true;
            for column in 0..3 {
                if let ValueRef::Text(text) = memory::unrefused(|| row.get_ref(column))? {
                    is_valid &= std::str::from_utf8(text).is_ok();
                }
            }
            let has_samples = name.eq_ignore_ascii_case("sqlite_stat4");
            Ok((has_samples, (!is_valid).then_some(name)))
        };
        let definitions = self.within(&SCHEMA, "schema", || self.rows(sql, &[], read))?;
        let has_samples = definitions.iter().any(|(has_samples, _)| *has_samples);
        match definitions.into_iter().find_map(|(_, invalid)| invalid) {
            None => Ok(HasSamples(has_samples)),
            Some(table) => Err(DatabaseError::Encoding {
                database: self.origin.to_string(),
                table,
            }),
        }
    }

    /// The columns of a table: names, declared types, places in the primary key.
    pub(super) fn declared_columns(
        &self,
        table: &str,
    ) -> Result<Vec<(String, String, i64)>, DatabaseError> {
        self.within(&SCHEMA, "schema", || self.columns(table))
    }

    fn columns(&self, table: &str) -> rusqlite::Result<Vec<(String, String, i64)>> {
        self.rows(COLUMNS, &[&table], |row| {
            Ok((text(row, 0)?, text(row, 1)?, row.get::<_, i64>(2)?))
        })
    }

    /// The rows of one of our own statements.
    fn rows<T>(
        &self,
        sql: &str,
        parameters: &[&dyn ToSql],
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        self.guard.trusting(|| {
            let mut statement = self.connection.prepare(sql)?;
            statement.query_map(parameters, read)?.collect()
        })
    }
}

/// Whether a database has samples of its values.
pub(super) struct HasSamples(pub(super) bool);

/// A schema on its way.
struct SchemaReader<'d> {
    database: &'d Database,
    live: LiveSchema,
    /// The columns of the primary key of each table, in the key's order.
    primary_keys: Vec<Vec<usize>>,
}

impl SchemaReader<'_> {
    fn new(database: &Database) -> SchemaReader<'_> {
        let star = Column {
            table: None,
            name: "*".to_owned(),
            words: "*".to_owned(),
            kind: ColumnKind::Text,
            is_primary_key: false,
        };
        let schema = DatabaseSchema {
            name: database.name().to_owned(),
            tables: Vec::new(),
            columns: vec![star],
            foreign_keys: Vec::new(),
            composite_keys: Vec::new(),
        };
        SchemaReader {
            database,
            live: LiveSchema {
                schema,
                dangling: Vec::new(),
            },
            primary_keys: Vec::new(),
        }
    }

    fn table(&mut self, name: String) -> rusqlite::Result<()> {
        let columns = self.columns(&name)?;
        self.add_table(name, columns);
        Ok(())
    }

    /// The columns of a table: names, declared types, places in the primary key.
    fn columns(&self, table: &str) -> rusqlite::Result<Vec<(String, String, i64)>> {
        self.database.columns(table)
    }

    fn add_table(&mut self, name: String, columns: Vec<(String, String, i64)>) {
        let schema = &mut self.live.schema;
        let table = schema.tables.len();
        let mut primary_key = Vec::new();
        for (name, declared, key_place) in columns {
            if key_place > 0 {
                primary_key.push((key_place, schema.columns.len()));
            }
            schema.columns.push(Column {
                table: Some(table),
                words: words(&name),
                kind: kind(&declared),
                is_primary_key: key_place > 0,
                name,
            });
        }
        primary_key.sort_unstable();
        let primary_key = primary_key.into_iter().map(|(_, column)| column).collect();
        self.primary_keys.push(primary_key);
        let words = words(&name);
        schema.tables.push(Table { name, words });
    }

    fn foreign_keys(&mut self) -> rusqlite::Result<()> {
        for table in 0..self.live.schema.tables.len() {
            let name = self.live.schema.tables[table].name.clone();
            let keys = self.database.rows(FOREIGN_KEYS, &[&name], |row| {
                Ok(ForeignKey {
                    from: text(row, 0)?,
                    table: text(row, 1)?,
                    column: optional_text(row, 2)?,
                    place: row.get::<_, i64>(3)?,
                    id: row.get::<_, i64>(4)?,
                })
            })?;
            for key in keys.chunk_by(|a, b| a.id == b.id) {
                self.foreign_key(table, key);
            }
        }
        Ok(())
    }

    /// A key, with all of its columns.
    fn foreign_key(&mut self, table: usize, columns: &[ForeignKey]) {
        let start = self.live.schema.foreign_keys.len();
        for column in columns {
            self.column_of_key(table, column);
        }
        let schema = &mut self.live.schema;
        let pairs: Vec<usize> = (start..schema.foreign_keys.len()).collect();
        if pairs.len() > 1 && pairs.len() == columns.len() {
            schema.composite_keys.push(pairs);
        }
    }

    fn column_of_key(&mut self, table: usize, key: &ForeignKey) {
        let schema = &mut self.live.schema;
        let from = schema.column_named(table, &key.from);
        let target = schema.table_named(&key.table);
        let to = target.and_then(|target| {
            if let Some(column) = &key.column {
                return schema.column_named(target, column);
            }
            // Without a column, a key refers to the primary key.
            let place = usize::try_from(key.place).ok()?;
            self.primary_keys[target].get(place).copied()
        });
        match from.zip(to) {
            Some(pair) => schema.foreign_keys.push(pair),
            None => self.live.dangling.push(DanglingForeignKey {
                table: schema.tables[table].name.clone(),
                column: key.from.clone(),
                target: match &key.column {
                    Some(column) => format!("{}.{column}", key.table),
                    None => key.table.clone(),
                },
            }),
        }
    }
}

/// One column of a foreign key.
struct ForeignKey {
    id: i64,
    from: String,
    table: String,
    column: Option<String>,
    place: i64,
}

fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    Ok(optional_text(row, column)?.unwrap_or_default())
}

fn optional_text(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    Ok(match memory::unrefused(|| row.get_ref(column))? {
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    })
}

/// What values of a declared type are; a column without a type holds texts.
pub(super) fn kind(declared: &str) -> ColumnKind {
    let declared = declared.to_ascii_uppercase();
    let has = |parts: &[&str]| parts.iter().any(|part| declared.contains(part));
    if has(&["BOOL"]) {
        ColumnKind::Boolean
    } else if has(&["DATE", "TIME", "YEAR"]) {
        ColumnKind::Time
    } else if has(&["INTERVAL", "POINT"]) {
        ColumnKind::Others
    } else if has(&[
        "INT", "REAL", "FLOA", "DOUB", "NUM", "DEC", "MONEY", "SERIAL",
    ]) {
        ColumnKind::Number
    } else if declared.is_empty() || has(&["CHAR", "CLOB", "TEXT", "STRING"]) {
        ColumnKind::Text
    } else {
        ColumnKind::Others
    }
}

/// A name as a person would say it: `songReleaseYear`, `Song_Release_Year` → `song release year`.
/// A name of marks alone stays as it is.
pub(super) fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut previous = ' ';
    let mut rest = name.chars().peekable();
    while let Some(character) = rest.next() {
        if !character.is_alphanumeric() {
            previous = ' ';
            continue;
        }
        // `singerId` starts a word at I, `HTTPServer` at S.
        let next_is_lower = rest.peek().is_some_and(|next| next.is_lowercase());
        let starts = previous == ' '
            || character.is_uppercase()
                && (!previous.is_uppercase() && !previous.is_numeric() || next_is_lower);
        if starts && !words.is_empty() {
            words.push(' ');
        }
        words.extend(character.to_lowercase());
        previous = character;
    }
    if words.is_empty() {
        return name.to_owned();
    }
    words
}
