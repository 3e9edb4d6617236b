//! Geweke's test (2004): two ways of drawing trees and cuts together must agree.
//!
//! *Marginal-conditional*: draw a corpus of trees, cut into fragments, from the model. *Successive-
//! conditional*: let the sampler move the cuts given the trees, then draw one tree and its cuts anew
//! given the others, again and again. If the sampler leaves the posterior invariant, both have the
//! same distribution, whatever is measured.
//!
//! The model seats each distinct fragment at one table, so a fragment that is drawn from the base
//! distribution must be new: what is drawn otherwise is thrown away, as are trees that are too long.

use std::collections::BTreeMap;

use patois_mining::parts::Base;
use patois_mining::{
    Forest, LogSums, Pcfg, PitmanYor, Sampler, Segmentation, SingleSite, TypeBased,
};
use patois_syntax::{Grammar, Label, Schema, Tree};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const N_TREES: usize = 3;
const N_SAMPLES: usize = 60_000;
/// The successive draws are dependent: their error is estimated from the means of batches.
const N_BATCHES: usize = 60;
const MAX_NODES: usize = 24;
const STOP: f64 = 0.4;
const PRIOR: PitmanYor = PitmanYor {
    concentration: 1.0,
    discount: 0.5,
};
/// Labels in prefix notation, with their numbers of children and probabilities.
const LABELS: [(u8, usize, f64); 4] = [
    (b'A', 0, 0.4),
    (b'B', 0, 0.2),
    (b'-', 1, 0.25),
    (b'+', 2, 0.15),
];

/// A tree in prefix notation, and where it is cut.
#[derive(Clone, Debug, Default)]
struct CutTree {
    labels: Vec<u8>,
    cuts: Vec<bool>,
}

/// How often each fragment occurs, in prefix notation with `?` for holes.
#[derive(Clone, Debug, Default)]
struct Counts {
    fragments: BTreeMap<Vec<u8>, usize>,
    n: usize,
}

fn uniform(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

fn n_children(label: u8) -> usize {
    LABELS.iter().find(|it| it.0 == label).map_or(0, |it| it.1)
}

/// A fragment from the base distribution; none where it gets too long.
fn draw_base(fragment: &mut Vec<u8>, rng: &mut impl Rng) -> Option<()> {
    let mut rest = uniform(rng);
    let drawn = LABELS.iter().find(|it| {
        rest -= it.2;
        rest < 0.0
    });
    let &(label, n_children, _) = drawn.unwrap_or(&LABELS[0]);
    fragment.push(label);
    for _ in 0..n_children {
        if fragment.len() > MAX_NODES {
            return None;
        }
        if uniform(rng) < STOP {
            fragment.push(b'?');
        } else {
            draw_base(fragment, rng)?;
        }
    }
    Some(())
}

impl Counts {
    /// A fragment given those so far; none where the draw has to be thrown away.
    fn draw(&mut self, rng: &mut impl Rng) -> Option<Vec<u8>> {
        let PitmanYor {
            concentration: a,
            discount: d,
        } = PRIOR;
        let mut rest = uniform(rng) * (a + self.n as f64);
        let mut seen = self.fragments.iter();
        let known = seen.find(|(_, count)| {
            rest -= **count as f64 - d;
            rest < 0.0
        });
        let fragment = if let Some((known, _)) = known {
            known.clone()
        } else {
            let mut fresh = Vec::new();
            draw_base(&mut fresh, rng)?;
            if self.fragments.contains_key(&fresh) {
                return None;
            }
            fresh
        };
        self.add(&fragment);
        Some(fragment)
    }

    fn add(&mut self, fragment: &[u8]) {
        *self.fragments.entry(fragment.to_vec()).or_insert(0) += 1;
        self.n += 1;
    }

    fn of(trees: &[CutTree]) -> Counts {
        let mut counts = Counts::default();
        for tree in trees {
            let mut at = 0;
            tree.count_from(&mut at, &mut counts);
        }
        counts
    }

    /// A tree given the fragments so far.
    fn draw_tree(&mut self, tree: &mut CutTree, rng: &mut impl Rng) -> Option<()> {
        let start = tree.labels.len();
        for label in self.draw(rng)? {
            if tree.labels.len() >= MAX_NODES {
                return None;
            }
            if label == b'?' {
                self.draw_tree(tree, rng)?;
            } else {
                tree.cuts.push(tree.labels.len() == start);
                tree.labels.push(label);
            }
        }
        Some(())
    }

    /// A tree given those that were counted.
    fn draw_whole(&self, rng: &mut impl Rng) -> CutTree {
        loop {
            let mut tree = CutTree::default();
            if self.clone().draw_tree(&mut tree, rng).is_some() {
                return tree;
            }
        }
    }
}

impl CutTree {
    /// Counts the fragment that begins at a node, and those below it.
    fn count_from(&self, at: &mut usize, counts: &mut Counts) {
        let mut fragment = vec![self.labels[*at]];
        let mut n_open = n_children(self.labels[*at]);
        *at += 1;
        while n_open > 0 {
            n_open -= 1;
            if self.cuts[*at] {
                fragment.push(b'?');
                self.count_from(at, counts);
            } else {
                fragment.push(self.labels[*at]);
                n_open += n_children(self.labels[*at]);
                *at += 1;
            }
        }
        counts.add(&fragment);
    }

    fn notation(&self, at: &mut usize) -> String {
        let label = self.labels[*at];
        *at += 1;
        match label {
            b'-' => format!("(Neg {})", self.notation(at)),
            b'+' => format!("(Add {} {})", self.notation(at), self.notation(at)),
            label => char::from(label).to_string(),
        }
    }
}

/// A corpus from the model.
fn draw_corpus(rng: &mut impl Rng) -> Vec<CutTree> {
    loop {
        // Throwing away all trees, not just the last one, is what leaves the joint distribution.
        let mut counts = Counts::default();
        let trees: Option<Vec<CutTree>> = (0..N_TREES)
            .map(|_| {
                let mut tree = CutTree::default();
                counts.draw_tree(&mut tree, rng).map(|()| tree)
            })
            .collect();
        if let Some(trees) = trees {
            return trees;
        }
    }
}

struct Model {
    grammar: Grammar,
    sums: LogSums,
}

impl Model {
    /// A sampler that believes in the given prior.
    fn new(prior: PitmanYor) -> Model {
        let schema = Schema::parse(
            "module Toy { expr = A | B | Neg(expr it) | Add(expr left, expr right) }",
        );
        Model {
            grammar: Grammar::from_schema(&schema.expect("the schema is well-formed")),
            sums: LogSums::new(prior, N_TREES * MAX_NODES),
        }
    }

    /// Lets a sampler move the cuts.
    fn sweep(&self, trees: &mut [CutTree], sampler: &mut impl Sampler, rng: &mut impl Rng) {
        let parsed: Vec<Tree> = trees
            .iter()
            .map(|it| Tree::parse(&self.grammar, &it.notation(&mut 0)).expect("a toy tree"))
            .collect();
        let forest = Forest::new(&self.grammar, &parsed);
        let mut base = Base::new(&forest, STOP);
        base.pcfg = Pcfg::from_ln_labels(forest.labels().map(|it| self.ln_label(it.1)).collect());
        let cuts = trees.iter().flat_map(|it| it.cuts.iter().copied());
        let mut segmentation = Segmentation::from_cuts(&forest, base, cuts.collect());
        sampler.sweep(&mut segmentation, &self.sums, 1.0, rng);
        assert!(segmentation.is_consistent(), "counts drifted");
        for (tree, &root) in trees.iter_mut().zip(forest.roots()) {
            for (node, is_cut) in tree.cuts.iter_mut().enumerate() {
                *is_cut = segmentation.is_cut(root + node as u32);
            }
        }
    }

    fn ln_label(&self, label: Label) -> f64 {
        let Label::Production(production) = label else {
            unreachable!("the toy has productions only")
        };
        let name = self.grammar.production_name(production);
        let place = ["A", "B", "Neg", "Add"]
            .iter()
            .position(|it| name.ends_with(it))
            .expect("a label of the toy");
        LABELS[place].2.ln()
    }
}

const STATISTICS: [&str; 6] = [
    "nodes",
    "cuts",
    "different fragments",
    "most frequent fragment",
    "cuts squared",
    "fragments seen once",
];

fn statistics(trees: &[CutTree]) -> [f64; 6] {
    let counts = Counts::of(trees);
    let n_nodes: usize = trees.iter().map(|it| it.labels.len()).sum();
    let most = counts.fragments.values().max().copied().unwrap_or(0);
    let once = counts.fragments.values().filter(|&&it| it == 1).count();
    let n_cuts = counts.n as f64;
    [
        n_nodes as f64,
        n_cuts,
        counts.fragments.len() as f64,
        most as f64,
        n_cuts * n_cuts,
        once as f64,
    ]
}

/// The mean, and the standard error from the means of batches.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let whole = mean(values);
    let batches = values.chunks_exact(values.len() / N_BATCHES).map(mean);
    let squares: f64 = batches.map(|it| (it - whole).powi(2)).sum();
    let n = N_BATCHES as f64;
    (whole, (squares / (n - 1.0) / n).sqrt())
}

/// For each statistic, how many standard errors the two ways are apart.
fn distances(model: &Model, sampler: &mut impl Sampler) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let marginal: Vec<[f64; 6]> = (0..N_SAMPLES)
        .map(|_| statistics(&draw_corpus(&mut rng)))
        .collect();
    let mut trees = draw_corpus(&mut rng);
    let successive: Vec<[f64; 6]> = (0..N_SAMPLES)
        .map(|_| {
            model.sweep(&mut trees, sampler, &mut rng);
            trees.remove(0);
            let fresh = Counts::of(&trees).draw_whole(&mut rng);
            trees.push(fresh);
            statistics(&trees)
        })
        .collect();
    (0..STATISTICS.len())
        .map(|which| {
            let column =
                |rows: &[[f64; 6]]| -> Vec<f64> { rows.iter().map(|it| it[which]).collect() };
            let (left, left_error) = mean_and_error(&column(&marginal));
            let (right, right_error) = mean_and_error(&column(&successive));
            (left - right) / left_error.hypot(right_error)
        })
        .collect()
}

#[expect(
    clippy::print_stdout,
    reason = "the distances are what the test is about"
)]
fn check(name: &str, sampler: &mut impl Sampler) {
    let distances = distances(&Model::new(PRIOR), sampler);
    for (statistic, distance) in STATISTICS.iter().zip(&distances) {
        println!("{name}: {statistic} {distance:.2} standard errors apart");
        assert!(distance.abs() < 4.0, "{name}: {statistic}: {distance}");
    }
}

#[test]
fn one_site_at_a_time_passes() {
    check("single site", &mut SingleSite);
}

#[test]
fn all_sites_of_a_type_pass() {
    check("type-based", &mut TypeBased::new(10.0));
}

#[test]
fn blocks_that_are_often_skipped_pass() {
    check("type-based, seldom", &mut TypeBased::new(0.7));
}

/// The test can fail: a sampler with other parameters is found out.
#[test]
fn a_sampler_of_another_prior_is_found_out() {
    let other = PitmanYor {
        concentration: 8.0,
        ..PRIOR
    };
    let distances = distances(&Model::new(other), &mut TypeBased::new(10.0));
    assert!(distances.iter().any(|it| it.abs() > 6.0), "{distances:?}");
}
