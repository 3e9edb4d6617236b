//! What a text is about: nothing in particular, or a database.

use std::path::Path;
use std::sync::Arc;

use patois::run::read::open_corpus;
use patois::run::synthesizer::{Subject, Synthesizer};
use patois_ask::{Keys, Source};
use patois_database::Place;
use patois_languages::sql::DatabaseSchema;

use crate::Context;
use crate::failure::Failure;

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
    let source = Source::of_file(path, keys)?;
    for note in &source.notes {
        context.terminal.note(note);
    }
    Ok((source.schema, source.place))
}
