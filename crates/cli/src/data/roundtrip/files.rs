//! The round trip of source files.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use patois_codebase::sources::{self, Hidden, Ignored, Links, Unreadable, Vendored, WalkConfig};
use patois_syntax::Language;
use rayon::prelude::*;

use super::RoundtripArgs;
use super::outcome::{Name, Outcome, Tally};
use crate::Context;
use crate::failure::{Failure, Status};
use crate::language::LanguageName;
use crate::progress::Progress;

pub(super) fn run(
    name: LanguageName,
    args: &RoundtripArgs,
    context: &Context,
) -> Result<Status, Failure> {
    let language = name.of_files()?;
    let started = Instant::now();
    let (paths, unreadable) = find(name, args);
    if paths.is_empty() && unreadable.is_empty() {
        return Err(nothing_found(name, args));
    }
    let mut tally = check(language.language(), &paths, context);
    for it in unreadable {
        tally.add_unreadable(it);
    }
    tally.unreadable.sort();
    tally.seconds = started.elapsed();

    let terminal = context.terminal;
    terminal.result(&tally, || tally.for_people(terminal, args.limit()))?;
    Ok(tally.status(args.strict))
}

/// The files to read, standard input (`-`) first.
fn find(name: LanguageName, args: &RoundtripArgs) -> (Vec<PathBuf>, Vec<Unreadable>) {
    let is_stdin = |path: &Path| path == Path::new("-");
    let (stdin, roots): (Vec<_>, Vec<_>) = args.paths.iter().cloned().partition(|it| is_stdin(it));
    let mut found = sources::find(&roots, &walk_config(name, args));
    found.files.splice(0..0, stdin.into_iter().take(1));
    (found.files, found.unreadable)
}

fn walk_config(name: LanguageName, args: &RoundtripArgs) -> WalkConfig {
    let extensions = name.extensions().iter();
    WalkConfig {
        extensions: extensions.map(ToString::to_string).collect(),
        ignored: if args.no_ignore {
            Ignored::Take
        } else {
            Ignored::Skip
        },
        hidden: if args.hidden {
            Hidden::Take
        } else {
            Hidden::Skip
        },
        links: if args.follow {
            Links::Follow
        } else {
            Links::Skip
        },
        vendored: Vendored::Take,
    }
}

fn check(language: &dyn Language, paths: &[PathBuf], context: &Context) -> Tally {
    let progress = Progress::start(context.terminal, "round trip", paths.len());
    let outcomes: Vec<_> = paths
        .par_iter()
        .map(|path| {
            let outcome = check_file(language, path);
            progress.step();
            outcome
        })
        .collect();
    let mut tally = Tally::default();
    for outcome in outcomes {
        match outcome {
            Ok((bytes, outcome)) => {
                tally.bytes += bytes;
                tally.add(outcome);
            }
            Err(unreadable) => tally.add_unreadable(unreadable),
        }
    }
    tally
}

fn check_file(language: &dyn Language, path: &Path) -> Result<(usize, Outcome), Unreadable> {
    let (name, source) = if path == Path::new("-") {
        let name = "<stdin>".to_owned();
        let source = sources::read_from(io::stdin().lock());
        let source = source.map_err(|message| Unreadable::new(name.as_str(), message))?;
        (name, source)
    } else {
        (path.display().to_string(), sources::read(path)?)
    };
    Ok((
        source.len(),
        Outcome::of(language, &Name::File(name), &source),
    ))
}

fn nothing_found(name: LanguageName, args: &RoundtripArgs) -> Failure {
    let endings: Vec<_> = name
        .extensions()
        .iter()
        .map(|it| format!(".{it}"))
        .collect();
    let folders: Vec<_> = args
        .paths
        .iter()
        .map(|it| format!("`{}`", it.display()))
        .collect();
    Failure::new(format!(
        "found no files that end in {} in {}",
        endings.join(" or "),
        folders.join(", ")
    ))
    .help("ignored and hidden files are left out; --no-ignore and --hidden take them in")
}
