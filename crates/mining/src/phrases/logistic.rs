//! Small log-linear models: how likely a choice is, given the phrases of a specification.
//!
//! Of the *n* nodes of one symbol that a program has, *k* make the choice. With the program's phrases,
//!
//! ```text
//! q = 1 / (1 + exp(-(b + Σ w_f)))        maximise  Σ_programs k ln q + (n - k) ln(1 - q)  -  λ/2 Σ w_f²
//! ```
//!
//! Only phrases that tell more than the best of all phrases would by chance have a weight. Which ones, and all
//! weights, are learnt without the programs that they are then held against: there is a model for every
//! [part](N_PARTS) of the programs, learnt from the others.

use patois_syntax::Id as _;

use super::texts::{PhraseId, Texts};

/// Into how many parts the programs are cut.
pub(super) const N_PARTS: usize = 5;

/// λ: how much weights are held back.
const LAMBDA: f64 = 0.5;
/// How many phrases have a weight.
const MAX_PHRASES: usize = 16;
/// How many of the most frequent phrases are looked at, also where no program that makes the choice has them.
const N_FREQUENT: usize = 32;
/// How often all weights are improved, and by how much in a step, at most.
const MAX_SWEEPS: usize = 20;
const MAX_STEP: f64 = 2.0;
/// Weights that change less are good enough.
const TOLERANCE: f64 = 1e-3;

/// The part that a program belongs to.
pub(super) fn part(program: u32) -> usize {
    program as usize % N_PARTS
}

/// The nodes of one symbol: how many each program has.
pub(super) struct Opportunities {
    /// How many each program has.
    pub(super) of: Vec<u32>,
    /// How many the programs of each part have.
    totals: [f64; N_PARTS],
    /// How many the programs with a phrase have, in each part.
    with_phrase: Vec<[f32; N_PARTS]>,
    /// The phrases whose programs have most.
    frequent: Vec<PhraseId>,
}

impl Opportunities {
    pub(super) fn new(texts: &Texts, of: Vec<u32>) -> Opportunities {
        let mut totals = [0.0; N_PARTS];
        for (program, &n) in (0..).zip(&of) {
            totals[part(program)] += f64::from(n);
        }
        let mut with_phrase = vec![[0.0; N_PARTS]; texts.n_phrases()];
        for (phrase, counts) in with_phrase.iter_mut().enumerate() {
            for &program in texts.programs(PhraseId::new(phrase)) {
                counts[part(program)] += of[program as usize] as f32;
            }
        }
        let mut frequent: Vec<PhraseId> = PhraseId::first(texts.n_phrases()).collect();
        let count = |it: &PhraseId| with_phrase[it.index()].iter().sum::<f32>();
        frequent.sort_by(|a, b| count(b).total_cmp(&count(a)));
        frequent.truncate(N_FREQUENT);
        Opportunities {
            of,
            totals,
            with_phrase,
            frequent,
        }
    }

    /// How many the programs have that a model learns from.
    fn total(&self, left_out: Option<usize>) -> f64 {
        let all: f64 = self.totals.iter().sum();
        all - left_out.map_or(0.0, |it| self.totals[it])
    }

    /// The same of programs with a phrase.
    fn total_with(&self, phrase: PhraseId, left_out: Option<usize>) -> f64 {
        let counts = &self.with_phrase[phrase.index()];
        let all: f32 = counts.iter().sum();
        f64::from(all - left_out.map_or(0.0, |it| counts[it]))
    }
}

/// How likely a choice is, given the phrases of a specification.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    bias: f64,
    /// Phrases with their weights, those that tell most first.
    pub(super) weights: Vec<(PhraseId, f64)>,
}

impl Model {
    /// Learns from all programs but those of a part; `taken` are the programs that make the choice, with how often,
    /// in order.
    pub(super) fn fit(
        texts: &Texts,
        opportunities: &Opportunities,
        taken: &[(u32, u32)],
        left_out: Option<usize>,
    ) -> Model {
        let is_seen = |program: u32| Some(part(program)) != left_out;
        let seen: Vec<(u32, u32)> = taken.iter().copied().filter(|it| is_seen(it.0)).collect();
        let telling = telling(texts, opportunities, &seen, left_out);
        let mut fit = Fit::new(texts, opportunities, &seen, &telling, left_out);
        for _ in 0..MAX_SWEEPS {
            if fit.sweep() < TOLERANCE {
                break;
            }
        }
        Model {
            bias: fit.bias,
            weights: telling.into_iter().zip(fit.weights).collect(),
        }
    }

    /// How likely the choice is where the specification has none of the phrases.
    fn default(&self) -> f64 {
        sigmoid(self.bias)
    }

    /// How likely the choice is for a program.
    fn of(&self, texts: &Texts, program: u32) -> f64 {
        let own = texts.of(program);
        let weights = self.weights.iter();
        let weights = weights.filter(|it| own.binary_search(&it.0).is_ok());
        sigmoid(self.bias + weights.map(|it| it.1).sum::<f64>())
    }
}

/// How likely a choice is in each program, by models that have not seen it.
#[derive(Clone, Debug)]
pub(super) struct Predicted {
    /// Where the specification says nothing, for each part.
    pub(super) defaults: [f64; N_PARTS],
    /// Elsewhere: programs, in order.
    pub(super) others: Vec<(u32, f64)>,
}

impl Predicted {
    /// Of a choice that some programs make, with how often, in order.
    pub(super) fn new(texts: &Texts, nodes: &Opportunities, taken: &[(u32, u32)]) -> Predicted {
        let mut predicted = Predicted {
            defaults: [0.0; N_PARTS],
            others: Vec::new(),
        };
        for own in 0..N_PARTS {
            let model = Model::fit(texts, nodes, taken, Some(own));
            predicted.defaults[own] = model.default();
            let programs = model.weights.iter().flat_map(|it| texts.programs(it.0));
            let mut programs: Vec<u32> = programs.copied().filter(|it| part(*it) == own).collect();
            programs.sort_unstable();
            programs.dedup();
            let others = programs.into_iter().map(|it| (it, model.of(texts, it)));
            predicted.others.extend(others);
        }
        predicted.others.sort_unstable_by_key(|it| it.0);
        predicted
    }

    /// How likely the choice is in a program.
    pub(super) fn of(&self, program: u32) -> f64 {
        match self.others.binary_search_by_key(&program, |it| it.0) {
            Ok(place) => self.others[place].1,
            Err(_) => self.defaults[part(program)],
        }
    }
}

/// The phrases that tell most about a choice: those for which `g² / (h + λ)` is large, with *g* and *h* the first two
/// derivatives of the likelihood by their weights where all are zero. By chance, the best of *m* phrases has about
/// `2 ln m` (Foster and George 1994).
fn telling(
    texts: &Texts,
    nodes: &Opportunities,
    seen: &[(u32, u32)],
    left_out: Option<usize>,
) -> Vec<PhraseId> {
    let n_taken: f64 = seen.iter().map(|it| f64::from(it.1)).sum();
    let rate = (n_taken + 0.5) / (nodes.total(left_out) + 1.0);
    let mut taken: Vec<(PhraseId, f64)> = nodes.frequent.iter().map(|it| (*it, 0.0)).collect();
    for &(program, k) in seen {
        taken.extend(texts.of(program).iter().map(|it| (*it, f64::from(k))));
    }
    taken.sort_by_key(|it| it.0);
    let least = 2.0 * (texts.n_phrases().max(1) as f64).ln();
    let mut scored: Vec<(f64, PhraseId)> = taken
        .chunk_by(|a, b| a.0 == b.0)
        .filter_map(|own| {
            let phrase = own[0].0;
            let n_taken: f64 = own.iter().map(|it| it.1).sum();
            let n = nodes.total_with(phrase, left_out);
            let slope = n_taken - rate * n;
            let score = slope * slope / (rate * (1.0 - rate) * n + LAMBDA);
            (score > least).then_some((score, phrase))
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(MAX_PHRASES);
    scored.into_iter().map(|it| it.1).collect()
}

/// A model that is being learnt.
struct Fit {
    bias: f64,
    weights: Vec<f64>,
    /// Programs with one of the phrases: nodes, nodes that make the choice, and `b + Σ w` without the bias.
    rows: Vec<(f64, f64, f64)>,
    /// For each phrase, the rows of its programs.
    rows_of: Vec<Vec<usize>>,
    /// All other programs: nodes, and nodes that make the choice; half a node more makes it, half does not.
    rest: (f64, f64),
}

impl Fit {
    fn new(
        texts: &Texts,
        nodes: &Opportunities,
        seen: &[(u32, u32)],
        phrases: &[PhraseId],
        left_out: Option<usize>,
    ) -> Fit {
        let is_seen =
            |program: &u32| Some(part(*program)) != left_out && nodes.of[*program as usize] > 0;
        let mut programs: Vec<u32> = phrases
            .iter()
            .flat_map(|it| texts.programs(*it).iter().copied().filter(is_seen))
            .collect();
        programs.sort_unstable();
        programs.dedup();
        let n_taken: f64 = seen.iter().map(|it| f64::from(it.1)).sum();
        let mut rest = (nodes.total(left_out) + 1.0, n_taken + 0.5);
        let rows = programs.iter().map(|&program| {
            let n = f64::from(nodes.of[program as usize]);
            let k = seen.binary_search_by_key(&program, |it| it.0);
            let k = k.map_or(0.0, |it| f64::from(seen[it].1));
            rest = (rest.0 - n, rest.1 - k);
            (n, k, 0.0)
        });
        let rows = rows.collect();
        let row = |program: &u32| programs.binary_search(program).ok();
        let rate = (n_taken + 0.5) / (nodes.total(left_out) + 1.0);
        Fit {
            bias: (rate / (1.0 - rate)).ln(),
            weights: vec![0.0; phrases.len()],
            rows,
            rows_of: phrases
                .iter()
                .map(|it| texts.programs(*it).iter().filter_map(row).collect())
                .collect(),
            rest,
        }
    }

    /// Improves every weight by a step of Newton's; the largest of them.
    fn sweep(&mut self) -> f64 {
        let mut largest = 0.0_f64;
        for phrase in 0..self.weights.len() {
            let weight = self.weights[phrase];
            let (mut slope, mut bend) = (-LAMBDA * weight, LAMBDA);
            for &row in &self.rows_of[phrase] {
                let (n, k, z) = self.rows[row];
                let q = sigmoid(self.bias + z);
                slope += k - n * q;
                bend += n * q * (1.0 - q);
            }
            let step = (slope / bend).clamp(-MAX_STEP, MAX_STEP);
            self.weights[phrase] += step;
            for &row in &self.rows_of[phrase] {
                self.rows[row].2 += step;
            }
            largest = largest.max(step.abs());
        }
        let (mut slope, mut bend) = (0.0, 0.0);
        for (n, k, z) in self
            .rows
            .iter()
            .copied()
            .chain([(self.rest.0, self.rest.1, 0.0)])
        {
            let q = sigmoid(self.bias + z);
            slope += k - n * q;
            bend += n * q * (1.0 - q);
        }
        let step = (slope / bend.max(1e-9)).clamp(-MAX_STEP, MAX_STEP);
        self.bias += step;
        largest.max(step.abs())
    }
}

fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}
