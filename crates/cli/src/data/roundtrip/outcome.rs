//! What became of the programs, for people and for machines.

use std::fmt::Write as _;
use std::time::Duration;

use patois::corpus::roundtrip::{Place, Roundtrip, roundtrip};
use patois_codebase::sources::Unreadable;
use patois_syntax::{Language, ParseError};
use serde::{Serialize, Serializer};

use super::queries::QueryTally;
use crate::data::share;
use crate::excerpt::Excerpt;
use crate::failure::Status;
use crate::panic_hook;
use crate::terminal::{BAD, BOLD, GOOD, Terminal, Verbosity, styled};

/// What became of one program.
pub(super) enum Outcome {
    Equal { printed: String },
    Different(Different),
    Unparsed(Unparsed),
}

impl Outcome {
    /// The round trip of one program; a panic on the way is a difference, and is reported.
    pub(super) fn of(language: &dyn Language, name: &Name, source: &str) -> Outcome {
        let different = |message| Different::new(name.as_str(), message);
        Outcome::Different(match panic_hook::contain(|| roundtrip(language, source)) {
            Ok(Roundtrip::Equal { printed }) => return Outcome::Equal { printed },
            Ok(Roundtrip::Unparsed(error)) => {
                return Outcome::Unparsed(Unparsed::new(name, source, &error));
            }
            Ok(Roundtrip::Unprintable(error)) => different(format!("cannot be printed: {error}")),
            Ok(Roundtrip::Unparsable { printed, error }) => {
                let name = format!("{}, as printed", name.as_str());
                Different {
                    excerpt: Excerpt::of(&name, &printed, &error),
                    printed: Some(printed),
                    ..different(format!("does not parse once printed: {error}"))
                }
            }
            Ok(Roundtrip::Different { printed, place }) => Different {
                place: Some(place),
                printed: Some(printed),
                ..different("comes back as another tree".to_owned())
            },
            Err(panic) => different(format!(
                "makes patois stop, which is a bug of ours: {panic}"
            )),
        })
    }

    /// The program as printed, where printing succeeded.
    pub(super) fn printed(&self) -> Option<&str> {
        match self {
            Outcome::Equal { printed } => Some(printed),
            Outcome::Different(different) => different.printed.as_deref(),
            Outcome::Unparsed(_) => None,
        }
    }
}

/// What a program is called in messages.
pub(super) enum Name {
    /// The path of its file.
    File(String),
    /// The place of its row in a corpus.
    Row(String),
}

impl Name {
    fn as_str(&self) -> &str {
        match self {
            Name::File(name) | Name::Row(name) => name,
        }
    }

    /// The name with a place in the program: `a.py:7:1` is what editors understand, while a row
    /// may have a line of its own.
    fn with(&self, place: Option<(usize, usize)>) -> String {
        match (self, place) {
            (Name::File(name), Some((line, column))) => format!("{name}:{line}:{column}"),
            (Name::Row(name), Some((line, column))) => {
                format!("{name}, line {line}, column {column}")
            }
            (_, None) => self.as_str().to_owned(),
        }
    }
}

/// A program that parses and does not come back.
#[derive(Serialize)]
pub(super) struct Different {
    file: String,
    message: String,
    #[serde(flatten)]
    place: Option<Place>,
    #[serde(skip)]
    excerpt: Option<Excerpt>,
    #[serde(skip)]
    printed: Option<String>,
}

impl Different {
    fn new(name: &str, message: String) -> Different {
        Different {
            file: name.to_owned(),
            message,
            place: None,
            excerpt: None,
            printed: None,
        }
    }
}

/// A program that does not parse.
#[derive(Serialize)]
pub(super) struct Unparsed {
    file: String,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    /// The name and the place, for people.
    #[serde(skip)]
    place: String,
    #[serde(skip)]
    excerpt: Option<Excerpt>,
}

impl Unparsed {
    fn new(name: &Name, source: &str, error: &ParseError) -> Unparsed {
        let place = error.line_column(source);
        Unparsed {
            file: name.as_str().to_owned(),
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            message: error.message.clone(),
            place: name.with(place),
            excerpt: Excerpt::of(name.as_str(), source, error),
        }
    }

    /// For a program whose fault has no place.
    pub(super) fn whole(name: &Name, message: String) -> Unparsed {
        Unparsed::new(name, "", &ParseError::whole(message))
    }
}

/// What became of all programs.
#[derive(Default, Serialize)]
pub(super) struct Tally {
    /// Everything that was to be read.
    pub(super) programs: usize,
    pub(super) parsed: usize,
    pub(super) equal: usize,
    pub(super) different: Vec<Different>,
    pub(super) unparsed: Vec<Unparsed>,
    pub(super) unreadable: Vec<Unreadable>,
    /// For queries only.
    #[serde(flatten)]
    pub(super) queries: Option<QueryTally>,
    /// Of the sources that were read.
    pub(super) bytes: usize,
    #[serde(serialize_with = "seconds")]
    pub(super) seconds: Duration,
}

impl Tally {
    pub(super) fn add(&mut self, outcome: Outcome) {
        self.programs += 1;
        match outcome {
            Outcome::Equal { .. } => {
                self.parsed += 1;
                self.equal += 1;
            }
            Outcome::Different(different) => {
                self.parsed += 1;
                self.different.push(different);
            }
            Outcome::Unparsed(unparsed) => self.unparsed.push(unparsed),
        }
    }

    pub(super) fn add_unreadable(&mut self, unreadable: Unreadable) {
        self.programs += 1;
        self.unreadable.push(unreadable);
    }

    /// Whether what was to be shown holds; with `strict`, of everything that was given.
    pub(super) fn status(&self, strict: bool) -> Status {
        let all_taken = self.unparsed.is_empty() && self.unreadable.is_empty();
        let holds = self.different.is_empty() && self.parsed > 0 && (all_taken || !strict);
        if holds { Status::Done } else { Status::Failed }
    }

    /// The lists of what failed, `limit` items of each kind, then the counts.
    pub(super) fn for_people(&self, terminal: Terminal, limit: usize) -> String {
        let unreadable = self.unreadable.iter().map(|it| indented(&it.to_string()));
        let unparsed = self.unparsed.iter().map(|it| unparsed_item(terminal, it));
        let different = self.different.iter().map(|it| different_item(terminal, it));
        let mut text = section("unreadable", limit, unreadable);
        text += &section("unparsed", limit, unparsed);
        text += &section("different", limit, different);
        if let Some(queries) = &self.queries {
            text += &queries.lists(limit);
        }
        text += &self.counts();
        text
    }

    fn counts(&self) -> String {
        let style = if self.equal == self.parsed { GOOD } else { BAD };
        let share = match self.parsed {
            0 => String::new(),
            _ => format!(
                "  {} of the parsed",
                styled(style, share(self.equal, self.parsed))
            ),
        };
        let seconds = self.seconds.as_secs_f64();
        let rate = self.bytes as f64 / 1e6 / seconds.max(1e-9);
        let mut text = String::new();
        for (name, count) in [("programs", self.programs), ("parsed", self.parsed)] {
            let _ = writeln!(text, "{name:<12}{count:>8}");
        }
        let _ = writeln!(text, "{:<12}{:>8}{share}", "equal", self.equal);
        if let Some(queries) = &self.queries {
            text += &queries.counts(self.parsed);
        }
        let _ = writeln!(text, "{:<12}{seconds:>8.2}  {rate:.1} MB/s", "seconds");
        text
    }
}

/// A heading with the number of items, and the first `limit` of them.
pub(super) fn section(
    what: &str,
    limit: usize,
    items: impl ExactSizeIterator<Item = String>,
) -> String {
    let count = items.len();
    if count == 0 {
        return String::new();
    }
    let hidden = count.saturating_sub(limit);
    let mut text = styled(BOLD, format!("{what} ({count})")) + "\n";
    text.extend(items.take(limit));
    if hidden > 0 {
        let _ = writeln!(text, "  … and {hidden} more; --all lists them");
    }
    text.push('\n');
    text
}

fn unparsed_item(terminal: Terminal, item: &Unparsed) -> String {
    let is_verbose = terminal.verbosity == Verbosity::Verbose;
    let excerpt = item.excerpt.as_ref().filter(|_| is_verbose);
    indented(&format!("{}: {}", item.place, item.message)) + &shown(terminal, excerpt)
}

fn different_item(terminal: Terminal, item: &Different) -> String {
    let mut text = indented(&format!("{}: {}", item.file, item.message));
    if let Some(it) = &item.place {
        let (path, before, after) = (&it.path, &it.before, &it.after);
        let _ = writeln!(text, "    at {path}\n    - {before}\n    + {after}");
    }
    // What we printed and cannot read is always worth a look.
    text + &shown(terminal, item.excerpt.as_ref())
}

fn shown(terminal: Terminal, excerpt: Option<&Excerpt>) -> String {
    let Some(excerpt) = excerpt else {
        return String::new();
    };
    let rendered = terminal.render(excerpt, &std::io::stdout());
    let lines = rendered.lines().filter(|line| !line.trim().is_empty());
    // The first line is the heading, which an excerpt does not have.
    lines.skip(1).map(indented).collect()
}

fn indented(line: &str) -> String {
    format!("  {line}\n")
}

fn seconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_says_how_much_it_hides() {
        let items = |count: usize| (0..count).map(|it| format!("{it}\n"));
        assert_eq!(section("things", 2, items(0)), "");
        assert!(section("things", 2, items(2)).ends_with("0\n1\n\n"));
        assert!(section("things", 2, items(5)).contains("and 3 more"));
    }
}
