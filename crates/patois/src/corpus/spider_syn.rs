//! Spider-Syn (Gan et al. 2021): Spider's training questions in other words.
//!
//! `train_syn.json` is the train split. The databases are Spider's: its `tables.json` and `database` are in the folder
//! `spider` beside this one, or in this one.

use std::path::Path;

use patois_database::{Place, file_in};
use serde::Deserialize;

use super::text_file::read_json;
use super::{Corpus, CorpusError, Dataset, Split, spider};

/// Reads the corpus from its folder.
///
/// # Errors
///
/// When a file is missing or cannot be read.
pub(crate) fn read(folder: &Path) -> Result<Corpus, CorpusError> {
    let mut corpus = Corpus::empty("sql");
    let own = folder.join("tables.json").exists();
    let databases = match folder.parent() {
        Some(parent) if !own => parent.join(Dataset::Spider.name()),
        _ => folder.to_owned(),
    };
    corpus.databases = spider::read_tables(&databases.join("tables.json"))?;
    let folders = [databases.join("database"), databases];
    let place = |name: &String| (name.clone(), Place::File(file_in(&folders, name)));
    corpus.places = corpus.databases.keys().map(place).collect();
    add_rows(&mut corpus, &folder.join("train_syn.json"))?;
    Ok(corpus)
}

/// A row; the question as it was is not needed.
#[derive(Deserialize)]
struct Row {
    db_id: String,
    #[serde(rename = "SpiderSynQuestion")]
    question: String,
    query: String,
}

fn add_rows(corpus: &mut Corpus, path: &Path) -> Result<(), CorpusError> {
    let expected = "a list of rows with the texts `SpiderSynQuestion`, `query` and `db_id`";
    let rows: Vec<Row> = read_json(path, expected)?;
    let rows = rows.into_iter().map(|row| spider::Row {
        db_id: row.db_id,
        question: row.question,
        query: row.query,
    });
    spider::add_rows(corpus, path, Split::Train, rows.collect());
    Ok(())
}
