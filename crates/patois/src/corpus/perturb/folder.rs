//! A perturbed dev split as a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use patois_database::{Database, DatabaseError, QueryLimits, SqlValue};
use patois_languages::sql::DatabaseSchema;
use serde::Serialize;
use serde_json::json;

use super::{PerturbError, PerturbFigures, Perturbed};
use crate::corpus::Corpus;

/// What to do with a folder that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Leave it as it is.
    Refuse,
    /// Put the new one in its place, if it is such a folder.
    Replace,
}

/// Writes a perturbed dev split of `corpus` to a folder, all of it or nothing. Queries are run on the databases as
/// they were and as they are; a row whose query returns other rows is left out.
///
/// # Errors
///
/// When the folder is there, a database cannot be copied, or a file cannot be written.
pub fn write(
    mut perturbed: Perturbed,
    corpus: &Corpus,
    folder: &Path,
    existing: Existing,
) -> Result<PerturbFigures, PerturbError> {
    check(folder, existing)?;
    let beside = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| PerturbError::Write { path, source }
    };
    fs::create_dir_all(beside).map_err(failed(beside))?;
    let made = tempfile::Builder::new()
        .prefix(".patois-")
        .tempdir_in(beside)
        .map_err(failed(beside))?;
    copy_databases(&perturbed, corpus, made.path())?;
    perturbed.check_queries(corpus, made.path())?;
    let schemas = perturbed
        .databases
        .iter()
        .map(|it| tables_entry(&it.schema));
    write_json(
        &made.path().join("tables.json"),
        &schemas.collect::<Vec<_>>(),
    )?;
    let rows = perturbed.rows.iter().map(|row| {
        let database = &perturbed.databases[row.database].schema.name;
        json!({ "db_id": database, "question": row.question, "query": row.query })
    });
    write_json(&made.path().join("dev.json"), &rows.collect::<Vec<_>>())?;
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed(folder))?;
    }
    fs::rename(made.path(), folder).map_err(failed(folder))?;
    // It has another name now, and stays.
    let _ = made.keep();
    open_up(folder).map_err(failed(folder))?;
    Ok(perturbed.figures)
}

/// Lets others read the folder, which was made for this process alone.
#[cfg(unix)]
fn open_up(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_up(_: &Path) -> io::Result<()> {
    Ok(())
}

fn check(folder: &Path, existing: Existing) -> Result<(), PerturbError> {
    let is_empty = |folder: &Path| fs::read_dir(folder).is_ok_and(|mut it| it.next().is_none());
    if !folder.exists() || is_empty(folder) {
        return Ok(());
    }
    let is_copy = ["tables.json", "dev.json"]
        .iter()
        .all(|it| folder.join(it).is_file());
    let is_dataset = folder.join("train_spider.json").exists();
    match existing {
        Existing::Refuse => Err(PerturbError::Exists(folder.to_owned())),
        Existing::Replace if is_copy && !is_dataset => Ok(()),
        Existing::Replace => Err(PerturbError::NotReplaced(folder.to_owned())),
    }
}

fn copy_databases(
    perturbed: &Perturbed,
    corpus: &Corpus,
    folder: &Path,
) -> Result<(), PerturbError> {
    for database in &perturbed.databases {
        let name = &database.schema.name;
        let file = database_file(folder, name);
        let own = file.parent().unwrap_or(folder);
        fs::create_dir_all(own).map_err(|source| PerturbError::Write {
            path: own.to_owned(),
            source,
        })?;
        let place = corpus.places.get(&database.name_before);
        let place = place.ok_or_else(|| DatabaseError::Unknown {
            name: database.name_before.clone(),
        })?;
        place.copy(&file, &database.names)?;
    }
    Ok(())
}

fn database_file(folder: &Path, name: &str) -> PathBuf {
    let folder = folder.join("database").join(name);
    folder.join(format!("{name}.sqlite"))
}

impl Perturbed {
    /// Runs all queries before and after, and leaves out the rows whose queries return something else.
    fn check_queries(&mut self, corpus: &Corpus, folder: &Path) -> Result<(), PerturbError> {
        let databases = corpus.places();
        let limits = QueryLimits::default();
        let mut kept = Vec::with_capacity(self.rows.len());
        for (index, database) in self.databases.iter().enumerate() {
            let before = databases.open(&database.name_before)?;
            let after = Database::open(&database_file(folder, &database.schema.name))?;
            for row in self.rows.iter().filter(|it| it.database == index) {
                let found = before.query(&row.query_before, &limits);
                let found = (found, after.query(&row.query, &limits));
                match found {
                    (Ok(before), Ok(after)) if same(before.rows.clone(), after.rows.clone()) => {
                        self.figures.same_rows += 1;
                    }
                    (Err(_), _) => self.figures.not_run += 1,
                    (Ok(_), Ok(_)) => {
                        let reason = "the query returns other rows";
                        self.figures.left_out.push(format!("{}: {reason}", row.id));
                        continue;
                    }
                    (Ok(_), Err(error)) => {
                        self.figures.left_out.push(format!("{}: {error}", row.id));
                        continue;
                    }
                }
                kept.push(row.clone());
            }
        }
        self.rows = kept;
        self.figures.questions = self.rows.len();
        Ok(())
    }
}

/// Whether rows are the same, in whatever order.
fn same(before: Vec<Vec<SqlValue>>, after: Vec<Vec<SqlValue>>) -> bool {
    if before == after {
        return true;
    }
    let sorted = |rows: Vec<Vec<SqlValue>>| {
        let mut rows: Vec<String> = rows.iter().map(|it| format!("{it:?}")).collect();
        rows.sort_unstable();
        rows
    };
    sorted(before) == sorted(after)
}

/// A schema as Spider's `tables.json` describes it.
fn tables_entry(schema: &DatabaseSchema) -> serde_json::Value {
    let table_of = |column: &patois_languages::sql::Column| match column.table {
        Some(table) => json!(table),
        None => json!(-1),
    };
    let columns = || schema.columns.iter();
    let keys = columns().enumerate().filter(|it| it.1.is_primary_key);
    json!({
        "db_id": schema.name,
        "table_names": schema.tables.iter().map(|it| &it.words).collect::<Vec<_>>(),
        "table_names_original": schema.tables.iter().map(|it| &it.name).collect::<Vec<_>>(),
        "column_names": columns().map(|it| json!([table_of(it), it.words])).collect::<Vec<_>>(),
        "column_names_original": columns().map(|it| json!([table_of(it), it.name])).collect::<Vec<_>>(),
        "column_types": columns().map(|it| it.kind).collect::<Vec<_>>(),
        "primary_keys": keys.map(|it| it.0).collect::<Vec<_>>(),
        "foreign_keys": schema.foreign_keys,
    })
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), PerturbError> {
    let failed = |source: io::Error| PerturbError::Write {
        path: path.to_owned(),
        source,
    };
    let mut text = serde_json::to_string_pretty(value).map_err(|it| failed(it.into()))?;
    text.push('\n');
    fs::write(path, text).map_err(failed)
}
