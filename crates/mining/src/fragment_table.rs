//! Hash-consed fragments: each is stored once, and is called by its number.
//!
//! A fragment is a label and, for each child, another fragment or a hole. Two fragments are equal if
//! and only if they have the same number, and the lower part of a fragment is a fragment itself.

use hashbrown::HashTable;
use patois_syntax::{Fragment, FragmentNode, Grammar, HoleId};

use crate::arena::CorpusArena;
use crate::base_distribution::Base;

/// Number of a fragment; zero is a hole.
pub type FragmentId = u32;

/// The place of a hole.
pub const HOLE: FragmentId = 0;

/// All fragments that are in use, and some that were.
#[derive(Clone, Debug)]
pub struct FragmentTable {
    entries: Vec<Entry>,
    /// The children of all fragments, one fragment's after the other's.
    children: Vec<FragmentId>,
    index: HashTable<FragmentId>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    label: u32,
    symbol: u32,
    first_child: u32,
    n_children: u32,
    n_holes: u32,
    ln_base: f64,
}

/// What makes one fragment of another: the same but for one child.
#[derive(Clone, Copy, Debug)]
pub struct Replacement {
    /// The fragment to start from.
    pub fragment: FragmentId,
    /// Which child is another.
    pub rank: u32,
    /// What it is instead.
    pub child: FragmentId,
}

impl FragmentTable {
    /// No fragments.
    pub fn new() -> FragmentTable {
        let hole = Entry {
            label: u32::MAX,
            symbol: u32::MAX,
            first_child: 0,
            n_children: 0,
            n_holes: 1,
            ln_base: 0.0,
        };
        FragmentTable {
            entries: vec![hole],
            children: Vec::new(),
            index: HashTable::new(),
        }
    }

    /// How many numbers are taken; fragments have numbers from one on.
    pub fn n_numbers(&self) -> usize {
        self.entries.len()
    }

    /// The label at the root of a fragment.
    pub fn label(&self, fragment: FragmentId) -> u32 {
        self.entries[fragment as usize].label
    }

    /// The symbol at the root of a fragment.
    pub fn symbol(&self, fragment: FragmentId) -> u32 {
        self.entries[fragment as usize].symbol
    }

    /// The children of a fragment: other fragments, or holes.
    pub fn children(&self, fragment: FragmentId) -> &[FragmentId] {
        let entry = &self.entries[fragment as usize];
        &self.children[entry.first_child as usize..(entry.first_child + entry.n_children) as usize]
    }

    /// How many holes a fragment has; a hole is one.
    pub fn n_holes(&self, fragment: FragmentId) -> u32 {
        self.entries[fragment as usize].n_holes
    }

    /// A fragment as the grammar knows it; none where it is a text or a reference by itself.
    pub fn fragment(
        &self,
        grammar: &Grammar,
        arena: &CorpusArena,
        fragment: FragmentId,
    ) -> Option<Fragment> {
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
        Fragment::from_nodes(grammar, arena.label(self.label(fragment)).0, nodes).ok()
    }

    /// The base log-probability of a fragment: see [`Base`].
    pub fn ln_base(&self, fragment: FragmentId) -> f64 {
        self.entries[fragment as usize].ln_base
    }

    /// The fragment with the given label and children, if it is stored.
    pub fn find(&self, label: u32, children: &[FragmentId]) -> Option<FragmentId> {
        let hash = hash(label, children.iter().copied());
        let is_it = |&fragment: &FragmentId| {
            self.label(fragment) == label && self.children(fragment) == children
        };
        self.index.find(hash, is_it).copied()
    }

    /// The fragment with the given label and children; stores it where it is new.
    pub fn intern(
        &mut self,
        base: &Base,
        arena: &CorpusArena,
        label: u32,
        children: &[FragmentId],
    ) -> FragmentId {
        if let Some(known) = self.find(label, children) {
            return known;
        }
        let fragment = self.entries.len() as FragmentId;
        self.entries.push(Entry {
            label,
            symbol: arena.label(label).0.index() as u32,
            first_child: self.children.len() as u32,
            n_children: children.len() as u32,
            n_holes: children.iter().map(|&child| self.n_holes(child)).sum(),
            ln_base: 0.0,
        });
        self.children.extend_from_slice(children);
        self.entries[fragment as usize].ln_base = self.computed_ln_base(base, arena, fragment);
        let (entries, all) = (&self.entries, &self.children);
        self.index.insert_unique(
            hash(label, children.iter().copied()),
            fragment,
            |&fragment| {
                let entry = &entries[fragment as usize];
                let range =
                    entry.first_child as usize..(entry.first_child + entry.n_children) as usize;
                hash(entry.label, all[range].iter().copied())
            },
        );
        fragment
    }

    /// The fragment that a replacement makes, if it is stored.
    pub fn find_replaced(&self, replacement: Replacement) -> Option<FragmentId> {
        let Replacement {
            fragment,
            rank,
            child,
        } = replacement;
        let replaced = || {
            let children = self.children(fragment).iter().enumerate();
            children.map(move |(at, &it)| if at == rank as usize { child } else { it })
        };
        let label = self.label(fragment);
        let is_it = |&it: &FragmentId| {
            self.label(it) == label && self.children(it).iter().copied().eq(replaced())
        };
        self.index.find(hash(label, replaced()), is_it).copied()
    }

    /// The fragment that a replacement makes; stores it where it is new.
    pub fn intern_replaced(
        &mut self,
        base: &Base,
        arena: &CorpusArena,
        replacement: Replacement,
    ) -> FragmentId {
        if let Some(known) = self.find_replaced(replacement) {
            return known;
        }
        let Replacement {
            fragment,
            rank,
            child,
        } = replacement;
        let mut children = self.children(fragment).to_vec();
        children[rank as usize] = child;
        self.intern(base, arena, self.label(fragment), &children)
    }

    /// The places below the root of a fragment, with their symbols.
    pub fn child_symbols<'a>(
        &'a self,
        arena: &'a CorpusArena,
        fragment: FragmentId,
    ) -> impl Iterator<Item = (u32, FragmentId)> + 'a {
        let symbols = arena.child_symbols(self.label(fragment));
        symbols
            .iter()
            .copied()
            .zip(self.children(fragment).iter().copied())
    }

    /// Computes all base log-probabilities anew.
    pub fn update_base(&mut self, base: &Base, arena: &CorpusArena) {
        // A fragment's children were stored before it.
        for fragment in 1..self.entries.len() as FragmentId {
            self.entries[fragment as usize].ln_base = self.computed_ln_base(base, arena, fragment);
        }
    }

    fn computed_ln_base(&self, base: &Base, arena: &CorpusArena, fragment: FragmentId) -> f64 {
        let below: f64 = self
            .child_symbols(arena, fragment)
            .map(|(symbol, child)| base.ln_place(arena, symbol, child) + self.ln_base(child))
            .sum();
        base.pcfg.ln_label(self.label(fragment)) + below
    }

    /// Forgets all fragments but those that `is_used`; what the others are called now, holes elsewhere.
    ///
    /// A fragment that is used must only have children that are.
    pub fn retain(&mut self, is_used: &[bool]) -> Vec<FragmentId> {
        let mut renamed = vec![HOLE; self.entries.len()];
        let mut kept = FragmentTable::new();
        for fragment in (1..self.entries.len()).filter(|&fragment| is_used[fragment]) {
            let entry = self.entries[fragment];
            renamed[fragment] = kept.entries.len() as FragmentId;
            kept.entries.push(Entry {
                first_child: kept.children.len() as u32,
                ..entry
            });
            kept.children.extend(
                self.children(fragment as FragmentId)
                    .iter()
                    .map(|&it| renamed[it as usize]),
            );
        }
        let hash_of = |fragment: &FragmentId| {
            hash(
                kept.label(*fragment),
                kept.children(*fragment).iter().copied(),
            )
        };
        let mut index = HashTable::with_capacity(kept.entries.len());
        for fragment in 1..kept.entries.len() as FragmentId {
            index.insert_unique(hash_of(&fragment), fragment, hash_of);
        }
        kept.index = index;
        *self = kept;
        renamed
    }
}

impl Default for FragmentTable {
    fn default() -> FragmentTable {
        FragmentTable::new()
    }
}

fn hash(label: u32, children: impl Iterator<Item = FragmentId>) -> u64 {
    let mix = |hash: u64, word: u32| {
        (hash.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    let hash = children.fold(mix(0, label), mix);
    hash ^ (hash >> 29)
}
