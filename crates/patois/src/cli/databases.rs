//! The databases that the queries of a corpus are about.

use std::path::{Path, PathBuf};

use patois::corpus::{DataDir, Dataset};
use patois::database::{Database, DatabaseError};

/// Where the databases of a corpus are.
pub(super) enum Databases {
    /// In a folder, as in Spider: `NAME/NAME.sqlite`; also as `NAME.sqlite`.
    Folder(PathBuf),
}

impl Databases {
    /// Those of the corpus called `name`, unless `given` says where they are.
    ///
    /// Those of a dataset are in its folder `database`, those of JSON lines in the folder
    /// `database` beside the file.
    pub(super) fn of(name: &str, given: Option<&Path>, data: &DataDir) -> Databases {
        if let Some(folder) = given {
            return Databases::Folder(folder.to_owned());
        }
        let dataset = Dataset::named(name).and_then(|it| data.folder_of(it).ok());
        let path = Path::new(name);
        let folder = match dataset {
            Some(folder) => folder,
            None if path.is_dir() => path.to_owned(),
            None => path.parent().unwrap_or(path).to_owned(),
        };
        Databases::Folder(folder.join("database"))
    }

    /// Opens the database called `name`.
    pub(super) fn open(&self, name: &str) -> Result<Database, DatabaseError> {
        match self {
            Databases::Folder(folder) => {
                let file = format!("{name}.sqlite");
                let nested = folder.join(name).join(&file);
                let is_flat = !nested.exists() && folder.join(&file).exists();
                Database::open(&if is_flat { folder.join(file) } else { nested })
            }
        }
    }
}
