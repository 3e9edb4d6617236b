//! Which words of a question speak of which columns and tables.
//!
//! Names are compared by the stems of their words, without words such as `of` and `the`: the run
//! `names of the singers` is the whole name of the column `singer name`, and `singers` is part of
//! it. A word of a name may be short for one of the question: `emp_nm` is the name of an employee. Values are compared as they stand in the database, but for case and endings.

mod abbreviations;
mod cache;
mod stems;
mod values;

use std::collections::BTreeSet;

use indexmap::IndexMap;
use patois_synthesis::{Context, Item, Link, LinkKind};

pub use cache::ValueCache;
pub use values::{FoundValue, ValueIndex};
pub(super) use values::{START, mix};

use abbreviations::ShortWords;
use stems::{Stemmed, Stemmer};

/// What the words of a question say of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said<'l> {
    /// Which words speak of which columns and tables, in order.
    pub links: Vec<Link>,
    /// The values that runs of words are.
    pub values: Vec<FoundValue<'l>>,
}

/// Finds what the words of a question say of one database.
#[derive(Clone, Debug, Default)]
pub struct Linker {
    /// The items that are called by exactly these stems, in the order of the alphabet.
    names: IndexMap<Vec<String>, Vec<Item>>,
    /// The items with this stem in their name, and others beside it.
    parts: IndexMap<String, Vec<Item>>,
    longest_name: usize,
    short_words: ShortWords,
    values: Option<ValueIndex>,
}

/// How many words that say nothing may stand inside a name: `name of all the singers` has three.
const N_SILENT: usize = 3;

impl Linker {
    /// Links to the names of a context's columns and tables, and to values where there are some.
    pub fn new(context: &Context, values: Option<ValueIndex>) -> Linker {
        let stemmer = Stemmer::default();
        let mut linker = Linker {
            values,
            ..Linker::default()
        };
        let columns = context.columns.iter().enumerate();
        let columns = columns.filter(|(_, column)| column.table.is_some());
        for (index, column) in columns {
            linker.add(&stemmer, Item::Column(index), &column.words);
        }
        for (index, words) in context.tables.iter().enumerate() {
            linker.add(&stemmer, Item::Table(index), words);
        }
        linker
    }

    fn add(&mut self, stemmer: &Stemmer, item: Item, words: &[String]) {
        self.short_words.add(item, words);
        let stemmed: Vec<Stemmed> = words.iter().map(|word| stemmer.stem(word)).collect();
        let says_something = stemmed.iter().any(|word| word.says_something);
        let stems = stemmed.into_iter();
        // Some columns are called `to` or `from`.
        let stems = stems.filter(|word| word.says_something || !says_something);
        let name: BTreeSet<String> = stems.map(|word| word.stem).collect();
        let name: Vec<String> = name.into_iter().collect();
        if name.len() > 1 {
            for stem in name
                .iter()
                .filter(|stem| stem.contains(char::is_alphabetic))
            {
                self.parts.entry(stem.clone()).or_default().push(item);
            }
        }
        self.longest_name = self.longest_name.max(name.len());
        if !name.is_empty() {
            self.names.entry(name).or_default().push(item);
        }
    }

    /// What the words of a question, in lower case, say of the database.
    ///
    /// ```
    /// use patois::spec::linking::Linker;
    /// use patois_synthesis::{Column, Context, Item, LinkKind};
    ///
    /// let column = |words: &[&str]| Column {
    ///     kind: "text".to_owned(),
    ///     words: words.iter().map(|word| word.to_string()).collect(),
    ///     table: Some(0),
    ///     is_primary_key: false,
    /// };
    /// let context = Context {
    ///     columns: vec![column(&["song", "name"]), column(&["release", "year"])],
    ///     tables: vec![vec!["singer".to_owned()]],
    ///     foreign_keys: vec![],
    /// };
    /// let words = ["songs", "of", "this", "year"].map(str::to_owned);
    /// let links = Linker::new(&context, None).read(&words).links;
    /// let found: Vec<_> = links.iter().map(|link| (link.word, link.item, link.kind)).collect();
    /// assert_eq!(found, [
    ///     (0, Item::Column(0), LinkKind::PartOfName),
    ///     (3, Item::Column(1), LinkKind::PartOfName),
    /// ]);
    /// ```
    pub fn read(&self, words: &[String]) -> Said<'_> {
        let stemmer = Stemmer::default();
        let stemmed: Vec<Stemmed> = words.iter().map(|it| stemmer.stem(it)).collect();
        let mut links = self.name_links(&stemmed);
        let values = match &self.values {
            Some(values) => found_values(values, words, &stemmed, &links),
            None => Vec::new(),
        };
        links.extend(self.short_links(words, &stemmed, &links));
        for value in &values {
            links.extend(value.words.clone().map(|word| Link {
                word,
                item: Item::Column(value.column),
                kind: LinkKind::Value,
            }));
        }
        Said {
            links: links.into_iter().collect(),
            values,
        }
    }

    /// Whole names in any order of their words; parts where the whole is not there.
    fn name_links(&self, words: &[Stemmed]) -> BTreeSet<Link> {
        let mut links = BTreeSet::new();
        for start in 0..words.len() {
            for length in (1..=self.longest_name + N_SILENT).rev() {
                let Some(run) = words.get(start..start + length) else {
                    continue;
                };
                for &item in self.called(run) {
                    let spoken = (start..).zip(run);
                    let spoken = spoken.filter(|(_, word)| word.says_something || length == 1);
                    links.extend(spoken.map(|(word, _)| Link {
                        word,
                        item,
                        kind: LinkKind::Name,
                    }));
                }
            }
        }
        for (word, stemmed) in words.iter().enumerate() {
            for &item in self.parts.get(&stemmed.stem).into_iter().flatten() {
                let link = |kind| Link { word, item, kind };
                if stemmed.says_something && !links.contains(&link(LinkKind::Name)) {
                    links.insert(link(LinkKind::PartOfName));
                }
            }
        }
        links
    }

    /// Words that others in names are short for, where they are not in the name themselves.
    fn short_links(
        &self,
        words: &[String],
        stemmed: &[Stemmed],
        names: &BTreeSet<Link>,
    ) -> Vec<Link> {
        let mut said: IndexMap<Item, BTreeSet<&str>> = IndexMap::new();
        let mut found = Vec::new();
        for (word, own) in stemmed.iter().enumerate() {
            for (short, item) in self.short_words.items_of(&words[word], own) {
                let link = |kind| Link { word, item, kind };
                let is_named = [LinkKind::Name, LinkKind::PartOfName];
                if !is_named.iter().any(|&kind| names.contains(&link(kind))) {
                    said.entry(item).or_default().insert(short);
                    found.push((word, item));
                }
            }
        }
        // What of the name stands in the question as it is.
        let parts = names.iter().filter(|it| it.kind == LinkKind::PartOfName);
        for link in parts {
            if let Some(said) = said.get_mut(&link.item) {
                said.insert(&words[link.word]);
            }
        }
        let kind_of = |item| {
            if said[&item].len() >= self.short_words.n_words(item) {
                LinkKind::ShortName
            } else {
                LinkKind::PartOfShortName
            }
        };
        let link = |(word, item)| Link {
            word,
            item,
            kind: kind_of(item),
        };
        found.into_iter().map(link).collect()
    }

    /// The items whose whole name a run of words is.
    fn called(&self, run: &[Stemmed]) -> &[Item] {
        let name: BTreeSet<&str> = match run {
            [word] => BTreeSet::from([word.stem.as_str()]),
            [first, .., last] if first.says_something && last.says_something => {
                let spoken = run.iter().filter(|word| word.says_something);
                spoken.map(|word| word.stem.as_str()).collect()
            }
            _ => return &[],
        };
        if name.len() > self.longest_name {
            return &[];
        }
        let name: Vec<String> = name.into_iter().map(str::to_owned).collect();
        self.names.get(&name).map_or(&[], Vec::as_slice)
    }
}

/// The values that are named, and those that are nearly named by words that name nothing else.
fn found_values<'l>(
    values: &'l ValueIndex,
    words: &[String],
    stemmed: &[Stemmed],
    names: &BTreeSet<Link>,
) -> Vec<FoundValue<'l>> {
    let mut found = values.find(stemmed);
    let mut is_free: Vec<bool> = stemmed
        .iter()
        .map(|it| it.says_something && it.stem.contains(char::is_alphabetic))
        .collect();
    for link in names {
        is_free[link.word] = false;
    }
    for value in &found {
        is_free[value.words.clone()].fill(false);
    }
    found.extend(values.find_misspelt(words, |word| is_free[word]));
    found
}

#[cfg(test)]
mod tests;
