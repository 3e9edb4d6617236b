//! What a text is about: nothing in particular, or a database.

use std::path::Path;
use std::sync::Arc;

use patois::run::read::open_corpus;
use patois::run::synthesizer::{Subject, Synthesizer};
use patois_database::{Database, DatabaseError, Place};
use patois_languages::sql::DatabaseSchema;

use crate::Context;
use crate::failure::Failure;

/// Which foreign keys of a file are joined along.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// Those that its definition has.
    Declared,
    /// Those too that names and values tell.
    Guessed,
}

/// What texts are about: the database that is given, which is a file or one of the corpus.
pub(super) fn subject(
    synthesizer: &Synthesizer,
    database: Option<&Path>,
    keys: Keys,
    context: &Context,
) -> Result<Subject, Failure> {
    let language = &synthesizer.card.language;
    let (schema, place) = match database {
        None if language == "sql" => {
            return Err(
                Failure::misuse("queries are about a database, and none is given")
                    .help("give a SQLite file: --database FILE"),
            );
        }
        None => return Ok(synthesizer.about_nothing()?),
        Some(_) if language != "sql" => {
            let message = format!("the model writes {language}, not SQL");
            return Err(Failure::misuse(message).help("leave out --database"));
        }
        Some(given) if given.exists() => file(given, keys, context)?,
        // Where the corpus is missing, the file is what was meant.
        Some(given) => match of_corpus(synthesizer, given, context) {
            Some(found) => found,
            None => file(given, keys, context)?,
        },
    };
    let values = &context.surroundings().values;
    let subject = synthesizer.about(schema, place, values);
    subject.map_err(|error| Failure::new(error.to_string()))
}

type Found = (Arc<DatabaseSchema>, Place);

/// The database of that name in the corpus that a model learnt from.
fn of_corpus(synthesizer: &Synthesizer, name: &Path, context: &Context) -> Option<Found> {
    let corpus = open_corpus(&synthesizer.config, &context.data).ok()?;
    let name = name.to_str()?;
    let schema = corpus.databases.get(name)?;
    Some((Arc::clone(schema), corpus.places.get(name)?.clone()))
}

fn file(path: &Path, keys: Keys, context: &Context) -> Result<Found, Failure> {
    let error = |error: DatabaseError| Failure::new(error.to_string());
    let database = Database::open(path).map_err(error)?;
    let mut live = database.schema().map_err(error)?;
    for key in &live.dangling {
        context.terminal.note(key.to_string());
    }
    if live.schema.tables.is_empty() {
        let message = format!("there is no table in `{}`", path.display());
        return Err(Failure::new(message));
    }
    if keys == Keys::Guessed {
        guess_keys(&database, &mut live.schema, context);
    }
    Ok((Arc::new(live.schema), Place::File(path.to_owned())))
}

/// Adds keys that are not declared, and says so.
fn guess_keys(database: &Database, schema: &mut DatabaseSchema, context: &Context) {
    let name = |schema: &DatabaseSchema, column: usize| {
        let column = &schema.columns[column];
        let table = column.table.map_or("", |it| &schema.tables[it].name);
        format!("`{table}.{}`", column.name)
    };
    for (from, to) in database.guessed_keys(schema) {
        let (column, target) = (name(schema, from), name(schema, to));
        let note = format!("{column} is taken for a foreign key to {target}");
        context.terminal.note(note);
        schema.foreign_keys.push((from, to));
    }
}
