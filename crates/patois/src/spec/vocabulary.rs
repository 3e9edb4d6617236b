//! What a model knows: the words of texts and databases, and the subtokens that programs are made of.

use patois_synthesis::{Spec, Vocabulary};

use super::subtokens::units;
use crate::corpus::{Corpus, Languages, Programs, Split};

/// How often, and about how many databases, something must be said to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// In how many examples at least.
    pub min_count: usize,
    /// About how many databases at least.
    pub min_databases: usize,
}

/// Learns the words of the train split: of its texts, and of the databases that they are about.
///
/// `specs` are those of the corpus's examples, in order; `more` are others that are learnt from, with their
/// databases.
pub(crate) fn learn_words(
    corpus: &Corpus,
    specs: &[Spec],
    more: &[(Option<&str>, Spec)],
    known: Known,
) -> Vocabulary {
    let examples = corpus.examples.iter().zip(specs);
    let train = examples.filter(|(example, _)| example.split == Split::Train);
    let words = train.map(|(example, spec)| (example.database.as_deref(), words_of(spec)));
    let more = more
        .iter()
        .map(|(database, spec)| (*database, words_of(spec)));
    Vocabulary::learn_across(words.chain(more), known.min_count, known.min_databases)
}

/// All words that a model looks up for a specification.
pub(crate) fn words_of(spec: &Spec) -> impl Iterator<Item = &str> {
    let context = spec.context.as_deref();
    let columns = context.into_iter().flat_map(|it| &it.columns);
    let columns = columns.flat_map(|it| std::iter::once(&it.kind).chain(&it.words));
    let tables = context
        .into_iter()
        .flat_map(|it| it.tables.iter().flatten());
    let words = spec.words.iter().chain(columns).chain(tables);
    words.map(String::as_str)
}

/// Learns the subtokens that programs of the train split are put together from.
///
/// Where a corpus has no train split the vocabulary is empty.
pub(crate) fn learn_subtokens(
    programs: &Programs,
    languages: &Languages,
    known: Known,
) -> Vocabulary {
    let train = programs
        .iter()
        .filter(|(example, _)| example.split == Split::Train);
    let units = train.filter_map(|(example, tree)| {
        let language = languages.of(example).ok()?;
        Some((example.database.as_deref(), units(language, tree)))
    });
    Vocabulary::learn_across(units, known.min_count, known.min_databases)
}
