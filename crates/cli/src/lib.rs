//! The command line of patois: the verbs, one file each, and the options they share.
//!
//! The binary and the Python package both [`run()`] it, and tell a user what went wrong by a [`Failure`].

mod ask;
mod bundle;
mod check;
mod completions;
mod corpus;
mod data;
mod drawing;
mod duplicates;
mod errors;
mod evaluate;
mod excerpt;
mod experiment;
mod failure;
mod faults;
mod figures;
mod find;
mod grammar;
mod harmless;
mod interrupt;
mod language;
mod man;
mod mcp;
mod mine;
mod panic_hook;
mod progress;
mod prune;
mod report;
mod run;
mod score;
mod serve;
mod synthesize;
mod teach;
mod terminal;
mod train;
mod watcher;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Once};

use anstream::ColorChoice;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use patois::corpus::DataDir;
use patois::run::Surroundings;
use patois::spec::linking::ValueCache;
use patois_collective::{Alone, Collective};

pub use failure::{Failure, Status};
pub use find::{Found, Query};
pub use run::default_config;
use terminal::{Format, Terminal, Verbosity};

/// Parsing allocates many small nodes on all cores at once.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs the program with a command line, the program's own name first.
///
/// What it says goes to standard output and standard error; Ctrl-C ends the process.
pub fn run(arguments: Vec<OsString>) -> Status {
    run_on(arguments, Arc::new(Alone))
}

/// Processes that work together, of which this is one.
pub type Ranks = Arc<dyn Collective + Send + Sync>;

/// Runs the program as one of several that were started with the same command line.
///
/// Rank 0 speaks and writes files. Where a rank fails, whoever started it must end the others.
pub fn run_on(arguments: Vec<OsString>, ranks: Ranks) -> Status {
    panic_hook::install(&arguments);
    use_small_pages();
    let ended = panic_hook::catch_bug(|| run_as_asked(arguments, ranks));
    ended.unwrap_or(Status::Failed)
}

/// Has the kernel give this process pages of the usual size.
///
/// Large ones are filled with zeros and mostly thrown away again: mining and training take up to a
/// tenth longer with them, and a model that answers questions a quarter more memory.
fn use_small_pages() {
    #[cfg(target_os = "linux")]
    // Old kernels, and some sandboxes, know no such wish.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// Runs `work` for another program than this one; a bug of ours becomes a failure.
///
/// # Errors
///
/// When the work fails, or panics.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| panic_hook::install(&[]));
    let done = panic_hook::catch_bug(work);
    done.unwrap_or_else(|bug| Err(bug.into_failure()))
}

/// Runs the program as the command line asks.
fn run_as_asked(arguments: Vec<OsString>, ranks: Ranks) -> Status {
    let rank = ranks.rank();
    let cli = match parse(arguments, rank) {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let mut terminal = cli.shared.terminal();
    if rank > 0 {
        terminal.format = Format::Nobody;
        terminal.verbosity = Verbosity::Quiet;
    }
    end_on_interrupt(terminal);
    let (json, status) = match panic_hook::catch_bug(|| cli.run(terminal, ranks)) {
        Ok(Ok(status)) => return status,
        Ok(Err(failure)) => {
            if rank > 0 {
                // What is wrong for all is told, and ended, by rank 0.
                std::thread::sleep(FOR_RANK_0);
                terminal.complain(format!("rank {rank} has failed:"));
            }
            terminal.show(&failure);
            (failure.to_json(), failure.status)
        }
        Err(bug) => (bug.into_failure().to_json(), Status::Failed),
    };
    if terminal.format == Format::Json {
        // The failure that counts is the first; one about standard output has no other place.
        let _ = terminal.result(&json, String::new);
    }
    status
}

/// How long other ranks leave it to rank 0 to say what is wrong.
const FOR_RANK_0: std::time::Duration = std::time::Duration::from_secs(2);

/// Mines the idioms of programs, and trains models that write programs with them.
///
/// Idioms are mined from source files of many languages. Models write Python or SQL: they learn from
/// published datasets, from JSON lines, or from the corpus inside the program.
#[derive(Parser)]
#[command(
    name = "patois",
    version,
    arg_required_else_help = true,
    subcommand_required = true,
    infer_long_args = true,
    max_term_width = 100,
    after_help = "Examples:\n  patois ask --sample\n  patois run\n  patois mine src/",
    after_long_help = AFTER_LONG_HELP,
)]
struct Cli {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    verb: Verb,
}

const AFTER_LONG_HELP: &str = "\
Examples:
  patois ask shop.sqlite \"Which artist has the most albums?\"
  patois run
  patois mine src/
  patois train configs/hearthstone.toml --out runs/cards
  patois synthesize runs/default \"How many pets?\" --database pets.sqlite
  patois completions bash > ~/.local/share/bash-completion/completions/patois

Exit codes:
  0    done
  1    failed: something was not found, not written, or does not hold
  2    misuse: the command line, or a name on it, makes no sense
  3    `check` or `duplicates` could not look: 1 says that they found something
  130  interrupted (Ctrl-C); no file is left half-written

Results go to standard output, progress and errors to standard error. With
--json, standard output holds one object and nothing else; where the verb
failed, that object has the key \"error\".

Environment:
  PATOIS_DATA   the folder of the datasets, where --data is not given
  PATOIS_TOKEN  what visitors of `patois serve` must show
  NO_COLOR      switches colours off, where --color is not given";

#[derive(Subcommand)]
enum Verb {
    Ask(ask::AskArgs),
    Serve(serve::ServeArgs),
    Mcp(mcp::McpArgs),
    Teach(teach::TeachArgs),
    Grammar(grammar::GrammarArgs),
    Data(data::DataArgs),
    Mine(mine::MineArgs),
    Find(find::FindArgs),
    Check(check::CheckArgs),
    Duplicates(duplicates::DuplicatesArgs),
    Run(run::RunArgs),
    Train(train::TrainArgs),
    Synthesize(synthesize::SynthesizeArgs),
    Evaluate(evaluate::EvaluateArgs),
    Experiment(experiment::ExperimentArgs),
    Prune(prune::PruneArgs),
    Bundle(bundle::BundleArgs),
    Report(report::ReportArgs),
    Score(score::ScoreArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// Options that every verb takes.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
struct Shared {
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long, global = true)]
    json: bool,

    #[arg(
        long,
        global = true,
        value_name = "N",
        help = "Seed of everything that is drawn at random [default: 0]"
    )]
    seed: Option<u64>,

    /// Number of threads; 0 for as many as there are cores
    #[arg(long, alias = "jobs", global = true, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,

    #[arg(
        long,
        global = true,
        value_name = "DIR",
        help = "Folder of the datasets [default: $PATOIS_DATA, else ./data]"
    )]
    data: Option<PathBuf>,

    /// Say nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,

    /// Say more: show the source where it does not parse
    #[arg(short, long, global = true)]
    verbose: bool,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// What the options that every verb takes come down to.
struct Context {
    terminal: Terminal,
    data: DataDir,
    seed: u64,
    /// The seed, where one was given.
    given_seed: Option<u64>,
    /// The processes that work together.
    ranks: Ranks,
}

impl Context {
    /// What a run finds around it.
    fn surroundings(&self) -> Surroundings {
        Surroundings {
            data: self.data.clone(),
            values: ValueCache::of_user(),
        }
    }
}

impl Cli {
    fn run(self, terminal: Terminal, ranks: Ranks) -> Result<Status, Failure> {
        if ranks.size() > 1 && !matches!(self.verb, Verb::Mine(_) | Verb::Train(_)) {
            return Err(
                Failure::misuse("only `mine` and `train` run on several ranks")
                    .help("start it without mpirun or srun"),
            );
        }
        let context = Context {
            terminal,
            data: DataDir::locate(self.shared.data.as_deref()),
            seed: self.shared.seed.unwrap_or(0),
            given_seed: self.shared.seed,
            ranks,
        };
        // The work itself runs on the pool, whose stacks are deep enough for any tree.
        self.shared.pool()?.install(|| match self.verb {
            Verb::Ask(args) => args.run(&context),
            Verb::Teach(args) => args.run(&context),
            Verb::Grammar(args) => args.run(&context),
            Verb::Bundle(args) => args.run(&context),
            Verb::Data(args) => args.run(&context),
            Verb::Mine(args) => args.run(&context),
            Verb::Find(args) => args.run(&context),
            Verb::Check(args) => args.run(&context),
            Verb::Duplicates(args) => args.run(&context),
            Verb::Run(args) => args.run(&context),
            Verb::Train(args) => args.run(&context),
            Verb::Synthesize(args) => args.run(&context),
            Verb::Serve(args) => args.run(&context),
            Verb::Mcp(args) => args.run(&context),
            Verb::Evaluate(args) => args.run(&context),
            Verb::Experiment(args) => args.run(&context),
            Verb::Prune(args) => args.run(&context),
            Verb::Report(args) => args.run(&context),
            Verb::Score(args) => args.run(&context),
            Verb::Completions(args) => args.run(&context),
            Verb::Man(args) => args.run(&context),
        })
    }
}

/// How deep the stacks are of threads that work: parsers, printers and comparisons of trees recurse, and only what is touched
/// becomes memory.
pub const STACK_BYTES: usize = 64 << 20;

impl Shared {
    fn terminal(&self) -> Terminal {
        Terminal {
            format: if self.json {
                Format::Json
            } else {
                Format::People
            },
            verbosity: match (self.quiet, self.verbose) {
                (true, _) => Verbosity::Quiet,
                (_, true) => Verbosity::Verbose,
                _ => Verbosity::Normal,
            },
            color: self.color.into(),
        }
    }

    fn pool(&self) -> Result<rayon::ThreadPool, Failure> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.into())
            .stack_size(STACK_BYTES)
            .build()
            .map_err(|error| {
                Failure::new("cannot start the threads to work on")
                    .because(error)
                    .help("fewer may do: --threads 1")
            })
    }
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> ColorChoice {
        match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::AlwaysAnsi,
            Color::Never => ColorChoice::Never,
        }
    }
}

/// Parses the arguments; help, version and mistakes are printed, and end the program.
fn parse(arguments: Vec<OsString>, rank: usize) -> Result<Cli, Status> {
    let command = Cli::command().color(color_of_help(&arguments));
    let parsed = command.try_get_matches_from(arguments);
    parsed
        .and_then(|matches| Cli::from_arg_matches(&matches))
        .map_err(|error| {
            if rank == 0 {
                // A reader that has heard enough of the help (`| head`) is no error.
                let _ = error.print();
            }
            match error.exit_code() {
                0 => Status::Done,
                _ => Status::Misuse,
            }
        })
}

/// Whether help has colours: it is printed before `--color` has been parsed.
fn color_of_help(arguments: &[OsString]) -> clap::ColorChoice {
    let words = arguments
        .iter()
        .map(|word| word.to_str().unwrap_or_default());
    let pairs = words.clone().zip(words.skip(1).chain([""]));
    let mut choice = clap::ColorChoice::Auto;
    for (word, next) in pairs {
        let value = match word.strip_prefix("--color") {
            Some("") => next,
            Some(rest) => rest.trim_start_matches('='),
            None => continue,
        };
        choice = match value {
            "always" => clap::ColorChoice::Always,
            "never" => clap::ColorChoice::Never,
            _ => choice,
        };
    }
    choice
}

/// Makes Ctrl-C remove what is half-written before it ends the program.
fn end_on_interrupt(terminal: Terminal) {
    let handler = move || {
        if interrupt::is_awaited() {
            return;
        }
        patois_codebase::output::remove_unfinished();
        if Terminal::draws() {
            // The shell's prompt should not start in the middle of a progress bar.
            terminal.note("\ninterrupted");
        }
        std::process::exit(Status::Interrupted.code().into());
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        terminal.note(format!("Ctrl-C may leave temporary files: {error}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_obeys_the_colour_that_was_asked_for() {
        let check = |words: &str, expected| {
            let words: Vec<_> = words.split(' ').map(OsString::from).collect();
            assert_eq!(color_of_help(&words), expected, "{words:?}");
        };
        check("patois --color never --help", clap::ColorChoice::Never);
        check("patois --color=always", clap::ColorChoice::Always);
        check("patois --color", clap::ColorChoice::Auto);
        check("patois --colour never", clap::ColorChoice::Auto);
    }
}
