//! The languages by the names they have on the command line.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use patois_languages::{LANGUAGES, LanguageEntry, SourceLanguage};

use crate::failure::Failure;

/// A language that source files may be in.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanguageName(&'static LanguageEntry);

impl ValueEnum for LanguageName {
    fn value_variants<'a>() -> &'a [LanguageName] {
        static ALL: LazyLock<Vec<LanguageName>> =
            LazyLock::new(|| LANGUAGES.iter().map(LanguageName).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name))
    }
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
        self.0.name
    }

    /// How its source files end, without the dot.
    pub(super) fn extensions(self) -> &'static [&'static str] {
        self.0.extensions
    }
}
