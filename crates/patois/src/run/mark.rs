//! idioms → marked trees → training examples.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use indexmap::IndexSet;
use patois_syntax::{ExtendedGrammar, IdiomExpansion, MarkedTree, Marker};
use patois_synthesis::training::weights_generator;
use patois_synthesis::vectors::Selection;
use patois_synthesis::{
    Actions, EncoderKind, ExampleEncoder, Model, ModelConfig, PretrainedEncoder, Spec,
    TrainingExample, WordVectors, Words,
};
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::Surroundings;
use super::config::RunConfig;
use super::error::StageError;
use super::observer::{Event, Observer, Work, lock, observed};
use super::read::Source;
use crate::augment::Augmenter;
use crate::corpus::{DataDir, Split};
use crate::spec::Topics;
use crate::spec::encoder_folder;
use crate::spec::readings::ReadingCache;
use crate::spec::subtokens::Subtokenizer;
use crate::spec::vectors_file;
use crate::spec::vocabulary::{Known, learn_subtokens, learn_words, words_of};

/// What is learnt from, and what is measured on.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// Those of the train split.
    pub train: Vec<TrainingExample>,
    /// Those of the dev split.
    pub dev: Vec<TrainingExample>,
}

/// The specifications of all examples, in order.
///
/// # Errors
///
/// When values are to be linked and a database is missing.
pub fn specify(
    config: &RunConfig,
    source: &Source,
    here: &Surroundings,
) -> Result<Vec<Spec>, StageError> {
    let topics = topics(config, source, here)?;
    Ok(specs_of(source, &topics))
}

/// The databases of all examples, with the links that are asked for.
///
/// # Errors
///
/// When values are to be linked and a database is missing.
pub(crate) fn topics(
    config: &RunConfig,
    source: &Source,
    here: &Surroundings,
) -> Result<Topics, StageError> {
    let linking = config.model.relations.linking;
    let topics = Topics::linked(&source.programs.corpus, linking, &here.values);
    topics.map_err(StageError::Linking)
}

/// The specifications of all examples, in order.
pub(crate) fn specs_of(source: &Source, topics: &Topics) -> Vec<Spec> {
    let examples = source.programs.corpus.examples.par_iter();
    examples.map(|example| topics.spec(example)).collect()
}

/// Models that have learnt nothing, as many as are asked for, with the words and subtokens that they will know:
/// those of `specs`, and what the examples of a pass bring where they are changed.
///
/// # Errors
///
/// When word vectors or an encoder are asked for and cannot be read.
pub fn new_models(
    config: &RunConfig,
    source: &Source,
    specs: &[Spec],
    augmenter: Option<&Augmenter<'_>>,
    grammar: &ExtendedGrammar<'_>,
    data: &DataDir,
) -> Result<Vec<Model>, StageError> {
    let known = Known {
        min_count: config.training.min_count,
        min_databases: config.training.min_databases,
    };
    let subtokens = learn_subtokens(&source.programs, &source.languages, known);
    let actions = Actions::new(grammar, subtokens, config.model.idioms);
    let generator = |member| weights_generator(config.seed, member);
    let members = 0..config.training.n_models;
    if let Some(encoder) = read_encoder(config, data)? {
        let model = |member| {
            let (shape, encoder) = (config.model.clone(), encoder.clone());
            Model::with_encoder(shape, encoder, actions.clone(), &mut generator(member))
        };
        return Ok(members.map(model).collect());
    }
    let more = augmenter.map_or_else(Vec::new, |it| it.specs(0));
    let frequent = learn_words(&source.programs.corpus, specs, &more, known);
    let mut shape: ModelConfig = config.model.clone();
    let all = specs.iter().chain(more.iter().map(|it| &it.1));
    let words = match read_vectors(config, all, data)? {
        Some(vectors) => {
            shape.word_size = vectors.dimension;
            Words::new(&frequent, vectors)
        }
        None => Words::new(&frequent, WordVectors::default()),
    };
    let model = |member| {
        let (shape, words) = (shape.clone(), words.clone());
        Model::new(shape, words, actions.clone(), &mut generator(member))
    };
    Ok(members.map(model).collect())
}

/// The pretrained encoder that is asked for.
fn read_encoder(
    config: &RunConfig,
    data: &DataDir,
) -> Result<Option<PretrainedEncoder>, StageError> {
    let is_wanted = config.model.encoder == EncoderKind::Pretrained;
    match config.pretrained.as_ref().filter(|_| is_wanted) {
        Some(encoder) => {
            let folder = locate(&encoder.folder, data);
            Ok(Some(encoder_folder::read(&folder)?))
        }
        None => Ok(None),
    }
}

/// The vectors of the words of all splits, and of the most frequent ones.
fn read_vectors<'s>(
    config: &RunConfig,
    specs: impl Iterator<Item = &'s Spec>,
    data: &DataDir,
) -> Result<Option<WordVectors>, StageError> {
    let Some(vectors) = &config.vectors else {
        return Ok(None);
    };
    let words: IndexSet<&str> = specs.flat_map(words_of).collect();
    let words: IndexSet<String> = words.into_iter().map(str::to_owned).collect();
    let selection = Selection {
        n_first: vectors.n_frequent,
        words: &words,
    };
    let file = locate(&vectors.file, data);
    Ok(Some(vectors_file::read(&file, selection)?))
}

/// A file or folder as it is named, or else in the folder of the datasets.
fn locate(named: &Path, data: &DataDir) -> PathBuf {
    if named.exists() {
        return named.to_owned();
    }
    data.path().join(named)
}

/// The examples of the train and dev splits as a model sees them; those of the train split as often as
/// they have derivations to learn from.
///
/// # Panics
///
/// When the grammar is not that of the programs.
pub fn examples(
    config: &RunConfig,
    source: &Source,
    specs: &[Spec],
    grammar: &ExtendedGrammar<'_>,
    model: &Model,
) -> Examples {
    examples_of(
        &[Split::Train, Split::Dev],
        config,
        source,
        specs,
        grammar,
        model,
    )
}

/// Those of some splits.
pub(super) fn examples_of(
    splits: &[Split],
    config: &RunConfig,
    source: &Source,
    specs: &[Spec],
    grammar: &ExtendedGrammar<'_>,
    model: &Model,
) -> Examples {
    let marker = Marker::new(grammar.grammar(), grammar.library());
    let marker = marker.expect("the library is the grammar's");
    let encoder = ExampleEncoder {
        grammar: *grammar,
        words: &model.words,
        actions: &model.actions,
        config: &model.config,
    };
    let (programs, training) = (&source.programs, &config.training);
    let examples = programs.corpus.examples.par_iter().zip(&programs.trees);
    let encoded: Vec<Vec<TrainingExample>> = examples
        .zip(specs)
        .enumerate()
        .map(|(index, ((example, tree), spec))| {
            if !splits.contains(&example.split) {
                return Vec::new();
            }
            let language = source.languages.of(example);
            let language = language.expect("the example was parsed with its language");
            let subtokenizer = Subtokenizer::new(language, model.actions.subtokens(), spec);
            let marked = marker.mark(tree);
            let encode = |marked: &MarkedTree<'_>| {
                encoder.encode(example.id.clone(), spec, marked, &subtokenizer, language)
            };
            let mut encoded = vec![encode(&marked)];
            if example.split == Split::Train && model.actions.expansion() == IdiomExpansion::Atomic
            {
                let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
                rng.set_stream(index as u64);
                let (n_derivations, dropped) = (training.n_derivations, training.idiom_dropout);
                let more = (1..n_derivations)
                    .map(|_| encode(&marked.keeping(|_| rng.random::<f32>() >= dropped)));
                encoded.extend(more);
            }
            encoded
        })
        .collect();
    let mut all = Examples::default();
    for (example, encoded) in programs.corpus.examples.iter().zip(encoded) {
        match example.split {
            Split::Train => all.train.extend(encoded),
            Split::Dev => all.dev.extend(encoded),
            Split::Test | Split::Handwritten => {}
        }
    }
    all
}

/// Lets a pretrained encoder that is not trained read all examples once, for all steps.
pub(crate) fn read_once(
    config: &RunConfig,
    examples: &mut Examples,
    models: &[Model],
    here: &Surroundings,
    watch: &mut dyn Observer,
) {
    if config.training.pretrained.n_layers != Some(0) {
        return;
    }
    let mut encoders: Vec<u64> = models
        .iter()
        .filter_map(Model::encoder_fingerprint)
        .collect();
    encoders.dedup();
    // Those of an ensemble may have been trained before, each in its way.
    let [encoder] = encoders[..] else { return };
    let cache = ReadingCache::beside(&here.values, encoder);
    let both = [&mut examples.train, &mut examples.dev].into_iter();
    let specs: Vec<_> = both.flatten().map(|it| &mut it.spec).collect();
    observed(watch, Work::Reading, (0, specs.len()), |watch| {
        let watch = Mutex::new(watch);
        cache.fill(&models[0], specs, || {
            let _ = lock(&watch).see(Event::Read);
        });
    });
}
