//! The table of languages: what they are called, and how their files end.

use std::path::Path;
use std::sync::Arc;

use patois_syntax::{Ast, Language, ParseError};

use crate::python::Python;
use crate::tree_sitter::TreeSitter;
use crate::units::{UnitKind, Units};

/// A row of [`LANGUAGES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguageEntry {
    /// What the language is called on the command line, in corpora and in configs.
    pub name: &'static str,
    /// How its files end, without the dot.
    pub extensions: &'static [&'static str],
}

/// Every language whose files can be read. Python is always there; each of the others is a feature,
/// so that a build may leave it out.
pub const LANGUAGES: &[LanguageEntry] = &[
    row(PYTHON, &["py", "pyi"]),
    row("sql", &["sql"]),
    row("c", &["c", "h"]),
    row("cpp", &["cc", "cpp", "cxx", "hh", "hpp", "hxx"]),
    row("csharp", &["cs"]),
    row("go", &["go"]),
    row("java", &["java"]),
    row("javascript", &["js", "cjs", "mjs", "jsx"]),
    row("ruby", &["rb", "rake", "gemspec"]),
    row("rust", &["rs"]),
    row("tsx", &["tsx"]),
    row("typescript", &["ts", "cts", "mts"]),
];

const PYTHON: &str = "python";

const fn row(name: &'static str, extensions: &'static [&'static str]) -> LanguageEntry {
    LanguageEntry { name, extensions }
}

/// A language that is understood from the files alone.
#[derive(Clone, Debug)]
pub enum SourceLanguage {
    /// Python.
    Python,
    /// A language that is read through a tree-sitter grammar.
    TreeSitter(Arc<TreeSitter>),
}

impl SourceLanguage {
    /// The names of the languages of this build, in the order of the table.
    pub fn names() -> Vec<&'static str> {
        let names = LANGUAGES.iter().map(|it| it.name);
        let is_there = |name: &&str| *name == PYTHON || TreeSitter::is_there(name);
        names.filter(is_there).collect()
    }

    /// The language of that name, if this build has it.
    pub fn named(name: &str) -> Option<SourceLanguage> {
        if name == PYTHON {
            return Some(SourceLanguage::Python);
        }
        TreeSitter::named(name).map(SourceLanguage::TreeSitter)
    }

    /// How the files of a language end, without the dot; none where there is no such language.
    pub fn extensions(name: &str) -> &'static [&'static str] {
        let entry = LANGUAGES.iter().find(|it| it.name == name);
        entry.map_or(&[], |it| it.extensions)
    }

    /// The name of the language that a file is in, as far as its ending tells and this build has it.
    pub fn of_file(path: &Path) -> Option<&'static str> {
        let mut names = SourceLanguage::names().into_iter();
        names.find(|name| SourceLanguage::has_ending(name, path))
    }

    /// Whether a file ends as those of a language do.
    pub fn has_ending(name: &str, path: &Path) -> bool {
        let ending = path.extension().unwrap_or_default();
        let extensions = SourceLanguage::extensions(name);
        // `.C` is C++ to some and C to others; we take the more common spelling.
        extensions.iter().any(|it| ending.eq_ignore_ascii_case(it))
    }

    /// The name.
    pub fn name(&self) -> &str {
        self.language().name()
    }

    /// The language itself.
    pub fn language(&self) -> &dyn Language {
        match self {
            SourceLanguage::Python => &Python,
            SourceLanguage::TreeSitter(language) => language.as_ref(),
        }
    }

    /// The texts of a tree that are names local to a function, counted in the order of the tree.
    pub fn locals(&self, ast: &Ast) -> Vec<u32> {
        match self {
            SourceLanguage::Python => Python.locals(ast),
            SourceLanguage::TreeSitter(language) => language.locals(ast),
        }
    }

    /// The units of a source file.
    ///
    /// # Errors
    ///
    /// When nothing of it can be read.
    pub fn units(&self, source: &str, kind: UnitKind) -> Result<Units, ParseError> {
        match self {
            SourceLanguage::Python => Python.units(source, kind),
            SourceLanguage::TreeSitter(language) => language.units(source, kind),
        }
    }
}
