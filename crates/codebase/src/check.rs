//! House rules: what nearly all places of a code base do, and the few that do not.
//!
//! For every part of the code there are contexts, the code around it with holes for all that varies. Where
//! one thing is usual in a context, at 20 places and at 90 % of them, it is a rule, and a place
//! that has something else there is a finding. Findings are ranked by their surprise, in bits: how
//! improbable it was that this place would not be as usual.
//!
//! With *d* of *N* places that are not as usual, the others are evidence for how often that happens
//! here; how often it happens to parts of this kind in other contexts is the prior, a Beta distribution
//! with mean *m* that is worth κ places:
//!
//! > surprise = −log₂ ((d − 1 + κ m) / (N − 1 + κ))

mod context;
mod rule;
mod tally;
mod wording;

use indexmap::IndexMap;
use patois_syntax::NodeId;

use crate::findings::Finding;
use crate::idiom_source::IdiomPrinter;
use crate::repository::{RepositoryPrograms, SpanCache};

use context::{Aspect, Kinds, callee_name};
pub use rule::Rule;
use tally::{Counted, Other, Place, Rate, Usual};

/// How much the prior is worth, in places.
const PRIOR_PLACES: f64 = 10.0;
/// No kind of part is ever as regular as this, or less regular than that.
const RATES: (f64, f64) = (0.01, 0.9);
/// What a place is worth where what is called has other names.
const ELSEWHERE: f64 = 0.1;
/// The fewest places that are worth something.
const MIN_EVIDENCE: f64 = 8.0;
/// What is there so often is another way to do it.
const ALTERNATIVE: usize = 4;

/// What makes a rule, and a finding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckConfig {
    /// At how many places something must be done to be usual.
    pub min_places: usize,
    /// At which share of the places that could do it.
    pub min_share: f64,
    /// The least surprise of a finding, in bits.
    pub min_surprise: f64,
}

impl Default for CheckConfig {
    fn default() -> CheckConfig {
        CheckConfig {
            min_places: 20,
            min_share: 0.9,
            min_surprise: 5.0,
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
}

/// Finds the places of a code base that are not as usual, the most surprising first.
pub fn check(read: &RepositoryPrograms, config: &CheckConfig) -> Vec<Deviation> {
    let counted = tally::count(read, config);
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    let kinds = Kinds::of(&read.grammar);
    for usual in &counted.usual {
        if is_plain(read, &kinds, usual) {
            continue;
        }
        for other in usual.others.iter().filter(|it| it.n_alike < ALTERNATIVE) {
            let surprise = surprise(read, usual, &counted, other);
            if surprise >= config.min_surprise {
                candidates.push(Candidate {
                    usual,
                    place: other.place,
                    surprise,
                });
            }
        }
    }
    let mut report = wording::Report::new(read, &kinds);
    let best = best_of_each_place(candidates);
    let mut deviations: Vec<Deviation> =
        best.iter().filter_map(|it| report.deviation(it)).collect();
    deviations.sort_by(|one, other| {
        let by_surprise = other.surprise.total_cmp(&one.surprise);
        let region = |it: &Deviation| (it.finding.region.clone(), it.rule.id.clone());
        by_surprise.then_with(|| region(one).cmp(&region(other)))
    });
    deviations
}

/// A place that may become a finding.
pub(crate) struct Candidate<'c> {
    usual: &'c Usual,
    place: Place,
    surprise: f64,
}

/// Whether what is usual is only that a call is a statement.
fn is_plain(read: &RepositoryPrograms, kinds: &Kinds, usual: &Usual) -> bool {
    let is_outside = matches!(usual.aspect, Aspect::Around | Aspect::Above);
    let example = usual.examples[0];
    let label = read.trees[example.program as usize].label(example.part);
    is_outside && kinds.is_plain(label)
}

fn surprise(read: &RepositoryPrograms, usual: &Usual, counted: &Counted, other: &Other) -> f64 {
    let Rate { sum, n_contexts } = counted.rates[&usual.class];
    let rate = (sum / n_contexts).clamp(RATES.0, RATES.1);
    let n_others = (usual.n_places - usual.n_usual) as f64;
    let mut n_usual = usual.n_usual as f64;
    if !usual.callees.is_empty() {
        // Another object may have a method of the same name.
        let Place { program, root, .. } = other.place;
        let name = callee_name(&read.grammar, &read.trees[program as usize], root);
        let n_same = usual.callees.get(&name).copied().unwrap_or(0) as f64;
        n_usual = n_same + ELSEWHERE * (n_usual - n_same);
        if n_usual < MIN_EVIDENCE {
            return 0.0;
        }
    }
    let n_before = n_usual + n_others - 1.0;
    -((n_others - 1.0 + PRIOR_PLACES * rate) / (n_before + PRIOR_PLACES)).log2()
}

/// A place is against many rules at once: the most surprising says it.
fn best_of_each_place(mut candidates: Vec<Candidate<'_>>) -> Vec<Candidate<'_>> {
    let evidence = |it: &Candidate<'_>| {
        (
            it.surprise,
            it.usual.n_usual as f64,
            f64::from(it.usual.variant),
        )
    };
    candidates.sort_by(|one, other| {
        let (one, other) = (evidence(one), evidence(other));
        other.partial_cmp(&one).unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut best: IndexMap<(u32, NodeId), Candidate<'_>> = IndexMap::new();
    for candidate in candidates {
        let key = (candidate.place.program, candidate.place.part);
        best.entry(key).or_insert(candidate);
    }
    best.into_values().collect()
}
