//! Parts of fragments, each stored once.
//!
//! A part is a label and, for each child, another part or a hole. Two nodes are the roots of equal
//! fragments if and only if they have the same part, so comparing fragments is comparing numbers.

use hashbrown::HashTable;
use patois_syntax::{Fragment, FragmentNode, Grammar, HoleId};

use crate::arena::{CorpusArena, Place};
use crate::pcfg::Pcfg;

/// Number of a part; zero is a hole.
pub type Part = u32;

/// The place of a hole.
pub const HOLE: Part = 0;

/// All parts that are in use, and some that were.
#[derive(Clone, Debug)]
pub struct Parts {
    entries: Vec<Entry>,
    /// The children of all parts, one part's after the other's.
    children: Vec<Part>,
    index: HashTable<Part>,
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

/// What makes one part of another: the same but for one child.
#[derive(Clone, Copy, Debug)]
pub struct Replacement {
    /// The part to start from.
    pub part: Part,
    /// Which child is another.
    pub rank: u32,
    /// What it is instead.
    pub child: Part,
}

impl Parts {
    /// No parts.
    pub fn new() -> Parts {
        let hole = Entry {
            label: u32::MAX,
            symbol: u32::MAX,
            first_child: 0,
            n_children: 0,
            n_holes: 1,
            ln_base: 0.0,
        };
        Parts {
            entries: vec![hole],
            children: Vec::new(),
            index: HashTable::new(),
        }
    }

    /// How many numbers are taken; parts have numbers from one on.
    pub fn n_numbers(&self) -> usize {
        self.entries.len()
    }

    /// The label at the root of a part.
    pub fn label(&self, part: Part) -> u32 {
        self.entries[part as usize].label
    }

    /// The symbol at the root of a part.
    pub fn symbol(&self, part: Part) -> u32 {
        self.entries[part as usize].symbol
    }

    /// The children of a part: other parts, or holes.
    pub fn children(&self, part: Part) -> &[Part] {
        let entry = &self.entries[part as usize];
        &self.children[entry.first_child as usize..(entry.first_child + entry.n_children) as usize]
    }

    /// How many holes a part has; a hole is one.
    pub fn n_holes(&self, part: Part) -> u32 {
        self.entries[part as usize].n_holes
    }

    /// A part as a fragment of the grammar; none where it is a text or a reference by itself.
    pub fn fragment(&self, grammar: &Grammar, arena: &CorpusArena, part: Part) -> Option<Fragment> {
        let mut nodes = Vec::new();
        let mut n_holes = 0;
        let mut open = vec![part];
        while let Some(part) = open.pop() {
            if part == HOLE {
                nodes.push(FragmentNode::Hole(HoleId::new(n_holes)));
                n_holes += 1;
            } else {
                nodes.push(FragmentNode::Fixed(arena.label(self.label(part)).1));
                open.extend(self.children(part).iter().rev());
            }
        }
        Fragment::from_nodes(grammar, arena.label(self.label(part)).0, nodes).ok()
    }

    /// The base log-probability of a part: see [`Base`].
    pub fn ln_base(&self, part: Part) -> f64 {
        self.entries[part as usize].ln_base
    }

    /// The part with the given label and children, if it is stored.
    pub fn find(&self, label: u32, children: &[Part]) -> Option<Part> {
        let hash = hash(label, children.iter().copied());
        let is_it = |&part: &Part| self.label(part) == label && self.children(part) == children;
        self.index.find(hash, is_it).copied()
    }

    /// The part with the given label and children; stores it where it is new.
    pub fn intern(
        &mut self,
        base: &Base,
        arena: &CorpusArena,
        label: u32,
        children: &[Part],
    ) -> Part {
        if let Some(known) = self.find(label, children) {
            return known;
        }
        let part = self.entries.len() as Part;
        self.entries.push(Entry {
            label,
            symbol: arena.label(label).0.index() as u32,
            first_child: self.children.len() as u32,
            n_children: children.len() as u32,
            n_holes: children.iter().map(|&child| self.n_holes(child)).sum(),
            ln_base: 0.0,
        });
        self.children.extend_from_slice(children);
        self.entries[part as usize].ln_base = self.computed_ln_base(base, arena, part);
        let (entries, all) = (&self.entries, &self.children);
        self.index
            .insert_unique(hash(label, children.iter().copied()), part, |&part| {
                let entry = &entries[part as usize];
                let range =
                    entry.first_child as usize..(entry.first_child + entry.n_children) as usize;
                hash(entry.label, all[range].iter().copied())
            });
        part
    }

    /// The part that a replacement makes, if it is stored.
    pub fn find_replaced(&self, replacement: Replacement) -> Option<Part> {
        let Replacement { part, rank, child } = replacement;
        let replaced = || {
            let children = self.children(part).iter().enumerate();
            children.map(move |(at, &it)| if at == rank as usize { child } else { it })
        };
        let label = self.label(part);
        let is_it = |&it: &Part| {
            self.label(it) == label && self.children(it).iter().copied().eq(replaced())
        };
        self.index.find(hash(label, replaced()), is_it).copied()
    }

    /// The part that a replacement makes; stores it where it is new.
    pub fn intern_replaced(
        &mut self,
        base: &Base,
        arena: &CorpusArena,
        replacement: Replacement,
    ) -> Part {
        if let Some(known) = self.find_replaced(replacement) {
            return known;
        }
        let Replacement { part, rank, child } = replacement;
        let mut children = self.children(part).to_vec();
        children[rank as usize] = child;
        self.intern(base, arena, self.label(part), &children)
    }

    /// The places below the root of a part, with their symbols.
    pub fn child_symbols<'a>(
        &'a self,
        arena: &'a CorpusArena,
        part: Part,
    ) -> impl Iterator<Item = (u32, Part)> + 'a {
        let symbols = arena.child_symbols(self.label(part));
        symbols
            .iter()
            .copied()
            .zip(self.children(part).iter().copied())
    }

    /// Computes all base log-probabilities anew.
    pub fn update_base(&mut self, base: &Base, arena: &CorpusArena) {
        // A part's children were stored before it.
        for part in 1..self.entries.len() as Part {
            self.entries[part as usize].ln_base = self.computed_ln_base(base, arena, part);
        }
    }

    fn computed_ln_base(&self, base: &Base, arena: &CorpusArena, part: Part) -> f64 {
        let below: f64 = self
            .child_symbols(arena, part)
            .map(|(symbol, child)| base.ln_place(arena, symbol, child) + self.ln_base(child))
            .sum();
        base.pcfg.ln_label(self.label(part)) + below
    }

    /// Forgets all parts but those that `is_used`; what the others are called now, holes elsewhere.
    ///
    /// A part that is used must only have children that are.
    pub fn retain(&mut self, is_used: &[bool]) -> Vec<Part> {
        let mut renamed = vec![HOLE; self.entries.len()];
        let mut kept = Parts::new();
        for part in (1..self.entries.len()).filter(|&part| is_used[part]) {
            let entry = self.entries[part];
            renamed[part] = kept.entries.len() as Part;
            kept.entries.push(Entry {
                first_child: kept.children.len() as u32,
                ..entry
            });
            kept.children.extend(
                self.children(part as Part)
                    .iter()
                    .map(|&it| renamed[it as usize]),
            );
        }
        let hash_of = |part: &Part| hash(kept.label(*part), kept.children(*part).iter().copied());
        let mut index = HashTable::with_capacity(kept.entries.len());
        for part in 1..kept.entries.len() as Part {
            index.insert_unique(hash_of(&part), part, hash_of);
        }
        kept.index = index;
        *self = kept;
        renamed
    }
}

impl Default for Parts {
    fn default() -> Parts {
        Parts::new()
    }
}

fn hash(label: u32, children: impl Iterator<Item = Part>) -> u64 {
    let mix = |hash: u64, word: u32| {
        (hash.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    let hash = children.fold(mix(0, label), mix);
    hash ^ (hash >> 29)
}

/// The base distribution over fragments.
///
/// ```text
/// P0(fragment) = product over its nodes of P(label | symbol)
///              * product over the places below its root where there is a choice of
///                    stop(symbol) if it is a hole, 1 - stop(symbol) if the fragment goes on
/// ```
///
/// which makes it proper: the probabilities of all fragments of a symbol add up to one.
#[derive(Clone, Debug)]
pub struct Base {
    /// Probabilities of labels.
    pub pcfg: Pcfg,
    ln_stop: Vec<f64>,
    ln_go_on: Vec<f64>,
}

impl Base {
    /// A base distribution with the same probability of stopping at all symbols.
    pub fn new(arena: &CorpusArena, stop: f64) -> Base {
        let mut base = Base {
            pcfg: Pcfg::of(arena),
            ln_stop: Vec::new(),
            ln_go_on: Vec::new(),
        };
        base.set_stop(&vec![stop; arena.n_symbols()]);
        base
    }

    fn set_stop(&mut self, stop: &[f64]) {
        self.ln_stop = stop.iter().map(|stop| stop.ln()).collect();
        self.ln_go_on = stop.iter().map(|stop| (-stop).ln_1p()).collect();
    }

    /// Estimates the probabilities of stopping: the share of holes among the places for each symbol
    /// in the given fragments, smoothed by one hole and one continuation.
    pub fn estimate_stop(&mut self, arena: &CorpusArena, parts: &Parts, fragments: &[Part]) {
        let mut holes = vec![1.0; arena.n_symbols()];
        let mut places = vec![2.0; arena.n_symbols()];
        let mut open = Vec::new();
        for &fragment in fragments {
            open.push(fragment);
            while let Some(part) = open.pop() {
                for (symbol, child) in parts.child_symbols(arena, part) {
                    places[symbol as usize] += 1.0;
                    if child == HOLE {
                        holes[symbol as usize] += 1.0;
                    } else {
                        open.push(child);
                    }
                }
            }
        }
        let stop: Vec<f64> = holes
            .iter()
            .zip(&places)
            .map(|(holes, places)| holes / places)
            .collect();
        self.set_stop(&stop);
    }

    /// The log-probabilities of stopping and of going on at a symbol.
    pub fn ln_stop_or_go_on(&self, symbol: u32) -> (f64, f64) {
        (
            self.ln_stop[symbol as usize],
            self.ln_go_on[symbol as usize],
        )
    }

    /// What joining two fragments at a symbol adds to the sum of their base log-probabilities.
    pub fn ln_join(&self, symbol: u32) -> f64 {
        self.ln_go_on[symbol as usize] - self.ln_stop[symbol as usize]
    }

    /// The log-probability of ending, or not ending, in a hole at a place.
    fn ln_place(&self, arena: &CorpusArena, symbol: u32, child: Part) -> f64 {
        match (arena.place_of(symbol), child) {
            (Place::Site, HOLE) => self.ln_stop[symbol as usize],
            (Place::Site, _) => self.ln_go_on[symbol as usize],
            (Place::Forced | Place::Hole, _) => 0.0,
        }
    }
}
