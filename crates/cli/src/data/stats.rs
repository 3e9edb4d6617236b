//! `patois data stats`: what a corpus holds.

use std::fmt::Write as _;

use clap::Args;
use patois::corpus::statistics::{CorpusStatistics, SplitStatistics, Summary, Unreachable};
use patois_languages::sql::Mode;

use super::share;
use crate::Context;
use crate::corpus::{self, SplitName, mode_parser};
use crate::failure::{Failure, Status};
use crate::language::LanguageName;
use crate::terminal::{BOLD, styled};

/// Count the programs of a corpus: dropped rows, sizes, vocabulary, reachable programs
///
/// A program is reachable where each of its names and literals can be put together from subtokens
/// that the train split has taught or that can be copied from the program's description.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois data stats hearthstone --data ~/datasets
  patois data stats spider --split dev --show-unreachable 5
  patois data stats examples.jsonl --json")]
pub(super) struct StatsArgs {
    /// A dataset, a file of JSON lines, or source files
    ///
    /// Datasets: default, hearthstone, spider, conala, django. JSON lines are objects with the
    /// texts `text` and `code`, and optionally `database` and `split`.
    #[arg(value_name = "CORPUS")]
    corpus: String,

    /// Show this split only
    #[arg(long, value_name = "NAME")]
    split: Option<SplitName>,

    /// The language, where the corpus does not tell
    #[arg(short, long, value_name = "NAME")]
    language: Option<LanguageName>,

    /// How much of a query is kept in its tree
    #[arg(long, value_name = "MODE", default_value = "full", value_parser = mode_parser())]
    mode: Mode,

    /// In how many programs a subtoken must occur to be learnt
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_count: usize,

    /// List the first N programs of each split that are not reachable
    #[arg(long, value_name = "N", default_value_t = 0)]
    show_unreachable: usize,
}

impl StatsArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let corpus = corpus::open(&self.corpus, self.language, context)?;
        corpus::check_split(&corpus, self.split)?;
        let languages = corpus::languages(&corpus, self.mode)?;
        let programs = corpus.parse(&languages).map_err(|error| {
            Failure::new("cannot find the grammar of the programs").because(error)
        })?;
        // The vocabulary is the train split's, whichever split is shown.
        let mut statistics = CorpusStatistics::of(&programs, &languages, self.min_count);
        if let Some(split) = self.split {
            statistics.splits.retain(|it, _| *it == split.into());
        }
        let text = || self.for_people(&statistics);
        context.terminal.result(&statistics, text)?;
        Ok(Status::Done)
    }

    fn for_people(&self, statistics: &CorpusStatistics) -> String {
        let mut text = heading(statistics);
        text += &table(statistics);
        text += &dropped(statistics);
        if self.show_unreachable > 0 {
            text += &unreachable(statistics, self.show_unreachable);
        }
        text
    }
}

fn heading(statistics: &CorpusStatistics) -> String {
    let CorpusStatistics { name, language, .. } = statistics;
    let sizes = statistics.vocabulary;
    let mut text = styled(BOLD, format!("{name} ({language})")) + "\n";
    if statistics.databases > 0 {
        let _ = writeln!(text, "{} databases", statistics.databases);
    }
    let _ = writeln!(
        text,
        "{} words and {} subtokens in at least {} programs of the train split\n",
        sizes.words, sizes.subtokens, sizes.min_count
    );
    text
}

/// One column for each split.
fn table(statistics: &CorpusStatistics) -> String {
    let names = statistics.splits.keys().map(ToString::to_string).collect();
    let mut text = styled(BOLD, row("", names).trim_end()) + "\n";
    let mut line = |name: &str, cell: &dyn Fn(&SplitStatistics) -> String| {
        text += &row(name, statistics.splits.values().map(cell).collect());
    };
    line("programs", &|it| it.programs.to_string());
    line("dropped rows", &|it| it.dropped.to_string());
    line("nodes", &|it| it.nodes.to_string());
    line("steps", &|it| it.steps.to_string());
    line("reachable", &|it| it.reachable.to_string());
    line("", &|it| share(it.reachable, it.programs));
    line("with new productions", &|it| {
        it.with_new_productions.to_string()
    });
    text += &summaries(statistics, "nodes per program", |it| it.nodes_per_program);
    text += &summaries(statistics, "steps per program", |it| it.steps_per_program);
    text += &summaries(statistics, "words per text", |it| it.words_per_text);
    text += &summaries(statistics, "candidates per text", |it| {
        it.candidates_per_text
    });
    text
}

/// Mean, median and maximum of something that every program has.
fn summaries(
    statistics: &CorpusStatistics,
    name: &str,
    summary: fn(&SplitStatistics) -> Summary,
) -> String {
    let summaries = statistics.splits.values().map(summary);
    let cells = |cell: fn(Summary) -> String| summaries.clone().map(cell).collect();
    let mut text = row(
        &format!("{name}, mean"),
        cells(|it| format!("{:.1}", it.mean)),
    );
    text += &row("  median", cells(|it| it.median.to_string()));
    text += &row("  largest", cells(|it| it.max.to_string()));
    text
}

fn row(name: &str, cells: Vec<String>) -> String {
    let mut text = format!("{name:<26}");
    for cell in cells {
        let _ = write!(text, "{cell:>13}");
    }
    text.push('\n');
    text
}

fn dropped(statistics: &CorpusStatistics) -> String {
    let mut text = String::new();
    for (split, of_split) in &statistics.splits {
        for (reason, count) in &of_split.reasons {
            let _ = writeln!(text, "  {count:>6} {split:<12} {reason}");
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("\n{}\n{text}", styled(BOLD, "dropped rows"))
}

fn unreachable(statistics: &CorpusStatistics, limit: usize) -> String {
    let mut text = String::new();
    for (split, of_split) in &statistics.splits {
        let count = of_split.unreachable.len();
        if count == 0 {
            continue;
        }
        let _ = writeln!(
            text,
            "\n{}",
            styled(BOLD, format!("{split}: {count} unreachable"))
        );
        for program in of_split.unreachable.iter().take(limit) {
            let _ = writeln!(text, "  {}: {}", program.id, missing(program));
        }
    }
    text
}

/// What keeps a program from being put together.
fn missing(program: &Unreachable) -> String {
    let subtokens: Vec<_> = program
        .subtokens
        .iter()
        .map(|it| format!("{it:?}"))
        .collect();
    subtokens.join(" ")
}
