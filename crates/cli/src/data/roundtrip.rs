//! `patois data roundtrip`: parse, print, parse again, and compare.

mod corpus;
mod files;
mod outcome;
mod queries;

use std::path::PathBuf;

use clap::Args;
use patois_languages::sql::Mode;

use crate::Context;
use crate::corpus::{SplitName, mode_parser};
use crate::failure::{Failure, Status};
use crate::language::LanguageName;

/// Parse programs, print them, parse again, and list what came back different
///
/// Folders are searched as ripgrep does: files that .gitignore or .ignore exclude and hidden ones
/// are left out, links are not followed. A file that is named itself is always read; `-` is
/// standard input.
///
/// Exits with 1 where a program that parses does not come back equal, or where no program
/// parses; with --strict also where anything cannot be read or parsed.
#[derive(Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch on the command line"
)]
#[command(
    override_usage = "patois data roundtrip [OPTIONS] --language <NAME> <PATH>...\n       \
                      patois data roundtrip [OPTIONS] --corpus <CORPUS>",
    after_help = "\
Examples:
  patois data roundtrip --language python src/ setup.py
  patois data roundtrip --corpus spider --split dev --out reprinted.sql"
)]
pub(super) struct RoundtripArgs {
    /// Source files and folders
    #[arg(
        value_name = "PATH",
        required_unless_present = "corpus",
        conflicts_with = "corpus"
    )]
    paths: Vec<PathBuf>,

    /// The language of the files
    #[arg(short, long, value_name = "NAME", required_unless_present = "corpus")]
    language: Option<LanguageName>,

    /// List everything that fails, not the first ten of a kind
    #[arg(long)]
    all: bool,

    /// Fail where anything cannot be read or does not parse
    #[arg(long)]
    strict: bool,

    /// Read files that .gitignore, .ignore and their like exclude
    #[arg(long, conflicts_with = "corpus", help_heading = "Folders")]
    no_ignore: bool,

    /// Read hidden files and folders
    #[arg(long, conflicts_with = "corpus", help_heading = "Folders")]
    hidden: bool,

    /// Follow symbolic links inside folders
    #[arg(short = 'L', long, conflicts_with = "corpus", help_heading = "Folders")]
    follow: bool,

    /// Read the programs of a dataset, or of a file of JSON lines
    #[arg(long, value_name = "CORPUS", help_heading = "Corpora")]
    corpus: Option<String>,

    /// Read this split only
    #[arg(
        long,
        value_name = "NAME",
        requires = "corpus",
        help_heading = "Corpora"
    )]
    split: Option<SplitName>,

    /// How much of a query is kept in its tree
    #[arg(
        long,
        value_name = "MODE",
        default_value = "full",
        value_parser = mode_parser(),
        help_heading = "Corpora"
    )]
    mode: Mode,

    /// Folder of the databases that queries are run on, as DIR/NAME/NAME.sqlite
    ///
    /// Without it, the folder `database` of the dataset, or beside the file of JSON lines.
    #[arg(
        long,
        value_name = "DIR",
        requires = "corpus",
        help_heading = "Corpora"
    )]
    database: Option<PathBuf>,

    /// Write the reprinted programs to this file, one a line
    ///
    /// Queries are followed by a tab and their database, as in Spider's gold files; in other
    /// programs U+00A7 stands for a newline, as in Hearthstone's. A program that does not parse
    /// leaves its line empty.
    #[arg(
        long,
        value_name = "FILE",
        requires = "corpus",
        help_heading = "Corpora"
    )]
    out: Option<PathBuf>,
}

impl RoundtripArgs {
    pub(super) fn run(&self, context: &Context) -> Result<Status, Failure> {
        match (&self.corpus, self.language) {
            (Some(name), _) => corpus::run(name, self, context),
            (None, Some(language)) => files::run(language, self, context),
            (None, None) => unreachable!("clap asks for a language where there is no corpus"),
        }
    }

    /// How many items of each list people are shown.
    fn limit(&self) -> usize {
        if self.all { usize::MAX } else { 10 }
    }
}
