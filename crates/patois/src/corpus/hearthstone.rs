//! Hearthstone (Ling et al. 2016): cards of a game and the Python classes that implement them.
//!
//! `train_hs.in`, `train_hs.out` and so on hold one card per line. A card is its fields, each ended
//! by a marker word such as `NAME_END`; the description comes last. In a program the character
//! U+00A7 stands for a line feed. The test split is read where it is present.

use std::path::Path;

use super::text_file::LinePairs;
use super::{Corpus, CorpusError, Example, Split};

/// What stands for a line feed in a program.
const NEWLINE: char = '\u{a7}';

/// Reads the corpus from its folder.
///
/// # Errors
///
/// When a file of the train or dev split is missing, or any file cannot be read.
pub(crate) fn read(folder: &Path) -> Result<Corpus, CorpusError> {
    let mut corpus = Corpus::empty("python");
    for split in [Split::Train, Split::Dev, Split::Test] {
        let texts = folder.join(format!("{split}_hs.in"));
        let programs = folder.join(format!("{split}_hs.out"));
        if split == Split::Test && !texts.exists() && !programs.exists() {
            continue;
        }
        let pairs = LinePairs::read(&texts, &programs)?;
        for (line, (text, program)) in (1..).zip(pairs.iter()) {
            corpus.add(Example {
                id: format!("{split}_hs.in:{line}"),
                split,
                text: text.to_owned(),
                code: program.replace(NEWLINE, "\n"),
                database: None,
            });
        }
    }
    Ok(corpus)
}
