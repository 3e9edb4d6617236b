//! `patois find`: where an idiom or a piece of code with holes occurs, like grep.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use indexmap::IndexMap;
use patois_codebase::find::{self, FindError, NumberedIdiom, Place, Sought};
use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::repository::{Repository, UnitConfig};
use patois_codebase::sources::{Cause, Unreadable};
use patois_languages::{SourceLanguage, UnitKind};
use rayon::prelude::*;
use serde::Serialize;

use super::Context;
use super::language::LanguageName;
use super::mine::UnitName;
use crate::failure::{Failure, Status};
use crate::harmless::harmless;
use crate::progress::Progress;
use crate::terminal::{BOLD, Verbosity, styled};

/// Find where an idiom, or code with holes, occurs in source files
///
/// Each place is shown as `file:line:column: the line it begins on`. Layout, comments and quotes do
/// not matter; places may overlap. What to look for is one of:
///
///   idioms.json#3          the third idiom of a library, as `patois mine` counts them
///   idioms.json            all idioms of a library; each line says which
///   '$x.get($key, None)'   code: `$name` stands for anything, equal names for equal code
///   '(Call ?f [] [])'      a fragment in the notation of `idioms.json`
///
/// In code, `$_` is anything, `$name...` the rest of a list, `$...name` the rest of all that stands
/// in the same brackets, `$name?` something or nothing (Python), `"$name"` any string.
#[derive(Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  patois find 'for $i in range(len($x)): $...body' src/
  patois find '$x = $x + $y' src/ --language python
  patois mine src/ && patois find idioms.json#1 src/
  patois find idioms.json src/ --count

Exit codes, as grep's:
  0  something was found
  1  nothing was found
  2  something could not be searched, and standard error says why, whatever
     was found elsewhere; or what to look for makes no sense"
)]
pub(super) struct FindArgs {
    /// An idiom, a library of them, code with holes, or a fragment in the notation
    #[arg(value_name = "WHAT", allow_hyphen_values = true)]
    what: String,

    /// Source files and folders of them
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// Search files of this language only
    #[arg(short, long, value_name = "NAME")]
    language: Option<LanguageName>,

    /// Show how many places there are in each file; of a library, how many each idiom has
    #[arg(short, long)]
    count: bool,

    /// What counts as a program [default: as the idioms were mined, else `file`]
    #[arg(long, value_name = "NAME")]
    unit: Option<UnitName>,

    /// Leave out files that are larger than this, in bytes [default: as for the idioms, else 1000000]
    #[arg(long, value_name = "N")]
    max_file_size: Option<u64>,
}

/// What was found.
#[derive(Serialize)]
struct Found {
    count: usize,
    /// How many files have a place.
    files: usize,
    /// How many were searched.
    searched: usize,
    /// How many places of these do not parse; what is around them was searched.
    faults: usize,
    /// How many places each idiom has, where a library was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    idioms: Option<IndexMap<usize, usize>>,
    places: Vec<Place>,
    /// What was asked for, and could not be searched.
    unsearched: Vec<Skipped>,
    /// What was left out on purpose, or has nothing in it.
    skipped: Vec<Skipped>,
}

/// A file or folder that was left out.
#[derive(Serialize)]
struct Skipped {
    file: String,
    reason: String,
}

impl From<Unreadable> for Skipped {
    fn from(it: Unreadable) -> Skipped {
        Skipped {
            file: it.file,
            reason: it.message,
        }
    }
}

/// What to look for, and how files are read for it.
struct Query {
    sought: Sought,
    units: UnitConfig,
    /// Whether lines say which idiom it is.
    is_library: bool,
}

impl FindArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        self.search(context).map_err(|mut failure| {
            // One says that nothing was found, and nothing else.
            failure.status = Status::Misuse;
            failure
        })
    }

    fn search(&self, context: &Context) -> Result<Status, Failure> {
        let query = self.query()?;
        if let (Some(path), true) = (self.paths.first(), !self.paths.iter().any(|it| it.exists())) {
            let message = format!("`{}` does not exist", path.display());
            return Err(Failure::misuse(message));
        }
        let (paths, of_no_language) = self.paths_of_languages(&query.units);
        let mut repository = Repository::find(&paths, &query.units)?;
        repository.skipped.extend(of_no_language);
        let is_named = |file: &str| self.paths.iter().any(|it| *it.to_string_lossy() == *file);
        let found = query.search(context, repository, &is_named)?;
        found.say_what_is_missing(context);
        context
            .terminal
            .result(&found, || self.for_people(&found, query.is_library))?;
        Ok(match found.count {
            _ if !found.unsearched.is_empty() => Status::Incomplete,
            0 => Status::Failed,
            _ => Status::Done,
        })
    }

    /// The paths that can be searched, and files whose language nobody knows; where there is nothing
    /// else, they are left for [`Repository::find`] to explain.
    fn paths_of_languages(&self, units: &UnitConfig) -> (Vec<PathBuf>, Vec<Unreadable>) {
        let is_known = |path: &&PathBuf| {
            units.language.is_some() || !path.is_file() || SourceLanguage::of_file(path).is_some()
        };
        let (known, others): (Vec<&PathBuf>, Vec<&PathBuf>) = self.paths.iter().partition(is_known);
        if known.is_empty() {
            return (self.paths.clone(), Vec::new());
        }
        let why = "is of no language that its ending tells; name it: --language";
        let others = others.into_iter();
        let others = others.map(|it| Unreadable::new(it.to_string_lossy(), why));
        (known.into_iter().cloned().collect(), others.collect())
    }

    fn query(&self) -> Result<Query, Failure> {
        let mut query = match library(&self.what)? {
            Some((file, number)) => of_library(&file, number)?,
            None => Query {
                sought: Sought::typed(&self.what)
                    .map_err(|error| Failure::misuse(error.to_string()))?,
                units: UnitConfig {
                    unit: UnitKind::File,
                    ..UnitConfig::default()
                },
                is_library: false,
            },
        };
        let units = &mut query.units;
        if let Some(language) = self.language {
            units.language = Some(language.of_files()?.name().to_owned());
        }
        units.unit = self.unit.map_or(units.unit, Into::into);
        units.max_file_bytes = self.max_file_size.unwrap_or(units.max_file_bytes);
        Ok(query)
    }

    fn for_people(&self, found: &Found, is_library: bool) -> String {
        let mut text = String::new();
        if let (true, true, Some(idioms)) = (self.count, is_library, &found.idioms) {
            for (number, count) in idioms {
                let _ = writeln!(text, "{}#{number}:{count}", self.what);
            }
            return text;
        }
        if self.count {
            for (file, count) in found.by_file() {
                let _ = writeln!(text, "{}:{count}", styled(BOLD, harmless(file)));
            }
            return text;
        }
        for place in &found.places {
            let Place {
                file, line, column, ..
            } = place;
            let file = styled(BOLD, harmless(file));
            let code = harmless(&place.text);
            let number = place.idiom.filter(|_| is_library);
            let number = number.map_or_else(String::new, |it| format!("#{it}: "));
            let _ = writeln!(text, "{file}:{line}:{column}: {number}{code}");
        }
        text
    }
}

impl Query {
    /// Searches the files of one language after the other.
    fn search(
        &self,
        context: &Context,
        mut repository: Repository,
        is_named: &dyn Fn(&str) -> bool,
    ) -> Result<Found, Failure> {
        let mut all = Searched {
            skipped: std::mem::take(&mut repository.skipped),
            ..Searched::default()
        };
        let mut first_error: Option<FindError> = None;
        let mut is_understood = false;
        let languages: Vec<String> = repository.files.keys().cloned().collect();
        for language in languages {
            match self.search_language(context, &mut repository, &language, &mut all) {
                Ok(found) => {
                    is_understood = true;
                    all.places.extend(found);
                }
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match first_error {
            Some(error) if !is_understood => Err(no_pattern(&error)),
            _ => Ok(Found::new(all, is_named, self)),
        }
    }

    fn search_language(
        &self,
        context: &Context,
        repository: &mut Repository,
        language: &str,
        all: &mut Searched,
    ) -> Result<Vec<Place>, FindError> {
        all.n_files += repository.files[language].len();
        let named = SourceLanguage::named(language).expect("files are found by language");
        let words = self.sought.words(&named)?;
        keep_files_with(repository, language, &words, self.units.max_file_bytes);
        let n_files = repository.files[language].len();
        let progress = Progress::start(context.terminal, "searching files", n_files);
        let read = repository.parse(language, &self.units, &|| progress.step());
        all.n_files -= read.skipped.len();
        all.n_faults += read.figures.faults;
        all.skipped.extend(read.skipped.iter().cloned());
        find::find(&read, &self.sought)
    }
}

/// What has been looked at so far.
#[derive(Default)]
struct Searched {
    places: Vec<Place>,
    n_files: usize,
    n_faults: usize,
    skipped: Vec<Unreadable>,
}

impl Found {
    fn new(all: Searched, is_named: &dyn Fn(&str) -> bool, query: &Query) -> Found {
        let idioms = match &query.sought {
            Sought::Idioms(idioms) => {
                let mut counts: IndexMap<usize, usize> =
                    idioms.iter().map(|it| (it.number, 0)).collect();
                for number in all.places.iter().filter_map(|it| it.idiom) {
                    *counts.entry(number).or_default() += 1;
                }
                Some(counts)
            }
            Sought::Notation(_) | Sought::Source(_) => None,
        };
        // What somebody names is asked for, whatever we would choose.
        let is_missed = |it: &Unreadable| match it.cause {
            Cause::Failure => true,
            Cause::Choice => is_named(&it.file),
            Cause::Nothing => false,
        };
        let (unsearched, skipped): (Vec<_>, Vec<_>) = all.skipped.into_iter().partition(is_missed);
        let mut found = Found {
            count: all.places.len(),
            files: 0,
            searched: all.n_files,
            faults: all.n_faults,
            idioms,
            places: all.places,
            unsearched: unsearched.into_iter().map(Skipped::from).collect(),
            skipped: skipped.into_iter().map(Skipped::from).collect(),
        };
        found.files = found.by_file().len();
        found
    }

    /// Says on standard error what was not searched: an error where it was asked for.
    fn say_what_is_missing(&self, context: &Context) {
        let terminal = context.terminal;
        for Skipped { file, reason } in &self.unsearched {
            let (file, reason) = (harmless(file), harmless(reason));
            terminal.complain(format!("patois: {file}: {reason}"));
        }
        if terminal.verbosity <= Verbosity::Normal {
            return;
        }
        for Skipped { file, reason } in &self.skipped {
            terminal.note(format!("skipped: {} {reason}", harmless(file)));
        }
        if self.faults > 0 {
            let n_faults = self.faults;
            terminal.note(format!(
                "{n_faults} places do not parse, and were not searched"
            ));
        }
    }

    fn by_file(&self) -> IndexMap<&str, usize> {
        let mut counts = IndexMap::new();
        for place in &self.places {
            *counts.entry(place.file.as_str()).or_default() += 1;
        }
        counts
    }
}

/// The library that a user names, and which of its idioms.
fn library(what: &str) -> Result<Option<(PathBuf, Option<usize>)>, Failure> {
    let is_json = |path: &str| {
        let path = Path::new(path);
        path.extension().is_some_and(|it| it == "json")
    };
    if is_json(what) {
        return Ok(Some((PathBuf::from(what), None)));
    }
    let Some((path, number)) = what.rsplit_once('#').filter(|it| is_json(it.0)) else {
        return Ok(None);
    };
    match number.parse() {
        Ok(number) if number > 0 => Ok(Some((PathBuf::from(path), Some(number)))),
        _ => Err(Failure::misuse(format!(
            "expected the number of an idiom after `#`, counted from 1, found `{number}`"
        ))),
    }
}

fn of_library(path: &Path, number: Option<usize>) -> Result<Query, Failure> {
    let file = IdiomFile::open(path).map_err(|error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        let failure = Failure::new(error.to_string());
        cause.into_iter().fold(failure, Failure::because)
    })?;
    let language = file.corpus.language.clone();
    if SourceLanguage::named(&language).is_none() || file.grammar.name.starts_with("Sql") {
        let message = format!(
            "`{}` has idioms of `{}`, which no source files are in",
            path.display(),
            file.grammar.name
        );
        return Err(Failure::misuse(message));
    }
    let n_idioms = file.idioms.len();
    if number.is_some_and(|it| it > n_idioms) {
        let message = format!("`{}` has {n_idioms} idioms", path.display());
        return Err(Failure::misuse(message));
    }
    let idioms = file
        .idioms
        .iter()
        .enumerate()
        .map(|(index, it)| NumberedIdiom {
            number: index + 1,
            notation: it.notation.clone(),
        });
    let wanted = idioms.filter(|it| number.is_none_or(|number| it.number == number));
    let files = file.config.get("files").and_then(UnitConfig::from_json);
    Ok(Query {
        sought: Sought::Idioms(wanted.collect()),
        units: UnitConfig {
            language: Some(language),
            ..files.unwrap_or_default()
        },
        is_library: number.is_none(),
    })
}

fn no_pattern(error: &FindError) -> Failure {
    Failure::misuse(error.to_string()).help(
        "holes are written `$name`, those for lists `$name...`; \
         whatever cannot be said so can be said in the notation: see `patois find --help`",
    )
}

/// Leaves out files that do not hold all of the words. Names that are written with other letters than
/// they stand for are not seen, so files with such letters are kept.
fn keep_files_with(repository: &mut Repository, language: &str, words: &[String], max: u64) {
    if words.is_empty() {
        return;
    }
    let Some(files) = repository.files.get_mut(language) else {
        return;
    };
    let is_wanted = |path: &PathBuf| match patois_codebase::sources::read_at_most_from(path, max) {
        Ok(text) => !text.is_ascii() || words.iter().all(|it| text.contains(it.as_str())),
        // Why it cannot be read is said later.
        Err(_) => true,
    };
    let kept: Vec<bool> = files.par_iter().map(is_wanted).collect();
    let mut kept = kept.into_iter();
    files.retain(|_| kept.next().unwrap_or(true));
}
