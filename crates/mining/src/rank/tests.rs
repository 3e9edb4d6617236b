//! Rankings and predictive probabilities, against figures computed by hand.

use patois_syntax::{Fragment, Grammar, Schema, Tree};

use super::{Ranked, by_coverage, by_cross_entropy, by_residual};
use crate::arena::CorpusArena;
use crate::base_distribution::Base;
use crate::candidates::{Pool, locate};
use crate::model::{Predictive, SmoothedPcfg, bits_per_node};
use crate::pitman_yor::PitmanYor;
use crate::segmentation::Segmentation;

fn grammar() -> Grammar {
    let schema =
        Schema::parse("module Toy { expr = A | B | Neg(expr it) | Add(expr left, expr right) }");
    Grammar::from_schema(&schema.expect("the schema is well-formed"))
}

fn trees(texts: &[&str]) -> Vec<Tree> {
    let grammar = grammar();
    let tree = |it: &&str| Tree::parse(&grammar, it).expect("a toy tree");
    texts.iter().map(tree).collect()
}

fn pool(trees: &[Tree], texts: &[&str]) -> Pool {
    let grammar = grammar();
    let fragment = |it: &&str| Fragment::parse(&grammar, it).expect("a toy fragment");
    locate(trees, texts.iter().map(fragment))
}

fn check(found: &[Ranked], expected: &[(usize, f64)]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.0.index(), expected.0);
        assert!((found.1 - expected.1).abs() < 1e-12, "{found:?}");
    }
}

fn check_bits(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
}

/// Three trees of six nodes, the last of which is cut above `B`.
///
/// Grammar: `Neg` three times, `A` twice, `B` once, so `N = 6` and `T = 3`:
///
/// ```text
/// P(Neg) = 3/9    P(A) = 2/9    P(B) = 1/9    P(something new) = 3/9
/// ```
///
/// Fragments, with a = 1 and d = 1/2: `(Neg A)` twice, `(Neg ?)` and `B` once, n = 4 and T = 3:
///
/// ```text
/// seen(Neg A) = (2 - 1/2) / (4 + 1) = 3/10     seen(Neg ?) = seen(B) = (1 - 1/2) / 5 = 1/10
/// fresh = (1 + 3/2) / 5 = 1/2                  stop = go on = 1/2
/// ```
const CORPUS: [&str; 3] = ["(Neg A)", "(Neg A)", "(Neg B)"];

fn with_model(test: impl FnOnce(&SmoothedPcfg, &Predictive<'_>, &[Tree])) {
    let (grammar, trees) = (grammar(), trees(&CORPUS));
    let arena = CorpusArena::new(&grammar, &trees);
    let cuts = vec![true, false, true, false, true, true];
    let segmentation = Segmentation::from_cuts(&arena, Base::new(&arena, 0.5), cuts);
    let prior = PitmanYor {
        concentration: 1.0,
        discount: 0.5,
    };
    let pcfg = SmoothedPcfg::of(&arena);
    let model = Predictive::new(&grammar, &pcfg, &segmentation, prior);
    test(&pcfg, &model, &trees);
}

/// ```text
/// (Neg A)  base(A) = 2/9                       inside(A) = 1/2 * 2/9 = 1/9
///          base    = 3/9 * (1/2 * 1/9 + 1/2 * 2/9) = 1/18
///          P_TSG   = 1/2 * 1/18 + 3/10 + 1/10 * 1/9 = 61/180
///          P_PCFG  = 3/9 * 2/9 = 2/27
///          score   = 2/3 * 1/2 * ln(61/180 * 27/2)
/// (Neg ?)  base    = 3/9 * 1/2 = 1/6           the hole is filled with probability one
///          P_TSG   = 1/2 * 1/6 + 1/10 = 11/60
///          P_PCFG  = 3/9
///          score   = 3/3 * 1/1 * ln(11/60 * 3)
/// B        P_TSG   = 1/2 * 1/9 + 1/10 = 7/45
///          P_PCFG  = 1/9
///          score   = 1/3 * 1/1 * ln(7/45 * 9)
/// ```
#[test]
fn cross_entropy() {
    with_model(|_, model, trees| {
        let pool = pool(trees, &["(Neg ?0)", "(Neg A)", "B"]);
        let neg_a = 1.0 / 3.0 * (61.0_f64 / 180.0 * 27.0 / 2.0).ln();
        let b = 1.0 / 3.0 * (7.0_f64 / 5.0).ln();
        let neg = (11.0_f64 / 20.0).ln();
        let expected = [(1, neg_a), (2, b), (0, neg)];
        check(&by_cross_entropy(&pool, trees, model, 10), &expected);
        check(&by_cross_entropy(&pool, trees, model, 2), &expected[..2]);
    });
}

/// ```text
/// (Neg B)            PCFG       3/9 * 1/9 = 1/27
/// (Neg (Add A B))    PCFG       3/9 * 3/9 * 2/9 * 1/9 = 2/729, for Add is new
///                    together   2/19683 on 6 nodes
/// (Neg B)            inside(B)  7/45, as above
///                    base       3/9 * (1/2 * 7/45 + 1/2 * 1/9) = 2/45
///                    fragments  1/2 * 2/45 + 1/10 * 7/45 = 17/450 on 2 nodes
/// ```
#[test]
fn bits_a_node() {
    with_model(|pcfg, model, _| {
        let new = trees(&["(Neg B)", "(Neg (Add A B))"]);
        let under_grammar = bits_per_node(pcfg, &new, |tree| pcfg.ln_tree(tree));
        check_bits(under_grammar, (19_683.0_f64 / 2.0).log2() / 6.0);
        let under_fragments = bits_per_node(pcfg, &new[..1], |tree| model.ln_tree(tree));
        check_bits(under_fragments, (450.0_f64 / 17.0).log2() / 2.0);
    });
}

/// Nodes that each candidate covers, and how many of them no earlier choice does:
///
/// ```text
///                       covers               at first   after (Neg A)   after (Add ? B)
/// 0  (Neg ?)            Neg, Neg                2           0
/// 1  (Neg A)            Neg A, Neg A            4        chosen
/// 2  (Add ? B)          Add B, Add B            4           4              chosen
/// 3  (Add (Neg A) B)    Add Neg A B             4           2                0
/// 4  (Add A B)          Add A B                 3           3                1
/// ```
#[test]
fn residual_and_coverage() {
    let trees = trees(&["(Add (Neg A) B)", "(Neg A)", "(Add A B)"]);
    let texts = [
        "(Neg ?0)",
        "(Neg A)",
        "(Add ?0 B)",
        "(Add (Neg A) B)",
        "(Add A B)",
    ];
    let pool = pool(&trees, &texts);
    let chosen = [(1, 4.0), (2, 4.0), (4, 1.0)];
    check(&by_residual(&pool, pool.ids(), &trees, 10), &chosen);
    check(&by_residual(&pool, pool.ids(), &trees, 2), &chosen[..2]);
    // By coverage, the larger ones come first among equals.
    let covering = [(1, 2.0), (2, 2.0), (0, 2.0), (3, 1.0), (4, 1.0)];
    check(&by_coverage(&pool, 10), &covering);
}

/// `(Neg (Neg ?))` occurs twice, and its occurrences share a node: it covers three, not four.
#[test]
fn occurrences_that_overlap_count_once() {
    let trees = trees(&["(Neg (Neg (Neg A)))"]);
    let pool = pool(&trees, &["(Neg A)", "(Neg (Neg ?0))"]);
    check(
        &by_residual(&pool, pool.ids(), &trees, 10),
        &[(1, 3.0), (0, 1.0)],
    );
}
