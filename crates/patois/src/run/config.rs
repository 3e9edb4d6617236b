//! What a run depends on: one TOML file is one experiment.
//!
//! Every key has a default; what is not known is an error that says where it stands and what it
//! may have meant.

use std::path::{Path, PathBuf};

use patois_languages::sql::Mode;
use patois_mining::MiningConfig;
use patois_syntax::ParseError;
use patois_synthesis::{ConfigError, ModelConfig, Objective, SearchConfig, TrainingConfig};
use serde::{Deserialize, Serialize};

use crate::corpus::{Fold, default};

/// What a run depends on.
///
/// ```
/// use patois::run::config::RunConfig;
///
/// let config = RunConfig::parse("small.toml", "[training]\nn_steps = 100")?;
/// assert_eq!((config.corpus.as_str(), config.training.n_steps), ("default", 100));
///
/// let error = RunConfig::parse("small.toml", "[training]\nn_step = 100").unwrap_err();
/// assert_eq!(error.help().as_deref(), Some("did you mean `n_steps`?"));
/// # Ok::<(), patois::run::config::RunConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// The corpus: the name of a dataset, or a path.
    pub corpus: String,
    /// How many examples of its train split are learnt from, the first ones; without it, all.
    pub n_train: Option<usize>,
    /// Into how many parts the train split is cut to be measured on itself: the one that the seed names
    /// takes the place of dev, the others are learnt from. As many seeds as parts are a
    /// cross-validation.
    pub n_folds: Option<usize>,
    /// What everything random depends on.
    pub seed: u64,
    /// Whether `patois run` trains a model without idioms as well, to compare with.
    pub baseline: bool,
    /// How queries are read.
    pub sql: SqlConfig,
    /// Pretrained vectors of words.
    pub vectors: Option<VectorsConfig>,
    /// Where idioms come from.
    pub idioms: IdiomsConfig,
    /// The shape of the network.
    pub model: ModelConfig,
    /// How it is trained.
    pub training: TrainingConfig,
    /// How programs are searched for.
    pub search: SearchConfig,
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
    /// The file: from here, or in the folder of the datasets.
    pub file: PathBuf,
    /// How many of the most frequent words a model keeps besides those of its corpus.
    #[serde(default)]
    pub n_frequent: usize,
}

/// Where idioms come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IdiomsConfig {
    /// A file that they are read from; without it they are mined.
    pub file: Option<PathBuf>,
    /// How they are mined.
    pub mining: MiningConfig,
}

impl Default for RunConfig {
    fn default() -> RunConfig {
        RunConfig {
            corpus: default::NAME.to_owned(),
            n_train: None,
            n_folds: None,
            seed: 0,
            baseline: false,
            sql: SqlConfig::default(),
            vectors: None,
            idioms: IdiomsConfig::default(),
            model: ModelConfig::default(),
            training: TrainingConfig::default(),
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
    #[error("`{name}`{}: {}", line(.text, .error), .error.message)]
    Text {
        /// The file's name.
        name: String,
        /// What it holds.
        text: String,
        /// What is wrong, and where.
        error: ParseError,
    },
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

fn line(text: &str, error: &ParseError) -> String {
    match error.line_column(text) {
        Some((line, _)) => format!(", line {line}"),
        None => String::new(),
    }
}

impl RunConfigError {
    /// What may have been meant.
    pub fn help(&self) -> Option<String> {
        let RunConfigError::Text { error, .. } = self else {
            return None;
        };
        let similar = similar(&error.message)?;
        Some(format!("did you mean `{similar}`?"))
    }
}

impl RunConfig {
    /// What the model that this one is compared with depends on; none where it is not compared, or
    /// has no idioms itself.
    pub fn of_baseline(&self) -> Option<RunConfig> {
        let is_wanted = self.baseline && self.training.objective != Objective::Plain;
        is_wanted.then(|| {
            let mut config = self.clone();
            config.baseline = false;
            config.training.objective = Objective::Plain;
            config.idioms.file = None;
            config
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// When it is not there, or is no configuration.
    pub fn read(path: &Path) -> Result<RunConfig, RunConfigError> {
        let text = std::fs::read_to_string(path).map_err(|source| RunConfigError::Read {
            path: path.to_owned(),
            source,
        })?;
        RunConfig::parse(&path.display().to_string(), &text)
    }

    /// Reads the text of a file called `name`.
    ///
    /// # Errors
    ///
    /// When it is no configuration.
    pub fn parse(name: &str, text: &str) -> Result<RunConfig, RunConfigError> {
        let config: RunConfig = toml::from_str(text).map_err(|error| RunConfigError::Text {
            name: name.to_owned(),
            text: text.to_owned(),
            error: match error.span() {
                Some(span) => ParseError::at(span.start, message(&error)),
                None => ParseError::whole(message(&error)),
            },
        })?;
        config.check(name)?;
        Ok(config)
    }

    /// Refuses values that make no sense; `name` is what messages call the configuration.
    ///
    /// # Errors
    ///
    /// When there is such a value.
    pub fn check(&self, name: &str) -> Result<(), RunConfigError> {
        let name = name.to_owned();
        let checked = self.check_folds();
        let checked = checked.and_then(|()| self.model.check());
        let checked = checked.and_then(|()| self.training.check());
        if let Err(error) = checked {
            return Err(RunConfigError::Value { name, error });
        }
        let prior = self.idioms.mining.chain.prior.check();
        prior
            .map(|_| ())
            .map_err(|error| RunConfigError::Prior { name, error })
    }

    /// Refuses numbers of folds that are too small.
    fn check_folds(&self) -> Result<(), ConfigError> {
        match self.n_folds {
            Some(found) if found < 2 => Err(ConfigError {
                key: "n_folds",
                expected: "at least 2".to_owned(),
                found: found.to_string(),
            }),
            _ => Ok(()),
        }
    }

    /// The part of the train split that takes the place of dev, and how many parts there are.
    pub fn fold(&self) -> Option<Fold> {
        let n_folds = self.n_folds?;
        Some(Fold::of_seed(self.seed, n_folds))
    }

    /// The file that says the same.
    ///
    /// # Panics
    ///
    /// Never: all keys are texts and all values plain.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration is plain data")
    }
}

/// The message in one line; to people a field is a key.
fn message(error: &toml::de::Error) -> String {
    let message = error.message().replace("unknown field", "unknown key");
    message.lines().collect::<Vec<_>>().join("; ")
}

/// Of the names that an error expects, the one that is most like the one it found.
fn similar(message: &str) -> Option<&str> {
    if !message.starts_with("unknown ") {
        return None;
    }
    // Names are the odd parts between backquotes; the first is the one that was found.
    let mut names = message.split('`').skip(1).step_by(2);
    let found = names.next()?;
    let likeness = |name: &&str| (strsim::jaro_winkler(found, name) * 1000.0) as i32;
    let best = names.max_by_key(likeness)?;
    (likeness(&best) > 750).then_some(best)
}

#[cfg(test)]
mod tests {
    use patois_synthesis::{EncoderKind, Linking, Objective, Optimizer, RelationConfig, Schedule};

    use super::*;

    fn read(name: &str) -> RunConfig {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
        RunConfig::read(&folder.join(name)).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn every_configuration_is_read_and_survives_being_written() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
        let mut n_files = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|it| it == "toml") {
                let config = RunConfig::read(&path).unwrap_or_else(|error| panic!("{error}"));
                let written = config.to_toml();
                assert_eq!(RunConfig::parse("written", &written).unwrap(), config);
                n_files += 1;
            }
        }
        assert!(n_files >= 5, "{n_files}");
    }

    #[test]
    fn the_papers_settings_are_the_papers() {
        let cards = read("hearthstone.toml");
        assert_eq!(cards.training.optimizer, Optimizer::ADADELTA);
        assert_eq!(cards.training.n_steps, 2600);
        assert_eq!(cards.training.batch_size, 10);
        assert_eq!((cards.model.word_size, cards.model.hidden_size), (256, 256));
        assert_eq!(cards.idioms.mining.n_idioms, 80);
        let spider = read("spider.toml");
        assert_eq!(spider.training.optimizer, Optimizer::ADAM);
        let schedule = Schedule::WarmUp {
            n_warm_up: 2000,
            power: 0.5,
        };
        assert_eq!(spider.training.schedule, schedule);
        assert_eq!(spider.training.n_steps, 40_000);
        assert_eq!(spider.model.encoder, EncoderKind::Schema);
        assert_eq!(spider.model.relations.linking, Linking::None);
        assert_eq!(spider.model.relations, RelationConfig::default());
        assert_eq!(spider.sql.mode, Mode::Paper);
        for config in [cards, spider] {
            assert_eq!(config.training.objective, Objective::Mean);
            assert_eq!(config.idioms.mining, MiningConfig::paper());
        }
    }

    fn check(text: &str, expected: &str, help: Option<&str>) {
        let error = RunConfig::parse("my.toml", text).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with(expected), "{message}");
        assert_eq!(error.help().as_deref(), help, "{message}");
    }

    #[test]
    fn mistakes_are_named_with_line_and_suggestion() {
        check(
            "corpus = 'spider'\n[training]\nbatchsize = 3",
            "`my.toml`, line 3: unknown key `batchsize`, expected one of",
            Some("did you mean `batch_size`?"),
        );
        check(
            "[trainig]\nbatch_size = 3",
            "`my.toml`, line 1: unknown key `trainig`, expected one of",
            Some("did you mean `training`?"),
        );
        check(
            "[model]\nencoder = 'schemas'",
            "`my.toml`, line 2: unknown variant `schemas`, expected `words` or `schema`",
            Some("did you mean `schema`?"),
        );
        check(
            "[training]\nbogus = 3",
            "`my.toml`, line 2: unknown key `bogus`",
            None,
        );
        check(
            "[vectors]\nn_frequent = 3",
            "`my.toml`, line 1: missing field `file`",
            None,
        );
        check("seed = -1", "`my.toml`, line 1: invalid value", None);
        check("seed = ", "`my.toml`, line 1: ", None);
        check(
            "[training]\nbatch_size = 0",
            "`my.toml`: `training.batch_size`: expected at least 1, found 0",
            None,
        );
        check(
            "n_folds = 1",
            "`my.toml`: `n_folds`: expected at least 2, found 1",
            None,
        );
        check(
            "[idioms.mining.chain.prior]\nconcentration = 1.0\ndiscount = 2.0",
            "`my.toml`: `idioms.mining.chain.prior`: ",
            None,
        );
    }
}
