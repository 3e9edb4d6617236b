//! Clones: runs of items of a list that are there more than once, whatever local names are called.
//!
//! Every list of a corpus is a word whose letters are its items. All repeated words are found by
//! sorting the suffixes of all lists: neighbours share a prefix, and a stretch of neighbours that
//! share one is a class of clones. What is part of a larger clone at all of its places is left out.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use patois_syntax::{Grammar, Id as _, IdVec, Label, NodeId, Tree, index};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use crate::candidates::TreeId;
use crate::subtrees::hashes;
use crate::surprise::Bits;

type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// Items of a list that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Run {
    /// The tree.
    pub tree: TreeId,
    /// The first item.
    pub first: NodeId,
    /// One past the last node of the last item.
    pub end: NodeId,
}

/// Runs that are equal, whatever local names are called.
#[derive(Clone, Debug, PartialEq)]
pub struct CloneClass {
    /// At least two, in the order of the corpus; none overlaps another.
    pub runs: Vec<Run>,
    /// How many nodes each of them has.
    pub n_nodes: usize,
    /// How many bits the second and further ones cost under the grammar with the corpus's
    /// frequencies.
    pub bits: f64,
}

/// Runs with fewer nodes are not worth a look.
pub const MIN_CLONE_NODES: usize = 40;

/// Items of a list that are smaller than this on average are data.
const MIN_ITEM_NODES: usize = 4;

/// How many items of runs that overlap are looked at for each item of a list, at most.
///
/// A list that has a period has runs of every length that overlap, the square of its length together. What
/// is left of them, without those that overlap, says the same again and again.
const MAX_OVERLAP: usize = 20;
/// Fewer items than this are treated as if they were so many: they cost nothing.
const MIN_LETTERS: usize = 5_000;

/// Finds clones, those first that repeat the most.
///
/// `blanked` are the trees with one text for all local names, `trees` those with the names: runs
/// belong to one class only where one becomes the other by renaming.
pub fn clones(
    grammar: &Grammar,
    blanked: &[Tree],
    trees: &[Tree],
    min_nodes: usize,
) -> Vec<CloneClass> {
    let lists = Lists::of(grammar, blanked);
    let suffixes = lists.sorted();
    let mut repeats = lists.repeats(&suffixes, min_nodes.max(1));
    // The largest first, so that what is part of one is seen to be.
    repeats.sort_by_cached_key(|it| {
        let first = it.runs(&lists, &suffixes).min();
        (first.map(|run| Reverse(run.n_nodes())), first)
    });
    let mut taken = Taken::new(trees.len());
    let mut classes: Vec<Vec<Run>> = Vec::new();
    let mut overlap_room = MAX_OVERLAP * lists.letters.len().max(MIN_LETTERS);
    for repeat in repeats {
        if repeat.runs(&lists, &suffixes).all(|it| taken.contains(it)) {
            continue;
        }
        let mut runs: Vec<Run> = repeat.runs(&lists, &suffixes).collect();
        runs.sort_unstable();
        if is_overlapping(&runs) {
            let room = overlap_room.checked_sub(runs.len() * repeat.n_items);
            let Some(room) = room else { continue };
            overlap_room = room;
        }
        for class in renamings(&runs, blanked, trees) {
            let class = apart(class);
            if class.len() > 1 && taken.add(&class) {
                classes.push(class);
            }
        }
    }
    let bits = Bits::of(blanked);
    let mut classes: Vec<CloneClass> = classes
        .into_par_iter()
        .map(|runs| CloneClass {
            n_nodes: runs[0].n_nodes(),
            bits: bits.nodes(&blanked[runs[0].tree.index()], runs[0].nodes())
                * (runs.len() - 1) as f64,
            runs,
        })
        .collect();
    classes.sort_by(|left, right| right.bits.total_cmp(&left.bits));
    classes
}

impl Run {
    /// The items, first to last; `tree` is the one that they are in.
    pub fn items(self, tree: &Tree) -> impl Iterator<Item = NodeId> + '_ {
        // Behind an item is the cell of the next one.
        let next = move |&item: &NodeId| {
            let next = tree.end(item).plus(1);
            (next < self.end).then_some(next)
        };
        std::iter::successors(Some(self.first), next)
    }

    /// The nodes of its items, and of the cells that hold them.
    fn nodes(self) -> Range<usize> {
        self.first.index()..self.end.index()
    }

    fn n_nodes(self) -> usize {
        self.nodes().len()
    }
}

index! {
    /// A letter of [`Lists`], and the suffix that begins there.
    LetterId
}

/// The lists of a corpus as words.
struct Lists {
    letters: IdVec<LetterId, Letter>,
    /// One past the last letter of the list that a letter is in.
    ends: IdVec<LetterId, LetterId>,
}

/// A word that is there more than once.
struct Repeat {
    /// Where it begins: a range of the sorted suffixes.
    starts: Range<usize>,
    n_items: usize,
}

impl Repeat {
    fn runs<'l>(
        &self,
        lists: &'l Lists,
        suffixes: &'l [LetterId],
    ) -> impl Iterator<Item = Run> + use<'l> {
        let n_items = self.n_items;
        let starts = suffixes[self.starts.clone()].iter();
        starts.map(move |&it| lists.run(it, n_items))
    }
}

/// An item of a list.
#[derive(Clone, Copy)]
struct Letter {
    hash: u64,
    tree: TreeId,
    node: NodeId,
    end: NodeId,
}

impl Lists {
    fn of(grammar: &Grammar, trees: &[Tree]) -> Lists {
        let words: Vec<Vec<Vec<Letter>>> = trees
            .par_iter()
            .enumerate()
            .map(|(number, tree)| words(grammar, tree, TreeId::new(number)))
            .collect();
        let (mut letters, mut ends) = (IdVec::new(), IdVec::new());
        for word in words.into_iter().flatten() {
            let end = LetterId::new(letters.len() + word.len());
            ends.extend(word.iter().map(|_| end));
            letters.extend(word);
        }
        Lists { letters, ends }
    }

    /// The suffixes in order, those that are equal as they stand in the corpus.
    ///
    /// By prefixes of one letter, then of two, four and so on (Manber & Myers 1993): a comparison of
    /// letters would take as long as copied lists are.
    fn sorted(&self) -> Vec<LetterId> {
        let mut suffixes: Vec<LetterId> = self.letters.ids().collect();
        suffixes.par_sort_unstable_by_key(|&it| (self.letters[it].hash, it));
        let mut ranks = self.ranks(&suffixes, |it| (self.letters[it].hash, 0));
        let longest = self
            .ends
            .entries()
            .map(|(it, end)| end.index() - it.index());
        let longest = longest.max().unwrap_or(0);
        let mut n_letters = 1;
        while n_letters < longest {
            // A suffix that ends comes before those that go on.
            let key = |it: LetterId| {
                let next = it.plus(n_letters);
                let is_there = next < self.ends[it];
                (ranks[it], if is_there { ranks[next] + 1 } else { 0 })
            };
            suffixes.par_sort_unstable_by_key(|&it| (key(it), it));
            ranks = self.ranks(&suffixes, key);
            n_letters *= 2;
        }
        suffixes
    }

    /// For each suffix, how many different keys come before its own.
    fn ranks<K: PartialEq>(
        &self,
        sorted: &[LetterId],
        key: impl Fn(LetterId) -> K,
    ) -> IdVec<LetterId, u64> {
        let mut ranks = IdVec::filled(0, self.letters.len());
        let mut rank = 0;
        for pair in sorted.windows(2) {
            rank += u64::from(key(pair[0]) != key(pair[1]));
            ranks[pair[1]] = rank;
        }
        ranks
    }

    /// For each of the sorted suffixes, how many letters it shares with the one before it: one less, at
    /// least, than the suffix that has one letter more (Kasai et al. 2001).
    fn n_shared(&self, suffixes: &[LetterId]) -> Vec<usize> {
        let mut places = IdVec::filled(0, suffixes.len());
        for (place, &suffix) in suffixes.iter().enumerate() {
            places[suffix] = place;
        }
        let mut n_shared = vec![0; suffixes.len()];
        let mut known = 0;
        for (suffix, &place) in places.entries() {
            if let Some(before) = place.checked_sub(1) {
                let (left, right) = (self.suffix(suffixes[before]), self.suffix(suffix));
                let rest = left[known..].iter().zip(&right[known..]);
                known += rest.take_while(|it| it.0.hash == it.1.hash).count();
                n_shared[place] = known;
            } else {
                known = 0;
            }
            let is_last = suffix.plus(1) == self.ends[suffix];
            known = if is_last { 0 } else { known.saturating_sub(1) };
        }
        n_shared
    }

    fn suffix(&self, start: LetterId) -> &[Letter] {
        let letters: &[Letter] = &self.letters;
        &letters[start.index()..self.ends[start].index()]
    }

    fn run(&self, start: LetterId, n_items: usize) -> Run {
        let items = &self.suffix(start)[..n_items];
        let last = items.last().expect("a run has items");
        Run {
            tree: items[0].tree,
            first: items[0].node,
            end: last.end,
        }
    }

    /// All repeated runs of so many nodes that cannot be longer at all of their places.
    fn repeats(&self, suffixes: &[LetterId], min_nodes: usize) -> Vec<Repeat> {
        let n_shared = self.n_shared(suffixes);
        let mut found = Vec::new();
        // Prefixes that the current suffix shares with earlier ones: length, and where they begin.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for at in 1..=suffixes.len() {
            let n_shared = n_shared.get(at).copied().unwrap_or(0);
            let mut begin = at - 1;
            while let Some(&(n_items, from)) = open.last().filter(|it| it.0 > n_shared) {
                open.pop();
                begin = from;
                let starts = &suffixes[from..at];
                if self.run(starts[0], n_items).n_nodes() >= min_nodes && !self.is_longer(starts) {
                    found.push(Repeat {
                        starts: from..at,
                        n_items,
                    });
                }
            }
            if n_shared > 0 && open.last().is_none_or(|it| it.0 < n_shared) {
                open.push((n_shared, begin));
            }
        }
        found
    }
    /// Whether the same item stands before all of these.
    fn is_longer(&self, starts: &[LetterId]) -> bool {
        let before = |start: LetterId| {
            let before = (start.index() > 0).then(|| start.minus(1))?;
            let is_same_list = self.ends[before] == self.ends[start];
            is_same_list.then(|| self.letters[before].hash)
        };
        let first = before(starts[0]);
        first.is_some() && starts.iter().all(|&it| before(it) == first)
    }
}

/// The lists of a tree, save for those of small things.
fn words(grammar: &Grammar, tree: &Tree, id: TreeId) -> Vec<Vec<Letter>> {
    let hashes = hashes(tree);
    let is_cell = |node: NodeId| match tree.label(node) {
        Label::Production(id) => grammar.production(id).kind.is_cell(),
        Label::Text(_) | Label::Reference(_) => false,
    };
    let mut is_inside = IdVec::filled(false, tree.n_nodes());
    let mut words = Vec::new();
    for node in tree.nodes() {
        if is_inside[node] || !is_cell(node) {
            continue;
        }
        let mut word = Vec::new();
        let mut cell = node;
        while is_cell(cell) {
            is_inside[cell] = true;
            let item = cell.plus(1);
            let end = tree.end(item);
            word.push(Letter {
                hash: hashes[item],
                tree: id,
                node: item,
                end,
            });
            cell = end;
        }
        let n_nodes = cell.index() - node.index();
        if n_nodes >= (MIN_ITEM_NODES + 1) * word.len() {
            words.push(word);
        }
    }
    words
}

index! {
    /// A local name of a run, by the order in which names are first seen.
    NameId
}

/// Runs that differ in blanks only, parted into those that become each other by renaming.
fn renamings(runs: &[Run], blanked: &[Tree], trees: &[Tree]) -> Vec<Vec<Run>> {
    let mut classes: IndexMap<(Vec<Label>, Vec<NameId>), Vec<Run>> = IndexMap::default();
    for &run in runs {
        let (blanked, tree) = (&blanked[run.tree.index()], &trees[run.tree.index()]);
        let nodes = run.nodes();
        let labels = blanked.labels()[nodes.clone()].to_vec();
        let mut names: IndexMap<Label, NameId> = IndexMap::default();
        let renamed = nodes
            .map(NodeId::new)
            .filter(|&it| blanked.label(it) != tree.label(it));
        let numbers = renamed.map(|node| {
            let next = NameId::new(names.len());
            *names.entry(tree.label(node)).or_insert(next)
        });
        let numbers = numbers.collect();
        classes.entry((labels, numbers)).or_default().push(run);
    }
    classes.into_values().collect()
}

/// The runs without those that overlap the one before.
fn apart(runs: Vec<Run>) -> Vec<Run> {
    let mut kept: Vec<Run> = Vec::with_capacity(runs.len());
    for run in runs {
        let overlaps = kept
            .last()
            .is_some_and(|last| last.tree == run.tree && run.first < last.end);
        if !overlaps {
            kept.push(run);
        }
    }
    kept
}

/// Whether some of the runs, which are in order, overlap.
fn is_overlapping(runs: &[Run]) -> bool {
    let overlap = |it: &[Run]| it[0].tree == it[1].tree && it[1].first < it[0].end;
    runs.windows(2).any(overlap)
}

/// Which parts of the trees are in a clone: for each tree, where clones begin and end that are in no
/// other, in order.
struct Taken(IdVec<TreeId, BTreeMap<NodeId, NodeId>>);

impl Taken {
    fn new(n_trees: usize) -> Taken {
        Taken(IdVec::filled(BTreeMap::new(), n_trees))
    }

    /// Whether a run is in a clone.
    fn contains(&self, run: Run) -> bool {
        let outer = self.0[run.tree].range(..=run.first).next_back();
        outer.is_some_and(|(_, &end)| run.end <= end)
    }

    /// Adds a class, unless all of it is part of others.
    fn add(&mut self, class: &[Run]) -> bool {
        let is_there = class.iter().any(|&run| !self.contains(run));
        if is_there {
            for &run in class {
                self.insert(run);
            }
        }
        is_there
    }

    fn insert(&mut self, run: Run) {
        if self.contains(run) {
            return;
        }
        let clones = &mut self.0[run.tree];
        while let Some((&first, &end)) = clones.range(run.first..).next()
            && end <= run.end
        {
            clones.remove(&first);
        }
        clones.insert(run.first, run.end);
    }
}

#[cfg(test)]
mod tests {
    use patois_syntax::{Schema, Text};

    use super::*;

    fn grammar() -> Grammar {
        let schema = "module M { block = (stmt* body)
                                 stmt = Set(name to, expr value) | While(expr test, stmt* body)
                                 expr = Name(name id) | Add(expr left, expr right)
                                 name = text }";
        Grammar::from_schema(&Schema::parse(schema).unwrap())
    }

    /// Runs of a class as tree and number of items.
    fn found(trees: &[Tree], classes: &[CloneClass]) -> Vec<Vec<(usize, usize)>> {
        let n_items = |run: &Run| run.items(&trees[run.tree.index()]).count();
        let runs = classes.iter().map(|class| class.runs.iter());
        runs.map(|runs| runs.map(|it| (it.tree.index(), n_items(it))).collect())
            .collect()
    }

    #[test]
    fn runs_are_found_wherever_they_stand_and_whatever_names_are_called() {
        let grammar = grammar();
        let copied = |a: &str, b: &str| {
            format!(r#"(Set "{a}" (Add (Name "{b}") (Name "k"))) (Set "{b}" (Name "{a}"))"#)
        };
        let other = |it: usize| format!(r#"(Set "o{it}" (Add (Name "p{it}") (Name "q{it}")))"#);
        let programs = [
            format!("(block [{} {} {}])", other(0), copied("x", "y"), other(1)),
            format!(
                "(block [(While (Name \"t\") [{} {}])])",
                copied("u", "v"),
                other(2)
            ),
            // Not a renaming: both names are one.
            format!("(block [{} {}])", copied("x", "x"), other(3)),
            format!("(block [{}])", other(4)),
        ];
        let trees = programs.map(|it| Tree::parse(&grammar, &it).unwrap());
        let blank = Text::new("-");
        let locals = ["x", "y", "u", "v"].map(|it| Label::Text(Text::new(it)));
        let blanked: Vec<Tree> = trees
            .iter()
            .map(|tree| {
                let is_local = |node: &NodeId| locals.contains(&tree.label(*node));
                let nodes: Vec<NodeId> = tree.nodes().filter(is_local).collect();
                tree.with_texts(&nodes, blank)
            })
            .collect();
        let classes = clones(&grammar, &blanked, &trees, 8);
        assert_eq!(found(&trees, &classes), [[(0, 2), (1, 2)]]);
        assert!(classes[0].bits > 0.0);
        // With the names as they are, nothing is repeated.
        assert_eq!(clones(&grammar, &trees, &trees, 8), []);
    }

    #[test]
    fn a_clone_within_a_clone_counts_where_it_is_elsewhere_too() {
        let grammar = grammar();
        let inner =
            r#"(Set "a" (Add (Name "b") (Name "c"))) (Set "d" (Add (Name "e") (Name "f")))"#;
        let outer = format!(r#"(Set "g" (Add (Name "h") (Name "i"))) {inner}"#);
        let parse = |body: &str| Tree::parse(&grammar, &format!("(block [{body}])")).unwrap();
        let twice = [parse(&outer), parse(&outer)];
        assert_eq!(
            found(&twice, &clones(&grammar, &twice, &twice, 8)),
            [[(0, 3), (1, 3)]]
        );
        let [first, second] = twice;
        let thrice = [first, second, parse(inner)];
        let expected: [&[(usize, usize)]; 2] = [&[(0, 2), (1, 2), (2, 2)], &[(0, 3), (1, 3)]];
        let classes = clones(&grammar, &thrice, &thrice, 8);
        assert_eq!(found(&thrice, &classes), expected);
    }

    #[test]
    fn what_repeats_itself_at_once_does_not_overlap() {
        let grammar = grammar();
        let one = r#"(Set "a" (Add (Name "b") (Name "c"))) "#;
        let tree = Tree::parse(&grammar, &format!("(block [{}])", one.repeat(5))).unwrap();
        let trees = [tree];
        for class in clones(&grammar, &trees, &trees, 8) {
            for pair in class.runs.windows(2) {
                assert!(pair[0].end <= pair[1].first, "{class:?}");
            }
        }
    }
}
