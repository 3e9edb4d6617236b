//! JSON lines: one example per line.
//!
//! A line is an object with the texts `text` and `code`, and optionally `database` and `split`
//! (`train` where it is not given). Other keys are ignored, blank lines too.
//!
//! A database is an entry of a `tables.json` in the same folder, in Spider's format, or a SQLite
//! file: for `pets` that is the first there is of `pets`, `pets.sqlite`, `database/pets.sqlite`
//! and `database/pets/pets.sqlite`, seen from that folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use patois_database::Database;
use serde::Deserialize;

use super::text_file::{decode, file_name, json_error, lines, read_bytes};
use super::{Corpus, CorpusError, Example, Split, spider};

/// Reads a file of JSON lines; without a `language` it is SQL where a row names a database, else
/// Python.
///
/// # Errors
///
/// When the file, or the `tables.json` beside it, cannot be read; when a line is no such object. A
/// SQLite file that cannot be used only drops the rows that name it.
pub fn read(path: &Path, language: Option<&str>) -> Result<Corpus, CorpusError> {
    let bytes = read_bytes(path, "a file of JSON lines")?;
    let mut corpus = parse(path, bytes, language)?;
    let tables = path.with_file_name("tables.json");
    if corpus.examples.iter().any(names_database) && tables.exists() {
        corpus.databases = spider::read_tables(&tables)?;
    }
    describe_databases(&mut corpus, path);
    Ok(corpus)
}

/// Describes the databases that rows name and that are SQLite files; drops the rows that name a
/// file which cannot be used.
fn describe_databases(corpus: &mut Corpus, path: &Path) {
    let mut unusable: IndexMap<String, String> = IndexMap::new();
    for example in &corpus.examples {
        let Some(name) = &example.database else {
            continue;
        };
        if corpus.databases.contains_key(name) || unusable.contains_key(name) {
            continue;
        }
        let Some(file) = database_file(path, name) else {
            continue;
        };
        match Database::open(&file).and_then(|database| database.schema()) {
            Ok(live) => {
                let schema = Arc::new(live.schema);
                corpus.databases.insert(name.clone(), schema);
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
}

fn database_file(path: &Path, name: &str) -> Option<PathBuf> {
    let file = format!("{name}.sqlite");
    let places = [
        PathBuf::from(name),
        PathBuf::from(&file),
        Path::new("database").join(&file),
        Path::new("database").join(name).join(&file),
    ];
    let mut files = places
        .iter()
        .map(|place| path.with_file_name("").join(place));
    files.find(|file| file.is_file())
}

/// Reads the bytes of a file of JSON lines; `path` says in ids and errors where they come from.
///
/// # Errors
///
/// When the bytes are no text, or a line is no object with the texts `text` and `code`.
pub fn parse(path: &Path, bytes: Vec<u8>, language: Option<&str>) -> Result<Corpus, CorpusError> {
    let text = decode(path, bytes)?;
    let file = file_name(path);
    let mut corpus = Corpus::empty("python");
    for (line, row) in (1..).zip(lines(&text)) {
        if !row.trim().is_empty() {
            let row = parse_row(path, line, row)?;
            corpus.add(row.into_example(format!("{file}:{line}")));
        }
    }
    if let Some(language) = language {
        language.clone_into(&mut corpus.language);
    } else if corpus.examples.iter().any(names_database) {
        "sql".clone_into(&mut corpus.language);
    }
    Ok(corpus)
}

fn names_database(example: &Example) -> bool {
    example.database.is_some()
}

#[derive(Deserialize)]
struct Row {
    text: String,
    code: String,
    database: Option<String>,
    split: Option<Split>,
}

impl Row {
    fn into_example(self, id: String) -> Example {
        Example {
            id,
            split: self.split.unwrap_or(Split::Train),
            text: self.text,
            code: self.code,
            database: self.database,
        }
    }
}

fn parse_row(path: &Path, line: usize, row: &str) -> Result<Row, CorpusError> {
    let expected = "an object with the texts `text` and `code`";
    serde_json::from_str(row).map_err(|error| json_error(path, line, expected, &error))
}
