//! `model.toml`: what a model was trained for.

use patois_syntax::{Fingerprint, IdiomLibrary};
use serde::{Deserialize, Serialize};

use crate::corpus::Programs;

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
    /// What tells the configuration of the run that made it, where that was written down.
    pub run: Option<Fingerprint>,
}

impl ModelCard {
    /// The version that is written here, and the only one that is read.
    pub(crate) const VERSION: u32 = 1;

    /// What is known of a model of a run before it has learnt anything.
    pub(crate) fn new(programs: &Programs, library: &IdiomLibrary, run: Fingerprint) -> ModelCard {
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
            run: Some(run),
        }
    }

    pub(super) fn parse(text: &str) -> Result<ModelCard, String> {
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
    pub(crate) fn to_toml(&self) -> String {
        toml::to_string(self).expect("texts and numbers are always TOML")
    }
}
