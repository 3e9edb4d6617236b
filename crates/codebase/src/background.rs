//! What is usual in each language, counted in well-known packages.
//!
//! The files in `background/` are made by `tools/backgrounds/make`, which says which packages. What
//! at least two of them have is usual; names that only one has are its own.

use patois_languages::SourceLanguage;
use patois_mining::{Background, BackgroundCounts};

use crate::local_names::LocalNames;
use crate::repository::RepositoryPrograms;

/// How many counts a stored background has at most: three bytes each.
const MAX_ENTRIES: usize = 110_000;

/// What so many packages have is usual.
const MIN_PACKAGES: u32 = 2;

/// The stored backgrounds, by the names of their languages.
const STORED: &[(&str, &[u8])] = &[
    ("go", include_bytes!("background/go.background")),
    (
        "javascript",
        include_bytes!("background/javascript.background"),
    ),
    ("python", include_bytes!("background/python.background")),
    ("ruby", include_bytes!("background/ruby.background")),
    ("rust", include_bytes!("background/rust.background")),
    (
        "typescript",
        include_bytes!("background/typescript.background"),
    ),
];

/// The languages of which it is known what is usual.
pub fn languages() -> impl Iterator<Item = &'static str> {
    STORED.iter().map(|it| it.0)
}

/// What is usual in a language, where that is known.
///
/// # Panics
///
/// When the file of this repository is damaged, which a test rules out.
pub fn of_language(language: &str) -> Option<Background> {
    let stored = STORED.iter().find(|it| it.0 == language)?;
    Some(Background::from_bytes(stored.1).expect("a stored background can be read"))
}

/// What is usual in some programs, all of them.
pub fn of_programs(name: &str, read: &RepositoryPrograms, local_names: LocalNames) -> Background {
    let mut counts = BackgroundCounts::default();
    counts.add(&read.grammar, &local_names.trees(read));
    counts.all(name)
}

/// What is usual in a language: what several of the given packages have.
#[derive(Debug, Default)]
pub struct Packages(BackgroundCounts);

impl Packages {
    /// Counts a package.
    pub fn add(&mut self, read: &RepositoryPrograms) {
        self.0.add(&read.grammar, &LocalNames::Holes.trees(read));
    }

    /// The background of a language.
    pub fn finish(self, language: &SourceLanguage, n_packages: usize) -> Background {
        let name = format!("{n_packages} packages of {}", language.name());
        self.0.most_usual(&name, MIN_PACKAGES, MAX_ENTRIES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_backgrounds_can_be_read() {
        for language in languages() {
            let background = of_language(language).unwrap();
            assert!(background.n_entries() > 10_000, "{language}");
            assert!(
                background.name().ends_with(language),
                "{}",
                background.name()
            );
            assert!(SourceLanguage::named(language).is_some());
        }
        assert_eq!(of_language("latin"), None);
    }
}
