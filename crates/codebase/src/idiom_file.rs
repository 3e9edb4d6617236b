//! `idioms.json`: a library of idioms as people and programs read it.
//!
//! An idiom is written in the [notation](patois_syntax::notation), which is what counts, and as
//! source code with named holes, which is what people look at. The same library gives the same
//! bytes. They end in a [checksum] of all but the titles, which are a person's to change: whoever changes
//! anything else by hand takes the key `checksum` out of the file.
//!
//! [checksum]: crate::checksum

mod places;

use std::path::{Path, PathBuf};

use patois_mining::{MinedIdiom, OWN_BITS, Phrase, Place as MinedPlace};
use patois_syntax::{
    Fingerprint, Fragment, Grammar, GrammarMismatch, Idiom, IdiomLibrary, ParseError, Tree,
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::checksum::{self, ChecksumMismatch};
use crate::dominant::{Dominant, dominant_in_all, filled};
use crate::idiom_name;
use crate::idiom_source::{IdiomPrinter, hole_names};
use crate::output::{self, OutputError};
use crate::repository::{RepositoryPrograms, UnitConfig};
use crate::share::Share;
use crate::tally::Tally;
use places::{place_in_file, place_of_program};

/// The version of the format that this program writes, and the only one that it reads.
pub(crate) const VERSION: u32 = 1;

/// What the checksum leaves out.
const TITLE: &str = "title";

/// The contents of a file of idioms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdiomFile {
    /// The version of the format.
    pub version: u32,
    /// The grammar that the idioms extend.
    pub grammar: GrammarStamp,
    /// Where the idioms come from.
    pub corpus: CorpusStamp,
    /// How they were mined.
    pub config: serde_json::Value,
    /// What tells the configuration of the run that they were mined for, where it was for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Fingerprint>,
    /// The idioms, best first.
    pub idioms: Vec<IdiomRecord>,
    /// What the bytes come to; known while they are read, and written by [`IdiomFile::to_json`].
    #[serde(default, skip_serializing)]
    checksum: Option<String>,
}

/// Which grammar a library belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrammarStamp {
    /// Its name.
    pub name: String,
    /// What tells it from others.
    pub fingerprint: Fingerprint,
}

/// Which programs a library was mined from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusStamp {
    /// What the corpus was asked for by.
    pub name: String,
    /// The language of its programs.
    pub language: String,
    /// The part of it that was mined.
    pub split: String,
    /// How many programs that part has.
    pub programs: usize,
}

/// An idiom of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdiomRecord {
    /// What it is called wherever it is mined: a hash of what it is.
    #[serde(default)]
    pub id: String,
    /// What people call it: its own words, until somebody writes something better.
    #[serde(default)]
    pub title: String,
    /// The idiom in the notation of fragments.
    pub notation: String,
    /// The idiom as source code with named holes.
    pub source: String,
    /// At how many places it occurs.
    pub occurrences: usize,
    /// In how many programs it occurs.
    pub coverage: usize,
    /// What the ranking thought of it.
    pub score: f64,
    /// Some of its places.
    pub examples: Vec<Place>,
    /// Holes that the source shows as the code that they nearly always are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filled: Vec<FilledHole>,
    /// How many bits each place saves beyond what is usual, where it was mined against something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lift: Option<f64>,
    /// Which words of the programs' texts foretell it, where they have some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phrases: Vec<Phrase>,
}

/// A hole that is shown as the code that it nearly always is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilledHole {
    /// What it would be called.
    pub hole: String,
    /// At how many places it is that code.
    pub places: usize,
}

/// What became of the titles that somebody has written, where idioms were mined again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KeptTitles {
    /// How many were kept.
    pub kept: usize,
    /// Those of idioms that were not found again.
    pub lost: Vec<LostTitle>,
}

/// A title whose idiom was not found again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LostTitle {
    /// The idiom.
    pub id: String,
    /// What somebody called it.
    pub title: String,
}

impl IdiomRecord {
    /// Whether it is the code base's own, where something is known of others.
    pub fn is_own(&self) -> Option<bool> {
        self.lift.map(|it| it >= OWN_BITS)
    }
}

/// A place where an idiom occurs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The id of the example.
    pub example: String,
    /// The first line of what is there.
    pub line: String,
}

/// A program that idioms were mined from.
#[derive(Clone, Copy, Debug)]
pub struct MinedProgram<'a> {
    /// What it is called where it occurs as an example.
    pub id: &'a str,
    /// Its source text.
    pub code: &'a str,
    /// Its tree.
    pub tree: &'a Tree,
}

/// Why a file is no library of a grammar.
#[derive(Debug, thiserror::Error)]
pub enum IdiomFileError {
    /// The file cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The contents are no file of idioms.
    #[error("`{}` is no file of idioms: {source}", .path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: serde_json::Error,
    },
    /// The file is of another version.
    #[error("`{}` has version {found}, expected {VERSION}", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: serde_json::Value,
    },
    /// The file is not what was written.
    #[error("`{}` has changed since it was written: {source}; whoever changed it on purpose removes its key `checksum`", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// What it comes to.
        source: ChecksumMismatch,
    },
    /// The idioms are of another grammar.
    #[error("`{}` is of another grammar ({name}): {source}", .path.display())]
    Grammar {
        /// The file.
        path: PathBuf,
        /// The name of its grammar.
        name: String,
        /// The two grammars.
        source: GrammarMismatch,
    },
    /// An idiom is no fragment of the grammar.
    #[error("`{}`: idiom {index} (`{notation}`) is no fragment of the grammar: {source}", .path.display())]
    Notation {
        /// The file.
        path: PathBuf,
        /// Counts from zero.
        index: usize,
        /// What the file says.
        notation: String,
        /// What is wrong with it.
        source: ParseError,
    },
}

impl IdiomFile {
    /// The contents of the file for a library that was mined from the given programs.
    ///
    /// Occurrences are counted anew: what stands in the file is what marking finds. `examples` are places of each
    /// idiom.
    fn new(
        grammar: &Grammar,
        library: &IdiomLibrary,
        corpus: CorpusStamp,
        config: serde_json::Value,
        printer: &IdiomPrinter<'_>,
        tallies: &[Tally],
        examples: Vec<Vec<Place>>,
    ) -> IdiomFile {
        let idioms: Vec<&Idiom> = library.iter().map(|it| it.1).collect();
        let known = idioms.par_iter().zip(tallies).zip(examples);
        let records = known.map(|((idiom, tally), examples)| IdiomRecord {
            id: idiom_name::id(grammar, &corpus.language, &idiom.fragment),
            title: String::new(),
            notation: idiom.fragment.display(grammar).to_string(),
            source: printer.print(&idiom.fragment),
            filled: Vec::new(),
            lift: None,
            phrases: Vec::new(),
            occurrences: tally.occurrences,
            coverage: tally.coverage,
            score: idiom.score,
            examples,
        });
        let idioms = records.collect();
        let mut file = IdiomFile {
            version: VERSION,
            grammar: GrammarStamp {
                name: grammar.name().to_owned(),
                fingerprint: grammar.fingerprint(),
            },
            corpus,
            config,
            run: None,
            idioms,
            checksum: None,
        };
        file.name();
        file
    }

    /// Gives a name to each idiom that has none, as those of older files.
    fn name(&mut self) {
        let language = &self.corpus.language;
        for record in &mut self.idioms {
            if record.id.is_empty() {
                record.id = idiom_name::id_of(language, &record.notation);
            }
            if record.title.is_empty() {
                record.title = idiom_name::title(language, &record.source);
            }
        }
    }

    /// Takes over the titles of an older file of the same language that somebody has written.
    pub fn keep_titles(&mut self, older: &IdiomFile) -> KeptTitles {
        let mut kept = KeptTitles::default();
        let is_same = older.corpus.language == self.corpus.language;
        let language = &older.corpus.language;
        let is_written = |it: &&IdiomRecord| it.title != idiom_name::title(language, &it.source);
        for old in older.idioms.iter().filter(|_| is_same).filter(is_written) {
            match self.idioms.iter_mut().find(|it| it.id == old.id) {
                Some(record) => {
                    record.title.clone_from(&old.title);
                    kept.kept += 1;
                }
                None => kept.lost.push(LostTitle {
                    id: old.id.clone(),
                    title: old.title.clone(),
                }),
            }
        }
        kept
    }

    /// Which idiom somebody means by an id or by a number counted from one.
    pub fn number_of(&self, name: &str) -> Option<usize> {
        match name.parse::<usize>() {
            Ok(number) => (1..=self.idioms.len()).contains(&number).then_some(number),
            Err(_) => Some(1 + self.idioms.iter().position(|it| it.id == name)?),
        }
    }

    /// The contents of the file for a library that was mined from programs; `config` is how.
    pub fn of_programs(
        grammar: &Grammar,
        programs: &[MinedProgram<'_>],
        library: &IdiomLibrary,
        corpus: CorpusStamp,
        config: serde_json::Value,
        printer: &IdiomPrinter<'_>,
    ) -> IdiomFile {
        let trees: Vec<&Tree> = programs.iter().map(|it| it.tree).collect();
        let fragments: Vec<&Fragment> = library.iter().map(|it| &it.1.fragment).collect();
        let tallies = Tally::of(fragments.into_iter(), &trees);
        let place = |it: &MinedPlace| {
            place_of_program(grammar, printer, programs[it.tree.index()], it.node)
        };
        let examples = tallies.par_iter();
        let examples = examples.map(|it| it.examples.iter().map(place).collect());
        let examples = examples.collect();
        IdiomFile::new(
            grammar, library, corpus, config, printer, &tallies, examples,
        )
    }

    /// The contents of the file for a library that was mined from source files.
    ///
    /// # Panics
    ///
    /// Never: one process has the library.
    pub fn of_repository(
        read: &RepositoryPrograms,
        library: &IdiomLibrary,
        config: serde_json::Value,
        printer: &IdiomPrinter<'_>,
    ) -> IdiomFile {
        let file = IdiomFile::of_share(&Share::alone(read), Some(library), config, printer);
        file.expect("one process has the library")
    }

    /// The contents of the file for a library that was mined from source files of which each rank has read some. Rank 0
    /// has the library, and the file.
    pub fn of_share(
        share: &Share<'_>,
        library: Option<&IdiomLibrary>,
        config: serde_json::Value,
        printer: &IdiomPrinter<'_>,
    ) -> Option<IdiomFile> {
        let read = share.read;
        let fragments = library.into_iter().flat_map(IdiomLibrary::iter);
        let fragments = share.agree_on(fragments.map(|it| &it.1.fragment));
        let trees: Vec<&Tree> = read.trees.iter().collect();
        let mut tallies = Tally::of(fragments.iter(), &trees);
        let examples = fragments.par_iter().zip(&tallies);
        let examples = examples.map(|(fragment, tally)| {
            let places = tally.examples.iter();
            let places = places.map(|it| place_in_file(read, fragment, it.tree.index(), it.node));
            places.collect()
        });
        let examples: Vec<Vec<Place>> = examples.collect();
        let examples = share.first_of_all(
            examples.iter(),
            |writer, it| {
                writer.text(&it.example);
                writer.text(&it.line);
            },
            |reader| Place {
                example: reader.text().to_owned(),
                line: reader.text().to_owned(),
            },
        );
        share.sum(&mut tallies);
        let dominant = dominant_in_all(share, fragments.iter());
        let library = library?;
        let stamp = CorpusStamp {
            name: read.name.clone(),
            language: read.language.name().to_owned(),
            split: "train".to_owned(),
            programs: share.n_programs(),
        };
        let grammar = &read.grammar;
        let mut file = IdiomFile::new(grammar, library, stamp, config, printer, &tallies, examples);
        let language = read.language.name();
        let idioms = library.iter().map(|it| &it.1.fragment).zip(&dominant);
        let records = file.idioms.par_iter_mut().zip(idioms.collect::<Vec<_>>());
        records.for_each(|(record, (fragment, dominant))| {
            fill(grammar, printer, fragment, dominant, record);
            record.title = idiom_name::title(language, &record.source);
        });
        Some(file)
    }

    /// Notes what each idiom saves beyond what is usual, where that is known.
    pub fn set_lifts(&mut self, idioms: &[MinedIdiom]) {
        for (record, idiom) in self.idioms.iter_mut().zip(idioms) {
            record.lift = idiom.lift;
        }
    }

    /// Notes which words foretell each idiom.
    pub fn set_phrases(&mut self, idioms: &[MinedIdiom]) {
        for (record, idiom) in self.idioms.iter_mut().zip(idioms) {
            record.phrases.clone_from(&idiom.phrases);
        }
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        output::write(path, self.to_json())
    }

    /// The bytes of the file.
    ///
    /// # Panics
    ///
    /// Never: texts and numbers are always JSON.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        checksum::sealed_without(&json.expect("texts and numbers are always JSON"), TITLE)
    }

    /// Reads a file and the library in it.
    ///
    /// # Errors
    ///
    /// When the file is not there, is of another version or of another grammar, or one of its
    /// idioms is no fragment of the grammar.
    pub fn read(
        path: &Path,
        grammar: &Grammar,
    ) -> Result<(IdiomFile, IdiomLibrary), IdiomFileError> {
        let file = IdiomFile::open(path)?;
        let library = file.library(path, grammar)?;
        Ok((file, library))
    }

    /// Reads a file, whatever grammar it is of.
    ///
    /// # Errors
    ///
    /// When the file is not there, is of another version, or is not what was written.
    pub fn open(path: &Path) -> Result<IdiomFile, IdiomFileError> {
        let text = std::fs::read_to_string(path).map_err(|source| IdiomFileError::Io {
            path: path.to_owned(),
            source,
        })?;
        IdiomFile::parse(path, &text)
    }

    /// How the source files were read that the idioms come from, so that others are read alike.
    pub fn units(&self) -> UnitConfig {
        let files = self.config.get("files").and_then(UnitConfig::from_json);
        UnitConfig {
            language: Some(self.corpus.language.clone()),
            ..files.unwrap_or_default()
        }
    }

    /// Reads the text of a file; `path` is what messages call it.
    ///
    /// # Errors
    ///
    /// When it is of another version, or is not what was written.
    pub fn parse(path: &Path, text: &str) -> Result<IdiomFile, IdiomFileError> {
        // The version comes first: the shape of other versions is not known.
        #[derive(Deserialize)]
        struct Versioned {
            version: serde_json::Value,
        }
        let json_error = |source| IdiomFileError::Json {
            path: path.to_owned(),
            source,
        };
        let Versioned { version } = serde_json::from_str(text).map_err(json_error)?;
        if version != VERSION {
            return Err(IdiomFileError::Version {
                path: path.to_owned(),
                found: version,
            });
        }
        let mut file: IdiomFile = serde_json::from_str(text).map_err(json_error)?;
        checksum::check_without(text, TITLE).map_err(|source| IdiomFileError::Changed {
            path: path.to_owned(),
            source,
        })?;
        file.checksum = None;
        file.name();
        Ok(file)
    }

    fn library(&self, path: &Path, grammar: &Grammar) -> Result<IdiomLibrary, IdiomFileError> {
        let (expected, found) = (self.grammar.fingerprint, grammar.fingerprint());
        if expected != found {
            return Err(IdiomFileError::Grammar {
                path: path.to_owned(),
                name: self.grammar.name.clone(),
                source: GrammarMismatch { expected, found },
            });
        }
        let idioms = self.idioms.iter().enumerate().map(|(index, record)| {
            let fragment = Fragment::parse(grammar, &record.notation).map_err(|source| {
                IdiomFileError::Notation {
                    path: path.to_owned(),
                    index,
                    notation: record.notation.clone(),
                    source,
                }
            })?;
            Ok(Idiom {
                fragment,
                coverage: record.coverage,
                score: record.score,
            })
        });
        let idioms = idioms.collect::<Result<Vec<Idiom>, IdiomFileError>>()?;
        Ok(IdiomLibrary::new(grammar, idioms))
    }
}

/// Shows holes as the code that they nearly always are, where that can be printed.
fn fill(
    grammar: &Grammar,
    printer: &IdiomPrinter<'_>,
    fragment: &Fragment,
    dominant: &[Dominant],
    record: &mut IdiomRecord,
) {
    if dominant.is_empty() {
        return;
    }
    let names = hole_names(grammar, fragment);
    let (filled, left) = filled(grammar, fragment, dominant);
    let left: Vec<String> = left.iter().map(|it| names[it.index()].clone()).collect();
    let Some(source) = printer.source_named(&filled, &left) else {
        return;
    };
    record.source = source;
    record.filled = dominant
        .iter()
        .map(|it| FilledHole {
            hole: names[it.hole.index()].clone(),
            places: it.n_places,
        })
        .collect();
}

#[cfg(test)]
mod tests;
