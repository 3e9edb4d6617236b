//! Models and checkpoints as bytes: safetensors, with a description that says what they are, and a
//! checksum of all bytes in it.

use std::sync::Arc;

use indexmap::IndexSet;
use patois_syntax::{
    ExtendedGrammar, Fingerprint, Fragment, Grammar, Idiom, IdiomLibrary, ParseError,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use safetensors::tensor::Metadata;
use safetensors::{SafeTensors, View as _};
use serde::{Deserialize, Serialize};

use super::checksum::{NO_CHECKSUM, checksum, sealed};
use super::optimizer::Memory;
use super::tensors::{Stored, fill_matrix, find_matrix, read_matrix};
use crate::config::{ConfigError, EncoderKind, ModelConfig, TrainingConfig};
use crate::lexicon::{Actions, Words};
use crate::matrix::Matrix;
use crate::model::Model;
use crate::parameters::{Learning, Parameters};
use crate::pretrained::{EncoderShape, ShapeError, Weights, WordPieces, WordPiecesError};
use crate::vocabulary::Vocabulary;

/// The version of what is written here.
const VERSION: u32 = 4;
/// The version before, which is read as well: it has no checksum.
const UNCHECKED: u32 = 3;
/// The only key of the metadata, so that bytes do not depend on an order of keys.
const KEY: &str = "patois";

/// What a file says of itself.
#[derive(Serialize, Deserialize)]
struct Description {
    /// CRC-32 of the file, with zeros in the place of the checksum itself.
    checksum: Option<String>,
    version: u32,
    /// What tells the configuration of the run that made it.
    run: Option<Fingerprint>,
    grammar: Fingerprint,
    idioms: Vec<String>,
    config: ModelConfig,
    learnt_words: IndexSet<String>,
    fixed_words: IndexSet<String>,
    subtokens: Vocabulary,
    /// How many models there are weights of.
    n_models: usize,
    /// What its pretrained encoder is, besides the weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encoder: Option<DescribedEncoder>,
    /// The number of steps that were taken, and the seed; none for a finished model.
    progress: Option<Progress>,
}

/// A pretrained encoder without its weights.
#[derive(Serialize, Deserialize)]
struct DescribedEncoder {
    shape: EncoderShape,
    pieces: Vec<String>,
}

/// The part of a description that is read first, before anything is believed of the rest.
#[derive(Deserialize)]
struct Stamp {
    version: u32,
    checksum: Option<String>,
    run: Option<Fingerprint>,
}

/// How far training went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// How many steps were taken.
    pub step: usize,
    /// The seed of all random numbers: with the step, the state of the generators.
    pub seed: u64,
    /// How the model is trained.
    pub config: TrainingConfig,
    /// The best loss on dev so far, and how many measurements ago that was.
    pub best: Option<(f64, usize)>,
    /// How many seconds of processors the steps took; none where there is no budget of them, since it is never the
    /// same twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<f64>,
}

impl Progress {
    /// Which share of the budget is spent: of the steps or of the seconds, whichever is more.
    pub(super) fn share_spent(&self) -> f32 {
        let steps = self.step as f32 / self.config.n_steps.max(1) as f32;
        let seconds = self.spent.zip(self.config.cpu_seconds);
        seconds.map_or(steps, |(spent, of)| steps.max((spent / of) as f32))
    }
}

/// What training needs to go on, besides the weights.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// How far training went.
    pub progress: Progress,
    /// What is remembered of each model.
    pub(super) members: Vec<MemberMemory>,
}

/// What training needs to go on with one model, besides its weights.
#[derive(Clone, Debug)]
pub(super) struct MemberMemory {
    /// What the optimiser remembers.
    pub(super) memory: Memory,
    /// The exponential moving average of the weights.
    pub(super) ema: Option<Vec<Matrix>>,
}

/// Why a file is no model, or not the one that is needed.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is not a file of tensors, or damaged.
    #[error("expected a file of tensors: {0}")]
    Tensors(#[from] safetensors::SafeTensorError),
    /// It is a file of tensors, but not ours.
    #[error("expected a model of patois: the file has no description")]
    NoDescription,
    /// Its description cannot be read.
    #[error("the description of the model cannot be read: {0}")]
    Description(#[from] serde_json::Error),
    /// It is not what was written.
    #[error("the file is damaged: its checksum is {found}, expected {expected}")]
    Checksum {
        /// What the bytes come to.
        found: String,
        /// What is written in them.
        expected: String,
    },
    /// Its configuration makes no sense.
    #[error("the configuration of the model: {0}")]
    Config(#[from] ConfigError),
    /// Its configuration asks for more than is there.
    #[error("the configuration of the model asks for more weights than its {0} bytes can hold")]
    Weights(usize),
    /// It was written by another version.
    #[error("expected a model of version {VERSION}, found version {0}")]
    Version(u32),
    /// It was trained for another grammar.
    #[error("the model is for the grammar {found}, not for {expected}")]
    Grammar {
        /// The fingerprint of the grammar at hand.
        expected: Fingerprint,
        /// That of the model's.
        found: Fingerprint,
    },
    /// It was trained with other idioms.
    #[error("the model knows {found} idioms, and they are not the {expected} at hand")]
    Idioms {
        /// How many idioms are at hand.
        expected: usize,
        /// How many the model knows.
        found: usize,
    },
    /// One of its idioms cannot be read.
    #[error("the idiom `{notation}` cannot be read: {error}")]
    Idiom {
        /// How it is written.
        notation: String,
        /// Why not.
        error: ParseError,
    },
    /// The shape of its pretrained encoder makes no sense.
    #[error("the shape of the encoder: {0}")]
    EncoderShape(#[from] ShapeError),
    /// The pieces of its pretrained encoder are not complete.
    #[error("the pieces of the encoder: {0}")]
    WordPieces(#[from] WordPiecesError),
    /// It needs a pretrained encoder, and there is none in it.
    #[error("expected a pretrained encoder in the model, found none")]
    NoEncoder,
    /// A tensor is missing, or of another shape.
    #[error("expected {expected} for `{name}`, found {found}")]
    Tensor {
        /// Its name.
        name: String,
        /// The shape it should have.
        expected: String,
        /// What is there.
        found: String,
    },
    /// It is a finished model, where a checkpoint is needed.
    #[error("expected a checkpoint, found a finished model")]
    NotACheckpoint,
}

/// Writes finished models: the weights, and all that it takes to use them but the grammar. What tells
/// the configuration of their `run` from others is written with them.
///
/// # Panics
///
/// When there is none, or the grammar is not theirs.
pub fn write_models(
    models: &[Model],
    grammar: &ExtendedGrammar<'_>,
    run: Option<Fingerprint>,
) -> Vec<u8> {
    let models: Vec<&Model> = models.iter().collect();
    write(&models, grammar, run, Storage::Exact, None)
}

/// Writes finished models in about 8 bits a weight, a quarter of the room, without what no text needs. They are read like
/// others, and differ from what they were by less than 0.4 % of the greatest weight of each row.
///
/// # Panics
///
/// When there is none, or the grammar is not theirs.
pub fn write_small_models(
    models: &[Model],
    grammar: &ExtendedGrammar<'_>,
    run: Option<Fingerprint>,
) -> Vec<u8> {
    let models: Vec<&Model> = models.iter().collect();
    write(&models, grammar, run, Storage::Bytes, None)
}

/// How weights are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Storage {
    /// As they are.
    Exact,
    /// In 8 bits.
    Bytes,
}

/// Writes a checkpoint: the models, and all that it takes to go on.
///
/// # Panics
///
/// When there is no model, or the grammar is not theirs.
pub(super) fn write_checkpoint(
    models: &[&Model],
    grammar: &ExtendedGrammar<'_>,
    run: Option<Fingerprint>,
    progress: &Progress,
    members: &[&MemberMemory],
) -> Vec<u8> {
    let remembered = Some((progress, members));
    write(models, grammar, run, Storage::Exact, remembered)
}

fn write(
    models: &[&Model],
    grammar: &ExtendedGrammar<'_>,
    run: Option<Fingerprint>,
    storage: Storage,
    remembered: Option<(&Progress, &[&MemberMemory])>,
) -> Vec<u8> {
    // All know the same words and subtokens.
    let first = models[0];
    let mut encoder = describe_encoder(first);
    let pieces = encoder.as_mut().filter(|_| storage == Storage::Bytes);
    let pieces = pieces.map(DescribedEncoder::drop_unused_pieces);
    let embeddings: Vec<Option<Matrix>> = models
        .iter()
        .map(|it| Some(embeddings_of(it, pieces.as_ref()?)))
        .collect();
    let (learnt, fixed) = first.words.lists();
    let description = Description {
        checksum: Some(NO_CHECKSUM.to_owned()),
        version: VERSION,
        run,
        grammar: grammar.grammar().fingerprint(),
        idioms: notations(grammar),
        config: first.config.clone(),
        learnt_words: learnt.clone(),
        fixed_words: fixed.clone(),
        subtokens: first.actions.subtokens().clone(),
        n_models: models.len(),
        encoder,
        progress: remembered.map(|it| it.0.clone()),
    };
    let description = serde_json::to_string(&description).expect("a description is plain data");

    let mut groups: Vec<(String, Vec<&Matrix>)> = Vec::new();
    for (index, model) in models.iter().enumerate() {
        let weights = model.parameters.iter().map(|(name, matrix)| {
            let is_cut = name == WORD_EMBEDDINGS;
            let cut = embeddings[index].as_ref().filter(|_| is_cut);
            cut.unwrap_or(matrix)
        });
        groups.push((group(WEIGHTS, index), weights.collect()));
    }
    for (index, member) in remembered.iter().flat_map(|it| it.1).enumerate() {
        let ema = member.ema.iter().flatten();
        groups.extend([
            (group(FIRST, index), member.memory.first.iter().collect()),
            (group(SECOND, index), member.memory.second.iter().collect()),
            (group(EMA, index), ema.collect()),
        ]);
    }
    let mut tensors: Vec<(String, Stored<'_>)> = Vec::new();
    for (group, matrices) in groups {
        let named = first.parameters.iter().map(|it| it.0).zip(matrices);
        for (index, (name, matrix)) in named.enumerate() {
            let full_name = format!("{group}{name}");
            if storage == Storage::Bytes {
                tensors.extend(Stored::in_bytes(full_name, matrix));
                continue;
            }
            let stored = if index < first.n_pretrained() {
                Stored::small(matrix)
            } else {
                Stored::new(matrix)
            };
            // Of what is not learnt, nothing is remembered.
            if stored.data_len() > 0 {
                tensors.push((full_name, stored));
            }
        }
    }
    tensors.push((VECTORS.to_owned(), Stored::new(first.words.vectors())));
    let metadata = [(KEY.to_owned(), description)].into_iter().collect();
    let bytes = safetensors::serialize(tensors, Some(metadata));
    sealed(bytes.expect("matrices fill their shapes"))
}

fn describe_encoder(model: &Model) -> Option<DescribedEncoder> {
    let (shape, pieces) = model.encoder_shape().zip(model.words.pieces())?;
    Some(DescribedEncoder {
        shape: shape.clone(),
        pieces: pieces.texts().to_vec(),
    })
}

impl DescribedEncoder {
    /// Drops the pieces that were set aside for others to use, which no text has; those that stay, by where they were.
    fn drop_unused_pieces(&mut self) -> Vec<usize> {
        let pieces = std::mem::take(&mut self.pieces).into_iter().enumerate();
        let kept = pieces.filter(|it| !it.1.starts_with("[unused"));
        let (places, pieces) = kept.unzip();
        self.pieces = pieces;
        self.shape.n_pieces = self.pieces.len();
        places
    }
}

/// The embeddings of some of the pieces of a pretrained encoder.
fn embeddings_of(model: &Model, pieces: &[usize]) -> Matrix {
    let mut parameters = model.parameters.iter();
    let all = parameters.find(|it| it.0 == WORD_EMBEDDINGS);
    let all = all.expect("pieces have embeddings").1;
    let rows = pieces.iter().flat_map(|it| all.row(*it));
    Matrix::new(pieces.len(), all.n_columns(), rows.copied().collect())
}

/// The parameter that has a row for each piece.
const WORD_EMBEDDINGS: &str = "embeddings.word_embeddings.weight";

/// What the names of the tensors of a model begin with; those of the first are not numbered.
fn group(name: &str, index: usize) -> String {
    match index {
        0 => format!("{name}/"),
        _ => format!("{name}.{}/", index + 1),
    }
}

const WEIGHTS: &str = "weights";
const FIRST: &str = "first";
const SECOND: &str = "second";
const EMA: &str = "ema";
const VECTORS: &str = "vectors";

fn notations(grammar: &ExtendedGrammar<'_>) -> Vec<String> {
    let idioms = grammar.library().iter();
    let notation = |fragment: &Fragment| fragment.display(grammar.grammar()).to_string();
    idioms.map(|(_, idiom)| notation(&idiom.fragment)).collect()
}

/// Reads the idioms that a model or checkpoint was trained with.
///
/// # Errors
///
/// When the bytes are no model of the grammar.
pub fn read_idioms(bytes: &[u8], grammar: &Grammar) -> Result<IdiomLibrary, LoadError> {
    let description = describe(bytes, grammar)?;
    let mut idioms = Vec::with_capacity(description.idioms.len());
    for notation in &description.idioms {
        let fragment = Fragment::parse(grammar, notation).map_err(|error| LoadError::Idiom {
            notation: notation.clone(),
            error,
        })?;
        idioms.push(Idiom {
            fragment,
            coverage: 0,
            score: 0.0,
        });
    }
    Ok(IdiomLibrary::new(grammar, idioms))
}

/// Reads models; a checkpoint will do.
///
/// # Errors
///
/// When the bytes are no models of the grammar with its idioms.
pub fn read_models(bytes: &[u8], grammar: &ExtendedGrammar<'_>) -> Result<Vec<Model>, LoadError> {
    let description = describe(bytes, grammar.grammar())?;
    if description.idioms != notations(grammar) {
        return Err(LoadError::Idioms {
            expected: grammar.library().len(),
            found: description.idioms.len(),
        });
    }
    let tensors = SafeTensors::deserialize(bytes)?;
    let n_models = description.n_models.max(1);
    let model = blank_model(description, grammar, &tensors, bytes.len())?;
    let mut models = Vec::new();
    for index in 1..n_models {
        models.push(filled(model.clone(), index - 1, &tensors)?);
    }
    // The last one need not be copied.
    models.push(filled(model, n_models - 1, &tensors)?);
    Ok(models)
}

/// A model that has the right shapes, if these are not larger than a file of so many bytes allows.
fn blank_model(
    description: Description,
    grammar: &ExtendedGrammar<'_>,
    tensors: &SafeTensors<'_>,
    n_bytes: usize,
) -> Result<Model, LoadError> {
    let n_vectors = description.fixed_words.len();
    let width = if n_vectors == 0 {
        0
    } else {
        description.config.word_size
    };
    let vectors = read_matrix(tensors, VECTORS, (n_vectors, width))?;
    let (words, weights) = match (description.config.encoder, description.encoder) {
        (EncoderKind::Pretrained, Some(encoder)) => {
            let (words, weights) = encoder.prepare(tensors)?;
            (words, Some(weights))
        }
        (EncoderKind::Pretrained, None) => return Err(LoadError::NoEncoder),
        _ => {
            let words = Words::of(description.learnt_words, description.fixed_words, vectors);
            (words, None)
        }
    };
    let expansion = description.config.idioms;
    let actions = Actions::new(grammar, description.subtokens, expansion);
    // Nothing is drawn. A number takes two bytes at least.
    let blank = Parameters::blank(n_bytes / 2);
    let rng = &mut ChaCha8Rng::seed_from_u64(0);
    let tables = (words, actions);
    let mut model = Model::with_parameters(blank, description.config, tables, weights, rng);
    if !model.parameters.is_whole() {
        return Err(LoadError::Weights(n_bytes));
    }
    if let Some(progress) = &description.progress {
        model.fine_tune(&progress.config.pretrained);
    }
    Ok(model)
}

/// A model with the weights of the one with an index.
fn filled(mut model: Model, index: usize, tensors: &SafeTensors<'_>) -> Result<Model, LoadError> {
    let group = group(WEIGHTS, index);
    let names: Vec<String> = model.parameters.iter().map(|it| it.0.to_owned()).collect();
    for (name, parameter) in names.iter().zip(model.parameters.values_mut()) {
        fill_matrix(tensors, &format!("{group}{name}"), parameter)?;
    }
    Ok(model)
}

impl DescribedEncoder {
    /// What its model is built with: weights of the right shapes, and those are there.
    fn prepare(self, tensors: &SafeTensors<'_>) -> Result<(Words, Weights), LoadError> {
        self.shape.check()?;
        for (name, part) in self.shape.weights() {
            find_matrix(
                tensors,
                &format!("{}{name}", group(WEIGHTS, 0)),
                part.shape(),
            )?;
        }
        let pieces = Arc::new(WordPieces::new(self.pieces)?);
        let words = Words::of_pieces(pieces, self.shape.n_positions);
        Ok((words, Weights::zeros(self.shape)))
    }
}

/// Reads what a checkpoint of models like `model` remembers.
///
/// # Errors
///
/// When the bytes are no checkpoint of such models.
pub fn read_remembered(
    bytes: &[u8],
    grammar: &Grammar,
    model: &Model,
) -> Result<Remembered, LoadError> {
    let description = describe(bytes, grammar)?;
    let progress = description.progress.ok_or(LoadError::NotACheckpoint)?;
    let tensors = SafeTensors::deserialize(bytes)?;
    let has_ema = tensors.iter().any(|(name, _)| name.starts_with(EMA));
    let member = |index: usize| {
        let read = |name: &str, learnt: &[Learning]| {
            let group = group(name, index);
            read_learnt(&tensors, &group, &model.parameters, learnt)
        };
        let both = [Learning::Whole, Learning::Rows];
        let ema = has_ema.then(|| read(EMA, &[Learning::Whole]));
        Ok(MemberMemory {
            memory: Memory {
                first: read(FIRST, &both)?,
                second: read(SECOND, &both)?,
            },
            ema: ema.transpose()?,
        })
    };
    let members: Result<Vec<MemberMemory>, LoadError> =
        (0..description.n_models.max(1)).map(member).collect();
    Ok(Remembered {
        progress,
        members: members?,
    })
}

/// Reads what tells the configuration of the run that made models or a checkpoint; none where nothing
/// was written about it.
///
/// # Errors
///
/// When the bytes are no models, or damaged.
pub fn read_run(bytes: &[u8]) -> Result<Option<Fingerprint>, LoadError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes)?;
    Ok(stamp(bytes, description(&metadata)?)?.run)
}

fn description(metadata: &Metadata) -> Result<&str, LoadError> {
    let metadata = metadata.metadata().as_ref();
    let description = metadata.and_then(|it| it.get(KEY));
    description
        .map(String::as_str)
        .ok_or(LoadError::NoDescription)
}

/// Reads the stamp of a file, and makes sure that the file is what was written.
fn stamp(bytes: &[u8], description: &str) -> Result<Stamp, LoadError> {
    let stamp: Stamp = serde_json::from_str(description)?;
    match stamp.version {
        VERSION => {}
        UNCHECKED => return Ok(stamp),
        other => return Err(LoadError::Version(other)),
    }
    let expected = stamp.checksum.as_deref().unwrap_or("none");
    let found = checksum(bytes).unwrap_or_else(|| "none".to_owned());
    if found != expected || stamp.checksum.is_none() {
        return Err(LoadError::Checksum {
            found,
            expected: expected.to_owned(),
        });
    }
    Ok(stamp)
}

fn describe(bytes: &[u8], grammar: &Grammar) -> Result<Description, LoadError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes)?;
    let description = description(&metadata)?;
    stamp(bytes, description)?;
    let description: Description = serde_json::from_str(description)?;
    if description.grammar != grammar.fingerprint() {
        return Err(LoadError::Grammar {
            expected: grammar.fingerprint(),
            found: description.grammar,
        });
    }
    description.config.check()?;
    if let Some(progress) = &description.progress {
        progress.config.check()?;
    }
    Ok(description)
}

/// A matrix for each parameter that is learnt in one of some ways, whose name comes after that of the group.
fn read_learnt(
    tensors: &SafeTensors<'_>,
    group: &str,
    parameters: &Parameters,
    learnt: &[Learning],
) -> Result<Vec<Matrix>, LoadError> {
    let mut matrices = Vec::with_capacity(parameters.len());
    for ((name, it), (_, learning)) in parameters.iter().zip(parameters.learnt()) {
        matrices.push(if learnt.contains(&learning) {
            read_matrix(tensors, &format!("{group}{name}"), it.shape())?
        } else {
            Matrix::default()
        });
    }
    Ok(matrices)
}
