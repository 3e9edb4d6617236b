//! corpus → trees.

use patois_syntax::Tree;
use patois_synthesis::EncoderKind;

use super::config::RunConfig;
use super::error::StageError;
use crate::corpus::{Corpus, CorpusError, DataDir, Languages, Programs, Split};

/// A corpus, and the languages that its programs were parsed with.
#[derive(Clone)]
pub struct Source {
    /// The programs of the train and dev splits.
    pub programs: Programs,
    /// Their languages.
    pub languages: Languages,
}

impl Source {
    /// Reads a corpus, and parses its train and dev splits.
    ///
    /// # Errors
    ///
    /// When there is no such corpus, none of its training programs can be parsed, or the encoder is
    /// not made for them.
    pub fn read(config: &RunConfig, data: &DataDir) -> Result<Source, StageError> {
        Source::of(config, open_corpus(config, data)?)
    }

    /// Parses the train and dev splits of a corpus.
    pub(super) fn of(config: &RunConfig, corpus: Corpus) -> Result<Source, StageError> {
        check_encoder(&corpus, config.model.encoder)?;
        let languages = Languages::of_corpus(&corpus, config.sql.mode)?;
        let mut programs = corpus.parse(&languages)?;
        programs.keep(|split| matches!(split, Split::Train | Split::Dev));
        if programs.of(Split::Train).next().is_none() {
            let corpus = programs.corpus;
            let first = corpus.dropped.first();
            return Err(StageError::NoPrograms {
                first: first.map(|row| format!("{}: {}", row.id, row.reason)),
                corpus: corpus.name,
            });
        }
        Ok(Source {
            programs,
            languages,
        })
    }

    pub(super) fn trees(&self, split: Split) -> Vec<Tree> {
        self.programs.of(split).cloned().collect()
    }
}

/// The corpus of a run: what it learns from is the train split, what it is measured on are the others.
///
/// # Errors
///
/// When there is no such corpus.
pub fn open_corpus(config: &RunConfig, data: &DataDir) -> Result<Corpus, CorpusError> {
    let mut corpus = Corpus::open(&config.corpus, data, &config.corpus_options())?;
    match config.fold() {
        Some(fold) => corpus.hold_out(fold),
        None => corpus.complete_splits(),
    }
    if let Some(n_train) = config.n_train {
        keep_first(&mut corpus, n_train);
    }
    Ok(corpus)
}

/// Leaves the first examples of the train split, and the others as they are.
fn keep_first(corpus: &mut Corpus, n_train: usize) {
    let mut n_seen = 0;
    corpus.examples.retain(|example| {
        n_seen += usize::from(example.split == Split::Train);
        example.split != Split::Train || n_seen <= n_train
    });
}

fn check_encoder(corpus: &Corpus, encoder: EncoderKind) -> Result<(), StageError> {
    let name = |kind| match kind {
        EncoderKind::Words => "words",
        EncoderKind::Schema => "schema",
        EncoderKind::Pretrained => "pretrained",
    };
    let expected = match corpus.language.as_str() {
        "sql" => EncoderKind::Schema,
        _ => EncoderKind::Words,
    };
    // A pretrained encoder reads whatever there is.
    if [expected, EncoderKind::Pretrained].contains(&encoder) {
        return Ok(());
    }
    Err(StageError::Encoder {
        language: corpus.language.clone(),
        found: name(encoder),
        expected: name(expected),
    })
}
