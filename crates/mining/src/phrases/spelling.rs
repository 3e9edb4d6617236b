//! What it costs to write programs choice by choice, for somebody who has read their specifications.

use indexmap::IndexMap;
use patois_syntax::{
    Fragment, FragmentNode, Grammar, Id as _, IdVec, Label, NodeId, SymbolId, Tree,
};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::logistic::{N_PARTS, Opportunities, Predicted, part};
use super::texts::Texts;
use crate::candidates::{Candidate, Place, TreeId, is_choice};

/// Labels that fewer programs have are one choice, which is as likely to be any of them.
const MIN_PROGRAMS: usize = 3;

/// How likely the labels of programs are, given their specifications: `p(label | symbol, specification)`, by models that
/// have not seen the program.
///
/// Every label of a symbol has a [model](Predicted) of its own; what they say is divided by their sum.
pub(super) struct Spelling<'t> {
    trees: &'t [Tree],
    /// What every node costs, in nats: `-ln p`.
    costs: IdVec<TreeId, IdVec<NodeId, f32>>,
    /// The labels of each symbol at which there is a choice.
    labels: IdVec<SymbolId, Option<Labels>>,
    /// For each symbol, how many nodes each program has.
    pub(super) nodes: IdVec<SymbolId, Opportunities>,
}

impl<'t> Spelling<'t> {
    pub(super) fn new(grammar: &Grammar, trees: &'t [Tree], texts: &Texts) -> Spelling<'t> {
        let choices = Choices::of(grammar, trees);
        let totals = choices.totals.into_par_iter();
        let nodes: Vec<Opportunities> = totals.map(|it| Opportunities::new(texts, it)).collect();
        let nodes: IdVec<SymbolId, Opportunities> = nodes.into();
        let mut labels: IdVec<SymbolId, Option<Labels>> = nodes.iter().map(|_| None).collect();
        for (symbol, places) in choices.labels {
            labels[symbol] = Some(Labels::new(texts, &nodes[symbol], places));
        }
        let mut spelling = Spelling {
            trees,
            costs: IdVec::default(),
            labels,
            nodes,
        };
        let costs: Vec<IdVec<NodeId, f32>> = trees
            .par_iter()
            .zip(0..trees.len() as u32)
            .map(|(tree, program)| {
                let cost = |node| -spelling.ln_p(tree.symbol(node), tree.label(node), program);
                tree.nodes().map(|node| cost(node) as f32).collect()
            })
            .collect();
        spelling.costs = costs.into();
        spelling
    }

    /// What the nodes of a candidate at a place cost that count.
    pub(super) fn cost(
        &self,
        candidate: &Candidate,
        place: Place,
        counts: impl Fn(TreeId, NodeId) -> bool,
    ) -> f64 {
        let costs = &self.costs[place.tree];
        let nodes = candidate
            .fragment
            .own_nodes(place.tree(self.trees), place.node);
        let nodes = nodes.filter(|it| counts(place.tree, *it));
        nodes.map(|it| f64::from(costs[it])).sum()
    }

    /// How likely what is fixed in a fragment is to be spelled at a node of a program, as a logarithm.
    pub(super) fn ln_body(&self, fragment: &Fragment, program: u32) -> f64 {
        let nodes = NodeId::first(fragment.n_nodes());
        let nodes = nodes.map(|node| match fragment.node(node) {
            FragmentNode::Fixed(label) => self.ln_p(fragment.symbol(node), label, program),
            FragmentNode::Hole(_) => 0.0,
        });
        nodes.sum()
    }

    /// How likely a label is at a node of a program.
    fn ln_p(&self, symbol: SymbolId, label: Label, program: u32) -> f64 {
        let labels = self.labels[symbol].as_ref();
        labels.map_or(0.0, |it| it.ln_p(label, program))
    }
}

/// A map that iterates in the order of insertion.
type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// Where each label of each symbol stands at which there is a choice.
struct Choices {
    labels: Map<SymbolId, Map<Label, Vec<Place>>>,
    /// For each symbol, how many nodes each program has.
    totals: Vec<Vec<u32>>,
}

impl Choices {
    fn of(grammar: &Grammar, trees: &[Tree]) -> Choices {
        let mut choices = Choices {
            labels: Map::default(),
            totals: vec![vec![0; trees.len()]; grammar.n_symbols()],
        };
        for (number, tree) in trees.iter().enumerate() {
            for node in tree.nodes() {
                let (symbol, label) = (tree.symbol(node), tree.label(node));
                choices.totals[symbol.index()][number] += 1;
                // References are holes of every idiom.
                if is_choice(grammar, symbol) && !matches!(label, Label::Reference(_)) {
                    let places = choices.labels.entry(symbol).or_default();
                    places.entry(label).or_default().push(Place {
                        tree: TreeId::new(number),
                        node,
                    });
                }
            }
        }
        choices
    }
}

/// The labels of one symbol, with how likely they are.
struct Labels {
    /// Which of the models is a label's; those of rare ones is the last.
    models: Map<Label, usize>,
    predicted: Vec<Predicted>,
    /// Over how many labels the last model is spread.
    n_rare: usize,
    /// For each program, the sum of what all models say.
    sums: Vec<f64>,
}

impl Labels {
    fn new(texts: &Texts, nodes: &Opportunities, labels: Map<Label, Vec<Place>>) -> Labels {
        let n_programs = |places: &[Place]| places.chunk_by(|a, b| a.tree == b.tree).count();
        let is_rare = |places: &[Place]| n_programs(places) < MIN_PROGRAMS;
        let n_rare = labels.values().filter(|it| is_rare(it)).count();
        let last = labels.len() - n_rare;
        let (mut models, mut frequent, mut rare) = (Map::default(), Vec::new(), Vec::new());
        for (label, places) in labels {
            if is_rare(&places) {
                models.insert(label, last);
                rare.extend(places);
            } else {
                models.insert(label, frequent.len());
                frequent.push(places);
            }
        }
        rare.sort_unstable();
        frequent.push(rare);
        let predicted: Vec<Predicted> = frequent
            .par_iter()
            .map(|places| Predicted::new(texts, nodes, &taken(places)))
            .collect();
        Labels {
            models,
            n_rare,
            sums: sums(&predicted, nodes.of.len()),
            predicted,
        }
    }

    fn ln_p(&self, label: Label, program: u32) -> f64 {
        let Some(&model) = self.models.get(&label) else {
            return 0.0;
        };
        let is_last = model + 1 == self.predicted.len();
        let n_spread = if is_last { self.n_rare.max(1) } else { 1 };
        let p = self.predicted[model].of(program) / self.sums[program as usize];
        (p / n_spread as f64).ln()
    }
}

/// For each program, the sum of what models say.
fn sums(predicted: &[Predicted], n_programs: usize) -> Vec<f64> {
    let mut defaults = [0.0; N_PARTS];
    for (own, sum) in defaults.iter_mut().enumerate() {
        *sum = predicted.iter().map(|it| it.defaults[own]).sum();
    }
    let programs = 0..n_programs as u32;
    let mut sums: Vec<f64> = programs.map(|it| defaults[part(it)]).collect();
    for predicted in predicted {
        for &(program, q) in &predicted.others {
            sums[program as usize] += q - predicted.defaults[part(program)];
        }
    }
    sums
}

/// How many places each program has, of those that have any; places are in order.
pub(super) fn taken(places: &[Place]) -> Vec<(u32, u32)> {
    let programs = places.chunk_by(|a, b| a.tree == b.tree);
    programs
        .map(|own| (own[0].tree.index() as u32, own.len() as u32))
        .collect()
}
