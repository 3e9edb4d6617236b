//! `patois score`: the metrics alone, on anybody's predictions.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use indexmap::IndexMap;
use patois::corpus::text_file::read_text;
use patois::corpus::{Dataset, spider};
use patois::run::synthesize::{Figures, Score};
use patois_database::Databases;
use patois_languages::python::Python;
use patois_languages::sql::DatabaseSchema;
use patois_metrics::pairs::{self, Pair, PairsError, QueryPair, TextFile};
use patois_metrics::{ProgramScore, QueryScorer};
use rayon::prelude::*;
use serde::Serialize;

use super::Context;
use super::figures;
use crate::failure::{Failure, Status};
use crate::progress::Progress;

/// Measure how good predicted programs are, whoever wrote them
///
/// Hearthstone: one program a line in both files, with U+00A7 for the ends of lines inside them.
/// Spider: one query a line, each gold one followed by a tab and the name of its database, as in
/// the official script.
///
/// Exits with 1 where queries were to be run and not one of them could be.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois score hearthstone --gold dev_hs.out --pred mine.out
  patois score spider --gold dev_gold.sql --pred mine.sql --tables tables.json --database database")]
pub(super) struct ScoreArgs {
    /// Whose metrics
    #[arg(value_name = "DATASET")]
    dataset: DatasetName,

    /// The gold programs
    #[arg(long, value_name = "FILE")]
    gold: PathBuf,

    /// The predictions
    #[arg(long, visible_alias = "predicted", value_name = "FILE")]
    pred: PathBuf,

    /// Spider: the description of the databases [default: that of the dataset]
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,

    /// Spider: the folder of the databases, to run the queries [default: that of the dataset, where
    /// --tables is not given]
    #[arg(long, value_name = "DIR")]
    database: Option<PathBuf>,

    /// Also the score of every example
    #[arg(long)]
    per_example: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DatasetName {
    /// Equal syntax trees of Python, sentence and corpus BLEU
    Hearthstone,
    /// Exact set match and execution accuracy of SQL
    Spider,
}

/// What is printed.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    figures: Figures,
    /// Examples in which something went wrong.
    errors: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_example: Option<Vec<Score>>,
}

impl ScoreArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let (scores, figures) = match self.dataset {
            DatasetName::Hearthstone => self.score_programs(context)?,
            DatasetName::Spider => self.score_queries(context)?,
        };
        let faulty = scores.iter().enumerate();
        let faulty = faulty.filter_map(|(index, score)| {
            let name = format!("example {}", index + 1);
            Some((name, score.errors().next()?))
        });
        super::faults::note(context.terminal, faulty, "--per-example");
        let report = Report {
            figures,
            errors: scores
                .iter()
                .filter(|it| it.errors().next().is_some())
                .count(),
            per_example: self.per_example.then_some(scores),
        };
        context.terminal.result(&report, || report.for_people())?;
        match &report.figures {
            Figures::Queries(it) if it.none_could_run() => {
                let message = format!("not one of the {} queries could be run", it.examples);
                context.terminal.show(&Failure::new(message));
                Ok(Status::Failed)
            }
            _ => Ok(Status::Done),
        }
    }

    fn score_programs(&self, context: &Context) -> Result<(Vec<Score>, Figures), Failure> {
        if self.tables.is_some() || self.database.is_some() {
            return Err(Failure::misuse(
                "--tables and --database are for `spider` alone",
            ));
        }
        let (gold, pred) = self.read()?;
        let pairs = pairs::programs(self.gold(&gold), self.pred(&pred)).map_err(pairs_failure)?;
        let progress = Progress::start(context.terminal, "comparing", pairs.len());
        let score = |pair: &Pair| {
            progress.step();
            Score::Program(ProgramScore::new(&Python, &pair.gold, &pair.predicted))
        };
        let scores: Vec<Score> = pairs.par_iter().map(score).collect();
        let figures = Figures::of(&scores, "python");
        Ok((scores, figures))
    }

    fn score_queries(&self, context: &Context) -> Result<(Vec<Score>, Figures), Failure> {
        let (gold, pred) = self.read()?;
        let pairs = pairs::queries(self.gold(&gold), self.pred(&pred)).map_err(pairs_failure)?;
        let (tables, databases) = self.databases(context)?;
        let schemas = spider::read_tables(&tables)?;
        check_databases(&self.gold, &pairs, &tables, &schemas)?;
        let scorer = QueryScorer::new(&schemas, databases);
        let progress = Progress::start(context.terminal, "comparing", pairs.len());
        let score = |pair: &QueryPair| {
            let score = scorer.score(&pair.database, &pair.gold, &pair.predicted);
            progress.step();
            Score::Query(Box::new(score))
        };
        let scores: Vec<Score> = pairs.par_iter().with_max_len(8).map(score).collect();
        let figures = Figures::of(&scores, "sql");
        Ok((scores, figures))
    }

    /// Both files.
    fn read(&self) -> Result<(String, String), Failure> {
        let gold = read_text(&self.gold, "a file with one gold program per line");
        let pred = read_text(&self.pred, "a file with one prediction per line");
        Ok((gold?, pred?))
    }

    fn gold<'a>(&'a self, text: &'a str) -> TextFile<'a> {
        let path = &self.gold;
        TextFile { path, text }
    }

    fn pred<'a>(&'a self, text: &'a str) -> TextFile<'a> {
        let path = &self.pred;
        TextFile { path, text }
    }

    /// Where the databases are described, and where they are.
    fn databases(&self, context: &Context) -> Result<(PathBuf, Option<Databases>), Failure> {
        let given = self.database.as_ref();
        if let Some(folder) = given.filter(|it| !it.is_dir()) {
            let message = format!("there is no folder `{}`", folder.display());
            return Err(Failure::new(message).help("it should hold NAME/NAME.sqlite"));
        }
        let given = given.map(|it| Databases::Folders(vec![it.clone()]));
        if let Some(tables) = &self.tables {
            return Ok((tables.clone(), given));
        }
        let folder = context.data.folder_of(Dataset::Spider).map_err(|error| {
            Failure::from(error).help("say where the databases are described: --tables FILE")
        })?;
        let database = folder.join("database");
        let own = database
            .is_dir()
            .then(|| Databases::Folders(vec![database]));
        Ok((folder.join("tables.json"), given.or(own)))
    }
}

/// Refuses databases that are not described.
fn check_databases(
    gold: &Path,
    pairs: &[QueryPair],
    tables: &Path,
    schemas: &IndexMap<String, Arc<DatabaseSchema>>,
) -> Result<(), Failure> {
    let is_unknown = |pair: &&QueryPair| !schemas.contains_key(&pair.database);
    let unknown: Vec<&QueryPair> = pairs.iter().filter(is_unknown).collect();
    let Some(first) = unknown.first() else {
        return Ok(());
    };
    let names: BTreeSet<&str> = unknown.iter().map(|it| it.database.as_str()).collect();
    let names: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
    let place = format!("`{}`, line {}", gold.display(), first.line);
    let tables = tables.display();
    Err(Failure::new(format!(
        "{place}: `{tables}` has no database `{}`",
        first.database
    ))
    .help(format!(
        "databases that are not described: {}",
        names.join(", ")
    )))
}

fn pairs_failure(error: PairsError) -> Failure {
    match error {
        PairsError::Lengths { .. } => Failure::new(error.to_string())
            .help("a line for every example: an empty one where there is no prediction"),
        other => Failure::new(other.to_string()),
    }
}

impl Report {
    fn for_people(&self) -> String {
        let mut text = figures::table(&self.figures);
        for (index, score) in self.per_example.iter().flatten().enumerate() {
            if index == 0 {
                text.push('\n');
            }
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{:>6}  {}", index + 1, line(score));
        }
        text
    }
}

fn line(score: &Score) -> String {
    let yes_or_no = |is_so: bool| if is_so { "yes" } else { "no" };
    let mut line = match score {
        Score::Program(score) => {
            let exact = yes_or_no(score.exact_match);
            format!("exact {exact:<3}  BLEU {:.3}", score.sentence_bleu)
        }
        Score::Query(score) => {
            let hardness = score.hardness.map(|it| it.to_string()).unwrap_or_default();
            let exact = yes_or_no(score.exact_match);
            let execution = score.execution.map_or("-", yes_or_no);
            format!("{hardness:<6}  exact {exact:<3}  execution {execution:<3}")
        }
    };
    for error in score.errors() {
        line.push_str("  ");
        line.push_str(error);
    }
    line.trim_end().to_owned()
}
