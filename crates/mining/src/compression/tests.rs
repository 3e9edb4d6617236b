//! Costs that are kept up to date must be what listing all derivations gives.

use patois_syntax::{Fragment, Grammar, NodeId, Schema, Tree};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Costs, Counting};
use crate::candidates::{CandidateId, Pool, is_choice, locate};

fn grammar() -> Grammar {
    let schema = Schema::parse(
        "module Toy {
             list = (expr* items)
             expr = A | B | Neg(expr it) | Add(expr left, expr right) | Pair(both it)
             both = (expr left, name right)
             name = text
         }",
    );
    Grammar::from_schema(&schema.expect("the schema is well-formed"))
}

fn below(rng: &mut impl Rng, n: u64) -> u64 {
    rng.next_u64() % n
}

fn expr(depth: usize, rng: &mut impl Rng) -> String {
    match below(rng, if depth == 0 { 2 } else { 7 }) {
        0 => "A".into(),
        1 => "B".into(),
        2 | 3 => format!("(Neg {})", expr(depth - 1, rng)),
        4 | 5 => format!("(Add {} {})", expr(depth - 1, rng), expr(depth - 1, rng)),
        _ => format!(
            "(Pair (both {} \"{}\"))",
            expr(depth - 1, rng),
            below(rng, 3)
        ),
    }
}

fn tree(grammar: &Grammar, rng: &mut impl Rng) -> Tree {
    let items: Vec<String> = (0..below(rng, 4)).map(|_| expr(3, rng)).collect();
    Tree::parse(grammar, &format!("(list [{}])", items.join(" "))).expect("a toy tree")
}

const FRAGMENTS: [&str; 12] = [
    "(Neg (Neg ?0))",
    "(Neg A)",
    "(Add ?0 ?0)",
    "(Add ?0 B)",
    "(Add (Neg ?0) ?1)",
    "(Add (Add ?0 ?1) (Neg ?2))",
    "expr*: [A | ?0]",
    "expr*: [?0 ?1]",
    "(list [(Neg ?0) | ?1])",
    "(Pair (both ?0 \"1\"))",
    "(Add (Pair (both ?0 ?1)) (Pair (both ?0 ?2)))",
    "(Neg (Neg (Neg ?0)))",
];

/// The fewest steps below a node, by trying everything, again and again.
fn brute_force(
    grammar: &Grammar,
    tree: &Tree,
    node: NodeId,
    idioms: &[&Fragment],
    counting: Counting,
) -> u64 {
    let below = |node| brute_force(grammar, tree, node, idioms, counting);
    let own = counting == Counting::Applications || is_choice(grammar, tree.symbol(node));
    let plain = u64::from(own) + tree.children(node).map(below).sum::<u64>();
    let with_idioms = idioms.iter().filter_map(|fragment| {
        let bindings = fragment.match_at(tree, node)?;
        Some(1 + bindings.iter().map(|(_, it)| below(it)).sum::<u64>())
    });
    with_idioms.fold(plain, u64::min)
}

fn expected(
    grammar: &Grammar,
    trees: &[Tree],
    pool: &Pool,
    used: &[CandidateId],
    counting: Counting,
) -> u64 {
    let idioms: Vec<&Fragment> = used.iter().map(|&it| &pool[it].fragment).collect();
    trees
        .iter()
        .map(|tree| brute_force(grammar, tree, tree.root(), &idioms, counting))
        .sum()
}

#[test]
fn costs_are_what_listing_all_derivations_gives() {
    let grammar = grammar();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for counting in [Counting::Applications, Counting::Choices] {
        for _ in 0..20 {
            let trees: Vec<Tree> = (0..20).map(|_| tree(&grammar, &mut rng)).collect();
            let fragments = FRAGMENTS.map(|it| Fragment::parse(&grammar, it).unwrap());
            let pool = locate(&trees, fragments);
            let mut costs = Costs::new(&grammar, &trees, counting);
            let mut used: Vec<CandidateId> = Vec::new();
            for _ in 0..25 {
                let before = costs.total();
                assert_eq!(before, expected(&grammar, &trees, &pool, &used, counting));
                if counting == Counting::Applications {
                    let n_pairs: usize = costs.pairs(&pool).values().sum();
                    assert_eq!(
                        (n_pairs + trees.len()) as u64,
                        before,
                        "a pair for each step"
                    );
                }
                let candidate = CandidateId::new(below(&mut rng, pool.len() as u64) as usize);
                if let Some(place) = used.iter().position(|&it| it == candidate) {
                    let loss = costs.losses(&pool, &[candidate])[0];
                    assert_eq!(costs.total(), before, "trying leaves no trace");
                    assert_eq!(costs.remove(&pool, candidate), loss);
                    assert_eq!(costs.total(), before + loss);
                    used.remove(place);
                } else {
                    let gain = costs.gains(&pool, &[candidate])[0];
                    assert!(costs.bounds(&pool, &[candidate])[0] >= gain);
                    assert_eq!(costs.total(), before, "trying leaves no trace");
                    assert_eq!(costs.add(&pool, candidate), gain);
                    assert_eq!(costs.total(), before - gain);
                    used.push(candidate);
                }
            }
        }
    }
}
