//! What is said about a library: for machines, and for people.

use std::fmt::Write as _;
use std::path::Path;

use indexmap::IndexMap;
use patois_codebase::idiom_file::{IdiomFile, IdiomRecord, KeptTitles, LostTitle};
use patois_codebase::repository::{FileFigures, RepositoryPrograms};
use patois_codebase::sources::Unreadable;
use patois_mining::{BitsPerNode, Figures, Mined};
use patois_syntax::{Fragment, IdiomLibrary};
use serde::Serialize;

use super::export::Exported;
use crate::harmless::harmless;
use crate::terminal::{BOLD, styled};

/// How many reasons why files were skipped people are shown.
const MAX_REASONS: usize = 6;
/// How many lines of an idiom people are shown.
const MAX_LINES: usize = 12;
/// How many columns the id and the counts beside an idiom take.
const MARGIN: usize = 37;
/// How many an idiom is given at least, however narrow the terminal.
const MIN_WIDTH: usize = 40;

/// The figures of a run.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    corpus: String,
    programs: usize,
    sites: usize,
    candidates: usize,
    idioms: usize,
    seconds: Seconds,
    ns_per_site: f64,
    log_posterior: Vec<f64>,
    compression: Compression,
    coverage: Coverage,
    /// On dev.
    bits_per_node: Option<BitsPerNode>,
    greedy_discards: f64,
    /// Where the programs are cut out of source files.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    sources: Option<Sources>,
    /// Rules of other tools.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exported: Vec<Exported>,
    /// At how many places of other programs each idiom occurs, where it was mined against some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elsewhere: Vec<usize>,
    /// What became of the titles in the file that was there before.
    titles: KeptTitles,
    #[serde(skip)]
    n_fragments: usize,
}

/// The source files that programs were cut out of.
#[derive(Debug, Serialize)]
pub(crate) struct Sources {
    language: String,
    #[serde(flatten)]
    files: FileFigures,
    /// How many idioms have a local name at several places; nothing where names are kept.
    idioms_with_equal_names: Option<usize>,
    /// What was left out, most frequent reason first.
    skipped: Vec<Skipped>,
}

/// Files and folders that were left out for the same reason.
#[derive(Debug, Serialize)]
struct Skipped {
    reason: String,
    count: usize,
    first: String,
}

impl Sources {
    pub(crate) fn new(read: &RepositoryPrograms, elsewhere: &[Unreadable]) -> Sources {
        let mut reasons: IndexMap<&str, (usize, &str)> = IndexMap::new();
        for skipped in read.skipped.iter().chain(elsewhere) {
            let first = reasons.entry(skipped.kind()).or_insert((0, &skipped.file));
            first.0 += 1;
        }
        let mut skipped: Vec<Skipped> = reasons
            .into_iter()
            .map(|(reason, (count, first))| Skipped {
                reason: reason.to_owned(),
                count,
                first: first.to_owned(),
            })
            .collect();
        skipped.sort_by_key(|it| std::cmp::Reverse(it.count));
        Sources {
            language: read.language.name().to_owned(),
            files: read.figures,
            idioms_with_equal_names: None,
            skipped,
        }
    }

    /// Says how many idioms have a hole that stands at several places, where local names are holes.
    pub(super) fn count_equal_names(&mut self, library: &IdiomLibrary) {
        let is_shared = |it: &Fragment| it.n_nodes() - it.n_fixed() > it.n_holes();
        let idioms = library.iter().filter(|it| is_shared(&it.1.fragment));
        self.idioms_with_equal_names = Some(idioms.count());
    }

    pub(crate) fn for_people(&self) -> String {
        let FileFigures {
            files,
            bytes,
            faulty_files,
            faults,
            ..
        } = self.files;
        let size = bytes as f64 / 1e6;
        let mut text = format!(
            "{}: {} of {size:.1} MB",
            self.language,
            count(files, "file")
        );
        if faulty_files > 0 {
            let _ = write!(
                text,
                ", {faulty_files} of which do not parse whole (left out: {})",
                count(faults, "place")
            );
        }
        text.push('\n');
        if let Some(n_idioms) = self.idioms_with_equal_names {
            let idioms = count(n_idioms, "idiom");
            let _ = writeln!(
                text,
                "local names are holes: {idioms} with one at several places"
            );
        }
        for skipped in self.skipped.iter().take(MAX_REASONS) {
            let Skipped { reason, count, .. } = skipped;
            let (first, reason) = (harmless(&skipped.first), harmless(reason));
            let _ = match count {
                1 => writeln!(text, "skipped: {first} {reason}"),
                _ => writeln!(text, "skipped: {count} that each {reason}, such as {first}"),
            };
        }
        if self.skipped.len() > MAX_REASONS {
            let more = self.skipped.len() - MAX_REASONS;
            let _ = writeln!(text, "skipped: others for {}", count(more, "more reason"));
        }
        text
    }
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Seconds {
    pub(super) read: f64,
    pub(super) sample: f64,
    pub(super) extract: f64,
    pub(super) total: f64,
}

/// How many times fewer rules are applied with the idioms than without.
#[derive(Debug, Serialize)]
struct Compression {
    train: f64,
    train_with_library: f64,
    dev: Option<f64>,
}

/// The share of nodes that are part of an idiom.
#[derive(Debug, Serialize)]
struct Coverage {
    train: f64,
    dev: Option<f64>,
}

/// How a report is shown to people.
pub(super) struct Shown<'a> {
    pub(super) limit: usize,
    pub(super) out: &'a Path,
    /// How many columns there are.
    pub(super) width: usize,
}

impl Report {
    pub(super) fn new(
        corpus: &str,
        programs: usize,
        mined: &Mined,
        dev: Option<Figures>,
        seconds: Seconds,
    ) -> Report {
        let train = &mined.figures;
        let n_visits = mined.n_sites * mined.sweeps.len();
        Report {
            corpus: corpus.to_owned(),
            programs,
            sites: mined.n_sites,
            candidates: mined.n_candidates,
            idioms: mined.library.len(),
            seconds,
            ns_per_site: seconds.sample * 1e9 / n_visits.max(1) as f64,
            log_posterior: mined.sweeps.iter().map(|it| it.ln_posterior).collect(),
            compression: Compression {
                train: train.applications.ratio(),
                train_with_library: train.applications.ratio_with_library(),
                dev: dev.map(|it| it.applications.ratio()),
            },
            coverage: Coverage {
                train: train.node_coverage,
                dev: dev.map(|it| it.node_coverage),
            },
            bits_per_node: mined.bits_per_node,
            greedy_discards: train.discarded,
            sources: None,
            exported: Vec::new(),
            elsewhere: Vec::new(),
            titles: KeptTitles::default(),
            n_fragments: mined.sweeps.last().map_or(0, |it| it.n_fragments),
        }
    }

    pub(super) fn with_sources(mut self, sources: Sources) -> Report {
        self.sources = Some(sources);
        self
    }

    pub(super) fn with_rules(mut self, exported: Vec<Exported>) -> Report {
        self.exported = exported;
        self
    }

    pub(super) fn with_titles(mut self, titles: KeptTitles) -> Report {
        self.titles = titles;
        self
    }

    /// Says at how many places of other programs each idiom occurs.
    pub(super) fn with_elsewhere(mut self, elsewhere: Vec<usize>) -> Report {
        self.elsewhere = elsewhere;
        self
    }

    /// What has died out: idioms of other programs that these do not have any more.
    pub(super) fn gone_for_people(&self, file: &IdiomFile, shown: &Shown<'_>) -> String {
        let rows = self.rows(&file.idioms);
        let gone: Vec<Row<'_>> = rows.into_iter().filter(Row::is_gone).collect();
        let title = "what has died out".to_owned();
        table(&gone, &title, shown)
    }

    fn rows<'f>(&self, idioms: &'f [IdiomRecord]) -> Vec<Row<'f>> {
        let elsewhere = self.elsewhere.iter().copied().map(Some);
        let elsewhere = elsewhere.chain(std::iter::repeat(None));
        let numbers = 1..;
        let rows = numbers.zip(idioms).zip(elsewhere);
        rows.map(|((number, idiom), elsewhere)| Row {
            number,
            idiom,
            elsewhere,
        })
        .collect()
    }

    /// The idioms: in two lists, where it is known what is usual.
    fn lists(&self, file: &IdiomFile, shown: &Shown<'_>) -> String {
        let rows = self.rows(&file.idioms);
        let against = file.config.get("against").and_then(|it| it.as_str());
        let Some(against) = against else {
            return table(&rows, "", shown);
        };
        let (own, usual): (Vec<Row<'_>>, Vec<Row<'_>>) = rows
            .into_iter()
            .partition(|it| it.idiom.is_own() == Some(true));
        let own_title = format!("its own, beyond what is usual in {against}");
        table(&own, &own_title, shown) + &table(&usual, "what is usual there, too", shown)
    }

    pub(super) fn for_people(&self, file: &IdiomFile, shown: &Shown<'_>) -> String {
        let mut text = self.heading();
        if !file.idioms.is_empty() {
            text += &self.lists(file, shown);
            text += &self.figures();
        }
        let out = shown.out.display();
        let _ = match self.idioms {
            0 => writeln!(text, "no idioms: nothing repeats; `{out}` has none"),
            1 => writeln!(text, "1 idiom written to `{out}`"),
            n => writeln!(text, "{n} idioms written to `{out}`"),
        };
        text += &titles_for_people(&self.titles);
        text.extend(self.exported.iter().map(Exported::for_people));
        text
    }

    fn heading(&self) -> String {
        let title = format!("{}: {}", self.corpus, count(self.programs, "program"));
        let Seconds { sample, total, .. } = self.seconds;
        let sources = self.sources.as_ref().map(Sources::for_people);
        let sources = sources.unwrap_or_default();
        format!(
            "{}\n{sources}{} in {}\n{} in {sample:.2} s ({:.0} ns a node and sweep), {total:.2} s in all\n\n",
            styled(BOLD, harmless(&title)),
            count(self.n_fragments, "fragment"),
            count(self.sites, "node"),
            count(self.log_posterior.len(), "sweep"),
            self.ns_per_site,
        )
    }

    fn figures(&self) -> String {
        let dev_is_there = self.compression.dev.is_some();
        let heading = format!(
            "{:<34}{:>10}{:>10}",
            "",
            "train",
            if dev_is_there { "dev" } else { "" }
        );
        let mut text = format!("{}\n", styled(BOLD, heading.trim_end()));
        let mut row = |name: &str, train: String, dev: Option<String>| {
            let dev = dev.unwrap_or_default();
            let line = format!("{name:<34}{train:>10}{dev:>10}");
            text.push_str(line.trim_end());
            text.push('\n');
        };
        let times = |it: f64| format!("{it:.2}");
        let share = |it: f64| format!("{:.1} %", 100.0 * it);
        let Compression {
            train,
            train_with_library,
            dev,
        } = self.compression;
        row(
            "rules applied, without / with",
            times(train),
            dev.map(times),
        );
        row("  the library counted", times(train_with_library), None);
        let coverage = &self.coverage;
        row(
            "nodes inside an idiom",
            share(coverage.train),
            coverage.dev.map(share),
        );
        if let Some(BitsPerNode { pcfg, fragments }) = self.bits_per_node {
            row(
                "bits a node, grammar alone",
                String::new(),
                Some(times(pcfg)),
            );
            row(
                "  cut into fragments",
                String::new(),
                Some(times(fragments)),
            );
        }
        row(
            "occurrences a greedy rewrite drops",
            share(self.greedy_discards),
            None,
        );
        text + "\n"
    }
}

/// What became of the titles that people had written.
fn titles_for_people(titles: &KeptTitles) -> String {
    let mut text = String::new();
    if titles.kept > 0 {
        let _ = writeln!(text, "{} kept", count(titles.kept, "title"));
    }
    for LostTitle { id, title } in &titles.lost {
        let (id, title) = (harmless(id), harmless(title));
        let _ = writeln!(text, "lost: {id}, \"{title}\", is not found any more");
    }
    text
}

/// An idiom of a list.
struct Row<'f> {
    /// Its number in the file.
    number: usize,
    idiom: &'f IdiomRecord,
    /// At how many places of other programs it occurs.
    elsewhere: Option<usize>,
}

impl Row<'_> {
    /// Whether next to nothing is left of it.
    fn is_gone(&self) -> bool {
        let left = self.elsewhere.unwrap_or(0);
        self.idiom.is_own() == Some(true) && 10 * left <= self.idiom.occurrences
    }

    /// What there is to say beside the code: what holes nearly always are, which words foretell it, and what others
    /// have.
    fn notes(&self) -> Vec<String> {
        let n_places = self.idiom.occurrences;
        let filled = self.idiom.filled.iter().filter(|it| it.places < n_places);
        let filled = filled.map(|it| format!("{} at {} of {n_places}", it.hole, it.places));
        let mut notes: Vec<String> = filled.collect();
        let phrases = self.idiom.phrases.iter();
        let phrases = phrases.map(|it| {
            let phrase = harmless(&it.phrase);
            format!("\u{201c}{phrase}\u{201d} {} of {}", it.programs, it.of)
        });
        notes.extend(phrases);
        if let Some(count) = self.elsewhere {
            notes.push(format!("there: {}", self::count(count, "place")));
        }
        notes
    }
}

/// The best idioms, each with its counts beside its first line.
fn table(rows: &[Row<'_>], title: &str, shown: &Shown<'_>) -> String {
    let limit = shown.limit;
    let width = shown.width.saturating_sub(MARGIN).max(MIN_WIDTH);
    let mut text = String::new();
    if !title.is_empty() {
        let _ = writeln!(text, "{}", styled(BOLD, harmless(title)));
    }
    let heading = format!(
        "{:>4} {:<12} {:>9} {:>7} idiom",
        "", "id", "programs", "places"
    );
    text += &styled(BOLD, heading);
    text += "\n";
    for row in rows.iter().take(limit) {
        let Row { number, idiom, .. } = row;
        let lines = idiom.source.lines();
        let lines = lines.flat_map(|line| wrapped(&harmless(line), width));
        let lines: Vec<String> = lines.collect();
        let (first, lines) = lines.split_first().map_or(("", &[][..]), |it| (it.0, it.1));
        let _ = writeln!(
            text,
            "{number:>4} {:<12} {:>9} {:>7} {first}",
            idiom.id, idiom.coverage, idiom.occurrences
        );
        let n_more = lines.len();
        let n_shown = if n_more < MAX_LINES {
            n_more
        } else {
            MAX_LINES - 2
        };
        for line in &lines[..n_shown] {
            let line = format!("{:MARGIN$}{line}", "");
            text.push_str(line.trim_end());
            text.push('\n');
        }
        if n_more > n_shown {
            let _ = writeln!(text, "{:MARGIN$}({} more lines)", "", n_more - n_shown);
        }
        let notes = row.notes();
        if !notes.is_empty() {
            let _ = writeln!(text, "{:MARGIN$}({})", "", notes.join("; "));
        }
    }
    if rows.len() > limit {
        let _ = writeln!(text, "{:>4} and {} more: --all", "", rows.len() - limit);
    }
    text + "\n"
}

/// A line of source code in lines that are short enough, broken at spaces where there are any.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let indent = line.len() - line.trim_start().len();
    let hanging = (indent + 4).min(width / 2);
    let mut lines = Vec::new();
    let mut rest = line;
    // How far what is left is indented, beyond the blanks it begins with.
    let mut margin = 0;
    while let Some((end, _)) = rest.char_indices().nth(width - margin) {
        // A space right behind the last column is as good.
        let start = rest.len() - rest.trim_start().len();
        let space = rest[..end].rfind(' ').filter(|&it| it > start);
        let space = if rest[end..].starts_with(' ') {
            Some(end)
        } else {
            space
        };
        let (head, tail) = rest.split_at(space.unwrap_or(end));
        lines.push(
            format!("{:margin$}{}", "", head.trim_end())
                .trim_end()
                .to_owned(),
        );
        (rest, margin) = (tail.trim_start(), hanging);
    }
    lines.push(format!("{:margin$}{rest}", ""));
    lines
}

fn count(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces() {
        let check = |line: &str, width, expected: &[&str]| {
            assert_eq!(wrapped(line, width), expected);
        };
        check("", 10, &[""]);
        check("short", 5, &["short"]);
        check("one two three", 9, &["one two", "    three"]);
        check("one two six", 7, &["one two", "   six"]);
        check("  one two three", 11, &["  one two", "     three"]);
        check("ääääääääääää b", 8, &["ääääääää", "    ääää", "    b"]);
        check("        x", 4, &["", "  x"]);
        check("one two six ten", 7, &["one two", "   six", "   ten"]);
    }
}
