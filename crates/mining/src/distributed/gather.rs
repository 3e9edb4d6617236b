//! Trees and fragments as bytes, for other ranks.

use std::borrow::Cow;

use indexmap::IndexSet;
use patois_collective::{Collective, Reader, Writer};
use patois_syntax::{
    Fragment, FragmentNode, Grammar, HoleId, Id as _, Label, ProductionId, SymbolId, Text, Tree,
};
use rustc_hash::FxBuildHasher;

use super::Part;
use crate::segmentation::Segmentation;

/// Writes labels; a text is written once.
#[derive(Default)]
struct Encoder {
    writer: Writer,
    texts: IndexSet<Text, FxBuildHasher>,
}

impl Encoder {
    fn symbol(&mut self, symbol: SymbolId) {
        self.writer.number(symbol.to_u32().into());
    }

    fn node(&mut self, node: FragmentNode) {
        let (kind, number) = match node {
            FragmentNode::Hole(hole) => (0, u64::from(hole.to_u32())),
            FragmentNode::Fixed(Label::Production(it)) => (1, u64::from(it.to_u32())),
            FragmentNode::Fixed(Label::Reference(it)) => (2, u64::from(it)),
            FragmentNode::Fixed(Label::Text(text)) => {
                let (index, is_new) = self.texts.insert_full(text);
                self.writer.number((index as u64) << 2 | 3);
                if is_new {
                    self.writer.text(text.as_str());
                }
                return;
            }
        };
        self.writer.number(number << 2 | kind);
    }
}

/// Reads what an [`Encoder`] has written.
struct Decoder<'b> {
    reader: Reader<'b>,
    texts: Vec<Text>,
}

impl<'b> Decoder<'b> {
    fn new(bytes: &'b [u8]) -> Decoder<'b> {
        Decoder {
            reader: Reader::new(bytes),
            texts: Vec::new(),
        }
    }

    fn symbol(&mut self) -> SymbolId {
        SymbolId::new(self.reader.size())
    }

    fn node(&mut self) -> FragmentNode {
        let number = self.reader.number();
        let (kind, number) = (number & 3, (number >> 2) as usize);
        FragmentNode::Fixed(match kind {
            0 => return FragmentNode::Hole(HoleId::new(number)),
            1 => Label::Production(ProductionId::new(number)),
            2 => Label::Reference(number as u32),
            _ => {
                if number == self.texts.len() {
                    self.texts.push(Text::new(self.reader.text()));
                }
                Label::Text(self.texts[number])
            }
        })
    }

    fn label(&mut self) -> Label {
        match self.node() {
            FragmentNode::Fixed(label) => label,
            FragmentNode::Hole(_) => panic!("ranks send trees without holes"),
        }
    }
}

/// Fragments as bytes, for [`read_fragments`] on another rank.
pub fn write_fragments(fragments: impl IntoIterator<Item = Fragment>) -> Vec<u8> {
    let mut encoder = Encoder::default();
    for fragment in fragments {
        encoder.symbol(fragment.root_symbol());
        encoder.writer.number(fragment.n_nodes() as u64);
        fragment.nodes().iter().for_each(|&it| encoder.node(it));
    }
    encoder.writer.finish()
}

/// What [`write_fragments`] has written, with a grammar whose productions have the same numbers.
///
/// # Panics
///
/// When the bytes are something else.
pub fn read_fragments<'b>(
    grammar: &'b Grammar,
    bytes: &'b [u8],
) -> impl Iterator<Item = Fragment> + 'b {
    let mut decoder = Decoder::new(bytes);
    std::iter::from_fn(move || {
        if decoder.reader.is_empty() {
            return None;
        }
        let (symbol, n_nodes) = (decoder.symbol(), decoder.reader.size());
        let nodes: Vec<FragmentNode> = (0..n_nodes).map(|_| decoder.node()).collect();
        let fragment = Fragment::from_nodes(grammar, symbol, nodes);
        Some(fragment.expect("all ranks have the same grammar"))
    })
}

/// Runs of labels as bytes, for [`read_labels`] on another rank.
pub fn write_labels<'l>(runs: impl IntoIterator<Item = &'l [Label]>) -> Vec<u8> {
    let mut encoder = Encoder::default();
    for run in runs {
        encoder.writer.number(run.len() as u64);
        for &label in run {
            encoder.node(FragmentNode::Fixed(label));
        }
    }
    encoder.writer.finish()
}

/// What [`write_labels`] has written.
///
/// # Panics
///
/// When the bytes are something else.
pub fn read_labels(bytes: &[u8]) -> Vec<Vec<Label>> {
    let mut decoder = Decoder::new(bytes);
    let mut runs = Vec::new();
    while !decoder.reader.is_empty() {
        let n = decoder.reader.size();
        runs.push((0..n).map(|_| decoder.label()).collect());
    }
    runs
}

fn write_trees<'t>(trees: impl Iterator<Item = &'t Tree>) -> Vec<u8> {
    let mut encoder = Encoder::default();
    for tree in trees {
        encoder.symbol(tree.symbol(tree.root()));
        encoder.writer.number(tree.n_nodes() as u64);
        let labels = tree.labels().iter();
        labels.for_each(|&it| encoder.node(FragmentNode::Fixed(it)));
    }
    encoder.writer.finish()
}

fn read_trees(grammar: &Grammar, bytes: &[u8]) -> Vec<Tree> {
    let mut decoder = Decoder::new(bytes);
    let mut trees = Vec::new();
    while !decoder.reader.is_empty() {
        let (symbol, n_nodes) = (decoder.symbol(), decoder.reader.size());
        let labels: Vec<Label> = (0..n_nodes).map(|_| decoder.label()).collect();
        let tree = Tree::from_labels(grammar, symbol, &labels);
        trees.push(tree.expect("all ranks have the same grammar"));
    }
    trees
}

/// Whether a fragment begins at each node of all ranks, on rank 0.
pub(super) fn gather_cuts(ranks: &dyn Collective, segmentation: &Segmentation<'_>) -> Vec<bool> {
    let own = segmentation.cuts().iter().map(|&it| it.into()).collect();
    let gathered = ranks.gather(own);
    gathered.iter().flatten().map(|&it| it > 0).collect()
}

impl Part<'_> {
    /// One of every `step` trees of all ranks, on rank 0; nothing elsewhere.
    pub(super) fn gather_trees(&self, ranks: &dyn Collective, step: usize) -> Cow<'_, [Tree]> {
        let is_root = ranks.rank() == 0;
        match self.all {
            Some(_) if !is_root => Cow::Borrowed(&[]),
            Some(all) if step == 1 => Cow::Borrowed(all),
            Some(all) => Cow::Owned(all.iter().step_by(step).cloned().collect()),
            None => {
                let skipped = self.first_tree.next_multiple_of(step) - self.first_tree;
                let own = self.trees.iter().skip(skipped).step_by(step);
                let gathered = ranks.gather(write_trees(own));
                let trees = gathered.iter().flat_map(|it| read_trees(self.grammar, it));
                Cow::Owned(trees.collect())
            }
        }
    }

    /// Fragments of all ranks, each with the number of the merge that it came of, in the order of these, on
    /// rank 0; each once.
    pub(super) fn gather_merged(
        &self,
        ranks: &dyn Collective,
        own: Vec<(usize, Fragment)>,
    ) -> Vec<Fragment> {
        let (merges, own): (Vec<usize>, Vec<Fragment>) = own.into_iter().unzip();
        let mut writer = Writer::default();
        writer.number(merges.len() as u64);
        for &it in &merges {
            writer.number(it as u64);
        }
        let mut bytes = writer.finish();
        bytes.extend(write_fragments(own));
        let mut merged: Vec<(usize, Fragment)> = Vec::new();
        for bytes in ranks.gather(bytes) {
            let mut reader = Reader::new(&bytes);
            let merges: Vec<usize> = (0..reader.size()).map(|_| reader.size()).collect();
            merged.extend(
                merges
                    .into_iter()
                    .zip(read_fragments(self.grammar, reader.rest())),
            );
        }
        merged.sort_by_key(|it| it.0);
        let merged: IndexSet<Fragment, FxBuildHasher> = merged.into_iter().map(|it| it.1).collect();
        merged.into_iter().collect()
    }
}
