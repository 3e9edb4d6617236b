//! JSON lines: one example per line.
//!
//! A line is an object with the texts `text` and `code`, and optionally `database` and `split`
//! (`train` where it is not given). Other keys are ignored, blank lines too. Databases are
//! described by a `tables.json` in the same folder, in Spider's format.

use std::path::Path;

use serde::Deserialize;

use super::text_file::{file_name, json_error, lines, read_text};
use super::{Corpus, CorpusError, Example, Split, spider};

/// Reads a file of JSON lines; without a `language` it is SQL where a row names a database, else
/// Python.
///
/// # Errors
///
/// When the file, or the `tables.json` beside it, cannot be read; when a line is no such object.
pub fn read(path: &Path, language: Option<&str>) -> Result<Corpus, CorpusError> {
    let text = read_text(path, "a file of JSON lines")?;
    let mut corpus = Corpus::empty("python");
    for example in rows(path, &text)? {
        corpus.add(example);
    }
    let names_databases = corpus.examples.iter().any(|row| row.database.is_some());
    let language = language.unwrap_or(if names_databases { "sql" } else { "python" });
    language.clone_into(&mut corpus.language);
    let tables = path.with_file_name("tables.json");
    if names_databases && tables.exists() {
        corpus.databases = spider::read_tables(&tables)?;
    }
    Ok(corpus)
}

/// Reads the examples of a text of JSON lines; `path` says in errors and ids where it comes from.
///
/// # Errors
///
/// When a line is no object with the texts `text` and `code`.
pub fn rows(path: &Path, text: &str) -> Result<Vec<Example>, CorpusError> {
    let file = file_name(path);
    let rows = (1..)
        .zip(lines(text))
        .filter(|(_, row)| !row.trim().is_empty());
    rows.map(|(line, row)| Ok(parse_row(path, line, row)?.into_example(format!("{file}:{line}"))))
        .collect()
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
