//! The costs of some consecutive trees, kept up to date.

use std::collections::BinaryHeap;

use patois_syntax::{Grammar, HoleId, Id as _, IdVec, NodeId, Tree, index};

use super::{Counting, Pair, Pairs, Rule};
use crate::candidates::{Candidate, CandidateId, PlaceId, Pool, TreeId, is_choice};

/// What is tried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// A candidate is used as well.
    With,
    /// An idiom is not used.
    Without,
}

index! {
    /// A node of a [`Shard`].
    ShardNodeId
}
index! {
    /// A link of one of the lists of a [`Shard`].
    LinkId
}

/// The end of a list.
const END: LinkId = LinkId(u32::MAX);

/// Some consecutive trees of a corpus, and how their costs have come about.
#[derive(Clone, Debug)]
pub(super) struct Shard<'t> {
    trees: Stretch<'t>,
    /// The parent of each node; a root is its own.
    parents: IdVec<ShardNodeId, ShardNodeId>,
    /// Whether a node is a step by itself.
    own: IdVec<ShardNodeId, bool>,
    costs: IdVec<ShardNodeId, u32>,
    /// What the children of each node cost together.
    below: IdVec<ShardNodeId, u32>,
    /// For each node, the idioms that occur there.
    begins: Lists,
    /// For each node, the idioms that have a hole there.
    holes: Lists,
    /// Nodes whose cost was changed, with what it was.
    undo: Vec<(ShardNodeId, u32)>,
    /// Nodes to be computed anew.
    open: BinaryHeap<ShardNodeId>,
    /// How many nodes were opened, in all: by a place, by a child, or by a hole of an idiom there.
    n_opened: u64,
}

/// Some consecutive trees of a corpus.
#[derive(Clone, Debug)]
struct Stretch<'t> {
    first: TreeId,
    trees: &'t [Tree],
    /// For each tree, where its nodes begin in the shard.
    starts: Vec<ShardNodeId>,
}

impl Stretch<'_> {
    /// A candidate's places in these trees.
    fn places(
        &self,
        candidate: &Candidate,
    ) -> impl DoubleEndedIterator<Item = PlaceId> + ExactSizeIterator + use<> {
        let before = |tree: TreeId| candidate.places.partition_point(|it| it.tree < tree);
        (before(self.first)..before(self.first.plus(self.trees.len()))).map(PlaceId::new)
    }

    /// The node of the shard where a candidate begins at a place.
    #[inline]
    fn root(&self, candidate: &Candidate, place: PlaceId) -> ShardNodeId {
        let place = candidate.places[place];
        self.starts[place.tree.index() - self.first.index()].plus(place.node.index())
    }
}

/// Where the tree begins in its shard that has a candidate at a place, which is the node `root`.
#[inline]
fn start(candidate: &Candidate, place: PlaceId, root: ShardNodeId) -> ShardNodeId {
    root.minus(candidate.places[place].node.index())
}

/// For each node of a shard, a list of idioms in use.
#[derive(Clone, Debug)]
struct Lists {
    heads: IdVec<ShardNodeId, LinkId>,
    links: IdVec<LinkId, Link>,
    /// The first of the links that are in no list any more, which are a list, too: idioms come and go,
    /// and a search copies what it may have to go back to.
    free: LinkId,
}

/// An idiom in use that begins at a node or has a hole there.
#[derive(Clone, Copy, Debug)]
struct Link {
    idiom: CandidateId,
    place: PlaceId,
    next: LinkId,
}

impl Lists {
    fn new(n_nodes: usize) -> Lists {
        Lists {
            heads: IdVec::filled(END, n_nodes),
            links: IdVec::new(),
            free: END,
        }
    }

    /// The list of a node, the idiom first that was added last.
    #[inline]
    fn at(&self, node: ShardNodeId) -> impl Iterator<Item = Link> + '_ {
        let mut at = self.heads[node];
        std::iter::from_fn(move || {
            let link = (at != END).then(|| self.links[at])?;
            at = link.next;
            Some(link)
        })
    }

    /// Puts an idiom at the head of a list.
    fn add(&mut self, node: ShardNodeId, idiom: CandidateId, place: PlaceId) {
        let next = self.heads[node];
        let link = Link { idiom, place, next };
        let free = self.free;
        self.heads[node] = if free == END {
            self.links.push(link)
        } else {
            self.free = std::mem::replace(&mut self.links[free], link).next;
            free
        };
    }

    /// Takes an idiom out of a list, wherever it is there.
    fn remove(&mut self, node: ShardNodeId, idiom: CandidateId) {
        let (mut before, mut at) = (END, self.heads[node]);
        while at != END {
            let link = self.links[at];
            if link.idiom == idiom {
                match before {
                    END => self.heads[node] = link.next,
                    _ => self.links[before].next = link.next,
                }
                self.links[at].next = std::mem::replace(&mut self.free, at);
            } else {
                before = at;
            }
            at = link.next;
        }
    }
}

impl<'t> Shard<'t> {
    pub(super) fn new(
        grammar: &Grammar,
        first: TreeId,
        trees: &'t [Tree],
        counting: Counting,
    ) -> Shard<'t> {
        let mut starts = Vec::with_capacity(trees.len());
        let (mut parents, mut own) = (IdVec::new(), IdVec::new());
        for tree in trees {
            let start = ShardNodeId::new(parents.len());
            starts.push(start);
            let above = tree.parents();
            for node in tree.nodes() {
                let parent = above[node.index()].unwrap_or(node);
                parents.push(start.plus(parent.index()));
                let is_choice = || is_choice(grammar, tree.symbol(node));
                own.push(counting == Counting::Applications || is_choice());
            }
        }
        let n_nodes = parents.len();
        let mut shard = Shard {
            trees: Stretch {
                first,
                trees,
                starts,
            },
            parents,
            own,
            costs: IdVec::filled(0, n_nodes),
            below: IdVec::filled(0, n_nodes),
            begins: Lists::new(n_nodes),
            holes: Lists::new(n_nodes),
            undo: Vec::new(),
            open: BinaryHeap::new(),
            n_opened: 0,
        };
        for node in shard.costs.ids().rev() {
            shard.set_cost(node, shard.cost_without_idioms(node));
        }
        shard
    }

    pub(super) fn total(&self) -> u64 {
        let roots = self.trees.starts.iter();
        roots.map(|&root| u64::from(self.costs[root])).sum()
    }

    pub(super) fn n_opened(&self) -> u64 {
        self.n_opened
    }

    /// By how much a change would change the total.
    pub(super) fn try_out(&mut self, pool: &Pool, candidate: CandidateId, change: Change) -> u64 {
        let difference = self.update(pool, candidate, change);
        while let Some((node, cost)) = self.undo.pop() {
            self.set_cost(node, cost);
        }
        difference
    }

    pub(super) fn bound(&self, candidate: &Candidate) -> u64 {
        let places = self.trees.places(candidate).map(|place| {
            let root = self.trees.root(candidate, place);
            let applied = self.cost_with(candidate, place, root);
            u64::from(self.costs[root].saturating_sub(applied))
        });
        places.sum()
    }

    pub(super) fn add(&mut self, pool: &Pool, candidate: CandidateId) -> u64 {
        let saved = self.update(pool, candidate, Change::With);
        self.undo.clear();
        self.enlist(pool, candidate);
        saved
    }

    pub(super) fn remove(&mut self, pool: &Pool, idiom: CandidateId) -> u64 {
        let lost = self.update(pool, idiom, Change::Without);
        self.undo.clear();
        self.strike(pool, idiom);
        lost
    }

    /// Makes room for all candidates of a pool.
    pub(super) fn reserve(&mut self, pool: &Pool) {
        let (mut n_places, mut n_holes) = (0, 0);
        for candidate in pool {
            let n_here = self.trees.places(candidate).len();
            n_places += n_here;
            n_holes += n_here * candidate.fragment.n_holes();
        }
        self.begins.links.items_mut().reserve_exact(n_places);
        self.holes.links.items_mut().reserve_exact(n_holes);
    }

    /// Notes where an idiom begins and where its holes are.
    fn enlist(&mut self, pool: &Pool, id: CandidateId) {
        let idiom = &pool[id];
        for place in self.trees.places(idiom) {
            let root = self.trees.root(idiom, place);
            self.begins.add(root, id, place);
            for hole in idiom.bindings(place) {
                let hole = start(idiom, place, root).plus(hole.index());
                self.holes.add(hole, id, place);
            }
        }
    }

    /// Undoes [`enlist`](Self::enlist).
    fn strike(&mut self, pool: &Pool, id: CandidateId) {
        let idiom = &pool[id];
        // Where occurrences overlap, a node is a hole of many: its list is gone through once.
        let mut holes: Vec<ShardNodeId> = Vec::new();
        for place in self.trees.places(idiom) {
            let root = self.trees.root(idiom, place);
            self.begins.remove(root, id);
            let start = start(idiom, place, root);
            holes.extend(
                idiom
                    .bindings(place)
                    .iter()
                    .map(|it| start.plus(it.index())),
            );
        }
        holes.sort_unstable();
        holes.dedup();
        for hole in holes {
            self.holes.remove(hole, id);
        }
    }

    /// Computes the costs that a change changes, and notes what they were; the difference in all.
    ///
    /// Nodes are visited from the last to the first of the shard, each at most once: what is inside
    /// comes before what is around it. Where a cost has changed, the parent follows, and every node
    /// where an idiom begins that has a hole there.
    fn update(&mut self, pool: &Pool, candidate: CandidateId, change: Change) -> u64 {
        let changing = &pool[candidate];
        let mut places = self.trees.places(changing).rev().peekable();
        self.n_opened += places.len() as u64;
        let mut difference = 0;
        loop {
            let next_place = places.peek().map(|&it| self.trees.root(changing, it));
            let next_open = self.open.peek().copied();
            let Some(node) = next_place.max(next_open) else {
                return difference;
            };
            while self.open.peek() == Some(&node) {
                self.open.pop();
            }
            let before = self.costs[node];
            let mut cost = before;
            if next_open == Some(node) {
                let without = (change == Change::Without).then_some(candidate);
                cost = self.cost_at(pool, node, without);
            }
            if next_place == Some(node)
                && let Some(place) = places.next()
            {
                let applied = self.cost_with(changing, place, node);
                match change {
                    Change::With => cost = cost.min(applied),
                    Change::Without if applied > before || next_open == Some(node) => {}
                    Change::Without => cost = self.cost_at(pool, node, Some(candidate)),
                }
            }
            if cost != before {
                self.undo.push((node, before));
                self.set_cost(node, cost);
                difference += self.open_above(pool, node, before.abs_diff(cost));
            }
        }
    }

    fn set_cost(&mut self, node: ShardNodeId, cost: u32) {
        let before = std::mem::replace(&mut self.costs[node], cost);
        let parent = self.parents[node];
        if parent != node {
            let below = &mut self.below[parent];
            *below = *below - before + cost;
        }
    }

    /// Opens what depends on the cost of a node; the difference, if that is the whole tree.
    fn open_above(&mut self, pool: &Pool, node: ShardNodeId, difference: u32) -> u64 {
        let parent = self.parents[node];
        if parent == node {
            return u64::from(difference);
        }
        self.open.push(parent);
        self.n_opened += 1;
        for link in self.holes.at(node) {
            self.n_opened += 1;
            self.open
                .push(self.trees.root(&pool[link.idiom], link.place));
        }
        0
    }

    /// The pairs of rules in the shortest derivations.
    pub(super) fn pairs(&self, pool: &Pool) -> Pairs {
        let mut pairs = Pairs::default();
        let mut open: Vec<(NodeId, Option<(Rule, HoleId)>)> = Vec::new();
        for (tree, &start) in self.trees.trees.iter().zip(&self.trees.starts) {
            open.push((tree.root(), None));
            while let Some((node, above)) = open.pop() {
                let idiom = self.idiom_at(pool, start.plus(node.index()));
                let lower = match idiom {
                    Some(link) => Rule::Idiom(link.idiom),
                    None => Rule::Label(tree.symbol(node), tree.label(node)),
                };
                if let Some((upper, hole)) = above {
                    *pairs.entry(Pair { upper, hole, lower }).or_default() += 1;
                }
                let place = |(hole, it)| (it, Some((lower, HoleId::new(hole))));
                match idiom {
                    Some(link) => {
                        let holes = pool[link.idiom].bindings(link.place).iter();
                        open.extend(holes.copied().enumerate().map(place));
                    }
                    None => open.extend(tree.children(node).enumerate().map(place)),
                }
            }
        }
        pairs
    }

    /// The idiom that a shortest derivation uses at a node, if any.
    fn idiom_at(&self, pool: &Pool, node: ShardNodeId) -> Option<Link> {
        let cost = self.costs[node];
        let mut idioms = self.begins.at(node);
        idioms.find(|link| self.cost_with(&pool[link.idiom], link.place, node) == cost)
    }

    /// What an idiom costs at a place that is the node `root`.
    #[inline]
    fn cost_with(&self, idiom: &Candidate, place: PlaceId, root: ShardNodeId) -> u32 {
        let start = start(idiom, place, root);
        let holes = idiom.bindings(place).iter();
        1 + holes
            .map(|it| self.costs[start.plus(it.index())])
            .sum::<u32>()
    }

    #[inline]
    fn cost_without_idioms(&self, node: ShardNodeId) -> u32 {
        u32::from(self.own[node]) + self.below[node]
    }

    fn cost_at(&self, pool: &Pool, node: ShardNodeId, without: Option<CandidateId>) -> u32 {
        let idioms = self.begins.at(node);
        let idioms = idioms.filter(|link| Some(link.idiom) != without);
        let costs = idioms.map(|link| self.cost_with(&pool[link.idiom], link.place, node));
        costs.fold(self.cost_without_idioms(node), u32::min)
    }
}
