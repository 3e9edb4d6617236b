//! The folder of a run: what it was asked for, and all that came of it.
//!
//! | file | holds |
//! | --- | --- |
//! | `config.toml` | the configuration, with every default and absolute paths written out |
//! | `idioms.json` | the idioms that the model may use |
//! | `checkpoint.safetensors` | all that it takes to go on with training |
//! | `model.safetensors` | the model, with its words and subtokens |
//! | `model.toml` | what the model was trained for |
//! | `training.jsonl` | what each step and measurement found, one object a line |
//! | `predictions.jsonl` | what the model wrote for a split, one example a line |
//! | `report.json` | all of it, see [`report`](crate::report) |
//! | `report.md`, `report.html` | the same for people |
//! | `baseline` | the run of the model without idioms |
//!
//! Files are written whole or not at all, except for the log, which grows. One process at a time writes
//! to a folder, and each file that it leaves says which configuration made it: files of different
//! configurations are never taken for one run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use patois_codebase::output::{self, Lock, LockError, OutputError};
use patois_syntax::Fingerprint;

use super::card::ModelCard;
use super::config::{RunConfig, RunConfigError};
use super::fingerprint;

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct RunDir {
    path: PathBuf,
    /// Held where the run is written to, as long as this or a clone of it lives.
    _lock: Option<Arc<Lock>>,
}

/// A file of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunFile {
    /// The configuration.
    Config,
    /// The idioms.
    Idioms,
    /// All that it takes to go on.
    Checkpoint,
    /// The model.
    Model,
    /// What the model was trained for.
    Card,
    /// How sure its answers are.
    Confidence,
    /// What training found.
    Log,
    /// What the model wrote for a split.
    Predictions,
    /// The report for programs.
    ReportJson,
    /// The report as plain text.
    ReportMarkdown,
    /// The report as a page.
    ReportHtml,
}

impl RunFile {
    /// Every file of a run.
    pub(crate) const ALL: [RunFile; 11] = [
        RunFile::Config,
        RunFile::Idioms,
        RunFile::Checkpoint,
        RunFile::Model,
        RunFile::Card,
        RunFile::Confidence,
        RunFile::Log,
        RunFile::Predictions,
        RunFile::ReportJson,
        RunFile::ReportMarkdown,
        RunFile::ReportHtml,
    ];

    /// The file's name.
    pub fn name(self) -> &'static str {
        match self {
            RunFile::Config => "config.toml",
            RunFile::Idioms => "idioms.json",
            RunFile::Checkpoint => "checkpoint.safetensors",
            RunFile::Model => "model.safetensors",
            RunFile::Card => "model.toml",
            RunFile::Confidence => "confidence.json",
            RunFile::Log => "training.jsonl",
            RunFile::Predictions => "predictions.jsonl",
            RunFile::ReportJson => "report.json",
            RunFile::ReportMarkdown => "report.md",
            RunFile::ReportHtml => "report.html",
        }
    }
}

/// The folder inside of a run's that holds the run of its baseline, where there is one.
pub(crate) const BASELINE: &str = "baseline";

/// What to do with a run that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Leave it, and complain.
    Refuse,
    /// Remove its files.
    Replace,
}

/// Why a folder cannot be a run's.
#[derive(Debug, thiserror::Error)]
pub enum RunDirError {
    /// There is a run in it.
    #[error("`{}` holds a run already", .0.display())]
    HoldsRun(PathBuf),
    /// There is something else in it.
    #[error("`{}` is no run, but holds `{found}`", .path.display())]
    HoldsOther {
        /// The folder.
        path: PathBuf,
        /// One of the files in it.
        found: String,
    },
    /// There is no run in it.
    #[error("`{}` holds no run: there is no `{missing}`", .path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// The file that a run would have.
        missing: &'static str,
    },
    /// The run was asked for something else.
    #[error("the run in `{}` was started with another configuration: `{key}` differs", .path.display())]
    OtherConfig {
        /// The folder.
        path: PathBuf,
        /// The first part that differs.
        key: String,
    },
    /// Another process is writing to it.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// One of its files was made with another configuration.
    #[error(
        "`{}` was made with another configuration than `{}`: its fingerprint is {found}, expected {expected}",
        .path.display(), .config.display()
    )]
    Mixed {
        /// The file.
        path: PathBuf,
        /// The configuration.
        config: PathBuf,
        /// What tells the configuration that made the file.
        found: Fingerprint,
        /// What tells the one in the folder.
        expected: Fingerprint,
    },
    /// Its configuration cannot be read.
    #[error(transparent)]
    Config(#[from] RunConfigError),
    /// The description of its model cannot be read.
    #[error("`{}`: {message}", .path.display())]
    Card {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The system refused.
    #[error("cannot use `{}`: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl RunDir {
    /// Makes the folder of a new run, and writes its configuration.
    ///
    /// # Errors
    ///
    /// When the folder holds a run that is not to be replaced, or anything else, or another process
    /// is writing to it.
    pub fn create(
        path: &Path,
        config: &RunConfig,
        existing: Existing,
    ) -> Result<RunDir, RunDirError> {
        fs::create_dir_all(path).map_err(|source| io_error(path, source))?;
        let run = RunDir::locked(path)?;
        if run.file(RunFile::Config).exists() {
            if existing == Existing::Refuse && run.has_begun() {
                return Err(RunDirError::HoldsRun(path.to_owned()));
            }
            RunDir::unlocked(&path.join(BASELINE)).clear()?;
            run.clear()?;
        } else if let Some(found) = run.any_other_file()? {
            let path = path.to_owned();
            return Err(RunDirError::HoldsOther { path, found });
        }
        run.write(RunFile::Config, config.clone().absolute().to_toml())?;
        Ok(run)
    }

    /// Opens the folder of a run to read it.
    ///
    /// # Errors
    ///
    /// When there is no run in it.
    pub fn open(path: &Path) -> Result<RunDir, RunDirError> {
        let run = RunDir::unlocked(path);
        let missing = RunFile::Config.name();
        if run.file(RunFile::Config).is_file() {
            return Ok(run);
        }
        let path = path.to_owned();
        Err(RunDirError::NoRun { path, missing })
    }

    /// Opens the folder of a run to write to it.
    ///
    /// # Errors
    ///
    /// When there is no run in it, or another process is writing to it.
    pub fn open_to_write(path: &Path) -> Result<RunDir, RunDirError> {
        RunDir::open(path)?;
        RunDir::locked(path)
    }

    /// Opens the folder of a run to go on with it.
    ///
    /// Only the number of steps may have changed, and how often something is looked at or saved.
    ///
    /// # Errors
    ///
    /// When there is no run in it, or one that was asked for something else, or another process is
    /// writing to it.
    pub fn resume(path: &Path, config: &RunConfig) -> Result<RunDir, RunDirError> {
        let run = RunDir::open_to_write(path)?;
        let started = to_table(run.config()?.absolute());
        match fingerprint::difference(&started, &to_table(config.clone().absolute())) {
            None => Ok(run),
            Some(key) => Err(RunDirError::OtherConfig {
                path: path.to_owned(),
                key,
            }),
        }
    }

    /// Opens the folder of a run to go on with it, or makes that of a new one.
    ///
    /// # Errors
    ///
    /// When the folder holds a run that was asked for something else and is not to be replaced, or
    /// anything else.
    pub fn resume_or_create(
        path: &Path,
        config: &RunConfig,
        existing: Existing,
    ) -> Result<RunDir, RunDirError> {
        if existing == Existing::Replace {
            return RunDir::create(path, config, existing);
        }
        match RunDir::resume(path, config) {
            Err(RunDirError::NoRun { .. }) => RunDir::create(path, config, existing),
            resumed => resumed,
        }
    }

    /// The folder of the run that this one is compared with, which goes on or is new.
    ///
    /// # Errors
    ///
    /// When there is one that was asked for something else.
    pub(crate) fn of_baseline(&self, config: &RunConfig) -> Result<RunDir, RunDirError> {
        RunDir::resume_or_create(&self.path.join(BASELINE), config, Existing::Refuse)
    }

    /// The run of the model that this one's is compared with; none where there is none to compare
    /// with, or it has no model yet.
    ///
    /// # Errors
    ///
    /// When its configuration or the description of its model cannot be read.
    pub(crate) fn baseline(&self) -> Result<Option<RunDir>, RunDirError> {
        let run = RunDir::unlocked(&self.path.join(BASELINE));
        let is_there = |file| run.file(file).exists();
        if self.config()?.of_baseline().is_none()
            || !is_there(RunFile::Config)
            || !is_there(RunFile::Card)
        {
            return Ok(None);
        }
        run.card()?;
        Ok(Some(run))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file.
    pub fn file(&self, file: RunFile) -> PathBuf {
        self.path.join(file.name())
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn write(&self, file: RunFile, contents: impl AsRef<[u8]>) -> Result<(), OutputError> {
        output::write(&self.file(file), contents)
    }

    /// Reads a file; none where it is not there.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn read(&self, file: RunFile) -> Result<Option<Vec<u8>>, RunDirError> {
        let path = self.file(file);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io_error(&path, error)),
        }
    }

    /// The configuration that the run was started with.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn config(&self) -> Result<RunConfig, RunConfigError> {
        RunConfig::read(&self.file(RunFile::Config))
    }

    /// What the model was trained for.
    ///
    /// # Errors
    ///
    /// When there is no model yet, or its description is of another version.
    pub(crate) fn card(&self) -> Result<ModelCard, RunDirError> {
        let path = self.file(RunFile::Card);
        let Some(bytes) = self.read(RunFile::Card)? else {
            return Err(RunDirError::NoRun {
                path: self.path.clone(),
                missing: RunFile::Card.name(),
            });
        };
        ModelCard::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|message| RunDirError::Card { path, message })
    }

    /// What tells the configuration of this run from others.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub(crate) fn fingerprint(&self) -> Result<Fingerprint, RunDirError> {
        let path = self.file(RunFile::Config);
        let text = fs::read_to_string(&path).map_err(|source| io_error(&path, source))?;
        match toml::from_str(&text) {
            Ok(table) => Ok(fingerprint::fingerprint(&table)),
            // It is said there what is wrong with it.
            Err(error) => match self.config() {
                Err(error) => Err(error.into()),
                Ok(_) => Err(io_error(&path, io::Error::other(error))),
            },
        }
    }

    /// Refuses a file that another configuration has made; `made_by` is what the file says of that, if
    /// anything.
    ///
    /// # Errors
    ///
    /// When the file is no part of this run.
    pub(crate) fn check_origin(
        &self,
        file: RunFile,
        made_by: Option<Fingerprint>,
    ) -> Result<(), RunDirError> {
        let Some(found) = made_by else {
            return Ok(());
        };
        let expected = self.fingerprint()?;
        if found == expected {
            return Ok(());
        }
        Err(RunDirError::Mixed {
            path: self.file(file),
            config: self.file(RunFile::Config),
            found,
            expected,
        })
    }

    fn unlocked(path: &Path) -> RunDir {
        RunDir {
            path: path.to_owned(),
            _lock: None,
        }
    }

    fn locked(path: &Path) -> Result<RunDir, RunDirError> {
        Ok(RunDir {
            path: path.to_owned(),
            _lock: Some(Arc::new(Lock::of_folder(path)?)),
        })
    }

    /// Whether there is anything to lose: a run that failed before its first step is none.
    fn has_begun(&self) -> bool {
        let results = [RunFile::Checkpoint, RunFile::Model, RunFile::Log];
        results.into_iter().any(|file| self.file(file).exists())
    }

    /// Removes what came of a run. Its configuration stays until there is another: a folder without one is
    /// no run, and nobody's to be cleared.
    fn clear(&self) -> Result<(), RunDirError> {
        let results = RunFile::ALL.into_iter().filter(|&it| it != RunFile::Config);
        for path in results.map(|it| self.file(it)) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(io_error(&path, error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// One of the files of somebody else.
    fn any_other_file(&self) -> Result<Option<String>, RunDirError> {
        let in_folder = |error| io_error(&self.path, error);
        for entry in fs::read_dir(&self.path).map_err(in_folder)? {
            let name = entry.map_err(in_folder)?.file_name();
            if !output::is_passing(&name) {
                return Ok(Some(name.to_string_lossy().into_owned()));
            }
        }
        Ok(None)
    }
}

fn to_table(config: RunConfig) -> toml::Table {
    toml::Table::try_from(config).unwrap_or_default()
}

fn io_error(path: &Path, source: io::Error) -> RunDirError {
    RunDirError::Io {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_not_overwritten_by_mistake() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs/one");
        let config = RunConfig::default();
        RunDir::create(&path, &config, Existing::Refuse).unwrap();
        let run = RunDir::open(&path).unwrap();
        assert_eq!(run.config().unwrap(), config);
        run.write(RunFile::Idioms, "[]").unwrap();
        RunDir::create(&path, &config, Existing::Refuse).unwrap();
        run.write(RunFile::Checkpoint, "").unwrap();
        let error = RunDir::create(&path, &config, Existing::Refuse).unwrap_err();
        assert!(matches!(error, RunDirError::HoldsRun(_)), "{error}");
        RunDir::create(&path, &config, Existing::Replace).unwrap();
        assert!(!run.file(RunFile::Checkpoint).exists());
    }

    #[test]
    fn other_folders_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "").unwrap();
        for existing in [Existing::Refuse, Existing::Replace] {
            let created = RunDir::create(folder.path(), &RunConfig::default(), existing);
            let error = created.unwrap_err().to_string();
            assert!(error.contains("thesis.tex"), "{error}");
        }
        let error = RunDir::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("config.toml"), "{error}");
    }

    #[test]
    fn a_run_goes_on_with_what_it_was_started_with() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = RunConfig::default();
        RunDir::create(folder.path(), &config, Existing::Refuse).unwrap();
        config.training.n_steps += 1;
        config.training.checkpoint_every = 7;
        assert!(RunDir::resume(folder.path(), &config).is_ok());
        config.training.batch_size = 3;
        let error = RunDir::resume(folder.path(), &config).unwrap_err();
        assert!(
            error.to_string().ends_with("`training.batch_size` differs"),
            "{error}"
        );
    }

    #[test]
    fn a_card_of_another_version_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(folder.path(), &RunConfig::default(), Existing::Refuse).unwrap();
        assert!(run.card().unwrap_err().to_string().contains("model.toml"));
        run.write(RunFile::Card, "version = 2\nother = 1").unwrap();
        let error = run.card().unwrap_err().to_string();
        assert!(error.ends_with("expected version 1, found 2"), "{error}");
    }

    /// Two used to be able to: the configuration of one, the model of the other.
    #[test]
    fn one_process_at_a_time_writes_to_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (path, config) = (folder.path(), RunConfig::default());
        let run = RunDir::create(path, &config, Existing::Refuse).unwrap();
        let copy = run.clone();
        drop(run);
        let refused = [
            RunDir::create(path, &config, Existing::Replace),
            RunDir::resume(path, &config),
            RunDir::open_to_write(path),
        ];
        for refused in refused {
            let error = refused.unwrap_err();
            assert!(matches!(error, RunDirError::Locked(_)), "{error}");
        }
        assert!(RunDir::open(path).is_ok());
        drop(copy);
        RunDir::resume(path, &config).unwrap();
    }

    /// What a process that was killed leaves used to be taken for somebody else's.
    #[test]
    fn a_folder_that_was_begun_can_be_begun_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join(".patois-Ab12Cd.tmp"), "half a configuration").unwrap();
        fs::write(path.join(".lock"), "").unwrap();
        let config = RunConfig::default();
        RunDir::create(path, &config, Existing::Refuse).unwrap();
        // Killed while it was being replaced: some files are gone, the configuration never is.
        let run = RunDir::open(path).unwrap();
        run.write(RunFile::Checkpoint, "").unwrap();
        run.clear().unwrap();
        assert_eq!(run.config().unwrap(), config);
        RunDir::create(path, &config, Existing::Replace).unwrap();
    }

    #[test]
    fn files_of_another_configuration_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = RunConfig::default();
        let run = RunDir::create(folder.path(), &config, Existing::Refuse).unwrap();
        let own = run.fingerprint().unwrap();
        drop(run);
        config.seed = 1;
        let run = RunDir::create(folder.path(), &config, Existing::Refuse).unwrap();
        let now = run.fingerprint().unwrap();
        run.check_origin(RunFile::Model, None).unwrap();
        run.check_origin(RunFile::Model, Some(now)).unwrap();
        let error = run.check_origin(RunFile::Model, Some(own)).unwrap_err();
        let (error, own, now) = (error.to_string(), own.to_string(), now.to_string());
        for part in ["model.safetensors`", "config.toml`", &own, &now] {
            assert!(error.contains(part), "no {part} in {error}");
        }
    }
}
