//! A segmented corpus as a model of programs: how many bits a new tree costs.

use patois_syntax::{FragmentIndex, FragmentNode, Grammar, Label, NodeId, SymbolId, Tree};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use crate::arena::{CorpusArena, Place};
use crate::base_distribution::Base;
use crate::candidates::Candidate;
use crate::pitman_yor::PitmanYor;
use crate::segmentation::Segmentation;

type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// The probabilities that a corpus gives to the labels of new trees.
///
/// What was never seen at a symbol shares the probability `T / (N + T)` of seeing something new
/// (Witten & Bell 1991), `N` observations of which `T` are different. How a new text is spelt is not
/// counted; that is the same for all models.
#[derive(Clone, Debug)]
pub struct SmoothedPcfg {
    ln_labels: IndexMap<(SymbolId, Label), f64>,
    ln_new: Vec<f64>,
    places: Vec<Place>,
}

impl SmoothedPcfg {
    /// The probabilities of a corpus.
    pub fn of(arena: &CorpusArena) -> SmoothedPcfg {
        let mut totals = vec![(0.0, 0.0); arena.n_symbols()];
        for (symbol, _, count) in arena.labels() {
            totals[symbol.index()].0 += f64::from(count);
            totals[symbol.index()].1 += 1.0;
        }
        let is_site = |symbol: usize| arena.place_of(symbol as u32) == Place::Site;
        let ln_labels = arena
            .labels()
            .map(|(symbol, label, count)| {
                let (n, distinct) = totals[symbol.index()];
                // Where nothing is chosen, nothing new can be seen.
                let n = if is_site(symbol.index()) {
                    n + distinct
                } else {
                    n
                };
                ((symbol, label), (f64::from(count) / n).ln())
            })
            .collect();
        let ln_new = totals
            .iter()
            .enumerate()
            .map(|(symbol, &(n, distinct))| {
                if is_site(symbol) && n > 0.0 {
                    (distinct / (n + distinct)).ln()
                } else {
                    0.0
                }
            })
            .collect();
        let places = (0..arena.n_symbols() as u32)
            .map(|it| arena.place_of(it))
            .collect();
        SmoothedPcfg {
            ln_labels,
            ln_new,
            places,
        }
    }

    fn ln_label(&self, symbol: SymbolId, label: Label) -> f64 {
        let known = self.ln_labels.get(&(symbol, label));
        known.copied().unwrap_or(self.ln_new[symbol.index()])
    }

    /// The log-probability of a tree, references aside.
    pub fn ln_tree(&self, tree: &Tree) -> f64 {
        self.modelled(tree)
            .map(|node| self.ln_label(tree.symbol(node), tree.label(node)))
            .sum()
    }

    fn place(&self, symbol: SymbolId) -> Place {
        self.places[symbol.index()]
    }

    /// The nodes that a model gives a probability to: all but references.
    fn modelled(&self, tree: &Tree) -> impl Iterator<Item = NodeId> {
        tree.nodes()
            .filter(|&node| self.place(tree.symbol(node)) != Place::Hole)
    }
}

/// The posterior predictive distribution of a segmented corpus over trees.
///
/// A fragment `e` of symbol `c` has probability
/// `(n_e - d) / (n_c + a)` for having been seen, plus `(a + T_c d) / (n_c + a)` times `P0(e)`;
/// a tree's probability is the sum over all ways of cutting it into fragments.
#[derive(Debug)]
pub struct Predictive<'m> {
    pcfg: &'m SmoothedPcfg,
    base: Base,
    index: FragmentIndex,
    ln_seen: Vec<f64>,
    /// Texts that are fragments by themselves.
    ln_seen_texts: IndexMap<(SymbolId, Label), f64>,
    ln_fresh: Vec<f64>,
}

impl<'m> Predictive<'m> {
    /// The predictive distribution of a segmentation.
    pub fn new(
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
            let total = segmentation
                .symbol_counts(segmentation.table().symbol(id))
                .n as f64;
            let ln = ((n - d) / (total + a)).ln();
            if let Some(fragment) = segmentation.table().fragment(grammar, arena, id) {
                fragments.push(fragment);
                ln_seen.push(ln);
            } else {
                ln_seen_texts.insert(arena.label(segmentation.table().label(id)), ln);
            }
        }
        let ln_fresh = (0..arena.n_symbols() as u32)
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
    pub fn ln_tree(&self, tree: &Tree) -> f64 {
        self.ln_inside(tree, &vec![false; tree.n_nodes()])
    }

    /// The log-probability of what is above the nodes that are holes, each of which must be the hole
    /// of a fragment; what fills it has probability one.
    fn ln_inside(&self, tree: &Tree, is_hole: &[bool]) -> f64 {
        let mut matches: Vec<(usize, NodeId, Vec<NodeId>)> = Vec::new();
        let mut below_holes = vec![false; tree.n_nodes()];
        for hole in tree.nodes().filter(|it| is_hole[it.index()]) {
            below_holes[hole.index()..tree.end(hole).index()].fill(true);
        }
        let holes: Vec<NodeId> = tree.nodes().filter(|it| is_hole[it.index()]).collect();
        self.index.find(tree, |fragment, root, bindings| {
            let ends_at =
                |hole: NodeId| bindings.iter().any(|&it| it <= hole && hole < tree.end(it));
            let is_around = |hole: NodeId| root <= hole && hole < tree.end(root);
            let fits = holes.iter().all(|&hole| !is_around(hole) || ends_at(hole));
            if fits && !below_holes[root.index()] {
                matches.push((fragment, root, bindings.to_vec()));
            }
        });
        let mut ln_base = vec![0.0; tree.n_nodes()];
        let mut ln_inside = vec![0.0; tree.n_nodes()];
        for node in tree.nodes().rev() {
            if below_holes[node.index()] {
                ln_base[node.index()] = f64::NEG_INFINITY;
                continue;
            }
            let symbol = tree.symbol(node);
            if self.pcfg.place(symbol) == Place::Hole {
                continue;
            }
            let below: f64 = tree
                .children(node)
                .map(|child| self.ln_child(tree, child, &ln_inside, &ln_base))
                .sum();
            ln_base[node.index()] = self.pcfg.ln_label(symbol, tree.label(node)) + below;
            let mut inside = self.ln_fresh[symbol.index()] + ln_base[node.index()];
            while let Some((fragment, _, holes)) = matches.pop_if(|it| it.1 == node) {
                let below: f64 = holes.iter().map(|hole| ln_inside[hole.index()]).sum();
                inside = ln_add(inside, self.ln_seen[fragment] + below);
            }
            if let Some(seen) = self.ln_seen_texts.get(&(symbol, tree.label(node))) {
                inside = ln_add(inside, *seen);
            }
            ln_inside[node.index()] = inside;
        }
        ln_inside[0]
    }

    /// What a child contributes to the base probability of its parent.
    fn ln_child(&self, tree: &Tree, child: NodeId, ln_inside: &[f64], ln_base: &[f64]) -> f64 {
        let (inside, base) = (ln_inside[child.index()], ln_base[child.index()]);
        match self.pcfg.place(tree.symbol(child)) {
            Place::Hole => 0.0,
            // A hole where nothing is chosen: as good as what must stand there.
            Place::Forced if base == f64::NEG_INFINITY => inside,
            Place::Forced => base,
            Place::Site => {
                let symbol = tree.symbol(child).index() as u32;
                let (stop, go_on) = self.base.ln_stop_or_go_on(symbol);
                ln_add(stop + inside, go_on + base)
            }
        }
    }

    /// The log-probability of a candidate's fragment, summed over all ways of cutting it, and the one
    /// under the grammar without fragments. What fills its holes has probability one.
    pub fn ln_candidate(&self, trees: &[Tree], candidate: &Candidate) -> (f64, f64) {
        let size = |place: &&crate::candidates::Place| {
            let node = NodeId::new(place.node as usize);
            trees[place.tree as usize].subtree(node).len()
        };
        let Some(&place) = candidate.places.iter().min_by_key(size) else {
            return (0.0, 0.0);
        };
        let root = NodeId::new(place.node as usize);
        let tree = trees[place.tree as usize].cut_out(root);
        let mut is_hole = vec![false; tree.n_nodes()];
        let mut ln_plain = 0.0;
        for (part, at) in candidate.fragment.positions(&tree, tree.root()) {
            match part {
                FragmentNode::Hole(_) => is_hole[at.index()] = true,
                FragmentNode::Fixed(label) => {
                    ln_plain += self.pcfg.ln_label(tree.symbol(at), label);
                }
            }
        }
        (self.ln_inside(&tree, &is_hole), ln_plain)
    }
}

/// Bits per node of trees, given the log-probability of each; references are not counted.
pub fn bits_per_node(
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
