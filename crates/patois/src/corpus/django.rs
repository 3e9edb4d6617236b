//! Django (Oda et al. 2015): lines of a web framework and their descriptions.
//!
//! `all.anno` and `all.code` hold 18,805 lines; as is customary, the first 16,000 are the train
//! split, the next 1,000 the dev split and the rest the test split.
//!
//! A line is often the head of a statement, or a clause that goes on with an earlier statement.
//! [`complete`] adds the least that makes a program of it, as work on this dataset does since Yin
//! and Neubig 2017.

use std::path::Path;

use super::text_file::LinePairs;
use super::{Corpus, CorpusError, Example, Split};

/// How many lines at the beginning are the train split.
const N_TRAIN: usize = 16_000;
/// Where the dev split ends, and the test split begins.
const N_TRAIN_AND_DEV: usize = 17_000;

/// Reads the corpus from its folder.
///
/// # Errors
///
/// When a file is missing or cannot be read.
pub(crate) fn read(folder: &Path) -> Result<Corpus, CorpusError> {
    let mut corpus = Corpus::empty("python");
    let pairs = LinePairs::read(&folder.join("all.anno"), &folder.join("all.code"))?;
    for (index, (text, line)) in pairs.iter().enumerate() {
        corpus.add(Example {
            id: format!("all.anno:{}", index + 1),
            split: split_of(index),
            text: text.trim().to_owned(),
            code: complete(line),
            database: None,
        });
    }
    Ok(corpus)
}

fn split_of(index: usize) -> Split {
    match index {
        0..N_TRAIN => Split::Train,
        N_TRAIN..N_TRAIN_AND_DEV => Split::Dev,
        _ => Split::Test,
    }
}

/// Makes a program of a line that may be a fragment.
///
/// | line | program |
/// | --- | --- |
/// | `elif x :`, `else :` | `if True: pass` before it |
/// | `try :` | `except: pass` after it |
/// | `except E :`, `finally :` | `try: pass` before it |
/// | `@ decorator` | `class decorated: pass` after it |
/// | anything that ends in a colon | `pass` at its end |
pub(super) fn complete(line: &str) -> String {
    let line = line.trim();
    let body = if line.ends_with(':') { " pass" } else { "" };
    let keyword_end = line
        .find(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .unwrap_or(line.len());
    match &line[..keyword_end] {
        "elif" | "else" => format!("if True: pass\n{line}{body}"),
        "try" => format!("{line}{body}\nexcept: pass"),
        "except" | "finally" => format!("try: pass\n{line}{body}"),
        "" if line.starts_with('@') => format!("{line}\nclass decorated: pass"),
        _ => format!("{line}{body}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_become_programs() {
        let check = |line: &str, expected: &str| assert_eq!(complete(line), expected);
        check("if x :", "if x : pass");
        check("  elif x :", "if True: pass\nelif x : pass");
        check("return x", "return x");
        check("else :", "if True: pass\nelse : pass");
        check("elsewhere = 1", "elsewhere = 1");
        check("try :", "try : pass\nexcept: pass");
        check("except A as e :", "try: pass\nexcept A as e : pass");
        check("finally :", "try: pass\nfinally : pass");
        check("@ property", "@ property\nclass decorated: pass");
        check("class A ( object ) :", "class A ( object ) : pass");
        check("", "");
        check("é :", "é : pass");
    }

    #[test]
    fn splits_follow_the_customary_cuts() {
        assert_eq!(split_of(15_999), Split::Train);
        assert_eq!(split_of(16_000), Split::Dev);
        assert_eq!(split_of(16_999), Split::Dev);
        assert_eq!(split_of(17_000), Split::Test);
    }
}
