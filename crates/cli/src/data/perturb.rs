//! `patois data perturb`: a dev split as other people would have asked it.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use patois::corpus::perturb::{self, Existing, Kind, PerturbError, PerturbFigures};
use serde::Serialize;

use crate::Context;
use crate::corpus;
use crate::failure::{Failure, Status};
use crate::language::LanguageName;
use crate::terminal::{BOLD, styled};

/// Write a copy of a dev split in other words, to measure models on
///
/// The copy is a folder in Spider's layout that needs nothing beside it: tables.json, dev.json and
/// database/NAME/NAME.sqlite. Every query is run on the databases before and after; rows whose query
/// returns something else are left out.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois data perturb spider --kind abbreviations --out spider-short
  patois data perturb spider --kind synonyms --seed 2 --out spider-synonyms --force")]
pub(super) struct PerturbArgs {
    /// A dataset, a file of JSON lines, or a folder with the files of a dataset
    #[arg(value_name = "CORPUS")]
    corpus: String,

    /// What is different in the copy
    #[arg(long, value_name = "KIND")]
    kind: KindName,

    /// The folder of the copy
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Replace a copy that is there already
    #[arg(long)]
    force: bool,

    /// The language, where the corpus does not tell
    #[arg(short, long, value_name = "NAME")]
    language: Option<LanguageName>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum KindName {
    /// Words of questions that name a table or a column are replaced by synonyms
    Synonyms,
    /// Names of tables and columns are abbreviated, in the databases themselves
    Abbreviations,
    /// Questions are in lower case
    LowerCase,
    /// Words of questions are misspelt
    Typos,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Kind {
        match name {
            KindName::Synonyms => Kind::Synonyms,
            KindName::Abbreviations => Kind::Abbreviations,
            KindName::LowerCase => Kind::LowerCase,
            KindName::Typos => Kind::Typos,
        }
    }
}

#[derive(Serialize)]
struct Outcome {
    corpus: String,
    kind: Kind,
    seed: u64,
    out: PathBuf,
    #[serde(flatten)]
    figures: PerturbFigures,
}

impl PerturbArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let corpus = corpus::open(&self.corpus, self.language, context)?;
        let values = context.surroundings().values;
        let existing = if self.force {
            Existing::Replace
        } else {
            Existing::Refuse
        };
        let copy = perturb::perturb(&corpus, self.kind.into(), context.seed, &values);
        let figures = copy.and_then(|it| perturb::write(it, &corpus, &self.out, existing));
        let outcome = Outcome {
            corpus: corpus.name,
            kind: self.kind.into(),
            seed: context.seed,
            out: self.out.clone(),
            figures: figures.map_err(|error| failure(&error))?,
        };
        context.terminal.result(&outcome, || for_people(&outcome))?;
        Ok(Status::Done)
    }
}

fn failure(error: &PerturbError) -> Failure {
    let failure = match error {
        PerturbError::NotSql { .. } | PerturbError::NoDev { .. } | PerturbError::Exists(_) => {
            Failure::misuse(error.to_string())
        }
        _ => Failure::new(error.to_string()),
    };
    match error {
        PerturbError::Exists(_) => failure.help("pass --force to replace it"),
        _ => failure,
    }
}

fn for_people(outcome: &Outcome) -> String {
    let figures = &outcome.figures;
    let heading = format!(
        "{}, dev split, in {}",
        outcome.corpus,
        outcome.out.display()
    );
    let mut text = styled(BOLD, heading) + "\n";
    let mut row = |name: &str, all: usize, changed: String| {
        let _ = writeln!(text, "{name:<22}{all:>8}   {changed}");
    };
    let words = match figures.changed_words {
        0 => String::new(),
        n_words => format!(", {n_words} words in them"),
    };
    row(
        "questions",
        figures.questions,
        format!("{} changed{words}", figures.changed_questions),
    );
    row("databases", figures.databases, String::new());
    row(
        "tables",
        figures.tables,
        format!("{} renamed", figures.renamed_tables),
    );
    row(
        "columns",
        figures.columns,
        format!("{} renamed", figures.renamed_columns),
    );
    row(
        "queries",
        figures.questions,
        format!(
            "{} return the same rows, {} cannot be run",
            figures.same_rows, figures.not_run
        ),
    );
    row("left out", figures.left_out.len(), String::new());
    for reason in &figures.left_out {
        let _ = writeln!(text, "  {reason}");
    }
    text
}
