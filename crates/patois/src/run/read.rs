//! corpus → trees.

use std::borrow::Cow;

use indexmap::IndexSet;
use patois_syntax::{IdiomExpansion, Tree};
use patois_synthesis::EncoderKind;

use super::config::{RunConfig, SourceConfig};
use super::error::StageError;
use crate::augment::Shares;
use crate::corpus::{
    Corpus, CorpusError, CorpusOptions, DataDir, Example, Languages, Programs, Split,
};

/// A corpus, and the languages that its programs were parsed with.
#[derive(Clone)]
pub struct Source {
    /// The programs of the train and dev splits.
    pub programs: Programs,
    /// Their languages.
    pub languages: Languages,
    /// How many examples of the train split each of its sources has, and its weight: the main corpus first, whose dev
    /// examples are the only ones.
    parts: Vec<(usize, f64)>,
}

impl Source {
    /// Reads a corpus, and parses its train and dev splits.
    ///
    /// # Errors
    ///
    /// When there is no such corpus, none of its training programs can be parsed, or the encoder is
    /// not made for them.
    pub fn read(config: &RunConfig, data: &DataDir) -> Result<Source, StageError> {
        Source::of(config, open_corpus(config, data)?, data)
    }

    /// Parses the train and dev splits of a corpus, and the train splits of the other sources.
    pub(super) fn of(
        config: &RunConfig,
        corpus: Corpus,
        data: &DataDir,
    ) -> Result<Source, StageError> {
        check_encoder(&corpus, config.model.encoder)?;
        let (programs, languages) = parse(config, corpus)?;
        let mut source = Source {
            parts: vec![(programs.of(Split::Train).count(), 1.0)],
            programs,
            languages,
        };
        for other in &config.sources {
            source.add(config, other, data)?;
        }
        Ok(source)
    }

    /// Adds the train split of another corpus. What it has about databases that are held out is left out.
    fn add(
        &mut self,
        config: &RunConfig,
        other: &SourceConfig,
        data: &DataDir,
    ) -> Result<(), StageError> {
        let first = &self.programs.corpus;
        let options = CorpusOptions {
            language: Some(first.language.clone()),
            ..config.corpus_options()
        };
        let mut corpus = Corpus::open(&other.corpus, data, &options)?;
        corpus.keep(Split::Train);
        corpus.fit(first)?;
        if config.fold().is_some() {
            let held_out = first.of(Split::Dev).filter_map(|it| it.database.as_ref());
            let held_out: IndexSet<&String> = held_out.collect();
            let is_free =
                |it: &Example| it.database.as_ref().is_none_or(|it| !held_out.contains(it));
            corpus.examples.retain(is_free);
        }
        let (mut programs, languages) = parse(config, corpus)?;
        self.parts.push((programs.trees.len(), other.weight));
        let corpus = &mut self.programs.corpus;
        corpus.examples.append(&mut programs.corpus.examples);
        corpus.dropped.append(&mut programs.corpus.dropped);
        for (name, schema) in programs.corpus.databases {
            corpus.databases.entry(name).or_insert(schema);
        }
        for (name, place) in programs.corpus.places {
            corpus.places.entry(name).or_insert(place);
        }
        self.programs.trees.append(&mut programs.trees);
        self.languages.extend(languages);
        Ok(())
    }

    /// How often the examples of each source are seen. Where idioms are atomic, each is seen with as many derivations
    /// as are asked for.
    pub(crate) fn shares(&self, config: &RunConfig) -> Shares {
        let n_derivations = n_derivations(config) as f64;
        let parts = self.parts.iter();
        let parts = parts.map(|&(n_examples, weight)| (n_examples, weight * n_derivations));
        Shares::new(parts.collect(), config.seed)
    }

    /// The same where each derivation is an example of its own.
    pub(super) fn shares_of_derivations(&self, config: &RunConfig) -> Shares {
        let n_derivations = n_derivations(config);
        let parts = self.parts.iter();
        let parts = parts.map(|&(n_examples, weight)| (n_examples * n_derivations, weight));
        Shares::new(parts.collect(), config.seed)
    }

    /// The programs of the main corpus.
    pub(super) fn main(&self) -> Cow<'_, Programs> {
        if self.parts.len() == 1 {
            return Cow::Borrowed(&self.programs);
        }
        let n_added: usize = self.parts[1..].iter().map(|it| it.0).sum();
        let n_main = self.programs.trees.len() - n_added;
        let mut main = self.programs.clone();
        main.corpus.examples.truncate(n_main);
        main.trees.truncate(n_main);
        Cow::Owned(main)
    }

    /// The training programs of the main corpus alone, one of `n_parts` parts of them held out as a dev split. Questions
    /// about one database stay together where there are as many databases as parts.
    pub(super) fn with_held_out(&self, part: usize, n_parts: usize) -> Source {
        let mut programs = self.main().into_owned();
        programs.keep(|split| split == Split::Train);
        let examples = &mut programs.corpus.examples;
        let databases = examples.iter().filter_map(|it| it.database.clone());
        let databases: IndexSet<String> = databases.collect();
        let mut n_train = 0;
        for (index, example) in examples.iter_mut().enumerate() {
            let of_database = example.database.as_ref();
            let of_database = of_database.filter(|_| databases.len() >= n_parts);
            let group = of_database.and_then(|it| databases.get_index_of(it));
            if group.unwrap_or(index) % n_parts == part {
                example.split = Split::Dev;
            } else {
                n_train += 1;
            }
        }
        Source {
            parts: vec![(n_train, 1.0)],
            programs,
            languages: self.languages.clone(),
        }
    }

    /// The trees of a split of the main corpus.
    pub(super) fn trees(&self, split: Split) -> Vec<Tree> {
        self.main().of(split).cloned().collect()
    }
}

/// How many derivations of an example are learnt from.
fn n_derivations(config: &RunConfig) -> usize {
    match config.model.idioms {
        IdiomExpansion::Atomic => config.training.n_derivations,
        IdiomExpansion::Replayed => 1,
    }
}

/// Parses the train and dev splits of a corpus.
fn parse(config: &RunConfig, corpus: Corpus) -> Result<(Programs, Languages), StageError> {
    let languages = Languages::of_corpus(&corpus, config.sql.mode)?;
    let mut programs = corpus.parse(&languages)?;
    programs.keep(|split| matches!(split, Split::Train | Split::Dev));
    if programs.of(Split::Train).next().is_none() {
        let corpus = programs.corpus;
        return Err(StageError::NoPrograms {
            first: corpus.first_dropped(),
            corpus: corpus.name,
        });
    }
    Ok((programs, languages))
}

/// The corpus of a run: what it learns from is the train split, what it is measured on are the others.
///
/// # Errors
///
/// When there is no such corpus.
pub fn open_corpus(config: &RunConfig, data: &DataDir) -> Result<Corpus, CorpusError> {
    let mut corpus = Corpus::open(&config.corpus, data, &config.corpus_options())?;
    match config.fold() {
        Some(fold) => corpus.hold_out(&fold),
        None => corpus.complete_splits(),
    }
    if let Some(n_train) = config.n_train {
        keep_first(&mut corpus, n_train);
    }
    Ok(corpus)
}

/// Leaves the first examples of the train split, and the others as they are.
fn keep_first(corpus: &mut Corpus, n_train: usize) {
    let mut n_seen = 0;
    corpus.examples.retain(|example| {
        n_seen += usize::from(example.split == Split::Train);
        example.split != Split::Train || n_seen <= n_train
    });
}

fn check_encoder(corpus: &Corpus, encoder: EncoderKind) -> Result<(), StageError> {
    let name = |kind| match kind {
        EncoderKind::Words => "words",
        EncoderKind::Schema => "schema",
        EncoderKind::Pretrained => "pretrained",
    };
    let expected = match corpus.language.as_str() {
        "sql" => EncoderKind::Schema,
        _ => EncoderKind::Words,
    };
    // A pretrained encoder reads whatever there is.
    if [expected, EncoderKind::Pretrained].contains(&encoder) {
        return Ok(());
    }
    Err(StageError::Encoder {
        language: corpus.language.clone(),
        found: name(encoder),
        expected: name(expected),
    })
}

#[cfg(test)]
mod tests;
