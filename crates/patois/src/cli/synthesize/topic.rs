//! What a text is about: nothing in particular, or a database.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use patois::corpus::databases::databases_of;
use patois::corpus::{Corpus, Example, Split};
use patois::run::synthesizer::Writer;
use patois::run::trace::item_name;
use patois::spec::Specs;
use patois::spec::linking::ValueCache;
use patois_database::Databases;
use patois_database::{Database, DatabaseError};
use patois_languages::python::Python;
use patois_languages::sql::{DatabaseSchema, Sql};
use patois_syntax::Language;

use crate::cli::Context;
use crate::cli::failure::Failure;

/// What texts are about.
pub(super) struct Topic {
    pub(super) language: Arc<dyn Language>,
    pub(super) specs: Specs,
    pub(super) database: Option<About>,
}

/// A database that texts are about.
pub(super) struct About {
    pub(super) schema: Arc<DatabaseSchema>,
    databases: Databases,
}

impl Topic {
    pub(super) fn new(
        writer: &Writer,
        database: Option<&Path>,
        context: &Context,
    ) -> Result<Topic, Failure> {
        if writer.card.language != "sql" {
            if database.is_some() {
                let message = format!("the model writes {}, not SQL", writer.card.language);
                return Err(Failure::misuse(message).help("leave out --database"));
            }
            return Ok(Topic {
                language: Arc::new(Python),
                specs: Specs::default(),
                database: None,
            });
        }
        let about = About::new(writer, database, context)?;
        let corpus = about.corpus();
        let linking = writer.model().config.relations.linking;
        let specs = Specs::linked(&corpus, linking, &about.databases, &ValueCache::of_user());
        let mode = writer.config.sql.mode;
        Ok(Topic {
            language: Arc::new(Sql::new(Arc::clone(&about.schema), mode)),
            specs: specs.map_err(|error| failure(&error))?,
            database: Some(about),
        })
    }

    /// The name of the database.
    pub(super) fn name(&self) -> Option<&str> {
        Some(&self.database.as_ref()?.schema.name)
    }

    /// What a reference points at.
    pub(super) fn item(&self, ty: &str, item: u32) -> String {
        let schema = self.database.as_ref().map(|it| it.schema.as_ref());
        item_name(schema, ty, item)
    }
}

impl About {
    fn new(writer: &Writer, given: Option<&Path>, context: &Context) -> Result<About, Failure> {
        let Some(given) = given else {
            return Err(
                Failure::misuse("queries are about a database, and none is given")
                    .help("give a SQLite file: --database FILE"),
            );
        };
        if given.exists() {
            return About::file(given, context);
        }
        // Where the corpus is missing, the file is what was meant.
        let name = given.to_string_lossy();
        let corpus = crate::cli::corpus::open(&writer.config.corpus, None, context).ok();
        let schema = corpus.and_then(|it| it.databases.get(name.as_ref()).cloned());
        match schema {
            Some(schema) => Ok(About {
                schema,
                databases: databases_of(&writer.config.corpus, None, &context.data),
            }),
            None => About::file(given, context),
        }
    }

    fn file(path: &Path, context: &Context) -> Result<About, Failure> {
        let live = Database::open(path).and_then(|database| database.schema());
        let live = live.map_err(|error| failure(&error))?;
        for key in &live.dangling {
            context.terminal.note(key.to_string());
        }
        if live.schema.tables.is_empty() {
            let message = format!("there is no table in `{}`", path.display());
            return Err(Failure::new(message));
        }
        Ok(About {
            schema: Arc::new(live.schema),
            databases: Databases::File(path.to_owned()),
        })
    }

    /// Opens the database for reading.
    pub(super) fn open(&self) -> Result<Database, DatabaseError> {
        self.databases.open(&self.schema.name)
    }

    /// A corpus of one example about the database.
    fn corpus(&self) -> Corpus {
        let name = &self.schema.name;
        let example = Example {
            id: name.clone(),
            split: Split::Test,
            text: String::new(),
            code: String::new(),
            database: Some(name.clone()),
        };
        Corpus {
            name: name.clone(),
            language: "sql".to_owned(),
            examples: vec![example],
            dropped: Vec::new(),
            databases: IndexMap::from([(name.clone(), Arc::clone(&self.schema))]),
        }
    }
}

fn failure(error: &DatabaseError) -> Failure {
    Failure::new(error.to_string())
}
