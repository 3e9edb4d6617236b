//! Repositories as programs: files of many languages, cut into units.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use patois_languages::SourceLanguage;
use patois_languages::{UnitKind, Units};
use patois_syntax::{
    Ast, Fragment, Grammar, InduceError, Label, NodeId, NodeSpans, Span, Spans, Text, Tree,
};
use rayon::prelude::*;
use serde::Serialize;

use crate::source_file::SourceFile;
use crate::sources::{self, Hidden, Ignored, Links, Unreadable, Vendored, WalkConfig};

/// Which files of a repository are read, and how they are cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitConfig {
    /// The language; all that are known where it is not given.
    pub language: Option<String>,
    /// What counts as a program.
    pub unit: UnitKind,
    /// Larger files are left out: nobody wrote them.
    pub max_file_bytes: u64,
}

impl Default for UnitConfig {
    fn default() -> UnitConfig {
        UnitConfig {
            language: None,
            unit: UnitKind::Function,
            max_file_bytes: 1_000_000,
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
        serde_json::json!({ "unit": unit, "max_file_bytes": self.max_file_bytes })
    }

    /// Reads what [`UnitConfig::to_json`] makes; nothing where it is something else.
    pub fn from_json(value: &serde_json::Value) -> Option<UnitConfig> {
        Some(UnitConfig {
            language: None,
            unit: match value.get("unit")?.as_str()? {
                "file" => UnitKind::File,
                "function" => UnitKind::Function,
                _ => return None,
            },
            max_file_bytes: value.get("max_file_bytes")?.as_u64()?,
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
    /// Not a single file.
    #[error("{name}: expected {expected}, found none")]
    NoFiles {
        /// Where files were looked for.
        name: String,
        /// What was looked for.
        expected: String,
    },
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
    /// Where an occurrence of a fragment stands: which file, and where in it.
    ///
    /// `spans` are those of the program's nodes; nothing where the fragment is of nodes without
    /// text, such as the end of a list.
    pub fn place(
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
pub struct SpanCache<'r> {
    read: &'r RepositoryPrograms,
    spans: Vec<OnceLock<NodeSpans>>,
}

impl<'r> SpanCache<'r> {
    /// Nothing has been looked up yet.
    pub fn new(read: &'r RepositoryPrograms) -> SpanCache<'r> {
        let spans = read.units.iter().map(|_| OnceLock::new()).collect();
        SpanCache { read, spans }
    }

    /// Where the nodes of a program are.
    pub fn of(&self, program: usize) -> &NodeSpans {
        self.spans[program].get_or_init(|| self.read.spans(program))
    }
}

impl Repository {
    /// Finds the source files below `paths`.
    ///
    /// Left out is what `.gitignore` files exclude, what is hidden, and folders of other people's
    /// code (`node_modules`, `vendor`). A file that is named is taken whatever it is called.
    ///
    /// # Errors
    ///
    /// When the language of a file that is named is not known, or there are no files at all.
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
        for path in found.files {
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

    /// Reads and cuts the files of one language; `after_file` is called after each.
    ///
    /// # Errors
    ///
    /// When trees contradict each other, which the language rules out.
    ///
    /// # Panics
    ///
    /// When `language` is none of the repository's.
    pub fn parse(
        &self,
        language: &str,
        config: &UnitConfig,
        after_file: &(dyn Fn() + Sync),
    ) -> Result<RepositoryPrograms, InduceError> {
        let files = &self.files[language];
        let language = SourceLanguage::named(language).expect("files are found by language");
        let mut reader = Reader::new(language);
        for files in files.chunks(CHUNK) {
            let read: Vec<_> = files
                .par_iter()
                .map(|path| {
                    let file = reader.file(path, config);
                    after_file();
                    file
                })
                .collect();
            reader.add(read)?;
        }
        Ok(reader.finish())
    }
}

/// So many files are held as syntax trees at a time: those of parsers take much memory.
const CHUNK: usize = 256;

/// Lines of minified code are longer than this on average.
const MAX_LINE: usize = 400;

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

/// What was read of a file.
struct FileUnits {
    source: SourceFile,
    units: Units,
}

/// A unit as a tree, with what else is known of it.
struct UnitTree {
    tree: Tree,
    spans: Spans,
    locals: Vec<NodeId>,
}

impl UnitTree {
    fn new(grammar: &Grammar, language: &SourceLanguage, ast: &Ast) -> UnitTree {
        let tree = grammar.tree(ast).expect("the grammar has learnt it");
        let is_text = |node: &NodeId| matches!(tree.label(*node), Label::Text(_));
        let mut texts = tree.nodes().filter(is_text).enumerate();
        let locals = language.locals(ast).into_iter().map(|wanted| {
            let text = texts.find(|it| it.0 == wanted as usize);
            text.expect("texts of the tree in its order").1
        });
        UnitTree {
            spans: Spans::of(ast),
            locals: locals.collect(),
            tree,
        }
    }
}

/// Programs of one language, in the making.
struct Reader {
    language: SourceLanguage,
    grammar: Option<Grammar>,
    skipped: Vec<Unreadable>,
    trees: Vec<Tree>,
    files: Vec<SourceFile>,
    units: Vec<UnitPlace>,
    figures: FileFigures,
}

impl Reader {
    fn new(language: SourceLanguage) -> Reader {
        Reader {
            skipped: Vec::new(),
            grammar: language.language().schema().map(Grammar::from_schema),
            language,
            trees: Vec::new(),
            files: Vec::new(),
            units: Vec::new(),
            figures: FileFigures::default(),
        }
    }

    fn file(&self, path: &Path, config: &UnitConfig) -> Result<FileUnits, Unreadable> {
        let id = path.display().to_string();
        let unreadable = |message: String| Unreadable {
            file: id.clone(),
            message,
        };
        let source = sources::read_at_most_from(path, config.max_file_bytes)?;
        if source.trim().is_empty() {
            return Err(unreadable("is empty".to_owned()));
        }
        if is_minified(&source) {
            return Err(unreadable("is minified".to_owned()));
        }
        let units = self.language.units(&source, config.unit);
        let units = units.map_err(|error| unreadable(format!("does not parse: {error}")))?;
        if units.units.is_empty() {
            let reason = match units.faults.first() {
                Some(fault) => match fault.line_column(&source) {
                    Some((line, column)) => {
                        format!("does not parse: {fault} (line {line}, column {column})")
                    }
                    None => format!("does not parse: {fault}"),
                },
                None => "holds comments only".to_owned(),
            };
            return Err(unreadable(reason));
        }
        Ok(FileUnits {
            source: SourceFile::new(id, source),
            units,
        })
    }

    /// Adds files in their order.
    fn add(&mut self, files: Vec<Result<FileUnits, Unreadable>>) -> Result<(), InduceError> {
        let mut read = Vec::new();
        for file in files {
            match file {
                Ok(file) => read.push(file),
                Err(unreadable) => {
                    self.figures.skipped_files += 1;
                    self.skipped.push(unreadable);
                }
            }
        }
        self.learn(read.iter().flat_map(|it| &it.units.units).map(|it| &it.ast))?;
        let Some(grammar) = &self.grammar else {
            return Ok(());
        };
        let language = &self.language;
        let trees: Vec<Vec<UnitTree>> = read
            .par_iter()
            .map(|file| {
                let asts = file.units.units.iter().map(|it| &it.ast);
                asts.map(|ast| UnitTree::new(grammar, language, ast))
                    .collect()
            })
            .collect();
        for (file, trees) in read.into_iter().zip(trees) {
            self.add_file(file, trees);
        }
        Ok(())
    }

    fn add_file(&mut self, file: FileUnits, trees: Vec<UnitTree>) {
        self.figures.files += 1;
        self.figures.bytes += file.source.text.len();
        self.figures.faulty_files += usize::from(!file.units.faults.is_empty());
        self.figures.faults += file.units.faults.len();
        for (unit, tree) in file.units.units.iter().zip(trees) {
            self.units.push(UnitPlace {
                file: self.files.len(),
                span: Span::new(unit.range.clone()),
                spans: tree.spans,
                locals: tree.locals,
            });
            self.trees.push(tree.tree);
        }
        self.files.push(file.source);
    }

    fn learn<'a>(&mut self, asts: impl Iterator<Item = &'a Ast>) -> Result<(), InduceError> {
        if self.language.language().schema().is_some() {
            return Ok(());
        }
        if let Some(grammar) = &mut self.grammar {
            return grammar.extend(asts);
        }
        let name = Text::new(self.language.name()).as_str();
        match Grammar::induce(name, asts) {
            Err(InduceError::NoTrees) => Ok(()),
            other => {
                self.grammar = Some(other?);
                Ok(())
            }
        }
    }

    fn finish(self) -> RepositoryPrograms {
        let grammar = self.grammar.unwrap_or_else(|| {
            let empty = format!("grammar {}\nsymbols program", self.language.name());
            Grammar::parse(&empty).expect("a symbol without productions is a grammar")
        });
        RepositoryPrograms {
            name: String::new(),
            language: self.language,
            grammar,
            trees: self.trees,
            skipped: self.skipped,
            files: self.files,
            units: self.units,
            figures: self.figures,
        }
    }
}

/// Whether a machine has taken the line ends out of a source.
fn is_minified(source: &str) -> bool {
    let n_lines = source.lines().count().max(1);
    source.len() > 20 * MAX_LINE && source.len() / n_lines > MAX_LINE
}
