//! The corpus as the samplers see it: flat arrays over all nodes of all trees.

use patois_syntax::{Grammar, Label, SymbolId, SymbolKind, Tree};
use rustc_hash::FxBuildHasher;

type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// All trees of a corpus, one after the other, in preorder.
#[derive(Clone, Debug)]
pub struct CorpusArena {
    n_symbols: usize,
    /// For each symbol, what may happen where it stands inside a fragment.
    places: Vec<Place>,
    /// The distinct labels with their symbols. A text is told apart by its symbol; all references of
    /// a symbol are one, since what they point at means nothing outside of their context.
    labels: IndexMap<(SymbolId, Label), u32>,
    /// For each distinct label, the symbols of the children.
    child_symbols: Vec<Box<[u32]>>,
    nodes: Vec<ArenaNode>,
    /// The first node of each tree, then the number of nodes.
    starts: Vec<u32>,
}

/// A node of an arena: twenty bytes that a sampler reads together.
#[derive(Clone, Copy, Debug)]
pub struct ArenaNode {
    /// Number of the label among the distinct ones.
    pub label: u32,
    /// The symbol.
    pub symbol: u32,
    /// One past the last node of the subtree.
    pub end: u32,
    /// The parent; a root is its own.
    pub parent: u32,
    /// Which child of its parent it is.
    pub rank: u32,
}

/// What may happen where a symbol stands inside a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
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
        let mut arena = CorpusArena {
            n_symbols: grammar.n_symbols(),
            places: (0..grammar.n_symbols())
                .map(|symbol| Place::of(grammar, SymbolId::new(symbol)))
                .collect(),
            labels: IndexMap::default(),
            child_symbols: Vec::new(),
            nodes: Vec::new(),
            starts: vec![0],
        };
        for tree in trees {
            arena.push(tree);
        }
        let symbols = |label: Label| label.children(grammar).iter().map(|it| it.index() as u32);
        arena.child_symbols = arena
            .labels()
            .map(|(_, it, _)| symbols(it).collect())
            .collect();
        arena
    }

    fn push(&mut self, tree: &Tree) {
        let start = self.nodes.len();
        let end = u32::try_from(start + tree.n_nodes()).expect("at most four billion nodes");
        for node in tree.nodes() {
            let symbol = tree.symbol(node);
            let label = match tree.label(node) {
                Label::Reference(_) => Label::Reference(0),
                label => label,
            };
            let entry = self.labels.entry((symbol, label));
            let label = entry.index() as u32;
            *entry.or_insert(0) += 1;
            self.nodes.push(ArenaNode {
                label,
                symbol: symbol.index() as u32,
                end: (start + tree.end(node).index()) as u32,
                parent: start as u32,
                rank: 0,
            });
        }
        for node in tree.nodes() {
            for (rank, child) in tree.children(node).enumerate() {
                let child = &mut self.nodes[start + child.index()];
                child.parent = (start + node.index()) as u32;
                child.rank = rank as u32;
            }
        }
        self.starts.push(end);
    }

    /// How many symbols the grammar has.
    pub fn n_symbols(&self) -> usize {
        self.n_symbols
    }

    /// How many trees there are.
    pub fn n_trees(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many nodes all trees have together.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes of all trees.
    pub fn nodes(&self) -> &[ArenaNode] {
        &self.nodes
    }

    /// A node.
    pub fn node(&self, node: u32) -> ArenaNode {
        self.nodes[node as usize]
    }

    /// The root of each tree.
    pub fn roots(&self) -> &[u32] {
        &self.starts[..self.n_trees()]
    }

    /// Whether a node is the root of its tree.
    pub fn is_root(&self, node: u32) -> bool {
        self.node(node).parent == node
    }

    /// What may happen at a node, inside a fragment.
    pub fn place(&self, node: u32) -> Place {
        self.places[self.node(node).symbol as usize]
    }

    /// What may happen where a symbol stands inside a fragment.
    pub fn place_of(&self, symbol: u32) -> Place {
        self.places[symbol as usize]
    }

    /// Whether a node may be cut or joined with its parent.
    pub fn is_site(&self, node: u32) -> bool {
        self.place(node) == Place::Site && !self.is_root(node)
    }

    /// The children of a node, first to last.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.node(node).end;
        let within = move |child: u32| (child < end).then_some(child);
        std::iter::successors(within(node + 1), move |&child| within(self.node(child).end))
    }

    /// The child of a node with the given rank.
    pub fn child(&self, node: u32, rank: u32) -> u32 {
        (0..rank).fold(node + 1, |child, _| self.node(child).end)
    }

    /// How many distinct labels there are.
    pub fn n_labels(&self) -> usize {
        self.labels.len()
    }

    /// The distinct labels with their symbols and how often they occur.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = (SymbolId, Label, u32)> + '_ {
        self.labels
            .iter()
            .map(|(&(symbol, label), &count)| (symbol, label, count))
    }

    /// The symbols of the children of a node with the given label.
    pub fn child_symbols(&self, label: u32) -> &[u32] {
        &self.child_symbols[label as usize]
    }

    /// A distinct label, with its symbol.
    ///
    /// # Panics
    ///
    /// When there are not that many labels.
    pub fn label(&self, label: u32) -> (SymbolId, Label) {
        *self
            .labels
            .get_index(label as usize)
            .expect("a label of this arena")
            .0
    }
}

impl Place {
    fn of(grammar: &Grammar, symbol: SymbolId) -> Place {
        match grammar.symbol_kind(symbol) {
            SymbolKind::Reference => Place::Hole,
            SymbolKind::Text => Place::Site,
            _ if grammar.expansions(symbol).len() > 1 => Place::Site,
            _ => Place::Forced,
        }
    }
}
