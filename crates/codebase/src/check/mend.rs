//! Mending: where there is one way to do it, a place becomes what is usual.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use patois_languages::SourceLanguage;
use patois_syntax::Label;

use super::context::Aspect;
use super::rule::Rule;
use super::tally::Place;
use super::wording::Report;
use crate::findings::{Finding, Fix, Region};
use crate::repository::{RepositoryPrograms, UnitConfig};
use crate::source_file::SourceFile;

/// How a place becomes what is usual.
///
/// There is one way where a name or literal is another one: its text is what all the others have. Names that
/// are part of more have no place of their own, and what has parts could be filled in many ways.
pub(super) fn fix(report: &Report<'_>, rule: &Rule, aspect: Aspect, place: Place) -> Option<Fix> {
    let program = report.program(place);
    let is_text = matches!(program.tree.label(place.part), Label::Text(_));
    if aspect != Aspect::Inside || !is_text || !rule.usual.starts_with('"') {
        return None;
    }
    let span = report.span(place)?;
    let found = &report.text(place)[span.range()];
    if found.contains('\n') {
        return None;
    }
    let Label::Text(text) = program.tree.label(place.part) else {
        return None;
    };
    let usual: String = serde_json::from_str(&rule.usual).ok()?;
    // The text must be what is written, not what it means.
    let replacement = if found == text.as_str() {
        usual
    } else if !rule.wanted.ends_with("...") {
        rule.wanted.clone()
    } else {
        return None;
    };
    let region: Region = report.region(aspect, place)?;
    Some(Fix {
        description: format!("write `{replacement}`"),
        start: span.range().start,
        end: span.range().end,
        replacement,
        region,
    })
}

/// A file with some of its findings mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The file.
    pub path: String,
    /// What it held.
    pub before: String,
    /// What it holds now.
    pub after: String,
    /// How many findings are mended.
    pub n_fixes: usize,
}

/// The files with all the findings mended that can be.
///
/// Of fixes that overlap, the first counts; one that leaves the file with more that does not parse is not made.
pub fn mended(read: &RepositoryPrograms, findings: &[&Finding]) -> Vec<Mended> {
    let mut by_file: BTreeMap<&str, Vec<&Fix>> = BTreeMap::new();
    for finding in findings {
        if let Some(fix) = &finding.fix {
            by_file.entry(&finding.region.file).or_default().push(fix);
        }
    }
    let files = by_file.into_iter().filter_map(|(path, fixes)| {
        let file = read.files.iter().find(|it| it.path == path)?;
        mend_file(&read.language, file, &fixes)
    });
    files.collect()
}

fn mend_file(language: &SourceLanguage, file: &SourceFile, fixes: &[&Fix]) -> Option<Mended> {
    let n_faults = |text: &str| {
        let source = [(file.path.clone(), text.to_owned())];
        let read = RepositoryPrograms::of_sources(language.clone(), source, &UnitConfig::default());
        read.figures.faults + read.figures.skipped_files
    };
    let n_before = n_faults(&file.text);
    let mut made: Vec<&Fix> = Vec::new();
    for fix in fixes {
        let overlaps = made
            .iter()
            .any(|it| it.start < fix.end && fix.start < it.end);
        if overlaps {
            continue;
        }
        made.push(fix);
        if n_faults(&with(&file.text, &made)) > n_before {
            made.pop();
        }
    }
    (!made.is_empty()).then(|| Mended {
        path: file.path.clone(),
        before: file.text.clone(),
        after: with(&file.text, &made),
        n_fixes: made.len(),
    })
}

/// A text with all fixes made.
fn with(text: &str, fixes: &[&Fix]) -> String {
    let mut fixes = fixes.to_vec();
    fixes.sort_by_key(|it| it.start);
    let mut mended = String::with_capacity(text.len());
    let mut at = 0;
    for fix in fixes {
        mended += &text[at..fix.start];
        mended += &fix.replacement;
        at = fix.end;
    }
    mended + &text[at..]
}

/// The change of a file as a unified diff without context.
pub fn diff(mended: &Mended) -> String {
    let (before, after) = (&mended.before, &mended.after);
    let path = &mended.path;
    let mut text = format!("--- a/{path}\n+++ b/{path}\n");
    // Fixes stay on their lines, so that lines can be compared one by one.
    let lines = before.lines().zip(after.lines()).enumerate();
    for (index, (old, new)) in lines.filter(|it| it.1.0 != it.1.1) {
        let line = index + 1;
        let _ = write!(text, "@@ -{line} +{line} @@\n-{old}\n+{new}\n");
    }
    text
}
