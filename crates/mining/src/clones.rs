//! Clones: runs of items of a list that are there more than once, whatever local names are called.
//!
//! Every list of a corpus is a word whose letters are its items. All repeated words are found by
//! sorting the suffixes of all lists: neighbours share a prefix, and a stretch of neighbours that
//! share one is a class of clones. What is part of a larger clone at all of its places is left out.

use std::cmp::Reverse;
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
    let mut runs = lists.repeats(min_nodes.max(1));
    // The largest first, so that what is part of one is seen to be.
    runs.sort_by_key(|it| (Reverse(it[0].n_nodes()), it[0]));
    let mut taken = Taken::new(trees.len());
    let mut classes: Vec<Vec<Run>> = Vec::new();
    for runs in runs {
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

    /// All repeated runs that cannot be longer at all of their places.
    fn repeats(&self, min_nodes: usize) -> Vec<Vec<Run>> {
        let hashes = |start: LetterId| self.suffix(start).iter().map(|it| it.hash);
        let mut suffixes: Vec<LetterId> = self.letters.ids().collect();
        suffixes
            .par_sort_by(|&left, &right| hashes(left).cmp(hashes(right)).then(left.cmp(&right)));
        let shared = |left: LetterId, right: LetterId| {
            let pairs = hashes(left).zip(hashes(right));
            pairs.take_while(|it| it.0 == it.1).count()
        };
        let mut found = Vec::new();
        // Prefixes that the current suffix shares with earlier ones: length, and where they begin.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for at in 1..=suffixes.len() {
            let n_shared = match suffixes.get(at) {
                Some(&suffix) => shared(suffixes[at - 1], suffix),
                None => 0,
            };
            let mut begin = at - 1;
            while let Some(&(length, from)) = open.last().filter(|it| it.0 > n_shared) {
                open.pop();
                begin = from;
                found.extend(self.class(&suffixes[from..at], length, min_nodes));
            }
            if n_shared > 0 && open.last().is_none_or(|it| it.0 < n_shared) {
                open.push((n_shared, begin));
            }
        }
        found
    }

    fn class(&self, starts: &[LetterId], n_items: usize, min_nodes: usize) -> Option<Vec<Run>> {
        if self.run(starts[0], n_items).n_nodes() < min_nodes || self.is_longer(starts) {
            return None;
        }
        let mut runs: Vec<Run> = starts.iter().map(|&it| self.run(it, n_items)).collect();
        runs.sort_unstable();
        Some(runs)
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

/// Which parts of the trees are in a clone.
struct Taken(IdVec<TreeId, Vec<Run>>);

impl Taken {
    fn new(n_trees: usize) -> Taken {
        Taken(IdVec::filled(Vec::new(), n_trees))
    }

    /// Adds a class, unless all of it is part of others.
    fn add(&mut self, class: &[Run]) -> bool {
        let contains = |outer: &Run, run: &Run| outer.first <= run.first && run.end <= outer.end;
        let is_new = |run: &&Run| !self.0[run.tree].iter().any(|it| contains(it, run));
        let is_there = class.iter().any(|run| is_new(&run));
        if is_there {
            for run in class {
                self.0[run.tree].push(*run);
            }
        }
        is_there
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
