//! What a corpus is like: sizes, what was dropped, and which programs can be reached.

use indexmap::IndexMap;
use patois_syntax::{ExtendedGrammar, IdiomLibrary, Label, Text, Tree, derivation};
use patois_synthesis::{Spec, Vocabulary};
use rayon::prelude::*;
use serde::Serialize;

use crate::corpus::{Dropped, Example, Languages, Programs, Split};
use crate::spec::Topics;
use crate::spec::subtokens::{Subtokenizer, texts};
use crate::spec::vocabulary::{Known, learn_subtokens, learn_words};

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
    /// Whole names and literals of programs, and subtokens of them.
    pub subtokens: usize,
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
    /// The nodes of all trees, list cells included.
    pub nodes: usize,
    /// The nodes of a tree.
    pub nodes_per_program: Summary,
    /// The steps of all derivations: choices of productions, subtokens, ends of texts and references.
    pub steps: usize,
    /// The steps of a derivation.
    pub steps_per_program: Summary,
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
    /// How many programs use a production that no program of the train split uses.
    pub with_new_productions: usize,
}

/// A program that cannot be put together, whatever the model predicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unreachable {
    /// The example's id.
    pub id: String,
    /// The names and literals that cannot be put together, without repetition.
    pub texts: Vec<String>,
    /// The subtokens that can be neither generated nor copied.
    pub subtokens: Vec<String>,
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
    /// use patois::corpus::statistics::Summary;
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

impl CorpusStatistics {
    /// Measures a corpus; `languages` are the ones it was parsed with.
    pub fn of(programs: &Programs, languages: &Languages, min_count: usize) -> CorpusStatistics {
        let corpus = &programs.corpus;
        let known = Known {
            min_count,
            min_databases: 1,
        };
        let topics = Topics::unlinked(corpus);
        let examples = corpus.examples.par_iter();
        let specs: Vec<Spec> = examples.map(|example| topics.spec(example)).collect();
        let subtokens = learn_subtokens(programs, languages, known);
        let measured = measure(programs, languages, &specs, &subtokens);
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
                words: learn_words(corpus, &specs, &[], known).len(),
                subtokens: subtokens.len(),
            },
            databases: corpus.databases.len(),
            splits: splits.collect(),
        }
    }
}

/// What is measured of one example.
struct Measured {
    nodes: usize,
    steps: usize,
    words: usize,
    candidates: usize,
    unreachable: Option<Unreachable>,
    has_new_productions: bool,
}

/// Measures every example, in order.
fn measure(
    programs: &Programs,
    languages: &Languages,
    specs: &[Spec],
    vocabulary: &Vocabulary,
) -> Vec<Measured> {
    let grammar = &programs.grammar;
    let library = IdiomLibrary::empty(grammar);
    let extended =
        ExtendedGrammar::new(grammar, &library).expect("the library was made for the grammar");
    let seen = seen_productions(programs);
    let examples = programs.corpus.examples.par_iter().zip(&programs.trees);
    let measured = examples.zip(specs).map(|((example, tree), spec)| {
        let language = languages
            .of(example)
            .expect("the example was parsed with its language");
        let subtokenizer = Subtokenizer::new(language, vocabulary, spec);
        Measured {
            nodes: tree.n_nodes(),
            steps: derivation::steps(&extended, &subtokenizer, tree).len(),
            words: spec.words.len(),
            candidates: subtokenizer.n_copies(),
            unreachable: unreachable(example, tree, &subtokenizer),
            has_new_productions: !productions(tree).all(|production| seen[production]),
        }
    });
    measured.collect()
}

/// For each production, whether a program of the train split uses it.
fn seen_productions(programs: &Programs) -> Vec<bool> {
    let mut seen = vec![false; programs.grammar.n_productions()];
    for production in programs.of(Split::Train).flat_map(productions) {
        seen[production] = true;
    }
    seen
}

fn productions(tree: &Tree) -> impl Iterator<Item = usize> {
    tree.labels().iter().filter_map(|label| match label {
        Label::Production(id) => Some(id.index()),
        Label::Text(_) | Label::Reference(_) => None,
    })
}

fn unreachable(
    example: &Example,
    tree: &Tree,
    subtokenizer: &Subtokenizer<'_>,
) -> Option<Unreachable> {
    let mut found = Unreachable {
        id: example.id.clone(),
        texts: Vec::new(),
        subtokens: Vec::new(),
    };
    for text in texts(tree).map(Text::as_str) {
        let missing = subtokenizer.missing(text);
        if !missing.is_empty() {
            found.texts.push(text.to_owned());
            found
                .subtokens
                .extend(missing.into_iter().map(str::to_owned));
        }
    }
    for list in [&mut found.texts, &mut found.subtokens] {
        list.sort_unstable();
        list.dedup();
    }
    (!found.texts.is_empty()).then_some(found)
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
            steps: measured.iter().map(|measured| measured.steps).sum(),
            steps_per_program: summary(|measured| measured.steps),
            words_per_text: summary(|measured| measured.words),
            candidates_per_text: summary(|measured| measured.candidates),
            reachable,
            reachable_share: if programs == 0 {
                0.0
            } else {
                reachable as f64 / programs as f64
            },
            unreachable,
            with_new_productions: measured
                .iter()
                .filter(|measured| measured.has_new_productions)
                .count(),
        }
    }
}

#[cfg(test)]
mod tests;
