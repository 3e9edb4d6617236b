//! The model and the files that are asked about.

use std::path::{Path, PathBuf};

use clap::Args;
use patois::run::folder::{RunDir, RunFile};
use patois::run::synthesizer::{Purpose, Synthesizer};
use patois::spec::linking::ValueCache;
use patois_ask::{AskError, Asker, Confidence, Keys, Memory, MemoryError, Source, SourceError};

use crate::Context;
use crate::failure::Failure;

/// Options of all verbs that ask a database.
#[derive(Args)]
pub(crate) struct Opening {
    /// The folder of a run whose model answers, in the place of the one inside the program
    #[arg(long, value_name = "RUN")]
    model: Option<PathBuf>,

    /// Join along declared keys only, not along those that names and values tell
    #[arg(long)]
    declared_keys: bool,

    /// Ask a small database inside the program: a record shop
    #[arg(long)]
    sample: bool,
}

impl Opening {
    /// Whether no file is needed.
    pub(crate) fn is_sample(&self) -> bool {
        self.sample
    }

    /// Opens files to be asked about. The model lives as long as the program.
    pub(crate) fn open(
        &self,
        files: &[PathBuf],
        context: &Context,
    ) -> Result<Asker<'static>, Failure> {
        // What is wrong with a file is said before a model is loaded.
        let (source, memory) = self.source(files, context)?;
        let (model, confidence) = self.model(Purpose::Asking)?;
        let model: &'static Synthesizer = Box::leak(Box::new(model));
        Asker::new(model, confidence, source, memory, ValueCache::of_user()).map_err(Failure::from)
    }

    /// What is asked about, and what was said about it; what is to be known about that is said.
    pub(crate) fn source(
        &self,
        files: &[PathBuf],
        context: &Context,
    ) -> Result<(Source, Memory), Failure> {
        let keys = if self.declared_keys {
            Keys::Declared
        } else {
            Keys::Guessed
        };
        let source = if self.sample {
            patois_ask::sample(keys)
        } else {
            Source::open(files, keys)
        };
        let source = source?;
        for note in &source.notes {
            context.terminal.note(note);
        }
        let memory = match source.files.first() {
            Some(file) => Memory::beside(file, &source.schema),
            None => Ok(Memory::default()),
        };
        Ok((source, memory?))
    }

    /// The model that answers or learns, and how sure its answers are.
    pub(crate) fn model(&self, purpose: Purpose) -> Result<(Synthesizer, Confidence), Failure> {
        match &self.model {
            Some(run) => of_run(run, purpose),
            None => patois_ask::bundled(purpose).map_err(|error| {
                Failure::new(error.to_string()).help("name the folder of a run: --model RUN")
            }),
        }
    }
}

/// Writes how sure the answers of the model of a run are.
pub(crate) fn write_confidence(run: &RunDir, confidence: &Confidence) -> Result<(), Failure> {
    let text = serde_json::to_string(confidence)
        .map_err(|error| Failure::new("cannot write how sure answers are").because(error))?;
    Ok(run.write(RunFile::Confidence, text + "\n")?)
}

/// The model of a run, and how sure its answers are where that was measured.
fn of_run(run: &Path, purpose: Purpose) -> Result<(Synthesizer, Confidence), Failure> {
    let run = RunDir::open(run)?;
    let model = Synthesizer::load_for(purpose, &run)?;
    let confidence = match run.read(RunFile::Confidence)? {
        None => Confidence::default(),
        Some(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
            let path = run.file(RunFile::Confidence);
            let message = format!("`{}` does not tell how sure answers are", path.display());
            Failure::new(message).because(error)
        })?,
    };
    Ok((model, confidence))
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
            AskError::Source(error) => error.into(),
            AskError::Teaching(error) => error.into(),
            AskError::Model { .. } => Failure::misuse(error.to_string())
                .help("train one on questions and SQL, with `mode = \"full\"`"),
            AskError::Database(_) => Failure::new(error.to_string()),
        }
    }
}
