//! Files are written whole or not at all.
//!
//! Contents go to a temporary file beside the target, reach the disk, and only then take the
//! target's name. Whoever reads the target sees the old contents or the new ones; a crash, a full
//! disk or Ctrl-C leaves the old ones. A process that was killed leaves its temporary file, too: the
//! next one that writes to the folder removes it.
//!
//! A [`Lock`] keeps two processes from writing files that belong together.

mod lock;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use lock::{Holder, Lock, LockError};
use tempfile::{Builder, NamedTempFile};

/// Writes `contents` to the file at `path`, replacing what was there.
///
/// A symbolic link is followed. What is no regular file (`/dev/stdout`, a pipe) is written to
/// directly.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("queries.sql");
/// patois_codebase::output::write(&path, "SELECT 1\n")?;
/// assert_eq!(std::fs::read_to_string(&path)?, "SELECT 1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When `path` is a directory or write-protected, its folder does not exist, or the system
/// refuses; the file at `path` is then what it was.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), OutputError> {
    let target = Target::of(path)?;
    match target {
        Target::Special(path) => write_in_place(&path, contents.as_ref()),
        Target::Regular(path) => replace(&path, contents.as_ref()),
    }
}

/// Makes sure, as far as can be told without writing, that the file at `path` can be written.
///
/// # Errors
///
/// When `path` is a directory or write-protected, or its folder does not exist.
pub fn check(path: &Path) -> Result<(), OutputError> {
    match Target::of(path)? {
        Target::Special(_) => Ok(()),
        Target::Regular(path) => check_folder(&path),
    }
}

/// Whether a name is that of a file that only a process at work has: a lock, or contents that are not
/// complete.
pub fn is_passing(name: &OsStr) -> bool {
    lock::is_lock(name) || is_temporary(name)
}

/// Removes the temporary files and locks of this process.
///
/// For a handler of Ctrl-C that ends the process, so that nothing is left beside the targets.
pub fn remove_unfinished() {
    for path in std::mem::take(&mut *unfinished()) {
        // The process is ending; nobody is left to be told.
        let _ = fs::remove_file(path);
    }
}

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The target is a directory.
    #[error("`{}` is a directory, expected the name of a file", .0.display())]
    IsDirectory(PathBuf),
    /// The folder that should hold the target is missing.
    #[error("cannot write `{}`: the folder `{}` does not exist", .path.display(), .folder.display())]
    NoFolder {
        /// The target.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The target may not be written to.
    #[error("cannot write `{}`: the file is write-protected", .0.display())]
    Protected(PathBuf),
    /// The system refused.
    #[error("cannot write `{}`", .path.display())]
    Io {
        /// The target.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Where contents end up once links are followed.
enum Target {
    Regular(PathBuf),
    Special(PathBuf),
}

impl Target {
    fn of(path: &Path) -> Result<Target, OutputError> {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Target::Regular(link_target(path)));
            }
            Err(error) => return Err(io_error(path, error)),
        };
        if metadata.is_dir() {
            return Err(OutputError::IsDirectory(path.to_owned()));
        }
        if !metadata.is_file() {
            return Ok(Target::Special(path.to_owned()));
        }
        if metadata.permissions().readonly() {
            return Err(OutputError::Protected(path.to_owned()));
        }
        let path = fs::canonicalize(path).map_err(|error| io_error(path, error))?;
        Ok(Target::Regular(path))
    }
}

/// Where a link to a file that does not exist yet points; `path` itself if it is no link.
fn link_target(path: &Path) -> PathBuf {
    match fs::read_link(path) {
        Ok(target) => folder_of(path).join(target),
        Err(_) => path.to_owned(),
    }
}

fn write_in_place(path: &Path, contents: &[u8]) -> Result<(), OutputError> {
    OpenOptions::new()
        .write(true)
        .open(path)
        .and_then(|mut file| file.write_all(contents))
        .map_err(|error| io_error(path, error))
}

fn replace(path: &Path, contents: &[u8]) -> Result<(), OutputError> {
    check_folder(path)?;
    let folder = folder_of(path);
    remove_abandoned(folder);
    let mut file = Unfinished::beside(path).map_err(|error| io_error(path, error))?;
    file.temporary
        .write_all(contents)
        .and_then(|()| file.temporary.as_file().sync_all())
        .and_then(|()| file.take_name_of(path))
        .map_err(|error| io_error(path, error))?;
    sync_folder(folder);
    Ok(())
}

fn check_folder(path: &Path) -> Result<(), OutputError> {
    let folder = folder_of(path);
    if folder.is_dir() {
        return Ok(());
    }
    Err(OutputError::NoFolder {
        path: path.to_owned(),
        folder: folder.to_owned(),
    })
}

/// A temporary file that [`remove_unfinished`] knows of.
struct Unfinished {
    temporary: NamedTempFile,
    _listed: Listed,
}

const PREFIX: &str = ".patois-";
const SUFFIX: &str = ".tmp";

fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

impl Unfinished {
    fn beside(path: &Path) -> io::Result<Unfinished> {
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        // What the user's file mask makes of `rw-rw-rw-`, as for any new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        loop {
            // Taken first, so that the handler of Ctrl-C never misses a file that exists.
            let mut list = unfinished();
            let temporary = builder.tempfile_in(folder_of(path))?;
            list.insert(temporary.path().to_owned());
            drop(list);
            let listed = Listed(temporary.path().to_owned());
            if !claim(&temporary) {
                continue;
            }
            if let Ok(replaced) = fs::metadata(path) {
                temporary
                    .as_file()
                    .set_permissions(replaced.permissions())?;
            }
            return Ok(Unfinished {
                temporary,
                _listed: listed,
            });
        }
    }

    fn take_name_of(self, path: &Path) -> io::Result<()> {
        self.temporary.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Locks a new temporary file, so that nobody takes it for one that was abandoned; false where somebody
/// just has.
fn claim(temporary: &NamedTempFile) -> bool {
    // Elsewhere a lock would keep others from reading the target.
    if cfg!(not(unix)) {
        return true;
    }
    match temporary.as_file().try_lock() {
        Err(TryLockError::WouldBlock) => false,
        Ok(()) | Err(TryLockError::Error(_)) => is_at(temporary.as_file(), temporary.path()),
    }
}

/// Removes the temporary files in a folder whose processes are gone: nobody locks them. A folder is
/// looked at once, since this process leaves none.
fn remove_abandoned(folder: &Path) {
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if cfg!(not(unix)) || !seen.insert(folder.to_owned()) {
        return;
    }
    drop(seen);
    // What cannot be read, locked or removed stays: it is in nobody's way.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|it| is_temporary(&it.file_name())) {
        if entry.file_type().is_ok_and(|it| it.is_file())
            && let Ok(file) = OpenOptions::new().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether the file at `path` is the one that is open; true where files cannot be told apart.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |it: fs::Metadata| (it.dev(), it.ino());
        let there = fs::symlink_metadata(path).map(place);
        let open = file.metadata().map(place);
        matches!((open, there), (Ok(open), Ok(there)) if open == there)
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

/// Strikes a path from the list when it goes, whichever way the write ended.
#[derive(Debug)]
struct Listed(PathBuf);

impl Listed {
    fn new(path: &Path) -> Listed {
        unfinished().insert(path.to_owned());
        Listed(path.to_owned())
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the new name itself survive a power cut; not every system can, and the contents are safe.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => Path::new("/"),
    }
}

fn io_error(path: &Path, source: io::Error) -> OutputError {
    OutputError::Io {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn replaces_a_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, "old").unwrap();
        write(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names_in(folder.path()), ["a.txt"]);
        assert!(!unfinished().iter().any(|it| it.starts_with(&folder)));
    }

    /// They used to stay for ever, and to keep `--force` from taking the folder.
    #[cfg(unix)]
    #[test]
    fn what_killed_processes_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in [
            ".patois-dead1.tmp",
            ".patois-x.txt",
            "patois-1.tmp",
            ".patois-live.tmp",
        ] {
            fs::write(path(name), "half").unwrap();
        }
        fs::create_dir(path(".patois-folder.tmp")).unwrap();
        let live = File::open(path(".patois-live.tmp")).unwrap();
        live.try_lock().unwrap();
        write(&path("a.txt"), "new").unwrap();
        let left = [
            ".patois-folder.tmp",
            ".patois-live.tmp",
            ".patois-x.txt",
            "a.txt",
            "patois-1.tmp",
        ];
        assert_eq!(names_in(folder.path()), left);
    }

    #[test]
    fn files_of_processes_at_work_are_known_by_name() {
        let is_passing = |name: &str| is_passing(name.as_ref());
        for name in [".lock", ".idioms.json.lock", ".patois-Ab12Cd.tmp"] {
            assert!(is_passing(name), "{name}");
        }
        for name in ["lock", "Cargo.lock", ".patois-notes", "config.toml"] {
            assert!(!is_passing(name), "{name}");
        }
    }

    #[test]
    fn a_directory_and_a_missing_folder_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(folder.path(), "x").unwrap_err();
        assert!(matches!(error, OutputError::IsDirectory(_)), "{error}");
        let error = write(&folder.path().join("no/such/file"), "x").unwrap_err();
        assert!(matches!(error, OutputError::NoFolder { .. }), "{error}");
        assert!(names_in(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        write(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o640
        );
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_protected_file_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gold.sql");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let error = write(&path, "new").unwrap_err();
        assert!(matches!(error, OutputError::Protected(_)), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_directly() {
        write(Path::new("/dev/null"), "gone").unwrap();
    }
}
