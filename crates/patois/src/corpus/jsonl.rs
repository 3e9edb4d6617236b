//! JSON lines: one example per line.
//!
//! A line is an object with the texts `text` and `code`, and optionally `split` (`train` where it is not
//! given) and, where programs are SQL, `database`. Other keys are ignored, blank lines too.
//!
//! A `database` with a separator or one of the endings `.sqlite` and `.db` is the path of a SQLite file, seen
//! from the folder of the JSON lines. Any other is a name: that of `database/NAME/NAME.sqlite` in that
//! folder, of `NAME.sqlite`, or of a script that makes it, `database/NAME.sql`. An entry of that name in a
//! `tables.json` there, in Spider's format, is taken as its description; the file is then needed only to run
//! queries and to look up values.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use patois_database::{DatabaseError, Place, file_in};
use patois_languages::sql::DatabaseSchema;
use serde::Deserialize;

use super::text_file::{decode, file_name, json_error, lines, read_bytes};
use super::{Corpus, CorpusError, Example, Split, folder, spider};

/// Reads a file of JSON lines, whose programs are of a `language`.
///
/// # Errors
///
/// When no language is given, or one that is not known; when the file, or the `tables.json` beside it, cannot
/// be read; when a line is no such object, or its database does not exist. A file that is no database only
/// drops the rows that name it.
pub(crate) fn read(path: &Path, language: Option<&str>) -> Result<Corpus, CorpusError> {
    let bytes = read_bytes(path, "a file of JSON lines")?;
    let Some(language) = language else {
        return Err(CorpusError::NoLanguage {
            path: path.to_owned(),
        });
    };
    let mut corpus = parse(path, bytes, folder::by_name(language)?)?;
    let tables = path.with_file_name("tables.json");
    let names_database = |it: &Example| it.database.is_some();
    if corpus.examples.iter().any(names_database) && tables.exists() {
        corpus.databases = spider::read_tables(&tables)?;
    }
    find_databases(&mut corpus, path)?;
    Ok(corpus)
}

/// Finds the databases that rows name, and describes those that nobody has described; drops the rows
/// whose database cannot be used.
fn find_databases(corpus: &mut Corpus, path: &Path) -> Result<(), CorpusError> {
    let mut unusable: IndexMap<String, String> = IndexMap::new();
    for example in &corpus.examples {
        let Some(name) = &example.database else {
            continue;
        };
        if corpus.places.contains_key(name) {
            continue;
        }
        let place = database_place(path, name)?;
        corpus.places.insert(name.clone(), place.clone());
        if corpus.databases.contains_key(name) {
            continue;
        }
        if let Place::File(file) = &place
            && !file.exists()
        {
            return Err(CorpusError::NoDatabase {
                place: path.with_file_name(&example.id).display().to_string(),
                name: name.clone(),
                file: file.clone(),
            });
        }
        match described(&place, name) {
            Ok(schema) => {
                corpus.databases.insert(name.clone(), Arc::new(schema));
            }
            Err(error) => {
                unusable.insert(name.clone(), error.to_string());
            }
        }
    }
    corpus.drop_where(|example| {
        let name = example.database.as_ref()?;
        unusable.get(name).cloned()
    });
    Ok(())
}

/// A database as it describes itself, with the foreign keys that nobody has declared.
fn described(place: &Place, name: &str) -> Result<DatabaseSchema, DatabaseError> {
    let database = place.open(name)?;
    let mut schema = database.schema()?.schema;
    name.clone_into(&mut schema.name);
    schema.foreign_keys.extend(database.guessed_keys(&schema));
    Ok(schema)
}

/// What a row of the JSON lines in `path` calls its database.
fn database_place(path: &Path, name: &str) -> Result<Place, CorpusError> {
    let folder = path.with_file_name("");
    let has_ending = [".sqlite", ".db"].iter().any(|it| name.ends_with(it));
    if has_ending || name.contains(std::path::is_separator) {
        return Ok(Place::File(folder.join(name)));
    }
    let script = folder.join("database").join(format!("{name}.sql"));
    let file = file_in(&[folder.join("database"), folder], name);
    if file.exists() || !script.exists() {
        return Ok(Place::File(file));
    }
    let bytes = read_bytes(&script, "a script of SQL")?;
    Ok(Place::Script(decode(&script, bytes)?))
}

/// Reads the bytes of a file of JSON lines; `path` says in ids and errors where they come from.
///
/// # Errors
///
/// When the bytes are no text, or a line is no object with the texts `text` and `code`.
pub fn parse(path: &Path, bytes: Vec<u8>, language: &str) -> Result<Corpus, CorpusError> {
    let text = decode(path, bytes)?;
    let file = file_name(path);
    let mut corpus = Corpus::empty(language);
    for (line, row) in (1..).zip(lines(&text)) {
        if !row.trim().is_empty() {
            let row = parse_row(path, line, row)?;
            corpus.add(row.into_example(format!("{file}:{line}"), language));
        }
    }
    Ok(corpus)
}

#[derive(Deserialize)]
struct Row {
    text: String,
    code: String,
    database: Option<String>,
    split: Option<Split>,
}

impl Row {
    fn into_example(self, id: String, language: &str) -> Example {
        Example {
            id,
            split: self.split.unwrap_or(Split::Train),
            text: self.text,
            code: self.code,
            database: self.database.filter(|_| language == "sql"),
        }
    }
}

fn parse_row(path: &Path, line: usize, row: &str) -> Result<Row, CorpusError> {
    let expected = "an object with the texts `text` and `code`";
    serde_json::from_str(row).map_err(|error| json_error(path, line, expected, &error))
}

#[cfg(test)]
mod tests;
