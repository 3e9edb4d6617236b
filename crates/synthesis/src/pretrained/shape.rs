//! The shape of an encoder, as its `config.json` tells.

use serde::{Deserialize, Serialize};

/// The shape of an encoder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EncoderShape {
    /// The width of what it makes of each piece.
    pub width: usize,
    /// How many layers it has.
    pub n_layers: usize,
    /// How many heads each layer has.
    pub n_heads: usize,
    /// The width between two layers of attention.
    pub feed_forward_size: usize,
    /// How many pieces it has embeddings of.
    pub n_pieces: usize,
    /// How many pieces a sequence may have.
    pub n_positions: usize,
    /// How many parts of a sequence it tells apart.
    pub n_segments: usize,
    /// What is added to variances.
    pub epsilon: f32,
}

/// Why a `config.json` is none of an encoder that we know.
#[derive(Debug, thiserror::Error)]
pub enum ShapeError {
    /// It cannot be read.
    #[error("expected the configuration of an encoder: {0}")]
    Json(#[from] serde_json::Error),
    /// It is of something else.
    #[error("`{key}`: expected `{expected}`, found `{found}`")]
    Kind {
        /// The key.
        key: &'static str,
        /// The only thing that it may be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// No encoder has such a number.
    #[error("`{key}`: expected {expected}, found {found}")]
    Number {
        /// The key.
        key: &'static str,
        /// What it may be.
        expected: String,
        /// What it is.
        found: String,
    },
}

/// The part of a configuration that says what it is of.
#[derive(Deserialize)]
struct Kind {
    model_type: Option<String>,
    hidden_act: Option<String>,
    position_embedding_type: Option<String>,
}

/// The part that says how large it is.
#[derive(Deserialize)]
struct Sizes {
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    vocab_size: usize,
    max_position_embeddings: usize,
    type_vocab_size: usize,
    layer_norm_eps: f32,
}

impl EncoderShape {
    /// How many pieces a sequence must be able to have: less has no room for a word and a column.
    pub const LEAST_POSITIONS: usize = 32;

    /// Reads a `config.json`.
    ///
    /// ```
    /// use patois_synthesis::pretrained::EncoderShape;
    ///
    /// let error = EncoderShape::parse(br#"{ "model_type": "mpnet" }"#).unwrap_err();
    /// assert_eq!(error.to_string(), "`model_type`: expected `bert`, found `mpnet`");
    /// ```
    ///
    /// # Errors
    ///
    /// When it is of another architecture, or a size makes no sense.
    pub fn parse(bytes: &[u8]) -> Result<EncoderShape, ShapeError> {
        let kind: Kind = serde_json::from_slice(bytes)?;
        for (key, expected, found) in [
            ("model_type", "bert", kind.model_type),
            ("hidden_act", "gelu", kind.hidden_act),
            (
                "position_embedding_type",
                "absolute",
                kind.position_embedding_type,
            ),
        ] {
            if let Some(found) = found.filter(|it| it != expected) {
                return Err(ShapeError::Kind {
                    key,
                    expected,
                    found,
                });
            }
        }
        let sizes: Sizes = serde_json::from_slice(bytes)?;
        let shape = EncoderShape {
            width: sizes.hidden_size,
            n_layers: sizes.num_hidden_layers,
            n_heads: sizes.num_attention_heads,
            feed_forward_size: sizes.intermediate_size,
            n_pieces: sizes.vocab_size,
            n_positions: sizes.max_position_embeddings,
            n_segments: sizes.type_vocab_size,
            epsilon: sizes.layer_norm_eps,
        };
        shape.check()?;
        Ok(shape)
    }

    /// Refuses shapes that no encoder has; keys are those of a `config.json`.
    pub(crate) fn check(&self) -> Result<(), ShapeError> {
        let expect = |holds: bool, key, expected: String, found: &dyn ToString| {
            if holds {
                return Ok(());
            }
            Err(ShapeError::Number {
                key,
                expected,
                found: found.to_string(),
            })
        };
        let positions = (
            "max_position_embeddings",
            EncoderShape::LEAST_POSITIONS,
            self.n_positions,
        );
        for (key, least, found) in [
            ("hidden_size", 1, self.width),
            ("num_hidden_layers", 1, self.n_layers),
            ("num_attention_heads", 1, self.n_heads),
            ("intermediate_size", 1, self.feed_forward_size),
            positions,
            ("type_vocab_size", 1, self.n_segments),
        ] {
            expect(found >= least, key, format!("at least {least}"), &found)?;
        }
        let width = self.width;
        expect(
            width.is_multiple_of(self.n_heads),
            "num_attention_heads",
            format!("a divisor of hidden_size, {width}"),
            &self.n_heads,
        )?;
        let epsilon = self.epsilon;
        expect(
            epsilon > 0.0 && epsilon < 1.0,
            "layer_norm_eps",
            "above 0, less than 1".to_owned(),
            &epsilon,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A configuration with one key changed.
    fn check(key: &str, value: serde_json::Value, expected: &str) {
        let mut config = serde_json::json!({
            "model_type": "bert", "hidden_act": "gelu", "hidden_size": 8, "num_hidden_layers": 2,
            "num_attention_heads": 2, "intermediate_size": 12, "vocab_size": 40,
            "max_position_embeddings": 32, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
        });
        assert!(EncoderShape::parse(config.to_string().as_bytes()).is_ok());
        config[key] = value;
        let error = EncoderShape::parse(config.to_string().as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn what_we_cannot_be_is_named() {
        check(
            "model_type",
            "roberta".into(),
            "`model_type`: expected `bert`, found `roberta`",
        );
        check(
            "hidden_act",
            "gelu_new".into(),
            "`hidden_act`: expected `gelu`, found `gelu_new`",
        );
        check(
            "position_embedding_type",
            "relative_key".into(),
            "`position_embedding_type`: expected `absolute`, found `relative_key`",
        );
        check(
            "num_attention_heads",
            3.into(),
            "`num_attention_heads`: expected a divisor of hidden_size, 8, found 3",
        );
        check(
            "num_attention_heads",
            0.into(),
            "`num_attention_heads`: expected at least 1, found 0",
        );
        check(
            "max_position_embeddings",
            16.into(),
            "`max_position_embeddings`: expected at least 32, found 16",
        );
        check(
            "layer_norm_eps",
            0.into(),
            "`layer_norm_eps`: expected above 0, less than 1, found 0",
        );
        let error = EncoderShape::parse(br#"{ "model_type": "bert" }"#).unwrap_err();
        let expected = "expected the configuration of an encoder: missing field `hidden_size`";
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}
