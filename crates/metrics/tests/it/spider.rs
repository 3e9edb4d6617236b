//! The Spider dataset as these tests need it.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use patois_database::Databases;
use patois_languages::sql::DatabaseSchema;
use serde::Deserialize;
use serde_json::Value as Json;

/// The folder of the dataset.
pub(crate) struct Spider(PathBuf);

/// A question of the dataset, without its words.
#[derive(Deserialize)]
pub(crate) struct Example {
    pub(crate) db_id: String,
    pub(crate) query: String,
    /// The official parse.
    pub(crate) sql: Json,
}

impl Spider {
    pub(crate) fn open() -> Spider {
        let data = std::env::var_os("PATOIS_DATA").expect("PATOIS_DATA names the datasets");
        Spider(Path::new(&data).join("spider"))
    }

    pub(crate) fn schemas(&self) -> IndexMap<String, DatabaseSchema> {
        DatabaseSchema::from_tables_json(&self.read("tables.json")).unwrap()
    }

    pub(crate) fn databases(&self) -> Databases {
        Databases::in_folder(&self.0.join("database"))
    }

    pub(crate) fn examples(&self, file: &str) -> Vec<Example> {
        serde_json::from_str(&self.read(&format!("{file}.json"))).unwrap()
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap()
    }
}
