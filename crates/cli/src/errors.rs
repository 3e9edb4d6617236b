//! The errors of corpora, runs and stages as failures of a verb: what went wrong, and what can be done.

use patois::corpus::{CorpusError, Dataset, default};
use patois::experiment::ExperimentError;
use patois::run::StageError;
use patois::run::config::RunConfigError;
use patois::run::folder::RunDirError;
use patois_codebase::idiom_file::IdiomFileError;
use patois_codebase::output::LockError;
use patois_codebase::repository::RepositoryError;
use patois_synthesis::training::LoadError;

use crate::failure::Failure;

impl From<StageError> for Failure {
    fn from(error: StageError) -> Failure {
        match error {
            StageError::Corpus(error) => error.into(),
            StageError::RunDir(error) => error.into(),
            StageError::Output(error) => error.into(),
            StageError::Linking(error) => Failure::new("cannot link words to values")
                .because(error)
                .help("without the databases, `linking = \"names\"` does"),
            StageError::Encoder { .. } => Failure::misuse(error.to_string()),
            StageError::NoSplit { ref splits, .. } => {
                let names: Vec<_> = splits.iter().map(|it| format!("`{it}`")).collect();
                Failure::misuse(error.to_string()).help(format!("it has {}", names.join(", ")))
            }
            StageError::OtherGrammar(error) => {
                Failure::new("the idioms are of another grammar").because(error)
            }
            StageError::Report { .. } => Failure::new(error.to_string()).help(
                "put it back as it was; where there is no copy, delete it, and evaluate again: patois evaluate",
            ),
            StageError::Model {
                source: LoadError::Checksum { .. },
                ..
            } => Failure::new(error.to_string())
                .help("put the file back as it was; where there is no copy, train again (--force)"),
            StageError::Training(error) => Failure::new(error.to_string())
                .help("the last checkpoint is as it was; a lower rate or `training.max_gradient_norm` may help"),
            other => Failure::new(other.to_string()),
        }
    }
}

impl From<IdiomFileError> for Failure {
    fn from(error: IdiomFileError) -> Failure {
        let failure = Failure::new(error.to_string());
        match error {
            IdiomFileError::Io { source, .. } => failure.because(source),
            // Its message has it.
            _ => failure,
        }
    }
}

impl From<LockError> for Failure {
    fn from(error: LockError) -> Failure {
        let help = match error {
            LockError::Held { .. } => "wait until it is done, or write elsewhere: --out",
            LockError::Io { .. } => "",
        };
        let failure = Failure::new(error.to_string());
        if help.is_empty() {
            return failure;
        }
        failure.help(help)
    }
}

impl From<CorpusError> for Failure {
    fn from(error: CorpusError) -> Failure {
        match error {
            CorpusError::Unknown { name } => {
                let help = match similar_dataset(&name) {
                    Some(similar) => format!("did you mean `{similar}`?"),
                    None => format!("give a dataset ({}) or a path", dataset_names().join(", ")),
                };
                Failure::misuse(format!("there is no dataset and no file called `{name}`"))
                    .help(help)
            }
            CorpusError::Missing {
                dataset,
                path,
                origin,
                published,
            } => Failure::new(format!("the dataset `{dataset}` is not there"))
                .because(format!("`{}` does not exist ({origin})", path.display()))
                .help(format!(
                    "set --data DIR or PATOIS_DATA to the folder that holds `{dataset}`; it is \
                     published as {published}"
                )),
            CorpusError::NoLanguage { .. } => Failure::misuse(error.to_string())
                .help("say it: --language sql, or `language = \"sql\"` in a configuration"),
            CorpusError::OtherLanguage { .. } => Failure::misuse(error.to_string()),
            CorpusError::Sources(RepositoryError::UnknownEnding { path, known }) => {
                let message = format!("cannot tell the language of `{}`", path.display());
                Failure::misuse(message)
                    .because(format!("expected a file that ends in {known} or `.jsonl`"))
                    .help("name the language: --language python")
            }
            CorpusError::Sources(error @ RepositoryError::Exclude { .. }) => {
                Failure::misuse(error.to_string()).help("patterns are written as in .gitignore")
            }
            other => Failure::new(other.to_string()),
        }
    }
}

impl From<RepositoryError> for Failure {
    fn from(error: RepositoryError) -> Failure {
        CorpusError::from(error).into()
    }
}

impl From<RunConfigError> for Failure {
    fn from(error: RunConfigError) -> Failure {
        match &error {
            RunConfigError::Read { path, source } => {
                let message = format!("cannot read the configuration `{}`", path.display());
                Failure::misuse(message).because(source.to_string())
            }
            RunConfigError::Text(error) => Failure::of_document(error, "configuration"),
            RunConfigError::Value { .. } | RunConfigError::Prior { .. } => {
                Failure::misuse(error.to_string())
            }
        }
    }
}

impl From<ExperimentError> for Failure {
    fn from(error: ExperimentError) -> Failure {
        match error {
            ExperimentError::Text(error) => Failure::of_document(&error, "experiment"),
            ExperimentError::Base(error) => (*error).into(),
            other => Failure::misuse(other.to_string()),
        }
    }
}

impl From<RunDirError> for Failure {
    fn from(error: RunDirError) -> Failure {
        let help = match &error {
            RunDirError::HoldsRun(_) => {
                "go on with it (--resume), replace it (--force), or give another folder (--out)"
            }
            RunDirError::HoldsOther { .. } => "give another folder: --out",
            RunDirError::NoRun { .. } => "make one: patois run, or patois train without --resume",
            RunDirError::OtherConfig { .. } => {
                "replace it (--force), or give another folder (--out)"
            }
            RunDirError::Mixed { .. } => {
                "put back the file that belongs there, or train the run again (--force)"
            }
            RunDirError::Locked(_)
            | RunDirError::Config(_)
            | RunDirError::Card { .. }
            | RunDirError::Io { .. }
            | RunDirError::Output(_) => "",
        };
        let failure = match error {
            RunDirError::Config(error) => error.into(),
            RunDirError::Output(error) => error.into(),
            RunDirError::Locked(error) => error.into(),
            other => Failure::new(other.to_string()),
        };
        if help.is_empty() {
            return failure;
        }
        failure.help(help)
    }
}

fn similar_dataset(name: &str) -> Option<&'static str> {
    let similarity = |it: &&str| (strsim::jaro(name, it) * 1000.0) as i32;
    let best = dataset_names().into_iter().max_by_key(similarity)?;
    (similarity(&best) > 800).then_some(best)
}

fn dataset_names() -> Vec<&'static str> {
    let published = Dataset::ALL.into_iter().map(Dataset::name);
    std::iter::once(default::NAME).chain(published).collect()
}
