//! `patois check`: code that is nearly as all the other code of its house, like a compiler's warnings.

mod output;
mod settings;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indexmap::IndexMap;
use patois_codebase::check::{
    self, CheckConfig, Deviation, Deviations, House, HouseRules, Mended, check_against, mended,
};
use patois_codebase::findings::{Baseline, ChangedLines, Level, fingerprint};
use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::output as files;
use patois_codebase::repository::{Repository, RepositoryPrograms, Taken, UnitConfig};
use patois_codebase::sources::{Cause, Unreadable};
use patois_languages::SourceLanguage;
use patois_syntax::Fragment;

use crate::Context;
use crate::failure::{Failure, Status};
use crate::language::LanguageName;
use crate::progress::Progress;
use output::{Checked, Counts};
use settings::{Reported, Settings};

/// Find code that nearly follows the house style: all but one small part of it
///
/// Whatever at least 20 places do, and 90 % of those that could, is a rule of the house. A place that
/// does something else there is shown with what is usual, the counts, and two places that do it the
/// usual way; the most surprising first. Tests, generated and vendored code are left out.
///
/// A comment `patois: ignore` silences a line, or the next one where it has a line for itself;
/// `patois: ignore[ID]` only the rule of that id, `patois: ignore-file` the whole file.
#[derive(Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  patois check src/
  patois check src/ --write-baseline known.json   # what is there today blocks nobody
  patois check src/ --baseline known.json --format github
  patois check src/ --write-library house.json    # once; then, for each change,
  patois check src/ --library house.json --changed origin/main
  patois check src/ --format sarif > findings.sarif
  patois check src/ --diff

Exit codes:
  0  nothing was found
  1  something was found
  2  misuse: the command line, or a file that it names, makes no sense
  3  it could not look: no such files, or nobody knows what has changed"
)]
pub(super) struct CheckArgs {
    /// Source files and folders of them
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// Check files of this language only
    #[arg(short, long, value_name = "NAME")]
    language: Option<LanguageName>,

    /// Only lines that differ from a revision of git, from the last commit where none is given
    #[arg(long, value_name = "REV", num_args = 0..=1, default_missing_value = "", require_equals = false)]
    changed: Option<String>,

    /// House rules that --write-library wrote, instead of those of PATH; or idioms that `patois mine` wrote,
    /// which are rules as well
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,

    /// Write the house rules of PATH to a file, for --library
    #[arg(long, value_name = "FILE", conflicts_with_all = ["changed", "fix", "diff"])]
    write_library: Option<PathBuf>,

    /// Findings that are known, and block nobody
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all findings to a file, for --baseline
    #[arg(long, value_name = "FILE", conflicts_with_all = ["changed", "baseline", "fix", "diff"])]
    write_baseline: Option<PathBuf>,

    /// Mend what can be mended in one way only, in the files
    #[arg(long)]
    fix: bool,

    /// Print what --fix would do, and change nothing
    #[arg(long, conflicts_with = "fix")]
    diff: bool,

    /// How findings are written
    #[arg(long, value_name = "NAME", default_value = "text")]
    format: FormatName,

    /// Show at most so many findings, the most surprising; 0 for all
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,

    /// The fewest places that make a rule [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    min_places: Option<u32>,

    /// The least share of the places that could do it [default: 0.9]
    #[arg(long, value_name = "X")]
    min_share: Option<f64>,

    /// The least surprise of a finding, in bits [default: 6]
    #[arg(long, value_name = "BITS")]
    min_surprise: Option<f64>,

    /// Leave out files, by a pattern as in `.gitignore`; may be given several times
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,

    /// Settings of the house [default: patois.toml, where it is there]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// Lines like those of a compiler
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// Annotations of GitHub's pull requests
    Github,
}

/// What rules come from.
enum Library {
    None,
    Idioms(Box<IdiomFile>),
    House(House),
}

impl Library {
    /// Refuses idioms and rules of languages that none of the files is in: they would be nowhere, and nobody would
    /// know.
    fn is_for(&self, found: &Repository) -> Result<(), Failure> {
        let (what, languages): (_, Vec<&str>) = match self {
            Library::None => return Ok(()),
            Library::Idioms(file) => ("idioms", vec![&file.corpus.language]),
            Library::House(house) => {
                let languages = house.languages.keys();
                ("rules", languages.map(String::as_str).collect())
            }
        };
        let is_there = |it: &&str| found.files.contains_key(*it);
        if found.files.is_empty() || languages.is_empty() || languages.iter().any(is_there) {
            return Ok(());
        }
        let found: Vec<&str> = found.files.keys().map(String::as_str).collect();
        let languages = languages.join("`, `");
        let message = format!("the library has {what} of `{languages}`, and no file is in that");
        Err(Failure::misuse(message).help(format!("the files are in {}", found.join(", "))))
    }
}

impl CheckArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        self.check(context).map_err(|mut failure| {
            if failure.status == Status::Failed {
                // One says that something was found, and nothing else.
                failure.status = Status::Unseen;
            }
            failure
        })
    }

    fn check(&self, context: &Context) -> Result<Status, Failure> {
        let settings = Settings::read(self.config.as_deref())?;
        let config = self.config(&settings)?;
        let library = self.library()?;
        let baseline = self.baseline.as_deref().map(Baseline::read).transpose();
        let baseline = baseline.map_err(|error| Failure::misuse(error.to_string()))?;
        if let Some(path) = self.paths.iter().find(|it| !it.exists()) {
            let message = format!("`{}` does not exist", path.display());
            return Err(Failure::misuse(message));
        }
        let changed = self.changed_lines()?;
        let units = self.units(&settings);
        let Some(found) = self.files(&library, changed.as_ref(), &units)? else {
            // Nothing that could be checked has changed.
            return self.show(context, &Checked::default());
        };
        let mut checked = Checked::default();
        checked.skip(&found.skipped);
        let mut house = IndexMap::new();
        let mut required = BTreeSet::new();
        for language in found.files.keys() {
            let progress = Progress::start(
                context.terminal,
                "reading files",
                found.files[language].len(),
            );
            let read = found.parse(language, &units, &|| progress.step());
            drop(progress);
            checked.read(&read);
            if self.write_library.is_some() {
                let idioms = idioms_of(&library, &read)?;
                house.insert(language.clone(), check::rules(&read, &idioms, &config));
                continue;
            }
            let deviations = deviations(&read, &library, &config)?;
            required.extend(deviations.required);
            let (mut kept, n_silenced) = check::silence(&read, deviations.found);
            checked.counts.silenced += n_silenced;
            settings.judge(&mut kept, &mut checked.counts.muted);
            keep_new(
                &mut kept,
                baseline.as_ref(),
                changed.as_ref(),
                &mut checked.counts,
            );
            if self.fix || self.diff {
                let findings: Vec<_> = kept.iter().map(|it| &it.finding).collect();
                checked.mended.extend(mended(&read, &findings));
            }
            checked.deviations.extend(kept);
        }
        if let Some(path) = &self.write_library {
            return write_house(context, path, &house);
        }
        if checked.counts.files == 0 {
            return Err(nothing_to_check(&found.skipped, &checked));
        }
        self.has_all(&config.required, &required)?;
        checked.sort();
        if let Some(path) = &self.write_baseline {
            return write_baseline(context, path, &checked);
        }
        self.mend(&checked.mended)?;
        self.show(context, &checked)
    }

    /// What makes a rule: what the command line says, else the settings of the house.
    fn config(&self, settings: &Settings) -> Result<CheckConfig, Failure> {
        let usual = settings.config();
        let config = CheckConfig {
            min_places: self.min_places.map_or(usual.min_places, |it| it as usize),
            min_share: self.min_share.unwrap_or(usual.min_share),
            min_surprise: self.min_surprise.unwrap_or(usual.min_surprise),
            required: usual.required,
        };
        if !(0.5..=1.0).contains(&config.min_share) {
            let message = format!("expected a share from 0.5 to 1, found {}", config.min_share);
            return Err(Failure::misuse(message));
        }
        Ok(config)
    }

    /// Refuses to say that all is well where a required rule is not known any more.
    fn has_all(&self, wanted: &BTreeSet<String>, known: &BTreeSet<String>) -> Result<(), Failure> {
        let Some(lost) = wanted.difference(known).next() else {
            return Ok(());
        };
        // A language that nothing was changed in has no rules here.
        if self.changed.is_some() {
            return Ok(());
        }
        let message =
            format!("no rule and no idiom is called `{lost}`, which the settings require");
        Err(Failure::misuse(message).help(
            "`--write-library` keeps a rule, `patois mine` an idiom: give the file with --library",
        ))
    }

    fn units(&self, settings: &Settings) -> UnitConfig {
        UnitConfig {
            language: self.language.map(|it| it.name().to_owned()),
            exclude: [settings.exclude(), &self.exclude].concat(),
            tests: Taken::Skip,
            generated: Taken::Skip,
            ..UnitConfig::default()
        }
    }

    fn library(&self) -> Result<Library, Failure> {
        let Some(path) = &self.library else {
            return Ok(Library::None);
        };
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::misuse(format!("cannot read `{}`", path.display())).because(error)
        })?;
        // A house has languages, and a library of `patois mine` has idioms.
        let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let misuse = |message: String| {
            Failure::misuse(message).help(
                "--library takes what `patois check --write-library` or `patois mine` has written",
            )
        };
        if value.get("idioms").is_some() {
            let file = IdiomFile::parse(path, &text).map_err(|error| misuse(error.to_string()))?;
            return Ok(Library::Idioms(Box::new(file)));
        }
        let house = House::read(path).map_err(|error| misuse(error.to_string()))?;
        Ok(Library::House(house))
    }

    fn changed_lines(&self) -> Result<Option<ChangedLines>, Failure> {
        let Some(revision) = &self.changed else {
            return Ok(None);
        };
        let revision = Some(revision.as_str()).filter(|it| !it.is_empty());
        let changed = ChangedLines::since(&self.paths[0], revision);
        changed.map(Some).map_err(|error| {
            let failure = Failure::new(error.to_string());
            match std::error::Error::source(&error) {
                Some(cause) => failure.because(cause.to_string()),
                None => failure,
            }
        })
    }

    /// The files to read; nothing where none of those that count has changed.
    fn files(
        &self,
        library: &Library,
        changed: Option<&ChangedLines>,
        units: &UnitConfig,
    ) -> Result<Option<Repository>, Failure> {
        let mut found = Repository::find(&self.paths, units)?;
        library.is_for(&found)?;
        if let Library::House(house) = library {
            if let Some(language) = self.language
                && !house.languages.contains_key(language.name())
            {
                let known: Vec<&str> = house.languages.keys().map(String::as_str).collect();
                let message = format!("the library has no rules of `{}`", language.name());
                return Err(
                    Failure::misuse(message).help(format!("it has those of {}", known.join(", ")))
                );
            }
            found
                .files
                .retain(|language, _| house.languages.contains_key(language));
            if let Some(changed) = changed {
                for files in found.files.values_mut() {
                    files.retain(|it| changed.touches_file(it));
                }
                found.files.retain(|_, files| !files.is_empty());
                if found.files.is_empty() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(found))
    }

    /// Writes the mended files.
    fn mend(&self, mended: &[Mended]) -> Result<(), Failure> {
        if self.fix {
            for file in mended {
                files::write(Path::new(&file.path), &file.after)?;
            }
        }
        Ok(())
    }

    fn show(&self, context: &Context, checked: &Checked) -> Result<Status, Failure> {
        let is_clean = checked.deviations.is_empty();
        checked.show(context, self.format, self.limit, self.diff, self.fix)?;
        Ok(if is_clean {
            Status::Done
        } else {
            Status::Failed
        })
    }
}

fn deviations(
    read: &RepositoryPrograms,
    library: &Library,
    config: &CheckConfig,
) -> Result<Deviations, Failure> {
    let rules = match library {
        Library::House(house) => house.languages.get(read.language.name()),
        _ => None,
    };
    match rules {
        Some(rules) => Ok(check_against(read, rules, config)),
        None => Ok(check::check(read, &idioms_of(library, read)?, config)),
    }
}

/// The idioms of a library that programs may have.
fn idioms_of(library: &Library, read: &RepositoryPrograms) -> Result<Vec<Fragment>, Failure> {
    let Library::Idioms(file) = library else {
        return Ok(Vec::new());
    };
    let language = &file.corpus.language;
    if SourceLanguage::named(language).is_none() || file.grammar.name.starts_with("Sql") {
        let message = format!(
            "the library has idioms of `{}`, which no source files are in",
            file.grammar.name
        );
        return Err(Failure::misuse(message));
    }
    if language != read.language.name() {
        return Ok(Vec::new());
    }
    // What needs productions that no file has is nowhere.
    let read = file
        .idioms
        .iter()
        .filter_map(|it| Fragment::parse(&read.grammar, &it.notation).ok());
    Ok(read.collect())
}

/// Leaves out what is old, and what is on lines that have not changed.
fn keep_new(
    kept: &mut Vec<Deviation>,
    baseline: Option<&Baseline>,
    changed: Option<&ChangedLines>,
    counts: &mut Counts,
) {
    let mut findings: Vec<_> = kept.iter().map(|it| it.finding.clone()).collect();
    fingerprint(&mut findings, &current_folder());
    for (deviation, finding) in kept.iter_mut().zip(&findings) {
        deviation
            .finding
            .fingerprint
            .clone_from(&finding.fingerprint);
    }
    if let Some(baseline) = baseline {
        let judged = baseline.judge(findings);
        counts.known += judged.n_old;
        let is_new = |it: &Deviation| {
            let new = judged.new.iter();
            new.clone()
                .any(|new| new.fingerprint == it.finding.fingerprint)
        };
        kept.retain(is_new);
    }
    if let Some(changed) = changed {
        let n_before = kept.len();
        kept.retain(|it| {
            let region = &it.finding.region;
            changed.touches(Path::new(&region.file), &(region.line..=region.end_line))
        });
        counts.unchanged += n_before - kept.len();
    }
}

fn write_house(
    context: &Context,
    path: &Path,
    languages: &IndexMap<String, HouseRules>,
) -> Result<Status, Failure> {
    let counts: IndexMap<&String, usize> = languages
        .iter()
        .map(|(name, it)| (name, it.rules.len()))
        .collect();
    let value = serde_json::json!({ "library": path, "rules": counts });
    let people = || {
        let lines = languages.iter();
        let lines = lines
            .map(|(name, it)| format!("{name}: {} rules in {}\n", it.rules.len(), path.display()));
        lines.collect()
    };
    House::new(languages.clone()).write(path)?;
    context.terminal.result(&value, people)?;
    Ok(Status::Done)
}

fn write_baseline(context: &Context, path: &Path, checked: &Checked) -> Result<Status, Failure> {
    let findings: Vec<_> = checked
        .deviations
        .iter()
        .map(|it| it.finding.clone())
        .collect();
    Baseline::of(&findings).write(path)?;
    let value = serde_json::json!({ "baseline": path, "findings": findings.len() });
    let people = || format!("{} findings in {}\n", findings.len(), path.display());
    context.terminal.result(&value, people)?;
    Ok(Status::Done)
}

fn nothing_to_check(skipped: &[Unreadable], checked: &Checked) -> Failure {
    let failed = skipped.iter().find(|it| it.cause == Cause::Failure);
    let reason = failed.or_else(|| skipped.first()).map(ToString::to_string);
    let reason = reason.or_else(|| checked.first_skipped());
    Failure::new("no file could be checked")
        .help(reason.unwrap_or_else(|| "there are none".to_owned()))
}

/// The folder that paths are told from.
fn current_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}

impl Settings {
    /// Leaves out what somebody does not want to hear of, and marks what somebody insists on.
    fn judge(&self, deviations: &mut Vec<Deviation>, n_muted: &mut usize) {
        let n_before = deviations.len();
        deviations.retain(|it| !self.is_muted(&it.rule.id));
        if self.reported() == Reported::Accepted {
            deviations.retain(|it| it.is_required || self.is_accepted(&it.rule.id));
        }
        *n_muted += n_before - deviations.len();
        for deviation in deviations {
            if deviation.is_required || self.is_accepted(&deviation.rule.id) {
                deviation.finding.level = Level::Error;
            }
        }
    }
}
