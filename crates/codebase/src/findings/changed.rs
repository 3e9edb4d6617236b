//! The lines that a change touches, as `git` tells them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The lines of a working tree that are not as they were at a revision.
///
/// Where lines were only taken out, the ones around the gap count as touched: what is missing there is
/// what the change did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedLines {
    /// The folder that holds the working tree.
    root: PathBuf,
    /// Ranges of lines for each file, by its path below the root; new files have one of all lines.
    files: BTreeMap<PathBuf, Vec<RangeInclusive<usize>>>,
}

/// Why nobody knows what has changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangedError {
    /// There is no program called `git`.
    #[error("cannot run `git`, which tells what has changed")]
    NoGit(#[source] io::Error),
    /// The folder is in no working tree.
    #[error("`{}` is in no git repository: {message}", .folder.display())]
    NoRepository {
        /// The folder.
        folder: PathBuf,
        /// What git said.
        message: String,
    },
    /// There is no such revision.
    #[error("`{revision}` is no revision of the git repository `{}`", .root.display())]
    NoRevision {
        /// What was asked for.
        revision: String,
        /// The repository.
        root: PathBuf,
    },
    /// Git failed in another way.
    #[error("git failed in `{}`: {message}", .root.display())]
    Failed {
        /// The repository.
        root: PathBuf,
        /// What git said.
        message: String,
    },
}

/// What git knows of a tree without files.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

impl ChangedLines {
    /// What differs from `revision` in the working tree that holds `path`: staged, unstaged and untracked.
    ///
    /// Of a branch, the place where the current one left it counts, so that what others have done since does
    /// not. Without a revision, it is the last commit; where there is none yet, all files are new.
    ///
    /// # Errors
    ///
    /// When `path` is in no repository, there is no such revision, or there is no git.
    pub fn since(path: &Path, revision: Option<&str>) -> Result<ChangedLines, ChangedError> {
        let folder = if path.is_dir() {
            path
        } else {
            path.parent()
                .filter(|it| !it.as_os_str().is_empty())
                .unwrap_or(Path::new("."))
        };
        let root =
            git(folder, ["rev-parse", "--show-toplevel"]).map_err(|failed| match failed {
                ChangedError::Failed { root, message } => ChangedError::NoRepository {
                    folder: root,
                    message,
                },
                other => other,
            })?;
        let root = PathBuf::from(root.trim_end_matches(['\n', '\r']));
        let root = root.canonicalize().unwrap_or(root);
        let since = start(&root, revision)?;
        let diff = [
            "diff",
            "--unified=0",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            &since,
            "--",
        ];
        let mut files = hunks(&git(&root, diff)?);
        let others = ["ls-files", "--others", "--exclude-standard", "-z"];
        for path in git(&root, others)?.split('\0').filter(|it| !it.is_empty()) {
            files.insert(PathBuf::from(path), vec![1..=usize::MAX]);
        }
        Ok(ChangedLines { root, files })
    }

    /// Whether a change touches one of these lines of a file, which is told from the current folder.
    pub fn touches(&self, file: &Path, lines: &RangeInclusive<usize>) -> bool {
        let ranges = self.lines_of(file).unwrap_or_default().iter();
        let mut ranges = ranges.filter(|it| it.start() <= lines.end() && lines.start() <= it.end());
        ranges.next().is_some()
    }

    /// Whether a change touches a file, which is told from the current folder.
    pub fn touches_file(&self, file: &Path) -> bool {
        self.lines_of(file).is_some()
    }

    /// The files that a change touches and that are still there.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let paths = self.files.keys().map(|it| self.root.join(it));
        paths.filter(|it| it.is_file())
    }

    fn lines_of(&self, file: &Path) -> Option<&[RangeInclusive<usize>]> {
        let file = file.canonicalize().ok()?;
        let below = file.strip_prefix(&self.root).ok()?;
        self.files.get(below).map(Vec::as_slice)
    }
}

/// The tree or commit that the working tree is compared with.
fn start(root: &Path, revision: Option<&str>) -> Result<String, ChangedError> {
    let commit = |name: &str| {
        let name = format!("{name}^{{commit}}");
        let found = git(
            root,
            [
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                &name,
            ],
        );
        found.map(|it| it.trim().to_owned())
    };
    let head = commit("HEAD");
    let Some(revision) = revision else {
        return Ok(head.unwrap_or_else(|_| EMPTY_TREE.to_owned()));
    };
    let wanted = match commit(revision) {
        Ok(wanted) => wanted,
        Err(ChangedError::Failed { root, .. }) => {
            return Err(ChangedError::NoRevision {
                revision: revision.to_owned(),
                root,
            });
        }
        Err(error) => return Err(error),
    };
    let base = head.and_then(|head| git(root, ["merge-base", &wanted, &head]));
    Ok(base.map_or(wanted, |it| it.trim().to_owned()))
}

/// What git prints.
fn git<I: AsRef<OsStr>>(
    folder: &Path,
    arguments: impl IntoIterator<Item = I>,
) -> Result<String, ChangedError> {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        // A program of the repository's choice is not to be run, and paths are to be readable.
        .args(["-c", "core.fsmonitor=false", "-c", "core.quotePath=false"])
        .args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("LC_ALL", "C");
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().map_err(ChangedError::NoGit)?;
    if status.success() {
        return Ok(String::from_utf8_lossy(&stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&stderr);
    let message = message.lines().next().unwrap_or("it did not say why");
    Err(ChangedError::Failed {
        root: folder.to_owned(),
        message: message.to_owned(),
    })
}

/// The lines that each file of a diff without context has got.
fn hunks(diff: &str) -> BTreeMap<PathBuf, Vec<RangeInclusive<usize>>> {
    let mut files: BTreeMap<PathBuf, Vec<RangeInclusive<usize>>> = BTreeMap::new();
    let mut file: Option<PathBuf> = None;
    // A changed line may itself look like a header: it is none while lines of its hunk are left.
    let mut n_left = 0;
    for line in diff.split('\n') {
        if n_left > 0 {
            n_left -= usize::from(line.starts_with(['+', '-']));
        } else if let Some(name) = line.strip_prefix("+++ ") {
            let name = unquoted(name.trim_end_matches('\t'));
            file = name.strip_prefix("b/").map(PathBuf::from);
        } else if let Some((old, new)) = ranges_of(line) {
            n_left = old.1 + new.1;
            let range = match new {
                (at, 0) => at..=at + 1,
                (at, n) => at..=at + n - 1,
            };
            let ranges = file.clone().map(|it| files.entry(it).or_default());
            ranges.into_iter().for_each(|it| it.push(range.clone()));
        }
    }
    files
}

/// Where a hunk begins and how many lines it has, before and after: `@@ -3 +4,2 @@`.
fn ranges_of(line: &str) -> Option<((usize, usize), (usize, usize))> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let range = |text: &str| {
        let (at, n) = text.split_once(',').unwrap_or((text, "1"));
        Some((at.parse().ok()?, n.parse().ok()?))
    };
    Some((range(old)?, range(new)?))
}

/// A path as it is, where git has put it in quotes.
fn unquoted(name: &str) -> String {
    let inside = name.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let Some(inside) = inside else {
        return name.to_owned();
    };
    let mut bytes = Vec::new();
    let mut rest = inside.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'r') => bytes.push(b'\r'),
            Some(b'a') => bytes.push(7),
            Some(b'b') => bytes.push(8),
            Some(b'v') => bytes.push(11),
            Some(b'f') => bytes.push(12),
            Some(digit @ b'0'..=b'3') => {
                let more = [rest.next(), rest.next()];
                let digits = more.iter().flatten().map(|it| it.wrapping_sub(b'0') & 7);
                bytes.push(digits.fold(digit - b'0', |sum, it| (sum << 3) | it));
            }
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A repository, and how to run git in it.
    fn repository() -> (tempfile::TempDir, impl Fn(&[&str])) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        let run = move |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(&root).args(arguments);
            for name in ["AUTHOR", "COMMITTER"] {
                command.env(format!("GIT_{name}_NAME"), "somebody");
                command.env(format!("GIT_{name}_EMAIL"), "somebody@example.org");
            }
            let done = command.output().unwrap();
            assert!(done.status.success(), "{arguments:?}: {done:?}");
        };
        run(&["init", "--quiet", "--initial-branch=main"]);
        (folder, run)
    }

    #[test]
    fn lines_of_a_history() {
        let (folder, run) = repository();
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| fs::write(path(name), text).unwrap();
        let changed =
            |revision: Option<&str>| ChangedLines::since(folder.path(), revision).unwrap();
        let touched = |revision: Option<&str>, name: &str, n_lines: usize| {
            let changed = changed(revision);
            let lines = (1..=n_lines).filter(|&it| changed.touches(&path(name), &(it..=it)));
            lines.collect::<Vec<_>>()
        };
        // Nothing has been committed yet.
        write("a.py", "1\n2\n3\n4\n5\n");
        run(&["add", "."]);
        assert_eq!(touched(None, "a.py", 5), [1, 2, 3, 4, 5]);
        run(&["commit", "--quiet", "-m", "first"]);
        assert_eq!(touched(None, "a.py", 5), [0_usize; 0]);
        assert!(!changed(None).touches_file(&path("a.py")));
        // A line that looks like a header, one that is new, one that is gone.
        write("a.py", "1\n++ b/x\n3\n5\n");
        write("n e w\t\"é\".py", "1\n2\n");
        assert_eq!(touched(None, "a.py", 4), [2, 3, 4]);
        assert_eq!(touched(None, "n e w\t\"é\".py", 2), [1, 2]);
        run(&["add", "."]);
        assert_eq!(touched(None, "n e w\t\"é\".py", 2), [1, 2]);
        assert_eq!(changed(None).files().count(), 2);
        run(&["commit", "--quiet", "-m", "second"]);
        assert_eq!(touched(None, "a.py", 4), [0_usize; 0]);
        assert_eq!(touched(Some("HEAD~1"), "a.py", 4), [2, 3, 4]);
        // What others did on main since we left is not our change.
        run(&["checkout", "--quiet", "-b", "ours", "HEAD~1"]);
        write("a.py", "1\n2\n3\n4\n5\n6\n");
        assert_eq!(touched(Some("main"), "a.py", 6), [6]);
    }

    #[test]
    fn who_cannot_tell_says_why() {
        let (folder, _) = repository();
        let since = |path: &Path, revision| ChangedLines::since(path, revision).unwrap_err();
        for revision in ["nope", "--output=x", ""] {
            let error = since(folder.path(), Some(revision));
            assert!(matches!(error, ChangedError::NoRevision { .. }), "{error}");
        }
        let elsewhere = tempfile::tempdir().unwrap();
        let error = since(elsewhere.path(), None);
        assert!(
            matches!(error, ChangedError::NoRepository { .. }),
            "{error}"
        );
    }

    #[test]
    fn quoted_names_are_read() {
        assert_eq!(unquoted(r#""b/a\t\"\303\251\\.py""#), "b/a\t\"é\\.py");
        assert_eq!(unquoted("b/plain.py"), "b/plain.py");
    }
}
