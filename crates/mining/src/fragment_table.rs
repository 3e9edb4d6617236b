//! Hash-consed fragments: each is stored once, and is called by its number.
//!
//! A fragment is a label and, for each child, another fragment or a hole. Two fragments are equal if
//! and only if they have the same number, and the lower part of a fragment is a fragment itself.

mod keys;

use hashbrown::HashTable;
use patois_syntax::{Fragment, FragmentNode, Grammar, HoleId, Id, IdVec, SymbolId, index};

use crate::arena::{ChildRank, CorpusArena, LabelId};
use crate::base_distribution::Base;
use keys::Keys;
pub(crate) use keys::{label_key, mix};

index! {
    /// A fragment, each of which is stored once.
    pub FragmentId
}
index! {
    /// A position in the list of all children.
    SlotId
}

/// What stands where a fragment ends in a hole.
pub(crate) const HOLE: FragmentId = FragmentId(0);

/// How many nodes a fragment has at most, holes aside.
///
/// A list is a chain of cells. So a table that is there twice could become a fragment as large as
/// itself, and whatever walks up from a cell to where its fragment begins would take the square of its
/// length. Fragments of code that people write have some hundred nodes; the largest that we have met,
/// in tables that a package has several times, had 4,096.
pub const MAX_FRAGMENT_NODES: usize = 4_096;

/// All fragments that are in use, and some that were.
#[derive(Clone, Debug)]
pub(crate) struct FragmentTable {
    entries: IdVec<FragmentId, Entry>,
    /// The children of all fragments, one fragment's after the other's.
    children: Vec<FragmentId>,
    index: HashTable<FragmentId>,
    /// What other ranks call them, where there are any.
    keys: Option<Keys>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    label: LabelId,
    symbol: SymbolId,
    /// Where its children are, from the first to one past the last.
    children: (SlotId, SlotId),
    n_holes: u32,
    /// How many nodes there are, holes aside.
    n_nodes: u32,
    ln_base: f64,
}

/// What makes one fragment of another: the same but for one child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replacement {
    /// The fragment to start from.
    pub fragment: FragmentId,
    /// Which child is another.
    pub rank: ChildRank,
    /// What it is instead.
    pub child: FragmentId,
}

impl FragmentTable {
    pub(crate) fn new() -> FragmentTable {
        let nothing = u32::MAX;
        let hole = Entry {
            label: LabelId::from_u32(nothing),
            symbol: SymbolId::from_u32(nothing),
            children: (SlotId(0), SlotId(0)),
            n_holes: 1,
            n_nodes: 0,
            ln_base: 0.0,
        };
        FragmentTable {
            entries: IdVec::from(vec![hole]),
            children: Vec::new(),
            index: HashTable::new(),
            keys: None,
        }
    }

    /// How many ids are taken; the first is that of a hole.
    pub(crate) fn n_ids(&self) -> usize {
        self.entries.len()
    }

    /// All fragments.
    fn ids(&self) -> impl Iterator<Item = FragmentId> + use<> {
        self.entries.ids().skip(1)
    }

    /// The label at the root of a fragment.
    #[inline]
    pub(crate) fn label(&self, fragment: FragmentId) -> LabelId {
        self.entries[fragment].label
    }

    /// The symbol at the root of a fragment.
    #[inline]
    pub(crate) fn symbol(&self, fragment: FragmentId) -> SymbolId {
        self.entries[fragment].symbol
    }

    /// The children of a fragment: other fragments, or holes.
    #[inline]
    pub(crate) fn children(&self, fragment: FragmentId) -> &[FragmentId] {
        self.entries[fragment].children(&self.children)
    }

    /// How many holes a fragment has; a hole is one.
    pub(crate) fn n_holes(&self, fragment: FragmentId) -> u32 {
        self.entries[fragment].n_holes
    }

    /// How many nodes a fragment has, holes aside.
    #[inline]
    pub(crate) fn n_nodes(&self, fragment: FragmentId) -> usize {
        self.entries[fragment].n_nodes as usize
    }

    /// A fragment as the grammar knows it; none where it is a text or a reference by itself.
    pub(crate) fn fragment(
        &self,
        grammar: &Grammar,
        arena: &CorpusArena,
        fragment: FragmentId,
    ) -> Option<Fragment> {
        let (symbol, _) = arena.label(self.label(fragment));
        let mut nodes = Vec::new();
        let mut n_holes = 0;
        let mut open = vec![fragment];
        while let Some(fragment) = open.pop() {
            if fragment == HOLE {
                nodes.push(FragmentNode::Hole(HoleId::new(n_holes)));
                n_holes += 1;
            } else {
                nodes.push(FragmentNode::Fixed(arena.label(self.label(fragment)).1));
                open.extend(self.children(fragment).iter().rev());
            }
        }
        Fragment::from_nodes(grammar, symbol, nodes).ok()
    }

    /// The log of *G*₀ of a fragment: see [`Base`].
    #[inline]
    pub(crate) fn ln_base(&self, fragment: FragmentId) -> f64 {
        self.entries[fragment].ln_base
    }

    /// The fragment with the given label and children; stores it where it is new.
    pub(crate) fn intern(
        &mut self,
        base: &Base,
        arena: &CorpusArena,
        label: LabelId,
        children: &[FragmentId],
    ) -> FragmentId {
        let hash = hash(label, children.iter().copied());
        let is_it = |&it: &FragmentId| self.label(it) == label && self.children(it) == children;
        if let Some(&known) = self.index.find(hash, is_it) {
            return known;
        }
        let first = SlotId::new(self.children.len());
        self.children.extend_from_slice(children);
        let fragment = self.entries.push(Entry {
            label,
            symbol: arena.label(label).0,
            children: (first, SlotId::new(self.children.len())),
            n_holes: children.iter().map(|&child| self.n_holes(child)).sum(),
            n_nodes: 1 + children
                .iter()
                .map(|&it| self.entries[it].n_nodes)
                .sum::<u32>(),
            ln_base: 0.0,
        });
        self.entries[fragment].ln_base = self.computed_ln_base(base, arena, fragment);
        if let Some(keys) = &mut self.keys {
            keys.push(label, children);
        }
        let (entries, all) = (&self.entries, &self.children);
        self.index
            .insert_unique(hash, fragment, |&it| entries[it].hash(all));
        fragment
    }

    /// The fragment that a replacement makes, if it is stored.
    pub(crate) fn find_replaced(&self, replacement: Replacement) -> Option<FragmentId> {
        let Replacement {
            fragment,
            rank,
            child,
        } = replacement;
        let replaced = || {
            let children = self.children(fragment).iter().enumerate();
            children.map(move |(at, &it)| if at == rank.index() { child } else { it })
        };
        let label = self.label(fragment);
        let is_it = |&it: &FragmentId| {
            self.label(it) == label && self.children(it).iter().copied().eq(replaced())
        };
        self.index.find(hash(label, replaced()), is_it).copied()
    }

    /// The fragment that a replacement makes; stores it where it is new.
    pub(crate) fn intern_replaced(
        &mut self,
        base: &Base,
        arena: &CorpusArena,
        replacement: Replacement,
    ) -> FragmentId {
        if let Some(known) = self.find_replaced(replacement) {
            return known;
        }
        let mut children = self.children(replacement.fragment).to_vec();
        children[replacement.rank.index()] = replacement.child;
        self.intern(base, arena, self.label(replacement.fragment), &children)
    }

    /// What is below the root of a fragment, with its symbols.
    pub(crate) fn child_symbols<'a>(
        &'a self,
        arena: &'a CorpusArena,
        fragment: FragmentId,
    ) -> impl Iterator<Item = (SymbolId, FragmentId)> + 'a {
        let symbols = arena.child_symbols(self.label(fragment)).iter().copied();
        symbols.zip(self.children(fragment).iter().copied())
    }

    /// Computes all base log-probabilities anew.
    pub(crate) fn update_base(&mut self, base: &Base, arena: &CorpusArena) {
        // A fragment's children were stored before it.
        for fragment in self.ids() {
            self.entries[fragment].ln_base = self.computed_ln_base(base, arena, fragment);
        }
    }

    fn computed_ln_base(&self, base: &Base, arena: &CorpusArena, fragment: FragmentId) -> f64 {
        let below: f64 = self
            .child_symbols(arena, fragment)
            .map(|(symbol, child)| base.ln_place(arena, symbol, child) + self.ln_base(child))
            .sum();
        base.pcfg.ln_label(self.label(fragment)) + below
    }

    /// Forgets all fragments but those that `is_used`; what these are called now, holes elsewhere.
    ///
    /// A fragment that is used must only have children that are.
    pub(crate) fn retain(
        &mut self,
        is_used: &IdVec<FragmentId, bool>,
    ) -> IdVec<FragmentId, FragmentId> {
        let mut renamed = IdVec::filled(HOLE, self.n_ids());
        let mut kept = FragmentTable::new();
        kept.keys = self.keys.as_ref().map(Keys::emptied);
        for fragment in self.ids().filter(|&it| is_used[it]) {
            let first = SlotId::new(kept.children.len());
            let children = self.children(fragment).iter().map(|&it| renamed[it]);
            kept.children.extend(children);
            renamed[fragment] = kept.entries.push(Entry {
                children: (first, SlotId::new(kept.children.len())),
                ..self.entries[fragment]
            });
            if let (Some(kept), Some(keys)) = (&mut kept.keys, &self.keys) {
                kept.fragments.push(keys.fragments[fragment]);
            }
        }
        let hash = |&it: &FragmentId| kept.entries[it].hash(&kept.children);
        let mut index = HashTable::with_capacity(kept.n_ids());
        for fragment in kept.ids() {
            index.insert_unique(hash(&fragment), fragment, hash);
        }
        kept.index = index;
        *self = kept;
        renamed
    }
}

impl Entry {
    #[inline]
    fn children(self, all: &[FragmentId]) -> &[FragmentId] {
        &all[self.children.0.index()..self.children.1.index()]
    }

    fn hash(self, all: &[FragmentId]) -> u64 {
        hash(self.label, self.children(all).iter().copied())
    }
}

fn hash(label: LabelId, children: impl Iterator<Item = FragmentId>) -> u64 {
    let mix = |hash: u64, word: u32| {
        (hash.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    let hash = children.fold(mix(0, label.to_u32()), |hash, it| mix(hash, it.to_u32()));
    hash ^ (hash >> 29)
}
