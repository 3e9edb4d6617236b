//! `patois prune`: the idioms that a model uses, and others in the place of those that it does not.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use patois::run::folder::{RunDir, RunFile};
use patois::run::prune::prune;
use patois::run::synthesizer::Synthesizer;
use patois_codebase::idiom_file::IdiomFile;
use serde::Serialize;

use super::Context;
use super::watcher::Watcher;
use crate::failure::{Failure, Status};

/// Drop the idioms that a trained model does not use, and fill up from the ranking
///
/// How often a model uses an idiom is what it expects of the derivations of its training programs:
/// each program can be written with and without idioms, and the model finds some of these ways more
/// probable than others. Idioms that are mined again have the seed and settings of the run. Train
/// with what comes out: patois train CONFIG --idioms FILE.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois prune runs/hearthstone --out pruned.json
  patois train configs/hearthstone.toml --idioms pruned.json --out runs/pruned")]
pub(super) struct PruneArgs {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Where the new library goes [default: RUN/pruned.json]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The least number of uses in all training programs that keeps an idiom
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    min_uses: f64,
}

/// What came of it.
#[derive(Serialize)]
struct Report<'a> {
    run: &'a Path,
    out: &'a Path,
    idioms: usize,
    kept: usize,
    dropped: usize,
    added: usize,
    /// How often each idiom of the run is used.
    uses: &'a [f64],
}

impl PruneArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let min_uses = self.min_uses;
        if !(min_uses >= 0.0 && min_uses.is_finite()) {
            let message = format!("--min-uses: expected a number, 0 or more, found {min_uses}");
            return Err(Failure::misuse(message));
        }
        let run = RunDir::open(&self.run)?;
        let synthesizer = Synthesizer::load(&run)?;
        if synthesizer.library.is_empty() {
            let message = format!("the model in `{}` has no idioms", self.run.display());
            return Err(Failure::new(message).help("train one with `objective = \"marginal\"`"));
        }
        let mut watcher = Watcher::new(context.terminal);
        let here = context.surroundings();
        let pruned = prune(&synthesizer, min_uses, &here, &mut watcher)?;
        let default = || self.run.join("pruned.json");
        let out = self.out.clone().unwrap_or_else(default);
        pruned.idioms.file.write(&out)?;
        let (n_old, n_new) = (synthesizer.library.len(), pruned.idioms.library.len());
        let report = Report {
            run: &self.run,
            out: &out,
            idioms: n_new,
            kept: pruned.n_kept,
            dropped: n_old - pruned.n_kept,
            added: n_new - pruned.n_kept,
            uses: &pruned.uses,
        };
        let sources = sources(&run);
        context
            .terminal
            .result(&report, || report.for_people(&sources, min_uses))?;
        Ok(Status::Done)
    }
}

/// The idioms of a run as source code, where its file is still there.
fn sources(run: &RunDir) -> Vec<String> {
    let bytes = run.read(RunFile::Idioms).ok().flatten().unwrap_or_default();
    let file: Option<IdiomFile> = serde_json::from_slice(&bytes).ok();
    let idioms = file.map(|it| it.idioms).unwrap_or_default();
    idioms.into_iter().map(|it| it.source).collect()
}

impl Report<'_> {
    fn for_people(&self, sources: &[String], min_uses: f64) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{} of {} idioms are used {min_uses} times or more in the training programs",
            self.kept,
            self.uses.len()
        );
        let mut order: Vec<usize> = (0..self.uses.len()).collect();
        order.sort_by(|&a, &b| self.uses[b].total_cmp(&self.uses[a]));
        for index in order {
            let source = sources.get(index).map_or("", |it| first_line(it));
            let _ = writeln!(text, "{:>9.1}  {index:>3}  {source}", self.uses[index]);
        }
        let _ = writeln!(
            text,
            "{} dropped, {} added\nlibrary {}",
            self.dropped,
            self.added,
            self.out.display()
        );
        text
    }
}

fn first_line(source: &str) -> &str {
    source.lines().next().unwrap_or_default()
}
