//! The asker that `serve` and `mcp` need: a model, the files, and what was said about them.

use std::path::{Path, PathBuf};

use patois::run::folder::RunDir;
use patois::run::synthesizer::Synthesizer;
use patois_ask::{AskError, Asker, Confidence, Keys, Memory, MemoryError, Source, SourceError};

use crate::Context;
use crate::failure::Failure;

/// Opens files to be asked with the model of a run, which stays loaded as long as the program lives.
pub(crate) fn open_asker(
    files: &[PathBuf],
    model: Option<&Path>,
    keys: Keys,
    context: &Context,
) -> Result<Asker<'static>, Failure> {
    let [file] = files else {
        return Err(Failure::misuse(format!(
            "expected one SQLite file, found {}",
            files.len()
        )));
    };
    let Some(model) = model else {
        return Err(Failure::misuse("there is no model to ask")
            .help("give the folder of a run: --model RUN"));
    };
    // What is wrong with a file is said before a model is loaded.
    let source = Source::of_file(file, keys)?;
    for note in &source.notes {
        context.terminal.note(note);
    }
    let memory = Memory::beside(file, &source.schema)?;
    let model = Box::leak(Box::new(Synthesizer::load(&RunDir::open(model)?)?));
    let values = context.surroundings().values;
    Ok(Asker::new(
        model,
        Confidence::default(),
        source,
        memory,
        values,
    )?)
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Failure {
        Failure::new(error.to_string())
    }
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Failure {
        Failure::new(error.to_string())
            .help("what was said about a database is in FILE.patois beside it; move that away to begin anew")
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Failure {
        match error {
            AskError::Memory(error) => error.into(),
            AskError::Model { .. } => Failure::misuse(error.to_string())
                .help("train one on questions and SQL, with `mode = \"full\"`"),
            AskError::Database(_) => Failure::new(error.to_string()),
        }
    }
}
