//! What there is to ask about: tables, columns, keys, how many rows, and the first of them.

use std::time::{Duration, Instant};

use patois_ask::Asker;
use patois_database::{Completeness, Database, QueryLimits, SqlValue};
use patois_languages::sql::{ColumnKind, DatabaseSchema};
use serde::Serialize;

/// A database, as it is shown.
#[derive(Debug, Serialize)]
pub(crate) struct Description {
    name: String,
    /// The names of its files.
    files: Vec<String>,
    /// What a person should know about how they were read.
    notes: Vec<String>,
    pub(crate) tables: Vec<TableDescription>,
    /// How many questions have a query that a person said is right.
    n_lessons: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct TableDescription {
    pub(crate) name: String,
    /// What people call it.
    pub(crate) words: String,
    /// How many rows it has, where they are counted in time.
    pub(crate) n_rows: Option<usize>,
    /// Whether it has more than that.
    pub(crate) has_more_rows: bool,
    pub(crate) columns: Vec<ColumnDescription>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ColumnDescription {
    pub(crate) name: String,
    pub(crate) words: String,
    pub(crate) kind: ColumnKind,
    pub(crate) is_primary_key: bool,
    pub(crate) refers_to: Vec<Reference>,
}

/// A foreign key.
#[derive(Debug, Serialize)]
pub(crate) struct Reference {
    pub(crate) table: String,
    pub(crate) column: String,
    /// Whether names and values tell so, not the definition.
    pub(crate) is_guessed: bool,
}

/// The first rows of a table.
#[derive(Debug, Serialize)]
pub(crate) struct Sample {
    name: String,
    columns: Vec<String>,
    rows: Vec<Vec<SqlValue>>,
    is_cut: bool,
}

/// How many rows are shown of a table.
const N_SAMPLE_ROWS: usize = 20;

/// How far rows are counted.
const MOST_ROWS: usize = 1_000_000;

/// How long the rows of one table are counted.
const ONE_COUNT: QueryLimits = QueryLimits {
    time: Duration::from_millis(200),
    n_rows: 1,
    n_bytes: 1 << 20,
};

/// How long rows are counted in all.
const ALL_COUNTS: Duration = Duration::from_secs(2);

/// Describes the database that an asker is about.
pub(crate) fn describe(asker: &Asker<'_>) -> Description {
    let source = asker.source();
    let database = source.place.open(&source.schema.name).ok();
    let declared = database.as_ref().and_then(|it| it.schema().ok());
    let declared = declared.map_or(Vec::new(), |it| it.schema.foreign_keys);
    let spoken = asker.memory().spoken(&source.schema);
    let started = Instant::now();
    let tables = (0..spoken.tables.len()).map(|table| {
        let in_time = database.as_ref().filter(|_| started.elapsed() < ALL_COUNTS);
        let counted = in_time.and_then(|it| count(it, &spoken.tables[table].name));
        TableDescription {
            name: spoken.tables[table].name.clone(),
            words: spoken.tables[table].words.clone(),
            n_rows: counted.map(|it| it.min(MOST_ROWS)),
            has_more_rows: counted.is_some_and(|it| it > MOST_ROWS),
            columns: columns(&spoken, table, &declared),
        }
    });
    let file_name = |it: &std::path::PathBuf| Some(it.file_name()?.to_string_lossy().into_owned());
    Description {
        tables: tables.collect(),
        name: name(asker),
        files: source.files.iter().filter_map(file_name).collect(),
        notes: source.notes.clone(),
        n_lessons: asker.memory().lessons().len(),
    }
}

/// What the database is called: its file, without folders and ending.
fn name(asker: &Asker<'_>) -> String {
    let source = asker.source();
    let stem = |it: &std::path::PathBuf| Some(it.file_stem()?.to_string_lossy().into_owned());
    match &source.files[..] {
        [] => source.schema.name.clone(),
        files => files.iter().filter_map(stem).collect::<Vec<_>>().join(", "),
    }
}

fn columns(
    schema: &DatabaseSchema,
    table: usize,
    declared: &[(usize, usize)],
) -> Vec<ColumnDescription> {
    let reference = |key: &(usize, usize)| {
        let target = &schema.columns[key.1];
        Some(Reference {
            table: schema.tables[target.table?].name.clone(),
            column: target.name.clone(),
            is_guessed: !declared.contains(key),
        })
    };
    let described = schema.columns_of(table).map(|(index, column)| {
        let keys = schema.foreign_keys.iter().filter(|it| it.0 == index);
        ColumnDescription {
            name: column.name.clone(),
            words: column.words.clone(),
            kind: column.kind,
            is_primary_key: column.is_primary_key,
            refers_to: keys.filter_map(reference).collect(),
        }
    });
    described.collect()
}

/// How many rows a table has, as far as they are counted.
fn count(database: &Database, table: &str) -> Option<usize> {
    let table = quoted(table);
    let most = MOST_ROWS + 1;
    let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT {most})");
    let rows = database.query(&sql, &ONE_COUNT).ok()?.rows;
    match rows.first()?.first()? {
        SqlValue::Integer(n_rows) => usize::try_from(*n_rows).ok(),
        _ => None,
    }
}

/// The first rows of a table; none where there is no such table.
pub(crate) fn sample(asker: &Asker<'_>, table: &str) -> Option<Result<Sample, String>> {
    let schema = asker.schema();
    let name = &schema.tables[schema.table_named(table)?].name;
    let sql = format!("SELECT * FROM {}", quoted(name));
    let sampled = asker.run(&sql, N_SAMPLE_ROWS);
    Some(match sampled {
        Ok((rows, completeness)) => Ok(Sample {
            name: name.clone(),
            columns: rows.columns,
            rows: rows.rows,
            is_cut: completeness == Completeness::Cut,
        }),
        Err(error) => Err(error.to_string()),
    })
}

/// A name as SQL takes it, whatever is in it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
