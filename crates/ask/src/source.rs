//! What questions are about: a database file, or several files that became one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use patois_database::{
    Database, DatabaseError, FileKind, ImportError, ImportLimits, Imported, Place, import, kind_of,
};
use patois_languages::sql::DatabaseSchema;

/// What questions are about.
#[derive(Debug)]
pub struct Source {
    /// The tables, columns and keys.
    pub schema: Arc<DatabaseSchema>,
    /// Where it is.
    pub place: Place,
    /// What a person should know about how it was read.
    pub notes: Vec<String>,
    /// The files it was read from; none for a database inside the program.
    pub files: Vec<PathBuf>,
    /// The database that files became; it goes with this.
    _imported: Option<Imported>,
}

/// Which foreign keys are joined along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keys {
    /// Those that the definition has.
    Declared,
    /// Those too that names and values tell.
    #[default]
    Guessed,
}

/// Why there is nothing to ask.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A file cannot become a part of one.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// It has no table.
    #[error("there is no table in `{name}`")]
    NoTable {
        /// The file, or the name of the database.
        name: String,
    },
}

impl Source {
    /// Reads the schema of a database.
    ///
    /// # Errors
    ///
    /// When it cannot be used, or has no table.
    pub fn of_place(place: Place, name: &str, keys: Keys) -> Result<Source, SourceError> {
        let database = place.open(name)?;
        let live = database.schema()?;
        let mut schema = live.schema;
        let mut notes: Vec<String> = live.dangling.iter().map(ToString::to_string).collect();
        if schema.tables.is_empty() {
            return Err(SourceError::NoTable {
                name: name.to_owned(),
            });
        }
        if keys == Keys::Guessed {
            notes.extend(guess_keys(&database, &mut schema));
        }
        Ok(Source {
            schema: Arc::new(schema),
            place,
            notes,
            files: Vec::new(),
            _imported: None,
        })
    }

    /// Reads files: one database, or several files that become one.
    ///
    /// # Errors
    ///
    /// When one cannot be used, or there is no table.
    pub fn open(files: &[PathBuf], keys: Keys) -> Result<Source, SourceError> {
        if let [file] = files
            && kind_of(file)? == FileKind::Sqlite
        {
            return Source::of_file(file, keys);
        }
        let imported = import(files, &ImportLimits::default())?;
        let name = "the files";
        let source = Source::of_place(imported.place.clone(), name, keys)?;
        let notes = imported.notes.iter().cloned().chain(source.notes);
        Ok(Source {
            notes: notes.collect(),
            files: files.to_vec(),
            _imported: Some(imported),
            ..source
        })
    }

    /// Reads a database file.
    ///
    /// # Errors
    ///
    /// When it cannot be used, or has no table.
    pub fn of_file(file: &Path, keys: Keys) -> Result<Source, SourceError> {
        let name = file.display().to_string();
        let source = Source::of_place(Place::File(file.to_owned()), &name, keys)?;
        Ok(Source {
            files: vec![file.to_owned()],
            ..source
        })
    }
}

/// Adds keys that are not declared, and says so.
fn guess_keys(database: &Database, schema: &mut DatabaseSchema) -> Vec<String> {
    let guessed = database.guessed_keys(schema);
    let name = |column: usize| {
        let column = &schema.columns[column];
        let table = column.table.map_or("", |it| &schema.tables[it].name);
        format!("`{table}.{}`", column.name)
    };
    let note = |&(from, to): &(usize, usize)| {
        format!("{} is taken for a foreign key to {}", name(from), name(to))
    };
    let notes = guessed.iter().map(note).collect();
    schema.foreign_keys.extend(guessed);
    notes
}
