//! What was found: for people, for other programs, for code hosts.

use std::fmt::Write as _;

use indexmap::IndexMap;
use patois_codebase::check::{Deviation, Mended, diff};
use patois_codebase::findings::{Finding, Level, RuleText, github};
use patois_codebase::repository::RepositoryPrograms;
use patois_codebase::sarif::sarif;
use patois_codebase::sources::Unreadable;
use serde::Serialize;

use super::{FormatName, current_folder};
use crate::Context;
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::terminal::{BAD, BOLD, DIM, Format, styled};

/// What was looked at, and what was found.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) deviations: Vec<Deviation>,
    pub(super) mended: Vec<Mended>,
    pub(super) counts: Counts,
    /// Why files were left out, and how many for each reason.
    skipped: IndexMap<String, (usize, String)>,
}

/// How much was looked at, and left out.
#[derive(Clone, Copy, Default, Serialize)]
pub(super) struct Counts {
    pub(super) files: usize,
    pub(super) lines: usize,
    /// Findings that a comment silences.
    pub(super) silenced: usize,
    /// Findings that the settings leave out.
    pub(super) muted: usize,
    /// Findings that the baseline knows.
    pub(super) known: usize,
    /// Findings on lines that have not changed.
    pub(super) unchanged: usize,
}

#[derive(Serialize)]
struct Shown<'c> {
    findings: Vec<ShownFinding<'c>>,
    #[serde(flatten)]
    counts: Counts,
    skipped: Vec<ShownReason<'c>>,
    fixed: usize,
}

#[derive(Serialize)]
struct ShownFinding<'c> {
    #[serde(flatten)]
    finding: &'c Finding,
    surprise: f64,
    usual: usize,
    places: usize,
    idiom: &'c str,
}

#[derive(Serialize)]
struct ShownReason<'c> {
    reason: &'c str,
    count: usize,
    first: &'c str,
}

impl Checked {
    /// Counts what was left out.
    pub(super) fn skip(&mut self, skipped: &[Unreadable]) {
        for it in skipped {
            let reason = self.skipped.entry(it.kind().to_owned());
            reason.or_insert((0, it.file.clone())).0 += 1;
        }
    }

    /// Counts what was read.
    pub(super) fn read(&mut self, read: &RepositoryPrograms) {
        self.skip(&read.skipped);
        self.counts.files += read.figures.files;
        let lines = read.files.iter().map(|it| it.text.lines().count());
        self.counts.lines += lines.sum::<usize>();
    }

    /// The first file that was left out, and why.
    pub(super) fn first_skipped(&self) -> Option<String> {
        let (reason, (_, file)) = self.skipped.first()?;
        Some(format!("{file}: {reason}"))
    }

    /// Errors first, then the most surprising.
    pub(super) fn sort(&mut self) {
        self.deviations.sort_by(|one, other| {
            let by_level = other.finding.level.cmp(&one.finding.level);
            by_level.then_with(|| other.surprise.total_cmp(&one.surprise))
        });
    }

    pub(super) fn show(
        &self,
        context: &Context,
        format: FormatName,
        limit: usize,
        is_diff: bool,
        is_fixed: bool,
    ) -> Result<(), Failure> {
        let limit = if limit == 0 { usize::MAX } else { limit };
        let mut terminal = context.terminal;
        let findings = || {
            self.deviations
                .iter()
                .map(|it| it.finding.clone())
                .collect::<Vec<_>>()
        };
        match format {
            FormatName::Text => {}
            FormatName::Json => terminal.format = Format::Json,
            FormatName::Sarif => {
                let log = sarif(&findings(), &self.rules(), &current_folder());
                let json = serde_json::to_string_pretty(&log)
                    .map_err(|error| Failure::new("cannot write the findings").because(error))?;
                return terminal.document(&crate::harmless::escaped(&(json + "\n")));
            }
            FormatName::Github => {
                return terminal.document(&github(&findings(), &current_folder()));
            }
        }
        let shown = self.shown(is_fixed);
        terminal.result(&shown, || {
            if is_diff {
                return self.mended.iter().map(diff).collect();
            }
            self.for_people(limit, is_fixed)
        })
    }

    fn shown(&self, is_fixed: bool) -> Shown<'_> {
        let findings = self.deviations.iter().map(|it| ShownFinding {
            finding: &it.finding,
            surprise: it.surprise,
            usual: it.rule.n_usual,
            places: it.rule.n_places,
            idiom: &it.rule.source,
        });
        let reasons = self.skipped.iter();
        let reasons = reasons.map(|(reason, (count, first))| ShownReason {
            reason,
            count: *count,
            first,
        });
        Shown {
            findings: findings.collect(),
            counts: self.counts,
            skipped: reasons.collect(),
            fixed: if is_fixed { self.n_fixes() } else { 0 },
        }
    }

    fn n_fixes(&self) -> usize {
        self.mended.iter().map(|it| it.n_fixes).sum()
    }

    /// The rules that findings are against, each once.
    fn rules(&self) -> Vec<RuleText> {
        let mut rules: IndexMap<&str, RuleText> = IndexMap::new();
        for Deviation { rule, .. } in &self.deviations {
            rules.entry(&rule.id).or_insert_with(|| RuleText {
                id: rule.id.clone(),
                title: rule.source.clone(),
                description: format!(
                    "{} of {} places write {}",
                    rule.n_usual, rule.n_places, rule.source
                ),
            });
        }
        rules.into_values().collect()
    }

    fn for_people(&self, limit: usize, is_fixed: bool) -> String {
        let mut text = String::new();
        for deviation in self.deviations.iter().take(limit) {
            text += &one(deviation);
        }
        let n_more = self.deviations.len().saturating_sub(limit);
        if n_more > 0 {
            let _ = writeln!(text, "and {n_more} more: --limit 0\n");
        }
        let Counts {
            files,
            lines,
            silenced,
            muted,
            known,
            unchanged,
        } = self.counts;
        let found = counted(self.deviations.len(), "finding");
        let _ = write!(
            text,
            "{found} in {} of {lines} lines",
            counted(files, "file")
        );
        let left_out = [
            (known, "in the baseline"),
            (unchanged, "on lines that have not changed"),
            (silenced, "silenced by comments"),
            (muted, "muted"),
        ];
        for (count, what) in left_out.into_iter().filter(|it| it.0 > 0) {
            let _ = write!(text, ", {count} {what}");
        }
        text.push('\n');
        for (reason, (count, first)) in &self.skipped {
            let files = counted(*count, "file or folder");
            let line = format!("left out: {files}: {reason} ({first})");
            let _ = writeln!(text, "{}", styled(DIM, harmless(&line)));
        }
        if is_fixed {
            let _ = writeln!(text, "mended {}", counted(self.n_fixes(), "place"));
        }
        text
    }
}

fn one(deviation: &Deviation) -> String {
    let Finding {
        rule,
        level,
        message,
        region,
        related,
        fix,
        ..
    } = &deviation.finding;
    let style = if *level == Level::Error { BAD } else { BOLD };
    let place = format!("{}:{}:{}", region.file, region.line, region.column);
    let mut text = format!(
        "{}: {}: {} [{rule}] {:.1} bits\n",
        styled(BOLD, harmless(&place)),
        styled(style, level.name()),
        harmless(message),
        deviation.surprise
    );
    let _ = writeln!(text, "    {}", harmless(&region.text));
    for other in related {
        let line = format!(
            "  = {}:{}: {}",
            other.region.file, other.region.line, other.region.text
        );
        let _ = writeln!(text, "{}", styled(DIM, harmless(&line)));
    }
    if let Some(fix) = fix {
        let _ = writeln!(
            text,
            "  {}",
            styled(DIM, harmless(&format!("+ {}: --fix", fix.description)))
        );
    }
    text.push('\n');
    text
}

fn counted(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!(
            "{n} {}",
            what.replace("file or", "files or")
                .trim_end_matches('s')
                .to_owned()
                + "s"
        ),
    }
}
