//! A model that has been trained, ready to write programs.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use patois_database::{Database, DatabaseError, Databases, Place};
use patois_languages::python::Python;
use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_syntax::{
    Action, ExtendedGrammar, Fingerprint, Grammar, IdiomId, IdiomLibrary, Language, Rule,
};
use patois_synthesis::training::{
    read_compact_models, read_idioms, read_models, read_run, write_models, write_small_models,
};
use patois_synthesis::{Ensemble, Found, Model, Precision, Question, SearchConfig, Searcher, Spec};

use super::card::ModelCard;
use super::config::RunConfig;
use super::error::StageError;
use super::folder::{Existing, RunDir, RunDirError, RunFile};
use super::standing::SecondOpinion;
use crate::spec::Topic;
use crate::spec::linking::ValueCache;
use crate::spec::subtokens::Subtokenizer;

/// A trained model, and what it takes to use it.
#[derive(Clone, Debug)]
pub struct Synthesizer {
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

/// What a model is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Programs are asked for, and nothing else: one that was trained in half precision takes less memory and time.
    Asking,
    /// It may learn more, or be written.
    Learning,
}

/// What programs are asked for with.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// What the program should do, as a model reads it.
    pub spec: &'a Spec,
    /// The language of the program.
    pub language: &'a dyn Language,
}

/// What texts are about, as a model of some language is told.
#[derive(Clone)]
pub struct Subject {
    language: Arc<dyn Language>,
    topic: Topic,
    database: Option<(Arc<DatabaseSchema>, Place)>,
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

impl Synthesizer {
    /// Loads the model of a run.
    ///
    /// # Errors
    ///
    /// When there is none, or it is damaged, another version's or another configuration's.
    pub fn load(run: &RunDir) -> Result<Synthesizer, StageError> {
        Synthesizer::load_for(Purpose::Learning, run)
    }

    /// The same, for a purpose.
    ///
    /// # Errors
    ///
    /// When there is none, or it is damaged, another version's or another configuration's.
    pub fn load_for(purpose: Purpose, run: &RunDir) -> Result<Synthesizer, StageError> {
        let config = run.config()?;
        let card = run.card()?;
        run.check_origin(RunFile::Card, card.run)?;
        let path = run.file(RunFile::Model);
        let Some(bytes) = run.read(RunFile::Model)? else {
            return Err(RunDirError::NoRun {
                path: run.path().to_owned(),
                missing: RunFile::Model.name(),
            }
            .into());
        };
        let error = |source| StageError::Model {
            path: path.clone(),
            source,
        };
        let made_by = read_run(&bytes).map_err(error)?;
        run.check_origin(RunFile::Model, made_by)?;
        Synthesizer::assemble(config, card, (bytes.into(), &path), purpose)
    }

    /// A model that is a part of a program: the contents of the files of its run.
    ///
    /// # Errors
    ///
    /// When they are no model.
    pub fn embedded(
        config: &str,
        card: &str,
        model: &'static [u8],
        purpose: Purpose,
    ) -> Result<Synthesizer, StageError> {
        let config = RunConfig::parse(RunFile::Config.name(), config)?;
        let path = Path::new(RunFile::Card.name()).to_owned();
        let card = ModelCard::parse(card).map_err(|message| RunDirError::Card { path, message })?;
        let path = Path::new(RunFile::Model.name());
        Synthesizer::assemble(config, card, (model.into(), path), purpose)
    }

    /// Puts a model together from what describes it and the bytes of a file.
    fn assemble(
        config: RunConfig,
        card: ModelCard,
        (bytes, path): (Cow<'static, [u8]>, &Path),
        purpose: Purpose,
    ) -> Result<Synthesizer, StageError> {
        let error = |source| StageError::Model {
            path: path.to_owned(),
            source,
        };
        let grammar = grammar_of(&card.language, config.sql.mode)?;
        let library = read_idioms(&bytes, &grammar).map_err(error)?;
        let extended = ExtendedGrammar::new(&grammar, &library);
        let extended = extended.expect("the library was read for the grammar");
        let is_half = config.training.precision == Precision::Half;
        let models = match purpose {
            Purpose::Asking if is_half => read_compact_models(bytes, &extended),
            Purpose::Asking | Purpose::Learning => read_models(&bytes, &extended),
        };
        let models = models.map_err(error)?;
        Ok(Synthesizer {
            config,
            card,
            grammar,
            library,
            models,
        })
    }

    /// Writes the model as a run of its own: configuration, model and what it was trained for.
    ///
    /// # Errors
    ///
    /// When the folder holds anything, or the system refuses.
    pub fn save(&self, path: &Path) -> Result<RunDir, StageError> {
        self.save_by(path, write_models)
    }

    /// The same in a quarter of the room, with weights of 8 bits.
    ///
    /// # Errors
    ///
    /// When the folder holds anything, or the system refuses.
    pub fn save_small(&self, path: &Path) -> Result<RunDir, StageError> {
        self.save_by(path, write_small_models)
    }

    fn save_by(
        &self,
        path: &Path,
        write: fn(&[Model], &ExtendedGrammar<'_>, Option<Fingerprint>) -> Vec<u8>,
    ) -> Result<RunDir, StageError> {
        let run = RunDir::create(path, &self.config, Existing::Refuse)?;
        let made_by = Some(run.fingerprint()?);
        let models = write(&self.models, &self.extended(), made_by);
        run.write(RunFile::Model, models)?;
        let card = ModelCard {
            run: made_by,
            ..self.card.clone()
        };
        run.write(RunFile::Card, card.to_toml())?;
        Ok(run)
    }

    /// The grammar with the idioms.
    fn extended(&self) -> ExtendedGrammar<'_> {
        let extended = ExtendedGrammar::new(&self.grammar, &self.library);
        extended.expect("the library is the grammar's")
    }

    /// One of the networks: what it knows, all know.
    pub fn model(&self) -> &Model {
        &self.models[0]
    }

    /// What searches for programs with the model, which reads texts in the precision that it was trained in.
    ///
    /// # Panics
    ///
    /// When the library was exchanged for one of another grammar.
    pub fn searcher(&self, config: SearchConfig) -> Searcher<'_> {
        let ensemble = Ensemble::new(&self.models).in_precision(self.config.training.precision);
        Searcher::new(ensemble, self.extended(), config)
    }

    /// Programs for a text that is about nothing in particular, best first.
    ///
    /// # Errors
    ///
    /// When the model writes queries, which are about a database.
    pub fn synthesize(&self, text: &str, search: SearchConfig) -> Result<Answers, StageError> {
        let subject = self.about_nothing()?;
        Ok(self.answer(&self.searcher(search), text, &subject).1)
    }

    /// Queries that answer a question about a database, best first.
    pub fn ask(&self, question: &str, subject: &Subject, search: SearchConfig) -> Answers {
        self.answer(&self.searcher(search), question, subject).1
    }

    /// What texts are about for a model of programs that point at nothing.
    ///
    /// # Errors
    ///
    /// When the model writes queries, which are about a database.
    pub fn about_nothing(&self) -> Result<Subject, StageError> {
        match self.card.language.as_str() {
            "python" => Ok(Subject {
                language: Arc::new(Python),
                topic: Topic::default(),
                database: None,
            }),
            other => Err(StageError::Language {
                found: other.to_owned(),
            }),
        }
    }

    /// A database to be asked about.
    ///
    /// # Errors
    ///
    /// When words are linked to its values and these cannot be read.
    pub fn about(
        &self,
        schema: Arc<DatabaseSchema>,
        place: Place,
        values: &ValueCache,
    ) -> Result<Subject, DatabaseError> {
        let linking = self.model().config.relations.linking;
        let databases = Databases::named([(schema.name.clone(), place.clone())]);
        Ok(Subject {
            topic: Topic::linked(&schema, linking, &databases, values)?,
            language: Arc::new(Sql::new(Arc::clone(&schema), self.config.sql.mode)),
            database: Some((schema, place)),
        })
    }

    /// A text as the model reads it, and programs for it, best first; queries that do not stand up to their
    /// database come last.
    pub fn answer(
        &self,
        searcher: &Searcher<'_>,
        text: &str,
        subject: &Subject,
    ) -> (Spec, Answers) {
        let spec = subject.spec(text);
        let request = Request {
            spec: &spec,
            language: subject.language.as_ref(),
        };
        let answers = self.answer_all(searcher, &[request]).into_iter().next();
        let mut answers = answers.unwrap_or_default();
        // Queries without values select nothing.
        if self.config.sql.mode == Mode::Full
            && let Some(Ok(database)) = subject.open()
        {
            answers.put_to_the_test(&SecondOpinion {
                grammar: &self.grammar,
                spec: &spec,
                database: &database,
            });
        }
        (spec, answers)
    }

    /// Programs for each of several texts; the network is asked for all of them at once.
    pub fn answer_all(&self, searcher: &Searcher<'_>, requests: &[Request<'_>]) -> Vec<Answers> {
        let vocabulary = self.model().actions.subtokens();
        let subtokenizers: Vec<Subtokenizer<'_>> = requests
            .iter()
            .map(|it| Subtokenizer::new(it.language, vocabulary, it.spec))
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

    /// What a query computes, in words; nothing where programs are no queries.
    pub fn in_words(&self, written: &Written, subject: &Subject) -> Option<String> {
        let (schema, _) = subject.database.as_ref()?;
        let sql = Sql::new(Arc::clone(schema), self.config.sql.mode);
        sql.in_words(&self.grammar.ast(&written.found.tree)).ok()
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

impl Subject {
    /// The language of programs about it.
    pub(super) fn language(&self) -> &dyn Language {
        self.language.as_ref()
    }

    /// A text about it, as a model reads it.
    pub(super) fn spec(&self, text: &str) -> Spec {
        self.topic.spec(text)
    }

    /// The schema of the database that texts are about.
    pub fn schema(&self) -> Option<&DatabaseSchema> {
        self.database.as_ref().map(|it| it.0.as_ref())
    }

    /// Opens that database for reading.
    ///
    /// # Errors
    ///
    /// When it is not there any more.
    pub fn open(&self) -> Option<Result<Database, DatabaseError>> {
        let (schema, place) = self.database.as_ref()?;
        Some(place.open(&schema.name))
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

fn grammar_of(language: &str, mode: Mode) -> Result<Grammar, StageError> {
    let schema = match language {
        "python" => Python.schema(),
        "sql" => Some(Sql::schema_of(mode)),
        _ => None,
    };
    let schema = schema.ok_or_else(|| StageError::Language {
        found: language.to_owned(),
    })?;
    Ok(Grammar::from_schema(schema))
}
