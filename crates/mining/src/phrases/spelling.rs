//! What it costs to write programs choice by choice.

use indexmap::IndexMap;
use patois_syntax::{
    Fragment, FragmentNode, Grammar, Id as _, IdVec, Label, NodeId, ProductionId, SymbolId, Tree,
};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::logistic::{N_PARTS, Opportunities, part};
use super::texts::Texts;
use crate::candidates::{Candidate, Place, TreeId, is_choice};

/// Where a choice is made: for which symbol, at which child of which production.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Context {
    symbol: SymbolId,
    /// None at the roots of programs, and of idioms, which stand anywhere.
    parent: Option<(ProductionId, usize)>,
}

/// How likely the labels of programs are to somebody who knows what they are a part of, `p(label | symbol, parent)`, and
/// has not seen the [part](N_PARTS) of the programs that they are in.
///
/// A decoder knows what it is inside of, so that an idiom earns little by its shape alone.
pub(super) struct Spelling<'t> {
    trees: &'t [Tree],
    /// What every node costs, in nats: `-ln p`.
    costs: IdVec<TreeId, IdVec<NodeId, f32>>,
    /// The labels of each context in which there is a choice.
    labels: Map<Context, Labels>,
    /// For each symbol, how many nodes each program has.
    pub(super) nodes: IdVec<SymbolId, Opportunities>,
}

impl<'t> Spelling<'t> {
    pub(super) fn new(grammar: &Grammar, trees: &'t [Tree], texts: &Texts) -> Spelling<'t> {
        let mut totals = vec![vec![0; trees.len()]; grammar.n_symbols()];
        let mut labels: Map<Context, Labels> = Map::default();
        for (program, tree) in (0..).zip(trees) {
            for (node, context) in contexts(tree) {
                totals[context.symbol.index()][program as usize] += 1;
                let label = tree.label(node);
                // References are holes of every idiom.
                if is_choice(grammar, context.symbol) && !matches!(label, Label::Reference(_)) {
                    for context in context.and_anywhere() {
                        labels.entry(context).or_default().add(label, part(program));
                    }
                }
            }
        }
        let nodes = totals.into_par_iter();
        let nodes: Vec<Opportunities> = nodes.map(|it| Opportunities::new(texts, it)).collect();
        let costs = (0..).zip(trees).map(|(program, tree)| {
            let mut costs = IdVec::filled(0.0, tree.n_nodes());
            for (node, context) in contexts(tree) {
                let own = labels.get(&context);
                let ln_p = own.map_or(0.0, |it| it.ln_p(tree.label(node), part(program)));
                costs[node] = -ln_p as f32;
            }
            costs
        });
        Spelling {
            trees,
            costs: costs.collect(),
            nodes: nodes.into(),
            labels,
        }
    }

    /// What the nodes of a candidate at a place cost that count.
    pub(super) fn cost(
        &self,
        candidate: &Candidate,
        place: Place,
        counts: impl Fn(TreeId, NodeId) -> bool,
    ) -> f64 {
        let (tree, costs) = (place.tree(self.trees), &self.costs[place.tree]);
        let cost = |node: NodeId| {
            if node == place.node {
                let root = Context::anywhere(tree.symbol(node));
                -self.ln_p(root, tree.label(node), part(place.tree.index() as u32))
            } else {
                f64::from(costs[node])
            }
        };
        let nodes = candidate.fragment.own_nodes(tree, place.node);
        nodes.filter(|it| counts(place.tree, *it)).map(cost).sum()
    }

    /// How likely what is fixed in a fragment is to be spelled at a node of a program of a part.
    pub(super) fn body(&self, body: &Body, part: usize) -> f64 {
        let choices = body.choices.iter();
        let ln_p: f64 = choices.map(|it| self.ln_p(it.0, it.1, part)).sum();
        ln_p.exp()
    }

    fn ln_p(&self, context: Context, label: Label, part: usize) -> f64 {
        let labels = self.labels.get(&context);
        labels.map_or(0.0, |it| it.ln_p(label, part))
    }
}

impl Context {
    /// At any node of a symbol.
    fn anywhere(symbol: SymbolId) -> Context {
        Context {
            symbol,
            parent: None,
        }
    }

    /// The context itself, and the same without a parent.
    fn and_anywhere(self) -> impl Iterator<Item = Context> {
        let own = self.parent.map(|_| self);
        own.into_iter().chain([Context::anywhere(self.symbol)])
    }
}

/// The choices that are made in a fragment.
pub(super) struct Body {
    choices: Vec<(Context, Label)>,
}

impl Body {
    pub(super) fn of(fragment: &Fragment) -> Body {
        let mut parents = vec![None; fragment.n_nodes()];
        let mut choices = Vec::new();
        for node in NodeId::first(fragment.n_nodes()) {
            let FragmentNode::Fixed(label) = fragment.node(node) else {
                continue;
            };
            if let Label::Production(production) = label {
                for (index, child) in fragment.children(node).enumerate() {
                    parents[child.index()] = Some((production, index));
                }
            }
            let parent = parents[node.index()];
            let context = Context {
                symbol: fragment.symbol(node),
                parent,
            };
            choices.push((context, label));
        }
        Body { choices }
    }
}

/// The nodes of a tree with their contexts.
fn contexts(tree: &Tree) -> impl Iterator<Item = (NodeId, Context)> {
    let mut parents = vec![None; tree.n_nodes()];
    for node in tree.nodes() {
        if let Label::Production(production) = tree.label(node) {
            for (index, child) in tree.children(node).enumerate() {
                parents[child.index()] = Some((production, index));
            }
        }
    }
    tree.nodes().map(move |node| {
        let context = Context {
            symbol: tree.symbol(node),
            parent: parents[node.index()],
        };
        (node, context)
    })
}

/// A map that iterates in the order of insertion.
type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// How often the labels of one context are in each part of the programs.
#[derive(Default)]
struct Labels {
    counts: Map<Label, [u32; N_PARTS]>,
    totals: [u32; N_PARTS],
}

impl Labels {
    fn add(&mut self, label: Label, part: usize) {
        self.counts.entry(label).or_default()[part] += 1;
        self.totals[part] += 1;
    }

    /// How likely a label is in a part, by all others; half an occurrence is added for every label, known or not.
    fn ln_p(&self, label: Label, part: usize) -> f64 {
        let outside =
            |counts: &[u32; N_PARTS]| f64::from(counts.iter().sum::<u32>() - counts[part]);
        let count = self.counts.get(&label).map_or(0.0, outside);
        let n_labels = (self.counts.len() + 1) as f64;
        ((count + 0.5) / (outside(&self.totals) + 0.5 * n_labels)).ln()
    }
}

/// How many places each program has, of those that have any; places are in order.
pub(super) fn taken(places: &[Place]) -> Vec<(u32, u32)> {
    let programs = places.chunk_by(|a, b| a.tree == b.tree);
    programs
        .map(|own| (own[0].tree.index() as u32, own.len() as u32))
        .collect()
}
