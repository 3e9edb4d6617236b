//! The contexts of a node, as hashes that are the same in every run and for every grammar.

use patois_syntax::{
    Grammar, IdVec, Label, NodeId, ProductionId, ProductionKind, SymbolId, Text, Tree,
};

use super::HASH_BITS;

/// How many contexts there are.
pub(super) const LEVELS: usize = 4;

/// The names of a grammar as hashes.
pub(super) struct Contexts {
    symbols: Vec<u64>,
    productions: Vec<u64>,
    /// Whether a production is that of a list or option.
    is_cell: Vec<bool>,
}

/// What a node stands in.
#[derive(Clone, Copy, Default)]
struct Around {
    /// The construct that it is part of, and as which part.
    owner: u64,
    /// What that is part of.
    above: u64,
    /// What stands before it in the same list.
    before: u64,
}

impl Contexts {
    pub(super) fn of(grammar: &Grammar) -> Contexts {
        let symbols = (0..grammar.n_symbols()).map(SymbolId::new);
        let productions = || (0..grammar.n_productions()).map(ProductionId::new);
        let name = |id: ProductionId| {
            let production = grammar.production(id);
            let symbol = of_text(&grammar.symbol_name(production.lhs));
            match grammar.constructor(id) {
                Some(it) => of_text(it.name),
                None => mix(symbol, 1 + number(production.kind)),
            }
        };
        Contexts {
            symbols: symbols
                .map(|it| of_text(&grammar.symbol_name(it)))
                .collect(),
            productions: productions().map(name).collect(),
            is_cell: productions()
                .map(|it| grammar.constructor(it).is_none())
                .collect(),
        }
    }

    /// For every node of a tree, its contexts from least to most, and each together with its label.
    pub(super) fn keys(&self, tree: &Tree) -> Vec<[(u32, u32); LEVELS]> {
        let mut around: IdVec<NodeId, Around> = IdVec::filled(Around::default(), tree.n_nodes());
        let mut keys = Vec::with_capacity(tree.n_nodes());
        let mut word = 0;
        for node in tree.nodes() {
            let label = self.label(tree.label(node));
            let Around {
                owner,
                above,
                before,
            } = around[node];
            let symbol = self.symbols[tree.symbol(node).index()];
            let part = mix(symbol, owner);
            let said = mix(part, word);
            let full = mix(mix(said, above), before);
            let contexts = [symbol, part, said, full];
            let levels = std::array::from_fn(|level| {
                let context = mix(contexts[level], level as u64);
                (shortened(context), shortened(mix(context, label)))
            });
            keys.push(levels);
            self.pass_on(tree, node, label, &mut around);
            if let Label::Text(text) = tree.label(node) {
                word = of_text(text.as_str());
            }
        }
        keys
    }

    /// Tells the children of a node what they stand in.
    fn pass_on(&self, tree: &Tree, node: NodeId, label: u64, around: &mut IdVec<NodeId, Around>) {
        let Label::Production(id) = tree.label(node) else {
            return;
        };
        let own = around[node];
        let mut before = own.before;
        for (index, child) in tree.children(node).enumerate() {
            around[child] = if self.is_cell[id.index()] {
                // An item of a list is part of what holds the list.
                Around { before, ..own }
            } else {
                Around {
                    owner: mix(label, index as u64),
                    above: own.owner,
                    before: 0,
                }
            };
            before = self.label(tree.label(child));
        }
    }

    fn label(&self, label: Label) -> u64 {
        match label {
            Label::Production(id) => self.productions[id.index()],
            Label::Text(text) => text_hash(text),
            Label::Reference(index) => mix(3, u64::from(index)),
        }
    }
}

/// A number for each production of lists and options.
fn number(kind: ProductionKind) -> u64 {
    match kind {
        ProductionKind::Construct(_) => 0,
        ProductionKind::Cons => 1,
        ProductionKind::Nil => 2,
        ProductionKind::First => 3,
        ProductionKind::Present => 4,
        ProductionKind::Absent => 5,
    }
}

fn text_hash(text: Text) -> u64 {
    mix(of_text(text.as_str()), 2)
}

/// FNV-1a.
fn of_text(text: &str) -> u64 {
    let bytes = text.bytes();
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn mix(one: u64, other: u64) -> u64 {
    let mixed = (one.rotate_left(23) ^ other).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

fn shortened(hash: u64) -> u32 {
    (hash >> (64 - HASH_BITS)) as u32
}
