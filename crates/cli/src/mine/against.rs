//! `--against`: what is usual elsewhere, in a language or in another folder.

use std::path::{Path, PathBuf};

use patois_codebase::background;
use patois_codebase::find::{NumberedIdiom, Sought, find};
use patois_codebase::idiom_file::IdiomFile;
use patois_codebase::local_names::LocalNames;
use patois_codebase::repository::{Repository, RepositoryPrograms, UnitConfig};
use patois_mining::Background;

use super::MineArgs;
use crate::Context;
use crate::failure::Failure;

/// What idioms are compared with.
pub(super) enum Against {
    /// What is usual in each language.
    Usual(Option<String>),
    /// The programs of another folder, such as an old checkout.
    Folder(PathBuf, Repository),
}

/// What `--against` calls the language of the files, whichever it is.
const USUAL: &str = "usual";

impl Against {
    /// What somebody asked for, if anything.
    pub(super) fn read(args: &MineArgs, units: &UnitConfig) -> Result<Option<Against>, Failure> {
        let Some(what) = &args.against else {
            return Ok(None);
        };
        if what == USUAL {
            return Ok(Some(Against::Usual(None)));
        }
        if background::languages().any(|it| it == what) {
            return Ok(Some(Against::Usual(Some(what.clone()))));
        }
        let path = PathBuf::from(what);
        if !path.exists() {
            let known: Vec<&str> = background::languages().collect();
            let message = format!("`{what}` is neither a folder nor a language with a background");
            let help = format!(
                "backgrounds: {}, or `{USUAL}` for that of each file",
                known.join(", ")
            );
            return Err(Failure::misuse(message).help(help));
        }
        let found = Repository::find(std::slice::from_ref(&path), units)?;
        Ok(Some(Against::Folder(path, found)))
    }

    /// What is usual for the idioms of a language; the programs, where these are at hand.
    pub(super) fn of_language(
        &self,
        context: &Context,
        language: &str,
        units: &UnitConfig,
        local_names: LocalNames,
    ) -> Option<(Background, Option<RepositoryPrograms>)> {
        match self {
            Against::Usual(asked) => {
                let is_asked = asked.as_deref().is_none_or(|it| it == language);
                let found = is_asked.then(|| background::of_language(language))??;
                Some((found, None))
            }
            Against::Folder(path, found) => {
                found.files.get(language)?;
                let read = super::repository::read(context, found, language, units);
                let name = path.display().to_string();
                let usual = background::of_programs(&name, &read, local_names);
                Some((usual, Some(read)))
            }
        }
    }
}

/// Where idioms that died out are written: `idioms.gone.json`.
pub(super) fn gone_path(out: &Path) -> PathBuf {
    out.with_extension("gone.json")
}

/// At how many places of other programs each idiom of a file occurs.
pub(super) fn counts_in(other: &RepositoryPrograms, file: &IdiomFile) -> Vec<usize> {
    let idioms = file.idioms.iter().enumerate();
    let idioms = idioms.map(|(index, it)| NumberedIdiom {
        number: index,
        notation: it.notation.clone(),
    });
    let mut counts = vec![0; file.idioms.len()];
    let found = find(other, &Sought::Idioms(idioms.collect()));
    for idiom in found.unwrap_or_default().iter().filter_map(|it| it.idiom) {
        counts[idiom] += 1;
    }
    counts
}
