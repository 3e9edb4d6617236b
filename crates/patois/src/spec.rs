//! From texts and databases to what a model reads.
//!
//! Words are in lower case, wherever they come from: pretrained vectors know them so, and a word
//! at the beginning of a sentence is the same word. What is copied keeps its case.

pub mod copying;
pub mod linking;
pub mod subtokens;
pub mod vectors_file;
pub mod words;

use std::sync::Arc;

use indexmap::IndexMap;
use patois_database::DatabaseError;
use patois_database::Databases;
use patois_languages::sql::{ColumnKind, DatabaseSchema};
use patois_syntax::Text;
use patois_synthesis::{Column, Context, Copied, Form, Linking, Spec};
use rayon::prelude::*;

use crate::corpus::{Corpus, Example};
use crate::spec::copying::{Candidates, capitalized, number, parts};
use crate::spec::linking::{Linker, ValueCache};
use crate::spec::words::{Word, words};

/// Makes specifications of texts, with what is known of the databases.
#[derive(Clone, Debug, Default)]
pub struct Specs {
    databases: IndexMap<String, Known>,
}

/// What is known of a database.
#[derive(Clone, Debug)]
struct Known {
    context: Arc<Context>,
    linker: Option<Linker>,
}

impl Specs {
    /// Specifications without links.
    pub fn unlinked(databases: &IndexMap<String, Arc<DatabaseSchema>>) -> Specs {
        let known = databases.iter().map(|(name, schema)| {
            let context = Arc::new(context(schema));
            let linker = None;
            (name.clone(), Known { context, linker })
        });
        Specs {
            databases: known.collect(),
        }
    }

    /// Specifications of a corpus's examples, with the links that are asked for.
    ///
    /// Values are read of the databases that an example is about.
    ///
    /// # Errors
    ///
    /// When values are asked for and one of the databases is missing or damaged.
    pub fn linked(
        corpus: &Corpus,
        linking: Linking,
        databases: &Databases,
        cache: &ValueCache,
    ) -> Result<Specs, DatabaseError> {
        let mut specs = Specs::unlinked(&corpus.databases);
        if linking == Linking::None {
            return Ok(specs);
        }
        let examples = corpus.examples.iter();
        let used: indexmap::IndexSet<&str> = examples
            .filter_map(|example| example.database.as_deref())
            .collect();
        let known: Vec<(&String, &mut Known)> = specs.databases.iter_mut().collect();
        known.into_par_iter().try_for_each(|(name, known)| {
            let has_values = linking == Linking::Values && used.contains(name.as_str());
            let schema = corpus.databases.get(name).filter(|_| has_values);
            let values = schema.map(|schema| cache.index(databases, schema));
            known.linker = Some(Linker::new(&known.context, values.transpose()?));
            Ok(())
        })?;
        Ok(specs)
    }

    /// The specification of an example.
    pub fn of(&self, example: &Example) -> Spec {
        self.of_text(&example.text, example.database.as_deref())
    }

    /// The specification of a text about a database.
    pub fn of_text(&self, text: &str, database: Option<&str>) -> Spec {
        let found = words(text);
        let words: Vec<String> = found.iter().map(|word| word.text.to_lowercase()).collect();
        let known = database.and_then(|name| self.databases.get(name));
        let linker = known.and_then(|known| known.linker.as_ref());
        let links = linker.map(|linker| linker.links(&words));
        Spec {
            copies: copies(text, &found),
            words,
            context: known.map(|known| Arc::clone(&known.context)),
            links: links.unwrap_or_default(),
        }
    }
}

/// What a model is told of a database.
pub fn context(schema: &DatabaseSchema) -> Context {
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

/// What can be copied from a text, from each run of words that it can be copied from.
fn copies(text: &str, words: &[Word<'_>]) -> Vec<Copied> {
    let candidates = Candidates::of(text);
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
                form: form(copied, &text[span]),
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
        let spec = Specs::default().of_text("Mark of the Wild NAME_END -1 ATK_END", None);
        assert_eq!(
            spec.words,
            ["mark", "of", "the", "wild", "name_end", "-1", "atk_end"]
        );
        let copy = |text: &str| {
            let found = spec.copies.iter().find(|it| it.text.as_str() == text);
            found.map(|it| (it.first, it.last, it.form)).unwrap()
        };
        assert_eq!(copy("MarkOfTheWild"), (0, 3, Form::Camel));
        assert_eq!(copy("Mark of the Wild"), (0, 3, Form::Same));
        assert_eq!(copy("Wild"), (3, 3, Form::Same));
        assert_eq!(copy("1"), (5, 5, Form::Number));
        assert!(spec.context.is_none() && spec.links.is_empty());
    }

    /// A quotation of nothing but white space is copied from its opening quote.
    #[test]
    fn every_copy_is_of_words_that_exist() {
        for text in ["join with ' ' or ''", "", "\"\"", "'a b' \u{2018}c\u{2019}"] {
            let spec = Specs::default().of_text(text, None);
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
    }
}
