//! The languages by the names they have on the command line.

use clap::ValueEnum;
use patois::source_language::SourceLanguage;

use crate::failure::Failure;

/// A language that source files may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LanguageName {
    Python,
    Sql,
    C,
    Cpp,
    Csharp,
    Go,
    Java,
    Javascript,
    Ruby,
    Rust,
    Tsx,
    Typescript,
}

impl LanguageName {
    /// The language itself, for programs that need no database to be understood.
    pub(super) fn of_files(self) -> Result<SourceLanguage, Failure> {
        let name = self.name();
        SourceLanguage::named(name).ok_or_else(|| {
            let known = SourceLanguage::names().join(", ");
            Failure::misuse(format!("this build cannot read `{name}`")).help(format!(
                "it knows {known}; others are switched on as cargo features"
            ))
        })
    }

    /// Its name in corpora and configs.
    pub(super) fn name(self) -> &'static str {
        match self {
            LanguageName::Python => "python",
            LanguageName::Sql => "sql",
            LanguageName::C => "c",
            LanguageName::Cpp => "cpp",
            LanguageName::Csharp => "csharp",
            LanguageName::Go => "go",
            LanguageName::Java => "java",
            LanguageName::Javascript => "javascript",
            LanguageName::Ruby => "ruby",
            LanguageName::Rust => "rust",
            LanguageName::Tsx => "tsx",
            LanguageName::Typescript => "typescript",
        }
    }

    /// How its source files end, without the dot.
    pub(super) fn extensions(self) -> &'static [&'static str] {
        SourceLanguage::extensions(self.name())
    }
}
