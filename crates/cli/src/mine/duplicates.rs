//! `patois mine --duplicates`: classes of clones instead of idioms.

use std::fmt::Write as _;
use std::time::Instant;

use patois_codebase::duplicates::{self, Duplicate, DuplicateConfig, Lines};
use patois_codebase::repository::{Repository, UnitConfig};
use patois_mining::MIN_CLONE_NODES;
use serde::Serialize;

use super::MineArgs;
use super::report::Sources;
use crate::Context;
use crate::failure::{Failure, Status};
use crate::harmless::harmless;
use crate::terminal::{BOLD, DIM, styled};

/// What was found in the files of one language.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    sources: Sources,
    programs: usize,
    seconds: f64,
    duplicates: Vec<Duplicate>,
}

#[derive(Serialize)]
struct AllFound {
    corpus: String,
    languages: Vec<Found>,
}

/// How many duplicates people are shown unless they ask for all.
const N_SHOWN: usize = 10;
/// How many lines of one.
const MAX_LINES: usize = 8;
/// How many of its places.
const MAX_PLACES: usize = 10;

impl MineArgs {
    pub(super) fn find_duplicates(
        &self,
        context: &Context,
        found: &Repository,
        units: &UnitConfig,
    ) -> Result<Status, Failure> {
        let config = DuplicateConfig {
            min_lines: self.min_lines,
            min_nodes: MIN_CLONE_NODES,
            local_names: self.local_names(),
        };
        let mut languages = Vec::new();
        for language in found.files.keys() {
            let started = Instant::now();
            let read = super::repository::read(context, found, language, units);
            let duplicates = duplicates::find(&read, config);
            languages.push(Found {
                sources: Sources::new(&read, &found.skipped),
                programs: read.trees.len(),
                seconds: started.elapsed().as_secs_f64(),
                duplicates,
            });
        }
        let all = AllFound {
            corpus: self.name(),
            languages,
        };
        let limit = if self.all { usize::MAX } else { N_SHOWN };
        context.terminal.result(&all, || all.for_people(limit))?;
        Ok(Status::Done)
    }
}

impl AllFound {
    fn for_people(&self, limit: usize) -> String {
        let mut text = String::new();
        for found in &self.languages {
            text += &found.for_people(&self.corpus, limit);
        }
        text
    }
}

impl Found {
    fn for_people(&self, corpus: &str, limit: usize) -> String {
        let title = format!("{corpus}: {} programs", self.programs);
        let mut text = format!(
            "{}\n{}",
            styled(BOLD, harmless(&title)),
            self.sources.for_people()
        );
        let _ = match self.duplicates.len() {
            0 => writeln!(text, "no duplicates ({:.2} s)\n", self.seconds),
            1 => writeln!(text, "1 duplicate ({:.2} s)\n", self.seconds),
            n => writeln!(text, "{n} duplicates ({:.2} s)\n", self.seconds),
        };
        for (index, duplicate) in self.duplicates.iter().take(limit).enumerate() {
            text += &one(index + 1, duplicate);
        }
        if self.duplicates.len() > limit {
            let _ = writeln!(text, "and {} more: --all", self.duplicates.len() - limit);
        }
        text
    }
}

fn one(number: usize, duplicate: &Duplicate) -> String {
    let Duplicate {
        places,
        lines,
        bits,
        source,
        ..
    } = duplicate;
    let title = format!("{number}. {lines} lines at {} places", places.len());
    let mut text = format!("{}, {bits:.0} bits to save\n", styled(BOLD, title));
    for Lines {
        file,
        line,
        end_line,
    } in places.iter().take(MAX_PLACES)
    {
        let _ = writeln!(text, "   {}:{line}-{end_line}", harmless(file));
    }
    if places.len() > MAX_PLACES {
        let _ = writeln!(text, "   and {} more", places.len() - MAX_PLACES);
    }
    for line in source.lines().take(MAX_LINES) {
        let _ = writeln!(text, "      {}", styled(DIM, harmless(line)));
    }
    if source.lines().count() > MAX_LINES {
        let _ = writeln!(text, "      {}", styled(DIM, "..."));
    }
    text.push('\n');
    text
}
