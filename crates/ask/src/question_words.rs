//! What words do in questions: which of them are said about any database, and how often each names something of its own.

use std::collections::{BTreeMap, BTreeSet};

use patois::corpus::{Corpus, Split};
use patois::spec::Topics;
use patois::spec::linking::ValueCache;
use patois_synthesis::{Linking, Spec};
use serde::{Deserialize, Serialize};

use crate::asker::AskError;

/// What words do in questions, learnt from many databases.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionWords {
    /// Words that are said about many databases, and so tell nothing about any of them.
    usual: BTreeSet<String>,
    /// How often a word names a table, a column or a value where it is said: `phone` nearly always, `many` hardly ever.
    naming: BTreeMap<String, f64>,
}

/// About one of how many databases a word must be said for it to tell nothing about any of them.
const USUAL_ONE_OF: usize = 20;

/// How often a word must name something, at least, to be kept.
const LEAST_NAMING: f64 = 0.2;

/// About how many databases a word must be said, at least, to know what it does.
const LEAST_DATABASES: usize = 2;

/// How often a word must name something to be missed where it does not.
const OFTEN: f64 = 0.5;

impl QuestionWords {
    /// What words do in the training questions of some corpora; each database counts as much as any other.
    ///
    /// # Errors
    ///
    /// When a database is missing or damaged.
    pub fn of<'c>(
        corpora: impl IntoIterator<Item = &'c Corpus>,
    ) -> Result<QuestionWords, AskError> {
        let mut words: BTreeMap<String, BTreeMap<&str, Said>> = BTreeMap::new();
        for corpus in corpora {
            let topics = Topics::linked(corpus, Linking::Values, &ValueCache::none())?;
            for example in corpus.of(Split::Train) {
                let Some(database) = &example.database else {
                    continue;
                };
                let spec = topics.spec(example);
                let linked = linked_words(&spec);
                for (index, word) in spec.words.iter().enumerate() {
                    let said = words.entry(word.clone()).or_default();
                    let said = said.entry(database).or_default();
                    said.n += 1;
                    said.n_naming += usize::from(linked.contains(&index));
                }
            }
        }
        Ok(QuestionWords::from_counts(&words))
    }

    fn from_counts(words: &BTreeMap<String, BTreeMap<&str, Said>>) -> QuestionWords {
        let databases: BTreeSet<&str> = words.values().flat_map(|it| it.keys().copied()).collect();
        let enough = databases.len().div_ceil(USUAL_ONE_OF);
        let usual = words.iter().filter(|it| it.1.len() >= enough);
        let share = |of: &BTreeMap<&str, Said>| {
            let shares = of.values().map(|it| it.n_naming as f64 / it.n as f64);
            // As if it had named nothing in one more database; thousandths are enough.
            (shares.sum::<f64>() / (of.len() + 1) as f64 * 1000.0).round() / 1000.0
        };
        let naming = words.iter().filter(|it| it.1.len() >= LEAST_DATABASES);
        let naming = naming.map(|(word, of)| (word.clone(), share(of)));
        QuestionWords {
            usual: usual.map(|it| it.0.clone()).collect(),
            naming: naming.filter(|it| it.1 >= LEAST_NAMING).collect(),
        }
    }

    /// The words of a question that nothing of its database is linked to and that are not usual in questions.
    pub(crate) fn unknown<'s>(&self, spec: &'s Spec) -> Vec<&'s str> {
        let unlinked = unlinked_words(spec);
        unlinked.filter(|it| !self.usual.contains(*it)).collect()
    }

    /// The words of a question that seem to name what its database does not have: those that name something wherever they
    /// are said, then those that nobody says.
    pub(crate) fn unheld<'s>(&self, spec: &'s Spec) -> Vec<&'s str> {
        let missing = self.missing(spec).into_iter();
        let missing = missing.filter(|it| it.1 >= OFTEN).map(|it| it.0);
        let mut unheld: Vec<&str> = missing.collect();
        for word in self.unknown(spec) {
            if !unheld.contains(&word) {
                unheld.push(word);
            }
        }
        unheld
    }

    /// How much of a question names what its database does not have: for each word that nothing is linked to, how often
    /// it names something elsewhere, greatest first.
    pub(crate) fn missing<'s>(&self, spec: &'s Spec) -> Vec<(&'s str, f64)> {
        let unlinked = unlinked_words(spec);
        let mut missing: Vec<(&str, f64)> = unlinked
            .filter_map(|it| Some((it, *self.naming.get(it)?)))
            .collect();
        missing.sort_by(|a, b| b.1.total_cmp(&a.1));
        missing
    }
}

/// How often a word is said about a database, and how often it names something there.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    n: usize,
    n_naming: usize,
}

/// Which words of a question name something of a database, or a value of it.
pub(crate) fn linked_words(spec: &Spec) -> BTreeSet<usize> {
    spec.links.iter().map(|it| it.word).collect()
}

/// The words of a question that say something, and that nothing of its database is linked to.
pub(crate) fn unlinked_words(spec: &Spec) -> impl Iterator<Item = &str> {
    let linked = linked_words(spec);
    let words = spec.words.iter().enumerate();
    let words = words.filter(move |(index, word)| {
        let says_something = word.chars().count() > 1 && word.chars().all(char::is_alphabetic);
        says_something && !linked.contains(index)
    });
    words.map(|it| it.1.as_str())
}

#[cfg(test)]
mod tests {
    use patois_synthesis::{Item, Link, LinkKind};

    use super::*;

    fn spec(words: &str, linked: &[usize]) -> Spec {
        let links = linked.iter().map(|&word| Link {
            word,
            item: Item::Table(0),
            kind: LinkKind::Name,
        });
        Spec {
            words: words.split(' ').map(str::to_owned).collect(),
            links: links.collect(),
            ..Spec::default()
        }
    }

    #[test]
    fn words_that_name_something_elsewhere_are_missed() {
        let said = |n, n_naming| Said { n, n_naming };
        let counts = BTreeMap::from([
            (
                "phone".to_owned(),
                BTreeMap::from([("a", said(2, 2)), ("b", said(1, 1)), ("c", said(4, 4))]),
            ),
            (
                "many".to_owned(),
                BTreeMap::from([("a", said(9, 0)), ("b", said(1, 1)), ("c", said(9, 0))]),
            ),
            ("rare".to_owned(), BTreeMap::from([("a", said(1, 1))])),
        ]);
        let mut words = QuestionWords::from_counts(&counts);
        words.usual = BTreeSet::from(["many".to_owned(), "phone".to_owned()]);
        let check =
            |question: &str, linked: &[usize], missing: &[(&str, f64)], unknown: &[&str]| {
                let spec = spec(question, linked);
                assert_eq!(words.missing(&spec), missing, "{question}");
                assert_eq!(words.unknown(&spec), unknown, "{question}");
                let often = missing.iter().filter(|it| it.1 >= 0.5).map(|it| it.0);
                let unheld: Vec<&str> = often.chain(unknown.iter().copied()).collect();
                assert_eq!(words.unheld(&spec), unheld, "{question}");
            };
        let many = ("many", 0.25);
        check(
            "many phone numbers",
            &[],
            &[("phone", 0.75), many],
            &["numbers"],
        );
        check("many phone numbers", &[1], &[many], &["numbers"]);
        check("many rare 7", &[0], &[], &["rare"]);
    }
}
