//! Spider (Yu et al. 2018): questions and SQL queries over many databases.
//!
//! `train_spider.json` and `train_others.json` are the train split, `dev.json` is the dev split (which may be all),
//! `tables.json` describes the databases, which are in the folder `database`. The parsed queries in these files are not used.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use patois_database::{Place, file_in};
use patois_languages::sql::DatabaseSchema;
use serde::Deserialize;

use super::text_file::{file_name, read_json, read_text};
use super::{Corpus, CorpusError, Dropped, Example, Split, TrainOthers};

/// Reads the corpus from its folder.
///
/// # Errors
///
/// When a file is missing or cannot be read.
pub fn read(folder: &Path, train_others: TrainOthers) -> Result<Corpus, CorpusError> {
    let mut corpus = Corpus::empty("sql");
    corpus.databases = read_tables(&folder.join("tables.json"))?;
    let folders = [folder.join("database"), folder.to_owned()];
    let place = |name: &String| (name.clone(), Place::File(file_in(&folders, name)));
    corpus.places = corpus.databases.keys().map(place).collect();
    let train = folder.join("train_spider.json");
    let has_train = train.exists();
    if has_train {
        add_file(&mut corpus, &train, Split::Train)?;
    }
    if has_train && train_others == TrainOthers::Include {
        add_file(&mut corpus, &folder.join("train_others.json"), Split::Train)?;
    }
    add_file(&mut corpus, &folder.join("dev.json"), Split::Dev)?;
    Ok(corpus)
}

/// Reads the databases of a `tables.json`.
///
/// # Errors
///
/// When the file cannot be read, or an index in it leads nowhere.
pub fn read_tables(path: &Path) -> Result<IndexMap<String, Arc<DatabaseSchema>>, CorpusError> {
    let text = read_text(
        path,
        "a description of databases as in Spider's tables.json",
    )?;
    let databases =
        DatabaseSchema::from_tables_json(&text).map_err(|source| CorpusError::Databases {
            path: path.to_owned(),
            source,
        })?;
    Ok(databases
        .into_iter()
        .map(|(name, schema)| (name, Arc::new(schema)))
        .collect())
}

/// A row of the files with questions; the other keys are not needed.
#[derive(Deserialize)]
pub(super) struct Row {
    pub(super) db_id: String,
    pub(super) question: String,
    pub(super) query: String,
}

fn add_file(corpus: &mut Corpus, path: &Path, split: Split) -> Result<(), CorpusError> {
    let expected = "a list of rows with the texts `question`, `query` and `db_id`";
    let rows: Vec<Row> = read_json(path, expected)?;
    add_rows(corpus, path, split, rows);
    Ok(())
}

/// Adds the rows of a file; those about an unknown database are dropped.
pub(super) fn add_rows(corpus: &mut Corpus, path: &Path, split: Split, rows: Vec<Row>) {
    let file = file_name(path);
    for (index, row) in rows.into_iter().enumerate() {
        let id = format!("{file}[{index}]");
        if corpus.databases.contains_key(&row.db_id) {
            corpus.add(Example {
                id,
                split,
                text: row.question,
                code: row.query,
                database: Some(row.db_id),
            });
        } else {
            let reason = format!("the database `{}` is not in tables.json", row.db_id);
            corpus.dropped.push(Dropped { id, split, reason });
        }
    }
}
