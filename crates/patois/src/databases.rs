//! The databases that the queries of a corpus are about.

use std::path::{Path, PathBuf};

use crate::corpus::{DataDir, Dataset, default};
use crate::database::{Database, DatabaseError};

/// Where the databases of a corpus are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Databases {
    /// In the program itself.
    Embedded,
    /// In folders, each looked into for `NAME/NAME.sqlite`, as in Spider, and for `NAME.sqlite`.
    Folders(Vec<PathBuf>),
    /// There is one, in this file, whatever it is called.
    File(PathBuf),
}

impl Databases {
    /// Those of the corpus called `name`, unless `given` says where they are.
    ///
    /// Those of a dataset are in its folder `database`, those of JSON lines beside the file or in
    /// the folder `database` beside it.
    pub fn of(name: &str, given: Option<&Path>, data: &DataDir) -> Databases {
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
    ///
    /// # Errors
    ///
    /// When it is not there or cannot be used.
    pub fn open(&self, name: &str) -> Result<Database, DatabaseError> {
        match self {
            Databases::Embedded => {
                Database::from_script(name, default::script(name).unwrap_or_default())
            }
            Databases::Folders(folders) => Database::open(&file_in(folders, name)),
            Databases::File(file) => Database::open(file),
        }
    }

    /// The file of the database called `name`; none where it is in the program itself.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        match self {
            Databases::Embedded => None,
            Databases::Folders(folders) => Some(file_in(folders, name)),
            Databases::File(file) => Some(file.clone()),
        }
    }
}

/// The file of a database; where there is none, the usual place is the one to complain about.
fn file_in(folders: &[PathBuf], name: &str) -> PathBuf {
    let file = format!("{name}.sqlite");
    let places = |folder: &PathBuf| [folder.join(name).join(&file), folder.join(&file)];
    let mut places: Vec<PathBuf> = folders.iter().flat_map(places).collect();
    let found = places.iter().position(|place| place.is_file());
    if places.is_empty() {
        return PathBuf::from(file);
    }
    places.swap_remove(found.unwrap_or(0))
}
