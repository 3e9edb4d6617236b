//! What fragments are called by all ranks: hashes of their structure.
//!
//! A number of a table means nothing to another rank. Two fragments of one structure have the same key
//! everywhere; two different ones have the same with a probability of 2^-64.

use patois_syntax::{Id as _, IdVec, Label, SymbolId};

use super::{FragmentId, FragmentTable, HOLE, Replacement};
use crate::arena::{CorpusArena, LabelId};

/// The key of a hole.
const HOLE_KEY: u64 = 0x5851_f42d_4c95_7f2d;

/// The keys of all labels and fragments of a table.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    labels: IdVec<LabelId, u64>,
    pub(super) fragments: IdVec<FragmentId, u64>,
}

impl Keys {
    /// The key of a fragment that has this label, and children with these keys.
    fn of(&self, label: LabelId, children: impl Iterator<Item = u64>) -> u64 {
        children.fold(self.labels[label], mix)
    }

    /// No fragments yet, but the same labels.
    pub(super) fn emptied(&self) -> Keys {
        Keys {
            labels: self.labels.clone(),
            fragments: IdVec::from(vec![HOLE_KEY]),
        }
    }

    /// The next fragment is one with this label and these children.
    pub(super) fn push(&mut self, label: LabelId, children: &[FragmentId]) {
        let key = self.of(label, children.iter().map(|&it| self.fragments[it]));
        self.fragments.push(key);
    }
}

impl FragmentTable {
    /// Keeps keys from now on.
    pub(crate) fn keep_keys(&mut self, arena: &CorpusArena) {
        let mut keys = Keys {
            labels: arena
                .labels()
                .map(|(symbol, label, _)| label_key(symbol, label))
                .collect(),
            fragments: IdVec::from(vec![HOLE_KEY]),
        };
        for fragment in self.ids() {
            keys.push(self.label(fragment), self.children(fragment));
        }
        self.keys = Some(keys);
    }

    fn keys(&self) -> &Keys {
        self.keys
            .as_ref()
            .expect("a table of several ranks keeps keys")
    }

    /// What all ranks call a fragment.
    #[inline]
    pub(crate) fn key(&self, fragment: FragmentId) -> u64 {
        self.keys().fragments[fragment]
    }

    /// What all ranks call a fragment in which one child is replaced by what they call `child`.
    pub(crate) fn key_replaced(&self, replacement: Replacement, child: u64) -> u64 {
        let Replacement { fragment, rank, .. } = replacement;
        let keys = self.keys();
        let children = self.children(fragment).iter().enumerate();
        let children = children.map(|(at, &it)| {
            if at == rank.index() {
                child
            } else {
                keys.fragments[it]
            }
        });
        keys.of(self.label(fragment), children)
    }

    /// What all ranks call a fragment or a hole below another.
    pub(crate) fn key_below(&self, child: FragmentId) -> u64 {
        if child == HOLE {
            HOLE_KEY
        } else {
            self.key(child)
        }
    }
}

/// What all ranks call a label.
pub(crate) fn label_key(symbol: SymbolId, label: Label) -> u64 {
    let symbol = u64::from(symbol.to_u32());
    match label {
        Label::Production(production) => mix(mix(1, symbol), u64::from(production.to_u32())),
        // All references of a symbol are one to the miner.
        Label::Reference(_) => mix(2, symbol),
        Label::Text(text) => {
            let (chunks, rest) = text.as_str().as_bytes().as_chunks();
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            let words = chunks
                .iter()
                .chain([&last])
                .map(|&it| u64::from_le_bytes(it));
            words.fold(mix(mix(3, symbol), text.as_str().len() as u64), mix)
        }
    }
}

/// One more word of a hash.
#[inline]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash.rotate_left(25) ^ 0x9e37_79b9_7f4a_7c15)
        * u128::from(word ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ ((product >> 64) as u64)
}
