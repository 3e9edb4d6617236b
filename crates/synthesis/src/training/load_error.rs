//! Why a file is no model.

use patois_syntax::{Fingerprint, ParseError};

use super::file::VERSION;
use crate::config::ConfigError;
use crate::pretrained::{ShapeError, WordPiecesError};

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
