//! Where the published datasets are.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{CorpusError, Dataset};

/// The folder that holds the datasets, each in a folder of its own name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataDir {
    path: PathBuf,
    origin: &'static str,
}

impl DataDir {
    /// The folder given on the command line, else the one that `PATOIS_DATA` names, else `./data`.
    pub fn locate(given: Option<&Path>) -> DataDir {
        DataDir::choose(given, env::var_os("PATOIS_DATA"))
    }

    fn choose(given: Option<&Path>, variable: Option<OsString>) -> DataDir {
        let (path, origin) = match (given, variable.filter(|value| !value.is_empty())) {
            (Some(path), _) => (path.to_owned(), "from --data"),
            (None, Some(path)) => (PathBuf::from(path), "from PATOIS_DATA"),
            (None, None) => (
                PathBuf::from("data"),
                "neither --data nor PATOIS_DATA is given",
            ),
        };
        DataDir { path, origin }
    }

    /// The folder itself.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of a dataset: the one of its name, or this one where it holds the dataset itself.
    ///
    /// # Errors
    ///
    /// When the dataset is in neither.
    pub fn folder_of(&self, dataset: Dataset) -> Result<PathBuf, CorpusError> {
        let folder = self.path.join(dataset.name());
        let landmark = folder.join(dataset.landmark());
        if landmark.exists() {
            return Ok(folder);
        }
        if self.path.join(dataset.landmark()).exists() {
            return Ok(self.path.clone());
        }
        Err(CorpusError::Missing {
            dataset: dataset.name(),
            path: landmark,
            origin: self.origin,
            published: dataset.published(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_wins_over_the_variable_and_the_variable_over_the_default() {
        let check = |given: Option<&str>, variable: Option<&str>, expected: &str| {
            let dir = DataDir::choose(given.map(Path::new), variable.map(OsString::from));
            assert_eq!(dir.path(), Path::new(expected));
        };
        check(Some("here"), Some("there"), "here");
        check(None, Some("there"), "there");
        check(None, Some(""), "data");
        check(None, None, "data");
    }

    #[test]
    fn a_missing_dataset_says_where_it_was_looked_for_and_where_it_is_published() {
        let dir = DataDir::choose(Some(Path::new("nowhere")), None);
        let message = dir.folder_of(Dataset::Spider).unwrap_err().to_string();
        for part in ["train_spider.json", "from --data", "Yu et al. 2018"] {
            assert!(message.contains(part), "{message}");
        }
    }
}
