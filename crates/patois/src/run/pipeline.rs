//! The stages of a run, one function each, in the order in which they follow each other:
//! corpus and trees, idioms, specifications, model, training examples, training.

mod pruning;
mod training;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use indexmap::IndexSet;
use patois_mining::{MiningError, Sweep, mine_and_predict};
use patois_syntax::{
    ExtendedGrammar, IdiomLibrary, InduceError, MarkedTree, Marker, Tree, Unrolling,
};
use patois_synthesis::matrix::Matrix;
use patois_synthesis::training::{LoadError, weights_generator};
use patois_synthesis::vectors::Selection;
use patois_synthesis::{
    Actions, EncoderKind, ExampleEncoder, Model, ModelConfig, Objective, Spec, TrainingExample,
    Vocabulary, WordVectors, Words,
};
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

pub use pruning::{Pruned, idiom_uses, prune};
pub use training::{
    Checkpoint, CheckpointError, Event, StopReason, Trained, Training, TrainingRunError,
};

use crate::corpus::databases::databases_of;
use crate::corpus::statistics::learn_subtokens;
use crate::corpus::{Corpus, CorpusError, CorpusOptions, DataDir, Languages, Programs, Split};
use crate::run::config::RunConfig;
use crate::spec::Specs;
use crate::spec::copying::Candidates;
use crate::spec::linking::ValueCache;
use crate::spec::subtokens::Subtokenizer;
use crate::spec::vectors_file::{self, VectorsFileError};
use patois_codebase::idiom_file::{IdiomFile, IdiomFileError};
use patois_codebase::idiom_source::IdiomPrinter;
use patois_database::DatabaseError;

/// A corpus, and the languages that its programs were parsed with.
#[derive(Clone)]
pub struct Source {
    /// The programs of the train and dev splits.
    pub programs: Programs,
    /// Their languages.
    pub languages: Languages,
}

/// A library, and the file that describes it.
#[derive(Clone, Debug)]
pub struct Idioms {
    /// The library.
    pub library: IdiomLibrary,
    /// The file.
    pub file: IdiomFile,
}

/// What is learnt from, and what is measured on.
#[derive(Clone, Debug, Default)]
pub struct TrainingExamples {
    /// Those of the train split.
    pub train: Vec<TrainingExample>,
    /// Those of the dev split.
    pub dev: Vec<TrainingExample>,
}

/// Why a stage cannot do its part.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// There is no such corpus.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// Its trees contradict each other.
    #[error("the programs have no common grammar: {0}")]
    Grammar(#[from] InduceError),
    /// There is nothing to learn from.
    #[error("`{corpus}` has no program to learn from{}", .first.as_ref().map(|it| format!(": {it}")).unwrap_or_default())]
    NoPrograms {
        /// The corpus.
        corpus: String,
        /// The first row that was dropped, and why.
        first: Option<String>,
    },
    /// The encoder is not made for the programs.
    #[error("`model.encoder` is `{found}`, but {language} programs need `{expected}`")]
    Encoder {
        /// The language of the programs.
        language: String,
        /// The encoder that was asked for.
        found: &'static str,
        /// The one that is needed.
        expected: &'static str,
    },
    /// Idioms cannot be mined.
    #[error("cannot mine idioms: {0}")]
    Mining(#[from] MiningError),
    /// Idioms cannot be read.
    #[error(transparent)]
    IdiomFile(#[from] IdiomFileError),
    /// The values of a database cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Word vectors cannot be read.
    #[error(transparent)]
    Vectors(#[from] VectorsFileError),
    /// A checkpoint cannot be read.
    #[error("`{}`: {source}", .path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LoadError,
    },
}

impl Source {
    /// Reads the train and dev splits of a corpus and parses them.
    ///
    /// # Errors
    ///
    /// When there is no such corpus, none of its training programs can be parsed, or the encoder is
    /// not made for them.
    pub fn read(config: &RunConfig, data: &DataDir) -> Result<Source, PipelineError> {
        let corpus = open_corpus(config, data)?;
        check_encoder(&corpus, config.model.encoder)?;
        let languages = Languages::of_corpus(&corpus, config.sql.mode)?;
        let mut programs = corpus.parse(&languages)?;
        programs.keep(|split| matches!(split, Split::Train | Split::Dev));
        if programs.of(Split::Train).next().is_none() {
            let corpus = programs.corpus;
            let first = corpus.dropped.first();
            return Err(PipelineError::NoPrograms {
                first: first.map(|row| format!("{}: {}", row.id, row.reason)),
                corpus: corpus.name,
            });
        }
        Ok(Source {
            programs,
            languages,
        })
    }

    fn trees(&self, split: Split) -> Vec<Tree> {
        self.programs.of(split).cloned().collect()
    }
}

/// The corpus of a run: what it learns from is the train split, what it is measured on are the others.
///
/// # Errors
///
/// When there is no such corpus.
pub fn open_corpus(config: &RunConfig, data: &DataDir) -> Result<Corpus, CorpusError> {
    let mut corpus = Corpus::open(&config.corpus, data, &CorpusOptions::default())?;
    if let Some(fold) = config.fold() {
        corpus.hold_out(fold);
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

fn check_encoder(corpus: &Corpus, encoder: EncoderKind) -> Result<(), PipelineError> {
    let name = |kind| match kind {
        EncoderKind::Words => "words",
        EncoderKind::Schema => "schema",
    };
    let expected = match corpus.language.as_str() {
        "sql" => EncoderKind::Schema,
        _ => EncoderKind::Words,
    };
    if encoder == expected {
        return Ok(());
    }
    Err(PipelineError::Encoder {
        language: corpus.language.clone(),
        found: name(encoder),
        expected: name(expected),
    })
}

/// The idioms of a run: read from a file, mined, or none where the objective has no use for them.
///
/// # Errors
///
/// When the file is of another grammar, or the miner cannot be configured so.
pub fn idioms(
    config: &RunConfig,
    source: &Source,
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<Idioms, PipelineError> {
    let grammar = &source.programs.grammar;
    if let Some(file) = &config.idioms.file {
        let (file, library) = IdiomFile::read(file, grammar)?;
        return Ok(Idioms { library, file });
    }
    let library = if config.training.objective == Objective::Plain {
        IdiomLibrary::empty(grammar)
    } else {
        mine(config, source, watch)?
    };
    let file = describe(config, source, &library);
    Ok(Idioms { library, file })
}

fn mine(
    config: &RunConfig,
    source: &Source,
    watch: &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
) -> Result<IdiomLibrary, PipelineError> {
    let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
    let (train, mining) = (source.trees(Split::Train), &config.idioms.mining);
    let grammar = &source.programs.grammar;
    Ok(mine_and_predict(grammar, &train, &[], mining, &mut rng, watch)?.library)
}

fn describe(config: &RunConfig, source: &Source, library: &IdiomLibrary) -> IdiomFile {
    let programs = &source.programs;
    let (language, mode) = (&programs.corpus.language, config.sql.mode);
    let printer = IdiomPrinter::named(language, &programs.grammar, mode);
    let how = serde_json::json!({ "mining": config.idioms.mining, "seed": config.seed });
    programs.idiom_file(Split::Train, library, how, &printer)
}

/// The specifications of all examples, in order.
///
/// # Errors
///
/// When values are to be linked and a database is missing.
pub fn specify(
    config: &RunConfig,
    source: &Source,
    data: &DataDir,
    cache: &ValueCache,
) -> Result<Vec<Spec>, PipelineError> {
    let corpus = &source.programs.corpus;
    let databases = databases_of(&config.corpus, None, data);
    let linking = config.model.relations.linking;
    let specs = Specs::linked(corpus, linking, &databases, cache)?;
    let examples = corpus.examples.par_iter();
    Ok(examples.map(|example| specs.of(example)).collect())
}

/// Models that have learnt nothing, as many as are asked for, with the words and subtokens that they will know.
///
/// # Errors
///
/// When word vectors are asked for and cannot be read.
pub fn new_models(
    config: &RunConfig,
    source: &Source,
    specs: &[Spec],
    grammar: &ExtendedGrammar<'_>,
    data: &DataDir,
) -> Result<Vec<Model>, PipelineError> {
    let (min_count, min_databases) = (config.training.min_count, config.training.min_databases);
    let frequent = learn_words(source, specs, min_count, min_databases);
    let mut model_config: ModelConfig = config.model.clone();
    let words = match read_vectors(config, specs, data)? {
        Some(vectors) => {
            model_config.word_size = vectors.dimension;
            let matrix = Matrix::new(vectors.words.len(), vectors.dimension, vectors.values);
            Words::new(&frequent, vectors.words, matrix)
        }
        None => Words::new(&frequent, IndexSet::new(), Matrix::zeros(0, 0)),
    };
    let subtokens = learn_subtokens(
        &source.programs,
        &source.languages,
        min_count,
        min_databases,
    );
    let actions = Actions::new(grammar, subtokens, config.model.unrolling);
    let model = |member| {
        let (shape, words, actions) = (model_config.clone(), words.clone(), actions.clone());
        Model::new(
            shape,
            words,
            actions,
            &mut weights_generator(config.seed, member),
        )
    };
    Ok((0..config.training.n_models).map(model).collect())
}

/// The words of the train split: of its questions, and of the databases that they are about.
fn learn_words(
    source: &Source,
    specs: &[Spec],
    min_count: usize,
    min_databases: usize,
) -> Vocabulary {
    let examples = source.programs.corpus.examples.iter().zip(specs);
    let train = examples.filter(|(example, _)| example.split == Split::Train);
    let words = train.map(|(example, spec)| (example.database.as_deref(), words_of(spec)));
    Vocabulary::learn_across(words, min_count, min_databases)
}

/// All words that a model looks up for a specification.
fn words_of(spec: &Spec) -> impl Iterator<Item = &str> {
    let context = spec.context.as_deref();
    let columns = context.into_iter().flat_map(|it| &it.columns);
    let columns = columns.flat_map(|it| std::iter::once(&it.kind).chain(&it.words));
    let tables = context
        .into_iter()
        .flat_map(|it| it.tables.iter().flatten());
    let words = spec.words.iter().chain(columns).chain(tables);
    words.map(String::as_str)
}

/// The vectors of the words of all splits, and of the most frequent ones.
fn read_vectors(
    config: &RunConfig,
    specs: &[Spec],
    data: &DataDir,
) -> Result<Option<WordVectors>, PipelineError> {
    let Some(vectors) = &config.vectors else {
        return Ok(None);
    };
    let words: IndexSet<&str> = specs.iter().flat_map(words_of).collect();
    let words: IndexSet<String> = words.into_iter().map(str::to_owned).collect();
    let selection = Selection {
        n_first: vectors.n_frequent,
        words: &words,
    };
    let file = locate(&vectors.file, data);
    Ok(Some(vectors_file::read(&file, selection)?))
}

/// A file as it is named, or else in the folder of the datasets.
fn locate(file: &Path, data: &DataDir) -> PathBuf {
    if file.is_file() {
        return file.to_owned();
    }
    data.path().join(file)
}

/// The examples of the train and dev splits as a model sees them; those of the train split as often as
/// they have derivations to learn from.
///
/// # Panics
///
/// When the grammar is not that of the programs.
pub fn training_examples(
    config: &RunConfig,
    source: &Source,
    specs: &[Spec],
    grammar: &ExtendedGrammar<'_>,
    model: &Model,
) -> TrainingExamples {
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
            let candidates = Candidates::of(&example.text);
            let language = source.languages.of(example);
            let language = language.expect("the example was parsed with its language");
            let subtokenizer = Subtokenizer::new(language, model.actions.subtokens(), &candidates);
            let marked = marker.mark(tree);
            let encode = |marked: &MarkedTree<'_>| {
                encoder.encode(example.id.clone(), spec, marked, &subtokenizer)
            };
            let mut encoded = vec![encode(&marked)];
            if example.split == Split::Train && model.actions.unrolling() == Unrolling::AtOnce {
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
    let mut all = TrainingExamples::default();
    for (example, encoded) in programs.corpus.examples.iter().zip(encoded) {
        match example.split {
            Split::Train => all.train.extend(encoded),
            Split::Dev => all.dev.extend(encoded),
            Split::Test | Split::Handwritten => {}
        }
    }
    all
}
