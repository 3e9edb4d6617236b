//! Which nodes of a corpus are cut, and the fragments between the cuts.

mod others;
mod state;

use patois_syntax::{Fragment, Grammar, IdVec, SymbolId, index};
use serde::{Deserialize, Serialize};

use crate::arena::{CorpusArena, CorpusNodeId, Role, Site};
use crate::base_distribution::{Base, Places};
use crate::fragment_table::{FragmentId, FragmentTable, HOLE, MAX_FRAGMENT_NODES, Replacement};
use crate::pitman_yor::LogSums;
use others::Others;

index! {
    /// A position among the occurrences of a fragment.
    OccurrenceId
}

/// A corpus cut into fragments, with all counts that its probability depends on.
///
/// After sweep *t* of a sampler, its fragments are the paper's grammar `G_t`, and its cuts the
/// *splitting points* that define it.
#[derive(Clone, Debug)]
pub struct Segmentation<'a> {
    arena: &'a CorpusArena,
    base: Base,
    /// Whether a fragment begins at a node.
    cuts: IdVec<CorpusNodeId, bool>,
    /// For each node, its fragment from there down.
    fragments_at: IdVec<CorpusNodeId, FragmentId>,
    table: FragmentTable,
    /// For each fragment, the nodes where it begins and is whole.
    occurrences: IdVec<FragmentId, Vec<CorpusNodeId>>,
    /// For each node where a fragment begins, its position in that list.
    positions: IdVec<CorpusNodeId, OccurrenceId>,
    symbols: IdVec<SymbolId, SymbolCounts>,
    n_cut_sites: usize,
    /// What other ranks have, where there are any; all counts are then of all ranks.
    others: Option<Box<Others>>,
}

/// The fragments rooted at a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SymbolCounts {
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
    /// No site is cut: each fragment is a whole tree, as far as [`MAX_FRAGMENT_NODES`] allows.
    AllJoined,
}

impl<'a> Segmentation<'a> {
    /// A corpus, cut everywhere or nowhere.
    pub fn new(arena: &'a CorpusArena, base: Base, start: Start) -> Segmentation<'a> {
        let is_cut = |node: CorpusNodeId| match arena.role(arena.node(node).symbol) {
            _ if arena.is_root(node) => true,
            Role::Hole => true,
            Role::Forced => false,
            Role::Site => start == Start::AllCut,
        };
        let mut cuts: IdVec<CorpusNodeId, bool> = arena.nodes().map(is_cut).collect();
        cut_large(arena, &mut cuts);
        Segmentation::from_cuts(arena, base, cuts.into_iter().collect())
    }

    /// A corpus cut at the given nodes.
    pub fn from_cuts(arena: &'a CorpusArena, base: Base, cuts: Vec<bool>) -> Segmentation<'a> {
        let mut segmentation = Segmentation::without_fragments(arena, base, cuts);
        segmentation.intern_all();
        for node in arena.nodes() {
            if segmentation.cuts[node] {
                segmentation.observe(node);
                segmentation.n_cut_sites += usize::from(arena.site(node).is_some());
            }
        }
        segmentation
    }

    fn without_fragments(arena: &'a CorpusArena, base: Base, cuts: Vec<bool>) -> Segmentation<'a> {
        let n_nodes = arena.n_nodes();
        Segmentation {
            arena,
            base,
            cuts: IdVec::from(cuts),
            fragments_at: IdVec::filled(HOLE, n_nodes),
            table: FragmentTable::new(),
            occurrences: IdVec::from(vec![Vec::new()]),
            positions: IdVec::filled(OccurrenceId(0), n_nodes),
            symbols: IdVec::filled(SymbolCounts::default(), arena.n_symbols()),
            n_cut_sites: 0,
            others: None,
        }
    }

    /// Stores the fragments of all nodes, from the leaves up.
    fn intern_all(&mut self) {
        let arena = self.arena;
        let mut children = Vec::new();
        for node in arena.nodes().rev() {
            children.clear();
            for child in arena.children(node) {
                let is_cut = self.cuts[child];
                let below = self.fragments_at[child];
                children.push(if is_cut { HOLE } else { below });
            }
            let label = arena.node(node).label;
            self.fragments_at[node] = self.table.intern(&self.base, arena, label, &children);
        }
    }

    pub(crate) fn arena(&self) -> &'a CorpusArena {
        self.arena
    }

    pub(crate) fn base(&self) -> &Base {
        &self.base
    }

    pub(crate) fn table(&self) -> &FragmentTable {
        &self.table
    }

    /// Whether a fragment begins at a node.
    #[inline]
    pub fn is_cut(&self, node: impl Into<CorpusNodeId>) -> bool {
        self.cuts[node.into()]
    }

    /// The fragment that a node is in, from there down.
    #[inline]
    pub(crate) fn fragment_at(&self, node: impl Into<CorpusNodeId>) -> FragmentId {
        self.fragments_at[node.into()]
    }

    /// Whether a fragment begins at each node.
    pub(crate) fn cuts(&self) -> &[bool] {
        &self.cuts
    }

    /// The nodes where a fragment begins and is whole.
    #[inline]
    pub fn occurrences(&self, fragment: FragmentId) -> &[CorpusNodeId] {
        self.occurrences.get(fragment).map_or(&[], Vec::as_slice)
    }

    /// How often a fragment occurs, here and in other ranks.
    #[inline]
    pub(crate) fn count(&self, fragment: FragmentId) -> usize {
        let n_elsewhere = match &self.others {
            None => 0,
            Some(others) => others.count(&self.table, fragment),
        };
        self.occurrences(fragment).len() + n_elsewhere
    }

    #[inline]
    pub(crate) fn symbol_counts(&self, symbol: SymbolId) -> SymbolCounts {
        self.symbols[symbol]
    }

    pub(crate) fn n_cut_sites(&self) -> usize {
        self.n_cut_sites
    }

    /// The distinct fragments, references aside.
    pub fn fragments(&self) -> Vec<FragmentId> {
        let fragments = self.occurring();
        fragments.filter(|&it| !self.is_reference(it)).collect()
    }

    fn is_reference(&self, fragment: FragmentId) -> bool {
        self.arena.role(self.table.symbol(fragment)) == Role::Hole
    }

    /// A fragment as the grammar knows it; none where it is a text or a reference by itself.
    pub fn fragment(&self, grammar: &Grammar, fragment: FragmentId) -> Option<Fragment> {
        self.table.fragment(grammar, self.arena, fragment)
    }

    /// The fragments that occur, whole references among them.
    fn occurring(&self) -> impl Iterator<Item = FragmentId> + '_ {
        let entries = self.occurrences.entries();
        entries.filter_map(|(fragment, nodes)| (!nodes.is_empty()).then_some(fragment))
    }

    /// The log-probability of the cuts, from the counts: see [`LogSums`] for the formula.
    pub fn ln_target(&self, sums: &LogSums) -> f64 {
        let fragments: f64 = self
            .occurring()
            .map(|it| self.table.ln_base(it) + sums.occurrences(self.occurrences(it).len()))
            .sum();
        let symbols: f64 = self
            .symbols
            .iter()
            .map(|it| sums.symbol(it.n, it.distinct))
            .sum();
        fragments + symbols
    }

    /// Counts the fragment that begins at a node.
    fn observe(&mut self, node: CorpusNodeId) {
        let fragment = self.fragments_at[node];
        if self.occurrences.len() <= fragment.index() {
            let n_ids = self.table.n_ids();
            self.occurrences.items_mut().resize_with(n_ids, Vec::new);
        }
        let occurrences = &mut self.occurrences[fragment];
        let is_elsewhere = match &mut self.others {
            None => false,
            Some(others) => others.note(&self.table, fragment, occurrences.len()),
        };
        self.positions[node] = OccurrenceId::new(occurrences.len());
        occurrences.push(node);
        let symbol = &mut self.symbols[self.table.symbol(fragment)];
        symbol.n += 1;
        symbol.distinct += usize::from(occurrences.len() == 1 && !is_elsewhere);
    }

    /// Undoes [`observe`](Self::observe).
    fn forget(&mut self, node: CorpusNodeId) {
        let fragment = self.fragments_at[node];
        let occurrences = &mut self.occurrences[fragment];
        let is_elsewhere = match &mut self.others {
            None => false,
            Some(others) => others.note(&self.table, fragment, occurrences.len()),
        };
        let position = self.positions[node];
        occurrences.swap_remove(position.index());
        if let Some(&moved) = occurrences.get(position.index()) {
            self.positions[moved] = position;
        }
        let symbol = &mut self.symbols[self.table.symbol(fragment)];
        symbol.n -= 1;
        symbol.distinct -= usize::from(occurrences.is_empty() && !is_elsewhere);
    }

    /// The node where the fragment begins that a site would be joined with.
    #[inline]
    pub(crate) fn fragment_root(&self, site: Site) -> CorpusNodeId {
        let mut above = self.arena.node(site.node()).parent;
        while !self.cuts[above] {
            above = self.arena.node(above).parent;
        }
        above
    }

    /// Whether a site may be in both states; `root` is where the fragment above it begins.
    #[inline]
    pub(crate) fn is_free(&self, site: Site, root: CorpusNodeId) -> bool {
        let n_nodes = |node| self.table.n_nodes(self.fragments_at[node]);
        !self.cuts[site.node()] || n_nodes(root) + n_nodes(site.node()) <= MAX_FRAGMENT_NODES
    }

    /// How many fragments are so large that [`MAX_FRAGMENT_NODES`] may have kept them from growing.
    pub(crate) fn n_large(&self) -> usize {
        let is_large = |&it: &FragmentId| 2 * self.table.n_nodes(it) > MAX_FRAGMENT_NODES;
        self.occurring().filter(is_large).count()
    }

    /// What would stand below the parent of a site in the other state.
    #[inline]
    fn other_child(&self, site: Site) -> FragmentId {
        if self.is_cut(site) {
            self.fragment_at(site)
        } else {
            HOLE
        }
    }

    /// What has another child at a node makes of the fragment at its parent.
    #[inline]
    fn replacement(&self, below: CorpusNodeId, child: FragmentId) -> (CorpusNodeId, Replacement) {
        let node = self.arena.node(below);
        let replacement = Replacement {
            fragment: self.fragments_at[node.parent],
            rank: node.rank,
            child,
        };
        (node.parent, replacement)
    }

    /// Stores the fragments above a site, from its parent up to the root of its fragment, as they
    /// are with the site in the other state; the last one is the whole fragment.
    pub(crate) fn intern_other(&mut self, site: Site, chain: &mut Vec<FragmentId>) {
        chain.clear();
        let (mut below, mut child) = (site.node(), self.other_child(site));
        loop {
            let (above, replacement) = self.replacement(below, child);
            child = self
                .table
                .intern_replaced(&self.base, self.arena, replacement);
            chain.push(child);
            if self.cuts[above] {
                return;
            }
            below = above;
        }
    }

    /// The whole fragment with a site in the other state, if it is stored.
    pub(crate) fn find_other(&self, site: Site) -> Option<FragmentId> {
        let (mut below, mut child) = (site.node(), self.other_child(site));
        loop {
            let (above, replacement) = self.replacement(below, child);
            child = self.table.find_replaced(replacement)?;
            if self.cuts[above] {
                return Some(child);
            }
            below = above;
        }
    }

    /// How often other ranks have the whole fragment with a site in the other state, if it is not stored.
    pub(crate) fn n_elsewhere_of_other(&self, site: Site) -> usize {
        let Some(others) = &self.others else {
            return 0;
        };
        let (mut below, child) = (site.node(), self.other_child(site));
        let mut key = self.table.key_below(child);
        loop {
            let (above, replacement) = self.replacement(below, child);
            key = self.table.key_replaced(replacement, key);
            if self.cuts[above] {
                return others.count_of_key(key);
            }
            below = above;
        }
    }

    /// Puts a site into the other state; `chain` holds the fragments above it as they will be.
    pub(crate) fn flip(&mut self, site: Site, chain: &[FragmentId]) {
        let node = site.node();
        let was_cut = self.cuts[node];
        let root = self.fragment_root(site);
        self.forget(root);
        if was_cut {
            self.forget(node);
        }
        self.cuts[node] = !was_cut;
        let mut below = node;
        for &fragment in chain {
            below = self.arena.node(below).parent;
            self.fragments_at[below] = fragment;
        }
        debug_assert_eq!(below, root, "a chain ends at the root of the fragment");
        self.observe(root);
        if was_cut {
            self.n_cut_sites -= 1;
        } else {
            self.observe(node);
            self.n_cut_sites += 1;
        }
    }

    /// Forgets the fragments that no node has any more.
    pub fn collect_garbage(&mut self) {
        let mut is_used = IdVec::filled(false, self.table.n_ids());
        for &fragment in &self.fragments_at {
            is_used[fragment] = true;
        }
        let renamed = self.table.retain(&is_used);
        for fragment in self.fragments_at.iter_mut() {
            *fragment = renamed[*fragment];
        }
        let mut occurrences = IdVec::filled(Vec::new(), self.table.n_ids());
        for fragment in self.occurrences.ids() {
            let nodes = std::mem::take(&mut self.occurrences[fragment]);
            if !nodes.is_empty() {
                occurrences[renamed[fragment]] = nodes;
            }
        }
        self.occurrences = occurrences;
        if let Some(others) = &mut self.others {
            others.rename(&renamed, self.table.n_ids());
        }
    }

    /// Estimates the probabilities of stopping from the fragments, which changes the target.
    pub fn estimate_stop(&mut self) {
        let fragments = self.fragments();
        let places = Places::of(self.arena, &self.table, &fragments);
        self.set_stop(&places);
    }

    fn set_stop(&mut self, places: &Places) {
        self.base.estimate_stop(places);
        self.table.update_base(&self.base, self.arena);
    }

    /// Whether all counts are what they would be if counted from scratch.
    pub fn is_consistent(&self) -> bool {
        let cuts = self.cuts.to_vec();
        let fresh = Segmentation::from_cuts(self.arena, self.base.clone(), cuts);
        let of = |it: &Segmentation<'_>, node: CorpusNodeId| {
            let fragment = it.fragment_at(node);
            (it.occurrences(fragment).len(), it.table.ln_base(fragment))
        };
        let same_counts = |node: CorpusNodeId| {
            let ((n, ln_base), (n_fresh, ln_fresh)) = (of(self, node), of(&fresh, node));
            let here = self.occurrences(self.fragment_at(node));
            here[self.positions[node].index()] == node
                && n == n_fresh
                && (ln_base - ln_fresh).abs() < 1e-9
        };
        let mut cut = self.arena.nodes().filter(|&node| self.is_cut(node));
        cut.all(same_counts)
            && (self.others.is_some() || self.symbols == fresh.symbols)
            && self.n_cut_sites == fresh.n_cut_sites
    }
}

/// Cuts fragments that have too many nodes, from the leaves up.
fn cut_large(arena: &CorpusArena, cuts: &mut IdVec<CorpusNodeId, bool>) {
    // How many nodes each fragment has from a node down, as far as its children have been seen.
    let mut n_nodes = IdVec::filled(1, arena.n_nodes());
    for node in arena.nodes().rev() {
        let parent = arena.node(node).parent;
        let n_joined = n_nodes[node] + n_nodes[parent];
        if !cuts[node] && n_joined > MAX_FRAGMENT_NODES && arena.site(node).is_some() {
            cuts[node] = true;
        }
        if !cuts[node] {
            n_nodes[parent] = n_joined;
        }
    }
}
