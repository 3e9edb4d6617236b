//! The languages that source files may be in, and how their files end.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use patois_languages::python::Python;
use patois_languages::tree_sitter::TreeSitter;
use patois_languages::units::{UnitKind, Units};
use patois_syntax::{Ast, Language, ParseError};

/// A language that is understood from the files alone.
#[derive(Clone, Debug)]
pub enum SourceLanguage {
    /// Python.
    Python,
    /// A language that is read through a tree-sitter grammar.
    TreeSitter(Arc<TreeSitter>),
}

const PYTHON: &str = "python";

impl SourceLanguage {
    /// The names of all languages, Python first.
    pub fn names() -> Vec<&'static str> {
        std::iter::once(PYTHON).chain(TreeSitter::names()).collect()
    }

    /// The language of that name, if this build has it.
    pub fn named(name: &str) -> Option<SourceLanguage> {
        if name == PYTHON {
            return Some(SourceLanguage::Python);
        }
        TreeSitter::named(name).map(SourceLanguage::TreeSitter)
    }

    /// How the files of a language end, without the dot.
    pub fn extensions(name: &str) -> &'static [&'static str] {
        match name {
            PYTHON => &["py", "pyi"],
            other => TreeSitter::extensions(other),
        }
    }

    /// The name of the language that a file is in, as far as its ending tells.
    pub fn of_file(path: &Path) -> Option<&'static str> {
        let ending = path.extension().and_then(OsStr::to_str)?;
        let is_it = |it: &&str| it.eq_ignore_ascii_case(ending);
        // `.C` is C++ to some and C to others; we take the more common spelling.
        SourceLanguage::names()
            .into_iter()
            .find(|name| SourceLanguage::extensions(name).iter().any(is_it))
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
