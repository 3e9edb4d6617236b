//! The ranking by phrases: idioms that the words of a specification call for.
//!
//! A synthesiser reads a text and makes choices. An idiom is one more choice at its symbol: whether its body stands
//! at a node is then said at once, with a probability *q* that depends on the text, and not choice by choice, with the
//! product *p* of all choices in the body. It is worth as much as that says it better:
//!
//! ```text
//! gain(I) = Σ_places of I [ ln q - ln p ]  +  Σ_other nodes of its symbol [ ln(1 - q) - ln(1 - p) ]
//! ```
//!
//! That is the improvement of the corpus's conditional log-likelihood, in nats, when the idiom comes to the grammar and all
//! that is not the idiom keeps its proportions. *q* is a [small log-linear model](logistic) over words and pairs of words,
//! *p* is made of [frequencies](spelling); each is learnt without the program that it is held against. Choices that are
//! independent gain nothing together, and neither does what chance put together: *q* is then no better than *p*, and learnt
//! from less. Among many candidates some gain a little by luck; so `ln m` nats are taken off the gain of each of *m*
//! candidates, which is what it takes to say which of them is meant.
//!
//! The choices of the body do not know the text: where they do, what foretells an idiom foretells its parts as well, and
//! idioms that nothing foretells come first, since all of their parts are dear.
//!
//! Idioms are taken one after the other. What an idiom that was taken covers needs no spelling any more, so that of two
//! that say the same, only one is worth something.

mod logistic;
mod spelling;
#[cfg(test)]
mod tests;
mod texts;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use patois_syntax::{Grammar, Tree};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use texts::Texts;

use crate::candidates::{Candidate, CandidateId, Pool};
use crate::rank::{Covered, Ranked};
use logistic::{Model, N_PARTS, Predicted, part};
use spelling::{Body, Spelling, taken};

/// A word, or two that follow each other, that an idiom is foretold by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrase {
    /// The words.
    pub phrase: String,
    /// In how many programs with these words in their specification the idiom is.
    pub programs: usize,
    /// How many programs with these words there are.
    pub of: usize,
}

/// How many phrases are named for an idiom, how large their weights are at least, and how much more frequent it is with
/// them than without, unless it is nearly always there.
const N_NAMED: usize = 4;
const MIN_WEIGHT: f64 = 0.3;
const MIN_LIFT: f64 = 1.25;

/// How many candidates are evaluated at once.
const BATCH: usize = 64;

/// The candidates that improve the conditional log-likelihood of the corpus most, each after those before it; none that
/// does not.
pub(crate) fn by_phrases(
    grammar: &Grammar,
    pool: &Pool,
    trees: &[Tree],
    texts: &Texts,
    n_idioms: usize,
) -> Vec<Ranked> {
    let spelling = Spelling::new(grammar, trees, texts);
    let mut search = Search {
        pool,
        texts,
        covered: Covered::new(trees),
        choices: vec![None; pool.len()],
        spelling,
    };
    let mut queue = search.bounds();
    let mut chosen: Vec<Ranked> = Vec::new();
    while chosen.len() < n_idioms
        && let Some(first) = queue.peek()
        && first.gain > 0.0
    {
        if first.then == Some(chosen.len()) {
            let (id, gain) = (first.id.0, first.gain);
            queue.pop();
            search.covered.add(&pool[id]);
            chosen.push((id, gain));
            continue;
        }
        let mut stale = Vec::new();
        while stale.len() < BATCH
            && let Some(next) = queue.peek()
            && next.then != Some(chosen.len())
        {
            stale.extend(queue.pop().map(|it| it.id.0));
        }
        queue.extend(search.gains(&stale, chosen.len()));
    }
    chosen
}

/// The phrases that foretell a candidate most surely.
pub(crate) fn phrases_of(candidate: &Candidate, trees: &[Tree], texts: &Texts) -> Vec<Phrase> {
    let symbol = candidate.fragment.root_symbol();
    let count = |tree: &Tree| tree.nodes().filter(|it| tree.symbol(*it) == symbol).count() as u32;
    let nodes = logistic::Opportunities::new(texts, trees.iter().map(count).collect());
    let taken = taken(&candidate.places);
    let model = Model::fit(texts, &nodes, &taken, None);
    let mut named: Vec<Phrase> = Vec::new();
    for (phrase, weight) in model.weights {
        let name = texts.name(phrase);
        let is_said = |it: &Phrase| {
            let words = |it: &str| it.split(' ').map(str::to_owned).collect::<Vec<_>>();
            words(&it.phrase)
                .iter()
                .any(|own| words(name).contains(own))
        };
        let programs = texts.programs(phrase);
        let has_idiom = |it: &&u32| taken.binary_search_by_key(*it, |own| own.0).is_ok();
        let n_both = programs.iter().filter(has_idiom).count();
        let usual = taken.len() as f64 / trees.len() as f64;
        let is_more = n_both as f64 > MIN_LIFT * usual * programs.len() as f64;
        let is_readable = name.contains(char::is_alphanumeric);
        if weight < MIN_WEIGHT || !is_more || !is_readable || named.iter().any(is_said) {
            continue;
        }
        named.push(Phrase {
            phrase: name.to_owned(),
            programs: n_both,
            of: programs.len(),
        });
        if named.len() == N_NAMED {
            break;
        }
    }
    named
}

/// What a candidate gains, as far as known. Greater is better; of equals, what comes first in the pool.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    gain: f64,
    id: Reverse<CandidateId>,
    /// How many idioms were chosen when it was exact; none where it is a bound.
    then: Option<usize>,
}

impl Ord for Estimate {
    fn cmp(&self, other: &Estimate) -> std::cmp::Ordering {
        self.gain
            .total_cmp(&other.gain)
            .then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for Estimate {
    fn partial_cmp(&self, other: &Estimate) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Estimate {
    fn eq(&self, other: &Estimate) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Estimate {}

/// How likely a candidate is to be chosen, and what that gains at nodes where it is not.
#[derive(Clone, Debug)]
struct Choice {
    predicted: Predicted,
    elsewhere: f64,
}

struct Search<'a> {
    pool: &'a Pool,
    texts: &'a Texts,
    spelling: Spelling<'a>,
    /// What the chosen ones cover.
    covered: Covered<'a>,
    /// By candidate, as far as they were needed.
    choices: Vec<Option<Choice>>,
}

impl Search<'_> {
    /// What candidates gain if they can be chosen for nothing.
    fn bounds(&self) -> BinaryHeap<Estimate> {
        let ids: Vec<CandidateId> = self.pool.ids().collect();
        let bounds: Vec<Estimate> = ids
            .into_par_iter()
            .map(|id| {
                let candidate = &self.pool[id];
                let places = candidate.places.iter();
                let costs = places.map(|it| self.spelling.cost(candidate, *it, |_, _| true));
                Estimate {
                    gain: costs.sum(),
                    id: Reverse(id),
                    then: None,
                }
            })
            .collect();
        bounds.into()
    }

    /// What candidates gain now, of those that gain anything.
    fn gains(&mut self, candidates: &[CandidateId], n_chosen: usize) -> Vec<Estimate> {
        let choices: Vec<Choice> = candidates
            .par_iter()
            .map(|&id| match &self.choices[id.index()] {
                Some(choice) => choice.clone(),
                None => self.choice(id),
            })
            .collect();
        let gains: Vec<f64> = candidates
            .par_iter()
            .zip(&choices)
            .map(|(&id, choice)| self.gain(id, choice))
            .collect();
        for (id, choice) in candidates.iter().zip(choices) {
            self.choices[id.index()] = Some(choice);
        }
        let estimates = candidates.iter().zip(gains).map(|(&id, gain)| Estimate {
            gain,
            id: Reverse(id),
            then: Some(n_chosen),
        });
        estimates.filter(|it| it.gain > 0.0).collect()
    }

    fn choice(&self, id: CandidateId) -> Choice {
        let candidate = &self.pool[id];
        let nodes = &self.spelling.nodes[candidate.fragment.root_symbol()];
        let taken = taken(&candidate.places);
        let predicted = Predicted::new(self.texts, nodes, &taken);
        Choice {
            elsewhere: self.elsewhere(candidate, &predicted, &taken),
            predicted,
        }
    }

    /// `Σ (n - k) [ ln(1 - q) - ln(1 - p) ]`. Where holes must be filled equally, *p* is not known, and taken for nothing:
    /// that body is spelled at many places that are none of the idiom.
    fn elsewhere(&self, candidate: &Candidate, predicted: &Predicted, taken: &[(u32, u32)]) -> f64 {
        let fragment = &candidate.fragment;
        let nodes = &self.spelling.nodes[fragment.root_symbol()];
        let is_shared = fragment.n_nodes() - fragment.n_fixed() > fragment.n_holes();
        let body = Body::of(fragment);
        let spelled: Vec<f64> = (0..N_PARTS)
            .map(|part| {
                if is_shared {
                    0.0
                } else {
                    self.spelling.body(&body, part)
                }
            })
            .collect();
        let mut taken = taken.iter().peekable();
        let mut sum = 0.0;
        for (program, &n) in (0..).zip(&nodes.of) {
            let k = taken.next_if(|it| it.0 == program).map_or(0, |it| it.1);
            if n > k {
                let (q, p) = (predicted.of(program), spelled[part(program)]);
                sum += f64::from(n - k) * ((-q).ln_1p() - (-p).ln_1p());
            }
        }
        sum
    }

    /// What a candidate gains. A place is worth what nobody covers there, less the choice; where that is less than
    /// nothing, others are chosen there, unless it never was worth more.
    fn gain(&self, id: CandidateId, choice: &Choice) -> f64 {
        let candidate = &self.pool[id];
        let places = candidate.places.iter().map(|place| {
            let ln_q = choice.predicted.of(place.tree.index() as u32).ln();
            let all = ln_q + self.spelling.cost(candidate, *place, |_, _| true);
            let is_new = |tree, node| !self.covered.holds(tree, node);
            let new = ln_q + self.spelling.cost(candidate, *place, is_new);
            new.max(all.min(0.0))
        });
        choice.elsewhere + places.sum::<f64>() - (self.pool.len() as f64).ln()
    }
}
