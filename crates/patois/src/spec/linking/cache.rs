//! Value indices on disk, so that a database is read once.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use etcetera::{BaseStrategy, choose_base_strategy};
use patois_codebase::output;
use patois_database::DatabaseError;
use patois_database::Databases;
use patois_languages::sql::DatabaseSchema;

use super::values::{START, ValueIndex, mix, mix_schema};

/// Where value indices are kept between runs.
///
/// A file in it counts only for the database file that it was made from, as far as length and time
/// of the last change tell, and only if it is whole. It is then made again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueCache {
    folder: Option<PathBuf>,
}

const MAGIC: &[u8; 16] = b"patois values 2\n";

impl ValueCache {
    /// Keeps nothing.
    pub fn none() -> ValueCache {
        ValueCache::default()
    }

    /// Keeps indices in `folder`, which is made where it does not exist.
    pub fn in_folder(folder: &Path) -> ValueCache {
        ValueCache {
            folder: Some(folder.to_owned()),
        }
    }

    /// Keeps indices in the user's folder for caches, where there is one.
    pub fn of_user() -> ValueCache {
        match choose_base_strategy() {
            Ok(folders) => ValueCache::in_folder(&folders.cache_dir().join("patois")),
            Err(_) => ValueCache::none(),
        }
    }

    /// The folder that they are kept in.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The values of one of the databases.
    ///
    /// # Errors
    ///
    /// When the database is missing, damaged, or not what `schema` describes. A cache that cannot
    /// be read or written is no error: the database can.
    pub fn index(
        &self,
        databases: &Databases,
        schema: &DatabaseSchema,
    ) -> Result<ValueIndex, DatabaseError> {
        let entry = self.entry(databases, schema);
        let kept = entry.as_ref().and_then(Entry::read);
        // A hash of a schema may be another schema's, too; a column that does not exist is enough
        // to tell.
        let is_of_schema = |it: &ValueIndex| it.last_column() < Some(schema.columns.len());
        if let Some(index) = kept.filter(is_of_schema) {
            return Ok(index);
        }
        let index = ValueIndex::build(&databases.open(&schema.name)?, schema)?;
        if let Some(entry) = entry {
            entry.write(&index);
        }
        Ok(index)
    }

    fn entry(&self, databases: &Databases, schema: &DatabaseSchema) -> Option<Entry> {
        let folder = self.folder.as_ref()?;
        let file = databases.file(&schema.name)?;
        let file = fs::canonicalize(file).ok()?;
        let place = mix(START, file.as_os_str().as_encoded_bytes());
        let key = mix_file(START, &file)?;
        // What was written last may stand in a file of its own.
        let mut log = file.into_os_string();
        log.push("-wal");
        let key = mix_file(key, Path::new(&log)).unwrap_or(key);
        let key = mix_schema(key, schema);
        Some(Entry {
            path: folder.join(format!("values-{place:016x}.bin")),
            key,
        })
    }
}

/// What tells whether a file has changed; none where there is none.
fn mix_file(state: u64, file: &Path) -> Option<u64> {
    let metadata = fs::metadata(file).ok()?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let state = mix(state, &metadata.len().to_le_bytes());
    Some(mix(state, &changed.as_nanos().to_le_bytes()))
}

/// A file of the cache.
struct Entry {
    path: PathBuf,
    /// What the index depends on.
    key: u64,
}

impl Entry {
    fn read(&self) -> Option<ValueIndex> {
        let bytes = fs::read(&self.path).ok()?;
        let (body, sum) = bytes.split_last_chunk()?;
        if mix(START, body) != u64::from_le_bytes(*sum) {
            return None;
        }
        let rest = body.strip_prefix(MAGIC)?;
        let rest = rest.strip_prefix(&self.key.to_le_bytes())?;
        ValueIndex::from_bytes(rest)
    }

    /// Writes the index where it can be written; where not, it is made again next time.
    fn write(&self, index: &ValueIndex) {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.key.to_le_bytes());
        bytes.extend(index.to_bytes());
        let sum = mix(START, &bytes);
        bytes.extend(sum.to_le_bytes());
        let folder = self.path.parent().unwrap_or(Path::new(""));
        if fs::create_dir_all(folder).is_ok() {
            let _ = output::write(&self.path, bytes);
        }
    }
}
