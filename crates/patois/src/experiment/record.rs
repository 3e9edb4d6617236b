//! What is written down beside each run: its configuration, how long it took, where, what made it, and
//! what was measured. A record is all that a table needs of a run, so that runs themselves, which are
//! large, can be deleted.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use patois_codebase::checksum;
use patois_codebase::number::counted;
use patois_codebase::output;
use serde::{Deserialize, Serialize};

use super::figures::Figures;
use super::grid::GridError;
use crate::corpus::Split;
use crate::run::config::RunConfig;

/// How a run came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// How long it took, in seconds, all attempts together.
    pub seconds: f64,
    /// How many runs shared the machine.
    pub at_once: usize,
    /// What made it, and where.
    #[serde(flatten)]
    pub setting: Setting,
    /// The configuration.
    pub config: RunConfig,
    /// The examples that it was measured on.
    #[serde(default = "super::dev")]
    pub split: Split,
    /// What training took; none in records from before it was written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// What was measured; none where the run is not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
}

/// What training took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// How many steps were taken.
    pub n_steps: usize,
    /// How long processors worked for them, in seconds, all attempts together.
    pub cpu_seconds: f64,
}

/// Why a record is none.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read, or is not what was written.
    #[error("`{}` is damaged: {message}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        message: String,
    },
    /// It is whole, but speaks of what this version does not know.
    #[error("`{}` is the record of another version: {message}", .path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// What is not known, and where.
        message: String,
    },
}

/// A program, and a machine that it runs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The version of the program.
    pub patois: String,
    /// The commit of the repository that the experiment's file is in, where it is in one; `-dirty`
    /// where something besides the results was changed since.
    pub commit: Option<String>,
    /// The processor, where the system tells.
    pub processor: Option<String>,
    /// How many threads all runs shared.
    pub threads: usize,
}

impl Setting {
    /// The program and machine at hand; `experiment` is the experiment's file, `out` the folder of its
    /// results.
    pub fn here(experiment: &Path, out: &Path) -> Setting {
        Setting {
            patois: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit(experiment, out),
            processor: processor(),
            threads: rayon::current_num_threads(),
        }
    }

    /// In a few words.
    pub(super) fn text(&self) -> String {
        let commit = self.commit.as_ref().map(|it| format!(" ({it})"));
        let processor = self.processor.as_deref().unwrap_or("unknown processor");
        format!(
            "patois {}{}, {processor}, {}",
            self.patois,
            commit.unwrap_or_default(),
            counted(self.threads, "thread")
        )
    }
}

impl RunRecord {
    /// The record of the run in a folder; none where nobody has written one.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is not what was written: the run would be taken again, and what was
    /// known of it overwritten.
    pub(crate) fn of(run: &Path) -> Result<Option<RunRecord>, RecordError> {
        let path = path(run);
        let damaged = |message| RecordError::Damaged {
            path: path.clone(),
            message,
        };
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| damaged(error.to_string()))?,
        };
        checksum::check(&text).map_err(|error| damaged(error.to_string()))?;
        match serde_json::from_str(&text) {
            Ok(record) => Ok(Some(record)),
            Err(error) if error.is_data() => Err(RecordError::OtherVersion {
                message: error.to_string(),
                path,
            }),
            Err(error) => Err(damaged(error.to_string())),
        }
    }

    /// The same; none where it is of another version, too.
    pub(super) fn of_this_version(run: &Path) -> Result<Option<RunRecord>, RecordError> {
        match RunRecord::of(run) {
            Err(RecordError::OtherVersion { .. }) => Ok(None),
            record => record,
        }
    }

    /// The records of the finished runs of the experiment in a folder, by cell and seed; those of other
    /// versions are left out.
    ///
    /// # Errors
    ///
    /// When there is no such folder, or it or one of them cannot be read.
    pub(crate) fn all(experiment: &Path) -> io::Result<Vec<RunRecord>> {
        let mut records = Vec::new();
        for cell in files(experiment)?.iter().filter(|it| it.is_dir()) {
            let runs = files(cell)?;
            let own = runs
                .iter()
                .filter(|it| it.extension() == Some("json".as_ref()));
            for record in own.map(|it| RunRecord::of_this_version(it)) {
                records.extend(record.map_err(io::Error::other)?);
            }
        }
        records.retain(|it| it.figures.is_some());
        Ok(records)
    }

    /// Writes the record of the run in a folder; what earlier attempts took is added.
    ///
    /// # Errors
    ///
    /// When the system refuses, or there is a record that cannot be read.
    ///
    /// # Panics
    ///
    /// Never: texts and finite numbers are always JSON.
    pub(crate) fn write(mut self, run: &Path) -> Result<(), GridError> {
        if let Some(earlier) = RunRecord::of(run)? {
            self.seconds += earlier.seconds;
            if let (Some(effort), Some(earlier)) = (&mut self.effort, earlier.effort) {
                effort.n_steps = effort.n_steps.max(earlier.n_steps);
                effort.cpu_seconds += earlier.cpu_seconds;
            }
        }
        let json = serde_json::to_string_pretty(&self).expect("texts and numbers are JSON");
        Ok(output::write(&path(run), checksum::sealed(&json))?)
    }
}

/// What is in a folder, in order.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.map(|it| Ok(it?.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn path(run: &Path) -> PathBuf {
    run.with_extension("json")
}

fn commit(experiment: &Path, out: &Path) -> Option<String> {
    let folder = experiment.parent().filter(|it| !it.as_os_str().is_empty());
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C").arg(folder.unwrap_or(Path::new(".")));
        let output = git.args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let commit = git(&["describe", "--always"])?;
    let root = Path::new(&git(&["rev-parse", "--show-toplevel"])?).canonicalize();
    let (root, out) = (root.ok()?, out.canonicalize().ok()?);
    let changed = git(&["diff", "--name-only", "-z", "HEAD"])?;
    let mut changed = changed.split_terminator('\0').map(|it| root.join(it));
    let dirty = if changed.any(|it| !it.starts_with(&out)) {
        "-dirty"
    } else {
        ""
    };
    Some(commit + dirty)
}

fn processor() -> Option<String> {
    let facts = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = facts.lines().find(|it| it.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// It used to be taken for none, so that the run was made again.
    #[test]
    fn a_damaged_record_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("cell/seed-1");
        fs::create_dir(folder.path().join("cell")).unwrap();
        assert!(RunRecord::of(&run).unwrap().is_none());
        let record = RunRecord {
            seconds: 1.5,
            at_once: 1,
            setting: Setting {
                patois: "0.1.0".to_owned(),
                commit: None,
                processor: None,
                threads: 1,
            },
            config: RunConfig::default(),
            split: Split::Dev,
            effort: None,
            figures: None,
        };
        record.clone().write(&run).unwrap();
        assert_eq!(RunRecord::of(&run).unwrap(), Some(record));
        let whole = fs::read_to_string(path(&run)).unwrap();
        for damaged in [&whole[..whole.len() / 2], &whole.replace("1.5", "2.5"), ""] {
            fs::write(path(&run), damaged).unwrap();
            let error = RunRecord::of(&run).unwrap_err().to_string();
            assert!(error.contains("seed-1.json` is damaged"), "{error}");
            assert!(RunRecord::all(folder.path()).is_err());
        }
    }

    #[test]
    fn results_do_not_make_a_commit_dirty() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let git = |arguments: &str| {
            let mut git = Command::new("git");
            git.current_dir(folder.path()).args(["-c", "user.name=a"]);
            git.args(["-c", "user.email=a@b.c"]);
            let output = git.args(arguments.split(' ')).output().unwrap();
            assert!(output.status.success(), "{output:?}");
        };
        fs::create_dir(path("out")).unwrap();
        fs::write(path("e.toml"), "a").unwrap();
        fs::write(path("out/table.md"), "a").unwrap();
        let commit = || commit(&path("e.toml"), &path("out"));
        assert_eq!(commit(), None);
        git("init -q");
        git("add .");
        git("commit -q -m first");
        let clean = commit().unwrap();
        assert!(clean.len() >= 7 && clean.chars().all(|it| it.is_ascii_hexdigit()));
        fs::write(path("out/table.md"), "b").unwrap();
        assert_eq!(commit().unwrap(), clean);
        fs::write(path("e.toml"), "b").unwrap();
        assert_eq!(commit().unwrap(), format!("{clean}-dirty"));
    }
}
