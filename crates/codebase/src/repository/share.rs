//! Repositories that several processes read, each its own files, as one would read all of them.
//!
//! Every process walks the folders, and takes consecutive files. So the order of all programs is the order of the
//! ranks, and what is numbered in the order in which programs need it has the numbers that one process would give.

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use patois_collective::{Collective, Reader as Bytes, Writer};
use patois_languages::SourceLanguage;
use patois_syntax::{Fingerprint, Grammar, Renumbering};

use super::reader::Reader;
use super::{FileFigures, Repository, RepositoryError, RepositoryPrograms, UnitConfig};
use crate::sources::{Cause, Unreadable};

impl Repository {
    /// Refuses ranks that have found other files than rank 0, or are to read them in another way.
    ///
    /// What is in the files is not compared: each is read by one rank.
    ///
    /// # Errors
    ///
    /// On all ranks, when one of them differs.
    pub fn check_same(
        &self,
        ranks: &dyn Collective,
        config: &UnitConfig,
    ) -> Result<(), RepositoryError> {
        let how = format!("{} {}", env!("CARGO_PKG_VERSION"), config.to_json());
        let mut files = String::new();
        for (language, of_language) in &self.files {
            for file in of_language {
                let size = size_of_file(file);
                let _ = writeln!(files, "{language} {size} {}", file.display());
            }
        }
        let mut writer = Writer::default();
        writer.hash(Fingerprint::of(&how).number());
        writer.hash(Fingerprint::of(&files).number());
        writer.number(files.lines().count() as u64);
        let said = ranks.all_gather(writer.finish());
        let said = said.iter().map(|it| {
            let mut bytes = Bytes::new(it);
            (bytes.hash(), bytes.hash(), bytes.size())
        });
        let said: Vec<(u64, u64, usize)> = said.collect();
        if let Some(rank) = said.iter().position(|it| it.0 != said[0].0) {
            return Err(RepositoryError::OtherReading(rank));
        }
        match said.iter().position(|it| it.1 != said[0].1) {
            None => Ok(()),
            Some(rank) => Err(RepositoryError::OtherFiles {
                rank,
                expected: said[0].2,
                found: said[rank].2,
            }),
        }
    }

    /// Which files of a language are those of this rank: consecutive ones, with about as many bytes for each rank.
    ///
    /// # Panics
    ///
    /// When `language` is none of the repository's.
    pub fn share(&self, language: &str, ranks: &dyn Collective) -> Range<usize> {
        let files = &self.files[language];
        let mut writer = Writer::default();
        if ranks.rank() == 0 {
            let sizes: Vec<u64> = files.iter().map(size_of_file).collect();
            for end in ends(&sizes, ranks.size()) {
                writer.number(end as u64);
            }
        }
        // Where a file grows meanwhile, it is still one rank that reads it.
        let ends = ranks.broadcast(0, writer.finish());
        let mut ends = Bytes::new(&ends);
        let mut first = 0;
        for _ in 0..ranks.rank() {
            first = ends.size();
        }
        first..ends.size()
    }

    /// Reads and cuts some files of one language, as [`Repository::parse`] does with all of them; the grammar is that of
    /// the files of all ranks. What is said of files, such as why one was left out, is of all on rank 0.
    ///
    /// # Panics
    ///
    /// When `language` is none of the repository's, or `own` are not its files.
    pub fn parse_share(
        &self,
        language: &str,
        own: Range<usize>,
        config: &UnitConfig,
        ranks: &dyn Collective,
        after_file: &(dyn Fn() + Sync),
    ) -> RepositoryPrograms {
        let files = &self.files[language][own];
        let language = SourceLanguage::named(language).expect("files are found by language");
        let mut reader = Reader::new(language.clone());
        reader.files(files, config, after_file);
        if language.language().schema().is_none() {
            let read_again = |grammar: Option<Grammar>| {
                let mut reader = Reader::knowing(language.clone(), grammar);
                reader.files(files, config, &|| ());
                reader
            };
            reader = of_one_grammar(ranks, reader, &read_again);
        }
        let mut read = reader.finish();
        gather_figures(ranks, &mut read);
        read
    }
}

/// How many bytes a file has; none where it cannot be read, which is said later.
fn size_of_file(file: &PathBuf) -> u64 {
    fs::metadata(file).map_or(0, |it| it.len())
}

/// Where the files of each rank end.
fn ends(sizes: &[u64], n_ranks: usize) -> Vec<usize> {
    let n_bytes: u64 = sizes.iter().sum();
    let (mut at, mut n_before) = (0, 0);
    let end = |rank: usize| {
        let wanted = u128::from(n_bytes) * (rank as u128 + 1) / n_ranks as u128;
        while at < sizes.len() && (u128::from(n_before) < wanted || rank + 1 == n_ranks) {
            n_before += sizes[at];
            at += 1;
        }
        at
    };
    (0..n_ranks).map(end).collect()
}

/// Has the programs of all ranks be of one grammar: the one that all files in their order would have taught.
///
/// Each rank has learnt from its own files. Where that contradicts what the files before have taught, it reads its own
/// once more, knowing this, and leaves out what one process would leave out.
fn of_one_grammar(
    ranks: &dyn Collective,
    mut own: Reader,
    read_again: &dyn Fn(Option<Grammar>) -> Reader,
) -> Reader {
    let text = |it: Option<&Grammar>| it.map(ToString::to_string).unwrap_or_default();
    let learnt = ranks.all_gather(text(own.grammar()).into_bytes());
    let mut all: Option<Grammar> = None;
    let mut renumbering: Option<Renumbering> = None;
    for (rank, bytes) in learnt.iter().enumerate() {
        let Some(theirs) = grammar_of(bytes) else {
            continue;
        };
        let is_own = rank == ranks.rank();
        let Some(before) = all.take() else {
            all = Some(theirs);
            continue;
        };
        let mut merged = before.clone();
        if let Ok(numbers) = merged.merge(&theirs) {
            all = Some(merged);
            if is_own {
                renumbering = Some(numbers);
            }
            continue;
        }
        let mut again = String::new();
        if is_own {
            own = read_again(Some(before));
            again = text(own.grammar());
        }
        all = grammar_of(&ranks.broadcast(rank, again.into_bytes()));
    }
    own.take_grammar(all, renumbering.filter(|it| !it.is_identity()).as_ref());
    own
}

fn grammar_of(bytes: &[u8]) -> Option<Grammar> {
    let text = str::from_utf8(bytes).expect("grammars are texts");
    let parsed = (!text.is_empty()).then(|| Grammar::parse(text));
    parsed.map(|it| it.expect("ranks send grammars"))
}

/// Has rank 0 say of all files what it says of its own.
fn gather_figures(ranks: &dyn Collective, read: &mut RepositoryPrograms) {
    let mut writer = Writer::default();
    let own = read.figures;
    for number in [
        own.files,
        own.bytes,
        own.faulty_files,
        own.faults,
        own.skipped_files,
    ] {
        writer.number(number as u64);
    }
    for Unreadable {
        file,
        message,
        cause,
    } in &read.skipped
    {
        writer.text(file);
        writer.text(message);
        writer.number(match cause {
            Cause::Choice => 0,
            Cause::Nothing => 1,
            Cause::Failure => 2,
        });
    }
    let gathered = ranks.gather(writer.finish());
    if gathered.is_empty() {
        return;
    }
    (read.figures, read.skipped) = (FileFigures::default(), Vec::new());
    for bytes in &gathered {
        let mut bytes = Bytes::new(bytes);
        let figures = &mut read.figures;
        for number in [
            &mut figures.files,
            &mut figures.bytes,
            &mut figures.faulty_files,
            &mut figures.faults,
            &mut figures.skipped_files,
        ] {
            *number += bytes.size();
        }
        while !bytes.is_empty() {
            read.skipped.push(Unreadable {
                file: bytes.text().to_owned(),
                message: bytes.text().to_owned(),
                cause: match bytes.number() {
                    0 => Cause::Choice,
                    1 => Cause::Nothing,
                    _ => Cause::Failure,
                },
            });
        }
    }
}
