//! Findings: places of the code that somebody should look at, whoever found them.
//!
//! What is common to all of them is here: where they are, [fingerprints](Finding::fingerprint) that stay
//! the same when lines move, a [baseline](Baseline) of old ones, [comments](Comments) that silence them,
//! and the [lines that a change touches](ChangedLines). [`crate::sarif`] and [`github()`] write them down.

mod baseline;
mod changed;
mod comments;
mod github;

use std::path::{Component, Path};

use indexmap::IndexMap;
use patois_syntax::{Fingerprint, Span};
use serde::Serialize;

use crate::source_file::SourceFile;

pub use baseline::{Baseline, BaselineError, Judged};
pub use changed::{ChangedError, ChangedLines};
pub use comments::Comments;
pub use github::github;

/// Something about a place that somebody should look at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The id of the rule that it is against.
    pub rule: String,
    /// How bad it is.
    pub level: Level,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where.
    #[serde(flatten)]
    pub region: Region,
    /// Other places that help to judge it.
    pub related: Vec<Related>,
    /// What tells it from other findings, wherever in its file it moves; set by [`fingerprint`].
    pub fingerprint: String,
    /// How to mend it, where there is one way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Good to know.
    Note,
    /// Somebody should look.
    Warning,
    /// Somebody has said that this must not be.
    Error,
}

/// A stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Region {
    /// The file.
    pub file: String,
    /// The line that it begins on, counted from one.
    pub line: usize,
    /// The column that it begins in, in characters, counted from one.
    pub column: usize,
    /// The line that it ends on.
    pub end_line: usize,
    /// The column behind its last character.
    pub end_column: usize,
    /// The line of source code that it begins on, without its indentation.
    pub text: String,
}

/// Another place that helps to judge a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Related {
    /// What is there.
    pub message: String,
    /// Where.
    #[serde(flatten)]
    pub region: Region,
}

/// How to mend a finding: text of its file that becomes other text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// What it does.
    pub description: String,
    /// The first byte that is replaced.
    pub start: usize,
    /// One past the last byte that is replaced.
    pub end: usize,
    /// What is there instead.
    pub replacement: String,
    /// The same stretch, in lines and columns.
    pub region: Region,
}

/// What findings are against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleText {
    /// Its id: letters, digits and dashes.
    pub id: String,
    /// In a few words.
    pub title: String,
    /// What is usual.
    pub description: String,
}

impl Region {
    /// A stretch of a file that was read.
    pub fn of(file: &SourceFile, span: Span) -> Region {
        let (line, column) = file.line_column(span.range().start);
        let (end_line, end_column) = file.line_column(span.range().end);
        let text = file.lines(span).next().map_or("", |it| it.1);
        Region {
            file: file.path.clone(),
            line,
            column,
            end_line,
            end_column,
            text: text.trim().to_owned(),
        }
    }
}

impl Level {
    /// The name, as SARIF and GitHub have it.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// Gives each finding its fingerprint.
///
/// It is made of the rule, the file and the code on the line, and not of the line's number: what is above it may
/// grow. Equal findings of a file are counted. `base` is the folder that paths are told from, so that
/// `src/a.py` and `./src/a.py` are the same.
pub fn fingerprint(findings: &mut [Finding], base: &Path) {
    let mut n_equal: IndexMap<String, usize> = IndexMap::new();
    for finding in findings {
        let Region { file, text, .. } = &finding.region;
        let code: Vec<&str> = text.split_whitespace().collect();
        let path = plain_path(Path::new(file), base);
        let key = [finding.rule.as_str(), &path, &code.join(" ")].join("\0");
        let n_before = n_equal.entry(key.clone()).or_default();
        finding.fingerprint = Fingerprint::of(&format!("{key}\0{n_before}")).to_string();
        *n_before += 1;
    }
}

/// A path as it is told from `base`, with slashes: `src/a.py`.
pub fn plain_path(path: &Path, base: &Path) -> String {
    let path = path.strip_prefix(base).unwrap_or(path);
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::RootDir => parts.push(String::new()),
            Component::ParentDir if parts.last().is_some_and(|it| it != "..") => {
                parts.pop();
            }
            it => parts.push(it.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts.join("/")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A finding on a line of a file.
    pub(crate) fn finding(rule: &str, file: &str, line: usize, text: &str) -> Finding {
        let region = Region {
            file: file.to_owned(),
            line,
            column: 5,
            end_line: line,
            end_column: 9,
            text: text.to_owned(),
        };
        Finding {
            rule: rule.to_owned(),
            level: Level::Warning,
            message: "37 of 38 places say `lock`".to_owned(),
            related: Vec::new(),
            fingerprint: String::new(),
            fix: None,
            region,
        }
    }

    #[test]
    fn fingerprints_stay_when_lines_move() {
        let base = Path::new("/home");
        let of = |mut findings: Vec<Finding>| {
            fingerprint(&mut findings, base);
            let found = findings.into_iter().map(|it| it.fingerprint);
            found.collect::<Vec<_>>()
        };
        let before = of(vec![
            finding("r", "a.py", 3, "x = 1"),
            finding("r", "a.py", 9, "x = 1"),
        ]);
        assert_ne!(before[0], before[1]);
        let moved = of(vec![
            finding("r", "./a.py", 30, "x  =  1"),
            finding("r", "/home/a.py", 90, "x = 1"),
        ]);
        assert_eq!(before, moved);
        let others = of(vec![
            finding("s", "a.py", 3, "x = 1"),
            finding("r", "b.py", 3, "x = 1"),
            finding("r", "a.py", 3, "x = 2"),
        ]);
        assert!(others.iter().all(|it| !before.contains(it)));
    }

    #[test]
    fn paths_are_told_from_a_folder() {
        let check = |path: &str, expected: &str| {
            assert_eq!(plain_path(Path::new(path), Path::new("/a/b")), expected);
        };
        check("./src/x.py", "src/x.py");
        check("/a/b/src/x.py", "src/x.py");
        check("/c/x.py", "/c/x.py");
        check("src/../x.py", "x.py");
        check("../x.py", "../x.py");
    }
}
