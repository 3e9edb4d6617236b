//! A segmented corpus as a model of programs: how many bits a new tree costs.

use patois_syntax::{
    FragmentIndex, FragmentNode, Grammar, Id as _, IdVec, Label, NodeId, SymbolId, Tree,
};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use crate::arena::{CorpusArena, Role};
use crate::base_distribution::Base;
use crate::candidates::{Candidate, Place};
use crate::pitman_yor::PitmanYor;
use crate::segmentation::Segmentation;

type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// The probabilities that a corpus gives to the labels of new trees: the denominator `Pr_{G_0}` of the
/// paper's `Score_CXE`.
///
/// What was never seen at a symbol shares the probability `T / (N + T)` of seeing something new
/// (Witten & Bell 1991), `N` observations of which `T` are different. How a new text is spelt is not
/// counted; that is the same for all models.
#[derive(Clone, Debug)]
pub(crate) struct SmoothedPcfg {
    ln_labels: IndexMap<(SymbolId, Label), f64>,
    ln_new: IdVec<SymbolId, f64>,
    roles: IdVec<SymbolId, Role>,
}

impl SmoothedPcfg {
    /// The probabilities of a corpus.
    pub(crate) fn of(arena: &CorpusArena) -> SmoothedPcfg {
        let mut totals: IdVec<SymbolId, (f64, f64)> = IdVec::filled((0.0, 0.0), arena.n_symbols());
        for (symbol, _, count) in arena.labels() {
            totals[symbol].0 += count as f64;
            totals[symbol].1 += 1.0;
        }
        let is_site = |symbol| arena.role(symbol) == Role::Site;
        let ln_label = |(symbol, label, count)| {
            let (n, distinct) = totals[symbol];
            // Where nothing is chosen, nothing new can be seen.
            let n = if is_site(symbol) { n + distinct } else { n };
            ((symbol, label), (count as f64 / n).ln())
        };
        let ln_new = |(symbol, &(n, distinct)): (SymbolId, &(f64, f64))| {
            if is_site(symbol) && n > 0.0 {
                (distinct / (n + distinct)).ln()
            } else {
                0.0
            }
        };
        SmoothedPcfg {
            ln_labels: arena.labels().map(ln_label).collect(),
            ln_new: totals.entries().map(ln_new).collect(),
            roles: totals.ids().map(|it| arena.role(it)).collect(),
        }
    }

    pub(crate) fn ln_label(&self, symbol: SymbolId, label: Label) -> f64 {
        let known = self.ln_labels.get(&(symbol, label));
        known.copied().unwrap_or(self.ln_new[symbol])
    }

    /// The log-probability of a tree, references aside.
    pub(crate) fn ln_tree(&self, tree: &Tree) -> f64 {
        self.modelled(tree)
            .map(|node| self.ln_label(tree.symbol(node), tree.label(node)))
            .sum()
    }

    /// The nodes that a model gives a probability to: all but references.
    fn modelled(&self, tree: &Tree) -> impl Iterator<Item = NodeId> {
        tree.nodes()
            .filter(|&node| self.roles[tree.symbol(node)] != Role::Hole)
    }
}

/// The posterior predictive distribution of a segmented corpus over trees: the numerator `Pr_{G_1}` of
/// the paper's `Score_CXE`, with the last segmentation for the posterior `G_1`.
///
/// A fragment `I` of symbol `N` has the Pitman-Yor predictive probability
///
/// ```text
/// Pr(I) = (n_I - d) / (n_N + a), if it was seen, + (a + T_N d) / (n_N + a) * G_0(I)
/// ```
///
/// and a tree's probability is the sum over all ways of cutting it into fragments.
#[derive(Debug)]
pub(crate) struct Predictive<'m> {
    pcfg: &'m SmoothedPcfg,
    base: Base,
    index: FragmentIndex,
    ln_seen: Vec<f64>,
    /// Texts that are fragments by themselves.
    ln_seen_texts: IndexMap<(SymbolId, Label), f64>,
    ln_fresh: IdVec<SymbolId, f64>,
}

impl<'m> Predictive<'m> {
    /// The predictive distribution of a segmentation.
    pub(crate) fn new(
        grammar: &Grammar,
        pcfg: &'m SmoothedPcfg,
        segmentation: &Segmentation<'_>,
        prior: PitmanYor,
    ) -> Predictive<'m> {
        let PitmanYor {
            concentration: a,
            discount: d,
        } = prior;
        let arena = segmentation.arena();
        let (mut fragments, mut ln_seen) = (Vec::new(), Vec::new());
        let mut ln_seen_texts = IndexMap::default();
        for id in segmentation.fragments() {
            let n = segmentation.occurrences(id).len() as f64;
            let symbol = segmentation.table().symbol(id);
            let total = segmentation.symbol_counts(symbol).n as f64;
            let ln = ((n - d) / (total + a)).ln();
            if let Some(fragment) = segmentation.fragment(grammar, id) {
                fragments.push(fragment);
                ln_seen.push(ln);
            } else {
                ln_seen_texts.insert(arena.label(segmentation.table().label(id)), ln);
            }
        }
        let ln_fresh = SymbolId::first(arena.n_symbols())
            .map(|symbol| {
                let counts = segmentation.symbol_counts(symbol);
                if counts.n == 0 {
                    return 0.0;
                }
                ((a + counts.distinct as f64 * d) / (counts.n as f64 + a)).ln()
            })
            .collect();
        Predictive {
            pcfg,
            base: segmentation.base().clone(),
            index: FragmentIndex::new(&fragments),
            ln_seen,
            ln_seen_texts,
            ln_fresh,
        }
    }

    /// The log-probability of a tree: the inside algorithm, from the leaves up.
    ///
    /// ```text
    /// base(n)   = P(label) * product over children of (stop * inside(child) + go on * base(child))
    /// inside(n) = fresh * base(n) + sum over seen e at n of seen(e) * product of inside(holes)
    /// ```
    pub(crate) fn ln_tree(&self, tree: &Tree) -> f64 {
        self.ln_inside(tree, &[])
    }

    /// The log-probability of what is above some holes, each of which must be the hole of a fragment;
    /// what fills it has probability one.
    fn ln_inside(&self, tree: &Tree, holes: &[NodeId]) -> f64 {
        let mut below_holes: IdVec<NodeId, bool> = IdVec::filled(false, tree.n_nodes());
        for &hole in holes {
            below_holes.items_mut()[hole.index()..tree.end(hole).index()].fill(true);
        }
        let mut matches: Vec<(usize, NodeId, Vec<NodeId>)> = Vec::new();
        self.index.find(tree, |fragment, root, bindings| {
            let ends_at =
                |hole: NodeId| bindings.iter().any(|&it| it <= hole && hole < tree.end(it));
            let is_around = |hole: NodeId| root <= hole && hole < tree.end(root);
            let fits = holes.iter().all(|&hole| !is_around(hole) || ends_at(hole));
            if fits && !below_holes[root] {
                matches.push((fragment, root, bindings.to_vec()));
            }
        });
        let mut ln_base = IdVec::filled(0.0, tree.n_nodes());
        let mut ln_inside = IdVec::filled(0.0, tree.n_nodes());
        for node in tree.nodes().rev() {
            if below_holes[node] {
                ln_base[node] = f64::NEG_INFINITY;
                continue;
            }
            let symbol = tree.symbol(node);
            if self.pcfg.roles[symbol] == Role::Hole {
                continue;
            }
            let below: f64 = tree
                .children(node)
                .map(|it| self.ln_child(tree.symbol(it), ln_inside[it], ln_base[it]))
                .sum();
            ln_base[node] = self.pcfg.ln_label(symbol, tree.label(node)) + below;
            let mut inside = self.ln_fresh[symbol] + ln_base[node];
            while let Some((fragment, _, holes)) = matches.pop_if(|it| it.1 == node) {
                let below: f64 = holes.iter().map(|&hole| ln_inside[hole]).sum();
                inside = ln_add(inside, self.ln_seen[fragment] + below);
            }
            if let Some(seen) = self.ln_seen_texts.get(&(symbol, tree.label(node))) {
                inside = ln_add(inside, *seen);
            }
            ln_inside[node] = inside;
        }
        ln_inside[tree.root()]
    }

    /// What a child contributes to the base probability of its parent.
    fn ln_child(&self, symbol: SymbolId, inside: f64, base: f64) -> f64 {
        match self.pcfg.roles[symbol] {
            Role::Hole => 0.0,
            // A hole where nothing is chosen: as good as what must stand there.
            Role::Forced if base == f64::NEG_INFINITY => inside,
            Role::Forced => base,
            Role::Site => {
                let (stop, go_on) = self.base.ln_stop_or_go_on(symbol);
                ln_add(stop + inside, go_on + base)
            }
        }
    }

    /// The log-probability of a candidate's fragment, summed over all ways of cutting it, and the one
    /// under the grammar without fragments. What fills its holes has probability one.
    pub(crate) fn ln_candidate(&self, trees: &[Tree], candidate: &Candidate) -> (f64, f64) {
        let size = |place: &&Place| place.tree(trees).subtree(place.node).len();
        let Some(&place) = candidate.places.iter().min_by_key(size) else {
            return (0.0, 0.0);
        };
        let tree = place.tree(trees).cut_out(place.node);
        let (mut holes, mut ln_plain) = (Vec::new(), 0.0);
        for (node, at) in candidate.fragment.positions(&tree, tree.root()) {
            match node {
                FragmentNode::Hole(_) => holes.push(at),
                FragmentNode::Fixed(label) => {
                    ln_plain += self.pcfg.ln_label(tree.symbol(at), label);
                }
            }
        }
        (self.ln_inside(&tree, &holes), ln_plain)
    }
}

/// Bits per node of trees, given the log-probability of each; references are not counted.
pub(crate) fn bits_per_node(
    pcfg: &SmoothedPcfg,
    trees: &[Tree],
    ln_tree: impl Fn(&Tree) -> f64 + Send + Sync,
) -> f64 {
    let ln_total: Vec<f64> = trees.par_iter().map(ln_tree).collect();
    let n_nodes: usize = trees.iter().map(|tree| pcfg.modelled(tree).count()).sum();
    -ln_total.iter().sum::<f64>() / std::f64::consts::LN_2 / n_nodes as f64
}

fn ln_add(a: f64, b: f64) -> f64 {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    if small == f64::NEG_INFINITY {
        large
    } else {
        large + (small - large).exp().ln_1p()
    }
}
