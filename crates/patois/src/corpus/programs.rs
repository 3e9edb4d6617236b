//! From source texts to syntax trees.

use std::sync::Arc;

use indexmap::IndexMap;
use patois_codebase::idiom_file::{CorpusStamp, IdiomFile, MinedProgram};
use patois_codebase::idiom_source::IdiomPrinter;
use patois_codebase::repository::RepositoryError;
use patois_languages::python::Python;
use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_mining::Texts;
use patois_syntax::{Ast, Grammar, IdiomLibrary, InduceError, Language, Text, Tree};
use rayon::prelude::*;

use super::{Corpus, CorpusError, Dropped, Example, Split};
use crate::spec::words::words;

/// The languages of a corpus: one for all programs, or one for each database.
#[derive(Clone)]
pub enum Languages {
    /// Every program is of the same language.
    Same(Arc<dyn Language>),
    /// A program is of the language that is bound to its database.
    PerDatabase(IndexMap<String, Arc<dyn Language>>),
}

impl Languages {
    /// The languages of a corpus's programs; `mode` says how much of a query a tree holds.
    ///
    /// # Errors
    ///
    /// When patois does not know the corpus's language.
    pub fn of_corpus(corpus: &Corpus, mode: Mode) -> Result<Languages, CorpusError> {
        match corpus.language.as_str() {
            "python" => Ok(Languages::Same(Arc::new(Python))),
            "sql" => Ok(Languages::bind(corpus, |schema| {
                Arc::new(Sql::new(Arc::clone(schema), mode))
            })),
            other => Err(RepositoryError::unknown_language(other, &["python", "sql"]).into()),
        }
    }

    /// A language for each of the corpus's databases, made by `bind`.
    pub(crate) fn bind(
        corpus: &Corpus,
        bind: impl Fn(&Arc<DatabaseSchema>) -> Arc<dyn Language>,
    ) -> Languages {
        let bound = corpus.databases.iter();
        Languages::PerDatabase(
            bound
                .map(|(name, schema)| (name.clone(), bind(schema)))
                .collect(),
        )
    }

    /// Adds the languages of other databases.
    pub(crate) fn extend(&mut self, others: Languages) {
        if let (Languages::PerDatabase(own), Languages::PerDatabase(others)) = (self, others) {
            for (name, language) in others {
                own.entry(name).or_insert(language);
            }
        }
    }

    /// One of the languages; they differ in the database only.
    fn any(&self) -> Option<&dyn Language> {
        match self {
            Languages::Same(language) => Some(language.as_ref()),
            Languages::PerDatabase(languages) => languages.values().next().map(AsRef::as_ref),
        }
    }

    /// The language of an example's program.
    ///
    /// # Errors
    ///
    /// When the example names no database, or one that the corpus does not describe.
    pub fn of(&self, example: &Example) -> Result<&dyn Language, NoLanguage> {
        match self {
            Languages::Same(language) => Ok(language.as_ref()),
            Languages::PerDatabase(languages) => {
                let name = example.database.as_ref().ok_or(NoLanguage::NoDatabase)?;
                let language = languages.get(name);
                language
                    .map(AsRef::as_ref)
                    .ok_or_else(|| NoLanguage::UnknownDatabase(name.clone()))
            }
        }
    }
}

/// Why the language of a program is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLanguage {
    /// The example says nothing.
    #[error("the row names no database")]
    NoDatabase,
    /// The example names a database that nothing is known about.
    #[error("the database `{0}` is not described")]
    UnknownDatabase(String),
}

/// A corpus whose programs have been parsed.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The corpus; rows that do not parse are among its dropped ones.
    pub corpus: Corpus,
    /// The grammar of the programs: the language's own, or induced from them where the language
    /// declares none.
    pub grammar: Grammar,
    /// The trees of `corpus.examples`, one each.
    pub trees: Vec<Tree>,
}

impl Programs {
    /// The examples with their trees.
    pub fn iter(&self) -> impl Iterator<Item = (&Example, &Tree)> {
        self.corpus.examples.iter().zip(&self.trees)
    }

    /// What the programs of a split were written from; nothing where they have no texts.
    pub fn texts(&self, split: Split) -> Texts {
        let examples = || self.iter().map(|it| it.0).filter(|it| it.split == split);
        if examples().all(|it| it.text.trim().is_empty()) {
            return Texts::default();
        }
        Texts::new(examples().map(|it| words(&it.text).into_iter().map(|word| word.text)))
    }

    /// The file of a library that was mined from a split; `config` is how.
    pub fn idiom_file(
        &self,
        split: Split,
        library: &IdiomLibrary,
        config: serde_json::Value,
        printer: &IdiomPrinter<'_>,
    ) -> IdiomFile {
        let mined = self.iter().filter(|it| it.0.split == split);
        let mined: Vec<MinedProgram<'_>> = mined
            .map(|(example, tree)| MinedProgram {
                id: &example.id,
                code: &example.code,
                tree,
            })
            .collect();
        let corpus = CorpusStamp {
            name: self.corpus.name.clone(),
            language: self.corpus.language.clone(),
            split: split.to_string(),
            programs: mined.len(),
        };
        IdiomFile::of_programs(&self.grammar, &mined, library, corpus, config, printer)
    }

    /// Keeps the splits that are wanted.
    pub fn keep(&mut self, mut is_wanted: impl FnMut(Split) -> bool) {
        let trees = std::mem::take(&mut self.trees).into_iter();
        let examples = std::mem::take(&mut self.corpus.examples).into_iter();
        let wanted = examples.zip(trees).filter(|it| is_wanted(it.0.split));
        (self.corpus.examples, self.trees) = wanted.unzip();
    }

    /// The trees of a split.
    pub fn of(&self, split: Split) -> impl Iterator<Item = &Tree> {
        self.iter()
            .filter(move |(example, _)| example.split == split)
            .map(|(_, tree)| tree)
    }
}

impl Corpus {
    /// Parses every program; rows that do not parse become dropped rows, with the reason.
    ///
    /// # Errors
    ///
    /// When the language declares no grammar, and none can be induced because the trees contradict
    /// each other.
    pub fn parse(mut self, languages: &Languages) -> Result<Programs, InduceError> {
        let declared = languages.any().and_then(Language::schema);
        let (grammar, parsed) = if let Some(schema) = declared {
            let grammar = Grammar::from_schema(schema);
            // A tree takes a small part of the memory of what the parser makes, so that is not kept.
            let to_tree = |example| to_tree(&grammar, &parse(example, languages)?);
            let trees: Vec<_> = self.examples.par_iter().map(to_tree).collect();
            (grammar, trees)
        } else {
            let examples = self.examples.par_iter();
            let asts: Vec<_> = examples.map(|it| parse(it, languages)).collect();
            let grammar = induce(&self.language, asts.iter().flatten())?;
            let trees = asts
                .into_iter()
                .map(|ast| to_tree(&grammar, &ast?))
                .collect();
            (grammar, trees)
        };
        let mut trees = Vec::with_capacity(parsed.len());
        let mut examples = Vec::with_capacity(parsed.len());
        for (example, parsed) in self.examples.into_iter().zip(parsed) {
            match parsed {
                Ok(tree) => {
                    trees.push(tree);
                    examples.push(example);
                }
                Err(reason) => self.dropped.push(Dropped {
                    id: example.id,
                    split: example.split,
                    reason,
                }),
            }
        }
        self.examples = examples;
        Ok(Programs {
            corpus: self,
            grammar,
            trees,
        })
    }
}

/// The grammar of the given trees; one without productions where there are none.
fn induce<'a>(language: &str, asts: impl Iterator<Item = &'a Ast>) -> Result<Grammar, InduceError> {
    match Grammar::induce(Text::new(language).as_str(), asts) {
        Err(InduceError::NoTrees) => {
            let empty = Grammar::parse(&format!("grammar {language}\nsymbols program"));
            Ok(empty.expect("a symbol without productions is a grammar"))
        }
        other => other,
    }
}

fn to_tree(grammar: &Grammar, ast: &Ast) -> Result<Tree, String> {
    grammar
        .tree(ast)
        .map_err(|error| format!("is not in the grammar: {error}"))
}

fn parse(example: &Example, languages: &Languages) -> Result<Ast, String> {
    let language = languages.of(example).map_err(|error| error.to_string())?;
    language
        .parse(&example.code)
        .map_err(|error| match error.line_column(&example.code) {
            Some((line, column)) => {
                format!("does not parse: {error} (line {line}, column {column})")
            }
            None => format!("does not parse: {error}"),
        })
}
