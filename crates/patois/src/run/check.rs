//! Whether the files in the folder of a run are whole, and all of one configuration.

use patois_codebase::idiom_file::IdiomFile;
use patois_syntax::Fingerprint;
use patois_synthesis::training::read_run;
use serde::Deserialize;

use super::error::StageError;
use super::folder::{RunDir, RunFile};
use crate::report::Report;

impl RunDir {
    /// Refuses files that are damaged, or that another configuration made than the one in the folder.
    ///
    /// # Errors
    ///
    /// When there is such a file.
    pub fn check(&self) -> Result<(), StageError> {
        for file in RunFile::ALL
            .into_iter()
            .filter(|&it| self.file(it).exists())
        {
            self.check_origin(file, self.made_by(file)?)?;
        }
        Ok(())
    }

    /// What tells the configuration that made a file, where the file says so.
    fn made_by(&self, file: RunFile) -> Result<Option<Fingerprint>, StageError> {
        let path = self.file(file);
        match file {
            RunFile::Idioms => Ok(IdiomFile::open(&path)?.run),
            RunFile::Checkpoint | RunFile::Model => {
                let bytes = self.read(file)?.unwrap_or_default();
                read_run(&bytes).map_err(|source| StageError::Model { path, source })
            }
            RunFile::Card => Ok(self.card()?.run),
            RunFile::Predictions => {
                let bytes = self.read(file)?.unwrap_or_default();
                Ok(made_predictions(&bytes))
            }
            RunFile::ReportJson => Ok(Report::earlier(self)?.and_then(|it| it.run)),
            RunFile::Config
            | RunFile::Confidence
            | RunFile::Log
            | RunFile::ReportMarkdown
            | RunFile::ReportHtml => Ok(None),
        }
    }
}

/// Predictions are written together: what one of them says holds for all.
fn made_predictions(lines: &[u8]) -> Option<Fingerprint> {
    #[derive(Deserialize)]
    struct Line {
        run: Option<Fingerprint>,
    }
    let first = lines.split(|&it| it == b'\n').next()?;
    let line: Line = serde_json::from_slice(first).ok()?;
    line.run
}
