//! The embedded default corpus: a small Spider of everyday databases, inside the binary.
//!
//! Two of its 27 databases are held out: training and development never see them, the
//! generated test questions and the questions written by hand are about nothing else. The package
//! `patois-default-corpus` in `tools/` writes the file, and says how its questions come about.
//!
//! ```
//! use patois::corpus::{Split, default};
//! use patois_database::QueryLimits;
//!
//! let corpus = default::corpus();
//! let example = &corpus.examples[0];
//! assert_eq!(example.id, "default/train/1");
//! assert_eq!(example.split, Split::Train);
//! let database = corpus.places().open(example.database.as_deref().unwrap())?;
//! assert!(!database.query(&example.code, &QueryLimits::default())?.rows.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use flate2::bufread::GzDecoder;
use indexmap::IndexMap;
use patois_database::{Database, Place};
use patois_languages::sql::DatabaseSchema;

use super::{Corpus, Split, jsonl};

/// The corpus's name.
pub const NAME: &str = "default";

/// Packed JSON lines: the scripts of all databases in the first, an example in every other.
const PACKED: &[u8] = include_bytes!("default/corpus.jsonl.gz");

/// The whole corpus; equal at every call.
pub fn corpus() -> Corpus {
    EMBEDDED.clone()
}

/// Unpacked when it is first asked for.
static EMBEDDED: LazyLock<Corpus> = LazyLock::new(|| read(PACKED));

/// Unpacks the corpus.
///
/// # Panics
///
/// When the bytes are not what the tool writes, whose tests compare the two.
fn read(packed: &[u8]) -> Corpus {
    let mut text = String::new();
    let unpacked = GzDecoder::new(packed).read_to_string(&mut text);
    unpacked.expect("the embedded corpus is packed text");
    let (scripts, rows) = text.split_once('\n').expect("examples follow the scripts");
    let scripts: IndexMap<String, String> =
        serde_json::from_str(scripts).expect("the first line holds the scripts");
    let corpus = jsonl::parse(Path::new(NAME), rows.into(), "sql");
    let mut corpus = corpus.expect("every other line is an example");
    NAME.clone_into(&mut corpus.name);
    number(&mut corpus);
    for (name, script) in scripts {
        let schema = schema(&name, &script);
        corpus.databases.insert(name.clone(), schema);
        corpus.places.insert(name, Place::Script(script));
    }
    corpus
}

/// Counts the examples within their splits.
fn number(corpus: &mut Corpus) {
    for split in Split::ALL {
        let examples = corpus.examples.iter_mut().filter(|it| it.split == split);
        for (number, example) in (1..).zip(examples) {
            example.id = format!("{NAME}/{split}/{number}");
        }
    }
}

fn schema(name: &str, script: &str) -> Arc<DatabaseSchema> {
    let database = Database::from_script(name, script);
    let live = database.and_then(|it| it.schema());
    Arc::new(live.expect("scripts of the embedded corpus run").schema)
}

#[cfg(test)]
mod tests;
