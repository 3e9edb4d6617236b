//! Byte pairs of a corpus that several ranks have: the same merges as those of one.
//!
//! Every pair has an owner among the ranks, by its key. The owner knows how often the pair occurs in all of
//! them, at most, and where it was first seen; where counts are equal, that decides, as it does for one rank,
//! whose pairs are numbered in that order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use patois_collective::{Collective, Reader, Writer};
use patois_syntax::Id as _;

use super::{IndexMap, Pair, holes_below, is_small, pair_at};
use crate::arena::Site;
use crate::fragment_table::{FragmentId, mix};
use crate::segmentation::Segmentation;

/// Joins the most frequent pair of fragments of all ranks, again and again.
pub(crate) struct SharedPairs<'s, 'a> {
    segmentation: &'s mut Segmentation<'a>,
    ranks: &'s dyn Collective,
    /// How many trees lower ranks have.
    first_tree: usize,
    /// What pairs here are called by all ranks, and the sites where each was seen; some may have changed
    /// since.
    sites: IndexMap<u64, (Pair, Vec<Site>)>,
    /// What was seen here since the owners were last told.
    news: IndexMap<u64, Sighting>,
    owned: Owned,
    n_merges: u64,
    chain: Vec<FragmentId>,
}

/// A pair that was joined, and who can say what came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined {
    /// What came of it here, if it occurred here and in no lower rank.
    pub fragment: Option<FragmentId>,
}

/// Where something was first seen: during which merge, in which tree, at which node, and what came before it
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FirstSeen {
    merge: u64,
    tree: u64,
    node: u64,
    order: u64,
}

/// A pair that was seen so often, at first there.
#[derive(Clone, Copy, Debug)]
struct Sighting {
    n: u64,
    first: FirstSeen,
}

/// The pairs that this rank keeps account of.
#[derive(Default)]
struct Owned {
    /// At most how often each occurs.
    bounds: IndexMap<u64, Sighting>,
    /// Pairs by that; the earliest first where it is equal. Entries may be out of date.
    queue: BinaryHeap<(u64, Reverse<FirstSeen>, u64)>,
}

impl Owned {
    fn add(&mut self, key: u64, more: Sighting) {
        let known = self.bounds.entry(key).or_insert(Sighting { n: 0, ..more });
        known.n += more.n;
        known.first = known.first.min(more.first);
    }

    fn queue(&mut self, key: u64) {
        let Sighting { n, first } = self.bounds[&key];
        if n > 0 {
            self.queue.push((n, Reverse(first), key));
        }
    }

    /// Sets how often a pair occurs.
    fn set(&mut self, key: u64, n: u64) {
        let known = &mut self.bounds[&key];
        if known.n != n {
            known.n = n;
            self.queue(key);
        }
    }

    /// The pair that could be the most frequent.
    fn best(&mut self) -> Option<(u64, Reverse<FirstSeen>, u64)> {
        while let Some(&best) = self.queue.peek() {
            if self.bounds[&best.2].n == best.0 {
                return Some(best);
            }
            self.queue.pop();
        }
        None
    }
}

impl<'s, 'a> SharedPairs<'s, 'a> {
    /// Starts from the pairs of a segmentation of this rank's trees, which keeps keys.
    pub(crate) fn new(
        segmentation: &'s mut Segmentation<'a>,
        ranks: &'s dyn Collective,
        first_tree: usize,
    ) -> SharedPairs<'s, 'a> {
        let mut pairs = SharedPairs {
            segmentation,
            ranks,
            first_tree,
            sites: IndexMap::default(),
            news: IndexMap::default(),
            owned: Owned::default(),
            n_merges: 0,
            chain: Vec::new(),
        };
        for site in pairs.segmentation.arena().sites() {
            if pairs.segmentation.is_cut(site) {
                let first = pairs.seen_at(site, 0);
                pairs.note(pair_at(pairs.segmentation, site), site, first);
            }
        }
        pairs
    }

    /// Joins the most frequent pair wherever it occurs; none where no pair occurs `min_count` times.
    pub(crate) fn join_most_frequent(&mut self, min_count: u64) -> Option<Joined> {
        self.tell_owners();
        let (key, is_reporter) = self.most_frequent(min_count)?;
        self.n_merges += 1;
        let joined = self.join(key);
        Some(Joined {
            fragment: joined.filter(|_| is_reporter),
        })
    }

    /// Tells the owners of pairs what was seen.
    fn tell_owners(&mut self) {
        let size = self.ranks.size();
        let mut parts = vec![Writer::default(); size];
        for (key, Sighting { n, first }) in std::mem::take(&mut self.news) {
            let writer = &mut parts[(key % size as u64) as usize];
            writer.hash(key);
            for number in [n, first.merge, first.tree, first.node, first.order] {
                writer.number(number);
            }
        }
        let parts = parts.into_iter().map(Writer::finish).collect();
        let mut told: IndexMap<u64, ()> = IndexMap::default();
        for bytes in self.ranks.all_to_all(parts) {
            let mut reader = Reader::new(&bytes);
            while !reader.is_empty() {
                let (key, n) = (reader.hash(), reader.number());
                let first = FirstSeen {
                    merge: reader.number(),
                    tree: reader.number(),
                    node: reader.number(),
                    order: reader.number(),
                };
                self.owned.add(key, Sighting { n, first });
                told.insert(key, ());
            }
        }
        for key in told.into_keys() {
            self.owned.queue(key);
        }
    }

    /// The most frequent pair, and whether this is the lowest rank that has it.
    ///
    /// All owners name the one that could be it, all ranks count these, and so on until the first of them
    /// occurs as often as its owner thought.
    fn most_frequent(&mut self, min_count: u64) -> Option<(u64, bool)> {
        loop {
            let best = self.owned.best();
            let mut named = self.best_of_owners(best);
            named.sort_unstable_by(|left, right| right.cmp(left));
            let &(most, _, first) = named.first()?;
            if most < min_count {
                return None;
            }
            let mut writer = Writer::default();
            for &(_, _, key) in &named {
                writer.number(self.recount(key));
            }
            let counts = self.ranks.all_gather(writer.finish());
            let mut readers: Vec<Reader<'_>> = counts.iter().map(|it| Reader::new(it)).collect();
            let by_rank: Vec<Vec<u64>> = named
                .iter()
                .map(|_| readers.iter_mut().map(Reader::number).collect())
                .collect();
            for ((_, _, key), counts) in named.iter().zip(&by_rank) {
                if best.is_some_and(|it| it.2 == *key) {
                    self.owned.set(*key, counts.iter().sum());
                }
            }
            if by_rank[0].iter().sum::<u64>() == most {
                let lowest = by_rank[0].iter().position(|&it| it > 0);
                return Some((first, lowest == Some(self.ranks.rank())));
            }
        }
    }

    /// What all owners think is the most frequent pair.
    fn best_of_owners(
        &self,
        own: Option<(u64, Reverse<FirstSeen>, u64)>,
    ) -> Vec<(u64, Reverse<FirstSeen>, u64)> {
        let mut writer = Writer::default();
        if let Some((n, Reverse(first), key)) = own {
            for number in [n, first.merge, first.tree, first.node, first.order] {
                writer.number(number);
            }
            writer.hash(key);
        }
        let named = self.ranks.all_gather(writer.finish());
        let named = named.iter().filter(|it| !it.is_empty());
        named
            .map(|bytes| {
                let mut reader = Reader::new(bytes);
                let n = reader.number();
                let first = FirstSeen {
                    merge: reader.number(),
                    tree: reader.number(),
                    node: reader.number(),
                    order: reader.number(),
                };
                (n, Reverse(first), reader.hash())
            })
            .collect()
    }

    /// How often a pair occurs here.
    fn recount(&mut self, key: u64) -> u64 {
        let Some((pair, sites)) = self.sites.get_mut(&key) else {
            return 0;
        };
        let pair = *pair;
        let mut sites = std::mem::take(sites);
        sites.sort_unstable();
        sites.dedup();
        sites.retain(|&site| super::is_at(self.segmentation, pair, site));
        let n = sites.len() as u64;
        self.sites[&key].1 = sites;
        n
    }

    /// Joins a pair that was counted, wherever it occurs here; what came of it.
    fn join(&mut self, key: u64) -> Option<FragmentId> {
        if let Some(known) = self.owned.bounds.get_mut(&key) {
            known.n = 0;
        }
        let (pair, sites) = self.sites.get_mut(&key)?;
        let pair = *pair;
        let mut joined = None;
        for site in std::mem::take(sites) {
            // An overlapping occurrence may have been joined a moment ago.
            if !super::is_at(self.segmentation, pair, site) {
                continue;
            }
            if joined.is_none() {
                self.segmentation.intern_other(site, &mut self.chain);
                joined = self.chain.last().copied();
            }
            self.segmentation.flip(site, &self.chain);
            self.note_pairs_around(site);
        }
        joined
    }

    /// Notes the pairs that the fragment which now holds `site` is part of.
    fn note_pairs_around(&mut self, site: Site) {
        let root = self.segmentation.fragment_root(site);
        if let Some(above) = self.segmentation.arena().site(root) {
            self.note(
                pair_at(self.segmentation, above),
                above,
                self.seen_at(site, 0),
            );
        }
        let upper = self.segmentation.fragment_at(root);
        let holes = holes_below(self.segmentation, root).into_iter();
        for (order, (hole, below)) in holes.enumerate() {
            let lower = self.segmentation.fragment_at(below);
            let first = self.seen_at(site, 1 + order as u64);
            self.note(Pair { upper, hole, lower }, below, first);
        }
    }

    fn seen_at(&self, site: Site, order: u64) -> FirstSeen {
        let roots = self.segmentation.arena().roots();
        let tree = roots.partition_point(|&root| root <= site.node()) - 1;
        FirstSeen {
            merge: self.n_merges,
            tree: (self.first_tree + tree) as u64,
            node: (site.node().index() - roots[tree].index()) as u64,
            order,
        }
    }

    fn note(&mut self, pair: Pair, site: Site, first: FirstSeen) {
        let table = self.segmentation.table();
        if !is_small(table, pair) {
            return;
        }
        let (upper, lower) = (table.key(pair.upper), table.key(pair.lower));
        let key = mix(mix(upper, u64::from(pair.hole.to_u32())), lower);
        let (_, sites) = self.sites.entry(key).or_insert_with(|| (pair, Vec::new()));
        sites.push(site);
        let news = self.news.entry(key).or_insert(Sighting { n: 0, first });
        news.n += 1;
        news.first = news.first.min(first);
    }
}
