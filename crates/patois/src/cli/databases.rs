//! The databases that the queries of a corpus are about.

use std::path::{Path, PathBuf};

use patois::corpus::{DataDir, Dataset, default};
use patois::database::{Database, DatabaseError};

/// Where the databases of a corpus are.
pub(super) enum Databases {
    /// In the program itself.
    Embedded,
    /// In folders, each looked into for `NAME/NAME.sqlite`, as in Spider, and for `NAME.sqlite`.
    Folders(Vec<PathBuf>),
}

impl Databases {
    /// Those of the corpus called `name`, unless `given` says where they are.
    ///
    /// Those of a dataset are in its folder `database`, those of JSON lines beside the file or in
    /// the folder `database` beside it.
    pub(super) fn of(name: &str, given: Option<&Path>, data: &DataDir) -> Databases {
        if let Some(folder) = given {
            return Databases::Folders(vec![folder.to_owned()]);
        }
        if name == default::NAME {
            return Databases::Embedded;
        }
        let dataset = Dataset::named(name).and_then(|it| data.folder_of(it).ok());
        let path = Path::new(name);
        let folder = match dataset {
            Some(folder) => folder,
            None if path.is_dir() => path.to_owned(),
            None => path.with_file_name(""),
        };
        Databases::Folders(vec![folder.join("database"), folder])
    }

    /// Opens the database called `name`.
    pub(super) fn open(&self, name: &str) -> Result<Database, DatabaseError> {
        match self {
            Databases::Embedded => {
                Database::from_script(name, default::script(name).unwrap_or_default())
            }
            Databases::Folders(folders) => {
                let file = format!("{name}.sqlite");
                let places = |folder: &PathBuf| [folder.join(name).join(&file), folder.join(&file)];
                let places: Vec<_> = folders.iter().flat_map(places).collect();
                let found = places.iter().find(|place| place.is_file());
                // Where there is none, the usual place is the one to complain about.
                Database::open(found.unwrap_or(&places[0]))
            }
        }
    }
}
