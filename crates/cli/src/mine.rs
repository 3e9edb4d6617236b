//! `patois mine`: the idioms of a corpus, to `idioms.json`.

mod against;
mod export;
mod options;
mod page;
mod report;
mod repository;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use patois::corpus::{CorpusOptions, Dataset, Programs, Split, default, folder};
use patois_codebase::idiom_file::{IdiomFile, KeptTitles};
use patois_codebase::idiom_source::IdiomPrinter;
use patois_codebase::local_names::LocalNames;
use patois_codebase::output::{self, Lock};
use patois_codebase::repository::{Taken, UnitConfig};
use patois_codebase::state_folder::{Beginning, StateFolder};
use patois_languages::UnitKind;
use patois_languages::sql::Mode;
use patois_mining::{
    Figures, Guide, Keeper, Mined, MinerKind, MiningConfig, MiningError, MiningRanks, Sweep, Task,
    measure,
};
use patois_syntax::{Grammar, Tree};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::corpus::{self, SplitName, mode_parser};
use super::language::LanguageName;
use super::{Context, STACK_BYTES};
use crate::failure::{Failure, Status};
use crate::harmless::harmless;
use crate::progress::Progress;
use crate::terminal::Terminal;
use export::Exports;
use options::MiningOptions;
use report::{Report, Seconds, Shown};

pub(super) use report::Sources;
pub(super) use repository::read as read_language;

/// Mine the idioms of a corpus: the fragments of programs that people keep writing
///
/// A Markov chain cuts the programs into fragments that are worth repeating; the best of them, and
/// of what is derived from them, become the library. It is written to a file that other verbs
/// read, and shown as source code: `$name` is a hole, `$name...` a hole for a list, and `$name?` one
/// that may stay empty, together with the keyword before it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  patois mine default
  patois mine hearthstone --top 80 --keep-closed --out hearthstone.json
  patois mine src/ lib/ --language python --miner bpe --json
  patois mine . --unit file --jobs 2
  patois mine . --rank surprise
  patois mine src/ --against usual
  patois mine src/ --against ../old-checkout/src
  patois mine src/ --export agents --export snippets
  patois mine src/ --export ast-grep && ast-grep scan --rule idioms.ast-grep.yml src/
  patois mine src/ --export semgrep --check-rules --min-precision 0.8")]
pub(super) struct MineArgs {
    /// Datasets, files of JSON lines, source files or folders; several are mined as one
    ///
    /// Datasets: default, hearthstone, spider, conala, django.
    #[arg(value_name = "CORPUS", required = true)]
    corpora: Vec<String>,

    /// Mine this split; source files are all `train`
    #[arg(long, value_name = "NAME", default_value = "train")]
    split: SplitName,

    /// The language, where the corpus does not tell
    #[arg(short, long, value_name = "NAME")]
    language: Option<LanguageName>,

    /// How much of a query is kept in its tree
    #[arg(long, value_name = "MODE", default_value = "full", value_parser = mode_parser())]
    mode: Mode,

    /// The file to write
    #[arg(short, long, value_name = "FILE", default_value = "idioms.json")]
    out: PathBuf,

    /// Also write a page to look at the idioms of source files: `out.html`
    ///
    /// What fills their holes, where they occur, how they nest, what they cover; in one file that
    /// needs no network.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// What counts as a program of source files
    #[arg(long, value_name = "NAME", default_value = "function")]
    unit: UnitName,

    /// Tell local names of source files apart, rather than making holes of them
    ///
    /// A name that is bound in a function could be any other: `for i in range(n)` and
    /// `for k in range(m)` are both `for $1 in range($2)`, and equal holes are equal names.
    #[arg(long)]
    keep_names: bool,

    /// Leave out source files that are larger than this, in bytes
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_file_size: u64,

    /// Leave out source files that match this pattern, as in .gitignore; may be given several times
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,

    /// What becomes of tests among source files, told by their names and folders
    #[arg(long, value_name = "WHAT", default_value = "skip")]
    tests: TakenName,

    /// What becomes of source files that say of themselves that they were generated
    #[arg(long, value_name = "WHAT", default_value = "skip")]
    generated: TakenName,

    /// In how many source files an idiom occurs at least [default: 2 where there are 20, 1 elsewhere]
    #[arg(long, value_name = "N")]
    min_files: Option<usize>,

    /// Rank idioms of source files by what they save beyond what is usual elsewhere
    ///
    /// `usual`: in well-known packages of the same language; `python` and so on for one language only;
    /// or a folder, such as an old checkout: what is new here, and what has died out. There are two lists
    /// then: what is this code base's own, and what everybody writes.
    #[arg(long, value_name = "WHAT")]
    against: Option<String>,

    #[command(flatten)]
    exports: Exports,

    /// Mine the corpus in so many parts at once, each on a core of its own
    ///
    /// The parts tell each other what they have found, so that it is one chain, and nearly the one that one
    /// core would move; with `--miner bpe` the result is the same. See docs/cluster.md for more than one machine.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    ranks: u16,

    /// Keep the state of the chain in this folder, after every sweep, so that it can go on if it is ended
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,

    /// Go on from the state that is kept, if there is one; the corpus and all options must be the same
    ///
    /// With as many ranks it comes to the same end as if it had not been ended.
    #[arg(long, requires = "checkpoint")]
    resume: bool,

    /// Show all idioms, not the first ten
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    options: MiningOptions,
}

/// What counts as a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum UnitName {
    /// The file
    File,
    /// Every function; what is left of classes and of the file
    Function,
}

impl From<UnitName> for UnitKind {
    fn from(name: UnitName) -> UnitKind {
        match name {
            UnitName::File => UnitKind::File,
            UnitName::Function => UnitKind::Function,
        }
    }
}

/// What becomes of some source files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TakenName {
    /// They are mined like any other
    Include,
    /// They are left out, unless there is nothing else
    Skip,
    /// All others are left out
    Only,
}

impl From<TakenName> for Taken {
    fn from(name: TakenName) -> Taken {
        match name {
            TakenName::Include => Taken::Include,
            TakenName::Skip => Taken::Skip,
            TakenName::Only => Taken::Only,
        }
    }
}

/// How many columns are filled where there is no terminal to ask.
const DEFAULT_WIDTH: usize = 100;

impl MineArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        let started = Instant::now();
        let config = self.options.config()?;
        self.check_ranks(context)?;
        let mut _lock = None;
        if context.ranks.rank() == 0 {
            // Better now than after minutes of mining.
            output::check(&self.out)?;
            self.check_page()?;
            self.exports.check()?;
            _lock = Lock::of_file(&self.out)?;
        }
        if self.corpora.iter().all(|it| is_sources(it)) {
            return self.mine_repository(context);
        }
        if self.against.is_some() {
            return Err(Failure::misuse(
                "only source files are mined against others",
            ));
        }
        if !self.exports.is_empty() {
            return Err(Failure::misuse(
                "only idioms of source files can be exported",
            ));
        }
        let programs = self.read(context)?;
        let trees = self.trees(&programs)?;
        let read = started.elapsed().as_secs_f64();

        let dev = self.dev(&programs);
        let grammar = &programs.grammar;
        let texts = programs.texts(self.split.into());
        let state = self.state(context, None);
        let task = Task {
            grammar,
            trees: &trees,
            held_out: &dev,
            guide: Guide {
                texts: Some(&texts).filter(|it| it.len() == trees.len()),
                ..Guide::default()
            },
            config: &config,
            keeper: state.as_ref().map(|it| it as &dyn Keeper),
        };
        let (mined, sampled) = watched(context, &config, |rng, watch| {
            self.ranks(context).mine(&task, rng, watch)
        })?;
        let Some(mined) = mined else {
            return Ok(Status::Done);
        };
        let language = &programs.corpus.language;
        let printer = IdiomPrinter::named(language, grammar, self.mode);
        let mut file = self.file(context, &config, &programs, &mined, &printer);
        let titles = keep_titles(context, &mut file, &self.out);
        let figures = figures(grammar, &dev, &mined);
        file.write(&self.out)?;
        if let Some(state) = &state {
            state.remove();
        }

        let total = started.elapsed().as_secs_f64();
        let seconds = Seconds {
            read,
            sample: sampled,
            extract: total - read - sampled,
            total,
        };
        let report = Report::new(&programs.corpus.name, trees.len(), &mined, figures, seconds);
        let report = report.with_titles(titles);
        let shown = self.shown(&self.out);
        context
            .terminal
            .result(&report, || report.for_people(&file, &shown))?;
        Ok(Status::Done)
    }

    /// How source files are read.
    fn units(&self) -> UnitConfig {
        UnitConfig {
            language: self.language.map(|it| it.name().to_owned()),
            unit: self.unit.into(),
            max_file_bytes: self.max_file_size,
            exclude: self.exclude.clone(),
            tests: self.tests.into(),
            generated: self.generated.into(),
        }
    }

    /// What mines parts of the corpus side by side.
    fn ranks<'c>(&self, context: &'c Context) -> MiningRanks<'c> {
        if context.ranks.size() > 1 {
            MiningRanks::Processes(context.ranks.as_ref())
        } else {
            MiningRanks::Threads {
                n: self.ranks.into(),
                stack_bytes: STACK_BYTES,
            }
        }
    }

    /// Where the state of a chain is kept, if it is; languages have folders of their own.
    fn state(&self, context: &Context, language: Option<&str>) -> Option<StateFolder> {
        let mut folder = self.checkpoint.clone()?;
        folder.extend(language);
        let beginning = if self.resume {
            Beginning::Resumed
        } else {
            Beginning::Anew
        };
        Some(StateFolder::new(&folder, context.seed, beginning))
    }

    /// How many ranks mine, be they processes or threads.
    fn n_ranks(&self, context: &Context) -> usize {
        context.ranks.size().max(self.ranks.into())
    }

    fn check_ranks(&self, context: &Context) -> Result<(), Failure> {
        let n_processes = context.ranks.size();
        if n_processes > 1 && self.ranks > 1 {
            let message = format!("there are {n_processes} processes, which are the ranks");
            return Err(Failure::misuse(message).help("leave out `--ranks`"));
        }
        if n_processes > 1 && self.against.is_some() {
            let message = "what is usual elsewhere is looked for by one process";
            return Err(Failure::misuse(message).help("start it without mpirun or srun"));
        }
        Ok(())
    }

    fn local_names(&self) -> LocalNames {
        if self.keep_names {
            LocalNames::Kept
        } else {
            LocalNames::Holes
        }
    }

    /// How the result is shown to people.
    fn shown<'a>(&self, out: &'a Path) -> Shown<'a> {
        Shown {
            limit: if self.all { usize::MAX } else { 10 },
            out,
            width: Terminal::width().unwrap_or(DEFAULT_WIDTH),
        }
    }

    fn read(&self, context: &Context) -> Result<Programs, Failure> {
        let options = CorpusOptions {
            language: self.language.map(|it| it.name().to_owned()),
            ..CorpusOptions::default()
        };
        let corpus = corpus::open_all(&self.corpora, &options, context)?;
        corpus::check_split(&corpus, Some(self.split))?;
        let languages = corpus::languages(&corpus, self.mode)?;
        let mut programs = corpus
            .parse(&languages)
            .map_err(|error| Failure::new("the programs have no common grammar").because(error))?;
        programs.keep(|split| split == self.split.into() || split == Split::Dev);
        Ok(programs)
    }

    /// The trees to mine.
    fn trees(&self, programs: &Programs) -> Result<Vec<Tree>, Failure> {
        let trees: Vec<Tree> = programs.of(self.split.into()).cloned().collect();
        if trees.is_empty() {
            let corpus = &programs.corpus;
            let first = corpus.dropped.first();
            let why = first.map(|it| format!("{}: {}", it.id, it.reason));
            return Err(nothing_to_mine(&corpus.name, why));
        }
        Ok(trees)
    }

    fn file(
        &self,
        context: &Context,
        config: &MiningConfig,
        programs: &Programs,
        mined: &Mined,
        printer: &IdiomPrinter<'_>,
    ) -> IdiomFile {
        let config = self.how(context, config);
        let split = self.split.into();
        let mut file = programs.idiom_file(split, &mined.library, config, printer);
        file.set_phrases(&mined.idioms);
        file
    }

    /// How a library was mined, for its file.
    fn how(&self, context: &Context, config: &MiningConfig) -> serde_json::Value {
        let mut how = serde_json::json!({ "mining": config, "seed": context.seed });
        // What byte pairs find does not depend on it.
        let n_ranks = self.n_ranks(context);
        if n_ranks > 1 && config.miner != MinerKind::BytePairs {
            how["ranks"] = n_ranks.into();
        }
        how
    }

    /// Programs that the library is not mined from.
    fn dev(&self, programs: &Programs) -> Vec<Tree> {
        match Split::from(self.split) {
            Split::Dev => Vec::new(),
            _ => programs.of(Split::Dev).cloned().collect(),
        }
    }
}

/// Whether a corpus is a path to source code.
fn is_sources(name: &str) -> bool {
    let is_name = Dataset::named(name).is_some() || name == default::NAME;
    !is_name && folder::is_sources(Path::new(name))
}

/// Takes over what people have called the idioms of the file that is about to be written anew.
fn keep_titles(context: &Context, file: &mut IdiomFile, out: &Path) -> KeptTitles {
    if !out.is_file() {
        return KeptTitles::default();
    }
    match IdiomFile::open(out) {
        Ok(older) => file.keep_titles(&older),
        Err(error) => {
            let message = format!("no titles are kept: {error}");
            context.terminal.note(harmless(&message));
            KeptTitles::default()
        }
    }
}

/// There is no program; `why` is what became of the first that could have been one.
fn nothing_to_mine(name: &str, why: Option<String>) -> Failure {
    let failure = Failure::new(format!("`{name}` has no program to mine"));
    match why {
        Some(why) => failure.because(why),
        None => failure,
    }
}

/// What the library does for programs that it was not mined from, where there are any.
fn figures(grammar: &Grammar, dev: &[Tree], mined: &Mined) -> Option<Figures> {
    (!dev.is_empty()).then(|| measure(grammar, dev, &mined.library))
}

/// Mines, and shows each sweep; with the seconds until the last one.
fn watched(
    context: &Context,
    config: &MiningConfig,
    mine: impl FnOnce(
        &(dyn Fn(usize) -> ChaCha8Rng + Sync),
        &mut dyn FnMut(&Sweep) -> ControlFlow<()>,
    ) -> Result<Option<Mined>, MiningError>,
) -> Result<(Option<Mined>, f64), Failure> {
    let n_sweeps = match config.miner {
        MinerKind::BytePairs => 1,
        MinerKind::TypeBased | MinerKind::SingleSite => config.chain.n_sweeps,
    };
    let progress = Progress::start(context.terminal, "mining", n_sweeps);
    let started = Instant::now();
    let mut sampled = 0.0;
    let mut watch = |sweep: &Sweep| {
        sampled = started.elapsed().as_secs_f64();
        progress.step_to(&format!(
            "sweep {} of {n_sweeps}: log-posterior {:.0}, {} fragments",
            sweep.number, sweep.ln_posterior, sweep.n_fragments
        ));
        ControlFlow::Continue(())
    };
    let rng = |rank: usize| {
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
        rng.set_stream(rank as u64);
        rng
    };
    let mined = mine(&rng, &mut watch);
    let mined = mined.map_err(|error| match error {
        // Not what was asked for is wrong, but a disk.
        MiningError::State { .. } => Failure::new(error.to_string()),
        error => Failure::misuse(error.to_string()),
    })?;
    Ok((mined, sampled))
}
