//! Source files: finding them in folders and reading them as text.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::WalkBuilder;
use serde::Serialize;

/// Which files of a folder are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkConfig {
    /// Endings of the files that are wanted, without the dot.
    pub extensions: Vec<String>,
    /// Whether files that `.gitignore`, `.ignore` and their like exclude are left out.
    pub ignored: Ignored,
    /// Whether files and folders whose name starts with a dot are left out.
    pub hidden: Hidden,
    /// Whether symbolic links inside folders are followed.
    pub links: Links,
    /// Whether folders that usually hold other people's code, or a machine's, are left out.
    pub vendored: Vendored,
}

/// What happens to files that an ignore file excludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignored {
    /// They are left out.
    Skip,
    /// They are taken like any other.
    Take,
}

/// What happens to files and folders whose name starts with a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// They are left out.
    Skip,
    /// They are taken like any other.
    Take,
}

/// What happens to symbolic links inside folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// They are left out.
    Skip,
    /// They are followed; one that leads back to a folder above it is an [`Unreadable`].
    Follow,
}

/// What happens to folders such as `node_modules`, which hold code that is not the repository's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vendored {
    /// They are left out, and each is an [`Unreadable`] that says so.
    Skip,
    /// They are taken like any other.
    Take,
}

/// Folders with code that was copied from elsewhere, or built.
const VENDORED: &[&str] = &[
    "__pycache__",
    "bower_components",
    "dist",
    "jspm_packages",
    "node_modules",
    "Pods",
    "site-packages",
    "target",
    "third-party",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
    "venv",
];

/// What was found: files to read, and places that could not be looked at.
#[derive(Debug, Default)]
pub struct Found {
    /// The files, in the order of their paths, each once.
    pub files: Vec<PathBuf>,
    /// Places that could not be looked at.
    pub unreadable: Vec<Unreadable>,
}

/// A file or folder that could not be read, or not as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, thiserror::Error)]
#[error("{file}: {message}")]
pub struct Unreadable {
    /// The path, as given or found.
    pub file: String,
    /// Why.
    pub message: String,
    /// Whose doing it is.
    #[serde(skip)]
    pub cause: Cause,
}

/// Whose doing it is that something was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// It cannot be read, or is no program.
    Failure,
    /// We choose to: it is a link, vendored, minified, very large.
    Choice,
    /// There is nothing in it.
    Nothing,
}

impl Unreadable {
    /// Something that cannot be read.
    pub fn new(file: impl Into<String>, message: impl Into<String>) -> Unreadable {
        Unreadable {
            file: file.into(),
            message: message.into(),
            cause: Cause::Failure,
        }
    }

    /// Something that is left out on purpose.
    pub(crate) fn by_choice(file: impl Into<String>, message: impl Into<String>) -> Unreadable {
        Unreadable {
            cause: Cause::Choice,
            ..Unreadable::new(file, message)
        }
    }

    /// The reason without the place, so that files with the same fault can be counted together.
    pub fn kind(&self) -> &str {
        let place = self.message.rsplit_once(" (line ");
        place.map_or(&self.message, |(kind, _)| kind)
    }
}

/// Finds the files below `roots`.
///
/// A file that is named itself is always taken, whatever its ending and whatever ignores it.
pub fn find(roots: &[PathBuf], config: &WalkConfig) -> Found {
    let mut found = Found::default();
    for root in roots {
        find_below(root, config, &mut found);
    }
    found.files.sort();
    found.files.dedup();
    found.unreadable.sort();
    found.unreadable.dedup();
    found
}

/// Reads a source file as text.
///
/// # Errors
///
/// When it cannot be read, is larger than a gigabyte, or is text of neither UTF-8 nor a declared Latin-1.
pub fn read(path: &Path) -> Result<String, Unreadable> {
    read_at_most_from(path, MAX_BYTES)
}

/// Reads a source file as text, unless it is larger than `max_bytes`.
///
/// # Errors
///
/// As for [`read`].
pub fn read_at_most_from(path: &Path, max_bytes: u64) -> Result<String, Unreadable> {
    let name = || path.display().to_string();
    let failed = |message: String| Unreadable::new(name(), message);
    let file = File::open(path).map_err(|error| failed(plain(&error)))?;
    let is_folder = file.metadata().is_ok_and(|metadata| metadata.is_dir());
    if is_folder {
        return Err(failed("is a directory".to_owned()));
    }
    let max_bytes = max_bytes.min(MAX_BYTES);
    let bytes = read_at_most(max_bytes, file).map_err(|error| failed(plain(&error)))?;
    let bytes = bytes.ok_or_else(|| Unreadable::by_choice(name(), too_large(max_bytes)))?;
    decode(bytes).map_err(failed)
}

/// Reads a source text to its end; the error is a message without the name of the source.
///
/// # Errors
///
/// As for [`read`].
pub fn read_from(reader: impl Read) -> Result<String, String> {
    let bytes = read_at_most(MAX_BYTES, reader).map_err(|error| plain(&error))?;
    decode(bytes.ok_or_else(|| too_large(MAX_BYTES))?)
}

/// The most that a source file may hold: positions in parsers are 32 bits wide.
pub(crate) const MAX_BYTES: u64 = 1_000_000_000;

/// Turns the bytes of a source file into text.
///
/// A byte order mark is dropped here, so that no parser meets it. Text is UTF-8, unless one of the
/// first two lines declares Latin-1 (`# -*- coding: latin-1 -*-`, PEP 263). NUL bytes and other
/// encodings are refused.
///
/// # Errors
///
/// When the bytes are no such text: a message that names the offending byte and its place.
pub(crate) fn decode(mut bytes: Vec<u8>) -> Result<String, String> {
    if bytes.starts_with(&[0xFE, 0xFF]) || bytes.starts_with(&[0xFF, 0xFE]) {
        return Err("is UTF-16, expected UTF-8".to_owned());
    }
    let has_mark = bytes.starts_with(BYTE_ORDER_MARK);
    if has_mark {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    let skipped = if has_mark { BYTE_ORDER_MARK.len() } else { 0 };
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(format!("holds a NUL byte at offset {}", at + skipped));
    }
    let declared = declared_encoding(&bytes);
    match declared.as_deref().map_or(Encoding::Utf8, Encoding::named) {
        Encoding::Latin1 if !has_mark => Ok(bytes.into_iter().map(char::from).collect()),
        Encoding::Unknown if !bytes.is_ascii() => Err(format!(
            "declares the encoding `{}`, expected UTF-8 or Latin-1",
            declared.unwrap_or_default()
        )),
        _ => String::from_utf8(bytes).map_err(|error| invalid_utf8(&error, skipped)),
    }
}

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// All bytes; none where there are too many.
fn read_at_most(max_bytes: u64, reader: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(max_bytes + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= max_bytes).then_some(bytes))
}

fn too_large(max_bytes: u64) -> String {
    match max_bytes {
        1_000_000.. => format!("is larger than {} MB", max_bytes / 1_000_000),
        _ => format!("is larger than {max_bytes} bytes"),
    }
}

fn find_below(root: &Path, config: &WalkConfig, found: &mut Found) {
    let take_ignored = config.ignored == Ignored::Take;
    let vendored = Arc::new(Mutex::new(Vec::new()));
    let mut builder = WalkBuilder::new(root);
    if config.vendored == Vendored::Skip {
        let vendored = Arc::clone(&vendored);
        builder.filter_entry(move |entry| {
            let is_skipped = is_vendored(entry);
            if is_skipped {
                let mut vendored = vendored.lock().unwrap_or_else(PoisonError::into_inner);
                vendored.push(entry.path().display().to_string());
            }
            !is_skipped
        });
    }
    let walk = builder
        .standard_filters(!take_ignored)
        .require_git(false)
        .hidden(config.hidden == Hidden::Skip)
        .follow_links(config.links == Links::Follow)
        .build();
    for entry in walk {
        match entry {
            Ok(entry) => {
                let is_named = entry.depth() == 0;
                let is_file = entry.file_type().is_some_and(|it| it.is_file());
                let is_folder = entry.path().is_dir() && (is_named || !is_file);
                if is_named && !is_folder || is_file && has_extension(entry.path(), config) {
                    found.files.push(entry.into_path());
                } else if config.vendored == Vendored::Skip
                    && let Some(message) = odd(&entry, config)
                {
                    let path = entry.path().display().to_string();
                    found.unreadable.push(Unreadable::by_choice(path, message));
                }
            }
            Err(error) => found.unreadable.push(walk_error(root, &error)),
        }
    }
    let mut vendored = vendored.lock().unwrap_or_else(PoisonError::into_inner);
    let message = "is a folder of vendored or built code";
    let vendored = vendored.drain(..);
    let vendored = vendored.map(|file| Unreadable::by_choice(file, message));
    found.unreadable.extend(vendored);
}

/// What keeps an entry from being looked at that looks like source code, if it is no folder.
fn odd(entry: &ignore::DirEntry, config: &WalkConfig) -> Option<&'static str> {
    let kind = entry.file_type()?;
    let is_source = || has_extension(entry.path(), config);
    if kind.is_symlink() && (is_source() || entry.path().is_dir()) {
        return Some("is a symbolic link");
    }
    (!kind.is_dir() && !kind.is_file() && is_source()).then_some("is no regular file")
}

/// Whether an entry is a folder of code from elsewhere; what is named is always looked at.
fn is_vendored(entry: &ignore::DirEntry) -> bool {
    let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
    let name = entry.file_name().to_str();
    entry.depth() > 0 && is_folder && name.is_some_and(|it| VENDORED.contains(&it))
}

fn has_extension(path: &Path, config: &WalkConfig) -> bool {
    path.extension().is_some_and(|ending| {
        let mut wanted = config.extensions.iter();
        wanted.any(|it| ending.eq_ignore_ascii_case(it))
    })
}

/// The path and the message of an error that the walk wraps in several layers.
fn walk_error(root: &Path, error: &ignore::Error) -> Unreadable {
    let mut path = root.to_owned();
    let mut inner = error;
    loop {
        inner = match inner {
            ignore::Error::WithPath { path: at, err } => {
                path.clone_from(at);
                err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
            _ => break,
        };
    }
    let message = match inner {
        ignore::Error::Io(error) => plain(error),
        ignore::Error::Loop { ancestor, child } => {
            path.clone_from(child);
            format!("is a link back to `{}`", ancestor.display())
        }
        other => other.to_string(),
    };
    Unreadable::new(path.display().to_string(), message)
}

/// What the system said, in our words where it is one of the usual things.
fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "is a directory".to_owned(),
        _ => error.to_string(),
    }
}

fn invalid_utf8(error: &std::string::FromUtf8Error, skipped: usize) -> String {
    let at = error.utf8_error().valid_up_to();
    let byte = error.as_bytes()[at];
    format!("is not UTF-8: byte 0x{byte:02X} at offset {}", at + skipped)
}

/// The encodings that a Python file may declare, as far as we tell them apart.
#[derive(PartialEq)]
enum Encoding {
    Utf8,
    Latin1,
    Unknown,
}

impl Encoding {
    fn named(name: &str) -> Encoding {
        match name.to_ascii_lowercase().replace('_', "-").as_str() {
            "utf-8" | "utf8" | "utf-8-sig" | "ascii" | "us-ascii" => Encoding::Utf8,
            "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "iso-latin-1" | "l1" => {
                Encoding::Latin1
            }
            _ => Encoding::Unknown,
        }
    }
}

/// The name in a `coding:` or `coding=` comment on one of the first two lines.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let mut lines = bytes.split(|&byte| byte == b'\n').take(2);
    let first = lines.next()?;
    coding_comment(first).or_else(|| {
        // The second line counts only where the first is blank or a comment.
        let is_code = first.trim_ascii().first().is_some_and(|&byte| byte != b'#');
        if is_code {
            None
        } else {
            coding_comment(lines.next()?)
        }
    })
}

fn coding_comment(line: &[u8]) -> Option<String> {
    let line = line.trim_ascii_start();
    if line.first() != Some(&b'#') {
        return None;
    }
    // A declaration stands near the start; nobody hides one far into a long line.
    let line = String::from_utf8_lossy(&line[..line.len().min(400)]).into_owned();
    let (_, after) = line.split_once("coding")?;
    let name = after.strip_prefix([':', '='])?.trim_start();
    let is_part = |it: char| it.is_ascii_alphanumeric() || "-_.".contains(it);
    let end = name.find(|it| !is_part(it)).unwrap_or(name.len());
    (end > 0).then(|| name[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn check(bytes: &[u8], expected: Result<&str, &str>) {
        let found = decode(bytes.to_vec());
        assert_eq!(found.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn bytes_become_text() {
        check(b"", Ok(""));
        check("x = 'é'\r\n".as_bytes(), Ok("x = 'é'\r\n"));
        check(b"\xEF\xBB\xBFx", Ok("x"));
        check(b"# coding: latin-1\n'\xE9'", Ok("# coding: latin-1\n'é'"));
        check(
            b"#!/bin/python\n# vim: set fileencoding=iso-8859-1 :\n'\xE9'",
            Ok("#!/bin/python\n# vim: set fileencoding=iso-8859-1 :\n'é'"),
        );
        check(b"# coding: koi8-r\nx", Ok("# coding: koi8-r\nx"));
    }

    #[test]
    fn what_is_no_text_says_where() {
        check(b"ab\xFFc", Err("is not UTF-8: byte 0xFF at offset 2"));
        check(
            b"\xEF\xBB\xBFab\xFFc",
            Err("is not UTF-8: byte 0xFF at offset 5"),
        );
        check(
            b"x = 1\n# coding: latin-1\n\xE9",
            Err("is not UTF-8: byte 0xE9 at offset 24"),
        );
        check(b"a\0b", Err("holds a NUL byte at offset 1"));
        check(b"\xFF\xFEa\0", Err("is UTF-16, expected UTF-8"));
        check(
            b"# coding: koi8-r\n\xC1",
            Err("declares the encoding `koi8-r`, expected UTF-8 or Latin-1"),
        );
    }

    #[test]
    fn a_source_without_end_is_cut_off() {
        let bytes = read_at_most(2_000_000, io::repeat(b' ')).unwrap();
        assert_eq!(bytes, None);
        assert_eq!(too_large(2_000_000), "is larger than 2 MB");
    }

    fn config() -> WalkConfig {
        WalkConfig {
            extensions: vec!["py".to_owned()],
            ignored: Ignored::Skip,
            hidden: Hidden::Skip,
            links: Links::Skip,
            vendored: Vendored::Take,
        }
    }

    fn names(folder: &Path, roots: &[&str], config: &WalkConfig) -> Vec<String> {
        let roots: Vec<_> = roots.iter().map(|root| folder.join(root)).collect();
        let files = find(&roots, config).files;
        let below = |file: &PathBuf| file.strip_prefix(folder).unwrap().display().to_string();
        files.iter().map(below).collect()
    }

    #[test]
    fn folders_are_walked_as_ripgrep_would() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in [
            "b.py",
            "a.PY",
            "c.txt",
            ".hidden.py",
            "skipped.py",
            "x.py/in.py",
        ] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), "").unwrap();
        }
        fs::write(root.join(".ignore"), "skipped.py\n").unwrap();

        assert_eq!(
            names(root, &[""], &config()),
            ["a.PY", "b.py", "x.py/in.py"]
        );
        let twice = names(
            root,
            &["", "b.py", "c.txt", "skipped.py", ".hidden.py"],
            &config(),
        );
        assert_eq!(
            twice,
            [
                ".hidden.py",
                "a.PY",
                "b.py",
                "c.txt",
                "skipped.py",
                "x.py/in.py"
            ]
        );
        let all = WalkConfig {
            ignored: Ignored::Take,
            hidden: Hidden::Take,
            ..config()
        };
        let everything = [".hidden.py", "a.PY", "b.py", "skipped.py", "x.py/in.py"];
        assert_eq!(names(root, &[""], &all), everything);
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_round_in_circles() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::write(root.join("a.py"), "").unwrap();
        std::os::unix::fs::symlink(root, root.join("loop")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("dangling.py")).unwrap();
        assert_eq!(names(root, &[""], &config()), ["a.py"]);

        let follow = WalkConfig {
            links: Links::Follow,
            ..config()
        };
        let found = find(&[root.to_owned()], &follow);
        assert_eq!(found.files, [root.join("a.py")]);
        let messages: Vec<_> = found
            .unreadable
            .iter()
            .map(|it| it.message.as_str())
            .collect();
        let back = format!("is a link back to `{}`", root.display());
        assert_eq!(messages, ["no such file or directory", back.as_str()]);
    }
}
