//! `training.jsonl`: what each step and measurement found.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::folder::{RunDir, RunDirError, RunFile};

/// The log of a run, which grows line by line.
#[derive(Debug)]
pub(crate) struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Opens the log of a run that goes on after `step` steps: what it says of later ones, and a
    /// line that was cut off, is forgotten.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or written.
    pub(crate) fn after(run: &RunDir, step: usize) -> Result<Log, RunDirError> {
        #[derive(Deserialize)]
        struct Line {
            step: usize,
        }
        let path = run.file(RunFile::Log);
        let bytes = run.read(RunFile::Log)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let is_kept = |line: &&str| {
            line.ends_with('\n')
                && serde_json::from_str::<Line>(line).is_ok_and(|line| line.step <= step)
        };
        let kept: String = text.split_inclusive('\n').filter(is_kept).collect();
        run.write(RunFile::Log, kept)?;
        let file = OpenOptions::new().append(true).open(&path);
        match file {
            Ok(file) => Ok(Log { file, path }),
            Err(source) => Err(RunDirError::Io { path, source }),
        }
    }

    /// Makes sure that what was added survives a power cut: a checkpoint that speaks of it is about to
    /// be written.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub(crate) fn sync(&self) -> Result<(), RunDirError> {
        self.file.sync_data().map_err(|source| self.error(source))
    }

    /// Adds a line.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub(crate) fn add(&mut self, line: &impl Serialize) -> Result<(), RunDirError> {
        let written = serde_json::to_string(line)
            .map_err(io::Error::from)
            .and_then(|json| self.file.write_all((json + "\n").as_bytes()));
        written.map_err(|source| self.error(source))
    }

    fn error(&self, source: io::Error) -> RunDirError {
        RunDirError::Io {
            path: self.path.clone(),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::run::config::RunConfig;
    use crate::run::folder::Existing;

    #[test]
    fn a_log_forgets_what_comes_after_the_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(folder.path(), &RunConfig::default(), Existing::Refuse).unwrap();
        let mut log = Log::after(&run, 0).unwrap();
        for step in 1..=3 {
            log.add(&json!({ "step": step, "loss": 0.5 })).unwrap();
        }
        OpenOptions::new()
            .append(true)
            .open(run.file(RunFile::Log))
            .and_then(|mut file| file.write_all(b"{\"step\": 2, \"lo"))
            .unwrap();
        let mut log = Log::after(&run, 2).unwrap();
        log.add(&json!({ "step": 3, "loss": 0.25 })).unwrap();
        let text = fs::read_to_string(run.file(RunFile::Log)).unwrap();
        assert_eq!(
            text,
            "{\"step\":1,\"loss\":0.5}\n{\"step\":2,\"loss\":0.5}\n{\"step\":3,\"loss\":0.25}\n"
        );
    }
}
