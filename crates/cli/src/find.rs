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
///   idioms.json#py-3f9c2ab1  an idiom of a library, by its id; `#3` is the third
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
pub struct Found {
    count: usize,
    /// How many files have a place.
    files: usize,
    /// How many were searched.
    searched: usize,
    /// How many places of these do not parse; what is around them was searched.
    faults: usize,
    /// How many places each idiom has, by its id, where a library was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    idioms: Option<IndexMap<String, usize>>,
    places: Vec<FoundPlace>,
    /// What was asked for, and could not be searched.
    unsearched: Vec<Skipped>,
    /// What was left out on purpose, or has nothing in it.
    skipped: Vec<Skipped>,
}

/// A place, and what the idiom there is called.
#[derive(Serialize)]
struct FoundPlace {
    #[serde(flatten)]
    place: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
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
pub struct Query {
    sought: Sought,
    /// How files are read.
    pub units: UnitConfig,
    /// Whether lines say which idiom it is.
    is_library: bool,
    /// The ids of the idioms of a library.
    ids: Vec<String>,
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
        let mut query = Query::of(&self.what)?;
        let units = &mut query.units;
        if let Some(language) = self.language {
            units.language = Some(language.of_files()?.name().to_owned());
        }
        units.unit = self.unit.map_or(units.unit, Into::into);
        units.max_file_bytes = self.max_file_size.unwrap_or(units.max_file_bytes);
        let found = query.search(&self.paths, &|n_files| {
            let progress = Progress::start(context.terminal, "searching files", n_files);
            Box::new(move || progress.step())
        })?;
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

    fn for_people(&self, found: &Found, is_library: bool) -> String {
        let mut text = String::new();
        if let (true, true, Some(idioms)) = (self.count, is_library, &found.idioms) {
            for (id, count) in idioms {
                let _ = writeln!(text, "{}#{id}:{count}", self.what);
            }
            return text;
        }
        if self.count {
            for (file, count) in found.by_file() {
                let _ = writeln!(text, "{}:{count}", styled(BOLD, harmless(file)));
            }
            return text;
        }
        for FoundPlace { place, id } in &found.places {
            let Place {
                file, line, column, ..
            } = place;
            let file = styled(BOLD, harmless(file));
            let code = harmless(&place.text);
            let id = id.as_deref().filter(|_| is_library);
            let id = id.map_or_else(String::new, |it| format!("{}: ", harmless(it)));
            let _ = writeln!(text, "{file}:{line}:{column}: {id}{code}");
        }
        text
    }
}

/// Is called after each file.
type AfterFile = Box<dyn Fn() + Sync>;

impl Query {
    /// What a user wants: a library or one of its idioms, code with holes, or a fragment in the notation.
    ///
    /// # Errors
    ///
    /// When there is no such library, or nothing to look for.
    pub fn of(what: &str) -> Result<Query, Failure> {
        if let Some((path, idiom)) = library(what) {
            return of_library(&path, idiom);
        }
        Ok(Query {
            sought: Sought::typed(what).map_err(|error| Failure::misuse(error.to_string()))?,
            units: UnitConfig {
                unit: UnitKind::File,
                ..UnitConfig::default()
            },
            is_library: false,
            ids: Vec::new(),
        })
    }

    /// The idioms of a library, or one of them, counted from one; `name` is what messages call it.
    ///
    /// # Errors
    ///
    /// When there is no such idiom, or no source files are in its language.
    pub fn of_idioms(
        file: &IdiomFile,
        name: &str,
        number: Option<usize>,
    ) -> Result<Query, Failure> {
        let language = &file.corpus.language;
        if SourceLanguage::named(language).is_none() || file.grammar.name.starts_with("Sql") {
            let message = format!(
                "`{name}` has idioms of `{}`, which no source files are in",
                file.grammar.name
            );
            return Err(Failure::misuse(message));
        }
        let mut idioms = NumberedIdiom::of(file);
        if number.is_some_and(|it| it > idioms.len()) {
            let message = format!("`{name}` has {} idioms", idioms.len());
            return Err(Failure::misuse(message));
        }
        idioms.retain(|it| number.is_none_or(|number| it.number == number));
        Ok(Query {
            sought: Sought::Idioms(idioms),
            units: file.units(),
            is_library: number.is_none(),
            ids: file.idioms.iter().map(|it| it.id.clone()).collect(),
        })
    }

    /// What an idiom is called, by its number.
    fn id(&self, number: usize) -> String {
        self.ids[number - 1].clone()
    }

    /// What is looked for.
    pub fn sought(&self) -> &Sought {
        &self.sought
    }

    /// Looks through files and folders; `begin` is told how many files of a language will be read.
    ///
    /// # Errors
    ///
    /// When none of the paths is there, or what is sought is no code of the files' languages.
    pub fn search(
        &self,
        paths: &[PathBuf],
        begin: &dyn Fn(usize) -> AfterFile,
    ) -> Result<Found, Failure> {
        if let (Some(path), true) = (paths.first(), !paths.iter().any(|it| it.exists())) {
            let message = format!("`{}` does not exist", path.display());
            return Err(Failure::misuse(message));
        }
        let (known, of_no_language) = self.paths_of_languages(paths);
        let mut repository = Repository::find(&known, &self.units)?;
        repository.skipped.extend(of_no_language);
        let is_named = |file: &str| paths.iter().any(|it| *it.to_string_lossy() == *file);
        self.search_all(repository, &is_named, begin)
    }

    /// The paths that can be searched, and files whose language nobody knows; where there is nothing
    /// else, they are left for [`Repository::find`] to explain.
    fn paths_of_languages(&self, paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Unreadable>) {
        let is_given = self.units.language.is_some();
        let is_known = |path: &&PathBuf| {
            is_given || !path.is_file() || SourceLanguage::of_file(path).is_some()
        };
        let (known, others): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(is_known);
        if known.is_empty() {
            return (paths.to_vec(), Vec::new());
        }
        let why = "is of no language that its ending tells; name it: --language";
        let others = others.into_iter();
        let others = others.map(|it| Unreadable::new(it.to_string_lossy(), why));
        (known.into_iter().cloned().collect(), others.collect())
    }

    /// Searches the files of one language after the other.
    fn search_all(
        &self,
        mut repository: Repository,
        is_named: &dyn Fn(&str) -> bool,
        begin: &dyn Fn(usize) -> AfterFile,
    ) -> Result<Found, Failure> {
        let mut all = Searched {
            skipped: std::mem::take(&mut repository.skipped),
            ..Searched::default()
        };
        let mut first_error: Option<FindError> = None;
        let mut is_understood = false;
        let languages: Vec<String> = repository.files.keys().cloned().collect();
        for language in languages {
            match self.search_language(&mut repository, &language, &mut all, begin) {
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
        repository: &mut Repository,
        language: &str,
        all: &mut Searched,
        begin: &dyn Fn(usize) -> AfterFile,
    ) -> Result<Vec<Place>, FindError> {
        all.n_files += repository.files[language].len();
        let named = SourceLanguage::named(language).expect("files are found by language");
        let words = self.sought.words(&named)?;
        repository.keep_files_with(language, &words, self.units.max_file_bytes);
        let after_file = begin(repository.files[language].len());
        let read = repository.parse(language, &self.units, &*after_file);
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
                let counts = counts.into_iter();
                Some(counts.map(|(it, n)| (query.id(it), n)).collect())
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
        let count = all.places.len();
        let places = all.places.into_iter().map(|place| FoundPlace {
            id: place.idiom.map(|it| query.id(it)),
            place,
        });
        let mut found = Found {
            count,
            files: 0,
            searched: all.n_files,
            faults: all.n_faults,
            idioms,
            places: places.collect(),
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
        for FoundPlace { place, .. } in &self.places {
            *counts.entry(place.file.as_str()).or_default() += 1;
        }
        counts
    }
}

/// The library that a user names, and which of its idioms.
fn library(what: &str) -> Option<(PathBuf, Option<&str>)> {
    let is_json = |path: &str| {
        let path = Path::new(path);
        path.extension().is_some_and(|it| it == "json")
    };
    if is_json(what) {
        return Some((PathBuf::from(what), None));
    }
    let (path, idiom) = what.rsplit_once('#').filter(|it| is_json(it.0))?;
    Some((PathBuf::from(path), Some(idiom)))
}

fn of_library(path: &Path, idiom: Option<&str>) -> Result<Query, Failure> {
    let file = IdiomFile::open(path)?;
    let path = path.display().to_string();
    let number = idiom.map(|it| {
        let known = file.number_of(it);
        known.ok_or_else(|| no_idiom(&file, &path, it))
    });
    Query::of_idioms(&file, &path, number.transpose()?)
}

fn no_idiom(file: &IdiomFile, path: &str, found: &str) -> Failure {
    let n_idioms = file.idioms.len();
    let message = format!("`{path}` has no idiom `{found}`");
    let example = file.idioms.first();
    let example = example.map_or_else(String::new, |it| format!(", or an id such as `{}`", it.id));
    let help = format!("expected a number from 1 to {n_idioms}{example}");
    Failure::misuse(message).help(help)
}

fn no_pattern(error: &FindError) -> Failure {
    Failure::misuse(error.to_string()).help(
        "holes are written `$name`, those for lists `$name...`; \
         whatever cannot be said so can be said in the notation: see `patois find --help`",
    )
}
