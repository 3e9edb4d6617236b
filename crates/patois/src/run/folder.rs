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
//! Files are written whole or not at all, except for the log, which grows.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use patois_codebase::output::{self, OutputError};
use patois_syntax::{Fingerprint, IdiomLibrary};
use serde::{Deserialize, Serialize};

use super::config::{RunConfig, RunConfigError};
use crate::corpus::Programs;

/// The folder of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDir {
    path: PathBuf,
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
    pub const ALL: [RunFile; 10] = [
        RunFile::Config,
        RunFile::Idioms,
        RunFile::Checkpoint,
        RunFile::Model,
        RunFile::Card,
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
            RunFile::Log => "training.jsonl",
            RunFile::Predictions => "predictions.jsonl",
            RunFile::ReportJson => "report.json",
            RunFile::ReportMarkdown => "report.md",
            RunFile::ReportHtml => "report.html",
        }
    }
}

/// The folder inside of a run's that holds the run of its baseline, where there is one.
pub const BASELINE: &str = "baseline";

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
    /// When the folder holds a run that is not to be replaced, or anything else.
    pub fn create(
        path: &Path,
        config: &RunConfig,
        existing: Existing,
    ) -> Result<RunDir, RunDirError> {
        let run = RunDir {
            path: path.to_owned(),
        };
        fs::create_dir_all(path).map_err(|source| io_error(path, source))?;
        if run.file(RunFile::Config).exists() {
            if existing == Existing::Refuse && run.has_begun() {
                return Err(RunDirError::HoldsRun(path.to_owned()));
            }
            run.clear()?;
            let path = path.join(BASELINE);
            RunDir { path }.clear()?;
        } else if let Some(found) = run.any_other_file()? {
            let path = path.to_owned();
            return Err(RunDirError::HoldsOther { path, found });
        }
        run.write(RunFile::Config, config.clone().absolute().to_toml())?;
        Ok(run)
    }

    /// Opens the folder of a run.
    ///
    /// # Errors
    ///
    /// When there is no run in it.
    pub fn open(path: &Path) -> Result<RunDir, RunDirError> {
        let run = RunDir {
            path: path.to_owned(),
        };
        let missing = RunFile::Config.name();
        if run.file(RunFile::Config).is_file() {
            return Ok(run);
        }
        let path = path.to_owned();
        Err(RunDirError::NoRun { path, missing })
    }

    /// Opens the folder of a run to go on with it.
    ///
    /// Only the number of steps may have changed, and how often something is looked at or saved.
    ///
    /// # Errors
    ///
    /// When there is no run in it, or one that was asked for something else.
    pub fn resume(path: &Path, config: &RunConfig) -> Result<RunDir, RunDirError> {
        let run = RunDir::open(path)?;
        let started = run.config()?;
        match difference(&comparable(&started), &comparable(config)) {
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
        match (existing, RunDir::resume(path, config)) {
            (Existing::Refuse, Err(RunDirError::NoRun { .. })) | (Existing::Replace, _) => {
                RunDir::create(path, config, existing)
            }
            (Existing::Refuse, resumed) => resumed,
        }
    }

    /// The folder of the run that this one is compared with, which goes on or is new.
    ///
    /// # Errors
    ///
    /// When there is one that was asked for something else.
    pub fn of_baseline(&self, config: &RunConfig) -> Result<RunDir, RunDirError> {
        RunDir::resume_or_create(&self.path.join(BASELINE), config, Existing::Refuse)
    }

    /// The run of the model that this one's is compared with; none where there is none to compare
    /// with, or it has no model yet.
    ///
    /// # Errors
    ///
    /// When the configuration cannot be read.
    pub fn baseline(&self) -> Result<Option<RunDir>, RunDirError> {
        let config = self.config()?;
        let run = RunDir::open(&self.path.join(BASELINE)).ok();
        let is_wanted = |run: &RunDir| config.of_baseline().is_some() && run.card().is_ok();
        Ok(run.filter(is_wanted))
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
    pub fn card(&self) -> Result<ModelCard, RunDirError> {
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

    /// Whether there is anything to lose: a run that failed before its first step is none.
    fn has_begun(&self) -> bool {
        let results = [RunFile::Checkpoint, RunFile::Model, RunFile::Log];
        results.into_iter().any(|file| self.file(file).exists())
    }

    fn clear(&self) -> Result<(), RunDirError> {
        for file in RunFile::ALL {
            let path = self.file(file);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(io_error(&path, error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn any_other_file(&self) -> Result<Option<String>, RunDirError> {
        let mut entries = fs::read_dir(&self.path).map_err(|error| io_error(&self.path, error))?;
        let first = entries.next().transpose();
        let first = first.map_err(|error| io_error(&self.path, error))?;
        Ok(first.map(|it| it.file_name().to_string_lossy().into_owned()))
    }
}

fn io_error(path: &Path, source: io::Error) -> RunDirError {
    RunDirError::Io {
        path: path.to_owned(),
        source,
    }
}

/// A configuration without what may change while a run goes on.
fn comparable(config: &RunConfig) -> toml::Table {
    let mut config = config.clone().absolute();
    let any = patois_synthesis::TrainingConfig::default();
    config.training.n_steps = any.n_steps;
    config.training.evaluate_every = any.evaluate_every;
    config.training.checkpoint_every = any.checkpoint_every;
    config.training.patience = any.patience;
    config.search = patois_synthesis::SearchConfig::default();
    toml::Table::try_from(config).unwrap_or_default()
}

/// The first key at which two tables differ, with the tables that it is in.
fn difference(one: &toml::Table, other: &toml::Table) -> Option<String> {
    let keys = one.keys().chain(other.keys());
    let mut differing = keys.filter(|key| one.get(*key) != other.get(*key));
    let key = differing.next()?;
    let inner = match (one.get(key), other.get(key)) {
        (Some(toml::Value::Table(one)), Some(toml::Value::Table(other))) => difference(one, other),
        _ => None,
    };
    Some(match inner {
        Some(inner) => format!("{key}.{inner}"),
        None => key.clone(),
    })
}

/// What a model was trained for, for people and for whoever loads it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelCard {
    /// The version of this description.
    pub version: u32,
    /// The corpus that it learnt from.
    pub corpus: String,
    /// The language of its programs.
    pub language: String,
    /// The name of their grammar.
    pub grammar: String,
    /// What tells that grammar from others.
    pub fingerprint: Fingerprint,
    /// How many idioms it may use.
    pub n_idioms: usize,
    /// After how many steps it was written.
    pub step: usize,
    /// The mean loss on dev then, where it was measured.
    pub dev_loss: Option<f64>,
}

impl ModelCard {
    /// The version that is written here, and the only one that is read.
    pub const VERSION: u32 = 1;

    /// What is known of a model before it has learnt anything.
    pub fn new(programs: &Programs, library: &IdiomLibrary) -> ModelCard {
        let (corpus, grammar) = (&programs.corpus, &programs.grammar);
        ModelCard {
            version: ModelCard::VERSION,
            corpus: corpus.name.clone(),
            language: corpus.language.clone(),
            grammar: grammar.name().to_owned(),
            fingerprint: grammar.fingerprint(),
            n_idioms: library.len(),
            step: 0,
            dev_loss: None,
        }
    }

    fn parse(text: &str) -> Result<ModelCard, String> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let in_one_line = |error: toml::de::Error| error.message().to_owned();
        let Versioned { version } = toml::from_str(text).map_err(in_one_line)?;
        if version != ModelCard::VERSION {
            let expected = ModelCard::VERSION;
            return Err(format!("expected version {expected}, found {version}"));
        }
        toml::from_str(text).map_err(in_one_line)
    }

    /// The file that says so.
    ///
    /// # Panics
    ///
    /// Never: texts and numbers are always TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("texts and numbers are always TOML")
    }
}

/// The log of a run, which grows line by line.
#[derive(Debug)]
pub struct Log {
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
    pub fn after(run: &RunDir, step: usize) -> Result<Log, RunDirError> {
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

    /// Adds a line.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn add(&mut self, line: &impl Serialize) -> Result<(), RunDirError> {
        let written = serde_json::to_string(line)
            .map_err(io::Error::from)
            .and_then(|json| self.file.write_all((json + "\n").as_bytes()));
        written.map_err(|source| RunDirError::Io {
            path: self.path.clone(),
            source,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_run_is_not_overwritten_by_mistake() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs/one");
        let config = RunConfig::default();
        let run = RunDir::create(&path, &config, Existing::Refuse).unwrap();
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

    #[test]
    fn a_card_of_another_version_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(folder.path(), &RunConfig::default(), Existing::Refuse).unwrap();
        assert!(run.card().unwrap_err().to_string().contains("model.toml"));
        run.write(RunFile::Card, "version = 2\nother = 1").unwrap();
        let error = run.card().unwrap_err().to_string();
        assert!(error.ends_with("expected version 1, found 2"), "{error}");
    }
}
