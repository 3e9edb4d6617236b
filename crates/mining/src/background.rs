//! What is usual in a language: how often each choice is made in other people's programs.
//!
//! A background is counts of choices in contexts, from none to much: the symbol alone; what it is part
//! of; the last word before it; what that in turn is part of, and what stands before it in its list. The
//! probability of a choice is smoothed from the least context to the most:
//!
//! ```text
//! p_k(label) = λ count_k(label) / count_k + (1 - λ) p_{k-1}(label),   λ = min(count_k / (count_k + κ), 0.9)
//! ```
//!
//! However much is known of a context, a name that was never seen there is not much less likely than
//! elsewhere.
//!
//! Contexts and labels are hashes of names, so a background of one grammar serves another grammar of the
//! same language, and a stored one says nothing about the programs that it was counted in but how often
//! something that you already have occurs in them.

mod bytes;
mod contexts;

use std::collections::BTreeMap;

use patois_syntax::{Grammar, IdVec, NodeId, Tree};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use self::contexts::{Contexts, LEVELS};
use crate::candidates::TreeId;

pub use self::bytes::BackgroundError;

type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// How many observations the smaller context is worth.
const PRIOR: f64 = 2.0;

/// How much is known by the larger context, at most.
const MAX_WEIGHT: f64 = 0.9;

/// What was never seen at all is one of so many things.
const N_UNSEEN: f64 = 65_536.0;

/// Hashes have so many bits: an unknown one is taken for a known one once in thousands of times, and the
/// distance from one known hash to the next takes two bytes.
const HASH_BITS: u32 = 28;

/// How often each choice is made in other people's programs.
///
/// ```
/// use patois_mining::BackgroundCounts;
/// use patois_syntax::{Grammar, Schema, Tree};
///
/// let schema = Schema::parse("module M { expr = Call(name function, expr* arguments) | Nothing\n name = text }")?;
/// let grammar = Grammar::from_schema(&schema);
/// let tree = |text: &str| Tree::parse(&grammar, text);
/// let others = vec![tree(r#"(Call "open" [Nothing])"#)?, tree(r#"(Call "open" [])"#)?];
///
/// let mut counts = BackgroundCounts::default();
/// counts.add(&grammar, &others);
/// let background = counts.all("others");
/// let mine = [tree(r#"(Call "open" [])"#)?, tree(r#"(Call "retry" [])"#)?];
/// let bits = background.bits(&grammar, &mine);
/// assert!(bits.tree(0) + 4.0 < bits.tree(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Background {
    name: String,
    /// Hashes of contexts, and of contexts with a label, in their order, and how often each was seen.
    entries: Vec<(u32, u32)>,
}

/// Counts from which a background is made.
#[derive(Clone, Debug, Default)]
pub struct BackgroundCounts {
    n_corpora: u32,
    contexts: IndexMap<u32, u32>,
    choices: IndexMap<u32, Choice>,
}

/// How often a label was seen in a context.
#[derive(Clone, Copy, Debug, Default)]
struct Choice {
    context: u32,
    count: u32,
    /// In how many corpora.
    n_corpora: u32,
    last_corpus: u32,
}

/// How many bits every node of some trees costs under a background.
#[derive(Clone, Debug)]
pub struct NodeBits(IdVec<TreeId, IdVec<NodeId, f32>>);

impl BackgroundCounts {
    /// Counts one corpus, such as a package.
    pub fn add(&mut self, grammar: &Grammar, trees: &[Tree]) {
        self.n_corpora += 1;
        let contexts = Contexts::of(grammar);
        // As many trees at a time as fit well into memory.
        for trees in trees.chunks(1_000) {
            let found: Vec<Vec<[(u32, u32); LEVELS]>> =
                trees.par_iter().map(|it| contexts.keys(it)).collect();
            for (context, choice) in found.into_iter().flatten().flatten() {
                *self.contexts.entry(context).or_default() += 1;
                let known = self.choices.entry(choice).or_insert(Choice {
                    context,
                    ..Choice::default()
                });
                known.count += 1;
                if known.last_corpus != self.n_corpora {
                    known.last_corpus = self.n_corpora;
                    known.n_corpora += 1;
                }
            }
        }
    }

    /// All that was counted.
    pub fn all(self, name: &str) -> Background {
        self.most_usual(name, 1, usize::MAX)
    }

    /// What at least `min_corpora` corpora have: so many counts at most, the largest.
    pub fn most_usual(self, name: &str, min_corpora: u32, max_entries: usize) -> Background {
        let mut choices: Vec<(u32, Choice)> = self
            .choices
            .into_iter()
            .filter(|it| it.1.n_corpora >= min_corpora)
            .collect();
        choices.sort_by_key(|&(key, it)| (std::cmp::Reverse(it.count), key));
        let mut kept: BTreeMap<u32, u32> = BTreeMap::new();
        for (key, choice) in choices {
            if kept.len() + 2 > max_entries {
                break;
            }
            kept.insert(key, choice.count);
            let total = self.contexts.get(&choice.context).copied().unwrap_or(0);
            kept.insert(choice.context, total);
        }
        Background {
            name: name.to_owned(),
            entries: kept.into_iter().collect(),
        }
    }
}

impl Background {
    /// What it was counted in, as people are told.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many counts there are.
    pub fn n_entries(&self) -> usize {
        self.entries.len()
    }

    /// How many bits every node of some trees costs.
    pub fn bits(&self, grammar: &Grammar, trees: &[Tree]) -> NodeBits {
        let contexts = Contexts::of(grammar);
        let of_tree = |tree: &Tree| {
            let keys = contexts.keys(tree).into_iter();
            IdVec::from(keys.map(|it| self.cost(it)).collect::<Vec<f32>>())
        };
        let bits: Vec<IdVec<NodeId, f32>> = trees.par_iter().map(of_tree).collect();
        NodeBits(IdVec::from(bits))
    }

    fn cost(&self, keys: [(u32, u32); LEVELS]) -> f32 {
        let mut p = 1.0 / N_UNSEEN;
        for (context, choice) in keys {
            let total = self.count(context);
            let share = self.count(choice).min(total) / total.max(1.0);
            let weight = (total / (total + PRIOR)).min(MAX_WEIGHT);
            p = weight * share + (1.0 - weight) * p;
        }
        -p.log2() as f32
    }

    fn count(&self, key: u32) -> f64 {
        let found = self.entries.binary_search_by_key(&key, |it| it.0);
        found.map_or(0.0, |at| f64::from(self.entries[at].1))
    }
}

impl NodeBits {
    /// The cost of a node.
    pub fn node(&self, tree: TreeId, node: NodeId) -> f64 {
        f64::from(self.0[tree][node])
    }

    /// The cost of a whole tree.
    pub fn tree(&self, tree: usize) -> f64 {
        let nodes = self.0[TreeId::new(tree)].iter();
        nodes.map(|&it| f64::from(it)).sum()
    }
}

#[cfg(test)]
mod tests {
    use patois_syntax::{Label, Schema};

    use super::*;

    fn grammar() -> Grammar {
        let schema = "module M { block = (stmt* body)
                                 stmt = Set(name to, expr value) | Do(expr value)
                                 expr = Call(name function, expr* arguments) | Name(name id)
                                 name = text }";
        Grammar::from_schema(&Schema::parse(schema).unwrap())
    }

    fn counted(grammar: &Grammar, corpora: &[&[&str]]) -> BackgroundCounts {
        let mut counts = BackgroundCounts::default();
        for corpus in corpora {
            let trees = corpus.iter().map(|it| Tree::parse(grammar, it).unwrap());
            counts.add(grammar, &trees.collect::<Vec<_>>());
        }
        counts
    }

    const OPEN: &str = r#"(block [(Set "f" (Call "open" [(Name "path")])) (Do (Call "read" []))])"#;
    const SEND: &str = r#"(block [(Do (Call "send" [(Name "path")]))])"#;

    #[test]
    fn what_others_write_too_is_cheap() {
        let grammar = grammar();
        let background = counted(&grammar, &[&[OPEN, OPEN, OPEN]]).all("others");
        let trees = [OPEN, SEND].map(|it| Tree::parse(&grammar, it).unwrap());
        let bits = background.bits(&grammar, &trees);
        assert!(bits.tree(0) < 24.0, "{}", bits.tree(0));
        assert!(bits.tree(1) > 30.0, "{}", bits.tree(1));
        // It is the name that nobody else has.
        let tree = &trees[1];
        let dearest = tree.nodes().max_by(|&one, &other| {
            let cost = |it| bits.node(TreeId::new(1), it);
            cost(one).total_cmp(&cost(other))
        });
        let Label::Text(text) = tree.label(dearest.unwrap()) else {
            panic!("expected a text");
        };
        assert_eq!(text.as_str(), "send");
    }

    #[test]
    fn what_one_package_has_is_not_usual() {
        let grammar = grammar();
        let counts = counted(&grammar, &[&[OPEN, SEND, SEND], &[OPEN]]);
        let all = counts.clone().all("both");
        let usual = counts.most_usual("both", 2, usize::MAX);
        assert!(usual.n_entries() < all.n_entries());
        let tree = [Tree::parse(&grammar, SEND).unwrap()];
        let cost = |it: &Background| it.bits(&grammar, &tree).tree(0);
        assert!(cost(&usual) > cost(&all) + 5.0);
    }

    #[test]
    fn the_room_goes_to_what_is_most_usual() {
        let grammar = grammar();
        let counts = counted(&grammar, &[&[OPEN, SEND, SEND], &[OPEN]]);
        let small = counts.most_usual("both", 1, 10);
        assert!(small.n_entries() <= 10);
        let least = small.entries.iter().map(|it| it.1).min();
        assert!(least >= Some(2), "{small:?}");
    }
}
