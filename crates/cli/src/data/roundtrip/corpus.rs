//! The round trip of the programs of a corpus.

use std::path::Path;
use std::time::Instant;

use patois::corpus::{Corpus, Example, Languages};
use patois_codebase::output;
use patois_codebase::sources::Unreadable;
use patois_database::Databases;
use patois_languages::sql::Mode;
use rayon::prelude::*;

use super::RoundtripArgs;
use super::outcome::{Name, Outcome, Tally, Unparsed};
use super::queries::QueryTally;
use crate::Context;
use crate::corpus::{self, label};
use crate::failure::{Failure, Status};
use crate::progress::Progress;

pub(super) fn run(name: &str, args: &RoundtripArgs, context: &Context) -> Result<Status, Failure> {
    let started = Instant::now();
    let mut corpus = corpus::open(name, args.language, context)?;
    corpus::keep_split(&mut corpus, args.split)?;
    let languages = corpus::languages(&corpus, args.mode)?;
    let outcomes = check(&corpus, &languages, context);
    if let Some(path) = &args.out {
        write(path, &corpus, &outcomes)?;
    }
    let mut tally = Tally::default();
    if corpus::is_sql(&corpus) {
        // Paper mode leaves out the values that a query needs to be run.
        let given = args.database.as_deref().map(Databases::in_folder);
        let databases = given.unwrap_or_else(|| corpus.places());
        let databases = Some(&databases).filter(|_| args.mode == Mode::Full);
        tally.queries = Some(QueryTally::of(&corpus, &outcomes, databases, context));
    }
    for (example, outcome) in corpus.examples.iter().zip(outcomes) {
        tally.bytes += example.code.len();
        tally.add(outcome);
    }
    for row in corpus.dropped {
        tally.add_unreadable(Unreadable::new(row.id, row.reason));
    }
    tally.seconds = started.elapsed();
    let terminal = context.terminal;
    terminal.result(&tally, || tally.for_people(terminal, args.limit()))?;
    // What paper mode loses is what it is run to find out.
    let must_hold = args.mode == Mode::Full;
    let lost = tally.queries.as_ref().is_some_and(|it| !it.holds());
    Ok(match tally.status(args.strict) {
        Status::Done if must_hold && lost => Status::Failed,
        status => status,
    })
}

fn check(corpus: &Corpus, languages: &Languages, context: &Context) -> Vec<Outcome> {
    let progress = Progress::start(context.terminal, "round trip", corpus.examples.len());
    let outcome = |example: &Example| {
        let name = Name::Row(label(example));
        let outcome = match languages.of(example) {
            Ok(language) => Outcome::of(language, &name, &example.code),
            Err(error) => Outcome::Unparsed(Unparsed::whole(&name, error.to_string())),
        };
        progress.step();
        outcome
    };
    corpus.examples.par_iter().map(outcome).collect()
}

/// Writes the reprinted programs, one a line: as in Hearthstone's files, or as in Spider's gold
/// files. What could not be printed leaves its line empty, so that lines stay with their rows.
fn write(path: &Path, corpus: &Corpus, outcomes: &[Outcome]) -> Result<(), Failure> {
    let mut text = String::new();
    for (example, outcome) in corpus.examples.iter().zip(outcomes) {
        let printed = outcome.printed().unwrap_or_default();
        match &example.database {
            Some(database) => {
                text += &printed.trim().replace(['\n', '\t'], " ");
                text.push('\t');
                text += database;
            }
            None => text += &printed.trim_end_matches('\n').replace('\n', "\u{A7}"),
        }
        text.push('\n');
    }
    Ok(output::write(path, text)?)
}
