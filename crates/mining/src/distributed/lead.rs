//! How ranks begin alike: one of them mines a sample, and all cut their trees into what it has found.
//!
//! A chain that begins with every node cut decides in its first sweep which fragments there are. Ranks that
//! decide by themselves decide differently, and stay there. So rank 0 moves a chain in a sample of all trees,
//! and every rank begins with the cuts that are most probable under the fragments of that chain.

use std::ops::ControlFlow;

use patois_collective::{Collective, Reader, Writer};
use patois_syntax::{
    Fragment, FragmentIndex, Grammar, Id as _, IdVec, Label, NodeId, SymbolId, Text, Tree,
};
use rand::Rng;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::gather;
use crate::arena::{CorpusArena, Role};
use crate::config::ChainConfig;
use crate::miner::{Chain, Corpus, Miner as _};
use crate::model::SmoothedPcfg;
use crate::pitman_yor::PitmanYor;
use crate::sampler::Sampler;
use crate::segmentation::{Segmentation, Start};

type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// How many nodes a sample has at least: fewer do not tell which fragments a large corpus has.
const MIN_NODES: usize = 250_000;

/// How many of the sweeps are of the sample.
pub(super) fn n_sweeps(config: ChainConfig) -> usize {
    match config.start {
        Start::AllCut => config.n_sweeps / 2,
        Start::AllJoined => 0,
    }
}

/// One of so many trees is in the sample, which is as large as the part of a rank, if that is enough.
pub(super) fn sampling(n_nodes: usize, n_ranks: usize) -> usize {
    (n_nodes / MIN_NODES).clamp(1, n_ranks)
}

/// The fragments of a chain, and how probable each is.
///
/// ```text
/// Pr(I) = (n_I - d) / (n_N + a), if it was seen; (a + T_N d) / (n_N + a) * G_0(I), if it is one production
/// ```
pub(super) struct Lead {
    index: FragmentIndex,
    ln_seen: Vec<f64>,
    /// Texts that are fragments by themselves.
    ln_seen_texts: IndexMap<(SymbolId, Label), f64>,
    ln_fresh: IdVec<SymbolId, f64>,
    ln_stop: IdVec<SymbolId, f64>,
}

impl Lead {
    /// Moves a chain in a sample, which rank 0 has, and tells all ranks what it has come to.
    pub(super) fn find(
        ranks: &dyn Collective,
        grammar: &Grammar,
        sample: &[Tree],
        sampler: impl Sampler,
        config: ChainConfig,
        rng: &mut impl Rng,
    ) -> Lead {
        let found = if ranks.rank() == 0 {
            let arena = CorpusArena::new(grammar, sample);
            let n_sweeps = n_sweeps(config);
            let config = ChainConfig { n_sweeps, ..config };
            let corpus = Corpus {
                grammar,
                arena: &arena,
            };
            let mut watch = |_: &_| ControlFlow::Continue(());
            let proposal = Chain { sampler, config }.propose(corpus, rng, &mut watch);
            written(grammar, &proposal.segmentation, config.prior)
        } else {
            Vec::new()
        };
        Lead::read(grammar, &ranks.broadcast(0, found))
    }

    fn read(grammar: &Grammar, bytes: &[u8]) -> Lead {
        let mut reader = Reader::new(bytes);
        let symbols: Vec<(f64, f64)> = (0..reader.size())
            .map(|_| (reader.float(), reader.float()))
            .collect();
        let texts = (0..reader.size()).map(|_| {
            let symbol = SymbolId::new(reader.size());
            let label = Label::Text(Text::new(reader.text()));
            ((symbol, label), reader.float())
        });
        let ln_seen_texts = texts.collect();
        let ln_seen = (0..reader.size()).map(|_| reader.float()).collect();
        let fragments: Vec<Fragment> = gather::read_fragments(grammar, reader.rest()).collect();
        Lead {
            index: FragmentIndex::new(&fragments),
            ln_seen,
            ln_seen_texts,
            ln_fresh: symbols.iter().map(|it| it.0).collect(),
            ln_stop: symbols.iter().map(|it| it.1).collect(),
        }
    }

    /// Whether a fragment begins at each node of some trees, which are those of the arena.
    pub(super) fn cuts(&self, trees: &[Tree], arena: &CorpusArena) -> Vec<bool> {
        let pcfg = SmoothedPcfg::of(arena);
        let cuts: Vec<IdVec<NodeId, bool>> = trees
            .par_iter()
            .map(|tree| self.cuts_of(tree, arena, &pcfg))
            .collect();
        cuts.into_iter().flatten().collect()
    }

    /// The most probable cuts of a tree, from the leaves up.
    ///
    /// ```text
    /// plain(n) = P(label) * product over children of stop * best(child), or plain(child) where nothing is chosen
    /// best(n)  = max(fresh * plain(n), max over seen e at n of seen(e) * product of best(holes))
    /// ```
    fn cuts_of(
        &self,
        tree: &Tree,
        arena: &CorpusArena,
        pcfg: &SmoothedPcfg,
    ) -> IdVec<NodeId, bool> {
        let mut matches: Vec<(usize, NodeId, Vec<NodeId>)> = Vec::new();
        self.index.find(tree, |fragment, root, holes| {
            matches.push((fragment, root, holes.to_vec()));
        });
        let mut ln_plain = IdVec::filled(0.0, tree.n_nodes());
        let mut ln_best = IdVec::filled(0.0, tree.n_nodes());
        let mut chosen: IdVec<NodeId, Option<Vec<NodeId>>> = IdVec::filled(None, tree.n_nodes());
        for node in tree.nodes().rev() {
            let symbol = tree.symbol(node);
            if arena.role(symbol) == Role::Hole {
                continue;
            }
            let label = tree.label(node);
            let below = tree.children(node).map(|it| match tree.symbol(it) {
                symbol if arena.role(symbol) == Role::Site => self.ln_stop[symbol] + ln_best[it],
                _ => ln_plain[it],
            });
            ln_plain[node] = pcfg.ln_label(symbol, label) + below.sum::<f64>();
            let seen = self.ln_seen_texts.get(&(symbol, label)).copied();
            let mut best = self.ln_fresh[symbol] + ln_plain[node];
            best = best.max(seen.unwrap_or(f64::NEG_INFINITY));
            while let Some((fragment, _, holes)) = matches.pop_if(|it| it.1 == node) {
                let below: f64 = holes.iter().map(|&hole| ln_best[hole]).sum();
                if self.ln_seen[fragment] + below > best {
                    best = self.ln_seen[fragment] + below;
                    chosen[node] = Some(holes);
                }
            }
            ln_best[node] = best;
        }
        let mut cuts = IdVec::filled(false, tree.n_nodes());
        let mut open = vec![tree.root()];
        while let Some(root) = open.pop() {
            cuts[root] = true;
            match chosen[root].take() {
                Some(holes) => open.extend(holes),
                None => open.extend(holes_of_production(tree, arena, root)),
            }
        }
        cuts
    }
}

/// Where the production at a node ends, with those below it that are not chosen.
fn holes_of_production(tree: &Tree, arena: &CorpusArena, root: NodeId) -> Vec<NodeId> {
    let (mut holes, mut forced) = (Vec::new(), vec![root]);
    while let Some(node) = forced.pop() {
        for child in tree.children(node) {
            match arena.role(tree.symbol(child)) {
                Role::Forced => forced.push(child),
                Role::Site | Role::Hole => holes.push(child),
            }
        }
    }
    holes
}

/// The fragments of a segmentation for [`Lead::read`].
fn written(grammar: &Grammar, segmentation: &Segmentation<'_>, prior: PitmanYor) -> Vec<u8> {
    let PitmanYor {
        concentration: a,
        discount: d,
    } = prior;
    let (arena, table) = (segmentation.arena(), segmentation.table());
    let mut writer = Writer::default();
    writer.number(arena.n_symbols() as u64);
    for symbol in SymbolId::first(arena.n_symbols()) {
        let counts = segmentation.symbol_counts(symbol);
        let fresh = (a + counts.distinct as f64 * d) / (counts.n as f64 + a);
        writer.float(if counts.n == 0 { 0.0 } else { fresh.ln() });
        writer.float(segmentation.base().ln_stop_or_go_on(symbol).0);
    }
    let (mut fragments, mut ln_seen, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for id in segmentation.fragments() {
        let n = segmentation.occurrences(id).len() as f64;
        let total = segmentation.symbol_counts(table.symbol(id)).n as f64;
        let ln = ((n - d) / (total + a)).ln();
        match segmentation.fragment(grammar, id) {
            Some(fragment) => {
                fragments.push(fragment);
                ln_seen.push(ln);
            }
            None => {
                if let (symbol, Label::Text(text)) = arena.label(table.label(id)) {
                    texts.push((symbol, text, ln));
                }
            }
        }
    }
    writer.number(texts.len() as u64);
    for (symbol, text, ln) in texts {
        writer.number(symbol.to_u32().into());
        writer.text(text.as_str());
        writer.float(ln);
    }
    writer.number(ln_seen.len() as u64);
    for &ln in &ln_seen {
        writer.float(ln);
    }
    let mut bytes = writer.finish();
    bytes.extend(gather::write_fragments(fragments));
    bytes
}
