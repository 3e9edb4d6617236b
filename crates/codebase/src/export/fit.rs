//! How well exported rules fit: the tool that they are for looks at the code that was mined.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use patois_syntax::IdiomLibrary;
use serde::{Deserialize, Serialize};

use super::yaml::Yaml;
use super::{LeftOut, Made, Rules, Tool};
use crate::find::{NumberedIdiom, Sought, find};
use crate::idiom_file::IdiomFile;
use crate::repository::RepositoryPrograms;

/// How well a rule fits the code that was mined, by lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fit {
    /// The id of the idiom.
    pub idiom: String,
    /// On how many lines a place of the idiom begins.
    pub lines: usize,
    /// How many of these the tool finds.
    pub found: usize,
    /// How many others it finds.
    pub more: usize,
}

/// Why the tool could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// It is not there.
    #[error("`{tool}` is not on the path")]
    NoTool {
        /// Its name.
        tool: &'static str,
    },
    /// It cannot be started, or its rules cannot be handed over.
    #[error("cannot run `{tool}`")]
    Io {
        /// Its name.
        tool: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// It did not say what it found.
    #[error("`{tool}` did not look for the rules: {message}")]
    Failed {
        /// Its name.
        tool: &'static str,
        /// What it said.
        message: String,
    },
}

/// The lines of files, by their numbers among those that were mined.
type Lines = BTreeSet<(usize, usize)>;

/// Command lines may be so long on all systems.
const MAX_ARGUMENTS: usize = 20_000;

const FINDS_NOTHING: &str = "the tool finds no place of the idiom by it";

impl Fit {
    /// Which share of the idiom's lines the tool finds.
    pub fn recall(&self) -> f64 {
        self.found as f64 / self.lines.max(1) as f64
    }

    /// Which share of the lines that the tool finds are the idiom's.
    pub fn precision(&self) -> f64 {
        self.found as f64 / (self.found + self.more).max(1) as f64
    }
}

impl Tool {
    /// Asks whether the tool is there.
    ///
    /// # Errors
    ///
    /// When it is not, or does not say its version.
    pub fn check_installed(self) -> Result<(), FitError> {
        self.output(["--version"], Path::new(".")).map(|_| ())
    }

    /// What the tool prints, started in a folder.
    fn output<I: AsRef<OsStr>>(
        self,
        arguments: impl IntoIterator<Item = I>,
        folder: &Path,
    ) -> Result<(String, String), FitError> {
        let tool = self.name();
        let mut command = Command::new(tool);
        let output = command.args(arguments).current_dir(folder).output();
        let output = output.map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => FitError::NoTool { tool },
            _ => FitError::Io { tool, source },
        })?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok((text(output.stdout), text(output.stderr)))
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Tool::AstGrep => &[
                "--no-ignore",
                "hidden",
                "--no-ignore",
                "vcs",
                "--json=compact",
                "--rule",
            ],
            Tool::Semgrep => &[
                "--json",
                "--quiet",
                "--metrics=off",
                "--disable-version-check",
                "--no-git-ignore",
                "--config",
            ],
        }
    }

    fn read(self, json: &str) -> serde_json::Result<Vec<Match>> {
        match self {
            Tool::AstGrep => {
                let found: Vec<AstGrepMatch> = serde_json::from_str(json)?;
                Ok(found.into_iter().flat_map(AstGrepMatch::matches).collect())
            }
            Tool::Semgrep => {
                let found: SemgrepOutput = serde_json::from_str(json)?;
                Ok(found.results.into_iter().map(Match::from).collect())
            }
        }
    }
}

/// The rules of a tool, as [`super::rules`] writes them, of those that find a place of their idiom, and of
/// whose lines this share are the idiom's at least; and how well each fits, those that are left out too.
///
/// # Errors
///
/// When the tool cannot be asked.
pub fn fitting_rules(
    tool: Tool,
    read: &RepositoryPrograms,
    library: &IdiomLibrary,
    file: &IdiomFile,
    min_precision: f64,
) -> Result<(Rules, Vec<Fit>), FitError> {
    let (made, mut left_out) = super::made(tool, read, library, file);
    let paths = read.files.iter().map(|it| canonical(it.path.as_ref()));
    let paths: Vec<Option<PathBuf>> = paths.collect();
    let mut theirs = scan(tool, &Rules::new(tool, &made, Vec::new()).text, &paths)?;
    let mut ours = places(read, file, &paths);
    let mut fitting = Vec::new();
    let mut fits = Vec::new();
    for it in made {
        let ours = ours.remove(&it.id).unwrap_or_default();
        let theirs = theirs.remove(&it.id).unwrap_or_default();
        let fit = Fit {
            idiom: it.id.clone(),
            lines: ours.len(),
            found: ours.intersection(&theirs).count(),
            more: theirs.difference(&ours).count(),
        };
        let reason = if fit.found == 0 {
            Some(FINDS_NOTHING.to_owned())
        } else if fit.precision() < min_precision {
            let share =
                format!("less than {min_precision:.2} of the lines that the tool finds by it");
            Some(format!("{share} are the idiom's"))
        } else {
            None
        };
        match reason {
            Some(reason) => left_out.push(LeftOut {
                idiom: it.id,
                reason,
            }),
            None => fitting.push(it.with_fit(&fit)),
        }
        fits.push(fit);
    }
    Ok((Rules::new(tool, &fitting, left_out), fits))
}

impl Made {
    fn with_fit(mut self, fit: &Fit) -> Made {
        if let Yaml::Map(entries) = &mut self.rule
            && let Some((_, Yaml::Map(metadata))) =
                entries.iter_mut().find(|(key, _)| key == "metadata")
        {
            let shares = [("recall", fit.lines), ("precision", fit.found + fit.more)];
            let share =
                |(key, whole): (&str, usize)| (key.to_owned(), Yaml::share(fit.found, whole));
            metadata.extend(shares.map(share));
        }
        self
    }
}

/// The lines on which places of each idiom begin, in files that are still there.
fn places(
    read: &RepositoryPrograms,
    file: &IdiomFile,
    paths: &[Option<PathBuf>],
) -> BTreeMap<String, Lines> {
    let mut lines: BTreeMap<String, Lines> = BTreeMap::new();
    let found = find(read, &Sought::Idioms(NumberedIdiom::of(file))).unwrap_or_default();
    for place in found.iter().filter(|it| paths[it.file_index].is_some()) {
        let record = place.idiom.and_then(|it| file.idioms.get(it - 1));
        if let Some(record) = record {
            let lines = lines.entry(record.id.clone()).or_default();
            lines.insert((place.file_index, place.line));
        }
    }
    lines
}

/// The lines that the tool finds by each rule.
fn scan(
    tool: Tool,
    rules: &str,
    paths: &[Option<PathBuf>],
) -> Result<BTreeMap<String, Lines>, FitError> {
    let io = |source| FitError::Io {
        tool: tool.name(),
        source,
    };
    // Elsewhere than in the code: the tools read settings of the folder that they are started in, and those may
    // name programs.
    let folder = tempfile::tempdir().map_err(io)?;
    let path = folder.path().join("rules.yml");
    let mut written = std::fs::File::create(&path).map_err(io)?;
    written.write_all(rules.as_bytes()).map_err(io)?;
    drop(written);
    let known = paths.iter().enumerate();
    let known = known.filter_map(|(index, it)| Some((it.as_deref()?, index)));
    let known: BTreeMap<&Path, usize> = known.collect();
    let mut lines: BTreeMap<String, Lines> = BTreeMap::new();
    let mut left: &[&Path] = &known.keys().copied().collect::<Vec<_>>();
    while !left.is_empty() {
        let (some, rest) = left.split_at(n_arguments(left));
        left = rest;
        let flags = tool.flags().iter().map(OsStr::new);
        let arguments = std::iter::once(OsStr::new("scan")).chain(flags);
        let arguments = arguments.chain([path.as_os_str(), OsStr::new("--")]);
        let arguments = arguments.chain(some.iter().map(|it| it.as_os_str()));
        let (json, message) = tool.output(arguments, folder.path())?;
        let found = tool.read(&json).map_err(|error| FitError::Failed {
            tool: tool.name(),
            message: first_line(&message).unwrap_or_else(|| error.to_string()),
        })?;
        for it in found {
            let path = canonical(&it.file);
            if let Some(&file) = path.and_then(|it| known.get(it.as_path())) {
                lines.entry(it.rule).or_default().insert((file, it.line));
            }
        }
    }
    Ok(lines)
}

/// How many of the paths fit into a command line, one at least.
fn n_arguments(paths: &[&Path]) -> usize {
    let mut length = 0;
    let fits = paths.iter().take_while(|it| {
        length += it.as_os_str().len() + 1;
        length <= MAX_ARGUMENTS
    });
    fits.count().max(1)
}

fn first_line(text: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim);
    lines.find(|it| !it.is_empty()).map(ToOwned::to_owned)
}

fn canonical(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}

/// A place that a tool has found.
struct Match {
    rule: String,
    file: PathBuf,
    /// Counted from one.
    line: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AstGrepMatch {
    rule_id: String,
    file: PathBuf,
    text: String,
    range: AstGrepRange,
}

#[derive(Deserialize)]
struct AstGrepRange {
    start: AstGrepPosition,
}

#[derive(Deserialize)]
struct AstGrepPosition {
    line: usize,
}

impl AstGrepMatch {
    /// What is in brackets begins behind the bracket to us, on a line of its own perhaps.
    fn matches(self) -> impl Iterator<Item = Match> {
        let line = self.range.start.line + 1;
        let inner = self.text.strip_prefix('(').map(|it| {
            let blank = &it[..it.len() - it.trim_start().len()];
            line + blank.matches('\n').count()
        });
        let lines = std::iter::once(line).chain(inner);
        lines.map(move |line| Match {
            rule: self.rule_id.clone(),
            file: self.file.clone(),
            line,
        })
    }
}

#[derive(Deserialize)]
struct SemgrepOutput {
    results: Vec<SemgrepMatch>,
}

#[derive(Deserialize)]
struct SemgrepMatch {
    check_id: String,
    path: PathBuf,
    start: SemgrepPosition,
}

#[derive(Deserialize)]
struct SemgrepPosition {
    line: usize,
}

impl From<SemgrepMatch> for Match {
    fn from(it: SemgrepMatch) -> Match {
        // The folder of the rules stands before the id.
        let rule = it.check_id.rsplit('.').next().unwrap_or_default();
        Match {
            rule: rule.to_owned(),
            file: it.path,
            line: it.start.line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_brackets_may_begin_on_a_later_line() {
        let json = r#"[{"ruleId": "py-1", "file": "/a.py", "text": "(\n\n  x)", "lines": "",
            "range": {"start": {"line": 3, "column": 0}, "end": {"line": 5, "column": 4}}}]"#;
        let lines = |tool: Tool| -> Vec<usize> {
            let found = tool.read(json).unwrap();
            found.iter().map(|it| it.line).collect()
        };
        assert_eq!(lines(Tool::AstGrep), [4, 6]);
        assert!(Tool::Semgrep.read(json).is_err());
    }

    #[test]
    fn ids_of_semgrep_lose_the_folder_of_the_rules() {
        let json = r#"{"results": [{"check_id": "tmp.x.py-1", "path": "/a.py",
            "start": {"line": 4, "col": 1}}], "errors": []}"#;
        let found = Tool::Semgrep.read(json).unwrap();
        assert_eq!((found[0].rule.as_str(), found[0].line), ("py-1", 4));
    }

    #[test]
    fn long_lists_of_files_are_cut_into_command_lines() {
        let long = "x".repeat(MAX_ARGUMENTS);
        let paths = [Path::new("a"), Path::new(&long), Path::new("b")];
        assert_eq!(n_arguments(&paths), 1);
        assert_eq!(n_arguments(&paths[1..]), 1);
        assert_eq!(n_arguments(&paths[2..]), 1);
        assert_eq!(n_arguments(&[Path::new("a"), Path::new("b")]), 2);
    }

    #[test]
    fn shares_are_of_lines() {
        let fit = Fit {
            idiom: "py-1".to_owned(),
            lines: 4,
            found: 3,
            more: 1,
        };
        assert!((fit.recall() - 0.75).abs() < 1e-9);
        assert!((fit.precision() - 0.75).abs() < 1e-9);
    }
}
