//! `patois duplicates`: code that is there more than once, as a list and as findings for CI.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use patois_codebase::duplicates::{self, Duplicate, DuplicateConfig};
use patois_codebase::findings::{ChangedLines, Finding, Region, fingerprint, github};
use patois_codebase::local_names::LocalNames;
use patois_codebase::repository::{Repository, UnitConfig};
use patois_codebase::sarif::sarif;
use patois_codebase::sources::{Cause, Unreadable};
use patois_mining::MIN_CLONE_NODES;
use serde::Serialize;

use super::Context;
use super::language::LanguageName;
use super::mine::{Sources, TakenName, read_language};
use crate::failure::{Failure, Status};
use crate::harmless::harmless;
use crate::terminal::{BOLD, DIM, Format, styled};

/// Find code that is there more than once
///
/// Statements that follow each other and are the same, whatever local names are called, and functions that
/// are nearly the same: a literal was changed, a line put in or taken out. The worst comes first.
/// A comment `patois: ignore[duplicate-code]` or `[similar-code]` on the first line silences a place.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois duplicates src/
  patois duplicates src/ --min-lines 10 --all
  patois duplicates . --changed origin/main
  patois duplicates . --format sarif > duplicates.sarif

Exit codes:
  0  nothing is there twice
  1  something is
  2  misuse: the command line makes no sense
  3  something could not be looked at, and nothing was found elsewhere")]
pub(super) struct DuplicatesArgs {
    /// Source files and folders of them
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// Look at files of this language only
    #[arg(short, long, value_name = "NAME")]
    language: Option<LanguageName>,

    /// Fewest lines of a duplicate
    #[arg(long, value_name = "N", default_value_t = 5)]
    min_lines: usize,

    /// Tell local names apart
    #[arg(long)]
    keep_names: bool,

    /// Only what lines have that are not as they were at a revision [default: the last commit]
    ///
    /// Of a branch, the place where the current one left it. All files are still looked at: a copy has an original.
    #[arg(long, value_name = "REV", num_args = 0..=1)]
    changed: Option<Option<String>>,

    /// How to say it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: FormatName,

    /// Show all duplicates, not the first ten
    #[arg(long)]
    all: bool,

    /// Leave out files that match this pattern, as in .gitignore; may be given several times
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,

    /// What becomes of tests, told by their names and folders
    #[arg(long, value_name = "WHAT", default_value = "include")]
    tests: TakenName,

    /// What becomes of files that say of themselves that they were generated
    #[arg(long, value_name = "WHAT", default_value = "skip")]
    generated: TakenName,

    /// Leave out files that are larger than this, in bytes
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_file_size: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// For people
    Text,
    /// SARIF 2.1.0, which code hosts and editors read
    Sarif,
    /// Annotations of GitHub's pull requests
    Github,
}

/// What was found in the files of one language.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    sources: Sources,
    programs: usize,
    seconds: f64,
    duplicates: Vec<Duplicate>,
}

#[derive(Serialize)]
struct AllFound {
    corpus: String,
    count: usize,
    languages: Vec<Found>,
    /// What should have been looked at, and could not be.
    unsearched: Vec<String>,
}

/// How many duplicates people are shown unless they ask for all.
const N_SHOWN: usize = 10;
/// How many lines of one.
const MAX_LINES: usize = 8;
/// How many of its places.
const MAX_PLACES: usize = 10;

impl DuplicatesArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        if self.format != FormatName::Text && context.terminal.format == Format::Json {
            return Err(Failure::misuse("expected one of --json and --format"));
        }
        let changed = self.changed()?;
        let all = self.find(context, changed.as_ref())?;
        for file in &all.unsearched {
            let complaint = format!("patois: {}", harmless(file));
            context.terminal.complain(complaint);
        }
        match self.format {
            FormatName::Text => {
                let limit = if self.all { usize::MAX } else { N_SHOWN };
                context.terminal.result(&all, || all.for_people(limit))?;
            }
            FormatName::Sarif => {
                let base = current_folder();
                let log = sarif(
                    &all.findings(changed.as_ref(), &base),
                    &Duplicate::rules(),
                    &base,
                );
                context.terminal.result(&log, || format!("{log:#}\n"))?;
            }
            FormatName::Github => {
                let base = current_folder();
                let commands = github(&all.findings(changed.as_ref(), &base), &base);
                context.terminal.result(&commands, || commands.clone())?;
            }
        }
        Ok(match all.count {
            0 if !all.unsearched.is_empty() => Status::Unseen,
            0 => Status::Done,
            _ => Status::Failed,
        })
    }

    fn changed(&self) -> Result<Option<ChangedLines>, Failure> {
        let Some(revision) = &self.changed else {
            return Ok(None);
        };
        let first = self.paths.first().map_or(Path::new("."), PathBuf::as_path);
        let changed = ChangedLines::since(first, revision.as_deref()).map_err(|error| {
            let mut failure = Failure::new("nobody knows what has changed").because(error);
            failure.status = Status::Unseen;
            failure
        });
        Ok(Some(changed?))
    }

    fn find(&self, context: &Context, changed: Option<&ChangedLines>) -> Result<AllFound, Failure> {
        let units = self.units()?;
        let found = Repository::find(&self.paths, &units)?;
        let config = DuplicateConfig {
            min_lines: self.min_lines,
            min_nodes: MIN_CLONE_NODES,
            local_names: if self.keep_names {
                LocalNames::Kept
            } else {
                LocalNames::Holes
            },
        };
        let mut languages = Vec::new();
        let is_failure = |it: &&Unreadable| it.cause == Cause::Failure;
        let unsearched = found.skipped.iter().filter(is_failure);
        let mut unsearched: Vec<String> = unsearched.map(ToString::to_string).collect();
        for language in found.files.keys() {
            let started = Instant::now();
            let read = read_language(context, &found, language, &units);
            let mut duplicates = duplicates::find(&read, config);
            if let Some(changed) = changed {
                duplicates.retain(|it| it.places.iter().any(|it| is_touched(changed, it)));
            }
            let skipped = read.skipped.iter().filter(is_failure);
            unsearched.extend(skipped.map(ToString::to_string));
            languages.push(Found {
                sources: Sources::new(&read, &found.skipped),
                programs: read.trees.len(),
                seconds: started.elapsed().as_secs_f64(),
                duplicates,
            });
        }
        let names: Vec<String> = self
            .paths
            .iter()
            .map(|it| it.display().to_string())
            .collect();
        Ok(AllFound {
            corpus: names.join(", "),
            count: languages.iter().map(|it| it.duplicates.len()).sum(),
            languages,
            unsearched,
        })
    }

    fn units(&self) -> Result<UnitConfig, Failure> {
        let language = self.language.map(|it| it.of_files()).transpose()?;
        Ok(UnitConfig {
            language: language.map(|it| it.name().to_owned()),
            max_file_bytes: self.max_file_size,
            exclude: self.exclude.clone(),
            tests: self.tests.into(),
            generated: self.generated.into(),
            ..UnitConfig::default()
        })
    }
}

/// Whether a change touches a place.
fn is_touched(changed: &ChangedLines, place: &Region) -> bool {
    changed.touches(Path::new(&place.file), &(place.line..=place.end_line))
}

/// What paths are told from.
fn current_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}

impl AllFound {
    /// One finding for each duplicate, at the first place that a change touches, else at the first.
    fn findings(&self, changed: Option<&ChangedLines>, base: &Path) -> Vec<Finding> {
        let duplicates = self.languages.iter().flat_map(|it| &it.duplicates);
        let mut findings: Vec<Finding> = duplicates
            .map(|it| {
                let is_touched = |place: &Region| changed.is_some_and(|it| is_touched(it, place));
                it.finding(it.places.iter().position(is_touched).unwrap_or(0))
            })
            .collect();
        fingerprint(&mut findings, base);
        findings
    }

    fn for_people(&self, limit: usize) -> String {
        let mut text = String::new();
        for found in &self.languages {
            text += &found.for_people(&self.corpus, limit);
        }
        text
    }
}

impl Found {
    fn for_people(&self, corpus: &str, limit: usize) -> String {
        let title = format!("{corpus}: {} programs", self.programs);
        let mut text = format!(
            "{}\n{}",
            styled(BOLD, harmless(&title)),
            self.sources.for_people()
        );
        let _ = match self.duplicates.len() {
            0 => writeln!(text, "no duplicates ({:.2} s)\n", self.seconds),
            1 => writeln!(text, "1 duplicate ({:.2} s)\n", self.seconds),
            n => writeln!(text, "{n} duplicates ({:.2} s)\n", self.seconds),
        };
        for (index, duplicate) in self.duplicates.iter().take(limit).enumerate() {
            text += &one(index + 1, duplicate);
        }
        if self.duplicates.len() > limit {
            let _ = writeln!(text, "and {} more: --all", self.duplicates.len() - limit);
        }
        text
    }
}

fn one(number: usize, duplicate: &Duplicate) -> String {
    let Duplicate {
        places,
        lines,
        bits,
        similarity,
        source,
        ..
    } = duplicate;
    let mut title = format!("{number}. {lines} lines at {} places", places.len());
    if *similarity < 1.0 {
        let _ = write!(title, ", {:.0} % the same", 100.0 * similarity);
    }
    let mut text = format!("{}, {bits:.0} bits to save\n", styled(BOLD, title));
    for Region {
        file,
        line,
        end_line,
        ..
    } in places.iter().take(MAX_PLACES)
    {
        let _ = writeln!(text, "   {}:{line}-{end_line}", harmless(file));
    }
    if places.len() > MAX_PLACES {
        let _ = writeln!(text, "   and {} more", places.len() - MAX_PLACES);
    }
    for line in source.lines().take(MAX_LINES) {
        let _ = writeln!(text, "      {}", styled(DIM, harmless(line)));
    }
    if source.lines().count() > MAX_LINES {
        let _ = writeln!(text, "      {}", styled(DIM, "..."));
    }
    text.push('\n');
    text
}
