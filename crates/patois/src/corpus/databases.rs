//! The databases that the queries of a corpus are about.

use std::path::Path;

use patois_database::Databases;

use super::{DataDir, Dataset, default};

/// Where the databases of the corpus called `name` are, unless `given` says.
///
/// Those of a dataset are in its folder `database`, those of JSON lines beside the file or in the
/// folder `database` beside it.
pub fn databases_of(name: &str, given: Option<&Path>, data: &DataDir) -> Databases {
    if let Some(folder) = given {
        return Databases::in_folder(folder);
    }
    if name == default::NAME {
        return default::databases();
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
