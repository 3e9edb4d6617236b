//! Folders of pretrained encoders, as they are published.

use std::path::{Path, PathBuf};

use patois_synthesis::PretrainedEncoder;
use patois_synthesis::pretrained::{
    EncoderShape, ShapeError, WeightsError, WordPieces, WordPiecesError,
};

/// Why a folder is none of an encoder.
#[derive(Debug, thiserror::Error)]
pub enum EncoderFolderError {
    /// A file is not there or may not be read.
    #[error("cannot read the file `{}` of an encoder: {source}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Its configuration is of something else.
    #[error("`{}`: {source}", .path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ShapeError,
    },
    /// Its pieces are not complete.
    #[error("`{}`: {source}", .path.display())]
    Pieces {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: WordPiecesError,
    },
    /// Its weights are not what its configuration says.
    #[error("`{}`: {source}", .path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: WeightsError,
    },
}

/// Reads `config.json`, `vocab.txt` and `model.safetensors` of a folder.
///
/// # Errors
///
/// When one of them is missing or not what it should be.
pub(crate) fn read(folder: &Path) -> Result<PretrainedEncoder, EncoderFolderError> {
    let open = |path: &Path| {
        std::fs::read(path).map_err(|source| EncoderFolderError::Open {
            path: path.to_owned(),
            source,
        })
    };
    let path = folder.join("config.json");
    let shape = EncoderShape::parse(&open(&path)?);
    let shape = shape.map_err(|source| EncoderFolderError::Shape { path, source })?;
    let path = folder.join("vocab.txt");
    let pieces = open(&path)?;
    let pieces = WordPieces::parse(&String::from_utf8_lossy(&pieces));
    let pieces = pieces.map_err(|source| EncoderFolderError::Pieces { path, source })?;
    let path = folder.join("model.safetensors");
    let encoder = PretrainedEncoder::new(shape, pieces, &open(&path)?);
    encoder.map_err(|source| EncoderFolderError::Weights { path, source })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A small encoder with random weights.
    pub(crate) fn fixture() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../synthesis/tests/reference/bert")
    }

    /// Reads a folder in which one file is another.
    fn check(name: &str, change: impl Fn(Vec<u8>) -> Option<Vec<u8>>, expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        for file in ["config.json", "vocab.txt", "model.safetensors"] {
            let bytes = std::fs::read(fixture().join(file)).unwrap();
            let changed = if file == name {
                change(bytes)
            } else {
                Some(bytes)
            };
            if let Some(bytes) = changed {
                std::fs::write(folder.path().join(file), bytes).unwrap();
            }
        }
        let error = read(folder.path()).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn mistakes_are_named_with_their_file() {
        assert!(read(&fixture()).is_ok());
        let replaced = |from: &'static str, to: &'static str| {
            move |bytes: Vec<u8>| {
                let text = String::from_utf8(bytes).unwrap();
                assert!(text.contains(from));
                Some(text.replace(from, to).into_bytes())
            }
        };
        check("config.json", |_| None, "cannot read the file");
        check(
            "config.json",
            replaced("\"bert\"", "\"distilbert\""),
            "`model_type`: expected `bert`, found `distilbert`",
        );
        check(
            "vocab.txt",
            replaced("[CLS]\n", ""),
            "expected a line `[CLS]`, found none among 29 lines",
        );
        check(
            "vocab.txt",
            |_| Some(b"\xff\xfe".to_vec()),
            "expected a line `[UNK]`",
        );
        check("model.safetensors", |_| None, "cannot read the file");
        check(
            "model.safetensors",
            |bytes| Some(bytes[..bytes.len() - 10].to_vec()),
            "expected a file of tensors",
        );
    }

    #[test]
    fn another_width_is_named_with_the_first_tensor() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["config.json", "vocab.txt", "model.safetensors"] {
            std::fs::copy(fixture().join(file), folder.path().join(file)).unwrap();
        }
        let config = std::fs::read_to_string(fixture().join("config.json")).unwrap();
        let wider = config.replace("\"hidden_size\": 8", "\"hidden_size\": 16");
        std::fs::write(folder.path().join("config.json"), wider).unwrap();
        let error = read(folder.path()).unwrap_err().to_string();
        let expected = "model.safetensors`: expected F32, F16 or BF16 of shape [30, 16] for \
                        `embeddings.word_embeddings.weight`, found F32 of shape [30, 8]";
        assert!(error.ends_with(expected), "{error}");
    }
}
