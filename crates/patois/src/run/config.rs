//! What a run depends on: one TOML file is one experiment.
//!
//! Every key has a default; what is not known is an error that says where it stands and what it
//! may have meant.

mod overrides;

use std::path::{Component, Path, PathBuf};

use patois_languages::sql::Mode;
use patois_mining::MiningConfig;
use patois_synthesis::{
    ConfigError, EncoderKind, ModelConfig, Objective, SearchConfig, TrainingConfig,
};
use serde::{Deserialize, Serialize};

use crate::augment::AugmentConfig;
use crate::corpus::folder::LANGUAGES;
use crate::corpus::{Corpus, CorpusOptions, DevSplit, Fold, Split, default};
use crate::run::document::{self, DocumentError};
pub use overrides::{merge, nested};

/// What a run depends on.
///
/// ```
/// use patois::run::config::RunConfig;
///
/// let config = RunConfig::parse("small.toml", "[training]\nn_steps = 100")?;
/// assert_eq!((config.corpus.as_str(), config.training.n_steps), ("default", 100));
///
/// let error = RunConfig::parse("small.toml", "[training]\nn_step = 100").unwrap_err();
/// assert!(error.to_string().starts_with("`small.toml`, line 2: unknown key `n_step`"));
/// assert_eq!(error.help().as_deref(), Some("did you mean `n_steps`?"));
/// # Ok::<(), patois::run::config::RunConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// The corpus: the name of a dataset, or a path.
    pub corpus: String,
    /// The language of the programs, where the corpus does not tell: `python` or `sql`.
    pub language: Option<String>,
    /// How many examples of its train split are learnt from, the first ones; without it, all.
    pub n_train: Option<usize>,
    /// Into how many parts the train split is cut to be measured on itself: one takes the place of dev, the
    /// others are learnt from.
    pub n_folds: Option<usize>,
    /// Which of them is measured, counted from 0; without it, the one that the seed names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fold: Option<usize>,
    /// What the dealing of the parts depends on; without it, they are dealt in turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fold_seed: Option<u64>,
    /// The splits that are cut; without it, the train split alone, and the dev split is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folds_of: Option<Vec<Split>>,
    /// What everything random depends on.
    pub seed: u64,
    /// The folder of a run whose model training begins with, idioms and vocabularies included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<PathBuf>,
    /// What is learnt from besides the train split of the corpus.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceConfig>,
    /// Whether `patois run` trains a model without idioms as well, to compare with.
    pub baseline: bool,
    /// How queries are read.
    pub sql: SqlConfig,
    /// Pretrained vectors of words.
    pub vectors: Option<VectorsConfig>,
    /// A pretrained encoder.
    pub pretrained: Option<EncoderFolder>,
    /// Where idioms come from.
    pub idioms: IdiomsConfig,
    /// The shape of the network.
    pub model: ModelConfig,
    /// How it is trained.
    pub training: TrainingConfig,
    /// How the examples that it is trained with are changed.
    #[serde(skip_serializing_if = "AugmentConfig::is_off")]
    pub augment: AugmentConfig,
    /// How programs are searched for.
    pub search: SearchConfig,
}

/// A corpus that is learnt from besides the main one; only its train split is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceConfig {
    /// The corpus: the name of a dataset, or a path.
    pub corpus: String,
    /// How often each of its examples is seen while one of the main corpus is seen once.
    #[serde(default = "one")]
    pub weight: f64,
}

fn one() -> f64 {
    1.0
}

/// How queries are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SqlConfig {
    /// How much of a query is kept in its tree.
    pub mode: Mode,
}

/// Pretrained vectors of words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorsConfig {
    /// The file: where the configuration says, or in the folder of the datasets.
    pub file: PathBuf,
    /// How many of the most frequent words a model keeps besides those of its corpus.
    #[serde(default)]
    pub n_frequent: usize,
}

/// A pretrained encoder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncoderFolder {
    /// Its folder: where the configuration says, or in the folder of the datasets.
    pub folder: PathBuf,
}

/// Where idioms come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IdiomsConfig {
    /// A file that they are read from; without it they are mined.
    pub file: Option<PathBuf>,
    /// How they are mined.
    pub mining: MiningConfig,
    /// How those are chosen that a model has use for; without it, all that are mined are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionConfig>,
}

/// How idioms are chosen by what they are worth to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelectionConfig {
    /// How many times a model is trained; each time, as many candidates join as idioms are wanted.
    pub n_rounds: usize,
    /// For how many steps it is trained.
    pub n_steps: usize,
}

impl Default for SelectionConfig {
    fn default() -> SelectionConfig {
        SelectionConfig {
            n_rounds: 2,
            n_steps: 1000,
        }
    }
}

impl Default for RunConfig {
    fn default() -> RunConfig {
        RunConfig {
            corpus: default::NAME.to_owned(),
            language: None,
            n_train: None,
            n_folds: None,
            fold: None,
            fold_seed: None,
            folds_of: None,
            seed: 0,
            from: None,
            sources: Vec::new(),
            baseline: false,
            sql: SqlConfig::default(),
            vectors: None,
            pretrained: None,
            idioms: IdiomsConfig::default(),
            model: ModelConfig::default(),
            training: TrainingConfig::default(),
            augment: AugmentConfig::default(),
            search: SearchConfig::default(),
        }
    }
}

/// Why a file is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum RunConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration `{}`: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is no TOML, or has keys or values that are not known.
    #[error(transparent)]
    Text(#[from] Box<DocumentError>),
    /// A value makes no sense.
    #[error("`{name}`: {error}")]
    Value {
        /// The file's name.
        name: String,
        /// Which, and why.
        error: ConfigError,
    },
    /// The prior of the miner makes no sense.
    #[error("`{name}`: `idioms.mining.chain.prior`: {error}")]
    Prior {
        /// The file's name.
        name: String,
        /// Why.
        error: patois_mining::PitmanYorError,
    },
}

impl RunConfigError {
    /// What may have been meant.
    pub fn help(&self) -> Option<String> {
        match self {
            RunConfigError::Text(error) => error.help(),
            _ => None,
        }
    }
}

impl RunConfig {
    /// What the model that this one is compared with depends on; none where it is not compared, or
    /// has no idioms itself.
    pub(crate) fn of_baseline(&self) -> Option<RunConfig> {
        let is_wanted = self.baseline && self.training.objective != Objective::Plain;
        is_wanted.then(|| {
            let mut config = self.clone();
            config.baseline = false;
            config.training.objective = Objective::Plain;
            config.idioms.file = None;
            config
        })
    }

    /// Reads a file; paths in it are seen from the folder that it is in.
    ///
    /// # Errors
    ///
    /// When it is not there, or is no configuration.
    pub fn read(path: &Path) -> Result<RunConfig, RunConfigError> {
        let text = std::fs::read_to_string(path).map_err(|source| RunConfigError::Read {
            path: path.to_owned(),
            source,
        })?;
        let config = RunConfig::parse(&path.display().to_string(), &text)?;
        Ok(config.seen_from(path.parent().unwrap_or(Path::new(""))))
    }

    /// Reads the text of a file called `name`.
    ///
    /// # Errors
    ///
    /// When it is no configuration.
    pub fn parse(name: &str, text: &str) -> Result<RunConfig, RunConfigError> {
        let config: RunConfig = document::parse(name, text)?;
        config.check(name)?;
        Ok(config)
    }

    /// Refuses values that make no sense; `name` is what messages call the configuration.
    ///
    /// # Errors
    ///
    /// When there is such a value.
    pub(crate) fn check(&self, name: &str) -> Result<(), RunConfigError> {
        let name = name.to_owned();
        let checked = self.check_language();
        let checked = checked.and_then(|()| self.check_folds());
        let checked = checked.and_then(|()| self.check_encoder());
        let checked = checked.and_then(|()| self.model.check());
        let checked = checked.and_then(|()| self.training.check());
        let checked = checked.and_then(|()| self.check_sources());
        let checked = checked.and_then(|()| self.check_selection());
        let checked = checked.and_then(|()| self.check_beginning());
        let checked = checked.and_then(|()| self.augment.check());
        if let Err(error) = checked {
            return Err(RunConfigError::Value { name, error });
        }
        let prior = self.idioms.mining.chain.prior.check();
        prior
            .map(|_| ())
            .map_err(|error| RunConfigError::Prior { name, error })
    }

    /// Refuses languages that no model writes.
    fn check_language(&self) -> Result<(), ConfigError> {
        match &self.language {
            Some(found) if !LANGUAGES.contains(&found.as_str()) => {
                let expected = format!("`{}`", LANGUAGES.join("` or `"));
                refuse("language", expected, format!("`{found}`"))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a pretrained encoder that is nowhere.
    fn check_encoder(&self) -> Result<(), ConfigError> {
        if self.model.encoder == EncoderKind::Pretrained && self.pretrained.is_none() {
            return refuse("pretrained.folder", "the folder of the encoder", "nothing");
        }
        Ok(())
    }

    /// Refuses to choose from nothing.
    fn check_selection(&self) -> Result<(), ConfigError> {
        let Some(selection) = &self.idioms.selection else {
            return Ok(());
        };
        if selection.n_rounds == 0 {
            return refuse("idioms.selection.n_rounds", "at least 1", "0");
        }
        if selection.n_steps == 0 {
            return refuse("idioms.selection.n_steps", "at least 1", "0");
        }
        match &self.idioms.file {
            Some(file) => {
                let found = format!("`idioms.file`, {}", file.display());
                refuse("idioms.selection", "idioms that are mined", found)
            }
            None => Ok(()),
        }
    }

    /// Refuses other idioms than those of the model that training begins with.
    fn check_beginning(&self) -> Result<(), ConfigError> {
        let Some(from) = &self.from else {
            return Ok(());
        };
        let found = format!("`from`, {}", from.display());
        if self.idioms.file.is_some() {
            return refuse("idioms.file", "no model to begin with", found);
        }
        if self.idioms.selection.is_some() {
            return refuse("idioms.selection", "no model to begin with", found);
        }
        if self.baseline {
            return refuse("baseline", "no model to begin with", found);
        }
        Ok(())
    }

    /// Refuses weights that no source has.
    fn check_sources(&self) -> Result<(), ConfigError> {
        let is_weight = |it: f64| it > 0.0 && it <= MAX_WEIGHT;
        match self.sources.iter().find(|it| !is_weight(it.weight)) {
            Some(source) => {
                let expected = format!("a number above 0, at most {MAX_WEIGHT}");
                refuse("sources.weight", expected, source.weight.to_string())
            }
            None => Ok(()),
        }
    }

    /// Refuses folds that there are not.
    fn check_folds(&self) -> Result<(), ConfigError> {
        let depend_on_it = [
            ("fold", self.fold.is_some()),
            ("fold_seed", self.fold_seed.is_some()),
            ("folds_of", self.folds_of.is_some()),
        ];
        let Some(n_folds) = self.n_folds else {
            return match depend_on_it.into_iter().find(|it| it.1) {
                Some((key, _)) => refuse(key, "`n_folds` beside it", "none"),
                None => Ok(()),
            };
        };
        if n_folds < 2 {
            return refuse("n_folds", "at least 2", n_folds.to_string());
        }
        if let Some(fold) = self.fold.filter(|it| *it >= n_folds) {
            let expected = format!("less than `n_folds`, {n_folds}");
            return refuse("fold", expected, fold.to_string());
        }
        match self.folds_of.as_deref() {
            None | Some([Split::Train] | [Split::Train, Split::Dev]) => Ok(()),
            Some(splits) => {
                let names: Vec<String> = splits.iter().map(|it| format!("\"{it}\"")).collect();
                let found = format!("[{}]", names.join(", "));
                refuse("folds_of", "[\"train\"] or [\"train\", \"dev\"]", found)
            }
        }
    }

    /// What a reader of the corpus is told.
    pub fn corpus_options(&self) -> CorpusOptions {
        CorpusOptions {
            language: self.language.clone(),
            ..CorpusOptions::default()
        }
    }

    /// The part of the corpus that takes the place of dev, where one does.
    pub(crate) fn fold(&self) -> Option<Fold> {
        let n_folds = self.n_folds?;
        let named = || (self.seed % n_folds as u64) as usize;
        let splits = self.folds_of.as_deref().unwrap_or_default();
        Some(Fold {
            index: self.fold.unwrap_or_else(named),
            n_folds,
            dev: if splits.contains(&Split::Dev) {
                DevSplit::Dealt
            } else {
                DevSplit::LeftOut
            },
            seed: self.fold_seed,
        })
    }

    /// The configuration with its relative paths seen from a folder.
    ///
    /// Names of datasets are no paths. Word vectors and encoders that are not there stay as they are: they are
    /// looked for among the datasets.
    #[must_use]
    pub(crate) fn seen_from(mut self, folder: &Path) -> RunConfig {
        let seen = |path: &Path| plain(&folder.join(path));
        let sources = self.sources.iter_mut().map(|it| &mut it.corpus);
        for corpus in sources.chain([&mut self.corpus]) {
            let path = seen(Path::new(corpus.as_str()));
            let is_path = match Path::new(corpus.as_str()).components().count() {
                0 => false,
                // A misspelt dataset is to be called so.
                1 => !Corpus::is_name(corpus) && path.exists(),
                _ => true,
            };
            if is_path {
                *corpus = path.to_string_lossy().into_owned();
            }
        }
        if let Some(vectors) = &mut self.vectors {
            let file = seen(&vectors.file);
            if file.exists() {
                vectors.file = file;
            }
        }
        if let Some(encoder) = &mut self.pretrained {
            let folder = seen(&encoder.folder);
            if folder.exists() {
                encoder.folder = folder;
            }
        }
        self.idioms.file = self.idioms.file.map(|it| seen(&it));
        self.from = self.from.map(|it| seen(&it));
        self
    }

    /// The configuration with absolute paths, so that it can be written anywhere; relative ones are seen from
    /// the current folder.
    #[must_use]
    pub(crate) fn absolute(self) -> RunConfig {
        match std::env::current_dir() {
            Ok(folder) => self.seen_from(&folder),
            Err(_) => self,
        }
    }

    /// The file that says the same.
    ///
    /// # Panics
    ///
    /// Never: all keys are texts and all values plain.
    pub(crate) fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration is plain data")
    }
}

/// The largest weight of a source: what is seen more often in a pass is learnt by heart.
const MAX_WEIGHT: f64 = 100.0;

/// A path without `.`, and with `..` only where it begins.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}

fn refuse(
    key: &'static str,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Result<(), ConfigError> {
    Err(ConfigError {
        key,
        expected: expected.into(),
        found: found.into(),
    })
}

#[cfg(test)]
pub(crate) mod tests;
