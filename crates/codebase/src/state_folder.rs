//! The state of a chain in a folder, so that mining which was ended goes on.

use std::error::Error as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use patois_mining::{Keeper, Kept};
use serde::{Deserialize, Serialize};

use crate::output;

/// The file that says which state is whole.
const HEAD: &str = "complete.json";

/// A folder with the last whole state of a chain: a file for each rank, and one that says that all are there.
///
/// Files of a sweep are written beside those of the one before, which are removed when all ranks have
/// written theirs. So there is a whole state at any time.
#[derive(Debug)]
pub struct StateFolder {
    folder: PathBuf,
    seed: u64,
    beginning: Beginning,
}

/// Whether a chain begins, or goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// It begins, whatever is in the folder.
    Anew,
    /// It goes on from what is there, if there is anything.
    Resumed,
}

#[derive(Serialize, Deserialize)]
struct Head {
    seed: u64,
    #[serde(flatten)]
    kept: Kept,
}

impl StateFolder {
    /// A folder for the state of a chain with random numbers of this seed.
    pub fn new(folder: &Path, seed: u64, beginning: Beginning) -> StateFolder {
        StateFolder {
            folder: folder.to_owned(),
            seed,
            beginning,
        }
    }

    /// Removes the state, and the folder where nothing else is in it: mining has come to its end.
    pub fn remove(&self) {
        // What cannot be removed is in nobody's way.
        let _ = fs::remove_file(self.folder.join(HEAD));
        self.remove_parts(|_| true);
        // What processes have left that were killed.
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if output::is_passing(&entry.file_name()) {
                let _ = fs::remove_file(entry.path());
            }
        }
        let _ = fs::remove_dir(&self.folder);
    }

    fn path(&self, sweep: usize, rank: usize) -> PathBuf {
        self.folder.join(format!("sweep-{sweep}.rank-{rank}"))
    }

    fn remove_parts(&self, is_over: impl Fn(usize) -> bool) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let part = name.to_str().and_then(|it| it.strip_prefix("sweep-"));
            let sweep = part.and_then(|it| it.split_once(".rank-"));
            if sweep.is_some_and(|it| it.0.parse().is_ok_and(&is_over)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn head(&self) -> Result<Option<Head>, String> {
        let path = self.folder.join(HEAD);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
        };
        let head = serde_json::from_str(&text);
        head.map(Some).map_err(|error| {
            let path = path.display();
            format!("{path}: expected the state of a chain: {error}")
        })
    }
}

impl Keeper for StateFolder {
    fn keep(&self, sweep: usize, rank: usize, part: &[u8]) -> Result<(), String> {
        let made = fs::create_dir_all(&self.folder);
        made.map_err(|error| format!("cannot make {}: {error}", self.folder.display()))?;
        write(&self.path(sweep, rank), part)
    }

    fn complete(&self, kept: Kept) -> Result<(), String> {
        let head = Head {
            seed: self.seed,
            kept,
        };
        let json = serde_json::to_string(&head).map_err(|error| error.to_string())?;
        write(&self.folder.join(HEAD), json.as_bytes())?;
        self.remove_parts(|sweep| sweep != kept.sweep);
        Ok(())
    }

    fn kept(&self) -> Result<Option<Kept>, String> {
        if self.beginning == Beginning::Anew {
            return Ok(None);
        }
        match self.head()? {
            Some(head) if head.seed != self.seed => Err(format!(
                "{}: expected the state of a chain with seed {}, found one with seed {}",
                self.folder.display(),
                self.seed,
                head.seed
            )),
            head => Ok(head.map(|it| it.kept)),
        }
    }

    fn part(&self, sweep: usize, rank: usize) -> Result<Vec<u8>, String> {
        let path = self.path(sweep, rank);
        fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    }
}

fn write(path: &Path, contents: &[u8]) -> Result<(), String> {
    output::write(path, contents).map_err(|error| match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    })
}
