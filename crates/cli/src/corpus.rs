//! Corpora as the command line names them: what is opened, and what is said when it is not.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use patois::corpus::{Corpus, CorpusOptions, Example, Languages, Split};
use patois::run::config::RunConfig;
use patois::run::read::open_corpus;
use patois_languages::sql::Mode;

use super::Context;
use super::language::LanguageName;
use crate::failure::Failure;

/// Reads what is written down of a query.
pub(super) fn mode_parser() -> impl TypedValueParser<Value = Mode> {
    let full = PossibleValue::new("full").help("All of it");
    let paper = PossibleValue::new("paper")
        .help("No FROM (inferred from the columns), no values, LIMIT as yes or no");
    PossibleValuesParser::new([full, paper]).map(|name| match name.as_str() {
        "full" => Mode::Full,
        _ => Mode::Paper,
    })
}

/// A part of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SplitName {
    Train,
    Dev,
    Test,
    Handwritten,
}

impl From<SplitName> for Split {
    fn from(name: SplitName) -> Split {
        match name {
            SplitName::Train => Split::Train,
            SplitName::Dev => Split::Dev,
            SplitName::Test => Split::Test,
            SplitName::Handwritten => Split::Handwritten,
        }
    }
}

/// Opens the corpus that `name` stands for.
pub(super) fn open(
    name: &str,
    language: Option<LanguageName>,
    context: &Context,
) -> Result<Corpus, Failure> {
    let options = CorpusOptions {
        language: language.map(|it| it.name().to_owned()),
        ..CorpusOptions::default()
    };
    Corpus::open(name, &context.data, &options).map_err(Failure::from)
}

/// Opens the corpus of a run.
pub(super) fn of_run(config: &RunConfig, context: &Context) -> Result<Corpus, Failure> {
    open_corpus(config, &context.data).map_err(Failure::from)
}

/// Opens several corpora as one.
pub(super) fn open_all(
    names: &[String],
    options: &CorpusOptions,
    context: &Context,
) -> Result<Corpus, Failure> {
    Corpus::open_all(names, &context.data, options).map_err(Failure::from)
}

/// Keeps one split of a corpus, where one is asked for.
pub(super) fn keep_split(corpus: &mut Corpus, split: Option<SplitName>) -> Result<(), Failure> {
    check_split(corpus, split)?;
    if let Some(split) = split.map(Split::from) {
        corpus.keep(split);
    }
    Ok(())
}

/// Refuses a split that the corpus does not have.
pub(super) fn check_split(corpus: &Corpus, split: Option<SplitName>) -> Result<(), Failure> {
    let Some(split) = split.map(Split::from) else {
        return Ok(());
    };
    let splits = corpus.splits();
    if !splits.contains(&split) {
        let names: Vec<_> = splits.iter().map(|it| format!("`{it}`")).collect();
        let message = format!("`{}` has no split `{split}`", corpus.name);
        return Err(Failure::misuse(message).help(format!("it has {}", names.join(", "))));
    }
    Ok(())
}

/// The languages that the programs of a corpus are read with.
pub(super) fn languages(corpus: &Corpus, mode: Mode) -> Result<Languages, Failure> {
    Languages::of_corpus(corpus, mode).map_err(Failure::from)
}

/// Whether the programs of a corpus are queries.
pub(super) fn is_sql(corpus: &Corpus) -> bool {
    corpus.language == "sql"
}

/// How messages call an example: its place, and the database where it has one.
pub(super) fn label(example: &Example) -> String {
    match &example.database {
        Some(database) => format!("{} ({database})", example.id),
        None => example.id.clone(),
    }
}
