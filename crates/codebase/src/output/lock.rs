//! Locks: one process at a time writes files that belong together.
//!
//! A lock is the system's own, on a file made for it. It ends with the process that holds it, however that
//! ends: there is no lock of a dead process, and nothing to guess. The file says who holds it, for people.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{Listed, Target, folder_of, is_at};
use crate::number::duration;

/// The name of the file that the lock of a folder is on.
const NAME: &str = ".lock";

/// Whether a file is one that locks are on.
pub(super) fn is_lock(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with('.') && name.ends_with(NAME)
}

/// What no other process writes to as long as this lives.
///
/// ```
/// use patois_codebase::output::Lock;
///
/// let folder = tempfile::tempdir()?;
/// let lock = Lock::of_folder(folder.path())?;
/// let error = Lock::of_folder(folder.path()).unwrap_err();
/// assert!(error.to_string().contains("is in use by process"));
/// drop(lock);
/// assert!(Lock::of_folder(folder.path()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
    _listed: Listed,
}

/// Who holds a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The process.
    pub pid: u32,
    /// The machine that it runs on, where that is known.
    pub host: Option<String>,
    /// Since when, in seconds since 1970.
    pub since: u64,
}

/// Why something is not locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it.
    #[error("`{}` is in use by {}", .path.display(), .holder.as_ref().map_or("another process".to_owned(), Holder::text))]
    Held {
        /// The folder or file.
        path: PathBuf,
        /// Who it is, where it has said so.
        holder: Option<Holder>,
    },
    /// The system refused.
    #[error("cannot lock `{}`: {source}", .path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Lock {
    /// Locks a folder, which must be there.
    ///
    /// # Errors
    ///
    /// When another process has it, or the system refuses.
    pub fn of_folder(folder: &Path) -> Result<Lock, LockError> {
        Lock::take(folder, &folder.join(NAME))
    }

    /// Locks a file, and those that are written beside it and named after it; it need not be there. There
    /// is no lock for what is no regular file, such as `/dev/stdout`.
    ///
    /// # Errors
    ///
    /// When another process has it, or the system refuses.
    pub fn of_file(file: &Path) -> Result<Option<Lock>, LockError> {
        if fs::metadata(file).is_ok_and(|it| !it.is_file()) {
            return Ok(None);
        }
        // A link is followed, as it is when the file is written.
        let written = match Target::of(file) {
            Ok(Target::Regular(path)) => path,
            Ok(Target::Special(_)) | Err(_) => file.to_owned(),
        };
        let name = written.file_name().unwrap_or_default().to_string_lossy();
        let lock = folder_of(&written).join(format!(".{name}{NAME}"));
        Lock::take(file, &lock).map(Some)
    }

    fn take(target: &Path, path: &Path) -> Result<Lock, LockError> {
        match Lock::attempt(path) {
            Ok(Some(lock)) => Ok(lock),
            Ok(None) => Err(LockError::Held {
                path: target.to_owned(),
                holder: Holder::of(path),
            }),
            Err(source) => Err(LockError::Io {
                path: target.to_owned(),
                source,
            }),
        }
    }

    /// Locks the file at `path`; none where another process has done so.
    fn attempt(path: &Path) -> io::Result<Option<Lock>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        loop {
            // A link would lead to a file of somebody else's, and a pipe keep us waiting.
            if fs::symlink_metadata(path).is_ok_and(|it| !it.is_file()) {
                let message = format!("`{}` is no regular file", path.display());
                return Err(io::Error::other(message));
            }
            let file = options.open(path)?;
            // Some file systems of networks have no locks: nobody can be kept from writing there.
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                return Ok(None);
            }
            // Whoever held it may have removed the file since it was opened.
            if is_at(&file, path) {
                let mut lock = Lock {
                    file,
                    path: path.to_owned(),
                    _listed: Listed::new(path),
                };
                lock.sign();
                return Ok(Some(lock));
            }
        }
    }

    /// Says who holds it; a lock that cannot say so is one nevertheless.
    fn sign(&mut self) {
        if let Ok(json) = serde_json::to_string(&Holder::here()) {
            let _ = self.file.set_len(0);
            let _ = self.file.write_all(json.as_bytes());
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The file goes while it is locked, so that nobody else's is taken away. Where files cannot be
        // told apart, it stays.
        if cfg!(unix) && is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        } else {
            let _ = self.file.set_len(0);
        }
    }
}

impl Holder {
    /// This process, now.
    fn here() -> Holder {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Holder {
            pid: std::process::id(),
            host: host(),
            since: now.map_or(0, |it| it.as_secs()),
        }
    }

    /// Who has signed a file. They may have locked it a moment ago, and be about to.
    fn of(path: &Path) -> Option<Holder> {
        (0..20).find_map(|attempt| {
            if attempt > 0 {
                std::thread::sleep(Duration::from_millis(5));
            }
            let mut text = String::new();
            let read = File::open(path).and_then(|file| file.take(4096).read_to_string(&mut text));
            read.ok().and_then(|_| serde_json::from_str(&text).ok())
        })
    }

    fn text(&self) -> String {
        let visible = |it: &String| it.replace(char::is_control, "");
        let host = self
            .host
            .as_ref()
            .map(|it| format!(" on `{}`", visible(it)));
        let seconds = Holder::here().since.saturating_sub(self.since);
        format!(
            "process {}{}, for {}",
            self.pid,
            host.unwrap_or_default(),
            duration(seconds as f64)
        )
    }
}

/// What this machine is called, where it says so.
fn host() -> Option<String> {
    let told = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let told = told.or_else(|| std::env::var("COMPUTERNAME").ok());
    let told = told.or_else(|| std::env::var("HOSTNAME").ok())?;
    let name = told.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_holds_a_lock_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::of_folder(folder.path()).unwrap();
        let Err(LockError::Held { path, holder }) = Lock::of_folder(folder.path()) else {
            panic!("locked twice");
        };
        assert_eq!(path, folder.path());
        assert_eq!(holder.unwrap().pid, std::process::id());
        // A file of the folder is something else.
        let file = folder.path().join("idioms.json");
        let other = Lock::of_file(&file).unwrap().unwrap();
        let error = Lock::of_file(&file).unwrap_err().to_string();
        assert!(
            error.contains("idioms.json` is in use by process"),
            "{error}"
        );
        assert!(Lock::of_file(folder.path()).unwrap().is_none());
        drop((lock, other));
        Lock::of_folder(folder.path()).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_link_to_a_file_is_that_file() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("it.json"), folder.path().join("link"));
        std::os::unix::fs::symlink("it.json", &link).unwrap();
        for _ in 0..2 {
            let lock = Lock::of_file(&file).unwrap();
            let error = Lock::of_file(&link).unwrap_err().to_string();
            assert!(error.contains("link` is in use by process"), "{error}");
            drop(lock);
            // The same where the file is there already.
            fs::write(&file, "{}").unwrap();
        }
    }

    #[test]
    fn a_file_that_nobody_holds_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        // As a process that was killed leaves it.
        fs::write(&path, r#"{"pid":1,"host":"here","since":0}"#).unwrap();
        drop(Lock::of_folder(folder.path()).unwrap());
        assert!(!cfg!(unix) || !path.exists());
    }

    #[test]
    fn a_lock_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = Lock::of_folder(&folder.path().join("none")).unwrap_err();
        assert!(error.to_string().starts_with("cannot lock"), "{error}");
    }

    /// The file that a link leads to would be overwritten.
    #[cfg(unix)]
    #[test]
    fn a_link_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        fs::write(&other, "precious").unwrap();
        std::os::unix::fs::symlink(&other, folder.path().join(NAME)).unwrap();
        let error = Lock::of_folder(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with(".lock` is no regular file"), "{error}");
        assert_eq!(fs::read_to_string(&other).unwrap(), "precious");
    }

    /// One at a time, whoever removes the file in between.
    #[test]
    fn of_many_threads_one_holds_it() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let (inside, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            for _ in 0..300 {
                if let Some(lock) = Lock::attempt(&path).unwrap() {
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    taken.fetch_add(1, Ordering::SeqCst);
                    inside.fetch_sub(1, Ordering::SeqCst);
                    drop(lock);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(work);
            }
        });
        assert!(taken.into_inner() > 0);
    }
}
