//! Surprise: how many bits a fragment saves against a grammar that makes every choice on its own.
//!
//! A statement that everybody writes is cheap, however often it occurs. What is long, improbable and
//! yet there twice has been copied.

use std::ops::Range;

use patois_syntax::{Fragment, FragmentNode, Id as _, Label, NodeId, SymbolId, Tree};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use crate::candidates::Pool;
use crate::rank::{Ranked, apart};

type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// The cost of every label of some trees under the grammar with their frequencies, in bits.
#[derive(Clone, Debug)]
pub struct Bits {
    counts: IndexMap<(SymbolId, Label), u32>,
    totals: IndexMap<SymbolId, u32>,
}

impl Bits {
    /// The costs of the trees' labels.
    pub fn of(trees: &[Tree]) -> Bits {
        let mut bits = Bits {
            counts: IndexMap::default(),
            totals: IndexMap::default(),
        };
        for tree in trees {
            for node in tree.nodes() {
                let symbol = tree.symbol(node);
                *bits.counts.entry((symbol, tree.label(node))).or_default() += 1;
                *bits.totals.entry(symbol).or_default() += 1;
            }
        }
        bits
    }

    /// How many nodes stand for a symbol.
    fn n_nodes(&self, symbol: SymbolId) -> f64 {
        f64::from(self.totals.get(&symbol).copied().unwrap_or(0))
    }

    /// The cost of a label; what was never seen costs as much as what was seen once.
    fn label(&self, symbol: SymbolId, label: Label) -> f64 {
        let count = self.counts.get(&(symbol, label)).copied().unwrap_or(1);
        (self.n_nodes(symbol).max(1.0) / f64::from(count)).log2()
    }

    /// The cost of nodes that follow each other in a tree.
    pub fn nodes(&self, tree: &Tree, nodes: Range<usize>) -> f64 {
        let nodes = nodes.map(NodeId::new);
        nodes
            .map(|it| self.label(tree.symbol(it), tree.label(it)))
            .sum()
    }

    /// The cost of what is fixed in a fragment; a name that stands at two places is paid for twice.
    fn fragment(&self, fragment: &Fragment) -> f64 {
        NodeId::first(fragment.n_nodes())
            .map(|node| match fragment.node(node) {
                FragmentNode::Fixed(label) => self.label(fragment.symbol(node), label),
                FragmentNode::Hole(_) => 0.0,
            })
            .sum()
    }

    /// How many bits an occurrence of a fragment saves, on average, if the fragment is one more
    /// choice for its symbol and is written down once.
    ///
    /// With *n* places among *N* nodes of its symbol and a cost of *b* bits, each place costs
    /// log2(*N* / *n*) instead of *b*, and *b* is paid once.
    fn saved(&self, fragment: &Fragment, n_places: usize) -> f64 {
        let n = n_places as f64;
        let bits = self.fragment(fragment);
        let choice = (self.n_nodes(fragment.root_symbol()) / n).max(1.0).log2();
        bits - choice - bits / n
    }
}

/// The candidates whose occurrences save the most bits each, as far as most of their nodes are not
/// part of a better one.
pub(crate) fn by_surprise(pool: &Pool, trees: &[Tree], n_idioms: usize) -> Vec<Ranked> {
    let bits = Bits::of(trees);
    let saved: Vec<f64> = pool
        .par_iter()
        .map(|it| bits.saved(&it.fragment, it.places.len()))
        .collect();
    let mut ranked: Vec<Ranked> = pool.ids().zip(saved).filter(|it| it.1 > 0.0).collect();
    ranked.sort_by(|left, right| right.1.total_cmp(&left.1));
    apart(pool, trees, ranked, n_idioms)
}

#[cfg(test)]
mod tests {
    use patois_syntax::{Grammar, Schema};

    use super::*;
    use crate::candidates::locate;

    #[test]
    fn a_rare_copy_comes_before_what_everybody_writes() {
        let schema = "module M { block = (stmt* body)
                                 stmt = Set(name to, name from) | Call(name function, name* arguments)
                                 name = text }";
        let grammar = Grammar::from_schema(&Schema::parse(schema).unwrap());
        let parse = |text: &str| Tree::parse(&grammar, text).unwrap();
        let common = (0..40).map(|it| format!(r#"(block [(Set "self" "x{}")])"#, it % 4));
        let mut trees: Vec<Tree> = common.map(|it| parse(&it)).collect();
        let copied = r#"(Call "a" ["b" "c" "d" "e" "f" "g"])"#;
        trees.extend([
            parse(&format!("(block [{copied}])")),
            parse(&format!("(block [{copied} {copied}])")),
        ]);
        let fragments = [r#"(Set "self" ?0)"#, copied, r#"(Call "a" ["b" "c" | ?0])"#];
        let fragments = fragments.map(|it| Fragment::parse(&grammar, it).unwrap());
        let pool = locate(&trees, fragments);
        let ranked = by_surprise(&pool, &trees, 10);
        let order: Vec<usize> = ranked.iter().map(|it| it.0.index()).collect();
        // The third is part of the second.
        assert_eq!(order, [1, 0], "{ranked:?}");

        let bits = Bits::of(&trees);
        let saved = bits.saved(&pool[ranked[0].0].fragment, 3);
        assert!(
            (ranked[0].1 - saved).abs() < 1e-12 && saved > 15.0,
            "{saved}"
        );
        // `self` is what is always there, and a Set almost: hardly anything is saved.
        assert!(bits.saved(&pool[ranked[1].0].fragment, 40) < 2.0);
    }
}
