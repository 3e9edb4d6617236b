//! Where fragments occur in a tree: one of them, or all of a library at once.

use std::hash::BuildHasherDefault;
use std::ops::Range;

use indexmap::IndexMap;

use crate::hashing::Mixer;
use crate::ids::{HoleId, NodeId};
use crate::{Fragment, FragmentNode, Label, SymbolId, Tree};

impl Fragment {
    /// What each hole stands for, if the fragment occurs in `tree` at `node`.
    ///
    /// Both are in preorder, so one walk over the fragment suffices: a fixed node must have the
    /// label of the tree's node, a hole skips a subtree, which must equal the subtree that an
    /// earlier occurrence of the hole skipped.
    ///
    /// ```
    /// # use patois_syntax::{Fragment, Grammar, Schema, Tree};
    /// # let schema = Schema::parse("module M { expr = Add(expr left, expr right) | Num(n value) n = text }")?;
    /// # let grammar = Grammar::from_schema(&schema);
    /// let double = Fragment::parse(&grammar, "(Add ?x ?x)")?;
    /// let matches = |tree: &str| {
    ///     let tree = Tree::parse(&grammar, tree).unwrap();
    ///     double.match_at(&tree, tree.root()).is_some()
    /// };
    /// assert!(matches(r#"(Add (Num "1") (Num "1"))"#));
    /// assert!(!matches(r#"(Add (Num "1") (Num "2"))"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn match_at(&self, tree: &Tree, node: NodeId) -> Option<Bindings> {
        if tree.symbol(node) != self.root_symbol() {
            return None;
        }
        let mut bindings: Vec<NodeId> = Vec::with_capacity(self.n_holes());
        let mut at = node;
        for part in self.nodes() {
            match *part {
                FragmentNode::Fixed(label) if tree.label(at) == label => {
                    at = NodeId::new(at.index() + 1);
                }
                FragmentNode::Fixed(_) => return None,
                FragmentNode::Hole(hole) => {
                    match bindings.get(hole.index()) {
                        Some(&bound) if tree.subtree(bound) != tree.subtree(at) => return None,
                        Some(_) => {}
                        None => bindings.push(at),
                    }
                    at = tree.end(at);
                }
            }
        }
        Some(Bindings(bindings))
    }

    /// The nodes of the fragment, each with the node of `tree` that it stands for where the fragment
    /// occurs at `root`.
    pub fn positions<'a>(
        &'a self,
        tree: &'a Tree,
        root: NodeId,
    ) -> impl Iterator<Item = (FragmentNode, NodeId)> + 'a {
        let mut next = root;
        self.nodes().iter().map(move |&part| {
            let at = next;
            next = match part {
                FragmentNode::Fixed(_) => NodeId::new(at.index() + 1),
                FragmentNode::Hole(_) => tree.end(at),
            };
            (part, at)
        })
    }

    /// The nodes of `tree` that are no part of a hole where the fragment occurs at `root`.
    pub fn own_nodes<'a>(
        &'a self,
        tree: &'a Tree,
        root: NodeId,
    ) -> impl Iterator<Item = NodeId> + 'a {
        let own = |(part, node)| matches!(part, FragmentNode::Fixed(_)).then_some(node);
        self.positions(tree, root).filter_map(own)
    }

    /// Every place where the fragment occurs in `tree`, in preorder.
    pub fn occurrences<'a>(
        &'a self,
        tree: &'a Tree,
    ) -> impl Iterator<Item = (NodeId, Bindings)> + 'a {
        tree.nodes()
            .filter_map(|node| Some((node, self.match_at(tree, node)?)))
    }
}

/// The subtree that each hole of a fragment stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bindings(pub(crate) Vec<NodeId>);

impl Bindings {
    /// Where the subtree for a hole first stands.
    pub fn get(&self, hole: HoleId) -> NodeId {
        self.0[hole.index()]
    }

    /// The holes in order, with where their subtrees first stand.
    pub fn iter(&self) -> impl Iterator<Item = (HoleId, NodeId)> + '_ {
        self.0
            .iter()
            .enumerate()
            .map(|(hole, &node)| (HoleId::new(hole), node))
    }
}

/// Many fragments, compiled so that one walk over a tree finds all occurrences of all of them.
///
/// The fragments are the paths of a trie over their nodes in preorder. At each node of the tree, the
/// trie is followed: past a node with the same label to the next node, and for a hole past the
/// subtree. What fragments have in common is compared once. Where the trie does not branch, nodes are
/// a run that is compared without looking anything up.
#[derive(Clone, Debug)]
pub struct FragmentIndex {
    /// Where fragments begin, by the root's symbol and label.
    roots: Edges<(SymbolId, Label)>,
    /// Edges of the trie that compare labels.
    labels: Edges<(u32, Label)>,
    nodes: Vec<TrieNode>,
    /// The fragments' nodes between those where the trie branches.
    runs: Vec<FragmentNode>,
}

type Edges<K> = IndexMap<K, u32, BuildHasherDefault<Mixer>>;

#[derive(Clone, Debug, Default)]
struct TrieNode {
    /// What all fragments that come here have next: a range of the runs.
    run: Range<u32>,
    /// Whether an edge behind the run compares labels.
    has_labels: bool,
    /// Edges behind the run for holes.
    holes: Vec<(HoleId, u32)>,
    /// The fragments that end behind the run.
    ends: Vec<u32>,
}

/// An edge of the trie.
#[derive(Clone, Copy)]
enum Edge {
    /// To where fragments with this symbol and label at the root go on.
    Root(SymbolId, Label),
    /// From behind the run of a node, past a node of a fragment.
    Behind(u32, FragmentNode),
}

impl FragmentIndex {
    /// Compiles fragments; they are numbered in the order given.
    pub fn new<'f>(fragments: impl IntoIterator<Item = &'f Fragment>) -> FragmentIndex {
        let mut index = FragmentIndex {
            roots: Edges::default(),
            labels: Edges::default(),
            nodes: Vec::new(),
            runs: Vec::new(),
        };
        for (number, fragment) in fragments.into_iter().enumerate() {
            index.insert(number as u32, fragment);
        }
        index
    }

    fn insert(&mut self, number: u32, fragment: &Fragment) {
        let mut edge = Edge::Root(fragment.root_symbol(), fragment.root_label());
        let mut rest = &fragment.nodes()[1..];
        while let Some(mut at) = self.target(edge) {
            let run = self.run(at);
            let n_shared = run.iter().zip(rest).take_while(|it| it.0 == it.1).count();
            if n_shared < run.len() {
                at = self.split(edge, at, n_shared);
            }
            let Some((&next, behind)) = rest[n_shared..].split_first() else {
                self.nodes[at as usize].ends.push(number);
                return;
            };
            (edge, rest) = (Edge::Behind(at, next), behind);
        }
        let start = self.runs.len() as u32;
        self.runs.extend_from_slice(rest);
        let last = self.add_node(start..self.runs.len() as u32);
        self.nodes[last as usize].ends.push(number);
        self.lead(edge, last);
    }

    fn run(&self, at: u32) -> &[FragmentNode] {
        let Range { start, end } = self.nodes[at as usize].run;
        &self.runs[start as usize..end as usize]
    }

    fn add_node(&mut self, run: Range<u32>) -> u32 {
        self.nodes.push(TrieNode {
            run,
            ..TrieNode::default()
        });
        self.nodes.len() as u32 - 1
    }

    /// Lets the trie branch inside of the run of a node that `edge` leads to; the node that it
    /// leads to now, with the first `n_kept` nodes of the run.
    fn split(&mut self, edge: Edge, at: u32, n_kept: usize) -> u32 {
        let Range { start, end } = self.nodes[at as usize].run;
        let middle = start + n_kept as u32;
        let before = self.add_node(start..middle);
        self.lead(edge, before);
        self.lead(Edge::Behind(before, self.runs[middle as usize]), at);
        self.nodes[at as usize].run = middle + 1..end;
        before
    }

    /// The node that an edge leads to, if there is such an edge.
    fn target(&self, edge: Edge) -> Option<u32> {
        match edge {
            Edge::Root(symbol, label) => self.roots.get(&(symbol, label)).copied(),
            Edge::Behind(from, FragmentNode::Fixed(label)) => {
                self.labels.get(&(from, label)).copied()
            }
            Edge::Behind(from, FragmentNode::Hole(hole)) => {
                let mut holes = self.nodes[from as usize].holes.iter();
                holes.find(|it| it.0 == hole).map(|it| it.1)
            }
        }
    }

    /// Makes an edge lead to a node.
    fn lead(&mut self, edge: Edge, to: u32) {
        match edge {
            Edge::Root(symbol, label) => {
                self.roots.insert((symbol, label), to);
            }
            Edge::Behind(from, FragmentNode::Fixed(label)) => {
                self.nodes[from as usize].has_labels = true;
                self.labels.insert((from, label), to);
            }
            Edge::Behind(from, FragmentNode::Hole(hole)) => {
                let holes = &mut self.nodes[from as usize].holes;
                match holes.iter_mut().find(|it| it.0 == hole) {
                    Some(known) => known.1 = to,
                    None => holes.push((hole, to)),
                }
            }
        }
    }

    /// Calls `found` with the number of each fragment that occurs in `tree`, where it begins, and
    /// where the subtree for each hole first stands; in preorder of the places.
    pub fn find(&self, tree: &Tree, mut found: impl FnMut(usize, NodeId, &[NodeId])) {
        let mut open: Vec<Attempt> = Vec::new();
        let mut bindings: Vec<NodeId> = Vec::new();
        for root in tree.nodes() {
            let Some(start) = self.target(Edge::Root(tree.symbol(root), tree.label(root))) else {
                continue;
            };
            open.push(Attempt {
                at: start,
                node: NodeId::new(root.index() + 1),
                n_bindings: 0,
                binding: None,
            });
            while let Some(mut attempt) = open.pop() {
                bindings.truncate(attempt.n_bindings);
                bindings.extend(attempt.binding);
                let Some(node) = self.pass_run(tree, attempt, &mut bindings) else {
                    continue;
                };
                for &number in &self.nodes[attempt.at as usize].ends {
                    found(number as usize, root, &bindings);
                }
                attempt.node = node;
                self.follow(tree, attempt, &bindings, &mut open);
            }
        }
    }

    /// The node of the tree behind what is in the run of an attempt, if it is there.
    fn pass_run(
        &self,
        tree: &Tree,
        attempt: Attempt,
        bindings: &mut Vec<NodeId>,
    ) -> Option<NodeId> {
        let mut node = attempt.node;
        for part in self.run(attempt.at) {
            match *part {
                FragmentNode::Fixed(label) if tree.label(node) == label => {
                    node = NodeId::new(node.index() + 1);
                }
                FragmentNode::Fixed(_) => return None,
                FragmentNode::Hole(hole) => {
                    match bindings.get(hole.index()) {
                        None => bindings.push(node),
                        Some(&bound) if tree.subtree(bound) != tree.subtree(node) => return None,
                        Some(_) => {}
                    }
                    node = tree.end(node);
                }
            }
        }
        Some(node)
    }

    /// Schedules what may come behind the run of an attempt.
    fn follow(&self, tree: &Tree, attempt: Attempt, bindings: &[NodeId], open: &mut Vec<Attempt>) {
        let Attempt { at, node, .. } = attempt;
        let trie_node = &self.nodes[at as usize];
        let n_bindings = bindings.len();
        for &(hole, next) in trie_node.holes.iter().rev() {
            let binding = match bindings.get(hole.index()) {
                None => Some(node),
                Some(&bound) if tree.subtree(bound) == tree.subtree(node) => None,
                Some(_) => continue,
            };
            open.push(Attempt {
                at: next,
                node: tree.end(node),
                n_bindings,
                binding,
            });
        }
        if trie_node.has_labels
            && let Some(&next) = self.labels.get(&(at, tree.label(node)))
        {
            open.push(Attempt {
                at: next,
                node: NodeId::new(node.index() + 1),
                n_bindings,
                binding: None,
            });
        }
    }
}

/// A path into the trie that a tree has followed so far.
#[derive(Clone, Copy)]
struct Attempt {
    /// The node of the trie.
    at: u32,
    /// The node of the tree that is compared next.
    node: NodeId,
    /// How many holes had been met before the last edge.
    n_bindings: usize,
    /// The subtree for a hole that the last edge met.
    binding: Option<NodeId>,
}

#[cfg(test)]
mod tests {
    use crate::{Fragment, toy};

    fn check(fragment: &str, tree: &str, expected: &[usize]) {
        let grammar = toy::grammar();
        let fragment = Fragment::parse(&grammar, fragment).unwrap();
        let tree = toy::tree(tree);
        let found: Vec<usize> = fragment
            .occurrences(&tree)
            .map(|(node, _)| node.index())
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn fragments_are_found_where_they_stand() {
        let tree = "(block [(Assign \"x\" (Add (Name \"x\") (Num \"1\"))) Pass Pass])";
        check("Pass", tree, &[10, 12]);
        check("(Assign ?x (Add (Name ?x) ?y))", tree, &[2]);
        check("(Assign ?x (Add (Name ?y) ?z))", "(block [])", &[]);
        check("(Add ?x ?x)", tree, &[]);
    }

    #[test]
    fn fragments_may_begin_and_end_inside_a_list() {
        let tree = "(block [Pass Pass (Return _)])";
        check("stmt*: [Pass | ?rest]", tree, &[1, 3]);
        check("stmt*: [Pass Pass | ?rest]", tree, &[1]);
        check("stmt*: [(Return ?x)]", tree, &[5]);
        check("stmt*: [?x ?y ?z]", tree, &[1]);
    }

    #[test]
    fn a_repeated_hole_wants_equal_subtrees() {
        check(
            "(Add ?x ?x)",
            "(block [(Return +(Add (Add (Name \"a\") (Name \"a\")) (Add (Name \"a\") (Name \"a\"))))])",
            &[4, 5, 10],
        );
    }
}
