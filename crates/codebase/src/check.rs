//! House rules: what nearly all places of a code base do, and the few that do not.
//!
//! For every part of the code there are contexts, the code around it with holes for all that varies. Where
//! one thing is usual in a context, at 20 places and at 90 % of them, it is a rule, and a place
//! that has something else there is a finding. Findings are ranked by their surprise, in bits: how
//! improbable it was that this place would not be as usual.
//!
//! A context is strict or loose, and how often places of it are not as usual is drawn from a Beta
//! distribution of either kind. How many contexts of parts of the same kind are strict is the prior;
//! the other places of the context are the evidence, *d* − 1 of *N* − 1 that are not as usual:
//!
//! > surprise = −log₂ Σₖ P(k | d − 1, N − 1) (aₖ + d − 1) / (aₖ + bₖ + N − 1) + log₂ names
//!
//! where the names are those that the context fixes: the more there are, the less is left to chance. How often
//! differences of its kind are mistakes is added to it, in bits (`check/prior.rs`).

mod context;
mod definitions;
mod house;
mod knowledge;
mod library;
mod mend;
mod prior;
mod rule;
mod tally;
mod wording;

use std::collections::BTreeSet;

use patois_syntax::{Fragment, Label, NodeId};
use rayon::prelude::*;

use crate::findings::{Comments, Finding};
use crate::repository::RepositoryPrograms;

use context::{Aspect, Kinds};
use knowledge::Knowledge;
use prior::Change;
use tally::{Conventions, Counted, Place, Usual};
use wording::{Report, part_name};

pub use definitions::Definitions;
pub use house::{House, HouseError, HouseRules, check_against};
pub use mend::{Mended, diff, mended};
pub use rule::{Example, Rule};

/// How often places are not as usual in a context that is strict: a Beta distribution of mean 0.01.
const STRICT: (f64, f64) = (0.2, 19.8);
/// The same, in a context that is not.
const LOOSE: (f64, f64) = (1.0, 2.0);
/// What is added in bits where the file does it the usual way elsewhere: whoever wrote it knows.
const KNOWN: f64 = 1.0;
/// What is lost in bits for each other place that does the same instead: it may be a way to do it.
const AGAIN: f64 = 2.0;
/// A required rule is known by its places where it has so many of them,
const REQUIRED_PLACES: usize = 5;
/// and where nothing else is done more often.
const REQUIRED_SHARE: f64 = 0.5;
/// More rules than these are not written down.
const MAX_RULES: usize = 20_000;

/// What makes a rule, and a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckConfig {
    /// At how many places something must be done to be usual.
    pub min_places: usize,
    /// At which share of the places that could do it.
    pub min_share: f64,
    /// The least surprise of a finding, in bits.
    pub min_surprise: f64,
    /// Rules, and idioms, for which none of that counts: every place that does something else is a finding.
    pub required: BTreeSet<String>,
}

impl CheckConfig {
    /// Whether somebody requires a rule, or the idiom that it is of.
    fn requires(&self, rule: &Rule) -> bool {
        let ids = std::iter::once(&rule.id).chain(&rule.idiom);
        ids.into_iter().any(|it| self.required.contains(it))
    }

    /// The least that must be counted so that required rules are seen.
    fn to_count(&self) -> CheckConfig {
        let mut config = self.clone();
        if !self.required.is_empty() {
            config.min_places = config.min_places.min(REQUIRED_PLACES);
            config.min_share = config.min_share.min(REQUIRED_SHARE);
        }
        config
    }

    /// Whether so many places make a rule, whoever requires it.
    fn is_rule(&self, usual: &Usual) -> bool {
        let n_usual = usual.n_usual as f64;
        usual.n_usual >= self.min_places && n_usual >= self.min_share * usual.n_places as f64
    }
}

impl Default for CheckConfig {
    fn default() -> CheckConfig {
        CheckConfig {
            min_places: 20,
            min_share: 0.9,
            min_surprise: 6.0,
            required: BTreeSet::new(),
        }
    }
}

/// A place that is not as usual.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// The rule that it is against.
    pub rule: Rule,
    /// How surprising it is, in bits.
    pub surprise: f64,
    /// What to tell people.
    pub finding: Finding,
    /// Whether somebody requires the rule.
    pub is_required: bool,
}

/// The places of a code base that are not as usual.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deviations {
    /// The places: those of required rules first, then the most surprising.
    pub found: Vec<Deviation>,
    /// The required rules and idioms that the code base has.
    pub required: BTreeSet<String>,
}

/// Finds the places of a code base that are not as usual, the most surprising first.
///
/// Idioms, fragments of the programs' grammar, are rules as well, each part in the context of the others.
pub fn check(read: &RepositoryPrograms, idioms: &[Fragment], config: &CheckConfig) -> Deviations {
    let conventions = Conventions::of(read);
    let kinds = Kinds::of(&read.grammar);
    let counted = counted(read, idioms, &conventions, config);
    let knowledge = Knowledge::new(read, Definitions::of(read));
    let mut report = Report::new(read, &kinds, &conventions);
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    let mut required: BTreeSet<String> = BTreeSet::new();
    let is_wanted = |it: &&Usual| !it.others.is_empty() || !config.required.is_empty();
    let with_others = counted.usual.iter().filter(is_wanted);
    for usual in with_others.filter(|it| !is_plain(read, &kinds, it)) {
        if is_given(&report, usual) {
            continue;
        }
        let Some(rule) = report.rule(usual, &counted) else {
            continue;
        };
        let is_required = config.requires(&rule);
        if is_required {
            let ids = std::iter::once(&rule.id).chain(&rule.idiom).cloned();
            required.extend(ids.filter(|it| config.required.contains(it)));
        } else if !config.is_rule(usual) {
            continue;
        }
        let frequent = usual.frequent.iter().filter(|_| is_required);
        for &place in usual.others.iter().chain(frequent) {
            let program = report.program(place);
            let is_excused = || {
                let name = part_name(&program, usual.aspect, place);
                program.is_nothing_new(&rule, usual.aspect, place, &conventions)
                    || rule.also.contains(&name)
                    || usual.is_way_of_file(read, place)
            };
            if !is_required && is_excused() {
                continue;
            }
            let mut surprise = program.surprise(&rule, usual.aspect, place, &knowledge);
            if usual.is_known_in_file(read, place) {
                surprise += KNOWN;
            }
            surprise -= AGAIN * usual.n_same(read, place) as f64;
            if is_required || surprise >= config.min_surprise {
                candidates.push(Candidate {
                    usual,
                    rule: rule.clone(),
                    place,
                    surprise,
                    is_required,
                });
            }
        }
    }
    let best = best_of_each_place(candidates).into_iter();
    let deviations = best.filter_map(|it| {
        let context = Fragment::parse(&read.grammar, &it.rule.context).ok()?;
        let aspect = it.usual.aspect;
        let mut deviation =
            report.against_rule(&it.rule, aspect, &context, it.place, it.surprise)?;
        deviation.is_required = it.is_required;
        Some(deviation)
    });
    Deviations {
        found: ranked(deviations.collect()),
        required,
    }
}

/// The rules of a code base, those whose exceptions would surprise most first.
pub fn rules(read: &RepositoryPrograms, idioms: &[Fragment], config: &CheckConfig) -> HouseRules {
    let conventions = Conventions::of(read);
    let kinds = Kinds::of(&read.grammar);
    let counted = counted(read, idioms, &conventions, config);
    let report = Report::new(read, &kinds, &conventions);
    let found = counted.usual.par_iter().filter_map(|usual| {
        if is_plain(read, &kinds, usual) || is_given(&report, usual) {
            return None;
        }
        let rule = report.rule(usual, &counted)?;
        if !config.requires(&rule) && !config.is_rule(usual) {
            return None;
        }
        let common = rule.callees.iter().max_by_key(|it| it.1);
        let callee = common.map_or("", |it| it.0);
        let surprise = rule.surprise(callee, Change::Missing);
        // What is required is written down first.
        if config.requires(&rule) {
            return Some((f64::INFINITY, rule));
        }
        (surprise >= config.min_surprise).then_some((surprise, rule))
    });
    let mut found: Vec<(f64, Rule)> = found.collect();
    found.sort_by(|one, other| {
        let by_surprise = other.0.total_cmp(&one.0);
        by_surprise.then_with(|| one.1.id.cmp(&other.1.id))
    });
    found.dedup_by(|one, other| one.1.id == other.1.id);
    found.truncate(MAX_RULES);
    let rules: Vec<Rule> = found.into_iter().map(|it| it.1).collect();
    let called: BTreeSet<&str> = rules.iter().flat_map(Rule::names).collect();
    HouseRules {
        conventions: conventions.names(),
        definitions: Definitions::of(read).named(|it| called.contains(it)),
        rules,
    }
}

/// Takes out what comments in the files silence, and says how many findings that were.
pub fn silence(read: &RepositoryPrograms, found: Vec<Deviation>) -> (Vec<Deviation>, usize) {
    let n_all = found.len();
    let is_silenced = |it: &Deviation| {
        let region = &it.finding.region;
        let file = read.files.iter().find(|file| file.path == region.file);
        let comments = file.map(|it| Comments::of(&it.text));
        comments.is_some_and(|comments| comments.silences(&it.rule.id, region.line..=region.line))
    };
    let kept: Vec<Deviation> = found.into_iter().filter(|it| !is_silenced(it)).collect();
    let n_silenced = n_all - kept.len();
    (kept, n_silenced)
}

/// What is usual in contexts of all kinds.
fn counted(
    read: &RepositoryPrograms,
    idioms: &[Fragment],
    conventions: &Conventions,
    config: &CheckConfig,
) -> Counted {
    let mut counted = tally::count(read, conventions, &config.to_count());
    let of_idioms = library::usual(read, idioms, conventions, config);
    counted.usual.extend(of_idioms);
    counted
}

impl Counted {
    /// How many contexts are strict with parts like this one; one more is, and one is not.
    fn strict(&self, usual: &Usual) -> f64 {
        let rate = self.rates.get(&usual.class).copied().unwrap_or_default();
        (rate.n_strict + 1.0) / (rate.n_contexts + 2.0)
    }
}

/// A place that may become a finding.
struct Candidate<'c> {
    usual: &'c Usual,
    rule: Rule,
    place: Place,
    surprise: f64,
    is_required: bool,
}

/// Whether what is usual says little: that a call is a statement, that nothing is beside it, or what kind of
/// code goes with a single name.
fn is_plain(read: &RepositoryPrograms, kinds: &Kinds, usual: &Usual) -> bool {
    let Place {
        program,
        root,
        part,
    } = usual.examples[0];
    let tree = &read.trees[program as usize];
    match usual.aspect {
        Aspect::Around | Aspect::Above => kinds.is_plain(tree.label(part)),
        Aspect::Next | Aspect::Previous => part == root,
        Aspect::Inside => {
            let is_text = matches!(tree.label(part), Label::Text(_));
            usual.n_names < 2 && !is_text && !kinds.is_call(tree.label(root))
        }
    }
}

/// Whether a part is as it must be, and what is usual there says nothing; whoever gives an idiom wants all of it.
fn is_given(report: &Report<'_>, usual: &Usual) -> bool {
    if usual.context.is_some() {
        return false;
    }
    let example = usual.examples[0];
    let node = match usual.aspect {
        Aspect::Inside => example.part,
        _ => example.root,
    };
    report.program(example).is_given(node)
}

/// The surprise of a place that is not as usual, where `n_others` more are not and `n_usual` are.
fn bits(strict: f64, n_others: f64, n_usual: f64) -> f64 {
    let predicted = |(a, b): (f64, f64)| (a + n_others) / (a + b + n_others + n_usual);
    let ln_evidence = |(a, b): (f64, f64)| {
        ln_rising(a, n_others) + ln_rising(b, n_usual) - ln_rising(a + b, n_others + n_usual)
    };
    let odds = strict / (1.0 - strict) * (ln_evidence(STRICT) - ln_evidence(LOOSE)).exp();
    let is_strict = odds / (1.0 + odds);
    -(is_strict * predicted(STRICT) + (1.0 - is_strict) * predicted(LOOSE)).log2()
}

/// ln of the rising factorial x (x + 1) ... (x + n - 1).
fn ln_rising(x: f64, n: f64) -> f64 {
    let terms = std::iter::successors(Some(x), |it| Some(it + 1.0));
    // Half a step is more than sums lose by rounding.
    let end = x + n.floor() - 0.5;
    terms.take_while(|it| *it < end).map(f64::ln).sum()
}

/// A place is against many rules at once: the most surprising says it.
fn best_of_each_place(mut candidates: Vec<Candidate<'_>>) -> Vec<Candidate<'_>> {
    candidates.sort_by(|one, other| {
        let by_surprise = other
            .is_required
            .cmp(&one.is_required)
            .then_with(|| other.surprise.total_cmp(&one.surprise));
        let by_places = || other.usual.n_usual.cmp(&one.usual.n_usual);
        by_surprise
            .then_with(by_places)
            .then_with(|| one.rule.id.cmp(&other.rule.id))
    });
    let mut seen: BTreeSet<(u32, NodeId)> = BTreeSet::new();
    candidates.retain(|it| seen.insert((it.place.program, it.place.part)));
    candidates
}

/// The most surprising first, and one for each line.
fn ranked(mut deviations: Vec<Deviation>) -> Vec<Deviation> {
    deviations.sort_by(|one, other| {
        let by_surprise = other
            .is_required
            .cmp(&one.is_required)
            .then_with(|| other.surprise.total_cmp(&one.surprise));
        let region = |it: &Deviation| (it.finding.region.clone(), it.rule.id.clone());
        by_surprise.then_with(|| region(one).cmp(&region(other)))
    });
    let mut seen: BTreeSet<(String, usize)> = BTreeSet::new();
    deviations.retain(|it| {
        let region = &it.finding.region;
        seen.insert((region.file.clone(), region.line))
    });
    deviations
}

#[cfg(test)]
mod tests;
