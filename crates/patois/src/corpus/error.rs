//! Why a corpus cannot be read.

use std::io;
use std::path::PathBuf;

use patois_codebase::repository::RepositoryError;
use patois_languages::sql::DatabaseSchemaError;

use super::Dataset;

/// Why a corpus cannot be read; each case names the place, what was found and what was expected.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// Neither a dataset nor a path.
    #[error(
        "expected a dataset (`default`, `hearthstone`, `spider`, `spider-syn`, `conala`, `django`) or a \
         path, found `{name}`, which is neither"
    )]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// A dataset that is not where it should be.
    #[error(
        "{dataset}: looked for {} ({origin}), which does not exist; pass --data DIR or set \
         PATOIS_DATA to a folder that holds `{dataset}`; the dataset is published as {published}",
        path.display()
    )]
    Missing {
        /// The dataset's name.
        dataset: &'static str,
        /// What was looked for.
        path: PathBuf,
        /// Why it was looked for there.
        origin: &'static str,
        /// Where it can be had, in words.
        published: &'static str,
    },
    /// A file or folder that cannot be read.
    #[error("{}: expected {expected}: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What it should be.
        expected: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Bytes that are no text.
    #[error("{}:{line}: expected UTF-8 text, found byte 0x{byte:02x} at offset {offset}", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The one-based line.
        line: usize,
        /// The first byte that does not belong.
        byte: u8,
        /// Its offset in the file.
        offset: usize,
    },
    /// Two files that should have as many lines as each other.
    #[error(
        "expected as many lines in {} as in {}, found {second_count} and {first_count}",
        second.display(), first.display()
    )]
    LineCounts {
        /// The file with the texts.
        first: PathBuf,
        /// How many lines it has.
        first_count: usize,
        /// The file with the programs.
        second: PathBuf,
        /// How many lines it has.
        second_count: usize,
    },
    /// JSON that is broken or of another shape.
    #[error("{}:{line}:{column}: expected {expected}: {message}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The one-based line.
        line: usize,
        /// The one-based column, in bytes.
        column: usize,
        /// The shape it should have.
        expected: &'static str,
        /// What was found instead.
        message: String,
    },
    /// A `tables.json` that cannot be used.
    #[error("{}: {source}", path.display())]
    Databases {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: DatabaseSchemaError,
    },
    /// A database that is not where its row says.
    #[error("{place}: expected the database `{name}` in the file {}, which does not exist", file.display())]
    NoDatabase {
        /// The file and line of the row.
        place: String,
        /// What the row calls it.
        name: String,
        /// The file that was looked for.
        file: PathBuf,
    },
    /// JSON lines that nobody said the language of.
    #[error("{}: expected to be told the language of the programs, `python` or `sql`", path.display())]
    NoLanguage {
        /// The file.
        path: PathBuf,
    },
    /// A corpus of another language than it was said to be.
    #[error("{name}: its programs are {expected}, but the language `{found}` was asked for")]
    OtherLanguage {
        /// The corpus.
        name: String,
        /// Its language.
        expected: String,
        /// The one that was asked for.
        found: String,
    },
    /// Source files that cannot be looked for.
    #[error(transparent)]
    Sources(#[from] RepositoryError),
    /// Corpora that cannot be joined.
    #[error("{name}: expected {expected} programs like those of {first_name}, found {found}")]
    MixedLanguages {
        /// The corpus that does not fit.
        name: String,
        /// Its language.
        found: String,
        /// The first corpus.
        first_name: String,
        /// The first one's language.
        expected: String,
    },
    /// A corpus without a single row.
    #[error("{name}: expected {expected}, found none")]
    NoExamples {
        /// The corpus.
        name: String,
        /// What was looked for.
        expected: String,
    },
}

impl CorpusError {
    /// Says of a missing file where the dataset that it belongs to is published.
    pub(super) fn of_dataset(self, dataset: Dataset) -> CorpusError {
        match self {
            CorpusError::Unreadable { path, source, .. }
                if source.kind() == io::ErrorKind::NotFound =>
            {
                CorpusError::Missing {
                    dataset: dataset.name(),
                    path,
                    origin: "a file of the dataset",
                    published: dataset.published(),
                }
            }
            other => other,
        }
    }
}
