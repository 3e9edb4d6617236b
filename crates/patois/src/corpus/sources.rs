//! Source files: bare programs, one per file.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};
use rayon::prelude::*;

use super::text_file::decode;
use super::{Corpus, CorpusError, Dropped, Example, Split};

/// The languages whose files can be read, with the extensions of their files.
const EXTENSIONS: [(&str, &[&str]); 2] = [("python", &["py"]), ("sql", &["sql"])];

/// Reads source files and folders of them; without a `language` it is that of the first file
/// whose extension is known, else Python.
///
/// Folders are searched for files with the language's extension, in the order of their names, and
/// what `.gitignore` files exclude is left out, hidden files too. A file that is named is read
/// whatever it is called. A file or folder inside that cannot be read is a dropped row.
///
/// # Errors
///
/// When `language` is not known.
pub fn read(paths: &[&Path], language: Option<&str>) -> Result<Corpus, CorpusError> {
    let (language, extensions) = match language {
        Some(name) => by_name(name)?,
        None => paths
            .iter()
            .find_map(|path| by_extension(path))
            .unwrap_or(EXTENSIONS[0]),
    };
    let mut corpus = Corpus::empty(language);
    let mut files = Vec::new();
    for path in paths {
        find_files(path, extensions, &mut files, &mut corpus.dropped);
    }
    let rows: Vec<Result<Example, Dropped>> =
        files.par_iter().map(|path| read_file(path)).collect();
    for row in rows {
        match row {
            Ok(example) => corpus.add(example),
            Err(dropped) => corpus.dropped.push(dropped),
        }
    }
    Ok(corpus)
}

fn by_name(name: &str) -> Result<(&'static str, &'static [&'static str]), CorpusError> {
    EXTENSIONS
        .into_iter()
        .find(|&(language, _)| language == name)
        .ok_or_else(|| CorpusError::UnknownLanguage {
            found: name.to_owned(),
            known: EXTENSIONS
                .map(|(language, _)| format!("`{language}`"))
                .join(", "),
        })
}

fn by_extension(path: &Path) -> Option<(&'static str, &'static [&'static str])> {
    EXTENSIONS
        .into_iter()
        .find(|(_, extensions)| has_extension(path, extensions))
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension()
        .is_some_and(|found| extensions.iter().any(|extension| found == *extension))
}

fn find_files(
    path: &Path,
    extensions: &[&str],
    files: &mut Vec<PathBuf>,
    dropped: &mut Vec<Dropped>,
) {
    if !path.is_dir() {
        files.push(path.to_owned());
        return;
    }
    let walk = WalkBuilder::new(path)
        .require_git(false)
        .sort_by_file_path(Path::cmp)
        .build();
    for entry in walk {
        match entry {
            Ok(entry) => {
                if has_extension(entry.path(), extensions) && may_be_file(&entry) {
                    files.push(entry.into_path());
                }
            }
            Err(error) => dropped.push(drop_row(path, format!("cannot be searched: {error}"))),
        }
    }
}

/// Whether an entry of a folder is a file, or a link to one or to nothing.
///
/// A pipe would be waited for without end; a link to nothing is worth a dropped row.
fn may_be_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| {
        let leads_elsewhere = || fs::metadata(entry.path()).is_ok_and(|found| !found.is_file());
        kind.is_file() || (kind.is_symlink() && !leads_elsewhere())
    })
}

fn read_file(path: &Path) -> Result<Example, Dropped> {
    let metadata = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if metadata.is_dir() {
        return Err(drop_row(
            path,
            "expected a file, found a directory".to_owned(),
        ));
    }
    let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
    if let Some(offset) = bytes.iter().position(|&byte| byte == 0) {
        let reason = format!("expected source text, found a NUL byte at offset {offset}");
        return Err(drop_row(path, reason));
    }
    let code = decode(path, bytes).map_err(|error| drop_row(path, error.to_string()))?;
    Ok(Example {
        id: path.display().to_string(),
        split: Split::Train,
        text: String::new(),
        code,
        database: None,
    })
}

fn unreadable(path: &Path, error: &std::io::Error) -> Dropped {
    drop_row(path, format!("cannot be read: {error}"))
}

fn drop_row(path: &Path, reason: String) -> Dropped {
    Dropped {
        id: path.display().to_string(),
        split: Split::Train,
        reason,
    }
}
