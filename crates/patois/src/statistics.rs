//! What a corpus is like: sizes, what was dropped, and which programs can be reached.

use indexmap::IndexMap;
use patois_syntax::{Ast, Child};
use rayon::prelude::*;
use serde::Serialize;

use crate::copying::Candidates;
use crate::corpus::{Corpus, Dropped, Example, Languages, Programs, Split};
use crate::pieces::{Splitter, texts, units};
use crate::vocabulary::Vocabulary;
use crate::words::words;

/// What a corpus is like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CorpusStatistics {
    /// The corpus's name.
    pub name: String,
    /// The language of its programs.
    pub language: String,
    /// How large the vocabularies are that the train split gives.
    pub vocabulary: VocabularySizes,
    /// The databases that the corpus describes.
    pub databases: usize,
    /// The splits that have rows.
    pub splits: IndexMap<Split, SplitStatistics>,
}

/// How large the vocabularies are that a train split gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct VocabularySizes {
    /// In how many examples a text must occur to count.
    pub min_count: usize,
    /// Words of descriptions.
    pub words: usize,
    /// Whole names and literals of programs, and pieces of them.
    pub pieces: usize,
}

/// What a split is like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SplitStatistics {
    /// How many programs there are; dropped rows are not among them.
    pub programs: usize,
    /// How many rows were dropped.
    pub dropped: usize,
    /// How many rows were dropped for each reason.
    pub reasons: IndexMap<String, usize>,
    /// The nodes of all trees.
    pub nodes: usize,
    /// The nodes of a tree.
    pub nodes_per_program: Summary,
    /// The steps of all derivations; none where they have not been counted.
    pub steps: Option<usize>,
    /// The steps of a derivation.
    pub steps_per_program: Option<Summary>,
    /// The words of a description.
    pub words_per_text: Summary,
    /// The texts that can be copied from a description.
    pub candidates_per_text: Summary,
    /// How many programs have only texts that can be generated or copied.
    pub reachable: usize,
    /// `reachable / programs`.
    pub reachable_share: f64,
    /// The other programs.
    pub unreachable: Vec<Unreachable>,
}

/// A program that cannot be put together, whatever the model predicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unreachable {
    /// The example's id.
    pub id: String,
    /// The names and literals that cannot be put together, without repetition.
    pub texts: Vec<String>,
    /// The pieces that can be neither generated nor copied.
    pub pieces: Vec<String>,
}

/// A distribution in three numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// The arithmetic mean; 0 where there is nothing.
    pub mean: f64,
    /// The middle value, the lower one of two.
    pub median: usize,
    /// The greatest value.
    pub max: usize,
}

impl Summary {
    /// Summarizes values in any order.
    ///
    /// ```
    /// use patois::statistics::Summary;
    ///
    /// let summary = Summary::of(vec![9, 1, 2, 4]);
    /// assert_eq!((summary.mean, summary.median, summary.max), (4.0, 2, 9));
    /// ```
    pub fn of(mut values: Vec<usize>) -> Summary {
        values.sort_unstable();
        let Some(&max) = values.last() else {
            return Summary::default();
        };
        Summary {
            mean: values.iter().sum::<usize>() as f64 / values.len() as f64,
            median: values[(values.len() - 1) / 2],
            max,
        }
    }
}

/// Learns the pieces that programs of the train split are put together from.
///
/// Where a corpus has no train split the vocabulary is empty.
pub fn learn_pieces(programs: &Programs, languages: &Languages, min_count: usize) -> Vocabulary {
    let train = programs
        .iter()
        .filter(|(example, _)| example.split == Split::Train);
    let units = train.filter_map(|(example, ast)| {
        let language = languages.of(example).ok()?;
        Some(units(language, &texts(ast)))
    });
    Vocabulary::learn(units, min_count)
}

/// Learns the words of the descriptions in the train split.
pub fn learn_words(corpus: &Corpus, min_count: usize) -> Vocabulary {
    let examples = corpus.of(Split::Train);
    let words = examples.map(|example| words(&example.text).into_iter().map(|word| word.text));
    Vocabulary::learn(words, min_count)
}

impl CorpusStatistics {
    /// Measures a corpus; `languages` are the ones it was parsed with.
    pub fn of(programs: &Programs, languages: &Languages, min_count: usize) -> CorpusStatistics {
        let corpus = &programs.corpus;
        let pieces = learn_pieces(programs, languages, min_count);
        let measured: Vec<Measured> = corpus
            .examples
            .par_iter()
            .zip(&programs.asts)
            .map(|(example, ast)| Measured::of(example, ast, languages, &pieces))
            .collect();
        let splits = corpus.splits().into_iter().map(|split| {
            let of_split = corpus.examples.iter().zip(&measured);
            let of_split: Vec<&Measured> = of_split
                .filter(|(example, _)| example.split == split)
                .map(|(_, measured)| measured)
                .collect();
            let dropped = corpus.dropped.iter().filter(|row| row.split == split);
            (split, SplitStatistics::of(&of_split, dropped))
        });
        CorpusStatistics {
            name: corpus.name.clone(),
            language: corpus.language.clone(),
            vocabulary: VocabularySizes {
                min_count,
                words: learn_words(corpus, min_count).len(),
                pieces: pieces.len(),
            },
            databases: corpus.databases.len(),
            splits: splits.collect(),
        }
    }
}

/// What is measured of one example.
struct Measured {
    nodes: usize,
    words: usize,
    candidates: usize,
    unreachable: Option<Unreachable>,
}

impl Measured {
    fn of(
        example: &Example,
        ast: &Ast,
        languages: &Languages,
        vocabulary: &Vocabulary,
    ) -> Measured {
        let candidates = Candidates::of(&example.text);
        let unreachable = languages.of(example).ok().and_then(|language| {
            unreachable(
                example,
                ast,
                &Splitter::new(language, vocabulary, &candidates),
            )
        });
        Measured {
            nodes: count_nodes(ast),
            words: words(&example.text).len(),
            candidates: candidates.len(),
            unreachable,
        }
    }
}

fn unreachable(example: &Example, ast: &Ast, splitter: &Splitter<'_>) -> Option<Unreachable> {
    let mut found = Unreachable {
        id: example.id.clone(),
        texts: Vec::new(),
        pieces: Vec::new(),
    };
    for (_, text) in texts(ast) {
        let missing = splitter.missing(text.as_str());
        if !missing.is_empty() {
            found.texts.push(text.as_str().to_owned());
            found.pieces.extend(missing.into_iter().map(str::to_owned));
        }
    }
    for list in [&mut found.texts, &mut found.pieces] {
        list.sort_unstable();
        list.dedup();
    }
    (!found.texts.is_empty()).then_some(found)
}

/// Nodes, texts and references.
fn count_nodes(ast: &Ast) -> usize {
    let mut count = 1;
    let mut open = vec![ast];
    while let Some(node) = open.pop() {
        for child in node.fields.iter().flat_map(|field| field.value.children()) {
            count += 1;
            if let Child::Node(node) = child {
                open.push(node);
            }
        }
    }
    count
}

impl SplitStatistics {
    fn of<'d>(
        measured: &[&Measured],
        dropped: impl Iterator<Item = &'d Dropped>,
    ) -> SplitStatistics {
        let summary = |of: fn(&Measured) -> usize| {
            Summary::of(measured.iter().map(|measured| of(measured)).collect())
        };
        let unreachable: Vec<Unreachable> = measured
            .iter()
            .filter_map(|measured| measured.unreachable.clone())
            .collect();
        let programs = measured.len();
        let reachable = programs - unreachable.len();
        let mut reasons: IndexMap<String, usize> = IndexMap::new();
        for row in dropped {
            *reasons.entry(row.kind().to_owned()).or_default() += 1;
        }
        reasons.sort_by(|a, n, b, m| m.cmp(n).then(a.cmp(b)));
        SplitStatistics {
            programs,
            dropped: reasons.values().sum(),
            reasons,
            nodes: measured.iter().map(|measured| measured.nodes).sum(),
            nodes_per_program: summary(|measured| measured.nodes),
            steps: None,
            steps_per_program: None,
            words_per_text: summary(|measured| measured.words),
            candidates_per_text: summary(|measured| measured.candidates),
            reachable,
            reachable_share: if programs == 0 {
                0.0
            } else {
                reachable as f64 / programs as f64
            },
            unreachable,
        }
    }
}

#[cfg(test)]
mod tests;
