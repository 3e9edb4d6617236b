//! Why a stage cannot do its part.

use std::path::PathBuf;

use patois_codebase::idiom_file::IdiomFileError;
use patois_codebase::output::OutputError;
use patois_database::DatabaseError;
use patois_mining::MiningError;
use patois_syntax::{GrammarMismatch, InduceError};
use patois_synthesis::training::{LoadError, TrainingError};

use super::config::RunConfigError;
use super::folder::RunDirError;
use crate::corpus::{CorpusError, Split};
use crate::spec::encoder_folder::EncoderFolderError;
use crate::spec::vectors_file::VectorsFileError;

/// Why a stage cannot do its part.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// There is no such corpus.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// Its trees contradict each other.
    #[error("the programs have no common grammar: {0}")]
    Grammar(#[from] InduceError),
    /// There is nothing to learn from.
    #[error("`{corpus}` has no program to learn from{}", because(.first.as_deref()))]
    NoPrograms {
        /// The corpus.
        corpus: String,
        /// The first row that was dropped, and why.
        first: Option<String>,
    },
    /// The corpus has no such part.
    #[error("`{corpus}` has no split `{split}`")]
    NoSplit {
        /// The corpus.
        corpus: String,
        /// The part that was asked for.
        split: Split,
        /// Those that it has.
        splits: Vec<Split>,
    },
    /// No row of a part of the corpus can be asked about.
    #[error("no row of the split `{split}` of `{corpus}` is an example{}", because(.first.as_deref()))]
    NoExamples {
        /// The corpus.
        corpus: String,
        /// The part that was asked for.
        split: Split,
        /// The first row that was dropped, and why.
        first: Option<String>,
    },
    /// The encoder is not made for the programs.
    #[error("`model.encoder` is `{found}`, but {language} programs need `{expected}`")]
    Encoder {
        /// The language of the programs.
        language: String,
        /// The encoder that was asked for.
        found: &'static str,
        /// The one that is needed.
        expected: &'static str,
    },
    /// Ranks are to do the same.
    #[error(
        "expected rank {0} to have the corpus, configuration and version of rank 0, found others"
    )]
    OtherRank(usize),
    /// Idioms cannot be mined.
    #[error("cannot mine idioms: {0}")]
    Mining(#[from] MiningError),
    /// Idioms cannot be read.
    #[error(transparent)]
    IdiomFile(#[from] IdiomFileError),
    /// A model is asked for what it does not write.
    #[error("the programs of `{corpus}` are {found}, the model writes {expected}")]
    OtherLanguage {
        /// The corpus.
        corpus: String,
        /// Its language.
        found: String,
        /// The model's.
        expected: String,
    },
    /// The model to begin with has another shape.
    #[error("training cannot begin with the model in `{}`: `{key}` is another there", .run.display())]
    OtherShape {
        /// The run that it comes from.
        run: PathBuf,
        /// The first part of the configuration that differs.
        key: String,
    },
    /// Idioms of a checkpoint or model are not the corpus's.
    #[error("the idioms are of another grammar: {0}")]
    OtherGrammar(#[from] GrammarMismatch),
    /// The values of a database cannot be read.
    #[error("cannot link words to values: {0}")]
    Linking(DatabaseError),
    /// Word vectors cannot be read.
    #[error(transparent)]
    Vectors(#[from] VectorsFileError),
    /// A pretrained encoder cannot be read.
    #[error(transparent)]
    EncoderFolder(#[from] EncoderFolderError),
    /// A checkpoint or a model cannot be read.
    #[error("`{}`: {source}", .path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LoadError,
    },
    /// A report is there, and cannot be read: what it says of evaluations would be lost.
    #[error("`{}` is damaged, or no report: {message}", .path.display())]
    Report {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        message: String,
    },
    /// The model writes programs of a language that has no grammar of its own.
    #[error("the model writes `{found}`, expected `python` or `sql`")]
    Language {
        /// The language.
        found: String,
    },
    /// There is nothing to learn from, or the numbers are none any more.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The folder cannot be used.
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    /// It was asked to stop before anything could be kept.
    #[error("asked to stop")]
    Stopped,
}

impl From<RunConfigError> for StageError {
    fn from(error: RunConfigError) -> StageError {
        RunDirError::from(error).into()
    }
}

/// The reason behind a message, where there is one.
fn because(reason: Option<&str>) -> String {
    reason.map(|it| format!(": {it}")).unwrap_or_default()
}
