//! Which nodes of a corpus are cut, and the fragments between the cuts.

use serde::{Deserialize, Serialize};

use crate::arena::{CorpusArena, Place};
use crate::base_distribution::Base;
use crate::fragment_table::{FragmentId, FragmentTable, HOLE};
use crate::pitman_yor::LogSums;

/// A corpus cut into fragments, with all counts that its probability depends on.
#[derive(Clone, Debug)]
pub struct Segmentation<'a> {
    arena: &'a CorpusArena,
    base: Base,
    /// Whether a fragment begins at a node.
    cuts: Vec<bool>,
    /// For each node, its fragment from there down.
    fragments_at: Vec<FragmentId>,
    table: FragmentTable,
    /// For each fragment, the nodes where it begins and is whole.
    occurrences: Vec<Vec<u32>>,
    /// For each node where a fragment begins, its place in that list.
    places: Vec<u32>,
    symbols: Vec<SymbolCounts>,
    n_cut_sites: usize,
}

/// The fragments rooted at a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SymbolCounts {
    /// How many there are.
    pub n: usize,
    /// How many of them are different.
    pub distinct: usize,
}

/// How a chain begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Every site is cut: each fragment is one production.
    AllCut,
    /// No site is cut: each fragment is a whole tree.
    AllJoined,
}

impl<'a> Segmentation<'a> {
    /// A corpus, cut everywhere or nowhere.
    pub fn new(arena: &'a CorpusArena, base: Base, start: Start) -> Segmentation<'a> {
        let cuts = (0..arena.n_nodes() as u32)
            .map(|node| match arena.place(node) {
                _ if arena.is_root(node) => true,
                Place::Hole => true,
                Place::Forced => false,
                Place::Site => start == Start::AllCut,
            })
            .collect();
        Segmentation::from_cuts(arena, base, cuts)
    }

    /// A corpus cut at the given nodes.
    pub fn from_cuts(arena: &'a CorpusArena, base: Base, cuts: Vec<bool>) -> Segmentation<'a> {
        let n_nodes = arena.n_nodes();
        let mut segmentation = Segmentation {
            arena,
            base,
            cuts,
            fragments_at: vec![HOLE; n_nodes],
            table: FragmentTable::new(),
            occurrences: vec![Vec::new()],
            places: vec![0; n_nodes],
            symbols: vec![SymbolCounts::default(); arena.n_symbols()],
            n_cut_sites: 0,
        };
        let mut children = Vec::new();
        for node in (0..n_nodes as u32).rev() {
            children.clear();
            for child in arena.children(node) {
                let is_cut = segmentation.cuts[child as usize];
                children.push(if is_cut {
                    HOLE
                } else {
                    segmentation.fragments_at[child as usize]
                });
            }
            let label = arena.node(node).label;
            let fragment = segmentation
                .table
                .intern(&segmentation.base, arena, label, &children);
            segmentation.fragments_at[node as usize] = fragment;
        }
        for node in 0..n_nodes as u32 {
            if segmentation.cuts[node as usize] {
                segmentation.observe(node);
                segmentation.n_cut_sites += usize::from(arena.is_site(node));
            }
        }
        segmentation
    }

    /// The corpus.
    pub fn arena(&self) -> &'a CorpusArena {
        self.arena
    }

    /// The base distribution.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// All fragments, each stored once.
    pub fn table(&self) -> &FragmentTable {
        &self.table
    }

    /// Whether a fragment begins at a node.
    pub fn is_cut(&self, node: u32) -> bool {
        self.cuts[node as usize]
    }

    /// The fragment that a node is in, from there down.
    pub fn fragment_at(&self, node: u32) -> FragmentId {
        self.fragments_at[node as usize]
    }

    /// The nodes where a fragment begins and is whole.
    pub fn occurrences(&self, fragment: FragmentId) -> &[u32] {
        self.occurrences
            .get(fragment as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// The counts of a symbol.
    pub fn symbol_counts(&self, symbol: u32) -> SymbolCounts {
        self.symbols[symbol as usize]
    }

    /// How many sites are cut.
    pub fn n_cut_sites(&self) -> usize {
        self.n_cut_sites
    }

    /// The distinct fragments, references aside.
    pub fn fragments(&self) -> Vec<FragmentId> {
        (1..self.occurrences.len() as FragmentId)
            .filter(|&fragment| !self.occurrences(fragment).is_empty() && self.counts(fragment))
            .collect()
    }

    /// References are no fragments.
    fn counts(&self, fragment: FragmentId) -> bool {
        self.arena.place_of(self.table.symbol(fragment)) != Place::Hole
    }

    /// The log-probability of the cuts, from the counts.
    pub fn ln_target(&self, sums: &LogSums) -> f64 {
        let fragments: f64 = (1..self.occurrences.len() as FragmentId)
            .filter(|&fragment| !self.occurrences(fragment).is_empty())
            .map(|fragment| {
                self.table.ln_base(fragment) + sums.occurrences(self.occurrences(fragment).len())
            })
            .sum();
        let symbols: f64 = self
            .symbols
            .iter()
            .map(|it| sums.symbol(it.n, it.distinct))
            .sum();
        fragments + symbols
    }

    /// Counts the fragment that begins at a node.
    fn observe(&mut self, node: u32) {
        let fragment = self.fragments_at[node as usize];
        if self.occurrences.len() <= fragment as usize {
            self.occurrences
                .resize_with(self.table.n_numbers(), Vec::new);
        }
        let occurrences = &mut self.occurrences[fragment as usize];
        self.places[node as usize] = occurrences.len() as u32;
        occurrences.push(node);
        let symbol = &mut self.symbols[self.table.symbol(fragment) as usize];
        symbol.n += 1;
        symbol.distinct += usize::from(occurrences.len() == 1);
    }

    /// Undoes [`observe`](Self::observe).
    fn forget(&mut self, node: u32) {
        let fragment = self.fragments_at[node as usize];
        let occurrences = &mut self.occurrences[fragment as usize];
        let place = self.places[node as usize];
        occurrences.swap_remove(place as usize);
        if let Some(&moved) = occurrences.get(place as usize) {
            self.places[moved as usize] = place;
        }
        let symbol = &mut self.symbols[self.table.symbol(fragment) as usize];
        symbol.n -= 1;
        symbol.distinct -= usize::from(occurrences.is_empty());
    }

    /// The node where the fragment begins that `node` would be joined with.
    pub fn fragment_root(&self, node: u32) -> u32 {
        let mut above = self.arena.node(node).parent;
        while !self.cuts[above as usize] {
            above = self.arena.node(above).parent;
        }
        above
    }

    /// Stores the fragments above `node`, from its parent up to the root of its fragment, as they are
    /// with `node` in the other state; the last one is the whole fragment.
    pub(crate) fn intern_other(&mut self, node: u32, chain: &mut Vec<FragmentId>) {
        chain.clear();
        let mut child = if self.cuts[node as usize] {
            self.fragments_at[node as usize]
        } else {
            HOLE
        };
        let mut below = node;
        loop {
            let above = self.arena.node(below).parent;
            let replacement = crate::fragment_table::Replacement {
                fragment: self.fragments_at[above as usize],
                rank: self.arena.node(below).rank,
                child,
            };
            child = self
                .table
                .intern_replaced(&self.base, self.arena, replacement);
            chain.push(child);
            if self.cuts[above as usize] {
                return;
            }
            below = above;
        }
    }

    /// The whole fragment with `node` in the other state, if it is stored.
    pub(crate) fn find_other(&self, node: u32) -> Option<FragmentId> {
        let mut child = if self.cuts[node as usize] {
            self.fragments_at[node as usize]
        } else {
            HOLE
        };
        let mut below = node;
        loop {
            let above = self.arena.node(below).parent;
            child = self
                .table
                .find_replaced(crate::fragment_table::Replacement {
                    fragment: self.fragments_at[above as usize],
                    rank: self.arena.node(below).rank,
                    child,
                })?;
            if self.cuts[above as usize] {
                return Some(child);
            }
            below = above;
        }
    }

    /// Puts a site into the other state; `chain` holds the fragments above it as they will be.
    pub(crate) fn flip(&mut self, node: u32, chain: &[FragmentId]) {
        let was_cut = self.cuts[node as usize];
        let root = self.fragment_root(node);
        self.forget(root);
        if was_cut {
            self.forget(node);
        }
        self.cuts[node as usize] = !was_cut;
        let mut below = node;
        for &fragment in chain {
            below = self.arena.node(below).parent;
            self.fragments_at[below as usize] = fragment;
        }
        debug_assert_eq!(below, root, "a chain ends at the root of the fragment");
        self.observe(root);
        if !was_cut {
            self.observe(node);
        }
        if was_cut {
            self.n_cut_sites -= 1;
        } else {
            self.n_cut_sites += 1;
        }
    }

    /// Forgets the fragments that no node has any more.
    pub fn collect_garbage(&mut self) {
        let mut is_used = vec![false; self.table.n_numbers()];
        for &fragment in &self.fragments_at {
            is_used[fragment as usize] = true;
        }
        let renamed = self.table.retain(&is_used);
        for fragment in &mut self.fragments_at {
            *fragment = renamed[*fragment as usize];
        }
        let mut occurrences = vec![Vec::new(); self.table.n_numbers()];
        for (fragment, nodes) in self.occurrences.iter_mut().enumerate() {
            if !nodes.is_empty() {
                occurrences[renamed[fragment] as usize] = std::mem::take(nodes);
            }
        }
        self.occurrences = occurrences;
    }

    /// Estimates the probabilities of stopping from the fragments, which changes the target.
    pub fn estimate_stop(&mut self) {
        let fragments = self.fragments();
        self.base.estimate_stop(self.arena, &self.table, &fragments);
        self.table.update_base(&self.base, self.arena);
    }

    /// Whether all counts are what they would be if counted from scratch.
    pub fn is_consistent(&self) -> bool {
        let fresh = Segmentation::from_cuts(self.arena, self.base.clone(), self.cuts.clone());
        let n_occurrences =
            |it: &Segmentation<'_>, node: u32| it.occurrences(it.fragment_at(node)).len();
        let same_counts = (0..self.arena.n_nodes() as u32)
            .filter(|&node| self.is_cut(node))
            .all(|node| {
                let here = self.occurrences(self.fragment_at(node));
                here[self.places[node as usize] as usize] == node
                    && n_occurrences(self, node) == n_occurrences(&fresh, node)
                    && (self.table.ln_base(self.fragment_at(node))
                        - fresh.table.ln_base(fresh.fragment_at(node)))
                    .abs()
                        < 1e-9
            });
        same_counts && self.symbols == fresh.symbols && self.n_cut_sites == fresh.n_cut_sites
    }
}
