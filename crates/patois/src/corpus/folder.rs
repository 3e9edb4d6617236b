//! Folders and files of source code: bare programs, one per file.
//!
//! [`Repository`](patois_codebase::repository::Repository) is for whoever mines: it knows more languages, and
//! cuts files into functions.

use std::path::{Path, PathBuf};

use patois_codebase::repository::RepositoryError;
use patois_codebase::sources::{self, Hidden, Ignored, Links, Unreadable, Vendored, WalkConfig};
use patois_languages::SourceLanguage;
use rayon::prelude::*;

use super::{Corpus, CorpusError, Dropped, Example, Split};

/// The languages whose programs can be synthesised, which have grammars of their own.
pub(crate) const LANGUAGES: [&str; 2] = ["python", "sql"];

/// Reads source files and folders of them; without a `language`, the endings of the files tell, and
/// folders are searched for Python.
///
/// Folders are searched for files with the language's ending, and what `.gitignore` files exclude
/// is left out, hidden files too. A file that is named is read whatever it is called. What cannot
/// be read is a dropped row.
///
/// # Errors
///
/// When `language` is not known, or not given and the ending of a file does not tell.
pub(crate) fn read(paths: &[PathBuf], language: Option<&str>) -> Result<Corpus, CorpusError> {
    let language = match language {
        Some(name) => by_name(name)?,
        None => by_extensions(paths)?,
    };
    let extensions = SourceLanguage::extensions(language).iter();
    let config = WalkConfig {
        extensions: extensions.map(|&ending| ending.to_owned()).collect(),
        ignored: Ignored::Skip,
        hidden: Hidden::Skip,
        links: Links::Skip,
        vendored: Vendored::Take,
    };
    let found = sources::find(paths, &config);
    let rows: Vec<Result<Example, Unreadable>> =
        found.files.par_iter().map(|path| read_file(path)).collect();

    let mut corpus = Corpus::empty(language);
    let unreadable = found.unreadable.into_iter().map(Err);
    for row in unreadable.chain(rows) {
        match row {
            Ok(example) => corpus.add(example),
            Err(unreadable) => corpus.drop_file(unreadable),
        }
    }
    Ok(corpus)
}

/// Whether a path is one of source code: a file or folder that is no dataset and no JSON lines.
pub fn is_sources(path: &Path) -> bool {
    let is_rows = path
        .extension()
        .is_some_and(|it| it == "jsonl" || it == "ndjson");
    path.is_file() && !is_rows || path.is_dir() && crate::corpus::dataset_in(path).is_none()
}

impl Corpus {
    /// Adds a file that could not be read.
    fn drop_file(&mut self, unreadable: Unreadable) {
        self.dropped.push(Dropped {
            id: unreadable.file,
            split: Split::Train,
            reason: unreadable.message,
        });
    }
}

fn dotted<'e>(endings: impl Iterator<Item = &'e &'e str>) -> Vec<String> {
    endings.map(|ending| format!("`.{ending}`")).collect()
}

/// One of the languages.
pub(super) fn by_name(name: &str) -> Result<&'static str, RepositoryError> {
    let found = LANGUAGES.into_iter().find(|&it| it == name);
    found.ok_or_else(|| RepositoryError::unknown_language(name, &LANGUAGES))
}

/// The language of the first file; folders may hold anything.
fn by_extensions(paths: &[PathBuf]) -> Result<&'static str, RepositoryError> {
    let mut first = None;
    for path in paths.iter().filter(|path| !path.is_dir()) {
        let language = by_extension(path).ok_or_else(|| RepositoryError::UnknownEnding {
            path: path.clone(),
            known: endings().join(", "),
        })?;
        first = first.or(Some(language));
    }
    Ok(first.unwrap_or(LANGUAGES[0]))
}

fn endings() -> Vec<String> {
    dotted(LANGUAGES.into_iter().flat_map(SourceLanguage::extensions))
}

fn by_extension(path: &Path) -> Option<&'static str> {
    let mut languages = LANGUAGES.into_iter();
    languages.find(|it| SourceLanguage::has_ending(it, path))
}

fn read_file(path: &Path) -> Result<Example, Unreadable> {
    Ok(Example {
        id: path.display().to_string(),
        split: Split::Train,
        text: String::new(),
        code: sources::read(path)?,
        database: None,
    })
}
