//! The corpus as the samplers see it: flat arrays over all nodes of all trees.

use patois_collective::{Collective, Reader, Writer};
use patois_syntax::{Grammar, Id, IdVec, Label, SymbolId, SymbolKind, Tree, index};
use rustc_hash::FxBuildHasher;

use crate::fragment_table::label_key;

type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

index! {
    /// A node of a [`CorpusArena`].
    pub CorpusNodeId
}
index! {
    /// A label that occurs in a [`CorpusArena`], together with its symbol.
    pub(crate) LabelId
}
index! {
    /// Which child of its parent a node is.
    pub(crate) ChildRank
}

/// A node that may be cut: the paper's *splitting points* are chosen among these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site(CorpusNodeId);

impl Site {
    /// The node.
    #[inline]
    pub fn node(self) -> CorpusNodeId {
        self.0
    }
}

impl From<Site> for CorpusNodeId {
    #[inline]
    fn from(site: Site) -> CorpusNodeId {
        site.0
    }
}

/// All trees of a corpus, one after the other, in preorder.
#[derive(Clone, Debug)]
pub struct CorpusArena {
    /// For each symbol, what may happen where it stands inside a fragment.
    roles: IdVec<SymbolId, Role>,
    /// The distinct labels with their symbols, and how often each occurs. A text is told apart by its
    /// symbol; all references of a symbol are one, since what they point at means nothing outside of
    /// their context.
    labels: IndexMap<(SymbolId, Label), u64>,
    /// How many nodes stand for each symbol.
    totals: IdVec<SymbolId, u64>,
    /// For each distinct label, the symbols of the children.
    child_symbols: IdVec<LabelId, Box<[SymbolId]>>,
    nodes: IdVec<CorpusNodeId, ArenaNode>,
    roots: Vec<CorpusNodeId>,
}

/// A node of an arena: twenty bytes that a sampler reads together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArenaNode {
    pub label: LabelId,
    pub symbol: SymbolId,
    /// One past the last node of the subtree.
    pub end: CorpusNodeId,
    /// The parent; a root is its own.
    pub parent: CorpusNodeId,
    pub rank: ChildRank,
}

/// What may happen where a symbol stands inside a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// There is a choice: the fragment goes on, or it ends in a hole.
    Site,
    /// There is only one production: the fragment goes on. No idiom begins where nothing is chosen.
    Forced,
    /// A reference: always a hole.
    Hole,
}

impl CorpusArena {
    /// Puts the trees of a corpus side by side.
    ///
    /// # Panics
    ///
    /// When the trees have more than four billion nodes together.
    pub fn new<'t>(grammar: &Grammar, trees: impl IntoIterator<Item = &'t Tree>) -> CorpusArena {
        let role = |symbol| Role::of(grammar, symbol);
        let mut arena = CorpusArena {
            roles: SymbolId::first(grammar.n_symbols()).map(role).collect(),
            labels: IndexMap::default(),
            totals: IdVec::filled(0, grammar.n_symbols()),
            child_symbols: IdVec::new(),
            nodes: IdVec::new(),
            roots: Vec::new(),
        };
        for tree in trees {
            arena.push(tree);
        }
        let child_symbols = |(_, label, _): (_, Label, _)| label.children(grammar).into();
        arena.child_symbols = arena.labels().map(child_symbols).collect();
        arena
    }

    fn push(&mut self, tree: &Tree) {
        let root = CorpusNodeId::new(self.nodes.len());
        // Makes sure that all nodes have a number.
        let _ = CorpusNodeId::new(self.nodes.len() + tree.n_nodes());
        for node in tree.nodes() {
            let symbol = tree.symbol(node);
            let label = match tree.label(node) {
                Label::Reference(_) => Label::Reference(0),
                label => label,
            };
            let entry = self.labels.entry((symbol, label));
            let label = LabelId::new(entry.index());
            *entry.or_insert(0) += 1;
            self.totals[symbol] += 1;
            self.nodes.push(ArenaNode {
                label,
                symbol,
                end: root.plus(tree.end(node).index()),
                parent: root,
                rank: ChildRank::new(0),
            });
        }
        for node in tree.nodes() {
            for (rank, child) in tree.children(node).enumerate() {
                let child = &mut self.nodes[root.plus(child.index())];
                child.parent = root.plus(node.index());
                child.rank = ChildRank::new(rank);
            }
        }
        self.roots.push(root);
    }

    /// Adds the labels of the other ranks' trees to how often each occurs.
    ///
    /// Labels that occur elsewhere only are not listed, but are counted among all of their symbols.
    pub fn count_in_all(&mut self, ranks: &dyn Collective) {
        ranks.sum(&mut self.totals);
        let own = self
            .labels
            .iter()
            .map(|(&(symbol, label), &count)| (label_key(symbol, label), count));
        let own: IndexMap<u64, u64> = own.collect();
        let mut writer = Writer::default();
        for (&key, &count) in &own {
            writer.hash(key);
            writer.number(count);
        }
        for (rank, bytes) in ranks.all_gather(writer.finish()).iter().enumerate() {
            let mut reader = Reader::new(bytes);
            while rank != ranks.rank() && !reader.is_empty() {
                let (key, count) = (reader.hash(), reader.number());
                if let Some(label) = own.get_index_of(&key) {
                    self.labels[label] += count;
                }
            }
        }
    }

    /// How many nodes stand for a symbol.
    pub(crate) fn n_of(&self, symbol: SymbolId) -> u64 {
        self.totals[symbol]
    }

    pub(crate) fn n_symbols(&self) -> usize {
        self.roles.len()
    }

    /// How many nodes all trees have together.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes of all trees.
    pub fn nodes(
        &self,
    ) -> impl DoubleEndedIterator<Item = CorpusNodeId> + ExactSizeIterator + use<> {
        self.nodes.ids()
    }

    #[inline]
    pub(crate) fn node(&self, node: CorpusNodeId) -> ArenaNode {
        self.nodes[node]
    }

    /// The root of each tree.
    pub fn roots(&self) -> &[CorpusNodeId] {
        &self.roots
    }

    /// Whether a node is the root of its tree.
    #[inline]
    pub fn is_root(&self, node: CorpusNodeId) -> bool {
        self.node(node).parent == node
    }

    /// What may happen where a symbol stands inside a fragment.
    #[inline]
    pub(crate) fn role(&self, symbol: SymbolId) -> Role {
        self.roles[symbol]
    }

    /// The nodes that may be cut or joined with their parents.
    pub fn sites(&self) -> impl Iterator<Item = Site> + '_ {
        self.nodes().filter_map(|node| self.site(node))
    }

    /// Those of the sites that are in one of so many parts of the corpus, in its order.
    pub fn sites_of_part(&self, part: usize, n_parts: usize) -> impl Iterator<Item = Site> + '_ {
        let at = |part: usize| self.n_nodes() * part / n_parts;
        let nodes = at(part)..at(part + 1);
        nodes.filter_map(|it| self.site(CorpusNodeId::new(it)))
    }

    /// The node as a site, where there is a choice and it is no root.
    #[inline]
    pub(crate) fn site(&self, node: CorpusNodeId) -> Option<Site> {
        let is_site = self.role(self.node(node).symbol) == Role::Site && !self.is_root(node);
        is_site.then_some(Site(node))
    }

    /// The children of a node, first to last.
    pub(crate) fn children(&self, node: CorpusNodeId) -> impl Iterator<Item = CorpusNodeId> + '_ {
        let end = self.node(node).end;
        let within = move |child: CorpusNodeId| (child < end).then_some(child);
        std::iter::successors(within(node.plus(1)), move |&child| {
            within(self.node(child).end)
        })
    }

    /// The site at a path below a node: the ranks from the site up to the node's child.
    #[inline]
    pub(crate) fn site_below(&self, node: CorpusNodeId, path: &[ChildRank]) -> Site {
        let child = |node: CorpusNodeId, rank: &ChildRank| {
            (0..rank.to_u32()).fold(node.plus(1), |child, _| self.node(child).end)
        };
        self.known_site(path.iter().rev().fold(node, child))
    }

    /// A node that is known to be a site.
    #[inline]
    pub(crate) fn known_site(&self, node: CorpusNodeId) -> Site {
        debug_assert!(self.site(node).is_some(), "{node:?} is no site");
        Site(node)
    }

    /// The distinct labels with their symbols and how often they occur.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = (SymbolId, Label, u64)> + '_ {
        self.labels
            .iter()
            .map(|(&(symbol, label), &count)| (symbol, label, count))
    }

    /// The symbols of the children of a node with the given label.
    pub(crate) fn child_symbols(&self, label: LabelId) -> &[SymbolId] {
        &self.child_symbols[label]
    }

    /// A distinct label, with its symbol.
    pub(crate) fn label(&self, label: LabelId) -> (SymbolId, Label) {
        let entry = self.labels.get_index(label.index());
        *entry.expect("a label of this arena").0
    }
}

impl Role {
    fn of(grammar: &Grammar, symbol: SymbolId) -> Role {
        match grammar.symbol_kind(symbol) {
            SymbolKind::Reference => Role::Hole,
            SymbolKind::Text => Role::Site,
            _ if grammar.expansions(symbol).len() > 1 => Role::Site,
            _ => Role::Forced,
        }
    }
}
