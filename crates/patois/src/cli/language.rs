//! The languages by the names they have on the command line.

use clap::ValueEnum;
use patois_languages::python::Python;
use patois_syntax::Language;

use crate::failure::Failure;

/// A language that source files may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LanguageName {
    Python,
    Sql,
}

impl LanguageName {
    /// The language itself, for programs that need no database to be understood.
    pub(super) fn of_files(self) -> Result<Box<dyn Language>, Failure> {
        match self {
            LanguageName::Python => Ok(Box::new(Python)),
            LanguageName::Sql => Err(Failure::misuse(
                "SQL queries are read over the schema of a database, which plain files do not name",
            )
            .help("give a corpus that does: --corpus spider, or a file of JSON lines")),
        }
    }

    /// Its name in corpora and configs.
    pub(super) fn name(self) -> &'static str {
        match self {
            LanguageName::Python => "python",
            LanguageName::Sql => "sql",
        }
    }

    /// How its source files end, without the dot.
    pub(super) fn extensions(self) -> &'static [&'static str] {
        match self {
            LanguageName::Python => &["py", "pyi"],
            LanguageName::Sql => &["sql"],
        }
    }
}
