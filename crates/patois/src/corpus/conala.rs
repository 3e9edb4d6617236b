//! `CoNaLa` (Yin et al. 2018): intents and Python snippets of a question-and-answer site.
//!
//! The text is the rewritten intent where annotators wrote one, else the title of the question.
//! There is no published dev split: as is customary, the last 200 rows of the train file are it.

use std::path::Path;

use serde::Deserialize;

use super::text_file::{file_name, read_json};
use super::{Corpus, CorpusError, Example, Split};

/// How many rows at the end of the train file are the dev split.
const N_DEV: usize = 200;

/// Reads the corpus from its folder.
///
/// # Errors
///
/// When a file is missing or cannot be read.
pub(crate) fn read(folder: &Path) -> Result<Corpus, CorpusError> {
    let mut corpus = Corpus::empty("python");
    let train = read_rows(&folder.join("conala-train.json"))?;
    let n_train = train.len().saturating_sub(N_DEV);
    for (index, mut example) in train.into_iter().enumerate() {
        if index >= n_train {
            example.split = Split::Dev;
        }
        corpus.add(example);
    }
    for mut example in read_rows(&folder.join("conala-test.json"))? {
        example.split = Split::Test;
        corpus.add(example);
    }
    Ok(corpus)
}

/// A row; the other keys are not needed.
#[derive(Deserialize)]
struct Row {
    intent: String,
    rewritten_intent: Option<String>,
    snippet: String,
}

fn read_rows(path: &Path) -> Result<Vec<Example>, CorpusError> {
    let expected = "a list of rows with the texts `intent` and `snippet`";
    let rows: Vec<Row> = read_json(path, expected)?;
    let file = file_name(path);
    let examples = rows.into_iter().enumerate().map(|(index, row)| Example {
        id: format!("{file}[{index}]"),
        split: Split::Train,
        text: row
            .rewritten_intent
            .filter(|text| !text.trim().is_empty())
            .unwrap_or(row.intent),
        code: row.snippet,
        database: None,
    });
    Ok(examples.collect())
}
