//! The corpus as a file: JSON lines, packed with gzip.
//!
//! The first line holds the scripts of all databases by name. Each line after it is an example with
//! its `split`, `database`, `text` and `code`, as patois reads them from any file of JSON lines.

use std::io::{self, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use indexmap::IndexMap;
use serde::Serialize;

use super::databases::DATABASES;
use super::drawing::Drawn;
use super::handwritten;

/// Where patois expects the file.
pub(super) const PATH: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../crates/patois/src/corpus/default/corpus.jsonl.gz"
);

/// The lines: the splits one after the other, in the order in which their questions were drawn.
pub(super) fn text(drawn: &Drawn) -> String {
    let scripts: IndexMap<&str, &str> = DATABASES.iter().map(|it| (it.name, it.script)).collect();
    let mut lines = vec![json(&scripts)];
    lines.extend(examples(drawn).map(|it| json(&it)));
    lines.join("\n") + "\n"
}

/// The bytes of the file. They depend on the text alone: gzip's header names neither time nor system.
pub(super) fn pack(text: &str) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

/// An example, as its line holds it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Example<'c> {
    pub(super) split: &'static str,
    pub(super) database: &'c str,
    pub(super) text: &'c str,
    pub(super) code: &'c str,
}

/// The examples of all splits, generated ones first.
pub(super) fn examples(drawn: &Drawn) -> impl Iterator<Item = Example<'_>> {
    let splits = [
        ("train", &drawn.train),
        ("dev", &drawn.dev),
        ("test", &drawn.test),
    ];
    let generated = splits.into_iter().flat_map(|(split, questions)| {
        questions.iter().map(move |it| Example {
            split,
            database: it.database,
            text: &it.text,
            code: &it.sql,
        })
    });
    let handwritten = handwritten::rows().map(|(database, text, code)| Example {
        split: "handwritten",
        database,
        text,
        code,
    });
    generated.chain(handwritten)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts under keys that are texts are JSON")
}
