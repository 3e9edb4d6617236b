//! Many databases, each known by its name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use crate::{Database, DatabaseError};

/// Where the databases that queries are about can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Databases {
    /// In the program itself: scripts by name.
    Scripts(Arc<IndexMap<String, String>>),
    /// In folders, each looked into for `NAME/NAME.sqlite`, as in Spider, and for `NAME.sqlite`.
    Folders(Vec<PathBuf>),
    /// There is one, in this file, whatever it is called.
    File(PathBuf),
}

impl Databases {
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
            Databases::Scripts(scripts) => {
                let script = scripts.get(name).map_or("", String::as_str);
                Database::from_script(name, script)
            }
            Databases::Folders(folders) => Database::open(&file_in(folders, name)),
            Databases::File(file) => Database::open(file),
        }
    }

    /// The file of the database called `name`; none where it is in the program itself.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        match self {
            Databases::Scripts(_) => None,
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
