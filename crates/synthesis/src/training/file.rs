//! Models and checkpoints as bytes: safetensors, with a description that says what they are.

use std::borrow::Cow;

use indexmap::IndexSet;
use patois_syntax::{
    ExtendedGrammar, Fingerprint, Fragment, Grammar, Idiom, IdiomLibrary, ParseError,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};

use super::optimizer::Memory;
use crate::config::{ModelConfig, TrainingConfig};
use crate::lexicon::{Actions, Words};
use crate::matrix::Matrix;
use crate::model::Model;
use crate::parameters::Parameters;
use crate::vocabulary::Vocabulary;

/// The version of what is written here; others are refused.
const VERSION: u32 = 3;
/// The only key of the metadata, so that bytes do not depend on an order of keys.
const KEY: &str = "patois";

/// What a file says of itself.
#[derive(Serialize, Deserialize)]
struct Description {
    version: u32,
    grammar: Fingerprint,
    idioms: Vec<String>,
    config: ModelConfig,
    learnt_words: IndexSet<String>,
    fixed_words: IndexSet<String>,
    subtokens: Vocabulary,
    /// How many models there are weights of.
    n_models: usize,
    /// The number of steps that were taken, and the seed; none for a finished model.
    progress: Option<Progress>,
}

/// The part of a description that every version can read.
#[derive(Deserialize)]
struct Version {
    version: u32,
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

/// Writes finished models: the weights, and all that it takes to use them but the grammar.
///
/// # Panics
///
/// When there is none, or the grammar is not theirs.
pub fn write_models(models: &[Model], grammar: &ExtendedGrammar<'_>) -> Vec<u8> {
    write(&models.iter().collect::<Vec<_>>(), grammar, None)
}

/// Writes a checkpoint: the models, and all that it takes to go on.
///
/// # Panics
///
/// When there is no model, or the grammar is not theirs.
pub(super) fn write_checkpoint(
    models: &[&Model],
    grammar: &ExtendedGrammar<'_>,
    progress: &Progress,
    members: &[&MemberMemory],
) -> Vec<u8> {
    write(models, grammar, Some((progress, members)))
}

fn write(
    models: &[&Model],
    grammar: &ExtendedGrammar<'_>,
    remembered: Option<(&Progress, &[&MemberMemory])>,
) -> Vec<u8> {
    // All know the same words and subtokens.
    let first = models[0];
    let (learnt, fixed) = first.words.lists();
    let description = Description {
        version: VERSION,
        grammar: grammar.grammar().fingerprint(),
        idioms: notations(grammar),
        config: first.config.clone(),
        learnt_words: learnt.clone(),
        fixed_words: fixed.clone(),
        subtokens: first.actions.subtokens().clone(),
        n_models: models.len(),
        progress: remembered.map(|it| it.0.clone()),
    };
    let description = serde_json::to_string(&description).expect("a description is plain data");

    let mut groups: Vec<(String, Vec<&Matrix>)> = Vec::new();
    for (index, model) in models.iter().enumerate() {
        let weights = model.parameters.iter().map(|it| it.1);
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
        for ((name, _), matrix) in first.parameters.iter().zip(matrices) {
            tensors.push((format!("{group}{name}"), Stored::new(matrix)));
        }
    }
    tensors.push((VECTORS.to_owned(), Stored::new(first.words.vectors())));
    let metadata = [(KEY.to_owned(), description)].into_iter().collect();
    safetensors::serialize(tensors, Some(metadata)).expect("matrices fill their shapes")
}

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
    let n_vectors = description.fixed_words.len();
    let width = if n_vectors == 0 {
        0
    } else {
        description.config.word_size
    };
    let vectors = read_matrix(&tensors, VECTORS, (n_vectors, width))?;
    let words = Words::of(description.learnt_words, description.fixed_words, vectors);
    let expansion = description.config.idioms;
    let actions = Actions::new(grammar, description.subtokens, expansion);
    // The weights that are drawn here are replaced; they only have the right shapes.
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let model = Model::new(description.config, words, actions, &mut rng);
    let read = |index: usize| {
        let mut model = model.clone();
        let weights = read_group(&tensors, &group(WEIGHTS, index), &model.parameters)?;
        for (parameter, value) in model.parameters.values_mut().zip(weights) {
            *parameter = value;
        }
        Ok(model)
    };
    (0..description.n_models.max(1)).map(read).collect()
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
        let read = |name: &str| read_group(&tensors, &group(name, index), &model.parameters);
        Ok(MemberMemory {
            memory: Memory {
                first: read(FIRST)?,
                second: read(SECOND)?,
            },
            ema: has_ema.then(|| read(EMA)).transpose()?,
        })
    };
    let members: Result<Vec<MemberMemory>, LoadError> =
        (0..description.n_models.max(1)).map(member).collect();
    Ok(Remembered {
        progress,
        members: members?,
    })
}

fn describe(bytes: &[u8], grammar: &Grammar) -> Result<Description, LoadError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes)?;
    let metadata = metadata.metadata().as_ref();
    let description = metadata
        .and_then(|it| it.get(KEY))
        .ok_or(LoadError::NoDescription)?;
    let Version { version } = serde_json::from_str(description)?;
    if version != VERSION {
        return Err(LoadError::Version(version));
    }
    let description: Description = serde_json::from_str(description)?;
    if description.grammar != grammar.fingerprint() {
        return Err(LoadError::Grammar {
            expected: grammar.fingerprint(),
            found: description.grammar,
        });
    }
    Ok(description)
}

/// A matrix for each parameter, whose name comes after that of the group.
fn read_group(
    tensors: &SafeTensors<'_>,
    group: &str,
    parameters: &Parameters,
) -> Result<Vec<Matrix>, LoadError> {
    let read =
        |(name, it): (&str, &Matrix)| read_matrix(tensors, &format!("{group}{name}"), it.shape());
    parameters.iter().map(read).collect()
}

fn read_matrix(
    tensors: &SafeTensors<'_>,
    name: &str,
    shape: (usize, usize),
) -> Result<Matrix, LoadError> {
    let wrong = |found: String| LoadError::Tensor {
        name: name.to_owned(),
        expected: format!("numbers of shape {} x {}", shape.0, shape.1),
        found,
    };
    let tensor = tensors
        .tensor(name)
        .map_err(|_| wrong("nothing".to_owned()))?;
    if tensor.dtype() != Dtype::F32 || tensor.shape() != [shape.0, shape.1] {
        return Err(wrong(format!(
            "{:?} of shape {:?}",
            tensor.dtype(),
            tensor.shape()
        )));
    }
    let (numbers, _) = tensor.data().as_chunks::<4>();
    let values = numbers.iter().map(|&it| f32::from_le_bytes(it)).collect();
    Ok(Matrix::new(shape.0, shape.1, values))
}

/// A matrix as a file holds it.
struct Stored<'a> {
    shape: [usize; 2],
    values: &'a [f32],
}

impl<'a> Stored<'a> {
    fn new(matrix: &'a Matrix) -> Stored<'a> {
        Stored {
            shape: [matrix.n_rows(), matrix.n_columns()],
            values: matrix.values(),
        }
    }
}

impl safetensors::View for Stored<'_> {
    fn dtype(&self) -> Dtype {
        Dtype::F32
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.values.iter().flat_map(|it| it.to_le_bytes()).collect())
    }

    fn data_len(&self) -> usize {
        size_of_val(self.values)
    }
}
