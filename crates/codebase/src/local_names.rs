//! Local names that could be called anything: alike while mining, holes in what is mined.
//!
//! `for i in range(n): total += a[i]` and its renamings are one idiom. So the trees that are mined
//! have the same [`BLANK`] for every name that is bound in its function. What comes of it are
//! fragments with blanks; each blank becomes a hole, and blanks that stand for the same name at
//! nearly all places become the same hole: `for $1 in range($2): $3 += $4[$1]`. These are fragments
//! of the programs as they were written, like all others.

use std::borrow::Cow;

use indexmap::IndexMap;
use patois_mining::BLANK;
use patois_syntax::{
    Fragment, FragmentIndex, FragmentNode, Grammar, HoleId, Label, NodeId, Text, Tree,
};
use rayon::prelude::*;

use crate::repository::RepositoryPrograms;
use crate::share::Share;

/// Blanks that are equal at this share of the places are the same name.
const SAME: f64 = 0.8;

/// What a name is that is bound in a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalNames {
    /// It could be any other: a hole.
    Holes,
    /// Part of the program, like other names.
    Kept,
}

impl LocalNames {
    /// The programs, with a blank for every local name that could be any other.
    pub(crate) fn trees(self, read: &RepositoryPrograms) -> Cow<'_, [Tree]> {
        if self == LocalNames::Kept {
            return Cow::Borrowed(&read.trees);
        }
        let blank = Text::new(BLANK);
        let programs = read.trees.par_iter().zip(&read.units);
        let blanked = programs.map(|(tree, unit)| tree.with_texts(&unit.locals, blank));
        Cow::Owned(blanked.collect())
    }
}

/// The idioms of programs with blanks, as fragments of the programs themselves, each with the number of
/// the first idiom that it comes from; `blanked` are the programs of this rank.
pub(crate) fn restored(
    share: &Share<'_>,
    fragments: &[Fragment],
    blanked: &[Tree],
) -> IndexMap<Fragment, usize> {
    let (grammar, trees) = (&share.read.grammar, &share.read.trees);
    let blanks: Vec<Vec<usize>> = fragments.iter().map(blanks).collect();
    let mut found = alike(fragments, &blanks, blanked, trees);
    let mut counts: Vec<u64> = found.iter().flat_map(Alike::counts).collect();
    share.ranks.sum(&mut counts);
    let mut counts = counts.into_iter();
    for count in found.iter_mut().flat_map(Alike::counts_mut) {
        *count = counts.next().unwrap_or_default();
    }
    let mut restored = IndexMap::new();
    for (index, fragment) in fragments.iter().enumerate() {
        let fragment = with_holes(grammar, fragment, &blanks[index], &found[index]);
        restored.entry(fragment).or_insert(index);
    }
    restored
}

/// The nodes of a fragment that are blank.
fn blanks(fragment: &Fragment) -> Vec<usize> {
    let blank = FragmentNode::Fixed(Label::Text(Text::new(BLANK)));
    let nodes = fragment.nodes().iter().enumerate();
    nodes.filter(|it| *it.1 == blank).map(|it| it.0).collect()
}

/// How often the blanks of a fragment stand for the same name.
#[derive(Clone, Debug, Default)]
struct Alike {
    n_places: u64,
    /// For each pair of blanks, the first with all that follow it, then the second.
    n_equal: Vec<u64>,
}

impl Alike {
    fn new(n_blanks: usize) -> Alike {
        Alike {
            n_places: 0,
            n_equal: vec![0; n_blanks * n_blanks.saturating_sub(1) / 2],
        }
    }

    fn count(&mut self, names: &[Label]) {
        self.n_places += 1;
        let pairs = pairs(names.len()).map(|(first, second)| names[first] == names[second]);
        for (count, is_equal) in self.n_equal.iter_mut().zip(pairs) {
            *count += u64::from(is_equal);
        }
    }

    fn counts(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.n_places).chain(self.n_equal.iter().copied())
    }

    fn counts_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        std::iter::once(&mut self.n_places).chain(&mut self.n_equal)
    }

    fn add(&mut self, other: &Alike) {
        for (count, more) in self.counts_mut().zip(other.counts()) {
            *count += more;
        }
    }
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |first| (first + 1..n).map(move |second| (first, second)))
}

/// Looks up all places of the fragments in the programs.
fn alike(
    fragments: &[Fragment],
    blanks: &[Vec<usize>],
    blanked: &[Tree],
    trees: &[Tree],
) -> Vec<Alike> {
    let index = FragmentIndex::new(fragments);
    let none = || -> Vec<Alike> { blanks.iter().map(|it| Alike::new(it.len())).collect() };
    let in_chunk = |(blanked, trees): (&[Tree], &[Tree])| {
        let mut found = none();
        for (blanked, tree) in blanked.iter().zip(trees) {
            index.find(blanked, |fragment, root, _| {
                let names = names(&fragments[fragment], &blanks[fragment], tree, root);
                found[fragment].count(&names);
            });
        }
        found
    };
    let add = |mut left: Vec<Alike>, right: Vec<Alike>| {
        for (left, right) in left.iter_mut().zip(&right) {
            left.add(right);
        }
        left
    };
    let chunk = trees.len().div_ceil(8).max(1);
    let chunks = blanked.par_chunks(chunk).zip(trees.par_chunks(chunk));
    chunks.map(in_chunk).reduce(none, add)
}

/// What stands for the blanks of a fragment at one of its places.
fn names(fragment: &Fragment, blanks: &[usize], tree: &Tree, root: NodeId) -> Vec<Label> {
    let mut blanks = blanks.iter().peekable();
    let positions = fragment.positions(tree, root).enumerate();
    positions
        .filter(|(index, _)| blanks.next_if_eq(&index).is_some())
        .map(|(_, (_, node))| tree.label(node))
        .collect()
}

/// The fragment with holes for its blanks.
fn with_holes(grammar: &Grammar, fragment: &Fragment, blanks: &[usize], alike: &Alike) -> Fragment {
    if blanks.is_empty() {
        return fragment.clone();
    }
    let symbol = |blank: usize| fragment.symbol(NodeId::new(blanks[blank]));
    // The first blank that each is the same as.
    let mut first: Vec<usize> = (0..blanks.len()).collect();
    for ((one, other), &n_equal) in pairs(blanks.len()).zip(&alike.n_equal) {
        let is_same = n_equal as f64 >= SAME * alike.n_places.max(1) as f64;
        if is_same && symbol(one) == symbol(other) && first[other] == other {
            first[other] = first[one];
        }
    }
    let mut nodes = fragment.nodes().to_vec();
    for (blank, &node) in blanks.iter().enumerate() {
        let hole = HoleId::new(fragment.n_holes() + first[blank]);
        nodes[node] = FragmentNode::Hole(hole);
    }
    Fragment::from_nodes(grammar, fragment.root_symbol(), nodes)
        .expect("a text may be replaced by a hole")
}
