//! Models and checkpoints as bytes: safetensors, with a description that says what they are, and a
//! checksum of all bytes in it.

use std::borrow::Cow;
use std::sync::Arc;

use indexmap::IndexSet;
use patois_syntax::{ExtendedGrammar, Fingerprint, Fragment, Grammar, Idiom, IdiomLibrary};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use safetensors::tensor::Metadata;
use safetensors::{SafeTensors, View as _};
use serde::{Deserialize, Serialize};

use super::checksum::{NO_CHECKSUM, checksum, sealed};
use super::load_error::LoadError;
use super::optimizer::Memory;
use super::tensors::{KeepBytes, Stored, find_matrix, read_compact, read_matrix};
use crate::config::{EncoderKind, ModelConfig, TrainingConfig};
use crate::lexicon::{Actions, Words};
use crate::matrix::Matrix;
use crate::model::Model;
use crate::parameters::{Learning, ParameterId, Parameters};
use crate::pretrained::{EncoderShape, Weights, WordPieces};
use crate::vocabulary::Vocabulary;

/// The version of what is written here.
pub(super) const VERSION: u32 = 4;
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
    read(bytes, grammar, Keeping::Exact)
}

/// Reads models that answer and do nothing else, in few bytes: the large layers and the embeddings of a pretrained
/// encoder stay in 8 bits where they are written so, and in the bytes that they were read from where these stay for
/// ever; other layers are rounded to half precision where the processor multiplies in that. Such models can neither be
/// trained nor written.
///
/// # Errors
///
/// When the bytes are no models of the grammar with its idioms.
pub fn read_compact_models(
    bytes: Cow<'static, [u8]>,
    grammar: &ExtendedGrammar<'_>,
) -> Result<Vec<Model>, LoadError> {
    match bytes {
        Cow::Borrowed(bytes) => read(bytes, grammar, Keeping::Compact(Cow::Borrowed)),
        Cow::Owned(bytes) => {
            let copy = |bytes: &[u8]| Cow::Owned(bytes.to_vec());
            read(&bytes, grammar, Keeping::Compact(copy))
        }
    }
}

/// How the weights of models are kept that are read.
#[derive(Clone, Copy)]
enum Keeping<'b> {
    Exact,
    Compact(KeepBytes<'b>),
}

fn read<'b>(
    bytes: &'b [u8],
    grammar: &ExtendedGrammar<'_>,
    keeping: Keeping<'b>,
) -> Result<Vec<Model>, LoadError> {
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
        models.push(filled(model.clone(), index - 1, &tensors, keeping)?);
    }
    // The last one need not be copied.
    models.push(filled(model, n_models - 1, &tensors, keeping)?);
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
fn filled<'b>(
    mut model: Model,
    index: usize,
    tensors: &SafeTensors<'b>,
    keeping: Keeping<'b>,
) -> Result<Model, LoadError> {
    let group = group(WEIGHTS, index);
    let names = model.parameters.iter();
    let names: Vec<String> = names.map(|it| format!("{group}{}", it.0)).collect();
    let uses = model.compact_uses();
    for (index, name) in names.iter().enumerate() {
        let id = ParameterId::new(index);
        let shape = model.parameters.get(id).shape();
        let compact = match (keeping, uses.get(&id)) {
            (Keeping::Compact(keep), Some(&purpose)) => {
                read_compact(tensors, name, shape, purpose, keep)?
            }
            _ => None,
        };
        match compact {
            Some(compact) => model.parameters.keep_compact(id, compact),
            None => *model.parameters.get_mut(id) = read_matrix(tensors, name, shape)?,
        }
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
        Ok((words, Weights::to_come(self.shape)))
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
