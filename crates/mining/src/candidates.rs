//! Candidates for a library: fragments with where they occur, counted by matching.
//!
//! How often a fragment was *sampled* says little about how often it *occurs*: a chain cuts the same
//! code in different ways at different places. All figures here come from matching.

use indexmap::IndexSet;
use patois_syntax::{
    Fragment, FragmentIndex, FragmentNode, Grammar, HoleId, Id as _, IdVec, Label, NodeId,
    SymbolId, SymbolKind, Tree, index,
};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::subtrees::Subtrees;

index! {
    /// A tree of a corpus.
    pub TreeId
}
index! {
    /// A candidate of a [`Pool`].
    pub(crate) CandidateId
}
index! {
    /// A place of a [`Candidate`].
    pub(crate) PlaceId
}

/// Everything that a library is chosen from.
pub(crate) type Pool = IdVec<CandidateId, Candidate>;

/// A fragment with all its occurrences in a corpus.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// What it looks like.
    pub fragment: Fragment,
    /// Where it begins, in the order of the corpus.
    pub places: IdVec<PlaceId, Place>,
    /// What its holes stand for, place after place.
    bindings: Vec<NodeId>,
    /// How many trees it occurs in: the paper's *coverage*.
    pub coverage: usize,
}

/// A node of a tree of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Which tree.
    pub tree: TreeId,
    /// Which node of it.
    pub node: NodeId,
}

impl Place {
    /// The tree, among those of the corpus.
    pub(crate) fn tree(self, trees: &[Tree]) -> &Tree {
        &trees[self.tree.index()]
    }
}

impl Candidate {
    /// What each hole stands for at a place.
    #[inline]
    pub(crate) fn bindings(&self, place: PlaceId) -> &[NodeId] {
        let n_holes = self.fragment.n_holes();
        &self.bindings[place.index() * n_holes..(place.index() + 1) * n_holes]
    }

    /// How much work it is to look at all of its places: one for each place, and for each hole there.
    pub(crate) fn weight(&self) -> usize {
        self.places.len() + self.bindings.len()
    }

    /// What a hole stands for at a place.
    pub(crate) fn binding(&self, place: PlaceId, hole: HoleId) -> NodeId {
        self.bindings(place)[hole.index()]
    }

    fn new(fragment: Fragment) -> Candidate {
        Candidate {
            fragment,
            places: IdVec::new(),
            bindings: Vec::new(),
            coverage: 0,
        }
    }

    /// Adds a place; takes as many bindings as there are holes.
    fn push(&mut self, place: Place, bindings: &mut impl Iterator<Item = NodeId>) {
        if self
            .places
            .last()
            .is_none_or(|last| last.tree != place.tree)
        {
            self.coverage += 1;
        }
        self.places.push(place);
        self.bindings.extend(bindings.take(self.fragment.n_holes()));
    }
}

/// A text that says nothing: whoever mines puts it in the place of names that do not matter.
pub const BLANK: &str = "\u{0}";

/// Which fragments are worth counting at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Keep fragments without holes.
    pub keep_closed: bool,
    /// Smallest number of choices that a fragment makes; at least two, or it is a production.
    pub min_size: usize,
    /// Smallest number of names in a fragment: texts with a letter in them.
    pub min_names: usize,
    /// Smallest number of trees that a fragment occurs in.
    pub min_coverage: usize,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            keep_closed: false,
            min_size: 2,
            min_names: 0,
            min_coverage: 2,
        }
    }
}

impl Filter {
    /// Whether a fragment may become an idiom, by its looks.
    pub fn accepts(&self, grammar: &Grammar, fragment: &Fragment) -> bool {
        self.accepts_looks(Looks::of(grammar, fragment))
    }

    /// Whether a fragment that looks so may become an idiom.
    pub(crate) fn accepts_looks(&self, looks: Looks) -> bool {
        (self.keep_closed || looks.open > 0) && self.is_large_enough(looks)
    }

    /// Whether a fragment that looks so says enough; with more holes it says less.
    pub(crate) fn is_large_enough(&self, looks: Looks) -> bool {
        looks.choices >= self.min_size.max(2) && looks.names >= self.min_names
    }
}

/// What a filter sees of a fragment or of a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Looks {
    /// How many choices it makes for whoever uses it.
    pub choices: usize,
    /// Texts with a letter in them.
    pub names: usize,
    /// Holes and blanks.
    pub open: usize,
}

impl Looks {
    pub(crate) fn of(grammar: &Grammar, fragment: &Fragment) -> Looks {
        let nodes = NodeId::first(fragment.n_nodes());
        let looks = nodes.map(|it| Looks::of_node(grammar, fragment, it));
        looks.fold(Looks::default(), Looks::and)
    }

    /// A node by itself.
    pub(crate) fn of_node(grammar: &Grammar, fragment: &Fragment, node: NodeId) -> Looks {
        let FragmentNode::Fixed(label) = fragment.node(node) else {
            return Looks::HOLE;
        };
        let text = match label {
            Label::Text(text) => text.as_str(),
            Label::Production(_) | Label::Reference(_) => "",
        };
        Looks {
            choices: usize::from(is_choice(grammar, fragment.symbol(node))),
            names: usize::from(text.contains(char::is_alphabetic)),
            open: usize::from(text == BLANK),
        }
    }

    pub(crate) const HOLE: Looks = Looks {
        choices: 0,
        names: 0,
        open: 1,
    };

    /// Two parts together.
    pub(crate) fn and(self, other: Looks) -> Looks {
        Looks {
            choices: self.choices + other.choices,
            names: self.names + other.names,
            open: self.open + other.open,
        }
    }

    /// What is left without a part.
    pub(crate) fn without(self, part: Looks) -> Looks {
        Looks {
            choices: self.choices - part.choices,
            names: self.names - part.names,
            open: self.open - part.open,
        }
    }
}

/// Whether something is chosen at a symbol.
pub(crate) fn is_choice(grammar: &Grammar, symbol: SymbolId) -> bool {
    match grammar.symbol_kind(symbol) {
        SymbolKind::Text | SymbolKind::Reference => true,
        _ => grammar.expansions(symbol).len() > 1,
    }
}

/// How many choices a fragment makes for whoever uses it.
pub(crate) fn n_choices(grammar: &Grammar, fragment: &Fragment) -> usize {
    NodeId::first(fragment.n_nodes())
        .filter(|&node| is_chosen(grammar, fragment, node))
        .count()
}

/// Whether a node of a fragment is a choice that was made.
pub(crate) fn is_chosen(grammar: &Grammar, fragment: &Fragment, node: NodeId) -> bool {
    matches!(fragment.node(node), FragmentNode::Fixed(_))
        && is_choice(grammar, fragment.symbol(node))
}

/// The fragment with a hole for what is at a node.
pub(crate) fn with_hole_at(
    grammar: &Grammar,
    fragment: &Fragment,
    node: NodeId,
) -> Option<Fragment> {
    let range = node.index()..fragment.end(node).index();
    let fresh = HoleId::new(fragment.n_holes());
    let before = fragment.nodes()[..range.start].iter().copied();
    let after = fragment.nodes()[range.end..].iter().copied();
    let nodes = before.chain([FragmentNode::Hole(fresh)]).chain(after);
    Fragment::from_nodes(grammar, fragment.root_symbol(), nodes).ok()
}

/// How often a fragment occurs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// At how many places.
    pub n_places: usize,
    /// In how many trees.
    pub coverage: usize,
}

/// Counts how often fragments occur, without noting where.
pub fn tally<'f>(trees: &[Tree], fragments: impl IntoIterator<Item = &'f Fragment>) -> Vec<Tally> {
    let fragments: Vec<&Fragment> = fragments.into_iter().collect();
    let index = FragmentIndex::new(fragments.iter().copied());
    let none = || vec![Tally::default(); fragments.len()];
    let count_chunk = |trees: &[Tree]| {
        let mut tallies = none();
        let mut last_tree = vec![usize::MAX; fragments.len()];
        for (number, tree) in trees.iter().enumerate() {
            index.find(tree, |fragment, _, _| {
                tallies[fragment].n_places += 1;
                if last_tree[fragment] != number {
                    last_tree[fragment] = number;
                    tallies[fragment].coverage += 1;
                }
            });
        }
        tallies
    };
    let add = |mut left: Vec<Tally>, right: Vec<Tally>| {
        for (left, right) in left.iter_mut().zip(right) {
            left.n_places += right.n_places;
            left.coverage += right.coverage;
        }
        left
    };
    let chunk = trees.len().div_ceil(8).max(1);
    trees.par_chunks(chunk).map(count_chunk).reduce(none, add)
}

/// Finds all places of fragments.
pub(crate) fn locate(trees: &[Tree], fragments: impl IntoIterator<Item = Fragment>) -> Pool {
    locate_light(trees, fragments, usize::MAX)
}

/// Finds all places of fragments, save for those whose candidates would have a larger
/// [`weight`](Candidate::weight) than `max_weight`.
pub(crate) fn locate_light(
    trees: &[Tree],
    fragments: impl IntoIterator<Item = Fragment>,
    max_weight: usize,
) -> Pool {
    let mut candidates: Pool = fragments.into_iter().map(Candidate::new).collect();
    let index = FragmentIndex::new(candidates.iter().map(|it| &it.fragment));
    let none = || Finds {
        weights: IdVec::filled(0, candidates.len()),
        ..Finds::default()
    };
    // Trees are searched in parallel and their finds put together in order.
    let chunk = trees.len().div_ceil(64).max(1);
    let found: Vec<Finds> = trees
        .par_chunks(chunk)
        .enumerate()
        .map(|(number, trees)| {
            let first_tree = TreeId::new(number * chunk);
            none().in_trees(&index, first_tree, trees, max_weight)
        })
        .collect();
    let mut weights = IdVec::filled(0, candidates.len());
    for (candidate, weight) in found.iter().flat_map(|it| it.weights.entries()) {
        weights[candidate] += weight;
    }
    for finds in found {
        let mut bindings = finds.bindings.into_iter();
        for (candidate, place) in finds.places {
            candidates[candidate].push(place, &mut bindings);
        }
    }
    let mut weights = weights.into_iter();
    let is_light = |_: &Candidate| weights.next().is_some_and(|it| it <= max_weight);
    candidates.items_mut().retain(is_light);
    candidates
}

/// What was found in some trees.
#[derive(Default)]
struct Finds {
    places: Vec<(CandidateId, Place)>,
    bindings: Vec<NodeId>,
    /// For each candidate, how much was found; of one that is too heavy, not all is noted.
    weights: IdVec<CandidateId, usize>,
}

impl Finds {
    fn in_trees(
        mut self,
        index: &FragmentIndex,
        first_tree: TreeId,
        trees: &[Tree],
        max_weight: usize,
    ) -> Finds {
        for (number, tree) in trees.iter().enumerate() {
            let tree_id = first_tree.plus(number);
            index.find(tree, |fragment, node, bindings| {
                let candidate = CandidateId::new(fragment);
                self.weights[candidate] += 1 + bindings.len();
                if self.weights[candidate] > max_weight {
                    return;
                }
                let place = Place {
                    tree: tree_id,
                    node,
                };
                self.places.push((candidate, place));
                self.bindings.extend_from_slice(bindings);
            });
        }
        self
    }
}

/// For each pair of holes that is filled equally often enough, a candidate in which they are one.
///
/// *Often enough*: equal at least `MIN_EQUAL` times with at least three different values, and well
/// above what two holes filled independently would show (four standard deviations).
pub(crate) fn with_shared_holes(
    grammar: &Grammar,
    subtrees: &Subtrees,
    candidate: &Candidate,
) -> Vec<Candidate> {
    let fragment = &candidate.fragment;
    let mut symbols: IdVec<HoleId, Option<SymbolId>> = IdVec::filled(None, fragment.n_holes());
    for node in NodeId::first(fragment.n_nodes()) {
        if let FragmentNode::Hole(hole) = fragment.node(node) {
            symbols[hole] = Some(fragment.symbol(node));
        }
    }
    let mut shared = Vec::new();
    for first in symbols.ids() {
        for second in symbols.ids().skip(first.index() + 1) {
            if symbols[first] == symbols[second]
                && is_equal_above_chance(subtrees, candidate, first, second)
            {
                shared.extend(share(grammar, subtrees, candidate, first, second));
            }
        }
    }
    shared
}

const MIN_EQUAL: usize = 3;

/// What fills a hole at a place: equal for equal subtrees.
fn filling(subtrees: &Subtrees, candidate: &Candidate, place: PlaceId, hole: HoleId) -> u64 {
    let tree = candidate.places[place].tree;
    subtrees.hash(tree, candidate.binding(place, hole))
}

fn is_equal_above_chance(
    subtrees: &Subtrees,
    candidate: &Candidate,
    first: HoleId,
    second: HoleId,
) -> bool {
    type Counts = indexmap::IndexMap<u64, (usize, usize), FxBuildHasher>;
    let n = candidate.places.len();
    let mut counts = Counts::default();
    let mut equal: IndexSet<u64, FxBuildHasher> = IndexSet::default();
    let mut n_equal = 0;
    for place in candidate.places.ids() {
        let (left, right) = (
            filling(subtrees, candidate, place, first),
            filling(subtrees, candidate, place, second),
        );
        counts.entry(left).or_default().0 += 1;
        counts.entry(right).or_default().1 += 1;
        if left == right {
            n_equal += 1;
            equal.insert(left);
        }
    }
    let total = (n * n) as f64;
    let chance: f64 = counts.values().map(|&(a, b)| (a * b) as f64 / total).sum();
    let deviation = (n as f64 * chance * (1.0 - chance)).max(1.0).sqrt();
    n_equal >= MIN_EQUAL && equal.len() >= 3 && n_equal as f64 > n as f64 * chance + 4.0 * deviation
}

/// The candidate in which two holes are one, at the places where they are filled equally.
fn share(
    grammar: &Grammar,
    subtrees: &Subtrees,
    candidate: &Candidate,
    first: HoleId,
    second: HoleId,
) -> Option<Candidate> {
    let nodes = candidate.fragment.nodes().iter().map(|&node| match node {
        FragmentNode::Hole(hole) if hole == second => FragmentNode::Hole(first),
        node => node,
    });
    let fragment = Fragment::from_nodes(grammar, candidate.fragment.root_symbol(), nodes).ok()?;
    let mut shared = Candidate::new(fragment);
    for (id, &place) in candidate.places.entries() {
        let filling = |hole| filling(subtrees, candidate, id, hole);
        if filling(first) == filling(second) {
            let bindings = candidate.bindings(id).iter().enumerate();
            let mut kept = bindings
                .filter(|(hole, _)| *hole != second.index())
                .map(|(_, &it)| it);
            shared.push(place, &mut kept);
        }
    }
    Some(shared)
}
