//! Repositories as programs: files of many languages, cut into units.

mod choice;
mod reader;
mod share;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use patois_languages::{SourceLanguage, UnitKind};
use patois_syntax::{Fragment, Grammar, NodeId, NodeSpans, Span, Spans, Tree};
use rayon::prelude::*;
use serde::Serialize;

use self::choice::Choice;
use self::reader::Reader;
use crate::source_file::SourceFile;
use crate::sources::{self, Hidden, Ignored, Links, Unreadable, Vendored, WalkConfig};

pub use self::choice::Taken;

/// Which files of a repository are read, and how they are cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitConfig {
    /// The language; all that are known where it is not given.
    pub language: Option<String>,
    /// What counts as a program.
    pub unit: UnitKind,
    /// Larger files are left out: nobody wrote them.
    pub max_file_bytes: u64,
    /// Patterns of files that are left out, as in `.gitignore`.
    pub exclude: Vec<String>,
    /// What becomes of tests.
    pub tests: Taken,
    /// What becomes of what a machine wrote.
    pub generated: Taken,
}

impl Default for UnitConfig {
    fn default() -> UnitConfig {
        UnitConfig {
            language: None,
            unit: UnitKind::Function,
            max_file_bytes: 1_000_000,
            exclude: Vec::new(),
            tests: Taken::Include,
            generated: Taken::Include,
        }
    }
}

impl UnitConfig {
    /// What must be known to read the same programs again, save for the language; goes into
    /// `idioms.json`.
    pub fn to_json(&self) -> serde_json::Value {
        let unit = match self.unit {
            UnitKind::File => "file",
            UnitKind::Function => "function",
        };
        serde_json::json!({
            "unit": unit,
            "max_file_bytes": self.max_file_bytes,
            "exclude": self.exclude,
            "tests": self.tests.name(),
            "generated": self.generated.name(),
        })
    }

    /// Reads what [`UnitConfig::to_json`] makes; nothing where it is something else.
    pub fn from_json(value: &serde_json::Value) -> Option<UnitConfig> {
        // Files of earlier versions do not say.
        let taken = |key: &str| match value.get(key) {
            Some(name) => Taken::named(name.as_str()?),
            None => Some(Taken::Include),
        };
        let excluded = value.get("exclude").and_then(serde_json::Value::as_array);
        let patterns = excluded.into_iter().flatten();
        Some(UnitConfig {
            language: None,
            unit: match value.get("unit")?.as_str()? {
                "file" => UnitKind::File,
                "function" => UnitKind::Function,
                _ => return None,
            },
            max_file_bytes: value.get("max_file_bytes")?.as_u64()?,
            exclude: patterns
                .map(|it| it.as_str().map(ToOwned::to_owned))
                .collect::<Option<_>>()?,
            tests: taken("tests")?,
            generated: taken("generated")?,
        })
    }
}

/// The source files of a repository by language, and what was left out.
#[derive(Clone, Debug, Default)]
pub struct Repository {
    /// The files of each language, in the order of their paths; languages in the order of names.
    pub files: BTreeMap<String, Vec<PathBuf>>,
    /// Files and folders that were not looked at, with reasons.
    pub skipped: Vec<Unreadable>,
}

/// The programs of one language of a repository.
#[derive(Clone, Debug)]
pub struct RepositoryPrograms {
    /// What they were asked for by.
    pub name: String,
    /// The language.
    pub language: SourceLanguage,
    /// The grammar of the units: the language's own, or induced from them where it declares none.
    pub grammar: Grammar,
    /// The units as trees.
    pub trees: Vec<Tree>,
    /// Files that were left out, with reasons.
    pub skipped: Vec<Unreadable>,
    /// The files that the units were cut out of.
    pub files: Vec<SourceFile>,
    /// Where the programs stand, one for each.
    pub units: Vec<UnitPlace>,
    /// How many files and faults there were.
    pub figures: FileFigures,
}

/// Where a program stands.
#[derive(Clone, Debug)]
pub struct UnitPlace {
    /// Which of the files it is in.
    pub file: usize,
    /// Where in that file.
    pub span: Span,
    /// Where each of its nodes is.
    pub spans: Spans,
    /// The nodes that are names which are local to a function.
    pub locals: Vec<NodeId>,
}

/// How much of some files was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileFigures {
    /// Files that gave at least one unit.
    pub files: usize,
    /// Their size.
    pub bytes: usize,
    /// How many of them do not parse whole.
    pub faulty_files: usize,
    /// Places in them that are no program of the language.
    pub faults: usize,
    /// Files that were left out.
    pub skipped_files: usize,
}

/// Why there is nothing to read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RepositoryError {
    /// A language that no file can be read in.
    #[error("expected a language of {known}, found `{found}`")]
    UnknownLanguage {
        /// The name.
        found: String,
        /// The names that there are.
        known: String,
    },
    /// A source file whose language is anybody's guess.
    #[error("`{}`: expected a file that ends in {known}, or a language", path.display())]
    UnknownEnding {
        /// The file.
        path: PathBuf,
        /// The endings whose languages are known.
        known: String,
    },
    /// A pattern that excludes nothing, whatever the files.
    #[error("`{pattern}` is no pattern of files: {message}")]
    Exclude {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        message: String,
    },
    /// Ranks are to read files in the same way.
    #[error("expected rank {0} to have the options and version of rank 0, found others")]
    OtherReading(usize),
    /// Ranks are to find the same files.
    #[error(
        "expected rank {rank} to find the {expected} files that rank 0 has found, found {}",
        other_files(*expected, *found)
    )]
    OtherFiles {
        /// The first rank that differs.
        rank: usize,
        /// How many files rank 0 has found.
        expected: usize,
        /// How many that rank has found.
        found: usize,
    },
    /// Not a single file.
    #[error("{name}: expected {expected}, found none")]
    NoFiles {
        /// Where files were looked for.
        name: String,
        /// What was looked for.
        expected: String,
    },
}

/// How other files than expected are called.
fn other_files(expected: usize, found: usize) -> String {
    match found {
        _ if found == expected => "others, or of other sizes".to_owned(),
        1 => "1 file".to_owned(),
        _ => format!("{found} files"),
    }
}

impl RepositoryError {
    /// There is no language called `found` among the `known` ones.
    pub fn unknown_language(found: &str, known: &[&str]) -> RepositoryError {
        let known: Vec<String> = known.iter().map(|it| format!("`{it}`")).collect();
        RepositoryError::UnknownLanguage {
            found: found.to_owned(),
            known: known.join(", "),
        }
    }
}

impl RepositoryPrograms {
    /// The programs of source texts that are not in files, each with a name.
    ///
    /// ```
    /// use patois_codebase::repository::{RepositoryPrograms, UnitConfig};
    /// use patois_languages::SourceLanguage;
    ///
    /// let sources = [("a.py".to_owned(), "def f():\n    pass\n\ndef g():  # later\n".to_owned())];
    /// let read = RepositoryPrograms::of_sources(SourceLanguage::Python, sources, &UnitConfig::default());
    /// assert_eq!((read.trees.len(), read.figures.faults), (1, 1));
    /// ```
    pub fn of_sources(
        language: SourceLanguage,
        sources: impl IntoIterator<Item = (String, String)>,
        config: &UnitConfig,
    ) -> RepositoryPrograms {
        let mut reader = Reader::new(language);
        let sources: Vec<(String, String)> = sources.into_iter().collect();
        let read = sources.into_par_iter();
        let read = read.map(|(name, text)| reader.text(name, text, config));
        let read = read.collect();
        reader.add(read);
        reader.finish()
    }

    /// Where an occurrence of a fragment stands: which file, and where in it.
    ///
    /// `spans` are those of the program's nodes; nothing where the fragment is of nodes without
    /// text, such as the end of a list.
    pub(crate) fn place(
        &self,
        fragment: &Fragment,
        program: usize,
        node: NodeId,
        spans: &NodeSpans,
    ) -> Option<(&SourceFile, Span)> {
        let tree = &self.trees[program];
        let span = spans.of_occurrence(&self.grammar, fragment, tree, node)?;
        Some((&self.files[self.units[program].file], span))
    }

    /// The file and the line where a program begins: `src/queue.py:12`.
    pub fn id(&self, program: usize) -> String {
        let unit = &self.units[program];
        let file = &self.files[unit.file];
        let (line, _) = file.line_column(unit.span.range().start);
        format!("{}:{line}", file.path)
    }

    /// Where the nodes of a program are.
    pub fn spans(&self, program: usize) -> NodeSpans {
        let spans = &self.units[program].spans;
        spans.of_nodes(&self.grammar, &self.trees[program])
    }
}

/// Where the nodes of programs are, each program looked up once.
pub(crate) struct SpanCache<'r> {
    read: &'r RepositoryPrograms,
    spans: Vec<OnceLock<NodeSpans>>,
}

impl<'r> SpanCache<'r> {
    /// Nothing has been looked up yet.
    pub(crate) fn new(read: &'r RepositoryPrograms) -> SpanCache<'r> {
        let spans = read.units.iter().map(|_| OnceLock::new()).collect();
        SpanCache { read, spans }
    }

    /// Where the nodes of a program are.
    pub(crate) fn of(&self, program: usize) -> &NodeSpans {
        self.spans[program].get_or_init(|| self.read.spans(program))
    }
}

impl Repository {
    /// Leaves out files of a language that do not hold all of the words; those that cannot be read are kept.
    ///
    /// Names that are written with other letters than they stand for are not seen, so files with such letters are kept.
    pub fn keep_files_with(&mut self, language: &str, words: &[String], max_bytes: u64) {
        let Some(files) = self.files.get_mut(language).filter(|_| !words.is_empty()) else {
            return;
        };
        let is_wanted = |path: &PathBuf| match sources::read_at_most_from(path, max_bytes) {
            Ok(text) => !text.is_ascii() || words.iter().all(|it| text.contains(it.as_str())),
            // Why it cannot be read is said later.
            Err(_) => true,
        };
        let kept: Vec<bool> = files.par_iter().map(is_wanted).collect();
        let mut kept = kept.into_iter();
        files.retain(|_| kept.next().unwrap_or(true));
    }

    /// Finds the source files below `paths`.
    ///
    /// Left out is what `.gitignore` files exclude, what is hidden, and folders of other people's
    /// code (`node_modules`, `vendor`), and what the configuration says. A file that is named is taken
    /// whatever it is called, and tests are where there is nothing else.
    ///
    /// # Errors
    ///
    /// When the language of a file that is named is not known, a pattern is none, or there are no files
    /// at all.
    pub fn find(paths: &[PathBuf], config: &UnitConfig) -> Result<Repository, RepositoryError> {
        let names = match &config.language {
            Some(name) => vec![known(name)?],
            None => SourceLanguage::names(),
        };
        let endings = names.iter().flat_map(|it| SourceLanguage::extensions(it));
        let walk = WalkConfig {
            extensions: endings.map(|&it| it.to_owned()).collect(),
            ignored: Ignored::Skip,
            hidden: Hidden::Skip,
            links: Links::Skip,
            vendored: Vendored::Skip,
        };
        let found = sources::find(paths, &walk);
        let mut repository = Repository {
            skipped: found.unreadable,
            ..Repository::default()
        };
        for path in repository.chosen(found.files, paths, config)? {
            let language = match &config.language {
                Some(name) => known(name)?,
                None => SourceLanguage::of_file(&path).ok_or_else(|| {
                    RepositoryError::UnknownEnding {
                        path: path.clone(),
                        known: all_endings().join(", "),
                    }
                })?,
            };
            let files = repository.files.entry(language.to_owned()).or_default();
            files.push(path);
        }
        if repository.files.is_empty() && repository.skipped.is_empty() {
            let paths: Vec<_> = paths.iter().map(|it| it.display().to_string()).collect();
            return Err(RepositoryError::NoFiles {
                name: paths.join(", "),
                expected: match names.as_slice() {
                    [name] => format!("{name} programs"),
                    _ => format!("source files ({})", all_endings().join(", ")),
                },
            });
        }
        Ok(repository)
    }

    /// The files that are wanted; the others are skipped.
    fn chosen(
        &mut self,
        files: Vec<PathBuf>,
        roots: &[PathBuf],
        config: &UnitConfig,
    ) -> Result<Vec<PathBuf>, RepositoryError> {
        let choice = Choice::new(config)?;
        let below = |path: &Path| {
            let mut roots = roots.iter().filter_map(|it| path.strip_prefix(it).ok());
            roots.next().map(Path::to_owned).unwrap_or_default()
        };
        let mut skip = |path: &Path, reason: &str| {
            let path = path.display().to_string();
            self.skipped.push(Unreadable::by_choice(path, reason));
        };
        let (mut wanted, mut refused) = (Vec::new(), Vec::new());
        for path in files {
            let short = below(&path);
            if let Some(reason) = choice.excludes(&short) {
                skip(&path, reason);
            } else if let Some(reason) = choice
                .refuses(&short)
                .filter(|_| short.file_name().is_some())
            {
                refused.push((path, reason));
            } else {
                wanted.push(path);
            }
        }
        if wanted.is_empty() && config.tests == Taken::Skip {
            return Ok(refused.into_iter().map(|it| it.0).collect());
        }
        for (path, reason) in refused {
            skip(&path, reason);
        }
        Ok(wanted)
    }

    /// Reads and cuts the files of one language; `after_file` is called after each.
    ///
    /// Whatever is in the files: what cannot be read is left out, and counted.
    ///
    /// # Panics
    ///
    /// When `language` is none of the repository's.
    pub fn parse(
        &self,
        language: &str,
        config: &UnitConfig,
        after_file: &(dyn Fn() + Sync),
    ) -> RepositoryPrograms {
        let files = &self.files[language];
        let language = SourceLanguage::named(language).expect("files are found by language");
        let mut reader = Reader::new(language);
        reader.files(files, config, after_file);
        reader.finish()
    }
}

fn known(name: &str) -> Result<&'static str, RepositoryError> {
    let names = SourceLanguage::names();
    let found = names.iter().find(|it| **it == name);
    let found = found.copied();
    found.ok_or_else(|| RepositoryError::unknown_language(name, &names))
}

/// The endings of all files that a repository is searched for.
fn all_endings() -> Vec<String> {
    let names = SourceLanguage::names().into_iter();
    let endings = names.flat_map(SourceLanguage::extensions);
    endings.map(|ending| format!("`.{ending}`")).collect()
}
