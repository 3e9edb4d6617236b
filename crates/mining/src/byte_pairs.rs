//! Byte-pair encoding of trees (Iyer et al. 2019): join the pair of fragments that is most frequent.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxBuildHasher;

use crate::fragment_table::{FragmentId, HOLE};
use crate::segmentation::Segmentation;

type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// Two fragments, one of which fills a hole of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Pair {
    upper: FragmentId,
    /// Which hole of the upper fragment is filled, in preorder.
    hole: u32,
    lower: FragmentId,
}

/// Joins the most frequent pair of fragments, again and again.
pub struct BytePairs<'s, 'a> {
    segmentation: &'s mut Segmentation<'a>,
    /// For each pair, the sites where it was seen; some may have changed since.
    sites: IndexMap<Pair, Vec<u32>>,
    /// Pairs by how often they occur at most; the earliest first where that is equal.
    queue: BinaryHeap<(usize, Reverse<usize>)>,
    chain: Vec<FragmentId>,
}

impl<'s, 'a> BytePairs<'s, 'a> {
    /// Starts from the pairs of a segmentation.
    pub fn new(segmentation: &'s mut Segmentation<'a>) -> BytePairs<'s, 'a> {
        let mut pairs = BytePairs {
            segmentation,
            sites: IndexMap::default(),
            queue: BinaryHeap::new(),
            chain: Vec::new(),
        };
        let arena = pairs.segmentation.arena();
        let nodes = 0..arena.n_nodes() as u32;
        for site in nodes.filter(|&node| arena.is_site(node)) {
            if pairs.segmentation.is_cut(site) {
                let pair = pairs.pair_at(site);
                pairs.sites.entry(pair).or_default().push(site);
            }
        }
        pairs.queue.extend(
            pairs
                .sites
                .values()
                .enumerate()
                .map(|(index, sites)| (sites.len(), Reverse(index))),
        );
        pairs
    }

    /// Joins the most frequent pair wherever it occurs; what came of it, and how often. None where
    /// no pair occurs `min_count` times.
    ///
    /// # Panics
    ///
    /// Never: a site has a parent.
    pub fn join_most_frequent(&mut self, min_count: usize) -> Option<(FragmentId, usize)> {
        let (pair, sites) = self.most_frequent(min_count)?;
        let mut joined = HOLE;
        let mut n_joined = 0;
        let mut changed: Vec<usize> = Vec::new();
        for site in sites {
            // An overlapping occurrence may have been joined a moment ago.
            if !self.is_at(pair, site) {
                continue;
            }
            if n_joined == 0 {
                self.segmentation.intern_other(site, &mut self.chain);
                joined = *self.chain.last().expect("a site has a parent");
            }
            self.segmentation.flip(site, &self.chain);
            n_joined += 1;
            self.note_pairs_around(site, &mut changed);
        }
        changed.sort_unstable();
        changed.dedup();
        for index in changed {
            self.queue.push((self.sites[index].len(), Reverse(index)));
        }
        Some((joined, n_joined))
    }

    fn most_frequent(&mut self, min_count: usize) -> Option<(Pair, Vec<u32>)> {
        while let Some((count, Reverse(index))) = self.queue.pop() {
            if count < min_count {
                return None;
            }
            let (&pair, sites) = self
                .sites
                .get_index_mut(index)
                .expect("pairs are never removed");
            let mut sites = std::mem::take(sites);
            sites.sort_unstable();
            sites.dedup();
            sites.retain(|&site| self.is_at(pair, site));
            if sites.len() == count {
                return Some((pair, sites));
            }
            self.queue.push((sites.len(), Reverse(index)));
            self.sites[index] = sites;
        }
        None
    }

    fn is_at(&self, pair: Pair, site: u32) -> bool {
        self.segmentation.is_cut(site)
            && self.segmentation.fragment_at(site) == pair.lower
            && self.pair_at(site) == pair
    }

    /// The pair at a site that is cut.
    fn pair_at(&self, site: u32) -> Pair {
        let arena = self.segmentation.arena();
        let table = self.segmentation.table();
        let (mut at, mut hole) = (site, 0);
        loop {
            let above = arena.node(at).parent;
            let upper = self.segmentation.fragment_at(above);
            let before = &table.children(upper)[..arena.node(at).rank as usize];
            hole += before
                .iter()
                .map(|&child| table.n_holes(child))
                .sum::<u32>();
            if self.segmentation.is_cut(above) {
                return Pair {
                    upper,
                    hole,
                    lower: self.segmentation.fragment_at(site),
                };
            }
            at = above;
        }
    }

    /// Notes the pairs that the fragment which now holds `site` is part of.
    fn note_pairs_around(&mut self, site: u32, changed: &mut Vec<usize>) {
        let arena = self.segmentation.arena();
        let root = self.segmentation.fragment_root(site);
        let mut cut = Vec::new();
        if arena.is_site(root) {
            cut.push(root);
        }
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            for child in arena.children(node) {
                if !self.segmentation.is_cut(child) {
                    open.push(child);
                } else if arena.is_site(child) {
                    cut.push(child);
                }
            }
        }
        for site in cut {
            let pair = self.pair_at(site);
            let entry = self.sites.entry(pair);
            changed.push(entry.index());
            entry.or_default().push(site);
        }
    }
}
