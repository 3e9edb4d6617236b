//! A segmentation as bytes, so that a chain that was ended goes on as if it had not been.

use patois_collective::{Reader, Writer};
use patois_syntax::Id as _;

use super::Segmentation;
use crate::arena::{CorpusArena, CorpusNodeId, LabelId};
use crate::base_distribution::Base;
use crate::fragment_table::FragmentId;

impl<'a> Segmentation<'a> {
    /// Writes what the cuts do not tell: which fragment has which number, and the order of occurrences.
    ///
    /// Fragments that no node has must have been [forgotten](Self::collect_garbage).
    pub(crate) fn write(&self, writer: &mut Writer) {
        let fragments = || self.occurrences.ids().skip(1);
        writer.number(fragments().count() as u64);
        for fragment in fragments() {
            writer.number(self.table.label(fragment).to_u32().into());
            for child in self.table.children(fragment) {
                writer.number(child.to_u32().into());
            }
        }
        for fragment in fragments() {
            let nodes = self.occurrences(fragment);
            writer.number(nodes.len() as u64);
            let mut before = 0;
            for node in nodes {
                let node = i64::from(node.to_u32());
                writer.difference(node - before);
                before = node;
            }
        }
    }

    /// The segmentation of an arena that was cut so, and [written](Self::write).
    pub(crate) fn read(
        arena: &'a CorpusArena,
        base: Base,
        cuts: Vec<bool>,
        reader: &mut Reader<'_>,
    ) -> Segmentation<'a> {
        let mut segmentation = Segmentation::without_fragments(arena, base, cuts);
        let n_fragments = reader.size();
        for _ in 0..n_fragments {
            let label = LabelId::new(reader.size());
            let n_children = arena.child_symbols(label).len();
            let children: Vec<FragmentId> = (0..n_children)
                .map(|_| FragmentId::new(reader.size()))
                .collect();
            let table = &mut segmentation.table;
            table.intern(&segmentation.base, arena, label, &children);
        }
        segmentation.intern_all();
        for _ in 0..n_fragments {
            let mut node = 0;
            for _ in 0..reader.size() {
                node += reader.difference();
                let number = u32::try_from(node).expect("nodes have numbers of 32 bits");
                segmentation.observe(CorpusNodeId::from_u32(number));
            }
        }
        segmentation.n_cut_sites = arena.sites().filter(|&it| segmentation.is_cut(it)).count();
        segmentation
    }
}
