//! The model inside the program.

use patois::run::StageError;
use patois::run::synthesizer::{Purpose, Synthesizer};

use crate::confidence::Confidence;

/// The model inside the program, and how sure its answers are.
///
/// # Errors
///
/// When the program was built without one.
#[cfg(feature = "bundled")]
pub fn bundled(purpose: Purpose) -> Result<(Synthesizer, Confidence), BundledError> {
    let model = Synthesizer::embedded(
        include_str!("../../../models/ask/config.toml"),
        include_str!("../../../models/ask/model.toml"),
        include_bytes!("../../../models/ask/model.safetensors"),
        purpose,
    )?;
    let confidence = include_str!("../../../models/ask/confidence.json");
    Ok((model, serde_json::from_str(confidence)?))
}

/// The model inside the program, and how sure its answers are.
///
/// # Errors
///
/// Always: the program was built without one.
#[cfg(not(feature = "bundled"))]
pub fn bundled(_: Purpose) -> Result<(Synthesizer, Confidence), BundledError> {
    Err(BundledError::Missing)
}

/// Why there is no model inside the program.
#[derive(Debug, thiserror::Error)]
pub enum BundledError {
    /// It was built without one.
    #[error("this program was built without a model of its own (feature `bundled`)")]
    Missing,
    /// The model is not what this version reads.
    #[error(transparent)]
    Model(#[from] StageError),
    /// What tells how sure it is cannot be read.
    #[error("what tells how sure the model is cannot be read: {0}")]
    Confidence(#[from] serde_json::Error),
}
