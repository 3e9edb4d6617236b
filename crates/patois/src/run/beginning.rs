//! A trained model that the training of another one begins with.

use patois_syntax::IdiomLibrary;
use patois_synthesis::Model;
use toml::Table;

use super::config::RunConfig;
use super::error::StageError;
use super::fingerprint;
use super::folder::RunDir;
use super::mine::{Idioms, describe};
use super::read::Source;
use super::synthesizer::Synthesizer;

/// What training begins with: weights, idioms, words and subtokens.
pub(super) struct Beginning {
    library: IdiomLibrary,
    /// The networks of the ensemble.
    pub(super) models: Vec<Model>,
}

impl Beginning {
    /// The model that the configuration begins with; none where it begins with random weights.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or has another shape or language than the configuration asks for.
    pub(super) fn of(config: &RunConfig, source: &Source) -> Result<Option<Beginning>, StageError> {
        let Some(path) = &config.from else {
            return Ok(None);
        };
        let begun = Synthesizer::load(&RunDir::open(path)?)?;
        let corpus = &source.main().corpus;
        if begun.card.language != corpus.language {
            return Err(StageError::OtherLanguage {
                corpus: corpus.name.clone(),
                found: corpus.language.clone(),
                expected: begun.card.language,
            });
        }
        if let Some(key) = fingerprint::difference(&shape(&begun.config), &shape(config)) {
            let run = path.clone();
            return Err(StageError::OtherShape { run, key });
        }
        Ok(Some(Beginning {
            library: begun.library,
            models: begun.models,
        }))
    }

    /// The idioms that the model knows, described by the corpus that it learns from now.
    pub(super) fn idioms(&self, config: &RunConfig, source: &Source) -> Idioms {
        Idioms {
            file: describe(config, source, &self.library),
            library: self.library.clone(),
        }
    }
}

/// What decides which weights a model has.
fn shape(config: &RunConfig) -> Table {
    let mut shape = Table::new();
    let mut add = |key: &str, value| shape.insert(key.to_owned(), value);
    add("model", plain(&config.model));
    add("sql", plain(&config.sql));
    let training = Table::from_iter([("n_models".to_owned(), plain(&config.training.n_models))]);
    add("training", training.into());
    shape
}

fn plain(value: &impl serde::Serialize) -> toml::Value {
    toml::Value::try_from(value).expect("a configuration is plain data")
}
