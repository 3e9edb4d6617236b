//! From texts and databases to what a model reads.
//!
//! Words are in lower case, wherever they come from: pretrained vectors know them so, and a word
//! at the beginning of a sentence is the same word. What is copied keeps its case.

pub mod copying;
mod dates;
pub mod encoder_folder;
pub mod linking;
mod numbers;
pub(crate) mod readings;
pub mod subtokens;
mod values;
pub mod vectors_file;
pub(crate) mod vocabulary;
pub mod words;

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use patois_database::DatabaseError;
use patois_database::Databases;
use patois_languages::sql::{ColumnKind, DatabaseSchema};
use patois_syntax::Text;
use patois_synthesis::{Column, Context, Copied, Form, Linking, Origin, Spec};
use rayon::prelude::*;

use crate::augment::expansion_of;
use crate::corpus::{Corpus, Example};
use crate::spec::copying::{Candidates, capitalized, number, parts};
use crate::spec::linking::{Linker, ValueCache};
use crate::spec::words::{Word, words};

/// What texts are about: a database, or nothing that a program could point at.
#[derive(Clone, Debug, Default)]
pub struct Topic {
    context: Option<Arc<Context>>,
    linker: Option<Linker>,
}

impl Topic {
    /// A database of which only the schema is known.
    pub(crate) fn unlinked(schema: &DatabaseSchema) -> Topic {
        Topic {
            context: Some(Arc::new(context(schema, Linking::None))),
            linker: None,
        }
    }

    /// A database, with the links that are asked for; its values are looked up among `databases`.
    ///
    /// # Errors
    ///
    /// When it is too large, or values are asked for and the database is missing or damaged.
    pub fn linked(
        schema: &DatabaseSchema,
        linking: Linking,
        databases: &Databases,
        cache: &ValueCache,
    ) -> Result<Topic, DatabaseError> {
        check_size(schema)?;
        let context = Arc::new(context(schema, linking));
        let linker = match linking {
            Linking::None => None,
            Linking::Names => Some(Linker::new(&context, None)),
            Linking::Values => {
                let values = cache.index(databases, schema)?;
                Some(Linker::new(&context, Some(values)))
            }
        };
        Ok(Topic {
            context: Some(context),
            linker,
        })
    }

    /// The specification that a text is.
    pub fn spec(&self, text: &str) -> Spec {
        let found = words(text);
        let words: Vec<String> = found.iter().map(|word| word.text.to_lowercase()).collect();
        let said = self.linker.as_ref().map(|linker| linker.read(&words));
        let mut candidates = Candidates::of(text);
        if self.context.is_some() {
            candidates.add_all(dates::dates(&found));
            candidates.add_all(numbers::numbers(&found));
        }
        let mut copies = copies(&candidates, text, &found);
        let mut links = Vec::new();
        if let Some(said) = said {
            values::offer(&mut copies, text, &found, &said.values);
            links = said.links;
        }
        Spec {
            copies,
            words,
            context: self.context.clone(),
            links,
        }
    }
}

/// The topics of a corpus: its databases, or nothing.
#[derive(Clone, Debug, Default)]
pub struct Topics {
    databases: IndexMap<String, Topic>,
}

impl Topics {
    /// Databases of which only the schemas are known.
    pub(crate) fn unlinked(corpus: &Corpus) -> Topics {
        let databases = corpus.databases.iter();
        let databases = databases.map(|(name, schema)| (name.clone(), Topic::unlinked(schema)));
        Topics {
            databases: databases.collect(),
        }
    }

    /// The databases of a corpus, with the links that are asked for.
    ///
    /// Values are read of the databases that an example is about.
    ///
    /// # Errors
    ///
    /// When values are asked for and one of the databases is missing or damaged.
    pub fn linked(
        corpus: &Corpus,
        linking: Linking,
        cache: &ValueCache,
    ) -> Result<Topics, DatabaseError> {
        let examples = corpus.examples.iter();
        let used: IndexSet<&str> = examples.filter_map(|it| it.database.as_deref()).collect();
        let databases = corpus.places();
        let schemas: Vec<(&String, &Arc<DatabaseSchema>)> = corpus.databases.iter().collect();
        let topics = schemas.into_par_iter().map(|(name, schema)| {
            let linking = match linking {
                Linking::Values if !used.contains(name.as_str()) => Linking::Names,
                other => other,
            };
            let topic = Topic::linked(schema, linking, &databases, cache)?;
            Ok((name.clone(), topic))
        });
        let databases: Result<Vec<(String, Topic)>, DatabaseError> = topics.collect();
        Ok(Topics {
            databases: databases?.into_iter().collect(),
        })
    }

    /// The database of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Topic> {
        self.databases.get(name)
    }

    /// The specification of an example.
    pub fn spec(&self, example: &Example) -> Spec {
        let database = example.database.as_ref();
        let topic = database.and_then(|name| self.get(name));
        match topic {
            Some(topic) => topic.spec(&example.text),
            None => Topic::default().spec(&example.text),
        }
    }
}

/// How many tables and columns a database may have: attention takes the square of it.
const MAX_ITEMS: usize = 3_000;

fn check_size(schema: &DatabaseSchema) -> Result<(), DatabaseError> {
    let found = schema.tables.len() + schema.columns.len();
    if found > MAX_ITEMS {
        return Err(DatabaseError::Large {
            database: schema.name.clone(),
            found,
            limit: MAX_ITEMS,
        });
    }
    Ok(())
}

/// What a model is told of a database; where it is told of links, shortened names are written in full.
pub(crate) fn context(schema: &DatabaseSchema, linking: Linking) -> Context {
    let name_words = |spoken: &str, name: &str| match linking {
        Linking::None => name_words(spoken, name),
        Linking::Names | Linking::Values => in_full(name_words(spoken, name)),
    };
    let columns = schema.columns.iter().map(|column| Column {
        kind: kind_name(column.kind).to_owned(),
        words: name_words(&column.words, &column.name),
        table: column.table,
        is_primary_key: column.is_primary_key,
    });
    let tables = schema.tables.iter();
    Context {
        columns: columns.collect(),
        tables: tables
            .map(|table| name_words(&table.words, &table.name))
            .collect(),
        foreign_keys: schema.foreign_keys.clone(),
    }
}

fn kind_name(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Text => "text",
        ColumnKind::Number => "number",
        ColumnKind::Time => "time",
        ColumnKind::Boolean => "boolean",
        ColumnKind::Others => "others",
    }
}

/// The words of a name, never none of them.
fn name_words(spoken: &str, name: &str) -> Vec<String> {
    let lower = |text: &str| -> Vec<String> {
        let found = words(text).into_iter();
        found.map(|word| word.text.to_lowercase()).collect()
    };
    let mut found = lower(spoken);
    if found.is_empty() {
        found = lower(name);
    }
    if found.is_empty() {
        found.push(name.to_owned());
    }
    found
}

/// The words of a name, those in full that are short for one thing only, without what tells that it is the name of a
/// table or a column: `tbl emp` is `employee`.
fn in_full(mut words: Vec<String>) -> Vec<String> {
    if words.len() > 1 && ["tbl", "fld"].contains(&words[0].as_str()) {
        words.remove(0);
    }
    let whole = words.iter().flat_map(|word| {
        let known = expansion_of(word).unwrap_or(word);
        known.split(' ').map(str::to_owned)
    });
    whole.collect()
}

/// What can be copied from a text, from each run of words that it can be copied from.
fn copies(candidates: &Candidates, text: &str, words: &[Word<'_>]) -> Vec<Copied> {
    let mut copies = Vec::with_capacity(candidates.len());
    for (copied, sources) in candidates.iter() {
        let interned = Text::new(copied);
        for range in sources {
            let Some(run) = words.get(range.clone()).filter(|run| !run.is_empty()) else {
                continue;
            };
            let span = run[0].start..run[run.len() - 1].span().end;
            copies.push(Copied {
                text: interned,
                first: range.start as u32,
                last: (range.end - 1) as u32,
                origin: Origin::Words(form(copied, &text[span])),
            });
        }
    }
    copies
}

/// How `copied` was made of the words `run`.
fn form(copied: &str, run: &str) -> Form {
    if copied == run {
        return Form::Same;
    }
    if number(run).is_some_and(|number| number == copied) {
        return Form::Number;
    }
    let lower = run.to_lowercase();
    if copied == lower {
        return Form::Lower;
    }
    if copied == run.to_uppercase() {
        return Form::Upper;
    }
    if copied == capitalized(run) || copied == capitalized(&lower) {
        return Form::Capitalized;
    }
    let parts = parts(run);
    // Most names are both: `Camel` is the one that also holds where a word is written small.
    if copied == parts.iter().map(|it| capitalized(it)).collect::<String>() {
        return Form::Camel;
    }
    if copied == parts.concat() {
        return Form::Joined;
    }
    Form::Other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_tell_how_a_copy_was_made() {
        let check = |copied: &str, run: &str, expected| {
            assert_eq!(form(copied, run), expected, "{copied} of {run}");
        };
        check("Rogue", "Rogue", Form::Same);
        check("rogue", "Rogue", Form::Lower);
        check("ROGUE", "Rogue", Form::Upper);
        check("Rogue", "rogue", Form::Capitalized);
        check("2", "two", Form::Number);
        check("1000", "1,000", Form::Number);
        check("AssassinsBlade", "Assassin's Blade", Form::Camel);
        check("MarkOfTheWild", "Mark of the Wild", Form::Camel);
        check("OneeyedCheat", "One-eyed Cheat", Form::Joined);
        check("minion", "minions", Form::Other);
    }

    #[test]
    fn words_are_in_lower_case_and_copies_are_not() {
        let spec = Topic::default().spec("Mark of the Wild NAME_END -1 ATK_END");
        assert_eq!(
            spec.words,
            ["mark", "of", "the", "wild", "name_end", "-1", "atk_end"]
        );
        let copy = |text: &str| {
            let found = spec.copies.iter().find(|it| it.text.as_str() == text);
            found.map(|it| (it.first, it.last, it.origin)).unwrap()
        };
        let made = |first, last, form| (first, last, Origin::Words(form));
        assert_eq!(copy("MarkOfTheWild"), made(0, 3, Form::Camel));
        assert_eq!(copy("Mark of the Wild"), made(0, 3, Form::Same));
        assert_eq!(copy("Wild"), made(3, 3, Form::Same));
        assert_eq!(copy("1"), made(5, 5, Form::Number));
        assert!(spec.context.is_none() && spec.links.is_empty());
    }

    /// A quotation of nothing but white space is copied from its opening quote.
    #[test]
    fn every_copy_is_of_words_that_exist() {
        for text in ["join with ' ' or ''", "", "\"\"", "'a b' \u{2018}c\u{2019}"] {
            let spec = Topic::default().spec(text);
            let n_words = spec.words.len() as u32;
            for copy in &spec.copies {
                assert!(copy.first <= copy.last && copy.last < n_words, "{copy:?}");
            }
        }
    }

    #[test]
    fn names_have_words_whatever_they_are() {
        assert_eq!(name_words("Song Name", "song_name"), ["song", "name"]);
        assert_eq!(name_words(" ", "Song_Name"), ["song_name"]);
        assert_eq!(name_words("*", "*"), ["*"]);
        assert_eq!(name_words("", " "), [" "]);
        let full = |words: &str| in_full(name_words(words, "x")).join(" ");
        assert_eq!(full("tbl Emp"), "employee");
        assert_eq!(full("cust dob"), "customer date of birth");
        assert_eq!(full("tbl"), "tbl");
        assert_eq!(full("cat nm"), "cat name");
    }
}
