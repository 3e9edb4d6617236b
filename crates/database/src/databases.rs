//! Many databases, each known by its name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use crate::{Database, DatabaseError};

/// Where the databases that queries are about can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Databases {
    /// Each where its name says.
    Named(Arc<IndexMap<String, Place>>),
    /// In folders, each looked into for `NAME/NAME.sqlite`, as in Spider, and for `NAME.sqlite`.
    Folders(Vec<PathBuf>),
}

/// Where a database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File(PathBuf),
    /// In the program itself, as the script that makes it.
    Script(String),
}

impl Place {
    /// Opens the database, which is called `name`.
    ///
    /// # Errors
    ///
    /// When it is not there or cannot be used.
    pub fn open(&self, name: &str) -> Result<Database, DatabaseError> {
        match self {
            Place::File(file) => Database::open(file),
            Place::Script(script) => Database::from_script(name, script),
        }
    }
}

impl Databases {
    /// Those at the given places, by name.
    pub fn named(places: impl IntoIterator<Item = (String, Place)>) -> Databases {
        Databases::Named(Arc::new(places.into_iter().collect()))
    }

    /// Those of one folder.
    pub fn in_folder(folder: &Path) -> Databases {
        Databases::Folders(vec![folder.to_owned()])
    }

    /// Opens the database called `name`.
    ///
    /// # Errors
    ///
    /// When it is not there or cannot be used.
    pub fn open(&self, name: &str) -> Result<Database, DatabaseError> {
        match self {
            Databases::Named(places) => match places.get(name) {
                Some(place) => place.open(name),
                None => Err(DatabaseError::Unknown {
                    name: name.to_owned(),
                }),
            },
            Databases::Folders(folders) => Database::open(&file_in(folders, name)),
        }
    }

    /// The file of the database called `name`; none where it is in none.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        match self {
            Databases::Named(places) => match places.get(name)? {
                Place::File(file) => Some(file.clone()),
                Place::Script(_) => None,
            },
            Databases::Folders(folders) => Some(file_in(folders, name)),
        }
    }
}

/// The file of the database called `name` in one of several folders; where there is none, the usual
/// place is the one to complain about.
pub fn file_in(folders: &[PathBuf], name: &str) -> PathBuf {
    let file = format!("{name}.sqlite");
    let places = |folder: &PathBuf| [folder.join(name).join(&file), folder.join(&file)];
    let mut places: Vec<PathBuf> = folders.iter().flat_map(places).collect();
    let found = places.iter().position(|place| place.is_file());
    if places.is_empty() {
        return PathBuf::from(file);
    }
    places.swap_remove(found.unwrap_or(0))
}
