//! Files of pretrained vectors, plain or packed with gzip.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use patois_synthesis::vectors::{Selection, VectorsError, WordVectors};

/// Why a file of vectors cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VectorsFileError {
    /// The file is not there or may not be read.
    #[error("cannot read the word vectors `{}`: {source}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line is no word with its vector.
    #[error("`{}`, {source}", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The line, and what is wrong with it.
        source: VectorsError,
    },
}

/// Reads the words that are wanted from a file in the text format of `GloVe`; whether it is packed
/// is seen from its first bytes.
///
/// # Errors
///
/// When the file cannot be read, or one of its lines is no word with its vector.
pub(crate) fn read(path: &Path, selection: Selection<'_>) -> Result<WordVectors, VectorsFileError> {
    let reader = open(path).map_err(|source| VectorsFileError::Open {
        path: path.to_owned(),
        source,
    })?;
    WordVectors::read(reader, selection).map_err(|source| VectorsFileError::Format {
        path: path.to_owned(),
        source,
    })
}

fn open(path: &Path) -> std::io::Result<Box<dyn BufRead>> {
    let mut file = File::open(path)?;
    let mut start = Vec::new();
    file.by_ref().take(2).read_to_end(&mut start)?;
    file.rewind()?;
    let file = BufReader::with_capacity(BUFFER, file);
    Ok(if start == [0x1f, 0x8b] {
        Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}

const BUFFER: usize = 1 << 17;

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::write::GzEncoder;
    use indexmap::IndexSet;

    use super::*;

    fn check(contents: &[u8], expected: Result<usize, &str>) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(contents).unwrap();
        let words = IndexSet::new();
        let n_first = usize::MAX;
        let selection = Selection {
            n_first,
            words: &words,
        };
        let found = read(file.path(), selection).map(|vectors| vectors.words.len());
        let found = found.map_err(|error| error.to_string());
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected),
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{found}"),
            (found, expected) => panic!("{found:?}, but {expected:?} was expected"),
        }
    }

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn plain_and_packed_files_are_read() {
        check(b"the 1 2\nof 3 4\n", Ok(2));
        check(&packed("the 1 2\nof 3 4\n"), Ok(2));
        check(&[packed("the 1 2\n"), packed("of 3 4\n")].concat(), Ok(2));
    }

    #[test]
    fn mistakes_are_named_with_file_and_line() {
        check(
            &packed("the 1 2\nof 3\n"),
            Err("line 2 (`of`): expected 2 numbers, found 1"),
        );
        check(b"", Err("found no lines"));
        let whole = packed(&"the 1 2\n".repeat(1000));
        check(&whole[..whole.len() - 10], Err("line"));
        let folder = tempfile::tempdir().unwrap();
        let words = IndexSet::new();
        let n_first = 1;
        let selection = Selection {
            n_first,
            words: &words,
        };
        let error = read(&folder.path().join("none.txt"), selection).unwrap_err();
        assert!(error.to_string().contains("none.txt"), "{error}");
    }

    /// A thousand times as large as the file: it used to be read as one line.
    #[test]
    fn a_line_of_gigabytes_is_not_unpacked() {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let block = vec![b'1'; 1 << 20];
        encoder.write_all(b"the 1 2\nof ").unwrap();
        for _ in 0..64 {
            encoder.write_all(&block).unwrap();
        }
        let packed = encoder.finish().unwrap();
        check(
            &packed,
            Err("line 2: expected at most 65536 bytes, found more"),
        );
        // It is not even looked at: what comes later may be damaged.
        check(
            &packed[..packed.len() / 2],
            Err("line 2: expected at most 65536 bytes"),
        );
    }

    #[test]
    #[ignore = "needs PATOIS_DATA: the public datasets"]
    fn data_real_vectors_are_read() {
        let data = std::env::var_os("PATOIS_DATA").expect("PATOIS_DATA names the datasets");
        let path = Path::new(&data).join("vectors/glove-100d-120k.txt.gz");
        let words = ["singer", "a", "countries"].map(str::to_owned).into();
        let n_first = 3;
        let selection = Selection {
            n_first,
            words: &words,
        };
        let vectors = read(&path, selection).unwrap();
        let found: Vec<&str> = vectors.words.iter().map(String::as_str).collect();
        assert_eq!(found, ["the", ",", ".", "countries", "singer"]);
        assert_eq!(vectors.dimension, 100);
        assert_eq!(vectors.values.len(), 500);
    }
}
