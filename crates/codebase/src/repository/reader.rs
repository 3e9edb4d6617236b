//! Programs of one language, in the making: files are cut into units, the grammar learns from the
//! units, and each becomes a tree of it.
//!
//! Whatever a parser makes of a file, what is no tree of the grammar is a fault of the file, as a place
//! that does not parse is.

use std::path::{Path, PathBuf};

use patois_languages::{SourceLanguage, Unit, Units};
use patois_syntax::{
    Ast, ConvertError, Grammar, InduceError, Label, NodeId, ParseError, Renumbering, Span, Spans,
    Text, Tree,
};
use rayon::prelude::*;

use super::choice::is_generated;
use super::{FileFigures, RepositoryPrograms, Taken, UnitConfig, UnitPlace};
use crate::source_file::SourceFile;
use crate::sources::{self, Cause, Unreadable};

/// So many files are held as syntax trees at a time: those of parsers take much memory.
const CHUNK: usize = 256;

/// Lines of minified code are longer than this on average.
const MAX_LINE: usize = 400;

/// What was read of a file.
pub(super) struct FileUnits {
    source: SourceFile,
    units: Units,
}

/// Programs of one language, in the making.
pub(super) struct Reader {
    language: SourceLanguage,
    grammar: Option<Grammar>,
    skipped: Vec<Unreadable>,
    trees: Vec<Tree>,
    files: Vec<SourceFile>,
    units: Vec<UnitPlace>,
    figures: FileFigures,
}

impl Reader {
    pub(super) fn new(language: SourceLanguage) -> Reader {
        let grammar = language.language().schema().map(Grammar::from_schema);
        Reader::knowing(language, grammar)
    }

    /// Begins with a grammar.
    pub(super) fn knowing(language: SourceLanguage, grammar: Option<Grammar>) -> Reader {
        Reader {
            skipped: Vec::new(),
            grammar,
            language,
            trees: Vec::new(),
            files: Vec::new(),
            units: Vec::new(),
            figures: FileFigures::default(),
        }
    }

    /// Reads files, cuts them and adds them in their order.
    pub(super) fn files(
        &mut self,
        files: &[PathBuf],
        config: &UnitConfig,
        after_file: &(dyn Fn() + Sync),
    ) {
        for files in files.chunks(CHUNK) {
            let read = files.par_iter().map(|path| {
                let file = self.file(path, config);
                after_file();
                file
            });
            let read = read.collect();
            self.add(read);
        }
    }

    /// What was learnt; nothing where there was nothing to learn from.
    pub(super) fn grammar(&self) -> Option<&Grammar> {
        self.grammar.as_ref()
    }

    /// Takes a grammar that has all that was learnt, under other numbers where they are given.
    pub(super) fn take_grammar(&mut self, grammar: Option<Grammar>, numbers: Option<&Renumbering>) {
        self.grammar = grammar;
        if let Some(numbers) = numbers {
            self.trees.par_iter_mut().for_each(|it| numbers.apply(it));
        }
    }

    /// Reads a file and cuts it.
    fn file(&self, path: &Path, config: &UnitConfig) -> Result<FileUnits, Unreadable> {
        let text = sources::read_at_most_from(path, config.max_file_bytes)?;
        self.text(path.display().to_string(), text, config)
    }

    /// Cuts what a file holds.
    pub(super) fn text(
        &self,
        name: String,
        text: String,
        config: &UnitConfig,
    ) -> Result<FileUnits, Unreadable> {
        let left_out = |cause, message: &str| Unreadable {
            file: name.clone(),
            message: message.to_owned(),
            cause,
        };
        if text.trim().is_empty() {
            return Err(left_out(Cause::Nothing, "is empty"));
        }
        if is_minified(&text) {
            return Err(left_out(Cause::Choice, "is minified"));
        }
        if config.generated == Taken::Skip && is_generated(&name, &text) {
            return Err(left_out(Cause::Choice, "is generated"));
        }
        let units = match self.language.units(&text, config.unit) {
            Ok(units) => units,
            Err(error) => return Err(does_not_parse(name, &text, &error)),
        };
        match units.faults.first() {
            Some(fault) if units.units.is_empty() => Err(does_not_parse(name, &text, fault)),
            None if units.units.is_empty() => Err(left_out(Cause::Nothing, "holds comments only")),
            _ => Ok(FileUnits {
                source: SourceFile::new(name, text),
                units,
            }),
        }
    }

    /// Adds files in their order.
    pub(super) fn add(&mut self, files: Vec<Result<FileUnits, Unreadable>>) {
        let mut read = Vec::new();
        for file in files {
            match file {
                Ok(file) => read.push(file),
                Err(unreadable) => self.skip(unreadable),
            }
        }
        self.learn(&mut read);
        let (grammar, language) = (self.grammar.as_ref(), &self.language);
        let trees: Vec<Vec<Result<UnitTree, ConvertError>>> = read
            .par_iter()
            .map(|file| {
                let units = file.units.units.iter();
                let trees = grammar.map(|grammar| {
                    let tree = |it: &Unit| UnitTree::new(grammar, language, &it.ast);
                    units.map(tree).collect()
                });
                trees.unwrap_or_default()
            })
            .collect();
        for (file, trees) in read.into_iter().zip(trees) {
            self.add_file(file, trees);
        }
    }

    fn skip(&mut self, unreadable: Unreadable) {
        self.figures.skipped_files += 1;
        self.skipped.push(unreadable);
    }

    fn add_file(&mut self, file: FileUnits, trees: Vec<Result<UnitTree, ConvertError>>) {
        let FileUnits { source, units } = file;
        let mut faults = units.faults;
        let mut whole = Vec::with_capacity(trees.len());
        for (unit, tree) in units.units.into_iter().zip(trees) {
            match tree {
                Ok(tree) => whole.push((unit.range, tree)),
                Err(error) => faults.push(ParseError::at(unit.range.start, error.to_string())),
            }
        }
        if let (true, Some(fault)) = (whole.is_empty(), faults.first()) {
            return self.skip(does_not_parse(source.path, &source.text, fault));
        }
        self.figures.files += 1;
        self.figures.bytes += source.text.len();
        self.figures.faulty_files += usize::from(!faults.is_empty());
        self.figures.faults += faults.len();
        for (range, tree) in whole {
            self.units.push(UnitPlace {
                file: self.files.len(),
                span: Span::new(range),
                spans: tree.spans,
                locals: tree.locals,
            });
            self.trees.push(tree.tree);
        }
        self.files.push(source);
    }

    /// Teaches the units to a grammar that is induced. One that contradicts those before it becomes a
    /// fault of its file.
    fn learn(&mut self, files: &mut [FileUnits]) {
        if self.language.language().schema().is_some() {
            return;
        }
        let all = files.iter().flat_map(|it| &it.units.units);
        if self.extend(all.map(|it| &it.ast)).is_ok() {
            return;
        }
        for Units { units, faults } in files.iter_mut().map(|it| &mut it.units) {
            if self.extend(units.iter().map(|it| &it.ast)).is_ok() {
                continue;
            }
            units.retain(|unit| match self.extend([&unit.ast].into_iter()) {
                Ok(()) => true,
                Err(error) => {
                    faults.push(ParseError::at(unit.range.start, error.to_string()));
                    false
                }
            });
        }
    }

    /// Teaches trees to the grammar; all of them or, where they contradict what it knows, none.
    fn extend<'a>(&mut self, mut asts: impl Iterator<Item = &'a Ast>) -> Result<(), InduceError> {
        let learnt = if let Some(grammar) = &self.grammar {
            let mut grammar = grammar.clone();
            grammar.extend(asts)?;
            grammar
        } else {
            let Some(first) = asts.next() else {
                return Ok(());
            };
            let name = Text::new(self.language.name()).as_str();
            Grammar::induce(name, std::iter::once(first).chain(asts))?
        };
        self.grammar = Some(learnt);
        Ok(())
    }

    pub(super) fn finish(self) -> RepositoryPrograms {
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

/// A unit as a tree, with what else is known of it.
struct UnitTree {
    tree: Tree,
    spans: Spans,
    locals: Vec<NodeId>,
}

impl UnitTree {
    fn new(
        grammar: &Grammar,
        language: &SourceLanguage,
        ast: &Ast,
    ) -> Result<UnitTree, ConvertError> {
        let tree = grammar.tree(ast)?;
        let is_text = |node: &NodeId| matches!(tree.label(*node), Label::Text(_));
        let mut texts = tree.nodes().filter(is_text).enumerate();
        let locals = language.locals(ast).into_iter().map(|wanted| {
            let text = texts.find(|it| it.0 == wanted as usize);
            text.expect("texts of the tree in its order").1
        });
        Ok(UnitTree {
            spans: Spans::of(ast),
            locals: locals.collect(),
            tree,
        })
    }
}

/// A file with nothing in it that is a program.
fn does_not_parse(file: String, text: &str, fault: &ParseError) -> Unreadable {
    let place = fault.line_column(text);
    let place = place.map(|(line, column)| format!(" (line {line}, column {column})"));
    let message = format!("does not parse: {fault}{}", place.unwrap_or_default());
    Unreadable::new(file, message)
}

/// Whether a machine has taken the line ends out of a source.
fn is_minified(source: &str) -> bool {
    let n_lines = source.lines().count().max(1);
    source.len() > 5 * MAX_LINE && source.len() / n_lines > MAX_LINE
}
