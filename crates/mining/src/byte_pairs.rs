//! Byte-pair encoding of trees (Iyer et al. 2019): join the pair of fragments that is most frequent.

mod shared;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use patois_syntax::{HoleId, Id as _, index};
use rustc_hash::FxBuildHasher;

use crate::arena::{CorpusNodeId, Site};
use crate::fragment_table::{FragmentId, FragmentTable, MAX_FRAGMENT_NODES};
use crate::segmentation::Segmentation;

pub(crate) use shared::SharedPairs;

type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// How many nodes a fragment may have to become part of a larger one.
///
/// So merged fragments have at most twice as many. If they could grow up to a limit, all that were left
/// to do at the limit would be to fill their holes, one merge for each, and every time the
/// fragment is another one that is as large.
const MAX_PART_NODES: usize = MAX_FRAGMENT_NODES / 2;

/// Two fragments, one of which fills a hole of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Pair {
    upper: FragmentId,
    /// Which hole of the upper fragment is filled, in preorder.
    hole: HoleId,
    lower: FragmentId,
}

index! {
    /// A pair, by the order in which pairs were first seen.
    PairId
}

/// Joins the most frequent pair of fragments, again and again.
pub(crate) struct BytePairs<'s, 'a> {
    segmentation: &'s mut Segmentation<'a>,
    /// For each pair, the sites where it was seen; some may have changed since.
    sites: IndexMap<Pair, Vec<Site>>,
    /// Pairs by how often they occur at most; the earliest first where that is equal.
    queue: BinaryHeap<(usize, Reverse<PairId>)>,
    chain: Vec<FragmentId>,
}

impl<'s, 'a> BytePairs<'s, 'a> {
    /// Starts from the pairs of a segmentation.
    pub(crate) fn new(segmentation: &'s mut Segmentation<'a>) -> BytePairs<'s, 'a> {
        let mut pairs = BytePairs {
            segmentation,
            sites: IndexMap::default(),
            queue: BinaryHeap::new(),
            chain: Vec::new(),
        };
        for site in pairs.segmentation.arena().sites() {
            if pairs.segmentation.is_cut(site) {
                pairs.note(pair_at(pairs.segmentation, site), site, &mut Vec::new());
            }
        }
        pairs.queue.extend(
            pairs
                .sites
                .values()
                .enumerate()
                .map(|(index, sites)| (sites.len(), Reverse(PairId::new(index)))),
        );
        pairs
    }

    /// Joins the most frequent pair wherever it occurs; what came of it. None where no pair occurs
    /// `min_count` times.
    pub(crate) fn join_most_frequent(&mut self, min_count: usize) -> Option<FragmentId> {
        let (pair, sites) = self.most_frequent(min_count)?;
        let mut joined = None;
        let mut changed: Vec<PairId> = Vec::new();
        for site in sites {
            // An overlapping occurrence may have been joined a moment ago.
            if !is_at(self.segmentation, pair, site) {
                continue;
            }
            if joined.is_none() {
                self.segmentation.intern_other(site, &mut self.chain);
                joined = self.chain.last().copied();
            }
            self.segmentation.flip(site, &self.chain);
            self.note_pairs_around(site, &mut changed);
        }
        changed.sort_unstable();
        changed.dedup();
        for pair in changed {
            let n_sites = self.sites[pair.index()].len();
            self.queue.push((n_sites, Reverse(pair)));
        }
        joined
    }

    fn most_frequent(&mut self, min_count: usize) -> Option<(Pair, Vec<Site>)> {
        while let Some((count, Reverse(id))) = self.queue.pop() {
            if count < min_count {
                return None;
            }
            let (&pair, sites) = self
                .sites
                .get_index_mut(id.index())
                .expect("pairs are never removed");
            let mut sites = std::mem::take(sites);
            sites.sort_unstable();
            sites.dedup();
            sites.retain(|&site| is_at(self.segmentation, pair, site));
            if sites.len() == count {
                return Some((pair, sites));
            }
            self.queue.push((sites.len(), Reverse(id)));
            self.sites[id.index()] = sites;
        }
        None
    }

    /// Notes the pairs that the fragment which now holds `site` is part of.
    fn note_pairs_around(&mut self, site: Site, changed: &mut Vec<PairId>) {
        let root = self.segmentation.fragment_root(site);
        if let Some(site) = self.segmentation.arena().site(root) {
            self.note(pair_at(self.segmentation, site), site, changed);
        }
        let upper = self.segmentation.fragment_at(root);
        for (hole, site) in holes_below(self.segmentation, root) {
            let lower = self.segmentation.fragment_at(site);
            self.note(Pair { upper, hole, lower }, site, changed);
        }
    }

    fn note(&mut self, pair: Pair, site: Site, changed: &mut Vec<PairId>) {
        if !is_small(self.segmentation.table(), pair) {
            return;
        }
        let entry = self.sites.entry(pair);
        changed.push(PairId::new(entry.index()));
        entry.or_default().push(site);
    }
}

/// Whether a pair is at a site.
fn is_at(segmentation: &Segmentation<'_>, pair: Pair, site: Site) -> bool {
    segmentation.is_cut(site)
        && segmentation.fragment_at(site) == pair.lower
        && pair_at(segmentation, site) == pair
}

/// The pair at a site that is cut.
fn pair_at(segmentation: &Segmentation<'_>, site: Site) -> Pair {
    let (arena, table) = (segmentation.arena(), segmentation.table());
    let (mut at, mut n_holes) = (site.node(), 0);
    loop {
        let above = arena.node(at).parent;
        let upper = segmentation.fragment_at(above);
        let before = &table.children(upper)[..arena.node(at).rank.index()];
        n_holes += before
            .iter()
            .map(|&child| table.n_holes(child))
            .sum::<u32>();
        if segmentation.is_cut(above) {
            return Pair {
                upper,
                hole: HoleId::from_u32(n_holes),
                lower: segmentation.fragment_at(site),
            };
        }
        at = above;
    }
}

/// Whether the fragments of a pair may become part of a larger one.
fn is_small(table: &FragmentTable, pair: Pair) -> bool {
    let parts = [pair.upper, pair.lower];
    parts.iter().all(|&it| table.n_nodes(it) <= MAX_PART_NODES)
}

/// The holes of the fragment that begins at a node, as far as they are sites.
fn holes_below(segmentation: &Segmentation<'_>, root: CorpusNodeId) -> Vec<(HoleId, Site)> {
    let (arena, table) = (segmentation.arena(), segmentation.table());
    let mut cut: Vec<CorpusNodeId> = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        for child in arena.children(node) {
            if segmentation.is_cut(child) {
                cut.push(child);
            } else if table.n_holes(segmentation.fragment_at(child)) > 0 {
                open.push(child);
            }
        }
    }
    // Nodes are in preorder, and so are the numbers of holes.
    let mut in_order = cut.clone();
    in_order.sort_unstable();
    let number = |node| HoleId::new(in_order.partition_point(|&it| it < node));
    let sites = cut
        .iter()
        .filter_map(|&node| Some((node, arena.site(node)?)));
    sites.map(|(node, site)| (number(node), site)).collect()
}
