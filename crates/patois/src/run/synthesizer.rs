//! A model that has been trained, ready to write programs.

use std::path::PathBuf;

use patois_languages::python::Python;
use patois_languages::sql::{Mode, Sql};
use patois_syntax::{Action, ExtendedGrammar, Grammar, IdiomId, IdiomLibrary, Language, Rule};
use patois_synthesis::training::{LoadError, read_idioms, read_models};
use patois_synthesis::{Ensemble, Found, Model, Question, SearchConfig, Searcher, Spec};

use crate::run::config::RunConfig;
use crate::run::folder::{ModelCard, RunDir, RunDirError, RunFile};
use crate::spec::copying::Candidates;
use crate::spec::subtokens::Subtokenizer;

/// A trained model, and what it takes to use it.
#[derive(Clone, Debug)]
pub struct Writer {
    /// The configuration that it was trained with.
    pub config: RunConfig,
    /// What it was trained for.
    pub card: ModelCard,
    /// The grammar of its programs.
    pub grammar: Grammar,
    /// The idioms that it may use.
    pub library: IdiomLibrary,
    /// The networks of its ensemble, one or more, which know the same.
    pub models: Vec<Model>,
}

/// Why a folder holds no model that can be used.
#[derive(Debug, thiserror::Error)]
pub enum WriterError {
    /// The folder is no run's, or its training has not come to a model yet.
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    /// The programs are of a language that has no grammar of its own.
    #[error("the model writes `{found}`, expected `python` or `sql`")]
    Language {
        /// The language.
        found: String,
    },
    /// The file of the model cannot be used.
    #[error("`{}`: {source}", .path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LoadError,
    },
}

/// What programs are asked for with.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// What the program should do.
    pub text: &'a str,
    /// The text as a model reads it.
    pub spec: &'a Spec,
    /// The language of the program.
    pub language: &'a dyn Language,
}

/// A program that a model wrote.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its source text.
    pub code: String,
    /// The tree, its probability, and how it came about.
    pub found: Found,
}

/// Programs for one text, best first.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// Those that have a source text.
    pub programs: Vec<Written>,
    /// Why others have none.
    pub unprintable: Vec<String>,
}

impl Writer {
    /// Loads the model of a run.
    ///
    /// # Errors
    ///
    /// When there is none, or it is damaged or another version's.
    ///
    /// # Panics
    ///
    /// Never: the idioms are read for the grammar.
    pub fn load(run: &RunDir) -> Result<Writer, WriterError> {
        let config = run.config().map_err(RunDirError::from)?;
        let card = run.card()?;
        let grammar = grammar_of(&card.language, config.sql.mode)?;
        let path = run.file(RunFile::Model);
        let Some(bytes) = run.read(RunFile::Model)? else {
            return Err(WriterError::RunDir(RunDirError::NoRun {
                path: run.path().to_owned(),
                missing: RunFile::Model.name(),
            }));
        };
        let error = |source| WriterError::Model {
            path: path.clone(),
            source,
        };
        let library = read_idioms(&bytes, &grammar).map_err(error)?;
        let extended = ExtendedGrammar::new(&grammar, &library);
        let extended = extended.expect("the library was read for the grammar");
        let models = read_models(&bytes, &extended).map_err(error)?;
        Ok(Writer {
            config,
            card,
            grammar,
            library,
            models,
        })
    }

    /// One of the networks: what it knows, all know.
    pub fn model(&self) -> &Model {
        &self.models[0]
    }

    /// What searches for programs with the model.
    ///
    /// # Panics
    ///
    /// When the library was exchanged for one of another grammar.
    pub fn searcher(&self, config: SearchConfig) -> Searcher<'_> {
        let extended = ExtendedGrammar::new(&self.grammar, &self.library);
        let extended = extended.expect("the library is the grammar's");
        Searcher::new(Ensemble::new(&self.models), extended, config)
    }

    /// Programs for a text, best first.
    pub fn write(&self, searcher: &Searcher<'_>, request: Request<'_>) -> Answers {
        let answers = self.write_all(searcher, &[request]);
        answers.into_iter().next().unwrap_or_default()
    }

    /// Programs for each of several texts; the network is asked for all of them at once.
    pub fn write_all(&self, searcher: &Searcher<'_>, requests: &[Request<'_>]) -> Vec<Answers> {
        let candidates: Vec<Candidates> =
            requests.iter().map(|it| Candidates::of(it.text)).collect();
        let subtokenizers: Vec<Subtokenizer<'_>> = requests
            .iter()
            .zip(&candidates)
            .map(|(it, candidates)| {
                Subtokenizer::new(it.language, self.model().actions.subtokens(), candidates)
            })
            .collect();
        let questions: Vec<Question<'_>> = requests
            .iter()
            .zip(&subtokenizers)
            .map(|(it, subtokens)| Question {
                spec: it.spec,
                subtokens,
                language: it.language,
            })
            .collect();
        let found = searcher.search_all(&questions).into_iter();
        found
            .zip(requests)
            .map(|(found, request)| self.print(found, request.language))
            .collect()
    }

    fn print(&self, found: Vec<Found>, language: &dyn Language) -> Answers {
        let mut answers = Answers::default();
        for found in found {
            match language.print(&self.grammar.ast(&found.tree)) {
                Ok(code) => answers.programs.push(Written { code, found }),
                Err(error) => answers.unprintable.push(error.to_string()),
            }
        }
        answers
    }
}

impl Written {
    /// The idioms that were used, in the order in which they were chosen.
    pub fn idioms(&self) -> impl Iterator<Item = IdiomId> {
        let actions = self.found.trace.iter().map(|step| step.action);
        actions.filter_map(|action| match action {
            Action::Apply(Rule::Idiom(idiom)) => Some(idiom),
            Action::Apply(Rule::Production(_)) | Action::Emit(_) | Action::Point(_) => None,
        })
    }

    /// The probability.
    pub fn probability(&self) -> f64 {
        self.found.ln_p.exp()
    }
}

fn grammar_of(language: &str, mode: Mode) -> Result<Grammar, WriterError> {
    let schema = match language {
        "python" => Python.schema(),
        "sql" => Some(Sql::schema_of(mode)),
        _ => None,
    };
    let schema = schema.ok_or_else(|| WriterError::Language {
        found: language.to_owned(),
    })?;
    Ok(Grammar::from_schema(schema))
}
